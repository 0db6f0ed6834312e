"""Changes to the map of a battlefield: features added, copied and deleted, corners, bends and
sizes.

The map editor makes them by mouse and key, its command line by a line of text. Each function
returns another map or another part, and changes nothing. A feature has the ``PartId`` of
``map_features``; ``map_motions`` moves and turns it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from skirmish.tabletop.battlefield import (
    Area,
    Battlefield,
    Building,
    Circle,
    Line,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.map_features import LIST_NAMES, PartId, part_of
from skirmish.tabletop.map_motions import (
    PATHS,
    POINTS_OF_PLACE,
    PartT,
    corners,
    growth_about,
    middle,
    moved,
    rounded,
    shift,
)
from skirmish.tabletop.plane import Point

SMALLEST_SIZE = 0.5
"""The least size of any feature, in inches: one of no size could not be seen or clicked."""
HIGHEST_NUMBER = 99
"""The highest number of a building, as in the type of ``Building.number``: more digits would not
fit on it."""


class WithPart(NamedTuple):
    """A map with a new feature, and the id of that."""

    field: Battlefield
    part_id: PartId


def added(field: Battlefield, part: MapPart) -> WithPart:
    """The map with one more part. A building without a number gets the next free one."""
    if isinstance(part, Building) and part.number is None:
        part = replace(part, number=_free_number(field))
    list_name = LIST_NAMES[type(part)]
    parts = (*getattr(field, list_name), part)
    place = len(parts) - 1
    return WithPart(replace(field, **{list_name: parts}), PartId(list_name, place))


def _free_number(field: Battlefield) -> int | None:
    """The smallest number that no building has; None where all of them are taken."""
    taken = {building.number for building in field.buildings}
    for number in range(1, HIGHEST_NUMBER + 1):
        if number not in taken:
            return number
    return None


def changed(field: Battlefield, part_id: PartId, part: MapPart) -> Battlefield:
    """The map with ``part`` in the place of a feature."""
    parts = list(getattr(field, part_id.listed_in))
    parts[part_id.place] = part
    return replace(field, **{part_id.listed_in: tuple(parts)})


def deleted(field: Battlefield, part_id: PartId) -> Battlefield:
    """The map without a feature. The features behind it in its list move up by one."""
    parts = list(getattr(field, part_id.listed_in))
    del parts[part_id.place]
    return replace(field, **{part_id.listed_in: tuple(parts)})


def copied(field: Battlefield, part_id: PartId, by: Point) -> WithPart:
    """The map with a copy of a feature, ``by`` inches to the right and upward. The copy of a
    building gets a number of its own."""
    part = moved(part_of(field, part_id), shift(by))
    if isinstance(part, Building):
        part = replace(part, number=None)  # ``added`` numbers it
    return added(field, part)


# ------------------------------------------------------------------ corners, bends, sizes


def with_corner(part: PartT, number: int, point: Point) -> PartT:
    """A part with one of its ``corners`` (from 0) at another point. Raises IndexError."""
    # The fields are visited in the order of ``corners``: first those of a single point, each of
    # which is one corner, then those of several.
    corners_before = 0
    for name in POINTS_OF_PLACE:
        if getattr(part, name, None) is None:
            continue
        if number == corners_before:
            return replace(part, **{name: point})
        corners_before += 1
    for name in PATHS:
        path = list(getattr(part, name, ()))
        if number < corners_before + len(path):
            path[number - corners_before] = point
            return replace(part, **{name: tuple(path)})
        corners_before += len(path)
    raise IndexError("a part has no such corner")


def with_further_corner(part: PartT, number: int) -> PartT:
    """A part with a new corner halfway between the corner of that ``number`` (from 0) and the next.
    After the last corner of an outline comes the first; at the end of a line, the new corner lies
    between the last corner and the one before it. A part without ``points`` stays as it is."""
    path = list(getattr(part, "points", ()))
    if not path:
        return part
    start = number
    if number == len(path) - 1 and not isinstance(part, Area | Zone):
        start = number - 1
    (x0, y0) = path[start]
    (x1, y1) = path[(start + 1) % len(path)]
    halfway = (x0 + x1) / 2, (y0 + y1) / 2
    path.insert(start + 1, rounded(halfway))
    return _with_other_corners(part, path)


def without_corner(part: PartT, number: int) -> PartT:
    """A part without the corner of that ``number`` (from 0). It stays as it is where it would have
    too few, or has no ``points``."""
    path = list(getattr(part, "points", ()))
    fewest = 2  # a line
    if isinstance(part, Area | Zone):
        fewest = 3  # an outline with something in it
    if len(path) <= fewest:
        return part
    del path[number]
    return _with_other_corners(part, path)


def _with_other_corners(part: PartT, path: Sequence[Point]) -> PartT:
    """A part that has gained or lost a corner. A curve between two numbered corners becomes one of
    all corners, since the numbers change."""
    changes: dict[str, Any] = {"points": tuple(path)}
    if isinstance(getattr(part, "curve", None), tuple):
        changes["curve"] = True
    return replace(part, **changes)


def bent(part: PartT) -> PartT:
    """A part that bends through its corners if it was straight, and is straight if it was bent."""
    curve = getattr(part, "curve", None)
    if curve is None:  # a part that has no curve, such as a building
        return part
    # A part that bends only from one corner to another becomes straight, too.
    return replace(part, curve=not curve)


def resized(part: PartT, by: float) -> PartT:
    """A part that is so many inches larger: a building in length and depth, a line in width, a
    circle in radius. An outline grows about its middle; what has no size stays as it is."""
    match part:
        case Building():
            length, depth = part.size
            size = (max(length + by, SMALLEST_SIZE), max(depth + by, SMALLEST_SIZE))
            return replace(part, size=size)
        case Line():
            return replace(part, width=max(part.inches_wide + by, SMALLEST_SIZE))
        case Circle():
            return replace(part, radius=max(part.radius + by, SMALLEST_SIZE))
        case Area() | Slope() | Zone():
            return _grown(part, by)
    return part


def _grown(part: PartT, by: float) -> PartT:
    """A part whose farthest corner is so many inches farther from its middle, and the others in
    proportion."""
    centre = middle(part)
    farthest = max(math.dist(centre, corner) for corner in corners(part))
    # If all corners lie at the middle, there is nothing to divide by: such a part counts as one of
    # the least size.
    size_before = max(farthest, SMALLEST_SIZE)
    size_after = max(farthest + by, SMALLEST_SIZE)
    factor = size_after / size_before
    return moved(part, growth_about(centre, factor))
