"""Who starts a scenario aboard a vehicle or craft, and in which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.battle.setup import Piece
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.scenarios import entries
from skirmish.games.plastic.scenarios.scenario import Scenario


def starting_loads(
    scenario: Scenario, pieces: Sequence[Piece], catalog: Catalog, rulings: Mapping[str, str]
) -> dict[str, str]:
    """The carriers by rider: a contingent starts aboard if it enters in vehicles or craft with room
    for all of its guys (scenario 10: P71)."""
    aboard: dict[str, str] = {}
    for side in scenario.sides:
        for contingent in side.contingents:
            units = {}
            for piece in pieces:
                if piece.contingent == contingent.id:
                    units[piece.id] = catalog.units[piece.unit]
            from_outside = isinstance(contingent.entry, entries.FROM_OUTSIDE)
            aboard |= _loads_of_contingent(scenario, units, from_outside, rulings)
    return aboard


def _loads_of_contingent(
    scenario: Scenario,
    units: Mapping[str, UnitType],
    from_outside: bool,
    rulings: Mapping[str, str],
) -> dict[str, str]:
    """The carriers by rider of one contingent, whose ``units`` are by piece; empty if it starts on
    foot."""
    carriers = [piece for piece, unit in units.items() if unit.seats]
    afloat = any("landing_craft" in units[carrier].tags for carrier in carriers)
    # Who starts on dry land beside his vehicles, as players see fit, starts on foot.
    if not carriers or not (afloat or from_outside):
        return {}
    # Scenario 10: 33 men and 30 seats in landing craft.
    crowded = afloat and "P71" in scenario.rulings
    extra_seats = crowded and rulings["P71"] == "extra_seats"
    loads = _seated(units, carriers, extra_seats, rulings)
    guys = {piece for piece, unit in units.items() if unit.is_guy}
    # Where not everybody fits, the players decide who rides, so all begin on foot.
    if crowded or loads.keys() >= guys:
        return loads
    return {}


def _seated(
    units: Mapping[str, UnitType],
    carriers: Sequence[str],
    extra_seats: bool,
    rulings: Mapping[str, str],
) -> dict[str, str]:
    """The carriers by rider, of all who find room; with ``extra_seats`` every guy does."""
    inside: dict[str, list[UnitType]] = {carrier: [] for carrier in carriers}
    loads: dict[str, str] = {}
    for rider in _riders(units):
        carrier: str | None
        if extra_seats and units[rider].is_guy:
            carrier = _emptiest(inside)
        else:
            carrier = _first_with_room(units, rider, inside, rulings)
        if carrier is not None:
            inside[carrier].append(units[rider])
            loads[rider] = carrier
    return loads


def _riders(units: Mapping[str, UnitType]) -> list[str]:
    """Those who ride, the cannon first, since they fit into few vehicles."""
    cannon = [piece for piece, unit in units.items() if "cannon" in unit.tags and not unit.is_guy]
    guys = [piece for piece, unit in units.items() if unit.is_guy]
    return [*cannon, *guys]


def _emptiest(inside: Mapping[str, Sequence[UnitType]]) -> str:
    """P71, ``extra_seats``: guys are shared out evenly over the craft."""
    return min(inside, key=lambda carrier: len(inside[carrier]))


def _first_with_room(
    units: Mapping[str, UnitType],
    rider: str,
    inside: Mapping[str, Sequence[UnitType]],
    rulings: Mapping[str, str],
) -> str | None:
    """The first carrier that has room for the rider besides those who are ``inside``; None if none
    has."""
    for carrier, riders in inside.items():
        riding = [*riders, units[rider]]
        if why_not_aboard(units[carrier], riding, rulings) is None:
            return carrier
    return None
