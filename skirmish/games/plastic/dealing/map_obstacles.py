"""What stands or is drawn on the map of a dealt battle, which its words are to keep clear of.

A map is given as the table of a file (``field``). Places are in inches of the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from skirmish.games.plastic.dealing.table import Raw
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Rectangle

HOUSE_ROOM = 0.8
"""Inches round a house that a word keeps clear of."""
PIECE_HALF, LETTER_HALF = 2.6, 2.4
"""Half the height of the square that a piece takes, and the letter of a zone."""
NUMBER_SIZE = (10, 6)
"""How wide and how high the number of a distance is with the words below it, in inches."""
TO_HALF_INCHES = 2
"""Where lines are drawn is known to half an inch, which is near enough for words beside them."""
HalfInches: TypeAlias = set[tuple[int, int]]
"""Squares of half an inch by x and y, counted from the lower left corner of the map."""


def standing_on(field: Raw) -> list[Rectangle]:
    """The rectangles of houses, pieces, and the letters and numbers of a map, in inches."""
    standing = []
    for building in field.get("building", []):
        long, deep = building["size"]
        outline = plane.oblong(building["at"], long, deep, building["turn"])
        standing.append(plane.box(outline).grown(HOUSE_ROOM))
    for mark in field.get("mark", []):
        standing.append(_square(mark["at"], PIECE_HALF))
    for zone in field.get("zone", []):
        standing.append(_square(zone["tag"], LETTER_HALF))
    for dimension in field.get("dimension", []):
        middle = middle_of([tuple(dimension["start"]), tuple(dimension["end"])])
        standing.append(number_of_dimension(middle))
    return standing


def number_of_dimension(middle: Point) -> Rectangle:
    """The rectangle that the number of a distance and what it means take around its middle."""
    return box_around(middle, *NUMBER_SIZE)


def drawn_lines(field: Raw) -> HalfInches:
    """Where roads, rivers, slopes, zones, arrows, distances and circles are drawn."""
    drawn: HalfInches = set()
    for part in field.get("zone", []):
        drawn |= _cells_of_part(part, closed=True)
    for kind in ("arrow", "line"):
        for part in field.get(kind, []):
            drawn |= _cells_of_part(part, closed=False)
    for slope in field.get("slope", []):
        is_ring = slope.get("ring", False)
        for edge in ("crest", "foot"):
            points = [tuple(point) for point in slope[edge]]
            drawn |= _cells_of_line(plane.curved(points, closed=is_ring))
    for dimension in field.get("dimension", []):
        drawn |= _cells_of_line([tuple(dimension["start"]), tuple(dimension["end"])])
    for circle in field.get("circle", []):
        drawn |= _cells_of_line(plane.ring(tuple(circle["at"]), circle["radius"]))
    return drawn


def edges_of_ground(field: Raw) -> HalfInches:
    """Where the outlines of fields, woods and other areas of ground are drawn."""
    edges: HalfInches = set()
    for area in field.get("area", []):
        edges |= _cells_of_part(area, closed=True)
    return edges


def goes_through(lines: HalfInches, box: Rectangle) -> bool:
    """Whether a line that goes through these half inches goes through a box of inches."""
    for x in range(int(box.left * TO_HALF_INCHES), int(box.right * TO_HALF_INCHES) + 1):
        for y in range(int(box.bottom * TO_HALF_INCHES), int(box.top * TO_HALF_INCHES) + 1):
            if (x, y) in lines:
                return True
    return False


def middle_of(places: Sequence[Point]) -> Point:
    """The average of some places."""
    return (
        sum(x for x, _ in places) / len(places),
        sum(y for _, y in places) / len(places),
    )


def box_around(centre: Point, wide: float, tall: float) -> Rectangle:
    """The rectangle of that size around its centre."""
    x, y = centre
    return Rectangle(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _cells_of_part(part: Raw, *, closed: bool) -> HalfInches:
    """The half inches that the line or outline of a part goes through."""
    points = [tuple(point) for point in part["points"]]
    run: list[Point] = points
    # A pair of numbers means that only the corners between them bend, as at a shore. To a label
    # that makes no difference.
    if part.get("curve") is True:
        run = plane.curved(points, closed=closed)
    if closed:
        run = [*run, run[0]]
    return _cells_of_line(run)


def _cells_of_line(run: Sequence[Point]) -> HalfInches:
    """The half inches that a line goes through, by x and y."""
    cells: HalfInches = set()
    # Closer together than half an inch, so that none is left out.
    for station in plane.stations(run, 0.4):
        x, y = station.at
        cells.add((int(x * TO_HALF_INCHES), int(y * TO_HALF_INCHES)))
    return cells


def _square(centre: Sequence[float], half: float) -> Rectangle:
    """The square with sides of twice ``half`` around its centre."""
    x, y = centre
    return Rectangle(x - half, y - half, x + half, y + half)
