"""One long page to scroll, by lines, by pages and to its ends."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from skirmish.app.host import Screen


class ScrolledPage(Screen[None]):
    """A screen whose ``#summary-page`` scrolls."""

    CSS_PATH = Path(__file__).with_suffix(".tcss")  # screens in other folders inherit it
    TOPIC: ClassVar[str] = "summary"
    EXTRA = "This page is"
    BINDINGS: ClassVar[list[BindingType]] = [
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

    def action_scroll(self, by: int) -> None:
        self.query_one("#summary-page").scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        page = self.query_one("#summary-page")
        page.scroll_relative(y=by * max(1, page.size.height - 1), animate=False)

    def action_top(self) -> None:
        self.query_one("#summary-page").scroll_home(animate=False)

    def action_bottom(self) -> None:
        self.query_one("#summary-page").scroll_end(animate=False)
