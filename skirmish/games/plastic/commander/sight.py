"""Who sees whom between cells: the share of clear lines, by woods, buildings and crests.

A man may stand anywhere in his cell: five places in each, so 25 lines. What lies in the two cells
themselves is no obstacle, since he stands at its edge, or looks out of its window.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skirmish.games.plastic.commander.cells import CELL, GroundCell
from skirmish.games.plastic.commander.ground import PIXEL, PIXELS, Mask, TableGround
from skirmish.games.plastic.commander.weights import SightShares
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Slope
from skirmish.tabletop.plane import Path, Point

Points: TypeAlias = NDArray[np.float64]
"""Places on the table: the last axis is (x, y)."""
InSight: TypeAlias = Literal["yes", "no", "ask"]

OFF_MIDDLE = CELL / 3
"""Inches from the middle of a cell to the places round it."""
STEP = 1.0
"""Inches from one place of a line to the next that is looked at."""
AT_THE_CREST = 3.0
"""Inches behind a crest within which one looks down from it, and is seen from below."""


class Sight:
    """Lines of sight on one table. Each cell is worked out when it is first asked for."""

    def __init__(self, ground: TableGround, shares: SightShares) -> None:
        self._ground = ground
        self._shares = shares
        self._cells = list(ground.grid.cells())
        self._index = {cell: index for index, cell in enumerate(self._cells)}
        self._crests = _crests_of(ground.field.slopes)
        self._clear_from: dict[GroundCell, NDArray[np.float64]] = {}

    def in_sight(self, cell: GroundCell, other: GroundCell) -> InSight:
        """Whether two cells see each other; ``ask`` where that depends on where men stand."""
        clear = self.clear_share(cell, other)
        if clear >= self._shares.seen_from:
            return "yes"
        if clear <= self._shares.hidden_to:
            return "no"
        return "ask"

    def clear_share(self, cell: GroundCell, other: GroundCell) -> float:
        """The part of the lines between two cells, 0 to 1, that nothing blocks."""
        # The same in both directions, whatever the last bit of a float says.
        eye, target = sorted((cell, other))
        if eye not in self._clear_from:
            self._clear_from[eye] = self._worked_out(eye)
        return float(self._clear_from[eye][self._index[target]])

    def _worked_out(self, eye: GroundCell) -> NDArray[np.float64]:
        """The share of clear lines to each cell of the table."""
        starts = _places([eye])[:, np.newaxis, :]
        ends = _places(self._cells)[np.newaxis, :, :]
        blocked = self._by_obstacles(eye, starts, ends) | self._crests.blocked(starts, ends)
        # Of each cell, all lines from the five places of the eye to its own five.
        by_cell = ~blocked.reshape(len(starts), len(self._cells), -1)
        share: NDArray[np.float64] = by_cell.mean(axis=(0, 2))
        return share

    def _by_obstacles(self, eye: GroundCell, starts: Points, ends: Points) -> Mask:
        """Which lines go through woods or buildings between the two cells."""
        farthest = math.hypot(self._ground.grid.width, self._ground.grid.depth)
        along = np.linspace(0, 1, int(farthest / STEP))
        x = _between(starts[..., 0], ends[..., 0], along)
        y = _between(starts[..., 1], ends[..., 1], along)
        columns, rows = (x / PIXEL).astype(np.intp), (y / PIXEL).astype(np.intp)
        # Few places lie in woods or houses: only of those it is asked in which cell they are.
        start, end, step = np.nonzero(self._ground.blocks_sight[rows, columns])
        hit_columns = columns[start, end, step] // PIXELS
        hit_rows = rows[start, end, step] // PIXELS
        target_columns = np.array([cell.column for cell in self._cells]).repeat(PLACES)[end]
        target_rows = np.array([cell.row for cell in self._cells]).repeat(PLACES)[end]
        in_eye = (hit_columns == eye.column) & (hit_rows == eye.row)
        in_target = (hit_columns == target_columns) & (hit_rows == target_rows)
        between = ~in_eye & ~in_target
        blocked: Mask = np.zeros(columns.shape[:2], dtype=np.bool_)
        blocked[start[between], end[between]] = True
        return blocked


_ROUND_MIDDLE = ((0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
PLACES = len(_ROUND_MIDDLE)
"""Where men may stand in a cell."""


def _places(cells: list[GroundCell]) -> Points:
    """The places of these cells, one cell after the other."""
    places = []
    for cell in cells:
        x, y = cell.middle
        for right, up in _ROUND_MIDDLE:
            places.append((x + right * OFF_MIDDLE, y + up * OFF_MIDDLE))
    return np.array(places)


def _between(
    start: NDArray[np.float64], end: NDArray[np.float64], along: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The places of lines at these shares of their way."""
    return start[..., np.newaxis] + (end - start)[..., np.newaxis] * along


# ------------------------------------------------------------------ crests


class _Crests(NamedTuple):
    """The straight pieces of all crests, each with its high ground on the left."""

    starts: Points
    ends: Points

    def blocked(self, eyes: Points, targets: Points) -> Mask:
        """Which lines a crest blocks. A line that only falls from high ground, or only rises to it,
        is clear if whoever is up there stands at the crest; one from high ground over low ground to
        high ground is clear; one that goes over a hill is not."""
        shape = np.broadcast_shapes(eyes.shape, targets.shape)[:-1]
        if not len(self.starts):
            return np.zeros(shape, dtype=np.bool_)
        ways = targets - eyes
        inches = np.hypot(ways[..., 0], ways[..., 1])
        pieces = self.ends - self.starts
        with np.errstate(divide="ignore", invalid="ignore"):
            # Where each line meets each piece, as a share of the line and of the piece.
            turn = _cross(ways[..., np.newaxis, :], pieces)
            to_piece = self.starts - eyes[..., np.newaxis, :]
            on_line = _cross(to_piece, pieces) / turn
            on_piece = _cross(to_piece, ways[..., np.newaxis, :]) / turn
        meets = (on_line > 0) & (on_line < 1) & (on_piece >= 0) & (on_piece < 1)
        # High ground is on the left of a piece: a line that turns right from it rises.
        rises = turn < 0
        first = np.where(meets, on_line, np.inf)
        last = np.where(meets, on_line, -np.inf)
        falls_first = meets.any(axis=-1) & ~_picked(rises, first.argmin(axis=-1))
        rises_last = meets.any(axis=-1) & _picked(rises, last.argmax(axis=-1))
        between = meets.sum(axis=-1) - falls_first - rises_last
        # How far behind the crest whoever is up there stands, as a share of the line.
        behind = np.where(falls_first, first.min(axis=-1), 1 - last.max(axis=-1))
        behind[~(falls_first ^ rises_last)] = 0
        too_far_back = behind * inches > AT_THE_CREST
        blocked: Mask = (between > 0) | too_far_back
        return blocked


def _cross(first: Points, second: Points) -> NDArray[np.float64]:
    """The cross product of directions: above 0 where the second is to the left of the first."""
    product: NDArray[np.float64] = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _picked(mask: Mask, index: NDArray[np.intp]) -> Mask:
    """The value at one index of the last axis."""
    picked: Mask = np.take_along_axis(mask, index[..., np.newaxis], axis=-1)[..., 0]
    return picked


def _crests_of(slopes: tuple[Slope, ...]) -> _Crests:
    """The pieces of the crests of these slopes, turned so that high ground is on their left."""
    starts: list[Point] = []
    ends: list[Point] = []
    for slope in slopes:
        # Straight from point to point: no table is laid as exactly as the bends between are drawn.
        crest, foot = list(slope.crest), list(slope.foot)
        if slope.ring:
            crest.append(crest[0])
            foot.append(foot[0])
        for start, end in pairwise(crest):
            # The foot is low ground, which each piece has on its right.
            if _is_left(_nearest(start, end, foot), start, end):
                starts.append(end)
                ends.append(start)
            else:
                starts.append(start)
                ends.append(end)
    return _Crests(np.array(starts).reshape(-1, 2), np.array(ends).reshape(-1, 2))


def _nearest(start: Point, end: Point, path: Path) -> Point:
    """The place on a path that is nearest to the middle of a piece."""
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    places = [station.at for station in plane.stations(path, PIXEL)]
    return min(places, key=lambda place: math.dist(place, middle))


def _is_left(point: Point, start: Point, end: Point) -> bool:
    """Whether a point is on the left of the way from a start to an end."""
    ahead = (end[0] - start[0], end[1] - start[1])
    aside = (point[0] - start[0], point[1] - start[1])
    return ahead[0] * aside[1] - ahead[1] * aside[0] > 0
