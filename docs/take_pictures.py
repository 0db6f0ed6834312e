"""Takes the pictures of README and docs from the real app: ``make pictures``.

Every picture is the app itself, driven by keys in a terminal of the size given, with decks that
always come in the same order. They are SVG, and use whatever typeface the reader has.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sqlite3
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from textual import constants

from skirmish.app.application import SkirmishApp
from skirmish.app.battle.screen import BattleScreen
from skirmish.app.terminal_picture import redrawn
from skirmish.store.settings import Settings, write_settings

HERE = Path(__file__).parent / "pictures"
PAUSE = 0.2
"""Seconds after each key, so that workers have shown what they found."""
LONGER = 1.0
"""Seconds for ``wait``: a screen that reads from the store."""
AN_EVENING = "2026-10-16T{:02}:{:02}:00.000000+00:00"
"""When the battles on the home screen were fought, so that a picture is the same every day."""


class Picture(NamedTuple):
    """A picture: the keys that lead to it from the home screen, and the seed of its decks."""

    name: str
    size: tuple[int, int]
    keys: Sequence[str]
    seed: int = 7
    settings: Settings = Settings()


OVERMATCHED = ("n", "wait", "b", "wait", "b", "wait")
DOG_BEACH = ("n", "wait", "end", "up", "b", "wait", "b", "wait")
AGAIN = ("enter", "space", "enter", "space", "enter", ".")
BLUFFS = ("m", "i", "space", *AGAIN, *AGAIN, *AGAIN, "p", "i", "space")
ROAD = ("c", "k", "space")
BEACH = ("b", "wait", "enter", "wait", "b", "wait", *("space",) * 6, "6", *("space",) * 4)
TEMPLATE = ("a", "wait", "n", "wait", "down", "down", "down")
PICTURES = (
    Picture("battle", (120, 34), (*DOG_BEACH, *BLUFFS), 6),
    Picture("battle-paper", (80, 24), (*OVERMATCHED, *ROAD), 2, Settings(theme="paper")),
    Picture("one-question", (80, 24), (*OVERMATCHED, "f2", "wait", "c", "k", "n")),
    Picture("army", (80, 24), (*TEMPLATE, "enter", "wait", "enter", "wait", "m", "1", "0")),
    Picture("map", (120, 40), ("s", "wait", "end", "up", "tab", "wait")),
    Picture("odds-table", (120, 34), ("percent_sign", "wait", "down", "right", "right")),
    Picture("beach-head", (120, 40), (*BEACH, "w", *["wait"] * 16), 11),
    Picture("rules", (80, 24), ("r", "wait", "slash", *"repeat", "wait")),
    Picture("home", (80, 24), ()),
)


async def take(picture: Picture, database: Path, folder: Path) -> None:
    """One picture into its file in ``folder``."""
    settings = database.with_suffix(".toml")
    write_settings(settings, picture.settings)

    def seed() -> int:
        return picture.seed

    app = SkirmishApp(str(database), database.parent, seed=seed, settings_path=settings)
    async with app.run_test(size=picture.size) as pilot:
        await pilot.pause(LONGER)
        for key in picture.keys:
            if key == "wait":  # no key, but a pause
                await pilot.pause(LONGER)
            else:
                await pilot.press(key)
                await pilot.pause(PAUSE)
        exported = app.export_screenshot()
    (folder / f"{picture.name}.svg").write_text(redrawn(exported, *picture.size), "utf-8")


def date_battles(database: Path) -> None:
    """Gives each battle an hour of its own by its number, so that pictures do not differ by it."""
    with sqlite3.connect(database) as connection:
        for (battle,) in connection.execute("SELECT id FROM battle").fetchall():
            when = AN_EVENING.format(18 + battle, 20)
            connection.execute("UPDATE battle SET updated = ? WHERE id = ?", (when, battle))


async def take_all(folder: Path, wanted: int) -> None:
    """The first so many; the battles of one picture are what home shows in another."""
    os.environ["TZ"] = "UTC"
    constants.COLOR_SYSTEM = "truecolor"  # type: ignore[misc]  # whatever terminal this runs in
    BattleScreen.HELD_WITHIN = 0.0  # no hand holds a key down here
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch) / "skirmish.db"
        for picture in PICTURES[:wanted]:
            print(picture.name)
            await take(picture, database, folder)
            date_battles(database)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=HERE, help="the folder of the pictures")
    parser.add_argument("--first", type=int, default=len(PICTURES), help="so many of them (all)")
    chosen = parser.parse_args()
    asyncio.run(take_all(chosen.into, chosen.first))
