"""The numbers of a map's features: on or beside each feature, clear of words and of one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from skirmish.games.plastic.scenarios.laying import Feature
from skirmish.sheets.layout.fonts import LABEL
from skirmish.sheets.maps.pen import PaperPoint, Pen
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Building, Line, Slope
from skirmish.tabletop.plane import Rectangle

DISC_RADIUS = 4.6
"""The radius of a number's disc, in points."""
_NUMBER_SIZE = 6.8
"""The type size of a number."""
_DISC_EDGE = 0.55
"""The weight of the line around a disc."""
_MUCH_AIR, _LITTLE_AIR = 2.0, 1.1
"""Points around a disc that stay free: where there is room, and where there is little."""
_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.14, 0.86, 0.07, 0.93)
"""The shares of the way along a line that are tried: from its middle outward."""
_BROAD_LINE = 6.5
"""Points: a line as broad as that has its number on it, a narrower one beside it."""
_FROM_NARROW_LINE = (DISC_RADIUS + 2.2, -DISC_RADIUS - 2.2, 0.0)
"""Points from a narrow line to the middle of its number: left of it, right of it, on it."""
_TOUCHING = 0.8
"""Points between a feature and the disc that stands beside it."""
_STEP_AROUND = 1.0
"""Inches between the places that are tried around a feature."""
_PLACES_ACROSS = 9
"""Places that are tried along each side of the box around an area."""


class PlacedNumber(NamedTuple):
    """A feature's number and its place on the paper."""

    number: int
    place: PaperPoint


def place_numbers(
    pen: Pen, features: Iterable[Feature], obstacles: Iterable[Rectangle], room: Rectangle
) -> list[PlacedNumber]:
    """The numbers of all features but buildings, which have theirs in their middle. ``obstacles``:
    what they should not cover; ``room``: what they have to be in, both on the paper."""
    all_obstacles = list(obstacles)
    placed = []
    for feature in features:
        # The parts of a feature are all of one kind.
        if isinstance(feature.parts[0], Building):
            continue
        place = _best_place(pen, feature, all_obstacles, room)
        # The next numbers keep away from this one.
        all_obstacles.append(_square_around(place, _LITTLE_AIR))
        placed.append(PlacedNumber(feature.number, place))
    return placed


def _best_place(
    pen: Pen, feature: Feature, obstacles: Sequence[Rectangle], room: Rectangle
) -> PaperPoint:
    """The first place at which a number covers nothing, on the feature or else beside it; if there
    is none, the place at which it covers least."""
    # It is returned if all other places are outside the room.
    best = pen.on_paper(_first_point(feature))
    for air in (_MUCH_AIR, _LITTLE_AIR):
        # With less air a number covers less, so the areas of the two rounds are not compared: the
        # best place of the second round replaces that of the first.
        least = math.inf
        for place in _places_for_number(pen, feature):
            square = _square_around(place, air)
            if not square.within(room):
                continue
            covered = _covered_area(square, obstacles, least)
            if covered == 0:
                return place
            if covered < least:
                best, least = place, covered
    return best


def _places_for_number(pen: Pen, feature: Feature) -> Iterator[PaperPoint]:
    """All places for the number of a feature, the best first."""
    for part in feature.parts:
        yield from _places_on_part(pen, part)
    yield from _places_around(pen, feature)


def _places_around(pen: Pen, feature: Feature) -> Iterator[PaperPoint]:
    """Places where a disc touches a feature from outside: for one that is full of words."""
    for part in feature.parts:
        # From the edge of the feature to the middle of the disc.
        reach = DISC_RADIUS + _TOUCHING
        match part:
            case Area():
                edge = part.outline
            case Slope():
                _, foot = part.edges
                edge = foot
            case Line():
                edge = part.run
                reach += part.inches_wide * pen.scale / 2
            case Building():
                continue  # its number stands in its middle
        for station in plane.stations(edge, _STEP_AROUND):
            # The outside may be at the left or at the right. A place inside is no worse.
            for distance in (reach, -reach):
                yield _place_aside(pen, station, distance)


def _place_aside(pen: Pen, station: plane.Station, distance: float) -> PaperPoint:
    """The place at a ``distance`` in points to the left of a station of a path; a negative distance
    is to its right."""
    x, y = pen.on_paper(station.at)
    return x - math.sin(station.heading) * distance, y + math.cos(station.heading) * distance


def _square_around(place: PaperPoint, air: float) -> Rectangle:
    """The square around a disc at that ``place``, with ``air`` points between them."""
    x, y = place
    reach = DISC_RADIUS + air
    return Rectangle(x - reach, y - reach, x + reach, y + reach)


def _covered_area(square: Rectangle, obstacles: Sequence[Rectangle], enough: float) -> float:
    """How much of the obstacles a square covers, in square points. It stops counting at ``enough``,
    what is covered at the best place so far: this one is no better."""
    covered = 0.0
    for obstacle in obstacles:
        if square.overlaps(obstacle):
            wide = min(square.right, obstacle.right) - max(square.left, obstacle.left)
            tall = min(square.top, obstacle.top) - max(square.bottom, obstacle.bottom)
            covered += wide * tall
            if covered >= enough:
                break
    return covered


def _first_point(feature: Feature) -> plane.Point:
    """Some point of a feature, for want of a better one."""
    part = feature.parts[0]
    if isinstance(part, Slope):
        return part.crest[0]
    if isinstance(part, Building):
        return part.at
    return part.points[0]


def _places_on_part(pen: Pen, part: Area | Slope | Line | Building) -> Iterator[PaperPoint]:
    """The places on a part of a feature (of narrow lines also beside it), the best first; none on a
    building, whose number is not placed here."""
    match part:
        case Area():
            yield from _places_in_area(pen, part)
        case Slope():
            yield from _places_on_slope(pen, part)
        case Line():
            yield from _places_along_line(pen, part)


def _places_in_area(pen: Pen, area: Area) -> Iterator[PaperPoint]:
    """Places of a grid inside an area, from its middle outward."""
    outline = area.outline
    box = plane.box(outline)
    width, height = box.right - box.left, box.top - box.bottom
    middle = box.left + width / 2, box.bottom + height / 2
    # The places with their distances from the middle, in inches of the table.
    by_distance = []
    for column in range(1, _PLACES_ACROSS + 1):
        for row in range(1, _PLACES_ACROSS + 1):
            x = box.left + width * column / (_PLACES_ACROSS + 1)
            y = box.bottom + height * row / (_PLACES_ACROSS + 1)
            by_distance.append((math.dist((x, y), middle), (x, y)))
    for _, point in sorted(by_distance):
        if plane.inside(point, outline):
            yield pen.on_paper(point)


def _places_on_slope(pen: Pen, slope: Slope) -> Iterator[PaperPoint]:
    """Places halfway between the crest and the foot of a slope."""
    crest, foot = slope.edges
    for share in _SHARES:
        crest_x, crest_y = _station_at_share(crest, share).at
        foot_x, foot_y = _station_at_share(foot, share).at
        yield pen.on_paper(((crest_x + foot_x) / 2, (crest_y + foot_y) / 2))


def _places_along_line(pen: Pen, line: Line) -> Iterator[PaperPoint]:
    """Places on a broad line; beside a narrow one, and then on it."""
    distances: Sequence[float] = _FROM_NARROW_LINE
    if line.inches_wide * pen.scale >= _BROAD_LINE:
        distances = (0.0,)
    for share in _SHARES:
        station = _station_at_share(line.run, share)
        for distance in distances:
            yield _place_aside(pen, station, distance)


def _station_at_share(path: plane.Path, share: float) -> plane.Station:
    """The place at that share of the way along a path, and where the path leads there."""
    way_left = plane.length(path) * share
    for (start_x, start_y), (end_x, end_y) in pairwise(path):
        leg = math.dist((start_x, start_y), (end_x, end_y))
        if leg and way_left <= leg:
            across, upward = end_x - start_x, end_y - start_y
            share_of_leg = way_left / leg
            place = start_x + across * share_of_leg, start_y + upward * share_of_leg
            return plane.Station(place, math.atan2(upward, across))
        way_left -= leg
    # Only rounding errors leave some of the way after the last leg.
    return plane.Station(path[-1], 0.0)


def draw_numbers(pen: Pen, placed: Iterable[PlacedNumber]) -> None:
    """Draws white discs with their numbers."""
    for number, place in placed:
        pen.canvas.pen(pen.inks.ink, _DISC_EDGE, pen.inks.paper)
        pen.canvas.circle(*place, DISC_RADIUS, fill=1)
        pen.write(str(number), place, LABEL, _NUMBER_SIZE, pen.inks.ink, halo=False)
