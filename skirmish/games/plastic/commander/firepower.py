"""What groups kill by their fire: each shot goes where it kills most, and no kill counts twice.

This is the fire of the enemy's next turn, since the side that moves does not fire at range. Who has
fallen by then does not fire: of each group only the part that is left does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from skirmish.games.plastic.commander.fire import FireTable, GunKey, Guns, Shootable
from skirmish.games.plastic.commander.situation import Situation, Stand


class UnseenPair(NamedTuple):
    """The ids of a group of the side and of an enemy group that it does not see."""

    group: str
    enemy: str


class AimedShot(NamedTuple):
    """A shot of one weapon at the target of which it kills most: ``kills`` men or models on
    average, worth so many ``points``."""

    guns: Guns
    shootable: Shootable
    stand: Stand
    kills: float
    points: float


class _Standing:
    """A target, and how many of it are still expected to stand."""

    def __init__(self, shootable: Shootable, stand: Stand) -> None:
        self.shootable = shootable
        self.stand = stand
        self.standing = float(shootable.number)

    def kills(self, guns: Guns, part: float, fire: FireTable) -> float:
        """What a shot of one of these guns would kill of those who still stand. ``part``: the part
        of a shot that is expected to be fired, less than 1 where its shooter may have fallen."""
        # The odds are those against whole men, of whom one at least stands there.
        whole_men = max(1, round(self.standing))
        kills = fire.kills(guns, self.shootable, self.stand, together=whole_men)
        # The last one may have fallen already.
        chance_that_one_stands = min(self.standing, 1.0)
        # Never more fall than are expected to stand.
        return min(part * kills * chance_that_one_stands, self.standing)


class Firepower:
    """What the fire of own groups brings."""

    def __init__(self, fire: FireTable) -> None:
        self._fire = fire

    def points(
        self,
        situation: Situation,
        groups: Collection[str],
        parts_left: Mapping[str, float] | None = None,
    ) -> float:
        """What these groups are expected to kill together, in points, each with all of its weapons
        once. ``parts_left``: the part of a group, 0 to 1, that is left, by its id; of a group that
        is not named, all."""
        return sum(shot.points for shot in self.aimed_shots(situation, groups, parts_left))

    def aimed_shots(
        self,
        situation: Situation,
        groups: Collection[str],
        parts_left: Mapping[str, float] | None = None,
        number_fired: Mapping[GunKey, int] | None = None,
        unseen: Collection[UnseenPair] = (),
    ) -> Iterator[AimedShot]:
        """The shots of these groups, each with every weapon once and each where it kills most after
        the shots before it; who can kill nobody holds fire.

        ``number_fired``: how many guns have fired already, by their key; whom they killed is no
        longer in the situation. ``unseen``: groups that do not see each other, whatever the map
        says.
        """
        if parts_left is None:
            parts_left = {}
        targets = []
        for stand in situation.enemies:
            for shootable in self._fire.shootables_of(stand.group):
                targets.append(_Standing(shootable, stand))
        if number_fired is None:
            number_fired = {}
        stands = [stand for stand in situation.own if stand.group.id in groups]
        for guns in self._fire.guns_of(stands):
            in_reach = self._targets_in_reach(guns, targets, unseen)
            part_left = parts_left.get(guns.stand.group.id, 1.0)
            shots_left = (guns.number - number_fired.get(guns.key, 0)) * part_left
            while in_reach and shots_left > 0:
                # As many whole shots as are left, and a part of one more.
                aimed = self._shot_at_best(guns, min(shots_left, 1.0), in_reach)
                if aimed is not None:
                    yield aimed
                shots_left -= 1

    def _targets_in_reach(
        self, guns: Guns, targets: Collection[_Standing], unseen: Collection[UnseenPair]
    ) -> list[_Standing]:
        """Those of the targets of which one of these guns can kill anybody."""
        in_reach = []
        for target in targets:
            seen = UnseenPair(guns.stand.group.id, target.stand.group.id) not in unseen
            if seen and target.kills(guns, 1.0, self._fire) > 0:
                in_reach.append(target)
        return in_reach

    def _shot_at_best(
        self, guns: Guns, part: float, targets: Collection[_Standing]
    ) -> AimedShot | None:
        """Fire this ``part`` of a shot at the target of which it kills most, in points: its dead no
        longer stand for the shots after it. None if the shot kills nobody."""
        best: _Standing | None = None
        most_kills = 0.0
        most_points = 0.0
        for target in targets:
            kills = target.kills(guns, part, self._fire)
            points = kills * target.shootable.mean_price
            if points > most_points:
                best = target
                most_kills = kills
                most_points = points
        if best is None:
            return None
        best.standing -= most_kills
        return AimedShot(guns, best.shootable, best.stand, most_kills, most_points)
