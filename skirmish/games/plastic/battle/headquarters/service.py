"""Models that cannot do anything before they are served, such as tanks without fuel: which groups
they are in, as far as the battle tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.commanders import TableGroup
from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commander.cells import FAR_OFF, GroundCell, apart
from skirmish.games.plastic.scenarios.happenings import NeedsService


def units_in_need_of_service(setup: Setup, side: str) -> set[str]:
    """The units of a side that cannot do anything before they are served, by their ids."""
    units: set[str] = set()
    for service in setup.happenings(NeedsService):
        if service.side == side:
            units |= set(service.units)
    return units


def with_unserved(state: State, side: str, groups: Sequence[TableGroup]) -> list[TableGroup]:
    """The groups, with as many of their models still waiting for service as the battle counts."""
    updated = list(groups)
    for service in state.setup.happenings(NeedsService):
        if service.side != side:
            continue
        crews = _cells_with(groups, service.by)
        for row in rows(state, side):
            if row.unit.id in service.units:
                unserved = len(state.unserved.intersection(row.here))
                updated = _with_unserved_of_row(updated, row, unserved, crews)
    return updated


def _cells_with(groups: Sequence[TableGroup], unit: str) -> list[GroundCell]:
    """The cells of the groups on the table that have some of a unit on foot or as models."""
    cells = []
    for group in groups:
        if group.cell is not None and unit in group.known.counts:
            cells.append(group.cell)
    return cells


class _WaitingGroup(NamedTuple):
    """A group with ``models`` that may wait for service, and the inches from it to a crew that
    serves them. In sorted order the nearest comes first. ``position``: its index among the groups;
    ``waited``: how many of its models waited when that was last worked out."""

    inches_to_crew: float
    position: int
    models: int
    waited: int


def _with_unserved_of_row(
    groups: Sequence[TableGroup], row: Row, unserved: int, crews: Sequence[GroundCell]
) -> list[TableGroup]:
    """The groups, in which so many models of a row (``unserved``) still wait. Players do not say
    which groups were served meanwhile: those nearest to a crew are assumed to be the first."""
    unit = row.unit.id
    waiting_groups = []
    for index, group in enumerate(groups):
        count = group.known.counts.get(unit, 0)
        if group.known.contingent == row.contingent.id and count:
            waited = min(group.known.waiting.get(unit, 0), count)
            distance = _inches_to_nearest_crew(group, crews)
            waiting_groups.append(_WaitingGroup(distance, index, count, waited))
    waited_before = sum(waiting_group.waited for waiting_group in waiting_groups)
    newly_served = max(0, waited_before - unserved)
    # More are unserved than waited if an order to serve was made void since.
    waiting_again = max(0, unserved - waited_before)
    waiting_by_position = {}
    for waiting_group in sorted(waiting_groups):
        served_here = min(newly_served, waiting_group.waited)
        newly_served -= served_here
        waiting_by_position[waiting_group.position] = waiting_group.waited - served_here
    # Those farthest from a crew are assumed to be the ones that were not served after all.
    for waiting_group in sorted(waiting_groups, reverse=True):
        again_here = min(waiting_again, waiting_group.models - waiting_group.waited)
        waiting_again -= again_here
        waiting_by_position[waiting_group.position] += again_here
    changed = list(groups)
    for position, number in waiting_by_position.items():
        changed[position] = _with_waiting(groups[position], unit, number)
    return changed


def _with_waiting(group: TableGroup, unit: str, number: int) -> TableGroup:
    """The group with so many of a unit waiting for service."""
    waiting = dict(group.known.waiting)
    waiting.pop(unit, None)
    if number:
        waiting[unit] = number
    return replace(group, known=replace(group.known, waiting=waiting))


def _inches_to_nearest_crew(group: TableGroup, crews: Sequence[GroundCell]) -> float:
    """Inches from a group to the nearest of the crews; ``FAR_OFF`` if the group is not on the
    table, or if there are no crews."""
    if group.cell is None:
        return FAR_OFF
    return min((apart(group.cell, crew) for crew in crews), default=FAR_OFF)
