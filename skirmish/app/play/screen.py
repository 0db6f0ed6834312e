"""Any game on its screen: the board as a page, the verdict in large letters, what can be done or
what is asked, the journal. Every order is stored before anything is shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import registry
from skirmish.app.binding import keys
from skirmish.app.fitting import hanging, shortened
from skirmish.app.foot import Foot
from skirmish.app.host import Host
from skirmish.app.page_view import DIM, HEAD, TONES, painted
from skirmish.app.play.big_letters import high, low
from skirmish.app.play.ordering import OrderingScreen
from skirmish.app.session import AnySession, Session
from skirmish.extras import asked_page, extra, missing
from skirmish.store.errors import StoreError
from skirmish.tabletop.command_pages import commands_page
from skirmish.tabletop.game import PLAYERS, Game, Viewer
from skirmish.tabletop.page import Page, Steps
from skirmish.tabletop.typed import plain

WIDE, TALL = 110, 34
BESIDE, BESIDE_NARROW = 46, 36
"""Columns beside the board: for the phases of a turn, and for the journal where there is room."""
NEWEST = 6
"""Lines of the journal below the board, the last one first, where the phases stand beside it."""
LARGEST_WORD = 12
SHELL = "JSPWNH?%"
"""Characters that are bindings, unless a text or cards are being typed."""
SPARE = {"u": "undo", "w": "advice", "q": "leave"}
"""Letters for what every game has, where the game itself does not use them."""


def panel_of(id: str) -> Callable[..., Content] | None:
    found = registry.listed(id)
    if found is None or not found.panel:
        return None
    panel: Callable[..., Content] = import_module(found.panel).panel
    return panel


class PlayScreen(OrderingScreen):
    """One game."""

    GUARD: ClassVar[float] = 0.0
    """Space may be held down: what is rolled can be taken back."""

    CSS_PATH = "play.tcss"
    viewer: Viewer = PLAYERS
    """Who looks."""
    BINDINGS: ClassVar[list[BindingType]] = [
        *keys(
            "play",
            ("journal", "J", "journal", "Journal", "The whole journal"),
            ("summary", "S", "summary", "Summary", "The game so far, and the scores"),
            ("print", "P", "print", "Print", "Print a document"),
        ),
        Binding("ctrl+z", "undo", "Undo", key_display="⌫", tooltip="Undo the last order (Ctrl+Z)",
                id="play.undo"),
        *keys(
            "play",
            ("redo", "ctrl+y", "redo", "", "Redo what was undone"),
            ("home", "H", "home", "", "Home; the game is saved"),
            ("leave", "escape", "leave", "Leave",
             "Cancel what you began, or leave the game; it is saved"),
            ("another", "N", "another", "Another", "Set up another game"),
            ("advice", "W", "advice", "Advice", "What the program would do here"),
            ("up", "pageup", "scroll(-8)", "", "Scroll back"),
            ("down", "pagedown", "scroll(8)", "", "Scroll on"),
        ),
    ]  # fmt: skip

    def __init__(self, session: AnySession) -> None:
        super().__init__(session)
        self._place = ""
        self._advice: Page | None = None
        self._panel = panel_of(self.game.id)

    @property
    def TOPIC(self) -> str:  # noqa: N802  (what help and palette ask of a screen)
        return self.game.name

    @property
    def help_text(self) -> str:
        commands = self.commands
        now = [
            f"{one.key.capitalize() if one.key[1:] else one.key}  {one.label}. {one.help}".strip()
            for one in commands
        ]
        return "\n".join(
            [
                *now,
                "Enter or Space confirms a proposed answer. Backspace deletes what you typed; when "
                "nothing is typed, it undoes the last order.",
            ]
        )

    def open_rules(self) -> None:
        from skirmish.app.page_screen import PageScreen

        self.app.push_screen(PageScreen(lambda: self.game.rules(self.session.state)))

    # ------------------------------------------------------------------ on the screen

    def compose(self) -> ComposeResult:
        yield Static(id="clock", markup=False)
        with Horizontal(id="field"):
            with Vertical(id="middle"):
                with VerticalScroll(id="board-room", can_focus=False):
                    yield Static(id="board", markup=False)
                    yield Static(id="newest", markup=False)
                with Horizontal(id="verdict"):
                    yield Static(id="word", markup=False)
                    yield Static(id="reason", markup=False)
                yield Static(id="situation", markup=False)
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="beside-text", markup=False)
        with VerticalScroll(id="asked-room", can_focus=False):
            yield Static(id="asked", markup=False)
        yield Static(id="note", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        self.show_state()
        self._look_up_place()

    def on_resize(self) -> None:
        self.show_state()

    def show_state(self) -> None:
        if not self.is_mounted or not self.query("#clock"):
            return
        width = self.app.size.width
        wide = width >= WIDE
        phases = self.game.phases(self.session.play)
        beside = BESIDE if wide else BESIDE_NARROW if phases else 0
        room = width - (beside + 1 if beside else 0) - 3
        state = self.session.state
        name, stands = plain(self.game.title(state)), plain(self.game.headline(state))
        short = shortened(name, max(width - len(stands) - 4, 12))
        title = Content.assemble((short, HEAD), f"  {stands}")
        self._put("clock", title.truncate(width - 2, ellipsis=True))
        self._put("board", self._board(room))
        self._paint_verdict()
        lies = painted(self.game.situation(self.session.state), room)
        self._put("situation", lies)
        self.query_one("#situation").display = bool(lies.plain)
        self._paint_asked(width - 4)
        self._paint_beside(beside, phases)

    def _board(self, room: int) -> Content:
        state = self.session.state
        page, panel = painted(self.game.page(state, self.viewer), room), self._panel
        if panel is None or (self.viewer != PLAYERS and self.game.sides):
            return page
        return extra(
            "The picture is",
            lambda: panel(state, room, tall=self.app.size.height >= TALL),
            lambda says: Content("\n").join([Content(says), page]),
        )

    def _paint_beside(self, columns: int, phases: Steps | None) -> None:
        column = self.query_one("#beside", VerticalScroll)
        column.display = bool(columns) or self._advice is not None
        column.styles.width = columns or BESIDE_NARROW
        inner = (columns or BESIDE_NARROW) - 4
        lines = self.game.journal(self.session.play, self.viewer, last=100)
        told = [Content.assemble((f"{one.number:>4} ", DIM), plain(one.words)) for one in lines]
        newest = self.query_one("#newest", Static)
        newest.display = phases is not None
        if self._advice is not None:
            title = Content.styled(plain(self._advice.title).upper(), HEAD)
            beside = Content("\n").join([title, painted(self._advice, inner)])
        elif phases is not None:
            beside = painted(Page("", (phases,)), inner)
        else:
            beside = Content("\n").join(told)
        room = max(self.query_one("#board-room").size.width - 1, 20)
        rows = [row for one in reversed(told[-NEWEST:]) for row in hanging(one, room, 5)]
        newest.update(Content("\n").join(rows))
        self._put("beside-text", beside)
        if phases is None and self._advice is None:
            column.scroll_end(animate=False)
        elif phases is not None:
            states = [step.state for step in phases.rows]
            now = states.index("now") if "now" in states and self._advice is None else 0
            self.call_after_refresh(self._bring_into_view, column, now)

    def _bring_into_view(self, column: VerticalScroll, row: int) -> None:
        column.scroll_to(y=max(row + 2 - column.size.height, 0), animate=False)

    def _paint_verdict(self) -> None:
        found = self.game.verdict(self.session.play)
        self.query_one("#verdict").display = found is not None
        if found is None:
            return
        text = plain(found.text)
        tall = self.app.size.height >= TALL
        size = high if tall else low
        large = len(text) <= LARGEST_WORD and (tall or self._panel is None)
        word = size(text) if large else text
        self._put("word", Content.styled(word or text, TONES[found.tone]))
        self._put("reason", Content(plain(found.reason)))

    def _paint_asked(self, room: int) -> None:
        self._put("asked", self.asked(room))
        over = self._place or "The game is over." if self.game.over(self.session.state) else ""
        self._put("note", Content.styled(plain(self.note or over), "$error" if self.note else DIM))
        self.query_one("#note").display = bool(self.note or over)
        self.refresh_bindings()

    def asked(self, room: int) -> Content:
        draft = self.draft
        page = commands_page(self.commands) if draft is None else asked_page(draft)
        return painted(page, room)

    def _put(self, id: str, content: Content) -> None:
        self.query_one(f"#{id}", Static).update(content)

    # ------------------------------------------------------------------ keys

    async def on_key(self, event: events.Key) -> None:
        """Letters that the game does not use are those of every game."""
        sign = event.character if event.is_printable else None
        if sign in SPARE and not self._means(sign) and self.check_action(SPARE[sign], ()):
            event.stop()
            event.prevent_default()
            await self.run_action(SPARE[sign])

    def takes(self, key: str) -> bool:
        return self._means(key) or (key not in SHELL and key != "tab")

    def _means(self, key: str) -> bool:
        if self.draft is None:
            return any(one.key == key for one in self.commands)
        slot, toggles = self.draft.slot, self.draft.toggles
        if slot is not None and any(one.key == key for one in toggles):
            return True
        return slot is not None and slot.takes(key, self.draft.typed)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Another game is offered when this one is over, advice until then where the game has any;
        nothing is undone before the first order."""
        over = self.game.over(self.session.state)
        if action == "another":
            return over
        if action == "advice":
            return not over and type(self.game).advice is not Game.advice
        return None if action == "undo" and len(self.session.play.acts) == 1 else True

    def action_another(self) -> None:
        self.app.switch_screen(self.skirmish.make("set-up", self.game.id))

    def action_advice(self) -> None:
        self.note = "Playing it out …"
        self.show_state()
        self.run_worker(self._advise(), group="advice", exclusive=True)

    async def _advise(self) -> None:
        state = self.session.state
        try:
            pages = await asyncio.to_thread(self.game.advice, state)
            self.note = "There is no advice for this game."
            while (page := await asyncio.to_thread(next, pages, None)) is not None:
                if self.session.state is not state or not self.is_attached:
                    return
                self.note, self._advice = "", page
                self.show_state()
        except Exception:
            self.note = missing("Advice is")
        self.show_state()

    async def action_leave(self) -> None:
        if self._advice is not None:
            self.note, self._advice = "", None
            self.show_state()
        else:
            await self.press("escape")

    def changed(self) -> None:
        self.workers.cancel_group(self, "advice")
        self._advice = None
        self._look_up_place()

    def action_home(self) -> None:
        self.skirmish.home()

    def action_scroll(self, by: int) -> None:
        asked = self.query_one("#asked-room", VerticalScroll)
        room = asked if asked.max_scroll_y else self.query_one("#board-room", VerticalScroll)
        room.scroll_relative(y=by, animate=False)

    def _look_up_place(self) -> None:
        if self.game.over(self.session.state):
            self.run_worker(self._tell_place(), group="place", exclusive=True)

    async def _tell_place(self) -> None:
        """How good this game was. Where the others cannot be read it can be looked up later."""
        from skirmish.tabletop.scores import place

        game, number = self.game, self.session.id
        state, rating = self.session.state, ""
        try:
            with suppress(StoreError):
                self._place = await self.skirmish.stored(
                    lambda store: place(game.all_scores(store.finished(game, number)), number)
                )
            self.show_state()
            rating = await asyncio.to_thread(game.rating, state)
        except Exception:
            self.note = missing("The rating is")
            self.show_state()
        if rating and self.session.state is state and self.is_attached:
            self._place = f"{self._place} {rating}".strip()
            self.show_state()


async def opened(app: Host, number: int) -> PlayScreen:
    record = await app.stored(lambda store: store.battle(number))
    return PlayScreen(await Session.resumed(registry.load(record.game), app.stored, number))
