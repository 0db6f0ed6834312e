"""The plan as tasks of one turn: where each group is to go now, what that is worth, and by when."""

from __future__ import annotations

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.goal_worth import GoalWorth
from skirmish.games.plastic.commander.group_kinds import is_tank
from skirmish.games.plastic.commander.measures import GroupMeasures, TableMeasures
from skirmish.games.plastic.commander.moves import GroupTask
from skirmish.games.plastic.commander.objectives import Objective
from skirmish.games.plastic.commander.plan import Assignment, Plan
from skirmish.games.plastic.commander.roles import RoleChooser
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.weights import PlanWeights, RoleId, Temperament

TURNS_TO_CATCH_UP = 2
"""A group that goes with another one has the turns of the way and so many more, so that it hurries
all through the battle, and not only toward its end. Our choice."""


class TaskMaker:
    """Makes the tasks of one side from its plan."""

    def __init__(
        self,
        groups: GroupMeasures,
        table: TableMeasures,
        aims: Aims,
        *,
        worth: GoalWorth,
        roles: RoleChooser,
        weights: PlanWeights,
        temperament: Temperament,
    ) -> None:
        self._groups = groups
        self._table = table
        self._aims = aims
        self._worth = worth
        self._roles = roles
        self._weights = weights
        self._temperament = temperament

    def tasks(self, plan: Plan, situation: Situation, turns_left: int) -> dict[str, GroupTask]:
        """The task of each group by its id."""
        strength_sent = self._worth.strength_sent(plan, situation)
        tasks = {}
        for stand in situation.own:
            # Who has entered since the plan was made waits for the next one.
            assignment = plan.assignments.get(stand.group.id, Assignment("reserve", None))
            role = self._roles.role_by_guns_left(assignment.role, stand.group)
            ward = self._ward(stand, assignment.role, situation, turns_left)
            if ward is not None:
                task = self._task_with(ward, stand, role, turns_left)
            elif assignment.goal is not None:
                task = self._task_at(assignment.goal, stand, role, strength_sent, turns_left)
            else:
                task = self._task(stand, role, stand.cell, 0.0, turns_left)
            if plan.all_out and assignment.role == "assault":
                # From now on this defender, too, has lost without the ground.
                task = task._replace(worth=task.worth * self._weights.attackers_stake)
            tasks[stand.group.id] = task
        return tasks

    def _task_at(
        self, goal: Objective, stand: Stand, role: RoleId, strength_sent: float, turns_left: int
    ) -> GroupTask:
        """The task of a group that is to be at an objective."""
        cell = self._nearest_reachable(stand, goal.cell)
        worth = self._worth.at_goal(stand.group, strength_sent)
        return self._task(stand, role, cell, worth, self._turns_for(stand, cell, turns_left))

    def _task_with(self, ward: Stand, stand: Stand, role: RoleId, turns_left: int) -> GroupTask:
        """The task of a group that is to be where its ward is, and soon."""
        cell = self._nearest_reachable(stand, ward.cell)
        turns = min(turns_left, self._table.eta(stand, cell) + TURNS_TO_CATCH_UP)
        task = self._task(stand, role, cell, self._worth_of_ward(ward.group), turns)
        return task._replace(ward=ward.group.name)

    def _task(
        self, stand: Stand, role: RoleId, cell: GroundCell, worth: float, turns: int
    ) -> GroupTask:
        """A task of a group. Attackers have to throw somebody out wherever they go: all that they
        want is fought for."""
        mover = self._table.mover(stand.group)
        return GroupTask(role, mover, cell, worth, turns, fought_for=self._aims.attacks)

    def _turns_for(self, stand: Stand, cell: GroundCell, turns_left: int) -> int:
        """The turns that a group has to be in a cell. An attacker does not wait until the end, nor
        does a defender who comes to help where each man counts: they have only the turns of the way
        and as many more as the temperament has patience."""
        comes_to_help = self._aims.per_man and stand.cell != cell
        if not self._aims.attacks and not comes_to_help:
            return turns_left
        return min(turns_left, self._table.eta(stand, cell) + self._temperament.patience)

    def _nearest_reachable(self, stand: Stand, goal: GroundCell) -> GroundCell:
        """The goal of a group, or the nearest cell to it if the group cannot enter it, such as a
        tank before a house. Of equally near cells the one that is reached first."""
        reached = self._table.paths.turns(self._table.mover(stand.group), stand.cell)
        if goal in reached or not reached:
            return goal

        def nearest_first(cell: GroundCell) -> tuple[float, float, GroundCell]:
            return apart(cell, goal), reached[cell], cell

        return min(reached, key=nearest_first)

    # ------------------------------------------------------------------ with another group

    def _ward(
        self, stand: Stand, role: RoleId, situation: Situation, turns_left: int
    ) -> Stand | None:
        """The group with which another one goes, wherever that leads: for an escort the nearest
        tanks, for a crew the nearest models that wait for it. None for all others."""
        if turns_left == 1:
            return None  # in the last turn everybody goes for his own goal
        wards = []
        if self._aims.crews & set(stand.group.counts):
            wards = [own for own in situation.own if own.group.waiting]
        elif role == "escort":
            wards = [own for own in situation.own if is_tank(own.group, self._groups.catalog)]
        return min(wards, key=lambda ward: apart(ward.cell, stand.cell), default=None)

    def _worth_of_ward(self, ward: GroupKnown) -> float:
        """What it is worth to be with a ward, in points: the price of its dearest model, which may
        be lost without its escort, or can do nothing without its crew."""
        return float(max(unit.price for unit in ward.units(self._groups.catalog)))
