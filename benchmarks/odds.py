"""How fast exact odds come, side by side with simulation and with icepool.

    python benchmarks/odds.py

Each line is the best of several runs on this machine, in the same process, in seconds of its
processor, since others may use the machine, too. A limit is that of a recent laptop, times how many
times as long this machine takes for plain work. A simulation is exact to 0.1 percentage points, in
95 of 100 cases, after (1.96 / 0.001)^2 / 4 = 960,400 volleys; fewer are run here, and the time for
all is reckoned from these.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
from figures import slowness

from skirmish import library
from skirmish.games.plastic.odds import pack as packs
from skirmish.games.plastic.odds.pack import Firer, OddsError, Pack, firer_of, one_shot
from skirmish.games.plastic.odds.volley import volley
from skirmish.games.plastic.rules.shot import Aim, Circumstances, Shot, aim, weapon_named

sys.path.insert(0, str(Path(__file__).parents[1] / "tests/games/plastic/odds"))

ENOUGH = round((1.96 / 0.001) ** 2 / 4)
"""Volleys of a simulation that is as good as wanted."""
SAMPLE = 4_000
"""Volleys that are simulated here."""
WANTED = 500
"""How many times as long as exact odds a simulation should take, at least."""
SHARES = {"rifle": 10, "machinegun": 4, "bazooka": 3, "mortar": 3}
"""How many of twenty shooters in a mixed volley."""
SIZE = 20
"""Shooters of a volley."""
TARGETS = 15
"""Men at whom they fire."""


def aimed(shooter: str, cover: bool = False) -> Aim:
    """A shot of such a unit at riflemen six inches away."""
    catalog, rulings = library.catalog(), library.rulings().defaults()
    unit = catalog.units[shooter]
    shot = Shot(
        shooter=unit,
        weapon=weapon_named(unit, None, catalog, rulings),
        target=catalog.units["rifle"],
        circumstances=Circumstances(distance=6, cover=cover),
    )
    return aim(shot, catalog, rulings)


def mixed(size: int, cover: bool = False) -> list[Firer]:
    """A volley of so many, half of them riflemen. Nobody is taken to be spared (P22), as on the
    screen for so many."""
    firers = []
    for unit, share in SHARES.items():
        for _ in range(size * share // 20):
            firers.append(msgspec.structs.replace(firer_of(aimed(unit, cover)), spared=0))
    return firers


def best(work: Callable[[], object], runs: int) -> float:
    """Seconds of the processor that the work takes, in the best of so many runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


SLOWER = slowness()
"""How many times as long as a recent laptop this machine takes."""


def line(name: str, seconds: float, limit: float | None = None, more: str = "") -> None:
    """Print a figure; ``limit`` is what it may take on a recent laptop, in seconds."""
    figure = f"{seconds * 1e3:9.2f} ms"
    if seconds < 1e-3:
        figure = f"{seconds * 1e6:9.1f} us"
    ratio = ""
    if limit is not None:
        limit_here = limit * SLOWER
        ratio = f"{seconds / limit_here:7.2f} of {limit_here * 1e3:.3g} ms"
    print(f"{name:52}{figure}  {ratio:18}{more}", flush=True)


def some_left(count: int) -> Pack:
    """A pack in which so many cards are left."""
    cards = random.Random(2).sample(packs.draws_of(packs.ALL_CARDS), count)
    return Pack(packs.bits(cards))


def against_simulation(
    name: str, firers: list[Firer], pack: Pack, exact_seconds: float, sample: int
) -> None:
    """Print how long a simulation would take, reckoned from a sample, beside the exact odds."""
    from brute import simulated  # beside the tests of the odds

    def simulate() -> object:
        return simulated(firers, [TARGETS], pack, sample, random.Random(3))

    seconds = best(simulate, 1) / sample * ENOUGH
    ratio = f"{seconds / exact_seconds:8,.0f} times as long; {WANTED} is wanted"
    line(f"  {name}: {ENOUGH:,} simulated", seconds, None, ratio)


def against_icepool(runs: int) -> None:
    """Print how long icepool takes for twenty rifles with a die, and with cards."""
    try:
        import icepool
    except ImportError:
        print("icepool is not installed: left out.")
        return
    firers = [firer_of(aimed("rifle"), die=True)] * 20

    def most_that_can_die(hits: int) -> int:
        return min(hits, TARGETS)

    def icepool_with_die() -> object:
        hits = 20 @ icepool.coin(5, 12)  # each of them hits by five of twelve faces
        return hits.map(most_that_can_die).probabilities()

    ours = best(lambda: volley(firers, [TARGETS], packs.of_die()), runs)
    theirs = best(icepool_with_die, runs)
    line("20 rifles with a d12", ours)
    line("  the same, icepool", theirs, None, f"{theirs / ours:8.2f} times as long")

    firers = [firer_of(aimed("rifle"))] * 20
    deck = icepool.Deck({1: 20, 0: 28})  # 20 of the 48 cards are hits

    def icepool_with_cards() -> object:
        hits = deck.deal(20).sum()
        return hits.map(most_that_can_die).probabilities()

    ours = best(lambda: volley(firers, [TARGETS], Pack()), runs)
    theirs = best(icepool_with_cards, runs)
    line("20 rifles with cards", ours)
    line("  the same, icepool", theirs, None, f"{theirs / ours:8.2f} times as long")


def memory(size: int, largest: int) -> None:
    """Print the memory for volleys of ``size``, and of twice and ``largest`` times as many."""
    print("\nMemory at its peak, out of a fresh deck, with three men for four shooters:")
    for times in sorted({1, min(2, largest), largest}):
        count = size * times
        volleys_by_name = {
            "rifles alike": [firer_of(aimed("rifle"))] * count,
            "machineguns alike": [firer_of(aimed("machinegun"))] * count,
            "mixed": mixed(count),
            "mixed in cover": mixed(count, cover=True),
        }
        for name, firers in volleys_by_name.items():
            measure_memory(f"{count:3} {name:18}", firers, TARGETS * times)


def measure_memory(name: str, firers: list[Firer], targets: int) -> None:
    """Print the memory that a volley takes, and the time, which is longer while memory is
    traced."""
    tracemalloc.start()
    start = time.process_time()
    refused = ""
    try:
        volley(firers, [targets], Pack())
    except OddsError as error:
        refused = f"refused: {error}"
    took = time.process_time() - start
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    print(f"  {name}{peak_bytes / 1e6:7.1f} MB  {took:6.2f} s traced  {refused}")


def volleys(size: int, runs: int, sample: int, *, cover: bool) -> None:
    """Time volleys of ``size``, and of two and five times as many, in the open or in cover."""
    where = "in the open"
    if cover:
        where = "in cover"
    fresh, low = Pack(), some_left(20)
    firers, twice = mixed(size, cover), mixed(2 * size, cover)
    seconds = best(lambda: volley(firers, [TARGETS], fresh), runs)
    line(f"{size} mixed {where}, fresh deck", seconds, 1e-3)
    against_simulation(where, firers, fresh, seconds, sample)
    with_losses = best(lambda: volley(firers, [TARGETS], fresh, losses=True), 2)
    line(f"{size} mixed {where}, with the shooters lost", with_losses)
    seconds = best(lambda: volley(firers, [TARGETS], low), 3)
    line(f"{size} mixed {where}, 20 cards left and a shuffle", seconds, 25e-3)
    against_simulation(where, firers, low, seconds, sample)
    seconds = best(lambda: volley(twice, [2 * TARGETS], fresh), 1)
    line(f"{2 * size} mixed {where}, through a shuffle", seconds, 300e-3)
    many = mixed(5 * size, cover)
    seconds = best(lambda: volley(many, [5 * TARGETS], fresh), 1)
    line(f"{5 * size} mixed {where}, through two shuffles", seconds, 2)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5, help="runs of each, the best counts (5)")
    parser.add_argument("--size", type=int, default=SIZE, help=f"of a volley ({SIZE})")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"simulated ({SAMPLE})")
    parser.add_argument("--times", type=int, default=5, help="the largest volley for memory (5)")
    chosen = parser.parse_args()

    print(f"This machine takes {SLOWER:.2f} times as long as a recent laptop.")
    shot, deck = aimed("machinegun", cover=True), some_left(30)
    count = min(2_000, chosen.sample)

    def many_shots() -> None:
        for _ in range(count):
            one_shot(shot, deck)

    line("One shot out of 30 cards", best(many_shots, chosen.runs) / count, 50e-6)
    volleys(chosen.size, chosen.runs, chosen.sample, cover=False)
    volleys(chosen.size, chosen.runs, chosen.sample, cover=True)
    against_icepool(chosen.runs)
    memory(chosen.size, chosen.times)


if __name__ == "__main__":
    main()
