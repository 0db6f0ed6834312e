"""Geometry of the table: curves, outlines, places along them. Points are (x, y) in inches, x to the
right, y upward.

Headings and angles are in radians here; a ``turn``, as files have it, is in degrees. Both are
counterclockwise. Maps and the checks of their distances both use this module.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

Point: TypeAlias = tuple[float, float]
Path: TypeAlias = Sequence[Point]
"""An open line, or an outline whose last point joins its first."""

ROUNDING = 1e-9
"""Inches within which two lengths are one: what sums of floats may be off by."""


class Station(NamedTuple):
    """A place along a path, and the heading of the path there, in radians from the x axis."""

    at: Point
    heading: float


class Rectangle(NamedTuple):
    """A rectangle with upright sides, in inches of the table or, on paper, in points."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def corners(self) -> list[Point]:
        """Its four corners counterclockwise, from the lower left one."""
        return [
            (self.left, self.bottom),
            (self.right, self.bottom),
            (self.right, self.top),
            (self.left, self.top),
        ]

    def overlaps(self, neighbour: Rectangle) -> bool:
        """Whether the two have some area in common: more than an edge."""
        across = self.left < neighbour.right and neighbour.left < self.right
        return across and self.bottom < neighbour.top and neighbour.bottom < self.top

    def grown(self, by: float) -> Rectangle:
        """The rectangle with that much more on each side."""
        return Rectangle(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def within(self, frame: Rectangle) -> bool:
        """Whether all of it lies in a frame."""
        across = frame.left <= self.left and self.right <= frame.right
        return across and frame.bottom <= self.bottom and self.top <= frame.top


def box(path: Path) -> Rectangle:
    """The smallest rectangle that has the path in it."""
    across = [x for x, _ in path]
    upward = [y for _, y in path]
    return Rectangle(min(across), min(upward), max(across), max(upward))


def curved(path: Path, *, closed: bool = False, steps: int = 8) -> list[Point]:
    """A smooth line through all points (Catmull-Rom), each stretch in so many steps."""
    if len(path) < 3:
        return list(path)
    # Each stretch bends by its two ends and the points before and after them. At the ends of an
    # open line such a point is missing, and the end itself takes its place.
    with_neighbours = [path[0], *path, path[-1]]
    if closed:
        with_neighbours = [path[-1], *path, path[0], path[1]]
    line: list[Point] = []
    for index in range(1, len(with_neighbours) - 2):
        stretch = with_neighbours[index - 1 : index + 3]
        for step in range(steps):
            line.append(_between(stretch, step / steps))
    if not closed:
        line.append(path[-1])
    return line


def length(path: Path, *, closed: bool = False) -> float:
    """The length of a path, in inches."""
    # Rounded once, and so alike on every Python: from 3.12 on `sum` adds floats more exactly.
    return math.fsum(math.dist(start, end) for start, end in _legs(path, closed))


def stations(path: Path, apart: float, *, closed: bool = False) -> list[Station]:
    """Places at equal distances of about ``apart`` along a path, both ends included."""
    legs = [(start, end) for start, end in _legs(path, closed) if start != end]
    whole_length = math.fsum(math.dist(start, end) for start, end in legs)
    if not legs:
        return []
    parts = max(1, round(whole_length / apart))
    places: list[Station] = []
    leg = 0
    behind = 0.0  # the length of the legs before this one
    for part in range(parts + 1):
        walked = whole_length * part / parts
        leg_length = math.dist(*legs[leg])
        # A place at a corner belongs to the leg before it, also if rounding puts it a hair behind
        # the corner.
        while leg < len(legs) - 1 and behind + leg_length < walked - ROUNDING:
            behind += leg_length
            leg += 1
            leg_length = math.dist(*legs[leg])
        (x0, y0), (x1, y1) = legs[leg]
        share = min((walked - behind) / leg_length, 1.0)
        point = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
        places.append(Station(point, math.atan2(y1 - y0, x1 - x0)))
    if closed:
        places.pop()  # the end of an outline is its beginning
    return places


def inside(point: Point, outline: Path) -> bool:
    """Whether a point lies in an outline: a line from it to the right then crosses the outline an
    odd number of times."""
    x, y = point
    is_inside = False
    for (x0, y0), (x1, y1) in _legs(outline, closed=True):
        passes_height = (y0 > y) != (y1 > y)
        if not passes_height:
            continue
        crossing = (x1 - x0) * (y - y0) / (y1 - y0) + x0
        if x < crossing:
            is_inside = not is_inside
    return is_inside


def turns_left(outline: Path) -> bool:
    """Whether an outline runs counterclockwise: the area in it, as surveyors sum it up from its
    corners, is positive then."""
    return math.fsum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _legs(outline, closed=True)) > 0


def oblong(centre: Point, across: float, upward: float, turn: float = 0.0) -> list[Point]:
    """The corners of a rectangle that is so wide (``across``) and so high (``upward``), round its
    centre, turned by ``turn`` degrees."""
    angle = math.radians(turn)
    corners = ((-across, -upward), (across, -upward), (across, upward), (-across, upward))
    # Half of its width and height lie on either side of the centre.
    return [turned((centre[0] + x / 2, centre[1] + y / 2), centre, angle) for x, y in corners]


def turned(point: Point, about: Point, angle: float) -> Point:
    """A point turned about another, by radians."""
    x, y = point[0] - about[0], point[1] - about[1]
    cos, sin = math.cos(angle), math.sin(angle)
    return about[0] + x * cos - y * sin, about[1] + x * sin + y * cos


def ring(centre: Point, radius: float, corners: int = 36) -> list[Point]:
    """A circle as an outline of so many corners."""
    x, y = centre
    outline = []
    for corner in range(corners):
        angle = 2 * math.pi * corner / corners
        outline.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return outline


def ahead(point: Point, heading: float, by: float) -> Point:
    """The point so many inches from another, in that heading, which is in radians."""
    return point[0] + by * math.cos(heading), point[1] + by * math.sin(heading)


def beside(path: Path, by: float) -> list[Point]:
    """The line beside an open path: ``by`` inches to the left of its direction, to the right if
    that is negative."""
    line: list[Point] = []
    for index, (x, y) in enumerate(path):
        # Each point moves at a right angle to the line between its two neighbours.
        x0, y0 = path[max(index - 1, 0)]
        x1, y1 = path[min(index + 1, len(path) - 1)]
        # Where these are one point there is no such line, and the point stays.
        apart = math.dist((x0, y0), (x1, y1)) or 1.0
        line.append((x - (y1 - y0) / apart * by, y + (x1 - x0) / apart * by))
    return line


def _legs(path: Path, closed: bool) -> Iterator[tuple[Point, Point]]:
    """The straight pieces of a path, each by its two ends; of a ``closed`` one also the piece from
    the last point to the first."""
    yield from pairwise(path)
    if closed and len(path) > 1:
        yield path[-1], path[0]


def _between(four: Path, share: float) -> Point:
    """The point at that share (0 to 1) of the way from the second of four points to the third, on
    the curve of Catmull and Rom."""

    # The curve's formula, for the x of the four points, and for their y.
    def along(a: float, b: float, c: float, d: float) -> float:
        second = (2 * a - 5 * b + 4 * c - d) * share**2
        third = (-a + 3 * b - 3 * c + d) * share**3
        return (2 * b + (c - a) * share + second + third) / 2

    return along(*(point[0] for point in four)), along(*(point[1] for point in four))
