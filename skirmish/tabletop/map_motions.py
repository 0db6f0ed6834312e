"""Features of a map, or the whole map, moved, turned, mirrored and enlarged.

A ``Motion`` says where points, directions and angles go; ``moved`` applies it to a part of the map
and ``with_all_moved`` to the whole map.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Battlefield,
    Curve,
    Dimension,
    Label,
    Line,
    MapPart,
)
from skirmish.tabletop.map_features import LIST_NAMES
from skirmish.tabletop.plane import Point

POINTS_OF_PLACE = ("at", "start", "end")
"""Fields of parts that hold a single point at which the part lies."""
SINGLE_POINTS = (*POINTS_OF_PLACE, "tag")
"""All fields of parts that hold a single point. The tag of a zone is its label, which may stand
outside the zone."""
PATHS = ("points", "crest", "foot")
"""Fields of parts that hold several points."""
ANGLES = ("angle", "turn", "facing")
"""Fields of parts that hold degrees, counterclockwise."""

PartT = TypeVar("PartT", bound=MapPart)
Size = tuple[float, float]
"""The width and the depth of a table in inches."""


class Motion(NamedTuple):
    """What a motion makes of each ``point``, each ``direction`` (a vector in inches) and each
    ``angle`` (degrees). ``mirrors``: what was on the left of a line is on its right afterwards."""

    point: Callable[[Point], Point]
    direction: Callable[[Point], Point]
    angle: Callable[[float], float]
    mirrors: bool = False


def shift(by: Point) -> Motion:
    """A shift by so many inches, to the right and upward."""
    across, upward = by
    return Motion(
        point=lambda point: (point[0] + across, point[1] + upward),
        direction=_same_direction,
        angle=_same_angle,
    )


def turn_about(centre: Point, degrees: float) -> Motion:
    """A turn about a point, by so many degrees counterclockwise."""
    radians = math.radians(degrees)
    return Motion(
        point=lambda point: plane.turned(point, centre, radians),
        direction=lambda vector: plane.turned(vector, (0, 0), radians),
        angle=lambda angle: (angle + degrees) % 360,
    )


def growth_about(centre: Point, factor: float) -> Motion:
    """An enlargement that moves every point to so many times its distance from a centre. What is no
    point keeps its size: radii, shifts of numbers, buildings."""
    x0, y0 = centre
    return Motion(
        point=lambda point: (x0 + (point[0] - x0) * factor, y0 + (point[1] - y0) * factor),
        direction=_same_direction,
        angle=_same_angle,
    )


def _same_direction(direction: Point) -> Point:
    """For motions that turn nothing."""
    return direction


def _same_angle(angle: float) -> float:
    """For motions that turn nothing."""
    return angle


def mirror_left_right(size: Size) -> Motion:
    """The left of a table of that size becomes its right."""
    width, _ = size
    return Motion(
        point=lambda point: (width - point[0], point[1]),
        direction=lambda vector: (-vector[0], vector[1]),
        angle=lambda angle: (180 - angle) % 360,
        mirrors=True,
    )


def mirror_top_bottom(size: Size) -> Motion:
    """The top of a table of that size becomes its bottom."""
    _, depth = size
    return Motion(
        point=lambda point: (point[0], depth - point[1]),
        direction=lambda vector: (vector[0], -vector[1]),
        angle=lambda angle: (-angle) % 360,
        mirrors=True,
    )


def mirror_in_place(part: MapPart) -> Motion:
    """The left of a part becomes its right, without its middle moving."""
    x, _ = middle(part)
    # A table is mirrored at the middle of its width. So this one has its middle at ``x``; its depth
    # does not matter.
    return mirror_left_right((2 * x, 0))


def half_turn(size: Size) -> Motion:
    """The table seen from its other side."""
    width, depth = size
    return turn_about((width / 2, depth / 2), 180)


def moved(part: PartT, motion: Motion) -> PartT:
    """A part with all its points and angles moved."""
    changes: dict[str, Any] = {}
    for name in SINGLE_POINTS:
        place = getattr(part, name, None)
        if place is not None:
            changes[name] = rounded(motion.point(place))
    for name in PATHS:
        path = getattr(part, name, None)
        if path is not None:
            changes[name] = tuple(rounded(motion.point(point)) for point in path)
    for name in ANGLES:
        angle = getattr(part, name, None)
        if angle is not None:
            changes[name] = round(motion.angle(angle), 1)
    if isinstance(part, Dimension):
        # How far off the measured line its number is drawn: a vector, and no point.
        changes["off"] = rounded(motion.direction(part.off))
    if isinstance(part, Label):
        # Words are read the right way up, however the map is turned.
        changes["turn"] = _legible(changes["turn"])
        # A label may have a second place, for a map that is printed upright.
        if part.upright:
            second_place = rounded(motion.point(part.upright.at))
            changes["upright"] = replace(part.upright, at=second_place)
    if isinstance(part, Line) and motion.mirrors:
        # The sheltered side is on the left of the direction, which a mirror would swap.
        changes["points"] = tuple(reversed(changes["points"]))
        changes["curve"] = _reversed_curve(part.curve, len(part.points))
    return replace(part, **changes)


def rounded(point: Point) -> Point:
    """The point to a hundredth of an inch: a file needs no more, and the rounding errors of many
    turns do not add up."""
    return round(point[0], 2), round(point[1], 2)


def _legible(degrees: float) -> float:
    """The turn at which a text of this slant is not upside down: from -90 to below 90 degrees."""
    # Half a turn leaves the slant as it is.
    return (degrees + 90) % 180 - 90


def _reversed_curve(curve: Curve, point_count: int) -> Curve:
    """The curve of a path whose points are listed in reverse. A curve is true or false for all
    corners, or the numbers (from 0) of the first and the last corner that bend: in reverse these
    count from the other end."""
    if isinstance(curve, bool):
        return curve
    first, last = curve
    number_of_end = point_count - 1
    return number_of_end - last, number_of_end - first


def with_all_moved(field: Battlefield, motion: Motion) -> Battlefield:
    """The whole map moved, turned or mirrored."""
    lists = {}
    for list_name in LIST_NAMES.values():
        lists[list_name] = tuple(moved(part, motion) for part in getattr(field, list_name))
    return replace(field, **lists)


def middle(part: MapPart) -> Point:
    """The point about which a part turns: its place if it has one, else the middle of the box
    around it."""
    place = getattr(part, "at", None)
    if place is not None:
        point: Point = place
        return point
    around = plane.box(corners(part))
    return (around.left + around.right) / 2, (around.bottom + around.top) / 2


def turned(part: PartT, degrees: float) -> PartT:
    """A part turned about its own middle."""
    return moved(part, turn_about(middle(part), degrees))


def corners(part: MapPart) -> list[Point]:
    """The points that a part is drawn by, in the order of its fields: those of its place, then
    those of its paths."""
    points: list[Point] = []
    for name in POINTS_OF_PLACE:
        place = getattr(part, name, None)
        if place is not None:
            points.append(place)
    for name in PATHS:
        points += getattr(part, name, ())
    return points
