"""The page of a side in a real browser, measured: letters that can be read at arm's length, targets
that a thumb hits, and nothing that moves sideways; on a phone and a tablet, dark and light."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import chromium
import pytest
from chromium import Browser, browsing
from test_page_html import BLOCKS
from test_side_html import a_side

from skirmish.tabletop.game import JournalLine, Verdict
from skirmish.tabletop.page import Page, Step, Steps, table
from skirmish.web import server
from skirmish.web.side_html import document, ended_document, fragment
from skirmish.web.side_view import Button, Question, SidePage

if chromium.found() is None:
    pytest.skip("there is no Chromium on this machine", allow_module_level=True)

PHONE, TABLET = (390, 844), (820, 1180)
THUMB, SMALLEST, CONTRAST = 44, 16, 4.5

MEASURE = (Path(__file__).parent / "measure.js").read_text("utf-8")
WORDS = Question(text="What is the note?", longest_text=60, back=Button(press="\x1b", text="Back"))
ROWS = table(
    ("", "Unit", "Left", "Notes", "Group"),
    [
        ("r", "Rifle Guy", "24 of 24", "", "116th Regiment at the seawall"),
        ("f", "Rifle Guy", "19 of 19", "10 aboard N1, 9 aboard N2", "C Company, Rangers"),
        ("m", "Machinegun Guy", "10 of 12", "5 ready, 2 PINNED", "C Company, Rangers"),
        ("n", "Landing Craft", "2 of 2", "N1 10f 1m 4g 2e, N2 9f 1m 4g 2e", "C Company, Rangers"),
    ],
    numbers=(2,),
)
COMMANDS = (("Turn", (Button(press=">", text="Phase"), Button(press="E", text="End turn"))),)
PAGES = {
    "asked": document(
        a_side(
            notice="Somebody has answered that already.",
            verdict=Verdict(text="NOT PINNED", reason="7 OF HEARTS\nA Rifle needs 8.", tone="bad"),
            against=Page("", BLOCKS),
            board=Page("", BLOCKS),
            phases=Steps((Step("Movement", "now"), Step("Fire"))),
            journal=(JournalLine(1, (2,), "The Poles fire."),),
            commands=COMMANDS,
        )
    ),
    "hit": document(
        a_side(verdict=Verdict(text="HIT", reason="ACE OF SPADES", tone="good"), question=WORDS)
    ),
    "large words": document(
        a_side(
            verdict=Verdict(
                text="COVER", reason="7 OF HEARTS\nA Rifle needs 8, and trees are in front of it."
            ),
            board=Page("", (ROWS,)),
        )
    ),
    **{
        word: document(a_side(verdict=Verdict(text=word, reason="7 OF HEARTS")))
        for word in ("BROKEN", "PINNED", "12 HITS", "NOT PINNED", "3 HITS 1 BROKEN", "TOO HARD")
    },
    "waits": document(a_side(question=None, waiting="The Germans put a shot together.")),
    "ended": ended_document("This link was taken back. Ask at the table for a new one."),
}


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with browsing() as opened:
        yield opened


async def test_it_is_read_at_arms_length_and_tapped_with_a_thumb(
    browser: Browser, tmp_path: Path
) -> None:
    for name, html in PAGES.items():
        here = html.replace("/page/", f"{server.PAGE_FOLDER.as_uri()}/")
        (tmp_path / f"{name}.html").write_text(here.replace("side.js", "none.js"), "utf-8")
    for width, height in (PHONE, TABLET):
        page = await browser.page(width, height, touch=True)
        for scheme in ("dark", "light"):
            colours = [{"name": "prefers-color-scheme", "value": scheme}]
            await page.ask("Emulation.setEmulatedMedia", features=colours)
            for name in PAGES:
                await page.go((tmp_path / f"{name}.html").as_uri())
                await page.until_true("document.readyState === 'complete'")
                await measured(page, f"{name}, {scheme}, {width} pixels")


async def measured(page: chromium.Page, where: str) -> None:
    """All that is on the page can be read and tapped."""
    found = await page.value(MEASURE)
    assert found["letters"], where
    assert [one for one in found["letters"] if one["contrast"] < CONTRAST] == [], where
    assert [one for one in found["letters"] if one["size"] < SMALLEST] == [], where
    assert [one for one in found["targets"] if min(one["size"]) < THUMB] == [], where
    assert found["overlapping"] == [], where
    assert found["sideways"] == 0, where
    assert found["cut"] == [], where
    assert found["covered"] == [], where
    assert found["broken"] == [], where


SIGNALS = """
window.rung = [];
navigator.vibrate = (pattern) => { window.rung.push(pattern); return true; };
window.WebSocket = class {
  static OPEN = 1;
  static CONNECTING = 0;
  constructor() { window.socket = this; this.readyState = 1; }
  send() {}
  close() {}
};
"""
COMES = "window.socket.onmessage({{ data: {} }})"


async def test_a_phone_rings_when_its_side_is_asked_once_that_is_allowed(
    browser: Browser, tmp_path: Path
) -> None:
    waits = a_side(question=None, waiting="The Germans draw.")
    asked = a_side(question=Question(text="WHO DIES?"), asked=True, journal_length=8)
    here = document(waits).replace("/page/", f"{server.PAGE_FOLDER.as_uri()}/")
    (tmp_path / "page.html").write_text(here, "utf-8")

    def comes(side: SidePage) -> str:
        message = {"at": side.journal_length, "keys": [], "html": fragment(side)}
        return COMES.format(json.dumps(json.dumps(message)))

    page = await browser.page(*PHONE, touch=True)
    await page.ask("Page.addScriptToEvaluateOnNewDocument", source=SIGNALS)
    await page.go((tmp_path / "page.html").as_uri())
    await page.until_true("!!window.socket && document.readyState === 'complete'")
    await page.value(comes(waits))
    await page.value(comes(asked))
    assert await page.value("window.rung.length") == 0, "nobody has allowed it"
    await page.value(comes(waits))
    await page.value("document.querySelector('#signal').click()")
    assert await page.value("document.querySelector('#signal').innerText") == "Ring when asked: on"
    await page.until_true("window.rung.length === 1")  # it shows what was allowed
    await page.value(comes(asked))
    assert await page.value("window.rung.length") == 2
    await page.value(comes(asked))
    assert await page.value("window.rung.length") == 2, "the same question rings once"
    await page.value("document.querySelector('#signal').click()")
    await page.value(comes(waits))
    await page.value(comes(asked))
    assert await page.value("window.rung.length") == 2
