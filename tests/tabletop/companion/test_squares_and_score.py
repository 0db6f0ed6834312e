"""Rows of squares and ways over them, points and the results that they come to, modifiers."""

from __future__ import annotations

import pytest

from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.modifiers import RollModifiers, Shift, TurnsModifier
from skirmish.tabletop.companion.result_table import least_values_problem
from skirmish.tabletop.companion.score import scored
from skirmish.tabletop.companion.squares import SquareRows, by_place, shortest_way
from skirmish.tabletop.page import Square, SquareBoard
from skirmish.tabletop.page_words import board_table

ROWS = SquareRows(tuple("abcdef"), 3)
TIERS = {"minor": {"exits": 1, "points": 0}, "major": {"exits": 2, "points": 9}}


@pytest.mark.parametrize(("square", "near"), [("a", "bd"), ("e", "bdf"), ("c", "bf"), ("z", "")])
def test_squares_share_a_side_within_their_rows(square: str, near: str) -> None:
    assert sorted(ROWS.beside(square)) == list(near)


def test_a_square_along_a_row_does_not_leave_it() -> None:
    assert [ROWS.along("b", by) for by in (-2, -1, 0, 1, 2)] == ["", "a", "b", "c", ""]
    assert ROWS.along("elsewhere", 1) == ""


def test_the_shortest_way_is_found_or_none() -> None:
    assert shortest_way("a", "f", ROWS.beside) in (tuple("abcf"), tuple("abef"), tuple("adef"))
    assert shortest_way("a", "z", ROWS.beside) == ()


def test_a_board_in_words_has_a_cell_for_each_square_of_rows_of_any_length() -> None:
    rows = [[Square(name, "sea", (name.upper(),)) for name in row] for row in (*ROWS.rows, "xy")]
    found = board_table(SquareBoard("", tuple(map(tuple, rows))))
    assert [one.title for one in found.columns] == ["", "1", "2", "3"]
    assert found.rows == (("a-c", "A", "B", "C"), ("d-f", "D", "E", "F"), ("x-y", "X", "Y", ""))


def test_what_stands_where_is_in_the_order_of_the_places_and_nothing_is_left_out() -> None:
    placed = [("1/A", "f"), ("2/A", "nowhere"), ("3/A", "a"), ("4/A", "f")]
    counters = [Counter(id=name, name=name, side="us", place=place) for name, place in placed]
    found = {
        place: [one.name for one in them] for place, them in by_place(counters, "abcdef").items()
    }
    assert list(found.items()) == [("a", ["3/A"]), ("f", ["1/A", "4/A"]), ("nowhere", ["2/A"])]


def test_a_result_needs_each_of_its_marks() -> None:
    sources = (Shift("gaps", 4), Shift("towns", 4))
    none = scored(sources, {"exits": 0, "points": 8}, TIERS, "defeat")
    assert (none.tier, none.wanted()) == ("defeat", "minor: 1 more exit")
    minor = scored(sources, {"exits": 1, "points": 8}, TIERS, "defeat")
    assert (minor.tier, minor.wanted()) == ("minor", "major: 1 more exit and 1 more point")
    best = scored(sources, {"exits": 2, "points": 9}, TIERS, "defeat")
    assert (best.tier, best.wanted(), best.listed()) == ("major", "", "8: gaps 4, towns 4")


def test_modifiers_are_those_of_the_turn_and_of_what_is_given() -> None:
    turns = (TurnsModifier(1, 2, 2), TurnsModifier(5, 0, -1))
    rule = RollModifiers(turns=turns, values={"assets": -1})
    found = {turn: sum(one.value for one in rule.shifts(turn, {"assets": 2}, {"assets": "more"}))
             for turn in (1, 2, 3, 5, 9)}  # fmt: skip
    assert found == {1: 0, 2: 0, 3: -2, 5: -3, 9: -3}


def test_least_values_rise() -> None:
    assert not least_values_problem(["-2", "0", "3"])
    assert "rise" in least_values_problem(["3", "0"])
    assert "neither" in least_values_problem(["x"])


def test_a_cup_holds_unknown_chits_but_not_those_outside() -> None:
    cup = Cup(id="cards", drawn=("b",), aside=("x",))
    assert cup.holding(["a", "b"], 4).unseen == ("?", "a")
