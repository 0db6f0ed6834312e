"""How many connections the server holds at once. Somebody who opens connections and sends no
request on them would otherwise use up every file that this process may open, and lock everybody
out."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

MOST_CONNECTIONS = 512
"""The most connections, however many files the system allows."""
FEWEST_CONNECTIONS = 16
"""The limit is never lower, however few files the system allows."""
RESERVED = 120
"""Files that the process needs for anything but connections: tabs, the database, sheets."""
WAITING = 32
"""Connections that the system holds until they are accepted; all of them are accepted in one step,
before any of them is counted."""
SECONDS_BETWEEN_LINES = 60.0
"""Seconds between two lines of the log about the same trouble."""

NO_MORE_FILES = "socket.accept() out of system resource"
"""What asyncio says where the system gives it no file for a connection."""

_log = logging.getLogger("skirmish.web")


def most_connections() -> int:
    """The most connections for this process, from the number of files that it may open."""
    try:
        import resource  # noqa: PLC0415 (POSIX only)
    except ImportError:
        return MOST_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return MOST_CONNECTIONS
    return max(FEWEST_CONNECTIONS, min(MOST_CONNECTIONS, files - RESERVED))


class Connections:
    """Makes the protocol of each new connection. If there are too many connections, the oldest one
    on which no request is being answered is closed; if there is none, the new one is."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answering: set[asyncio.BaseProtocol] = set()
        """The connections with a request that is being answered."""
        self._turned_away = 0
        self._logged_at = -SECONDS_BETWEEN_LINES  # long ago, so that the first is logged at once
        self.server: web.Server | None = None
        """aiohttp's own, which makes the protocols and knows the connections."""

    def __call__(self) -> asyncio.BaseProtocol:
        """The protocol of a new connection; asyncio asks for it."""
        assert self.server is not None
        open_now = [handler for handler in self.server.connections if _is_open(handler)]
        if len(open_now) >= self._most:
            self._count_turned_away()
            idle = [handler for handler in open_now if handler not in self._answering]
            if not idle:
                return _Refused()
            oldest = idle[0]  # the server lists its connections in the order in which they came
            oldest.force_close()
        return self.server()

    def middleware(self) -> Any:
        """Notes which connections have a request that is being answered."""

        @web.middleware
        async def noted(request: web.Request, handler: Handler) -> web.StreamResponse:
            protocol = request.protocol
            self._answering.add(protocol)
            try:
                return await handler(request)
            except ConnectionResetError:
                # Who asked has gone, as a phone that falls asleep while it connects. There is
                # nobody to answer and nothing to log.
                return web.Response()
            finally:
                self._answering.discard(protocol)

        return noted

    def on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception handler for the loop. asyncio would write a traceback for each connection
        that it cannot accept, thousands in a second."""
        if context.get("message") == NO_MORE_FILES:
            self._count_turned_away()
        else:
            loop.default_exception_handler(context)

    def _count_turned_away(self) -> None:
        """Count a connection that was turned away; once in a while the log gets a line about
        them."""
        self._turned_away += 1
        now = monotonic()
        if now - self._logged_at >= SECONDS_BETWEEN_LINES:
            _log.warning(
                "Too many connections (at most %d): %d closed or refused since the server started.",
                self._most,
                self._turned_away,
            )
            self._logged_at = now


def _is_open(handler: web.RequestHandler) -> bool:
    """Whether a connection still takes a place. The server also lists those that are being closed;
    after a flood has hung up, they would cost a newcomer his."""
    return handler.transport is not None and not handler.transport.is_closing()


class _Refused(asyncio.Protocol):
    """A connection that is closed as soon as it is made."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()
