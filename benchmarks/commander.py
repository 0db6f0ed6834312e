"""Sets the solo commander against simpler ones on the field simulator, on all cores:
``python benchmarks/commander.py --fields 80``.

Each field is played twice with the same set-up and cards, with sides swapped. He shall win 90 %
against random orders and 65 % against marching straight ahead, over all scenarios together; the
exit code is 1 where he does not. Where one side wins nearly always, the margin says more: points
that the enemy lost for each point of his own.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

from skirmish import library
from skirmish.games.plastic.commander.board import CommandTable
from skirmish.games.plastic.commander.cells import CellGrid
from skirmish.games.plastic.commander.field import (
    FieldBattle,
    PlannedCommander,
    RandomCommander,
    StraightCommander,
)
from skirmish.games.plastic.commander.weights import TemperamentId
from skirmish.tabletop.battlefield import Battlefield

OPPONENTS: dict[str, type[PlannedCommander | RandomCommander]] = {
    "random": RandomCommander,
    "straight": StraightCommander,
    "planned": PlannedCommander,
}
LIMITS = {"random": 0.90, "straight": 0.65}
SCENARIOS = (1, 2, 4, 5, 6, 7, 8, 9, 10)
"""Not 3: the aircraft that decide it are asked for at set-up, and the field has none."""
WILSON = 1.96
"""For 95 of 100 intervals to hold the true share."""


class Pair(NamedTuple):
    """A field to be played with both sides."""

    scenario: int
    opponent: str
    temperament: TemperamentId
    seed: int


class Outcome(NamedTuple):
    """A pair played: wins of the commander (a draw is half), points lost by both, seconds."""

    pair: Pair
    wins: float
    won_as: tuple[float, float]
    own_lost: float
    enemy_lost: float
    seconds: float


@lru_cache(maxsize=16)
def command_table(number: int) -> CommandTable:
    """The table of a scenario, worked out once in each process."""
    scenario = library.published_scenarios()[number]
    size = scenario.table
    return CommandTable(
        scenario.map or Battlefield(),
        CellGrid(size.width_in, size.depth_in),
        library.catalog().with_variants(scenario.variants),
        library.rulings().defaults(),
        weights=library.commander_weights(),
    )


def played(pair: Pair) -> Outcome:
    """Both fields of a pair."""
    began = time.perf_counter()
    scenario = library.published_scenarios()[pair.scenario]
    rulings = library.rulings().defaults()
    won_as = []
    own_lost = enemy_lost = 0.0
    sides = [side.id for side in scenario.sides]
    for own, enemy in (sides, reversed(sides)):
        field = FieldBattle(scenario, command_table(pair.scenario), rulings, pair.seed)
        commanders = {
            own: field.commander(PlannedCommander, own, pair.temperament),
            enemy: field.commander(OPPONENTS[pair.opponent], enemy, "steady"),
        }
        result = field.played(commanders)
        if result.winner is None:
            won_as.append(0.5)
        else:
            won_as.append(float(result.winner == own))
        own_lost += result.lost[own]
        enemy_lost += result.lost[enemy]
    seconds = time.perf_counter() - began
    first, second = won_as
    return Outcome(pair, first + second, (first, second), own_lost, enemy_lost, seconds)


def interval(share: float, number: int) -> tuple[float, float]:
    """Where the true share lies, by Wilson's method."""
    middle = share + WILSON**2 / (2 * number)
    off = WILSON * sqrt(share * (1 - share) / number + WILSON**2 / (4 * number**2))
    whole = 1 + WILSON**2 / number
    return (middle - off) / whole, (middle + off) / whole


def told(name: str, outcomes: Sequence[Outcome]) -> float:
    """Print a line of figures; the share of wins."""
    games = 2 * len(outcomes)
    share = sum(outcome.wins for outcome in outcomes) / games
    low, high = interval(share, games)
    lost = sum(outcome.own_lost for outcome in outcomes)
    killed = sum(outcome.enemy_lost for outcome in outcomes)
    as_first = sum(outcome.won_as[0] for outcome in outcomes) / len(outcomes)
    as_second = sum(outcome.won_as[1] for outcome in outcomes) / len(outcomes)
    print(
        f"{name:34} {share:6.0%} ({low:.0%} to {high:.0%}) of {games:4}; as each side "
        f"{as_first:4.0%} {as_second:4.0%}; killed for lost {killed / max(lost, 1):.2f}",
        flush=True,
    )
    return share


def seen(outcome: Outcome) -> Outcome:
    """Print a pair as soon as it is played: whoever stops the script knows the first of them."""
    pair = outcome.pair
    first, second = outcome.won_as
    print(
        f"{pair.opponent}, scenario {pair.scenario}, seed {pair.seed}: as each side {first:.1f} "
        f"{second:.1f}; lost {outcome.own_lost:.0f}, killed {outcome.enemy_lost:.0f}",
        flush=True,
    )
    return outcome


def pairs_of(arguments: argparse.Namespace) -> Iterator[Pair]:
    """All pairs to be played: so many fields are shared out among the scenarios."""
    for opponent in arguments.opponents:
        for index in range(max(1, arguments.fields // 2)):
            number = arguments.scenarios[index % len(arguments.scenarios)]
            yield Pair(number, opponent, arguments.temperament, arguments.seed + index)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fields", type=int, default=80, help="against each opponent")
    parser.add_argument("--scenarios", type=int, nargs="+", default=list(SCENARIOS))
    parser.add_argument("--opponents", nargs="+", default=["random", "straight"])
    parser.add_argument("--temperament", default="steady")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    pairs = list(pairs_of(arguments))
    outcomes = []
    if arguments.cores == 1:
        for pair in pairs:
            outcomes.append(seen(played(pair)))
    else:
        with ProcessPoolExecutor(arguments.cores) as pool:
            for outcome in pool.map(played, pairs):
                outcomes.append(seen(outcome))
    missed = False
    for opponent in arguments.opponents:
        against = [outcome for outcome in outcomes if outcome.pair.opponent == opponent]
        for number in arguments.scenarios:
            of_scenario = [outcome for outcome in against if outcome.pair.scenario == number]
            if of_scenario:
                told(f"{opponent}, scenario {number}", of_scenario)
        share = told(f"{opponent}, all scenarios", against)
        missed = missed or share < LIMITS.get(opponent, 0.0)
    seconds = sum(outcome.seconds for outcome in outcomes)
    print(f"{2 * len(outcomes)} fields, {seconds / len(outcomes) / 2:.1f} seconds each")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
