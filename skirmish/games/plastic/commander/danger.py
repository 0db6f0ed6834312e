"""What a group may lose to fire: by every enemy weapon that reaches it, shared out among targets.

A side fires while its enemy moves and after that (phases 1 and 2), once with each weapon in all. So
each enemy weapon counts once, at the worst place of the way or at its end, and only with the part
of its fire that its player is likely to give to this group and not to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.cells import apart
from skirmish.games.plastic.commander.kills import KillTable, Target
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.terms import chance_hit, men_lost, points_lost, share_of_fire
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon

LIKELY = 0.5
"""From this share of clear lines on, two cells are taken to see each other where the players were
not asked."""


class _Guns(NamedTuple):
    """So many of a unit with one of its weapons, at one stand."""

    unit: UnitType
    weapon: Weapon
    number: int
    stand: Stand


class _Shootable(NamedTuple):
    """What one shot is aimed at: the men of a group, or one model. ``prices`` are those of all who
    may fall; of a model, its own with that of everybody aboard."""

    unit: UnitType
    prices: tuple[float, ...]

    @property
    def price(self) -> float:
        """On average, of each that falls."""
        return sum(self.prices) / len(self.prices)


class Danger:
    """What the fire of the enemy costs on one table, under the rulings of one battle."""

    def __init__(
        self,
        catalog: Catalog,
        rulings: Mapping[str, str],
        sight: Sight,
        kills: KillTable,
        *,
        choosing: float,
    ) -> None:
        """``choosing``: the power by which a shooter prefers the better target."""
        self._catalog = catalog
        self._rulings = rulings
        self._sight = sight
        self._kills = kills
        self._choosing = choosing

    def points(self, situation: Situation, group: str, way: Sequence[Stand] = ()) -> float:
        """What a group is expected to lose where it stands in this situation, in points. ``way``:
        where else it can be fired at while it moves there."""
        stand = situation.own_stand(group)
        others = [other for other in situation.own if other.group.id != group]
        all_guns = list(self._guns_of(situation.enemies))
        lost = 0.0
        own_shootables = self._shootables_of(stand.group)
        for index, shootable in enumerate(own_shootables):
            beside = own_shootables[:index] + own_shootables[index + 1 :]
            shots = []
            for guns in all_guns:
                kills = max(self._kills_of(guns, shootable, place) for place in (stand, *way))
                here = kills * shootable.price
                elsewhere = [self._value(guns, other, stand) for other in beside]
                for other_stand in others:
                    for other in self._shootables_of(other_stand.group):
                        elsewhere.append(self._value(guns, other, other_stand))
                share = share_of_fire(here, elsewhere, self._choosing)
                shots += [kills * share] * guns.number
            lost += _lost(shootable, shots)
        return lost

    def _value(self, guns: _Guns, shootable: _Shootable, stand: Stand) -> float:
        """What one of these guns kills on average of a target, in points."""
        return self._kills_of(guns, shootable, stand) * shootable.price

    def _kills_of(self, guns: _Guns, shootable: _Shootable, stand: Stand) -> float:
        """What one of these guns kills on average of a target at a stand; 0 out of its sight."""
        if self._sight.clear_share(guns.stand.cell, stand.cell) < LIKELY:
            return 0.0
        target = Target(
            shootable.unit,
            together=len(shootable.prices),
            distance=round(apart(guns.stand.cell, stand.cell)),
            cover=stand.cover,
        )
        return self._kills.of_weapon(guns.unit, guns.weapon, target)

    def _guns_of(self, stands: Sequence[Stand]) -> Iterator[_Guns]:
        for stand in stands:
            for id, count in stand.group.counts.items():
                unit = self._catalog.units[id]
                for weapon in self._catalog.weapons_of(unit, self._rulings):
                    yield _Guns(unit, weapon, count, stand)

    def _shootables_of(self, group: GroupKnown) -> list[_Shootable]:
        """Its men, who stand together, and each of its models."""
        units = group.units(self._catalog)
        shootables = []
        men = [unit for unit in units if unit.is_guy]
        if men:
            shootables.append(_Shootable(men[0], tuple(float(man.price) for man in men)))
        carriers = sum(1 for unit in units if unit.seats)
        for unit in units:
            if unit.is_guy:
                continue
            price = float(unit.price)
            if unit.seats:
                price += group.price_aboard(self._catalog) / carriers
            shootables.append(_Shootable(unit, (price,)))
        return shootables


def _lost(shootable: _Shootable, shots: Sequence[float]) -> float:
    """The points lost to shots of which each alone would kill so many on average."""
    if shootable.unit.is_guy:
        fallen = men_lost(len(shootable.prices), sum(shots))
        return points_lost(shootable.prices, fallen)
    return shootable.price * chance_hit(shots)
