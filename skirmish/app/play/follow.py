"""Following a game that is played elsewhere: its play screen as a viewer may see it, read-only, and
at most a moment behind."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, ClassVar, TypeAlias

from textual import events, work
from textual.binding import BindingType
from textual.content import Content

from skirmish import registry
from skirmish.app.binding import KeyLine, keys
from skirmish.app.host import Host
from skirmish.app.page_view import STRONG, TONES
from skirmish.app.play.game_screen import GameScreen
from skirmish.app.play.screen import PlayScreen
from skirmish.app.text_rows import shortened
from skirmish.app.windows import working
from skirmish.session import AnyCommand, AnyDraft, Session, Stored
from skirmish.store.errors import StoreError
from skirmish.store.readers import News, Watch
from skirmish.tabletop.game import Game, Viewer
from skirmish.tabletop.journal import Entry, EntryRecord, Play, RecordError
from skirmish.tabletop.slots import UnfitAnswer
from skirmish.tabletop.typed import plain

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPlay: TypeAlias = Play[Any, Any, Any]
MOST_WAITING = 4
"""Verdicts that may wait to be shown one by one. Where more come, the oldest are not stopped at."""
NAME = 16
"""Columns of the name of the side through whose eyes one looks."""
READ_ONLY = "Nothing can be changed from here."


async def follow(app: Host, number: int) -> None:
    """Open the screen that follows game ``number``, or show why it cannot. In a worker only."""
    watch = Watch(app.database, number)
    async with app.reporting("This cannot be followed"):
        record = await app.stored(lambda store: store.battle(number))
        game = registry.load(record.game)
        first_look = app.stored(lambda _: watch.look())
        news = await working(app, f"Opening {game.noun} {number}", first_look)
        entries: tuple[EntryRecord, ...] = ()  # of a game in which nothing was written yet
        if news is not None:
            entries = news.entries
        play = game.codec.replay(entries)
        name = "follow game"
        if record.game == registry.BATTLE.id:
            name = "follow"
        await app.show(name, Watched(game, app.stored, number, play, watch))


class Watched(Session[Any, Any, Any]):
    """The ``real`` game that others play; ``play`` is the part of it that the viewer sees."""

    def __init__(
        self, game: AnyGame, stored: Stored, number: int, play: AnyPlay, watch: Watch
    ) -> None:
        super().__init__(game, stored, number, game.seen(play, None))
        self.real, self.watch = play, watch


class Following(GameScreen):
    """A play screen that takes no orders. It polls the database twice a second in the store's
    thread, which is cheap while nothing is written. New entries are shown up to the next verdict,
    so that none is skipped."""

    EXTRA = "Following is"  # begins the message if this screen fails
    LOOK_INTERVAL: ClassVar[float] = 0  # this screen looks by itself, at a pace of its own
    PAUSE: ClassVar[float] = 0.5
    """Seconds between two looks into the database."""
    LINGER: ClassVar[float] = 2.0
    """Seconds for which a verdict is shown if others wait."""

    session: Watched

    def __init__(self, session: Watched) -> None:
        self.viewer = None  # a spectator
        self.trouble = ""  # why the last look failed
        self.removed = False  # whether the game was deleted meanwhile
        # Read, but not shown yet.
        self.waiting_entries: deque[Entry[Any, Any]] = deque()
        self._shown_until = 0.0  # when the next verdict may follow, by the monotonic clock
        super().__init__(session)

    def on_mount(self) -> None:
        self._follow()  # Textual calls the base class's own by itself

    def on_unmount(self) -> None:
        with suppress(StoreError):  # the app is closing, and the store with it
            self.skirmish.store_thread.submit(lambda _: self.session.watch.close())

    @property
    def sides(self) -> Mapping[str, str]:
        """The names of the sides by their ids."""
        return self.game.players(self.state)

    def show_seen(self) -> None:
        """Show what the viewer may see of the game."""
        self.session.play = self.game.seen(self.session.real, self.viewer)
        self.show_state()

    def action_eyes(self) -> None:
        """Look through the eyes of the next side, or after the last as a spectator."""
        viewers: list[Viewer] = [None, *self.sides]
        following = viewers.index(self.viewer) + 1
        self.viewer = viewers[following % len(viewers)]
        self.show_seen()

    # ------------------------------------------------------------------ what comes in

    @work(group="follow", exclusive=True)
    async def _follow(self) -> None:
        """Look for news until the journal can no longer be understood."""
        while True:
            await asyncio.sleep(self.PAUSE)
            try:
                self._take(await self.skirmish.stored(lambda _: self.session.watch.look()))
            except StoreError as error:
                self._troubled(f"{error} Trying again.")
            except RecordError as error:
                self._troubled(f"This game can no longer be followed: {error}")
                return

    def _take(self, news: News | None) -> None:
        """Show what has come in since the last look; None: nothing was written."""
        changed = bool(self.trouble)
        self.trouble = ""
        if news is not None:
            changed = changed or bool(news.entries) or news.removed != self.removed
            self._receive(news)
        if self.waiting_entries and monotonic() >= self._shown_until:
            changed = True
            if self.step():
                self._shown_until = monotonic() + self.LINGER
        if changed:
            self.show_seen()

    def _receive(self, news: News) -> None:
        """Let new entries wait to be shown. A journal changed further back is shown at once."""
        if news.removed and not self.removed:
            self.notify("It has been deleted.", markup=False)
        self.removed = news.removed
        codec = self.game.codec
        entries = [codec.read(entry) for entry in news.entries]
        if news.whole:  # all entries: what was shown already has been changed
            self.session.real = codec.play(entries)
            self.waiting_entries.clear()
        else:
            self.waiting_entries.extend(entries)

    def step(self) -> bool:
        """Accept the waiting entries up to the next verdict; returns whether there was one. Raises
        RecordError for an entry that cannot follow."""
        verdicts = sum(map(self.is_verdict, self.waiting_entries))
        # Of more verdicts than may wait the oldest are accepted without a stop.
        while self.waiting_entries:
            entry = self.waiting_entries.popleft()
            self.game.codec.follow(self.session.real, entry)
            if self.is_verdict(entry):
                verdicts -= 1
                if verdicts < MOST_WAITING:
                    return True
        return False

    def is_verdict(self, entry: Entry[Any, Any]) -> bool:
        """Whether the entry has a result that everybody wants to see."""
        del entry
        return False

    def _troubled(self, sentence: str) -> None:
        """Say why a look failed, once."""
        if sentence != self.trouble:
            self.trouble = sentence
            self.show_state()

    def seen_by(self) -> Content:
        """Through whose eyes one looks, or why nothing comes in."""
        if self.trouble:
            return Content.styled(plain(self.trouble), TONES["bad"])
        viewer = self.sides.get(self.viewer or "", "a spectator")
        parts = [("FOLLOWING ", STRONG), (f"as {shortened(plain(viewer), NAME)}   ", "")]
        if self.removed:
            parts.append(("deleted   ", TONES["bad"]))
        if self.waiting_entries:
            parts.append(("catching up   ", TONES["bad"]))
        return Content.assemble(*parts)

    def in_front(self, width: int, *, tall: bool) -> list[Content]:
        del width, tall
        return [self.seen_by()]

    # ------------------------------------------------------------------ no orders

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """None: who only looks on gives no orders."""
        return ()

    @property
    def prompt(self) -> AnyCommand | None:
        """None: who only looks on answers no question."""
        return None

    async def on_key(self, event: events.Key) -> None:
        event.prevent_default()

    async def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()

    def picked(self, row: Any) -> AnyDraft:
        """Raises UnfitAnswer: a click gives no order here."""
        raise UnfitAnswer(READ_ONLY)

    async def action_look(self, number: int) -> None:
        self.say(READ_ONLY)


class FollowGame(PlayScreen, Following, inherit_bindings=False):
    """Any game but a battle, as an onlooker sees it. Without the bindings of `PlayScreen`: nothing
    can be ordered from here."""

    HELP = (
        "The game as it is played in another terminal or browser tab; nothing can be changed from "
        "here. What is hidden from an onlooker or from a side is not shown."
    )
    JOURNAL = ""
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "follow-game",
        ("viewer", "v", "eyes", "View", "Watch as a spectator or as one of the sides"),
        ("due", "f7", "due", "", "Everything that is due"),
        ("up", "up,k", "page(-1)", "", "A line up"),
        ("down", "down,j", "page(1)", "", "A line down"),
        ("page_up", "pageup", "page(-8)", "", "Previous page"),
        ("page_down", "pagedown,space", "page(8)", "", "Next page"),
        ("home", "escape,H", "home", "Home", "Home; the game goes on"),
    )

    def help_lines(self) -> list[KeyLine]:
        return []
