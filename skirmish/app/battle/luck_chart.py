"""The course of luck drawn in half blocks: above the line more was killed than expected, below it
less. Each side has a strip of its own, so that no colour is needed to tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from skirmish.app.battle.summary_words import COLOURS
from skirmish.app.fitting import shortened
from skirmish.games.plastic.luck import Luck, sampled
from skirmish.games.plastic.luck_words import signed
from skirmish.tabletop.typed import plain

LABEL = 7
"""Columns of the numbers at the left."""
OF_A_SHOT = 4
"""The most columns that one shot takes."""
STEPS = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 4.0, 5.0, 7.5, 10.0, 25.0, 50.0, 250.0)
"""Kills that half a block may stand for."""
QUIET = "$foreground 65%"


def course(found: Luck, width: int, rows: int) -> Content:
    """Both strips, so wide, each at most so many rows high, over the turns."""
    title = Content("LUCK, SHOT BY SHOT").stylize("bold $primary")
    if not found.shots:
        return Content.assemble(title, "\n  nobody has fired yet")
    columns = max(1, min(width - LABEL, OF_A_SHOT * len(found.shots)))
    strips = [sampled(found.course(s.side), columns) for s in found.sides]
    up, down, step = _frame([value for strip in strips for value in strip], rows)
    key = "   kills made less kills expected, added up"
    lines = [Content.assemble(title, (key, QUIET))]
    for side, strip, colour in zip(found.sides, strips, COLOURS, strict=True):
        name = shortened(plain(side.people), max(6, width - 8))
        lines.append(Content.assemble((f"{name} {signed(side.difference)}", f"bold {colour}")))
        for label, row in drawn(strip, up, down, step):
            lines.append(Content.assemble((f"{label:>{LABEL - 1}} ", QUIET), (row, colour)))
    lines.append(Content.assemble((f"{'turn':>{LABEL - 1}} {_turns(found, columns)}", QUIET)))
    return Content("\n").join(lines)


def drawn(strip: Sequence[float], up: int, down: int, step: float) -> Iterator[tuple[str, str]]:
    """The rows of a strip from the top, each with its label."""
    halves = [round(value / step) for value in strip]
    for row in range(up, 0, -1):
        label = f"+{2 * row * step:g}" if row == up else ""
        yield label, "".join(_sign(half, row, "▄") for half in halves)
    yield "0", "─" * len(strip)
    for row in range(1, down + 1):
        label = f"–{2 * row * step:g}" if row == down else ""
        yield label, "".join(_sign(-half, row, "▀") for half in halves)


def _sign(half: int, row: int, begun: str) -> str:
    if half >= 2 * row:
        return "█"
    return begun if half == 2 * row - 1 else " "


def _frame(values: Sequence[float], rows: int) -> tuple[int, int, float]:
    """Rows above and below the line, and what half a row stands for."""
    highest, lowest = max(0.0, *values), max(0.0, *(-value for value in values))
    for step in STEPS:
        up, down = (-(-round(extent / step) // 2) for extent in (highest, lowest))
        if up + down < rows:
            break
    return up, down, step


def _turns(found: Luck, columns: int) -> str:
    """The number of each turn below its first shot, where there is room."""
    line, last = "", 0
    for place, shot in enumerate(found.shots):
        at = place * columns // len(found.shots)
        if shot.turn != last and (not line or at > len(line)):
            line = f"{line:<{at}}{shot.turn}"
        last = shot.turn
    return line[:columns]
