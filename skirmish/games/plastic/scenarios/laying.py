"""The layout of the table from the map's data: features, their squares and sizes.

Players lay a table by a grid of feet: a feature is named by the squares that it covers and by its
size in whole inches. ``numbered`` lists the features one by one with their numbers on the map, for
sheets; ``features`` sums them up by kind, for a screen. Everywhere ``size`` is that of the table,
its width and its depth in inches.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Line, Slope
from skirmish.tabletop.measure import CENTIMETRES_AN_INCH
from skirmish.tabletop.plane import Path, Point, Rectangle

FOOT = 12.0
"""Inches between the lines of the grid."""
_NEAR = 0.5
"""Inches between parts of one kind that are laid as one."""
_SMALL = 7.5
"""Inches: half a square and a little more. A piece no longer than that is easily found by one
square, that of its middle."""
_WAYS = ("road", "track", "rail", "river", "stream", "bridge")
"""Lines that players lay as strips: their width counts, not the box in which they lie."""
_NAMES = {
    "mg": "Machinegun",
    "small_pillbox": "Small pillbox",
    "large_pillbox": "Large pillbox",
    "landing_craft": "Landing craft",
    "entry": "Entry point",
    "works": "Factory shop",
    "wire": "Barbed wire",
    "ditch": "Anti-tank ditch",
    "mines": "Old minefield",
    "slope": "Slope",
    "town": "Built-up ground",
    "rough": "Rough ground",
    "rail": "Railway",
    "house": "Building",
    "depression": "Hollow",
    "river": "River or canal",
}
"""Kinds whose names are not their ids."""
_TIMES = " × "
"""Between the width and the depth of a feature."""
_WITHOUT_PLURAL = {"woods", "sea", "marsh", "rough", "mines", "wire"}
"""Kinds whose name is the same for one and for several."""


def called(kind: str) -> str:
    """The name of a kind of area, line, building or mark."""
    return _NAMES.get(kind, kind.replace("_", " ").capitalize())


def square(point: Point) -> str:
    """``C4``: columns are lettered from the left, rows numbered from the bottom."""
    column, row = max(0, int(point[0] // FOOT)), max(0, int(point[1] // FOOT))
    return f"{chr(ord('A') + column)}{row + 1}"


class Feature(NamedTuple):
    """Something to lay, with the number that it has on the map: its squares, and its size in whole
    inches, as ``5 × 3`` from east to west and from north to south, or ``2 wide``. ``parts`` is what
    of the map it consists of."""

    number: int
    kind: str
    where: str
    size: str
    parts: tuple[Area | Slope | Line | Building, ...]

    @property
    def name(self) -> str:
        """``Woods``."""
        return called(self.kind)

    @property
    def centimetres(self) -> str:
        """The size at 2.5 cm to the inch, halves rounded up."""
        return re.sub(r"\d+", _in_centimetres, self.size)


def _in_centimetres(inches: re.Match[str]) -> str:
    """The number in inches that was matched, in whole centimetres."""
    return str(int(int(inches[0]) * CENTIMETRES_AN_INCH + 0.5))


def numbered(field: Battlefield, size: tuple[float, float], up: str = "N") -> list[Feature]:
    """Everything on the map, numbered: buildings by their own number, then what has none in the
    order of kinds: areas, hills and slopes, lines. Areas of one kind that touch are one feature.
    ``up`` is the compass point at the top of the map."""
    to_lay = [*_buildings_to_lay(field, size), *_areas_to_lay(field, size)]
    to_lay += [*_slopes_to_lay(field, size), *_lines_to_lay(field, size)]
    taken = {feature.number for feature in to_lay}
    # The number of an entry point means that point and nothing else.
    taken |= {int(mark.mark) for mark in field.marks if mark.mark and mark.mark.isdecimal()}
    free_numbers = (number for number in itertools.count(1) if number not in taken)
    with_numbers: list[Feature] = []
    for feature in to_lay:
        size_to_lay = feature.size
        if up in ("E", "W"):
            # Across the sheet is north and south. ``2 wide`` stays as it is.
            size_to_lay = _TIMES.join(reversed(feature.size.split(_TIMES)))
        number = feature.number or next(free_numbers)
        with_numbers.append(feature._replace(number=number, size=size_to_lay))
    with_numbers.sort(key=attrgetter("number"))
    return with_numbers


def _buildings_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """The buildings; one without a number has 0 here, as all other features have."""
    for building in field.buildings:
        width, depth = _as_it_stands(building)
        on_table = _on_table(plane.box(building.outline), size)
        inches = f"{round(width)}{_TIMES}{round(depth)}"
        number = building.number or 0
        yield Feature(number, building.kind, _squares(on_table), inches, (building,))


def _areas_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """Woods and the like: those of one kind that touch are laid as one."""
    for kind in dict.fromkeys(area.kind for area in field.areas):
        of_kind = [area for area in field.areas if area.kind == kind]
        for box in _joined([plane.box(area.outline) for area in of_kind]):
            parts = tuple(area for area in of_kind if plane.box(area.outline).within(box))
            placed = _placed(box, size)
            yield Feature(0, kind, placed.squares, placed.inches, parts)


def _slopes_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """Hills, by the box of their foot, and slopes that run across the table, by their crest."""
    for slope in field.slopes:
        crest, foot = slope.edges
        if slope.ring:
            placed = _placed(plane.box(foot), size)
            yield Feature(0, "hill", placed.squares, placed.inches, (slope,))
        else:
            inches = f"{_slope_width(crest, foot)} wide"
            yield Feature(0, "slope", _along(crest, size), inches, (slope,))


def _lines_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """Roads and streams by their way and width, hedges and wire by their box; kind after kind."""
    for kind in dict.fromkeys(line.kind for line in field.lines):
        for line in field.lines:
            if line.kind != kind:
                continue
            if kind in _WAYS:
                inches = f"{max(1, round(line.inches_wide))} wide"
                yield Feature(0, kind, _along(line.run, size), inches, (line,))
            else:
                placed = _placed(plane.box(line.run), size)
                yield Feature(0, kind, placed.squares, placed.inches, (line,))


def features(field: Battlefield, size: tuple[float, float]) -> Iterator[tuple[str, str]]:
    """Each kind with its pieces: ``Woods``, ``C3-D4 12×8, F1 5×4``. Inches, width before depth as
    seen on the map; a building has its number first. Roads and slopes have the squares where they
    begin and end, and that of their middle if they bend; their name has the inches they are
    wide."""
    # Pieces by kind and inches of width; the width is 0 where it is not stated.
    pieces: dict[tuple[str, int], list[str]] = {}
    for kind, boxes in _areas(field).items():
        pieces[kind, 0] = [_placed(box, size).in_short for box in _joined(boxes)]
    for slope in field.slopes:
        # The slope round a hill lies within the box of the hill.
        if not slope.ring:
            crest, foot = slope.edges
            pieces.setdefault(("slope", _slope_width(crest, foot)), []).append(_along(crest, size))
    for building in field.buildings:
        pieces.setdefault((building.kind, 0), []).append(_building(building, size))
    for line in field.lines:
        if line.kind in _WAYS:
            width = round(line.inches_wide)
            pieces.setdefault((line.kind, width), []).append(_along(line.run, size))
        else:
            place = _placed(plane.box(line.run), size).in_short
            pieces.setdefault((line.kind, 0), []).append(place)
    for (kind, width), places in pieces.items():
        name = _named(kind, len(places))
        if width:
            name += f" ({width} wide)"
        yield name, ", ".join(places)


def _areas(field: Battlefield) -> dict[str, list[Rectangle]]:
    """The boxes of all areas by kind, and of hills."""
    areas: dict[str, list[Rectangle]] = {}
    for area in field.areas:
        areas.setdefault(area.kind, []).append(plane.box(area.outline))
    for slope in field.slopes:
        if slope.ring:
            _, foot = slope.edges
            areas.setdefault("hill", []).append(plane.box(foot))
    return areas


def _slope_width(crest: Path, foot: Path) -> int:
    """How wide a slope is in its middle, in whole inches."""
    middle = crest[len(crest) // 2]
    return round(min(math.dist(middle, point) for point in foot))


def _building(building: Building, size: tuple[float, float]) -> str:
    """``(5) C5 5×3``: its number, its square, and its size as it stands."""
    width, depth = _as_it_stands(building)
    on_table = _on_table(plane.box(building.outline), size)
    place = f"{_squares(on_table)} {round(width)}×{round(depth)}"
    if building.number:
        return f"({building.number}) {place}"
    return place


def _as_it_stands(building: Building) -> tuple[float, float]:
    """Its inches across the map and upward."""
    width, depth = building.size
    # Turned by about a right angle.
    if 45 < building.turn % 180 < 135:
        return depth, width
    return width, depth


def _named(kind: str, count: int) -> str:
    """The name of so many of a kind."""
    name = called(kind)
    if count == 1 or kind in _WITHOUT_PLURAL:
        return name
    if name.endswith("ch"):
        return f"{name}es"
    return f"{name}s"


def _joined(boxes: Iterable[Rectangle]) -> Iterator[Rectangle]:
    """Boxes that are close to one another as one."""
    rest = list(boxes)
    while rest:
        joined = rest.pop(0)
        near = _near(joined, rest)
        # The joined box is larger, so that it may be close to what the first was not.
        while near:
            rest.remove(near)
            joined = Rectangle(
                min(joined.left, near.left),
                min(joined.bottom, near.bottom),
                max(joined.right, near.right),
                max(joined.top, near.top),
            )
            near = _near(joined, rest)
        yield joined


def _near(box: Rectangle, boxes: Iterable[Rectangle]) -> Rectangle | None:
    """The first of the boxes that is close to this one."""
    grown = box.grown(_NEAR)
    for neighbour in boxes:
        if grown.overlaps(neighbour):
            return neighbour
    return None


class _Placed(NamedTuple):
    """The squares of a box, and its size in whole inches."""

    squares: str
    width: int
    depth: int

    @property
    def inches(self) -> str:
        """``12 × 8``."""
        return f"{self.width}{_TIMES}{self.depth}"

    @property
    def in_short(self) -> str:
        """``C3-D4 12×8``."""
        return f"{self.squares} {self.width}×{self.depth}"


def _placed(box: Rectangle, size: tuple[float, float]) -> _Placed:
    """Where a box lies on the table; it takes an inch at least."""
    on_table = _on_table(box, size)
    width = max(1, round(on_table.right - on_table.left))
    depth = max(1, round(on_table.top - on_table.bottom))
    return _Placed(_squares(on_table), width, depth)


def _on_table(box: Rectangle, size: tuple[float, float]) -> Rectangle:
    """The part of a box that lies on the table: outlines may be drawn beyond its edge."""
    width, depth = size
    return Rectangle(
        max(0.0, box.left), max(0.0, box.bottom), min(width, box.right), min(depth, box.top)
    )


def _squares(box: Rectangle) -> str:
    """``C3-D4``: the first and the last square that a box covers by more than a sliver, or the only
    one."""
    width, depth = box.right - box.left, box.top - box.bottom
    if max(width, depth) > _SMALL:
        # An inch over the line of a square is not worth its name; a narrow box loses a third of its
        # width from either side, so that something is left of it.
        aside, up = min(1.0, width / 3), min(1.0, depth / 3)
    else:
        # Nearly half from either side: the square of its middle.
        aside, up = width / 2.1, depth / 2.1
    first = square((box.left + aside, box.bottom + up))
    last = square((box.right - aside, box.top - up))
    if last == first:
        return first
    return f"{first}-{last}"


def _along(path: Path, size: tuple[float, float]) -> str:
    """``A3-C3-E5``: the squares where a line begins and ends; if it bends, that of its middle,
    too."""
    width, depth = size
    on_table = []
    for x, y in path:
        # A line that ends at the edge belongs to the last square before it.
        on_table.append((min(max(x, 0.1), width - 0.1), min(max(y, 0.1), depth - 0.1)))
    # Stations are the two ends, and as many between them as the distance gives: none on a straight
    # line, the middle on any other.
    distance = math.inf
    if len(on_table) > 2:
        distance = plane.length(on_table) / 2
    squares = [square(station.at) for station in plane.stations(on_table, distance)]
    # A short line may have several stations in one square.
    return "-".join(dict.fromkeys(squares))
