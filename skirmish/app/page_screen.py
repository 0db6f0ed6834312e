"""One long page to read, by lines, by pages and to its ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.page_view import painted
from skirmish.app.windows import working
from skirmish.tabletop.page import Page, mapped
from skirmish.tabletop.typed import plain

EDGES = 6


class PageScreen(Screen[None]):
    """A scrollable page, made when it is opened; in a thread if it has a ``WORK`` message."""

    CSS_PATH = Path(__file__).with_suffix(".tcss")  # screens in other folders inherit it
    TOPIC: ClassVar[str] = "summary"
    EXTRA = "This page is"
    WORK: ClassVar[str] = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "summary",
            ("up", "up,k", "scroll(-1)", "", "A line up"),
            ("down", "down,j", "scroll(1)", "", "A line down"),
            ("page_down", "space,pagedown", "page(1)", "Next page", "A page down"),
            ("page_up", "pageup", "page(-1)", "", "A page up"),
            ("top", "home", "top", "", "To the top"),
            ("end", "end", "bottom", "", "To the end"),
        ),
        *keys("page", ("back", "escape,q,enter", "app.pop_screen", "Back", "Close this page")),
    ]

    def __init__(self, make: Callable[[], Page]) -> None:
        super().__init__()
        self._make = make
        self._page = Page("")

    def compose(self) -> ComposeResult:
        if not self.WORK:
            self._page = self._make()
        title = plain(self._page.title).upper()
        yield Static(title, classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            yield Static(classes="summary-part", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        if self.WORK:
            self._work()

    @work(group="page")
    async def _work(self) -> None:
        job = asyncio.to_thread(self._make)
        self._page = await working(self.skirmish, self.WORK, job)
        self.query_one("#summary-title", Static).update(plain(self._page.title).upper())
        self.on_resize()

    def on_resize(self) -> None:
        measured = mapped(self._page, self.skirmish.measured)
        part = self.query_one(".summary-part", Static)
        part.update(painted(measured, self.app.size.width - EDGES))

    def show_anew(self) -> None:
        self._page = self._make()
        self.on_resize()

    def action_scroll(self, by: int) -> None:
        self.query_one("#summary-page").scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        page = self.query_one("#summary-page")
        page.scroll_relative(y=by * max(1, page.size.height - 1), animate=False)

    def action_top(self) -> None:
        self.query_one("#summary-page").scroll_home(animate=False)

    def action_bottom(self) -> None:
        self.query_one("#summary-page").scroll_end(animate=False)
