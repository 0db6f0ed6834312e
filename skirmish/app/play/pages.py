"""Pages of any game to read: rules, summary, the journal with its undo."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.page_screen import PageScreen
from skirmish.app.page_view import DIM, HEAD, KEY, hanging
from skirmish.session import AnySession
from skirmish.tabletop.game import JournalLine
from skirmish.tabletop.page import Heading
from skirmish.tabletop.typed import plain


class SummaryPage(PageScreen):
    """What a game has come to; below it the scores of finished games, if they are compared."""

    def __init__(self, session: AnySession) -> None:
        super().__init__(lambda: session.game.summary(session.play))
        self._session = session

    def on_mount(self) -> None:
        self.run_worker(self._read(), group="scores", exclusive=True)

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
    """Every line of the journal; Enter goes back to the chosen one, ``v`` makes it void."""

    CSS_PATH = "../journal.tcss"
    TOPIC: ClassVar[str] = "journal"
    EXTRA = "The journal is"
    HELP = (
        "Enter undoes everything after the chosen line in one step; Ctrl+Y in the game brings it "
        "back. v makes the chosen line void; later lines stand. Void and undone lines are hidden; "
        "h shows them."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys("play-journal", ("void", "v", "void", "Make void", "Make the chosen line void")),
        *keys(
            "journal", ("hidden", "h", "show_all", "Hidden", "Show or hide void and undone lines")
        ),
        *keys("play-journal", ("back", "escape,q,J", "dismiss", "Back", "Back to the game")),
    ]

    def __init__(self, session: AnySession) -> None:
        super().__init__()
        self._session = session
        self._all = False
        self._lines: list[JournalLine] = []

    def compose(self) -> ComposeResult:
        yield Static(id="title", classes="title", markup=False)
        yield OptionList(id="lines", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self._list()

    def on_resize(self) -> None:
        self._list()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        return action not in {"void", "show_all"} or self._session.game.voids

    def action_show_all(self) -> None:
        self._all = not self._all
        self._list()

    def _list(self) -> None:
        game, play = self._session.game, self._session.play
        whole = game.all_lines(play)
        self._lines = whole if self._all else game.journal(play)
        hidden = sum(one.void or one.undone for one in whole)
        more = f"   {hidden} void or undone: h" if hidden else ""
        title = f"JOURNAL  {plain(game.title(play.state))}   {len(self._lines)} lines{more}"
        self.query_one("#title", Static).update(title)
        listed = self.query_one("#lines", OptionList)
        at, width = listed.highlighted, listed.size.width - 2 or self.app.size.width - 4
        listed.clear_options()
        told = self.skirmish.measured
        turn = 0
        for nth, one in enumerate(self._lines):
            if one.turn != turn:
                turn = one.turn
                listed.add_option(Option(Content.styled(f"TURN {turn}", HEAD), disabled=True))
            rows = hanging(_line(one, told(plain(one.words))), width, 5)
            listed.add_option(Option(Content("\n").join(rows), id=str(nth)))
        last = listed.option_count - 1
        listed.highlighted = None if last < 0 else last if at is None else min(at, last)
        listed.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        line = self._lines[int(event.option_id or "0")]
        self._change(line, lambda: self._session.back(line.entries[-1]))

    def action_void(self) -> None:
        at = self.query_one("#lines", OptionList).highlighted
        if at is None:
            return
        option = self.query_one("#lines", OptionList).get_option_at_index(at)
        line = self._lines[int(option.id or "0")]
        self._change(line, lambda: self._session.void(line.entries), void=True)

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
        from skirmish.store.errors import StoreError
        from skirmish.tabletop.journal import RecordError
        from skirmish.tabletop.refusal import Refused

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
