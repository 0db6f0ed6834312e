"""What victory is worth in points, so that ground can be weighed against kills.

The stake of a battle is half the price of the smaller force, without works: a side that is to win
should not give more for it than about half of what it has. Where the sides count against each other
(guys, buildings, tanks left), it is half of them, too, that decides. The stake is shared out among
the units that decide: guys in buildings, aircraft, buildings to hold, tanks left.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import (
    Clear,
    CountAtEnd,
    Destroy,
    DestroyThenExit,
    ExitTable,
    HoldBuildings,
    HoldRatio,
    Survivors,
    Victory,
)


class Stakes(NamedTuple):
    """What is to be won: ``points`` in all, and how many ``units`` decide. What counts where it
    stands is worth ``each`` more than its price, to either side."""

    points: float
    units: float

    @property
    def each(self) -> float:
        """Points for each unit (a guy, a model, a building) that decides."""
        return self.points / self.units


class Force(NamedTuple):
    """What a side has: how many of each unit, by id."""

    counts: Mapping[str, int]

    def price(self, catalog: Catalog) -> int:
        """The price of all of it, in points of the list."""
        return sum(catalog.units[unit].price * count for unit, count in self.counts.items())

    def guys(self, catalog: Catalog) -> int:
        """How many guys it has, without the models."""
        return sum(count for unit, count in self.counts.items() if catalog.units[unit].is_guy)

    def of(self, units: Collection[str]) -> int:
        """How many it has of these units together."""
        return sum(count for unit, count in self.counts.items() if unit in units)


def stakes_of(
    victory: Victory,
    forces: Mapping[str, Force],
    catalog: Catalog,
    *,
    buildings: int = 1,
    in_the_circle: int = 1,
) -> Stakes:
    """The stakes of a scenario. ``forces`` by side; ``buildings`` are on the table, as asked at
    set-up; ``in_the_circle``: how many stand where a side is to be cleared away."""
    points = _half_of_smaller([force.price(catalog) for force in forces.values()])
    units: float
    match victory:
        case ExitTable():
            units = _to_exit(victory, forces[victory.side], catalog)
        case Destroy() | HoldBuildings():
            units = victory.need
        case DestroyThenExit():
            units = victory.need + victory.then.need
        case HoldRatio():
            units = buildings / 2
        case CountAtEnd():
            units = _half_of_smaller([force.guys(catalog) for force in forces.values()])
        case Clear():
            units = in_the_circle
        case Survivors():
            units = _half_of_smaller([force.of(victory.units) for force in forces.values()])
    # Where nothing is left of what decides, the next one decides it all.
    return Stakes(points, max(units, 1))


def stakes_of_break(forces: Sequence[Force], catalog: Catalog, to_break: int) -> Stakes:
    """The stakes of a battle to the break point: the points are shared out among the potential dead
    guys ``to_break`` that a side may still lose before it breaks."""
    points = _half_of_smaller([force.price(catalog) for force in forces])
    return Stakes(points, max(to_break, 1))


def _to_exit(victory: ExitTable, force: Force, catalog: Catalog) -> int:
    """How much of its strength a side must bring off the table."""
    if victory.need is not None:
        return victory.need
    # "Half their force", counted as toward the break point and rounded up.
    strength = 0
    for unit, count in force.counts.items():
        strength += count * catalog.worth(catalog.units[unit])
    return math.ceil(strength / 2)


def _half_of_smaller(numbers: Sequence[int]) -> float:
    return min(numbers) / 2
