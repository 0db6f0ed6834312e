"""The table in square inches: what lies on each, what is still free, how far it is to walk.

A dealt table is laid out as the attacker sees it: a place is so many inches ``along`` the attack,
from his edge, and so many ``across`` it, from his right. ``AttackFrame`` turns such places into
those of the map.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.scenarios.scenario_part import Corner, Edge
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Path, Point

Square: TypeAlias = tuple[int, int]
"""A square inch, by how far along the attack and across it its lower corner is."""

OPPOSITE: dict[Edge, Edge] = {"N": "S", "S": "N", "E": "W", "W": "E"}
_CORNERS: dict[Edge, tuple[Corner, Corner]] = {
    "N": ("NE", "NW"),
    "S": ("SE", "SW"),
    "E": ("NE", "SE"),
    "W": ("NW", "SW"),
}


class AttackFrame(NamedTuple):
    """The table as an attacker sees it who enters over ``edge``."""

    edge: Edge
    width: int
    """The width of the map, in inches."""
    depth: int
    """The depth of the map, in inches."""

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
        """A place along and across the attack as a place of the map, to a tenth of an inch."""
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
        """The degrees, counterclockwise, by which directions along the attack turn on the map."""
        return {"W": 0, "S": 90, "E": 180, "N": -90}[self.edge]

    @property
    def corners(self) -> tuple[Corner, Corner]:
        """The corners of the table at the attacker's edge."""
        return _CORNERS[self.edge]


class Surface:
    """What lies on a square inch, each thing as a bit of a number: several may lie there, such as a
    road and its crossing, and numbers are fast for the thousands of squares of a table. A parameter
    ``surfaces`` has the bits of several."""

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
    KEPT_OPEN = 1024
    """What is to stay open: a beach, and round parked aircraft."""


COVER = Surface.HOUSE | Surface.WOODS | Surface.HEDGE | Surface.HOLLOW
"""What gives men cover."""
BUILT_OVER = Surface.WATER | Surface.ROAD | Surface.HOUSE | Surface.HILL
"""Where no house, hill or hedge is laid."""
NO_PATCH = BUILT_OVER | (
    Surface.WOODS
    | Surface.FIELD
    | Surface.MARSH
    | Surface.HOLLOW
    | Surface.KEPT_OPEN
    | Surface.CROSSING
    | Surface.HEDGE
)
"""Where no field, wood or other patch of ground is laid."""
BLOCKS_MODELS = Surface.WATER | Surface.HOUSE | Surface.WOODS
"""Where no model goes: no vehicle and no gun."""
BLOCKS_SIGHT = Surface.WOODS | Surface.HOUSE
"""What nobody sees through."""
STEP = 2
"""Inches from one place of a way to the next. On every second square a way is found four times as
fast as on each, and nearly as short."""
WayPlace: TypeAlias = tuple[int, int]
"""A place of a way, counted along and across in steps of ``STEP`` inches."""
AT_THE_GOAL = 2 * STEP
"""Inches from the goal at which a way has reached it: a goal may lie in a house."""


class Squares:
    """What lies on each square inch of a table ``length`` by ``breadth``, all open at first."""

    def __init__(self, length: int, breadth: int) -> None:
        self.length = length
        self.breadth = breadth
        self._surfaces = [Surface.OPEN] * (length * breadth)

    def surface_at(self, square: Square) -> int:
        """What lies on a square inch; nothing beyond the table."""
        along, across = square
        if 0 <= along < self.length and 0 <= across < self.breadth:
            return self._surfaces[along * self.breadth + across]
        return Surface.OPEN

    def lay(self, squares: Iterable[Square], surface: int) -> None:
        """Lay a surface on these squares, all of them of the table, besides what lies there
        already."""
        for along, across in squares:
            self._surfaces[along * self.breadth + across] |= surface

    def are_free_of(self, surfaces: int, squares: Iterable[Square]) -> bool:
        """Whether none of these surfaces lies on any of the squares."""
        return not any(self.surface_at(square) & surfaces for square in squares)

    def share(self, surfaces: int, start: float = 0.0, end: float = 1.0) -> float:
        """The part of the table on which any of these surfaces lies. Only what lies between
        ``start`` and ``end`` counts: shares of the way along the attack, from 0 to 1."""
        first, last = int(start * self.length), int(end * self.length)
        between = self._surfaces[first * self.breadth : last * self.breadth]
        if not between:
            return 0.0
        covered = sum(1 for surface in between if surface & surfaces)
        return covered / len(between)

    # ------------------------------------------------------------------ shapes

    def in_outline(self, outline: Path) -> set[Square]:
        """The square inches whose middles lie in an outline."""
        box = plane.box(outline)
        squares = set()
        for along in range(max(int(box.left), 0), min(int(box.right) + 1, self.length)):
            # A line across the table enters the outline at one side and leaves it at the next: it
            # always meets an even number of them.
            sides = sorted(_sides_met(along + 0.5, outline))
            for enters, leaves in zip(sides[::2], sides[1::2], strict=True):
                # The middle of a square is half an inch beyond its lower corner.
                first = max(math.ceil(enters - 0.5), 0)
                last = min(math.floor(leaves - 0.5), self.breadth - 1)
                for across in range(first, last + 1):
                    squares.add((along, across))
        return squares

    def along_path(self, path: Path, reach: float) -> set[Square]:
        """The square inches within so many inches of a path."""
        # A disc is moved along the path, from inch to inch.
        offsets = _disc(reach)
        squares = set()
        for station in plane.stations(path, 1.0):
            middle_along, middle_across = int(station.at[0]), int(station.at[1])
            for off_along, off_across in offsets:
                along, across = middle_along + off_along, middle_across + off_across
                if 0 <= along < self.length and 0 <= across < self.breadth:
                    squares.add((along, across))
        return squares

    def around_outline(self, outline: Path, reach: float) -> set[Square]:
        """The square inches in an outline, or within so many inches of it."""
        closed_path = [*outline, outline[0]]
        return self.in_outline(outline) | self.along_path(closed_path, reach)

    def corners_are_free_of(self, surfaces: int, outline: Path) -> bool:
        """Whether none of these surfaces lies at the corners of an outline. This is quick, and most
        places fail it already: it is asked before all squares of the outline are looked at."""
        corners = ((int(along), int(across)) for along, across in outline)
        return self.are_free_of(surfaces, corners)

    def in_disc(self, middle: Point, radius: float) -> set[Square]:
        """The square inches within so many inches of a place."""
        along, across = middle
        # A path of a single place has no stations; one of a tenth of an inch is as good.
        return self.along_path([(along, across), (along + 0.1, across)], radius)

    def are_inside(self, places: Iterable[Point], margin: float) -> bool:
        """Whether all of these places lie on the table, so many inches from its edges at least."""
        return all(self._is_inside(place, margin) for place in places)

    def _is_inside(self, place: Point, margin: float) -> bool:
        along, across = place
        is_inside_along = margin <= along <= self.length - margin
        return is_inside_along and margin <= across <= self.breadth - margin

    # ------------------------------------------------------------------ the way

    def walk(self, starts: Iterable[Square], goal: Point, blocked: int) -> float | None:
        """Inches from the nearest of ``starts`` to the goal, round all surfaces that are
        ``blocked``; None if there is no way. A crossing goes over everything."""
        # It always goes on from the place with the shortest way so far (Dijkstra's algorithm).
        reached: set[WayPlace] = set()
        # For each way that may go on: its inches so far, and the place that it has come to.
        ahead: list[tuple[float, WayPlace]] = []
        for along, across in starts:
            ahead.append((0.0, (along // STEP, across // STEP)))
        heapq.heapify(ahead)
        while ahead:
            walked, place = heapq.heappop(ahead)
            if place in reached:
                continue
            reached.add(place)
            if math.dist((place[0] * STEP, place[1] * STEP), goal) <= AT_THE_GOAL:
                return walked
            for pace in _PACES:
                neighbour = (place[0] + pace.along, place[1] + pace.across)
                if neighbour not in reached and self._is_passable(neighbour, blocked):
                    heapq.heappush(ahead, (walked + pace.inches, neighbour))
        return None

    def _is_passable(self, place: WayPlace, blocked: int) -> bool:
        """Whether a way may lead over a place of the table."""
        along, across = place[0] * STEP, place[1] * STEP
        if not (0 <= along < self.length and 0 <= across < self.breadth):
            return False
        surface = self._surfaces[along * self.breadth + across]
        has_crossing = bool(surface & Surface.CROSSING)
        is_blocked = bool(surface & blocked)
        return has_crossing or not is_blocked

    def is_in_sight(self, eye: Point, target: Point) -> bool:
        """Whether neither woods nor houses stand between two places; what the places themselves
        are in does not count."""
        steps = max(int(math.dist(eye, target)), 1)
        for step in range(1, steps):
            share = step / steps
            along = eye[0] + (target[0] - eye[0]) * share
            across = eye[1] + (target[1] - eye[1]) * share
            if self.surface_at((int(along), int(across))) & BLOCKS_SIGHT:
                return False
        return True


class _Pace(NamedTuple):
    """From a place of a way to a neighbour: how many steps along and across, and its length."""

    along: int
    across: int
    inches: float


def _paces() -> Iterator[_Pace]:
    """The paces to the eight neighbours of a place."""
    for along in (-1, 0, 1):
        for across in (-1, 0, 1):
            if along or across:
                yield _Pace(along, across, STEP * math.hypot(along, across))


_PACES = tuple(_paces())


def _sides_met(along: float, outline: Path) -> Iterator[float]:
    """Where the line at ``along``, which runs across the table, meets the sides of an outline: the
    coordinates across. Sides that it does not meet are left out."""
    start = outline[-1]
    for end in outline:
        # One end of the side is beyond the line, and the other one is not.
        if (start[0] > along) != (end[0] > along):
            share = (along - start[0]) / (end[0] - start[0])
            yield start[1] + (end[1] - start[1]) * share
        start = end


@cache
def _disc(radius: float) -> tuple[Square, ...]:
    """The squares of a disc as offsets from its middle."""
    reach = math.ceil(radius)
    offsets = []
    for along in range(-reach, reach + 1):
        for across in range(-reach, reach + 1):
            if math.hypot(along, across) <= radius:
                offsets.append((along, across))
    return tuple(offsets)
