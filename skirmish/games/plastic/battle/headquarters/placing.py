"""Where groups start, or come onto the table, as far as their entries leave that open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from skirmish.games.plastic.battle.commanders import TableGroup
from skirmish.games.plastic.battle.headquarters.war_aims import aims_of_side
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import CELL, GroundCell, apart
from skirmish.games.plastic.commander.placing import Entrenchments, StartingCells
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.scenarios.entries import FROM_OUTSIDE
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioContingent

MOST_SIDE_BY_SIDE = 2
"""At most so many groups come onto the table in the same cell (six inches of an edge) while another
cell has room. Our choice."""


def scenario_contingents(setup: Setup, side: str) -> Mapping[str, ScenarioContingent]:
    """The contingents that the scenario lists for a side, by their ids; none in the basic game."""
    if setup.scenario is None:
        return {}
    return {contingent.id: contingent for contingent in setup.scenario.side(side).contingents}


class GroupPlacer:
    """Finds a cell for each group of a side: apart from the others, in cover where the entry allows
    it, and as near as can be to the ground that decides. It remembers which cells and entrenchments
    are taken."""

    def __init__(self, state: State, side: str, table: CommandTable, chance: Random) -> None:
        self._state = state
        self._side = side
        self._table = table
        self._chance = chance
        self._contingents = scenario_contingents(state.setup, side)
        self._objectives = [objective.cell for objective in aims_of_side(state, side).objectives]
        self._groups_in: Counter[GroundCell] = Counter()
        works = state.setup.side_by_id[side].works
        self._entrenchments = Entrenchments(works.get("entrenchment", 0))

    def place(self, group: GroupKnown) -> TableGroup:
        """The group where it probably stands; off the table while its contingent has yet to come.
        Its cell counts as taken from then on."""
        if self._is_yet_to_come(group.contingent):
            return TableGroup(group)
        comes_from_outside = self._comes_from_outside(group)
        if comes_from_outside:
            cells = self._cells_to_come_on(group)
        else:
            cells = self._cells_to_start_in(group)
        cell = cells[self._chance.randrange(len(cells))]
        self._groups_in[cell] += 1
        in_cover = self._table.ground.in_cover(cell)
        # Only a group that sets up on the table can be in an entrenchment.
        if not in_cover and not comes_from_outside:
            in_cover = self._entrenchments.take_in(group, self._state.setup.catalog)
        return TableGroup(group, cell, in_cover)

    def _is_yet_to_come(self, contingent: str) -> bool:
        """Whether a contingent that enters in a later turn has nobody on the table yet."""
        if self._state.setup.contingent_by_id[contingent].is_there_from_the_start:
            return False
        for row in rows(self._state, self._side):
            if row.contingent.id == contingent and row.here:
                return False
        return True

    def _comes_from_outside(self, group: GroupKnown) -> bool:
        """Whether a group comes over an edge or a corner of the table, in the first turn or
        later."""
        contingent = self._contingents.get(group.contingent)
        return contingent is not None and isinstance(contingent.entry, FROM_OUTSIDE)

    def _cells_to_start_in(self, group: GroupKnown) -> list[GroundCell]:
        """The cells among which a draw decides for a group that is on the table from the start:
        those with the fewest groups, of them those in cover, of them the nearest to the ground that
        decides. The group may stay there, so cover counts more than the distance."""
        free = self._with_fewest_groups(self._allowed_cells(group))
        return self._nearest(self._in_cover_if_any(free))

    def _cells_to_come_on(self, group: GroupKnown) -> list[GroundCell]:
        """The cells among which a draw decides for a group that comes over an edge: those nearest
        to the ground that decides, of them those with the fewest groups, of them those in cover.
        The group goes on from there, and a wood in the wrong corner costs it turns, so the distance
        counts more than cover."""
        cells = self._allowed_cells(group)
        with_room = [cell for cell in cells if self._groups_in[cell] < MOST_SIDE_BY_SIDE]
        nearest = self._nearest(with_room or cells)
        return self._in_cover_if_any(self._with_fewest_groups(nearest))

    def _with_fewest_groups(self, cells: Sequence[GroundCell]) -> list[GroundCell]:
        """Those of the cells in which the fewest groups have been placed."""
        fewest = min(self._groups_in[cell] for cell in cells)
        return [cell for cell in cells if self._groups_in[cell] == fewest]

    def _in_cover_if_any(self, cells: list[GroundCell]) -> list[GroundCell]:
        """Those of the cells that are in cover; all of them if none is."""
        in_cover = [cell for cell in cells if self._table.ground.in_cover(cell)]
        return in_cover or cells

    def _nearest(self, cells: Sequence[GroundCell]) -> list[GroundCell]:
        """The nearest of the cells to the ground that decides, and those that are at most one cell
        farther from it; all where the battle has no such ground."""
        if not self._objectives:
            return list(cells)
        distances = {}
        for cell in cells:
            distances[cell] = min(apart(cell, objective) for objective in self._objectives)
        nearest = min(distances.values())
        return [cell for cell in cells if distances[cell] <= nearest + CELL]

    def _allowed_cells(self, group: GroupKnown) -> list[GroundCell]:
        """All cells in which a group may start, or come onto the table."""
        scenario = self._state.setup.scenario
        contingent = self._contingents.get(group.contingent)
        if scenario is None or contingent is None:
            return self._own_edge()
        return StartingCells(scenario, self._table).for_group(contingent.entry, group)

    def _own_edge(self) -> list[GroundCell]:
        """The cells along one edge, for a group of whose entry nothing is known: the bottom edge
        for the side that moves first, the top edge for the other. If a group stands elsewhere,
        players say so."""
        grid = self._table.grid
        row = 0
        if self._side != self._state.first:
            row = grid.rows - 1
        return [GroundCell(column, row) for column in range(grid.columns)]
