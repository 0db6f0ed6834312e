"""What a scenario sheet says beside and below the strip of weapons: for which models its columns
hold, and what it has no column for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, listed
from skirmish.games.plastic.rules.shot import may_be_hull_down, ranks_that_hit, target_kind
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.scenario.weapon_lines import (
    FROM_BEHIND,
    IN_CONTACT,
    OUT_OF_CONTACT,
    StripLine,
    TypicalShots,
    reach_of,
)

_NAMED_BY_STRIP = {"tank", "tiger", "pillbox"}
"""Tags of armored units that have a column or a sentence of their own."""
NeededRanks: TypeAlias = Callable[[StripLine, TypicalShots], str]
"""The ranks that a weapon needs in some situation, in words; empty if they are the usual ones."""


def strip_aside(units: Iterable[UnitType], rulings: Mapping[str, str]) -> str:
    """The words beside the head of the strip: what its figures are, and for which other models of
    this scenario its columns hold: ``... · as tanks: Halftrack · unarmored: Truck``."""
    parts = ["kills on these ranks; share of a fresh deck"]
    armored, unarmored = [], []
    for unit in units:
        kind = target_kind(unit, rulings)
        if kind == "unarmored":
            unarmored.append(unit.short)
        elif kind == "armored" and not _NAMED_BY_STRIP.intersection(unit.tags):
            armored.append(unit.short)
    if armored:
        parts.append(f"as tanks: {', '.join(armored)}")
    if unarmored:
        parts.append(f"unarmored: {', '.join(unarmored)}")
    return " · ".join(parts)


def weapon_notes(
    lines: Sequence[StripLine],
    units: Sequence[UnitType],
    catalog: Catalog,
    rulings: Mapping[str, str],
    style: Style,
) -> Flowable:
    """A paragraph with what the strip has no column for: contact, hull down, a tank's rear, heavy
    armor, a second range. ``units``: all units of the scenario."""
    shots = TypicalShots(catalog, rulings)
    sentences = []
    if any(chance.only_touching for line in lines for chance in line.chances):
        sentences.append("* Only touching (phases 3, 4).")
    if any(may_be_hull_down(unit, rulings) for unit in units):
        sentences.append(
            "Hull down (vehicle or cannon behind works, wall, crest): black misses, any weapon."
        )
    targets = _units_on_strip(lines)
    for line in lines:
        sentences += _notes_on_weapon(line, targets, shots)
    sentences += _shared_notes("In contact with guys", lines, shots, _needed_in_contact)
    if any("tank" in unit.tags for unit in units):
        sentences += _shared_notes(
            "From behind the line of a tank's rear", lines, shots, _needed_behind_a_tank
        )
    return paragraph(" ".join(sentences), style)


def _units_on_strip(lines: Sequence[StripLine]) -> list[UnitType]:
    """The units that have any of the weapons, each once."""
    units = {}
    for line in lines:
        for holder in line.holders:
            units[holder.unit.id] = holder.unit
    return list(units.values())


def _notes_on_weapon(
    line: StripLine, targets: Sequence[UnitType], shots: TypicalShots
) -> Iterator[str]:
    """What is true of one weapon alone: what it needs at those of the ``targets`` that have heavy
    armor, and its ranges, if it has two."""
    for target in targets:
        needed = _needed_at_heavy_armor(line, target, shots)
        if needed:
            yield f"{line.weapon.name} at {target.short}: {needed}."
    reach = reach_of(line.weapon)
    if reach != line.weapon.range:
        yield f"{line.weapon.name}: {reach}″ at guys, {line.weapon.range}″ at models."


def _shared_notes(
    situation: str, lines: Sequence[StripLine], shots: TypicalShots, needed_ranks: NeededRanks
) -> Iterator[str]:
    """What weapons need in a situation: a sentence for all weapons that need the same."""
    weapons: dict[str, list[str]] = {}
    for line in lines:
        needed = needed_ranks(line, shots)
        if needed:
            weapons.setdefault(needed, []).append(line.weapon.name.lower())
    for needed, names in weapons.items():
        yield f"{situation}, {listed(names)}: {needed}."


def _needed_in_contact(line: StripLine, shots: TypicalShots) -> str:
    """The ranks that are needed at guys in contact, with "once" if the weapon has repeat fire from
    afar but not there; empty if nothing is different there."""
    weapon = line.weapon
    if weapon.guys is None or weapon.guys.touch:
        return ""
    far = shots.aim(line.shooter, weapon, shots.guy, OUT_OF_CONTACT)
    touching = shots.aim(line.shooter, weapon, shots.guy, IN_CONTACT)
    has_same_repeat_fire = bool(touching.repeat) == bool(far.repeat)
    if touching.needs == far.needs and has_same_repeat_fire:
        return ""
    words = ranks_that_hit(touching.needs)
    if far.repeat and not touching.repeat:
        words += ", once"
    return words


def _needed_behind_a_tank(line: StripLine, shots: TypicalShots) -> str:
    """The ranks that are needed from behind a tank, such as ``A-9``; empty if they are the same as
    from ahead."""
    if not _fires_at_armor_from_afar(line):
        return ""
    ahead = shots.aim(line.shooter, line.weapon, shots.tank, OUT_OF_CONTACT).needs
    behind = shots.aim(line.shooter, line.weapon, shots.tank, FROM_BEHIND).needs
    if behind == ahead:
        return ""
    return ranks_that_hit(behind)


def _needed_at_heavy_armor(line: StripLine, target: UnitType, shots: TypicalShots) -> str:
    """The ranks that are needed at a model with more armor than a tank, such as a Tiger, from ahead
    and from behind; empty for other targets."""
    # Rulings change the kind of landing craft alone, which have no weapons: so they are no targets
    # here.
    if not _fires_at_armor_from_afar(line) or target.kind != "armored":
        return ""
    needs = shots.aim(line.shooter, line.weapon, target, OUT_OF_CONTACT).needs
    needs_at_tank = shots.aim(line.shooter, line.weapon, shots.tank, OUT_OF_CONTACT).needs
    # The highest rank that hits: the lower it is, the heavier the armor.
    if needs >= needs_at_tank:
        return ""
    behind = shots.aim(line.shooter, line.weapon, target, FROM_BEHIND).needs
    return f"{ranks_that_hit(needs)}, from behind {ranks_that_hit(behind)}"


def _fires_at_armor_from_afar(line: StripLine) -> bool:
    """Whether the weapon may fire at armored models out of contact."""
    return line.weapon.armored is not None and not line.weapon.armored.touch
