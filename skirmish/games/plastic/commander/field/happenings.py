"""What a scenario adds to the rules that matters on the field: service, parked aircraft, crews."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skirmish.games.plastic.commander.cells import CELL, apart
from skirmish.games.plastic.commander.field.forces import FieldForces, FieldGroup
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happenings import MayConvert, NeedsService
from skirmish.games.plastic.scenarios.scenario import Scenario

SERVES_WITHIN = CELL
"""Inches between the middles of cells within which a crew is taken to touch whom it serves: those
of cells with a side in common."""
PARKED_AIRCRAFT = "aircraft"
"""The id of the unit that a vehicle destroys by touching it (scenario 3)."""
VEHICLE_TAG = "vehicle"
"""The tag of the units that destroy it."""


def services_of(scenario: Scenario, side: str) -> list[NeedsService]:
    """Which units of a side have to be served, and by whom."""
    services = []
    for happening in scenario.happenings:
        if isinstance(happening, NeedsService) and happening.side == side:
            services.append(happening)
    return services


def serve(scenario: Scenario, forces: FieldForces, side: str, turn: int) -> None:
    """Each crew of a side serves those who wait in its cell, or beside it."""
    for service in services_of(scenario, side):
        if turn < service.from_turn:
            continue
        for crew in forces.present(side):
            services_left = crew.counts[service.by] * service.each
            for group in forces.present(side):
                if apart(crew.cell, group.cell) <= SERVES_WITHIN:
                    number_served = _serve_group(group, at_most=services_left)
                    services_left -= number_served


def _serve_group(group: FieldGroup, *, at_most: int) -> int:
    """Serve the models of a group that wait, ``at_most`` so many. Returns how many were served."""
    waiting_models = list(group.waiting.elements())
    served = waiting_models[:at_most]
    group.waiting -= Counter(served)
    return len(served)


def destroy_parked_aircraft(forces: FieldForces, side: str, catalog: Catalog) -> None:
    """Each vehicle of a side that begins its move touching a parked aircraft destroys it (scenario
    3)."""
    for group in forces.present(side):
        vehicles = 0
        for id, count in group.counts.items():
            if VEHICLE_TAG in catalog.units[id].tags:
                vehicles += count
        for target in forces.present(forces.enemy_of(side)):
            if target.cell == group.cell:
                destroyed = min(vehicles, target.counts[PARKED_AIRCRAFT])
                target.counts -= Counter({PARKED_AIRCRAFT: destroyed})
                vehicles -= destroyed


def emplaced_groups(scenario: Scenario, side: str, groups: Sequence[FieldGroup]) -> dict[str, str]:
    """By the id of each group of a side that is a single gun which may not move: the id of the unit
    that its crew becomes when it abandons the gun."""
    emplaced = {}
    for happening in scenario.happenings:
        if isinstance(happening, MayConvert) and happening.side == side:
            for group in groups:
                has_only_guns = set(group.counts) == {happening.unit}
                is_single_gun = has_only_guns and group.counts.total() == 1
                if is_single_gun:
                    emplaced[group.id] = happening.becomes
    return emplaced
