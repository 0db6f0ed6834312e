"""The journal on the battle screen: its newest lines that fit, or those around the cursor."""

from __future__ import annotations

from textual.content import Content

from skirmish.app.battle.mode import Mode
from skirmish.app.battle.prompt_again import Looking, standing
from skirmish.app.battle.words import painted
from skirmish.app.fitting import Told, hanging, shortest_cut
from skirmish.games.plastic.battle.lines import Line
from skirmish.games.plastic.battle.record import BattlePlay

STRUCK = 10
"""Lines of the journal beyond those that have room, in case some of the last ones are void."""
INDENT = 6
"""Columns of the cursor and the number."""


def journal(
    play: BattlePlay, mode: Mode, told: Told, size: tuple[int, int], back: int = 0
) -> Content:
    """The lines that fit in ``size`` (columns, rows), newest last, ``back`` lines above the newest;
    with a cursor, those around it. A click on a line puts the cursor there."""
    width, room = size[0], max(size[1], 0)
    looking = mode if isinstance(mode, Looking) else None
    found = standing(play) if looking or back else standing(play, room + STRUCK)
    at = max(len(found) - back, min(room, len(found)))
    if looking:
        numbers = [line.number for line in found]
        if looking.number in numbers:
            at = min(numbers.index(looking.number) + max(room // 2, 1), len(found))
    shown: list[Content] = []
    for line in reversed(found[:at]):
        cursor = looking is not None and line.number == looking.number
        rows = _rows(line, told, width, cursor=cursor)
        if len(shown) + len(rows) > room:
            if not shown:
                shown = shortest_cut(rows, room, INDENT)
            break
        shown = [*rows, *shown]
    return Content("\n").join(shown)


def _rows(line: Line, told: Told, width: int, *, cursor: bool) -> list[Content]:
    says = f"{'>' if cursor else ' '} {line.number:>3} {told(line.says)}"
    text = painted([[(says, "chosen" if cursor else "dim")]])
    rows = hanging(text, width, INDENT)
    return [row.stylize(f"@click=screen.look({line.number})") for row in rows]
