"""Whole games: their averages, readings and variants, the same for any number of workers, from the
midst of a game, and as figures."""

from __future__ import annotations

import math
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from exactly import setup
from msgspec.structs import replace
from plainly import game, step, to_the_end

from skirmish import resources
from skirmish.games.beach_head.orders import ChooseTarget
from skirmish.games.beach_head.simulate import engine
from skirmish.games.beach_head.simulate.ahead import from_state
from skirmish.games.beach_head.simulate.policy import (
    SIMULATED,
    Plan,
    Prefer,
    Situation,
    Uniform,
    When,
)
from skirmish.games.beach_head.simulate.statistics import bins, read_playtest
from skirmish.games.beach_head.simulate.tally import GamesTally, Spread
from skirmish.tabletop.chance import Source

MILLION = 1_000_000
DRAFT = {"B11": "any", "B39": "1d6"}
KNOWN = (11.585, 69.19, 41.75)
"""Mean turns, casualties and squads alive, found by two programs that know nothing of this one."""


def played(rulings: dict[str, str], games: int, **more: Any) -> GamesTally:
    job = engine.Job(setup(rulings, more.pop("variant", "normandy")), Uniform(), 11)
    return engine.together(engine.simulate(job, games, **more))


def assert_near(tally: GamesTally, wanted: tuple[float, float, float], their_games: int) -> None:
    """Within three standard errors, theirs and ours; and half of their last digit."""
    found = (tally.turns, tally.casualties, tally.alive)
    for spread, mean, digit in zip(found, wanted, (0.0005, 0.005, 0.005), strict=True):
        error = spread.deviation * math.sqrt(1 / tally.games + 1 / their_games)
        assert abs(spread.mean - mean) < 3 * error + digit, (spread.mean, mean, error)


def test_numpy_comes_to_the_known_averages() -> None:
    tally = played({}, 200_000)
    assert tally.games == 200_000
    assert_near(tally, KNOWN, MILLION)


def test_a_game_that_ends_in_the_end_phase_costs_half_a_squad_more() -> None:
    """B18, as the same two programs found it, to two digits."""
    assert_near(played({"B18": "end_phase"}, 100_000), (11.58, 69.61, 41.35), 100_000)


@pytest.mark.parametrize(
    ("rulings", "turns", "casualties", "alive"),
    [
        ({}, (7, 11.6, 18), (19, 69.5, 124), 80),
        ({"B11": "any"}, (8, 12.7, 25), (25, 77.9, 178), 96),
        ({"B11": "any", "B39": "2d6"}, (8, 14.0, 23), (26, 66.7, 126), 56),
        ({"B11": "any", "B39": "1d6"}, (8, 14.6, 25), (10, 37.3, 76), 19),
    ],
)
def test_ten_thousand_games_are_as_told_for_each_reading(
    rulings: dict[str, str], turns: Any, casualties: Any, alive: int
) -> None:
    """B11 and B39, from one run of ten thousand games, rounded. Its extremes are met about."""
    tally = played({"B18": "end_phase"} | rulings, 60_000)
    for spread, (least, mean, most), about in (
        (tally.turns, turns, 2),
        (tally.casualties, casualties, 20),
    ):
        error = spread.deviation * math.sqrt(1 / tally.games + 1 / 10_000)
        assert abs(spread.mean - mean) < 3 * error + 0.05
        assert abs(spread.least_of(10_000) - least) <= about
        assert abs(spread.most_of(10_000) - most) <= about
    assert abs(tally.alive.most_of(10_000) - alive) <= 8


def test_more_tanks_shorten_the_game_and_omaha_lengthens_it() -> None:
    usual = played({}, 20_000)
    assert played({"B7": "tank"}, 20_000).turns.mean < usual.turns.mean - 0.3
    assert played({}, 20_000, variant="omaha").turns.mean > usual.turns.mean + 0.3


def test_the_number_of_workers_changes_nothing() -> None:
    alone = played({}, 50_000)
    with ProcessPoolExecutor(2) as pool:
        assert played({}, 50_000, executor=pool, workers=2) == alone
    with ThreadPoolExecutor(3) as pool:
        assert played({}, 50_000, executor=pool, workers=3) == alone


def test_whoever_stops_has_the_games_so_far_and_hands_out_no_more() -> None:
    handed: list[int] = []

    class Counting(Executor):
        def submit(self, task: Any, /, *args: Any, **more: Any) -> Future[Any]:
            handed.append(1)
            done: Future[Any] = Future()
            done.set_result(task(*args, **more))
            return done

    job = engine.Job(setup(), Uniform(), 1)
    taken = list(islice(engine.simulate(job, 10**9, Counting()), 2))
    assert [tally.games for tally in taken] == [engine.CHUNK] * 2
    assert len(handed) < 20


def test_a_few_games_are_the_first_of_many() -> None:
    job = engine.Job(setup(), Uniform(), 1)
    assert engine.together(engine.simulate(job, 1)).games == 1
    assert [tally.games for tally in engine.simulate(job, engine.CHUNK + 5)] == [engine.CHUNK, 5]


# ------------------------------------------------------------------ policies


def test_every_policy_can_be_followed_and_plans_beat_chance() -> None:
    means = {}
    for name, policy in SIMULATED.items():
        job = engine.Job(setup(), policy, 1)
        means[name] = engine.together(engine.simulate(job, 5_000)).casualties.mean
    assert means["better"] < means["uniform"] - 5


def test_a_policy_may_be_any_object_that_chooses() -> None:
    class Last(Uniform, frozen=True):
        def choose(self, situation: Situation, legal: Any, chance: Any) -> Any:
            chosen = np.full(len(legal[0]), -1, np.int16)
            for place, may in enumerate(legal):
                chosen[may] = place
            return chosen

    class Wrapped:
        name = "last"
        choose = Last.choose
        give = Last.give

    job = engine.Job(setup(), Wrapped(), 1)  # type: ignore[arg-type]
    assert engine.together(engine.simulate(job, 1_000)).games == 1_000


def test_a_wish_holds_only_under_its_conditions() -> None:
    """Walls are left alone unless the bunkers are gone: the game takes longer than by chance."""
    late = Plan("late", {"": (Prefer("walls", (When("bunkers", most=0),)), Prefer("bunkers"))})
    early = Plan("early", {"": (Prefer("walls"),)})
    ends = [
        engine.together(engine.simulate(engine.Job(setup(), plan, 1), 5_000))
        for plan in (late, early)
    ]
    assert abs(ends[0].turns.mean - ends[1].turns.mean) > 0.2


def test_a_policy_that_aims_at_nothing_is_stopped_with_a_sentence() -> None:
    class Never(Uniform, frozen=True):
        def choose(self, situation: Situation, legal: Any, chance: Any) -> Any:
            return np.full(len(legal[0]), -1, np.int16)

    never = Never("never")
    with pytest.raises(engine.Endless, match="1000 turns"):
        engine.play_chunk(engine.Job(setup({"B12": "next_turn"}), never, 1), 0, 20)


# ------------------------------------------------------------------ from the midst of a game


def choices(rulings: dict[str, str], turn: int, phase: str) -> Any:
    """A game in which a target is to be chosen in ``phase``, late enough."""
    for seed in range(100):
        state, chance = game(seed, rulings), Random(seed)
        while not state.over:
            if state.turn >= turn and state.phase == phase and state.asks == "target":
                return state
            state = step(state, chance)
    raise AssertionError(phase)


@pytest.mark.parametrize(
    ("rulings", "turn", "phase"),
    [({}, 9, "petard"), ({"B7": "tank"}, 8, "petard"), ({"B40": "after"}, 9, "engineers")],
)
def test_what_comes_of_a_game_agrees_with_the_game_itself(
    rulings: dict[str, str], turn: int, phase: str
) -> None:
    state = choices(rulings, turn, phase)
    target = state.ask.targets[-1]
    aimed = ChooseTarget(target=target).alone(state).state
    told = from_state(aimed, 5_000, 1, Uniform())
    assert told.games == 5_000
    ends = [to_the_end(_chosen(state, target, seed), seed) for seed in range(60)]
    for spread, found in (
        (told.casualties, [end.casualties for end in ends]),
        (told.turns, [end.turn for end in ends]),
        (told.alive, [end.squads for end in ends]),
    ):
        error = spread.deviation / math.sqrt(len(ends))
        assert abs(sum(found) / len(found) - spread.mean) < 3 * error


def _chosen(state: Any, target: Any, seed: int) -> Any:
    state = replace(state, dice=Source("die", seed + 1_000))
    for event in ChooseTarget(target=target).decide(state):
        state = event.apply(state)
    return state


def test_the_games_own_dice_to_come_are_not_looked_at() -> None:
    state = choices({}, 9, "petard")
    other = replace(state, dice=Source("die", 4711))
    target = state.ask.targets[0]
    aimed = [ChooseTarget(target=target).alone(one).state for one in (state, other)]
    tallies = [from_state(one, 500, 1, Uniform()) for one in aimed]
    assert tallies[0] == tallies[1]


def test_a_roll_on_the_table_counts_as_it_lies() -> None:
    """Ten squads killed now are ten casualties more, or a few less: who is dead is not shot."""
    for seed in range(50):
        state, chance = game(seed), Random(seed)
        while not (state.phase == "defenders" and state.turn == 4):
            state = step(state, chance)
        state = step(state, chance)  # the dice that kill
        if state.phase == "defenders" and state.squads >= 6:
            break
    assert state.roll is not None
    rolls = [replace(state.roll, dice=1, plus=0, faces=(total,)) for total in (0, 6)]
    few, many = (from_state(replace(state, roll=one), 3_000, 1, Uniform()) for one in rolls)
    assert few.casualties.mean + 3 < many.casualties.mean < few.casualties.mean + 7


# ------------------------------------------------------------------ figures


def test_the_page_holds_what_is_printed_and_what_is_played() -> None:
    """docs/count_beach_head.py makes its table; whoever changes a rule runs it again."""
    page = (Path(__file__).parents[3] / "docs/beach-head-statistics.md").read_text("utf-8")
    lines = {line.split("|")[1].strip(): line.split("|")[2:-1] for line in page.splitlines()
             if line.startswith("| ")}  # fmt: skip
    told = read_playtest(resources.table("beach_head/playtest.toml"))
    reported = [int(cell) for cell in lines["**Reported with the rules**"]]
    assert reported == [
        told.casualties.least, told.casualties.mean, told.casualties.most,
        told.alive.most, told.turns.least, told.turns.most,
    ]  # fmt: skip
    for name, rulings in (
        ("As printed, every ruling at its default", {}),
        ("**`draft_1d6`**, a curiosity: one die, rolls may be wasted", DRAFT),
    ):
        casualties = played(rulings, 60_000).casualties
        assert abs(casualties.mean - float(lines[name][1])) < 3 * casualties.error + 0.1
        assert casualties.most_of(told.games) == pytest.approx(int(lines[name][2]), abs=3)


def test_figures_of_a_small_spread_are_those_worked_out_by_hand() -> None:
    spread = Spread((0, 2, 0, 1, 1))  # 1 1 3 4
    assert (spread.games, spread.mean, spread.least, spread.most) == (4, 2.25, 1, 4)
    assert spread.deviation == pytest.approx(1.5)
    assert [spread.quantile(share) for share in (0.25, 0.5, 0.75, 1)] == [1, 1, 3, 4]
    assert (spread + Spread((1,))).counts == (1, 2, 0, 1, 1)
    # the least of two is 1 with 1 - (1/2)^2; the most of two is 4 with 1 - (3/4)^2
    assert (spread.least_of(2, 0.75), spread.least_of(2, 0.76)) == (1, 3)
    assert (spread.most_of(2, 0.5625), spread.most_of(2, 0.57)) == (3, 4)
    assert Spread((0, 3)).deviation == 0


def test_bars_hold_every_game_once_and_no_more_than_there_are() -> None:
    spread = Spread((0,) * 17 + (3, 0, 1) + (0,) * 60 + (4,))
    found = bins(spread, 20)
    assert sum(share for *_, share in found) == pytest.approx(1)
    assert found[0][:2] == (15, 19)
    assert len(found) <= 20
    assert found[-1][:2] == (80, 84)
