"""Whole campaigns whose battles end by chance: nobody is lost or made, and both sides keep hope."""

from __future__ import annotations

from random import Random
from statistics import median

from deep import deep_count
from hypothesis import given, settings
from hypothesis import strategies as st

from skirmish.games.plastic.campaign import orders
from skirmish.registry import load
from tests.games.plastic.campaign.evenings import (
    LADDERS,
    begin,
    by_chance,
    conserved,
    ended,
    evening,
    give,
    opened,
    played_by_chance,
    the_game,
)

RULINGS = {id: tuple(ruling.answers) for id, ruling in the_game()._books().terms.rulings.items()}


@settings(deadline=None, max_examples=deep_count(20, 60))
@given(
    campaign=st.sampled_from(LADDERS),
    seed=st.integers(0, 2**32),
    quality=st.sampled_from(["on", "off"]),
    rulings=st.fixed_dictionaries(
        {id: st.sampled_from(answers) for id, answers in RULINGS.items()}
    ),
)
def test_nobody_is_lost_or_made_but_by_an_entry(
    campaign: str, seed: int, quality: str, rulings: dict[str, str]
) -> None:
    play = played_by_chance(campaign, Random(seed), {**rulings, "quality": quality})
    again = load("campaign").codec.play(list(play.entries))
    assert again.state == play.state


def test_a_campaign_of_coins_is_short_and_its_first_loser_keeps_hope() -> None:
    """Of 20,000 campaigns (benchmarks/campaigns.py) whoever lost the first battle wins about a
    third; of these few at least a quarter."""
    random = Random("coins")
    lengths, losers_won = [], 0.0
    for number in range(240):
        play = opened(LADDERS[number % len(LADDERS)], seed=100 + number)
        while play.state.outcome is None:
            begin(play)
            winner = random.choice(play.state.setup.ids)
            facts = ended(play.state, winner, lambda piece: random.random() < 0.2)
            give(play, orders.CountBattle(facts=facts))
            evening(play, random)
        lengths.append(len(play.state.fought))
        first_winner = play.state.fought[0].winner
        if play.state.outcome.winner is None:
            losers_won += 0.5
        elif play.state.outcome.winner != first_winner:
            losers_won += 1
    assert median(lengths) <= 7
    assert losers_won / len(lengths) > 0.25


def test_taking_the_same_end_again_changes_nothing() -> None:
    play = opened("kursk")
    begin(play)
    facts = by_chance(play.state, Random(3))
    give(play, orders.CountBattle(facts=facts), orders.DrawReturns())
    before = play.state
    assert give(play, orders.CountAgain(facts=facts)) == before


def test_who_is_not_dead_any_more_is_given_back() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    lost = {"german:M1", "german:G1"}
    facts = ended(play.state, "russian", lambda piece: piece.id in lost)
    give(play, orders.CountBattle(facts=facts))
    state = give(play, orders.DrawReturns(ranks=(12, 12)))
    assert state.groups["german-2"].total("gone") == 2
    facts = ended(play.state, "russian", lambda piece: piece.id == "german:G1")
    state = give(play, orders.CountAgain(facts=facts))
    assert state.groups["german-2"].gone == {"grenade": 1}
    assert not state.due
    conserved(state)
