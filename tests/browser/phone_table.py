"""A battle in a database of the test's own, served to phones, and phones without a browser."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

import aiohttp

from skirmish import library, registry
from skirmish.cli.serve import drawn_map
from skirmish.games.plastic.battle.record import opening
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.session import AnySession, Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.store.writer import StoreThread
from skirmish.tabletop.chance import Source
from skirmish.web.addresses import THIS_MACHINE, app_address, open_sockets, port_of
from skirmish.web.gate import LOOPBACK, Gate
from skirmish.web.links import LinkBook
from skirmish.web.phones import Phones
from skirmish.web.server import Server, serving

TOKEN = "kfd3r-9wq2m-x7hcv-pb4ts"
OWN = Source("deck")
"""Cards that the players draw and type in."""
DECK = Source("deck", seed=7)


def scenario(number: int, source: Source) -> Setup:
    found = library.scenarios()[number]
    sources = dict.fromkeys(found.order_of_play(), source)
    return from_scenario(found, library.catalog(), library.rulings(), sources=sources,
                         chosen=SetupChoices(loads=False))  # fmt: skip


def begun(store: Store, number: int, source: Source = OWN) -> AnySession:
    """A battle, stored as number 1, 2, …"""
    game = registry.load("plastic")
    return at_once(Session.opened(game, job_runner(store), opening(scenario(number, source))))


class PhoneTable:
    """A running server for phones."""

    def __init__(self, database: Path, gate: Gate, phones: Phones) -> None:
        self.database, self.gate, self.phones = database, gate, phones
        self.book = LinkBook(database)
        self.door = app_address(THIS_MACHINE, gate.port)

    def tokens(self, *sides: str, battle: int = 1) -> list[str]:
        found = self.book.ensure_tokens(battle, sides)
        return [found[side] for side in sides]

    def entries(self, battle: int = 1) -> int:
        with Store.open(str(self.database)) as store:
            return len(store.entries(battle))


@asynccontextmanager
async def phone_table(database: Path, port: int = 0) -> AsyncIterator[PhoneTable]:
    sockets = open_sockets(THIS_MACHINE, port)
    gate = Gate(port_of(sockets), TOKEN, LOOPBACK, True)
    with StoreThread(str(database)) as thread:

        async def stored(job: Any) -> Any:
            return await asyncio.wrap_future(thread.submit(job))

        base = app_address(THIS_MACHINE, gate.port)
        phones = Phones(gate, LinkBook(database), stored, [base], draw_map=drawn_map)
        server = Server(gate, {"SKIRMISH_DATABASE": str(database)}, phones=phones)
        async with serving(server, sockets):
            yield PhoneTable(database, gate, phones)


class FakePhone:
    """A phone as its script would behave: it sends what it has with what was tapped."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.at, self.keys = 0, list[str]()
        self.html = ""

    async def hear(self) -> dict[str, Any]:
        message = await self.socket.receive(timeout=10)
        assert message.type is aiohttp.WSMsgType.TEXT, message
        what: dict[str, Any] = json.loads(message.data)
        self.at, self.keys = what.get("at", self.at), what.get("keys", self.keys)
        self.html = what.get("html", self.html)
        return what

    async def tap(self, press: str) -> dict[str, Any]:
        await self.socket.send_json({"at": self.at, "keys": self.keys, "press": press})
        return await self.hear()

    @property
    def text(self) -> str:
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.html)).split())

    def offers(self, press: str) -> bool:
        return f'data-press="{press}"' in self.html


@asynccontextmanager
async def phone(table: PhoneTable, token: str) -> AsyncIterator[FakePhone]:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session:
        async with session.get(f"{table.door}s/{token}") as answer:
            assert answer.status == 200
        origin = {"Origin": table.door.rstrip("/")}
        async with session.ws_connect(f"{table.door}side/live", headers=origin) as socket:
            found = FakePhone(socket)
            await found.tap("")
            yield found
