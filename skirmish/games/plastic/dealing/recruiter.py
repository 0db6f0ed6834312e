"""Chooses the figures of both sides: first the tools that the task needs, then rifles; never more
than there are, and never what a nation did not have then and there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from random import Random

import msgspec

from skirmish.games.plastic.dealing.regions import Region, Regions
from skirmish.games.plastic.rules.army import MOST_PIECES
from skirmish.games.plastic.rules.catalog import Catalog, UnitType

LEAST_SPENT = 0.94
"""The part of the points asked for that a force spends at least, where the figures suffice."""
AGAINST_A_TANK = 0.8
"""Anti-tank pieces for each enemy tank."""
MOST_AGAINST_TANKS = 0.3
"""The part of the points that goes to them at most."""
POINTS_FOR_A_MACHINE_GUN = 5
"""What a force spends at most on a first machine gun that its shares would not buy."""
MEN_OF_A_WORK = 3.5
"""Guys whom a foxhole or a wall of sandbags shelters."""
MOST_WIRE = 10
"""Segments of wire that a force gets at most."""
MOST_CARRIERS = 40
"""Trucks and the like that are bought at most for one force."""
CRAFT = ("landing_craft", "assault_raft")
"""The better one first."""
CARRIERS = ("truck", "jeep", "halftrack")
"""What may carry men by road."""
INSTEAD_OF_RIFLES = (
    "machinegun",
    "mortar",
    "grenade",
    "engineer",
    "light",
    "armour",
    "anti_tank",
)
"""The kinds of units that are bought if there are too few Rifle Guys, guys first."""


class Stock(msgspec.Struct):
    """The figures that are left to choose from. It shrinks as they are taken."""

    left: dict[str, int] | None
    """By the ids of units and works; None if the players own as many as anybody wants."""

    @property
    def is_unlimited(self) -> bool:
        """Whether it never shrinks."""
        return self.left is None

    def count_of(self, piece: str) -> int:
        """How many are left."""
        if self.left is None:
            return MOST_PIECES
        return self.left.get(piece, 0)

    def take(self, piece: str, count: int) -> int:
        """Take so many, or as many as there are; returns how many."""
        taken = min(count, self.count_of(piece))
        if self.left is not None and taken:
            self.left[piece] -= taken
        return taken

    def give_back(self, piece: str, count: int) -> None:
        """Put back so many that were taken."""
        if self.left is not None and count:
            self.left[piece] += count


class Recruiter:
    """Chooses units for one ``nation``, in one ``month`` and ``region``, from a ``stock`` that both
    sides share, but none of the units that are ``excluded``."""

    def __init__(
        self,
        catalog: Catalog,
        regions: Regions,
        *,
        region: Region,
        nation: str,
        month: str,
        stock: Stock,
        chance: Random,
        excluded: Collection[str] = (),
    ) -> None:
        self._catalog = catalog
        self._regions = regions
        self._region = region
        self.nation = nation
        self._month = month
        self._stock = stock
        self._chance = chance
        self._excluded = excluded

    def recruit(
        self, points: int, arms: str, *, enemy_tanks: int = 0, men_aboard: bool = False
    ) -> Counter[str]:
        """Units for so many points, in the proportions of ``arms``. Pieces against ``enemy_tanks``
        are chosen first. If ``men_aboard``, there are seats for all men."""
        force: Counter[str] = Counter()
        if enemy_tanks:
            wanted = math.ceil(enemy_tanks * AGAINST_A_TANK)
            self._spend(force, "anti_tank", points * MOST_AGAINST_TANKS, at_most=wanted)
        shares = self._regions.arms[arms]
        for kind, percent in shares.items():
            # These have been chosen already.
            if kind == "anti_tank" and enemy_tanks:
                continue
            # No two armies are quite alike. What these shares leave, or lack, is evened out by the
            # Rifle Guys bought last.
            uneven = self._chance.uniform(0.8, 1.2)
            self._spend(force, kind, points * percent / 100 * uneven)
        # Each side has a machine gun at least, even if that share of its points buys none. The kind
        # "machinegun" has one unit, of the same name.
        if not force["machinegun"]:
            # In a small force it may not take most of the points.
            at_most_a_third = points / 3
            self._spend(force, "machinegun", min(POINTS_FOR_A_MACHINE_GUN, at_most_a_third))
        if men_aboard:
            self._buy_carriers(force, points)
        self._spend(force, "rifle", points - self.price(force))
        self._spend_rest(force, points)
        # The plus leaves out units whose count is 0.
        return +force

    def price(self, force: Mapping[str, int]) -> int:
        """The list price of a force, in points."""
        return sum(self._catalog.units[id].price * count for id, count in force.items())

    def men(self, force: Mapping[str, int]) -> int:
        """The guys of a force."""
        return sum(count for id, count in force.items() if self._catalog.units[id].is_guy)

    def seats(self, force: Mapping[str, int]) -> int:
        """How many guys its vehicles carry."""
        return sum((self._catalog.units[id].seats or 0) * count for id, count in force.items())

    def take(self, unit: str, count: int) -> int:
        """Take so many of a unit, or as many as there are; returns how many."""
        return self._stock.take(unit, count)

    def add_craft(self, force: Counter[str]) -> None:
        """Add landing craft, and rafts when no more are left, until every man has a seat."""
        for craft in CRAFT:
            while self.seats(force) < self.men(force):
                taken = self._stock.take(craft, 1)
                if not taken:
                    break
                force[craft] += taken

    def works_for(self, men: int) -> Counter[str]:
        """Works for so many men, and some wire. Most of the men dig in, three or four to a work."""
        works: Counter[str] = Counter()
        dug_in = men * self._chance.uniform(0.6, 1.0)
        wanted = round(dug_in / MEN_OF_A_WORK)
        for piece in ("entrenchment", "sandbags"):
            taken = self._stock.take(piece, wanted)
            works[piece] += taken
            wanted -= taken
        works["barbed_wire"] += self._stock.take("barbed_wire", self._chance.randint(0, MOST_WIRE))
        return +works

    def _spend(
        self, force: Counter[str], kind: str, points: float, at_most: int | None = None
    ) -> None:
        """Buy units of a kind for so many points at most, while there are any."""
        bought = 0
        while at_most is None or bought < at_most:
            affordable = [unit for unit in self._units_of(kind) if unit.price <= points]
            if not affordable:
                return
            unit = self._chance.choice(affordable)
            count = 1
            if unit.price == 1:
                # At a point each, as Rifle Guys, all are bought in one go.
                count = int(points)
            taken = self._stock.take(unit.id, count)
            force[unit.id] += taken
            points -= taken * unit.price
            bought += taken

    def _units_of(self, kind: str) -> list[UnitType]:
        """The units of a kind that the nation had, and of which some are left."""
        units = []
        for id in self._regions.kinds[kind]:
            if self._is_there(id):
                units.append(self._catalog.units[id])
        # A desert tank is one without shells for men. Where and while a nation had such tanks,
        # ordinary ones had not come yet, so it is never dealt both.
        if any(unit.id == "desert_tank" for unit in units):
            units = [unit for unit in units if unit.id != "tank"]
        return units

    def _is_there(self, unit: str) -> bool:
        """Whether the nation had a unit, and there is one left."""
        if unit in self._excluded:
            return False
        had_it = self._regions.had(unit, self.nation, self._month, self._region.id)
        return had_it and self._stock.count_of(unit) > 0

    def _spend_rest(self, force: Counter[str], points: int) -> None:
        """Buy other units if there were too few Rifle Guys, until so few points are left that they
        do not matter."""
        for kind in INSTEAD_OF_RIFLES:
            left = points - self.price(force)
            if left <= points * (1 - LEAST_SPENT):
                return
            self._spend(force, kind, left)

    def _buy_carriers(self, force: Counter[str], points: int) -> None:
        """Buy trucks and jeeps until every man has a seat, also the Rifle Guys who will be bought
        for what is left."""
        for _ in range(MOST_CARRIERS):
            points_left = max(points - self.price(force), 0)
            # A Rifle Guy costs a point, so as many will be bought as points are left.
            rifles = points_left
            if self.seats(force) >= self.men(force) + rifles:
                return
            carriers = [unit for unit in self._carriers() if unit.price <= points_left]
            if not carriers:
                return
            best = carriers[0]
            force[best.id] += self._stock.take(best.id, 1)

    def _carriers(self) -> list[UnitType]:
        """What carries men by road, the most seats for the price first."""
        carriers = []
        for id in CARRIERS:
            if self._is_there(id):
                carriers.append(self._catalog.units[id])
        return sorted(carriers, key=lambda unit: unit.price / (unit.seats or 1))


def parted(
    force: Mapping[str, int], percents: Sequence[int], catalog: Catalog
) -> list[Counter[str]]:
    """A force in parts of these percentages of its price, each with some of everything: piece by
    piece goes to the part that has most points still to come."""
    parts = [Counter[str]() for _ in percents]
    price = sum(catalog.units[id].price * count for id, count in force.items())
    spent = [0.0] * len(parts)
    # The dearest first, so that the cheap ones even out what is left.
    for id in sorted(force, key=lambda id: -catalog.units[id].price):
        for _ in range(force[id]):
            still_due = []
            for percent, spent_so_far in zip(percents, spent, strict=True):
                still_due.append(price * percent / 100 - spent_so_far)
            # Of several parts that are due as much, the first.
            neediest = still_due.index(max(still_due))
            parts[neediest][id] += 1
            spent[neediest] += catalog.units[id].price
    return parts
