"""What it is worth, in points, to be at a goal, and to keep an enemy group from its own goal."""

from __future__ import annotations

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.measures import GroupMeasures, TableMeasures
from skirmish.games.plastic.commander.plan import Plan
from skirmish.games.plastic.commander.situation import GroupKnown, Situation
from skirmish.games.plastic.commander.weights import CommanderWeights


class GoalWorth:
    """Divides the stakes of a battle among the groups that can win them."""

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

    def ground_denied(self, situation: Situation, turns_left: int) -> dict[str, float]:
        """What it is worth to hold up each enemy group for a turn on its way to its nearest
        objective, by the id of the group. Only men on foot can be pinned."""
        if self._aims.must_exit:
            # The enemy only bars the way out: he waits, and goes nowhere.
            return {}
        # Where this side defends, the enemy has to fight for what he wants.
        in_time = self._weights.chances(fought_for=not self._aims.attacks)
        strength_sent = sum(self._groups.strength(enemy.group) for enemy in situation.enemies)
        denied = {}
        for enemy in situation.enemies:
            turns = self._table.turns_to_nearest_objective(enemy)
            # 0 turns: it is there already, or has no objective. Then nothing can hold it up.
            if turns and self._groups.has_men_on_foot(enemy.group):
                # Whose side does not have to leave bars the way of one that has to: here the enemy
                # leaves, if anybody does.
                share = self._share_of_stakes(enemy.group, strength_sent, by_exit=self._aims.leaves)
                denied[enemy.group.id] = share * in_time.turn_gained(turns_left - turns)
        return denied

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
