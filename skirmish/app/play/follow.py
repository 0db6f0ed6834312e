"""Following a game that is played elsewhere: its play screen as a viewer may see it, read-only, and
only a moment behind."""

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
from skirmish.app.play.game_screen import GameScreen
from skirmish.app.play.screen import PlayScreen
from skirmish.app.text_rows import shortened
from skirmish.app.text_styles import STRONG, TONES
from skirmish.app.windows import working
from skirmish.player import AnyCommand, AnyDraft
from skirmish.session import Session, Stored
from skirmish.store.errors import StoreError
from skirmish.store.watch import News, Watch
from skirmish.tabletop.game import Game, Viewer
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.journal_codec import EntryRecord, RecordError
from skirmish.tabletop.slots import UnfitAnswer
from skirmish.tabletop.typed import plain

AnyGame: TypeAlias = Game[Any, Any, Any]
AnyPlay: TypeAlias = Play[Any, Any, Any]
MOST_WAITING = 4
"""Verdicts that may wait to be shown one by one. If more come, the oldest are passed over."""
NAME_COLUMNS = 16
"""Columns of the name of the side through whose eyes one looks."""
READ_ONLY = "Nothing can be changed from here."


async def follow(app: Host, number: int) -> None:
    """Open the screen that follows game ``number``, or show why it cannot be followed. It waits for
    windows, as only a worker of Textual can."""
    watch = Watch(app.database, number)
    async with app.reporting("This cannot be followed"):
        record = await app.stored(lambda store: store.battle(number))
        game = registry.load(record.game)
        first_look = app.stored(lambda _: watch.look())
        news = await working(app, f"Opening {game.noun} {number}", first_look)
        entries: tuple[EntryRecord, ...] = ()
        if news is not None:  # None: nothing was written in this game yet
            entries = news.entries
        play = game.codec.replay(entries)
        screen_name = "follow game"
        if record.game == registry.BATTLE.id:
            screen_name = "follow"  # a battle has a screen of its own
        await app.show(screen_name, WatchedSession(game, app.stored, number, play, watch))


class WatchedSession(Session[Any, Any, Any]):
    """A session of a game that others play: ``play`` is what the viewer may see of
    ``whole_play``."""

    def __init__(
        self, game: AnyGame, stored: Stored, number: int, play: AnyPlay, watch: Watch
    ) -> None:
        spectator: Viewer = None
        super().__init__(game, stored, number, game.seen(play, spectator))
        self.whole_play, self.watch = play, watch


class Following(GameScreen):
    """A play screen that takes no orders. It polls the database twice a second in the store's
    thread, which is cheap while nothing is written. New entries are shown up to the next verdict,
    which stays for a moment, so that onlookers see each of them."""

    FAILURE = "Following a game is not available"
    LOOK_INTERVAL: ClassVar[float] = 0
    """0: the screen does not look for entries as one that takes orders; ``_follow`` polls."""
    POLL_INTERVAL: ClassVar[float] = 0.5
    """Seconds between two looks into the database."""
    VERDICT_SECONDS: ClassVar[float] = 2.0
    """Seconds for which a verdict is shown if others wait."""

    session: WatchedSession

    def __init__(self, session: WatchedSession) -> None:
        self.viewer = None
        """Through whose eyes one looks: the id of a side; None: a spectator's."""
        self.trouble = ""
        """Why the last look failed; empty if it did not."""
        self.removed = False
        """Whether the game was deleted meanwhile."""
        self.waiting_entries: deque[Entry[Any, Any]] = deque()
        """Entries that were read, but are not shown yet."""
        self._verdict_shown_until = 0.0
        """Until when the present verdict is shown, by the monotonic clock."""
        super().__init__(session)

    def on_mount(self) -> None:
        self._follow()  # Textual calls ``on_mount`` of each base class, too

    def on_unmount(self) -> None:
        with suppress(StoreError):  # the app may be closing, and the store be closed already
            self.skirmish.store_thread.submit(lambda _: self.session.watch.close())

    @property
    def sides(self) -> Mapping[str, str]:
        """The names of the sides by their ids."""
        return self.game.players(self.state)

    def show_seen(self) -> None:
        """Show what the viewer may see of the game."""
        self.session.play = self.game.seen(self.session.whole_play, self.viewer)
        self.show_state()

    def action_eyes(self) -> None:
        """Look through the eyes of the next side, or after the last as a spectator."""
        spectator: Viewer = None
        viewers = [spectator, *self.sides]
        next_index = (viewers.index(self.viewer) + 1) % len(viewers)
        self.viewer = viewers[next_index]
        self.show_seen()

    # ------------------------------------------------------------------ what comes in

    @work(group="follow", exclusive=True)
    async def _follow(self) -> None:
        """Look for news again and again, until an entry cannot be read."""
        while True:
            await asyncio.sleep(self.POLL_INTERVAL)
            try:
                news = await self.skirmish.stored(lambda _: self.session.watch.look())
                self._show_news(news)
            except StoreError as error:
                self._show_trouble(f"{error} Trying again.")
            except RecordError as error:
                self._show_trouble(f"This game can no longer be followed: {error}")
                return

    def _show_news(self, news: News | None) -> None:
        """Take over what was written since the last look (None: nothing), and show the entries up
        to the next verdict, unless the last one is still to be seen."""
        needs_painting = self.trouble != ""  # the trouble is over: its sentence goes away
        self.trouble = ""
        if news is not None:
            if news.entries or news.removed != self.removed:
                needs_painting = True
            self._receive(news)
        if self.waiting_entries and monotonic() >= self._verdict_shown_until:
            needs_painting = True
            has_new_verdict = self.accept_up_to_verdict()
            if has_new_verdict:
                self._verdict_shown_until = monotonic() + self.VERDICT_SECONDS
        if needs_painting:
            self.show_seen()

    def _receive(self, news: News) -> None:
        """Let new entries wait to be shown. If older entries have changed, the whole journal is
        taken over at once."""
        if news.removed and not self.removed:
            self.notify("It has been deleted.", markup=False)
        self.removed = news.removed
        codec = self.game.codec
        entries = [codec.read(entry) for entry in news.entries]
        if news.whole:  # the entries are those of the whole journal
            self.session.whole_play = codec.play(entries)
            self.waiting_entries.clear()
        else:
            self.waiting_entries.extend(entries)

    def accept_up_to_verdict(self) -> bool:
        """Accept the waiting entries up to the next verdict that is shown; returns whether there
        was one. Raises RecordError for an entry that does not fit the game."""
        verdicts_waiting = len([entry for entry in self.waiting_entries if self.is_verdict(entry)])
        while self.waiting_entries:
            entry = self.waiting_entries.popleft()
            self.game.codec.follow(self.session.whole_play, entry)
            if self.is_verdict(entry):
                if verdicts_waiting <= MOST_WAITING:
                    return True
                verdicts_waiting -= 1  # more are waiting than may: this one is passed over
        return False

    def is_verdict(self, entry: Entry[Any, Any]) -> bool:
        """A hook: whether the entry has a result that everybody wants to see."""
        del entry
        return False

    def _show_trouble(self, sentence: str) -> None:
        """Show why a look failed, unless it is shown already."""
        if sentence != self.trouble:
            self.trouble = sentence
            self.show_state()

    def viewer_line(self) -> Content:
        """Through whose eyes one looks, or why nothing new arrives."""
        if self.trouble:
            return Content.styled(plain(self.trouble), TONES["bad"])
        viewer = "a spectator"
        if self.viewer is not None:
            viewer = self.sides[self.viewer]
        parts = [("FOLLOWING ", STRONG), (f"as {shortened(plain(viewer), NAME_COLUMNS)}   ", "")]
        if self.removed:
            parts.append(("deleted   ", TONES["bad"]))
        if self.waiting_entries:
            parts.append(("catching up   ", TONES["bad"]))
        return Content.assemble(*parts)

    def draft_rows(self, width: int, *, tall: bool) -> list[Content]:
        """The line about the viewer stands where a player's draft would stand."""
        del width, tall
        return [self.viewer_line()]

    # ------------------------------------------------------------------ no orders

    @property
    def commands(self) -> tuple[AnyCommand, ...]:
        """None, since onlookers give no orders."""
        return ()

    @property
    def prompt(self) -> AnyCommand | None:
        """None, since onlookers answer no question."""
        return None

    # Both leave out the handlers of the base class, which take what is typed for an order.

    async def on_key(self, event: events.Key) -> None:
        event.prevent_default()

    async def on_paste(self, event: events.Paste) -> None:
        event.prevent_default()

    def picked(self, row: Any) -> AnyDraft:
        """Raises UnfitAnswer, since a click gives no order here."""
        raise UnfitAnswer(READ_ONLY)

    async def action_look(self, number: int) -> None:
        """A click on a line of the journal; there is no cursor to move."""
        self.say(READ_ONLY)


class FollowGame(PlayScreen, Following, inherit_bindings=False):
    """Any game but a battle, as an onlooker sees it. It does not inherit the bindings of
    `PlayScreen`, since these give orders."""

    HELP = (
        "The game as it is played in another terminal or browser tab; nothing can be changed from "
        "here. What is hidden from an onlooker or from a side is not shown."
    )
    JOURNAL = ""  # no key opens the whole journal here
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

    @property
    def due_key(self) -> str:
        return self.skirmish.key("follow-game.due", "f7")

    def help_lines(self) -> list[KeyLine]:
        """None: those of `PlayScreen` are about commands."""
        return []
