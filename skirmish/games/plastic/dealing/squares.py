"""The table in square inches: what covers each, what is still free, how far it is to walk.

A dealt table is laid out as the attacker sees it: ``along`` the attack from his edge, and
``across`` it. ``AttackFrame`` turns such places into those of the map.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from skirmish.games.plastic.scenarios.order_of_battle import Corner, Edge
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Path, Point

Place = tuple[int, int]
"""A square inch by its lower left corner."""

OPPOSITE: dict[Edge, Edge] = {"N": "S", "S": "N", "E": "W", "W": "E"}
_CORNERS: dict[Edge, tuple[Corner, Corner]] = {
    "N": ("NE", "NW"),
    "S": ("SE", "SW"),
    "E": ("NE", "SE"),
    "W": ("NW", "SW"),
}


class AttackFrame(NamedTuple):
    """The table as the attacker sees it who enters over ``edge``; ``width`` and ``depth`` of the
    map are in inches."""

    edge: Edge
    width: int
    depth: int

    @property
    def length(self) -> int:
        """From the attacker's edge to the other, in inches."""
        if self.edge in ("W", "E"):
            return self.width
        return self.depth

    @property
    def breadth(self) -> int:
        """Across the attack, in inches."""
        if self.edge in ("W", "E"):
            return self.depth
        return self.width

    def on_map(self, place: Point) -> Point:
        """The place on the map of one that is so far along the attack, and so far across it."""
        along, across = place
        match self.edge:
            case "W":
                x, y = along, across
            case "E":
                x, y = self.width - along, self.depth - across
            case "S":
                x, y = self.width - across, along
            case "N":
                x, y = across, self.depth - along
        return round(x, 1), round(y, 1)

    @property
    def turn(self) -> int:
        """By how many degrees the map is turned against the attack."""
        return {"W": 0, "S": 90, "E": 180, "N": -90}[self.edge]

    @property
    def corners(self) -> tuple[Corner, Corner]:
        """Those at the attacker's edge."""
        return _CORNERS[self.edge]


class Ground:
    """What covers a square inch: bits of a number, since a table has thousands of them."""

    OPEN = 0
    WATER = 1
    ROAD = 2
    HOUSE = 4
    WOODS = 8
    HILL = 16
    FIELD = 32
    HEDGE = 64
    MARSH = 128
    HOLLOW = 256
    CROSSING = 512
    CLEAR = 1024
    """What is to stay open: round an objective, in front of the edges where forces enter."""


COVER = Ground.HOUSE | Ground.WOODS | Ground.HEDGE | Ground.HOLLOW
"""Where a man is behind something."""
BUILT_OVER = Ground.WATER | Ground.ROAD | Ground.HOUSE | Ground.HILL
NO_MODELS = Ground.WATER | Ground.HOUSE | Ground.WOODS
"""Where no vehicle goes."""
STEP = 2
"""Inches from one place of a way to the next."""


class Squares:
    """What covers each square inch of a table ``length`` by ``breadth``, all open at first."""

    def __init__(self, length: int, breadth: int) -> None:
        self.length = length
        self.breadth = breadth
        self._covers = [Ground.OPEN] * (length * breadth)

    def ground(self, place: Place) -> int:
        """What covers a square inch; nothing beyond the table."""
        along, across = place
        if 0 <= along < self.length and 0 <= across < self.breadth:
            return self._covers[along * self.breadth + across]
        return Ground.OPEN

    def cover(self, places: Iterable[Place], ground: int) -> None:
        """Lay something there, besides what lies there already."""
        for along, across in places:
            self._covers[along * self.breadth + across] |= ground

    def are_free(self, places: Iterable[Place], of: int) -> bool:
        """Whether none of that lies there."""
        return not any(self.ground(place) & of for place in places)

    def share(self, ground: int, start: float = 0.0, end: float = 1.0) -> float:
        """The part of the table, between these shares along the attack, that has any of that."""
        first, last = int(start * self.length), int(end * self.length)
        between = self._covers[first * self.breadth : last * self.breadth]
        covered = sum(1 for cover in between if cover & ground)
        return covered / max(len(between), 1)

    # ------------------------------------------------------------------ shapes

    def within(self, outline: Path) -> set[Place]:
        """The square inches whose middles lie in an outline: row by row, those between one side of
        it and the next."""
        box = plane.box(outline)
        places = set()
        for along in range(max(int(box.left), 0), min(int(box.right) + 1, self.length)):
            sides = sorted(_met_at(along + 0.5, outline))
            for enters, leaves in zip(sides[::2], sides[1::2], strict=False):
                first = max(math.ceil(enters - 0.5), 0)
                last = min(math.floor(leaves - 0.5), self.breadth - 1)
                for across in range(first, last + 1):
                    places.add((along, across))
        return places

    def near(self, path: Path, by: float) -> set[Place]:
        """The square inches within so many inches of a path."""
        disc = _disc(by)
        places = set()
        for station in plane.stations(path, 1.0):
            along, across = int(station.at[0]), int(station.at[1])
            for x, y in disc:
                if 0 <= along + x < self.length and 0 <= across + y < self.breadth:
                    places.add((along + x, across + y))
        return places

    def around(self, outline: Path, by: float) -> set[Place]:
        """The square inches in an outline, or within so many inches of it."""
        return self.within(outline) | self.near([*outline, outline[0]], by)

    def may_be_free(self, outline: Path, of: int) -> bool:
        """Whether none of that lies at the corners of an outline: quick to ask, and mostly the
        answer."""
        return not any(self.ground((int(x), int(y))) & of for x, y in outline)

    # ------------------------------------------------------------------ the way

    def walk(self, starts: Iterable[Place], goal: Point, blocked: int) -> float | None:
        """Inches from the nearest of ``starts`` to the goal, round all that is blocked; None if
        there is no way. A crossing goes over everything."""
        reached: set[Place] = set()
        ahead = []
        for along, across in starts:
            ahead.append((0.0, (along // STEP, across // STEP)))
        heapq.heapify(ahead)
        while ahead:
            walked, place = heapq.heappop(ahead)
            if place in reached:
                continue
            reached.add(place)
            if math.dist((place[0] * STEP, place[1] * STEP), goal) <= 2 * STEP:
                return walked
            for x, y, apart in _WAYS:
                neighbour = (place[0] + x, place[1] + y)
                if neighbour not in reached and self._is_passable(neighbour, blocked):
                    heapq.heappush(ahead, (walked + apart, neighbour))
        return None

    def _is_passable(self, place: Place, blocked: int) -> bool:
        along, across = place[0] * STEP, place[1] * STEP
        if not (0 <= along < self.length and 0 <= across < self.breadth):
            return False
        ground = self._covers[along * self.breadth + across]
        return bool(ground & Ground.CROSSING) or not ground & blocked

    def is_in_sight(self, eye: Point, target: Point) -> bool:
        """Whether neither woods nor houses stand between two places."""
        steps = max(int(math.dist(eye, target)), 1)
        for step in range(1, steps):
            share = step / steps
            along = eye[0] + (target[0] - eye[0]) * share
            across = eye[1] + (target[1] - eye[1]) * share
            if self.ground((int(along), int(across))) & (Ground.WOODS | Ground.HOUSE):
                return False
        return True


_WAYS = tuple((x, y, STEP * math.hypot(x, y)) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
"""The steps from a place to its eight neighbours, and how long each is in inches."""


def _met_at(along: float, outline: Path) -> Iterator[float]:
    """How far across a line over the table meets the sides of an outline."""
    start = outline[-1]
    for end in outline:
        if (start[0] > along) != (end[0] > along):
            share = (along - start[0]) / (end[0] - start[0])
            yield start[1] + (end[1] - start[1]) * share
        start = end


@cache
def _disc(radius: float) -> tuple[Place, ...]:
    """The square inches round one, as differences."""
    reach = math.ceil(radius)
    disc = []
    for x in range(-reach, reach + 1):
        for y in range(-reach, reach + 1):
            if math.hypot(x, y) <= radius:
                disc.append((x, y))
    return tuple(disc)
