"""The layout of the table from the map's data: features, their squares and sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield, Building
from skirmish.tabletop.plane import Path, Point, Rectangle

FOOT = 12.0
"""Inches between the lines of the grid."""
_NEAR = 0.5
"""Inches between parts of one kind that are laid as one."""
_SMALL = 7.5
"""What is no longer than that lies where its middle is."""
_WAYS = ("road", "track", "rail", "river", "stream", "bridge")
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
_MANY = {"woods", "sea", "marsh", "rough", "mines", "wire"}


def called(kind: str) -> str:
    """The name of a kind of area, line, building or mark."""
    return _NAMES.get(kind, kind.replace("_", " ").capitalize())


def square(point: Point) -> str:
    """``C4``: columns are lettered from the left, rows numbered from the bottom."""
    column, row = max(0, int(point[0] // FOOT)), max(0, int(point[1] // FOOT))
    return f"{chr(ord('A') + column)}{row + 1}"


def features(field: Battlefield, size: tuple[float, float]) -> Iterator[tuple[str, str]]:
    """Each kind with its pieces: ``Woods``, ``C3-D4 12×8, F1 5×4``. Inches, width before depth as
    seen on the map; a building has its number first. Roads and slopes have the squares where they
    begin, bend and end, and in their name how many inches they are wide."""
    # Pieces by kind and width; the width is 0 where it is not stated.
    pieces: dict[tuple[str, int], list[str]] = {}
    for kind, boxes in _areas(field).items():
        pieces[kind, 0] = [_placed(box, size) for box in _joined(boxes)]
    for slope in field.slopes:
        # The slope round a hill lies within the box of the hill.
        if not slope.ring:
            crest, foot = slope.edges
            pieces.setdefault(("slope", _wide(crest, foot)), []).append(_along(crest, size))
    for building in field.buildings:
        pieces.setdefault((building.kind, 0), []).append(_building(building, size))
    for line in field.lines:
        if line.kind in _WAYS:
            wide = round(line.broad)
            pieces.setdefault((line.kind, wide), []).append(_along(line.run, size))
        else:
            place = _placed(plane.box(line.run), size)
            pieces.setdefault((line.kind, 0), []).append(place)
    for (kind, wide), places in pieces.items():
        if not places:
            continue
        name = _named(kind, len(places))
        if wide:
            name += f" ({wide} wide)"
        yield name, ", ".join(places)


def _areas(field: Battlefield) -> dict[str, list[Rectangle]]:
    """The boxes of all areas by kind, and of hills."""
    areas: dict[str, list[Rectangle]] = {}
    for area in field.areas:
        areas.setdefault(area.kind, []).append(plane.box(area.outline))
    areas["hill"] = []
    for slope in field.slopes:
        if slope.ring:
            _, foot = slope.edges
            areas["hill"].append(plane.box(foot))
    return areas


def _wide(crest: Path, foot: Path) -> int:
    """How wide a slope is in its middle, in whole inches."""
    middle = crest[len(crest) // 2]
    return round(min(math.dist(middle, point) for point in foot))


def _building(building: Building, size: tuple[float, float]) -> str:
    """``(5) C5 5×3``: its number, its square, and its size as it stands."""
    width, depth = building.size
    if 45 < building.turn % 180 < 135:
        # Turned by about a right angle.
        width, depth = depth, width
    where, _, _ = _placed(plane.box(building.outline), size).partition(" ")
    place = f"{where} {round(width)}×{round(depth)}"
    if building.number:
        return f"({building.number}) {place}"
    return place


def _named(kind: str, count: int) -> str:
    name = called(kind)
    if count == 1 or kind in _MANY:
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


def _near(box: Rectangle, others: Iterable[Rectangle]) -> Rectangle | None:
    """The first of the others that is close to a box."""
    grown = box.grown(_NEAR)
    for other in others:
        if grown.touches(other):
            return other
    return None


def _placed(box: Rectangle, size: tuple[float, float]) -> str:
    """The squares that a box covers by more than a sliver, and its size in whole inches."""
    left, right = max(0.0, box.left), min(size[0], box.right)
    low, high = max(0.0, box.bottom), min(size[1], box.top)
    wide, deep = right - left, high - low
    if max(wide, deep) > _SMALL:
        # An inch over the line of a square is not worth its name.
        aside, up = min(1.0, wide / 3), min(1.0, deep / 3)
    else:
        # Nearly half from either side: the square of its middle.
        aside, up = wide / 2.1, deep / 2.1
    first = square((left + aside, low + up))
    last = square((right - aside, high - up))
    where = first
    if last != first:
        where = f"{first}-{last}"
    return f"{where} {max(1, round(wide))}×{max(1, round(deep))}"


def _along(path: Path, size: tuple[float, float]) -> str:
    """``A3-C3-E5``: the squares where a line begins, bends and ends."""
    inner = []
    for x, y in path:
        # A line that ends at the edge belongs to the last square before it.
        inner.append((min(max(x, 0.1), size[0] - 0.1), min(max(y, 0.1), size[1] - 0.1)))
    # A straight line has its two ends, any other its middle, too.
    step = math.inf
    if len(inner) > 2:
        step = plane.length(inner) / 2
    squares = [square(stop.at) for stop in plane.stations(inner, step)]
    return "-".join(dict.fromkeys(squares))
