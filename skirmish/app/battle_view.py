"""The battle as a picture: painted anew from the play and the draft, with no will of its own."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from skirmish.app import battle_words as words
from skirmish.app.battle_panels import DrawInput, PoolPanel
from skirmish.app.big_letters import high, low
from skirmish.app.draft import Draft
from skirmish.games.plastic.battle.events import DrawAsk
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.telling import tell

ROOMY = 110
"""Columns from which the rows show their numbers."""
TALL = 34
"""Rows from which the verdict is written in full blocks."""
LINES_LOW, LINES_TALL = 11, 20
"""Lines of a side's pools, its title among them."""
REMEMBERED = 40
"""Lines of the journal that are shown, the newest first."""


class BattleView(Vertical):
    """Clock, who fires, both sides, the shot, the verdict, the journal."""

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
        yield DrawInput(id="typed", max_length=6)
        with Horizontal(id="verdict"):
            yield Static(id="word", markup=False)
            yield Static(id="reason", markup=False)
        yield Static(id="journal", markup=False)

    def show(self, play: BattlePlay, draft: Draft, note: str) -> None:
        """Paint everything; ``note`` is a word to the player under the shot."""
        state = play.state
        size = self.app.size
        wide = size.width >= ROOMY
        picture = high if size.height >= TALL else low
        told = _told(play)
        self._write("clock", words.clock_line(state, wide))
        self._write("sources", words.sources_line(play))
        self._write("who", words.who_line(state))
        for panel in self.query(PoolPanel):
            panel.show(state, draft, wide, LINES_TALL if size.height >= TALL else LINES_LOW)
        self._write("shot", words.shot_lines(state, draft, note))
        self._write("word", picture(words.verdict_word(state)))
        self._write("reason", words.verdict_reason(state, told[-1] if told else ""))
        self._write("journal", "\n".join(reversed(told)))
        self._show_input(state.ask if isinstance(state.ask, DrawAsk) else None)

    def _write(self, part: str, content: Content | str) -> None:
        self.query_one(f"#{part}", Static).update(content)

    def _show_input(self, ask: DrawAsk | None) -> None:
        typed = self.query_one(DrawInput)
        typed.show(ask)
        if ask is None and self.screen.focused is typed:
            self.screen.set_focus(None)


def _told(play: BattlePlay) -> list[str]:
    lines = ((entry.number, tell(entry, play.state.setup)) for entry in play.live[-REMEMBERED:])
    # A shot that waited for a player's own card is told with that card, in the entry after it.
    return [f"{number} {line}" for number, line in lines if line and not line.endswith(":")]
