"""How a commander is appointed: the groups of both sides are formed and placed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import Commander, TableGroup
from skirmish.games.plastic.battle.headquarters.muster import pieces_not_hidden
from skirmish.games.plastic.battle.headquarters.placing import GroupPlacer, scenario_contingents
from skirmish.games.plastic.battle.headquarters.service import (
    units_in_need_of_service,
    with_unserved,
)
from skirmish.games.plastic.battle.headquarters.table import table_of
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.groups import ForcePart, form_groups, group_and_members
from skirmish.games.plastic.commander.situation import GroupKnown
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.games.plastic.scenarios.entries import FROM_OUTSIDE, AnywhereEntry, Entry, MarksEntry


def appointed(
    state: State,
    side: str,
    *,
    temperament: TemperamentId,
    weights: CommanderWeights,
    advises: bool,
    aloud: bool,
    seed: int,
) -> Commander:
    """A commander with the groups of both sides, each where it probably stands. ``advises``: he
    only advises the player of the side. ``aloud``: he tells everybody his plan instead of sealing
    it. ``seed`` decides between places that are equally likely."""
    table = table_of(state, weights)
    # Both sides draw from one stream: first the commander's own, then the enemy.
    chance = Random(seed)
    enemy = state.setup.enemy_of(side).id
    return Commander(
        temperament=temperament,
        weights=weights,
        advises=advises,
        aloud=aloud,
        groups=_placed_groups(state, side, table, chance),
        enemies=_placed_groups(state, enemy, table, chance),
    )


def _placed_groups(
    state: State, side: str, table: CommandTable, chance: Random
) -> tuple[TableGroup, ...]:
    """The groups of a side, each where it probably stands."""
    placer = GroupPlacer(state, side, table, chance)
    groups = [placer.place(group) for group in _groups_of(state, side, table.weights)]
    return tuple(with_unserved(state, side, groups))


def _groups_of(state: State, side: str, weights: CommanderWeights) -> list[GroupKnown]:
    """The groups of a side, formed from its contingents as they are now. Their ids begin with the
    side, as in ``german:group_1``, so that those of both sides differ."""
    setup = state.setup
    units_in_need = units_in_need_of_service(setup, side)
    parts = _parts_of_force(state, side)
    groups = []
    for group in form_groups(parts, setup.catalog, weights.plan):
        # All of them wait, until ``with_unserved`` asks the battle which have been served.
        waiting = {unit: count for unit, count in group.counts.items() if unit in units_in_need}
        groups.append(replace(group, id=f"{side}:{group.id}", waiting=waiting))
    return groups


def _parts_of_force(state: State, side: str) -> list[ForcePart]:
    """The contingents of a side with their units, as both sides know them, and how they enter."""
    setup = state.setup
    units_by_contingent: dict[str, Counter[str]] = {}
    for row in rows(state, side):
        number = len(pieces_not_hidden(row))
        if number:
            units = units_by_contingent.setdefault(row.contingent.id, Counter())
            units[row.unit.id] += number
    in_scenario = scenario_contingents(setup, side)
    parts = []
    for contingent, units in units_by_contingent.items():
        # Where the scenario does not list the contingent, it is on the table from the start.
        entry: Entry = AnywhereEntry(turn=1)
        if contingent in in_scenario:
            entry = in_scenario[contingent].entry
        part = ForcePart(
            contingent,
            setup.contingent_by_id[contingent].name,
            units,
            on_marks=isinstance(entry, MarksEntry),
            from_outside=isinstance(entry, FROM_OUTSIDE),
        )
        parts.append(part)
    return parts


def groups_read_out(setup: Setup, groups: Sequence[TableGroup]) -> str:
    """The groups of a side as they are read out before play, each with its square."""
    sentences = []
    for group in groups:
        who = group.name
        # A single man or model is named after what it is, so its name says everything.
        if group.strength > 1:
            who = group_and_members(group.known, setup.catalog)
        place = "off the table"
        if group.cell is not None:
            place = f"in {group.cell.square}"
        sentences.append(f"{who}, {place}.")
    return " ".join(sentences)
