"""How the table is laid, from the data of the map: its features with their squares and sizes.

``numbered_features`` lists the features one by one with their numbers on the map, for sheets;
``pieces_by_kind`` sums them up by kind, for a screen. Everywhere ``size`` is that of the table, its
width and its depth in inches.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from skirmish.games.plastic.scenarios.grid import placed_box, squares_along, squares_of_box
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Line, Slope
from skirmish.tabletop.measure import CENTIMETRES_AN_INCH
from skirmish.tabletop.plane import Path, Rectangle

_CLOSE = 0.5
"""Inches between areas of one kind that are laid as one."""
_STRIPS = ("road", "track", "rail", "river", "stream", "bridge")
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
_UNNUMBERED = 0
"""The number of a feature that has not been numbered yet."""
_WITHOUT_PLURAL = {"woods", "sea", "marsh", "rough", "mines", "wire"}
"""Kinds whose name is the same for one and for several."""


def kind_name(kind: str) -> str:
    """The name of a kind of area, line, building or mark."""
    return _NAMES.get(kind, kind.replace("_", " ").capitalize())


class FeatureSize(NamedTuple):
    """The size of a feature in whole inches: its width from east to west and its depth from north
    to south. A strip has only a width, and no depth."""

    width: int
    depth: int | None = None

    def turned(self) -> FeatureSize:
        """The size after a quarter turn, by which the width of a strip stays as it is."""
        if self.depth is None:
            return self
        return FeatureSize(self.depth, self.width)

    @property
    def inches(self) -> str:
        """``5 × 3``, or ``2 wide``."""
        if self.depth is None:
            return f"{self.width} wide"
        return f"{self.width} × {self.depth}"

    @property
    def centimetres(self) -> str:
        """The same in whole centimetres."""
        width = _in_centimetres(self.width)
        if self.depth is None:
            return f"{width} wide"
        return f"{width} × {_in_centimetres(self.depth)}"


def _in_centimetres(inches: int) -> int:
    """Whole centimetres; halves are rounded up."""
    return int(inches * CENTIMETRES_AN_INCH + 0.5)


class Feature(NamedTuple):
    """Something to lay, with the number that it has on the map, its squares and its size."""

    number: int
    kind: str
    squares: str
    """``C3-D4``."""
    size: FeatureSize
    parts: tuple[Area | Slope | Line | Building, ...]
    """What of the map it consists of."""

    @property
    def name(self) -> str:
        """``Woods``."""
        return kind_name(self.kind)


# ------------------------------------------------------------------ one by one


def numbered_features(
    field: Battlefield, size: tuple[float, float], top: str = "N"
) -> list[Feature]:
    """Everything on the map, numbered: buildings by their own number, then what has none in the
    order of kinds: areas, hills and slopes, lines. Areas of one kind that touch are one feature.
    ``top`` is the compass point at the top of the map."""
    to_lay = [*_buildings_to_lay(field, size), *_areas_to_lay(field, size)]
    to_lay += [*_slopes_to_lay(field, size), *_lines_to_lay(field, size)]
    taken = {feature.number for feature in to_lay}
    # The number of an entry point means that point and nothing else.
    taken |= {int(mark.mark) for mark in field.marks if mark.mark and mark.mark.isdecimal()}
    free_numbers = (number for number in itertools.count(1) if number not in taken)
    features: list[Feature] = []
    for feature in to_lay:
        size_to_lay = feature.size
        if top in ("E", "W"):
            # What is across such a map runs from north to south.
            size_to_lay = feature.size.turned()
        number = feature.number
        if number == _UNNUMBERED:
            number = next(free_numbers)
        features.append(feature._replace(number=number, size=size_to_lay))
    features.sort(key=attrgetter("number"))
    return features


def _buildings_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """The buildings, each by the number that it has on the map, if any."""
    for building in field.buildings:
        number = building.number or _UNNUMBERED
        squares = squares_of_box(plane.box(building.outline), size)
        yield Feature(number, building.kind, squares, _as_it_stands(building), (building,))


def _areas_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """Woods and the like: those of one kind that touch are laid as one."""
    for kind in dict.fromkeys(area.kind for area in field.areas):
        of_kind = [area for area in field.areas if area.kind == kind]
        for box in _joined([plane.box(area.outline) for area in of_kind]):
            parts = tuple(area for area in of_kind if plane.box(area.outline).within(box))
            yield _boxed(kind, box, size, parts)


def _slopes_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """Hills, by the box of their foot, and slopes that run across the table, by their crest."""
    for slope in field.slopes:
        crest, foot = slope.edges
        if slope.ring:
            yield _boxed("hill", plane.box(foot), size, (slope,))
        else:
            width = FeatureSize(_slope_width(crest, foot))
            yield Feature(_UNNUMBERED, "slope", squares_along(crest, size), width, (slope,))


def _lines_to_lay(field: Battlefield, size: tuple[float, float]) -> Iterator[Feature]:
    """Roads and other strips by their way and width, hedges and wire by their box; kind after
    kind."""
    for kind in dict.fromkeys(line.kind for line in field.lines):
        for line in field.lines:
            if line.kind != kind:
                continue
            if kind in _STRIPS:
                width = FeatureSize(max(1, round(line.inches_wide)))
                yield Feature(_UNNUMBERED, kind, squares_along(line.run, size), width, (line,))
            else:
                yield _boxed(kind, plane.box(line.run), size, (line,))


def _boxed(
    kind: str,
    box: Rectangle,
    size: tuple[float, float],
    parts: tuple[Area | Slope | Line | Building, ...],
) -> Feature:
    """A feature that is laid by the box in which it lies."""
    placed = placed_box(box, size)
    return Feature(
        _UNNUMBERED, kind, placed.squares, FeatureSize(placed.width, placed.depth), parts
    )


# ------------------------------------------------------------------ summed up


class KindOfPieces(NamedTuple):
    """All pieces of one kind, in words: ``Woods``, ``C3-D4 12×8, F1 5×4``."""

    name: str
    places: str


def pieces_by_kind(field: Battlefield, size: tuple[float, float]) -> Iterator[KindOfPieces]:
    """Each kind with its pieces. Sizes are in inches, width before depth as seen on the map; a
    building has its number first. Roads and slopes have the squares where they begin and end, and
    that of their middle if they bend; their name has the inches they are wide."""
    # Pieces by kind and inches of width; the width is None where it is not stated.
    pieces: dict[tuple[str, int | None], list[str]] = {}
    for kind, boxes in _boxes_by_kind(field).items():
        pieces[kind, None] = [placed_box(box, size).in_short for box in _joined(boxes)]
    for slope in field.slopes:
        # The slope round a hill lies within the box of the hill.
        if not slope.ring:
            crest, foot = slope.edges
            slopes = pieces.setdefault(("slope", _slope_width(crest, foot)), [])
            slopes.append(squares_along(crest, size))
    for building in field.buildings:
        pieces.setdefault((building.kind, None), []).append(_building_in_short(building, size))
    for line in field.lines:
        if line.kind in _STRIPS:
            strips = pieces.setdefault((line.kind, round(line.inches_wide)), [])
            strips.append(squares_along(line.run, size))
        else:
            place = placed_box(plane.box(line.run), size).in_short
            pieces.setdefault((line.kind, None), []).append(place)
    for (kind, width), places in pieces.items():
        name = _name_for(kind, len(places))
        if width:
            name += f" ({width} wide)"
        yield KindOfPieces(name, ", ".join(places))


def _boxes_by_kind(field: Battlefield) -> dict[str, list[Rectangle]]:
    """The boxes of all areas by their kind, and those of hills."""
    boxes: dict[str, list[Rectangle]] = {}
    for area in field.areas:
        boxes.setdefault(area.kind, []).append(plane.box(area.outline))
    for slope in field.slopes:
        if slope.ring:
            _, foot = slope.edges
            boxes.setdefault("hill", []).append(plane.box(foot))
    return boxes


def _building_in_short(building: Building, size: tuple[float, float]) -> str:
    """``(5) C5 5×3``: its number, its square, and its size as it stands."""
    width, depth = _as_it_stands(building)
    place = f"{squares_of_box(plane.box(building.outline), size)} {width}×{depth}"
    if building.number:
        return f"({building.number}) {place}"
    return place


def _name_for(kind: str, count: int) -> str:
    """What so many of a kind are called."""
    name = kind_name(kind)
    if count == 1 or kind in _WITHOUT_PLURAL:
        return name
    if name.endswith("ch"):
        return f"{name}es"
    return f"{name}s"


# ------------------------------------------------------------------ sizes


def _slope_width(crest: Path, foot: Path) -> int:
    """How wide a slope is in its middle, in whole inches."""
    middle = crest[len(crest) // 2]
    return round(min(math.dist(middle, point) for point in foot))


def _as_it_stands(building: Building) -> FeatureSize:
    """The size of a building across the map and upward; one that is turned by about a right angle
    stands with its depth across."""
    width, depth = building.size
    size = FeatureSize(round(width), round(depth))
    if 45 < building.turn % 180 < 135:
        return size.turned()
    return size


def _joined(boxes: Iterable[Rectangle]) -> Iterator[Rectangle]:
    """Boxes that are close to one another as one."""
    rest = list(boxes)
    while rest:
        joined = rest.pop(0)
        neighbour = _first_neighbour(joined, rest)
        # A joined box is larger, and may be close to a box that neither of its two was close to.
        while neighbour:
            rest.remove(neighbour)
            joined = Rectangle(
                min(joined.left, neighbour.left),
                min(joined.bottom, neighbour.bottom),
                max(joined.right, neighbour.right),
                max(joined.top, neighbour.top),
            )
            neighbour = _first_neighbour(joined, rest)
        yield joined


def _first_neighbour(box: Rectangle, boxes: Iterable[Rectangle]) -> Rectangle | None:
    """The first of the boxes that is close to this one."""
    grown = box.grown(_CLOSE)
    for neighbour in boxes:
        if grown.overlaps(neighbour):
            return neighbour
    return None
