"""A limit on the connections that the server holds at once. To the system each of them is an open
file. Without the limit, somebody who opens connections and sends no request on them would use up
every file that this process may open, and lock everybody else out."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

MOST_CONNECTIONS = 512
"""The most connections, however many files the system allows."""
FEWEST_CONNECTIONS = 16
"""The limit is never lower, however few files the system allows."""
RESERVED_FILES = 120
"""Files that are left for whatever else the process opens: three pipes to each of a dozen tabs, the
database, sheets."""
ACCEPT_BACKLOG = 32
"""The most connections that wait to be accepted. asyncio accepts all that wait in one step, before
any of them is counted: so many may come on top of the limit."""
WARN_EVERY = 60.0
"""Seconds between two lines of the log about too many connections."""

NO_MORE_FILES = "socket.accept() out of system resource"
"""What asyncio says where the system gives it no file for a connection."""

_log = logging.getLogger("skirmish.web")


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
    """Makes the protocol of each new connection, and keeps their number below ``most``: one too
    many closes the oldest on which no request is being answered. If all are being answered, the
    new one is closed."""

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
        open_now = [handler for handler in self.server.connections if _is_open(handler)]
        if len(open_now) >= self._most:
            self._count_closed_or_refused()
            idle = [handler for handler in open_now if handler not in self._answering]
            if not idle:
                return _RefusedConnection()
            oldest, *_ = idle  # the server lists its connections in the order in which they came
            oldest.force_close()
        return self.server()

    def middleware(self) -> Middleware:
        """A middleware of aiohttp, around all others, that notes which connections have a request
        that is being answered."""

        @web.middleware
        async def answer(request: web.Request, handler: Handler) -> web.StreamResponse:
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

        return answer

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
        now = monotonic()
        if now - self._warned_at >= WARN_EVERY:
            _log.warning(
                "Too many connections (at most %d): %d closed or refused since the server started.",
                self._most,
                self._closed_or_refused,
            )
            self._warned_at = now


def _is_open(handler: web.RequestHandler) -> bool:
    """Whether a connection counts. The server also lists those that are being closed: after a flood
    they would leave no room for newcomers."""
    return handler.transport is not None and not handler.transport.is_closing()


class _RefusedConnection(asyncio.Protocol):
    """A connection that is closed as soon as it is made."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.abort()
