"""What a group may lose to fire: by every enemy weapon that reaches it, shared out among targets.

A side fires while its enemy moves and after that (phases 1 and 2), once with each weapon in all. So
each enemy weapon counts once, at the worst place of the way or at its end, and only with the part
of its fire that its player is likely to give to this group and not to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skirmish.games.plastic.commander.fire import FireTable, Guns, Shootable
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.terms import chance_hit, men_lost, points_lost, share_of_fire


class Danger:
    """What the fire of the enemy costs."""

    def __init__(self, fire: FireTable, *, choosing: float) -> None:
        """``choosing``: the power by which a shooter prefers the better target."""
        self._fire = fire
        self._choosing = choosing

    def points(self, situation: Situation, group: str, way: Sequence[Stand] = ()) -> float:
        """What a group is expected to lose where it stands in this situation, in points. ``way``:
        where else it can be fired at while it moves there."""
        stand = situation.own_stand(group)
        places = (stand, *way)
        shootables = self._fire.shootables_of(stand.group)
        lost = 0.0
        for index, shootable in enumerate(shootables):
            # A shooter may choose another of its models, or any other group.
            others = [(other, stand) for other in shootables[:index] + shootables[index + 1 :]]
            others += self._of_other_groups(situation, group)
            lost += _lost(shootable, self._shots_at(situation, shootable, places, others))
        return lost

    def price(self, group: GroupKnown) -> float:
        """All that a group can lose, in points, with whoever is aboard."""
        return sum(sum(shootable.prices) for shootable in self._fire.shootables_of(group))

    def _shots_at(
        self,
        situation: Situation,
        shootable: Shootable,
        places: Sequence[Stand],
        others: Sequence[tuple[Shootable, Stand]],
    ) -> list[float]:
        """What each enemy weapon kills of a target by the part of its fire that comes to it, at the
        worst of these places."""
        shots = []
        for guns in self._fire.guns_of(situation.enemies):
            kills = max(self._fire.kills(guns, shootable, place) for place in places)
            elsewhere = [self._value(guns, other, stand) for other, stand in others]
            share = share_of_fire(kills * shootable.price, elsewhere, self._choosing)
            shots += [kills * share] * guns.number
        return shots

    def _of_other_groups(
        self, situation: Situation, group: str
    ) -> Iterator[tuple[Shootable, Stand]]:
        for stand in situation.own:
            if stand.group.id != group:
                for shootable in self._fire.shootables_of(stand.group):
                    yield shootable, stand

    def _value(self, guns: Guns, shootable: Shootable, stand: Stand) -> float:
        """What one of these guns kills on average of a target, in points."""
        return self._fire.kills(guns, shootable, stand) * shootable.price


def _lost(shootable: Shootable, shots: Sequence[float]) -> float:
    """The points lost to shots of which each alone would kill so many on average."""
    if shootable.unit.is_guy:
        fallen = men_lost(len(shootable.prices), sum(shots))
        return points_lost(shootable.prices, fallen)
    return shootable.price * chance_hit(shots)
