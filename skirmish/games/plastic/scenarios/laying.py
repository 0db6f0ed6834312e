"""The layout of the table from the map's data: features, their squares and sizes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield
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
    return _NAMES.get(kind, kind.replace("_", " ").capitalize())


def square(at: Point) -> str:
    """``C4``: columns are lettered from the left, rows numbered from the bottom."""
    return f"{chr(65 + max(0, int(at[0] // FOOT)))}{max(0, int(at[1] // FOOT)) + 1}"


def features(field: Battlefield, size: tuple[float, float]) -> Iterator[tuple[str, str]]:
    """Each kind with its pieces: ``Woods``, ``C3-D4 12×8, F1 5×4``. Inches, width before depth as
    seen on the map; a building has its number first. Roads and slopes have the squares where they
    begin, bend and end, and in their name how many inches they are wide."""
    areas: dict[str, list[Rectangle]] = {}
    for area in field.areas:
        areas.setdefault(area.kind, []).append(plane.box(area.outline))
    areas["hill"] = [plane.box(slope.edges[1]) for slope in field.slopes if slope.ring]
    found = {(kind, 0): [_placed(box, size) for box in _joined(areas[kind])] for kind in areas}
    for crest, foot in (slope.edges for slope in field.slopes if not slope.ring):
        middle = crest[len(crest) // 2]
        wide = round(min(math.dist(middle, point) for point in foot))
        found.setdefault(("slope", wide), []).append(_along(crest, size))
    for house in field.buildings:
        across = house.size[:: -1 if 45 < house.turn % 180 < 135 else 1]
        where, _, _ = _placed(plane.box(house.outline), size).partition(" ")
        number = [f"({house.number})"] if house.number else []
        place = " ".join([*number, where, "×".join(str(round(side)) for side in across)])
        found.setdefault((house.kind, 0), []).append(place)
    for line in field.lines:
        if line.kind in _WAYS:
            found.setdefault((line.kind, round(line.broad)), []).append(_along(line.run, size))
        else:
            place = _placed(plane.box(line.run), size)
            found.setdefault((line.kind, 0), []).append(place)
    for (kind, wide), places in found.items():
        if places:
            many = f" ({wide} wide)" if wide else ""
            yield f"{_named(kind, len(places))}{many}", ", ".join(places)


def _named(kind: str, count: int) -> str:
    name = called(kind)
    if count == 1 or kind in _MANY:
        return name
    return f"{name}{'es' if name.endswith('ch') else 's'}"


def _joined(boxes: Iterable[Rectangle]) -> Iterator[Rectangle]:
    rest = list(boxes)
    while rest:
        one = rest.pop(0)
        while near := next((other for other in rest if one.grown(_NEAR).touches(other)), None):
            rest.remove(near)
            one = Rectangle(*map(min, one[:2], near[:2]), *map(max, one[2:], near[2:]))
        yield one


def _placed(box: Rectangle, size: tuple[float, float]) -> str:
    """The squares that a box covers by more than a sliver, and its size in whole inches."""
    left, right = max(0.0, box.left), min(size[0], box.right)
    low, high = max(0.0, box.bottom), min(size[1], box.top)
    wide, deep = right - left, high - low
    slip = (
        (min(1.0, wide / 3), min(1.0, deep / 3))
        if max(wide, deep) > _SMALL
        else (wide / 2.1, deep / 2.1)
    )
    first = square((left + slip[0], low + slip[1]))
    last = square((right - slip[0], high - slip[1]))
    where = first if first == last else f"{first}-{last}"
    return f"{where} {max(1, round(wide))}×{max(1, round(deep))}"


def _along(path: Path, size: tuple[float, float]) -> str:
    inner = [(min(max(x, 0.1), size[0] - 0.1), min(max(y, 0.1), size[1] - 0.1)) for x, y in path]
    stops = plane.stations(inner, math.inf if len(inner) < 3 else plane.length(inner) / 2)
    return "-".join(dict.fromkeys(square(stop.at) for stop in stops))
