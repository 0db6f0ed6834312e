"""Following a battle that is fought elsewhere: read only, and never more than a moment behind."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.battle.header import VERBS, Tab
from skirmish.app.fitting import shortened
from skirmish.app.follow.followed import Followed
from skirmish.app.follow.view import FollowView
from skirmish.app.follow.words import Said, eyes, painted
from skirmish.app.host import Screen
from skirmish.games.plastic.game import topics
from skirmish.store.errors import StoreError
from skirmish.store.watch import News, Watch
from skirmish.tabletop.journal import RecordError
from skirmish.tabletop.typed import plain

TOPIC = "follow"
NAME = 16
"""Cells of whose eyes these are."""
PAGE = 8
"""Lines or rows that a Page key turns."""


class FollowScreen(Screen[None]):
    """Battle ``number`` as others fight it. The database is asked twice a second in the store's
    own thread; a question costs next to nothing where nothing was written."""

    CSS_PATH = "follow.tcss"
    TOPIC: ClassVar[str] = TOPIC
    EXTRA = "Following is"
    AUTO_FOCUS = None
    PAUSE: ClassVar[float] = 0.5
    """Seconds between two looks."""
    LINGER: ClassVar[float] = 2.0
    """Seconds for which a verdict stays, if others wait behind it."""
    HELP = (
        "A battle that is being played in another terminal or browser tab. Nothing can be changed "
        "from here. When several results arrive at once, each is shown for two seconds.\n"
        "Hidden units are not shown to spectators or to the other side until they are revealed. "
        "One key switches between the spectator's view and the view of each side."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "v",
            "eyes",
            "view",
            tooltip="Watch as a spectator or as one of the sides",
            id="follow.eyes",
        ),
        Binding("up", "scroll(-1)", "", tooltip="Scroll the journal up", id="follow.up"),
        Binding("down", "scroll(1)", "", tooltip="Scroll the journal down", id="follow.down"),
        Binding(
            "pageup", "page(-1)", "", tooltip="Previous page of rows or lines", id="follow.page_up"
        ),
        Binding(
            "pagedown",
            "page(1)",
            "",
            tooltip="Next page of rows or lines",
            id="follow.page_down",
        ),
        Binding("f3", "turn_to('both')", "", tooltip="Show both sides", id="follow.both_sides"),
        Binding(
            "f4",
            "turn_to('first')",
            "",
            tooltip="Show the first side in full",
            id="follow.first_side",
        ),
        Binding(
            "f5",
            "turn_to('second')",
            "",
            tooltip="Show the second side in full",
            id="follow.second_side",
        ),
        Binding(
            "f6", "turn_to('journal')", "", tooltip="Show the journal", id="follow.journal_page"
        ),
        Binding(
            "f7",
            "turn_to('due')",
            "",
            tooltip="Show the victory status and reinforcements",
            id="follow.due_page",
        ),
        Binding("escape,H", "home", "home", tooltip="Back to the home screen", id="follow.home"),
    ]

    def __init__(self, battle: int) -> None:
        super().__init__()
        self.number = battle
        self.followed = Followed()
        self.page: Tab = "both"
        self.trouble = ""
        self.removed = False
        self._watch: Watch | None = None
        self._until = 0.0

    @property
    def paragraph(self) -> str:
        """The rule of what is on the screen."""
        play = self.followed.play
        found = library.reference().on(*topics(play, None)) if play else None
        return found.id if found else ""

    def compose(self) -> ComposeResult:
        """A word until the first look is done."""
        yield Static(f"Opening battle {self.number} ...", id="opening", markup=False)

    def on_mount(self) -> None:
        """Begin to look."""
        self._watch = Watch(self.skirmish.where, self.number)
        self.run_worker(self._follow(self._watch), group="follow", exclusive=True)

    def on_unmount(self) -> None:
        """Let go of the file, in the thread that holds it."""
        watch = self._watch
        if watch is not None:
            with suppress(StoreError):  # the app is closing, and the store with it
                self.skirmish.store_thread.submit(lambda _: watch.close())

    def on_resize(self) -> None:
        """More room: more of the journal, larger letters."""
        self._show()

    # ------------------------------------------------------------------ looking

    async def _follow(self, watch: Watch) -> None:
        while True:
            try:
                await self._take(await self.skirmish.stored(lambda _: watch.look()))
            except StoreError as error:
                self._troubled(f"{error} Trying again.")
            except RecordError as error:
                self._troubled(f"This battle can no longer be followed: {error}")
                return
            await asyncio.sleep(self.PAUSE)

    async def _take(self, news: News | None) -> None:
        """Show what a look has found, a verdict at a time."""
        changed = bool(self.trouble)
        self.trouble = ""
        if news is not None:
            changed = changed or bool(news.entries) or news.removed != self.removed
            if news.removed and not self.removed:
                self.notify("The battle has been deleted.", markup=False)
            self.removed = news.removed
            self.followed.take(news.entries, anew=news.anew)
        if self.followed.more and monotonic() >= self._until:
            changed = True
            if self.followed.step():
                self._until = monotonic() + self.LINGER
        if changed:
            await self._open()
            self._show()

    def _troubled(self, sentence: str) -> None:
        if sentence != self.trouble:
            self.trouble = sentence
            self._show()

    # ------------------------------------------------------------------ showing

    async def _open(self) -> None:
        play = self.followed.play
        opening = self.query("#opening")
        if play is not None and opening:
            await opening.remove()
            await self.mount(FollowView(play.state.setup))

    def _built(self) -> list[FollowView]:
        """The battle's picture, once all its parts are there."""
        return [view for view in self.query(FollowView) if view.is_mounted]

    def _show(self) -> None:
        play, views = self.followed.play, self._built()
        if play is None or not views:
            if self.trouble:
                self.query_one("#opening", Static).update(f"{self.trouble}  Esc: home")
            return
        keys = self.skirmish.settings.keys
        mapped = {
            f"battle.{verb}": keys.get(f"{TOPIC}.{verb}", key)
            for verb, key in zip(VERBS.values(), ("f3", "f4", "f5", "f6", "f7"), strict=True)
        }
        views[0].show(
            play,
            self.followed.status,
            self.page,
            told=lambda text: self.skirmish.measured(plain(text)),
            mapped=mapped,
            below=self._below(),
        )

    def _below(self) -> Content:
        """Whose eyes these are and the keys; or what is wrong."""
        if self.trouble:
            return painted([[(self.trouble, "alarm")]])
        play = self.followed.play
        who = shortened(eyes(play.state, self.followed.side), NAME) if play else ""
        line: Said = [("FOLLOWING ", "strong"), (f"as {who}   ", "")]
        if self.removed:
            line.append(("deleted   ", "alarm"))
        if self.followed.more:
            line.append(("catching up   ", "alarm"))
        keys = [
            (self.app.get_key_display(binding), binding.description, f"screen.{binding.action}")
            for binding in self.BINDINGS
            if isinstance(binding, Binding) and binding.description
        ]
        return Content.assemble(
            painted([line]),
            *(
                Content.assemble((key, "$accent bold"), f" {word}   ").stylize(f"@click={does}")
                for key, word, does in (*keys, ("?", "keys", "app.show_help"))
            ),
        )

    # ------------------------------------------------------------------ keys

    def action_eyes(self) -> None:
        """The next eyes."""
        self.followed.other_eyes()
        self._show()

    def action_scroll(self, by: int) -> None:
        """The journal up or down."""
        for view in self._built():
            view.scroll(by)

    def action_page(self, by: int) -> None:
        """Rows that did not fit; on a page of lines, these."""
        for view in self._built():
            if view.turn_rows(by * PAGE):
                self._show()
            else:
                view.scroll(by * PAGE)

    def action_turn_to(self, page: Tab) -> None:
        """Another page; the one that is open already gives way to both sides."""
        self.page = "both" if page == self.page else page
        self._show()

    def action_home(self) -> None:
        """Back home."""
        self.dismiss()
