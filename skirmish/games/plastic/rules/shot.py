"""One shot: what it needs, what forbids it, what saves the target, and what a draw does.

``aim`` works out everything known before the draw, and ``judge`` applies a draw to it
(``explanation`` puts both into sentences). In contact some weapons count as another one, so what a
shot is fired with (``shot.weapon``) and the weapon whose numbers it has (``weapon_used``) may
differ.

P22 and the like are rulings on gaps in the rules; titles in quotation marks are those of sections
of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

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
from skirmish.tabletop.refusal import Refusal

CLOSE_PHASES = (3, 4)
"""The phases in which "units touching enemy" fire ("Sequence of Play")."""
TARGETS_IN_WORDS = {"guy": "guys", "unarmored": "unarmored models", "armored": "armor"}
"""The columns of the firing table in sentences, by the kind of target."""

Breakdown = Literal["pending", "held", "broken"]
"""What became of a weapon whose draw requires a second one: that is not known yet, or the weapon
``held``, or it is ``broken``."""
Save = Literal["cover", "hull_down"]


class Circumstances(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What players see on the table."""

    # ``gc=False`` spares the garbage collector structs that hold nothing but numbers.

    distance: float = 0
    """In inches; 0 when touching."""
    touching: bool = False
    """Whether shooter and target are in base contact."""
    phase: int = 2
    """The phase of the turn: in 1 and 2 units fire from afar, in 3 and 4 those in contact fight."""
    cover: bool = False
    hull_down: bool = False
    rear: bool = False
    """Whether it comes from behind the line of the target's rear edge."""
    grouped: bool = True
    """Whether the target touches friends, so that another of them may die for it ("Removing Dead
    Guys")."""

    @property
    def close_phase(self) -> bool:
        """Whether only units in contact fight, and many of them as riflemen."""
        return self.phase in CLOSE_PHASES

    @property
    def is_close_combat(self) -> bool:
        """Whether shooter and target fight what the text calls close combat."""
        return self.close_phase and self.touching


def circumstances_of_next_man(circumstances: Circumstances, fire: FireNumbers) -> Circumstances:
    """The circumstances of the next man of a run of repeat fire, if nothing else is known of him:
    in contact only the first one is touched (P48). The others count as too far away to die
    themselves whatever the draw (P11)."""
    if not circumstances.touching:
        return circumstances
    beyond_exact = float(fire.exact_within + 1)
    return msgspec.structs.replace(circumstances, touching=False, distance=beyond_exact)


class Shot(msgspec.Struct, frozen=True, kw_only=True):
    """Who fires with what at whom, before anything is worked out. ``weapon``: None for a unit that
    has none; ``nation`` is the shooter's, None without nationalities."""

    shooter: UnitType
    weapon: Weapon | None
    target: UnitType
    circumstances: Circumstances
    nation: Nation | None = None


class Repeat(msgspec.Struct, frozen=True):
    """Another shot within this many inches of the first or last target; ``new_only``: at a target
    not shot at in this run of fire (P22)."""

    within: int
    of: Literal["first", "last"]
    new_only: bool = True

    def uses_up(self, *, exact: bool) -> int:
        """By how many a hit lessens the men who may still be shot at in this run of fire.
        ``exact``: the target dies himself."""
        # The target was shot at, and the man who dies in his place is gone as well.
        if self.new_only and not exact:
            return 2
        return 1


class Aim(msgspec.Struct, frozen=True, kw_only=True):
    """Everything known of a shot before its draw."""

    needs: int
    """The highest rank that hits."""
    why: tuple[str, ...]
    """What that number comes from, in phrases."""
    saves: tuple[Save, ...]
    """What may save the target of this shot."""
    ace_ignores_cover: bool
    """Whether an ace kills in cover as well (P18)."""
    die_saves_from: int | None
    """The lowest roll that misses a target that is hull down; None: even rolls miss (P17)."""
    why_exact: str | None
    """Why the target itself dies whatever the draw; None: another may die for it."""
    repeat: Repeat | None
    may_break: bool
    """Whether a second draw may be required, for a breakdown."""
    at_guy: bool
    """Whether the target is a guy and no model."""
    breaks_into: Literal["model", "rifle"]
    """What a breakdown does: a guy goes on as a Rifle Guy, a model is lost."""
    fire: FireNumbers
    """The numbers of the catalog that hold for all fire."""

    def saved_by(self, draw: Draw) -> Save | None:
        """What saves the target from this draw; None if nothing does. Cover is named before hull
        down: only a cannon can have both."""
        for save in self.saves:
            if save == "cover" and self._cover_saves_from(draw):
                return save
            if save == "hull_down" and self._hull_saves_from(draw):
                return save
        return None

    def _cover_saves_from(self, draw: Draw) -> bool:
        """Black cards and even rolls do not hit in cover; of an ace, P18 decides."""
        if draw.rank == 1 and self.ace_ignores_cover:
            return False
        if draw.is_card:
            return draw.is_black
        return draw.rank % 2 == 0

    def _hull_saves_from(self, draw: Draw) -> bool:
        """Black cards do not hit, aces included: P18 is about cover alone. P17 decides which rolls
        do not hit."""
        if draw.is_card:
            return draw.is_black
        if self.die_saves_from is None:
            return draw.rank % 2 == 0
        return draw.rank >= self.die_saves_from


class ShotVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What one draw does. ``exact_figure``: the man aimed at dies himself; ``repeat``: the shot
    that may follow; ``breakdown`` is None if the draw requires no second one, and ``pending`` until
    that is known."""

    hit: bool
    saved_by: Save | None
    exact_figure: bool
    repeat: Repeat | None
    breakdown: Breakdown | None


def why_not(shot: Shot, catalog: Catalog, rulings: Mapping[str, str]) -> Refusal | None:
    """The first reason against the shot. Codes, in this order: no_weapon, no_target, touching,
    not_touching, range, touch_only ("Sequence of Play", "Firing"). The first two are firm: there is
    no number to judge by. What players may have measured or agreed on otherwise can be overruled.
    Who may fire in which turn, and how often, is a question of the battle."""
    circumstances, weapon, target = shot.circumstances, shot.weapon, shot.target
    if weapon is None:
        text = f"{a_unit(shot.shooter.name, 'A')} has nothing to fire with."
        return Refusal("no_weapon", text, "Firing", firm=True)
    weapon_used, kill = _table_entry(shot, weapon, catalog, rulings)
    if kill is None:
        gun = f"{weapon.name} of {a_unit(shot.shooter.name)}"
        text = f"The {gun} may not fire at {a_unit(target.name)}."
        return Refusal("no_target", text, "Firing", firm=True)
    # In phases 1 and 2 only what is apart fires; who touches an enemy waits for phase 3 or 4.
    phase = circumstances.phase
    if circumstances.touching and not circumstances.close_phase:
        text = f"In contact it may not fire in phase {phase}; it fights in phase 3 or 4."
        return Refusal("touching", text, "Firing")
    apart_in_close_phase = circumstances.close_phase and not circumstances.touching
    if apart_in_close_phase and rulings["P48"] == "touched_only":
        text = f"In phase {phase} only units in contact fight, and only whom they touch."
        return Refusal("not_touching", text, "Sequence of Play, P48")
    reach = weapon_used.range
    # A sniper's 2 ft are for guys only; at models he fires as a Rifle Guy ("Sniper Guys").
    if kill.range:
        reach = kill.range
    # In contact no range counts.
    if not circumstances.touching and circumstances.distance > reach:
        distance = inches(circumstances.distance)
        text = f"{distance} is out of range: the {weapon_used.name} reaches {inches(reach)}."
        return Refusal("range", text, "Firing")
    if kill.touch and not circumstances.is_close_combat:
        text = (
            f"{a_unit(shot.shooter.name, 'A')} hurts {a_unit(target.name)} only in contact, "
            f"in phases 3 and 4 (then {ranks_that_hit(kill.needs)})."
        )
        return Refusal("touch_only", text, "Firing")
    return None


def aim(shot: Shot, catalog: Catalog, rulings: Mapping[str, str]) -> Aim:
    """What the shot needs, before its draw. Raises ValueError if there is no number (``why_not``:
    no_weapon, no_target)."""
    if shot.weapon is None:
        raise ValueError("no number exists for this shot")
    weapon_used, kill = _table_entry(shot, shot.weapon, catalog, rulings)
    if kill is None:
        raise ValueError("no number exists for this shot")
    target = shot.target
    needs, why = _needs(shot, weapon_used, kill, catalog, rulings)
    why_exact: str | None = None
    repeat: Repeat | None = None
    # Another man dies instead only among guys, and repeat fire is at "a new guy" only.
    if target.is_guy:
        why_exact = _why_exact(shot, kill, catalog, rulings)
        if kill.repeat:
            new_only = rulings["P22"] == "not_shot_at"
            repeat = Repeat(catalog.fire.repeat_within, weapon_used.repeat_from, new_only)
    # The text gives no rolls for hull down. With P17 high they are 7 to 12, as in "Pinning".
    die_saves_from: int | None = 7
    if rulings["P17"] == "even":
        die_saves_from = None
    # A guy whose weapon breaks goes on as a Rifle Guy.
    breaks_into: Literal["model", "rifle"] = "model"
    if shot.shooter.is_guy:
        breaks_into = "rifle"
    return Aim(
        needs=needs,
        why=tuple(why),
        saves=_saves(shot, weapon_used, rulings),
        ace_ignores_cover=rulings["P18"] == "ace_hits",
        die_saves_from=die_saves_from,
        why_exact=why_exact,
        repeat=repeat,
        may_break=not _never_breaks(shot.shooter, rulings),
        at_guy=target.is_guy,
        breaks_into=breaks_into,
        fire=catalog.fire,
    )


def _saves(shot: Shot, weapon_used: Weapon, rulings: Mapping[str, str]) -> tuple[Save, ...]:
    """What may save the target ("Cover", "Hull Down")."""
    circumstances, target = shot.circumstances, shot.target
    # P52 decides whether cover and hull down help while only units in contact fight.
    if circumstances.close_phase and rulings["P52"] != "count":
        return ()
    saves: list[Save] = []
    can_hide = target.is_guy or "cannon" in target.tags
    if circumstances.cover and can_hide and _fires_bullets(shot, weapon_used, rulings):
        saves.append("cover")
    if circumstances.hull_down and may_be_hull_down(target, rulings):
        saves.append("hull_down")
    return tuple(saves)


def _fires_bullets(shot: Shot, weapon_used: Weapon, rulings: Mapping[str, str]) -> bool:
    """Whether cover counts against the weapon. P44 decides for bazookas and mortars, which fire no
    bullets but fight in contact as rifles."""
    replaced = _replaced_weapon(shot, weapon_used)
    if replaced is not None and not replaced.bullets:
        return rulings["P44"] == "bullets"
    return weapon_used.bullets


def _replaced_weapon(shot: Shot, weapon_used: Weapon) -> Weapon | None:
    """The weapon of a shot that counts as another one; None if it counts as what it is."""
    if shot.weapon is None or shot.weapon.id == weapon_used.id:
        return None
    return shot.weapon


def _never_breaks(shooter: UnitType, rulings: Mapping[str, str]) -> bool:
    """Whether its weapon never breaks down: "Rifle Guys may ignore this rule" ("Breakdowns"), and
    by P53 so may engineers and snipers, who are "as" Rifle Guys."""
    if shooter.breakdown == "never":
        return True
    return shooter.breakdown == "as_rifle" and rulings["P53"] == "as_rifle_guys"


def judge(aimed: Aim, draw: Draw, second: Draw | None = None) -> ShotVerdict:
    """What a draw does to a shot. ``second``: the breakdown draw, which the queen of spades or a 12
    requires ("Breakdowns"). No number of the rules goes up to these, so such a shot has missed."""
    hit = False
    saved: Save | None = None
    if draw.rank <= aimed.needs:
        saved = aimed.saved_by(draw)
        hit = saved is None
    repeat: Repeat | None = None
    if hit:
        repeat = aimed.repeat
    breakdown: Breakdown | None = None
    if aimed.may_break and aimed.fire.requires_second_draw(draw):
        if second is None:
            breakdown = "pending"
        elif aimed.fire.breaks(second):
            breakdown = "broken"
        else:
            breakdown = "held"
    # "If he hits with an ace, that exact guy dies", from wherever it is fired.
    exact = draw.rank == 1 or aimed.why_exact is not None
    return ShotVerdict(
        hit=hit,
        saved_by=saved,
        exact_figure=hit and aimed.at_guy and exact,
        repeat=repeat,
        breakdown=breakdown,
    )


def weapon_named(
    unit: UnitType, name: str | None, catalog: Catalog, rulings: Mapping[str, str]
) -> Weapon | None:
    """The weapon of a unit by its id or another name; without a name the only one. None if there is
    no such weapon; raises ValueError (a sentence) if there are several and none is named."""
    weapons = {weapon.id: weapon for weapon in catalog.weapons_of(unit, rulings)}
    if name is None:
        if len(weapons) > 1:
            raise ValueError(f"{a_unit(unit.name)} has {' and '.join(weapons)}: name the weapon")
        return next(iter(weapons.values()), None)
    if name in weapons:
        return weapons[name]
    for weapon in weapons.values():
        if name in weapon.other_ids:
            return weapon
    return None


def ranks_that_hit(needs: int) -> str:
    """``A-5``: the ranks that hit."""
    if needs == 1:
        return "A"
    return f"A-{needs}"


class _TableEntry(NamedTuple):
    """The weapon that a shot counts as, and its entry in the firing table for the target, None if
    it has none."""

    weapon: Weapon
    kill: Kill | None


def _table_entry(
    shot: Shot, weapon: Weapon, catalog: Catalog, rulings: Mapping[str, str]
) -> _TableEntry:
    """The entry for the ``weapon`` of the shot, or for the one as which it fights in contact
    ("Sequence of Play")."""
    if shot.circumstances.close_phase and shot.target.is_guy:
        # "MGguys, Bazookaguys and Mortarguys fighting guys in phases 3&4 attack as Rguys"; their
        # numbers against models stay. Of vehicles and pillboxes, P41 decides; of snipers, P12.
        as_rifle = shot.shooter.is_guy or rulings["P41"] == "as_rifle"
        if weapon.in_contact_as and as_rifle:
            weapon = catalog.weapons[weapon.in_contact_as]
        elif "sniper" in shot.shooter.tags and rulings["P12"] == "as_rifle":
            weapon = catalog.weapons["rifle"]
    return _TableEntry(weapon, weapon.against(target_kind(shot.target, rulings)))


def target_kind(target: UnitType, rulings: Mapping[str, str]) -> Kind:
    """The column of the firing table for a target; that of landing craft is P3."""
    if "landing_craft" in target.tags and rulings["P3"] == "unarmored":
        return "unarmored"
    return target.kind


class _RankNeeded(NamedTuple):
    """The highest rank that hits, and what it comes from, one phrase for each change."""

    needs: int
    why: list[str]


class _Number(NamedTuple):
    """A number for a shot: the highest rank that hits, and where it is from."""

    needs: int
    source: str


def _needs(
    shot: Shot, weapon_used: Weapon, kill: Kill, catalog: Catalog, rulings: Mapping[str, str]
) -> _RankNeeded:
    """The number of the firing table, or the one that replaces it. Where several would, the last
    one holds."""
    entry = f"{weapon_used.name} against {TARGETS_IN_WORDS[target_kind(shot.target, rulings)]}"
    replaced = _replaced_weapon(shot, weapon_used)
    if replaced is not None:
        entry = f"{replaced.name} in contact fights as a {weapon_used.name.lower()}"
    numbers = [_Number(kill.needs, entry)]
    numbers += _numbers_of_target(shot.target, weapon_used, catalog, rulings)
    if shot.circumstances.rear:
        from_the_front = numbers[-1].needs
        from_behind = _needs_from_behind(weapon_used, shot.target, from_the_front, rulings)
        if from_behind != from_the_front:
            numbers.append(_Number(from_behind, "from behind"))
    # Japanese rifles kill more in close combat ("Nationalities").
    if shot.nation and shot.target.is_guy and shot.circumstances.is_close_combat:
        rank_in_contact = shot.nation.rifle_in_contact
        if rank_in_contact and _fights_as_rifle(shot, weapon_used, rulings):
            source = f"{shot.nation.name} rifles in close combat"
            numbers.append(_Number(rank_in_contact, source))
    why = [f"{number.source}: {ranks_that_hit(number.needs)}" for number in numbers]
    return _RankNeeded(numbers[-1].needs, why)


def _numbers_of_target(
    target: UnitType, weapon_used: Weapon, catalog: Catalog, rulings: Mapping[str, str]
) -> Iterator[_Number]:
    """The numbers that a weapon has against this very target, from the front."""
    # Some weapons have a number of their own against some targets, such as Tigers.
    for tag in target.tags:
        if tag in weapon_used.special:
            yield _Number(weapon_used.special[tag], f"against {a_unit(target.name)}")
    # An 88 hurts a Tiger as any armor, or (P6) no better than a regular cannon hurts a tank.
    tiger_is_regular = "tiger" in target.tags and rulings["P6"] == "as_regular_tank"
    if weapon_used.regular and tiger_is_regular:
        regular_kill = catalog.weapons[weapon_used.regular].armored
        if regular_kill:
            yield _Number(regular_kill.needs, "a Tiger counts as a regular tank (P6)")


def _needs_from_behind(
    weapon: Weapon, target: UnitType, needs: int, rulings: Mapping[str, str]
) -> int:
    """The number of a shot from behind; ``needs`` is its number from the front."""
    from_behind = _number_of_rear_armor(weapon, target, rulings)
    if from_behind is None:
        return needs
    # An 88 keeps its own number where that is the higher one (P7).
    if weapon.regular and rulings["P7"] == "better":
        return max(from_behind, needs)
    return from_behind


def _number_of_rear_armor(
    weapon: Weapon, target: UnitType, rulings: Mapping[str, str]
) -> int | None:
    """The number of "Rear Armor": "Tanks shot at by cannon from behind". Which are tanks is P43.
    None for weapons and targets without one."""
    tags = list(target.tags)
    if "aa_tank" in tags and rulings["P43"] == "aa_tank_too":
        tags.append("tank")
    for tag in tags:
        if tag in weapon.rear:
            return weapon.rear[tag]
    return None


def _fights_as_rifle(shot: Shot, weapon_used: Weapon, rulings: Mapping[str, str]) -> bool:
    """Whether the shooter attacks with a rifle, for the close combat of the Japanese (P42)."""
    if rulings["P42"] == "rifle_only":
        return "rifle_guy" in shot.shooter.tags
    if not shot.shooter.is_guy or "sniper" in shot.shooter.tags:
        return False
    return "rifle" in (weapon_used.id, *weapon_used.other_ids)


def may_be_hull_down(target: UnitType, rulings: Mapping[str, str]) -> bool:
    """Whether it may be hull down: vehicles, cannon, and pillboxes under P45 ("Hull Down")."""
    if "pillbox" in target.tags:
        return rulings["P45"] == "pillboxes_too"
    return "vehicle" in target.tags or "cannon" in target.tags


def _why_exact(shot: Shot, kill: Kill, catalog: Catalog, rulings: Mapping[str, str]) -> str | None:
    """Why the target itself dies ("Removing Dead Guys", "Sniper Guys", P11), in words; None if the
    defender may choose, unless the draw is an ace."""
    if kill.exact or "sniper" in shot.shooter.tags:
        return "a sniper kills the man he names"
    if shot.circumstances.touching:
        return "in contact"
    if shot.circumstances.close_phase and rulings["P11"] == "always_exact":
        return "in phases 3 and 4 always"
    if "sniper" in shot.target.tags:
        return "a sniper is in no group"
    if not shot.circumstances.grouped:
        return "he is in no group"
    if shot.circumstances.distance <= catalog.fire.exact_within:
        return f"within {inches(catalog.fire.exact_within)}"
    return None
