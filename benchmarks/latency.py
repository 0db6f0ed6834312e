"""From the key byte to the verdict on the screen, the order kept on the disk in between.

    python benchmarks/latency.py            (or: make bench)

The real program in a terminal, watched from outside: Space for a shot, until the card that was
drawn can be read. In a battle just begun and in one of 5,000 journal entries, in turns with a key
that the smallest Textual app answers: trust the ratios, not the milliseconds. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles

import bare
from kills import keys, settle, shot
from long_battle import TITLE, fight, keep
from onlooker import SPACE_DEAD, Facts, Onlooker, fold, read
from terminal import NotSeenError

from skirmish.games.plastic.battle.state import State

HERE = Path(__file__).resolve().parent
SHOTS = 25
ENTRIES = 5_000
OPENINGS = 5
ORM_LOADED = 3.0  # seconds after home is shown
LONGEST = 2.0  # seconds for a verdict; where none comes the shot was refused or drew the same card
_TRIES = 6


class Battle:
    """A battle open in the program, in which one shot after another is timed."""

    def __init__(self, onlooker: Onlooker, database: Path, chance: random.Random) -> None:
        self._onlooker = onlooker
        self._database = database
        self._chance = chance

    def shot(self) -> float | None:
        """Seconds from Space to the verdict; None where nobody could fire in a while."""
        for _ in range(_TRIES):
            state, entries = self._stands()
            typed = shot(state, self._chance) if state.ask is None else ""
            if not typed:
                self._onlooker.press(keys(state, self._chance))
                with contextlib.suppress(NotSeenError):
                    settle(self._onlooker, self._database, entries)
                continue
            self._onlooker.press(typed.rstrip(" "))
            self._onlooker.rest(SPACE_DEAD)
            before = Facts.of(state)
            seen = read(self._onlooker.lines())
            cards = seen.cards if seen else ()

            def verdict(
                lines: list[str], before: Facts = before, cards: Sequence[str] = cards
            ) -> bool:
                now = read(lines)
                return now is not None and now.facts.left != before.left and now.cards != cards

            with contextlib.suppress(NotSeenError):
                return self._onlooker.took(" ", verdict, patience=LONGEST)
            self._onlooker.press("\x1b\x1b")
        return None

    def _stands(self) -> tuple[State, int]:
        _, states = fold(self._database)
        return states[-1], len(states)


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
        shots(fresh, long, chosen.shots)
        openings(long, chosen.openings)
        print(f"\nLoad at the end {os.getloadavg()[0]:.1f}.")
    return 0


def shots(fresh: Path, long: Path, count: int) -> None:
    """Shots of both battles and keys of the bare app, in turns."""
    chance = random.Random(3)
    found: dict[str, list[float]] = {"bare": [], "new": [], "long": []}
    with (
        Onlooker(fresh, [sys.executable, str(HERE / "bare.py")]) as empty,
        Onlooker(fresh) as one,
        Onlooker(long) as other,
    ):
        empty.until_says(bare.SHOWN)
        one.begin()
        other.until_says(TITLE)
        other.rest(ORM_LOADED)
        other.resume()
        one.rest(1.0)
        in_turn: dict[str, Callable[[], float | None]] = {
            "bare": lambda: _bare_key(empty, chance.choice("abcdefgh")),
            "new": Battle(one, fresh, chance).shot,
            "long": Battle(other, long, chance).shot,
        }
        for turn in range(count + 1):
            for kind, once in in_turn.items():
                took = once()
                if took is not None and turn:  # the first is for warmth
                    found[kind].append(took)
    print("\nFrom the key byte to the answer on the screen (x: times the bare app)")
    base = median(found["bare"])
    _line("bare app: any key", found["bare"], base)
    _line("a new battle: Space to the verdict", found["new"], base)
    _line("a long battle: Space to the verdict", found["long"], base)


def _bare_key(empty: Onlooker, key: str) -> float:
    empty.press("-")
    empty.rest(0.1)
    return empty.took(key, lambda lines: any(f"{bare.ANSWERED}: {key}" in line for line in lines))


def openings(long: Path, count: int) -> None:
    """From Enter on the home screen to the battle, with the ORM loaded."""
    found = []
    for _ in range(count):
        with Onlooker(long) as onlooker:
            onlooker.until_says(TITLE)
            onlooker.rest(ORM_LOADED)
            found.append(onlooker.took("\r", read))
    print("\nFrom Enter on the home screen, the ORM loaded")
    _line("a long battle: open", found, median(found))


def _line(what: str, found: Sequence[float], base: float) -> None:
    if len(found) < 2:
        print(f"  {what:<42} too few to tell ({len(found)})")
        return
    middle, most = median(found), quantiles(found, n=20, method="inclusive")[-1]
    print(
        f"  {what:<42} median {middle * 1000:6.1f} ms   95 % {most * 1000:6.1f} ms"
        f"   {middle / base:5.2f} x   ({len(found)})",
        flush=True,
    )


if __name__ == "__main__":
    raise SystemExit(main())
