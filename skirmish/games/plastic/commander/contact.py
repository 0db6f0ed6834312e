"""What a charge is worth: fire on the way, then blows man against man, and guns that are silenced.

The side that charges strikes first (phase 3), those who are left strike back (phase 4), and in the
enemy's turn both do so again. Whoever touches an enemy does not fire at range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.danger import Danger
from skirmish.games.plastic.commander.fire import FireTable, Shootable
from skirmish.games.plastic.commander.kills import KillTable, Target
from skirmish.games.plastic.commander.situation import Situation, Stand
from skirmish.games.plastic.commander.terms import (
    chance_by_men,
    chance_hit,
    men_lost,
    points_lost,
)
from skirmish.games.plastic.rules.catalog import Catalog, UnitType


class ChargeOutcome(NamedTuple):
    """What a charge is expected to bring and to cost, in points; ``chance``: that a model falls,
    None where men are charged."""

    kill: float
    danger: float
    chance: float | None = None


class _Strikers(NamedTuple):
    """Men in contact: how many of each unit are expected to be left, which need not be whole
    men."""

    counts: Mapping[str, float]

    @property
    def number(self) -> float:
        """How many there are of all units together."""
        return sum(self.counts.values())


class _Approach(NamedTuple):
    """The way to the enemy: who gets there, and the points ``lost`` to fire until then."""

    strikers: _Strikers
    lost: float


class Contact:
    """Charges on one table."""

    def __init__(
        self,
        catalog: Catalog,
        kills: KillTable,
        fire: FireTable,
        danger: Danger,
        *,
        weight_of_later_kill: float,
    ) -> None:
        """``weight_of_later_kill``: what a kill in the enemy's next turn counts for."""
        self._catalog = catalog
        self._kills = kills
        self._fire = fire
        self._danger = danger
        self._weight_of_later_kill = weight_of_later_kill

    def can_charge(self, stand: Stand) -> bool:
        """Whether there are men on foot. Models do not seek contact."""
        return stand.group.men_on_foot(self._catalog) > 0

    def outcome(self, situation: Situation, groups: Sequence[str], enemy: Stand) -> ChargeOutcome:
        """What it brings and costs that all of these groups charge one group of the enemy at
        once."""
        strikers, lost = self._approach(situation, groups, enemy)
        men = [unit for unit in enemy.group.units(self._catalog) if unit.is_guy]
        if men:
            fought = self._against_men(strikers, men)
        else:
            fought = self._against_models(strikers, enemy)
        silenced = self._weight_of_later_kill * self._silenced(situation, enemy)
        if fought.chance is not None:
            # A model that falls counts with its price, and only one that lives with its silent gun.
            # Of men all guns count as silent, though some of them fall.
            silenced *= 1 - fought.chance
        return ChargeOutcome(fought.kill + silenced, lost + fought.danger, fought.chance)

    def _approach(self, situation: Situation, groups: Sequence[str], enemy: Stand) -> _Approach:
        """What the fire on the way leaves of the groups that charge an enemy."""
        touching = []
        for group in groups:
            # On their way they are in the open. The enemy fires at them there as at men in his own
            # cell whom he does not touch: that is no blow yet.
            touching.append(situation.own_stand(group).moved_to(enemy))
        after = situation.after(*touching)
        lost = 0.0
        striking: dict[str, float] = {}
        for stand in touching:
            lost_on_the_way = self._danger.points(after, stand.group.id)
            lost += lost_on_the_way
            part_left = self._danger.part_left(stand.group, lost_on_the_way)
            for id, count in stand.group.counts.items():
                if self._catalog.units[id].is_guy:
                    striking[id] = striking.get(id, 0.0) + count * part_left
        return _Approach(_Strikers(striking), lost)

    def _against_men(self, strikers: _Strikers, men: Sequence[UnitType]) -> ChargeOutcome:
        """What two rounds of blows bring and cost, each round struck by those who are left. The
        fire on the way is not counted here."""
        # The first of each side stands for all of it as a target: what hits goes by the kind of
        # a target, and all men are of one kind.
        own_target = self._catalog.units[next(iter(strikers.counts))]
        enemy_target = men[0]
        prices = [self._fire.value(man) for man in men]
        enemies = float(len(men))
        own_value = 0.0
        for id, count in strikers.counts.items():
            own_value += self._danger.value(self._catalog.units[id]) * count
        # Perhaps nobody gets there: what is divided by their number is then divided by 1.
        divisor = max(strikers.number, 1)
        value_of_each = own_value / divisor
        killed = 0.0
        fallen = 0.0
        # They fight now and in the enemy's turn. What falls now counts in full, so that these sums
        # tell who is left for the second round; what falls then has the weight of a later kill.
        for weight in (1.0, self._weight_of_later_kill):
            standing = enemies - killed
            own_standing = strikers.number - fallen
            blows = 0.0
            for id, count in strikers.counts.items():
                # In the second round fewer of each unit strike, all in the same proportion.
                still_striking = count * own_standing / divisor
                blows += self._blow(self._catalog.units[id], enemy_target) * still_striking
            enemies_down = _fallen(standing, blows)
            killed += weight * enemies_down
            # Those of the enemy who are left strike back, they too in the same proportion.
            part_of_enemies_left = (standing - enemies_down) / enemies
            blows_back = 0.0
            for man in men:
                blows_back += self._blow(man, own_target) * part_of_enemies_left
            fallen += weight * _fallen(own_standing, blows_back)
        return ChargeOutcome(points_lost(prices, killed), fallen * value_of_each)

    def _against_models(self, strikers: _Strikers, enemy: Stand) -> ChargeOutcome:
        """One model of the group falls, or none: all strikers go for the dearest one. Models do not
        strike back, so that nothing is lost."""
        dearest = max(self._fire.shootables_of(enemy.group), key=_price)
        chances = []
        for id, count in strikers.counts.items():
            # A model falls once: what a man kills of it on average is the chance that it falls. Of
            # one with two weapons the sum of both may be more than 1.
            chance_of_each = min(self._blow(self._catalog.units[id], dearest.unit), 1.0)
            chances.append(chance_by_men(count, chance_of_each))
        chance_it_falls = chance_hit(chances)
        return ChargeOutcome(dearest.mean_price * chance_it_falls, 0.0, chance_it_falls)

    def _silenced(self, situation: Situation, enemy: Stand) -> float:
        """What the guns of a group that is touched would have killed in the enemy's next turn, each
        at its best target, in points."""
        points = 0.0
        for guns in self._fire.guns_of([enemy]):
            best = 0.0
            for own in situation.own:
                best = max(best, self._fire.points_at_best_target(guns, own))
            points += best * guns.number
        return points

    def _blow(self, striker: UnitType, target: UnitType) -> float:
        """What one man kills of a target in contact, on average."""
        return self._kills.of_unit(striker, Target(target, touching=True))


def _price(shootable: Shootable) -> float:
    return shootable.mean_price


def _fallen(standing: float, blows: float) -> float:
    """How many fall of those who are expected to stand, a part of a man included."""
    # ``men_lost`` counts whole men. Less than half a man would be rounded to nobody, of whom none
    # can fall.
    whole_men = max(1, round(standing))
    return min(standing, men_lost(whole_men, blows))
