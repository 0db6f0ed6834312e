"""Phones at the table: the page of one side or of a spectator, opened by a link with a token, and
kept up to date over a websocket. The server holds what is stored and nothing else; each message of
a phone contains what it has tapped since."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic, time
from typing import Annotated, Any

import msgspec
from aiohttp import WSMsgType, web
from markupsafe import Markup

from skirmish import registry
from skirmish.extras import missing
from skirmish.session import AnySession, Session, Stored
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import PLAYERS, Viewer
from skirmish.tabletop.journal import Play, RecordError
from skirmish.tabletop.page import mapped
from skirmish.web.gate import LIVE, SIDE, STEP, Gate, strict_policy
from skirmish.web.links import WATCH, Link, LinkBook, Serving
from skirmish.web.side_html import board_html, document, ended, fragment
from skirmish.web.side_player import (
    LONGEST_TAP,
    MOST_KEYS,
    InHand,
    SidePlayer,
    board_page,
    side_page,
)
from skirmish.web.side_view import SidePage

MOST_PHONES = 24
"""Two for every player, and some spectators."""
MOST_OF_LINK = 12
"""So that nobody with one link can keep the others out."""
LONGEST = 16 * 1024
"""Bytes in one message of a phone."""
LOOKS = 0.03
"""Seconds between two looks for entries that others wrote."""
DRAFTS = 0.25
"""Seconds between two changes of the odds of what others put together."""
NOTES = 2.0
"""Seconds between two notes of who is connected, and between two looks at the links."""
TAPS, AT_ONCE = 10.0, 20.0
"""The most taps in a second, and at once."""
SLOW = 2.0
"""Seconds after which a phone that takes no message is left."""
WAITS = 0.2
"""Seconds for which the others wait for it."""
FLOOD = 100
"""Messages too many, one after the other, after which a phone is left."""
MOST_KNOWN = 500
"""Findings for one viewer, since everything that phones put together is one."""
YEAR = 365 * 24 * 3600
"""Seconds for which a browser remembers a link: a phone that restarts is still in the game."""
IDLE = 60.0
"""Seconds for which a game without phones stays open."""

NO_LINK = "This link is not valid, or no longer. Ask at the table for another one."
FULL = "Too many phones are already connected. Close the page on one of them."
TOO_FAST = "That was too fast. Tap again."
UNREADABLE = "This tap could not be read. Tap again."
GONE = "This game cannot be shown: {}"


class Tap(msgspec.Struct):
    """A message of a phone: what it has, and what was tapped."""

    at: int = 0
    keys: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=LONGEST_TAP)]],
        msgspec.Meta(max_length=MOST_KEYS),
    ] = []
    press: Annotated[str, msgspec.Meta(max_length=LONGEST_TAP)] = ""
    ping: int = 0


class Phone:
    """A connected page: its link, what was tapped on it since entry ``at``, the answer to the last
    tap, and what it shows."""

    def __init__(self, socket: web.WebSocketResponse, link: Link) -> None:
        self.socket, self.link = socket, link
        self.at, self.keys = 0, tuple[str, ...]()
        self.notice = ""
        self.page: SidePage | None = None
        self.too_many = 0
        self._taps, self._then = AT_ONCE, monotonic()

    @property
    def viewer(self) -> Viewer:
        return self.link.side if self.link.side != WATCH else None

    def too_fast(self) -> bool:
        now = monotonic()
        self._taps = min(self._taps + (now - self._then) * TAPS, AT_ONCE) - 1
        self._then = now
        self.too_many = self.too_many + 1 if self._taps < 0 else 0
        self._taps = max(self._taps, 0.0)
        return self.too_many > 0

    async def send(self, what: dict[str, Any]) -> None:
        """Send a message; a phone that does not take it is left, and comes back by itself."""
        try:
            async with asyncio.timeout(SLOW):
                await self.socket.send_str(msgspec.json.encode(what).decode())
        except (ConnectionError, TimeoutError):
            await self.leave()

    async def leave(self, sentence: str = "") -> None:
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(SLOW):
                if sentence:
                    await self.socket.send_json({"over": sentence})
                await self.socket.close()


class OpenGame:
    """A game that phones have open, and what each viewer sees of it now."""

    def __init__(self, session: AnySession) -> None:
        self.session, self.game = session, session.game
        self.phones: set[Phone] = set()
        self.drafted, self.shown = False, 0.0
        self.used = monotonic()
        self._seen: dict[Viewer, tuple[int, Play[Any, Any, Any]]] = {}
        self._boards: dict[Viewer, SidePage] = {}
        self._html: dict[Viewer, tuple[int, dict[str, Markup]]] = {}
        self._known: dict[Viewer, tuple[int, dict[Hashable, Any]]] = {}
        self.loaded: dict[Viewer, tuple[int, str]] = {}
        """What a browser that opens the page gets, with the length of the journal then."""

    @property
    def at(self) -> int:
        return len(self.session.play.entries)

    def seen(self, viewer: Viewer) -> Play[Any, Any, Any]:
        at, play = self._seen.get(viewer, (0, None))
        if play is None or at != self.at:
            play = self.game.seen(self.session.play, viewer)
            self._seen[viewer] = self.at, play
        return play

    def player(
        self, viewer: Viewer, at: int, keys: tuple[str, ...], begun: Sequence[InHand] = ()
    ) -> SidePlayer:
        look = partial(self.seen, viewer)
        shared = partial(self._known_to, viewer)
        return SidePlayer(self.session, viewer, look, at, keys, others=begun, shared=shared)

    def _known_to(self, viewer: Viewer) -> dict[Hashable, Any]:
        """What was found in the present state for a viewer."""
        at, known = self._known.get(viewer, (0, {}))
        if at != self.at or len(known) > MOST_KNOWN:
            known = {}
            self._known[viewer] = self.at, known
        return known

    def whose(self, viewer: Viewer) -> str:
        players = self.game.players(self.session.state)
        return "Watching" if viewer is None else players.get(viewer, "Everybody")

    def page(self, player: SidePlayer) -> SidePage:
        board = self._boards.get(player.side)
        if board is None or board.at != self.at:
            board = board_page(player, self.whose(player.side))
            self._boards[player.side] = board
        return side_page(player, board)

    def html(self, viewer: Viewer, page: SidePage) -> str:
        """A page of that viewer; what all his phones show alike is built once for each state."""
        at, board = self._html.get(viewer, (0, {}))
        if at != page.at:
            board = board_html(page)
            self._html[viewer] = page.at, board
        return fragment(page, board)


class Phones:
    """The pages of sides in a server. ``stored`` runs jobs for the store, ``knowing`` is what the
    players know of their decks; ``addresses`` are the server's. ``tabs`` counts the tabs of the
    whole app, and ``close_tabs`` ends them when its link is taken back."""

    def __init__(
        self, gate: Gate, book: LinkBook, stored: Stored, addresses: Sequence[str] = (), *,
        knowing: str = "full", shown: Callable[[str], str] = str,
    ) -> None:  # fmt: skip
        self._gate, self._book, self._stored = gate, book, stored
        self._addresses, self._knowing, self._shown = tuple(addresses), knowing, shown
        self._games: dict[int, OpenGame] = {}
        self._opening = asyncio.Lock()
        self._typed: dict[int, list[str]] = {}
        self._slow: set[asyncio.Task[None]] = set()
        self.tabs: Callable[[], int] = lambda: 0
        self.close_tabs: Callable[[], Awaitable[None]] = _nothing

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/s/{token}", self._enter),
            web.get(SIDE, self._document),
            web.get(LIVE, self._live),
        ]

    @property
    def phones(self) -> list[Phone]:
        return [phone for game in self._games.values() for phone in game.phones]

    def link_of(self, request: web.Request) -> Link | None:
        return self._book.find(request.cookies.get(self._gate.side_cookie, ""))

    # ------------------------------------------------------------------ what a browser asks for

    async def _enter(self, request: web.Request) -> web.Response:
        token = request.match_info["token"]
        if self._book.find(token) is None:
            return _refused(request)
        answer = web.Response(text=STEP.format(SIDE), content_type="text/html")
        cookie = self._gate.side_cookie
        answer.set_cookie(cookie, token, path="/", httponly=True, samesite="Strict", max_age=YEAR)
        return answer

    async def _document(self, request: web.Request) -> web.Response:
        link = self.link_of(request)
        if link is None:
            return _refused(request)
        try:
            game = await self._game(link.battle)
            viewer = link.side if link.side != WATCH else None
            page = self._loaded(game, viewer)
        except (RecordError, StoreError) as error:
            return _html(request, ended(GONE.format(error)), 404)
        return _html(request, page)

    def _loaded(self, game: OpenGame, viewer: Viewer) -> str:
        """The page as a browser loads it, built once for each state of the game."""
        at, html = game.loaded.get(viewer, (0, ""))
        if at != game.at:
            player = game.player(viewer, game.at, ())
            html = document(self._page(game, player))
            game.loaded[viewer] = game.at, html
        return html

    async def _live(self, request: web.Request) -> web.WebSocketResponse:
        link = self.link_of(request)
        if link is None:
            raise web.HTTPForbidden(text=NO_LINK)
        socket = web.WebSocketResponse(heartbeat=15, max_msg_size=LONGEST, compress=False)
        await socket.prepare(request)
        phone = Phone(socket, link)
        try:
            game = await self._game(link.battle)
        except (RecordError, StoreError) as error:
            await phone.leave(GONE.format(error))
            return socket
        same = sum(one.link == link for one in game.phones)
        if same >= MOST_OF_LINK or len(self.phones) >= MOST_PHONES:
            await phone.leave(FULL)
            return socket
        game.phones.add(phone)
        self._note()
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    await self._heard(game, phone, message.data)
        finally:
            game.phones.discard(phone)
            game.used = monotonic()
            self._note()
        return socket

    # ------------------------------------------------------------------ taps

    async def _heard(self, game: OpenGame, phone: Phone, data: str) -> None:
        if phone.too_fast():
            too_many = phone.too_many > FLOOD
            await (phone.leave(TOO_FAST) if too_many else phone.send({"wait": TOO_FAST}))
            return
        try:
            tap = msgspec.json.decode(data, type=Tap)
        except (msgspec.DecodeError, ValueError, RecursionError):
            await phone.send({"wait": UNREADABLE})
            return
        if tap.ping:
            await phone.send({"pong": 1})
        elif self._book.find(phone.link.token) is None:
            await phone.leave(NO_LINK)
        else:
            before, keys = game.at, phone.keys
            player = game.player(phone.viewer, tap.at, tuple(tap.keys), self._begun(game, phone))
            if tap.press:
                await _tapped(player, tap.press)
            await self._show(game, phone, player)
            if game.at != before:
                await self._show_all(game, phone)
            elif phone.keys != keys:
                game.drafted = True  # the others see its odds soon

    async def _show(self, game: OpenGame, phone: Phone, player: SidePlayer | None = None) -> None:
        tapped = player is not None
        if player is None:
            player = game.player(phone.viewer, game.at, phone.keys, self._begun(game, phone))
            player.notice = phone.notice if phone.at == game.at else ""
        phone.at, phone.keys, phone.notice = game.at, player.keys, player.notice
        page = self._page(game, player)
        if tapped or page != phone.page:
            phone.page = page
            html = game.html(phone.viewer, page)
            await phone.send({"at": phone.at, "keys": phone.keys, "html": html})

    async def _show_all(self, game: OpenGame, but: Phone | None = None) -> None:
        """A phone that takes no message does not keep the others waiting."""
        found = [one for one in game.phones if one is not but]
        if not found:
            return
        showing = [asyncio.create_task(self._show(game, one)) for one in found]
        shown, slow = await asyncio.wait(showing, timeout=WAITS)
        for task in slow:
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)
        for task in shown:
            task.result()

    def _begun(self, game: OpenGame, but: Phone) -> list[InHand]:
        """What is being put together on the phones of other sides, and in the app: the same for all
        phones of a side, so that it is looked at once."""
        found = []
        for phone in game.phones:
            if phone.viewer != but.viewer and phone.at == game.at and phone.keys:
                found.append(InHand(phone.viewer, phone.keys))
        found.sort(key=str)
        typed = self._typed.get(game.session.id)
        if typed:
            found.append(InHand(PLAYERS, tuple(typed)))
        return found

    def _page(self, game: OpenGame, player: SidePlayer) -> SidePage:
        page = game.page(player)
        return page if self._shown is str else mapped(page, self._shown)

    # ------------------------------------------------------------------ games

    async def _game(self, number: int) -> OpenGame:
        """Raises StoreError, RecordError."""
        async with self._opening:
            found = self._games.get(number)
            if found is None:
                record = await self._stored(lambda store: store.battle(number))
                game = registry.load(record.game).knowing(self._knowing)
                session = await Session.resumed(game, self._stored, number)
                session.typed = []  # the terminal's
                found = self._games[number] = OpenGame(session)
        await found.session.caught_up()
        found.used = monotonic()
        return found

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Looks for what others wrote while the server runs."""
        looking = asyncio.create_task(self._look())
        self._note()
        yield
        looking.cancel()
        self._book.no_note()

    async def close(self, _: web.Application) -> None:
        await asyncio.gather(*(phone.leave() for phone in self.phones))

    async def _look(self) -> None:
        noted = 0.0
        while True:
            await asyncio.sleep(LOOKS)
            try:
                for game in [*self._games.values()]:
                    await self._look_at(game)
                if monotonic() - noted > NOTES:
                    noted = monotonic()
                    self._note()
                    await self._take_back()
            except Exception:
                missing("The phones' news are")

    async def _take_back(self) -> None:
        """End what was opened by links that are no longer valid."""
        for phone in self.phones:
            if self._book.find(phone.link.token) is None:
                await phone.leave(NO_LINK)
        table = self._book.read().table
        if self._gate.token is not None and table not in ("", self._gate.token):
            self._gate.token = table
            await self.close_tabs()

    async def _look_at(self, game: OpenGame) -> None:
        number = game.session.id
        if not game.phones:
            if monotonic() - game.used > IDLE:
                self._games.pop(number, None)
                self._typed.pop(number, None)
            return
        try:
            news = await game.session.caught_up()
            typed = await self._stored(lambda store: store.typed(number, game.at))
        except StoreError:
            return  # the next look, or the next order, says why
        except RecordError as error:
            del self._games[number]
            await asyncio.gather(*(one.leave(GONE.format(error)) for one in game.phones))
            return
        game.drafted = game.drafted or typed != self._typed.get(number, [])
        self._typed[number] = typed
        if news or (game.drafted and monotonic() - game.shown > DRAFTS):
            game.drafted, game.shown = False, monotonic()
            await self._show_all(game)

    def _note(self) -> None:
        token = self._gate.token
        here = Counter(phone.link.token for phone in self.phones)
        here[token or ""] = self.tabs()
        lan = token is not None
        self._book.note(Serving(self._addresses, token or "", lan, time(), here))


async def _nothing() -> None:
    pass


async def _tapped(player: SidePlayer, press: str) -> None:
    """An error of a game must not end the connection of its player."""
    try:
        await player.tap(press)
    except Exception:
        player.notice = missing("This answer is")


def _refused(request: web.Request) -> web.Response:
    return _html(request, ended(NO_LINK), 403)


def _html(request: web.Request, page: str, status: int = 200) -> web.Response:
    answer = web.Response(text=page, status=status, content_type="text/html")
    answer.headers["Content-Security-Policy"] = strict_policy(request)
    return answer
