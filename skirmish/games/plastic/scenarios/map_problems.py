"""What may be wrong with the map of a scenario: places off the table, distances that nobody can
measure, letters that mean nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish.games.plastic.scenarios.entries import MarksEntry, ZoneEntry
from skirmish.games.plastic.scenarios.happenings import Charges, DrawTable
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import Clear, ExitTable
from skirmish.tabletop.battlefield import Area, Arrow, Battlefield, Curve, Line
from skirmish.tabletop.data_file import Problem

QUARTER = 0.25
"""A quarter of an inch: the rules give distances in whole quarters."""
TYPED_ROUNDING = 0.01
"""How far a number that was typed by hand may be off, in inches or quarters."""
LEAVE_OUT = "name it in an entry or leave it out."
"""The end of the sentence on a letter or a mark of the map that nothing uses."""


def map_problems(field: Battlefield, scenario: Scenario) -> Iterator[Problem]:
    """All that is wrong with the map of a scenario."""
    across, upward = scenario.table.width_in, scenario.table.depth_in
    for key, (x, y) in field.points():
        is_beside = not -TYPED_ROUNDING <= x <= across + TYPED_ROUNDING
        if is_beside or not -TYPED_ROUNDING <= y <= upward + TYPED_ROUNDING:
            yield Problem(key, f"{x:g}, {y:g} lies off the table of {across:g} by {upward:g} in.")
    curved_parts: dict[str, Sequence[Area | Line | Arrow]] = {
        "area": field.areas,
        "line": field.lines,
        "arrow": field.arrows,
    }
    for key, parts in curved_parts.items():
        for index, part in enumerate(parts):
            yield from _curve_problems(f"map.{key}[{index}].curve", part.curve, len(part.points))
    for index, measured in enumerate(field.dimensions):
        inches = math.dist(measured.start, measured.end)
        quarters = inches / QUARTER
        if abs(quarters - round(quarters)) > TYPED_ROUNDING or inches < QUARTER:
            yield Problem(
                f"map.dimension[{index}]",
                f"is {inches:.2f} in long; the rules give distances in quarters of an inch.",
            )
    yield from _repeated_numbers(field)
    yield from _untagged_zones(field)
    yield from _unused_letters(field, scenario)


def _curve_problems(key: str, curve: Curve, points: int) -> Iterator[Problem]:
    """A curve that does not run from one point of a line of so many ``points`` to a later one."""
    if not isinstance(curve, tuple):
        return
    first, last = curve
    if not 0 <= first < last < points:
        yield Problem(key, f"is {list(curve)}; it names two of the points 0 to {points - 1}.")


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
    """What is named by entries, victory terms, draw tables and charges."""
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
