"""The odds table as people and programs read it: a sign for each cell, its sentences, records."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from skirmish.games.plastic.odds.pack import ALL_CARDS, Pack
from skirmish.games.plastic.odds.rounding import percent, tenths
from skirmish.games.plastic.odds.table import Cell, Column, Line, OddsTable
from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.games.plastic.rules.shot import run
from skirmish.tabletop.measure import NO_BREAK, inches

TOUCH = "*"
"""Stands where a weapon hurts only what it touches, as in the firing table."""
STEPS = 5
"""Shades of a heat map."""
SAVES = {"cover": "cover", "hull_down": "hull down"}


def sign(cell: Cell) -> str:
    """What stands in a cell: its chance in percent, or how it is forbidden."""
    if cell.odds is not None:
        return percent(cell.odds.hit)
    return TOUCH if cell.refusal and cell.refusal.code == "touch_only" else NONE


def signs(table: OddsTable, cover: bool) -> list[list[str]]:
    """What stands in the cells, line by line: ``67+`` where a kill gives another shot. In a column
    that has such marks the other cells end with a space, so that numbers stand below numbers."""
    lines = table.cells(cover)
    marked = [any(cells[at].repeat for cells in lines) for at in range(len(table.columns))]
    return [
        [
            sign(one) + ("+" if one.repeat else " " * has)
            for one, has in zip(cells, marked, strict=True)
        ]
        for cells in lines
    ]


def heat(cell: Cell) -> int:
    """Its shade: 0 for a chance below a fifth, 4 from four fifths up; -1 where none may fire."""
    return -1 if cell.odds is None else min(int(cell.odds.hit * STEPS), STEPS - 1)


def heads(column: Column) -> list[str]:
    """The words above a column, one below the other."""
    return [*column.name.split(), *(["behind"] if column.behind else [])]


def drawn_from(pack: Pack) -> str:
    """``fresh deck``, ``45 cards left``, ``d12``."""
    if pack.die:
        return "d12"
    if pack.now == ALL_CARDS:
        return "fresh deck"
    return f"{pack.count} card{'' if pack.count == 1 else 's'} left"


def title(line: Line, column: Column, cover: bool) -> str:
    """Who at whom: ``Cannon at Tank, from behind, in cover``."""
    behind = ", from behind" if column.behind else ""
    return f"{line.weapon.name} at {column.name}{behind}, {'in cover' if cover else 'in the open'}"


def sentences(table: OddsTable, cell: Cell) -> Iterator[str]:
    """What is to be known of a cell, the chance first; or why it is forbidden."""
    odds = cell.odds
    if odds is None or cell.needs is None:
        yield cell.refusal.says if cell.refusal else ""
        return
    yield f"Hits {odds.hits}/{odds.of} = {tenths(odds.hit)}; needs {run(cell.needs)}."
    for save, saved in (("cover", odds.by_cover), ("hull_down", odds.by_hull_down)):
        if save in cell.saves:
            yield f"Saved by {SAVES[save]} {saved}/{odds.of}."
    if cell.near == odds.exact and cell.near:
        yield "Always kills the man aimed at."
    elif cell.near:
        near = cell.near * odds.of
        yield (
            f"The man aimed at dies {odds.exact_hits}/{odds.of}, "
            f"within {inches(table.near)} {near}/{odds.of}."
        )
    if cell.repeat:
        yield "After a kill it may fire again."


def legend(table: OddsTable, *covers: bool) -> list[str]:
    """How the table is to be read; ``covers`` are the halves of it that are shown."""
    return [
        f"Percentage of draws that hit in phases 1 and 2, at {inches(table.distance)} or more. "
        f"Within {inches(table.near)} the chances are the same, and every hit kills the man aimed "
        f"at; from farther away he dies with a chance of {very_man(table, *covers)}.",
        f"+ may fire again after a kill.  {TOUCH} only in contact, in phases 3 and 4.  "
        f"{NONE} may not fire at this target.",
    ]


def very_man(table: OddsTable, *covers: bool) -> str:
    """How often the man aimed at dies from afar: ``8% (Sniper rifle 17%) in the open``."""
    return ", ".join(
        f"{_very_man_in(table, cover)} {'in cover' if cover else 'in the open'}" for cover in covers
    )


def _very_man_in(table: OddsTable, cover: bool) -> str:
    found: dict[Fraction, list[str]] = {}
    for line, cells in zip(table.lines, table.cells(cover), strict=True):
        for cell in cells:
            if cell.odds is not None and cell.near:
                found.setdefault(cell.odds.exact, []).append(line.weapon.name)
                break
    if not found:
        return "0%"
    usual = max(found, key=lambda chance: len(found[chance]))
    others = ", ".join(
        f"{', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]} {percent(chance)}%"
        for chance, names in found.items()
        if chance != usual
    )
    return f"{percent(usual)}%{f' ({others})' if others else ''}"


def members(table: OddsTable) -> list[tuple[str, str]]:
    """Each column's name and the units in it."""
    return [
        (column.name, ", ".join(unit.short for unit in column.targets))
        for column in table.columns
        if not column.behind
    ]


def records(table: OddsTable) -> Iterator[dict[str, Any]]:
    """Every cell for other programs: chances as exact fractions (``"2/3"``), None where the rules
    forbid the shot and ``refusal`` and ``why`` say how."""
    for line, column, cover, cell in table.shots():
        odds = cell.odds
        yield {
            "weapon": line.weapon.id,
            "target": column.name,
            "behind": column.behind,
            "cover": cover,
            "from": "die" if table.pack.die else "cards",
            "draws": table.pack.count,
            "needs": cell.needs,
            "hit": odds and str(odds.hit),
            "saved_by_cover": odds and str(odds.saved_by_cover),
            "exact_figure": odds and str(odds.exact),
            "exact_figure_near": odds and str(cell.near),
            "repeat": cell.repeat,
            "refusal": cell.refusal and cell.refusal.code,
            "why": cell.refusal and cell.refusal.says.replace(NO_BREAK, " "),
        }
