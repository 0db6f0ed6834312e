"""A monkey at the keyboard: keys in bursts, pastes, the mouse, a window that changes its size.

    python benchmarks/monkey.py --keys 100000 --seed 1     (or: make monkey)

Each episode opens the app on a copy of a database with battles, games and armies, goes to one of
the screens, and types on without ever waiting for what a key does, as people do who type ahead.
All that was typed has been read before the episode ends. What ends the app is reported with its
last keys. The exit code is 1 if anything did. Every tenth episode is composed for a terminal too;
in the others the widgets are only drawn, which takes a third of the time.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import gc
import os
import random
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from textual import events
from textual.geometry import Size

from skirmish import registry
from skirmish.app.application import SkirmishApp
from skirmish.store.database import Store
from skirmish.tabletop.form import SetupForm

sys.path += [str(Path(__file__).parents[1] / "tests" / folder) for folder in ("", "app")]
from unseen import unseen

TOY = registry.Listed("toy", "First to Ten", "Two sides and one die.", "toy")
"""The tests' own game, whose questions are of other kinds than Beach Head's."""
WAYS = (
    "", "n", "n enter", "n enter b", "n tab tab", "n end enter", "n end enter b", "s", "a", "a n",
    "a n enter", "a n down enter", "a enter", "a enter e", "a enter w", "a enter o", "a o",
    "a enter p", "a space down v", "b", "b n", "b n b", "b n b W", "b n b J", "b n b P",
    "b n b S", "b n b N", "b n b percent_sign", "b n b enter enter f2", "b s", "b f1", "b n l", "m",
    "m enter", "m enter b", "m down enter", "m down enter b", "m down enter b 1",
    "m down enter b J", "m end enter b f1", "m n b", "end f", "end f v", "end enter J",
    "end enter J v", "end enter S", "end enter W", "end enter P", "p",
    "f", "r", "r tab", "g", "g enter", "t", "t end enter", "t k", "question_mark",
    "percent_sign", "ctrl+p", "ctrl+p R U L", "enter", "enter enter", "enter f2", "enter J",
    "enter Y", "enter Y l", "enter P", "enter Z", "enter I", "enter N", "enter T", "enter U",
    "enter G", "enter percent_sign", "enter f1", "enter question_mark", "enter ctrl+p",
    "down enter", "end enter", "end enter f2", "d", "d p", "d e", "d e 3", "s n x enter",
    "s n x enter 1", "s n x enter 3", "s n x enter 4", "s n x enter 5", "s n x enter 6",
    "s e y", "s e y 3", "s e y 5", "s down down e y 2 space", "s n x enter h enter space v",
)  # fmt: skip
"""Keys that lead from home to the screens, so that every one is met soon."""
OFTEN = ("enter", "escape", "escape", "space", "up", "down", "left", "right", "tab")
SELDOM = (
    "shift+tab", "home", "end", "pageup", "pagedown", "backspace", "delete", "f1", "f2", "f3",
    "f4", "f5", "f6", "f7", "ctrl+z", "ctrl+y", "ctrl+a", "ctrl+o", "ctrl+c", "ctrl+u", "ctrl+k",
    "ctrl+p",
)  # fmt: skip
TYPED = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!?%+-></,;:'\"#*()[]"
NAMED = {
    ".": "full_stop", "!": "exclamation_mark", "?": "question_mark", "%": "percent_sign",
    "+": "plus", "-": "minus", ">": "greater_than_sign", "<": "less_than_sign",
}  # fmt: skip
"""Textual's names of signs that are no letters or digits."""
PASTED = ("7h", "7 3h q 10", "[/b]", "Nobody", "\n\n", "9" * 400, "x" * 3000, "כוח", "\x1b[2J", "")
USUAL_SIZES = ((80, 24), (120, 40), (160, 50), (200, 60))
SIZES = (*USUAL_SIZES, (79, 23), (40, 10), (10, 3), (1, 1))
"""Those of the window, in columns and rows."""
LEAST_ROWS = 23
RESIZES, RESIZES_OF_SMALL = 0.03, 0.15
"""The share of deeds that change the size of the window, and of a window that is too small."""
LAST = 40
"""So many of the last keys are printed with a breakdown."""
STUCK = 60.0
"""Seconds after which an app that has not read its keys hangs."""
MOST_BROKEN = 100
"""Breakdowns after which the run ends."""
REAL_EACH = 10
"""Each so many-th episode is composed for a terminal."""


async def stay() -> None:
    """In place of the action that quits: the monkey presses q, too, and the app stays."""


class Breakdown(Exception):  # noqa: N818
    """The app ended; says after which keys."""


class Monkey:
    """Types into one app; ``seen`` counts the screens that were in front, ``typed`` its keys."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.typed = 0
        self.last: collections.deque[str] = collections.deque(maxlen=LAST)
        self.seen: collections.Counter[str] = collections.Counter()

    async def play(self, app: SkirmishApp, way: str, count: int) -> None:
        """Press the keys of the way, then do so many random things. Raises Breakdown."""
        self.last.clear()
        app.action_quit = stay  # type: ignore[method-assign]
        try:
            async with app.run_test(size=self.chance.choice(USUAL_SIZES)) as pilot:
                await pilot.pause()
                for key in way.split():
                    self._press(app, key)
                    await asyncio.sleep(0.04)
                    self._look(app)
                ends = self.typed + count
                while self.typed < ends and app.is_running:
                    await self._burst(app)
                    self._look(app)
                read = asyncio.Event()
                app.call_later(read.set)
                await asyncio.wait_for(read.wait(), STUCK)
                if not app.is_running:
                    raise RuntimeError("the app has ended")
        except Exception as error:
            raise Breakdown(f"{way} / {' '.join(self.last)}") from error

    def _look(self, app: SkirmishApp) -> None:
        self.seen[type(app.screen).__name__] += 1

    async def _burst(self, app: SkirmishApp) -> None:
        """Some things at once; then now and then a rest, long or short."""
        for _ in range(self.chance.choice((1, 1, 2, 3, 5, 8))):
            self._do(app)
            self.typed += 1
            for _ in range(self.chance.choice((0, 0, 0, 1, 2, 5))):
                await asyncio.sleep(0)
        rest = self.chance.random()
        if rest < 0.15:
            await asyncio.sleep(0.02)
        elif rest < 0.8:
            for _ in range(self.chance.randrange(30)):
                await asyncio.sleep(0)

    def _do(self, app: SkirmishApp) -> None:
        """One random deed: a size, a paste, a click, or a key."""
        kind = self.chance.random()
        sizes: Sequence[tuple[int, int]] = SIZES
        resizes = RESIZES
        if min(app.size.width, app.size.height) < LEAST_ROWS:
            # A small window is soon large again: there is little to meet in it.
            sizes, resizes = USUAL_SIZES, RESIZES_OF_SMALL
        if kind < resizes:
            self._resize(app, Size(*self.chance.choice(sizes)))
        elif kind < 0.05:
            text = self.chance.choice(PASTED)
            self.last.append(f"paste{text[:12]!r}")
            app.post_message(events.Paste(text))
        elif kind < 0.10:
            self._click(app)
        elif kind < 0.42:
            self._press(app, self.chance.choice(OFTEN))
        elif kind < 0.5:
            self._press(app, self.chance.choice(SELDOM))
        else:
            self._press(app, self.chance.choice(TYPED))

    def _resize(self, app: SkirmishApp, size: Size) -> None:
        self.last.append(f"resize{tuple(size)}")
        assert app._driver is not None
        app._driver._size = size  # as Textual's Pilot does
        app.post_message(events.Resize(size, size))

    def _press(self, app: SkirmishApp, key: str) -> None:
        self.last.append(key)
        character = None  # as of a key that writes nothing
        if key == "space":
            character = " "
        elif len(key) == 1:
            character = key
        app.post_message(events.Key(NAMED.get(key, key), character))

    def _click(self, app: SkirmishApp) -> None:
        x, y = self.chance.randrange(app.size.width), self.chance.randrange(app.size.height)
        self.last.append(f"click({x},{y})")
        # No widget, the place, no movement, the first button, no modifiers; the place once more.
        where = (None, x, y, 0, 0, 1, False, False, False, x, y)
        kinds: tuple[type[events.MouseEvent], ...]
        kinds = (events.MouseMove, events.MouseDown, events.MouseUp)
        if self.chance.random() < 0.2:
            kinds = (events.MouseScrollDown,)
        for kind in kinds:
            app.post_message(kind(*where))


def stock(path: Path) -> None:
    """A database with battles at different points, armies, and a game of each of the others."""
    from stocked import fill

    with Store.open(str(path)) as store:
        for listed in (TOY, registry.BEACH):
            game = registry.load(listed.id)
            first = game.opening(SetupForm(game).answers, lambda: 7)
            state = game.codec.play([first]).state
            entries = [game.codec.written(first)]
            store.add_battle(listed.id, game.title(state), game.headline(state), entries)
    fill(path, battles=4, armies=2)


async def run(keys: int, each: int, seed: int, database: Path, folder: Path) -> list[str]:
    """What broke down in so many keys, in episodes of ``each``."""
    chance = random.Random(seed)
    broken: list[str] = []
    monkey = Monkey(chance)
    began = time.monotonic()
    episode = 0
    while monkey.typed < keys and len(broken) < MOST_BROKEN:
        # Seven and the number of ways have no common divisor, so each way has its turn, and ways
        # that are alike do not follow one another.
        way = WAYS[episode * 7 % len(WAYS)]
        episode += 1
        where = shutil.copy(database, folder / f"{episode}.db")
        app = SkirmishApp(
            str(where), folder, seed=lambda: 7, settings_path=folder / f"{episode}.toml"
        )
        drawing: AbstractContextManager[object] = unseen()
        if episode % REAL_EACH == 0:
            drawing = nullcontext()
        try:
            with drawing:
                await monkey.play(app, way, min(each, keys - monkey.typed))
        except Breakdown as error:
            reason = "".join(traceback.format_exception(error.__cause__))
            broken.append(f"episode {episode}: {error}\n{reason}")
            print(broken[-1])
        for used in folder.glob(f"{episode}.*"):
            used.unlink(missing_ok=True)
        if episode % 20 == 0:
            rate = monkey.typed / (time.monotonic() - began)
            print(f"{monkey.typed} keys, {len(broken)} breakdowns, {rate:.0f} a second", flush=True)
    print(f"{monkey.typed} keys in {episode} episodes, {len(broken)} breakdowns")
    print(", ".join(f"{name} {times}" for name, times in monkey.seen.most_common()))
    return broken


def main(given: Sequence[str] | None = None) -> int:
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--keys", type=int, default=100_000)
    asked.add_argument("--each", type=int, default=250, help="keys of one episode")
    asked.add_argument("--seed", type=int, default=1)
    options = asked.parse_args(given)
    registry.GAMES.append(TOY)
    gc.set_threshold(50_000, 20, 20)  # apps leave much behind, but seldom cycles worth a search
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        # Else it would draw and delete among the player's own scenarios.
        os.environ["SKIRMISH_SCENARIOS"] = str(folder / "scenarios")
        database = folder / "stock.db"
        stock(database)
        broken = asyncio.run(run(options.keys, options.each, options.seed, database, folder))
    return int(bool(broken))


if __name__ == "__main__":
    raise SystemExit(main())
