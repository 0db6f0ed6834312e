"""The journal: entries made void in its midst, and back to an earlier one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from adding import Added, back, playing, redo, refused, undo, void

from skirmish.tabletop.journal import Entry

# ------------------------------------------------------------------ void


def test_a_void_order_is_left_out_and_later_ones_stand() -> None:
    play = playing(1, 2, 4)
    void(play, 3)
    assert play.state == 105
    assert [entry.order for entry in play.live] == [None, 1, 4]
    assert play.states == (100, 101, 105)
    assert play.struck == {3}


def test_what_cannot_unhappen_remains() -> None:
    play = playing(1, 20, 4)
    void(play, 3)
    assert play.state == 100 + 1 + 9 + 4


def test_several_orders_are_void_at_once() -> None:
    play = playing(1, 2, 4, 8)
    void(play, 4, 2, 4)
    assert play.state == 110
    assert play.entries[-1].targets == (2, 4)
    undo(play)
    assert play.state == 115


def test_a_void_order_stays_in_the_journal_and_in_the_line() -> None:
    play = playing(1, 2)
    void(play, 2)
    assert [entry.kind for entry in play.entries] == ["open", "order", "order", "void"]
    assert [act.number for act in play.acts] == [1, 2, 3, 4]
    assert play.entries[1].events == (Added(1),)


def test_undo_of_a_void_lets_the_order_stand_again_and_redo_strikes_it() -> None:
    play = playing(1, 2, 4)
    void(play, 2)
    undo(play)
    assert (play.state, play.struck) == (107, frozenset())
    redo(play)
    assert (play.state, play.struck) == (106, frozenset({2}))


def test_undo_after_a_void_takes_back_the_void_first_and_then_what_came_before() -> None:
    play = playing(1, 2, 4)
    void(play, 3)
    undo(play)
    undo(play)
    assert play.state == 103
    undo(play)
    undo(play)
    assert play.state == 100
    for state in (101, 103, 107, 105):
        redo(play)
        assert play.state == state


def test_a_struck_order_that_is_taken_back_with_its_void_comes_again_struck() -> None:
    play = playing(1, 2)
    void(play, 3)
    play.accept(play.consider(8))
    back(play, 2)
    assert play.state == 101
    redo(play)
    assert (play.state, play.struck) == (109, frozenset({3}))


def test_a_void_ends_what_could_be_brought_back() -> None:
    play = playing(1, 2)
    undo(play)
    void(play, 2)
    assert refused(lambda: play.possible("redo")) == "nothing_to_redo"


@pytest.mark.parametrize("numbers", [(), (1,), (9,), (2, 1), (0,), (4,), (5,)])
def test_only_orders_that_stand_can_be_void(numbers: tuple[int, ...]) -> None:
    """Not the opening, not what is void or taken back, not the void itself."""
    play = playing(1, 2, 4)
    void(play, 4)
    assert refused(lambda: play.possible("void", *numbers)) == "not_in_line"


def test_an_order_taken_back_cannot_be_void() -> None:
    play = playing(1, 2)
    undo(play)
    assert refused(lambda: play.possible("void", *(3,))) == "not_in_line"


# ------------------------------------------------------------------ back to here


def test_back_takes_back_all_that_came_after_as_one_step() -> None:
    play = playing(1, 2, 4, 8)
    back(play, 2)
    assert play.state == 101
    assert [entry.order for entry in play.live] == [None, 1]
    assert len(play.entries) == 6
    redo(play)
    assert play.state == 115
    assert refused(lambda: play.possible("redo")) == "nothing_to_redo"


def test_undo_goes_on_from_where_one_went_back_to() -> None:
    play = playing(1, 2, 4)
    back(play, 3)
    undo(play)
    assert play.state == 101
    redo(play)
    redo(play)
    assert play.state == 107


def test_back_goes_to_the_opening_too() -> None:
    play = playing(1, 2)
    back(play, 1)
    assert play.state == 100


def test_back_over_a_void_lets_stand_what_it_struck() -> None:
    play = playing(1, 2, 4)
    void(play, 2)
    play.accept(play.consider(8))
    back(play, 4)
    assert play.state == 107
    redo(play)
    assert play.state == 114


def test_a_new_order_ends_what_back_took() -> None:
    play = playing(1, 2, 4)
    back(play, 2)
    play.accept(play.consider(5))
    assert refused(lambda: play.possible("redo")) == "nothing_to_redo"
    assert play.state == 106


@pytest.mark.parametrize(
    ("number", "code"), [(9, "not_in_line"), (0, "not_in_line"), (4, "nothing_to_undo")]
)
def test_back_goes_only_to_what_is_in_the_line(number: int, code: str) -> None:
    play = playing(1, 2, 4)
    assert refused(lambda: play.possible("back", number)) == code


def test_back_does_not_go_to_what_was_taken_back() -> None:
    play = playing(1, 2, 4)
    undo(play)
    assert refused(lambda: play.possible("back", 4)) == "not_in_line"


def test_the_state_after_a_void_or_a_step_back_is_known_before() -> None:
    play = playing(1, 20, 4)
    considered: list[Callable[[], Entry[int, Added]]]
    considered = [lambda: play.possible("void", *(3,)), lambda: play.possible("back", 2)]
    for consider in considered:
        entry = consider()
        before, expected = play.state, play.state_with(entry)
        assert (play.state, play.struck) == (before, frozenset())
        play.accept(entry)
        assert play.state == expected
        undo(play) if entry.kind == "void" else redo(play)
