"""What hostile requests do to the server: nothing that its own player notices."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from served import Served
from visitor import Visitor

from skirmish.web.server import Connections

Serve = Callable[..., Awaitable[Served]]

FILES = 256
"""How many files the flooded server may open; so many are usual on a Mac."""
HALF_REQUESTS = 400
BEGUN = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "


@asynccontextmanager
async def limited(folder: Path, files: int) -> AsyncIterator[tuple[str, Path]]:
    """A server that may open only so many files: its address, and what it writes as errors."""
    errors = folder / "errors.txt"
    command = 'ulimit -n "$1"; shift; exec "$@"'
    program = [sys.executable, "-m", "skirmish", "serve", "--port", "0"]
    with errors.open("wb") as written:
        process = await asyncio.create_subprocess_exec(
            *["/bin/sh", "-c", command, "sh", str(files), *program],
            stdout=PIPE,
            stderr=written,
            env={**os.environ, "SKIRMISH_DATABASE": str(folder / "kept.db")},
        )
        assert process.stdout is not None
        try:
            address = ""
            async with asyncio.timeout(30):
                while b"Ctrl+C" not in (line := await process.stdout.readline()):
                    if b"http://" in line:
                        address = line.decode().strip() + "/"
            yield address.replace("//", "/").replace("http:/", "http://"), errors
        finally:
            process.terminate()
            await asyncio.wait_for(process.wait(), 30)


async def half_requests(address: str, number: int, stack: AsyncExitStack) -> None:
    """Open that many connections, and begin a request on each."""
    port = int(address.rstrip("/").rpartition(":")[2])
    for _ in range(number):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        stack.callback(writer.close)
        writer.write(BEGUN)
        with suppress(ConnectionError):
            await writer.drain()


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are POSIX")
async def test_half_requests_lock_nobody_out(folder: Path, session: aiohttp.ClientSession) -> None:
    async with AsyncExitStack() as stack:
        address, errors = await stack.enter_async_context(limited(folder, FILES))
        own = address.rstrip("/")
        visitor = await stack.enter_async_context(Visitor(session, address, Origin=own))
        await visitor.until_says("New battle")
        await half_requests(address, HALF_REQUESTS, stack)
        asked = time.monotonic()
        async with aiohttp.ClientSession() as newcomer, newcomer.get(address) as answer:
            assert answer.status == 200
            assert "<title>Skirmish</title>" in await answer.text()
        assert time.monotonic() - asked < 10  # REQUEST_WITHIN would free the connections after 15
        await visitor.press("?")  # the tab that was open is still there
        await visitor.until_says("Keys")
        (line,) = errors.read_text("utf-8").splitlines()
        assert line.startswith("Too many connections (at most 136): ")


@pytest.mark.skipif(os.name != "posix", reason="limits of a process are POSIX")
async def test_where_the_system_has_no_file_for_a_connection_one_line_says_so(folder: Path) -> None:
    async with limited(folder, 20) as (address, errors):
        port = int(address.rstrip("/").rpartition(":")[2])
        crowd = [socket.socket() for _ in range(40)]
        for stranger in crowd:
            stranger.setblocking(False)  # those that are not accepted are not waited for
            with suppress(BlockingIOError):
                stranger.connect(("127.0.0.1", port))
        await asyncio.sleep(2.5)  # asyncio tries again each second
        for stranger in crowd:
            stranger.close()
        (line,) = errors.read_text("utf-8").splitlines()
        assert line.startswith("Too many connections (at most 16): ")


async def test_deep_json_from_a_page_is_passed_over(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    async with Visitor(session, served.door, Origin=served.door.rstrip("/")) as visitor:
        await visitor.until_says("New battle")
        await visitor.talk.send_str("[" * 100_000)
        await visitor.talk.send_str('["ping", ' + "[" * 100_000 + "]" * 100_000 + "]")
        await visitor.press("?")
        await visitor.until_says("Keys")


LONG = {"points": "static/" + "%2e" * 500, "folders": "static/" + "a/" * 3000}
"""Addresses that are longer than the name of a file may be."""


@pytest.mark.parametrize(
    "address",
    [
        *LONG,
        "static/" + "%2e%2e/" * 5,
        "static/%00",
        "static/js/%ff",
        "static/js",
        "static",
        "page/%2e%2e",
        "page/%00",
        "sheets/%00/%ff",
        "%ff%fe",
        "side/live",
        "s/%00",
    ],
)
async def test_no_address_is_an_error_of_ours(serve: Serve, address: str) -> None:
    served = await serve()
    port = served.gate.port
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    target = LONG.get(address, address)
    line = f"GET /{target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    writer.write(line.encode())
    status = int((await asyncio.wait_for(reader.readline(), 10)).split()[1])
    writer.close()
    assert 400 <= status < 500, status


async def test_the_terminal_of_the_page_is_sent(
    serve: Serve, session: aiohttp.ClientSession
) -> None:
    served = await serve()
    for name, kind in (("js/textual.js", "javascript"), ("css/xterm.css", "css")):
        async with session.get(f"{served.door}static/{name}") as answer:
            assert (answer.status, answer.content_type.endswith(kind)) == (200, True)
            assert len(await answer.read()) > 1000


class Held:
    """A connection as aiohttp lists it."""

    def __init__(self, *, gone: bool) -> None:
        self.transport = None if gone else Transport()

    def force_close(self) -> None:
        self.transport = None


class Transport:
    def is_closing(self) -> bool:
        return False


class Listed:
    """aiohttp's server as far as the count of connections needs it."""

    def __init__(self, connections: list[Held]) -> None:
        self.connections = connections

    def __call__(self) -> Held:
        self.connections.append(Held(gone=False))
        return self.connections[-1]


def test_who_has_hung_up_costs_a_newcomer_no_place() -> None:
    connections = Connections(most=3)
    connections.server = Listed([Held(gone=True) for _ in range(3)])
    newcomers = [connections(), connections(), connections()]
    assert all(newcomer.transport for newcomer in newcomers)
    connections()  # one too many: the oldest makes room
    assert [bool(newcomer.transport) for newcomer in newcomers] == [False, True, True]
