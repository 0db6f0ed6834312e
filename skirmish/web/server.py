"""The server: our page, textual-serve's terminal for it, and a process for each tab."""

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

from skirmish.web.connections import WAITING, Connections, most_connections
from skirmish.web.gate import APP_SOCKET_PATH, Gate, add_security_headers, guard
from skirmish.web.phones import Phones
from skirmish.web.tab import BROKEN, Tab, sized

MOST_TABS = 12
"""The most tabs, each with a process; a dozen is more than sit at a table."""
LONGEST_MESSAGE = 256 * 1024
"""Bytes in one message of a page; a pasted army is far below."""
STUCK_AFTER = 10.0
"""Seconds after which an app that accepts no keys counts as broken."""
REQUEST_WITHIN = 15.0
"""Seconds within which a connection must send a complete request; aiohttp allows an hour."""
CLOSED_FOR_GOOD = 30.0
"""Seconds without a tab after which a server that stops with its last tab does so. A page that is
loaded again, or a computer that wakes up, is back sooner."""
FIRST_TAB_WITHIN = 300.0
"""Seconds that such a server waits for its first tab: a browser may have to start."""
FULL = f"{MOST_TABS} tabs are already open. Close one of them, then open this one again."

NO_PAGE = "This page does not exist."

PAGE = Path(__file__).parent / "page"
"""The files of our own pages."""
TERMINAL = Path(textual_serve.__file__).parent / "static"
"""The files of textual-serve's terminal, which runs in our page."""
# Files of a page with another ending are not served.
_CONTENT_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

MOST_SHEETS = 40
"""The most sheets in memory; the oldest are dropped first."""
MOST_BYTES = 32 * 1024 * 1024
"""The most bytes of all sheets in memory."""


class Sheet(NamedTuple):
    """A printed sheet: the name of its file and its bytes."""

    name: str
    data: bytes


class Sheets:
    """Sheets printed in a tab, in memory for a while, so that the page can open and save them.
    Their addresses cannot be guessed, and the gate protects them too."""

    def __init__(self) -> None:
        self._sheets: dict[str, Sheet] = {}
        """The sheets by their keys, the oldest first."""

    @property
    def keys(self) -> Sequence[str]:
        """The keys of the sheets that are held, in their addresses."""
        return tuple(self._sheets)

    def add(self, name: str, data: bytes) -> str:
        """Hold a sheet; its address on this server."""
        key = secrets.token_urlsafe(12)
        self._sheets[key] = Sheet(name, data)
        # The new sheet stays whatever its size, since somebody is about to open it.
        while self._are_too_many() and len(self._sheets) > 1:
            oldest = next(iter(self._sheets))
            del self._sheets[oldest]
        return f"/sheets/{key}/{quote(name, safe='')}"

    def _are_too_many(self) -> bool:
        total = sum(len(sheet.data) for sheet in self._sheets.values())
        return len(self._sheets) > MOST_SHEETS or total > MOST_BYTES

    async def answer(self, request: web.Request) -> web.Response:
        """A sheet to view, or to save with ``?save``."""
        sheet = self._sheets.get(request.match_info["key"])
        # A sheet is empty if the app ended before it had handed any of it over.
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
                # No stricter policy: browsers show a PDF by scripts of their own.
                "Content-Security-Policy": "frame-ancestors 'none'",
            },
        )


class Server:
    """The app for browsers. ``environment`` is added to every tab's own; ``theme`` names the
    page's colours before the app's first paint; ``phones`` are the pages of sides. With
    ``until_closed`` the server is over when its last tab has been closed: nobody watches it who
    could stop it otherwise."""

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
        self._waits_until = time.monotonic() + FIRST_TAB_WITHIN
        """When a server that stops with its last tab does so, by ``time.monotonic``; any other does
        not look at it."""
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
        """Whether nobody will open a tab any more, for a server that stops with its last one."""
        if not self._until_closed or self._open:
            return False
        return time.monotonic() > self._waits_until

    def _is_last(self, tab: Tab) -> bool:
        """Whether the server stops when this tab's app has ended."""
        if not self._until_closed:
            return False
        # The tab of an app that has been left is still open for a moment, until its websocket has
        # closed (``_forget``).
        others = [other for other in self._open if other is not tab]
        return all(other.was_left for other in others)

    def application(self) -> web.Application:
        """The application for aiohttp: what answers which address."""
        phones = self._phones
        counted = self.connections.middleware()
        app = web.Application(middlewares=[counted, guard(self._gate, self._has_link)])
        app.add_routes(
            [
                web.get("/", self._page_file),
                web.get("/page/{file}", self._page_file),
                web.get(APP_SOCKET_PATH, self._serve_tab),
                web.get("/sheets/{key}/{name}", self._sheets.answer),
                web.get("/static/{file:.*}", _terminal_file),
            ]
        )
        if phones is not None:
            app.add_routes(phones.routes())
            app.cleanup_ctx.append(phones.run)
            app.on_shutdown.append(phones.close)
        app.on_response_prepare.append(add_security_headers)
        app.on_shutdown.append(self._close_with)
        return app

    def _has_link(self, request: web.Request) -> bool:
        return self._phones is not None and self._phones.link_of(request) is not None

    async def _page_file(self, request: web.Request) -> web.Response:
        """A file of our own page. The address is compared with the names of the files that there
        are and never becomes a path, which could lead elsewhere."""
        name = request.match_info.get("file", "index.html")
        files = {file.name: file for file in PAGE.iterdir()}
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
        """A tab from its first byte to its last: start the app, pass the keys on, end the app."""
        websocket = web.WebSocketResponse(
            heartbeat=15, max_msg_size=LONGEST_MESSAGE, compress=False
        )
        await websocket.prepare(request)
        if len(self._open) >= MOST_TABS:
            await websocket.send_json(["over", FULL])
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
            with suppress(ConnectionError):
                await tab.send("over", BROKEN)
            await websocket.close()
        finally:
            try:
                await tab.stop()
            finally:
                self._forget(tab)
        return websocket

    def _forget(self, tab: Tab) -> None:
        """A tab is closed. If its app was left by its own key, nobody will load the page again;
        else somebody may."""
        del self._open[tab]
        self._waits_until = time.monotonic()
        if not tab.was_left:
            self._waits_until += CLOSED_FOR_GOOD

    async def _close_with(self, _: web.Application) -> None:
        await self.close()

    async def close(self) -> None:
        """End every tab."""
        # A list of its own: tabs end, and leave the table, while others are being closed.
        for websocket in list(self._open.values()):
            with suppress(ConnectionError):
                await asyncio.wait_for(websocket.close(code=WSCloseCode.GOING_AWAY), 1.0)
        await asyncio.gather(*(tab.stop() for tab in self.tabs), return_exceptions=True)


async def _terminal_file(request: web.Request) -> web.StreamResponse:
    """A file of textual-serve's terminal. The address is compared with the files that there are; it
    never becomes a path, which could be too long, or lead elsewhere."""
    name = request.match_info["file"]
    for path in TERMINAL.rglob("*"):
        if path.relative_to(TERMINAL).as_posix() == name and path.is_file():
            return web.FileResponse(path)
    raise web.HTTPNotFound(text=NO_PAGE)


async def _listen(websocket: web.WebSocketResponse, tab: Tab) -> None:
    """Forward input from the page until it closes. Raises TimeoutError if the app no longer accepts
    any.

    The messages are those of textual-serve's terminal, each a JSON list of a kind and its content:
    ``["stdin", "m"]``, ``["resize", {"width": 80, "height": 24}]``. Anything else is ignored.
    """
    async for message in websocket:
        if message.type != WSMsgType.TEXT:
            continue
        try:
            kind_and_content = msgspec.json.decode(message.data, type=list[Any])
        except (msgspec.DecodeError, ValueError, RecursionError):
            continue  # a list in a list a thousand times over is a RecursionError
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


def _is_ours(record: logging.LogRecord) -> bool:
    """Whether an error is one of this program. Of a request that cannot be read nothing is logged:
    the message quotes its address, which may contain a token."""
    if not record.exc_info:
        return True
    return not isinstance(record.exc_info[1], HttpProcessingError)


_log = logging.getLogger("skirmish.web")
_log.addFilter(_is_ours)


@asynccontextmanager
async def serving(server: Server, sockets: Sequence[socket.socket]) -> AsyncIterator[None]:
    """The server at its sockets; on exit, every tab and process is ended."""
    runner = web.AppRunner(
        server.application(),
        access_log=None,
        logger=_log,
        shutdown_timeout=1.0,
        keepalive_timeout=REQUEST_WITHIN,
    )
    await runner.setup()
    # Asked for the protocol of each connection that comes, it sees to it that there are not too
    # many, and lets aiohttp's own server make it.
    connections = server.connections
    connections.server = runner.server
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(connections.on_error)
    listeners: list[asyncio.Server] = []
    try:
        for listening_socket in sockets:
            # Not by aiohttp's own sites: they count no connections.
            listener = await loop.create_server(connections, sock=listening_socket, backlog=WAITING)
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
    """Serve until Ctrl+C, a termination signal, until ``closed`` is set or the server is over;
    ``ready`` is called once it responds."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        # Windows lacks some of these; Ctrl+C is a KeyboardInterrupt there.
        with suppress(NotImplementedError, AttributeError):
            loop.add_signal_handler(getattr(signal, name), ended.set)
    async with serving(server, sockets):
        ready()
        while not (ended.is_set() or closed.is_set() or server.is_over()):
            with suppress(TimeoutError):  # Windows notices Ctrl+C only when the loop wakes up
                await asyncio.wait_for(ended.wait(), 0.5)
