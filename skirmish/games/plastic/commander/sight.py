"""Who sees whom between cells: the share of the lines between them that is clear.

Woods, buildings and crests block lines. Where in a cell a man stands is not known: five places
stand for all of it, so that there are 25 lines between two cells. What lies in the two cells
themselves is no obstacle, since a man stands at its edge, or looks out of its window.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skirmish.games.plastic.commander.cells import CELL, GroundCell
from skirmish.games.plastic.commander.crests import LineMask, Points, cells_with_crest, crests_of
from skirmish.games.plastic.commander.ground import CELL_PIXELS, PIXEL, TableGround
from skirmish.games.plastic.commander.weights import SightShares

InSight: TypeAlias = Literal["yes", "no", "ask"]
"""Whether two cells see each other; ``ask``: the map does not tell, and the players do."""

OFF_MIDDLE = CELL / 3
"""Inches from the middle of a cell to the other places in it, to the side and up or down."""
_PLACES_ROUND_MIDDLE = ((0, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
"""The places in a cell that stand for all of it: its middle, and four that are ``OFF_MIDDLE`` to
the left or right of it and below or above."""
PLACES_IN_A_CELL = len(_PLACES_ROUND_MIDDLE)
STEP = 0.5
"""Inches between the points of a line at which the ground is looked at; of a line that is shorter
than its band, fewer."""
BAND = 24.0
"""Lines are looked along in bands of lengths, in inches: 0 to 24, 24 to 48, and so on. All lines of
a band have the same number of points, and short lines not as many as the longest of the table."""


class _Obstructions(NamedTuple):
    """Points of lines that lie in woods or buildings, an entry for each: on which ``line`` it lies,
    and in which ``cell``, both by their index."""

    line: NDArray[np.intp]
    cell: NDArray[np.intp]


class Sight:
    """Lines of sight on one table. They are worked out for each cell when it is first asked for."""

    def __init__(self, ground: TableGround, shares: SightShares) -> None:
        self._ground = ground
        self._shares = shares
        self._cells = sorted(ground.grid.cells())
        self._index = {cell: index for index, cell in enumerate(self._cells)}
        self._crests = crests_of(ground.field.slopes)
        self._cells_with_crest = cells_with_crest(ground)
        # By the eye, the clear shares to each cell from the eye on (``_shares_from``).
        self._known_shares: dict[GroundCell, list[float]] = {}

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
        # A line is the same in both directions, and is looked along only from the cell that comes
        # first in the order of cells.
        eye, target = min(cell, other), max(cell, other)
        if eye not in self._known_shares:
            self._known_shares[eye] = self._shares_from(eye)
        return self._known_shares[eye][self._index[target] - self._index[eye]]

    def _shares_from(self, eye: GroundCell) -> list[float]:
        """The share of clear lines from a cell to itself and to each cell that comes after it, in
        the order of cells."""
        from_eye_on = self._index[eye]
        targets = self._cells[from_eye_on:]
        is_clear = self._clear_lines(eye, targets)
        # A group in a cell with a crest stands where it sees most, at the crest: only the lines
        # from that place count, or the lines to it. For other cells the mean of all places counts.
        # The axes are those of ``_clear_lines``: place of the eye, target, place of the target.
        shares_to_places = is_clear.mean(axis=0)
        if eye in self._cells_with_crest:
            # For each target, the place of the eye from which most of its places are seen.
            best_place_of_eye = is_clear.mean(axis=2).argmax(axis=0)
            lines_from_best = is_clear[best_place_of_eye, np.arange(len(targets))]
            shares_to_places = lines_from_best.astype(np.float64)
        shares = shares_to_places.mean(axis=1)
        for index, target in enumerate(targets):
            if target in self._cells_with_crest:
                shares[index] = shares_to_places[index].max()
        as_list: list[float] = shares.tolist()
        return as_list

    def _clear_lines(self, eye: GroundCell, targets: Sequence[GroundCell]) -> LineMask:
        """Whether the line is clear from each place of the eye (axis 0) to each target (axis 1),
        and in it to each of its places (axis 2)."""
        starts = _places_in([eye])[:, np.newaxis, :]
        ends = _places_in(targets)[np.newaxis, :, :]
        blocked = self._blocked_by_ground(eye, targets) | self._crests.blocked(starts, ends)
        return ~blocked.reshape(PLACES_IN_A_CELL, len(targets), PLACES_IN_A_CELL)

    # ------------------------------------------------------------------ woods and buildings

    def _blocked_by_ground(self, eye: GroundCell, targets: Sequence[GroundCell]) -> LineMask:
        """Which lines go through woods or buildings between the eye and each target: a row for each
        place of the eye, a column for each place of each target."""
        if not self._ground.blocks_sight.any():
            return np.zeros((PLACES_IN_A_CELL, len(targets) * PLACES_IN_A_CELL), dtype=np.bool_)
        # All lines in one list: from the first place of the eye to all places of all targets, then
        # from its second place, and so on.
        starts = np.repeat(_places_in([eye]), len(targets) * PLACES_IN_A_CELL, axis=0)
        ends = np.tile(_places_in(targets), (PLACES_IN_A_CELL, 1))
        targets_by_index = [self._index[target] for target in targets]
        target_of_line = np.tile(np.repeat(targets_by_index, PLACES_IN_A_CELL), PLACES_IN_A_CELL)
        blocked: LineMask = np.zeros(len(starts), dtype=np.bool_)
        inches = np.hypot(*(ends - starts).T)
        band_of_line = (inches / BAND).astype(np.intp)
        for band in range(int(band_of_line.max()) + 1):
            [lines] = np.nonzero(band_of_line == band)
            longest = (band + 1) * BAND
            obstructions = self._obstructions(starts[lines], ends[lines], int(longest / STEP))
            # Their lines are counted within the band; these are the same among all lines.
            line = lines[obstructions.line]
            in_eye = obstructions.cell == self._index[eye]
            in_target = obstructions.cell == target_of_line[line]
            blocked[line[~in_eye & ~in_target]] = True
        return blocked.reshape(PLACES_IN_A_CELL, -1)

    def _obstructions(self, starts: Points, ends: Points, points: int) -> _Obstructions:
        """All points in woods or buildings along these lines, each of which is looked at in so many
        ``points``."""
        shares_of_line = np.linspace(0, 1, points, dtype=np.float32)
        # The table is looked at in pixels. 32 bits are exact enough for them, and faster: most of
        # the time goes into these two tables, with a row for each line.
        start = (starts / PIXEL).astype(np.float32)
        way = ((ends - starts) / PIXEL).astype(np.float32)
        columns = (start[:, :1] + way[:, :1] * shares_of_line).astype(np.int32)
        rows = (start[:, 1:] + way[:, 1:] * shares_of_line).astype(np.int32)
        # ``take`` from flat tables, in which the rows of pixels follow one another, is the fastest.
        pixels = rows * self._ground.blocks_sight.shape[1] + columns
        line, point = np.nonzero(self._ground.blocks_sight.ravel().take(pixels))
        # Few points lie in woods or buildings: only for those the cell is looked up.
        cells = self._cell_of_pixel.ravel().take(pixels[line, point])
        return _Obstructions(line, cells)

    @cached_property
    def _cell_of_pixel(self) -> NDArray[np.intp]:
        """The index of the cell in which each pixel of the table lies."""
        cells = np.zeros(self._ground.blocks_sight.shape, dtype=np.intp)
        for cell, index in self._index.items():
            bottom, left = cell.row * CELL_PIXELS, cell.column * CELL_PIXELS
            cells[bottom : bottom + CELL_PIXELS, left : left + CELL_PIXELS] = index
        return cells


def _places_in(cells: Sequence[GroundCell]) -> Points:
    """The places in these cells, one cell after the other."""
    places = []
    for cell in cells:
        x, y = cell.middle
        for right, up in _PLACES_ROUND_MIDDLE:
            places.append((x + right * OFF_MIDDLE, y + up * OFF_MIDDLE))
    return np.array(places)
