"""The rules of a campaign, one by one."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from skirmish.games.plastic.campaign import orders
from skirmish.games.plastic.campaign.evening import parties_of, step_of
from skirmish.games.plastic.campaign.fielding import allowance, cost, opening, proposed
from skirmish.games.plastic.campaign.state import CampaignState, GroupBattle, PieceFate
from skirmish.tabletop.refusal import Refused
from tests.games.plastic.campaign.evenings import (
    LADDERS,
    begin,
    conserved,
    ended,
    evening,
    give,
    opened,
    the_game,
)


def nobody(piece: PieceFate) -> bool:
    return False


def after_a_battle(winner: str | None = "german", **answers: str) -> CampaignState:
    play = opened("kursk", **answers)
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, winner, nobody)))
    return play.state


@pytest.mark.parametrize("campaign", LADDERS)
def test_every_campaign_of_the_program_opens_and_its_first_battle_begins(campaign: str) -> None:
    play = opened(campaign)
    state = begin(play)
    setup = opening(state, state.fought[-1], the_game()._books(), state.seed)
    assert setup.campaign is not None
    assert setup.campaign.mark == state.setup.mark
    conserved(state)


def test_the_lost_of_a_side_that_lost_the_field_return_by_its_line() -> None:
    table = opened().state.setup.table
    assert [table.guys_lost.result(rank) for rank in (5, 8, 9, 10)] == [
        "ready",
        "away",
        "prisoner",
        "gone",
    ]
    assert [table.models_held.result(rank) for rank in (4, 8, 10, 11)] == [
        "ready",
        "away",
        "crew",
        "gone",
    ]


def test_seven_lost_riflemen_share_three_cards_and_other_guys_have_their_own() -> None:
    state = opened().state
    lost = {"german-2": {"rifle": 7, "mortar": 2, "halftrack": 1}}
    parties = parties_of(state, 1, lost)
    assert [(party.unit, party.count) for party in parties] == [
        ("halftrack", 1),
        ("mortar", 1),
        ("mortar", 1),
        ("rifle", 3),
        ("rifle", 3),
        ("rifle", 1),
    ]


def test_who_is_away_misses_one_battle_and_fights_the_next_but_one() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    facts = ended(play.state, "russian", lambda piece: piece.id == "german:M1")
    give(play, orders.CountBattle(facts=facts))
    state = give(play, orders.DrawReturns(ranks=(8,)))
    assert state.groups["german-2"].away == {"machinegun": 1}
    evening(play, Random(1))
    state = begin(play)
    assert "machinegun" in state.groups["german-2"].away
    state = give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    assert not state.groups["german-2"].away


def test_a_weak_side_is_filled_with_attached_riflemen_up_to_four_fifths() -> None:
    play = opened("kursk")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    evening(play, Random(1))
    state = play.state
    assert allowance(state) == 200
    weak = replace(
        state,
        groups={
            name: replace(group, ready={"rifle": 50} if group.side == "russian" else group.ready)
            for name, group in state.groups.items()
        },
    )
    fielding = proposed(weak, "russian")
    assert cost(weak, fielding.groups) == 150
    assert fielding.attached["rifle"] == 10


def test_with_force_quality_regulars_count_five_sixths_of_their_price() -> None:
    state = opened("kursk", quality="on").state
    groups = {"russian-1": {"rifle": 60}, "russian-2": {"cannon": 4}, "german-1": {"tank": 5}}
    assert cost(state, groups) == 50 + 27 + 84


@pytest.mark.parametrize(("lost", "marks"), [(3, 1), (4, 0)])
def test_a_group_that_lost_a_quarter_of_what_it_brought_gains_a_mark(lost: int, marks: int) -> None:
    state = after_a_battle()
    group = replace(
        state.groups["russian-3"], battles=(GroupBattle(battle=1, brought=12, lost=lost),)
    )
    step = step_of(group, state)
    assert (step.marks if step else 0) == marks


@pytest.mark.parametrize(("recruits", "marks"), [(9, 1), (10, 0)])
def test_more_than_a_quarter_of_recruits_costs_a_mark(recruits: int, marks: int) -> None:
    state = after_a_battle()
    group = replace(
        state.groups["russian-1"], ready={"rifle": 36}, tonight=recruits, marks=1, battles=()
    )
    step = step_of(group, state)
    assert (step.marks if step else group.marks) == marks


def test_two_marks_make_green_regular_and_four_regular_elite() -> None:
    state = after_a_battle()
    fought = (GroupBattle(battle=1, brought=60, lost=0),)
    green = replace(state.groups["russian-1"], quality="green", marks=1, battles=fought)
    regular = replace(state.groups["russian-1"], marks=3, battles=fought)
    steps = [step_of(green, state), step_of(regular, state)]
    assert [step and (step.quality, step.marks) for step in steps] == [
        ("regular", 0),
        ("elite", 0),
    ]


def test_replacements_catch_up_and_what_was_saved_add_up() -> None:
    state = after_a_battle("german")
    assert state.step == "catch_up"
    play = opened("kursk")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    state = give(play, orders.CatchUp())
    assert state.budget == {"german": 10, "russian": 25}
    give(play, orders.Replace(side="german"), orders.Replace(side="russian"))
    assert play.state.budget == {"german": 10, "russian": 15}
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
    assert give(play, orders.CatchUp()).budget == {"german": 20, "russian": 40}


def test_the_choice_of_ground_makes_its_side_the_attacker_of_a_battle_that_is_drawn_for() -> None:
    play = opened("any_two_armies")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "first", nobody)))
    give(play, orders.CatchUp(ground=True))
    for side in play.state.setup.ids:
        give(play, orders.Replace(side=side))
    assert (play.state.attacker, play.state.ground) == ("first", "second")
    begin(play)
    give(play, orders.CountBattle(facts=ended(play.state, "second", nobody)))
    give(play, orders.CatchUp())
    for side in play.state.setup.ids:
        give(play, orders.Replace(side=side))
    assert (play.state.marker, play.state.attacker, play.state.ground) == (0, "second", "")


def test_whoever_concedes_loses_the_battle_and_nobody_else() -> None:
    play = opened("kursk")
    begin(play)
    before = {name: group.full for name, group in play.state.groups.items()}
    state = give(play, orders.Concede(side="german"))
    assert state.marker == -1
    assert state.step == "replacements"
    assert {name: group.here for name, group in state.groups.items()} == before
    conserved(state)


def test_a_win_beyond_the_end_of_the_ladder_ends_the_campaign() -> None:
    play = opened("kursk")
    for _ in range(3):
        begin(play)
        give(play, orders.CountBattle(facts=ended(play.state, "german", nobody)))
        evening(play, Random(2))
    assert play.state.outcome is not None
    assert play.state.outcome.winner == "german"
    assert the_game().headline(play.state) == "Germans won after 3 battles"


def test_who_exits_to_win_gives_up_the_field() -> None:
    play = opened("kursk")
    begin(play)
    facts = ended(play.state, "german", nobody, exited=True)
    state = give(play, orders.CountBattle(facts=facts))
    assert state.fought[-1].holds == ("russian",)


def test_prisoners_are_exchanged_one_for_one_the_longest_held_first() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    lost = {"german:M1", "german:M2", "russian:M1"}
    facts = ended(play.state, None, lambda piece: piece.id in lost, how="draw")
    give(play, orders.CountBattle(facts=facts, holds=()))
    state = give(play, orders.DrawReturns(ranks=(9, 9, 9)))
    assert state.groups["german-2"].total("prisoner") == 1
    assert state.groups["russian-1"].total("prisoner") == 0
    conserved(state)


def test_the_crew_of_a_lost_model_makes_the_next_one_no_recruit() -> None:
    play = opened("kursk", cards="own")
    begin(play)
    facts = ended(play.state, "german", lambda piece: piece.id == "russian:C1")
    give(play, orders.CountBattle(facts=facts))
    give(play, orders.DrawReturns(ranks=(8,)), orders.CatchUp(), orders.Replace(side="german"))
    assert play.state.groups["russian-2"].crews == {"cannon": 1}
    bought = {"russian-2": {"cannon": 1}}
    event = play.consider(orders.Replace(side="russian", bought=bought)).events[0]
    after = event.apply(play.state)
    assert after.groups["russian-2"].tonight == 0
    assert after.groups["russian-2"].recruits == {"cannon": 1}


def test_facts_of_another_campaign_are_refused_in_a_sentence() -> None:
    play = opened("kursk")
    begin(play)
    facts = replace(ended(play.state, "german", nobody), winner="british")
    with pytest.raises(Refused, match="'british' is no side of this campaign"):
        give(play, orders.CountBattle(facts=facts))
    facts = replace(ended(play.state, "german", nobody), battle=5)
    with pytest.raises(Refused, match="facts of battle 5"):
        give(play, orders.CountBattle(facts=facts))


def test_nobody_can_bring_more_than_is_ready_or_allowed() -> None:
    play = opened("kursk")
    with pytest.raises(Refused, match="Panzer company has 5 Tanks ready, not 6"):
        give(play, orders.Take(side="german", groups={"german-1": {"tank": 6}}))
    with pytest.raises(Refused, match="The scenario lists"):
        give(play, orders.Take(side="german", groups={"german-1": {"tank": 5}}))
