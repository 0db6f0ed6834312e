"""What a group may lose to fire: by every enemy weapon that reaches it, shared out among targets.

A side fires while its enemy moves and after that (phases 1 and 2), with each weapon once in both
phases together. So each enemy weapon counts once, at the worst place of the way or at its end, and
only with the part of its fire that its player is likely to direct at this group and not at another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from skirmish.games.plastic.commander.fire import FireTable, Guns, Shootable
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.terms import (
    chance_hit,
    men_lost,
    points_lost,
    pull_of,
    share_drawn,
)
from skirmish.games.plastic.rules.catalog import UnitType


class Danger:
    """What the fire of the enemy costs."""

    def __init__(self, fire: FireTable, *, choosing_exponent: float) -> None:
        """``choosing_exponent``: as in ``pull_of``."""
        self._fire = fire
        self._choosing_exponent = choosing_exponent
        # The last answer of ``_pulls_of_others``, and the stands of which it was asked.
        self._asked_last: _StandsOfPulls | None = None
        self._pulls: list[float] = []

    def points(self, situation: Situation, group: str, way: Sequence[Stand] = ()) -> float:
        """What a group is expected to lose where it stands in this situation, in points. ``way``:
        where else it can be fired at while it moves there."""
        stand = situation.own_stand(group)
        places = (stand, *way)
        kinds = _kinds_of(self._fire.shootables_of(stand.group))
        pulls = self._pulls_of_others(situation, group)
        lost = 0.0
        for kind in kinds:
            # A shooter may choose another target of this group, or of any other.
            others_of_group = []
            for other in kinds:
                count = other.count_alike
                if other == kind:
                    count -= 1  # the target itself
                others_of_group.append(_OtherTargets(other.shootable, stand, count))
            expected_kills = self._expected_kills(
                situation, kind.shootable, places, others_of_group, pulls
            )
            lost += kind.count_alike * _lost(kind.shootable, expected_kills)
        return lost

    def value(self, unit: UnitType) -> float:
        """What it costs this side to lose one of a unit, in points."""
        return self._fire.value(unit)

    def price(self, group: GroupKnown) -> float:
        """All that a group can lose, in points, with whoever is aboard."""
        return sum(sum(shootable.prices) for shootable in self._fire.shootables_of(group))

    def part_left(self, group: GroupKnown, lost: float) -> float:
        """The part of a group, 0 to 1, that is left after it has ``lost`` so many points."""
        price = self.price(group)
        if price == 0:
            return 1.0  # it has nothing to lose, such as parked aircraft (scenario 3)
        return 1 - lost / price

    def _expected_kills(
        self,
        situation: Situation,
        shootable: Shootable,
        places: Sequence[Stand],
        others_of_group: Sequence[_OtherTargets],
        pulls: Sequence[float],
    ) -> list[float]:
        """How many of a target each enemy weapon that can hit it is expected to kill, at the worst
        of these places. Only the part of its fire that is directed at this target is counted.
        ``pulls``: how strongly the targets of other groups draw the fire of each weapon."""
        expected_kills = []
        for guns, pull in zip(self._fire.guns_of(situation.enemies), pulls, strict=True):
            kills = max(self._fire.kills(guns, shootable, place) for place in places)
            if not kills:
                continue
            pull_away = pull + self._pull(guns, others_of_group)
            share = share_drawn(kills * shootable.mean_price, pull_away, self._choosing_exponent)
            expected_kills += [kills * share] * guns.number  # each of the guns fires once
        return expected_kills

    def _pulls_of_others(self, situation: Situation, group: str) -> list[float]:
        """How strongly all other groups draw the fire of each enemy weapon. The last answer is
        stored: of one group many moves are weighed, while the others stay."""
        stands = [stand for stand in situation.own if stand.group.id != group]
        asked = _StandsOfPulls(stands, situation.enemies)
        if asked != self._asked_last:
            others = []
            for stand in stands:
                for kind in _kinds_of(self._fire.shootables_of(stand.group)):
                    others.append(_OtherTargets(kind.shootable, stand, kind.count_alike))
            self._pulls = []
            for guns in self._fire.guns_of(situation.enemies):
                self._pulls.append(self._pull(guns, others))
            self._asked_last = asked
        return self._pulls

    def _pull(self, guns: Guns, others: Sequence[_OtherTargets]) -> float:
        """How strongly other targets draw the fire of one of these guns."""
        points_killed: list[float] = []
        for other in others:
            points = self._points_killed(guns, other.shootable, other.stand)
            points_killed += [points] * other.count_alike
        return pull_of(points_killed, self._choosing_exponent)

    def _points_killed(self, guns: Guns, shootable: Shootable, stand: Stand) -> float:
        """What one of these guns kills on average of a target, in points."""
        return self._fire.kills(guns, shootable, stand) * shootable.mean_price


class _StandsOfPulls(NamedTuple):
    """The stands on which the pulls of other groups depend: theirs, and those of the enemy."""

    others: list[Stand]
    enemies: tuple[Stand, ...]


class _OtherTargets(NamedTuple):
    """Targets that are alike, at one stand, at which a shooter may fire instead."""

    shootable: Shootable
    stand: Stand
    count_alike: int


class _TargetKind(NamedTuple):
    """The targets of one group that are alike: what each of them is, and how many there are."""

    shootable: Shootable
    count_alike: int


def _kinds_of(shootables: Sequence[Shootable]) -> list[_TargetKind]:
    """The kinds of targets of a group. Models that are alike are weighed once, as an army may have
    two hundred of them."""
    # Those of a kind are listed one after another (``FireTable.shootables_of``).
    return [_TargetKind(shootable, len(list(alike))) for shootable, alike in groupby(shootables)]


def _lost(shootable: Shootable, expected_kills: Sequence[float]) -> float:
    """The points that are lost of a target. ``expected_kills``: what each gun that fires at it
    would kill of it alone, on average."""
    if shootable.unit.is_guy:
        men = shootable.number
        fallen = men_lost(men, sum(expected_kills))
        return points_lost(shootable.prices, fallen)
    return shootable.mean_price * chance_hit(expected_kills)
