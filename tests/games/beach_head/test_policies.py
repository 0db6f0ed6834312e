"""The plain and the better policy: what they choose, and what that is worth."""

from __future__ import annotations

import statistics
from random import Random

import numpy as np
import pytest
from beach_table import at, played
from deep import deep_count
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish import library
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.card_values import card_uses, gain_of_phase_again
from skirmish.games.beach_head.expected_cost import cost
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.plan_choices import planned_target
from skirmish.games.beach_head.policies import (
    PLAIN,
    POLICIES,
    SKILLED,
    GamePolicy,
    play_on,
    play_out,
)
from skirmish.games.beach_head.ruleset import BeachSetup, Variant
from skirmish.games.beach_head.simulate.arrays import Chance, beaches_of
from skirmish.games.beach_head.simulate.engine import Job, simulate, together
from skirmish.games.beach_head.simulate.policy import BETTER, WEAK_BUNKERS, Situation, Uniform
from skirmish.games.beach_head.simulate.tally import GamesTally, Spread
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Source

FIRES = {"lcs": ("bunkers", "walls"), "flail": ("mines", "wire"), "petard": ("bunkers", "walls"),
         "support": ("bunkers", "walls"), "destroyer": ("bunkers", "walls", "trenches"),
         "engineers": ("mines", "traps", "walls", "ditches", "bunkers", "wire")}  # fmt: skip


def setup(
    seed: int,
    rulings: dict[str, str] | None = None,
    *,
    cards: bool = False,
    variant: Variant = "normandy",
) -> BeachSetup:
    return library.beach().setup(
        rulings=rulings or {},
        variant=variant,
        dice=Source("die", 2 * seed),
        cards=Source("deck", 2 * seed + 1) if cards else None,
    )


def casualties(policy: GamePolicy, games: int, *, cards: bool = False) -> Spread:
    ends = [play_out(setup(seed, cards=cards), policy, seed) for seed in range(games)]
    return GamesTally.of(ends).casualties


def apart(more: Spread, less: Spread) -> float:
    """How many standard errors lie between two means."""
    return (more.mean - less.mean) / float((more.error**2 + less.error**2) ** 0.5)


# ------------------------------------------------------------------ worth it


def test_the_better_policy_saves_men_with_dice_alone() -> None:
    assert apart(casualties(PLAIN, 50), casualties(SKILLED, 50)) > 3


def test_with_cards_it_saves_nearly_all_of_them() -> None:
    with_cards = casualties(SKILLED, 12, cards=True)
    assert with_cards.mean < 8
    assert with_cards.mean < casualties(SKILLED, 12).mean / 5


@pytest.mark.parametrize(
    ("variant", "rulings", "saved"),
    [
        ("normandy", {}, 8),
        ("omaha", {}, 9),
        ("normandy", {"B7": "tank"}, 6),
        ("normandy", {"B9": "instead"}, 9),
        ("normandy", {"B11": "any", "B39": "1d6"}, 7),
    ],
)
def test_the_plan_saves_men_under_every_reading(
    variant: Variant, rulings: dict[str, str], saved: int
) -> None:
    where = setup(1, rulings, variant=variant)
    chance, plan = (
        together(simulate(Job(where, policy, 5), 4_000)) for policy in (Uniform(), BETTER)
    )
    assert chance.casualties.mean - plan.casualties.mean > saved
    assert chance.turns.mean > plan.turns.mean + 0.5


# ------------------------------------------------------------------ targets


def test_half_the_bunkers_are_half_of_those_printed() -> None:
    assert library.beach().ruleset.defence_of("bunkers").points == 2 * WEAK_BUNKERS


@given(
    phase=st.sampled_from(sorted(FIRES)),
    points=st.lists(st.sampled_from([0, 0, 1, 5, 10, 11, 20, 30, 31, 60]), min_size=7, max_size=7),
    squads=st.integers(0, 60),
    turn=st.integers(1, 22),
)
@settings(max_examples=deep_count(70, 200))
def test_game_and_simulator_follow_the_plan_alike(
    phase: str, points: list[int], squads: int, turn: int
) -> None:
    names = [one.id for one in library.beach().ruleset.defence]
    state = replace(
        _opened(),
        defences=dict(zip(names, points, strict=True)),
        squads=squads,
        turn=turn,
        phase=phase,  # type: ignore[arg-type]
    )
    standing = tuple(name for name in FIRES[phase] if state.defences[name])  # type: ignore[index]
    if not standing:
        return
    beaches, targets = beaches_of(state, 1), FIRES[phase]
    legal = [beaches[name] > 0 for name in targets]
    chosen = BETTER.choose(
        Situation(beaches, turn, phase, targets), legal, Chance(np.random.default_rng(1))
    )
    ask = BeachAsk(what="target", targets=standing)  # type: ignore[arg-type]
    assert planned_target(BETTER, state, ask) == FIRES[phase][int(chosen[0])]


def _opened() -> BeachState:

    from skirmish.games.beach_head.events import BeachOpened

    return BeachOpened(setup=setup(1)).apply(None)


@pytest.mark.parametrize(
    ("phase", "defences", "target"),
    [
        ("lcs", {}, "bunkers"),
        ("lcs", {"bunkers": 30}, "walls"),
        ("engineers", {"bunkers": 31}, "bunkers"),
        ("engineers", {"bunkers": 30}, "walls"),
        ("engineers", {"bunkers": 30, "walls": 0}, "bunkers"),
        ("engineers", {"bunkers": 0, "walls": 0}, "ditches"),
    ],
)
def test_bunkers_to_half_then_walls_then_the_rest(
    phase: str, defences: dict[str, int], target: str
) -> None:
    state = at(phase, defences=defences, squads=20, seed=1).state
    assert SKILLED.order(state, Random(1)) == orders.ChooseTarget(target=target)  # type: ignore[arg-type]


def test_petards_spare_the_walls_for_fear_of_craters() -> None:
    assert BETTER.preferences_in("petard") != BETTER.preferences_in("lcs")
    state = at("petard", defences={"bunkers": 25}, tanks=["fascine"], seed=1).state
    assert SKILLED.order(state, Random(1)) == orders.ChooseTarget(target="bunkers")


# ------------------------------------------------------------------ cards


def test_a_low_card_saves_men_from_the_defenders() -> None:
    table = at("defenders", squads=20, hand="AS KH 6S")
    table.do("roll 5", "go", "roll 6")
    order = SKILLED.order(table.state, Random(1))
    assert order == orders.PlayCard(card=table.state.hand[0])


def test_a_high_card_is_no_use_to_the_enemy() -> None:
    table = at("defenders", squads=20, hand="6S 10S 9S QS")
    table.do("roll 5", "go", "roll 1")
    assert card_uses(table.state) == []
    assert SKILLED.order(table.state, Random(1)) == orders.Go()


def test_the_card_that_gains_most_comes_first() -> None:
    table = at("defenders", squads=20, hand="8S 7S AS 3S")
    table.do("roll 5", "go", "roll 6")
    found = [use.order.card.rank for use in card_uses(table.state)]
    assert found == [1, 3, 7, 8]
    gains = [use.gain for use in card_uses(table.state)]
    assert gains == sorted(gains, reverse=True)
    assert gains[0] == pytest.approx(5 * gains[-1])


def test_an_admiral_repeats_what_is_worth_it() -> None:
    assault = at("infantry", squads=40, defences={"wire": 0}, hand="QS")
    assault.do("roll 4")
    assert gain_of_phase_again(assault.state) > 1
    frogmen = at("frogman", hand="QS")
    frogmen.do("roll 4")
    assert 0 < gain_of_phase_again(frogmen.state) < gain_of_phase_again(assault.state)


def test_worth_goes_with_what_matters() -> None:
    state = at("lcs", squads=10, tanks=["gun"], hand="AS").state
    fewer = {**state.defences, "bunkers": 50}
    better = [
        replace(state, defences=fewer),
        replace(state, tanks=("gun", "gun")),
        replace(state, tanks=("gun", "bridge")),
    ]
    worse = [replace(state, tanks=()), replace(state, casualties=1), replace(state, craft_hit=1)]
    assert all(cost(one) < cost(state) for one in better)
    assert all(cost(one) > cost(state) for one in worse)


def test_the_policy_looks_at_nothing_that_a_player_does_not_see() -> None:
    seen = 0
    for state in played(setup(3, cards=True), SKILLED, 1).states[:-1]:
        deck = state.deck
        assert deck is not None
        other = replace(
            state, dice=Source("die", 999, rolls=state.dice.rolls), deck=replace(deck, seed=777)
        )
        assert SKILLED.order(other, Random(5)) == SKILLED.order(state, Random(1))
        seen += 1
    assert seen > 100


def test_cards_are_exchanged_and_thrown_off_in_the_numbers_asked_for() -> None:
    for policy in POLICIES.values():
        trims = 0
        play = played(setup(2, cards=True), policy, 1)
        for state, entry in zip(play.states, play.live[1:], strict=False):
            if state.asks in ("trim", "exchange"):
                order = entry.order
                if state.asks == "trim":
                    assert isinstance(order, orders.Discard)
                    assert len(order.cards) == state.ask.count
                    trims += 1
                elif isinstance(order, orders.Discard):
                    assert 0 < len(order.cards) <= state.ask.most
        assert (trims > 5) == (policy.name == "plain")  # who plays cards has few too many


def test_the_plain_policy_plays_no_card_and_takes_every_target() -> None:
    state = at("engineers", hand="AS 6S QS", seed=1).state
    assert state.asks == "target"
    chance = Random(4)
    found = [PLAIN.order(state, chance) for _ in range(600)]
    counts = [found.count(orders.ChooseTarget(target=one)) for one in state.ask.targets]
    assert sum(counts) == 600
    assert statistics.pstdev(counts) < 25
    rolled = at("lcs", defences={"walls": 0}, hand="AS 6S QS", seed=1).state
    assert PLAIN.order(rolled, chance) == orders.Go()


# ------------------------------------------------------------------ whole games


def test_a_game_is_the_same_for_the_same_seed() -> None:
    ends = [play_out(setup(4, cards=True), PLAIN, seed) for seed in (1, 1, 2)]
    assert ends[0] == ends[1]
    assert ends[0] != ends[2]


def test_the_entries_of_a_game_end_where_the_game_does() -> None:
    play = played(setup(4, cards=True), SKILLED, 1)
    assert play.live[-1].events[-1].__class__.__name__ == "Won"
    assert play_out(setup(4, cards=True), SKILLED, 1) == play.state


def test_every_reading_is_played_to_its_end() -> None:
    book = library.beach().book
    for seed in range(8):
        chance = Random(seed)
        answers = {
            one.id: chance.choice(sorted(one.answers)) for one in book.rulings.values()
        }  # fmt: skip
        variant = chance.choice(("normandy", "omaha"))
        end = play_out(setup(seed, answers, cards=True, variant=variant), SKILLED, seed)
        assert end.over, answers


def test_the_dice_on_your_table_cannot_be_played_with() -> None:
    for policy in POLICIES.values():
        with pytest.raises(ValueError, match=r"on your table\. Roll a die"):
            play_on(at("frogman").state, policy, 1)
