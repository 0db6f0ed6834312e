from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.companion.modifiers import Shift
from skirmish.tabletop.companion.result_table import (
    BLANK,
    ResultTable,
    TableColumn,
    TableRow,
    checked_table,
    odds,
)
from skirmish.tabletop.data_file import DataError, read

LEAST = ("3", "6", "12", "18")


def made(gate: bool = True, **cells: str) -> ResultTable:
    """Every cell names its own place, so that a wrong row or column cannot go unseen."""
    return ResultTable(
        id="fire",
        title="Fire",
        gate=gate,
        columns=tuple(TableColumn(one, one) for one in LEAST),
        rows=tuple(
            TableRow(
                roll, roll, tuple(cells.get(f"r{roll}c{at}", f"{roll}/{at}") for at in range(4))
            )
            for roll in range(1, 7)
        ),
    )


def reference(value: int, shift: int, roll: int) -> str | None:
    """The same in one line of counting."""
    at = sum(value >= int(one) for one in LEAST) - 1 + shift
    return None if at < 0 else f"{roll}/{min(at, 3)}"


@given(st.integers(0, 60), st.lists(st.integers(-3, 3), max_size=4), st.integers(1, 6))
def test_a_cell_is_the_one_that_counting_finds(value: int, by: list[int], roll: int) -> None:
    table = made()
    shifts = [Shift("a reason", one) for one in by]
    found = table.resolve(table.column_for(value), roll, shifts)
    wanted = reference(value, sum(by), roll)
    assert found.legal == (wanted is not None)
    assert found.result == (wanted or "")
    assert found.shifts == tuple(shifts)


@given(st.integers(0, 60), st.integers(-3, 3), st.integers(-8, 8))
def test_chances_are_those_of_all_rolls_tried(value: int, by: int, modifier: int) -> None:
    table = made(gate=False)
    place, shifts, modifiers = table.column_for(value), [Shift("x", by)], [Shift("y", modifier)]
    found = table.chances(place, range(1, 7), shifts, modifiers)
    tried: dict[str, Fraction] = {}
    for roll in range(1, 7):
        result = table.resolve(place, roll, shifts, modifiers).result or BLANK
        tried[result] = tried.get(result, Fraction(0)) + Fraction(1, 6)
    assert found == tried
    assert sum(found.values()) == 1


def test_cards_that_are_left_weigh_what_they_number() -> None:
    table = made()
    found = table.chances(0, {1: 3, 2: 1, 5: 0})
    assert found == {"1/0": Fraction(3, 4), "2/0": Fraction(1, 4)}
    assert table.chances(0, {}) == {}


def test_left_of_the_first_column_nothing_is_allowed_and_nothing_has_a_chance() -> None:
    table = made()
    assert table.column_for(2) == -1
    assert not table.resolve(-1, 3).legal
    assert table.resolve(-1, 3, [Shift("adjacent", 1)]).result == "3/0"
    assert table.chances(0, range(1, 7), [Shift("woods", -1)]) == {}


def test_before_the_roll_the_column_is_known_and_no_result() -> None:
    table = made()
    found = table.resolve(table.column_for(14), None, [Shift("woods", -1)])
    assert (found.base, found.column, found.roll, found.result) == ("12", "6", None, "")


def test_a_blank_cell_has_its_chance_and_can_be_entered() -> None:
    table = made()
    blank = table.with_cell(0, 1, None)
    assert [cell for row in blank.rows for cell in row.cells].count(None) == 1
    assert blank.chances(1, range(1, 7))[BLANK] == Fraction(1, 6)
    assert blank.with_cell(0, 1, "1/1") == table


@pytest.mark.parametrize(
    ("attack", "defense", "column"),
    [(10, 4, "2-1"), (12, 4, "3-1"), (4, 4, "1-1"), (3, 4, "1-2"), (2, 4, "1-2"), (60, 1, "6-1")],
)
def test_odds_drop_the_fraction(attack: int, defense: int, column: str) -> None:
    titles = ("1-2", "1-1", "2-1", "3-1", "4-1", "5-1", "6-1")
    table = ResultTable(
        id="assault",
        title="Assault",
        gate=True,
        columns=tuple(TableColumn(one, one) for one in titles),
        rows=(TableRow(1, 6, ("",) * 7),),
    )
    assert table.columns[table.column_for(odds(attack, defense))].title == column
    assert table.column_for(odds(1, 4)) == -1


def test_a_table_is_read_from_a_file_with_every_mistake_named() -> None:
    raw = {
        "id": "drift",
        "title": "Drift",
        "columns": [{"title": "all"}],
        "rows": [
            {"low": 1, "high": 2, "cells": [None]},
            {"low": 4, "high": 6, "cells": ["W", "X"]},
        ],
        "results": {"W": "one square west"},
    }
    with pytest.raises(DataError) as wrong:
        checked_table(read(raw, ResultTable, "drift.toml"), "drift.toml")
    said = [str(problem) for problem in wrong.value.problems]
    assert any("without a gap" in one for one in said)
    assert any("2 cells for 1 columns" in one for one in said)
    assert any("'X' is not explained" in one for one in said)
