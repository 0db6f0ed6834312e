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
from collections.abc import Sequence
from pathlib import Path

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
WATCH = """
new MutationObserver(() => { window.came ??= performance.timeOrigin + performance.now(); })
  .observe(document.querySelector("#journal"), { childList: true, subtree: true });
"""
BUTTON = (
    "[...document.querySelectorAll('#side button:not(:disabled)')]"
    ".find((one) => one.innerText.trim().startsWith({!r}))"
)
TAP = "setTimeout(() => {{ window.came = null; {}.click(); }}, {} - Date.now())"


def begun(database: Path) -> None:
    game = registry.load("plastic")
    form = SetupForm(game)
    form.answer("battle", form.read("battle", "10"))
    with Store.open(str(database)) as store:
        first = game.opening(form.answers, lambda: 7)
        at_once(Session.opened(game, job_runner(store), first))


async def phone(browser: Browser, address: str) -> Page:
    page = await browser.page(390, 844, touch=True, apart=True)
    await page.go(address)
    await page.until_true(f"location.pathname === '/side' && {FREE}")
    await page.value(WATCH)
    return page


async def tap(page: Page, *texts: str, at: float = 0.0) -> None:
    for text in texts:
        button = BUTTON.format(text)
        await page.until_true(f"{FREE} && !!{button}")
        await page.value(TAP.format(button, 1000 * at))


async def settled(germans: Page, americans: Page) -> None:
    """Answer what the shot leads to, until another can be put together."""
    while True:
        await asyncio.sleep(0.5)
        if await americans.value("!!document.querySelector('#answers .main')"):
            await americans.until_true(FREE)
            await americans.value("document.querySelector('#answers .main').click()")
        elif await germans.value(f"!!{BUTTON.format('Stop firing')}"):
            await tap(germans, "Stop firing")
        elif await germans.value("document.body.innerText.includes('WHO FIRES?')"):
            return


async def timed(database: Path, address: str, shots: int) -> tuple[list[float], list[float]]:
    """Seconds from each tap until the other page, and until the app, showed what came of it."""
    tokens = LinkBook(database).ensure_tokens(1, ("german", "american"))
    others, apps = [], []
    with Onlooker(database) as app:
        await asyncio.to_thread(app.resume)
        async with browsing() as browser:
            germans, americans = [
                await phone(browser, f"{address}s/{tokens[side]}")
                for side in ("german", "american")
            ]
            for _ in range(shots):
                await tap(germans, "Rifle", "Rifle, 116th Regiment on the sand")
                before = read(app.lines())
                newest = before.newest if before else 0
                await americans.value("window.came = null")
                at = time.time() + SOON
                await tap(germans, "Draw", at=at)

                def shown(lines: list[str], newest: int = newest) -> bool:
                    seen = read(lines)
                    return seen is not None and seen.newest > newest

                called = time.time()
                apps.append(await asyncio.to_thread(app.took, "", shown) + called - at)
                await americans.until_true("!!window.came")
                others.append(await americans.value("window.came") / 1000 - at)
                await settled(germans, americans)
    return others, apps


def line(name: str, seconds: Sequence[float]) -> str:
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
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = f"{database}.toml"
        env = environment(SKIRMISH_DATABASE=str(database), SKIRMISH_SETTINGS=settings)
        command = [*SKIRMISH, "serve", "--port", str(port)]
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            while b"Ctrl+C" not in server.stdout.readline():
                pass
            try:
                others, apps = asyncio.run(timed(database, f"http://127.0.0.1:{port}/", shots))
            finally:
                server.terminate()
    print(f"{shots} shots tapped on a phone, until they are shown")
    print(line("  other phone", others))
    print(line("  app", apps))


if __name__ == "__main__":
    main()
