"""Sets the solo commander against simpler ones on the field simulator, on all cores:
``python benchmarks/commander.py --fields 80``. ``--temperaments`` sets bold, steady and cautious
against one another instead; ``--weights`` says what it costs to change each weight by 30 %.
``--cluster tcp://scheduler:8786`` plays on a Dask cluster, ``--cluster local`` on one of this
machine (``pip install -e '.[spread]'``); the result is the same.

Each field is played twice with the same set-up and cards, with sides swapped. He shall win 90 %
against random orders and 65 % against marching straight ahead, over all scenarios together. The
exit code is 1 where the fields rule that out; eighty fields leave wide bounds, a thousand say the
share to about 2 %.

Some scenarios are one-sided: one side wins nearly always when both march straight ahead. There a
win says who had that side, and nothing of who led it better. So the margin is judged: whether he
lost fewer points in the two fields together than both his enemies.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import combinations, permutations
from math import sqrt
from random import Random
from statistics import median
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from skirmish import library
from skirmish.games.plastic.commander.actions import Action
from skirmish.games.plastic.commander.aims import Aims, forbidden_targets, slope_limit
from skirmish.games.plastic.commander.board import Board, CommandTable
from skirmish.games.plastic.commander.cells import CellGrid, GroundCell
from skirmish.games.plastic.commander.field.battle import FieldBattle
from skirmish.games.plastic.commander.field.commanders import (
    FieldView,
    PlannedCommander,
    RandomCommander,
    StraightCommander,
)
from skirmish.games.plastic.commander.groups import ForcePart, form_groups
from skirmish.games.plastic.commander.kills import KillTable
from skirmish.games.plastic.commander.plan_maker import PlanMaker
from skirmish.games.plastic.commander.situation import GroupKnown, Situation, Stand
from skirmish.games.plastic.commander.stakes import Stakes
from skirmish.games.plastic.commander.weights import CommanderWeights, TemperamentId
from skirmish.tabletop.battlefield import Battlefield


class TimedCommander(PlannedCommander):
    """The solo commander, with the processor time of each of his turns for each order, in ms."""

    def __init__(self, board: Board, plans: PlanMaker) -> None:
        super().__init__(board, plans)
        self.milliseconds: list[float] = []

    def actions(self, view: FieldView) -> list[Action]:
        began = time.process_time()
        chosen = super().actions(view)
        if chosen:
            self.milliseconds.append(1000 * (time.process_time() - began) / len(chosen))
        return chosen


OPPONENTS: dict[str, type[PlannedCommander | RandomCommander]] = {
    "random": RandomCommander,
    "straight": StraightCommander,
    "planned": PlannedCommander,
}
LIMITS = {"random": 0.90, "straight": 0.65}
"""The share of fields that he must win against each kind of opponent."""
SCENARIOS = tuple(library.published_scenarios())
TEMPERAMENTS: tuple[TemperamentId, ...] = ("bold", "steady", "cautious")
ONE_SIDED = 0.85
"""Where one side wins more than this part of the fields anyway, margins are judged."""
MIRRORS = 12
"""Fields of each scenario by which it is seen whether one side wins anyway."""
EVEN = 0.5
"""The share of fields that two players who are as good as each other win."""
DEVIATIONS = 1.96
"""Standard deviations on either side, so that 95 of 100 intervals hold the true share."""
Job = TypeVar("Job")
Result = TypeVar("Result")
FACTORS = (0.7, 1.3)
"""Each weight is changed by these factors."""
COSTS_AT_MOST = 0.05
"""Of the fields that are won, a changed weight may cost no larger part."""


class WeightChange(NamedTuple):
    """A weight of ``commander.toml`` by its keys (``temperament.steady.kill``), and the factor by
    which it is multiplied."""

    key: str
    factor: float


UNCHANGED = WeightChange("", 1.0)
WHOLE_NUMBERS = frozenset(
    {"patience", "commits_at", "left_ago", "rifles_beside_a_specialist", "lines"}
)
"""Weights that are whole numbers."""
CHANCES = frozenset({"foreseen", "late"})
"""Weights that are chances: never more than 1."""
CHANGED_WEIGHTS = (
    *(f"temperament.steady.{name}" for name in ("kill", "ground", "danger", "habit", "patience")),
    "temperament.steady.least_odds",
    *(f"role.assault.{name}" for name in ("kill", "ground", "danger")),
    *(f"role.hold.{name}" for name in ("kill", "ground", "danger")),
    *(f"role.base.{name}" for name in ("kill", "ground", "danger")),
    "role.reserve.ground",
    "role.reserve.danger",
    "role.raid.ground",
    "role.raid.danger",
    "in_time.chances",
    "against_the_enemy.chances",
    "against_the_enemy.late",
    "urgency.shares",
    "fire.foreseen",
    "fire.choosing",
    "plan.attackers_stake",
    "plan.commits_at",
    "plan.keeps_goal",
    "choice.tie",
)
"""Those that are changed, one after the other. Shares that must come to 100 % are not."""


class Pair(NamedTuple):
    """A field that is played twice against an opponent, once with either side."""

    scenario: int
    opponent: str
    """One of ``OPPONENTS``."""
    temperament: TemperamentId
    seed: int
    enemy_temperament: TemperamentId = "steady"
    """Of an opponent who has one."""
    change: WeightChange = UNCHANGED
    """What is changed of the commander's weights."""


class Outcome(NamedTuple):
    """How a pair of fields ended."""

    pair: Pair
    won_as: tuple[float, float]
    """The commander's win as the first and as the second side: 1, or 0.5 for a draw, or 0."""
    own_lost: float
    """Points that he lost in both fields together."""
    enemy_lost: float
    milliseconds: tuple[float, ...]
    """How long an order of his took, on average, in each turn."""
    seconds: float

    @property
    def wins(self) -> float:
        """In both fields together, a draw as a half."""
        return sum(self.won_as)

    @property
    def margin_won(self) -> float:
        """1 where the enemies lost more points than he did, a half where they lost as many."""
        if self.enemy_lost == self.own_lost:
            return 0.5
        return float(self.enemy_lost > self.own_lost)


class MirrorField(NamedTuple):
    """A field on which both sides are led alike: they march straight ahead."""

    scenario: int
    seed: int


@lru_cache(maxsize=16)
def kill_table(number: int) -> KillTable:
    """The kills of all shots of a scenario, worked out once in each process."""
    scenario = library.published_scenarios()[number]
    catalog = library.catalog().with_variants(scenario.variants)
    return KillTable(catalog, library.rulings().defaults())


@lru_cache(maxsize=32)
def command_table(number: int, change: WeightChange = UNCHANGED) -> CommandTable:
    """The table of a scenario, worked out once in each process."""
    scenario = library.published_scenarios()[number]
    size = scenario.table
    return CommandTable(
        scenario.map or Battlefield(),
        CellGrid(size.width_in, size.depth_in),
        library.catalog().with_variants(scenario.variants),
        library.rulings().defaults(),
        weights=changed_weights(change),
        kills=kill_table(number),
        forbidden=forbidden_targets(scenario),
        inches_on_slopes=slope_limit(scenario),
    )


def changed_weights(change: WeightChange) -> CommanderWeights:
    """The commander's weights with one of them changed."""
    weights = library.commander_weights()
    if change == UNCHANGED:
        return weights
    everything = msgspec.to_builtins(weights)
    *tables, name = change.key.split(".")
    table: dict[str, Any] = everything
    for key in tables:
        table = table[key]
    table[name] = _multiplied(name, table[name], change.factor)
    return msgspec.convert(everything, CommanderWeights)


def _multiplied(
    name: str, weight: float | list[float] | tuple[float, ...], factor: float
) -> float | list[float]:
    """The weight, or each of the chances in a list, times the factor, as it may stand in the
    file."""
    if isinstance(weight, list | tuple):
        return [min(1.0, chance * factor) for chance in weight]
    if name in WHOLE_NUMBERS:
        return max(1, round(weight * factor))
    if name in CHANCES:
        return min(1.0, weight * factor)
    return weight * factor


def field_of(scenario: int, seed: int, change: WeightChange = UNCHANGED) -> FieldBattle:
    """A field that is set up for play."""
    published = library.published_scenarios()[scenario]
    table = command_table(scenario, change)
    return FieldBattle(published, table, library.rulings().defaults(), seed)


def played(pair: Pair) -> Outcome:
    """Plays both fields of a pair."""
    began = time.perf_counter()
    sides = [side.id for side in library.published_scenarios()[pair.scenario].sides]
    won_as = []
    own_lost = enemy_lost = 0.0
    milliseconds: list[float] = []
    for own, enemy in (sides, reversed(sides)):
        field = field_of(pair.scenario, pair.seed, pair.change)
        commander = field.commander(TimedCommander, own, pair.temperament)
        opponent = field.commander(OPPONENTS[pair.opponent], enemy, pair.enemy_temperament)
        result = field.play({own: commander, enemy: opponent})
        if result.winner is None:
            won_as.append(0.5)
        else:
            won_as.append(float(result.winner == own))
        own_lost += result.lost[own]
        enemy_lost += result.lost[enemy]
        assert isinstance(commander, TimedCommander)
        milliseconds += commander.milliseconds
    first, second = won_as
    seconds = time.perf_counter() - began
    return Outcome(pair, (first, second), own_lost, enemy_lost, tuple(milliseconds), seconds)


def mirror_winner(mirror: MirrorField) -> str | None:
    """The side that wins where both march straight ahead; None for a draw."""
    field = field_of(mirror.scenario, mirror.seed)
    commanders = {}
    for side in library.published_scenarios()[mirror.scenario].sides:
        commanders[side.id] = field.commander(StraightCommander, side.id, "steady")
    return field.play(commanders).winner


Spread: TypeAlias = Executor | None
"""Where fields are played, each in a job of its own; None: one by one in this process."""


@contextmanager
def spread_over(arguments: argparse.Namespace) -> Iterator[Spread]:
    """The cores of this machine, or a cluster, as the arguments have it."""
    if arguments.cluster:
        from dask import distributed

        address = arguments.cluster
        if address == "local":
            address = distributed.LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=arguments.cores, threads_per_worker=1, dashboard_address=None
            )
        with distributed.Client(address) as client:  # type: ignore[no-untyped-call]
            # The workers know the program, but not this file.
            client.upload_file(__file__)
            yield client.get_executor()
    elif arguments.cores == 1:
        yield None
    else:
        with ProcessPoolExecutor(arguments.cores) as pool:
            yield pool


def results(work: Callable[[Job], Result], jobs: Sequence[Job], spread: Spread) -> Iterator[Result]:
    """The results of all jobs, in their order."""
    if spread is None:
        return map(work, jobs)
    return iter(spread.map(work, jobs))


# ------------------------------------------------------------------ figures


class Share(NamedTuple):
    """So many won of so many played."""

    won: float
    played: int

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the most that the true share is likely to be, by Wilson's method."""
        share = self.won / self.played
        middle = share + DEVIATIONS**2 / (2 * self.played)
        variance = share * (1 - share) / self.played + DEVIATIONS**2 / (4 * self.played**2)
        off = DEVIATIONS * sqrt(variance)
        whole = 1 + DEVIATIONS**2 / self.played
        return (middle - off) / whole, (middle + off) / whole

    def in_words(self) -> str:
        """The share with its bounds."""
        low, high = self.bounds
        return f"{self.won / self.played:4.0%} ({low:.0%} to {high:.0%}) of {self.played}"


def print_figures(name: str, outcomes: Sequence[Outcome]) -> None:
    """Print a line of figures: wins, and points killed for points lost."""
    won = sum(outcome.wins for outcome in outcomes)
    lost = sum(outcome.own_lost for outcome in outcomes)
    killed = sum(outcome.enemy_lost for outcome in outcomes)
    as_first = sum(outcome.won_as[0] for outcome in outcomes) / len(outcomes)
    as_second = sum(outcome.won_as[1] for outcome in outcomes) / len(outcomes)
    margins = sum(outcome.margin_won for outcome in outcomes)
    wins = Share(won, 2 * len(outcomes))
    print(
        f"{name:28} wins {wins.in_words()}; as each side {as_first:4.0%} "
        f"{as_second:4.0%}; killed for lost {killed / max(lost, 1):.2f}, "
        f"more killed in {margins:g} of {len(outcomes)} pairs",
        flush=True,
    )


def judged(outcomes: Sequence[Outcome], one_sided: frozenset[int]) -> Share:
    """What counts as won: of the two fields of each pair, but of the pair as one where a scenario
    is one-sided, so that the margin is judged."""
    won, played = 0.0, 0
    for outcome in outcomes:
        if outcome.pair.scenario in one_sided:
            won += outcome.margin_won
            played += 1
        else:
            won += outcome.wins
            played += 2
    return Share(won, played)


def print_pair(outcome: Outcome) -> None:
    """Print a pair as soon as it is played, so that whoever stops the script has seen the first of
    them."""
    pair = outcome.pair
    first, second = outcome.won_as
    opponent = pair.opponent
    if opponent == "planned":
        opponent = f"{pair.temperament} against {pair.enemy_temperament}"
    print(
        f"{opponent}, scenario {pair.scenario}, seed {pair.seed}: as each side {first:.1f} "
        f"{second:.1f}; lost {outcome.own_lost:.0f}, killed {outcome.enemy_lost:.0f}",
        flush=True,
    )


def print_times(outcomes: Sequence[Outcome]) -> None:
    """Print how long an order takes, on average in each turn."""
    times: list[float] = []
    for outcome in outcomes:
        times += outcome.milliseconds
    print(f"an order: {median(times):.0f} ms in the median turn, {max(times):.0f} ms at most")


LARGE_ARMIES: tuple[Mapping[str, int], ...] = (
    {"rifle": 170, "machinegun": 15, "mortar": 8, "tank": 7},
    {"tank": 150, "rifle": 50},
    {"truck": 99, "cannon": 40, "tank": 61},
    {"rifle": 120, "machinegun": 30, "bazooka": 20, "mortar": 30},
)
"""Of 200 men and models each."""
LARGE_TABLE = CellGrid(96, 60)
"""Of 8 by 5 feet: 16 columns of cells and 10 rows."""


def print_times_of_large_armies() -> None:
    """Print how long an order takes two hundred men and models, 18 inches before as many, in a
    first turn on a table without a map."""
    catalog, weights = library.catalog(), library.commander_weights()
    rulings = library.rulings().defaults()
    for army in LARGE_ARMIES:
        table = CommandTable(Battlefield(), LARGE_TABLE, catalog, rulings, weights=weights)
        groups = form_groups([ForcePart("army", "Army", army)], catalog, weights.plan)
        aims = Aims(attacks=True, objectives=(), stakes=Stakes(100, 100))
        plans = PlanMaker(catalog, table.paths, aims, weights=weights, temperament="steady")
        commander = TimedCommander(table.board(), plans)
        situation = _face_to_face(groups)
        commander.actions(FieldView(situation, turn=1, turns_left=12, random=Random(1)))
        [milliseconds] = commander.milliseconds
        units = ", ".join(f"{count} {unit}" for unit, count in army.items())
        print(f"{units} in {len(groups)} groups: {milliseconds:.0f} ms an order in a first turn")


def _face_to_face(groups: Sequence[GroupKnown]) -> Situation:
    """The groups in rows behind one another, and the same as their enemies, in cover."""
    columns = LARGE_TABLE.columns
    own, enemies = [], []
    for index, group in enumerate(groups):
        behind, column = divmod(index, columns)
        own.append(Stand(group, GroundCell(column, 3 - behind)))
        enemies.append(Stand(group, GroundCell(column, 6 + behind), cover=True))
    return Situation(tuple(own), tuple(enemies))


# ------------------------------------------------------------------ what is played


def pairs_each(arguments: argparse.Namespace) -> int:
    """How many pairs make so many fields."""
    fields: int = arguments.fields
    return max(1, fields // 2)


def pairs_against(arguments: argparse.Namespace, opponents: Sequence[str]) -> Iterator[Pair]:
    """All pairs to be played: so many fields against each opponent, the scenarios in turn."""
    for opponent in opponents:
        for index in range(pairs_each(arguments)):
            number = arguments.scenarios[index % len(arguments.scenarios)]
            yield Pair(number, opponent, arguments.temperament, arguments.seed + index)


def one_sided_among(arguments: argparse.Namespace, spread: Spread) -> frozenset[int]:
    """The scenarios in which one side wins nearly always where both march straight ahead."""
    mirrors = []
    for number in arguments.scenarios:
        for index in range(arguments.mirrors):
            # By other seeds than those of the first 1,000 pairs.
            mirrors.append(MirrorField(number, arguments.seed + 1000 + index))
    winners: dict[int, Counter[str | None]] = {}
    for mirror, winner in zip(mirrors, results(mirror_winner, mirrors, spread), strict=True):
        winners.setdefault(mirror.scenario, Counter())[winner] += 1
    one_sided = set()
    for number, wins in winners.items():
        [(side, won)] = wins.most_common(1)
        if side is not None and won > ONE_SIDED * wins.total():
            one_sided.add(number)
            print(f"scenario {number}: {side} wins {won} of {wins.total()} anyway", flush=True)
    return frozenset(one_sided)


def against_opponents(arguments: argparse.Namespace, spread: Spread) -> bool:
    """Play against all opponents and print the figures; whether a limit is missed."""
    one_sided = one_sided_among(arguments, spread)
    pairs = list(pairs_against(arguments, arguments.opponents))
    outcomes = []
    for outcome in results(played, pairs, spread):
        print_pair(outcome)
        outcomes.append(outcome)
    is_missed = False
    for opponent in arguments.opponents:
        against = [outcome for outcome in outcomes if outcome.pair.opponent == opponent]
        for number in arguments.scenarios:
            of_scenario = [outcome for outcome in against if outcome.pair.scenario == number]
            if of_scenario:
                print_figures(f"{opponent}, scenario {number}", of_scenario)
        print_figures(f"{opponent}, all scenarios", against)
        share = judged(against, one_sided)
        print(f"{opponent}, margins where one side wins anyway: {share.in_words()}")
        # A few fields tell little: a limit is missed only where they rule it out.
        _, high = share.bounds
        if high < LIMITS.get(opponent, 0.0):
            is_missed = True
    print_times(outcomes)
    print_times_of_large_armies()
    seconds = sum(outcome.seconds for outcome in outcomes)
    print(f"{2 * len(outcomes)} fields, {seconds / len(outcomes) / 2:.1f} seconds each")
    return is_missed


def between_temperaments(arguments: argparse.Namespace, spread: Spread) -> bool:
    """Set the temperaments against one another in each scenario; whether one of them is nowhere
    certain to win more than half against another one."""
    pairs = []
    for index in range(pairs_each(arguments)):
        for number in arguments.scenarios:
            for first, second in combinations(TEMPERAMENTS, 2):
                pairs.append(Pair(number, "planned", first, arguments.seed + index, second))
    wins: defaultdict[Meeting, float] = defaultdict(float)
    for outcome in results(played, pairs, spread):
        print_pair(outcome)
        pair = outcome.pair
        meeting = Meeting(pair.temperament, pair.enemy_temperament, pair.scenario)
        wins[meeting] += outcome.wins
        fields_of_pair = 2
        wins[meeting.turned_round()] += fields_of_pair - outcome.wins
    fields = 2 * pairs_each(arguments)
    is_missed = False
    for first, second in permutations(TEMPERAMENTS, 2):
        shares = {}
        for number in arguments.scenarios:
            shares[number] = Share(wins[Meeting(first, second, number)], fields)
        better = ", ".join(_better_in(shares)) or "none"
        print(f"{first} beats {second} in scenarios: {better}", flush=True)
        if not any(share.bounds[0] > EVEN for share in shares.values()):
            is_missed = True
    return is_missed


class Meeting(NamedTuple):
    """A temperament and the one of its enemy, in a scenario."""

    temperament: TemperamentId
    enemy_temperament: TemperamentId
    scenario: int

    def turned_round(self) -> Meeting:
        """The same, as the enemy sees it."""
        return Meeting(self.enemy_temperament, self.temperament, self.scenario)


def _better_in(shares: Mapping[int, Share]) -> Iterator[str]:
    """The scenarios in which more than half is won, each with its share."""
    for scenario, share in shares.items():
        low, _ = share.bounds
        if share.won > share.played / 2:
            yield f"{scenario} ({share.won:g} of {share.played}, at least {low:.0%})"


def with_weights_changed(arguments: argparse.Namespace, spread: Spread) -> bool:
    """Print what it costs to change each weight, on the same fields; whether one costs too much."""
    opponent = arguments.opponents[-1]
    changes = [UNCHANGED]
    for key in CHANGED_WEIGHTS:
        changes += [WeightChange(key, factor) for factor in FACTORS]
    unchanged_pairs = list(pairs_against(arguments, [opponent]))
    pairs = []
    for change in changes:
        pairs += [pair._replace(change=change) for pair in unchanged_pairs]
    outcomes = results(played, pairs, spread)
    won_unchanged = 0.0
    is_missed = False
    # The outcomes come in the order of the pairs: all of a change, the unchanged ones first.
    for change in changes:
        of_change = list(itertools.islice(outcomes, len(unchanged_pairs)))
        won = sum(outcome.wins for outcome in of_change)
        if change == UNCHANGED:
            won_unchanged = won
        # A half is the least that can be won at all.
        cost = 1 - won / max(won_unchanged, 0.5)
        share = Share(won, 2 * len(of_change)).in_words()
        name = change.key or "as it is"
        print(f"{name} x {change.factor}: {share}, costs {cost:.0%}", flush=True)
        if cost > COSTS_AT_MOST:
            is_missed = True
    return is_missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fields", type=int, default=80, help="against each opponent")
    parser.add_argument("--scenarios", type=int, nargs="+", default=list(SCENARIOS))
    parser.add_argument("--opponents", nargs="+", default=["random", "straight"])
    parser.add_argument("--temperament", default="steady")
    parser.add_argument("--temperaments", action="store_true", help="against one another")
    parser.add_argument("--weights", action="store_true", help="each weight changed by 30 %%")
    parser.add_argument("--cluster", default="", help="of Dask: its address, or local")
    parser.add_argument("--mirrors", type=int, default=MIRRORS)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with spread_over(arguments) as spread:
        if arguments.temperaments:
            return int(between_temperaments(arguments, spread))
        if arguments.weights:
            return int(with_weights_changed(arguments, spread))
        return int(against_opponents(arguments, spread))


if __name__ == "__main__":
    # By its name, so that the workers of a cluster find what they are to do.
    import commander

    sys.exit(commander.main())
