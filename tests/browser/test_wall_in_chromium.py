"""The page for a television in a real Chromium: large enough for the room, and nothing cut off."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import bloody_table
import gts_table
import omaha_table
import pytest
from chromium import Browser, Page, browsing
from deep import IS_DEEP, deep_after
from phone_table import DECK, PhoneTable, begun, phone_table

from skirmish import library, registry
from skirmish.games.plastic.battle.army_opening import from_armies
from skirmish.games.plastic.battle.record import opening
from skirmish.games.plastic.rules.army import ArmyList, muster
from skirmish.session import Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.web.links import WALL

TELEVISIONS = [(1280, 720), (1920, 1080), (3840, 2160)]
TABLET = (820, 1180)
CAPITAL = 0.7
"""The height of a capital letter of our faces, in parts of their size."""
A_MINUTE_OF_ARC = 4000 * 0.000290888 / (685 / 1080)
"""In pixels of 1080 lines, from four metres before a screen of 55 inches, which is 685 mm high."""
LONGEST = (
    "Machinegun M1 > Rifle, needs A-8: 4H hit, 2D hit, QD miss, 3D miss, 9S miss, JC miss, "
    "KD miss, 10C miss."
)
LETTERS = """(() => {
  const letters = {};
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || !element.checkVisibility() || element.closest(".spoken, noscript")) continue;
    const drawn = element.ownerSVGElement ? element.getScreenCTM().a : 1;
    letters[text] = (parseFloat(getComputedStyle(element).fontSize) * drawn) / innerHeight;
  }
  return JSON.stringify(letters);
})()"""
"""Each text with the size of its letters, in parts of the height of the screen."""
HIDDEN = """(() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const goal = box("#goal");
  const parts = [...document.querySelectorAll("#goal > *")];
  const cut = parts.filter((part) => part.getBoundingClientRect().bottom > goal.bottom + 1);
  const beside = (part) => part.getBoundingClientRect().left > goal.right - 1;
  const gone = parts.slice(0, 3).filter(beside);
  const title = document.querySelector("#band h1");
  const words = [...cut, ...gone].map((part) => part.textContent);
  if (title.scrollWidth > title.clientWidth) words.push(title.textContent);
  if (box("#strip").bottom > innerHeight + 1) words.push("the strip");
  if (box("#told").top < box(".card").bottom) words.push("the card");
  return JSON.stringify(words);
})()"""
"""What is cut off, or finds no room."""


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as opened:
        yield opened


async def a_wall(
    browser: Browser, table: PhoneTable, size: tuple[int, int], battle: int = 1
) -> Page:
    page = await browser.page(*size, apart=True)
    # A card that turns over is measured only once it lies.
    still = {"name": "prefers-reduced-motion", "value": "reduce"}
    await page.ask("Emulation.setEmulatedMedia", features=[still])
    await page.go(f"{table.door}s/{table.tokens(WALL, battle=battle)[0]}")
    await page.until_true("document.querySelector('#wall')?.dataset.ready === ''")
    await page.until_true("document.fonts.status === 'loaded'")
    return page


@pytest.fixture
def ten_battles(folder: Path) -> Path:
    """Every scenario, at its first turn."""
    path = folder / "kept.db"
    with Store.open(str(path)) as store:
        for number in range(1, 11):
            begun(store, number, DECK)
    return path


@pytest.mark.parametrize("size", deep_after(1, TELEVISIONS), ids=str)
async def test_every_text_of_a_battle_has_sixteen_minutes_of_arc(
    ten_battles: Path, browser: Browser, size: tuple[int, int]
) -> None:
    async with phone_table(ten_battles) as table:
        page = await a_wall(browser, table, size, battle=10)
        letters = json.loads(await page.value(LETTERS))
    assert {"Strength left", "As it stands", "TURN", "lost 0", "6 June 1944"} <= letters.keys()
    minutes = {text: height * 1080 * CAPITAL / A_MINUTE_OF_ARC for text, height in letters.items()}
    looked_for = ("Americans", "Germans", "1 · Movement")
    assert all(minutes[text] >= 19.9 for text in looked_for)
    assert not {text: size for text, size in minutes.items() if size < 15.9}


@pytest.mark.skipif(not IS_DEEP, reason="it takes long in a real browser: make test-deep")
async def test_no_title_and_no_standing_is_cut_off_whatever_is_told(
    ten_battles: Path, browser: Browser
) -> None:
    async with phone_table(ten_battles) as table:
        for battle in range(1, 11):
            page = await a_wall(browser, table, (1920, 1080), battle)
            await page.value(f"document.querySelector('#told').textContent = {LONGEST!r}")
            for size in ((1920, 1080), TABLET):
                await page.sized(*size)
                assert json.loads(await page.value(HIDDEN)) == [], (battle, size)
            await page.close()


def companions(path: Path) -> None:
    """A few units of Omaha, and an evening of Bloody Omaha with all of its units on the board."""
    few = omaha_table.table(("c d", "4/B, 5/B", "L10"))
    whole = bloody_table.played(Random(8), 40)
    with Store.open(str(path)) as store:
        for game, play in ((omaha_table.GAME, few), (bloody_table.GAME, whole)):
            first, *others = play.entries
            written = game.codec.written
            number = store.add_battle(game.id, game.name, "begun", [written(first)]).id
            for entry in others:
                store.append(number, written(entry), headline="on", over=False)


CUT_FORCES = """(() => {
  const map = document.querySelector("#map");
  const parts = [map, ...map.querySelectorAll(".wide")];
  const isCut = (part) =>
    part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
  return parts.filter(isCut).length;
})()"""
"""How many parts of the forces are cut off."""


@pytest.mark.parametrize("size", [TABLET, (1280, 720)], ids=str)
async def test_all_forces_of_a_battle_without_a_map_are_seen(
    folder: Path, browser: Browser, size: tuple[int, int]
) -> None:
    catalog, book = library.catalog(), library.rulings()
    # More rows than any army of a club has.
    units = {unit.id: 2 for unit in catalog.units.values() if unit.source == "rules"}
    first, second = (
        muster(ArmyList(name=name, units=units), catalog, book) for name in ("Reds", "Blues")
    )
    path = folder / "kept.db"
    with Store.open(str(path)) as store:
        game = registry.load("plastic")
        setup = from_armies(first, second, book, sources=(DECK, DECK))
        at_once(Session.opened(game, job_runner(store), opening(setup)))
    async with phone_table(path) as table:
        page = await a_wall(browser, table, size)
        assert await page.value(CUT_FORCES) == 0


NAMES_OF_SIDES = """JSON.stringify(
  [...document.querySelectorAll("#map h3, #map h2")]
    .filter((name) => name.matches(".party0, .party1"))
    .map((name) => name.getBoundingClientRect().bottom))"""
"""Where the names of both sides stand."""


async def test_the_sides_of_a_campaign_stand_in_one_line(folder: Path, browser: Browser) -> None:
    path = folder / "kept.db"
    game = registry.load("campaign")
    with Store.open(str(path)) as store:
        at_once(Session.opened(game, job_runner(store), game.opening({}, lambda: 5)))
    async with phone_table(path) as table:
        page = await a_wall(browser, table, (1280, 720))
        first, second = json.loads(await page.value(NAMES_OF_SIDES))
    assert first == second


BEYOND_THE_COLUMN = """(() => {
  const room = document.querySelector(".beside-mug").getBoundingClientRect();
  const beyond = (fact) => fact.getBoundingClientRect().right > room.right + 1;
  return [...document.querySelectorAll(".beside-mug dd")].filter(beyond).length;
})()"""
"""How many facts beside the mug reach into the next column."""


async def test_the_facts_beside_the_mug_stay_in_their_column(
    folder: Path, browser: Browser
) -> None:
    path = folder / "kept.db"
    play = gts_table.entered(scope="whole")
    while play.state.phase_id != "mug":
        gts_table.give(play, "space")
    gts_table.give(play, "space", "505")
    first, *others = play.entries
    written = gts_table.GAME.codec.written
    with Store.open(str(path)) as store:
        number = store.add_battle("gts", "Series", "begun", [written(first)]).id
        for entry in others:
            store.append(number, written(entry), headline="on", over=False)
    async with phone_table(path) as table:
        page = await a_wall(browser, table, (1280, 720))
        assert await page.value(BEYOND_THE_COLUMN) == 0


BOARD = """(() => {
  const map = document.querySelector("#map");
  const over = Math.max(map.scrollWidth - map.clientWidth, map.scrollHeight - map.clientHeight);
  const flow = map.querySelector(".flow");
  const page = flow.clientWidth + parseFloat(getComputedStyle(flow).columnGap);
  const room = flow.getBoundingClientRect();
  const words = [...flow.querySelectorAll("li, dt, p, h2, h3, h4")];
  const seen = new Set();
  for (let left = 0; left < flow.scrollWidth; left += page) {
    flow.scrollLeft = left;
    for (const part of words) {
      const range = document.createRange();
      range.selectNodeContents(part);
      const box = range.getClientRects()[0];
      const within = box.left >= room.left - 1 && box.right <= room.right + 1;
      if (within && box.bottom <= room.bottom + 1) seen.add(part);
    }
  }
  const letter = parseFloat(getComputedStyle(flow).fontSize);
  const never = words.filter((part) => !seen.has(part)).map((part) => part.textContent);
  return JSON.stringify([over, letter / innerHeight, never]);
})()"""
"""By how many pixels the board is too large, the letter of its lists in parts of the height, and
what of them is seen on none of their pages."""


@pytest.mark.parametrize("size", deep_after(2, [TABLET, *TELEVISIONS]), ids=str)
async def test_all_of_a_companions_board_is_seen_page_by_page_in_letters_of_sixteen_minutes_of_arc(
    folder: Path, browser: Browser, size: tuple[int, int]
) -> None:
    path = folder / "kept.db"
    companions(path)
    async with phone_table(path) as table:
        shown = []
        for battle in (1, 2):
            page = await a_wall(browser, table, size, battle)
            shown.append(json.loads(await page.value(BOARD)))
            await page.close()
    for over, letter, never_seen in shown:
        assert over <= 1
        assert never_seen == []
        if size != TABLET:
            assert letter * 1080 * CAPITAL / A_MINUTE_OF_ARC >= 15.9
