"""One long page to read, by lines, by pages and to its ends; the summary and journal of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static

from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.line_list import Group, LineList
from skirmish.app.page_view import DIM, HEAD, KEY, painted
from skirmish.app.text_rows import hanging
from skirmish.app.windows import working
from skirmish.session import AnySession
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal_codec import RecordError
from skirmish.tabletop.page import Heading, Page, Paragraph, mapped
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from skirmish.store.database import Store

PAGE_EDGES = 6
"""Columns of the edges of a page with its scroll bar."""
TWO_COLUMNS_FROM = 150
"""Columns from which what belongs side by side, as the losses of both sides, stands so."""
LINE_EDGES = 2
"""Columns beside a line of the journal."""
NUMBER_COLUMNS = 5
"""Columns of the number of a line, with the gap behind it."""


class PageScreen(Screen[None]):
    """A scrollable page, which ``make`` returns. It is made when it is opened; if it has a ``WORK``
    message, in a thread, and the message is shown meanwhile. ``colours`` are those of both
    sides."""

    CSS_PATH = Path(__file__).with_suffix(".tcss")  # screens in other folders inherit it
    TOPIC: ClassVar[str] = "summary"
    EXTRA = "This page is"  # begins the message if this screen fails
    WORK: ClassVar[str] = ""
    # Each row: the id, the keys, the action, the label at the foot, and what the help says.
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "summary",
            ("up", "up,k", "scroll(-1)", "", "A line up"),
            ("down", "down,j", "scroll(1)", "", "A line down"),
            ("page_down", "space,pagedown", "page(1)", "Next page", "A page down"),
            ("page_up", "pageup", "page(-1)", "", "A page up"),
            # More lines than any page has.
            ("top", "home", "scroll(-99999)", "", "To the top"),
            ("end", "end", "scroll(99999)", "", "To the end"),
        ),
        *keys("page", ("back", "escape,q,enter", "app.pop_screen", "Back", "Close this page")),
    ]

    def __init__(self, make: Callable[[], Page], colours: tuple[str, str] = NO_NATION) -> None:
        super().__init__()
        self._make = make
        self._page = Page("")
        self._colours = colours

    def compose(self) -> ComposeResult:
        # Before the first paint, so that it opens with its text; work of seconds is done after it.
        if not self.WORK:
            self._page = self._make()
        title = plain(self._page.title).upper()
        yield Static(title, classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            part = Static(classes="summary-part", markup=False)
            # What is clicked, as the losses of the casualty strip, stays in the colour of its side.
            part.auto_links = False
            yield part
        yield Foot()

    def on_mount(self) -> None:
        if self.WORK:
            self._make_in_background()

    @work(group="page")
    async def _make_in_background(self) -> None:
        job = asyncio.to_thread(self._make)
        self._page = await working(self.skirmish, self.WORK, job)
        self.query_one("#summary-title", Static).update(plain(self._page.title).upper())
        self.paint()

    def settings_changed(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        # Every screen is resized once when it opens: that paints a page for the first time.
        self.paint()

    def paint(self) -> None:
        """Paint the page anew, in the columns that the screen has now."""
        # At each painting: the unit of measure may have been changed meanwhile.
        page = mapped(self._page_with_about(), self.skirmish.measured)
        width = self.app.size.width - PAGE_EDGES
        picture = self.picture(width)
        if picture is None:
            text = self.painted_page(page, width)
        else:
            text = self._painted_around(picture, page, width)
        self.query_one(".summary-part", Static).update(text)

    def _page_with_about(self) -> Page:
        """The page below a line that says what it is about."""
        page = self._page
        about = " · ".join(page.about)
        if not about:
            return page
        blocks = (Paragraph(about, tone="strong"), *page.blocks)
        return msgspec.structs.replace(page, blocks=blocks)

    def _painted_around(self, picture: Content, page: Page, width: int) -> Content:
        """The first block of a page, which says who won, then the picture, then the rest. Pages
        with a picture have no ``about``: its line would be the first block instead."""
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
        """Make the page again, as what it shows has changed."""
        self._page = self._make()
        self.paint()

    def action_scroll(self, lines: int) -> None:
        self.query_one("#summary-page").scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        # A line less than there are, so that the last one read is the first one seen.
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


class JournalPage(Screen[None]):
    """All lines of the journal; Enter goes back to the selected one, ``v`` makes it void. It opens
    at the line about the entry ``number``, or at the last one."""

    CSS_PATH = "journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    EXTRA = "The journal is"  # begins the message if this screen fails
    HELP = (
        "Enter undoes everything after the chosen line in one step; Ctrl+Y in the game brings it "
        "back."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "play-journal",
            ("void", "v", "void", "Make void", "Make the chosen line void; later lines stay"),
        ),
        *keys(
            "journal", ("hidden", "h", "show_all", "Hidden", "Show or hide void and undone lines")
        ),
        *keys("play-journal", ("back", "escape,q,J", "dismiss", "Back", "Back to the game")),
    ]

    def __init__(self, session: AnySession, number: int | None = None) -> None:
        super().__init__()
        self._session = session
        self._number = number
        self._shows_hidden = False  # also the lines that are void or undone
        self._lines: dict[str, JournalLine] = {}
        """The lines that are shown, by their numbers as text."""

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield LineList("lines", classes="lines")
        yield Foot()

    def on_mount(self) -> None:
        self._paint_lines()
        self.query_one(LineList).focus()

    def on_resize(self) -> None:
        self._paint_lines()

    def settings_changed(self) -> None:
        self._paint_lines()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        return action not in {"void", "show_all"} or self._session.game.voids

    def action_show_all(self) -> None:
        self._shows_hidden = not self._shows_hidden
        self._paint_lines()

    def _paint_lines(self) -> None:
        """Paint the lines by turns; the cursor stays on its line, else it goes to the last one."""
        game, play = self._session.game, self._session.play
        all_lines = game.all_lines(play)
        lines = game.journal(play)
        if self._shows_hidden:
            lines = all_lines
        self.query_one("#title", Static).update(self._title(all_lines, lines))
        self._lines = {str(line.number): line for line in lines}
        line_list = self.query_one(LineList)
        chosen = line_list.chosen
        if chosen not in self._lines:
            chosen = self._first_chosen(lines)
        line_list.show(self._groups(lines, self._line_width(line_list)), chosen)

    def _line_width(self, line_list: LineList) -> int:
        """The columns of a line of the list."""
        if not line_list.size.width:  # before the first layout
            return self.app.size.width - 2 * LINE_EDGES
        return line_list.size.width - LINE_EDGES

    def _groups(self, lines: Sequence[JournalLine], width: int) -> Iterator[Group]:
        """The lines of each turn below its heading."""
        for turn, turn_lines in groupby(lines, key=attrgetter("turn")):
            head = None
            if turn:
                head = Content.styled(f"TURN {turn}", HEAD)
            rows = {}
            for line in turn_lines:
                text = hanging(_numbered_line(line, self._words(line)), width, NUMBER_COLUMNS)
                rows[str(line.number)] = Content("\n").join(text)
            yield head, rows

    def _first_chosen(self, lines: Sequence[JournalLine]) -> str:
        """The line that was asked for, else the last one."""
        for line in lines:
            if self._number in line.entry_numbers:
                return str(line.number)
        return next(reversed(self._lines), "")

    def _title(self, all_lines: Sequence[JournalLine], shown: Sequence[JournalLine]) -> str:
        """The title of the screen, with how many lines are shown, and how many count no more."""
        count = f"{len(shown)} lines"
        if len(shown) == 1:
            count = "1 line"
        title = plain(self._session.game.title(self._session.play.state))
        text = f"JOURNAL  {title}   {count}"
        gone = sum(line.void or line.undone for line in all_lines)
        if gone:
            text += f"   {gone} void or undone: {self.skirmish.key('journal.hidden', 'h')}"
        return text

    def _words(self, line: JournalLine) -> str:
        """The text of a line in the players' units of measure."""
        rows = line.rows or (line.text,)
        return "\n".join(self.skirmish.measured(plain(row)) for row in rows)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        line = self._as_counted(self._lines[event.option_id or ""])
        # The last entry of the line is the last that stays; all after it are undone.
        back = partial(self._session.back, line.entry_numbers[-1])
        self._change(back, _why_gone(line))

    def action_void(self) -> None:
        line = self._lines.get(self.query_one(LineList).chosen)
        if line is None:
            return
        line = self._as_counted(line)
        game, play = self._session.game, self._session.play
        void = partial(self._session.void, game.void_numbers(play, line))
        self._change(void, _why_gone(line) or game.why_not_void(play, line))

    def _as_counted(self, line: JournalLine) -> JournalLine:
        """The line of the usual journal that ``line`` belongs to, which can only be made void as a
        whole. Where void lines are shown as well, a volley that was put right while it was typed
        has two lines: one for the five shots before the correction, one for those after it."""
        if _why_gone(line):
            return line
        for counted in self._session.game.journal(self._session.play):
            if line.number in counted.entry_numbers:
                return counted
        return line

    def _change(self, change: Callable[[], Awaitable[object]], why_not: str) -> None:
        """Change the journal, or show why not."""
        if why_not:
            self.notify(why_not, markup=False)
        else:
            self.run_worker(self._carry_out(change), exclusive=True)

    async def _carry_out(self, change: Callable[[], Awaitable[object]]) -> None:
        try:
            await change()
        except (Refused, StoreError, RecordError) as error:
            self.notify(str(error), markup=False)
        except (LookupError, ValueError, AttributeError):
            # An order after it has lost what it refers to, such as a unit that came with it.
            self.notify("Later lines depend on this one; undo them first.", markup=False)
        self._paint_lines()


def _why_gone(line: JournalLine) -> str:
    """Why a line can be changed no more; empty if it can."""
    if line.void or line.undone:
        return "This line is void or undone already."
    return ""


def _numbered_line(line: JournalLine, words: str) -> Content:
    """A line behind its number; if it counts no more, struck out with the reason."""
    number = (f"{line.number:>{NUMBER_COLUMNS - 1}} ", KEY)
    if line.void:
        return Content.assemble(number, (words, f"{DIM} strike"), " (void)")
    if line.undone:
        return Content.assemble(number, (words, f"{DIM} strike"), " (undone)")
    return Content.assemble(number, words)
