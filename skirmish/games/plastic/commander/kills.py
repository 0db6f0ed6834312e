"""Expected kills of a shot: by weapon, target, distance, cover, and how many stand together.

All of them come from the exact odds of ``odds.volley``, with a fresh deck or the die. A commander
asks for the same few numbers thousands of times, so each is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.odds.pack import Firer, Pack, firer_of, fresh
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, why_not

MOST_TOGETHER = 12
"""The most men of a group that are reckoned with: a larger one is hit like one of so many, since a
chain of repeat fire hardly ever gets so far that it ends for want of men."""


class Target(NamedTuple):
    """Who is shot at: so many of a ``unit`` that stand together, ``distance`` inches away. Where
    they ``touch`` the shooter, the fight is that of phases 3 and 4, and the distance is none."""

    unit: UnitType
    together: int = 1
    distance: int = 6
    cover: bool = False
    touching: bool = False


_Question: TypeAlias = tuple[str, str, str, int, int, bool, bool]
"""A shot of the table: the ids of who fires what at whom, how many stand together there, their
distance, and whether they are in cover or touch."""


class KillTable:
    """The kills of every shot under the rulings of a battle."""

    def __init__(
        self, catalog: Catalog, rulings: Mapping[str, str], pack: Pack | None = None
    ) -> None:
        """``pack``: what is drawn from, by default a fresh deck."""
        self._catalog = catalog
        self._rulings = rulings
        self._pack = pack or fresh(rulings)
        self._by_question: dict[_Question, float] = {}
        self._by_volley: dict[tuple[tuple[Firer, ...], int], float] = {}

    def of_unit(self, shooter: UnitType, target: Target) -> float:
        """What a unit kills on average with each of its weapons once: the sum of its shots, as if
        none knew of the other."""
        weapons = self._catalog.weapons_of(shooter, self._rulings)
        return sum(self.of_weapon(shooter, weapon, target) for weapon in weapons)

    def of_weapon(self, shooter: UnitType, weapon: Weapon, target: Target) -> float:
        """What one weapon kills on average with one shot, repeat fire included; 0 for a shot that
        the rules forbid."""
        question = (
            shooter.id,
            weapon.id,
            target.unit.id,
            _counted(target),
            target.distance,
            target.cover,
            target.touching,
        )
        if question not in self._by_question:
            firer = self._firer(shooter, weapon, target)
            kills = 0.0
            if firer is not None:
                kills = self._of_firers((firer,), _counted(target))
            self._by_question[question] = kills
        return self._by_question[question]

    def of_volley(self, shooters: Iterable[UnitType], target: Target) -> float:
        """What they kill on average of one group together, exactly: never more than stand there,
        and whoever finds nobody left holds fire."""
        firers = []
        for shooter in shooters:
            for weapon in self._catalog.weapons_of(shooter, self._rulings):
                firer = self._firer(shooter, weapon, target)
                if firer is not None:
                    firers.append(firer)
        return self._of_firers(tuple(firers), _counted(target))

    def _firer(self, shooter: UnitType, weapon: Weapon, target: Target) -> Firer | None:
        """The shooter as the odds have him; None if the rules forbid the shot."""
        # Fire at range is that of phase 2, with which phase 1 agrees; blows are those of phase 3,
        # with which phase 4 does.
        phase, distance = 2, target.distance
        if target.touching:
            phase, distance = 3, 0
        circumstances = Circumstances(
            distance=distance, touching=target.touching, phase=phase, cover=target.cover
        )
        shot = Shot(shooter=shooter, weapon=weapon, target=target.unit, at=circumstances)
        if why_not(shot, self._catalog, self._rulings) is not None:
            return None
        return firer_of(aim(shot, self._catalog, self._rulings), die=self._pack.die)

    def _of_firers(self, firers: tuple[Firer, ...], together: int) -> float:
        if not firers:
            return 0.0
        # Many distances and targets have one volley in common.
        key = (firers, together)
        if key not in self._by_volley:
            self._by_volley[key] = float(volley(firers, [together], self._pack).expected())
        return self._by_volley[key]


def _counted(target: Target) -> int:
    """How many stand together as the table counts them: never more than ``MOST_TOGETHER``, and a
    model stands alone."""
    if not target.unit.is_guy:
        return 1
    return min(target.together, MOST_TOGETHER)
