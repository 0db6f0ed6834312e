"""How many a shot kills on average, by weapon, target, distance and cover.

The numbers come from the exact odds of ``odds.volley``, with a fresh deck or the die. A commander
asks for the same few thousands of times, so each is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from skirmish.games.plastic.odds.pack import Firer, Pack, firer_of, fresh
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon
from skirmish.games.plastic.rules.shot import Circumstances, Shot, aim, why_not

MOST_TOGETHER = 12
"""A group of more men is treated as one of so many, since repeat fire hardly ever kills so many
that more men would make a difference."""


class Target(NamedTuple):
    """Who is shot at: so many of a ``unit`` that stand ``together``, ``distance`` inches away.
    ``touching``: they touch the shooter, so that the fight is that of phases 3 and 4 and the
    distance does not count."""

    unit: UnitType
    together: int = 1
    distance: int = 6
    cover: bool = False
    touching: bool = False


class _ShotKey(NamedTuple):
    """All that the kills of a shot depend on; units and weapon by their ids."""

    shooter: str
    weapon: str
    target: str
    together: int
    distance: int
    cover: bool
    touching: bool


class _OddsKey(NamedTuple):
    """All that the kills of a volley depend on: who fires, at how many men who stand together."""

    firers: tuple[Firer, ...]
    together: int


class KillTable:
    """How many each shot kills on average under the rulings of one battle."""

    def __init__(
        self, catalog: Catalog, rulings: Mapping[str, str], pack: Pack | None = None
    ) -> None:
        """``pack``: what is drawn from, by default (None) a fresh deck or the die."""
        self._catalog = catalog
        self._rulings = rulings
        if pack is None:
            pack = fresh(rulings)
        self._pack = pack
        self._by_shot: dict[_ShotKey, float] = {}
        self._by_volley: dict[_OddsKey, float] = {}

    def of_unit(self, shooter: UnitType, target: Target) -> float:
        """What a unit kills on average if it fires each of its weapons once. The shots are added
        up, though together they may kill fewer."""
        weapons = self._catalog.weapons_of(shooter, self._rulings)
        return sum(self.of_weapon(shooter, weapon, target) for weapon in weapons)

    def of_weapon(self, shooter: UnitType, weapon: Weapon, target: Target) -> float:
        """What one weapon kills on average with one shot, repeat fire included; 0 for a shot that
        the rules forbid."""
        together = _together(target)
        key = _ShotKey(
            shooter=shooter.id,
            weapon=weapon.id,
            target=target.unit.id,
            together=together,
            distance=target.distance,
            cover=target.cover,
            touching=target.touching,
        )
        if key not in self._by_shot:
            firer = self._firer(shooter, weapon, target)
            kills = 0.0
            if firer is not None:
                kills = self._of_firers(_OddsKey((firer,), together))
            self._by_shot[key] = kills
        return self._by_shot[key]

    def of_volley(self, shooters: Iterable[UnitType], target: Target) -> float:
        """What shooters kill on average of one group together, exactly: never more than stand
        there, and whoever has no target left holds fire."""
        firers = []
        for shooter in shooters:
            for weapon in self._catalog.weapons_of(shooter, self._rulings):
                firer = self._firer(shooter, weapon, target)
                if firer is not None:
                    firers.append(firer)
        return self._of_firers(_OddsKey(tuple(firers), _together(target)))

    def _firer(self, shooter: UnitType, weapon: Weapon, target: Target) -> Firer | None:
        """The shot in the terms of the odds; None if the rules forbid it."""
        # Phases 1 and 2 have the same fire at range, and phases 3 and 4 the same fights in contact.
        phase, distance = 2, target.distance
        if target.touching:
            phase, distance = 3, 0
        circumstances = Circumstances(
            distance=distance, touching=target.touching, phase=phase, cover=target.cover
        )
        shot = Shot(shooter=shooter, weapon=weapon, target=target.unit, circumstances=circumstances)
        if why_not(shot, self._catalog, self._rulings) is not None:
            return None
        return firer_of(aim(shot, self._catalog, self._rulings), die=self._pack.die)

    def _of_firers(self, key: _OddsKey) -> float:
        """What a volley kills on average."""
        if not key.firers:
            return 0.0
        # Shots at many distances and targets have the same odds.
        if key not in self._by_volley:
            kills = volley(key.firers, [key.together], self._pack).expected()
            self._by_volley[key] = float(kills)
        return self._by_volley[key]


def _together(target: Target) -> int:
    """How many stand together, as far as it counts: a model stands alone."""
    if not target.unit.is_guy:
        return 1
    return min(target.together, MOST_TOGETHER)
