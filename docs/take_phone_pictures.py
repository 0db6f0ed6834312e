"""Takes the picture of docs/phone.md from the page of a side in Chromium: ``make pictures``.

The battle is a real one with decks that always come in the same order; each phone shows the page
that the server would send it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image

from skirmish import registry
from skirmish.session import AnySession, Session, at_once, job_runner
from skirmish.store.database import Store
from skirmish.tabletop.form import SetupForm
from skirmish.tabletop.journal import Play
from skirmish.web import server
from skirmish.web.gate import TYPEFACE_FILES
from skirmish.web.phones import FONTS
from skirmish.web.side_html import document
from skirmish.web.side_player import SidePlayer, board_page, side_page

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests" / "browser"))

from chromium import Browser, browsing

HERE = Path(__file__).parent / "pictures"
PHONE = (390, 844)
"""The width and height of a phone in CSS pixels."""
GAP = 24
"""Pixels between two phones."""
INKS = 96
"""Inks of the palette of the picture."""
SEED = 6
SHOT, FIRE = ("m", "i"), "enter"
"""The keys of a shot: the shooter, the target, and then fire."""
SCHEMES = ("dark", "light", "dark")
"""The colours of the phones from left to right."""


class Phone:
    """The phone of one side, and what was tapped on it."""

    def __init__(self, session: AnySession, side: str) -> None:
        self.session, self.side = session, side
        self.keys: tuple[str, ...] = ()

    @property
    def player(self) -> SidePlayer:
        """Plays for the side from what it may see now, with the keys that were tapped."""
        play = self.session.game.seen(self.session.play, self.side)

        def seen() -> Play[Any, Any, Any]:
            return play

        entries = len(self.session.play.entries)
        return SidePlayer(self.session, self.side, seen, entries, self.keys)

    def tap(self, *presses: str) -> None:
        for press in presses:
            player = self.player
            at_once(player.tap(press))
            self.keys = player.keys

    def html(self) -> str:
        """The page as the server would send it."""
        player = self.player
        whose = self.session.game.players(self.session.state)[self.side]
        return document(side_page(player, board_page(player, whose)))


def pages(store: Store) -> list[str]:
    """A shot is put together, the other side chooses who dies, and a card of one's own is drawn."""
    # The first battle is drawn by the program, the second from a deck on the table.
    drawn_by_program = fought(store, own_deck=False)
    germans, americans = Phone(drawn_by_program, "german"), Phone(drawn_by_program, "american")
    germans.tap(*SHOT)
    shot = germans.html()
    germans.tap(FIRE)
    choice = americans.html()

    germans = Phone(fought(store, own_deck=True), "german")
    germans.tap(*SHOT)
    germans.tap(FIRE)
    return [shot, choice, germans.html()]


def fought(store: Store, *, own_deck: bool) -> AnySession:
    """Scenario 10 at its start; ``own_deck``: the Germans draw from a deck on the table."""
    game = registry.load("plastic")
    form = SetupForm(game)
    form.answer("battle", form.read("battle", "10"))
    if own_deck:
        form.answer("draws:german", form.read("draws:german", "own_deck"))
    first = game.opening(form.answers, always_the_same)
    session = at_once(Session.opened(game, job_runner(store), first))
    for order in game.first_orders(form.answers, always_the_same):
        at_once(session.give(order))
    return session


def always_the_same() -> int:
    return SEED


def lay_beside(folder: Path) -> None:
    """The style sheets, which find the typefaces where they are."""
    for sheet in server.PAGE_FOLDER.glob("*.css"):
        css = sheet.read_text("utf-8")
        for served, name in TYPEFACE_FILES.items():
            css = css.replace(served, (FONTS / f"{name}.woff2").as_uri())
        (folder / sheet.name).write_text(css, "utf-8")


async def taken(browser: Browser, html: str, folder: Path, scheme: str) -> Image.Image:
    """A picture of the page in dark or light colours."""
    file, picture = folder / "page.html", folder / "page.png"
    lay_beside(folder)
    file.write_text(html.replace("/page/", f"{folder.as_uri()}/"), "utf-8")
    page = await browser.page(*PHONE, touch=True)
    colours = [{"name": "prefers-color-scheme", "value": scheme}]
    await page.ask("Emulation.setEmulatedMedia", features=colours)
    await page.go(file.as_uri())
    await page.until_true("document.readyState === 'complete'")
    await asyncio.sleep(0.5)  # the verdict appears slowly
    await page.picture(picture)
    await page.close()
    return Image.open(picture).convert("RGB")


async def take(folder: Path) -> None:
    """All phones side by side in one picture."""
    with tempfile.TemporaryDirectory() as scratch:
        async with browsing() as browser:
            with Store.open(str(Path(scratch) / "skirmish.db")) as store:
                phones = []
                for html, scheme in zip(pages(store), SCHEMES, strict=True):
                    phones.append(await taken(browser, html, Path(scratch), scheme))
        width, height = PHONE
        whole = Image.new("RGB", (len(phones) * (width + GAP) - GAP, height), "white")
        for place, phone in enumerate(phones):
            whole.paste(phone, (place * (width + GAP), 0))
        whole.quantize(INKS, dither=Image.Dither.NONE).save(folder / "phones.png", optimize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=HERE, help="the folder of the picture")
    asyncio.run(take(parser.parse_args().into))
