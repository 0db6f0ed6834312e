"""Makes the plan of a side, sees when it no longer fits, and turns it into the tasks of a turn.

``Prospects`` says whether the side would win or lose if everybody stayed where he is; ``TaskMaker``
says where each group is to go in this turn, what that is worth, and by when.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.goals import GoalChooser, GoalWorth
from skirmish.games.plastic.commander.measures import GroupMeasures, TableMeasures
from skirmish.games.plastic.commander.moves import GroupTask
from skirmish.games.plastic.commander.objectives import Objective
from skirmish.games.plastic.commander.paths import Mover, Paths
from skirmish.games.plastic.commander.plan import Assignment, Holder, Plan, PlanRecord
from skirmish.games.plastic.commander.roles import RoleChooser
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand, is_tank
from skirmish.games.plastic.commander.weights import (
    CommanderWeights,
    PlanWeights,
    RoleId,
    Temperament,
    TemperamentId,
)
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    CountAtEnd,
    HoldBuildings,
    HoldRatio,
)

LAST_TURN_WITHOUT_CLOCK = 15
"""The last turn that is planned for where no turn ends the battle. Our choice."""
TURNS_TO_CATCH_UP = 2
"""A group that goes with another one has the turns of the way and so many more, so that it hurries
all through the battle, and not only toward its end. Our choice."""


class PlanMaker:
    """Makes the plans of one side on one table."""

    def __init__(
        self,
        catalog: Catalog,
        paths: Paths,
        aims: Aims,
        *,
        weights: CommanderWeights,
        temperament: TemperamentId,
        inches_on_slopes: int | None = None,
    ) -> None:
        """``inches_on_slopes``: as in ``Board``."""
        self.aims = aims
        self._weights = weights
        self._temperament: TemperamentId = temperament
        temperament_weights = weights.temperaments[temperament]
        groups = GroupMeasures(catalog, aims)
        self._table = TableMeasures(groups, paths, aims, inches_on_slopes)
        self._prospects = Prospects(groups, aims, weights.plan)
        self._roles = RoleChooser(groups, self._table, aims, weights.plan, temperament_weights)
        self._goals = GoalChooser(groups, self._table, aims, weights.plan)
        self._worth = GoalWorth(groups, self._table, aims, weights)
        self._tasks = TaskMaker(
            groups,
            self._table,
            aims,
            worth=self._worth,
            roles=self._roles,
            weights=weights.plan,
            temperament=temperament_weights,
        )

    # ------------------------------------------------------------------ the plan

    def make(
        self, situation: Situation, turn: int, turns_left: int, previous: Plan | None = None
    ) -> Plan:
        """A plan for all groups of the side as things stand. ``turns_left``: this one included.
        Each group keeps the role and the goal that it had in the ``previous`` plan, unless they no
        longer fit."""
        previous_roles = {}
        if previous is not None:
            for group, assignment in previous.assignments.items():
                previous_roles[group] = assignment.role
        roles = self._roles.roles(situation, turns_left, previous_roles)
        # A defender who would lose as things stand attacks with everybody in the last turns.
        all_out = self._prospects.must_attack(situation, turns_left)
        if all_out:
            roles = self._roles.all_out(situation, roles, turns_left)
        goals = self._goals.goals(situation, roles, turns_left, previous)
        assignments = {}
        for stand in situation.own:
            group = stand.group.id
            assignments[group] = Assignment(roles[group], goals[group])
        record = self._record(situation, assignments, turn, turns_left)
        return Plan(self._temperament, assignments, record, all_out)

    def doubts(self, situation: Situation, turns_left: int) -> str:
        """A sentence if the battle is lost as things stand; else empty (``Prospects.doubts``)."""
        return self._prospects.doubts(situation, turns_left)

    # ------------------------------------------------------------------ another plan

    def reasons_to_replan(
        self, plan: Plan, situation: Situation, turn: int, turns_left: int
    ) -> list[str]:
        """Why another plan is needed at the start of a turn, in sentences; none if it is not."""
        then = plan.record
        now = self._record(situation, plan.assignments, turn, turns_left)
        names = {stand.group.id: stand.group.name for stand in situation.own}
        reasons = [*self._changes_on_the_ground(then, now), *self._losses(then, now, names)]
        reasons += self._groups_in_a_hurry(then, now, names)
        new_enemies = now.enemies - then.enemies
        if new_enemies:
            reasons.append("The enemy has brought somebody new.")
        newcomers = set(names) - set(then.strengths)
        if newcomers:
            reasons.append("Somebody has entered.")
        must_attack = self._prospects.must_attack(situation, turns_left)
        if must_attack and not plan.all_out:
            reasons.append("It would lose as things stand, and time runs out.")
        turns_passed = turn - then.turn
        if turns_passed >= self._weights.plan.turns:
            reasons.append(f"{turns_passed} turns have passed.")
        return reasons

    def _changes_on_the_ground(self, then: PlanRecord, now: PlanRecord) -> Iterator[str]:
        """Objectives that are held by others than then, or where the balance has passed one of the
        limits (``PlanWeights.balance``)."""
        for objective in self.aims.deciding_ground:
            cell = objective.cell
            if then.holders[cell] != now.holders[cell]:
                yield f"{objective.name} has changed hands."
            if self._who_outweighs(then.balances[cell]) != self._who_outweighs(now.balances[cell]):
                yield f"The balance at {objective.name} has changed."

    def _who_outweighs(self, balance: float) -> Literal["own", "enemy", "nobody"]:
        """Whose points outweigh the other's where the balance is so."""
        if balance < self._weights.plan.outweighed_below:
            return "enemy"
        if balance > self._weights.plan.outweighs_above:
            return "own"
        return "nobody"

    def _losses(self, then: PlanRecord, now: PlanRecord, names: Mapping[str, str]) -> Iterator[str]:
        """Groups that have lost much since the plan was made (``PlanWeights.lost_in_a_turn``), by
        their ``names``."""
        if now.turn <= then.turn:
            return  # within its own turn a plan stands, whatever is lost
        for group, strength in then.strengths.items():
            lost = strength - now.strengths.get(group, 0)
            lost_much = lost >= self._weights.plan.lost_in_a_turn * strength
            if strength and lost_much:
                # A group that is lost altogether has no name any more, only its id.
                yield f"{names.get(group, group)} has lost {lost} of {strength}."

    def _groups_in_a_hurry(
        self, then: PlanRecord, now: PlanRecord, names: Mapping[str, str]
    ) -> Iterator[str]:
        """Groups that had time when the plan was made and now have to hurry, by their ``names``."""
        few = self._weights.plan.turns_to_spare
        for group, spare in now.spare.items():
            had_time = then.spare.get(group, 0) > few
            if had_time and spare <= few:
                yield f"{names[group]} has no more than {spare} turns to spare."

    def _record(
        self,
        situation: Situation,
        assignments: Mapping[str, Assignment],
        turn: int,
        turns_left: int,
    ) -> PlanRecord:
        """How things stand now, to be compared with later."""
        holders = {}
        balances = {}
        for objective in self.aims.deciding_ground:
            own_points = self._table.points_at(situation.own, objective.cell)
            enemy_points = self._table.points_at(situation.enemies, objective.cell)
            # Enemies count as one point at least, also where there are none.
            balances[objective.cell] = own_points / max(enemy_points, 1.0)
            holders[objective.cell] = _holder(situation, objective.cell)
        strengths = {}
        for stand in situation.own:
            group = stand.group
            strengths[group.id] = sum(group.counts.values()) + sum(group.aboard.values())
        enemies = frozenset(stand.group.id for stand in situation.enemies)
        spare = self._turns_to_spare(situation, assignments, turns_left)
        return PlanRecord(turn, strengths, holders, enemies, balances, spare)

    def _turns_to_spare(
        self, situation: Situation, assignments: Mapping[str, Assignment], turns_left: int
    ) -> dict[str, int]:
        """The turns to spare of each group that has to be at its goal in time, by the id of the
        group. A base of fire need not be there, and those who are too late have no time that could
        run out."""
        spare = {}
        for stand in situation.own:
            assignment = assignments.get(stand.group.id)
            if assignment is None or assignment.goal is None or assignment.role == "base":
                continue
            turns_to_spare = turns_left - self.eta(stand, assignment.goal.cell)
            if turns_to_spare >= 0:
                spare[stand.group.id] = turns_to_spare
        return spare

    # ------------------------------------------------------------------ what a turn needs of it

    def tasks(self, plan: Plan, situation: Situation, turns_left: int) -> dict[str, GroupTask]:
        """The plan as tasks for the choice of actions, by group."""
        return self._tasks.tasks(plan, situation, turns_left)

    def exiting_groups(self, plan: Plan) -> frozenset[str]:
        """The groups that are to leave the table, since that counts for their side."""
        if not self.aims.must_exit:
            return frozenset()
        leaving = set()
        for group, assignment in plan.assignments.items():
            if assignment.goal is not None and assignment.goal.way_out:
                leaving.add(group)
        return frozenset(leaving)

    def goals_of_enemy(self, situation: Situation) -> list[GroundCell]:
        """Where the enemy probably wants to go (``GoalChooser.goals_of_enemy``)."""
        return self._goals.goals_of_enemy(situation)

    def worth_of_holding_up(self, situation: Situation, turns_left: int) -> dict[str, float]:
        """What it is worth to hold up each enemy group for a turn, in points by its id: as the
        method of ``GoalWorth`` with this name has it."""
        return self._worth.worth_of_holding_up(situation, turns_left)

    def mover(self, group: GroupKnown) -> Mover:
        """How a group moves on this table."""
        return self._table.mover(group)

    def eta(self, stand: Stand, cell: GroundCell) -> int:
        """The whole turns that a group takes to a cell; ``NEVER`` where there is no way."""
        return self._table.eta(stand, cell)


def _holder(situation: Situation, cell: GroundCell) -> Holder:
    """Whose groups are in a cell."""
    own = any(stand.cell == cell for stand in situation.own)
    enemy = any(stand.cell == cell for stand in situation.enemies)
    if own and enemy:
        return "both"
    if own:
        return "own"
    if enemy:
        return "enemy"
    return "nobody"


# ------------------------------------------------------------------ whether the plan can succeed


class Prospects:
    """Whether a side would win or lose if everybody stayed where he is, as far as ground decides.
    Asked toward the end of a battle."""

    def __init__(self, groups: GroupMeasures, aims: Aims, weights: PlanWeights) -> None:
        self._groups = groups
        self._aims = aims
        self._weights = weights

    def must_attack(self, situation: Situation, turns_left: int) -> bool:
        """Whether a defender has to attack, since few turns are left and he would lose as men
        stand."""
        if self._aims.attacks or turns_left > self._weights.last_effort:
            return False
        return self._defender_would_lose(situation)

    def doubts(self, situation: Situation, turns_left: int) -> str:
        """A sentence for the last turns if the enemy has more men where men count; else empty."""
        men_count_there = self._aims.per_man and bool(self._aims.deciding_cells)
        # Reserves are sent in the last ``commits_at`` turns. Before these, more men may still come.
        if not men_count_there or turns_left > self._weights.commits_at:
            return ""
        own = self._men_on_ground(situation.own).total()
        enemies = self._men_on_ground(situation.enemies).total()
        if own >= enemies:
            return ""
        return f"As things stand this is lost: {own} count against {enemies}."

    def _defender_would_lose(self, situation: Situation) -> bool:
        """Whether the terms of victory are against a defender as men stand."""
        own_men = self._men_on_ground(situation.own)
        enemy_men = self._men_on_ground(situation.enemies)
        # Ground with men of both sides on it is held by neither.
        own_alone = own_men.keys() - enemy_men.keys()
        enemy_alone = enemy_men.keys() - own_men.keys()
        match self._aims.victory:
            case CountAtEnd():
                return own_men.total() < enemy_men.total()
            case HoldBuildings(need=need):
                return len(enemy_alone) >= need
            case HoldRatio(ratio=ratio):
                # The attacker needs one building at least, even if the defender holds none.
                return len(enemy_alone) >= max(1, ratio * len(own_alone))
            case Clear():
                # The attacker has to clear the ground even of models.
                return not any(stand.cell in self._aims.deciding_cells for stand in situation.own)
        # No ground decides, so that none could be taken back.
        return False

    def _men_on_ground(self, stands: Sequence[Stand]) -> Counter[GroundCell]:
        """The men of a side by the cells of the ground that decides; only cells that have any."""
        men: Counter[GroundCell] = Counter()
        for stand in stands:
            number = self._groups.men(stand.group)
            if number and stand.cell in self._aims.deciding_cells:
                men[stand.cell] += number
        return men


# ------------------------------------------------------------------ the plan as tasks


class TaskMaker:
    """Makes the tasks of one turn from the plan of a side: where each group is to go now, what that
    is worth, and by when."""

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
            ward = self._ward(stand, role, situation, turns_left)
            if ward is not None:
                task = self._task_with(ward, stand, role, turns_left)
            elif assignment.goal is not None:
                task = self._task_at(assignment.goal, stand, role, strength_sent, turns_left)
            else:
                # It has nowhere to go: it is where it should be, and that is worth nothing.
                task = self._task(stand, role, stand.cell, worth=0.0, turns=turns_left)
            if plan.all_out and role == "assault":
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
        if self._aims.service_crews & set(stand.group.counts):
            wards = [own for own in situation.own if own.group.waiting]
        elif role == "escort":
            wards = [own for own in situation.own if is_tank(own.group, self._groups.catalog)]
        return min(wards, key=lambda ward: apart(ward.cell, stand.cell), default=None)

    def _worth_of_ward(self, ward: GroupKnown) -> float:
        """What it is worth to be with a ward, in points: the price of its dearest model, which may
        be lost without its escort, or can do nothing without its crew."""
        return float(max(unit.price for unit in ward.units(self._groups.catalog)))
