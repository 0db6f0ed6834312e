"""Who fights on the field, and where each group starts: in a cell that is drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.field.forces import FieldGroup
from skirmish.games.plastic.commander.field.happenings import services_of
from skirmish.games.plastic.commander.groups import ForcePart, form_groups
from skirmish.games.plastic.commander.placing import Entrenchments, StartingCells
from skirmish.games.plastic.rules.catalog import total_counts
from skirmish.games.plastic.scenarios.entries import FROM_OUTSIDE, AnywhereEntry, Entry
from skirmish.games.plastic.scenarios.happenings import AskAtSetup
from skirmish.games.plastic.scenarios.order_of_battle import ScenarioSide
from skirmish.games.plastic.scenarios.scenario import Scenario


class _EnteringPart(NamedTuple):
    """A part of the force of a side, and where and when it comes onto the table."""

    part: ForcePart
    entry: Entry


def groups_at_start(
    scenario: Scenario,
    side: ScenarioSide,
    table: CommandTable,
    starting_cells: StartingCells,
    chance: Random,
) -> list[FieldGroup]:
    """The groups of a side, each in one of the cells in which it may start, drawn at random."""
    entering = [*_contingents(side), *_units_agreed_at_setup(scenario, side)]
    entries = {part.contingent: entry for part, entry in entering}
    entrenchments = Entrenchments(side.works().get("entrenchment", 0))
    parts = [part for part, _ in entering]
    groups = []
    for known in form_groups(parts, table.catalog, table.weights.plan):
        entry = entries[known.contingent]
        cells = starting_cells.for_group(entry, known)
        cell = cells[chance.randrange(len(cells))]
        cover = table.ground.in_cover(cell)
        if not cover and not isinstance(entry, FROM_OUTSIDE):
            cover = entrenchments.take_in(known, table.catalog)
        group = FieldGroup(known, cell, cover=cover, enters=entry.turn)
        for service in services_of(scenario, side.id):
            for unit in service.units:
                group.waiting[unit] = group.counts[unit]
        groups.append(group)
    return groups


def _contingents(side: ScenarioSide) -> Iterator[_EnteringPart]:
    """The contingents of a side. Where its player may choose, it has the first of the choices."""
    for contingent in side.contingents:
        chosen = total_counts(choice.one_of[0] for choice in contingent.choices)
        yield _EnteringPart(ForcePart.of(contingent, chosen), contingent.entry)


def _units_agreed_at_setup(scenario: Scenario, side: ScenarioSide) -> Iterator[_EnteringPart]:
    """What the text of a scenario leaves to the players, as set-up proposes it."""
    for ask in scenario.questions():
        counts = _proposed_units(ask)
        if ask.side == side.id and counts:
            part = ForcePart(ask.id, ask.id.capitalize(), counts)
            yield _EnteringPart(part, AnywhereEntry(turn=0))


def _proposed_units(ask: AskAtSetup) -> dict[str, int]:
    """The units that set-up proposes for a question; empty for one about something else."""
    match ask.proposal:
        case dict():
            return dict(ask.proposal)
        case int() if ask.unit is not None:
            return {ask.unit: ask.proposal}
    return {}
