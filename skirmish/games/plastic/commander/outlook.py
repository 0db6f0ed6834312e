"""What actions are scored by: the board of a side, how things stand on it, and its tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skirmish.games.plastic.commander.board import Board
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.moves import NEVER, ActionScore, GroupTask
from skirmish.games.plastic.commander.situation import Situation, Stand, reach_of_machine_guns
from skirmish.games.plastic.commander.terms import Scales, ScoreTerms


class Outlook(NamedTuple):
    """The board, how things stand on it, and the tasks of all groups, by their ids.
    ``deciding_cells``: the ground that decides who has won, whoever is to go there."""

    board: Board
    situation: Situation
    tasks: Mapping[str, GroupTask]
    deciding_cells: frozenset[GroundCell] = frozenset()

    # ------------------------------------------------------------------ time

    def turns_to_spare(self, group: str) -> int:
        """Turns that a group has to spare on the way to its objective; below 0 it is late."""
        cell = self.situation.own_stand(group).cell
        return self.tasks[group].turns_to_spare(cell, self.board.paths)

    def chance_to_be_in_time(self, task: GroupTask, cell: GroundCell) -> float:
        """The chance that a group with this task is at its objective in time, if it is in this cell
        after this turn."""
        turns_to_goal = task.whole_turns_to_goal(cell, self.board.paths)
        spare = task.turns_left_afterwards - turns_to_goal
        return self.board.weights.chances(fought_for=task.fought_for).chance(spare)

    def turns_from_cells(self, task: GroupTask) -> Mapping[GroundCell, float]:
        """How many turns it is to the objective of a task from each cell from which there is a way,
        parts of a turn included."""
        # Worked out once, from the objective back: a way is as long in both directions.
        return self.board.paths.turns(task.mover, task.goal)

    def turns_to_goal(self, task: GroupTask, cell: GroundCell) -> float:
        """How many turns it is from a cell to the objective of a task, parts of a turn included;
        ``NEVER`` where there is no way."""
        return self.turns_from_cells(task).get(cell, float(NEVER))

    # ------------------------------------------------------------------ places

    def places_in_reach(self, group: str) -> list[Stand]:
        """Where else a group can be at the end of its move."""
        [_, *elsewhere] = self.board.moves.places(self.situation, group, self.tasks[group])
        return elsewhere

    def is_before_machine_gun(self, stand: Stand) -> bool:
        """Whether a group would be in reach and sight of an enemy machine gun at this stand."""
        for enemy in self.situation.enemies:
            reach = reach_of_machine_guns(enemy.group, self.board.catalog)
            if apart(enemy.cell, stand.cell) <= reach and self.board.fire.sees(enemy, stand):
                return True
        return False

    # ------------------------------------------------------------------ scores

    def score_of(self, group: str, terms: ScoreTerms) -> ActionScore:
        """What an action with these terms is worth to a group, by its task and the time left."""
        here = self.situation.own_stand(group)
        return self.board.moves.score(terms, self.tasks[group], here)

    def scales(self, group: str) -> Scales:
        """The factors of the three terms for a group, by its task and the time left."""
        here = self.situation.own_stand(group)
        return self.board.moves.scales_for(self.tasks[group], here)

    def ground_gained(self, after: Stand) -> float:
        """What it is worth toward its objective to a group to be at this stand after this turn, in
        points, compared with staying, which takes a turn as well."""
        group = after.group.id
        before = self.situation.own_stand(group)
        return self.board.moves.ground_gained(before, after, self.tasks[group])
