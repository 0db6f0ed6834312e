"""The battle as a picture: painted anew from the play and the mode, with no will of its own.

Nothing is cut off: what is due and the journal share the lines that sides, shot and verdict leave;
of the news what does not fit is told to be under U, of the journal the newest lines are shown.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from skirmish.app import battle_words as words
from skirmish.app.battle_keys import strip
from skirmish.app.battle_news import news
from skirmish.app.battle_panels import DrawInput, PoolPanel
from skirmish.app.battle_words import painted
from skirmish.app.big_letters import high, low
from skirmish.app.mode import Mode, Said
from skirmish.app.prompt_again import Looking, standing
from skirmish.app.prompt_waiting import Typing
from skirmish.app.verdict_words import reason, word
from skirmish.games.plastic.battle.agenda import DrawAsk
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup

ROOMY = 110
"""Columns from which the rows show their numbers."""
STRUCK = 10
"""Lines of the journal beyond those that have room, in case some of the last ones are void."""
TALL = 34
"""Rows from which the verdict is written in full blocks."""
LINES_LOW, LINES_TALL = 11, 20
"""Lines of a side's pools, its title among them."""
SHOT = 3
"""Lines of the shot panel."""
ABOVE = 3
"""Lines of clock, sources and who fires."""


class BattleView(Vertical):
    """Clock, who fires, both sides, the shot, the verdict, what is due, the journal, the keys."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(id="battle")
        self._sides = [side.id for side in setup.sides]

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        for line in ("clock", "sources", "who"):
            yield Static(id=line, markup=False)
        with Horizontal(id="sides"):
            for side in self._sides:
                yield PoolPanel(side)
        yield Static(id="shot", markup=False)
        yield DrawInput(id="typed", max_length=40)
        with Horizontal(id="verdict"):
            yield Static(id="word", markup=False)
            yield Static(id="reason", markup=False)
        yield Static(id="news", markup=False)
        yield Static(id="journal", markup=False)
        yield Static(id="keys", markup=False)

    def show(self, play: BattlePlay, mode: Mode, note: str) -> None:
        """Paint everything; ``note`` is a word to the player under the shot."""
        state, size = play.state, self.app.size
        wide, tall = size.width >= ROOMY, size.height >= TALL
        self._write("clock", words.clock_line(state, wide))
        self._write("sources", words.sources_line(play))
        self._write("who", words.who_line(state))
        most = LINES_TALL if tall else LINES_LOW
        half = size.width // 2 - 1
        heights = [
            panel.show(state, mode, wide=wide, room=most, width=half)
            for panel in self.query(PoolPanel)
        ]
        self._write("shot", _shot(play, mode, note, size.width - 2))
        typing = isinstance(mode, Typing)
        big = word(play)
        said = reason(play)
        left = size.height - ABOVE - max(heights) - SHOT - 1 - typing
        looking = isinstance(mode, Looking)
        verdict = self.query_one("#verdict")
        verdict.display = bool(big or said) and not looking
        if verdict.display:
            picture = (high if tall else low)(big)
            width = size.width - 4 - max(map(len, picture.splitlines()), default=2)
            least = 5 if tall else 3
            lines = max(least, min(rows_of(painted(said), width), left - 1))
            self._write("word", picture)
            self._write("reason", _cut(painted(said), width, lines))
            verdict.styles.height = lines
            left -= lines
        told, rows = _fitted([] if looking else news(play), size.width - 2, max(left - 1, 0))
        self.query_one("#news").display = rows > 0
        self._write("news", told)
        self._write("journal", _journal(play, mode, size.width - 2, left - rows))
        self._write("keys", strip(state, size.width))
        self._show_input(state.ask if typing and isinstance(state.ask, DrawAsk) else None)

    def _write(self, part: str, content: Content | str) -> None:
        self.query_one(f"#{part}", Static).update(content)

    def _show_input(self, ask: DrawAsk | None) -> None:
        typed = self.query_one(DrawInput)
        typed.show(ask)
        if ask is None and self.screen.focused is typed:
            self.screen.set_focus(None)


def _shot(play: BattlePlay, mode: Mode, note: str, width: int) -> Content:
    """What the mode says; a note to the player stands below, whole, and takes its place."""
    lines = mode.lines(play)
    if not note:
        rest = painted(lines[1:])
        room = SHOT - (rows_of(rest, width) if lines[1:] else 0)
        first = _cut(painted(lines[:1]), width, max(room, 1))  # the keys below it are never lost
        return _cut(Content("\n").join([first, rest]) if lines[1:] else first, width, SHOT)
    told = painted([[(note, "alarm")]])
    lines = [line for line in lines if not any(_repeats(text, note) for text, _ in line)]
    above = _cut(painted(lines), width, SHOT - rows_of(told, width))
    return Content("\n").join([above, told]) if above else _cut(told, width, SHOT)


def _repeats(text: str, note: str) -> bool:
    """Whether a note says the same sentence again."""
    return len(text) > 9 and (text in note or note in text)


def _fitted(lines: list[Said], width: int, room: int) -> tuple[Content, int]:
    """As many lines as fit, and the rows that they take; what is left over is told."""
    kept: list[Content] = []
    used = 0
    for index, line in enumerate(lines):
        said = painted([line])
        need = rows_of(said, width)
        more = index + 1 < len(lines)
        if used + need + more > room:
            if room > used:
                rest = len(lines) - index
                kept.append(painted([[("U ", "key"), (f"{rest} more to know now", "dim")]]))
                used += 1
            break
        kept.append(said)
        used += need
    return Content("\n").join(kept), used


def rows_of(text: Content, width: int) -> int:
    """How many rows a text takes on the screen."""
    return len(text.wrap(max(width, 1)))


def _cut(text: Content, width: int, rows: int) -> Content:
    """A text in no more than so many rows."""
    if rows < 1:
        return Content("")
    if rows_of(text, width) <= rows:
        return text
    return Content("\n").join(text.wrap(width)[:rows])


def _journal(play: BattlePlay, mode: Mode, width: int, room: int) -> Content:
    """The newest lines that fit, newest last; with a cursor, those around it."""
    found = standing(play) if isinstance(mode, Looking) else standing(play, max(room, 0) + STRUCK)
    at = len(found)
    if isinstance(mode, Looking):
        numbers = [line.number for line in found]
        if mode.number in numbers:
            at = min(numbers.index(mode.number) + max(room // 2, 1), len(found))
    shown: list[Content] = []
    for line in reversed(found[:at]):
        cursor = isinstance(mode, Looking) and line.number == mode.number
        mark = "> " if cursor else "  "
        text = painted([[(f"{mark}{line.number:>3} {line.says}", "chosen" if cursor else "dim")]])
        rows = text.wrap(max(width, 1))
        if len(shown) + len(rows) > max(room, 0):
            if not shown:
                shown = rows[: max(room, 0)]
            break
        shown = [*rows, *shown]
    return Content("\n").join(shown)
