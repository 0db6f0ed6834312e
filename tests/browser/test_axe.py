"""Nothing on our pages shuts anybody out, as far as axe-core can tell: WCAG 2.2 AA and best
practice, in a real Chromium, in both schemes. ``make axe`` installs it; without it, and without a
Chromium, there is nothing to run."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from random import Random

import bloody_table
import chromium
import gts_table
import omaha_table
import pytest
from chromium import Browser, Page, browsing
from deep import IS_DEEP
from phone_table import DECK, begun, phone_table
from served import TOKEN, Served

from skirmish.games.plastic.battle.orders import EndTurn
from skirmish.session import at_once
from skirmish.store.database import Store
from skirmish.web.links import WALL, WATCH

PACKAGE = "axe_playwright_python"
if not IS_DEEP:
    pytest.skip("make axe looks at the pages, as make test-deep does", allow_module_level=True)
if chromium.found() is None:
    pytest.skip("there is no Chromium on this machine", allow_module_level=True)
if importlib.util.find_spec(PACKAGE) is None:
    pytest.skip("axe-core is not installed: make axe", allow_module_level=True)

Serve = Callable[..., Awaitable[Served]]
PHONE, TABLET, TELEVISION = (390, 844), (820, 1180), (1920, 1080)
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN = f"""(async () => {{
  const options = {{ runOnly: {{ type: "tag", values: {json.dumps(RULES)} }} }};
  const found = await axe.run(document, options);
  const places = (violation) => violation.nodes.map((node) => node.html.slice(0, 200));
  return JSON.stringify(found.violations.map((violation) => [violation.id, places(violation)]));
}})()"""


def axe_script() -> str:
    """The script, without importing the package around it, which needs another driver."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as opened:
        yield opened


async def violations(page: Page, scheme: str) -> list[object]:
    """What axe-core finds on the page, with everything that folds opened, in a scheme of
    colours."""
    features = [
        {"name": "prefers-color-scheme", "value": scheme},
        {"name": "prefers-reduced-motion", "value": "reduce"},
    ]
    await page.ask("Emulation.setEmulatedMedia", features=features)
    await page.value("for (const part of document.querySelectorAll('details')) part.open = true")
    # Past the page's own policy, which lets no script in from elsewhere.
    await page.ask("Runtime.evaluate", expression=axe_script())
    found: list[object] = json.loads(await page.value(RUN))
    return found


def four_games(path: Path) -> None:
    """Dog Beach in its second turn, and an evening of each game whose board phones can see."""
    gts = next(
        play
        for play in (gts_table.played(Random(seed), 60) for seed in range(200))
        if play.state.mug_is_filled and len(play.state.units()) > 5
    )
    evenings = (
        (omaha_table.GAME, omaha_table.table(("c d", "4/B, 5/B", "L10"))),
        (gts_table.GAME, gts),
        (bloody_table.GAME, bloody_table.played(Random(8), 25)),
    )
    with Store.open(str(path)) as store:
        session = begun(store, 10, DECK)
        at_once(session.give(EndTurn()))
        for game, play in evenings:
            first, *others = play.entries
            written = game.codec.written
            number = store.add_battle(game.id, game.name, "begun", [written(first)]).id
            for entry in others:
                store.append(number, written(entry), headline="on", over=False)


OF_BATTLE = {1: ("german", WATCH, WALL), 2: ("us", WATCH, WALL), 3: ("allied", WATCH, WALL)}
"""Whose pages are looked at, by the number of the battle."""
SIDES = [(number, side) for number, sides in OF_BATTLE.items() for side in sides]
SIDES += [(4, "us"), (4, WALL)]


@pytest.mark.parametrize(("battle", "side"), SIDES)
async def test_axe_finds_nothing_on_the_pages_of_sides_of_watchers_and_of_walls(
    folder: Path, browser: Browser, battle: int, side: str
) -> None:
    path = folder / "kept.db"
    four_games(path)
    async with phone_table(path) as table:
        (token,) = table.tokens(side, battle=battle)
        sizes = (TELEVISION, TABLET) if side == WALL else (PHONE, TABLET)
        for size in sizes:
            page = await browser.page(*size, touch=side != WALL, apart=True)
            await page.go(f"{table.door}s/{token}")
            await page.until_true("!!document.querySelector('#side h2, #side h3, [data-ready]')")
            for scheme in ("dark", "light"):
                assert await violations(page, scheme) == [], (size, scheme)
            await page.close()


async def test_axe_finds_nothing_on_the_page_of_the_app_nor_on_that_of_a_wrong_address(
    serve: Serve, browser: Browser
) -> None:
    served = await serve(TOKEN)
    for address in (f"{served.door}?token={TOKEN}", f"{served.door}?token=wrong"):
        page = await browser.page(apart=True)
        await page.go(address)
        await page.until_true(
            "document.readyState === 'complete' && !!document.querySelector('h1')"
        )
        for scheme in ("dark", "light"):
            assert await violations(page, scheme) == [], address
        await page.close()
