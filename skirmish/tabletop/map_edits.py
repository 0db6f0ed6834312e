"""Changes to the map of a battlefield: pure functions from a map to another. The map editor makes
them by mouse and key, its command line by a line of text.

A feature of the map (a wood, a road, a label) is a part in one of the lists of a ``Battlefield``;
its ``PartId`` names the list and the place in it. Begin with ``added`` and ``changed``;
``part_ids_near`` finds what lies at a point.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Curve,
    Dimension,
    Label,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Path, Point

LISTS: dict[type[MapPart], str] = {
    Label: "labels",
    MapMark: "marks",
    Building: "buildings",
    Arrow: "arrows",
    Dimension: "dimensions",
    Line: "lines",
    Circle: "circles",
    Area: "areas",
    Slope: "slopes",
    Zone: "zones",
}
"""The list of a battlefield that holds each kind of part, those that lie on top first: of features
at one place the smaller is meant before the one it lies in."""
POINTS_OF_PLACE = ("at", "start", "end")
"""Fields of parts that hold a single point at which they lie."""
SINGLE_POINTS = (*POINTS_OF_PLACE, "tag")
"""All fields of parts that hold a single point. The tag of a zone may stand outside the zone."""
PATHS = ("points", "crest", "foot")
"""Fields of parts that hold several points."""
ANGLES = ("angle", "turn", "facing")
"""Fields of parts that hold degrees, counterclockwise."""
REACH = 1.5
"""Inches within which a feature counts as lying at a point."""
SMALLEST_SIZE = 0.5
"""Inches that a building or a circle has at least."""
HIGHEST_NUMBER = 99
"""Of a building, as in the type of ``Building.number``: more digits would not fit on it."""
SIGHT_STEP, SIGHT_WIDTH = 0.5, 0.25
"""Inches between two points at which a line of sight is examined, and inches within which a feature
blocks it there. That is half a step each way, so that not even a hedge slips through."""

PartT = TypeVar("PartT", bound=MapPart)
Size = tuple[float, float]
"""The width and the depth of a table in inches."""


class PartId(NamedTuple):
    """A feature of a map: the list of the battlefield that it is ``listed_in`` (``areas``), and its
    ``place`` in that list, from 0."""

    listed_in: str
    place: int


class Motion(NamedTuple):
    """What moves, turns or mirrors features: where each ``point`` goes, each ``direction`` (a
    vector in inches) and each ``angle`` (degrees). ``mirrors``: left and right change places."""

    point: Callable[[Point], Point]
    direction: Callable[[Point], Point]
    angle: Callable[[float], float]
    mirrors: bool = False


# ------------------------------------------------------------------ features


def part_ids(field: Battlefield) -> list[PartId]:
    """All features of a map, list by list, those on top first."""
    listed = []
    for name in LISTS.values():
        listed += [PartId(name, index) for index in range(len(getattr(field, name)))]
    return listed


def part_of(field: Battlefield, part_id: PartId) -> MapPart:
    """The part that a feature is. Raises IndexError if there is none."""
    part: MapPart = getattr(field, part_id.listed_in)[part_id.place]
    return part


def part_ids_near(field: Battlefield, point: Point, reach: float = REACH) -> list[PartId]:
    """What lies at a point, or within ``reach`` inches of it, that on top first."""
    near = []
    for part_id in part_ids(field):
        if distance_to(part_of(field, part_id), point) <= reach:
            near.append(part_id)
    return near


def distance_to(part: MapPart, point: Point) -> float:
    """Inches from a point to the nearest edge of a part; 0 inside."""
    match part:
        case Area() | Building():
            return _distance_to_outline(point, part.outline)
        case Zone():
            return _distance_to_outline(point, part.points)
        case Slope():
            crest, foot = part.edges
            outline = foot
            if not part.ring:
                outline = [*crest, *reversed(foot)]
            return _distance_to_outline(point, outline)
        case Line():
            return max(_distance_to_path(point, part.run) - part.inches_wide / 2, 0.0)
        case Arrow():
            return _distance_to_path(point, part.run)
        case Dimension():
            return _distance_to_path(point, (part.start, part.end))
        case Circle():
            # A circle is its rim: what lies in it is not hidden by it.
            return abs(math.dist(point, part.at) - part.radius)
        case MapMark() | Label():
            return math.dist(point, part.at)
    raise TypeError(f"unknown part of a map: {type(part).__name__}")


def _distance_to_outline(point: Point, outline: Path) -> float:
    """Inches from a point to an outline, which is closed here; 0 inside."""
    if plane.inside(point, outline):
        return 0.0
    return _distance_to_path(point, [*outline, outline[0]])


def _distance_to_path(point: Point, path: Path) -> float:
    """Inches from a point to the nearest piece of a path."""
    return min(_distance_to_leg(point, start, end) for start, end in pairwise(path))


def _distance_to_leg(point: Point, start: Point, end: Point) -> float:
    """Inches from a point to a straight piece of a path."""
    along = (end[0] - start[0], end[1] - start[1])
    squared = along[0] ** 2 + along[1] ** 2
    if not squared:
        return math.dist(point, start)
    # How far along the leg the nearest point is: 0 at its start, 1 at its end.
    share = ((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1]) / squared
    share = min(max(share, 0.0), 1.0)
    nearest = (start[0] + along[0] * share, start[1] + along[1] * share)
    return math.dist(point, nearest)


# ------------------------------------------------------------------ changes


class WithPart(NamedTuple):
    """A map with a new feature, and which it is."""

    field: Battlefield
    part_id: PartId


def added(field: Battlefield, part: MapPart) -> WithPart:
    """The map with another part. A building without a number gets the next free one."""
    if isinstance(part, Building) and part.number is None:
        part = replace(part, number=_free_number(field))
    name = LISTS[type(part)]
    parts = (*getattr(field, name), part)
    return WithPart(replace(field, **{name: parts}), PartId(name, len(parts) - 1))


def _free_number(field: Battlefield) -> int | None:
    """The smallest number that no building has; None where all of them are taken."""
    taken = {building.number for building in field.buildings}
    for number in range(1, HIGHEST_NUMBER + 1):
        if number not in taken:
            return number
    return None


def changed(field: Battlefield, part_id: PartId, part: MapPart) -> Battlefield:
    """The map with another part in the place of a feature."""
    parts = list(getattr(field, part_id.listed_in))
    parts[part_id.place] = part
    return replace(field, **{part_id.listed_in: tuple(parts)})


def deleted(field: Battlefield, part_id: PartId) -> Battlefield:
    """The map without a feature. The features behind it in its list move up by one."""
    parts = list(getattr(field, part_id.listed_in))
    del parts[part_id.place]
    return replace(field, **{part_id.listed_in: tuple(parts)})


def copied(field: Battlefield, part_id: PartId, by: Point) -> WithPart:
    """The map with a copy of a feature, so many inches beside it. The copy of a building gets a
    number of its own."""
    part = moved(part_of(field, part_id), shift(by))
    if isinstance(part, Building):
        part = replace(part, number=None)
    return added(field, part)


# ------------------------------------------------------------------ moving, turning, mirroring


def _same_direction(direction: Point) -> Point:
    """For motions that turn nothing."""
    return direction


def _same_angle(angle: float) -> float:
    """For motions that turn nothing."""
    return angle


def shift(by: Point) -> Motion:
    """A shift by so many inches to the right and upward."""
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
        angle=lambda angle: -angle % 360,
        mirrors=True,
    )


def mirror_in_place(part: MapPart) -> Motion:
    """The left of a part becomes its right, where it lies."""
    x, _ = middle(part)
    # A table is mirrored at the middle of its width: that of one twice as wide as ``x`` is ``x``.
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
            changes[name] = _rounded(motion.point(place))
    for name in PATHS:
        path = getattr(part, name, None)
        if path is not None:
            changes[name] = tuple(_rounded(motion.point(point)) for point in path)
    for name in ANGLES:
        angle = getattr(part, name, None)
        if angle is not None:
            changes[name] = round(motion.angle(angle), 1)
    if isinstance(part, Dimension):
        changes["off"] = _rounded(motion.direction(part.off))
    if isinstance(part, Label):
        # Words are read the right way up, however the map is turned.
        changes["turn"] = _legible(changes["turn"])
        # A label may have a second place, for a map that is printed upright.
        if part.upright:
            second = _rounded(motion.point(part.upright.at))
            changes["upright"] = replace(part.upright, at=second)
    if isinstance(part, Line) and motion.mirrors:
        # The sheltered side is on the left of the direction, which a mirror would swap.
        changes["points"] = tuple(reversed(changes["points"]))
        changes["curve"] = _reversed_curve(part.curve, len(part.points))
    return replace(part, **changes)


def _rounded(point: Point) -> Point:
    """The point to a hundredth of an inch: a file needs no more, and the errors of many turns do
    not add up."""
    return round(point[0], 2), round(point[1], 2)


def _legible(degrees: float) -> float:
    """The turn of a text with the same slant that does not stand on its head: from -90 to below 90
    degrees."""
    return (degrees + 90) % 180 - 90


def _reversed_curve(curve: Curve, points: int) -> Curve:
    """The curve of a path whose points were turned round. A curve is true or false for all corners,
    or a pair of numbers if only the corners from one to the other bend: these count from the other
    end then."""
    if isinstance(curve, bool):
        return curve
    first, last = curve
    return points - 1 - last, points - 1 - first


def with_all_moved(field: Battlefield, motion: Motion) -> Battlefield:
    """The whole map moved, turned or mirrored."""
    lists = {}
    for name in LISTS.values():
        lists[name] = tuple(moved(part, motion) for part in getattr(field, name))
    return replace(field, **lists)


def middle(part: MapPart) -> Point:
    """The point about which a part turns: its place, or the middle of the box around it."""
    place = getattr(part, "at", None)
    if place is not None:
        point: Point = place
        return point
    around = plane.box(corners(part))
    return (around.left + around.right) / 2, (around.bottom + around.top) / 2


def turned(part: PartT, degrees: float) -> PartT:
    """A part turned about its own middle."""
    return moved(part, turn_about(middle(part), degrees))


# ------------------------------------------------------------------ corners, bends, sizes


def corners(part: MapPart) -> list[Point]:
    """The points that a part is given by, in the order of its file."""
    points: list[Point] = []
    for name in POINTS_OF_PLACE:
        place = getattr(part, name, None)
        if place is not None:
            points.append(place)
    for name in PATHS:
        points += getattr(part, name, ())
    return points


def with_corner(part: PartT, number: int, point: Point) -> PartT:
    """A part with one of its ``corners`` (from 0) at another point. Raises IndexError."""
    # Counted down through the fields in the order of ``corners``.
    for name in POINTS_OF_PLACE:
        if getattr(part, name, None) is None:
            continue
        if number == 0:
            return replace(part, **{name: point})
        number -= 1
    for name in PATHS:
        path = list(getattr(part, name, ()))
        if number < len(path):
            path[number] = point
            return replace(part, **{name: tuple(path)})
        number -= len(path)
    raise IndexError("a part has no such corner")


def with_further_corner(part: PartT, number: int) -> PartT:
    """A part with a new corner halfway between one of its corners and the next; parts without
    ``points`` stay as they are."""
    path = list(getattr(part, "points", ()))
    if not path:
        return part
    # After the last corner comes the first, as in an outline.
    (x0, y0), (x1, y1) = path[number], path[(number + 1) % len(path)]
    path.insert(number + 1, _rounded(((x0 + x1) / 2, (y0 + y1) / 2)))
    return replace(part, points=tuple(path), **_without_partial_curve(part))


def without_corner(part: PartT, number: int) -> PartT:
    """A part without one of its corners; it stays as it is where it would have too few."""
    path = list(getattr(part, "points", ()))
    fewest = 2
    if isinstance(part, Area | Zone):
        fewest = 3
    if len(path) <= fewest:
        return part
    del path[number]
    return replace(part, points=tuple(path), **_without_partial_curve(part))


def _without_partial_curve(part: MapPart) -> dict[str, bool]:
    """A curve between two numbered corners becomes one of all corners, since the numbers change."""
    if isinstance(getattr(part, "curve", None), tuple):
        return {"curve": True}
    return {}


def bent(part: PartT) -> PartT:
    """A part that bends through its corners, where it was straight; and the other way round."""
    curve = getattr(part, "curve", None)
    if curve is None:
        return part
    return replace(part, curve=not curve)


def resized(part: PartT, by: float) -> PartT:
    """A part that is so many inches larger: a building on each side, a line in width, a circle in
    radius. An outline grows about its middle; what has no size stays as it is."""
    match part:
        case Building():
            length, depth = (max(side + by, SMALLEST_SIZE) for side in part.size)
            return replace(part, size=(length, depth))
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
    x0, y0 = middle(part)
    farthest = max(math.dist((x0, y0), corner) for corner in corners(part))
    factor = max(farthest + by, SMALLEST_SIZE) / max(farthest, SMALLEST_SIZE)

    def outward(point: Point) -> Point:
        return x0 + (point[0] - x0) * factor, y0 + (point[1] - y0) * factor

    growth = Motion(point=outward, direction=_same_direction, angle=_same_angle)
    return moved(part, growth)


# ------------------------------------------------------------------ distances


class Surroundings(NamedTuple):
    """What is near to a point of a map: how many inches away the nearest road and the nearest
    building are, and the nearest other feature that does not lie at the point itself. None where
    there is no such thing."""

    road: float | None
    building: Distance | None
    other: OtherFeature | None


class Distance(NamedTuple):
    """How far away a building is, and its number."""

    inches: float
    number: int | None


class OtherFeature(NamedTuple):
    """How far away a feature is, and which it is."""

    inches: float
    part_id: PartId


def surroundings(field: Battlefield, point: Point) -> Surroundings:
    """What a point of a map is near to."""
    roads = [line for line in field.lines if line.kind in ("road", "track")]
    road = min((distance_to(line, point) for line in roads), default=None)
    buildings = []
    for building in field.buildings:
        buildings.append(Distance(distance_to(building, point), building.number))
    nearest = min(buildings, key=attrgetter("inches"), default=None)
    return Surroundings(road, nearest, _nearest_other(field, point))


def _nearest_other(field: Battlefield, point: Point) -> OtherFeature | None:
    """The nearest area, slope or line other than a road that does not lie at the point."""
    features = []
    for part_id in part_ids(field):
        part = part_of(field, part_id)
        if isinstance(part, Line):
            is_meant = part.kind not in ("road", "track")
        else:
            is_meant = isinstance(part, Area | Slope)
        if is_meant:
            inches = distance_to(part, point)
            if inches > REACH:
                features.append(OtherFeature(inches, part_id))
    return min(features, key=attrgetter("inches"), default=None)


def blocking(field: Battlefield, start: Point, end: Point) -> Iterator[PartId]:
    """What stands on the straight line between two points and may hide one from the other: woods,
    orchards, buildings, hedges, walls, slopes."""
    line_of_sight = plane.stations((start, end), SIGHT_STEP)
    for part_id in part_ids(field):
        part = part_of(field, part_id)
        if not _blocks_sight(part):
            continue
        if any(distance_to(part, station.at) <= SIGHT_WIDTH for station in line_of_sight):
            yield part_id


def _blocks_sight(part: MapPart) -> bool:
    """Whether a part may hide what is behind it; whether it does so in a battle, the players
    judge."""
    match part:
        case Area():
            return part.kind in ("woods", "orchard", "town")
        case Line():
            return part.kind in ("hedge", "wall")
    return isinstance(part, Building | Slope)
