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

from kills import settle, shot
from long_battle import TITLE, fight, keep
from onlooker import SKIRMISH, SPACE_DEAD, Facts, Onlooker, fold, read

SECONDS = 20
ENTRIES = 5_000
SHOTS = 10
SETTLES = 3.0  # seconds until everything behind the first paint is loaded
LINGERS = 2.2  # seconds for which a verdict stays on the follower's screen before the next


def processor(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle(database: Path, seconds: int) -> tuple[float, float]:
    """Shares of one processor: of the follower, and of the program at home."""
    with Onlooker(database, [*SKIRMISH, "follow"]) as follower, Onlooker(database) as home:
        follower.until_says("FOLLOWING")
        home.until_says(TITLE)
        follower.rest(SETTLES)
        home.rest(SETTLES)
        pids = (follower.pid, home.pid)
        before = [processor(pid) for pid in pids]
        time.sleep(seconds)
        one, other = ((processor(p) - b) / seconds for p, b in zip(pids, before, strict=True))
        return one, other


def arrivals(database: Path, shots: int, chance: random.Random) -> list[float]:
    """Seconds from the moment at which the player's own screen shows a shot until the follower's
    does."""
    found: list[float] = []
    with Onlooker(database) as player:
        player.begin()
        with Onlooker(database, [*SKIRMISH, "follow"]) as follower:
            follower.until(read)
            while len(found) < shots:
                _, states = fold(database)
                typed = shot(states[-1], chance) if states[-1].ask is None else ""
                player.rest(LINGERS)
                player.press(typed or ("\r" if states[-1].ask else "E\r"))
                settle(player, database, len(states))
                began = time.perf_counter() - SPACE_DEAD  # settle rests so long at the end
                _, states = fold(database)
                wanted = Facts.of(states[-1])

                def arrived(lines: list[str], wanted: Facts = wanted) -> bool:
                    seen = read(lines)
                    return seen is not None and seen.facts.fits(wanted)

                follower.until(arrived)
                if typed:
                    found.append(time.perf_counter() - began)
    return found


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
            one, other = idle(long, chosen.seconds)
            print(f"processor while nothing happens, {chosen.seconds} s, {chosen.entries} entries")
            print(f"  following {one:7.2%}    at home {other:7.2%}")
        took = arrivals(fresh, chosen.shots, random.Random(1))
        print(f"a shot on the follower's screen after the player's: median {median(took):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
