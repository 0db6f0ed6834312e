"""How fast Beach Head is played: by the game itself, and by the simulator.

    python benchmarks/beach_head.py
    python benchmarks/beach_head.py --check     compares averages of many games

They play in turn on this machine, without cards, and targets are chosen by lot. A ratio says how
many games the simulator plays while the game itself plays one.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from skirmish import library
from skirmish.games.beach_head.ruleset import BeachSetup
from skirmish.games.beach_head.simulate import engine
from skirmish.games.beach_head.simulate.policy import Uniform
from skirmish.games.beach_head.simulate.tally import GamesTally
from skirmish.tabletop.chance import Source

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/games/beach_head"))


class Averages(NamedTuple):
    """Means of many games."""

    turns: float
    casualties: float
    alive: float


KNOWN = Averages(11.585, 69.19, 41.75)
"""By two programs that were written without a look at this one."""
KNOWN_GAMES = 1_000_000
"""The games of each of those programs."""
GAMES_A_SECOND = 100
"""Of the game itself, as earlier runs had it."""
SIMULATED_A_SECOND = 200_000
"""The same of the simulator on one core."""


def setup() -> BeachSetup:
    """Normandy with every ruling at its default, without cards."""
    return library.beach().setup(dice=Source("die", None))


def say_speed(name: str, games: int, seconds: float, base_speed: float | None) -> float:
    """Prints the games a second and, where there is a speed to compare with, how many times that
    is. Returns the speed."""
    speed = games / seconds
    ratio = ""
    if base_speed is not None:
        ratio = f"{speed / base_speed:12,.0f} times"
    print(f"{name:44}{games:12,} games{speed:14,.0f} a second{ratio}", flush=True)
    return speed


def timed(play: Callable[[], object]) -> float:
    """The seconds that ``play`` takes."""
    start = time.perf_counter()
    play()
    return time.perf_counter() - start


def seconds_of_the_game_itself(games: int) -> float:
    """What so many games take, order by order."""
    from plainly import game, to_the_end

    def play() -> None:
        for seed in range(games):
            to_the_end(game(seed), seed)

    return timed(play)


def seconds_of_the_simulator(job: engine.Job, games: int) -> float:
    """What so many games take in this process."""

    def play() -> None:
        engine.together(engine.simulate(job, games))

    return timed(play)


def seconds_in_processes(job: engine.Job, games: int, cores: int) -> float:
    """What so many games take, without the start of the processes and what each of them loads
    first."""
    with ProcessPoolExecutor(cores) as pool:

        def play(wanted: int) -> None:
            engine.together(engine.simulate(job, wanted, pool, workers=cores))

        # Any work for each of them starts the processes, and a chunk for each has them load all.
        list(pool.map(abs, range(cores)))
        play(cores * engine.CHUNK)
        return timed(partial(play, games))


def deviations(tally: GamesTally) -> str:
    """How far the averages are from those that are known, in standard errors: 0 is the same, and
    beyond 3 is hardly chance."""
    spreads = (tally.turns, tally.casualties, tally.alive)
    texts = []
    for spread, known_mean in zip(spreads, KNOWN, strict=True):
        error = spread.deviation * math.sqrt(1 / tally.games + 1 / KNOWN_GAMES)
        texts.append(f"{(spread.mean - known_mean) / error:+.1f}")
    return ", ".join(texts)


def speeds(cores: int, seconds: float) -> None:
    """Print how fast each of them plays; each line takes about ``seconds``."""
    games = round(GAMES_A_SECOND * seconds)
    took = seconds_of_the_game_itself(games)
    base_speed = say_speed("the game itself, one core", games, took, None)
    job = engine.Job(setup(), Uniform(), 1)
    games = round(SIMULATED_A_SECOND * seconds)
    took = seconds_of_the_simulator(job, games)
    say_speed("the simulator, one core", games, took, base_speed)
    games *= cores
    took = seconds_in_processes(job, games, cores)
    say_speed(f"the simulator, {cores} processes", games, took, base_speed)


def check(games: int) -> None:
    """Compares the simulator's averages with those of two other programs."""
    means = ", ".join(f"{mean:g}" for mean in KNOWN)
    print(f"\nTurns, casualties, alive: standard errors from {means}")
    tally = engine.together(engine.simulate(engine.Job(setup(), Uniform(), 2), games))
    print(f"  {tally.games:,} games: {deviations(tally)}", flush=True)


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
