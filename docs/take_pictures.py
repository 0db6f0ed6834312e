"""Takes the pictures of README and docs from the real app: ``make pictures``.

Every picture is the app itself, driven by keys in a terminal of the size given, with decks that
always come in the same order. They are SVG, and use whatever typeface the reader has.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from skirmish.app.application import SkirmishApp
from skirmish.store.settings import Settings, write_settings

HERE = Path(__file__).parent / "pictures"
WIDE, NARROW = (120, 40), (80, 24)
SEED = 7
PAUSE = 0.25
"""Seconds after each key, so that workers have shown what they found."""
FONT_FROM_AFAR = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


class Picture(NamedTuple):
    """A picture: the keys that lead to it from the home screen."""

    name: str
    size: tuple[int, int]
    keys: Sequence[str]
    settings: Settings = Settings()


OVERMATCHED = ("n", "wait", "b", "wait", "b", "wait")
DOG_BEACH = ("n", "wait", "end", "up", "b", "wait", "b", "wait")
FIRE = ("c", "h", "space", ".", "m", "g", "space")
PICTURES = (
    Picture("battle", WIDE, (*OVERMATCHED, *FIRE)),
    Picture("battle-narrow", NARROW, (*OVERMATCHED, *FIRE)),
    Picture("battle-paper", WIDE, (*DOG_BEACH, ">", "m", "r", "space"), Settings(theme="paper")),
    Picture("home", NARROW, ()),
    Picture("scenario", WIDE, ("s", "wait", "end", "up", "wait")),
    Picture("map", WIDE, ("s", "wait", "end", "up", "tab", "wait")),
    Picture("one-question", NARROW, (*OVERMATCHED, "f2", "wait")),
    Picture("rules", NARROW, ("r", "wait", "slash", *"repeat", "wait")),
)


async def take(picture: Picture, database: Path) -> None:
    """One picture into its file."""
    liked = database.with_suffix(".toml")
    write_settings(liked, picture.settings)
    app = SkirmishApp(str(database), database.parent, seed=lambda: SEED, liked=liked)
    async with app.run_test(size=picture.size) as pilot:
        await pilot.pause(1.0)
        for key in picture.keys:
            if key == "wait":
                await pilot.pause(1.0)
            else:
                await pilot.press(key)
                await pilot.pause(PAUSE)
        drawn = app.export_screenshot(title="Skirmish")
    plain = FONT_FROM_AFAR.sub("", drawn)
    (HERE / f"{picture.name}.svg").write_text(plain + "\n", "utf-8")


async def take_all() -> None:
    """All of them; the battles of one picture are what home shows in another."""
    os.environ["TZ"] = "UTC"
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            print(picture.name)
            await take(picture, Path(folder) / "skirmish.db")


if __name__ == "__main__":
    asyncio.run(take_all())
