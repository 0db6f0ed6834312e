"""How fast Beach Head is played: by the game itself, and by the simulator.

    python benchmarks/beach_head.py
    python benchmarks/beach_head.py --check     compares averages of many games

One process plays after the other, on this machine, without cards, targets by lot. The ratios say
how many games there are for one of the game's.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from skirmish import library
from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.simulate import engine
from skirmish.games.beach_head.simulate.policy import Uniform
from skirmish.games.beach_head.simulate.statistics import GamesTally
from skirmish.tabletop.chance import Source

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/games/beach_head"))

KNOWN = (11.585, 69.19, 41.75)
"""Mean turns, casualties, alive, by two programs that know nothing of this one; a million games."""


def setup() -> BeachSetup:
    return library.beach().setup(dice=Source("die", None))


def line(name: str, games: int, seconds: float, plain: float | None) -> float:
    speed = games / seconds
    ratio = "" if plain is None else f"{speed / plain:12,.0f} times"
    print(f"{name:44}{games:12,} games{speed:14,.0f} a second{ratio}", flush=True)
    return speed


def timed(play: Callable[[], object]) -> float:
    start = time.perf_counter()
    play()
    return time.perf_counter() - start


def plain(games: int) -> float:
    from plainly import game, to_the_end

    return timed(lambda: [to_the_end(game(seed), seed) for seed in range(games)])


def near(tally: GamesTally) -> str:
    """How far the averages are from those that are known, in standard errors."""
    far = [
        (spread.mean - mean) / (spread.deviation * math.sqrt(1 / tally.games + 1 / 1_000_000))
        for spread, mean in zip((tally.turns, tally.casualties, tally.alive), KNOWN, strict=True)
    ]
    return ", ".join(f"{one:+.1f}" for one in far)


def speeds(cores: int, seconds: float) -> None:
    games = round(100 * seconds)
    base = line("the game itself, one core", games, plain(games), None)
    job = engine.Job(setup(), Uniform(), 1)
    games = round(200_000 * seconds)
    took = timed(lambda: engine.together(engine.simulate(job, games)))
    line("the simulator, one core", games, took, base)
    with ProcessPoolExecutor(cores) as pool:
        list(pool.map(abs, range(cores)))  # the processes are there
        engine.together(engine.simulate(job, cores * engine.CHUNK, pool, workers=cores))
        games = round(200_000 * seconds) * cores
        took = timed(lambda: engine.together(engine.simulate(job, games, pool, workers=cores)))
    line(f"the simulator, {cores} processes", games, took, base)


def check(games: int) -> None:
    print("\nTurns, casualties, alive: standard errors from 11.585, 69.19, 41.75")
    tally = engine.together(engine.simulate(engine.Job(setup(), Uniform(), 2), games))
    print(f"  {tally.games:,} games: {near(tally)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="all of them")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each line, about (2)")
    parser.add_argument("--check", action="store_true", help="compare averages instead")
    parser.add_argument("--games", type=int, default=2_000_000, help="of each comparison")
    given = parser.parse_args()
    if given.check:
        check(given.games)
    else:
        speeds(given.cores, given.seconds)


if __name__ == "__main__":
    main()
