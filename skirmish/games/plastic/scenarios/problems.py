"""All that may be wrong with a scenario whose form is right. In its text: names of what does not
exist, and letters that two units share. On its map: places off the table, distances that nobody can
measure, and letters that mean nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitVariant
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.entries import MarksEntry, ZoneEntry
from skirmish.games.plastic.scenarios.happenings import Charges, DrawTable
from skirmish.games.plastic.scenarios.names import Names, names_of, owner_of, repeated_words
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.own import file_name
from skirmish.games.plastic.scenarios.scenario import (
    ClockChange,
    Scenario,
    Swap,
    TableSize,
    date_of,
)
from skirmish.games.plastic.scenarios.scenario_part import Moment
from skirmish.games.plastic.scenarios.victory_terms import Clear, ExitTable
from skirmish.tabletop.battlefield import Area, Arrow, Battlefield, Curve, Line
from skirmish.tabletop.data_file import Problem, fields, key_of_part, parts, suggest

QUARTER = 0.25
"""A quarter of an inch: the rules give distances in whole quarters."""
TYPED_ROUNDING = 0.01
"""How far a number that was typed by hand may be off, in inches or quarters."""
LEAVE_OUT = "name it in an entry or leave it out."
"""The end of the sentence on a letter or a mark of the map that nothing uses."""


def scenario_problems(
    scenario: Scenario, catalog: Catalog, book: PlasticRulingBook, file: str
) -> Iterator[Problem]:
    """All that is wrong with a scenario whose form is right. ``file`` is the path of its file."""
    names = names_of(scenario, catalog, book)
    # A part comes before what it holds, so that the parts around a field are all here by then.
    parts_by_key: dict[str, Any] = {}
    for part in parts(scenario, Scenario):
        if part.is_struct:
            parts_by_key[part.key] = part.value
            yield from _part_problems(part.key, part.value, names)
            if isinstance(part.value, Swap | ClockChange):
                yield from _answer_problems(part.key, part.value, scenario, book)
        else:
            around = _parts_around(part.key, parts_by_key)
            yield from _reference_problems(part.key, part.value, part.refers_to, around, names)
    yield from _head_problems(scenario, file)
    yield from _variant_problems(scenario.variants, catalog)
    if len(scenario.sides) != 2:
        yield Problem("side", f"a scenario has two sides; {len(scenario.sides)} stand there.")
    yield from repeated_words("footnote", names.by_kind["footnote"])
    if scenario.map is not None:
        yield from _map_problems(scenario.map, scenario)


def _reference_problems(
    key: str, name: str | int, refers_to: str, around: Sequence[Any], names: Names
) -> Iterator[Problem]:
    """A field that refers to what does not exist, by its name or, if it is a turn, by its number.
    ``around`` are the parts around the field, the nearest first."""
    if not name:
        # An empty name refers to nothing, and turn 0 is before play.
        return
    if isinstance(name, int):
        # Only turns are referred to by a number.
        yield from _turn_problems(key, name, names)
    elif refers_to == "contingent":
        # The part that names a contingent names its side as well.
        yield from _contingent_problems(key, name, around[0].side, names)
    # Without a map its zones and marks are not in ``by_kind``: then any may be named.
    elif refers_to in names.by_kind:
        if name not in names.by_kind[refers_to]:
            yield _unknown(key, name, refers_to, names)
        elif refers_to in ("own unit", "enemy unit"):
            is_enemy = refers_to == "enemy unit"
            yield from names.unit_problems(key, name, owner_of(around), enemy=is_enemy)


def _turn_problems(key: str, turn: int, names: Names) -> Iterator[Problem]:
    """A turn after the last one."""
    if names.end and turn > names.end.turn:
        message = f"turn {turn} is never played; the last is {names.end.turn} (ends_after)."
        # Where ``ends_after`` has a problem of its own, this one is not reported.
        yield Problem(key, message, measured_by="ends_after")


def _contingent_problems(key: str, contingent: str, side: str, names: Names) -> Iterator[Problem]:
    """A contingent that the side does not have."""
    if side not in names.forces:
        # The wrong side is a problem of its own.
        return
    contingents = names.forces[side]
    if contingent not in contingents:
        hint = suggest(contingent, contingents)
        yield Problem(key, f"no contingent {contingent!r} on the {side} side; {hint}")


_WHERE = {
    "side": " in this scenario",
    "nation": " (a side's id is its nation)",
    "zone": " on the map",
    "mark": " on the map",
}
"""Where a name of each kind was looked for, for the sentence that there is none."""


def _unknown(key: str, name: str, refers_to: str, names: Names) -> Problem:
    """A name of something that does not exist, with the names that may have been meant."""
    hint = suggest(name, names.by_kind[refers_to])
    if refers_to == "ruling":
        # The ids of rulings are numbers, among which none is similar to another.
        hint = f"they run from P1 to {names.rulings[-1]}."
    # The last word is the noun: an "own unit" and a "guy or unit" are called a unit.
    *_, noun = refers_to.split()
    where = _WHERE.get(refers_to, "")
    return Problem(key, f"no {noun} {name!r}{where}; {hint}")


def _part_problems(key: str, part: msgspec.Struct, names: Names) -> Iterator[Problem]:
    """What is wrong with one part by itself, and in its lists."""
    for field in fields(type(part)):
        content = getattr(part, field.name)
        if isinstance(content, tuple):
            key_of_list = key_of_part(key, field.encode_name)
            yield from repeated_words(key_of_list, _ids_in(content))
    if isinstance(part, ScenarioSide):
        yield from _repeated_letters(key, part, names)
    # A ClockChange (its key begins with "clock") gives the scenario another end, which may come
    # after the one that it has.
    if isinstance(part, Moment) and not key.startswith("clock"):
        yield from names.moment_problems(key, part)
    # Classes of parts have this method where types cannot say all that has to be right.
    problems_of_part = getattr(part, "problems", None)
    if problems_of_part:
        yield from problems_of_part(key)


def _ids_in(entries: tuple[Any, ...]) -> list[str]:
    """The ids in a list of ids, or of parts that have ids; empty ones are left out."""
    ids = []
    for entry in entries:
        id = entry
        if not isinstance(entry, str):
            id = getattr(entry, "id", "")
        if id:
            ids.append(id)
    return ids


def _parts_around(key: str, parts_by_key: Mapping[str, Any]) -> list[Any]:
    """The parts that hold the field with this key, the nearest first."""
    around = []
    while "." in key:
        key = key.rpartition(".")[0]
        if key in parts_by_key:
            around.append(parts_by_key[key])
    return around


def _repeated_letters(key: str, side: ScenarioSide, names: Names) -> Iterator[Problem]:
    """Units of a side with the same letter, by which players name a row of them."""
    if side.id not in names.forces:
        # The wrong side is a problem of its own.
        return
    unit_by_letter: dict[str, str] = {}
    for unit in names.most_units(side.id):
        if unit not in names.units:
            # The unknown unit is a problem of its own.
            continue
        letter = names.units[unit].letter
        first = unit_by_letter.setdefault(letter, unit)
        if first != unit:
            yield Problem(
                key,
                f"{unit} and {first} share the letter {letter!r}; "
                "give the variant among them a letter of its own.",
            )


def _head_problems(scenario: Scenario, file: str) -> Iterator[Problem]:
    """A file that is not called by its number and id, and a date that is none."""
    wanted = f"{file_name(scenario.number, scenario.id)}.toml"
    # The path may be one of Windows.
    *_, name = file.replace("\\", "/").split("/")
    if name != wanted:
        message = f"number and id belong to a file called {wanted}; rename it or change them."
        yield Problem("number", message)
    if date_of(scenario.date) is None:
        message = f'{scenario.date!r} is no date; write "1944-06-06", or "1939-09" for a month.'
        yield Problem("date", message)


def _variant_problems(variants: Sequence[UnitVariant], catalog: Catalog) -> Iterator[Problem]:
    """Variants of units that do not exist or that have no such weapons, or whose id is that of
    another unit."""
    for index, variant in enumerate(variants):
        key = f"variant[{index}]"
        if variant.id in catalog.units and variant.id != variant.of:
            yield Problem(
                f"{key}.id",
                f"{variant.id} is a unit of the rules already; take a new id, "
                f'or of = "{variant.id}" to change that unit.',
            )
        if variant.of not in catalog.units:
            hint = suggest(variant.of, catalog.units)
            yield Problem(f"{key}.of", f"no unit {variant.of!r}; {hint}")
            continue
        carried = catalog.units[variant.of].weapons
        if variant.weapons is not None:
            carried = variant.weapons
        for weapon in variant.ranges:
            if weapon not in carried:
                hint = suggest(weapon, carried)
                yield Problem(f"{key}.ranges.{weapon}", f"it carries no {weapon!r}; {hint}")


def _answer_problems(
    key: str, change: Swap | ClockChange, scenario: Scenario, book: PlasticRulingBook
) -> Iterator[Problem]:
    """A ruling and an answer under which the scenario cannot change."""
    if isinstance(change, ClockChange) and scenario.ends_after is None:
        yield Problem(key, "changes a clock that is not there; give ends_after first.")
    ruling = book.rulings.get(change.ruling)
    if ruling is None:
        # The unknown ruling is reported with all references.
        return
    if ruling.id not in scenario.rulings:
        message = f"{ruling.id} is not among the scenario's rulings; add it to that list."
        yield Problem(f"{key}.ruling", message)
    if change.answer not in ruling.answers:
        hint = suggest(change.answer, ruling.answers)
        yield Problem(f"{key}.answer", f"no answer {change.answer!r}; {hint}")
    elif change.answer == ruling.default:
        message = f"{change.answer} is what holds anyway; name another answer of {ruling.id}."
        yield Problem(f"{key}.answer", message)


# ------------------------------------------------------------------ the map


def _map_problems(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    """All that is wrong with the map of a scenario."""
    yield from _points_off_table(field, scenario.table)
    curved_parts: dict[str, Sequence[Area | Line | Arrow]] = {
        "area": field.areas,
        "line": field.lines,
        "arrow": field.arrows,
    }
    for key, parts_of_map in curved_parts.items():
        for index, part in enumerate(parts_of_map):
            yield from _curve_problems(f"map.{key}[{index}].curve", part.curve, len(part.points))
    yield from _unmeasurable_dimensions(field)
    yield from _repeated_numbers(field)
    yield from _untagged_zones(field)
    yield from _unused_letters(field, scenario)


def _points_off_table(field: Battlefield, table: TableSize) -> Iterator[Problem]:
    """Points of the map that do not lie on the table."""
    width, depth = table.width_in, table.depth_in
    for key, (x, y) in field.points():
        is_within_width = -TYPED_ROUNDING <= x <= width + TYPED_ROUNDING
        is_within_depth = -TYPED_ROUNDING <= y <= depth + TYPED_ROUNDING
        if not is_within_width or not is_within_depth:
            yield Problem(key, f"{x:g}, {y:g} lies off the table of {width:g} by {depth:g} in.")


def _unmeasurable_dimensions(field: Battlefield) -> Iterator[Problem]:
    """Distances between the two ends of a dimension that are not in quarters of an inch."""
    for index, dimension in enumerate(field.dimensions):
        inches = math.dist(dimension.start, dimension.end)
        quarters = inches / QUARTER
        if abs(quarters - round(quarters)) > TYPED_ROUNDING or inches < QUARTER:
            yield Problem(
                f"map.dimension[{index}]",
                f"is {inches:.2f} in long; the rules give distances in quarters of an inch.",
            )


def _curve_problems(key: str, curve: Curve, point_count: int) -> Iterator[Problem]:
    """A curve that does not run from one point of a line to a later one."""
    # Other curves name no points.
    if not isinstance(curve, tuple):
        return
    first, last = curve
    if not 0 <= first < last < point_count:
        yield Problem(key, f"is {list(curve)}; it names two of the points 0 to {point_count - 1}.")


def _repeated_numbers(field: Battlefield) -> Iterator[Problem]:
    """Buildings with the same number, by which players name them; 0 is no number."""
    taken = set()
    for index, building in enumerate(field.buildings):
        number = building.number
        if number and number in taken:
            message = f"there is a building {number} already; give each its own number."
            yield Problem(f"map.building[{index}].number", message)
        taken.add(number)


def _untagged_zones(field: Battlefield) -> Iterator[Problem]:
    """Parts of zones for which the map does not say where their letter stands."""
    for index, zone in enumerate(field.zones):
        if zone.tag is None:
            message = f"this part of zone {zone.letter} has no tag; each part bears its letter."
            yield Problem(f"map.zone[{index}].tag", message)


def _unused_letters(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    """Letters of zones, and marks, that nothing in the scenario names: they only confuse people."""
    used = _letters_used(scenario)
    for index, zone in enumerate(field.zones):
        if zone.letter not in used.zones:
            message = f"no contingent sets up in {zone.letter}; {LEAVE_OUT}"
            yield Problem(f"map.zone[{index}].letter", message)
    for index, mark in enumerate(field.marks):
        if mark.mark and mark.mark not in used.marks:
            message = f"no contingent stands on {mark.mark}; {LEAVE_OUT}"
            yield Problem(f"map.mark[{index}].mark", message)


class _LettersUsed(NamedTuple):
    """The letters of zones, and the marks, that a scenario names."""

    zones: set[str]
    marks: set[str]


def _letters_used(scenario: Scenario) -> _LettersUsed:
    """The letters and marks that entries, victory terms, draw tables and charges name."""
    zones: set[str] = set()
    marks: set[str] = set()
    for side in scenario.sides:
        for contingent in side.contingents:
            if isinstance(contingent.entry, ZoneEntry):
                zones.add(contingent.entry.zone)
            elif isinstance(contingent.entry, MarksEntry):
                marks.update(contingent.entry.marks)
    if isinstance(scenario.victory, ExitTable) and scenario.victory.zone:
        zones.add(scenario.victory.zone)
    if isinstance(scenario.victory, Clear) and scenario.victory.mark:
        marks.add(scenario.victory.mark)
    for happening in scenario.happenings:
        if isinstance(happening, DrawTable):
            # Of a row of this table, ``entry`` is the letter of the mark where the units enter.
            marks.update(row.entry for row in happening.rows if row.entry)
        if isinstance(happening, Charges) and happening.mark:
            marks.add(happening.mark)
    return _LettersUsed(zones, marks)
