"""The table of a battle as the commander works with it: its ground, light and slopes."""

from __future__ import annotations

import math
from functools import partial

from msgspec.structs import replace

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.aims import forbidden_targets, slope_limit
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import CellGrid
from skirmish.games.plastic.commander.fire import ForbiddenTarget
from skirmish.games.plastic.commander.weights import CommanderWeights
from skirmish.games.plastic.scenarios.happenings import Charges
from skirmish.tabletop.battlefield import Battlefield, Line
from skirmish.tabletop.plane import Point

BASIC_GAME_WIDTH, BASIC_GAME_DEPTH = 96.0, 60.0
"""The size in inches that the table is assumed to have in the basic game, where players lay out
what they have."""


def table_of(state: State, weights: CommanderWeights) -> CommandTable:
    """The table of a battle, with the bridges that still stand and as far as one sees in this turn.
    A table is built once for each such state of things, and stored with the set-up, as cached
    properties are."""
    # The set-up is frozen, but has a ``dict`` for what is computed from it once.
    tables: list[CommandTable] = vars(state.setup).setdefault("command_tables", [])
    for table in tables:
        same_conditions = (table.sight_in, table.blown) == (state.sight_in, state.blown)
        if table.weights == weights and same_conditions:
            return table
    kills = None
    if tables:
        # Chances to kill do not depend on ground or light, so all tables of a battle share them.
        kills = tables[0].kills
    setup = state.setup
    forbidden: frozenset[ForbiddenTarget] = frozenset()
    field = Battlefield()
    width, depth = BASIC_GAME_WIDTH, BASIC_GAME_DEPTH
    if setup.scenario is not None:
        forbidden = forbidden_targets(setup.scenario)
        field = setup.scenario.map or field
        width, depth = setup.scenario.table.width_in, setup.scenario.table.depth_in
    table = CommandTable(
        _without_blown_bridges(field, state),
        CellGrid(width, depth),
        setup.catalog,
        setup.rulings,
        weights=weights,
        kills=kills,
        sight_in=state.sight_in,
        blown=state.blown,
        forbidden=forbidden,
        inches_on_slopes=slope_limit_of(state),
    )
    tables.append(table)
    return table


def _without_blown_bridges(field: Battlefield, state: State) -> Battlefield:
    """The map without the bridges that were blown up: for each set of charges that went off, the
    bridge nearest to their mark."""
    if not state.blown:
        return field
    lines = list(field.lines)
    for charges in state.setup.happenings(Charges):
        # Charges without a mark are nowhere on the map.
        if charges.id not in state.blown or charges.mark is None:
            continue
        bridges = [line for line in lines if line.kind == "bridge"]
        places = [mark.at for mark in field.marks if mark.mark == charges.mark]
        if bridges and places:
            nearest = min(bridges, key=partial(_distance_to, places[0]))
            lines.remove(nearest)
    return replace(field, lines=tuple(lines))


def _distance_to(place: Point, line: Line) -> float:
    """Inches from a place to the nearest corner of a line."""
    return min(math.dist(place, corner) for corner in line.points)


def slope_limit_of(state: State) -> int | None:
    """How many inches a unit moves on slopes in a turn; None where the scenario sets no limit."""
    if state.setup.scenario is None:
        return None
    return slope_limit(state.setup.scenario)
