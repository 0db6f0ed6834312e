"""After the battle, or in the middle of it: what it has come to."""

from __future__ import annotations

from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from skirmish.app.battle import summary_words as words
from skirmish.app.battle.kept import BattleSession
from skirmish.app.foot import Foot
from skirmish.app.host import Host
from skirmish.app.scrolled_page import ScrolledPage
from skirmish.games.plastic.summary import summary
from skirmish.tabletop.typed import plain

EDGES = 6
"""Columns of padding and scroll bar."""


class SummaryScreen(ScrolledPage):
    """One long page to scroll; counted anew each time it is opened."""

    HELP = (
        "Losses count as the book stands now: what was taken back or made void is left out, and "
        "what was written off by hand has a column of its own."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,Y,q",
            "app.pop_screen",
            "Back",
            key_display="Esc",
            tooltip="Back",
            id="summary.back",
        ),
        Binding("p,P", "print", "Print", tooltip="Print the report", id="summary.print"),
        Binding(
            "l",
            "luck",
            "Luck",
            tooltip="Who had the luck: kills that were to be expected, and kills made",
            id="summary.luck",
        ),
    ]

    def __init__(self, kept: BattleSession) -> None:
        super().__init__()
        self._kept = kept
        self._breaks = any(side.breaks for side in kept.state.setup.sides)

    def compose(self) -> ComposeResult:
        """The battle's title, then the page."""
        self._summary = summary(self._kept.play)
        title = plain(self._summary.title).upper()
        yield Static(title, classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            for _ in words.parts(self._summary, 0, self._breaks):
                yield Static(classes="summary-part", markup=False)
        yield Foot()

    def on_resize(self) -> None:
        """Bars as long as there is room for."""
        painted = words.parts(self._summary, self.app.size.width - EDGES, self._breaks)
        for part, content in zip(self.query(".summary-part").results(Static), painted, strict=True):
            part.update(content)

    def action_print(self) -> None:
        """The report of the battle on paper."""
        from skirmish.app.printing import print_report

        app = cast("Host", self.app)
        self.run_worker(print_report(app, self._kept.id, self._kept.play), group="print")

    def action_luck(self) -> None:
        """Who had the luck."""
        from skirmish.app.battle.luck_screen import LuckScreen

        self.app.push_screen(LuckScreen(self._kept))
