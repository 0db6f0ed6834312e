"""Where the numbers of a map's features stand: on or beside each feature, clear of words and of one
another."""

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

REACH = 4.6
"""The radius of a number's disc, in points."""
_SIZE = 6.8
"""The type size of a number."""
_AIRS = (2.0, 1.1)
"""Points around a disc that stay free: where there is room, and where there is little."""
_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78, 0.14, 0.86, 0.07, 0.93)
"""The shares of the way along a line that are tried: from its middle outward."""
_CARRIES_NUMBER = 6.5
"""Points: a line as broad as that has its number on it, a narrower one beside it."""
_FROM_NARROW_LINE = (REACH + 2.2, -REACH - 2.2, 0.0)
"""Points from a narrow line to the middle of its number: left of it, right of it, on it."""
_TOUCHING = 0.8
"""Points between a feature and the disc that stands beside it."""
_STEP = 1.0
"""Inches between the places that are tried around a feature."""
_ACROSS = 9
"""Places that are tried along either side of the box around an area."""


class PlacedNumber(NamedTuple):
    """A feature's number and its place on the paper."""

    number: int
    place: PaperPoint


def place_numbers(
    pen: Pen, features: Iterable[Feature], uncovered: Iterable[Rectangle], room: Rectangle
) -> list[PlacedNumber]:
    """The numbers of all features but buildings, which have theirs in their middle. ``uncovered``
    is what they should not cover, ``room`` where they have to stand, both on the paper."""
    obstacles = list(uncovered)
    placed = []
    for feature in features:
        if isinstance(feature.parts[0], Building):
            continue
        place = _best(pen, feature, obstacles, room)
        # The next number keeps off this one, by the little air at least.
        obstacles.append(_around(place, _AIRS[-1]))
        placed.append(PlacedNumber(feature.number, place))
    return placed


def _best(
    pen: Pen, feature: Feature, obstacles: Sequence[Rectangle], room: Rectangle
) -> PaperPoint:
    """The first place that covers nothing, on the feature or else beside it; else the one that
    covers least."""
    # Stands if every other place lies outside the room.
    best = pen.on_paper(_first_point(feature))
    for air in _AIRS:
        # With less air a disc covers less, so the areas of both rounds are not compared.
        least = math.inf
        for place in _on_or_beside(pen, feature):
            disc = _around(place, air)
            if not disc.within(room):
                continue
            covered = _covered(disc, obstacles, least)
            if covered == 0:
                return place
            if covered < least:
                best, least = place, covered
    return best


def _on_or_beside(pen: Pen, feature: Feature) -> Iterator[PaperPoint]:
    """All places for the number of a feature, the best first."""
    for part in feature.parts:
        yield from _places(pen, part)
    yield from _beside(pen, feature)


def _beside(pen: Pen, feature: Feature) -> Iterator[PaperPoint]:
    """Places that touch a feature from outside: for one that is full of words."""
    for part in feature.parts:
        reach = REACH + _TOUCHING
        match part:
            case Area():
                edge = part.outline
            case Slope():
                _, edge = part.edges
            case Line():
                edge = part.run
                reach += part.inches_wide * pen.scale / 2
            case Building():
                continue
        for station in plane.stations(edge, _STEP):
            # Which side is outside is not known; a place inside is no worse.
            for distance in (reach, -reach):
                yield _aside(pen, station, distance)


def _aside(pen: Pen, station: plane.Station, distance: float) -> PaperPoint:
    """The place so many points to the left of a station of a path, to its right if below 0."""
    x, y = pen.on_paper(station.at)
    return x - math.sin(station.heading) * distance, y + math.cos(station.heading) * distance


def _around(place: PaperPoint, air: float) -> Rectangle:
    """The square around a disc at that ``place``, with so much air."""
    x, y = place
    reach = REACH + air
    return Rectangle(x - reach, y - reach, x + reach, y + reach)


def _covered(disc: Rectangle, obstacles: Sequence[Rectangle], enough: float) -> float:
    """How much of the obstacles a disc covers, in square points. From ``enough`` on the rest is not
    counted: the place is no better than the best so far."""
    covered = 0.0
    for obstacle in obstacles:
        if disc.overlaps(obstacle):
            wide = min(disc.right, obstacle.right) - max(disc.left, obstacle.left)
            tall = min(disc.top, obstacle.top) - max(disc.bottom, obstacle.bottom)
            covered += wide * tall
            if covered >= enough:
                break
    return covered


def _first_point(feature: Feature) -> plane.Point:
    """Where a feature begins: any place to compare the others with."""
    part = feature.parts[0]
    if isinstance(part, Slope):
        return part.crest[0]
    if isinstance(part, Building):
        return part.at
    return part.points[0]


def _places(pen: Pen, part: Area | Slope | Line | Building) -> Iterator[PaperPoint]:
    """Where the number of a part may stand, the best places first."""
    match part:
        case Area():
            yield from _within(pen, part)
        case Slope():
            yield from _between(pen, part)
        case Line():
            yield from _along(pen, part)


def _within(pen: Pen, area: Area) -> Iterator[PaperPoint]:
    """Inside an area, from its middle outward."""
    outline = area.outline
    around = plane.box(outline)
    wide, tall = around.right - around.left, around.top - around.bottom
    middle = around.left + wide / 2, around.bottom + tall / 2
    by_distance = []
    for column in range(1, _ACROSS + 1):
        for row in range(1, _ACROSS + 1):
            x = around.left + wide * column / (_ACROSS + 1)
            y = around.bottom + tall * row / (_ACROSS + 1)
            by_distance.append((math.dist((x, y), middle), (x, y)))
    for _, point in sorted(by_distance):
        if plane.inside(point, outline):
            yield pen.on_paper(point)


def _between(pen: Pen, slope: Slope) -> Iterator[PaperPoint]:
    """Places between the crest and the foot of a slope."""
    crest, foot = slope.edges
    for share in _SHARES:
        (x0, y0), (x1, y1) = _at_share(crest, share).at, _at_share(foot, share).at
        yield pen.on_paper(((x0 + x1) / 2, (y0 + y1) / 2))


def _along(pen: Pen, line: Line) -> Iterator[PaperPoint]:
    """On a broad line, beside a narrow one."""
    distances: Sequence[float] = _FROM_NARROW_LINE
    if line.inches_wide * pen.scale >= _CARRIES_NUMBER:
        distances = (0.0,)
    for share in _SHARES:
        station = _at_share(line.run, share)
        for distance in distances:
            yield _aside(pen, station, distance)


def _at_share(path: plane.Path, share: float) -> plane.Station:
    """The place at that share of the way along a path."""
    to_go = plane.length(path) * share
    for start, end in pairwise(path):
        leg = math.dist(start, end)
        if leg and to_go <= leg:
            across, upward = end[0] - start[0], end[1] - start[1]
            share_of_leg = to_go / leg
            place = start[0] + across * share_of_leg, start[1] + upward * share_of_leg
            return plane.Station(place, math.atan2(upward, across))
        to_go -= leg
    # Only by rounding is it not reached on any leg.
    return plane.Station(path[-1], 0.0)


def draw_numbers(pen: Pen, placed: Iterable[PlacedNumber]) -> None:
    """White discs with their numbers."""
    for number, place in placed:
        pen.canvas.pen(pen.inks.ink, 0.55, pen.inks.paper)
        pen.canvas.circle(*place, REACH, fill=1)
        pen.write(str(number), place, LABEL, _SIZE, pen.inks.ink, halo=False)
