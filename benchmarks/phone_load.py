"""The app's keys while ten phones are at the table, and while a hundred televisions watch it.

    python benchmarks/phone_load.py

A server, the app in a terminal, and phones without a browser, on this machine only. The phones put
shots together and write notes, and a visitor asks for pages, a thousand times a second for a
minute, while keys are pressed in the app. At the end every note that a phone was told of must be in
the journal; nothing else is asserted. Before that, notes are written in the app while nobody
watches, and while a hundred televisions show each of them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import sys
import tempfile
import time
from asyncio.subprocess import PIPE
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

import aiohttp
from figures import Times
from terminal import Terminal, environment

from skirmish import library, registry
from skirmish.games.plastic.battle.record import opening
from skirmish.games.plastic.battle.scenario_opening import from_scenario
from skirmish.games.plastic.battle.setup_choices import SetupChoices
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.chance import Source
from skirmish.web.links import WALL, LinkBook

SECONDS, REQUESTS, PHONES, WALLS, NOTES = 60, 1_000, 10, 100, 20
PROGRAM = [sys.executable, "-m", "skirmish"]
SIDES = ("polish", "german")
KEYS = (("m", "AT WHOM?"), ("\x7f", "WHO FIRES?"))
"""Keys of the app, and what they bring to the screen."""


class Phone:
    """A phone as its script would behave: it takes every message, and one tap waits for another."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.at, self.keys, self.html = 0, list[str](), ""
        self.heard = asyncio.Event()
        self._hearing = asyncio.create_task(self._hear())

    async def _hear(self) -> None:
        async for message in self.socket:
            what = json.loads(message.data)
            self.at, self.keys = what.get("at", self.at), what.get("keys", self.keys)
            self.html = what.get("html", self.html)
            self.heard.set()

    async def tap(self, press: str) -> None:
        self.heard.clear()
        await self.socket.send_json({"at": self.at, "keys": self.keys, "press": press})
        await self.heard.wait()

    async def shows(self, text: str, within: float = 5.0) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while text not in self.html:
                    self.heard.clear()
                    await self.heard.wait()
        return text in self.html


def begun(database: Path) -> None:
    scenario = library.scenarios()[1]
    sources = dict.fromkeys(scenario.order_of_play(), Source("deck"))
    setup = from_scenario(scenario, library.catalog(), library.rulings(), sources=sources,
                          chosen=SetupChoices(loads=False))  # fmt: skip
    with Store.open(str(database)) as store:
        at_once(Session.opened(registry.load("plastic"), job_runner(store), opening(setup)))


@asynccontextmanager
async def served(env: dict[str, str]) -> AsyncIterator[str]:
    """A server; yields its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [*PROGRAM, "serve", "--port", port, "--with-app"]  # as the app starts it
    server = await asyncio.create_subprocess_exec(*command, env=env, stdin=PIPE, stdout=PIPE)
    assert server.stdout is not None
    while b"Ctrl+C" not in await server.stdout.readline():
        pass
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        await server.wait()


async def phone(stack: AsyncExitStack, door: str, token: str) -> Phone:
    jar = aiohttp.CookieJar(unsafe=True)
    session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
    async with session.get(f"{door}s/{token}"):
        pass
    origin = {"Origin": door.rstrip("/")}
    made = Phone(await stack.enter_async_context(session.ws_connect(f"{door}side/live",
                                                                    headers=origin)))  # fmt: skip
    await made.tap("")
    return made


async def taps(phone: Phone, name: str, end: float) -> list[str]:
    """Put shots together until then, with a note each second; the notes that were taken."""
    found = []
    number = 0
    while time.perf_counter() < end:
        number += 1
        for press in ("m", "back"):
            await phone.tap(press)
            await asyncio.sleep(0.15)
        if number % 4 == 0:
            text = f"{name}n{number}x"
            await phone.tap("N")
            await phone.tap(f"{text}\n")
            found += [text] if await phone.shows(f"Note: {text}<", 0.5) else []
    return found


async def requests(door: str, each_second: int, end: float) -> Counter[int]:
    """Ask for the page of a side, without a link and with one; the statuses of the answers."""
    found = Counter[int]()
    connector = aiohttp.TCPConnector(limit=50)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask() -> None:
            async with session.get(f"{door}side") as answer:
                found[answer.status] += 1

        began, asked = time.perf_counter(), 0
        pending = set[asyncio.Task[None]]()
        while (now := time.perf_counter()) < end:
            while asked < (now - began) * each_second:
                pending.add(asyncio.create_task(ask()))
                asked += 1
            pending = {one for one in pending if not one.done()}
            await asyncio.sleep(0.01)
        await asyncio.gather(*pending)
    return found


def keys(app: Terminal, seconds: float) -> list[float]:
    """Seconds from each key of the app to what it shows."""
    found, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, shown in KEYS:
            pressed = app.press(key)
            found.append(app.seen(shown) - pressed)
            app.rest(0.4)
    return found


def notes(app: Terminal, name: str, count: int) -> list[float]:
    """Seconds from the Enter that ends a note in the app until the note is in the journal there."""
    seconds = []
    for number in range(count):
        app.press("N")
        app.rest(0.3)
        app.press(f"{name} {number}.")
        app.rest(0.3)
        pressed = app.press("\r")
        seconds.append(app.seen(f"Note: {name} {number}.") - pressed)
        app.rest(0.4)
    return seconds


def watched(app: Terminal, door: str, token: str, chosen: argparse.Namespace) -> None:
    """Notes written in the app, alone and before so many televisions."""
    walls, count = chosen.walls, chosen.notes
    print(f"Notes in the app, nobody watches: {told(notes(app, 'alone', count))}.")
    # Televisions are other machines. In this process they would hold up whoever looks at the app.
    spawning = multiprocessing.get_context("spawn")
    here, there = spawning.Pipe()
    televisions = spawning.Process(
        target=watch, args=(door, token, walls, f"watched {count - 1}.", there)
    )
    televisions.start()
    here.recv()
    timed = keys(app, min(10, chosen.seconds))
    print(f"The app's keys before {walls} televisions: {told(timed)}.")
    seen = notes(app, "watched", count)
    shown = here.recv()
    print(f"Before {walls} televisions: {told(seen)}; {shown} of them show the last note.")
    televisions.join()
    assert shown == walls


def watch(door: str, token: str, walls: int, last: str, watched: Connection) -> None:
    """Be so many televisions: tell when all are on, then how many of them show the last note."""
    os.nice(10)
    asyncio.run(_watch(door, token, walls, last, watched))


async def _watch(door: str, token: str, walls: int, last: str, watched: Connection) -> None:
    async with AsyncExitStack() as stack:
        televisions = [await phone(stack, door, token) for _ in range(walls)]
        watched.send(walls)
        shown = await asyncio.gather(*(each.shows(last, within=300.0) for each in televisions))
        watched.send(sum(shown))


def told(seconds: Sequence[float]) -> str:
    times = Times.of(seconds)
    return f"median {times.middle:.0f} ms, 95% {times.most:.0f} ms, longest {times.longest:.0f} ms"


async def measured(folder: Path, chosen: argparse.Namespace) -> None:
    seconds, each_second = chosen.seconds, chosen.requests
    database = folder / "phones.db"
    begun(database)
    env = environment(SKIRMISH_DATABASE=str(database), SKIRMISH_SETTINGS=str(folder / "s.toml"))
    links = LinkBook(database).ensure_tokens(1, (*SIDES, WALL))
    tokens = [links[side] for side in SIDES]
    async with served(env) as door, AsyncExitStack() as stack:
        app = stack.enter_context(Terminal(PROGRAM, env, folder, 40, 120))
        app.seen("Overmatched")
        app.press("\r")
        app.seen("WHO FIRES?")
        app.rest(2)
        print(
            f"The app's keys at rest: {told(await asyncio.to_thread(keys, app, min(10, seconds)))}."
        )
        os.nice(10)  # in truth televisions and phones are other machines
        await asyncio.to_thread(watched, app, door, links[WALL], chosen)
        phones = [await phone(stack, door, tokens[nth % 2]) for nth in range(PHONES)]
        end = time.perf_counter() + seconds
        async with asyncio.TaskGroup() as together:
            typing = together.create_task(asyncio.to_thread(keys, app, seconds))
            asking = together.create_task(requests(door, each_second, end))
            tapping = [
                together.create_task(taps(each, f"p{number}", end))
                for number, each in enumerate(phones)
            ]
        timed, statuses = typing.result(), asking.result()
        print(f"With {PHONES} phones and {each_second} requests a second: {told(timed)}.")
        shown = ", ".join(f"{count} with {status}" for status, count in statuses.items())
        print(f"Answered: {shown}, in {seconds} s.")
        app.leave("Hq")
    with Store.open(str(database)) as store:
        written = "".join(entry.order for entry in store.entries(1))
    every: list[str] = []
    for task in tapping:
        every += task.result()
    lost = [text for text in every if text not in written]
    print(f"Notes that phones were told of: {len(every)}; lost: {len(lost)}.")
    assert not lost


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--requests", type=int, default=REQUESTS, help="each second (1000)")
    parser.add_argument("--walls", type=int, default=WALLS, help="televisions (100)")
    parser.add_argument("--notes", type=int, default=NOTES, help="before them (20)")
    chosen = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}.")
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        asyncio.run(measured(Path(name), chosen))
    print(f"Load at the end {os.getloadavg()[0]:.1f}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
