"""From a tap on one phone to the other phone and to the app, the order stored in between.

    python benchmarks/phone.py              (or: make bench)

One battle of Dog Beach: the server, two phones in Chromium, the app in a terminal, all on this
machine. A shot is tapped, until the other page and the app show it. Nothing is asserted. Needs
Chromium.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from figures import Times
from onlooker import SKIRMISH, Onlooker, read
from terminal import environment

from skirmish import registry
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.form import SetupForm
from skirmish.web.links import LinkBook

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "browser"))

from chromium import Browser, Page, browsing, found

SHOTS = 20
SOON = 0.3
"""Seconds from the command until the tap, so that everybody is watching."""
FREE = "!document.body.matches('.busy, .fresh')"
"""Whether the page waits for no answer, and can be tapped."""
WATCH = """
new MutationObserver(() => { window.came ??= performance.timeOrigin + performance.now(); })
  .observe(document.querySelector("#journal"), { childList: true, subtree: true });
"""
"""Has the page write down when the journal on it changed first, in milliseconds since 1970."""
BUTTON = (
    "[...document.querySelectorAll('#side button:not(:disabled)')]"
    ".find((button) => button.innerText.trim().startsWith({!r}))"
)
"""A button that can be tapped, by how its text begins."""
TAP = "setTimeout(() => {{ window.came = null; {}.click(); }}, {} - Date.now())"
"""Clicks a button at a moment in milliseconds since 1970, at once if it is over."""
ANSWER = "document.querySelector('#answers .main')"
"""The button of the usual answer."""


class Arrivals(NamedTuple):
    """Seconds from each tap until what came of it was shown."""

    on_other_phone: list[float]
    in_app: list[float]


def begun(database: Path) -> None:
    """A new battle of Dog Beach."""
    game = registry.load("plastic")
    form = SetupForm(game)
    form.answer("battle", form.read("battle", "10"))
    with Store.open(str(database)) as store:
        first = game.opening(form.answers, lambda: 7)
        at_once(Session.opened(game, job_runner(store), first))


async def phone(browser: Browser, address: str) -> Page:
    """A phone with the page of a side, which writes down when the journal changes."""
    page = await browser.page(390, 844, touch=True, apart=True)
    await page.go(address)
    await page.until_true(f"location.pathname === '/side' && {FREE}")
    await page.value(WATCH)
    return page


async def tap(page: Page, text: str, moment: float = 0.0) -> None:
    """Tap a button as soon as it is there, but not before that moment (of ``time.time()``)."""
    button = BUTTON.format(text)
    await page.until_true(f"{FREE} && !!{button}")
    await page.value(TAP.format(button, 1000 * moment))


async def settled(germans: Page, americans: Page) -> None:
    """Answer what the shot leads to, until another can be put together."""
    while True:
        await asyncio.sleep(0.5)
        if await americans.value(f"!!{ANSWER}"):
            await americans.until_true(FREE)
            await americans.value(f"{ANSWER}.click()")
        elif await germans.value(f"!!{BUTTON.format('Stop firing')}"):
            await tap(germans, "Stop firing")
        elif await germans.value("document.body.innerText.includes('WHO FIRES?')"):
            return


async def timed(database: Path, address: str, shots: int) -> Arrivals:
    """Tap so many shots on the phone of the Germans, and look at the Americans' and at the app."""
    tokens = LinkBook(database).ensure_tokens(1, ("german", "american"))
    arrivals = Arrivals([], [])
    with Onlooker(database) as app:
        await asyncio.to_thread(app.resume)
        async with browsing() as browser:
            germans = await phone(browser, f"{address}s/{tokens['german']}")
            americans = await phone(browser, f"{address}s/{tokens['american']}")
            for _ in range(shots):
                await tap(germans, "Rifle")
                await tap(germans, "Rifle, 116th Regiment on the sand")
                await americans.value("window.came = null")
                has_new_line = _new_line_of(app)
                tapped = time.time() + SOON
                await tap(germans, "Draw", tapped)
                # The app counts from now on; the tap comes a little later.
                began = time.time()
                seconds = await asyncio.to_thread(app.took, "", has_new_line)
                arrivals.in_app.append(began + seconds - tapped)
                await americans.until_true("!!window.came")
                came = await americans.value("window.came") / 1000
                arrivals.on_other_phone.append(came - tapped)
                await settled(germans, americans)
    return arrivals


def _new_line_of(app: Onlooker) -> Callable[[list[str]], bool]:
    """A question to the screen of the app: whether it has a newer line of the journal than now."""
    newest = 0
    before = read(app.lines())
    if before is not None:
        newest = before.newest

    def has_new_line(lines: list[str]) -> bool:
        seen = read(lines)
        return seen is not None and seen.newest > newest

    return has_new_line


def line(name: str, seconds: Sequence[float]) -> str:
    """The figures of one screen."""
    times = Times.of(seconds)
    return f"{name:<16} median {times.middle:4.0f} ms, 95% within {times.most:4.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shots", type=int, default=SHOTS)
    shots = parser.parse_args().shots
    if found() is None:
        print("There is no Chromium on this machine.")
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        database = Path(folder) / "skirmish.db"
        begun(database)
        with socket.socket() as any_free:  # port 0 stands for any that is free
            any_free.bind(("127.0.0.1", 0))
            port = any_free.getsockname()[1]
        settings = f"{database}.toml"
        env = environment(SKIRMISH_DATABASE=str(database), SKIRMISH_SETTINGS=settings)
        command = [*SKIRMISH, "serve", "--port", str(port)]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            while b"Ctrl+C" not in server.stdout.readline():  # the last line before it serves
                pass
            try:
                arrivals = asyncio.run(timed(database, f"http://127.0.0.1:{port}/", shots))
            finally:
                server.terminate()
    print(f"{shots} shots tapped on a phone, until they are shown")
    print(line("  other phone", arrivals.on_other_phone))
    print(line("  app", arrivals.in_app))


if __name__ == "__main__":
    main()
