"""Geometry of the table: curves, outlines, places along them. Points are (x, y), y upward.

Headings are in radians, turns in files in degrees, both counterclockwise. Maps and the checks of
their distances both use this module.
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
    """A place along a path, and the heading there."""

    at: Point
    heading: float


class Rectangle(NamedTuple):
    """An upright rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    def touches(self, other: Rectangle) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.bottom < other.top and other.bottom < self.top

    def grown(self, by: float) -> Rectangle:
        return Rectangle(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def within(self, other: Rectangle) -> bool:
        across = other.left <= self.left and self.right <= other.right
        return across and other.bottom <= self.bottom and self.top <= other.top


def box(path: Path) -> Rectangle:
    across, upward = [x for x, _ in path], [y for _, y in path]
    return Rectangle(min(across), min(upward), max(across), max(upward))


def curved(path: Path, *, closed: bool = False, steps: int = 8) -> list[Point]:
    """A smooth line through all points (Catmull-Rom), each stretch in so many steps."""
    if len(path) < 3:
        return list(path)
    around = [path[-1], *path, path[0], path[1]] if closed else [path[0], *path, path[-1]]
    line = [
        _between(around[index - 1 : index + 3], step / steps)
        for index in range(1, len(around) - 2)
        for step in range(steps)
    ]
    return line if closed else [*line, path[-1]]


def length(path: Path, *, closed: bool = False) -> float:
    # Rounded once, and so alike on every Python: from 3.12 on `sum` adds floats more exactly.
    return math.fsum(math.dist(start, end) for start, end in _legs(path, closed))


def stations(path: Path, apart: float, *, closed: bool = False) -> list[Station]:
    """Places at equal distances of about ``apart`` along a path, both ends included."""
    legs = [(start, end) for start, end in _legs(path, closed) if start != end]
    far = math.fsum(math.dist(start, end) for start, end in legs)
    if not legs:
        return []
    parts = max(1, round(far / apart))
    found: list[Station] = []
    leg, behind = 0, 0.0
    for part in range(parts + 1):
        walked = far * part / parts
        here = math.dist(*legs[leg])
        # A place at a corner belongs to the leg before it, whatever the last bit of a float says.
        while leg < len(legs) - 1 and behind + here < walked - ROUNDING:
            behind += here
            leg += 1
            here = math.dist(*legs[leg])
        (x0, y0), (x1, y1) = legs[leg]
        share = min((walked - behind) / here, 1.0)
        at = (x0 + (x1 - x0) * share, y0 + (y1 - y0) * share)
        found.append(Station(at, math.atan2(y1 - y0, x1 - x0)))
    return found[:-1] if closed else found


def inside(point: Point, outline: Path) -> bool:
    x, y = point
    within = False
    for (x0, y0), (x1, y1) in _legs(outline, True):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            within = not within
    return within


def turns_left(outline: Path) -> bool:
    """Whether an outline runs counterclockwise."""
    return math.fsum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _legs(outline, True)) > 0


def oblong(at: Point, across: float, upward: float, turn: float = 0.0) -> list[Point]:
    angle = math.radians(turn)
    corners = ((-across, -upward), (across, -upward), (across, upward), (-across, upward))
    return [turned((at[0] + x / 2, at[1] + y / 2), at, angle) for x, y in corners]


def turned(point: Point, about: Point, angle: float) -> Point:
    x, y = point[0] - about[0], point[1] - about[1]
    cos, sin = math.cos(angle), math.sin(angle)
    return about[0] + x * cos - y * sin, about[1] + x * sin + y * cos


def ring(at: Point, radius: float, corners: int = 36) -> list[Point]:
    angles = (2 * math.pi * corner / corners for corner in range(corners))
    return [(at[0] + radius * math.cos(a), at[1] + radius * math.sin(a)) for a in angles]


def beside(path: Path, by: float) -> list[Point]:
    """The line at that distance on the left of a path (on the right, if negative)."""
    found: list[Point] = []
    for index, (x, y) in enumerate(path):
        before, after = path[max(index - 1, 0)], path[min(index + 1, len(path) - 1)]
        far = math.dist(before, after) or 1.0
        found.append((x - (after[1] - before[1]) / far * by, y + (after[0] - before[0]) / far * by))
    return found


def _legs(path: Path, closed: bool) -> Iterator[tuple[Point, Point]]:
    yield from pairwise(path)
    if closed and len(path) > 1:
        yield path[-1], path[0]


def _between(four: Path, share: float) -> Point:
    def along(a: float, b: float, c: float, d: float) -> float:
        second = (2 * a - 5 * b + 4 * c - d) * share**2
        third = (-a + 3 * b - 3 * c + d) * share**3
        return (2 * b + (c - a) * share + second + third) / 2

    return along(*(point[0] for point in four)), along(*(point[1] for point in four))
