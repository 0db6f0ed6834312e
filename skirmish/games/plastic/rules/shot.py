"""One shot. ``aim`` is everything known before the draw; ``judge`` applies a draw to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from skirmish.games.plastic.rules.catalog import (
    Catalog,
    FireNumbers,
    Kill,
    Kind,
    Nation,
    UnitType,
    Weapon,
    a_unit,
)
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.measure import inches
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import Refusal

CLOSE_PHASES = (3, 4)
KINDS = {"guy": "guys", "unarmored": "unarmored models", "armored": "armor"}
SAVED = {"cover": "in cover", "hull_down": "hull down"}

Breakdown = Literal["pending", "held", "broken"]
Save = Literal["cover", "hull_down"]


class Circumstances(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """``distance`` in inches, 0 when touching."""

    distance: float = 0
    touching: bool = False
    phase: int = 2
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    grouped: bool = True

    @property
    def close_phase(self) -> bool:
        return self.phase in CLOSE_PHASES


def at_next(at: Circumstances, fire: FireNumbers) -> Circumstances:
    """The circumstances of the next man of a run of repeat fire, if nothing else is known of him:
    in contact only the first one is touched, and the others are more than 3 in away (P11, P48)."""
    if not at.touching:
        return at
    return msgspec.structs.replace(at, touching=False, distance=float(fire.exact_within + 1))


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """``nation`` is the shooter's, None without nationalities."""

    shooter: UnitType
    weapon: Weapon | None
    target: UnitType
    at: Circumstances
    nation: Nation | None = None


class Repeat(msgspec.Struct, frozen=True):
    """Another shot within this many inches of the first or last target; ``new_only``: at a target
    not shot at in this run of fire (P22)."""

    within: int
    of: Literal["first", "last"]
    new_only: bool = True

    def uses_up(self, *, exact: bool) -> int:
        """How many new men a hit uses up: the target, and another one if the defender may
        substitute him."""
        return 2 if self.new_only and not exact else 1


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """``needs`` is the highest rank that hits; ``exact`` why the target itself dies whatever the
    draw, or None; ``why`` lists the modifiers."""

    needs: int
    why: tuple[str, ...]
    saves: tuple[Save, ...]
    ace_ignores_cover: bool
    die_saves_from: int | None
    exact: str | None
    repeat: Repeat | None
    may_break: bool
    at_guy: bool
    breaks_into: Literal["model", "rifle"]
    fire: FireNumbers

    def saved_by(self, draw: Draw) -> Save | None:
        """Cover is named before hull down."""
        for save in self.saves:
            if save == "cover":
                if draw.rank == 1 and self.ace_ignores_cover:
                    continue
                saved = draw.is_black if draw.is_card else draw.rank % 2 == 0
            elif draw.is_card:
                saved = draw.is_black
            elif self.die_saves_from is None:
                saved = draw.rank % 2 == 0
            else:
                saved = draw.rank >= self.die_saves_from
            if saved:
                return save
        return None


class ShotVerdict(msgspec.Struct, frozen=True, kw_only=True):
    hit: bool
    saved_by: Save | None
    exact_figure: bool
    repeat: Repeat | None
    breakdown: Breakdown | None


def why_not(shot: Shot, catalog: Catalog, rulings: Mapping[str, str]) -> Refusal | None:
    """The first reason against the shot. Codes, in this order: no_weapon, no_target, touching,
    not_touching, range, touch_only ("Sequence of Play", "Firing")."""
    at, weapon, target = shot.at, shot.weapon, shot.target
    if weapon is None:
        text = f"{a_unit(shot.shooter.name, 'A')} has nothing to fire with."
        return Refusal("no_weapon", text, "Firing", True)
    fought, kill = _entry(shot, catalog, rulings)
    if kill is None:
        gun = f"{weapon.name} of {a_unit(shot.shooter.name)}"
        text = f"The {gun} may not fire at {a_unit(target.name)}."
        return Refusal("no_target", text, "Firing", True)
    if at.touching and not at.close_phase:
        text = f"In contact it may not fire in phase {at.phase}; it fights in phase 3 or 4."
        return Refusal("touching", text, "Firing")
    if at.close_phase and not at.touching and rulings["P48"] == "touched_only":
        text = f"In phase {at.phase} only units in contact fight, and only whom they touch."
        return Refusal("not_touching", text, "Sequence of Play, P48")
    reach = kill.range or fought.range
    if not at.touching and at.distance > reach:
        text = f"{inches(at.distance)} is out of range: the {fought.name} reaches {inches(reach)}."
        return Refusal("range", text, "Firing")
    if kill.touch and not (at.touching and at.close_phase):
        text = (
            f"{a_unit(shot.shooter.name, 'A')} hurts {a_unit(target.name)} only in contact, "
            f"in phases 3 and 4 (then {run(kill.needs)})."
        )
        return Refusal("touch_only", text, "Firing")
    return None


def aim(shot: Shot, catalog: Catalog, rulings: Mapping[str, str]) -> Aim:
    """Raises ValueError if there is no number (``why_not``: no_weapon, no_target)."""
    fought, kill = _entry(shot, catalog, rulings)
    if shot.weapon is None or kill is None:
        raise ValueError("no number exists for this shot")
    at, target = shot.at, shot.target
    needs, why = _needs(shot, fought, kill, catalog, rulings)
    bullets = fought.bullets
    if fought is not shot.weapon and not shot.weapon.bullets:
        bullets = rulings["P44"] == "bullets"
    sheltered = not at.close_phase or rulings["P52"] == "count"
    saves: list[Save] = []
    if at.cover and bullets and sheltered and (target.is_guy or "cannon" in target.tags):
        saves.append("cover")
    if at.hull_down and sheltered and _may_be_hull_down(target, rulings):
        saves.append("hull_down")
    new_only = rulings["P22"] == "not_shot_at"
    repeat = Repeat(catalog.fire.repeat_within, fought.repeat_from, new_only)
    exempt = shot.shooter.breakdown == "never" or (
        shot.shooter.breakdown == "as_rifle" and rulings["P53"] == "as_rifle_guys"
    )
    return Aim(
        needs=needs,
        why=tuple(why),
        saves=tuple(saves),
        ace_ignores_cover=rulings["P18"] == "ace_hits",
        die_saves_from=None if rulings["P17"] == "even" else 7,
        exact=_exact(shot, kill, catalog, rulings) if target.is_guy else None,
        repeat=repeat if kill.repeat and target.is_guy else None,
        may_break=not exempt,
        at_guy=target.is_guy,
        breaks_into="rifle" if shot.shooter.is_guy else "model",
        fire=catalog.fire,
    )


def judge(aim: Aim, draw: Draw, second: Draw | None = None) -> ShotVerdict:
    """``second``: the breakdown draw, if one is required ("Breakdowns")."""
    in_run = draw.rank <= aim.needs
    saved = aim.saved_by(draw) if in_run else None
    hit = in_run and saved is None
    breakdown: Breakdown | None = None
    if aim.may_break and aim.fire.may_break(draw):
        breakdown = "pending"
        if second is not None:
            breakdown = "broken" if aim.fire.breaks(second) else "held"
    return ShotVerdict(
        hit=hit,
        saved_by=saved,
        exact_figure=hit and aim.at_guy and (draw.rank == 1 or aim.exact is not None),
        repeat=aim.repeat if hit else None,
        breakdown=breakdown,
    )


def weapon_named(
    unit: UnitType, name: str | None, catalog: Catalog, rulings: Mapping[str, str]
) -> Weapon | None:
    """By id or another name; by default the only one. None if there is none; raises ValueError (a
    sentence) if there are several and none is named."""
    weapons = {weapon.id: weapon for weapon in catalog.weapons_of(unit, rulings)}
    if name is None:
        if len(weapons) > 1:
            raise ValueError(f"{a_unit(unit.name)} has {' and '.join(weapons)}: name the weapon")
        return next(iter(weapons.values()), None)
    if name in weapons:
        return weapons[name]
    return next((weapon for weapon in weapons.values() if name in weapon.called), None)


def run(needs: int) -> str:
    """``A-5``"""
    return "A" if needs == 1 else f"A-{needs}"


def _entry(shot: Shot, catalog: Catalog, rulings: Mapping[str, str]) -> tuple[Weapon, Kill | None]:
    """The weapon that is actually used, and its entry for this target."""
    weapon = shot.weapon
    if weapon is None:
        return next(iter(catalog.weapons.values())), None
    if shot.at.close_phase and shot.target.is_guy:
        as_rifle = shot.shooter.is_guy or rulings["P41"] == "as_rifle"
        if weapon.in_contact_as and as_rifle:
            weapon = catalog.weapons[weapon.in_contact_as]
        elif "sniper" in shot.shooter.tags and rulings["P12"] == "as_rifle":
            weapon = catalog.weapons["rifle"]
    return weapon, weapon.against(_kind(shot.target, rulings))


def _kind(target: UnitType, rulings: Mapping[str, str]) -> Kind:
    soft = "landing_craft" in target.tags and rulings["P3"] == "unarmored"
    return "unarmored" if soft else target.kind


def _needs(
    shot: Shot, fought: Weapon, kill: Kill, catalog: Catalog, rulings: Mapping[str, str]
) -> tuple[int, list[str]]:
    needs = kill.needs
    why = [f"{fought.name} against {KINDS[_kind(shot.target, rulings)]}: {run(needs)}"]
    if shot.weapon is not None and fought is not shot.weapon:
        why[0] = f"{shot.weapon.name} in contact fights as a {fought.name.lower()}: {run(needs)}"
    for tag in shot.target.tags:
        if tag in fought.special:
            needs = fought.special[tag]
            why.append(f"against {a_unit(shot.target.name)}: {run(needs)}")
    if (
        fought.regular
        and "tiger" in shot.target.tags
        and rulings["P6"] == "as_regular_tank"
        and (regular := catalog.weapons[fought.regular].armored)
    ):
        needs = regular.needs
        why.append(f"a Tiger counts as a regular tank (P6): {run(needs)}")
    if shot.at.rear and (from_behind := _rear_needs(fought, shot.target, rulings)):
        if fought.regular and rulings["P7"] == "better":
            from_behind = max(from_behind, needs)
        if from_behind != needs:
            needs = from_behind
            why.append(f"from behind: {run(needs)}")
    if (
        shot.at.close_phase
        and shot.at.touching
        and shot.target.is_guy
        and shot.nation
        and (close := shot.nation.rifle_in_contact)
        and _fights_as_rifle(shot, fought, rulings)
    ):
        needs = close
        why.append(f"{shot.nation.name} rifles in close combat: {run(needs)}")
    return needs, why


def _rear_needs(weapon: Weapon, target: UnitType, rulings: Mapping[str, str]) -> int | None:
    """ "Rear Armor", P43."""
    tags = list(target.tags)
    if "aa_tank" in tags and rulings["P43"] == "aa_tank_too":
        tags.append("tank")
    return next((weapon.rear[tag] for tag in tags if tag in weapon.rear), None)


def _fights_as_rifle(shot: Shot, fought: Weapon, rulings: Mapping[str, str]) -> bool:
    """Whether the Japanese close-combat number applies (P42)."""
    if rulings["P42"] == "rifle_only":
        return "rifle_guy" in shot.shooter.tags
    sniper = "sniper" in shot.shooter.tags
    return shot.shooter.is_guy and not sniper and "rifle" in (fought.id, *fought.called)


def _may_be_hull_down(target: UnitType, rulings: Mapping[str, str]) -> bool:
    """Vehicles, cannon, and pillboxes under P45 ("Hull Down")."""
    if "pillbox" in target.tags:
        return rulings["P45"] == "pillboxes_too"
    return "vehicle" in target.tags or "cannon" in target.tags


def _exact(shot: Shot, kill: Kill, catalog: Catalog, rulings: Mapping[str, str]) -> str | None:
    """Why the target itself dies ("Removing Dead Guys", "Sniper Guys", P11)."""
    if kill.exact or "sniper" in shot.shooter.tags:
        return "a sniper kills the man he names"
    if shot.at.touching:
        return "in contact"
    if shot.at.close_phase and rulings["P11"] == "always_exact":
        return "in phases 3 and 4 always"
    if "sniper" in shot.target.tags:
        return "a sniper is in no group"
    if not shot.at.grouped:
        return "he is in no group"
    if shot.at.distance <= catalog.fire.exact_within:
        return f"within {inches(catalog.fire.exact_within)}"
    return None


# ------------------------------------------------------------------ in words


def explain(aim: Aim, draw: Draw, second: Draw | None, verdict: ShotVerdict) -> str:
    parts = ["; ".join(aim.why) + ".", _outcome(aim, draw, verdict)]
    if verdict.exact_figure:
        parts.append(f"The man aimed at dies ({'an ace' if draw.rank == 1 else aim.exact}).")
    elif verdict.hit and aim.at_guy:
        parts.append("The defender may choose another man of the group.")
    if verdict.breakdown == "pending":
        parts.append("Breakdown: draw again.")
    elif verdict.breakdown and second:
        parts.append(tested(aim, second, verdict))
    return " ".join(parts)


def without_draw(explained: str, draw: Draw) -> str:
    """The text of ``explain`` or ``tested`` without the draw and its result."""
    shown = capital(draw.words)
    for phrase, instead in (
        (f"{shown}: hit.", ""),
        (f"{shown}: miss.", ""),
        (f"{shown} would hit, but the target", "The target"),
    ):
        explained = explained.replace(phrase, instead)
    before, drawn, after = explained.partition(f"Breakdown draw, {draw.words}: ")
    if drawn:
        explained = f"{before}{capital(after)}"
    found = explained.replace("  ", " ").strip(" ")
    return capital(found)


def tested(aim: Aim, second: Draw, verdict: ShotVerdict) -> str:
    lost = "he fights on as a rifleman" if aim.breaks_into == "rifle" else "it is lost"
    result = "the weapon holds" if verdict.breakdown == "held" else lost
    return f"Breakdown draw, {second.words}: {result}."


def before(aim: Aim, *, die: bool = False) -> str:
    """``Cannon against armor: A-5; from behind: A-8.``"""
    saves = (
        f"{SAVED[save]}{',' * (save == 'hull_down')} {_saving(aim, save, die)}"
        for save in aim.saves
    )
    return "; ".join((*aim.why, *saves)) + "."


def _outcome(aim: Aim, draw: Draw, verdict: ShotVerdict) -> str:
    shown = capital(draw.words)
    if verdict.hit:
        return f"{shown}: hit."
    if save := verdict.saved_by:
        saving = _saving(aim, save, not draw.is_card)
        return f"{shown} would hit, but the target is {SAVED[save]}: {saving}."
    return f"{shown}: miss."


def _saving(aim: Aim, save: Save, die: bool) -> str:
    if not die:
        return "black does not hit"
    if save == "hull_down" and aim.die_saves_from is not None:
        return f"{aim.die_saves_from} to 12 does not hit"
    return "an even roll does not hit"
