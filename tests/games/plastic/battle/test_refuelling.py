"""Scenario 2: French tanks do nothing before a truck has served them."""

from __future__ import annotations

import pytest
from stage import Table, of, scenario

from skirmish.games.plastic.battle.agenda import PieceAsk
from skirmish.games.plastic.battle.commanders import TableGroup
from skirmish.games.plastic.battle.events import Served
from skirmish.games.plastic.battle.headquarters.service import with_unserved
from skirmish.games.plastic.battle.lines import lines
from skirmish.games.plastic.battle.orders import ChooseModel, Correct, Fire, PinTest, Serve
from skirmish.games.plastic.battle.orders.scenario_orders import count_servable
from skirmish.games.plastic.commander.situation import GroupKnown

TANKS = "french/tanks/tank"
TRUCKS = "french/trucks/truck"


def fuelled(count: int) -> Table:
    """French turn 2, with so many served."""
    table = scenario(2).at(2, "french")
    table.order(Serve(row=TANKS, count=count))
    return table


def test_a_dry_tank_fires_in_no_phase() -> None:
    """P36."""
    shot = Fire(shooter=TANKS, target="german/vanguard/tank")
    for phase in (1, 2, 4):
        table = scenario(2).at(1, "german", phase)
        refusal = table.refusal(shot)
        assert (refusal.code, refusal.rule, refusal.firm) == ("unserved", "Scenario, P36", False)
    assert scenario(2).at(1, "french", 3).refusal(shot).code == "unserved"


def test_a_dry_tank_can_be_shot() -> None:
    table = scenario(2).at(1, "french")
    table.fire("tank", "tank", "5H")
    assert table.alive("french", "tank") == 11


def test_a_tank_once_served_fires_for_the_rest_of_the_game() -> None:
    table = fuelled(1).at(3, "german")
    table.fire("tank", "tank", "5H")
    assert table.refusal(table.shot("tank", "tank", weapon="cannon")).code == "already_fired"
    table.at(9, "german")
    table.fire("tank", "tank", "5H")
    assert table.alive("german", "tank") == 6


def test_each_truck_serves_one_tank_a_turn() -> None:
    table = scenario(2).at(2, "french")
    assert count_servable(table.state) == 4
    refusal = table.refusal(Serve(row=TANKS, count=5))
    assert refusal.message == "4 can be served each turn, and 0 already were."
    assert refusal.firm is False
    table.order(Serve(row=TANKS, count=3))
    assert count_servable(table.state) == 1
    assert table.refusal(Serve(row=TANKS, count=2)).code == "served"
    table.order(Serve(row=TANKS))
    assert count_servable(table.state) == 0
    table.order(Serve(row=TANKS, insist=True))
    assert len(table.state.unserved) == 7


def test_the_trucks_serve_again_next_turn() -> None:
    table = fuelled(4).at(3, "french")
    assert count_servable(table.state) == 4
    table.order(Serve(row=TANKS, count=4))
    table.at(4, "french")
    table.order(Serve(row=TANKS, count=4))
    table.at(5, "french")
    assert count_servable(table.state) == 0
    refusal = table.refusal(Serve(row=TANKS))
    assert refusal.message == "Only 0 still need service, not 1."
    assert refusal.firm is True


def test_a_truck_lost_serves_nobody() -> None:
    table = scenario(2).at(1, "french")
    table.fire("tank", "truck", "9H")
    table.at(2, "french")
    assert count_servable(table.state) == 3
    table.order(Correct(row=TRUCKS, by=-3))
    assert count_servable(table.state) == 0
    refusal = table.refusal(Serve(row=TANKS))
    assert refusal.message == "0 can be served each turn, and 0 already were."


@pytest.mark.parametrize(("turn", "side", "phase"), [(3, "german", 1), (2, "french", 2)])
def test_they_are_served_as_a_french_turn_begins(turn: int, side: str, phase: int) -> None:
    table = scenario(2).at(turn, side, phase)
    assert count_servable(table.state) == 0
    refusal = table.refusal(Serve(row=TANKS))
    assert (refusal.code, refusal.firm) == ("not_now", False)
    assert refusal.message == "They are served at the start of a French turn, from turn 2 on."
    (served,) = of(Served, table.order(Serve(row=TANKS, insist=True)))
    assert len(served.pieces) == 1


def test_one_tank_may_be_named() -> None:
    table = scenario(2).at(2, "french")
    table.order(Serve(row=TANKS, piece="french:T7"))
    assert "french:T7" not in table.state.unserved
    assert lines(table.play)[-1].text == "Served: T7."
    again = table.refusal(Serve(row=TANKS, piece="french:T7"))
    assert (again.message, again.firm) == ("T7 needs no service now.", True)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        (TRUCKS, "A Truck needs no service."),
        ("german/vanguard/tank", "A Tank needs no service."),
        ("french/tanks/tiger", "There is no row called 'french/tanks/tiger'."),
    ],
)
def test_who_needs_nothing_is_not_served(row: str, says: str) -> None:
    refusal = scenario(2).at(2, "french").refusal(Serve(row=row, insist=True))
    assert (refusal.message, refusal.firm) == (says, True)


def test_elsewhere_nobody_needs_fuel() -> None:
    table = scenario(1)
    assert count_servable(table.state) == 0
    assert table.refusal(Serve(row="german/column/tank")).code == "needs_nothing"


def test_which_tank_was_hit_matters_once_some_have_fuel() -> None:
    table = fuelled(4)
    table.fire("tank", "tank", "5H")
    ask = table.state.ask
    assert isinstance(ask, PieceAsk)
    assert len(ask.pieces) == 12
    assert table.refusal(PinTest("french")).message == "First choose the model that was hit."
    table.order(ChooseModel("french:T1"))
    assert len(table.row("french", "tank").here) == 11
    assert table.ready("french", "tank") == 3


def test_only_who_has_fuel_is_ready() -> None:
    table = fuelled(4).at(3, "german")
    assert table.ready("french", "tank") == 4


def test_service_taken_back_leaves_them_dry() -> None:
    table = fuelled(4)
    table.undo()
    assert len(table.state.unserved) == 12
    assert count_servable(table.state) == 4


def test_service_made_void_leaves_them_dry() -> None:
    table = fuelled(4)
    table.play.accept(table.play.possible("void", *lines(table.play)[-1].entry_numbers))
    assert len(table.state.unserved) == 12
    assert count_servable(table.state) == 4


def test_nobody_can_be_served_in_the_first_french_turn() -> None:
    assert count_servable(scenario(2).at(1, "french").state) == 0


def test_the_commander_knows_that_tanks_wait_again_if_their_service_is_void() -> None:
    """P36. As many of his tanks wait as the battle counts, whatever he took for served before."""
    dry, served = scenario(2).at(2, "french").state, fuelled(3).state
    group = TableGroup(
        GroupKnown("tanks", "Tanks", {"tank": 12}, contingent="tanks", waiting={"tank": 12})
    )
    after_service = with_unserved(served, "french", [group])
    assert after_service[0].known.waiting == {"tank": 9}
    after_void = with_unserved(dry, "french", after_service)
    assert after_void[0].known.waiting == {"tank": 12}
