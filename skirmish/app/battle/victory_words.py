"""The running line of the battle: what each side needs and has, always in sight."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace
from rich.cells import cell_len

from skirmish.app.battle.mode import Said, people
from skirmish.app.fitting import Told, as_told, shortened
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import victory_status
from skirmish.games.plastic.battle.victory_kinds import VictoryStatus

BETWEEN = "   "
NAME = 18
"""Cells of a side's name."""
_BY = re.compile(r" by the end of [^,;:]+? turn \d+")
"""The clock says it too, so it is the first thing to go where there is little room."""


def victory(
    state: State, told: Told, width: int, seen: Sequence[VictoryStatus] | None = None
) -> list[Said]:
    """Both sides in one row if there is room, else in two, each as long as fits. Break points stand
    in the titles of the sides. ``seen`` is what somebody sees who only looks on."""
    found = victory_status(state) if seen is None else seen
    terms = [replace(one, breaks="") for one in found if one.terms or not one.can_win]
    keys = seen is None
    whole = as_told([_line(state, one, one.terms, keys=keys) for one in terms], told)
    brief = as_told([_line(state, one, _BY.sub("", one.terms), keys=keys) for one in terms], told)
    for lines in (whole, brief):
        row: Said = [
            piece
            for index, line in enumerate(lines)
            for piece in ([(BETWEEN, ""), *line] if index else line)
        ]
        if _cells(row) <= width:
            return [row] if row else []
    return [
        long if _cells(long) <= width else short for long, short in zip(whole, brief, strict=True)
    ]


def standing_lines(state: State, seen: Sequence[VictoryStatus] | None = None) -> list[Said]:
    """The same in full, break points included, a line for each side."""
    found = victory_status(state) if seen is None else seen
    return [_line(state, one, one.says, keys=seen is None) for one in found]


def _line(state: State, standing: VictoryStatus, says: str, *, keys: bool) -> Said:
    own = shortened(people(state, standing.side).upper(), NAME)
    line: Said = [(f"{own} ", "strong"), (says, "")]
    if not standing.can_win:
        ends = "; F ends the battle" if keys and state.outcome is None else ""
        again = f". {own} " if says else ""
        line.append((f"{again}can no longer win{ends}", "alarm"))
    return line


def _cells(line: Said) -> int:
    return sum(cell_len(text) for text, _ in line)
