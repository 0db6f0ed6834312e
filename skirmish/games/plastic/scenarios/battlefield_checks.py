"""What a map may not get wrong: everything on the table, distances whole, letters known to both
the map and the order of battle."""

from __future__ import annotations

import math
from collections.abc import Iterator

from skirmish.games.plastic.scenarios.names import Names
from skirmish.games.plastic.scenarios.order_of_battle import Marks, Side, Zone
from skirmish.tabletop.battlefield import Battlefield, Curve
from skirmish.tabletop.reading import Problem

QUARTER = 0.25
"""Inches to which a distance on the map is told."""
CLOSE = 0.01


def wrong_on(
    field: Battlefield,
    size: tuple[float, float],
    sides: tuple[Side, ...],
    names: Names,
    ways: tuple[frozenset[str], frozenset[str]],
) -> Iterator[Problem]:
    """Every problem of a map on a table of ``size`` inches; ``ways`` are the zones that the victory
    names as ways out and the marks that a draw names as ways in."""
    across, upward = size
    for key, (x, y) in field.points():
        if not (-CLOSE <= x <= across + CLOSE and -CLOSE <= y <= upward + CLOSE):
            yield Problem(key, f"{x:g}, {y:g} lies off the table of {across:g} by {upward:g} in.")
    for name in ("zones", "marks", "arrows", "circles"):
        for index, part in enumerate(getattr(field, name)):
            if part.side is not None:
                yield from names.side(f"map.{name[:-1]}[{index}].side", part.side)
    for name in ("areas", "lines", "arrows"):
        for index, part in enumerate(getattr(field, name)):
            yield from _bend(f"map.{name[:-1]}[{index}].curve", part.curve, len(part.points))
    for index, measured in enumerate(field.dimensions):
        inches = math.dist(measured.start, measured.end)
        if abs(inches / QUARTER - round(inches / QUARTER)) > CLOSE or inches < QUARTER:
            yield Problem(
                f"map.dimension[{index}]",
                f"is {inches:.2f} in long; a distance of the rules is told in quarters of an inch.",
            )
    yield from _double(field)
    yield from _letters(field, sides, ways)


def _bend(key: str, curve: Curve, points: int) -> Iterator[Problem]:
    if isinstance(curve, tuple) and not 0 <= curve[0] < curve[1] < points:
        yield Problem(key, f"is {list(curve)}; it names two of the points 0 to {points - 1}.")


def _double(field: Battlefield) -> Iterator[Problem]:
    seen: set[int] = set()
    for index, building in enumerate(field.buildings):
        if building.number in seen:
            says = f"there is a building {building.number} already; give each its own number."
            yield Problem(f"map.building[{index}].number", says)
        if building.number:
            seen.add(building.number)
    for letter in sorted(field.letters):
        tags = [zone for zone in field.zones if zone.letter == letter and zone.tag]
        if len(tags) != 1:
            says = f"zone {letter} has {len(tags)} tags; give one of its parts the tag."
            yield Problem("map.zone", says)


def _letters(
    field: Battlefield, sides: tuple[Side, ...], ways: tuple[frozenset[str], frozenset[str]]
) -> Iterator[Problem]:
    """A letter on the map that no contingent names would only puzzle people."""
    ways_out, ways_in = ways
    entries = [group.entry for side in sides for group in side.contingents]
    zones = ways_out | {entry.zone for entry in entries if isinstance(entry, Zone)}
    standing = {mark for entry in entries if isinstance(entry, Marks) for mark in entry.marks}
    marks = ways_in | standing
    for index, zone in enumerate(field.zones):
        if zone.letter not in zones:
            says = f"no contingent sets up in {zone.letter}; name it in an entry or leave it out."
            yield Problem(f"map.zone[{index}].letter", says)
    for index, mark in enumerate(field.marks):
        if mark.mark and mark.mark not in marks:
            says = f"no contingent stands on {mark.mark}; name it in an entry or leave it out."
            yield Problem(f"map.mark[{index}].mark", says)
