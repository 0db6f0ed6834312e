"""The record of a scenario: who won, how long it took, what was lost, and what would even it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stage import Table, scenario

from skirmish import library
from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.scenario_record import (
    MOST_RATIO,
    ScenarioRecord,
    SideRecord,
    points_to_even,
    proposal_to_even,
    record_of,
    record_words,
)

OVERMATCHED = library.published_scenarios()[1]


def ended(battle: Table, winner: str | None) -> Table:
    battle.order(Finish(winner=winner))
    return battle


def test_only_the_finished_battles_of_this_scenario_count() -> None:
    ends = [(10, "american"), (1, "german"), (1, "polish"), (1, "polish"), (1, None)]
    states = [ended(scenario(number), winner).state for number, winner in ends]
    states.append(scenario(1).state)
    record = record_of(OVERMATCHED, states, library.catalog())
    assert record is not None
    assert (record.battles, record.draws) == (4, 1)
    assert record_words(record).startswith(
        "Played 4 times: Germans 1, Poles 2, nobody 1. It took 1 turn. "
    )
    assert record_of(library.published_scenarios()[5], states, library.catalog()) is None


def test_what_was_lost_is_a_share_of_the_strength_at_the_start() -> None:
    battle = scenario(1)
    state = ended(battle, "german").state
    record = record_of(OVERMATCHED, [state], library.catalog())
    assert record is not None
    assert record.second.lost_share == 0
    assert record_words(record) == (
        "Played once: Germans 1, Poles 0. It took 1 turn. "
        "The Germans lost 0% of their strength and the Poles lost 0% of their strength."
    )
    assert proposal_to_even(record) == ""


def of(wins: int, losses: int, lost: float, enemy_lost: float) -> ScenarioRecord:
    return ScenarioRecord(
        battles=wins + losses,
        draws=0,
        fewest_turns=5,
        most_turns=9,
        first=SideRecord("Germans", wins, lost, 100),
        second=SideRecord("Poles", losses, enemy_lost, 100),
    )


def test_the_side_that_loses_gets_more_points_and_never_too_many() -> None:
    proposal = points_to_even(of(3, 0, 0.2, 0.5))
    assert proposal is not None
    assert (proposal.people, proposal.games) == ("Poles", 3)
    assert 30 < proposal.more <= (MOST_RATIO - 1) * 100
    assert "guess from 3 games" in proposal_to_even(of(3, 0, 0.2, 0.5))


@given(st.integers(0, 30), st.integers(0, 30), st.floats(0, 1), st.floats(0, 1))
def test_what_evens_it_is_the_same_from_both_sides(
    wins: int, losses: int, lost: float, enemy_lost: float
) -> None:
    proposal = points_to_even(of(wins, losses, lost, enemy_lost))
    mirrored = points_to_even(of(losses, wins, enemy_lost, lost))
    if proposal is None or mirrored is None:
        assert proposal is mirrored is None
        return
    assert {proposal.people, mirrored.people} == {"Germans", "Poles"}
    assert proposal.more == pytest.approx(mirrored.more, abs=8)
