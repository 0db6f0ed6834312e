"""The features of a battlefield's map: which there are, what lies at a point or near it, and what
blocks a line of sight.

A feature (a wood, a road, a label) is a part in one of the lists of a ``Battlefield``; its
``PartId`` names the list and the place in it. Begin with ``part_ids_near`` and ``surroundings``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Label,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Path, Point

LIST_NAMES: dict[type[MapPart], str] = {
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
"""The field of a battlefield that lists the parts of each kind, those that lie on top first: at a
point the building is meant before the wood in which it stands."""
ROADS = ("road", "track")
"""The kinds of lines that count as roads."""
REACH = 1.5
"""Inches within which a feature counts as lying at a point."""
SIGHT_STEP, SIGHT_WIDTH = 0.5, 0.25
"""A line of sight is examined at points that are ``SIGHT_STEP`` inches apart; a feature within
``SIGHT_WIDTH`` inches of such a point blocks it. That is half a step each way, so that not even a
hedge slips through."""


class PartId(NamedTuple):
    """A feature of a map: the list of the battlefield that it is ``listed_in`` (``areas``), and its
    ``place`` in that list, from 0."""

    listed_in: str
    place: int


def part_ids(field: Battlefield) -> list[PartId]:
    """All features of a map, list by list, those on top first."""
    ids = []
    for list_name in LIST_NAMES.values():
        for place in range(len(getattr(field, list_name))):
            ids.append(PartId(list_name, place))
    return ids


def part_of(field: Battlefield, part_id: PartId) -> MapPart:
    """The part that a feature is. Raises IndexError if there is none."""
    part: MapPart = getattr(field, part_id.listed_in)[part_id.place]
    return part


def part_ids_near(field: Battlefield, point: Point, reach: float = REACH) -> list[PartId]:
    """The features within ``reach`` inches of a point, those on top first."""
    near = []
    for part_id in part_ids(field):
        if distance_to(part_of(field, part_id), point) <= reach:
            near.append(part_id)
    return near


def distance_to(part: MapPart, point: Point) -> float:
    """Inches from a point to the nearest edge of a part; 0 inside its outline."""
    match part:
        case Area() | Building():
            return _distance_to_outline(point, part.outline)
        case Zone():
            return _distance_to_outline(point, part.points)
        case Slope():
            crest, foot = part.edges
            # The foot of a hill goes all round it. Any other slope lies between its crest and its
            # foot.
            outline = [*crest, *reversed(foot)]
            if part.ring:
                outline = foot
            return _distance_to_outline(point, outline)
        case Line():
            # The edge of a line is half its width beside its path.
            return max(_distance_to_path(point, part.run) - part.inches_wide / 2, 0.0)
        case Arrow():
            return _distance_to_path(point, part.run)
        case Dimension():
            return _distance_to_path(point, (part.start, part.end))
        case Circle():
            # Only the rim of a circle is drawn: inside it, other features are meant.
            return abs(math.dist(point, part.at) - part.radius)
        case MapMark() | Label():
            return math.dist(point, part.at)
    raise TypeError(f"unknown part of a map: {type(part).__name__}")


def _distance_to_outline(point: Point, outline: Path) -> float:
    """Inches from a point to an outline, whose last point joins its first; 0 inside."""
    if plane.inside(point, outline):
        return 0.0
    return _distance_to_path(point, [*outline, outline[0]])


def _distance_to_path(point: Point, path: Path) -> float:
    """Inches from a point to the nearest piece of a path."""
    return min(_distance_to_leg(point, start, end) for start, end in pairwise(path))


def _distance_to_leg(point: Point, start: Point, end: Point) -> float:
    """Inches from a point to a straight piece of a path."""
    along = (end[0] - start[0], end[1] - start[1])
    squared_length = along[0] ** 2 + along[1] ** 2
    if not squared_length:  # its start is its end
        return math.dist(point, start)
    # The foot of the perpendicular from the point: at 0 it is the start of the leg, at 1 its end.
    to_point = (point[0] - start[0], point[1] - start[1])
    share = (to_point[0] * along[0] + to_point[1] * along[1]) / squared_length
    # Beyond an end the nearest point is that end.
    share = min(max(share, 0.0), 1.0)
    nearest = (start[0] + along[0] * share, start[1] + along[1] * share)
    return math.dist(point, nearest)


# ------------------------------------------------------------------ what is near, and in the way


class Surroundings(NamedTuple):
    """What is near a point of a map: how many inches away the nearest ``road`` is, the nearest
    ``building``, and the nearest ``other`` feature (an area, a slope or a line that is no road)
    that does not lie at the point itself. None where there is none."""

    road: float | None
    building: BuildingNearby | None
    other: OtherFeature | None


class BuildingNearby(NamedTuple):
    """How far away a building is, and its number."""

    inches: float
    number: int | None


class OtherFeature(NamedTuple):
    """How far away a feature is, and which it is."""

    inches: float
    part_id: PartId


def surroundings(field: Battlefield, point: Point) -> Surroundings:
    """What is near a point of a map."""
    roads = [line for line in field.lines if line.kind in ROADS]
    road = min((distance_to(line, point) for line in roads), default=None)
    buildings = []
    for building in field.buildings:
        buildings.append(BuildingNearby(distance_to(building, point), building.number))
    nearest = min(buildings, key=attrgetter("inches"), default=None)
    return Surroundings(road, nearest, _nearest_other(field, point))


def _nearest_other(field: Battlefield, point: Point) -> OtherFeature | None:
    """The nearest area, slope or line other than a road that does not lie at the point."""
    features = []
    for part_id in part_ids(field):
        part = part_of(field, part_id)
        if isinstance(part, Line):
            is_meant = part.kind not in ROADS
        else:
            is_meant = isinstance(part, Area | Slope)
        if is_meant:
            inches = distance_to(part, point)
            if inches > REACH:
                features.append(OtherFeature(inches, part_id))
    return min(features, key=attrgetter("inches"), default=None)


def blocking(field: Battlefield, start: Point, end: Point) -> Iterator[PartId]:
    """What stands on the straight line between two points and may hide one from the other: woods,
    orchards, towns, buildings, hedges, walls, slopes."""
    line_of_sight = plane.stations((start, end), SIGHT_STEP)
    for part_id in part_ids(field):
        part = part_of(field, part_id)
        if not _blocks_sight(part):
            continue
        if any(distance_to(part, station.at) <= SIGHT_WIDTH for station in line_of_sight):
            yield part_id


def _blocks_sight(part: MapPart) -> bool:
    """Whether a part may hide what is behind it. The players judge whether it does in a battle."""
    match part:
        case Area():
            return part.kind in ("woods", "orchard", "town")
        case Line():
            return part.kind in ("hedge", "wall")
    return isinstance(part, Building | Slope)
