"""What stands or is drawn on the map of a dealt battle, which its words are to keep clear of.

A map is given as its parts by the names that they have in a file. Places are in inches of the map.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from skirmish.games.plastic.dealing.table import Raw
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Point, Rectangle

HOUSE_ROOM = 0.8
"""Inches round a house that a word keeps clear of."""
PIECE_SIDE, LETTER_SIDE = 5.2, 4.8
"""Inches of a side of the square that a piece takes, and of that of a zone's letter."""
NUMBER_WIDE, NUMBER_TALL = 10, 6
"""How wide and how high the number of a distance is, in inches, with the words below it that say
what is measured."""
HALF_INCHES_AN_INCH = 2
"""Where lines are drawn is noted to half an inch, which is near enough for words beside them."""
HalfInches: TypeAlias = set[tuple[int, int]]
"""Squares of half an inch by x and y, counted from the lower left corner of the map."""


def standing_on(map_parts: Raw) -> list[Rectangle]:
    """The rectangles of houses, pieces, and the letters and numbers of a map, in inches."""
    standing = []
    for building in map_parts.get("building", []):
        long, deep = building["size"]
        outline = plane.oblong(building["at"], long, deep, building["turn"])
        standing.append(plane.box(outline).grown(HOUSE_ROOM))
    for mark in map_parts.get("mark", []):
        standing.append(box_around(mark["at"], PIECE_SIDE, PIECE_SIDE))
    for zone in map_parts.get("zone", []):
        standing.append(box_around(zone["tag"], LETTER_SIDE, LETTER_SIDE))
    for dimension in map_parts.get("dimension", []):
        middle = plane.average([tuple(dimension["start"]), tuple(dimension["end"])])
        standing.append(number_of_dimension(middle))
    return standing


def number_of_dimension(middle: Point) -> Rectangle:
    """The rectangle around the middle of a distance that its number takes, with the words below."""
    return box_around(middle, NUMBER_WIDE, NUMBER_TALL)


def drawn_lines(map_parts: Raw) -> HalfInches:
    """Where roads, rivers, slopes, zones, arrows, distances and circles are drawn. Of a slope all
    around a hill and of a circle, the short piece from the last point back to the first is left
    out: with it, names would stand elsewhere on the maps of codes dealt before, and a code deals
    what it always did."""
    drawn: HalfInches = set()
    for part in map_parts.get("zone", []):
        drawn |= _half_inches_of_part(part, closed=True)
    for kind in ("arrow", "line"):
        for part in map_parts.get(kind, []):
            drawn |= _half_inches_of_part(part, closed=False)
    for slope in map_parts.get("slope", []):
        is_ring = slope.get("ring", False)
        for edge in ("crest", "foot"):
            points = [tuple(point) for point in slope[edge]]
            edge_line = plane.curved(points, closed=is_ring)
            drawn |= _half_inches_of_line(edge_line)
    for dimension in map_parts.get("dimension", []):
        drawn |= _half_inches_of_line([tuple(dimension["start"]), tuple(dimension["end"])])
    for circle in map_parts.get("circle", []):
        outline = plane.ring(tuple(circle["at"]), circle["radius"])
        drawn |= _half_inches_of_line(outline)
    return drawn


def edges_of_ground(map_parts: Raw) -> HalfInches:
    """Where the outlines of fields, woods and other areas of ground are drawn."""
    edges: HalfInches = set()
    for area in map_parts.get("area", []):
        edges |= _half_inches_of_part(area, closed=True)
    return edges


def goes_through(lines: HalfInches, box: Rectangle) -> bool:
    """Whether any of these lines goes through a box, which is in inches."""
    left, right = _half_inch(box.left), _half_inch(box.right)
    bottom, top = _half_inch(box.bottom), _half_inch(box.top)
    for x in range(left, right + 1):
        for y in range(bottom, top + 1):
            if (x, y) in lines:
                return True
    return False


def box_around(centre: Point, wide: float, tall: float) -> Rectangle:
    """The rectangle of that size around its centre."""
    x, y = centre
    return Rectangle(x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)


def _half_inches_of_part(part: Raw, *, closed: bool) -> HalfInches:
    """The half inches that the line or outline of a part goes through."""
    points = [tuple(point) for point in part["points"]]
    run: list[Point] = points
    # A curve is True, or a pair of numbers: then only the corners between them bend, as at a shore.
    # To a label that makes no difference: such a line counts as straight.
    if part.get("curve") is True:
        run = plane.curved(points, closed=closed)
    # The points of an outline do not come back to the first.
    if closed:
        run = [*run, run[0]]
    return _half_inches_of_line(run)


def _half_inches_of_line(run: Sequence[Point]) -> HalfInches:
    """The half inches that a line goes through, by x and y."""
    half_inches: HalfInches = set()
    # Closer together than half an inch, so that none is left out.
    for station in plane.stations(run, 0.4):
        x, y = station.at
        half_inches.add((_half_inch(x), _half_inch(y)))
    return half_inches


def _half_inch(inches: float) -> int:
    """The half inch, counted from the edge of the map, in which a place so many inches from it
    lies."""
    return int(inches * HALF_INCHES_AN_INCH)
