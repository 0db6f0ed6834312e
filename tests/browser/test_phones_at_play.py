"""Two phones and the app in a terminal, in one battle of Dog Beach for two turns: real programs and
a real browser, a phone that sleeps, one that is loaded again, two hands at once, a server that is
killed. On each page that is passed, letters and targets are measured."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import Browser, Page, browsing
from test_side_page import PHONE, TABLET, measured

from skirmish import registry
from skirmish.games.plastic.battle.orders import EndTurn
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.form import SetupForm
from skirmish.web.links import WALL, LinkBook
from skirmish.web.side_player import ALREADY_ANSWERED

pytest.importorskip("fcntl", reason="the app runs in a pseudo-terminal here")
if chromium.found() is None:
    pytest.skip("there is no Chromium on this machine", allow_module_level=True)

from terminal import Terminal, environment

OWN_CARDS = {"battle": "10", "draws:american": "own_deck", "draws:german": "own_deck"}
BUTTON = "document.querySelector('#answers button')"
PLACE = f"JSON.stringify({BUTTON}.getBoundingClientRect())"
NOTE = "Smoke on the <b>ridge</b>"
FREE = "!document.body.matches('.busy, .fresh')"
JOURNAL = "document.querySelector('#journal details').open"
LOST = "!document.querySelector('#line').hidden"


def begun(database: Path) -> None:
    """Dog Beach with the players' own cards, stored as number 1."""
    game = registry.load("plastic")
    form = SetupForm(game)
    for name, answer in OWN_CARDS.items():
        form.answer(name, form.read(name, answer))
    with Store.open(str(database)) as store:
        first = game.opening(form.answers, lambda: 7)
        session = at_once(Session.opened(game, job_runner(store), first))
        for order in game.first_orders(form.answers, lambda: 7):
            at_once(session.give(order))


def entries(database: Path) -> list[Any]:
    with Store.open(str(database)) as store:
        return list(store.entries(1))


class Table:
    """The server of a battle, which can be killed and started again at the same port."""

    def __init__(self, database: Path, port: int) -> None:
        self.database, self.port = database, port
        self.variables = environment(
            SKIRMISH_DATABASE=str(database), SKIRMISH_SETTINGS=f"{database}.toml"
        )
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "skirmish", "serve", "--port", str(self.port), "--game", "1"),
            env=self.variables,
            stdout=asyncio.subprocess.PIPE,
        )
        assert self._process.stdout is not None
        while b"Ctrl+C" not in (line := await self._process.stdout.readline()):
            assert line, "the server did not start"

    async def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    def send(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def phone(self, browser: Browser, side: str, size: tuple[int, int] = PHONE) -> Phone:
        token = LinkBook(self.database).ensure_tokens(1, [side])[side]
        page = await browser.page(*size, touch=True, apart=True)
        await page.go(f"http://127.0.0.1:{self.port}/s/{token}")
        phone = Phone(page)
        await phone.reads("Turn 1, Americans to move, phase 1: Movement.")
        # The page is read before it is connected; a server that is stopped then would not let it.
        await phone.page.until_true(FREE)
        return phone


class Phone:
    def __init__(self, page: Page) -> None:
        self.page = page

    async def text(self) -> str:
        return str(await self.page.value("document.body.innerText"))

    async def reads(self, *words: str) -> None:
        """Wait until the page shows this; then measure it."""
        has = " && ".join(f"document.body.innerText.includes({one!r})" for one in words)
        has += " && document.readyState === 'complete'"  # with its style sheet
        try:
            await self.page.until_true(has)
        except AssertionError:
            raise AssertionError(f"{words} are not on it:\n{await self.text()}") from None
        await measured(self.page, str(words))

    async def write(self, command: str, text: str) -> None:
        await self.tap(command)
        await self.page.until_true(f"{FREE} && !!document.querySelector('#answers input')")
        await self.page.value(f"document.querySelector('#answers input').value = {text!r}")
        await self.page.value("document.querySelector('#answers form').requestSubmit()")

    async def tap(self, *texts: str) -> None:
        """Tap one button after the other, each once it stands there and can be tapped. The thumb
        trembles: each is tapped twice."""
        for text in texts:
            find = (
                "[...document.querySelectorAll('#side button:not(:disabled)')]"
                f".find((one) => one.innerText.trim().startsWith({text!r}))"
            )
            try:
                await self.page.until_true(f"{FREE} && !!{find}")
            except AssertionError:
                raise AssertionError(f"no button {text!r}:\n{await self.text()}") from None
            tap = f"(() => {{ const one = {find}; one.click(); one.click(); }})()"
            await self.page.value(tap)


@asynccontextmanager
async def app(table: Table, folder: Path) -> AsyncIterator[Terminal]:
    """The battle in the app, on a screen of 120 by 40."""
    command = [sys.executable, "-m", "skirmish"]
    with Terminal(command, table.variables, folder, 40, 120) as terminal:
        await asyncio.to_thread(terminal.seen, "Dog Beach")
        terminal.press("\r")
        await asyncio.to_thread(terminal.seen, "WHO FIRES?")
        yield terminal
        await asyncio.to_thread(terminal.leave, "Hq")


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    database = tmp_path / "kept.db"
    begun(database)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    served = Table(database, port)
    await served.start()
    yield served
    await served.kill()


QUICK = """
(() => {
  const pad = [...document.querySelectorAll("#answers .pad button")];
  for (const digit of DIGITS) pad.find((one) => one.innerText.trim() === digit).click();
})()
"""


async def test_taps_in_quick_succession_count_in_their_order(table: Table) -> None:
    """A second digit is not lost while the table answers the first; a second shot is not fired."""
    async with browsing() as browser:
        germans = await table.phone(browser, "german")
        await germans.tap("Machinegun", "Rifle, 116th Regiment on the sand")
        await germans.page.until_true(f"{FREE} && !!document.querySelector('#answers .pad')")
        await germans.page.value(QUICK.replace("DIGITS", "'1122'"))
        typed = "document.querySelector('#question output')?.innerText"
        await germans.page.until_true(f"{FREE} && {typed} === '12'")
        before = len(entries(table.database))
        await germans.tap("Back", "Back")
        await germans.tap("Draw")
        await germans.reads("DRAW")
        assert len(entries(table.database)) == before + 1


async def test_a_television_comes_back_with_the_table(table: Table) -> None:
    """It shows that the table is away, and afterwards what happened meanwhile."""
    away = "!document.querySelector('#away').hidden"
    async with browsing() as browser:
        token = LinkBook(table.database).ensure_tokens(1, [WALL])[WALL]
        television = await browser.page(1280, 720, apart=True)
        await television.go(f"http://127.0.0.1:{table.port}/s/{token}")
        await television.until_true("document.querySelector('#wall').dataset.ready === ''")
        await television.until_true(f"!({away})")
        await table.kill()
        await television.until_true(away)
        with Store.open(str(table.database)) as store:
            session = at_once(Session.resumed(registry.load("plastic"), job_runner(store), 1))
            at_once(session.give(EndTurn()))
        await table.start()
        await television.until_true(f"!({away})")
        mover = "document.querySelector('#wall b.ground').innerText"
        await television.until_true(f"{mover}.toUpperCase() === 'GERMANS'")


async def test_two_phones_and_the_app_play_two_turns(table: Table, tmp_path: Path) -> None:
    async with browsing() as browser, app(table, tmp_path) as terminal:
        germans = await table.phone(browser, "german")
        americans = await table.phone(browser, "american", TABLET)

        # A shot: the other page has its odds, then the card, then who dies.
        await germans.tap("Machinegun", "Rifle, 116th Regiment on the sand")
        await americans.reads("Against you now", "67%")
        await germans.reads("67%")
        await americans.page.value(f"{JOURNAL} = false; {JOURNAL} = true")
        await germans.page.reload()
        await germans.reads("How many are in reach?", "67%")
        await germans.tap("Draw")
        await germans.reads("DRAW")
        terminal.press("")
        await germans.tap("5")
        await asyncio.to_thread(terminal.seen, "WHO DIES?")
        await americans.reads("HIT", "WHO DIES?")
        assert await americans.page.value(JOURNAL), "what the reader opened stays open"

        # Two hands at once: one answer counts.
        again = await table.phone(browser, "american")
        before = len(entries(table.database))
        table.send(signal.SIGSTOP)  # it reads both taps afterwards
        for phone in (again, americans):
            await phone.tap("Rifle")
            await phone.page.until_true("document.body.matches('.busy')")
        table.send(signal.SIGCONT)
        await germans.reads("FIRE AGAIN?")
        assert len(entries(table.database)) == before + 1
        for phone in (again, americans):
            await phone.reads("1 of 77 strength lost")
        async with asyncio.timeout(10):
            while not (
                told := [one for one in (again, americans) if ALREADY_ANSWERED in await one.text()]
            ):
                await asyncio.sleep(0.05)
        assert len(told) == 1, "the other reads that it was answered"

        # A phone sleeps while the others play on.
        await americans.page.ask("Page.setWebLifecycleState", state="frozen")
        await germans.tap("Stop firing", "Rifle", "Rifle, 116th Regiment on the sand", "Draw", "Q")
        await germans.reads("MISS")
        await americans.page.ask("Page.setWebLifecycleState", state="active")
        await americans.reads("MISS")

        # What another writes moves nothing under the thumb.
        await germans.tap("Machinegun")
        await germans.reads("AT WHOM?")
        await germans.page.value(f"window.under = {BUTTON}; window.stood = {PLACE}")
        await americans.write("Write a note", NOTE)
        journal = "document.querySelector('#journal').textContent"
        await germans.page.until_true(f"{journal}.includes({NOTE!r})")
        assert await germans.page.value(f"under === {BUTTON} && stood === {PLACE}")

        # The server is killed while a shot is half put together.
        await table.kill()
        await germans.page.until_true(LOST)
        await table.start()
        await germans.page.until_true("document.querySelector('#line').hidden")
        await germans.reads("AT WHOM?")
        await germans.tap("Rifle, 116th Regiment on the sand", "Draw", "J")
        await germans.reads("MISS")
        await americans.reads("MISS")

        # The turn ends from the phone, and the other side fires.
        await americans.tap("End this player turn", "End the turn")
        await americans.reads("WHO FIRES?")
        await americans.tap("Rifle, 116th Regiment at the seawall", "Rifle", "Draw", "9")
        await germans.reads("MISS")
        terminal.press("")
        await germans.tap("End this player turn", "End the turn")
        for phone in (germans, americans, again):
            await phone.reads("Turn 2, Americans to move")
        await asyncio.to_thread(terminal.seen, "Turn 2")
