"""The odds table for other programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from skirmish.games.plastic.odds.pack import Pack
from skirmish.games.plastic.odds.table import OddsTable
from skirmish.tabletop.measure import NO_BREAK


def records(table: OddsTable) -> Iterator[dict[str, Any]]:
    """A record of each shot of the table; its keys are an interface for other programs. Chances are
    exact fractions (``"2/3"``), None for a forbidden shot. ``exact_figure`` is the chance that the
    man aimed at dies from afar, ``exact_figure_near`` from within the range at which every hit
    kills him."""
    for shot in table.shots():
        cell = shot.cell
        record: dict[str, Any] = {
            "weapon": shot.line.weapon.id,
            "target": shot.column.name,
            "behind": shot.column.behind,
            "cover": shot.cover,
            "from": _source(table.pack),
            "draws": table.pack.count,
            "needs": None,
            "hit": None,
            "saved_by_cover": None,
            "exact_figure": None,
            "exact_figure_near": None,
            "repeat": cell.repeats,
            "refusal": None,
            "why": None,
        }
        if cell.aim is not None:
            record["needs"] = cell.aim.needs
        if cell.odds is not None:
            record["hit"] = str(cell.odds.hit)
            record["saved_by_cover"] = str(cell.odds.saved_by_cover)
            record["exact_figure"] = str(cell.odds.exact)
            record["exact_figure_near"] = str(cell.exact_near)
        if cell.refusal is not None:
            record["refusal"] = cell.refusal.code
            record["why"] = cell.refusal.message.replace(NO_BREAK, " ")
        yield record


def _source(pack: Pack) -> str:
    """What is drawn from, as the records have it."""
    if pack.die:
        return "die"
    return "cards"


def table_data(table: OddsTable) -> dict[str, Any]:
    """What holds for all records of a table: what is drawn, distances in inches, and the units that
    its weapons and targets stand for."""
    weapons = {}
    for line in table.lines:
        weapons[line.weapon.id] = {
            "name": line.weapon.name,
            "fired_by": [unit.id for unit in line.fired_by],
        }
    targets = {}
    for column in table.columns:
        targets[column.name] = [unit.id for unit in column.targets]
    return {
        "from": _source(table.pack),
        "draws": table.pack.count,
        "distance": table.distance,
        "exact_within": table.near,
        "weapons": weapons,
        "targets": targets,
    }
