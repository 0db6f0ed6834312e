"""Phones at the table: the page of one side or of a spectator, opened by a link with a token, and
kept up to date over a websocket. The server holds what is stored and nothing else: each message of
a phone contains all that was tapped on it since the last entry of the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from time import monotonic, time
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from skirmish.extras import logged_failure
from skirmish.session import Stored
from skirmish.store.errors import StoreError
from skirmish.tabletop.game import DeckKnowledge
from skirmish.tabletop.journal_codec import RecordError
from skirmish.web.gate import (
    FORWARDING_PAGE,
    HEARTBEAT,
    MAP_SHAPES,
    SIDE_PAGE_PATH,
    SIDE_SOCKET_PATH,
    TYPEFACE_FILES,
    Gate,
    strict_policy,
)
from skirmish.web.links import LINK_PATH, NO_LINK, NOTE_EVERY, Link, LinkBook, ServerNote
from skirmish.web.open_games import CANNOT_BE_SHOWN, DrawMap, Formatter, OpenGame, OpenGames
from skirmish.web.phone import Phone, Tap
from skirmish.web.refusal import refusal_page
from skirmish.web.side_html import ended_document
from skirmish.web.side_player import SidePlayer
from skirmish.web.side_view import SidePage

LONGEST_MESSAGE = 16 * 1024
"""Bytes in one message of a phone."""
MOST_TOO_FAST = 100
"""The most messages in a row that may come too fast; after one more the phone is disconnected."""
LOOK_EVERY = 0.03
"""Seconds between two looks for entries that others wrote."""
LINK_LASTS = 365 * 24 * 3600
"""Seconds for which a browser remembers a link: a phone that restarts is still in the game."""
DRAFTS_EVERY = 0.25
"""The fewest seconds between two times that phones are shown what others put together."""
TELEVISIONS_WAIT = 0.1
"""Seconds after news until televisions are shown it: the app paints its own screen before that, and
whoever is asked for something answers on it."""
OTHERS_WAIT = 0.2
"""Seconds for which the others wait for a slow phone."""

ALL_PHONES_TAKEN = "Too many phones are already connected. Close the page on one of them."
TOO_FAST = "That was too fast. Tap again."
UNREADABLE = "This tap could not be read. Tap again."
NO_MAP = "There is no map of this game."
MAP_POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:"
"""The content security policy of a map: a drawing with styles and typefaces of its own, which
fetches nothing."""
FONTS = Path(__file__).parents[1] / "sheets" / "fonts"
"""The typefaces of the sheets, which are also there as files for browsers."""


def _no_map(state: Any, shape: str) -> str | None:
    """Stands in for the map on a server of games without maps."""
    del state, shape
    return None


class Phones:
    """The pages of sides in a server: what a browser asks for, what a phone sends, and the look for
    news. ``Delivery`` sends the pages, ``ConnectedPages`` notes who is connected. ``stored`` runs
    jobs for the store; ``addresses`` are the server's; ``deck_knowledge`` is what the players know
    of their decks; ``formatted`` is applied to every text, for units of measure; ``draw_map`` draws
    the map for televisions."""

    def __init__(
        self,
        gate: Gate,
        book: LinkBook,
        stored: Stored,
        addresses: Sequence[str] = (),
        *,
        deck_knowledge: DeckKnowledge = "full",
        formatted: Formatter = str,
        draw_map: DrawMap = _no_map,
    ) -> None:
        self._gate = gate
        self._book = book
        self._stored = stored
        self._draw_map = draw_map
        self._games = OpenGames(stored, deck_knowledge, formatted)
        self._connected = ConnectedPages(gate, book, self._games, addresses)
        self._delivery = Delivery()

    def serve_beside(
        self, count_tabs: Callable[[], int], close_tabs: Callable[[], Awaitable[None]]
    ) -> None:
        """The same server has tabs of the whole app as well: ``count_tabs`` counts them, and
        ``close_tabs`` ends them, which is done when the link of the app is taken back."""
        self._connected.count_tabs_too(count_tabs, close_tabs)

    def routes(self) -> list[web.RouteDef]:
        """The addresses that are answered here."""
        return [
            web.get(f"{LINK_PATH}{{token}}", self._enter),
            web.get(SIDE_PAGE_PATH, self._serve_page),
            web.get(SIDE_SOCKET_PATH, self._connect),
            *(web.get(path, self._serve_map) for path in MAP_SHAPES),
            *(web.get(path, _serve_typeface) for path in TYPEFACE_FILES),
        ]

    def link_of(self, request: web.Request) -> Link | None:
        """The link that a browser remembers; None also if it was taken back."""
        return self._book.find(request.cookies.get(self._gate.side_cookie, ""))

    # ------------------------------------------------------------------ what a browser asks for

    async def _enter(self, request: web.Request) -> web.Response:
        """A link: the browser gets its token as a cookie, and goes on to the page."""
        token = request.match_info["token"]
        # The same answer for a link that never was and one that was taken back.
        if self._book.find(token) is None:
            return _no_valid_link()
        answer = web.Response(text=FORWARDING_PAGE.format(SIDE_PAGE_PATH), content_type="text/html")
        # A cookie has the token, so that it is in no address that is copied or in the history of
        # the browser.
        answer.set_cookie(
            self._gate.side_cookie,
            token,
            path="/",
            httponly=True,
            samesite="Strict",
            max_age=LINK_LASTS,
        )
        return answer

    async def _serve_page(self, request: web.Request) -> web.Response:
        """The whole page of the link that the browser remembers."""
        link = self.link_of(request)
        if link is None:
            return _no_valid_link()
        try:
            game = await self._games.open(link.battle)
            seen = game.seen_by(link.viewer)
            if link.is_for_television:
                page = seen.wall_document()
            else:
                untouched = game.player(link.viewer, game.journal_length, keys=())
                page = seen.document(untouched)
        except (RecordError, StoreError) as error:
            return _html_answer(request, ended_document(CANNOT_BE_SHOWN.format(error)), 404)
        return _html_answer(request, page)

    async def _serve_map(self, request: web.Request) -> web.Response:
        """The map of the game of a link as a picture."""
        link = self.link_of(request)
        if link is None:
            return _no_valid_link()
        try:
            game = await self._games.open(link.battle)
        except (RecordError, StoreError) as error:
            raise web.HTTPNotFound(text=CANNOT_BE_SHOWN.format(error)) from None
        svg = await game.map_svg(MAP_SHAPES[request.path], self._draw_map)
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
        socket = web.WebSocketResponse(
            heartbeat=HEARTBEAT, max_msg_size=LONGEST_MESSAGE, compress=False
        )
        await socket.prepare(request)
        phone = Phone(socket, link)
        try:
            game = await self._games.open(link.battle)
        except (RecordError, StoreError) as error:
            await phone.disconnect(CANNOT_BE_SHOWN.format(error))
            return socket
        if not self._games.has_room(game, phone):
            await phone.disconnect(ALL_PHONES_TAKEN)
            return socket
        game.phones.add(phone)
        self._connected.write_note()
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT:
                    await self._receive(game, phone, message.data)
        finally:
            game.phones.discard(phone)
            game.last_used_at = monotonic()
            self._connected.write_note()
        return socket

    # ------------------------------------------------------------------ taps

    async def _receive(self, game: OpenGame, phone: Phone, message: str) -> None:
        """Answer one message of a phone."""
        in_time = phone.count_message()
        if not in_time:
            if phone.messages_too_fast > MOST_TOO_FAST:
                await phone.disconnect(TOO_FAST)
            else:
                await phone.refuse_tap(TOO_FAST)
            return
        try:
            tap = msgspec.json.decode(message, type=Tap)
        except (msgspec.DecodeError, ValueError, RecursionError):  # the last: thousands of lists
            await phone.refuse_tap(UNREADABLE)
            return
        if tap.ping:
            await phone.answer_ping()
        # The link is looked up at each message: it may be taken back while its page is open.
        elif self._book.find(phone.link.token) is None:
            await phone.disconnect(NO_LINK)
        elif phone.is_television:
            # Nothing can be tapped there: the message only asks how the game stands. It is answered
            # even if the television has had the same answer, so that one is forgotten first.
            phone.television_message = ""
            await self._delivery.show_television(game, phone)
        else:
            await self._carry_out(game, phone, tap)

    async def _carry_out(self, game: OpenGame, phone: Phone, tap: Tap) -> None:
        """Carry out a tap, and show what has come of it: to this phone at once, to the others too
        if something happened, and soon if only its unfinished order has changed."""
        entries_before = game.journal_length
        keys_before = phone.keys
        others = game.in_hand_of_others(phone)
        # The phone sends all that was tapped since its journal had that length: the server need
        # not remember it, and a phone that slept is not out of step.
        player = game.player(phone.link.viewer, tap.journal_length, tuple(tap.keys), others)
        if tap.press:
            await _press(player, tap.press)
        await self._delivery.show_tapped(game, phone, player)
        if game.journal_length != entries_before:
            await self._delivery.show_all(game, except_on=phone)
            # The phones have been shown it, so televisions need not wait: they have it at the next
            # look.
            game.televisions_due_at = monotonic()
        elif phone.keys != keys_before:
            game.has_new_drafts = True

    # ------------------------------------------------------------------ while the server runs

    async def run(self, _: web.Application) -> AsyncIterator[None]:
        """Look for what others write while the server runs. aiohttp runs the part before ``yield``
        at its start, and the rest at its end."""
        looking = asyncio.create_task(self._look_again_and_again())
        self._connected.write_note()
        yield
        looking.cancel()
        self._connected.remove_note()

    async def close(self, _: web.Application) -> None:
        """Disconnect every phone; each comes back once a server runs again."""
        await asyncio.gather(*(phone.disconnect() for phone in self._games.phones))

    async def _look_again_and_again(self) -> None:
        """Look for news until the server ends."""
        last_note_at = 0.0
        while True:
            await asyncio.sleep(LOOK_EVERY)
            for game in self._games.all():
                await _ending_no_other(self._look_at(game))
            if monotonic() - last_note_at > NOTE_EVERY:
                last_note_at = monotonic()
                await _ending_no_other(self._look_at_links())

    async def _look_at_links(self) -> None:
        """Write down who is connected, and disconnect those whose link has been taken back."""
        self._connected.write_note()
        await self._connected.disconnect_without_link()

    async def _look_at(self, game: OpenGame) -> None:
        """Show the phones of a game what is new in it; close a game that nobody has open."""
        if not game.phones:
            self._games.close_if_unused(game)
            return
        number = game.session.id
        try:
            orders_were_given = await game.session.catch_up()
            typed = await self._stored(lambda store: store.typed(number, game.journal_length))
        except StoreError:
            return  # the next look tries again, and an order that fails says why
        except RecordError as error:
            self._games.close(game)
            sentence = CANNOT_BE_SHOWN.format(error)
            await asyncio.gather(*(phone.disconnect(sentence) for phone in game.phones))
            return
        if typed != game.typed_in_app:
            game.has_new_drafts = True
            game.typed_in_app = typed
        await self._delivery.show_news(game, orders_were_given=orders_were_given)


async def _ending_no_other(look: Awaitable[None]) -> None:
    """Look for news. An error, whatever it is, must not keep the looks at other games from coming,
    nor the next one at this game."""
    try:
        await look
    except Exception:
        logged_failure("The news for the phones is not available")


async def _press(player: SidePlayer, press: str) -> None:
    """Have the player carry out a tap. An error of a game must not end its connection."""
    try:
        await player.tap(press)
    except Exception:
        player.notice = logged_failure("This answer is not available")


def _no_valid_link() -> web.Response:
    """The answer to a browser without a link, or with one that was taken back."""
    return refusal_page(403, NO_LINK)


def _html_answer(request: web.Request, page: str, status: int = 200) -> web.Response:
    """The answer with a page of ours, which may fetch nothing from elsewhere."""
    answer = web.Response(text=page, status=status, content_type="text/html")
    answer.headers["Content-Security-Policy"] = strict_policy(request)
    return answer


async def _serve_typeface(request: web.Request) -> web.Response:
    """One of the product's own typefaces."""
    file = FONTS / f"{TYPEFACE_FILES[request.path]}.woff2"
    answer = web.Response(body=file.read_bytes(), content_type="font/woff2")
    # A television that comes back within a day need not fetch it again.
    answer.headers["Cache-Control"] = "max-age=86400"
    return answer


# ------------------------------------------------------------------ who is shown what, and when


class Delivery:
    """Shows phones and televisions how their game stands: the phone that was tapped at once, the
    other phones right after it, televisions last."""

    def __init__(self) -> None:
        self._slow: set[asyncio.Task[None]] = set()
        """Messages to phones that do not take them yet. asyncio drops a task unless somebody holds
        it."""

    async def show_tapped(self, game: OpenGame, phone: Phone, player: SidePlayer) -> None:
        """Show a phone the page after its tap. It is sent even if nothing has changed on it, so
        that the phone knows that its tap has arrived."""
        page = game.seen_by(phone.link.viewer).page(player)
        await self._show(game, phone, player, page)

    async def show_news(self, game: OpenGame, *, orders_were_given: bool) -> None:
        """Show phones and televisions what is due to be shown to them. ``orders_were_given``: since
        the last call, by others than these phones."""
        # Orders are shown at once. Drafts change with every tap, and their odds take long.
        drafts_must_wait = monotonic() - game.last_shown_at <= DRAFTS_EVERY
        drafts_are_due = game.has_new_drafts and not drafts_must_wait
        if orders_were_given or drafts_are_due:
            game.has_new_drafts = False
            game.last_shown_at = monotonic()
            await self.show_all(game)
        if orders_were_given and game.televisions_due_at is None:
            game.televisions_due_at = monotonic() + TELEVISIONS_WAIT
        await self._show_televisions_when_due(game)

    async def _show_televisions_when_due(self, game: OpenGame) -> None:
        """Show all televisions of a game how it stands, if their turn has come."""
        if game.televisions_due_at is None or monotonic() <= game.televisions_due_at:
            return
        game.televisions_due_at = None
        messages = []
        for phone in game.phones:
            if phone.is_television:
                messages.append(self.show_television(game, phone))
        await self._send_together(messages)

    async def show_all(self, game: OpenGame, except_on: Phone | None = None) -> None:
        """Show all phones of a game how it stands, except the one ``except_on``, which shows it
        already. Televisions have their turn later."""
        messages = []
        for phone in game.phones:
            if phone is not except_on and not phone.is_television:
                messages.append(self._refresh(game, phone))
        await self._send_together(messages)

    async def show_television(self, game: OpenGame, television: Phone) -> None:
        """Send a television what the room sees, unless it shows that already."""
        message = game.seen_by(None).wall_message()
        if message != television.television_message:
            television.television_message = message
            await television.send_encoded(message)

    async def _refresh(self, game: OpenGame, phone: Phone) -> None:
        """Show a phone how the game stands, unless it shows that already. What was tapped on it
        stays if it is still possible, and so does its notice until something happens."""
        viewer = phone.link.viewer
        others = game.in_hand_of_others(phone)
        player = game.player(viewer, game.journal_length, phone.keys, others)
        # Once something has happened, nobody is interested in why the last tap did nothing.
        if phone.journal_length == game.journal_length:
            player.notice = phone.notice
            player.press_to_insist = phone.press_to_insist
        page = game.seen_by(viewer).page(player)
        if page != phone.page:
            await self._show(game, phone, player, page)

    async def _show(self, game: OpenGame, phone: Phone, player: SidePlayer, page: SidePage) -> None:
        """Send a phone the page of its player, and note on it what it shows then."""
        phone.journal_length = game.journal_length
        phone.keys = player.keys
        phone.notice = player.notice
        phone.press_to_insist = player.press_to_insist
        phone.page = page
        await phone.send_page(game.seen_by(phone.link.viewer).html(page))

    async def _send_together(self, messages: Sequence[Coroutine[Any, Any, None]]) -> None:
        """Send several messages at the same time. A phone that does not take its message keeps
        nobody waiting: the message goes on in the background."""
        tasks = [asyncio.create_task(message) for message in messages]
        if not tasks:  # ``asyncio.wait`` refuses to wait for nothing
            return
        sent, slow = await asyncio.wait(tasks, timeout=OTHERS_WAIT)
        for task in slow:
            self._slow.add(task)
            task.add_done_callback(self._slow.discard)
        for task in sent:
            task.result()  # raises the error of a task that failed


# ------------------------------------------------------------------ who is connected


class ConnectedPages:
    """The phones, televisions and tabs that are connected. They are written down for the app, and
    are disconnected when their link is taken back there. ``addresses`` are the server's."""

    def __init__(
        self, gate: Gate, book: LinkBook, games: OpenGames, addresses: Sequence[str]
    ) -> None:
        self._gate = gate
        self._book = book
        self._games = games
        self._addresses = tuple(addresses)
        self._count_tabs: Callable[[], int] = _no_tabs
        self._close_tabs: Callable[[], Awaitable[None]] = _nothing_to_close

    def count_tabs_too(
        self, count_tabs: Callable[[], int], close_tabs: Callable[[], Awaitable[None]]
    ) -> None:
        """Count and close the tabs of the whole app as well; see ``Phones.serve_beside``."""
        self._count_tabs = count_tabs
        self._close_tabs = close_tabs

    def write_note(self) -> None:
        """Write down for the app who is connected."""
        # A server for this machine alone has no token.
        is_open_to_others = self._gate.token is not None
        app_token = self._gate.token or ""
        connected = Counter(phone.link.token for phone in self._games.phones)
        connected[app_token] = self._count_tabs()
        note = ServerNote(
            self._addresses,
            app_token=app_token,
            lan=is_open_to_others,
            written_at=time(),
            connected=connected,
        )
        self._book.write_note(note)

    def remove_note(self) -> None:
        """Remove the note: the server has ended."""
        self._book.remove_note()

    async def disconnect_without_link(self) -> None:
        """Disconnect the phones, televisions and tabs whose link has been taken back in the app."""
        for phone in self._games.phones:
            if self._book.find(phone.link.token) is None:
                await phone.disconnect(NO_LINK)
        await self._take_over_app_token()

    async def _take_over_app_token(self) -> None:
        """If the app has replaced the token of the link to itself, have the gate ask for the new
        one from now on, and close the tabs, which came by the old one."""
        app_token = self._book.read().app_token
        token_before = self._gate.token
        # A server for this machine alone has no token, and so no link to the app to take back.
        if token_before is not None and app_token and app_token != token_before:
            self._gate.token = app_token
            await self._close_tabs()


def _no_tabs() -> int:
    """Stands in for the count of tabs, for phones without the whole app beside them."""
    return 0


async def _nothing_to_close() -> None:
    """Stands in for closing tabs, for phones without the whole app beside them."""
