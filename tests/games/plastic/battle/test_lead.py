"""Who is ahead, as a list of battles tells it: by the terms of the battle, else by losses."""

from __future__ import annotations

import msgspec
import pytest
from stage import armies, scenario

from skirmish.games.plastic.battle.orders import Correct, Count, Exit, Finish
from skirmish.games.plastic.battle.progress import headline, last_turn, leader

WHAT = {
    4: "buildings",
    5: "buildings",
    6: "at the centre",
    9: "guys on the bridge",
    10: "guys in buildings",
}
"""What is counted, as it follows the numbers."""


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6, 7, 9, 10])
def test_nobody_is_ahead_of_what_has_not_begun(number: int) -> None:
    state = scenario(number).state
    assert leader(state).side is None
    assert headline(state).startswith("Turn 1")
    assert " · even: " in headline(state)


def test_who_brings_more_is_ahead_where_more_wins() -> None:
    """Scenario 8 counts the tanks that are left: 12 Germans, 14 Russians."""
    assert headline(scenario(8).state) == (
        "Turn 1 of 12 · Russians ahead: Germans 12, Russians 14 left"
    )


def test_a_column_falls_behind_with_its_losses_and_catches_up_by_getting_off() -> None:
    """Scenario 1: 20 of 40 must leave."""
    table = scenario(1)
    table.order(Correct(row="german/column/rifle", by=-1))
    assert leader(table.state).side is None
    table.order(Correct(row="german/column/rifle", by=-9))
    assert headline(table.state) == (
        "Turn 1 of 11 · Poles ahead: Germans can still exit 30, need 20"
    )
    table.order(Exit(row="german/column/rifle", count=13))
    assert headline(table.state) == (
        "Turn 1 of 11 · Germans ahead: Germans have 13 off, can still exit 17, need 20"
    )


def test_who_can_no_longer_win_is_behind() -> None:
    table = scenario(1)
    table.order(Correct(row="german/column/rifle", by=-20))
    table.order(Exit(row="german/column/tank", counts=False))
    assert leader(table.state).side == "polish"


def test_who_must_destroy_falls_behind_with_time() -> None:
    """Scenario 2: 8 tanks by turn 10."""
    table = scenario(2).at(6, "german")
    assert leader(table.state).side == "french"


@pytest.mark.parametrize(
    ("number", "values", "ahead"),
    [
        (4, {"german": 4}, "german"),
        (4, {"german": 3}, "british"),
        (5, {"german": 4, "russian": 2}, "german"),
        (5, {"german": 3, "russian": 2}, "russian"),
        (5, {"german": 0, "russian": 0}, "russian"),
        (6, {"british": 0}, "german"),
        (6, {"british": 1}, "british"),
        (9, {"british": 2, "german": 5}, "german"),
        (10, {"american": 2, "german": 5}, "german"),
    ],
)
def test_what_was_counted_last_says_who_is_ahead(
    number: int, values: dict[str, int], ahead: str
) -> None:
    table = scenario(number).at(3, "german")
    table.order(Count(values=values))
    found = leader(table.state)
    assert found.side == ahead
    assert found.text.endswith(f"{WHAT[number]} in turn 3")


def test_in_the_basic_game_the_way_to_the_break_point_counts() -> None:
    table = armies({"rifle": 20}, {"rifle": 40})
    table.order(Correct(row="first/first/rifle", by=-4))
    table.order(Correct(row="second/second/rifle", by=-5))
    assert headline(table.state) == (
        "Turn 1 of 30 · Blues ahead: Reds lost 4 of 20 strength, Blues 5 of 40"
    )


def test_a_battle_without_a_clock_has_no_last_turn() -> None:
    assert last_turn(scenario(3).state) is None
    assert headline(scenario(3).state).startswith("Turn 1 · ")


def test_a_battle_that_is_over_says_who_won() -> None:
    table = scenario(1)
    table.order(Finish(winner="polish", reason="Supper."))
    assert headline(table.state) == "Winner: Poles"


def test_long_names_leave_room_for_the_figures() -> None:
    table = scenario(1)
    long = msgspec.structs.replace(table.state.setup.sides[0], people="The " + "long " * 30)
    sides = (long, *table.state.setup.sides[1:])
    state = msgspec.structs.replace(
        table.state, setup=msgspec.structs.replace(table.state.setup, sides=sides)
    )
    assert len(headline(state)) < 80
    assert headline(state).endswith("need 20")
