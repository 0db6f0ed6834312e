"""What a side of a scenario wants (``plan.Aims``), worked out of the terms of its victory.

A battle asks for it when the commander plans, and so does the field.
"""

from __future__ import annotations

from collections.abc import Mapping

from skirmish.games.plastic.commander.board import Spadework
from skirmish.games.plastic.commander.cells import CellGrid
from skirmish.games.plastic.commander.fire import ForbiddenTarget
from skirmish.games.plastic.commander.objectives import objectives_of
from skirmish.games.plastic.commander.plan import Aims
from skirmish.games.plastic.commander.stakes import Force, stakes_of
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import (
    Clear,
    CountAtEnd,
    Destroy,
    DestroyThenExit,
    ExitTable,
    NeedsService,
    OneSidedTerms,
    Scenario,
    Survivors,
    Trait,
)
from skirmish.tabletop.battlefield import Battlefield

SLOW_SLOPES = {"dog_beach": 3}
"""Inches that a unit moves in a turn on, onto or off a slope, by the scenarios whose text says so
("Bluffs": "moves only 3 in that turn"); the rules know no such limit."""


def slope_limit(scenario: Scenario) -> int | None:
    """How far a unit goes on slopes in a turn; None where they slow nobody."""
    return SLOW_SLOPES.get(scenario.id)


def aims_of(scenario: Scenario, side: str, forces: Mapping[str, Force], catalog: Catalog) -> Aims:
    """The aims of a side, with what both sides have. ``catalog`` includes the variants."""
    victory = scenario.victory
    field = scenario.map or Battlefield()
    grid = CellGrid(scenario.table.width_in, scenario.table.depth_in)
    hunted: frozenset[str] = frozenset()
    match victory:
        # The side with more of these units left wins, so that each hunts the other's.
        case Survivors():
            attacks, hunted = True, frozenset(victory.units)
        case OneSidedTerms():
            attacks = victory.side == side
        case _:
            attacks = scenario.side(side).role != "defender"
    if attacks and isinstance(victory, Destroy | DestroyThenExit):
        hunted = frozenset({victory.unit})
    exit_worth = {}
    if isinstance(victory, ExitTable):
        exit_worth = dict(victory.weights)
    return Aims(
        attacks=attacks,
        objectives=objectives_of(victory, field, grid, scenario.table.up),
        stakes=stakes_of(victory, forces, catalog, buildings=max(len(field.buildings), 1)),
        per_man=isinstance(victory, CountAtEnd | ExitTable),
        by_points=isinstance(victory, Clear | Destroy | DestroyThenExit | Survivors),
        leaves=isinstance(victory, ExitTable | DestroyThenExit),
        hunted=hunted,
        exit_worth=exit_worth,
        crews=crews_of(scenario, side),
        victory=victory,
    )


def crews_of(scenario: Scenario, side: str) -> frozenset[str]:
    """The units that serve others of a side before these can do anything."""
    crews = set()
    for happening in scenario.happenings:
        if isinstance(happening, NeedsService) and happening.side == side:
            crews.add(happening.by)
    return frozenset(crews)


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
    """Who of a side digs in and clears wire as engineers do: these, and whom the scenario counts as
    such. ``catalog`` includes the variants."""
    engineers = {id for id, unit in catalog.units.items() if unit.digs == "engineer"}
    for happening in scenario.happenings:
        if not isinstance(happening, Trait) or happening.side != side:
            continue
        if happening.effect == "counts_as_engineer":
            engineers |= set(happening.units)
    return Spadework(frozenset(engineers), frozenset(engineers))
