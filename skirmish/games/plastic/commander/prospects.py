"""Whether a side would win or lose if everybody stayed where he is, as far as ground decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skirmish.games.plastic.commander.aims import Aims
from skirmish.games.plastic.commander.cells import GroundCell
from skirmish.games.plastic.commander.measures import GroupMeasures
from skirmish.games.plastic.commander.situation import Situation, Stand
from skirmish.games.plastic.commander.weights import PlanWeights
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    CountAtEnd,
    HoldBuildings,
    HoldRatio,
)


class Prospects:
    """The prospects of one side toward the end of a battle."""

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
        # The turns in which reserves are sent are the last in which that could be changed.
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
