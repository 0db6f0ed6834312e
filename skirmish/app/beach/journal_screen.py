"""The whole journal of a game, newest last."""

from __future__ import annotations

from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.fitting import hanging
from skirmish.app.foot import Foot
from skirmish.app.guard import Screen
from skirmish.games.beach_head.record import BeachPlay
from skirmish.games.beach_head.telling import journal
from skirmish.tabletop.typed import plain

INDENT, EDGES = 4, 4
"""Columns before the rest of a line, and of the edges and the scroll bar."""


class BeachJournal(Screen[None]):
    """A heading for each turn, a line for each phase in it."""

    CSS_PATH = "../journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    HELP = "The arrows and the page keys scroll. Steps that were undone are left out."
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
        lines = journal(self._play)
        title = f"JOURNAL  {plain(self._play.state.setup.title)}"
        self.query_one("#title", Static).update(title)
        width = self.app.size.width - EDGES
        listed = self.query_one("#lines", OptionList)
        listed.clear_options()
        for turn, phases in groupby(lines, lambda one: one.turn):
            listed.add_option(Option(Content.styled(f"TURN {turn}", "$accent"), disabled=True))
            for one in phases:
                rows = hanging(Content(f"  {plain(one.words)}"), width, INDENT)
                listed.add_option(Option(Content("\n").join(rows)))
        listed.focus()
        if lines:
            listed.highlighted = listed.option_count - 1
