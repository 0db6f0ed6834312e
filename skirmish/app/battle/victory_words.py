"""The running line of the battle: what each side needs and has, always in sight."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len

from skirmish.app.battle.mode import Said, people
from skirmish.app.fitting import Told, as_told, shortened
from skirmish.games.plastic.battle.standings import Standing, standings
from skirmish.games.plastic.battle.state import State

BETWEEN = "   "
NAME = 18
"""Cells of a side's name."""
_BY = re.compile(r" by the end of [^,;:]+? turn \d+")
"""The clock says it too, so it is the first thing to go where there is little room."""


def victory(
    state: State, told: Told, width: int, seen: Sequence[Standing] | None = None
) -> list[Said]:
    """Both sides in one row if there is room, else in two, each as long as fits. ``seen`` is what
    somebody sees who only looks on."""
    whole = as_told(standing_lines(state, seen), told)
    brief = as_told(standing_lines(state, seen, brief=True), told)
    for lines in (whole, brief):
        row: Said = [
            piece
            for index, line in enumerate(lines)
            for piece in ([(BETWEEN, ""), *line] if index else line)
        ]
        if _cells(row) <= width:
            return [row]
    return [
        long if _cells(long) <= width else short for long, short in zip(whole, brief, strict=True)
    ]


def standing_lines(
    state: State, seen: Sequence[Standing] | None = None, *, brief: bool = False
) -> list[Said]:
    """The same in full, a line for each side; ``brief``: without what the clock says too."""
    return [
        _line(state, one, _BY.sub("", one.says) if brief else one.says, keys=seen is None)
        for one in (standings(state) if seen is None else seen)
    ]


def _line(state: State, standing: Standing, says: str, *, keys: bool) -> Said:
    own = shortened(people(state, standing.side).upper(), NAME)
    line: Said = [(f"{own} ", "strong"), (says, "")]
    if not standing.can_win:
        ends = ": F ends it" if keys and state.outcome is None else ""
        line.append((f". {own} can no longer win{ends}", "alarm"))
    return line


def _cells(line: Said) -> int:
    return sum(cell_len(text) for text, _ in line)
