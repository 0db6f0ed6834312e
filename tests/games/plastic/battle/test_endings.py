"""How a battle ends: break point, turn 30, a scenario's clock."""

from __future__ import annotations

import pytest
from stage import armies, of, scenario

from skirmish.games.plastic.battle.agenda import OutcomeAsk, RepeatAsk
from skirmish.games.plastic.battle.events import Finished
from skirmish.games.plastic.battle.orders import Again, EndPhase, EndTurn, Fire, Show
from skirmish.games.plastic.battle.progress import headline
from skirmish.games.plastic.battle.setup import Deadline
from skirmish.games.plastic.battle.strength import beating_loss, side_strength
from skirmish.tabletop.chance import Draw, Source


def test_an_army_breaks_when_half_of_it_is_lost() -> None:
    """The Basic Game, P2."""
    table = armies({"rifle": 4}, {"rifle": 9})
    table.fire("rifle", "rifle", "5H")
    assert table.state.outcome is None
    (end,) = of(Finished, table.fire("rifle", "rifle", "4H"))
    assert end.winner == "second"
    assert end.reason == "Reds broke: 2 of 4 lost, with a break point of 2."


def test_an_army_may_have_to_lose_more_than_half() -> None:
    """P2 more_than_half."""
    table = armies({"rifle": 4}, {"rifle": 9}, answers={"P2": "more_than_half"})
    table.fire("rifle", "rifle", "5H")
    table.fire("rifle", "rifle", "4H")
    assert table.state.outcome is None
    table.fire("rifle", "rifle", "3H")
    assert table.state.outcome is not None


def test_the_game_stops_at_the_loss_that_breaks_it() -> None:
    """P74 at_once: no repeat shot is offered any more."""
    table = armies({"rifle": 2}, {"machinegun": 9})
    table.fire("machinegun", "rifle", "5H")
    assert table.state.outcome is not None
    assert (table.state.ask, table.state.agenda) == (None, ())


def test_the_phase_may_be_fought_to_its_end() -> None:
    """P74 end_of_phase."""
    table = armies({"rifle": 3}, {"machinegun": 9}, answers={"P74": "end_of_phase"})
    table.fire("machinegun", "rifle", "5H")
    table.order(Again())
    table.show("4H")
    assert table.state.outcome is None
    assert isinstance(table.state.ask, RepeatAsk)
    events = table.order(EndPhase())
    assert [end.winner for end in of(Finished, events)] == ["second"]
    assert table.state.clock.phase == 1


@pytest.mark.parametrize("order", [EndPhase(), EndTurn()])
def test_both_armies_may_break_in_one_phase(order: EndPhase | EndTurn) -> None:
    """P74 end_of_phase, with a cannon that bursts on its second shot."""
    table = armies({"rifle": 2}, {"cannon": 2}, answers={"P74": "end_of_phase"})
    table.fire("cannon", "rifle", "5H")
    table.fire("cannon", "rifle", "QS", "2S")
    assert table.state.loss == {"first": 1, "second": 5}
    (end,) = of(Finished, table.order(order))
    assert (end.winner, end.reason) == (None, "Both armies have broken.")


def test_a_battle_undecided_after_turn_30_is_a_draw() -> None:
    """The Basic Game."""
    table = armies({"rifle": 9}, {"rifle": 9}).at(30, "second", 4)
    assert table.state.outcome is None
    (end,) = of(Finished, table.order(EndPhase()))
    assert end.winner is None
    assert "Turn 30" in end.reason
    assert headline(table.state) == "A draw"


def test_turn_30_of_the_side_that_moves_first_is_not_the_end() -> None:
    table = armies({"rifle": 9}, {"rifle": 9}).at(30, "first")
    table.order(EndTurn())
    assert table.state.outcome is None


def test_breaking_the_enemy_in_turn_30_is_still_a_win() -> None:
    """P74 end_of_phase: the break is looked at before the clock."""
    table = armies({"rifle": 2}, {"rifle": 9}, answers={"P74": "end_of_phase"}).at(30, "second", 3)
    table.fire("rifle", "rifle", "9H")
    table.order(EndPhase())
    table.at(30, "second", 4)
    assert table.state.outcome is None
    table.fire("rifle", "rifle", "9D", by="second", insist=True)
    table.fire("rifle", "rifle", "5H", by="second", insist=True)
    (end,) = of(Finished, table.order(EndTurn()))
    assert end.winner == "second"


def test_in_a_scenario_the_break_point_is_off() -> None:
    """P58."""
    table = scenario(1)
    assert [beating_loss(table.state, side) for side in ("german", "polish")] == [None, None]


def test_in_a_scenario_the_break_point_may_be_played() -> None:
    """P58 on: Germans of scenario 1 with their halftrack are worth 50."""
    table = scenario(1, answers={"P58": "on"})
    both = [
        (side_strength(table.state, s), beating_loss(table.state, s)) for s in ("german", "polish")
    ]
    assert both == [(50, 25), (28, 14)]


def test_when_a_scenarios_clock_has_run_out_its_terms_decide() -> None:
    """Scenario 1: after German turn 11."""
    table = scenario(1).at(11, "german")
    events = table.order(EndTurn())
    assert of(Finished, events)
    assert headline(table.state) == "Winner: Poles"


def test_a_turn_before_the_last_asks_nothing() -> None:
    table = scenario(1).at(10, "polish")
    table.order(EndTurn())
    assert table.state.ask is None


def test_the_airfield_has_no_clock() -> None:
    """Scenario 3, P68."""
    drawn = (Source("deck", seed=1), Source("deck", seed=2))
    table = scenario(3, sources=drawn).at(40, "british")
    assert table.state.setup.ends_after is None
    assert table.state.ask is None


@pytest.mark.parametrize(
    ("answer", "deadline"),
    [("german_15", Deadline("german", 15)), ("american_16", Deadline("american", 16))],
)
def test_dog_beach_has_two_ends_to_choose_from(answer: str, deadline: Deadline) -> None:
    """P80."""
    table = scenario(10, answers={"P80": answer})
    assert table.state.setup.ends_after == deadline
    assert f"turn {deadline.turn}" in table.state.setup.victory.lower()
    table.at(deadline.turn, deadline.side)
    assert table.state.ask is None
    table.order(EndTurn())
    assert table.state.ask == OutcomeAsk(count=True)


def test_an_army_that_counts_for_nothing_cannot_break() -> None:
    """Scenario 3 with nationalities and the break point: British jeeps count for nothing."""
    table = scenario(3, nationalities=True, answers={"P58": "on"})
    table.order(Fire(shooter="german/hidden/rifle", target="british/raiders/mg_jeep"))
    table.order(Show((Draw(2, "H"),)))
    assert table.state.outcome is None


def test_a_loss_of_the_enemy_does_not_break_an_army_that_counts_for_nothing() -> None:
    """The basic game, Americans with jeeps only."""
    table = armies({"rifle": 9}, {"mg_jeep": 3}, nations=(None, "american"))
    table.fire("mg_jeep", "rifle", "5H")
    assert table.state.outcome is None
