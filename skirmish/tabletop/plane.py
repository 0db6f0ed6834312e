"""Geometry of the table: curves, outlines, places along them. Points are (x, y) in inches, x to the
right, y upward.

Headings and angles are in radians; a ``turn`` is in degrees, as in the files of scenarios. Both are
counterclockwise. The pictures of a map and the questions of what is near on it share this module.
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
"""Inches by which sums of floats may be off: two lengths this close are equal."""


class Station(NamedTuple):
    """A place along a path: its point (``at``), and the heading of the path there, in radians from
    the x axis."""

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
        is_beside = self.right <= neighbour.left or neighbour.right <= self.left
        is_above_or_below = self.top <= neighbour.bottom or neighbour.top <= self.bottom
        return not is_beside and not is_above_or_below

    def grown(self, by: float) -> Rectangle:
        """The rectangle with that much more on each side."""
        return Rectangle(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def within(self, frame: Rectangle) -> bool:
        """Whether all of it lies in a frame."""
        fits_across = frame.left <= self.left and self.right <= frame.right
        fits_upward = frame.bottom <= self.bottom and self.top <= frame.top
        return fits_across and fits_upward


def box(path: Path) -> Rectangle:
    """The smallest upright rectangle around a path."""
    xs = [x for x, _ in path]
    ys = [y for _, y in path]
    return Rectangle(min(xs), min(ys), max(xs), max(ys))


def average(places: Path) -> Point:
    """The average of some places.

    >>> average([(0, 0), (4, 0), (4, 2), (0, 2)])
    (2.0, 1.0)
    """
    return (
        sum(x for x, _ in places) / len(places),
        sum(y for _, y in places) / len(places),
    )


def curved(path: Path, *, closed: bool = False, steps: int = 8) -> list[Point]:
    """A smooth line through all points of a path (Catmull and Rom's), with so many straight
    ``steps`` from each point to the next. ``closed``: the path is an outline."""
    if len(path) < 3:
        return list(path)
    # How the line bends between two points depends also on the point before them and the one after.
    # At the ends of an open line such a point is missing, and the end itself takes its place.
    with_neighbours = [path[0], *path, path[-1]]
    if closed:
        with_neighbours = [path[-1], *path, path[0], path[1]]
    line: list[Point] = []
    for first in range(len(with_neighbours) - 3):
        four_points = with_neighbours[first : first + 4]
        for step in range(steps):
            line.append(_between(four_points, step / steps))
    if not closed:
        line.append(path[-1])  # an outline ends where it begins, which it has already
    return line


def length(path: Path, *, closed: bool = False) -> float:
    """The length of a path, in inches. ``closed``: it is an outline."""
    # ``sum`` would not do: from Python 3.12 on it adds floats more exactly, and every version shall
    # have the same length.
    return math.fsum(math.dist(start, end) for start, end in _legs(path, closed))


def stations(path: Path, apart: float, *, closed: bool = False) -> list[Station]:
    """Places along a path at equal distances of about ``apart`` inches, both ends included.
    ``closed``: the path is an outline."""
    # A leg from a point to the same point again has no heading.
    legs = [(start, end) for start, end in _legs(path, closed) if start != end]
    if not legs:
        return []
    whole_length = length(path, closed=closed)
    parts = max(1, round(whole_length / apart))
    places: list[Station] = []
    leg = 0  # the index of the leg on which the place is
    length_before = 0.0  # of all legs before that one
    for part in range(parts + 1):
        walked = whole_length * part / parts
        leg_length = math.dist(*legs[leg])
        # A place at a corner belongs to the leg before it, even if rounding puts it a hair beyond
        # the corner.
        while leg < len(legs) - 1 and length_before + leg_length < walked - ROUNDING:
            length_before += leg_length
            leg += 1
            leg_length = math.dist(*legs[leg])
        (x0, y0), (x1, y1) = legs[leg]
        share = min((walked - length_before) / leg_length, 1.0)
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
    """Whether an outline runs counterclockwise."""
    # Surveyors sum up twice the area inside from the corners; it is positive counterclockwise.
    twice_the_area = math.fsum(
        x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _legs(outline, closed=True)
    )
    return twice_the_area > 0


def oblong(centre: Point, across: float, upward: float, turn: float = 0.0) -> list[Point]:
    """The corners of a rectangle that is so wide (``across``) and so high (``upward``), turned
    about its centre by ``turn`` degrees."""
    angle = math.radians(turn)
    x, y = centre
    upright = Rectangle(x - across / 2, y - upward / 2, x + across / 2, y + upward / 2)
    return [turned(corner, centre, angle) for corner in upright.corners]


def turned(point: Point, about: Point, angle: float) -> Point:
    """A point turned about another by an angle in radians."""
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
    """The line beside an open path: ``by`` inches to the left of its direction, or to the right if
    ``by`` is negative."""
    line: list[Point] = []
    for index, (x, y) in enumerate(path):
        # Each point moves at a right angle to the line between its neighbours. An end of the path
        # has only one; it takes the place of the other itself.
        x0, y0 = path[max(index - 1, 0)]
        x1, y1 = path[min(index + 1, len(path) - 1)]
        # If both neighbours are the same point there is no such line, and the point stays where it
        # is: the 1 only avoids a division by 0.
        apart = math.dist((x0, y0), (x1, y1)) or 1.0
        line.append((x - (y1 - y0) / apart * by, y + (x1 - x0) / apart * by))
    return line


def _legs(path: Path, closed: bool) -> Iterator[tuple[Point, Point]]:
    """The straight pieces of a path, each with its two ends; in a ``closed`` path also the piece
    from the last point to the first."""
    yield from pairwise(path)
    if closed and len(path) > 1:
        yield path[-1], path[0]


def _between(four_points: Path, share: float) -> Point:
    """The point at that share (0 to 1) of the way from the second of four points to the third, on
    the curve of Catmull and Rom."""
    xs = [x for x, _ in four_points]
    ys = [y for _, y in four_points]
    return _on_curve(*xs, share=share), _on_curve(*ys, share=share)


def _on_curve(before: float, start: float, end: float, after: float, *, share: float) -> float:
    """A coordinate of a point between ``start`` and ``end`` on the curve of Catmull and Rom, from
    the same coordinate of these and of the points before and after them. This is their formula."""
    square = (2 * before - 5 * start + 4 * end - after) * share**2
    cube = (-before + 3 * start - 3 * end + after) * share**3
    return (2 * start + (end - before) * share + square + cube) / 2
