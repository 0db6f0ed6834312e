"""Pinned men are marked on their row until movement is over, and players may put that right."""

from __future__ import annotations

from stage import Table, armies

from skirmish.games.plastic.battle.orders import (
    Add,
    EndPhase,
    MarkPinned,
    NameCommander,
    PinTest,
    Switch,
)
from skirmish.games.plastic.battle.rows import find_row, rows
from skirmish.games.plastic.battle.view import view

RIFLES = "first/first/rifle"


def pinned_by_a_machinegun() -> Table:
    """A machinegun has fired at riflemen on the move, missed, and a black card has pinned them."""
    table = armies({"rifle": 9, "tank": 1}, {"machinegun": 2})
    table.order(Switch(option="pinning", on=True))
    table.fire("machinegun", "rifle", "JH", "5S")
    return table


def pins(table: Table, row: str = RIFLES) -> int:
    found = find_row(table.state, row)
    assert found is not None
    return found.pinned


def test_who_is_pinned_is_marked_on_his_row() -> None:
    assert pins(pinned_by_a_machinegun()) == 1


def test_who_stays_free_is_not_marked() -> None:
    table = armies({"rifle": 9}, {"machinegun": 2})
    table.order(Switch(option="pinning", on=True))
    table.fire("machinegun", "rifle", "JH", "5H")
    assert pins(table) == 0


def test_two_groups_of_a_row_may_be_pinned() -> None:
    table = pinned_by_a_machinegun()
    table.fire("machinegun", "rifle", "JD", "6S")
    assert pins(table) == 2


def test_a_pin_test_by_hand_is_of_those_under_fire() -> None:
    table = armies({"rifle": 9}, {"rifle": 2})
    table.fire("rifle", "rifle", "JH")
    table.order(PinTest("first"))
    table.show("5S")
    assert pins(table) == 1


def test_pins_end_with_movement() -> None:
    table = pinned_by_a_machinegun()
    table.order(EndPhase())
    assert pins(table) == 0


def test_a_pin_is_taken_off_and_put_on_by_hand() -> None:
    table = pinned_by_a_machinegun()
    table.order(MarkPinned(RIFLES))
    assert pins(table) == 0
    table.order(MarkPinned(RIFLES))
    assert pins(table) == 1


def test_taken_back_the_pin_is_gone() -> None:
    table = pinned_by_a_machinegun()
    table.undo()
    assert pins(table) == 0


def test_models_are_never_pinned() -> None:
    table = pinned_by_a_machinegun()
    assert table.refusal(MarkPinned("first/first/tank")).code == "not_a_guy"


def test_without_the_option_nobody_is_pinned() -> None:
    table = armies({"rifle": 9}, {"rifle": 2})
    assert table.refusal(MarkPinned(RIFLES)).code == "option_off"


def test_who_looks_on_sees_pins() -> None:
    seen = view(pinned_by_a_machinegun().state, None)
    assert [row.pinned for row in rows(seen, "first") if row.pinned] == [1]


# ------------------------------------------------------------------ a friend arrives


def test_a_new_kind_of_unit_has_a_letter_of_its_own() -> None:
    table = armies({"rifle": 9, "tank": 1}, {"rifle": 2})
    table.order(Add(row="first/first/tiger", count=2))
    table.order(Add(row="first/first/truck", count=1))
    letters = [row.letter for row in rows(table.state, "first")]
    assert "?" not in letters
    assert len(set(letters)) == len(letters) == 4


def test_who_commands_a_side_may_change() -> None:
    table = armies({"rifle": 9}, {"rifle": 2})
    table.order(NameCommander(side="first", player="  Anna   B. "))
    assert table.state.setup.side_by_id["first"].player == "Anna B."
    assert table.refusal(NameCommander(side="first", player="x" * 21)).code == "too_long"
    table.order(NameCommander(side="first", player=""))
    assert table.state.setup.side_by_id["first"].player == ""
    table.undo()
    assert table.state.setup.side_by_id["first"].player == "Anna B."
