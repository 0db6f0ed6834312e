"""The goal of each group in a plan: the objective or the enemy to which it goes, and what it is
worth to be there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import GroundCell, apart
from skirmish.games.plastic.commander.measures import GroupMeasures, TableMeasures
from skirmish.games.plastic.commander.objectives import Objective
from skirmish.games.plastic.commander.plan import Plan
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.weights import CommanderWeights, PlanWeights, RoleId

# A group goes to the objective that costs it least, in turns: those that the way takes, and what
# the following constants add or take off. All four are our choice.
TURNS_RATHER_THAN_CROWD = 2
"""Where several objectives must be held, a group goes so many turns farther rather than to one for
which enough points are sent already. If only a part of these points is sent, it goes farther by the
same part of the turns."""
TURNS_RATHER_THAN_TOO_MANY = 10
"""An attacker goes so many turns farther to another objective rather than to one that those who are
sent already can take."""
TURNS_TO_HELP = 24
"""A defender goes so many turns farther to the objective that most enemies threaten, if nobody is
sent there yet. Where those who are sent have a part of the points of these enemies, he goes farther
only by the part of the turns that is still missing."""
TIMES_KEEPS_GOAL_TO_STAY = 2
"""Where each man counts, men who are at an objective stay there rather than go on to the goal that
they had: to stay is worth so many times what it is worth to keep a goal (``keeps_goal``)."""


class GoalChooser:
    """Gives each group of one side its goal."""

    def __init__(
        self, groups: GroupMeasures, table: TableMeasures, aims: Aims, weights: PlanWeights
    ) -> None:
        self._groups = groups
        self._table = table
        self._aims = aims
        self._weights = weights

    def goals(
        self,
        situation: Situation,
        roles: Mapping[str, RoleId],
        turns_left: int,
        previous: Plan | None,
    ) -> dict[str, Objective | None]:
        """The goal of each group by its id; None for a group with nothing to go for. Groups keep
        their goal of the ``previous`` plan, unless another is clearly better."""
        needs = _ObjectiveNeeds(self._points_wanted(situation), self._threats(situation))
        goals: dict[str, Objective | None] = {}
        # The weakest of those who are at an objective is enough to stay there; the others go on.
        for stand in sorted(situation.own, key=self._nearest_and_weakest_first):
            group = stand.group.id
            role = roles[group]
            costs = []
            for objective in self._candidates(situation, stand, role):
                cost = self._cost(situation, stand, objective, needs)
                # Help that comes too late is none.
                if self._table.eta(stand, objective.cell) < turns_left:
                    cost -= TURNS_TO_HELP * needs.help_missing(objective.cell)
                if previous is not None and previous.leads_to(group, objective):
                    cost -= self._weights.keeps_goal
                costs.append(_GoalCost(objective, cost))
            if not costs:
                goals[group] = None
                continue
            # Of equal costs the first objective is taken.
            goal = min(costs, key=_turns_of).objective
            goals[group] = goal
            # A base of fire supports from afar, and holds nothing unless it stands there.
            if role != "base" or stand.cell == goal.cell:
                needs.points_sent[goal.cell] += self._groups.points(stand.group)
        return goals

    def goals_of_enemy(self, situation: Situation) -> list[GroundCell]:
        """Where the enemy probably wants to go: to the objectives, or else to this side's
        groups."""
        if self._aims.objectives:
            return [objective.cell for objective in self._aims.objectives]
        return [stand.cell for stand in situation.own]

    def _nearest_and_weakest_first(self, stand: Stand) -> tuple[int, float]:
        """A sort key."""
        turns = self._table.turns_to_nearest_objective(stand)
        return turns, self._groups.points(stand.group)

    # ------------------------------------------------------------------ what an objective costs

    def _cost(
        self, situation: Situation, stand: Stand, objective: Objective, needs: _ObjectiveNeeds
    ) -> float:
        """What it costs a group to go to an objective, in turns: the way, more where enough others
        go already, and less where it stands and each man counts."""
        cell = objective.cell
        cost = float(self._table.eta(stand, cell))
        must_be_held_as_a_whole = not self._aims.per_man and not objective.way_out
        if must_be_held_as_a_whole:
            cost += TURNS_RATHER_THAN_CROWD * needs.part_sent(cell)
            if self._aims.attacks and self._can_take(needs.points_sent[cell], cell, situation):
                cost += TURNS_RATHER_THAN_TOO_MANY
        if self._aims.per_man and stand.cell == cell:
            cost -= TIMES_KEEPS_GOAL_TO_STAY * self._weights.keeps_goal
        return cost

    def _can_take(self, points_sent: float, cell: GroundCell, situation: Situation) -> bool:
        """Whether so many points are enough to take an objective from the enemies there."""
        enemy_points = self._table.points_at(situation.enemies, cell)
        return points_sent > self._weights.outweighs_above * enemy_points

    def _points_wanted(self, situation: Situation) -> dict[GroundCell, float]:
        """The points that each piece of deciding ground takes: more than the enemy has there, and
        never less than an average group, or than 1, since they are divided by (``part_sent``)."""
        points = sum(self._groups.points(stand.group) for stand in situation.own)
        average_group = points / max(len(situation.own), 1)
        wanted = {}
        for objective in self._aims.deciding_ground:
            enemy_points = self._table.points_at(situation.enemies, objective.cell)
            to_outweigh_them = self._weights.outweighs_above * enemy_points
            wanted[objective.cell] = max(average_group, to_outweigh_them, 1.0)
        return wanted

    def _threats(self, situation: Situation) -> dict[GroundCell, float]:
        """The points of the enemies by the objective that is nearest to them. Only for a defender
        whose men count wherever they are: an attacker chooses where to fight, and objectives that
        must each be held cannot help one another."""
        threats: defaultdict[GroundCell, float] = defaultdict(float)
        ground = self._aims.deciding_ground
        if self._aims.attacks or not self._aims.per_man or not ground:
            return threats
        for enemy in situation.enemies:
            nearest = ground[0].cell
            for objective in ground:
                if apart(objective.cell, enemy.cell) < apart(nearest, enemy.cell):
                    nearest = objective.cell
            threats[nearest] += self._groups.points(enemy.group)
        return threats

    # ------------------------------------------------------------------ among which to choose

    def _candidates(self, situation: Situation, stand: Stand, role: RoleId) -> Sequence[Objective]:
        """The objectives among which a group with this role has its goal."""
        if self._aims.attacks:
            return self._targets_to_attack(situation, stand, role)
        if self._aims.bars_the_way_out:
            return self._places_to_bar(situation)
        return self._aims.objectives

    def _targets_to_attack(
        self, situation: Situation, stand: Stand, role: RoleId
    ) -> Sequence[Objective]:
        """The enemies who bar the way out (but not for a raid, which goes straight for its goal) or
        are hunted; else the objectives, or any enemy."""
        all_enemies = _as_objectives(situation.enemies)
        if self._aims.deciding_ground and not self._groups.men(stand.group):
            # Models hold no ground, and go for the enemies on it.
            if all_enemies:
                return all_enemies
            return self._aims.objectives
        targets: list[Objective] = []
        if self._aims.leaves and role != "raid":
            targets = _as_objectives(self._table.barring_the_way_out(situation))
        if not targets and self._aims.hunted:
            hunted = []
            for enemy in situation.enemies:
                if self._aims.hunted & set(enemy.group.counts):
                    hunted.append(enemy)
            targets = _as_objectives(hunted)
        if targets:
            return targets
        if self._aims.objectives:
            return self._aims.objectives
        return all_enemies

    def _places_to_bar(self, situation: Situation) -> list[Objective]:
        """Where a defender stops those who want to leave: for each way out, the place two thirds of
        the way there from the enemy who is nearest to it."""
        if not situation.enemies:
            # He waits at the ways out, without leaving by them himself.
            return [objective._replace(way_out=False) for objective in self._aims.objectives]
        places = []
        for objective in self._aims.objectives:
            nearest = min(situation.enemies, key=lambda enemy: apart(enemy.cell, objective.cell))
            column = (nearest.cell.column + 2 * objective.cell.column) // 3
            row = (nearest.cell.row + 2 * objective.cell.row) // 3
            cell = GroundCell(column, row)
            places.append(Objective(f"the way to {objective.name}", cell))
        return places


class _GoalCost(NamedTuple):
    """What it costs a group to have an objective as its goal, in turns."""

    objective: Objective
    turns: float


def _turns_of(cost: _GoalCost) -> float:
    return cost.turns


class _ObjectiveNeeds:
    """What is known while the groups choose their goals one after another, in points by the cell of
    an objective: ``wanted`` is how many it takes, ``threats`` how many enemies are nearest to it.
    ``points_sent`` grows with each group that has its goal."""

    def __init__(
        self, wanted: Mapping[GroundCell, float], threats: Mapping[GroundCell, float]
    ) -> None:
        self.points_sent: defaultdict[GroundCell, float] = defaultdict(float)
        self._wanted = wanted
        self._threats = threats

    def part_sent(self, cell: GroundCell) -> float:
        """How much is sent to an objective, in parts of what it takes. An enemy is an objective,
        too, if he is attacked: for him it takes a single point."""
        return self.points_sent[cell] / self._wanted.get(cell, 1.0)

    def help_missing(self, cell: GroundCell) -> float:
        """How many points are missing against the enemies near an objective, in parts of the
        greatest threat; 0 where nothing is threatened."""
        if not self._threats:
            return 0.0
        missing = self._threats.get(cell, 0.0) - self.points_sent[cell]
        return max(missing, 0.0) / max(self._threats.values())


def _as_objectives(enemies: Sequence[Stand]) -> list[Objective]:
    """Enemy groups as objectives."""
    return [Objective(enemy.group.name, enemy.cell) for enemy in enemies]


# ------------------------------------------------------------------ what a goal is worth


class GoalWorth:
    """What it is worth, in points, to be at a goal, and to keep an enemy group from its own goal:
    the stakes of a battle, divided among the groups that can win them."""

    def __init__(
        self,
        groups: GroupMeasures,
        table: TableMeasures,
        aims: Aims,
        weights: CommanderWeights,
    ) -> None:
        self._groups = groups
        self._table = table
        self._aims = aims
        self._weights = weights

    def strength_sent(self, plan: Plan, situation: Situation) -> float:
        """The strength of all groups that a plan sends to objectives. A base of fire is not sent,
        and has no part in it."""
        sent = 0.0
        for stand in situation.own:
            assignment = plan.assignments.get(stand.group.id)
            if assignment is not None and assignment.role != "base":
                sent += self._groups.strength(stand.group)
        return sent

    def at_goal(self, group: GroupKnown, strength_sent: float) -> float:
        """What it is worth that a group of this side is at its goal."""
        share = self._share_of_stakes(group, strength_sent, by_exit=self._aims.must_exit)
        if not self._aims.attacks:
            return share
        # An attacker wins nothing by saving his men: without the ground he has lost.
        return share * self._weights.plan.attackers_stake

    def worth_of_holding_up(self, situation: Situation, turns_left: int) -> dict[str, float]:
        """What it is worth to hold up each enemy group for a turn on its way to its nearest
        objective, by the id of the group. Only men on foot can be pinned."""
        if self._aims.must_exit:
            # The enemy only bars the way out: he waits, and goes nowhere.
            return {}
        # Where this side defends, the enemy has to fight for what he wants.
        in_time = self._weights.chances(fought_for=not self._aims.attacks)
        strength_sent = sum(self._groups.strength(enemy.group) for enemy in situation.enemies)
        worth = {}
        for enemy in situation.enemies:
            turns = self._table.turns_to_nearest_objective(enemy)
            # 0 turns: it is there already, or has no objective. Then nothing can hold it up.
            if turns and self._groups.has_men_on_foot(enemy.group):
                # This side does not have to leave the table (``must_exit``). So if victory is about
                # leaving, it is the enemy who leaves.
                share = self._share_of_stakes(enemy.group, strength_sent, by_exit=self._aims.leaves)
                worth[enemy.group.id] = share * in_time.turn_gained(turns_left - turns)
        return worth

    def _share_of_stakes(self, group: GroupKnown, strength_sent: float, *, by_exit: bool) -> float:
        """What a group of either side wins at its goal. ``by_exit``: its side has to leave the
        table, so that it counts as it does off the table. Else it counts by its men where each man
        counts, and otherwise by its part of the strength that its side sends."""
        stakes = self._aims.stakes
        if by_exit:
            return stakes.each * self._groups.exit_strength(group)
        if self._aims.per_man:
            return stakes.each * self._groups.men(group)
        strength = self._groups.strength(group)
        # The group may be a base of fire, which ``strength_sent`` leaves out: no part exceeds 1.
        all_strength = max(strength_sent, strength, 1)
        return stakes.points * strength / all_strength
