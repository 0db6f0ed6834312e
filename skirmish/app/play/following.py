"""A game of the shell as somebody watches who does not play: read only, a moment behind."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from skirmish import registry
from skirmish.app.fitting import hanging
from skirmish.app.foot import Foot
from skirmish.app.page_view import DIM, HEAD, painted
from skirmish.app.scrolled_page import ScrolledPage
from skirmish.store.errors import StoreError
from skirmish.store.watch import Watch
from skirmish.tabletop.game import Viewer
from skirmish.tabletop.journal import Play, RecordError
from skirmish.tabletop.typed import plain

EDGES = 6
NEWEST = 30
"""Lines of the journal below the board."""


class FollowGame(ScrolledPage):
    """Game ``number`` of the game ``id`` as others play it; the database is asked twice a second.

    ``viewer`` is whose eyes look: an onlooker's, then each side's.
    """

    TOPIC: ClassVar[str] = "follow"
    EXTRA = "Following is"
    PAUSE: ClassVar[float] = 0.5
    HELP = (
        "The game as it is played in another terminal or browser tab; nothing can be changed from "
        "here. What is hidden from an onlooker or from a side is not shown."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "viewer", "Viewer", tooltip="See it as another side",
                id="follow-game.viewer"),
        Binding("escape,H", "dismiss", "Home", key_display="Esc",
                tooltip="Home; the game goes on", id="follow-game.home"),
    ]  # fmt: skip

    def __init__(self, id: str, number: int) -> None:
        super().__init__()
        self._game = registry.load(id)
        self._number = number
        self._play: Play[Any, Any, Any] | None = None
        self._trouble = ""
        self.viewer: Viewer = None
        self._watch: Watch | None = None

    def compose(self) -> ComposeResult:
        """Title, board and journal, keys."""
        yield Static("", classes="title", id="summary-title", markup=False)
        with VerticalScroll(id="summary-page", can_focus=False):
            yield Static(f"Opening game {self._number} …", classes="summary-part", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Begin to look."""
        self._watch = Watch(self.skirmish.where, self._number)
        self.run_worker(self._follow(self._watch), group="follow", exclusive=True)

    def on_unmount(self) -> None:
        """Let go of the file, in the thread that holds it."""
        watch = self._watch
        if watch is not None:
            with suppress(StoreError):  # the app is closing, and the store with it
                self.skirmish.store_thread.submit(lambda _: watch.close())

    def on_resize(self) -> None:
        """In the columns that there are."""
        self._paint()

    def action_viewer(self) -> None:
        """The next one's eyes."""
        eyes: list[Viewer] = [None, *(id for id, _ in self._game.sides)]
        self.viewer = eyes[(eyes.index(self.viewer) + 1) % len(eyes)]
        self._paint()

    async def _follow(self, watch: Watch) -> None:
        codec = self._game.codec
        while True:
            try:
                news = await self.skirmish.stored(lambda _: watch.look())
                changed, self._trouble = bool(self._trouble), ""
                if news is not None:
                    entries = [
                        codec.read(one.number, one.kind, one.order, one.events)
                        for one in news.entries
                    ]
                    if news.anew or self._play is None:
                        self._play = codec.play(entries)
                    else:
                        for entry in entries:
                            codec.follow(self._play, entry)
                    changed = True
                if changed:
                    self._paint()
            except StoreError as error:
                self._trouble = f"{error} Still trying."
                self._paint()
            except RecordError as error:
                self._trouble = f"This game cannot be followed any further: {error}"
                self._paint()
                return
            await asyncio.sleep(self.PAUSE)

    def _paint(self) -> None:
        part = self.query(".summary-part")
        if not part:
            return
        whose = dict(self._game.sides).get(str(self.viewer), "an onlooker")
        title = Content.assemble(
            (plain(self._game.name), HEAD), f"  seen by {plain(whose)}  ",
            (plain(self._trouble), "$error"),
        )  # fmt: skip
        self.query_one("#summary-title", Static).update(title)
        if self._play is None:
            return
        width = self.app.size.width - EDGES
        board = painted(self._game.page(self._play.state, self.viewer), width)
        lines = self._game.journal(self._play, self.viewer, last=NEWEST)
        told = [
            Content.assemble((f"{one.number:>4} ", DIM), plain(one.words))
            for one in reversed(lines)
        ]
        rows = [row for one in told for row in hanging(one, width, 5)]
        first = Content.styled(self._game.headline(self._play.state), "bold")
        part.first(Static).update(
            Content("\n").join([first, Content(""), board, Content(""), *rows])
        )
