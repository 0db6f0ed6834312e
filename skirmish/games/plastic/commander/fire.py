"""Who can hit whom on one table: weapons, targets, and the expected kills of a shot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.commander.kills import KillTable, Target
from skirmish.games.plastic.commander.sight import Sight
from skirmish.games.plastic.commander.situation import GroupKnown, Stand
from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Weapon

TAKEN_TO_SEE = 0.5
"""With at least this share of clear lines, two cells are taken to see each other where the players
were not asked."""


class GunKey(NamedTuple):
    """The weapons of one kind of a group, by the ids of the group, of who carries them, and of the
    weapon."""

    group: str
    unit: str
    weapon: str


class Guns(NamedTuple):
    """The weapons of one kind that a group has, in the hands of one of its units: so many men or
    models (``number``), each with one of them."""

    unit: UnitType
    weapon: Weapon
    number: int
    stand: Stand

    @property
    def key(self) -> GunKey:
        """The ids by which is counted how many of them have fired."""
        return GunKey(self.stand.group.id, self.unit.id, self.weapon.id)


class ForbiddenTarget(NamedTuple):
    """What the scenario forbids a unit to fire at."""

    contingent: str | None
    """The contingent of those who may not fire; None: of whichever contingent they are."""
    unit: str
    """The id of their unit."""
    target: str
    """The id of the unit at which they may not fire."""


class Shootable(NamedTuple):
    """What one shot is aimed at: the men of a group, or one model. ``prices`` are those of all who
    may fall; of a model, its own with that of everybody aboard."""

    unit: UnitType
    prices: tuple[float, ...]

    @property
    def number(self) -> int:
        """How many may fall: a model is one, whoever is aboard."""
        return len(self.prices)

    @property
    def mean_price(self) -> float:
        """The price of each that falls, on average; of a model all of it, since there is only
        one."""
        return sum(self.prices) / self.number


class _CountsKey(NamedTuple):
    """The ``counts`` of a group and its ``aboard``, as a key: the id and the number of each
    unit."""

    counts: tuple[tuple[str, int], ...]
    aboard: tuple[tuple[str, int], ...]


class FireTable:
    """Fire on one table, under the rulings of one battle."""

    def __init__(
        self,
        catalog: Catalog,
        rulings: Mapping[str, str],
        sight: Sight,
        kills: KillTable,
        *,
        each_lost: float = 0.0,
        sight_in: int | None = None,
        forbidden: frozenset[ForbiddenTarget] = frozenset(),
    ) -> None:
        """``each_lost``: what the loss of each potential dead guy (what a unit counts toward the
        break point) is worth in points beyond its price, where the break point decides;
        ``sight_in``: inches beyond which nobody sees, in the dark; ``forbidden``: what the scenario
        forbids to fire at."""
        self._each_lost = each_lost
        self._catalog = catalog
        self._rulings = rulings
        self._sight = sight
        self._kills = kills
        self._sight_in = sight_in
        self._forbidden = forbidden
        self._shootables: dict[_CountsKey, Sequence[Shootable]] = {}

    def with_losses_worth(self, each_lost: float) -> FireTable:
        """The same fire, with each potential dead guy worth so many points beyond its price."""
        return FireTable(
            self._catalog,
            self._rulings,
            self._sight,
            self._kills,
            each_lost=each_lost,
            sight_in=self._sight_in,
            forbidden=self._forbidden,
        )

    def kills(
        self, guns: Guns, shootable: Shootable, stand: Stand, *, together: int | None = None
    ) -> float:
        """What one of these guns kills on average of a target at a stand; 0 out of its sight.
        ``together``: how many of the target still stand, by default (None) all."""
        if not self.sees(guns.stand, stand) or self._may_not_fire(guns, shootable.unit):
            return 0.0
        if together is None:
            together = shootable.number
        distance = round(math.dist(guns.stand.place, stand.place))
        target = Target(shootable.unit, together, distance, stand.cover)
        return self._kills.of_weapon(guns.unit, guns.weapon, target)

    def points_at_best_target(self, guns: Guns, stand: Stand) -> float:
        """What one of these guns kills on average of the target of a group at which it does most,
        in points."""
        best = 0.0
        for shootable in self.shootables_of(stand.group):
            best = max(best, self.kills(guns, shootable, stand) * shootable.mean_price)
        return best

    def _may_not_fire(self, guns: Guns, target: UnitType) -> bool:
        """Whether the scenario forbids this shot."""
        if not self._forbidden:
            return False
        contingent, unit = guns.stand.group.contingent, guns.unit.id
        forbidden_to_contingent = ForbiddenTarget(contingent, unit, target.id)
        forbidden_to_all = ForbiddenTarget(None, unit, target.id)
        return forbidden_to_contingent in self._forbidden or forbidden_to_all in self._forbidden

    def sees(self, stand: Stand, other: Stand) -> bool:
        """Whether two stands are taken to see each other."""
        if self._sight_in is not None and math.dist(stand.place, other.place) > self._sight_in:
            return False
        return self._sight.clear_share(stand.cell, other.cell) >= TAKEN_TO_SEE

    def guns_of(self, stands: Iterable[Stand]) -> Iterator[Guns]:
        """All weapons at these stands that can fire."""
        for stand in stands:
            for id, count in stand.group.counts.items():
                number = count - stand.group.waiting.get(id, 0)
                if number <= 0:
                    continue
                unit = self._catalog.units[id]
                for weapon in self._catalog.weapons_of(unit, self._rulings):
                    yield Guns(unit, weapon, number, stand)

    def value(self, unit: UnitType) -> float:
        """What it costs a side to lose one of a unit, in points."""
        return unit.price + self._each_lost * self._catalog.strength_of(unit)

    def shootables_of(self, group: GroupKnown) -> Sequence[Shootable]:
        """What can be shot at in a group: its men, who stand together, and each of its models."""
        # Asked thousands of times in a turn, of a few groups.
        key = _CountsKey(tuple(group.counts.items()), tuple(group.aboard.items()))
        if key not in self._shootables:
            self._shootables[key] = self._listed_shootables(group)
        return self._shootables[key]

    def _listed_shootables(self, group: GroupKnown) -> Sequence[Shootable]:
        """The men of a group as one target, then its models, those of a unit one after another."""
        units = group.units(self._catalog)
        shootables = []
        men = [unit for unit in units if unit.is_guy]
        if men:
            # The first stands for all of them: what hits a target goes by its kind, and all men
            # are of one kind.
            shootables.append(Shootable(men[0], tuple(self.value(man) for man in men)))
        carriers = sum(1 for unit in units if unit.seats)
        for unit in units:
            if unit.is_guy:
                continue
            price = self.value(unit)
            if unit.seats:
                aboard = sum(self.value(man) for man in group.riders(self._catalog))
                # Those aboard are taken to sit in all carriers of the group alike.
                price += aboard / carriers
            shootables.append(Shootable(unit, (price,)))
        return shootables
