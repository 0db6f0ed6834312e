"""What following costs: the processor while nothing happens, and how long a shot takes to arrive.

    python benchmarks/following.py          (or: make bench)

The real program follows a battle of 5,000 journal entries in a terminal; beside it, in the same
seconds, the same program stands at home. Then a battle just begun is fought in one terminal and
followed in another. Nothing is asserted. Processor time is read where ``/proc`` tells it.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from kills import settle, shot
from long_battle import TITLE, fight, keep
from onlooker import SKIRMISH, SPACE_DEAD, Facts, Onlooker, fold, read

SECONDS = 20
ENTRIES = 5_000
SHOTS = 10
SETTLES = 3.0
"""Seconds until everything behind the first paint is loaded."""
LINGERS = 2.2
"""Seconds for which a verdict stays on the follower's screen before the next one comes."""


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    # The name of the program stands in brackets, and may itself have spaces and brackets.
    _, _, after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    fields = after_name.split()
    ticks_of_program, ticks_of_kernel = int(fields[11]), int(fields[12])
    return (ticks_of_program + ticks_of_kernel) / os.sysconf("SC_CLK_TCK")


class IdleShares(NamedTuple):
    """The share of one processor that each program takes while nothing happens."""

    follower: float
    at_home: float


def idle(database: Path, seconds: int) -> IdleShares:
    """Measure for so many seconds a follower and a program at home, side by side."""
    with Onlooker(database, [*SKIRMISH, "follow"]) as follower, Onlooker(database) as home:
        follower.until_says("FOLLOWING")
        home.until_says(TITLE)
        follower.rest(SETTLES)
        home.rest(SETTLES)
        follower_before, home_before = processor(follower.pid), processor(home.pid)
        time.sleep(seconds)
        return IdleShares(
            (processor(follower.pid) - follower_before) / seconds,
            (processor(home.pid) - home_before) / seconds,
        )


def arrivals(database: Path, shots: int, chance: random.Random) -> list[float]:
    """Seconds from the moment at which the player's own screen shows a shot until the follower's
    does."""
    seconds: list[float] = []
    with Onlooker(database) as player:
        player.begin()
        with Onlooker(database, [*SKIRMISH, "follow"]) as follower:
            follower.until(read)
            while len(seconds) < shots:
                _, states = fold(database)
                shot_keys = ""
                if states[-1].ask is None:
                    shot_keys = shot(states[-1], chance)
                player.rest(LINGERS)
                if shot_keys:
                    player.press(shot_keys)
                elif states[-1].ask is not None:
                    player.press("\r")
                else:
                    player.press("E\r")  # nobody can fire: the turn ends
                settle(player, database, len(states))
                began = time.perf_counter() - SPACE_DEAD  # settle rests so long at the end
                _, states = fold(database)
                wanted = Facts.of(states[-1])

                def arrived(lines: list[str], wanted: Facts = wanted) -> bool:
                    seen = read(lines)
                    return seen is not None and seen.facts.fits(wanted)

                follower.until(arrived)
                if shot_keys:
                    seconds.append(time.perf_counter() - began)
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=int, default=SECONDS, help=f"idle time ({SECONDS})")
    parser.add_argument("--shots", type=int, default=SHOTS, help=f"how many shots ({SHOTS})")
    parser.add_argument("--entries", type=int, default=ENTRIES, help="of the long battle (5000)")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        long, fresh = Path(folder) / "long.db", Path(folder) / "fresh.db"
        if Path("/proc").is_dir():
            keep(long, fight(chosen.entries))
            shares = idle(long, chosen.seconds)
            print(f"processor while nothing happens, {chosen.seconds} s, {chosen.entries} entries")
            print(f"  following {shares.follower:7.2%}    at home {shares.at_home:7.2%}")
        took = arrivals(fresh, chosen.shots, random.Random(1))
        print(f"a shot on the follower's screen after the player's: median {median(took):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
