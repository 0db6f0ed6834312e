"""Following a game that is played elsewhere: read only, and never more than a moment behind."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import registry
from skirmish.app.binding import keys
from skirmish.app.fitting import hanging
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.page_view import DIM, HEAD, painted
from skirmish.app.scrolled_page import ScrolledPage
from skirmish.store.errors import StoreError
from skirmish.store.watch import News, Watch
from skirmish.tabletop.game import Viewer
from skirmish.tabletop.journal import Entry, JournalCodec, Play, RecordError
from skirmish.tabletop.typed import plain

EDGES = 6
NEWEST = 30
"""Lines of the journal below the board."""
MOST_WAITING = 4
"""Verdicts that wait to be shown one by one. With more of them the rest is caught up with."""


class FollowScreen(Screen[None]):
    """Game ``number`` as others play it. The database is asked twice a second in the store's own
    thread; a question costs next to nothing where nothing was written. What comes in is shown up to
    a verdict each time, so that none is passed over."""

    EXTRA = "Following is"
    PAUSE: ClassVar[float] = 0.5
    """Seconds between two looks."""
    LINGER: ClassVar[float] = 2.0
    """Seconds for which a verdict stays, if others wait behind it."""
    VERDICTS: ClassVar[Any] = ()
    """Events that everybody looks at the screen for."""

    def __init__(self, codec: JournalCodec[Any, Any, Any], number: int) -> None:
        super().__init__()
        self.number = number
        self.viewer: Viewer = None  # whose eyes look; None: an onlooker's
        self.trouble = ""
        self.removed = False
        self.real: Play[Any, Any, Any] | None = None
        self.coming: deque[Entry[Any, Any]] = deque()
        self._codec = codec
        self._watch: Watch | None = None
        self._until = 0.0

    @property
    @abstractmethod
    def viewers(self) -> Sequence[Viewer]:
        """All whose eyes can look."""

    @abstractmethod
    def show(self) -> None:
        """Paint the game, or the trouble."""

    async def open(self) -> None:
        """The first look is done."""

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
        """In the columns and rows that there are."""
        self.show()

    def action_eyes(self) -> None:
        """The next one's eyes."""
        eyes = self.viewers
        self.viewer = eyes[(eyes.index(self.viewer) + 1) % len(eyes)]
        self.show()

    async def _follow(self, watch: Watch) -> None:
        while True:
            try:
                await self._take(await self.skirmish.stored(lambda _: watch.look()))
            except StoreError as error:
                self._troubled(f"{error} Trying again.")
            except RecordError as error:
                self._troubled(f"This game can no longer be followed: {error}")
                return
            await asyncio.sleep(self.PAUSE)

    async def _take(self, news: News | None) -> None:
        changed = bool(self.trouble)
        self.trouble = ""
        if news is not None:
            changed = changed or bool(news.entries) or news.removed != self.removed
            if news.removed and not self.removed:
                self.notify("It has been deleted.", markup=False)
            self.removed = news.removed
            entries = [
                self._codec.read(one.number, one.kind, one.order, one.events)
                for one in news.entries
            ]
            if news.anew or self.real is None:
                self.real = self._codec.play(entries)
                self.coming.clear()
            else:
                self.coming.extend(entries)
        if self.coming and monotonic() >= self._until:
            changed = True
            if self.step():
                self._until = monotonic() + self.LINGER
        if changed:
            await self.open()
            self.show()

    def step(self) -> bool:
        """Let in what has come, up to and with the next verdict; whether there was one. Raises
        RecordError where an entry cannot follow."""
        assert self.real is not None
        waiting = sum(map(self._is_verdict, self.coming))
        while self.coming:
            entry = self.coming.popleft()
            self._codec.follow(self.real, entry)
            if self._is_verdict(entry):
                waiting -= 1
                if waiting < MOST_WAITING:
                    return True
        return False

    def _is_verdict(self, entry: Entry[Any, Any]) -> bool:
        return any(isinstance(event, self.VERDICTS) for event in entry.events)

    def _troubled(self, sentence: str) -> None:
        if sentence != self.trouble:
            self.trouble = sentence
            self.show()


class FollowGame(FollowScreen, ScrolledPage):
    """A game of the shell: its board as a page, the journal below it."""

    TOPIC: ClassVar[str] = "follow"
    EXTRA = "Following is"
    HELP = (
        "The game as it is played in another terminal or browser tab; nothing can be changed from "
        "here. What is hidden from an onlooker or from a side is not shown."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "follow-game",
        ("viewer", "v", "eyes", "Viewer", "See it as another side"),
        ("home", "escape,H", "dismiss", "Home", "Home; the game goes on"),
    )

    def __init__(self, id: str, number: int) -> None:
        self._game = registry.load(id)
        super().__init__(self._game.codec, number)

    @property
    def viewers(self) -> Sequence[Viewer]:
        """An onlooker, then each side."""
        return [None, *(id for id, _ in self._game.sides)]

    def compose(self) -> ComposeResult:
        """Title, board and journal, keys."""
        yield Static("", classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            yield Static(f"Opening game {self.number} …", classes="summary-part", markup=False)
        yield Foot()

    def show(self) -> None:
        """Where it stands, the board, the journal with the newest line first."""
        part = self.query(".summary-part")
        if not part:
            return
        whose = dict(self._game.sides).get(str(self.viewer), "an onlooker")
        title = Content.assemble(
            (plain(self._game.name), HEAD), f"  seen by {plain(whose)}  ",
            (plain(self.trouble), "$error"),
        )  # fmt: skip
        self.query_one("#summary-title", Static).update(title)
        if self.real is None:
            return
        width = self.app.size.width - EDGES
        board = painted(self._game.page(self.real.state, self.viewer), width)
        lines = self._game.journal(self.real, self.viewer, last=NEWEST)
        rows = [
            row
            for one in reversed(lines)
            for row in hanging(
                Content.assemble((f"{one.number:>4} ", DIM), plain(one.words)), width, 5
            )
        ]
        first = Content.styled(self._game.headline(self.real.state), "bold")
        part.first(Static).update(
            Content("\n").join([first, Content(""), board, Content(""), *rows])
        )
