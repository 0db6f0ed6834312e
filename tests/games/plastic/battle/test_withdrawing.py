"""Giving up a battle of a campaign ("Withdrawing", ruling C20)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from stage import Table, armies

from skirmish.games.plastic.battle.known_pack import Knowledge
from skirmish.games.plastic.battle.orders import (
    EndPhase,
    Finish,
    GroupMoved,
    Load,
    SetQuality,
    Withdraw,
)
from skirmish.games.plastic.battle.setup import OfCampaign
from skirmish.games.plastic.battle.state import Finished
from skirmish.games.plastic.campaign.facts import facts_of
from skirmish.games.plastic.commands import commands
from skirmish.games.plastic.commands.declaring import AnyCommand
from skirmish.tabletop.slots import Picks

FULL: Knowledge = "full"


def of_campaign() -> Table:
    table = armies({"rifle": 6, "cannon": 2, "truck": 1}, {"rifle": 9, "machinegun": 1})
    setup = table.state.setup
    groups = {piece.id: piece.side for piece in setup.pieces}
    link = OfCampaign(
        mark="abc",
        battle=1,
        title="Kursk",
        sides={"first": "german", "second": "russian"},
        groups=groups,
    )
    return Table(replace(setup, campaign=link))


def command(table: Table) -> AnyCommand | None:
    return next((one for one in commands(table.state, FULL) if one.verb == "withdraw"), None)


def outcome(table: Table) -> Finished:
    ended = table.state.outcome
    assert ended is not None
    return ended


def test_who_withdraws_has_lost_with_those_in_contact() -> None:
    table = of_campaign().at(2, "first")
    rifle, cannon = table.row("first", "rifle").key, table.row("first", "cannon").key
    table.order(Withdraw(lost={rifle: 2, cannon: 1}))
    assert (outcome(table).winner, outcome(table).withdrawn) == ("second", True)
    assert (table.alive("first", "rifle"), table.alive("first", "cannon")) == (4, 1)


def test_the_campaign_learns_that_the_battle_was_given_up() -> None:
    table = of_campaign().at(2, "first")
    table.order(Withdraw(lost={table.row("first", "rifle").key: 2}))
    facts = facts_of(table.play)
    assert facts is not None
    assert (facts.how, facts.winner) == ("withdrawn", "russian")
    assert sum(piece.fate == "lost" for piece in facts.pieces) == 2


@pytest.mark.parametrize(("turn", "phase"), [(1, 1), (2, 2)])
def test_a_side_withdraws_at_the_start_of_its_turn_from_the_second_on(
    turn: int, phase: int
) -> None:
    table = of_campaign().at(turn, "first", phase)
    assert table.refusal(Withdraw(lost={})).code == "not_now"
    table.order(Withdraw(lost={}, insist=True))
    assert outcome(table).withdrawn


def test_after_a_shot_the_turn_does_not_start_any_more() -> None:
    table = of_campaign().at(2, "first")
    table.fire("rifle", "rifle", "9H")
    assert table.refusal(Withdraw(lost={})).code == "not_now"


def test_after_a_command_draw_the_turn_does_not_start_any_more() -> None:
    table = of_campaign().at(2, "first")
    table.order(SetQuality(side="first", quality="green"))
    table.order(GroupMoved())
    table.show("JH")
    assert table.refusal(Withdraw(lost={})).code == "not_now"


def test_who_rides_is_lost_with_his_truck_once() -> None:
    table = of_campaign().at(2, "first")
    rifle, truck = table.row("first", "rifle").key, table.row("first", "truck").key
    table.order(Load(carrier=truck, riders={rifle: 2}))
    table.order(Withdraw(lost={truck: 1, rifle: 5}))
    assert table.alive("first", "rifle") == 0  # four on foot, one who rides, and the other with him


def test_only_a_battle_of_a_campaign_is_given_up() -> None:
    table = armies({"rifle": 6}, {"rifle": 9}).at(2, "first")
    assert table.refusal(Withdraw(lost={})).code == "no_campaign"
    assert command(table) is None


def test_nobody_loses_men_of_the_enemy_or_more_than_he_has() -> None:
    table = of_campaign().at(2, "first")
    enemy, own = table.row("second", "rifle").key, table.row("first", "rifle").key
    assert table.refusal(Withdraw(lost={enemy: 1})).code == "other_side"
    assert table.refusal(Withdraw(lost={own: 7})).code == "too_many"


def test_the_question_proposes_the_cannon_that_are_not_loaded() -> None:
    table = of_campaign().at(2, "first")
    asked = command(table)
    assert asked is not None
    assert isinstance(asked.slots, tuple)
    (slot,) = asked.slots
    assert isinstance(slot, Picks)
    assert slot.default == {table.row("first", "cannon").key: 2}
    assert slot.default_text == "2 Cannons"


def test_it_is_on_the_key_strip_when_it_may_be_done() -> None:
    table = of_campaign().at(2, "first")
    asked = command(table)
    assert asked is not None
    assert asked.word == "withdraw"
    table.order(EndPhase())
    later = command(table)
    assert later is not None
    assert later.word == ""


def test_taken_back_the_battle_goes_on_and_nobody_is_lost() -> None:
    table = of_campaign().at(2, "first")
    table.order(Withdraw(lost={table.row("first", "rifle").key: 2}))
    table.undo()
    assert table.state.outcome is None
    assert table.alive("first", "rifle") == 6


def answering(**answers: str) -> Table:
    """A battle of a campaign with these answers to its rulings."""
    setup = of_campaign().state.setup
    assert setup.campaign is not None
    return Table(replace(setup, campaign=replace(setup.campaign, answers=answers)))


def test_no_side_withdraws_in_a_campaign_that_rules_it_out() -> None:
    table = answering(C20="never").at(2, "first")
    assert table.refusal(Withdraw(lost={})).message == "No side withdraws in this campaign."
    table.order(Withdraw(lost={}, insist=True))
    assert outcome(table).withdrawn


@pytest.mark.parametrize(("answers", "carrier"), [({}, ""), ({"C11": "carrier"}, "first:K1")])
def test_the_campaign_learns_with_which_model_passengers_were_lost(
    answers: dict[str, str], carrier: str
) -> None:
    table = answering(**answers).at(2, "first")
    rifle, truck = table.row("first", "rifle").key, table.row("first", "truck").key
    table.order(Load(carrier=truck, riders={rifle: 2}))
    table.order(Withdraw(lost={truck: 1, rifle: 1}))
    facts = facts_of(table.play)
    assert facts is not None
    carriers = [piece.carrier for piece in facts.pieces if piece.fate == "lost"]
    assert sorted(carriers) == sorted(["", "", carrier, carrier])


@pytest.mark.parametrize(("answers", "turned"), [({}, ""), ({"C10": "rifle"}, "rifle")])
def test_the_campaign_learns_whose_weapon_broke_down(answers: dict[str, str], turned: str) -> None:
    table = answering(**answers)
    table.fire("machinegun", "rifle", "QS", "2S")
    table.order(Finish(winner=None))
    facts = facts_of(table.play)
    assert facts is not None
    assert [piece.turned for piece in facts.pieces if piece.unit == "machinegun"] == [turned]
