"""Which lines of sight are blocked by the crests of hills and bluffs.

A line that only falls from high ground, or only rises to it, is clear if whoever is up there stands
at the crest. A line from high ground over low ground to high ground is clear. A line that goes over
a hill is not.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.ground import PIXEL, TableGround
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Slope
from skirmish.tabletop.plane import Path, Point

Points: TypeAlias = NDArray[np.float64]
"""Places on the table, or ways between them: the last axis is (x, y), in inches."""
LineMask: TypeAlias = NDArray[np.bool_]
"""Something that is true or false of each line."""

AT_THE_CREST = 3.0
"""Inches behind a crest within which one looks down from it, and is seen from below. Our choice."""


class Crests(NamedTuple):
    """The crests of a table, cut into straight pieces. High ground is on the left of each piece, as
    seen from its start."""

    starts: Points
    ends: Points

    def blocked(self, eyes: Points, targets: Points) -> LineMask:
        """Which of the lines from ``eyes`` to ``targets`` a crest blocks."""
        ways = targets - eyes
        if not len(self.starts):
            return np.zeros(ways.shape[:-1], dtype=np.bool_)
        crossings = self._crossings(eyes, ways)
        from_high_ground = crossings.from_high_ground()
        to_high_ground = crossings.to_high_ground()
        # These two crests belong to the ground under the eye and under the target. Any other one is
        # that of a hill between them.
        crests_between = crossings.meets.sum(axis=-1) - from_high_ground - to_high_ground
        # How far behind the crest whoever is up there stands, as a share of the line.
        behind = np.where(
            from_high_ground, crossings.before_first_crest(), crossings.after_last_crest()
        )
        # If both ends are up there, or neither is, nobody looks up or down a slope.
        behind[from_high_ground == to_high_ground] = 0
        inches = np.hypot(ways[..., 0], ways[..., 1])
        too_far_back = behind * inches > AT_THE_CREST
        blocked: LineMask = (crests_between > 0) | too_far_back
        return blocked

    def _crossings(self, eyes: Points, ways: Points) -> _Crossings:
        """Where the lines from ``eyes`` along ``ways`` cross the pieces of crests."""
        # Each line is set against each piece: in the results the last axis is that of the pieces.
        way = ways[..., np.newaxis, :]
        piece = self.ends - self.starts
        to_piece = self.starts - eyes[..., np.newaxis, :]
        cross = _cross(way, piece)
        # Places are shares of the line and of the piece: 0 is its start, 1 its end. A line parallel
        # to a piece (``cross`` 0) gives infinity or no number, and so does not meet it.
        with np.errstate(divide="ignore", invalid="ignore"):
            on_line = _cross(to_piece, piece) / cross
            on_piece = _cross(to_piece, way) / cross
        meets = (on_line > 0) & (on_line < 1) & (on_piece >= 0) & (on_piece < 1)
        # Where ``cross`` is below 0, the piece runs to the right of the line. The line then comes
        # from the right of the piece and goes up to its left, which is the high ground.
        return _Crossings(meets, on_line, rises=cross < 0)


class _Crossings(NamedTuple):
    """For each line, and on the last axis for each piece of a crest: whether the line ``meets`` the
    piece, where ``on_line`` (0 is its start, 1 its end), and whether it ``rises`` there."""

    meets: LineMask
    on_line: NDArray[np.float64]
    rises: LineMask

    def from_high_ground(self) -> LineMask:
        """Which lines begin on high ground: those that go down at their first crest."""
        rises_first = _picked(self.rises, self._on_line_or(np.inf).argmin(axis=-1))
        begins_high: LineMask = self.meets.any(axis=-1) & ~rises_first
        return begins_high

    def to_high_ground(self) -> LineMask:
        """Which lines end on high ground: those that go up at their last crest."""
        rises_last = _picked(self.rises, self._on_line_or(-np.inf).argmax(axis=-1))
        ends_high: LineMask = self.meets.any(axis=-1) & rises_last
        return ends_high

    def before_first_crest(self) -> NDArray[np.float64]:
        """The part of each line that lies before its first crest; infinite without any."""
        part: NDArray[np.float64] = self._on_line_or(np.inf).min(axis=-1)
        return part

    def after_last_crest(self) -> NDArray[np.float64]:
        """The part of each line that lies after its last crest; infinite without any."""
        part: NDArray[np.float64] = 1 - self._on_line_or(-np.inf).max(axis=-1)
        return part

    def _on_line_or(self, nowhere: float) -> NDArray[np.float64]:
        """Where each line meets each piece; ``nowhere`` if it does not, which is infinite so that
        it is never the first of a line, or never the last."""
        return np.where(self.meets, self.on_line, nowhere)


def _cross(first: Points, second: Points) -> NDArray[np.float64]:
    """The cross product of directions: above 0 where the second is to the left of the first."""
    product: NDArray[np.float64] = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _picked(mask: LineMask, index: NDArray[np.intp]) -> LineMask:
    """Of each row of the last axis, the value at its own ``index``."""
    picked: LineMask = np.take_along_axis(mask, index[..., np.newaxis], axis=-1)[..., 0]
    return picked


# ------------------------------------------------------------------ where the crests are


def crests_of(slopes: tuple[Slope, ...]) -> Crests:
    """The crests of these slopes."""
    starts: list[Point] = []
    ends: list[Point] = []
    for slope in slopes:
        # Straight from point to point, while ``cells_with_crest`` follows the bends that the map
        # draws. With bends there would be many more pieces, and each takes time for every line. No
        # table is laid so exactly anyway.
        crest, foot = list(slope.crest), list(slope.foot)
        if slope.ring:
            crest.append(crest[0])
            foot.append(foot[0])
        for point, next_point in pairwise(crest):
            start, end = point, next_point
            # The foot is on low ground, which must be on the right of the piece.
            if _is_left(_nearest_to_middle(start, end, foot), start, end):
                start, end = next_point, point
            starts.append(start)
            ends.append(end)
    # The shape is given for a table without slopes.
    return Crests(np.array(starts).reshape(-1, 2), np.array(ends).reshape(-1, 2))


def cells_with_crest(ground: TableGround) -> frozenset[GroundCell]:
    """The cells through which a crest goes."""
    cells = set()
    for slope in ground.field.slopes:
        crest, _foot = slope.edges  # along the bends that the map draws
        for station in plane.stations(crest, PIXEL):
            cells.add(ground.grid.at(station.at))
    return frozenset(cells)


def _nearest_to_middle(start: Point, end: Point, path: Path) -> Point:
    """The place on a path that is nearest to the middle of a piece."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    places = [station.at for station in plane.stations(path, PIXEL)]
    return min(places, key=lambda place: math.dist(place, middle))


def _is_left(point: Point, start: Point, end: Point) -> bool:
    """Whether a point is on the left of the way from a start to an end."""
    return bool(_cross(np.subtract(end, start), np.subtract(point, start)) > 0)
