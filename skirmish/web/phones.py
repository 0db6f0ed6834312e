"""Phones at the table: the page of one side or of a spectator, opened by a link with a token, and
kept up to date over a websocket. The server holds what is stored and nothing else; each message of
a phone contains what it has tapped since."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import monotonic, time
from typing import Annotated, Any, TypeAlias

import msgspec
from aiohttp import WSMsgType, web
from markupsafe import Markup
from msgspec.structs import replace

from skirmish import registry
from skirmish.extras import not_available, unless_it_fails
from skirmish.session import AnySession, Session, Stored
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import PLAYERS, Game, Viewer
from skirmish.tabletop.journal import Play, RecordError
from skirmish.tabletop.page import capital, mapped
from skirmish.tabletop.wall import WallBoard
from skirmish.web.gate import FACES, LIVE, MAPS, SIDE, STEP, Gate, strict_policy
from skirmish.web.links import WALL, WATCH, Link, LinkBook, Serving
from skirmish.web.refusal import refusal_page
from skirmish.web.side_html import board_html, document, ended, fragment
from skirmish.web.side_player import (
    LONGEST_TAP,
    MOST_TAPS,
    InHand,
    SidePlayer,
    board_page,
    side_page,
)
from skirmish.web.side_view import NOTHING, SidePage
from skirmish.web.wall_html import WallPage, wall_document, wall_parts

MOST_PHONES = 24
"""The most phones: two for every player, and some spectators."""
MOST_OF_LINK = 12
"""The most phones with the same link, so that nobody with one link can keep the others out."""
MOST_WALLS = 120
"""The most televisions. They only watch, and what they show is made once for all of them."""
LONGEST_MESSAGE = 16 * 1024
"""Bytes in one message of a phone."""
LOOK_EVERY = 0.03
"""Seconds between two looks for entries that others wrote."""
DRAFTS_EVERY = 0.25
"""Seconds between two changes of the odds of what others put together."""
NOTE_EVERY = 2.0
"""Seconds between two notes of who is connected, and between two looks at the links."""
TAPS_A_SECOND = 10.0
"""The taps that a phone may make in a second, in the long run."""
TAPS_AT_ONCE = 20.0
"""The taps that it may make one right after the other."""
SEND_WITHIN = 2.0
"""Seconds after which a phone that takes no message is left."""
WALLS_WAIT = 0.1
"""Seconds after news until televisions are shown it: the app paints its own screen before that, and
whoever is asked for something answers on it."""
OTHERS_WAIT = 0.2
"""Seconds for which the others wait for a slow phone."""
MOST_TOO_FAST = 100
"""A phone whose messages come too fast more often than this, one after the other, is left."""
MOST_RESULTS = 500
"""The most results that are remembered for one viewer: each draft on a phone adds some."""
LINK_LASTS = 365 * 24 * 3600
"""Seconds for which a browser remembers a link: a phone that restarts is still in the game."""
CLOSED_AFTER = 60.0
"""Seconds for which a game without phones stays open."""

NO_LINK = "This link is not valid, or no longer. Ask at the table for another one."
ALL_PHONES_TAKEN = "Too many phones are already connected. Close the page on one of them."
TOO_FAST = "That was too fast. Tap again."
UNREADABLE = "This tap could not be read. Tap again."
MAP_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"
"""The content security policy of a map: a drawing with styles and typefaces of its own, which
fetches nothing."""
NO_MAP = "There is no map of this game."
FONTS = Path(__file__).parents[1] / "sheets" / "fonts"
"""The typefaces of the sheets, which are also there as files for browsers."""
DrawMap: TypeAlias = Callable[[Any, str], str | None]
"""Draws the map of a state in a shape as SVG; None for a game without one."""
CANNOT_BE_SHOWN = "This game cannot be shown: {}"


def _no_map(state: Any, shape: str) -> str | None:
    """Stands in for the map on a server of games without maps."""
    del state, shape
    return None


class Tap(msgspec.Struct):
    """A message of a phone: what it has, and what was tapped."""

    journal_length: int = msgspec.field(default=0, name="at")
    """The length of the journal that the phone shows."""
    keys: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_TAP)]],
        msgspec.Meta(max_length=MOST_TAPS),
    ] = []
    """The taps of the unfinished order, the oldest first."""
    press: Annotated[str, msgspec.Meta(max_length=LONGEST_TAP)] = ""
    """The new tap; empty: the phone only asks for the present state."""
    ping: int = 0
    """Not 0: only an answer is wanted, to see whether the connection still holds."""


class Phone:
    """A connected page."""

    def __init__(self, socket: web.WebSocketResponse, link: Link) -> None:
        self.socket = socket
        self.link = link
        self.journal_length = 0
        """The length of the journal that it shows."""
        self.keys: tuple[str, ...] = ()
        """What was tapped on it since then."""
        self.notice = ""
        """Why its last tap did nothing."""
        self.press_to_insist = ""
        """What it sends to do that against the rules' advice; empty where it cannot."""
        self.page: SidePage | None = None
        """What it shows; None: nothing yet."""
        self.wall_message = ""
        """What a television was sent last."""
        self.messages_too_fast = 0
        """How many of its messages came too fast, one after the other."""
        self._taps_left = TAPS_AT_ONCE
        self._last_tap = monotonic()

    @property
    def viewer(self) -> Viewer:
        """The side whose page it is; None: a spectator's."""
        return _viewer_of(self.link)

    @property
    def is_wall(self) -> bool:
        """Whether it is a television, which shows the game to the room and sends nothing."""
        return self.link.side == WALL

    def count_message(self) -> bool:
        """Count a message; returns False if it comes too fast."""
        now = monotonic()
        # A bucket that fills by so many a second: a quick row of taps passes, a flood does not.
        gained = (now - self._last_tap) * TAPS_A_SECOND
        self._last_tap = now
        self._taps_left = min(self._taps_left + gained, TAPS_AT_ONCE) - 1
        if self._taps_left >= 0:
            self.messages_too_fast = 0
            return True
        self._taps_left = 0.0
        self.messages_too_fast += 1
        return False

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message."""
        await self.send_text(msgspec.json.encode(message).decode())

    async def send_text(self, message: str) -> None:
        """Send a message as it goes over the line; a phone that does not take it is left, and comes
        back by itself."""
        try:
            # A phone in a pocket takes nothing, and its connection stays open for minutes.
            async with asyncio.timeout(SEND_WITHIN):
                await self.socket.send_str(message)
        except (ConnectionError, TimeoutError):
            await self.leave()

    async def leave(self, sentence: str = "") -> None:
        """Hang up. With a sentence the page shows it and ends; without one it connects again."""
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(SEND_WITHIN):
                if sentence:
                    await self.socket.send_json({"over": sentence})
                await self.socket.close()


class View:
    """One state of a game as one viewer sees it, with all that was made of it so far. All phones
    of a side share it, so that each part is made once."""

    def __init__(
        self, game: Game[Any, Any, Any], journal_length: int, play: Play[Any, Any, Any]
    ) -> None:
        self.game = game
        """The game as it was known when this was made: that of a campaign changes with each battle
        that ends, and then the view is out of date."""
        self.journal_length = journal_length
        """The length of the journal in this state."""
        self.play = play
        self.results: dict[Hashable, Any] = {}
        """What was worked out from this state, see ``Player.once``."""
        self.board: SidePage | None = None
        self.board_html: dict[str, Markup] | None = None
        self.document = ""
        """The whole page, as a browser loads it."""
        self.wall: WallPage | None = None
        self.wall_message = ""
        """The message that brings televisions there."""


class OpenGame:
    """A game that phones have open."""

    def __init__(self, session: AnySession) -> None:
        self.session = session
        self.phones: set[Phone] = set()
        self.has_new_drafts = False
        """What a player puts together has changed since the others were shown it."""
        # All by ``monotonic``.
        self.walls_due: float | None = None
        """When televisions are shown what has happened; None: they show it."""
        self.last_shown = 0.0
        """When the phones were last shown what others have done or put together."""
        self.last_used = monotonic()
        """When a browser last asked for the game or hung up."""
        self._views: dict[Viewer, View] = {}
        self.maps: dict[tuple[str, bool], str | None] = {}
        """The maps that were drawn: by shape, and whether it was the first turn, when they have
        the zones and distances as well."""

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The game as it is known now: that of a campaign is another one when a battle of it has
        ended."""
        return self.session.game

    @property
    def journal_length(self) -> int:
        """The length of the journal."""
        return len(self.session.play.entries)

    def view(self, viewer: Viewer) -> View:
        """The present state as that viewer sees it."""
        view = self._views.get(viewer)
        if view is None or view.journal_length != self.journal_length or view.game is not self.game:
            play = self.game.seen(self.session.play, viewer)
            view = View(self.game, self.journal_length, play)
            self._views[viewer] = view
        return view

    def player(
        self,
        viewer: Viewer,
        journal_length: int,
        keys: tuple[str, ...],
        others: Sequence[InHand] = (),
    ) -> SidePlayer:
        """Who plays for that viewer, having tapped ``keys`` since the journal had that length."""
        # Functions, since a tap changes the play while the player lives.
        return SidePlayer(
            self.session,
            viewer,
            partial(self._play, viewer),
            journal_length,
            keys,
            others=others,
            shared=partial(self._results, viewer),
        )

    def _play(self, viewer: Viewer) -> Play[Any, Any, Any]:
        return self.view(viewer).play

    def _results(self, viewer: Viewer) -> dict[Hashable, Any]:
        view = self.view(viewer)
        # Each half-typed order leaves results; a long evening must not fill the memory.
        if len(view.results) > MOST_RESULTS:
            view.results = {}
        return view.results

    def page(self, player: SidePlayer) -> SidePage:
        """What a player sees: the board is made once for all phones of his side."""
        view = self.view(player.side)
        if view.board is None:
            view.board = board_page(player, self._name_of(player.side))
            if player.side is None:  # a spectator
                wall = unless_it_fails(
                    self._wall_board, instead=_no_board, missing="The casualty strip is"
                )
                view.board = replace(view.board, wall=wall)
        return side_page(player, view.board)

    def wall(self) -> WallPage:
        """What the room sees; only what an onlooker may see is in it."""
        view = self.view(None)
        if view.wall is None:
            view.wall = _wall_page(self.game, self.session.state, view.play)
        return view.wall

    def _wall_board(self) -> WallBoard | None:
        return self.wall().board

    def wall_message(self, formatted: Callable[[str], str]) -> str:
        """What brings televisions to the present state, made once for all of them."""
        view = self.view(None)
        if not view.wall_message:
            html = str(wall_parts(_in_players_units(self.wall(), formatted)))
            view.wall_message = msgspec.json.encode({"html": html}).decode()
        return view.wall_message

    def _name_of(self, viewer: Viewer) -> str:
        """Whose page it is, in words at its top."""
        if viewer is None:
            return "Watching"
        # PLAYERS, who play all sides from one phone, are none of the players by name.
        return self.game.players(self.session.state).get(viewer, "Everybody")

    def html(self, viewer: Viewer, page: SidePage) -> str:
        """A page of that viewer, which shows the present state."""
        view = self.view(viewer)
        if view.board_html is None:
            view.board_html = board_html(page)
        return fragment(page, view.board_html)


class Phones:
    """The pages of sides in a server. ``stored`` runs jobs for the store, ``knowing`` is what the
    players know of their decks; ``addresses`` are the server's; ``formatted`` is applied to every
    text, for units of measure; ``draw_map`` draws the map for televisions."""

    def __init__(
        self,
        gate: Gate,
        book: LinkBook,
        stored: Stored,
        addresses: Sequence[str] = (),
        *,
        knowing: str = "full",
        formatted: Callable[[str], str] = str,
        draw_map: DrawMap = _no_map,
    ) -> None:
        self._gate = gate
        self._book = book
        self._stored = stored
        self._addresses = tuple(addresses)
        self._knowing = knowing
        self._formatted = formatted
        self._draw_map = draw_map
        self._games: dict[int, OpenGame] = {}
        """The games that phones have open, by their numbers in the store."""
        self._opening = asyncio.Lock()
        """So that two phones that come at once do not open the same game twice."""
        self._typed: dict[int, list[str]] = {}
        """What is being typed in the app, by the number of the game."""
        self._slow: set[asyncio.Task[None]] = set()
        """Messages to phones that do not take them yet. asyncio only holds a task that somebody
        else holds."""
        self._count_tabs: Callable[[], int] = _no_tabs
        self._close_tabs: Callable[[], Awaitable[None]] = _nothing_to_close

    def serve_beside(
        self, count_tabs: Callable[[], int], close_tabs: Callable[[], Awaitable[None]]
    ) -> None:
        """The same server has tabs of the whole app as well: ``count_tabs`` counts them, and
        ``close_tabs`` ends them, which is done when the link of the app is taken back."""
        self._count_tabs = count_tabs
        self._close_tabs = close_tabs

    def routes(self) -> list[web.RouteDef]:
        """The addresses that are answered here."""
        return [
            web.get("/s/{token}", self._enter),
            web.get(SIDE, self._serve_page),
            web.get(LIVE, self._connect),
            *(web.get(address, self._serve_map) for address in MAPS),
            *(web.get(address, _typeface) for address in FACES),
        ]

    @property
    def phones(self) -> list[Phone]:
        """All that are connected now."""
        phones: list[Phone] = []
        for game in self._games.values():
            phones.extend(game.phones)
        return phones

    def link_of(self, request: web.Request) -> Link | None:
        """The link that a browser remembers; None also if it was taken back."""
        return self._book.find(request.cookies.get(self._gate.side_cookie, ""))

    # ------------------------------------------------------------------ what a browser asks for

    async def _enter(self, request: web.Request) -> web.Response:
        """A link: the browser gets its token as a cookie, and goes on to the page."""
        token = request.match_info["token"]
        # The same answer for a link that never was and one that was taken back.
        if self._book.find(token) is None:
            return _refused()
        answer = web.Response(text=STEP.format(SIDE), content_type="text/html")
        cookie = self._gate.side_cookie
        # As a cookie, so that the token is in no address that is copied or in the history of the
        # browser.
        answer.set_cookie(
            cookie, token, path="/", httponly=True, samesite="Strict", max_age=LINK_LASTS
        )
        return answer

    async def _serve_page(self, request: web.Request) -> web.Response:
        """The whole page of the link that the browser remembers."""
        link = self.link_of(request)
        if link is None:
            return _refused()
        try:
            game = await self._game(link.battle)
            if link.side == WALL:
                page = wall_document(_in_players_units(game.wall(), self._formatted))
            else:
                page = self._whole_page(game, _viewer_of(link))
        except (RecordError, StoreError) as error:
            return _html(request, ended(CANNOT_BE_SHOWN.format(error)), 404)
        return _html(request, page)

    def _whole_page(self, game: OpenGame, viewer: Viewer) -> str:
        """The page as a browser loads it. Nothing is tapped on it yet."""
        view = game.view(viewer)
        if not view.document:
            player = game.player(viewer, game.journal_length, ())
            view.document = document(self._page(game, player))
        return view.document

    async def _serve_map(self, request: web.Request) -> web.Response:
        """The map of the game of a link as a picture."""
        link = self.link_of(request)
        if link is None:
            return _refused()
        try:
            game = await self._game(link.battle)
        except (RecordError, StoreError) as error:
            raise web.HTTPNotFound(text=CANNOT_BE_SHOWN.format(error)) from None
        state = game.view(None).play.state
        # The map of the first turn, and of the set-up before it, also has zones and distances.
        shape, is_first_turn = MAPS[request.path], game.game.turn(state) <= 1
        if (shape, is_first_turn) not in game.maps:
            # It takes a moment, and those who play do not wait for it.
            drawing = await asyncio.to_thread(self._draw_map, state, shape)
            game.maps[shape, is_first_turn] = drawing
        svg = game.maps[shape, is_first_turn]
        if svg is None:
            raise web.HTTPNotFound(text=NO_MAP)
        answer = web.Response(text=svg, content_type="image/svg+xml")
        answer.headers["Content-Security-Policy"] = MAP_POLICY
        return answer

    async def _connect(self, request: web.Request) -> web.WebSocketResponse:
        """A connection of a phone, from its first message to its last."""
        link = self.link_of(request)
        if link is None:
            raise web.HTTPForbidden(text=NO_LINK)
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=LONGEST_MESSAGE, compress=False)
        await socket.prepare(request)
        phone = Phone(socket, link)
        try:
            game = await self._game(link.battle)
        except (RecordError, StoreError) as error:
            await phone.leave(CANNOT_BE_SHOWN.format(error))
            return socket
        if self._is_full(game, phone):
            await phone.leave(ALL_PHONES_TAKEN)
            return socket
        game.phones.add(phone)
        self._note_connected()
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    await self._receive(game, phone, message.data)
        finally:
            game.phones.discard(phone)
            game.last_used = monotonic()
            self._note_connected()
        return socket

    def _is_full(self, game: OpenGame, phone: Phone) -> bool:
        """Whether there is no room for one more like this."""
        walls = [other for other in self.phones if other.is_wall]
        if phone.is_wall:
            return len(walls) >= MOST_WALLS
        # One link may be open on several phones, as of a side that two people play; not on any
        # number.
        with_same_link = [other for other in game.phones if other.link == phone.link]
        all_are_taken = len(self.phones) - len(walls) >= MOST_PHONES
        return all_are_taken or len(with_same_link) >= MOST_OF_LINK

    # ------------------------------------------------------------------ taps

    async def _receive(self, game: OpenGame, phone: Phone, message: str) -> None:
        """Answer one message of a phone."""
        in_time = phone.count_message()
        if not in_time:
            if phone.messages_too_fast > MOST_TOO_FAST:
                await phone.leave(TOO_FAST)
            else:
                await phone.send({"wait": TOO_FAST})
            return
        try:
            tap = msgspec.json.decode(message, type=Tap)
        except (msgspec.DecodeError, ValueError, RecursionError):
            await phone.send({"wait": UNREADABLE})
            return
        if tap.ping:
            await phone.send({"pong": 1})
        # Looked up at each message: a link may be taken back while its page is open.
        elif self._book.find(phone.link.token) is None:
            await phone.leave(NO_LINK)
        elif phone.is_wall:
            # Nothing can be tapped there: it only asks how the game stands.
            phone.wall_message = ""
            await self._show_wall(game, phone)
        else:
            await self._carry_out(game, phone, tap)

    async def _carry_out(self, game: OpenGame, phone: Phone, tap: Tap) -> None:
        """What a tap does, and who is shown it: this phone at once, the others too if something
        happened, and soon if only its unfinished order has changed."""
        entries_before = game.journal_length
        keys_before = phone.keys
        others = self._in_hand_of_others(game, phone)
        # The phone sends all that was tapped since its journal had that length: the server need
        # not remember it, and a phone that slept is not out of step.
        player = game.player(phone.viewer, tap.journal_length, tuple(tap.keys), others)
        if tap.press:
            await _tap(player, tap.press)
        await self._show(game, phone, player, self._page(game, player))
        if game.journal_length != entries_before:
            await self._show_all(game, except_on=phone)
            # The phones have been shown it, so televisions need not wait.
            game.walls_due = monotonic()
        elif phone.keys != keys_before:
            game.has_new_drafts = True

    async def _refresh(self, game: OpenGame, phone: Phone) -> None:
        """Show a phone how the game stands, unless it shows that already. What was tapped on it
        stays, if it still has a meaning, and so does its notice until something happens."""
        others = self._in_hand_of_others(game, phone)
        player = game.player(phone.viewer, game.journal_length, phone.keys, others)
        # Once something has happened, why the last tap did nothing interests nobody.
        if phone.journal_length == game.journal_length:
            player.notice = phone.notice
            player.press_to_insist = phone.press_to_insist
        # What is the same is not sent again.
        page = self._page(game, player)
        if page != phone.page:
            await self._show(game, phone, player, page)

    async def _show(self, game: OpenGame, phone: Phone, player: SidePlayer, page: SidePage) -> None:
        """Send a phone the page of its player."""
        phone.journal_length = game.journal_length
        phone.keys = player.keys
        phone.notice = player.notice
        phone.press_to_insist = player.press_to_insist
        phone.page = page
        html = game.html(phone.viewer, page)
        await phone.send({"at": phone.journal_length, "keys": phone.keys, "html": html})

    async def _show_wall(self, game: OpenGame, phone: Phone) -> None:
        """Send a television what the room sees, unless it shows that already."""
        message = game.wall_message(self._formatted)
        if message != phone.wall_message:
            phone.wall_message = message
            await phone.send_text(message)

    async def _show_all(self, game: OpenGame, except_on: Phone | None = None) -> None:
        """Show all phones of a game how it stands, but not the one where it is shown already.
        Televisions have their turn later."""
        showing = []
        for phone in game.phones:
            if phone is not except_on and not phone.is_wall:
                showing.append(self._refresh(game, phone))
        await self._send_together(showing)

    async def _show_walls(self, game: OpenGame) -> None:
        """Show all televisions of a game how it stands."""
        walls = [phone for phone in game.phones if phone.is_wall]
        await self._send_together([self._show_wall(game, wall) for wall in walls])

    async def _send_together(self, messages: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Send several messages at the same time. A phone that takes none does not keep the others
        waiting: its message goes on in the background."""
        showing = [asyncio.create_task(message) for message in messages]
        if not showing:
            return
        served, slow = await asyncio.wait(showing, timeout=OTHERS_WAIT)
        for task in slow:
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)
        for task in served:
            task.result()  # raises the error of a task that failed

    def _in_hand_of_others(self, game: OpenGame, phone: Phone) -> list[InHand]:
        """What is being put together on the phones of other sides, and in the app: the same for all
        phones of a side, so that it is worked out once."""
        in_hand = []
        for other in game.phones:
            is_begun = other.journal_length == game.journal_length and other.keys
            if is_begun and other.viewer != phone.viewer:
                in_hand.append(InHand(other.viewer, other.keys))
        in_hand.sort(key=str)  # a set of phones has no order of its own
        typed = self._typed.get(game.session.id)
        if typed:
            in_hand.append(InHand(PLAYERS, tuple(typed)))
        return in_hand

    def _page(self, game: OpenGame, player: SidePlayer) -> SidePage:
        page = game.page(player)
        if self._formatted is str:  # nothing to change, and a page has thousands of texts
            return page
        return mapped(page, self._formatted)

    # ------------------------------------------------------------------ games

    async def _game(self, number: int) -> OpenGame:
        """A game of the store as it stands now. Raises StoreError, RecordError."""
        async with self._opening:
            opened = self._games.get(number)
            if opened is None:
                record = await self._stored(lambda store: store.battle(number))
                game = registry.load(record.game).knowing(self._knowing)
                session = await Session.resumed(game, self._stored, number)
                session.typed = []  # what was typed in a terminal stays there
                opened = OpenGame(session)
                self._games[number] = opened
        await opened.session.catch_up()
        opened.last_used = monotonic()
        return opened

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Looks for what others wrote while the server runs."""
        looking = asyncio.create_task(self._look_again_and_again())
        self._note_connected()
        yield
        looking.cancel()
        self._book.remove_note()

    async def close(self, _: web.Application) -> None:
        """Leave every phone; each comes back once a server runs again."""
        await asyncio.gather(*(phone.leave() for phone in self.phones))

    async def _look_again_and_again(self) -> None:
        """Look for news until the server ends; an error of one look does not end the others."""
        last_note = 0.0
        while True:
            await asyncio.sleep(LOOK_EVERY)
            try:
                for game in [*self._games.values()]:
                    await self._look_at(game)
                if monotonic() - last_note > NOTE_EVERY:
                    last_note = monotonic()
                    self._note_connected()
                    await self._end_invalid_links()
            except Exception:
                not_available("The phones' news are")

    async def _end_invalid_links(self) -> None:
        """End what was opened by links that are no longer valid."""
        for phone in self.phones:
            if self._book.find(phone.link.token) is None:
                await phone.leave(NO_LINK)
        # A server for this machine alone has no token: then the app has no link to take back.
        app_token = self._book.read().table
        token_before = self._gate.token
        if token_before is not None and app_token and app_token != token_before:
            self._gate.token = app_token
            await self._close_tabs()

    async def _look_at(self, game: OpenGame) -> None:
        """Show the phones of a game what is new in it; forget a game that nobody has open."""
        number = game.session.id
        if not game.phones:
            self._forget_if_unused(game)
            return
        try:
            has_news = await game.session.catch_up()
            typed = await self._stored(lambda store: store.typed(number, game.journal_length))
        except StoreError:
            return  # the next look, or the next order, says why
        except RecordError as error:
            del self._games[number]
            await asyncio.gather(
                *(phone.leave(CANNOT_BE_SHOWN.format(error)) for phone in game.phones)
            )
            return
        if typed != self._typed.get(number, []):
            game.has_new_drafts = True
            self._typed[number] = typed
        await self._show_news(game, has_news=has_news)

    def _forget_if_unused(self, game: OpenGame) -> None:
        """Close a game without phones after a while: one that lost its connection comes back."""
        if monotonic() - game.last_used > CLOSED_AFTER:
            self._games.pop(game.session.id, None)
            self._typed.pop(game.session.id, None)

    async def _show_news(self, game: OpenGame, *, has_news: bool) -> None:
        """Show phones and televisions what is due to be shown to them; ``has_news``: orders were
        found that others gave."""
        # Orders are shown at once. Drafts change with every tap, and their odds take long.
        drafts_are_due = game.has_new_drafts and monotonic() - game.last_shown > DRAFTS_EVERY
        if has_news or drafts_are_due:
            game.has_new_drafts = False
            game.last_shown = monotonic()
            await self._show_all(game)
        if has_news and game.walls_due is None:
            game.walls_due = monotonic() + WALLS_WAIT
        if game.walls_due is not None and monotonic() > game.walls_due:
            game.walls_due = None
            await self._show_walls(game)

    def _note_connected(self) -> None:
        """Write down for the app who is connected."""
        token = self._gate.token
        connected = Counter(phone.link.token for phone in self.phones)
        # The tabs of the whole app have its token; empty on a server for this machine alone.
        connected[token or ""] = self._count_tabs()
        serving = Serving(
            self._addresses,
            table=token or "",
            lan=token is not None,
            written_at=time(),
            connected=connected,
        )
        self._book.note(serving)


def _no_board(_: str) -> None:
    """What takes the place of a strip that could not be made."""


def _viewer_of(link: Link) -> Viewer:
    if link.side in (WATCH, WALL):
        return None
    return link.side


def _wall_page(game: Game[Any, Any, Any], whole_state: Any, play: Play[Any, Any, Any]) -> WallPage:
    """What the room sees of ``play``, which is the game as an onlooker sees it. ``whole_state`` has
    what is hidden as well; the game leaves that out for an onlooker (None)."""
    last_line = ""
    for line in game.journal(play, None, last=1):
        last_line = line.text
    wall_board = game.wall(play)
    page_instead = NOTHING
    # Without a map the room sees the board as a page instead.
    if wall_board is None or not wall_board.map_name:
        page_instead = game.board(whole_state, None)
    return WallPage(
        title=game.title(play.state),
        clock=capital(game.clock(play.state, None)),
        over=game.over(play.state),
        verdict=game.verdict(play, None),
        waiting=game.waiting(whole_state, None),
        last_line=last_line,
        page=page_instead,
        board=wall_board,
        colours=game.colours(play.state),
    )


def _in_players_units(wall: WallPage, formatted: Callable[[str], str]) -> WallPage:
    """The page with its texts in the players' units of measure."""
    if formatted is str:
        return wall
    board = wall.board
    if board is not None:
        board = replace(board, goal=formatted(board.goal), stands=formatted(board.stands))
    return wall._replace(
        waiting=formatted(wall.waiting),
        last_line=formatted(wall.last_line),
        page=mapped(wall.page, formatted),
        board=board,
    )


async def _typeface(request: web.Request) -> web.Response:
    """One of the product's own typefaces."""
    file = FONTS / f"{FACES[request.path]}.woff2"
    answer = web.Response(body=file.read_bytes(), content_type="font/woff2")
    # A television that comes back need not fetch it again.
    answer.headers["Cache-Control"] = "max-age=86400"
    return answer


def _no_tabs() -> int:
    """Stands in for the count of tabs, for phones without the whole app beside them."""
    return 0


async def _nothing_to_close() -> None:
    """Stands in for closing tabs, for phones without the whole app beside them."""


async def _tap(player: SidePlayer, press: str) -> None:
    """Have the player carry out a tap. An error of a game must not end its connection."""
    try:
        await player.tap(press)
    except Exception:
        player.notice = not_available("This answer is")


def _refused() -> web.Response:
    return refusal_page(403, NO_LINK)


def _html(request: web.Request, page: str, status: int = 200) -> web.Response:
    answer = web.Response(text=page, status=status, content_type="text/html")
    answer.headers["Content-Security-Policy"] = strict_policy(request)
    return answer
