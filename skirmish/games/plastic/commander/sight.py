"""Who sees whom between cells: the share of clear lines, by woods, buildings and crests.

A man may stand anywhere in his cell: five places in each, so 25 lines. What lies in the two cells
themselves is no obstacle, since he stands at its edge, or looks out of its window.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
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
"""Whether two cells see each other: the players are asked where the map does not tell."""

OFF_MIDDLE = CELL / 3
"""Inches from the middle of a cell to the places round it."""
STEP = 0.5
"""Inches from one place of a line to the next that is looked at, at most."""
BAND = 24.0
"""Inches: lines are looked along together whose lengths lie in one band, such as 24 to 48. So short
ones are not looked at in as many places as the longest of the table."""
AT_THE_CREST = 3.0
"""Inches behind a crest within which one looks down from it, and is seen from below."""


class _Obstacles(NamedTuple):
    """Places on lines that lie in woods or buildings, an entry each: on which ``line`` it lies, and
    in which ``cell``, both by their index."""

    line: NDArray[np.intp]
    cell: NDArray[np.intp]


class Sight:
    """Lines of sight on one table. Each cell is worked out when it is first asked for."""

    def __init__(self, ground: TableGround, shares: SightShares) -> None:
        self._ground = ground
        self._shares = shares
        self._cells = sorted(ground.grid.cells())
        self._index = {cell: index for index, cell in enumerate(self._cells)}
        self._crests = _crests_of(ground.field.slopes)
        self._cut_by_crests = _cells_of_crests(ground)
        self._clear_from: dict[GroundCell, list[float]] = {}

    def in_sight(self, cell: GroundCell, other: GroundCell) -> InSight:
        """Whether two cells see each other (``SightShares``); ``ask`` where that depends on where
        in them men stand."""
        clear = self.clear_share(cell, other)
        if clear >= self._shares.seen_from:
            return "yes"
        if clear <= self._shares.hidden_to:
            return "no"
        return "ask"

    def clear_share(self, cell: GroundCell, other: GroundCell) -> float:
        """The part of the lines between two cells, 0 to 1, that nothing blocks."""
        # A line is the same in both directions: it is looked along from the first cell of the two.
        eye, target = cell, other
        if other < cell:
            eye, target = other, cell
        if eye not in self._clear_from:
            self._clear_from[eye] = self._worked_out(eye)
        return self._clear_from[eye][self._index[target] - self._index[eye]]

    def _worked_out(self, eye: GroundCell) -> list[float]:
        """The share of clear lines from a cell to itself and each cell that comes after it, in the
        order of the cells."""
        targets = self._cells[self._index[eye] :]
        # A table of lines: a row for each place of the eye, a column for each place of each target.
        starts = _places([eye])[:, np.newaxis, :]
        ends = _places(targets)[np.newaxis, :, :]
        blocked = self._by_obstacles(eye, targets) | self._crests.blocked(starts, ends)
        # Whether the line is clear from each place of the eye (axis 0) to each target (axis 1), and
        # in it to each of its places (axis 2).
        is_clear = ~blocked.reshape(PLACES, len(targets), PLACES)
        # For each place of each target, the share of the lines to it that are clear. Who is in a
        # cell that a crest cuts stands at the crest, and so where he sees most: only the lines from
        # that place count, or those to it.
        shares_of_places = is_clear.mean(axis=0)
        if eye in self._cut_by_crests:
            best_place = is_clear.mean(axis=2).argmax(axis=0)
            shares_of_places = is_clear[best_place, np.arange(len(targets))]
        shares = shares_of_places.mean(axis=1)
        for index, target in enumerate(targets):
            if target in self._cut_by_crests:
                shares[index] = shares_of_places[index].max()
        clear: list[float] = shares.tolist()
        return clear

    def _by_obstacles(self, eye: GroundCell, targets: Sequence[GroundCell]) -> Mask:
        """Which lines go through woods or buildings between the eye and each target: a row for each
        place of the eye, a column for each of the targets."""
        if not self._ground.blocks_sight.any():
            return np.zeros((PLACES, len(targets) * PLACES), dtype=np.bool_)
        starts = np.repeat(_places([eye]), len(targets) * PLACES, axis=0)
        ends = np.tile(_places(targets), (PLACES, 1))
        cells = [self._index[target] for target in targets]
        target_of_line = np.tile(np.repeat(cells, PLACES), PLACES)
        blocked: Mask = np.zeros(len(starts), dtype=np.bool_)
        # Long lines have many places to look at, and most lines are short (``BAND``).
        bands = (np.hypot(*(ends - starts).T) / BAND).astype(np.intp)
        for band in range(int(bands.max()) + 1):
            [lines] = np.nonzero(bands == band)
            steps = int((band + 1) * BAND / STEP)
            obstacles = self._in_the_way(starts[lines], ends[lines], steps)
            # Back from the lines of this band to all lines.
            obstructed = lines[obstacles.line]
            in_eye = obstacles.cell == self._index[eye]
            in_target = obstacles.cell == target_of_line[obstructed]
            blocked[obstructed[~in_eye & ~in_target]] = True
        return blocked.reshape(PLACES, -1)

    def _in_the_way(self, starts: Points, ends: Points, steps: int) -> _Obstacles:
        """All places in woods or buildings along these lines. ``steps``: how many places of a line
        are looked at."""
        along = np.linspace(0, 1, steps, dtype=np.float32)
        # In pixels, with half the digits: the tables of columns and rows are most of the work.
        start = (starts / PIXEL).astype(np.float32)
        way = ((ends - starts) / PIXEL).astype(np.float32)
        columns = (start[:, :1] + way[:, :1] * along).astype(np.int32)
        rows = (start[:, 1:] + way[:, 1:] * along).astype(np.int32)
        # Few places lie in woods or houses: only of those it is asked in which cell they are.
        pixels = rows * self._ground.blocks_sight.shape[1] + columns
        line, step = np.nonzero(self._ground.blocks_sight.ravel().take(pixels))
        cells = self._cell_of_pixel.ravel().take(pixels[line, step])
        return _Obstacles(line, cells)

    @cached_property
    def _cell_of_pixel(self) -> NDArray[np.intp]:
        """The index of the cell in which each pixel of the table lies."""
        cells = np.zeros(self._ground.blocks_sight.shape, dtype=np.intp)
        for cell, index in self._index.items():
            bottom, left = cell.row * PIXELS, cell.column * PIXELS
            cells[bottom : bottom + PIXELS, left : left + PIXELS] = index
        return cells


_ROUND_MIDDLE = ((0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
"""Where men may stand in a cell: in its middle, or ``OFF_MIDDLE`` to the left or right of it and
below or above."""
PLACES = len(_ROUND_MIDDLE)
"""How many places that are."""


def _places(cells: Sequence[GroundCell]) -> Points:
    """The places of these cells, one cell after the other."""
    places = []
    for cell in cells:
        x, y = cell.middle
        for right, up in _ROUND_MIDDLE:
            places.append((x + right * OFF_MIDDLE, y + up * OFF_MIDDLE))
    return np.array(places)


# ------------------------------------------------------------------ crests


class _Crests(NamedTuple):
    """The straight pieces of all crests, each with its high ground on the left."""

    starts: Points
    ends: Points

    def blocked(self, eyes: Points, targets: Points) -> Mask:
        """Which lines a crest blocks. A line that only falls from high ground, or only rises to it,
        is clear if whoever is up there stands at the crest. A line from high ground over low ground
        to high ground is clear. A line that goes over a hill is not."""
        shape = np.broadcast_shapes(eyes.shape, targets.shape)[:-1]
        if not len(self.starts):
            return np.zeros(shape, dtype=np.bool_)
        ways = targets - eyes
        inches = np.hypot(ways[..., 0], ways[..., 1])
        pieces = self.ends - self.starts
        with np.errstate(divide="ignore", invalid="ignore"):
            # Where each line meets each piece, as a share of the line and of the piece: 0 is the
            # start of it, 1 its end. A line that runs along a piece (cross product 0) meets none.
            crossing = _cross(ways[..., np.newaxis, :], pieces)
            to_piece = self.starts - eyes[..., np.newaxis, :]
            on_line = _cross(to_piece, pieces) / crossing
            on_piece = _cross(to_piece, ways[..., np.newaxis, :]) / crossing
        meets = (on_line > 0) & (on_line < 1) & (on_piece >= 0) & (on_piece < 1)
        # High ground is on the left of a piece: a line from whose direction the piece turns right
        # goes to its left side, and so rises.
        rises = crossing < 0
        # Where it does not meet a piece, infinity keeps that from being the first or the last.
        meets_first = np.where(meets, on_line, np.inf)
        meets_last = np.where(meets, on_line, -np.inf)
        # A line that goes down at its first crest begins on high ground; a line that goes up at its
        # last crest ends on high ground.
        falls_first = meets.any(axis=-1) & ~_picked(rises, meets_first.argmin(axis=-1))
        rises_last = meets.any(axis=-1) & _picked(rises, meets_last.argmax(axis=-1))
        # These two crests belong to the ground under the eye and under the target. Any other one
        # is that of a hill between them.
        crests_between = meets.sum(axis=-1) - falls_first - rises_last
        # How far behind the crest whoever is up there stands, as a share of the line; 0 where both
        # are up there, or neither.
        behind = np.where(falls_first, meets_first.min(axis=-1), 1 - meets_last.max(axis=-1))
        behind[~(falls_first ^ rises_last)] = 0
        too_far_back = behind * inches > AT_THE_CREST
        blocked: Mask = (crests_between > 0) | too_far_back
        return blocked


def _cross(first: Points, second: Points) -> NDArray[np.float64]:
    """The cross product of directions: above 0 where the second is to the left of the first."""
    product: NDArray[np.float64] = first[..., 0] * second[..., 1] - first[..., 1] * second[..., 0]
    return product


def _picked(mask: Mask, index: NDArray[np.intp]) -> Mask:
    """Of each row of the last axis, the value at its own ``index``."""
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


def _cells_of_crests(ground: TableGround) -> frozenset[GroundCell]:
    """The cells through which a crest goes."""
    cells = set()
    for slope in ground.field.slopes:
        crest, _ = slope.edges
        for station in plane.stations(crest, PIXEL):
            cells.add(ground.grid.at(station.at))
    return frozenset(cells)


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
