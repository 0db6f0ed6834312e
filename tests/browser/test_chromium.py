"""The page in a real browser: keys, mouse and fingers reach the app; closing and reloading lose
nothing; pages from elsewhere do not get in."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import chromium
import pytest
from chromium import Browser, Page, browsing
from deep import IS_DEEP
from served import TOKEN, Served

from skirmish import scenario_editing
from skirmish.web import gate, tab

pytest.importorskip("fcntl", reason="who reads the screen here comes from the tests of terminals")
if chromium.found() is None:
    pytest.skip("there is no Chromium on this machine", allow_module_level=True)

from kills import shot
from onlooker import Facts, fold, read

Serve = Callable[..., Awaitable[Served]]

OURS = ["F1", "F2", "Tab", "Backspace", "ctrl+p", "ctrl+r"]
"""Keys with which browsers do something of their own, if a page lets them."""
LISTEN = """
window.pressed = {};
addEventListener("keydown", (event) => setTimeout(() => {
  pressed[(event.ctrlKey ? "ctrl+" : "") + event.key] = event.defaultPrevented;
}), true);
"""
CALL_IN = """new Promise((told) => {
  const socket = new WebSocket("ws://127.0.0.1:%d/ws?width=80&height=24");
  socket.onopen = () => told("let in");
  socket.onerror = () => told("refused");
})"""


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as opened:
        yield opened


def stands(served: Served, page: Page) -> Callable[[list[str]], bool]:
    """Whether the page shows the battle as it is kept."""
    _, states = fold(served.database)
    wanted = Facts.of(states[-1])

    def shown(lines: list[str]) -> bool:
        seen = read(lines)
        return seen is not None and seen.facts.fits(wanted)

    return shown


async def begin(page: Page) -> None:
    """Overmatched, as it is offered."""
    for words, key in (("New battle", "n"), ("Overmatched", "Enter"), ("Begin", "b")):
        await page.until_says(words)
        await asyncio.sleep(0.1)
        await page.press(key)
    await page.until(read)


@pytest.mark.skipif(not IS_DEEP, reason="it takes long in a real browser: make test-deep")
async def test_a_battle_outlives_its_tab(serve: Serve, browser: Browser) -> None:
    served = await serve()
    page = await browser.page()
    await page.go(served.door)
    await begin(page)
    _, before = fold(served.database)
    await page.press(*shot(before[-1], random.Random(1)))
    await page.until(lambda _: len(fold(served.database)[1]) > len(before))
    await page.until(stands(served, page))
    (first,) = served.server.tabs
    await page.close()
    assert first.process is not None
    assert await asyncio.wait_for(first.process.wait(), 30) == 0

    page = await browser.page()
    await page.go(served.door)
    await page.until_says("Overmatched")
    await page.press("Enter")
    await page.until(stands(served, page))
    await page.reload()
    await page.until_says("New battle")
    await page.until_says("Overmatched")
    await page.press("Enter")
    await page.until(stands(served, page))
    assert {url.startswith(served.door) for url in page.fetched} == {True}, page.fetched


async def test_keys_mouse_and_fingers_reach_the_app(serve: Serve, browser: Browser) -> None:
    served = await serve()
    page = await browser.page()
    await page.go(served.door)
    await page.until_says("New battle")
    await page.value(LISTEN)
    await page.press(*OURS)
    await page.until_true(f"Object.keys(pressed).length === {len(OURS)}")
    assert await page.value("pressed") == dict.fromkeys(OURS, True)
    await page.reload()
    await page.until_says("New battle")
    await page.press("ctrl+p")
    await page.until_says("Find a command")
    await page.press("Escape", "?")
    await page.until_says("Quit")
    await page.press("Escape")
    await page.until_says("New battle")
    await page.click_on("Armies")
    await page.until(lambda lines: "New battle" not in "".join(lines))
    await page.press("Escape")
    await page.until_says("New battle")
    await page.press("q")
    await page.until_true("!document.querySelector('#over').hidden")
    assert await page.value("document.querySelector('#why').textContent") == tab.ENDED

    tablet = await browser.page(768, 1024, touch=True)
    await tablet.go(served.door)
    await tablet.until_says("New battle")
    assert len(tablet.lines()[0]) >= 80
    mode = "document.querySelector('.xterm-helper-textarea').inputMode"
    assert await tablet.value(mode) == "none", "no keyboard jumps up"
    await tablet.tap_on("New battle")
    await tablet.until_says("The basic game")
    await tablet.value("document.querySelector('#keys button').click()")
    await tablet.until_says("New battle")
    await tablet.press("r")
    await tablet.until_says("Cards or a die")
    await tablet.swipe("Guys and models", 200)
    await tablet.until(lambda lines: "Reading a draw" not in "".join(line[:20] for line in lines))
    await tablet.value("document.querySelector('#letters').click()")
    assert await tablet.value(mode) == "text"


@pytest.mark.skipif(not IS_DEEP, reason="it takes long in a real browser: make test-deep")
async def test_a_map_is_drawn_with_the_mouse_and_with_keys(
    serve: Serve, browser: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKIRMISH_SCENARIOS", str(folder / "own"))
    file = scenario_editing.new_scenario("The Mill", ("american", "german"), (96, 60)).path

    async def until_stored(words: str) -> None:
        await page.until(lambda _: words in file.read_text("utf-8"))

    served = await serve()
    page = await browser.page()
    await page.go(served.door)
    await page.until_says("New battle")
    await page.press("s")
    await page.until_says("Overmatched")
    await page.press("End", "ArrowUp")
    await page.until_says("Two forces meet")
    await page.press("e")
    await page.until_says("LOOK")
    # By the mouse alone: a house is laid, turned and mirrored.
    await page.click_on("h house")
    await page.until_says("LAY Building")
    await page.click_on("] turn")
    await page.click_on("Enter sets")
    await until_stored("turn = 5")
    await page.click_on("Esc ends")
    await page.until_says("LOOK")
    await page.click_on("Space takes")
    await page.until_says("TAKE")
    await page.click_on("m mirrors")
    await page.click_on("Enter puts")
    await until_stored("turn = 175")
    # By keys: a wall from edge to edge.
    await page.press("W", "Home", "Enter", "End", "Enter", "Enter")
    await until_stored('kind = "wall"')
    await page.press("Escape")
    await page.until_says("LOOK")
    await page.press("6")
    await page.until_says("Two forces meet")


async def test_only_who_knows_the_token_and_comes_from_our_page_gets_in(
    serve: Serve, browser: Browser
) -> None:
    served = await serve(TOKEN)
    call_in = CALL_IN % served.gate.port
    page = await browser.page()
    for wrong in ("", f"?token={TOKEN[:-1]}"):
        await page.go(served.door + wrong)
        await page.until_true(f"document.body.textContent.includes({gate.NO_TOKEN[:20]!r})")
        assert await page.value(call_in) == "refused"
    await page.go(f"{served.door}?token={TOKEN}")
    await page.until_says("New battle")
    assert await page.value("location.href") == served.door
    assert await page.value("document.cookie") == "", "no script can read it"
    assert await page.value(call_in) == "let in"
    assert len(served.server.tabs) == 2
    elsewhere = await browser.page()
    await elsewhere.go("data:text/html,another page")
    assert await elsewhere.value(call_in) == "refused"
    await elsewhere.go(served.door.replace("127.0.0.1", "localhost"))
    assert await elsewhere.value(call_in) == "refused", "the cookie is of another host"
