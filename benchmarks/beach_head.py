"""How fast Beach Head is played: the game itself, NumPy, and compiled code, side by side.

    python benchmarks/beach_head.py
    python benchmarks/beach_head.py --check     a longer comparison of averages, some minutes

One process plays after the other, on this machine, without cards, targets by lot. What is compiled
is timed apart from what it plays. The ratios say how many games there are for one of the game's.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

from skirmish import library
from skirmish.games.beach_head.ruleset import Setup, prepared
from skirmish.games.beach_head.simulate import engines
from skirmish.games.beach_head.simulate.policy import Uniform
from skirmish.games.beach_head.simulate.statistics import Tally
from skirmish.tabletop.chance import Source

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/games/beach_head"))

KNOWN = (11.585, 69.19, 41.75)
"""Mean turns, casualties, alive, by two programs that know nothing of this one; a million games."""


def setup(rulings: dict[str, str] | None = None) -> Setup:
    return prepared(
        library.beach_ruleset(),
        library.beach_rulings(),
        rulings=rulings or {},
        dice=Source("die", None),
    )


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


def near(tally: Tally) -> str:
    """How far the averages are from those that are known, in standard errors."""
    far = [
        (spread.mean - mean) / (spread.deviation * math.sqrt(1 / tally.games + 1 / 1_000_000))
        for spread, mean in zip((tally.turns, tally.casualties, tally.alive), KNOWN, strict=True)
    ]
    return ", ".join(f"{one:+.1f}" for one in far)


def speeds(cores: int, seconds: float) -> None:
    games = round(100 * seconds)
    base = line("the game itself, one core", games, plain(games), None)
    job = engines.job(setup(), Uniform(), 1)
    engines.ready(job)
    games = round(200_000 * seconds)
    took = timed(lambda: engines.together(engines.simulate(job, games)))
    line("NumPy, one core", games, took, base)
    with ProcessPoolExecutor(cores) as pool:
        list(pool.map(abs, range(cores)))  # the processes are there
        engines.together(engines.simulate(job, cores * engines.CHUNK, pool, workers=cores))
        games = round(200_000 * seconds) * cores
        took = timed(lambda: engines.together(engines.simulate(job, games, pool, workers=cores)))
    line(f"NumPy, {cores} processes", games, took, base)
    if not engines.is_here():
        print("numba is not installed: left out.")
        return
    job = engines.job(setup(), Uniform(), 1, "numba")
    print(
        f"{'numba compiles':44}{timed(lambda: engines.ready(job)):12.1f} s, once for each reading"
    )
    games = round(500_000 * seconds)
    took = timed(lambda: engines.together(engines.simulate(job, games)))
    line("numba, one core", games, took, base)
    with ThreadPoolExecutor(cores) as pool:
        games = round(500_000 * seconds) * cores
        took = timed(lambda: engines.together(engines.simulate(job, games, pool, workers=cores)))
    line(f"numba, {cores} threads", games, took, base)


def check(games: int) -> None:
    """Both engines against what is known, and against each other under other readings."""
    print("\nTurns, casualties, alive: standard errors from 11.585, 69.19, 41.75")
    for engine in ("numpy", "numba"):
        if engine == "numba" and not engines.is_here():
            continue
        job = engines.job(setup(), Uniform(), 2, engine)  # type: ignore[arg-type]
        tally = engines.together(engines.simulate(job, games))
        print(f"  {engine}, {tally.games:,} games: {near(tally)}", flush=True)
    if not engines.is_here():
        return
    print("\nEvery answer of every live ruling: standard errors between the two engines")
    for name, ruling in library.beach_rulings().rulings.items():
        for answer in ruling.answers:
            if ruling.mode == "live" and answer != ruling.default:
                told = []
                for engine in ("numpy", "numba"):
                    job = engines.job(setup({name: answer}), Uniform(), 3, engine)  # type: ignore[arg-type]
                    told.append(engines.together(engines.simulate(job, games // 4)))
                far = []
                for one, other in zip(told[0].spreads(), told[1].spreads(), strict=True):
                    error = math.hypot(one[1].error, other[1].error)
                    far.append(f"{one[0]} {(one[1].mean - other[1].mean) / error:+.1f}")
                print(f"  {name}={answer}: {', '.join(far)}", flush=True)


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
