"""Whole campaigns whose battles end by chance: nobody is lost or made, and both sides keep hope."""

from __future__ import annotations

from random import Random
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from skirmish.games.plastic.campaign import orders
from skirmish.games.plastic.campaign.facts import digest_of
from skirmish.games.plastic.campaign.game import CampaignPlay
from skirmish.games.plastic.campaign.state import BattleFacts
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
    the_game,
)

RULINGS = {id: tuple(ruling.answers) for id, ruling in the_game()._books().terms.rulings.items()}


def changed(facts: BattleFacts, random: Random) -> BattleFacts:
    """The same battle with another end: some who were lost live, some who lived are lost."""
    pieces = []
    for piece in facts.pieces:
        if random.random() < 0.2:
            fate = "alive" if piece.fate == "lost" else "lost"
            pieces.append(replace(piece, fate=fate))
        else:
            pieces.append(piece)
    facts = replace(facts, pieces=tuple(pieces), winner=random.choice([facts.winner, None]))
    return replace(facts, digest=digest_of(facts))


def disturbed(play: CampaignPlay, random: Random) -> None:
    """Now and then an order is undone and redone, or a battle that was counted is changed."""
    if random.random() < 0.4 and len(play.acts) > 1:
        play.accept(play.possible("undo"))
        conserved(play.state)
        play.accept(play.possible("redo"))
    counted = [fought for fought in play.state.fought if fought.facts is not None]
    if counted and random.random() < 0.3:
        facts = random.choice(counted).facts
        assert facts is not None
        give(play, orders.Amend(facts=changed(facts, random)))
        conserved(play.state)


@settings(deadline=None, max_examples=60)
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
    random = Random(seed)
    if campaign == "any_two_armies":
        rulings = {**rulings, "C1": "240"}
    play = opened(campaign, quality=quality, rulings="own", **rulings)
    for _ in range(20):
        if play.state.outcome is not None:
            break
        if random.random() < 0.1:
            give(play, orders.Concede(side=random.choice(play.state.setup.ids)))
        else:
            begin(play)
            conserved(play.state)
            give(play, orders.CountBattle(facts=by_chance(play.state, random)))
        conserved(play.state)
        disturbed(play, random)
        evening(play, random)
        conserved(play.state)
        disturbed(play, random)
        evening(play, random)
    assert play.state.outcome is not None
    entries = [play.entries[0], *play.entries[1:]]
    again = load("campaign").codec.play(entries)
    assert again.state == play.state


@pytest.mark.parametrize("campaign", LADDERS)
def test_a_campaign_of_coins_is_short_and_its_first_loser_keeps_hope(campaign: str) -> None:
    """20,000 simulated campaigns give the loser of the first battle about 32 of 100; here few are
    played, with the whole program, so that the bounds are wide."""
    random = Random(f"coins {campaign}")
    lengths, losers_won, decided = [], 0.0, 0
    for number in range(60):
        play = opened(campaign, seed=100 + number)
        first_loser = ""
        while play.state.outcome is None:
            begin(play)
            winner = random.choice(play.state.setup.ids)
            facts = ended(play.state, winner, lambda piece: random.random() < 0.2)
            moves = play.state.fought[-1].rung.moves
            give(play, orders.CountBattle(facts=facts))
            if not first_loser and moves:
                first_loser = play.state.enemy_of(winner)
            evening(play, random)
        lengths.append(len(play.state.fought))
        decided += 1
        if play.state.outcome.winner is None:
            losers_won += 0.5
        elif play.state.outcome.winner == first_loser:
            losers_won += 1
    assert median(lengths) <= 7
    assert losers_won / decided > 0.15


def test_taking_the_same_end_again_changes_nothing() -> None:
    play = opened("kursk")
    begin(play)
    facts = by_chance(play.state, Random(3))
    give(play, orders.CountBattle(facts=facts), orders.DrawReturns())
    before = play.state
    assert give(play, orders.Amend(facts=facts)) == before


def test_who_is_not_dead_any_more_is_given_back() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    lost = {"german:M1", "german:G1"}
    facts = ended(play.state, "russian", lambda piece: piece.id in lost)
    give(play, orders.CountBattle(facts=facts))
    state = give(play, orders.DrawReturns(ranks=(12, 12)))
    assert state.groups["german-2"].total("gone") == 2
    facts = ended(replace(play.state), "russian", lambda piece: piece.id == "german:G1")
    state = give(play, orders.Amend(facts=facts))
    assert state.groups["german-2"].gone == {"grenade": 1}
    assert not state.due
    conserved(state)
