"""How many turns it is from cell to cell, for guys, vehicles and craft.

Only wire slows anybody and, in scenario 10, the bluffs. Models stay out of woods and houses, and
all but craft out of the water. The fastest ways are found by Dijkstra's algorithm, from each cell
to the eight around it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.ground import CELL_PIXELS, PIXEL, TableGround
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import LineKind

TOO_DENSE = 0.5
"""If woods or houses take more than this part of a cell, models find no way through it. Our
choice."""
WET = 0.5
"""From this part of water on, craft float in a cell, and nobody lands or stands there. Our
choice."""
SLOW_STEP = 3.0
"""The most turns of a step into a neighbouring cell for which a group sets out: over a corner, up a
slope, across wire. Our choice."""

ONE_MOVE = 1 + plane.ROUNDING
"""A cell that takes no more turns than this is reached in a single move."""


class Mover(NamedTuple):
    """How something moves: its inches a turn on each kind of ground, 0 where it does not go."""

    on_land: int
    on_road: int
    """At least as far as on land. By the rules this holds only if the whole move is on a road; here
    for each step on a road."""
    on_water: int = 0
    is_guy: bool = False
    """Wire holds guys up."""
    wheels: bool = False
    """Whether it has wheels: wire stops it."""
    on_slope: int | None = None
    """The most inches of a turn on, onto or off a slope (scenario 10); None where slopes slow
    nobody."""

    @property
    def is_craft(self) -> bool:
        """Whether it does not move on land. What cannot move at all counts as a craft too: it has
        no speed on water either, and stays where it is."""
        return self.on_land == 0

    @classmethod
    def of(cls, unit: UnitType, on_slope: int | None = None) -> Mover:
        """How units of this type move."""
        return cls(
            on_land=unit.move,
            on_road=max(unit.road_move, unit.move),  # 0: a road makes no difference
            on_water=unit.water_move,
            is_guy=unit.is_guy,
            # Vehicles without armor have wheels, and rafts are not dragged over wire either (P64).
            wheels=unit.kind == "unarmored",
            on_slope=on_slope,
        )


class _StepGround(NamedTuple):
    """What a step from the middle of a cell to that of a neighbour leads over. ``wet``: water
    anywhere on the way; ``wet_beyond``: water outside the first cell, which is all that counts for
    a mover that starts there, since it may already be on the nearer bank."""

    inches: float
    wet: bool
    wet_beyond: bool
    sloped: bool
    by_road: bool
    over_bridge: bool


class _Step(NamedTuple):
    """A step into a neighbouring cell, and how many turns it takes, mostly less than one."""

    cell: GroundCell
    turns: float


class _PixelWay(NamedTuple):
    """The pixels on the way from the middle of a cell to that of a neighbour, counted from the
    lower left of the cell; ``beyond``: which of them lie in the neighbour, or in another cell that
    the way touches."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    beyond: NDArray[np.bool_]


@lru_cache(maxsize=8)  # a cell has so many neighbours
def _way_between(to_the_right: int, upward: int) -> _PixelWay:
    """The way to the neighbour that lies so many cells, -1 to 1, to the right of a cell and above
    it."""
    # The way is the same from every cell. This one has neighbours on all sides, so that no
    # coordinate is below 0, where ``int`` would round up.
    cell = GroundCell(1, 1)
    neighbour = GroundCell(1 + to_the_right, 1 + upward)
    row_list, column_list = [], []
    for station in plane.stations([cell.middle, neighbour.middle], PIXEL):
        x, y = station.at
        column_list.append(int(x / PIXEL) - CELL_PIXELS)
        row_list.append(int(y / PIXEL) - CELL_PIXELS)
    rows, columns = np.array(row_list), np.array(column_list)
    outside_rows = (rows < 0) | (rows >= CELL_PIXELS)
    outside_columns = (columns < 0) | (columns >= CELL_PIXELS)
    return _PixelWay(rows, columns, beyond=outside_rows | outside_columns)


class Paths:
    """The ways on one table. ``wire``: the cells in which there is barbed wire, by default those of
    the map; engineers clear it, so that it changes (``with_wire``)."""

    def __init__(self, ground: TableGround, wire: Collection[GroundCell] | None = None) -> None:
        self._ground = ground
        if wire is None:
            wire = self._cells_along("wire")
        self.wire = frozenset(wire)
        # What has been worked out already:
        self._step_grounds: dict[tuple[GroundCell, GroundCell], _StepGround] = {}
        """The ground between two cells that touch."""
        self._by_wire: dict[frozenset[GroundCell], Paths] = {}
        """The ways with other wire."""
        self._steps: dict[Mover, dict[GroundCell, list[_Step]]] = {}
        """The steps on from a cell."""
        self._turns_from: dict[tuple[Mover, GroundCell], dict[GroundCell, float]] = {}
        """The turns from a start to all cells."""

    def with_wire(self, wire: frozenset[GroundCell]) -> Paths:
        """The ways on the same table with wire in these cells; worked out once."""
        if wire == self.wire:
            return self
        if wire not in self._by_wire:
            rewired = Paths(self._ground, wire)
            # Wire does not change the ground, and whichever ``Paths`` of this table is asked, it
            # finds those with other wire.
            rewired._step_grounds = self._step_grounds
            rewired._by_wire = self._by_wire
            self._by_wire[wire] = rewired
        return self._by_wire[wire]

    def eta(self, mover: Mover, start: GroundCell, goal: GroundCell) -> int | None:
        """The turns that a mover takes to its goal, rounded up: 0 if it is there, None if there is
        no way."""
        turns = self.turns(mover, start).get(goal)
        if turns is None:
            return None
        return math.ceil(turns - plane.ROUNDING)

    def cells_in_reach(self, mover: Mover, start: GroundCell) -> list[GroundCell]:
        """Where one move takes a mover from the middle of its cell, that cell included."""
        turns_to = self.turns(mover, start)
        return [cell for cell, turns in turns_to.items() if turns <= ONE_MOVE]

    def cells_to_head_for(self, mover: Mover, start: GroundCell) -> list[GroundCell]:
        """Where a mover can go or set out for: all ``cells_in_reach``, and the cells beside its own
        that one move does not reach, over a corner or up a slope. If these were left out, slow
        movers would never cross a corner or a slope."""
        turns_to = self.turns(mover, start)
        cells = self.cells_in_reach(mover, start)
        for cell in self._ground.grid.neighbours(start):
            if cell in turns_to and ONE_MOVE < turns_to[cell] <= SLOW_STEP:
                cells.append(cell)
        return cells

    def turns(self, mover: Mover, start: GroundCell) -> dict[GroundCell, float]:
        """Every cell that can be reached, and in how many turns, parts of them included: the
        nearest first."""
        key = (mover, start)
        if key not in self._turns_from:
            self._turns_from[key] = self._fastest_ways(mover, start)
        return self._turns_from[key]

    def _fastest_ways(self, mover: Mover, start: GroundCell) -> dict[GroundCell, float]:
        """``turns``, by Dijkstra's algorithm: the nearest cell that is not yet reached comes
        next."""
        reached: dict[GroundCell, float] = {}
        # For each way that may go on: its turns so far, and the cell that it has come to. The turns
        # stand first, since the heap gives the smallest first.
        ahead = [(0.0, start)]
        while ahead:
            turns, cell = heapq.heappop(ahead)
            if cell in reached:
                continue
            reached[cell] = turns
            if cell == start:
                steps = self._first_steps(mover, cell)
            else:
                steps = self._steps_on(mover, cell)
            for step in steps:
                if step.cell not in reached:
                    heapq.heappush(ahead, (turns + step.turns, step.cell))
        return reached

    def _first_steps(self, mover: Mover, start: GroundCell) -> list[_Step]:
        """The steps that a mover can take from where it stands now."""
        return self._steps_from(mover, start, is_start=True)

    def _steps_on(self, mover: Mover, cell: GroundCell) -> list[_Step]:
        """The steps that a mover can take from a cell on its way, worked out once."""
        steps_of_mover = self._steps.setdefault(mover, {})
        if cell not in steps_of_mover:
            steps_of_mover[cell] = self._steps_from(mover, cell, is_start=False)
        return steps_of_mover[cell]

    def _steps_from(self, mover: Mover, cell: GroundCell, *, is_start: bool) -> list[_Step]:
        """The steps that a mover can take from a cell; ``is_start``: it stands there now."""
        steps = []
        for neighbour in self._ground.grid.neighbours(cell):
            turns = self._turns_of_step(mover, cell, neighbour, is_start=is_start)
            if turns is not None:
                steps.append(_Step(neighbour, turns))
        return steps

    def _turns_of_step(
        self, mover: Mover, cell: GroundCell, neighbour: GroundCell, *, is_start: bool
    ) -> float | None:
        """How many turns a step takes, mostly less than one; None if the mover cannot take it."""
        if self._is_closed(mover, neighbour):
            return None
        ground = self._ground_between(cell, neighbour)
        inches_a_turn = self._inches_a_turn(mover, ground, neighbour, is_start=is_start)
        if not inches_a_turn:
            return None
        turns = ground.inches / inches_a_turn
        # "Guys may only move one inch when crossing barbed wire": that move takes them no farther.
        if mover.is_guy and neighbour in self.wire:
            turns += 1
        return turns

    def _inches_a_turn(
        self, mover: Mover, ground: _StepGround, neighbour: GroundCell, *, is_start: bool
    ) -> int:
        """How far a mover gets in a turn on such ground; 0 where it does not go."""
        if mover.is_craft:
            if neighbour not in self._cells_afloat:
                return 0
            return mover.on_water
        wet = ground.wet
        if is_start:
            wet = ground.wet_beyond
        if wet and not ground.over_bridge:
            return mover.on_water
        inches_a_turn = mover.on_land
        if ground.by_road:
            inches_a_turn = mover.on_road
        if ground.sloped and mover.on_slope is not None:
            inches_a_turn = min(mover.on_slope, inches_a_turn)
        return inches_a_turn

    def _is_closed(self, mover: Mover, cell: GroundCell) -> bool:
        """Whether a mover cannot enter a cell, from whatever side."""
        if mover.wheels and cell in self.wire:
            return True
        # Guys enter woods and houses, and over a bridge models get past them.
        if mover.is_guy or cell in self._bridges:
            return False
        return cell in self._too_dense

    # ------------------------------------------------------------------ the ground between

    def _ground_between(self, cell: GroundCell, neighbour: GroundCell) -> _StepGround:
        """The ground of the step from a cell to a neighbour, surveyed once."""
        key = (cell, neighbour)
        if key not in self._step_grounds:
            self._step_grounds[key] = self._survey_step(cell, neighbour)
        return self._step_grounds[key]

    def _survey_step(self, cell: GroundCell, neighbour: GroundCell) -> _StepGround:
        """The ground of the step, from the pixels on the straight way."""
        way = _way_between(neighbour.column - cell.column, neighbour.row - cell.row)
        rows, columns = way.rows + cell.row * CELL_PIXELS, way.columns + cell.column * CELL_PIXELS
        in_water = self._ground.water[rows, columns]
        both_cells = {cell, neighbour}
        return _StepGround(
            inches=apart(cell, neighbour),
            wet=bool(in_water.any()),
            wet_beyond=bool((in_water & way.beyond).any()),
            sloped=bool(self._ground.slopes[rows, columns].any()),
            by_road=both_cells <= self._roads,
            over_bridge=both_cells <= self._bridges,
        )

    @cached_property
    def _too_dense(self) -> frozenset[GroundCell]:
        """The cells through which models find no way, for woods or houses."""
        ground = self._ground
        dense = set()
        for cell in ground.grid.cells():
            if ground.share(ground.blocks_sight, cell) > TOO_DENSE:
                dense.add(cell)
        return frozenset(dense)

    @cached_property
    def _cells_afloat(self) -> frozenset[GroundCell]:
        """The cells in which craft float."""
        ground = self._ground
        wet = set()
        for cell in ground.grid.cells():
            if ground.share(ground.water, cell) >= WET:
                wet.add(cell)
        return frozenset(wet)

    @cached_property
    def _roads(self) -> frozenset[GroundCell]:
        """The cells that a road touches."""
        return self._cells_along("road")

    @cached_property
    def _bridges(self) -> frozenset[GroundCell]:
        """The cells that a bridge touches."""
        return self._cells_along("bridge")

    def _cells_along(self, kind: LineKind) -> frozenset[GroundCell]:
        """The cells that lines of a kind touch."""
        cells = set()
        for line in self._ground.lines([kind]):
            for station in plane.stations(line.run, PIXEL):
                cells.add(self._ground.grid.at(station.at))
        return frozenset(cells)
