"""How many turns it is from cell to cell, for guys, vehicles and craft.

Nothing on the table slows anybody but wire and, in scenario 10, the bluffs; but models stay out of
woods and houses, and all but craft out of the water. A way is looked for from cell to cell by
Dijkstra's algorithm, over sides and corners.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.ground import PIXEL, PIXELS, TableGround
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import LineKind

TOO_DENSE = 0.5
"""The part of a cell that woods or houses must take for a model to find no way through it."""
WET = 0.5
"""The part of a cell that water must take for a craft to float there, and for nobody to land or
stand there."""


SLOW_STEP = 3.0
"""The most turns that a step to the next cell takes a group that goes there at all: over a corner,
up a slope, across wire."""


CellTurns: TypeAlias = tuple[GroundCell, float]
"""A cell, and in how many turns it is reached, parts of a turn included."""


class Mover(NamedTuple):
    """What moves: how many inches a turn ``on_land``, where the whole move is ``on_road``, and
    ``on_water``; 0 where it does not go. ``on_slope``: no more than so many on, onto or off a slope
    (scenario 10); None where slopes slow nobody. Wire holds guys up and stops what has
    ``wheels``."""

    on_land: int
    on_road: int = 0
    on_water: int = 0
    is_guy: bool = False
    wheels: bool = False
    on_slope: int | None = None

    @classmethod
    def of(cls, unit: UnitType, on_slope: int | None = None) -> Mover:
        """How units of this type move."""
        return cls(
            on_land=unit.move,
            on_road=unit.road_move or unit.move,
            on_water=unit.water_move,
            is_guy=unit.is_guy,
            wheels=unit.kind == "unarmored",
            on_slope=on_slope,
        )


class _CellStep(NamedTuple):
    """The step from the middle of a cell to that of a neighbour, and what it leads over. ``wet``:
    through water anywhere on the way; ``wet_beyond``: through water outside the first cell, which
    is all that counts for a mover in that cell now: it is taken to be on its nearer bank."""

    inches: float
    wet: bool
    wet_beyond: bool
    sloped: bool
    by_road: bool
    over_bridge: bool


class _PixelWay(NamedTuple):
    """The pixels on the way from the middle of a cell to that of a neighbour, counted from the
    lower left of the cell; ``beyond``: which of them lie in the neighbour, or in another cell that
    the way touches."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    beyond: NDArray[np.bool_]


@lru_cache(maxsize=8)  # a cell has so many neighbours
def _way_between(to_the_right: int, upward: int) -> _PixelWay:
    """The way to the neighbour that lies so many cells to the right of a cell and above it."""
    # Laid out on a table of its own, round a cell all of whose neighbours have numbers from 0.
    cell = GroundCell(1, 1)
    neighbour = GroundCell(1 + to_the_right, 1 + upward)
    rows, columns = [], []
    for station in plane.stations([cell.middle, neighbour.middle], PIXEL):
        columns.append(int(station.at[0] / PIXEL) - PIXELS)
        rows.append(int(station.at[1] / PIXEL) - PIXELS)
    row, column = np.array(rows), np.array(columns)
    beyond = (row < 0) | (row >= PIXELS) | (column < 0) | (column >= PIXELS)
    return _PixelWay(row, column, beyond)


class Paths:
    """The ways on one table. ``wire``: the cells in which there is barbed wire, by default those of
    the map; engineers clear it, so that it changes (``with_wire``)."""

    def __init__(self, ground: TableGround, wire: Collection[GroundCell] | None = None) -> None:
        self._ground = ground
        if wire is None:
            wire = self._cells_along("wire")
        self.wire = frozenset(wire)
        # What has been worked out: the ground between two cells that touch, the ways for other
        # wire, the steps on from a cell, and the turns from a cell to all others.
        self._cell_steps: dict[tuple[GroundCell, GroundCell], _CellStep] = {}
        self._rewired: dict[frozenset[GroundCell], Paths] = {}
        self._onward: dict[Mover, dict[GroundCell, list[CellTurns]]] = {}
        self._from: dict[tuple[Mover, GroundCell], dict[GroundCell, float]] = {}

    def with_wire(self, wire: frozenset[GroundCell]) -> Paths:
        """The ways on the same table with wire in these cells; worked out once."""
        if wire == self.wire:
            return self
        if wire not in self._rewired:
            rewired = Paths(self._ground, wire)
            # The ground between two cells is the same, and so are the tables for other wire.
            rewired._cell_steps, rewired._rewired = self._cell_steps, self._rewired
            self._rewired[wire] = rewired
        return self._rewired[wire]

    def eta(self, mover: Mover, start: GroundCell, goal: GroundCell) -> int | None:
        """The turns that a mover takes to its goal, rounded up: 0 if it is there, None if there is
        no way."""
        turns = self.turns(mover, start).get(goal)
        if turns is None:
            return None
        return math.ceil(turns - plane.ROUNDING)

    def within(self, mover: Mover, start: GroundCell) -> list[GroundCell]:
        """Where one move takes a mover from the middle of its cell, that cell included."""
        reached = self.turns(mover, start)
        return [cell for cell, turns in reached.items() if turns <= 1 + plane.ROUNDING]

    def ahead(self, mover: Mover, start: GroundCell) -> list[GroundCell]:
        """Where a mover can go or set out for: all ``within`` a move, and the cells beside its own
        into which a move takes it only a part of the way, over a corner or up a slope."""
        reached = self.turns(mover, start)
        ends = self.within(mover, start)
        for cell in self._ground.grid.neighbours(start):
            turns = reached.get(cell)
            if turns is not None and 1 + plane.ROUNDING < turns <= SLOW_STEP:
                ends.append(cell)
        return ends

    def turns(self, mover: Mover, start: GroundCell) -> dict[GroundCell, float]:
        """Every cell that can be reached, and in how many turns, parts of them included: the
        nearest first."""
        key = (mover, start)
        if key not in self._from:
            self._from[key] = self._worked_out(mover, start)
        return self._from[key]

    def _worked_out(self, mover: Mover, start: GroundCell) -> dict[GroundCell, float]:
        """``turns``, by Dijkstra's algorithm: the nearest cell that is not yet reached comes
        next."""
        reached: dict[GroundCell, float] = {}
        ahead = [(0.0, start)]
        while ahead:
            turns, cell = heapq.heappop(ahead)
            if cell in reached:
                continue
            reached[cell] = turns
            if cell == start:
                onward = self._steps_from(mover, cell, first=True)
            else:
                onward = self._steps_on(mover, cell)
            for neighbour, further in onward:
                if neighbour not in reached:
                    heapq.heappush(ahead, (turns + further, neighbour))
        return reached

    def _steps_on(self, mover: Mover, cell: GroundCell) -> list[CellTurns]:
        """The steps on from a cell on its way, worked out once."""
        onward = self._onward.setdefault(mover, {})
        if cell not in onward:
            onward[cell] = self._steps_from(mover, cell, first=False)
        return onward[cell]

    def _steps_from(self, mover: Mover, cell: GroundCell, *, first: bool) -> list[CellTurns]:
        """The cells beside a cell into which it can go, each with what part of a turn that takes.
        ``first``: from where it stands now."""
        steps = []
        for neighbour in self._ground.grid.neighbours(cell):
            turns = self._turns_for(mover, cell, neighbour, first=first)
            if turns is not None:
                steps.append((neighbour, turns))
        return steps

    def _turns_for(
        self, mover: Mover, cell: GroundCell, neighbour: GroundCell, *, first: bool
    ) -> float | None:
        """What part of a turn it takes to the next cell; None for no way. ``first``: from where it
        stands now."""
        if self._is_shut(mover, neighbour):
            return None
        step = self._cell_step(cell, neighbour)
        inches_a_turn = self._inches_a_turn(mover, step, neighbour, first=first)
        if not inches_a_turn:
            return None
        turns = step.inches / inches_a_turn
        # "Only one inch": the move in which guys cross wire takes them no farther.
        if mover.is_guy and neighbour in self.wire:
            turns += 1
        return turns

    def _inches_a_turn(
        self, mover: Mover, step: _CellStep, neighbour: GroundCell, *, first: bool
    ) -> int:
        """How far a turn takes it on such ground; 0 where it does not go."""
        if not mover.on_land:
            if neighbour not in self._afloat:
                return 0
            return mover.on_water
        wet = step.wet
        if first:
            wet = step.wet_beyond
        if wet and not step.over_bridge:
            return mover.on_water
        inches_a_turn = mover.on_land
        if step.by_road:
            inches_a_turn = max(mover.on_road, mover.on_land)
        if step.sloped and mover.on_slope is not None:
            inches_a_turn = min(mover.on_slope, inches_a_turn)
        return inches_a_turn

    def _is_shut(self, mover: Mover, cell: GroundCell) -> bool:
        """Whether it does not go into a cell, from wherever it comes."""
        if mover.wheels and cell in self.wire:
            return True
        if mover.is_guy or cell in self._bridges:
            return False
        return cell in self._too_dense

    # ------------------------------------------------------------------ the ground between

    def _cell_step(self, cell: GroundCell, neighbour: GroundCell) -> _CellStep:
        """The ground between two cells that touch, looked at once."""
        key = (cell, neighbour)
        if key not in self._cell_steps:
            self._cell_steps[key] = self._looked_at(cell, neighbour)
        return self._cell_steps[key]

    def _looked_at(self, cell: GroundCell, neighbour: GroundCell) -> _CellStep:
        """The ground between two cells that touch, from the pixels on the straight way."""
        way = _way_between(neighbour.column - cell.column, neighbour.row - cell.row)
        rows, columns = way.rows + cell.row * PIXELS, way.columns + cell.column * PIXELS
        in_water = self._ground.water[rows, columns]
        both = {cell, neighbour}
        return _CellStep(
            inches=apart(cell, neighbour),
            wet=bool(in_water.any()),
            wet_beyond=bool((in_water & way.beyond).any()),
            sloped=bool(self._ground.slopes[rows, columns].any()),
            by_road=both <= self._roads,
            over_bridge=both <= self._bridges,
        )

    @cached_property
    def _too_dense(self) -> frozenset[GroundCell]:
        """Where models find no way through woods and houses."""
        ground = self._ground
        dense = set()
        for cell in ground.grid.cells():
            if ground.share(ground.blocks_sight, cell) > TOO_DENSE:
                dense.add(cell)
        return frozenset(dense)

    @cached_property
    def _afloat(self) -> frozenset[GroundCell]:
        """Where craft float."""
        ground = self._ground
        wet = set()
        for cell in ground.grid.cells():
            if ground.share(ground.water, cell) >= WET:
                wet.add(cell)
        return frozenset(wet)

    @cached_property
    def _roads(self) -> frozenset[GroundCell]:
        return self._cells_along("road")

    @cached_property
    def _bridges(self) -> frozenset[GroundCell]:
        return self._cells_along("bridge")

    def _cells_along(self, kind: LineKind) -> frozenset[GroundCell]:
        """The cells that lines of a kind touch."""
        cells = set()
        for line in self._ground.lines([kind]):
            for station in plane.stations(line.run, PIXEL):
                cells.add(self._ground.grid.at(station.at))
        return frozenset(cells)
