"""What victory is worth in points, so that ground can be weighed against kills.

The stake of a battle is half the price of the smaller force, without works, since no side should
give more than about half of what it has to win. The stake is shared out among the units that
decide: guys who leave the table, targets to destroy, buildings to hold, tanks left. Where both
sides count the same units and the larger number wins, half of these decide.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.victory_terms import (
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

FEWEST_UNITS = 1
"""The whole stake is worth a single unit at least, also if none is left of what decides."""


class Stakes(NamedTuple):
    """What is to be won: ``points`` in all, and how many ``units`` decide. Each of these is worth
    more than its price to both sides, by ``each``."""

    points: float
    units: float

    @property
    def each(self) -> float:
        """Points for each unit (a guy, a model, a building) that decides."""
        return self.points / self.units


class Force(NamedTuple):
    """How many of each unit a side has, by the id of the unit."""

    counts: Mapping[str, int]

    def price(self, catalog: Catalog) -> int:
        """The price of all of it, in points of the list."""
        return sum(catalog.units[unit].price * count for unit, count in self.counts.items())

    def guys(self, catalog: Catalog) -> int:
        """How many guys it has; models do not count."""
        return sum(count for unit, count in self.counts.items() if catalog.units[unit].is_guy)

    def number_of(self, units: Collection[str]) -> int:
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
    """The stakes of a scenario. ``forces``: by side; ``buildings``: how many are on the table, for
    victories by holding them; ``in_the_circle``: how many units stand where a side is to be cleared
    away, for such victories; by default one, to which the whole stake goes."""
    points = _half_of_smaller([force.price(catalog) for force in forces.values()])
    units: float
    match victory:
        case ExitTable():
            units = number_to_exit(victory, forces[victory.side], catalog)
        case Destroy() | HoldBuildings():
            units = victory.need
        case DestroyThenExit():
            # What is to be destroyed, and then who has to leave the table.
            units = victory.need + victory.then.need
        case HoldRatio():
            # Half of them, as if the larger number won: the ratio is not taken into account.
            units = buildings / 2
        case CountAtEnd():
            units = _half_of_smaller([force.guys(catalog) for force in forces.values()])
        case Clear():
            units = in_the_circle
        case Survivors():
            units = _half_of_smaller([force.number_of(victory.units) for force in forces.values()])
    return Stakes(points, max(units, FEWEST_UNITS))


def stakes_of_break(forces: Sequence[Force], catalog: Catalog, to_break: int) -> Stakes:
    """The stakes of a battle to the break point. ``to_break``: the potential dead guys that a side
    loses before it breaks, among whom the points are shared out."""
    points = _half_of_smaller([force.price(catalog) for force in forces])
    return Stakes(points, max(to_break, FEWEST_UNITS))


def number_to_exit(victory: ExitTable, force: Force, catalog: Catalog) -> int:
    """What has to leave the table of a side that has this ``force`` at the start."""
    if victory.need is not None:
        return victory.need
    # "Half their force", counted as toward the break point and rounded up. The ``weights`` of the
    # terms are not needed: no terms that ask for a share have any.
    strength = 0
    for unit, count in force.counts.items():
        strength += count * catalog.strength_of(catalog.units[unit])
    return math.ceil(strength / 2)


def _half_of_smaller(numbers: Sequence[int]) -> float:
    """Half of the smaller of the two sides' numbers."""
    return min(numbers) / 2
