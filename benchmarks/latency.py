"""From the key byte to the verdict on the screen, the order stored on the disk in between.

    python benchmarks/latency.py            (or: make bench)

The real program in a terminal, watched from outside: Space for a shot, until the card that was
drawn can be read. This is done in a battle just begun and in one of 5,000 journal entries, and in
turns with them a key is answered by the smallest Textual app: trust the ratios, not the
milliseconds. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

import bare
from figures import Times
from kills import keys, settle, shot
from long_battle import TITLE, fight, keep
from onlooker import SPACE_DEAD, Facts, Onlooker, fold, read
from terminal import NotSeenError

from skirmish.games.plastic.battle.state import State

HERE = Path(__file__).resolve().parent
SHOTS = 25
ENTRIES = 5_000
OPENINGS = 5
ORM_LOADED = 3.0
"""Seconds after home is shown until the ORM is loaded, too, behind the first paint."""
LONGEST = 2.0
"""Seconds for a verdict; where none comes the shot was refused or drew the same card again."""
_TRIES = 6
"""Orders that are given before it is given up to time a shot."""


class Battle:
    """A battle open in the program, in which one shot after another is timed."""

    def __init__(self, onlooker: Onlooker, database: Path, chance: random.Random) -> None:
        self._onlooker = onlooker
        self._database = database
        self._chance = chance

    def time_shot(self) -> float | None:
        """Seconds from Space to the verdict; None where nobody could fire in a while."""
        for _ in range(_TRIES):
            _, states = fold(self._database)
            state = states[-1]
            shot_keys = ""
            if state.ask is None:
                shot_keys = shot(state, self._chance)
            if not shot_keys:
                self._onlooker.press(keys(state, self._chance))
                with contextlib.suppress(NotSeenError):
                    settle(self._onlooker, self._database, len(states))
                continue
            self._onlooker.press(shot_keys.removesuffix(" "))
            self._onlooker.rest(SPACE_DEAD)
            with contextlib.suppress(NotSeenError):
                return self._time_space(state)
            self._onlooker.press("\x1b\x1b")  # away with a shot that was refused
        return None

    def _time_space(self, state: State) -> float:
        """Seconds from Space until a card has left the deck and another one is named on the screen.
        Raises NotSeenError."""
        cards_left = Facts.of(state).cards_left
        cards_before: Sequence[str] = ()
        seen = read(self._onlooker.lines())
        if seen is not None:
            cards_before = seen.cards

        def shows_verdict(lines: list[str]) -> bool:
            now = read(lines)
            if now is None or now.facts.cards_left == cards_left:
                return False
            return now.cards != cards_before

        return self._onlooker.took(" ", shows_verdict, patience=LONGEST)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--shots", type=int, default=SHOTS, help=f"of each kind ({SHOTS})")
    parser.add_argument("--entries", type=int, default=ENTRIES, help="of the long battle (5000)")
    parser.add_argument("--openings", type=int, default=OPENINGS, help=f"of it ({OPENINGS})")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="skirmish-bench-") as name:
        fresh, long = Path(name) / "fresh.db", Path(name) / "long.db"
        battle = fight(chosen.entries)
        keep(long, battle)
        print(
            f"{len(battle.entries)} entries, {len(battle.live)} of them standing. "
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, "
            f"Python {sys.version.split()[0]}."
        )
        time_shots(fresh, long, chosen.shots)
        time_openings(long, chosen.openings)
        print(f"\nLoad at the end {os.getloadavg()[0]:.1f}.")
    return 0


def time_shots(fresh: Path, long: Path, count: int) -> None:
    """Time and print shots of both battles and keys of the bare app, in turns."""
    chance = random.Random(3)
    seconds: dict[str, list[float]] = {"bare": [], "new": [], "long": []}
    with (
        Onlooker(fresh, [sys.executable, str(HERE / "bare.py")]) as bare_app,
        Onlooker(fresh) as new_battle,
        Onlooker(long) as long_battle,
    ):
        bare_app.until_says(bare.SHOWN)
        new_battle.begin()
        long_battle.until_says(TITLE)
        long_battle.rest(ORM_LOADED)
        long_battle.resume()
        new_battle.rest(1.0)
        in_turn: dict[str, Callable[[], float | None]] = {
            "bare": partial(_time_bare_key, bare_app, chance),
            "new": Battle(new_battle, fresh, chance).time_shot,
            "long": Battle(long_battle, long, chance).time_shot,
        }
        for turn in range(count + 1):
            is_counted = turn > 0  # the first only fills caches
            for kind, time_once in in_turn.items():
                took = time_once()
                if took is not None and is_counted:
                    seconds[kind].append(took)
    print("\nFrom the key byte to the answer on the screen (x: times the bare app)")
    base = median(seconds["bare"])
    _line("bare app: any key", seconds["bare"], base)
    _line("a new battle: Space to the verdict", seconds["new"], base)
    _line("a long battle: Space to the verdict", seconds["long"], base)


def _time_bare_key(bare_app: Onlooker, chance: random.Random) -> float:
    """Seconds from a letter until the bare app names it."""
    key = chance.choice("abcdefgh")
    bare_app.press("-")  # so that the letter is not named already
    bare_app.rest(0.1)
    answer = f"{bare.ANSWERED}: {key}"

    def is_answered(lines: list[str]) -> bool:
        return any(answer in line for line in lines)

    return bare_app.took(key, is_answered)


def time_openings(long: Path, count: int) -> None:
    """Time and print what it takes from Enter on the home screen to the battle, with the ORM
    loaded."""
    seconds = []
    for _ in range(count):
        with Onlooker(long) as onlooker:
            onlooker.until_says(TITLE)
            onlooker.rest(ORM_LOADED)
            seconds.append(onlooker.took("\r", read))
    print("\nFrom Enter on the home screen, the ORM loaded")
    _line("a long battle: open", seconds, median(seconds))


def _line(name: str, seconds: Sequence[float], base: float) -> None:
    """Print the figures of a kind, and how many times ``base`` its median is."""
    if len(seconds) < 2:
        print(f"  {name:<42} too few to tell ({len(seconds)})")
        return
    times = Times.of(seconds)
    print(
        f"  {name:<42} median {times.middle:6.1f} ms   95 % {times.most:6.1f} ms"
        f"   {times.middle / 1000 / base:5.2f} x   ({len(seconds)})",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
