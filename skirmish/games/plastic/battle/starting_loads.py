"""Which pieces start a scenario aboard a vehicle or a landing craft, and in which one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skirmish.games.plastic.battle.pieces import Piece
from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.checks import why_not_aboard
from skirmish.games.plastic.scenarios import entries
from skirmish.games.plastic.scenarios.scenario import Scenario


def starting_loads(
    scenario: Scenario, pieces: Sequence[Piece], catalog: Catalog, rulings: Mapping[str, str]
) -> dict[str, str]:
    """The carrier of each piece that starts aboard. A contingent does so if it enters the table in
    vehicles or craft that have room for all of its guys; for scenario 10 see P71."""
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
    """The carrier of each rider of one contingent; empty if it starts on foot. ``units``: the unit
    of each of its pieces."""
    carriers = [piece for piece, unit in units.items() if unit.seats]
    afloat = any("landing_craft" in units[carrier].tags for carrier in carriers)
    # Men who set up on dry land start beside their vehicles, wherever the players want them.
    if not carriers or not (afloat or from_outside):
        return {}
    # In scenario 10, 33 men have 30 seats in landing craft. The ruling says where the other 3 are:
    # aboard as well, or ashore. All others start aboard in either case.
    crowded = afloat and "P71" in scenario.rulings
    extra_seats = crowded and rulings["P71"] == "extra_seats"
    loads = _seated(units, carriers, extra_seats, rulings)
    guys = {piece for piece, unit in units.items() if unit.is_guy}
    # Elsewhere, if not everybody fits, the players decide who rides, so all begin on foot.
    if crowded or loads.keys() >= guys:
        return loads
    return {}


def _seated(
    units: Mapping[str, UnitType],
    carriers: Sequence[str],
    extra_seats: bool,
    rulings: Mapping[str, str],
) -> dict[str, str]:
    """The carrier of each rider who finds room; with ``extra_seats`` every guy does."""
    inside: dict[str, list[UnitType]] = {carrier: [] for carrier in carriers}
    loads: dict[str, str] = {}
    for rider in _riders(units):
        carrier: str | None
        if extra_seats and units[rider].is_guy:
            carrier = _carrier_with_fewest(inside)
        else:
            carrier = _first_with_room(units, rider, inside, rulings)
        if carrier is not None:
            inside[carrier].append(units[rider])
            loads[rider] = carrier
    return loads


def _riders(units: Mapping[str, UnitType]) -> list[str]:
    """The pieces that can ride. Cannon come first, since they fit into few vehicles."""
    cannon = [piece for piece, unit in units.items() if "cannon" in unit.tags and not unit.is_guy]
    guys = [piece for piece, unit in units.items() if unit.is_guy]
    return [*cannon, *guys]


def _carrier_with_fewest(inside: Mapping[str, Sequence[UnitType]]) -> str:
    """The carrier with the fewest riders: by ``extra_seats`` (P71) guys are shared out evenly."""
    return min(inside, key=lambda carrier: len(inside[carrier]))


def _first_with_room(
    units: Mapping[str, UnitType],
    rider: str,
    inside: Mapping[str, Sequence[UnitType]],
    rulings: Mapping[str, str],
) -> str | None:
    """The first carrier with room for the rider beside those who are ``inside``; None if no carrier
    has any."""
    for carrier, riders in inside.items():
        riding = [*riders, units[rider]]
        if why_not_aboard(units[carrier], riding, rulings) is None:
            return carrier
    return None
