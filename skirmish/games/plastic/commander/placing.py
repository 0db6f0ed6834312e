"""Where the groups of a scenario may start: the cells that its entries allow.

On the field the sides are set up there (``FieldBattle``). At a table it is what the program tells
its players, who set up its figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import CELL, CLOCKWISE, GroundCell
from skirmish.games.plastic.commander.moves import mover_of
from skirmish.games.plastic.commander.objectives import (
    field_of,
    middle_of_box,
    objectives_of_scenario,
)
from skirmish.games.plastic.commander.paths import WET, Mover
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.entries import (
    AnywhereEntry,
    CornerEntry,
    EdgeEntry,
    Entry,
    MarksEntry,
    RoadEntry,
    ZoneEntry,
)
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.plane import Path, Point

INCHES_OF_WIRE = 4
"""A segment of barbed wire is about so long (P60)."""
MEN_IN_AN_ENTRENCHMENT = 4
"""An entrenchment is about 4 inches long (P60), and a man takes one inch of it."""
FEWEST_CELLS_AHEAD = 20
"""Cells that a group must be able to reach from where it starts, in any number of turns; with fewer
it is shut in."""
_MARKS_OF_UNITS: dict[str, tuple[str, ...]] = {
    "machinegun": ("mg",),
    "small_pillbox": ("small_pillbox",),
    "large_pillbox": ("large_pillbox",),
    "tank": ("tank",),
    "cannon": ("gun",),
    "truck": ("truck",),
}
"""By the id of a unit, the kinds of marks of a map on which it stands."""


class Entrenchments:
    """The entrenchments of a side, in which its men start who have no other cover. At a table
    players say who is not in cover after all."""

    def __init__(self, number: int) -> None:
        self._left = number

    def take_in(self, group: GroupKnown, catalog: Catalog) -> bool:
        """Put all men of a group into entrenchments, which are then no longer left for others.
        Returns False, and takes none, if it has no men or there are not enough for all of them."""
        men = group.men_on_foot(catalog)
        needed = math.ceil(men / MEN_IN_AN_ENTRENCHMENT)
        if not needed or needed > self._left:
            return False
        self._left -= needed
        return True


class _CellForWire(NamedTuple):
    """A cell beside a piece of the ground that decides, in the order in which wire is laid:
    ``rank`` counts the cells beside the same piece that are nearer to the enemy."""

    rank: int
    inches_to_enemy: float
    cell: GroundCell


class StartingCells:
    """The cells of a table in which the groups of a scenario start, or come onto it."""

    def __init__(self, scenario: Scenario, table: CommandTable) -> None:
        self._scenario = scenario
        self._table = table

    def for_group(self, entry: Entry, group: GroupKnown) -> list[GroundCell]:
        """Where a group may start: cells of its zone, edge or corner, on land, or on water for
        boats. Cells of the wrong kind, and cells from which it could go nowhere, are allowed only
        if there are no others."""
        cells = self._cells_of_entry(entry, group)
        has_boats = any(self._table.catalog.units[id].water_move > 0 for id in group.counts)
        passable = [cell for cell in cells if self._is_water(cell) == has_boats]
        if not passable:
            passable = cells
        mover = mover_of(group, self._table.catalog, self._table.inches_on_slopes)
        with_ways_on = [cell for cell in passable if self._leads_on(mover, cell)]
        if with_ways_on:
            return with_ways_on
        return passable

    def wire(self) -> frozenset[GroundCell]:
        """Where the sides that have wire lay it: in the cells beside the ground that decides, on
        the side from which the enemy comes."""
        laid: set[GroundCell] = set()
        for side in self._scenario.sides:
            segments = side.works().get("barbed_wire", 0)
            number_of_cells = math.floor(segments * INCHES_OF_WIRE / CELL)
            if number_of_cells > 0:
                laid |= set(self._cells_for_wire(side.id)[:number_of_cells])
        return frozenset(laid)

    def _cells_for_wire(self, side: str) -> list[GroundCell]:
        """The dry and open cells beside the ground that decides: first the nearest to the enemy at
        each piece of it, then the second nearest, and so on."""
        ground = self._table.ground
        grid = self._table.grid
        enemy_start = self._middle_of_enemy(side)
        ranked: list[_CellForWire] = []
        for objective in objectives_of_scenario(self._scenario, grid):
            beside = []
            for cell in grid.neighbours(objective.cell):
                is_open = ground.share(ground.blocks_sight, cell) == 0
                if is_open and not self._is_water(cell):
                    beside.append(cell)
            by_distance = sorted((math.dist(cell.middle, enemy_start), cell) for cell in beside)
            for rank, (inches_to_enemy, cell) in enumerate(by_distance):
                ranked.append(_CellForWire(rank, inches_to_enemy, cell))
        in_order = [place.cell for place in sorted(ranked)]
        # A cell may be beside several pieces of the ground: it is listed where it comes first.
        return list(dict.fromkeys(in_order))

    def _middle_of_enemy(self, side: str) -> Point:
        """The middle of all places where the enemy of a side may start."""
        xs, ys = [], []
        for other in self._scenario.sides:
            if other.id == side:
                continue
            for contingent in other.contingents:
                # Its cells are those of a group of all its units, which needs no id and no name.
                everybody = GroupKnown(id="", name="", counts=contingent.units)
                for cell in self._cells_of_entry(contingent.entry, everybody):
                    x, y = cell.middle
                    xs.append(x)
                    ys.append(y)
        return sum(xs) / len(xs), sum(ys) / len(ys)

    def _cells_of_entry(self, entry: Entry, group: GroupKnown) -> list[GroundCell]:
        """The cells that an entry of the scenario allows to a group, be they wet or dry."""
        field = field_of(self._scenario)
        match entry:
            case ZoneEntry():
                return self._cells_in_zone(field, entry.zone)
            case MarksEntry():
                return self._cells_at_marks(field, group)
            case EdgeEntry():
                return self._cells_along_edges(entry.edge)
            case RoadEntry():
                # An entry by road that names no edge allows all four.
                return self._cells_where_roads_begin(field, entry.edge or CLOCKWISE)
            case CornerEntry():
                # Players may choose among the corners; the commander takes the first.
                return self._cells_along_edges(entry.corners[0])
            case AnywhereEntry():
                return self._covered_cells_or_all()

    def _covered_cells_or_all(self) -> list[GroundCell]:
        """The cells of the table in cover, which a commander prefers where a group may set up
        anywhere; all cells of a table without cover."""
        cells = list(self._table.grid.cells())
        covered = [cell for cell in cells if self._table.ground.in_cover(cell)]
        if covered:
            return covered
        return cells

    def _cells_at_marks(self, field: Battlefield, group: GroupKnown) -> list[GroundCell]:
        """Where the map has marks for a group; anywhere on a map without them."""
        # All pieces of a group on marks are of one kind: its first unit is enough.
        unit = next(iter(group.counts))
        kinds = _MARKS_OF_UNITS.get(unit, ())
        marked = [self._table.grid.at(mark.at) for mark in field.marks if mark.kind in kinds]
        if marked:
            return marked
        return list(self._table.grid.cells())

    def _cells_along_edges(self, letters: Sequence[str]) -> list[GroundCell]:
        """The cells that lie on all of these edges, by their letters of the compass: of one letter
        the whole edge, of two, such as ``NE``, the cell in the corner."""
        grid, up = self._table.grid, self._scenario.table.up
        on_all_edges = set(grid.cells())
        for letter in letters:
            on_all_edges &= set(grid.along_edge(letter, up))
        # In the order of the grid, which a draw among them goes by.
        return [cell for cell in grid.cells() if cell in on_all_edges]

    def _cells_where_roads_begin(self, field: Battlefield, letters: str) -> list[GroundCell]:
        """The cells of these edges in which a road leaves the table; all of them without one."""
        road_ends = set()
        for line in field.lines:
            if line.kind == "road":
                start, end = line.run[0], line.run[-1]
                road_ends |= {self._table.grid.at(start), self._table.grid.at(end)}
        on_edges = []
        for letter in letters:
            on_edges += self._cells_along_edges(letter)
        where_roads_begin = [cell for cell in on_edges if cell in road_ends]
        if where_roads_begin:
            return where_roads_begin
        return on_edges

    def _is_water(self, cell: GroundCell) -> bool:
        """Whether so much of a cell is water that only boats can start there."""
        ground = self._table.ground
        return ground.share(ground.water, cell) >= WET

    def _leads_on(self, mover: Mover, cell: GroundCell) -> bool:
        """Whether a group can go far from a cell; True for what cannot move at all."""
        if not (mover.on_land or mover.on_water):
            return True
        return len(self._table.paths.turns(mover, cell)) >= FEWEST_CELLS_AHEAD

    def _cells_in_zone(self, field: Battlefield, letter: str) -> list[GroundCell]:
        """The cells whose middles lie in a zone of the map with this letter."""
        cells = []
        for zone in field.zones:
            if zone.letter != letter:
                continue
            inside = []
            for cell in self._table.grid.cells():
                if plane.inside(cell.middle, zone.points):
                    inside.append(cell)
            cells += inside or self._cells_in_narrow_zone(zone.points)
        return cells

    def _cells_in_narrow_zone(self, corners: Path) -> list[GroundCell]:
        """The cells of a zone with these corners that is so narrow that no middle of a cell lies in
        it: those on the diagonal of the box round it, which in a long and thin box leads along all
        of it, and that of the middle of the box."""
        box = plane.box(corners)
        length = max(box.right - box.left, box.top - box.bottom)
        steps = max(1, math.ceil(length / CELL))
        cells = {self._table.grid.at(middle_of_box(corners))}
        for step in range(steps + 1):
            part = step / steps
            x = box.left + (box.right - box.left) * part
            y = box.bottom + (box.top - box.bottom) * part
            cells.add(self._table.grid.at((x, y)))
        return sorted(cells)
