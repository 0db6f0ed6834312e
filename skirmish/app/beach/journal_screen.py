"""The whole journal of a game, newest last."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.beach.ladder_words import chronicle
from skirmish.app.fitting import hanging
from skirmish.app.foot import Foot
from skirmish.games.beach_head.record import BeachPlay
from skirmish.tabletop.typed import plain

TURN, EDGES = 4, 4
"""Columns of the turn before each line, and of the edges and the scroll bar."""


class BeachJournal(Screen[None]):
    """A line for each phase of each turn."""

    CSS_PATH = "../journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    HELP = "The arrows and Page keys scroll. What was taken back is left out."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,J", "dismiss", "Back", key_display="Esc",
                tooltip="Back to the game", id="beach-journal.back"),
    ]  # fmt: skip

    def __init__(self, play: BeachPlay) -> None:
        super().__init__()
        self._play = play

    def compose(self) -> ComposeResult:
        """Title, lines, keys."""
        yield Static(id="title", classes="title", markup=False)
        yield OptionList(id="lines", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """The newest line is in sight."""
        self._list()

    def on_resize(self) -> None:
        """Lines are broken to the new width."""
        self._list()

    def _list(self) -> None:
        lines = chronicle(self._play)
        title = f"JOURNAL  {plain(self._play.state.setup.title)}   {len(lines)} lines"
        self.query_one("#title", Static).update(title)
        width = self.app.size.width - EDGES
        listed = self.query_one("#lines", OptionList)
        listed.clear_options()
        listed.add_options(Option(_line(turn, says, width)) for turn, says in lines)
        listed.focus()
        if lines:
            listed.highlighted = len(lines) - 1


def _line(turn: int, says: str, width: int) -> Content:
    text = Content.assemble((f"{turn:>3} ", "$accent"), plain(says))
    return Content("\n").join(hanging(text, width, TURN))
