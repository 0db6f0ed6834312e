"""One long page to read, by lines, by pages and to its ends; the summary and journal of a game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import groupby
from pathlib import Path
from typing import ClassVar

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
from skirmish.app.page_view import DIM, HEAD, KEY, hanging, painted
from skirmish.app.windows import working
from skirmish.session import AnySession
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.journal import RecordError
from skirmish.tabletop.page import Heading, Page, Paragraph, mapped
from skirmish.tabletop.refusal import Refused
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
            ("top", "home", "scroll(-99999)", "", "To the top"),
            ("end", "end", "scroll(99999)", "", "To the end"),
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
        page, about = self._page, " · ".join(self._page.about)
        if about:
            blocks = (Paragraph(about, tone="strong"), *page.blocks)
            page = msgspec.structs.replace(page, blocks=blocks)
        measured = mapped(page, self.skirmish.measured)
        part = self.query_one(".summary-part", Static)
        part.update(painted(measured, self.app.size.width - EDGES))

    def show_anew(self) -> None:
        self._page = self._make()
        self.on_resize()

    def action_scroll(self, by: int) -> None:
        self.query_one("#summary-page").scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        self.action_scroll(by * max(1, self.query_one("#summary-page").size.height - 1))


class SummaryPage(PageScreen):
    """The result of a game, above the scores of all finished games if they are compared."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(lambda: session.game.summary(session.play))
        self._session = session

    def on_mount(self) -> None:
        self._read()

    @work(group="scores", exclusive=True)
    async def _read(self) -> None:
        from skirmish.store.errors import StoreError

        session = self._session
        try:
            scores = await self.skirmish.stored(
                lambda store: session.game.scores(
                    store.finished(session.game, session.id), session.id
                )
            )
        except StoreError as error:
            self.notify(str(error), markup=False)
            return
        if scores is not None and self.is_attached:
            self._page = self._page.with_blocks([Heading(scores.title), *scores.blocks])
            self.on_resize()


class JournalPage(Screen[None]):
    """All lines of the journal; Enter goes back to the selected one, ``v`` makes it void."""

    CSS_PATH = "journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    EXTRA = "The journal is"
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

    def __init__(self, session: AnySession) -> None:
        super().__init__()
        self._session = session
        self._all = False
        self._lines: dict[str, JournalLine] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield LineList("lines")
        yield Foot()

    def on_mount(self) -> None:
        self._list()
        self.query_one(LineList).focus()

    def on_resize(self) -> None:
        self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        return action not in {"void", "show_all"} or self._session.game.voids

    def action_show_all(self) -> None:
        self._all = not self._all
        self._list()

    def _list(self) -> None:
        game, play, listed = self._session.game, self._session.play, self.query_one(LineList)
        whole = game.all_lines(play)
        lines = whole if self._all else game.journal(play)
        hidden = sum(one.void or one.undone for one in whole)
        more = f"   {hidden} void or undone: h" if hidden else ""
        counted = f"{len(lines)} {'line' if len(lines) == 1 else 'lines'}"
        title = f"JOURNAL  {plain(game.title(play.state))}   {counted}{more}"
        self.query_one("#title", Static).update(title)
        width = listed.size.width - 2 or self.app.size.width - 4
        at = listed.chosen
        self._lines = {str(one.number): one for one in lines}
        groups: list[Group] = []
        for turn, of_turn in groupby(lines, lambda one: one.turn):
            head = Content.styled(f"TURN {turn}", HEAD) if turn else None
            rows = {
                str(one.number): hanging(_line(one, self._worded(one)), width, 5) for one in of_turn
            }
            groups.append((head, {id: Content("\n").join(row) for id, row in rows.items()}))
        listed.show(groups, at if at in self._lines else next(reversed(self._lines), ""))

    def _worded(self, line: JournalLine) -> str:
        return "\n".join(self.skirmish.measured(plain(one)) for one in line.rows or (line.text,))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        line = self._lines[event.option_id or ""]
        self._change(line, lambda: self._session.back(line.numbers[-1]))

    def action_void(self) -> None:
        if (line := self._lines.get(self.query_one(LineList).chosen)) is not None:
            numbers = self._session.game.void_numbers(self._session.play, line)
            self._change(line, lambda: self._session.void(numbers), void=True)

    def _change(
        self, line: JournalLine, change: Callable[[], Awaitable[object]], *, void: bool = False
    ) -> None:
        game, play = self._session.game, self._session.play
        why_not = "This line is void or undone already." if line.void or line.undone else ""
        if why_not := why_not or (game.why_not_void(play, line) if void else ""):
            self.notify(why_not, markup=False)
        else:
            self.run_worker(self._carry_out(change), exclusive=True)

    async def _carry_out(self, change: Callable[[], Awaitable[object]]) -> None:
        try:
            await change()
        except (Refused, StoreError, RecordError) as error:
            self.notify(str(error), markup=False)
        except (LookupError, ValueError, AttributeError):
            self.notify("Later lines depend on this one; undo them first.", markup=False)
        self._list()


def _line(one: JournalLine, words: str) -> Content:
    note = " (void)" if one.void else " (undone)" if one.undone else ""
    style = f"{DIM} strike" if note else ""
    return Content.assemble((f"{one.number:>4} ", KEY), (words, style), note)
