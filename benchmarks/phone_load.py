"""The app's keys while ten phones are at the table, and while a hundred televisions watch it.

    python benchmarks/phone_load.py

A server, the app in a terminal, and phones without a browser, on this machine only. First notes are
written in the app while nobody watches, then while a hundred televisions show each of them. Then
the phones put shots together and write notes, and a visitor asks for pages, a thousand times a
second for a minute, while keys are pressed in the app. At the end every note that a phone has shown
must be in the journal; nothing else is asserted.
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

SECONDS = 60
REQUESTS = 1_000
"""Each second."""
PHONES = 10
WALLS = 100
"""Televisions that show the battle to everybody."""
NOTES = 20
LONGEST_REST = 10
"""Seconds of keys in the app, at most, before the phones begin."""
PROGRAM = [sys.executable, "-m", "skirmish"]
SIDES = ("polish", "german")
KEYS = {"m": "AT WHOM?", "\x7f": "WHO FIRES?"}
"""Keys of the app, and what they bring to the screen."""


class Phone:
    """A phone as its script would behave: it takes every message, and one tap waits for another."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.journal_length = 0
        self.keys: list[str] = []
        self.html = ""
        self._has_message = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self.socket:
            page = json.loads(message.data)
            self.journal_length = page.get("at", self.journal_length)
            self.keys = page.get("keys", self.keys)
            self.html = page.get("html", self.html)
            self._has_message.set()

    async def _next_message(self) -> None:
        self._has_message.clear()
        await self._has_message.wait()

    async def tap(self, press: str) -> None:
        """Tap, and wait for the next page."""
        self._has_message.clear()
        tap = {"at": self.journal_length, "keys": self.keys, "press": press}
        await self.socket.send_json(tap)
        await self._has_message.wait()

    async def shows(self, text: str, within: float = 5.0) -> bool:
        """Whether a page with the text comes within so many seconds, or is there already."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                while text not in self.html:
                    await self._next_message()
        return text in self.html


def begun(database: Path) -> None:
    """A new battle of the first scenario, whose cards players draw from decks on the table."""
    scenario = library.scenarios()[1]
    setup = from_scenario(
        scenario,
        library.catalog(),
        library.rulings(),
        sources=dict.fromkeys(scenario.order_of_play(), Source("deck")),
        chosen=SetupChoices(loads=False),
    )
    with Store.open(str(database)) as store:
        at_once(Session.opened(registry.load("plastic"), job_runner(store), opening(setup)))


@asynccontextmanager
async def served(env: dict[str, str]) -> AsyncIterator[str]:
    """A server; yields its address."""
    with socket.socket() as any_free:  # port 0 stands for any that is free
        any_free.bind(("127.0.0.1", 0))
        port = str(any_free.getsockname()[1])
    command = [*PROGRAM, "serve", "--port", port, "--with-app"]  # as the app starts it
    server = await asyncio.create_subprocess_exec(*command, env=env, stdin=PIPE, stdout=PIPE)
    assert server.stdout is not None
    while b"Ctrl+C" not in await server.stdout.readline():  # the last line before it serves
        pass
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        await server.wait()


async def connected(stack: AsyncExitStack, address: str, token: str) -> Phone:
    """A phone or a television that has opened the link with this token."""
    jar = aiohttp.CookieJar(unsafe=True)  # takes cookies of an address without a name, too
    session = await stack.enter_async_context(aiohttp.ClientSession(cookie_jar=jar))
    async with session.get(f"{address}s/{token}"):
        pass  # only for its cookie
    connection = session.ws_connect(f"{address}side/live", headers={"Origin": address.rstrip("/")})
    phone = Phone(await stack.enter_async_context(connection))
    await phone.tap("")
    return phone


async def taps(phone: Phone, name: str, end: float) -> list[str]:
    """Put shots together until then, with a note each second; returns the notes that the phone has
    shown."""
    shown = []
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
            if await phone.shows(f"Note: {text}<", 0.5):
                shown.append(text)
    return shown


async def requests(address: str, each_second: int, end: float) -> Counter[int]:
    """Ask for the page of a side, as a visitor without a link; the statuses of the answers."""
    statuses: Counter[int] = Counter()
    connector = aiohttp.TCPConnector(limit=50)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask() -> None:
            async with session.get(f"{address}side") as answer:
                statuses[answer.status] += 1

        began, asked = time.perf_counter(), 0
        pending: set[asyncio.Task[None]] = set()
        now = began
        while now < end:
            due = (now - began) * each_second
            while asked < due:
                pending.add(asyncio.create_task(ask()))
                asked += 1
            pending = {task for task in pending if not task.done()}
            await asyncio.sleep(0.01)
            now = time.perf_counter()
        await asyncio.gather(*pending)
    return statuses


def keys(app: Terminal, seconds: float) -> list[float]:
    """Seconds from each key of the app to what it shows."""
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        for key, answer in KEYS.items():
            pressed = app.press(key)
            times.append(app.seen(answer) - pressed)
            app.rest(0.4)
    return times


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


def notes_watched(app: Terminal, address: str, token: str, chosen: argparse.Namespace) -> None:
    """Notes written in the app, alone and before so many televisions."""
    walls, count = chosen.walls, chosen.notes
    print(f"Notes in the app, nobody watches: {figures(notes(app, 'alone', count))}.")
    # Televisions are other machines. In this process they would hold up whoever looks at the app.
    spawning = multiprocessing.get_context("spawn")
    here, there = spawning.Pipe()
    last_note = f"watched {count - 1}."
    televisions = spawning.Process(target=watch, args=(address, token, walls, last_note, there))
    televisions.start()
    here.recv()  # all of them are on
    of_keys = keys(app, min(LONGEST_REST, chosen.seconds))
    print(f"The app's keys before {walls} televisions: {figures(of_keys)}.")
    of_notes = notes(app, "watched", count)
    shown = here.recv()
    print(f"Before {walls} televisions: {figures(of_notes)}; {shown} of them show the last note.")
    televisions.join()
    assert shown == walls


def watch(address: str, token: str, walls: int, last_note: str, starter: Connection) -> None:
    """Be so many televisions: send when all are on, then how many of them show the last note."""
    os.nice(10)
    asyncio.run(_watch(address, token, walls, last_note, starter))


async def _watch(address: str, token: str, walls: int, last_note: str, starter: Connection) -> None:
    async with AsyncExitStack() as stack:
        televisions = []
        for _ in range(walls):
            televisions.append(await connected(stack, address, token))
        starter.send(walls)
        waits = [television.shows(last_note, within=300.0) for television in televisions]
        shown = await asyncio.gather(*waits)
        starter.send(shown.count(True))


def figures(seconds: Sequence[float]) -> str:
    times = Times.of(seconds)
    return f"median {times.middle:.0f} ms, 95% {times.most:.0f} ms, longest {times.longest:.0f} ms"


async def measured(folder: Path, chosen: argparse.Namespace) -> None:
    """Print all figures, with a server and an app on a new database."""
    database = folder / "phones.db"
    begun(database)
    env = environment(SKIRMISH_DATABASE=str(database), SKIRMISH_SETTINGS=str(folder / "s.toml"))
    links = LinkBook(database).ensure_tokens(1, (*SIDES, WALL))
    tokens = [links[side] for side in SIDES]
    async with served(env) as address, AsyncExitStack() as stack:
        app = stack.enter_context(Terminal(PROGRAM, env, folder, 40, 120))
        app.seen("Overmatched")
        app.press("\r")
        app.seen("WHO FIRES?")
        app.rest(2)
        at_rest = await asyncio.to_thread(keys, app, min(LONGEST_REST, chosen.seconds))
        print(f"The app's keys at rest: {figures(at_rest)}.")
        os.nice(10)  # in truth televisions and phones are other machines
        await asyncio.to_thread(notes_watched, app, address, links[WALL], chosen)
        phones = []
        for number in range(PHONES):
            phones.append(await connected(stack, address, tokens[number % 2]))
        shown = await under_load(app, address, phones, chosen)
        app.leave("Hq")
    with Store.open(str(database)) as store:
        written = "".join(entry.order for entry in store.entries(1))
    lost = [note for note in shown if note not in written]
    print(f"Notes that phones were told of: {len(shown)}; lost: {len(lost)}.")
    assert not lost


async def under_load(
    app: Terminal, address: str, phones: Sequence[Phone], chosen: argparse.Namespace
) -> list[str]:
    """Press keys in the app while all phones are tapped and a visitor asks for pages; returns the
    notes that the phones have shown."""
    end = time.perf_counter() + chosen.seconds
    async with asyncio.TaskGroup() as together:
        typing = together.create_task(asyncio.to_thread(keys, app, chosen.seconds))
        asking = together.create_task(requests(address, chosen.requests, end))
        tapping = []
        for number, phone in enumerate(phones):
            tapping.append(together.create_task(taps(phone, f"p{number}", end)))
    of_keys, statuses = typing.result(), asking.result()
    print(f"With {PHONES} phones and {chosen.requests} requests a second: {figures(of_keys)}.")
    answers = ", ".join(f"{count} with {status}" for status, count in statuses.items())
    print(f"Answered: {answers}, in {chosen.seconds} s.")
    shown: list[str] = []
    for task in tapping:
        shown += task.result()
    return shown


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
