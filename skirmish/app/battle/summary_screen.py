"""After the battle, or in the middle of it: what it has come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from skirmish.app.battle import summary_words as words
from skirmish.app.battle.kept import KeptBattle
from skirmish.app.foot import Foot
from skirmish.games.plastic.summary import summary
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.app.application import SkirmishApp

EDGES = 6
"""Columns of padding and scroll bar."""


class SummaryScreen(Screen[None]):
    """One long page to scroll; counted anew each time it is opened."""

    CSS_PATH = "summary.tcss"
    TOPIC: ClassVar[str] = "summary"
    HELP = (
        "Losses count as the book stands now: what was taken back or made void is left out, and "
        "what was written off by hand has a column of its own."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape,Y,q",
            "app.pop_screen",
            "Back",
            key_display="esc",
            tooltip="Back",
            id="summary.back",
        ),
        Binding("p,P", "print", "Print", tooltip="Print the report", id="summary.print"),
        Binding("up,k", "scroll(-1)", "Up", show=False, tooltip="A line up", id="summary.up"),
        Binding(
            "down,j", "scroll(1)", "Down", show=False, tooltip="A line down", id="summary.down"
        ),
        Binding(
            "space,pagedown", "page(1)", "Next page", tooltip="A page down", id="summary.page_down"
        ),
        Binding(
            "pageup", "page(-1)", "Page up", show=False, tooltip="A page up", id="summary.page_up"
        ),
        Binding("home", "top", "Top", show=False, tooltip="To the top", id="summary.top"),
        Binding("end", "bottom", "End", show=False, tooltip="To the end", id="summary.end"),
    ]

    def __init__(self, kept: KeptBattle) -> None:
        super().__init__()
        self._kept = kept
        self._summary = summary(kept.play)
        self._breaks = any(side.breaks for side in kept.state.setup.sides)

    def compose(self) -> ComposeResult:
        """The battle's title, then the page."""
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

        app = cast("SkirmishApp", self.app)
        self.run_worker(print_report(app, self._kept.id, self._kept.play), group="print")

    def action_scroll(self, by: int) -> None:
        """So many lines."""
        self.query_one("#summary-page").scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """A page, less a line that stays in sight."""
        page = self.query_one("#summary-page")
        page.scroll_relative(y=by * max(1, page.size.height - 1), animate=False)

    def action_top(self) -> None:
        """The beginning."""
        self.query_one("#summary-page").scroll_home(animate=False)

    def action_bottom(self) -> None:
        """The end."""
        self.query_one("#summary-page").scroll_end(animate=False)
