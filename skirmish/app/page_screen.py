"""Screens that show a page to read, such as the summary of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish.app.base_screen import Screen
from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.page_view import painted
from skirmish.app.windows import working
from skirmish.session import AnySession
from skirmish.store.errors import StoreError
from skirmish.tabletop.page import Heading, Page, Paragraph, mapped
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

PAGE_EDGES = 6
"""Columns that the edges of a page and its scroll bar take."""
TWO_COLUMNS_FROM = 150
"""Columns of a page from which some of its blocks, such as the losses of both sides, stand beside
one another."""
MORE_THAN_A_PAGE = 99_999
"""More lines than any page has: scrolling by so many leads to its end."""


class PageScreen(Screen[None]):
    """A page to read, by lines, by pages and to its ends. ``make_page`` returns it; ``colours``
    names the colours of both sides."""

    CSS_PATH = Path(__file__).with_suffix(".tcss")  # screens in other folders inherit it
    TOPIC: ClassVar[str] = "summary"
    FAILURE = "This page is not available"
    WORK: ClassVar[str] = ""
    """The message while a page is made that takes seconds: it is made in a thread, after the first
    paint. Empty for other pages: those are made before it, so that they open with their text."""
    # Each row: id, keys, action, label at the foot, words of the help. On pages of every kind these
    # keys have the ids of those of the summary.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "summary",
            ("up", "up,k", "scroll(-1)", "", "A line up"),
            ("down", "down,j", "scroll(1)", "", "A line down"),
            ("page_down", "space,pagedown", "page(1)", "Next page", "A page down"),
            ("page_up", "pageup", "page(-1)", "", "A page up"),
            ("top", "home", f"scroll(-{MORE_THAN_A_PAGE})", "", "To the top"),
            ("end", "end", f"scroll({MORE_THAN_A_PAGE})", "", "To the end"),
        ),
        *keys("page", ("back", "escape,q,enter", "app.pop_screen", "Back", "Close this page")),
    ]

    def __init__(self, make_page: Callable[[], Page], colours: tuple[str, str] = NO_NATION) -> None:
        super().__init__()
        self._make_page = make_page
        self._page = Page("")  # until it is made
        self._colours = colours

    def compose(self) -> ComposeResult:
        if not self.WORK:
            self._page = self._make_page()
        title = plain(self._page.title).upper()
        yield Static(title, classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            part = Static(classes="summary-part", markup=False)
            # Text that can be clicked, such as the losses of the casualty strip, keeps the colour
            # of its side: Textual would give it that of links.
            part.auto_links = False
            yield part
        yield Foot()

    def on_mount(self) -> None:
        if self.WORK:
            self._make_in_background()

    @work(group="page")
    async def _make_in_background(self) -> None:
        job = asyncio.to_thread(self._make_page)
        self._page = await working(self.skirmish, self.WORK, job)
        self.query_one("#summary-title", Static).update(plain(self._page.title).upper())
        self.paint()

    def settings_changed(self) -> None:
        self.paint()

    def on_resize(self) -> None:
        # Every screen is resized once when it opens: that paints a page for the first time.
        self.paint()

    def paint(self) -> None:
        """Paint the page anew, in the columns that the screen has now."""
        # Distances are converted at each painting, as the unit of measure may have changed.
        page = mapped(self._page_with_about(), self.skirmish.measured)
        width = self.app.size.width - PAGE_EDGES
        picture = self.picture(width)
        if picture is None:
            text = self.painted_page(page, width)
        else:
            text = self._painted_around(picture, page, width)
        self.query_one(".summary-part", Static).update(text)

    def _page_with_about(self) -> Page:
        """The page with its ``about``, if it has any, as a first block."""
        page = self._page
        if not page.about:
            return page
        about = " · ".join(page.about)
        blocks = (Paragraph(about, tone="strong"), *page.blocks)
        return msgspec.structs.replace(page, blocks=blocks)

    def _painted_around(self, picture: Content, page: Page, width: int) -> Content:
        """The first block of a page, then the picture, then the other blocks. Only summaries have a
        picture; they have no ``about``, so that their first block says who won."""
        first, *rest = page.blocks
        above = msgspec.structs.replace(page, blocks=(first,))
        below = msgspec.structs.replace(page, blocks=tuple(rest))
        parts = [self.painted_page(above, width), picture, self.painted_page(below, width)]
        return Content("\n\n").join(parts)

    def painted_page(self, page: Page, width: int) -> Content:
        """A page, or a part of it, in so many columns."""
        return painted(page, width, beside=width >= TWO_COLUMNS_FROM, colours=self._colours)

    def picture(self, width: int) -> Content | None:
        """What is drawn below the first block of the page, if anything."""
        del width
        return None

    def show_anew(self) -> None:
        """Make the page again, since what it shows has changed."""
        self._page = self._make_page()
        self.paint()

    def action_scroll(self, lines: int) -> None:
        self.query_one("#summary-page").scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        # One line less than the screen shows: the last line read stays in view as the first one.
        lines_of_page = max(1, self.query_one("#summary-page").size.height - 1)
        self.action_scroll(pages * lines_of_page)


class SummaryPage(PageScreen):
    """The result of a game, above the scores of all finished games if they are compared."""

    def __init__(self, session: AnySession) -> None:
        colours = session.game.colours(session.state)
        super().__init__(lambda: session.game.summary(session.play), colours)
        self._session = session

    def on_mount(self) -> None:
        self._read_scores()

    @work(group="scores", exclusive=True)
    async def _read_scores(self) -> None:
        """Add the table of scores, which is read from the store, to the page."""
        session = self._session

        def scores_of(store: Store) -> Page | None:
            return session.game.scores(store.finished(session.game, session.id), session.id)

        try:
            scores = await self.skirmish.stored(scores_of)
        except StoreError as error:
            self.notify(str(error), markup=False)
            return
        # The page may have been closed while the scores were read.
        if scores is not None and self.is_attached:
            self._page = self._page.with_blocks([Heading(scores.title), *scores.blocks])
            self.paint()
