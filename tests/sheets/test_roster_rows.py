"""The rows of a roster: boxes beside names, letters that types share, notes that go on."""

from __future__ import annotations

from typing import Any

import pytest

from skirmish import library
from skirmish.games.plastic.rules.army import Army, read_army
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.flow import CellRow, Stack
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.roster.army import roster_pdf
from skirmish.sheets.roster.units import notes, sharing, ticked, unit_table


def army(**units: int) -> Army:
    raw = {"name": "Rows", "units": units}
    return read_army(raw, library.catalog(), library.rulings(), "test.toml")


@pytest.mark.parametrize("count", [1, 5, 6, 7, 40])
@pytest.mark.parametrize("lines", [1, 2])
def test_boxes_begin_beside_the_name_however_many_there_are(count: int, lines: int) -> None:
    tall = paragraph("<br/>".join(["7"] * lines))
    stats = unit_table(535, [("No.", 18, styles.COUNT)]).line(["Rifle Guy", tall])
    made = ticked(stats, Boxes([f"R{n}" for n in range(count)], 10), 535, None)
    rows = [row for row in made if isinstance(row, CellRow)]
    shown = [cell.inner for row in rows for cell in row.cells if isinstance(cell.inner, Boxes)]
    assert [code for boxes in shown for code in boxes.codes] == [f"R{n}" for n in range(count)]
    assert len(shown[0].codes) == min(count, 5)
    assert rows[0].cells[-1].inner is shown[0]
    assert len(made) == (2 if count > 5 else 1)


def test_types_that_share_a_letter_are_named() -> None:
    """There are more types than letters."""
    units = library.catalog().units
    assert len(units) > 26
    *_, told = sharing([units["rifle"], units["aircraft"], units["kv"], units["tank"]])
    says = "Aircraft and KV Tank share the letter Q: their numbers run on."
    assert told.getPlainText() == says  # type: ignore[attr-defined]
    assert not sharing([units["rifle"], units["tank"]])


def test_no_letter_is_shared_while_another_is_free() -> None:
    letters = [unit.letter for unit in library.catalog().units.values()]
    shared = len(letters) - len(set(letters))
    assert not shared or len(set(letters)) == 26


def test_notes_that_go_on_overleaf_have_their_head_again() -> None:
    _, rest = Stack(notes(library.catalog().units.values())).split(300, 60)
    first = rest.flowables[0]
    assert (first.text, first.aside) == ("NOTES", "continued")


def test_the_roster_says_that_letters_are_shared(printed: Any) -> None:
    page = printed(roster_pdf(army(aircraft=2, kv=1, rifle=60)))
    assert not page.holds("share the letter Q", "Q1Q2", "Q3")
