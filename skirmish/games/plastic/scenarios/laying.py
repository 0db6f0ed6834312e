"""How the table is laid, from the data of the map: its features with their squares and sizes.

``numbered_features`` lists the features one by one with their numbers on the map, for sheets;
``pieces_by_kind`` sums them up by kind, for a screen. Everywhere ``table_size`` is the width and
the depth of the table in inches.
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

_MOST_APART = 0.5
"""Areas of one kind are laid as one if no more inches are between them."""
_STRIP_KINDS = ("road", "track", "rail", "river", "stream", "bridge")
"""Kinds of lines that players lay as strips: their width counts, not the box in which they lie."""
_KIND_NAMES = {
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
"""The names of kinds that are not simply their ids."""
_WITHOUT_PLURAL = {"woods", "sea", "marsh", "rough", "mines", "wire"}
"""Kinds whose name is the same for one and for several."""
_UNNUMBERED = 0
"""The number of a feature that has not been numbered yet."""


def kind_name(kind: str) -> str:
    """The name of a kind of area, line, building or mark."""
    return _KIND_NAMES.get(kind, kind.replace("_", " ").capitalize())


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
    """The parts of the map that are laid as this feature."""

    @property
    def name(self) -> str:
        """``Woods``."""
        return kind_name(self.kind)


# ------------------------------------------------------------------ one by one


def numbered_features(
    field: Battlefield, table_size: tuple[float, float], top: str = "N"
) -> list[Feature]:
    """Everything on the map, numbered: buildings by their own number, then what has none in the
    order of kinds: areas, hills and slopes, lines. Areas of one kind that touch are one feature.
    ``top`` is the compass point at the top of the map."""
    to_lay = [*_buildings_to_lay(field, table_size), *_areas_to_lay(field, table_size)]
    to_lay += [*_slopes_to_lay(field, table_size), *_lines_to_lay(field, table_size)]
    taken = _numbers_taken(field)
    free_numbers = (number for number in itertools.count(1) if number not in taken)
    features: list[Feature] = []
    for feature in to_lay:
        size_to_lay = feature.size
        if top in ("E", "W"):
            # Until here sizes are across and upward on the map. With the east or the west at the
            # top, what is across the map runs from north to south.
            size_to_lay = feature.size.turned()
        number = feature.number
        if number == _UNNUMBERED:
            number = next(free_numbers)
        features.append(feature._replace(number=number, size=size_to_lay))
    features.sort(key=attrgetter("number"))
    return features


def _numbers_taken(field: Battlefield) -> set[int]:
    """The numbers on the map that no other feature may have: those of buildings, and those of entry
    points."""
    taken = {building.number for building in field.buildings if building.number}
    for mark in field.marks:
        if mark.mark and mark.mark.isdecimal():
            taken.add(int(mark.mark))
    return taken


def _buildings_to_lay(field: Battlefield, table_size: tuple[float, float]) -> Iterator[Feature]:
    """The buildings, each by the number that it has on the map, if any."""
    for building in field.buildings:
        number = _UNNUMBERED
        if building.number is not None:
            number = building.number
        squares = squares_of_box(plane.box(building.outline), table_size)
        yield Feature(number, building.kind, squares, _size_as_it_stands(building), (building,))


def _areas_to_lay(field: Battlefield, table_size: tuple[float, float]) -> Iterator[Feature]:
    """Woods and the like: those of one kind that touch are laid as one. Kind after kind, in the
    order in which the map has them."""
    for kind in dict.fromkeys(area.kind for area in field.areas):
        of_kind = [area for area in field.areas if area.kind == kind]
        for box in _joined([plane.box(area.outline) for area in of_kind]):
            parts = tuple(area for area in of_kind if plane.box(area.outline).within(box))
            yield _feature_in_box(kind, box, table_size, parts)


def _slopes_to_lay(field: Battlefield, table_size: tuple[float, float]) -> Iterator[Feature]:
    """Hills, by the box of their foot, and slopes that run across the table, by their crest."""
    for slope in field.slopes:
        crest, foot = slope.edges
        if slope.ring:
            yield _feature_in_box("hill", plane.box(foot), table_size, (slope,))
        else:
            width_alone = FeatureSize(_slope_width(crest, foot))
            yield Feature(
                _UNNUMBERED, "slope", squares_along(crest, table_size), width_alone, (slope,)
            )


def _lines_to_lay(field: Battlefield, table_size: tuple[float, float]) -> Iterator[Feature]:
    """Roads and other strips by their course and width, hedges and wire by their box. Kind after
    kind, in the order in which the map has them."""
    for kind in dict.fromkeys(line.kind for line in field.lines):
        for line in field.lines:
            if line.kind != kind:
                continue
            if kind in _STRIP_KINDS:
                # A strip of a kind without a usual width is laid an inch wide.
                width_alone = FeatureSize(max(1, round(line.inches_wide)))
                yield Feature(
                    _UNNUMBERED, kind, squares_along(line.run, table_size), width_alone, (line,)
                )
            else:
                yield _feature_in_box(kind, plane.box(line.run), table_size, (line,))


def _feature_in_box(
    kind: str,
    box: Rectangle,
    table_size: tuple[float, float],
    parts: tuple[Area | Slope | Line | Building, ...],
) -> Feature:
    """A feature that is laid by the box in which it lies."""
    placed = placed_box(box, table_size)
    return Feature(
        _UNNUMBERED, kind, placed.squares, FeatureSize(placed.width, placed.depth), parts
    )


# ------------------------------------------------------------------ summed up


class KindOfPieces(NamedTuple):
    """All pieces of one kind, in words: ``Woods``, ``C3-D4 12×8, F1 5×4``."""

    name: str
    places: str


class _Piece(NamedTuple):
    """A piece to lay, with its place in words; ``width``: that of a strip or a slope, in whole
    inches. It is 0 for any other piece, and for a strip whose kind has no usual width."""

    kind: str
    place: str
    width: int = 0


def pieces_by_kind(field: Battlefield, table_size: tuple[float, float]) -> Iterator[KindOfPieces]:
    """Each kind with its pieces. Sizes are in inches, width before depth as seen on the map; a
    building has its number first. Roads and slopes have the squares where they begin and end, and
    that of their middle if they bend; their name has the inches they are wide."""
    places_by_kind_and_width: dict[tuple[str, int], list[str]] = {}
    for piece in _pieces(field, table_size):
        places_by_kind_and_width.setdefault((piece.kind, piece.width), []).append(piece.place)
    for (kind, width), places in places_by_kind_and_width.items():
        name = _name_for(kind, len(places))
        if width > 0:
            name += f" ({width} wide)"
        yield KindOfPieces(name, ", ".join(places))


def _pieces(field: Battlefield, table_size: tuple[float, float]) -> Iterator[_Piece]:
    """All pieces: areas and hills, other slopes, buildings, lines."""
    for kind, boxes in _boxes_by_kind(field).items():
        for box in _joined(boxes):
            yield _Piece(kind, placed_box(box, table_size).in_short)
    for slope in field.slopes:
        # The slope round a hill lies within the box of the hill.
        if not slope.ring:
            crest, foot = slope.edges
            width = _slope_width(crest, foot)
            yield _Piece("slope", squares_along(crest, table_size), width)
    for building in field.buildings:
        yield _Piece(building.kind, _building_in_short(building, table_size))
    for line in field.lines:
        if line.kind in _STRIP_KINDS:
            width = round(line.inches_wide)
            yield _Piece(line.kind, squares_along(line.run, table_size), width)
        else:
            yield _Piece(line.kind, placed_box(plane.box(line.run), table_size).in_short)


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


def _building_in_short(building: Building, table_size: tuple[float, float]) -> str:
    """``(5) C5 5×3``: its number, its square, and its size as it stands."""
    width, depth = _size_as_it_stands(building)
    place = f"{squares_of_box(plane.box(building.outline), table_size)} {width}×{depth}"
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


def _size_as_it_stands(building: Building) -> FeatureSize:
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
    grown = box.grown(_MOST_APART)
    for neighbour in boxes:
        if grown.overlaps(neighbour):
            return neighbour
    return None
