"""The server: it gives each tab of a browser a process of the app, whose output textual-serve's
terminal shows in our page. It also serves the sheets that are printed in a tab, and the pages of
``Phones``."""

from __future__ import annotations

import asyncio
import logging
import secrets
import signal
import socket
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple
from urllib.parse import quote

import msgspec
import textual_serve
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler, Middleware

from skirmish.web.gate import APP_SOCKET_PATH, HEARTBEAT, Gate, add_security_headers, guard
from skirmish.web.phones import Phones
from skirmish.web.tab import BROKEN, Tab, sized

MOST_TABS = 12
"""The most tabs, each with a process; a dozen is more than sit at a table."""
LONGEST_MESSAGE = 256 * 1024
"""Bytes in one message of a page; a pasted army is far below."""
STUCK_AFTER = 10.0
"""Seconds after which an app that accepts no input counts as broken."""
REQUEST_WITHIN = 15.0
"""Seconds within which a connection must send a complete request; aiohttp's default is an hour."""
CLOSE_WITHIN = 1.0
"""Seconds for which a server that ends waits for a page to close, and for an answer to be sent."""
CLOSED_FOR_GOOD = 30.0
"""Seconds without a tab after which a server that stops with its last tab does so. A page that is
loaded again, or a computer that wakes up, connects sooner."""
FIRST_TAB_WITHIN = 300.0
"""Seconds that such a server waits for its first tab: a browser may have to start."""
ALL_TABS_OPEN = f"{MOST_TABS} tabs are already open. Close one of them, then open this one again."

NO_PAGE = "This page does not exist."

PAGE_FOLDER = Path(__file__).parent / "page"
"""The folder of our own pages."""
TERMINAL_FOLDER = Path(textual_serve.__file__).parent / "static"
"""The folder of textual-serve's terminal, which runs in our page."""
# Each ending of a name has its type; files of a page with another ending are not served.
_CONTENT_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

MOST_CONNECTIONS = 512
"""The most connections, however many files the system allows."""
FEWEST_CONNECTIONS = 16
"""The connections that are allowed in any case, however few files the system allows."""
RESERVED_FILES = 120
"""Files that are left for whatever else the process opens: three pipes to each tab, the database,
sheets."""
ACCEPT_BACKLOG = 32
"""The most connections that wait to be accepted. asyncio accepts all that wait in one step, before
any of them is counted: so many may come on top of the limit."""
WARN_EVERY = 60.0
"""Seconds between two lines of the log about too many connections."""

NO_MORE_FILES = "socket.accept() out of system resource"
"""The message of asyncio's error where the system gives it no file for a connection."""

MOST_SHEETS = 40
"""The most sheets in memory; the oldest are dropped first."""
MOST_SHEET_BYTES = 32 * 1024 * 1024
"""The most bytes of all sheets in memory."""


class Sheet(NamedTuple):
    """A printed sheet: the name of its file and its bytes."""

    name: str
    data: bytes


class Sheets:
    """The sheets that were printed in a tab, for a while in memory, so that the page can open and
    save them. Their addresses cannot be guessed, and the gate protects them too."""

    def __init__(self) -> None:
        self._sheets: dict[str, Sheet] = {}
        """The sheets by their keys, which are in their addresses; the oldest first."""

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the sheets that are in memory."""
        return tuple(self._sheets)

    def add(self, name: str, data: bytes) -> str:
        """Take a sheet into memory; returns its path on this server."""
        key = secrets.token_urlsafe(12)
        self._sheets[key] = Sheet(name, data)
        # The new sheet stays whatever its size, since somebody is about to open it.
        while self._are_too_many() and len(self._sheets) > 1:
            oldest_key = next(iter(self._sheets))
            del self._sheets[oldest_key]
        return f"/sheets/{key}/{quote(name, safe='')}"

    def _are_too_many(self) -> bool:
        total_bytes = sum(len(sheet.data) for sheet in self._sheets.values())
        return len(self._sheets) > MOST_SHEETS or total_bytes > MOST_SHEET_BYTES

    async def serve(self, request: web.Request) -> web.Response:
        """A sheet to view, or to save with ``?save``."""
        sheet = self._sheets.get(request.match_info["key"])
        # A sheet is empty if the app ended before it had handed over any of it.
        if sheet is None or not sheet.data:
            raise web.HTTPNotFound(text="This sheet is no longer available. Print it again.")
        # A browser shows a PDF; whatever else was printed is only saved.
        content_type = "application/octet-stream"
        disposition = "attachment"
        if sheet.data.startswith(b"%PDF-"):
            content_type = "application/pdf"
            if "save" not in request.query:
                disposition = "inline"
        file_name = quote(sheet.name, safe="")
        return web.Response(
            body=sheet.data,
            content_type=content_type,
            headers={
                "Content-Disposition": f"{disposition}; filename*=UTF-8''{file_name}",
                # The policy is no stricter, since browsers show a PDF by scripts of their own.
                "Content-Security-Policy": "frame-ancestors 'none'",
            },
        )


class Server:
    """The app for browsers. ``environment`` is added to that of every tab's process; ``theme``
    names the page's colours before the app's first paint; ``phones`` are the pages of sides. With
    ``until_closed`` the server is over when its last tab has been closed: nobody sees a terminal in
    which it could be stopped otherwise."""

    def __init__(
        self,
        gate: Gate,
        environment: Mapping[str, str],
        theme: str = "night",
        phones: Phones | None = None,
        *,
        until_closed: bool = False,
    ) -> None:
        self._gate = gate
        self._phones = phones
        self._environment = environment
        self._theme = theme
        self.connections = Connections(most_connections())
        self._sheets = Sheets()
        self._open: dict[Tab, web.WebSocketResponse] = {}
        """The tabs that are open, each with the websocket of its page."""
        self._until_closed = until_closed
        self._waits_for_tab_until = time.monotonic() + FIRST_TAB_WITHIN
        """Until when a server that stops with its last tab waits for another one while none is
        open, by ``time.monotonic``."""
        if phones is not None:
            phones.serve_beside(self.count_tabs, self.close)

    @property
    def tabs(self) -> Sequence[Tab]:
        """The tabs that are open."""
        return tuple(self._open)

    def count_tabs(self) -> int:
        """How many tabs of the whole app are open, for the note of who is connected."""
        return len(self._open)

    def is_over(self) -> bool:
        """Whether the server is to stop, since its last tab was closed and nobody seems to open
        another; never without ``until_closed``."""
        if not self._until_closed or self._open:
            return False
        return time.monotonic() > self._waits_for_tab_until

    def _is_last(self, tab: Tab) -> bool:
        """Whether the server stops when this tab's app has ended: it is the last tab of a server
        that stops with it."""
        if not self._until_closed:
            return False
        # A tab whose app has been left counts as open until its websocket has closed.
        others = [other for other in self._open if other is not tab]
        return all(other.was_left for other in others)

    def application(self) -> web.Application:
        """The application for aiohttp: which method answers which path."""
        phones = self._phones
        middlewares = [self.connections.middleware(), guard(self._gate, self._has_link)]
        app = web.Application(middlewares=middlewares)
        app.add_routes(
            [
                web.get("/", self._serve_page_file),
                web.get("/page/{file}", self._serve_page_file),
                web.get(APP_SOCKET_PATH, self._serve_tab),
                web.get("/sheets/{key}/{name}", self._sheets.serve),
                web.get("/static/{file:.*}", _serve_terminal_file),
            ]
        )
        if phones is not None:
            app.add_routes(phones.routes())
            app.cleanup_ctx.append(phones.run)
            app.on_shutdown.append(phones.close)
        app.on_response_prepare.append(add_security_headers)
        app.on_shutdown.append(self._on_shutdown)
        return app

    def _has_link(self, request: web.Request) -> bool:
        """Whether the browser remembers a valid link to a game."""
        return self._phones is not None and self._phones.link_of(request) is not None

    async def _serve_page_file(self, request: web.Request) -> web.Response:
        """A file of our own page. The name in the address is only compared with those of the files
        in its folder: as a path it could lead elsewhere."""
        name = request.match_info.get("file", "index.html")
        files = {file.name: file for file in PAGE_FOLDER.iterdir()}
        content_type = _CONTENT_TYPES.get(Path(name).suffix)
        if name not in files or content_type is None:
            raise web.HTTPNotFound(text=NO_PAGE)
        text = files[name].read_text("utf-8").replace("{{theme}}", self._theme)
        # Where this attribute is not empty, the page says that closing it ends Skirmish.
        stops_with = ""
        if self._until_closed:
            stops_with = "last tab"
        text = text.replace("{{stops-with}}", stops_with)
        return web.Response(text=text, content_type=content_type, charset="utf-8")

    async def _serve_tab(self, request: web.Request) -> web.WebSocketResponse:
        """Serve a tab as long as it is open: start the app, pass its input on, end the app."""
        websocket = web.WebSocketResponse(
            heartbeat=HEARTBEAT, max_msg_size=LONGEST_MESSAGE, compress=False
        )
        await websocket.prepare(request)
        if len(self._open) >= MOST_TABS:
            await websocket.send_json(["over", ALL_TABS_OPEN])
            await websocket.close(code=WSCloseCode.TRY_AGAIN_LATER)
            return websocket
        tab = Tab(
            websocket.send_bytes,
            websocket.send_str,
            websocket.close,
            self._sheets.add,
            self._environment,
            is_last=self._is_last,
        )
        self._open[tab] = websocket
        try:
            columns, rows = sized(request.query.get("width"), request.query.get("height"))
            await tab.start(columns, rows)
            await _listen(websocket, tab)
        except TimeoutError:
            with suppress(ConnectionError):  # the page may have gone meanwhile
                await tab.send("over", BROKEN)
            await websocket.close()
        finally:
            try:
                await tab.stop()
            finally:
                self._forget(tab)
        return websocket

    def _forget(self, tab: Tab) -> None:
        """Remove a tab that is closed, and begin to wait for another."""
        del self._open[tab]
        self._waits_for_tab_until = time.monotonic()
        # Nobody loads the page again after leaving the app by its own key; otherwise somebody may.
        if not tab.was_left:
            self._waits_for_tab_until += CLOSED_FOR_GOOD

    async def _on_shutdown(self, _: web.Application) -> None:
        await self.close()

    async def close(self) -> None:
        """End every tab."""
        # A copy, since tabs are removed from it as they end, while others are still being closed.
        for websocket in list(self._open.values()):
            # A page that does not listen is left to itself: its app and all others end below.
            with suppress(ConnectionError, TimeoutError):
                await asyncio.wait_for(websocket.close(code=WSCloseCode.GOING_AWAY), CLOSE_WITHIN)
        await asyncio.gather(*(tab.stop() for tab in self.tabs), return_exceptions=True)


async def _serve_terminal_file(request: web.Request) -> web.StreamResponse:
    """A file of textual-serve's terminal. The name in the address is only compared with those of
    the files in its folder: as a path it could be too long, or lead elsewhere."""
    name = request.match_info["file"]
    for path in TERMINAL_FOLDER.rglob("*"):
        if path.relative_to(TERMINAL_FOLDER).as_posix() == name and path.is_file():
            return web.FileResponse(path)
    raise web.HTTPNotFound(text=NO_PAGE)


async def _listen(websocket: web.WebSocketResponse, tab: Tab) -> None:
    """Forward input from the page to the app until the page closes. Raises TimeoutError if the app
    no longer accepts any.

    The messages are those of textual-serve's terminal, each a JSON list of a kind and its content:
    ``["stdin", "m"]``, ``["resize", {"width": 80, "height": 24}]``. Anything else is ignored.
    """
    async for message in websocket:
        if message.type != WSMsgType.TEXT:
            continue
        try:
            kind_and_content = msgspec.json.decode(message.data, type=list[Any])
        except (msgspec.DecodeError, ValueError, RecursionError):
            continue  # thousands of nested lists raise RecursionError
        async with asyncio.timeout(STUCK_AFTER):
            match kind_and_content:
                case ["stdin", str(keys), *_]:
                    await tab.send_bytes(keys.encode("utf-8", "replace"))
                case ["resize", dict(size), *_]:
                    await tab.set_terminal_size(*sized(size.get("width"), size.get("height")))
                case ["ping", content, *_]:
                    await websocket.send_json(["pong", content])
                case ["ping"]:
                    await websocket.send_json(["pong", None])
                case ["focus", *_]:
                    await tab.focus()
                case ["blur", *_]:
                    await tab.blur()


def _may_be_logged(record: logging.LogRecord) -> bool:
    """A filter of the log. A request that cannot be parsed is not logged, since the message quotes
    its address, which may contain a token."""
    if not record.exc_info:
        return True
    _, error, _ = record.exc_info
    return not isinstance(error, HttpProcessingError)


_log = logging.getLogger("skirmish.web")
_log.addFilter(_may_be_logged)


@asynccontextmanager
async def serving(server: Server, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """Serve at the sockets while the context is open; on exit, every tab and its process is
    ended."""
    runner = web.AppRunner(
        server.application(),
        access_log=None,
        logger=_log,
        shutdown_timeout=CLOSE_WITHIN,
        keepalive_timeout=REQUEST_WITHIN,
    )
    await runner.setup()
    # asyncio asks ``connections`` for the protocol of each new connection. It limits their number,
    # and has aiohttp's own server make the protocol.
    connections = server.connections
    connections.server = runner.server
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(connections.on_error)
    listeners: list[asyncio.Server] = []
    try:
        for listening_socket in sockets:
            # aiohttp's own sites would accept any number of connections.
            listener = await loop.create_server(
                connections, sock=listening_socket, backlog=ACCEPT_BACKLOG
            )
            listeners.append(listener)
        yield
    finally:
        for listener in listeners:
            listener.close()
        await runner.cleanup()
        loop.set_exception_handler(None)


async def serve(
    server: Server, sockets: Sequence[socket.socket], ready: Callable[[], object], closed: Event
) -> None:
    """Serve until Ctrl+C or a termination signal, until ``closed`` is set, or until the server is
    over; ``ready`` is called once the server responds."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # Windows lacks some of these signals; Ctrl+C raises KeyboardInterrupt there.
        with suppress(NotImplementedError, AttributeError):
            loop.add_signal_handler(getattr(signal, name), ended.set)
    async with serving(server, sockets):
        ready()
        while not (ended.is_set() or closed.is_set() or server.is_over()):
            # It waits no longer than that: nothing wakes the loop when ``closed`` is set, and
            # Windows notices Ctrl+C only when the loop wakes up.
            with suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), 0.5)


# ------------------------------------------------------------------ the limit on connections

# To the system each connection is an open file. Without the limit, somebody who opens connections
# and sends no request on them would use up every file that this process may open, and lock
# everybody else out.


def most_connections() -> int:
    """The most connections for this process, from the number of files that it may open."""
    try:
        import resource  # noqa: PLC0415 (POSIX only)
    except ImportError:
        return MOST_CONNECTIONS
    most_files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most_files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    files_left = most_files - RESERVED_FILES
    return max(FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, files_left))


class Connections:
    """Makes the protocol of each new connection, and lets no more than ``most`` be open. If a new
    one is too many, the oldest on which no request is being answered is closed for it. If requests
    are being answered on all of them, the new one is closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answering: set[asyncio.BaseProtocol] = set()
        """The connections with a request that is being answered."""
        self._closed_or_refused = 0
        """How many connections were closed or refused since the server started."""
        self._warned_at = -WARN_EVERY  # long ago, so that the first is logged at once
        self.server: web.Server | None = None
        """aiohttp's own server, which makes the protocols and knows the connections. None until it
        has been set up, and no connection can come before that."""

    def __call__(self) -> asyncio.BaseProtocol:
        """The protocol of a new connection, for asyncio, which calls this for each."""
        assert self.server is not None
        open_now = [protocol for protocol in self.server.connections if _is_open(protocol)]
        if len(open_now) >= self._most:
            self._count_closed_or_refused()
            idle = [protocol for protocol in open_now if protocol not in self._answering]
            if not idle:
                return _RefusedConnection()
            oldest = idle[0]  # the server lists its connections in the order in which they came
            oldest.force_close()
        return self.server()

    def middleware(self) -> Middleware:
        """A middleware of aiohttp, around all others, that notes which connections have a request
        that is being answered."""

        @web.middleware
        async def note_answering(request: web.Request, handler: Handler) -> web.StreamResponse:
            protocol = request.protocol
            self._answering.add(protocol)
            try:
                return await handler(request)
            except ConnectionResetError:
                # Whoever asked has gone: a phone falls asleep while it connects, for instance.
                # Nobody receives this response; an exception would be logged as an error.
                return web.Response()
            finally:
                self._answering.discard(protocol)

        return note_answering

    def on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception handler for the loop. By itself asyncio writes a traceback for each
        connection that it cannot accept, thousands in a second."""
        if context.get("message") == NO_MORE_FILES:
            self._count_closed_or_refused()
        else:
            loop.default_exception_handler(context)

    def _count_closed_or_refused(self) -> None:
        """Count a connection that was closed or refused. Once in a while the log gets a line about
        all of them."""
        self._closed_or_refused += 1
        now = time.monotonic()
        if now - self._warned_at >= WARN_EVERY:
            _log.warning(
                "Too many connections (at most %d): %d closed or refused since the server started.",
                self._most,
                self._closed_or_refused,
            )
            self._warned_at = now


def _is_open(protocol: web.RequestHandler) -> bool:
    """Whether a connection counts. The server also lists those that are being closed: after a flood
    they would leave no room for newcomers."""
    return protocol.transport is not None and not protocol.transport.is_closing()


class _RefusedConnection(asyncio.Protocol):
    """A connection that is closed as soon as it is made."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()
