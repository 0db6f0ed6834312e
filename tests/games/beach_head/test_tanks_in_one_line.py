"""The dice of several tanks, typed in one line by a player who rolls his own."""

from __future__ import annotations

from typing import Any

import pytest
from beach_table import Table, at

from skirmish.games.beach_head import orders
from skirmish.registry import load
from skirmish.tabletop.commands import Draft, read
from skirmish.tabletop.refusal import Refused
from skirmish.tabletop.slots import UnfitAnswer

GAME: Any = load("beach_head")


def landing(tanks: int = 4, **given: Any) -> Table:
    """So many tanks are about to land: the die of the first one is asked for."""
    table = at("lct", defences={"traps": 0}, **given)
    table.do(f"roll {tanks + 3 if tanks < 4 else 6}")
    if tanks == 4:
        table.do("play 9S")
    table.count()
    return table


def typed(table: Table, line: str) -> Table:
    draft = read(Draft(command=GAME.prompt(table.state)), (), line)
    table.give(draft.order())
    return table


def test_the_dice_of_all_tanks_are_one_line() -> None:
    table = landing(4, hand="9S")
    slot = Draft(command=GAME.prompt(table.state)).slot
    assert slot is not None
    assert slot.text.endswith("Or the dice of all 4 tanks: 4261.")
    typed(table, "4261")
    assert table.state.tanks == ("crab", "gun", "fascine", "gun")
    assert table.state.phase == "lcs"


def test_the_example_has_a_die_for_each_of_more_than_six_tanks() -> None:
    table = at("lct", hand="10S 10H 9S", defences={"traps": 0})
    table.do("roll 6", "play 10S", "play 10H", "play 9S")
    table.count()
    slot = Draft(command=GAME.prompt(table.state)).slot
    assert slot is not None
    assert slot.text.endswith("Or the dice of all 8 tanks: 42615342.")


def test_some_of_them_may_be_typed_and_the_others_later() -> None:
    together = typed(landing(3), "426")
    apart = landing(3)
    for line in ("4", "26"):
        typed(apart, line)
    singly = landing(3)
    for line in "426":
        typed(singly, line)
    assert together.state == apart.state == singly.state


@pytest.mark.parametrize("line", ["4267", "42611", "", "0", "x"])
def test_more_dice_than_tanks_and_faces_that_no_die_has_are_refused(line: str) -> None:
    with pytest.raises(UnfitAnswer):
        typed(landing(3), line)


def test_more_dice_than_tanks_are_refused_as_an_order_too() -> None:
    with pytest.raises(Refused, match="fewer tanks"):
        landing(3).give(orders.ShowDice(faces=(1,), more=(2, 3, 4)))
    with pytest.raises(Refused, match="a number from 1 to 6, not 7"):
        landing(3).give(orders.ShowDice(faces=(1,), more=(7,)))
    with pytest.raises(Refused, match="fewer tanks"):
        at("frogman").give(orders.ShowDice(faces=(1,), more=(2,)))


def test_before_the_last_die_no_card_is_played_and_on_the_last_one_it_may_be() -> None:
    table = typed(landing(3, hand="AS"), "426")
    roll = table.state.roll
    assert roll is not None
    assert roll.faces == (6,)  # it lies there, and the Medic may make it a 1
    table.do("play AS").count()
    assert table.state.tanks == ("crab", "gun", "gun")


def test_where_cards_come_before_the_dice_each_die_is_asked_for_by_itself() -> None:
    table = at("lct", defences={"traps": 0}, hand="AS", rulings={"B19": "before"})
    table.give(orders.Go())
    table.give(orders.ShowDice(faces=(6,)))
    while table.state.ask is None:
        table.give(orders.Go())
    assert orders.tanks_to_type(table.state) == 1
    with pytest.raises(UnfitAnswer):
        typed(table, "12")
