from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest

pytest.importorskip("textual_serve", reason="the extra `browser` is not installed")

from served import Served

from skirmish.web.addresses import THIS_MACHINE, open_sockets, port_of
from skirmish.web.gate import LOOPBACK, Gate
from skirmish.web.server import Server, serving

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the tabs run, and keep what they keep."""
    monkeypatch.setenv("SKIRMISH_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
async def serve(folder: Path) -> AsyncIterator[Callable[..., Awaitable[Served]]]:
    """Starts servers, which end with the test."""
    async with AsyncExitStack() as stack:

        async def start(token: str | None = None, *, until_closed: bool = False) -> Served:
            sockets = open_sockets(THIS_MACHINE, 0)
            port = port_of(sockets)
            gate = Gate(port, token, LOOPBACK, token is not None)
            more = {"SKIRMISH_DATABASE": str(folder / "kept.db")}
            server = Server(gate, more, until_closed=until_closed)
            await stack.enter_async_context(serving(server, sockets))
            return Served(server, gate, folder)

        yield start


@pytest.fixture
async def session() -> AsyncIterator[aiohttp.ClientSession]:
    """A browser's memory: its cookies, also those of numeric addresses."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as made:
        yield made
