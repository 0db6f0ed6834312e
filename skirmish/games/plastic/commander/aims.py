"""What a side of a scenario wants, worked out from the terms of its victory.

A battle asks for it when the commander plans, and so does a battle of the simulator (``field``).
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from skirmish.games.plastic.commander.board import Spadework
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.fire import ForbiddenTarget
from skirmish.games.plastic.commander.objectives import (
    Objective,
    field_of,
    objectives_of_scenario,
)
from skirmish.games.plastic.commander.stakes import Force, Stakes, stakes_of
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happenings import NeedsService, Trait
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.victory_terms import (
    Clear,
    CountAtEnd,
    Destroy,
    DestroyThenExit,
    ExitTable,
    OneSidedTerms,
    Survivors,
    Victory,
)

SLOW_SLOPES = {"dog_beach": 3}
"""Inches that a unit moves in a turn on, onto or off a slope, by the scenarios whose text says so
("Bluffs": "moves only 3 in that turn"); the rules know no such limit."""


class Aims(msgspec.Struct, frozen=True):
    """What a side wants. Units are named by their ids."""

    attacks: bool
    """It has to change how things stand in order to win; else it defends."""
    objectives: tuple[Objective, ...]
    """The ground that it wants to hold, or the ways by which a side leaves the table."""
    stakes: Stakes
    """What victory is worth."""
    per_man: bool = False
    """Each man at an objective counts by himself; else the objective counts as one."""
    leaves: bool = False
    """Victory is about leaving the table: for this side if it attacks, for its enemy if it
    defends."""
    hunted: frozenset[str] = frozenset()
    """The enemy units whose loss decides."""
    exit_worth: Mapping[str, int] = {}
    """What each unit counts off the table; empty: as much as toward the break point."""
    by_points: bool = False
    """A group counts by its price at an objective, since the enemy there is to be killed."""
    service_crews: frozenset[str] = frozenset()
    """The units that serve others of the side, which wait for them, such as trucks with fuel."""
    victory: Victory | None = None
    """The terms, from which a defender sees that he would lose; None where the break point
    decides."""

    @property
    def must_exit(self) -> bool:
        """Whether this side itself has to leave the table."""
        return self.leaves and self.attacks

    @property
    def bars_the_way_out(self) -> bool:
        """Whether this side has to keep its enemy from leaving the table."""
        return self.leaves and not self.attacks

    @property
    def deciding_ground(self) -> list[Objective]:
        """The objectives that are held. A way out is not: it may be a whole edge."""
        return [objective for objective in self.objectives if not objective.way_out]

    @property
    def deciding_cells(self) -> frozenset[GroundCell]:
        """The cells of the deciding ground; none where something other than ground decides."""
        return frozenset(objective.cell for objective in self.deciding_ground)


def slope_limit(scenario: Scenario) -> int | None:
    """How many inches a unit goes on slopes in a turn; None where they slow nobody."""
    return SLOW_SLOPES.get(scenario.id)


def aims_of(scenario: Scenario, side: str, forces: Mapping[str, Force], catalog: Catalog) -> Aims:
    """The aims of a side, with what both sides have. ``catalog`` includes the scenario's own
    variants of units."""
    victory = scenario.victory
    field = field_of(scenario)
    grid = CellGrid(scenario.table.width_in, scenario.table.depth_in)
    hunted: frozenset[str] = frozenset()
    match victory:
        # The side with more of these units left wins, so that each hunts the other's.
        case Survivors():
            attacks = True
            hunted = frozenset(victory.units)
        case OneSidedTerms():
            attacks = victory.side == side
        case _:
            attacks = scenario.side(side).role != "defender"
    if attacks and isinstance(victory, Destroy | DestroyThenExit):
        hunted = frozenset({victory.unit})
    exit_worth = {}
    if isinstance(victory, ExitTable):
        for unit in catalog.units.values():
            exit_worth[unit.id] = victory.value_of(unit, catalog)
    return Aims(
        attacks=attacks,
        objectives=objectives_of_scenario(scenario, grid),
        stakes=stakes_of(victory, forces, catalog, buildings=len(field.buildings)),
        per_man=isinstance(victory, CountAtEnd | ExitTable),
        by_points=isinstance(victory, Clear | Destroy | DestroyThenExit | Survivors),
        leaves=isinstance(victory, ExitTable | DestroyThenExit),
        hunted=hunted,
        exit_worth=exit_worth,
        service_crews=service_crews_of(scenario, side),
        victory=victory,
    )


def service_crews_of(scenario: Scenario, side: str) -> frozenset[str]:
    """The units, by their ids, that have to serve others of a side before these can move or
    fire."""
    service_crews = set()
    for happening in scenario.happenings:
        if isinstance(happening, NeedsService) and happening.side == side:
            service_crews.add(happening.by)
    return frozenset(service_crews)


def forbidden_targets(scenario: Scenario) -> frozenset[ForbiddenTarget]:
    """What a scenario forbids its units to fire at, such as craft to a pillbox of scenario 10."""
    forbidden = set()
    for happening in scenario.happenings:
        if isinstance(happening, Trait) and happening.effect == "may_not_fire_at":
            for unit in happening.units:
                for target in happening.targets:
                    forbidden.add(ForbiddenTarget(happening.contingent, unit, target))
    return frozenset(forbidden)


def spadework_of(scenario: Scenario, side: str, catalog: Catalog) -> Spadework:
    """Who of a side digs in and clears wire as engineers do: the engineers, and whom the scenario
    counts as such. ``catalog``: as in ``aims_of``."""
    engineers = {id for id, unit in catalog.units.items() if unit.digs == "engineer"}
    for happening in scenario.happenings:
        if not isinstance(happening, Trait) or happening.side != side:
            continue
        if happening.effect == "counts_as_engineer":
            engineers |= set(happening.units)
    return Spadework(engineers=frozenset(engineers), cutters=frozenset(engineers))
