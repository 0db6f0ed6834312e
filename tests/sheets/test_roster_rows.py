"""The rows of a roster: boxes beside names, letters that types share, notes that go on."""

from __future__ import annotations

from typing import Any

import battles
import pytest

from skirmish import library
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.games.plastic.rules.unit_shapes import SIGNS, shape_of
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import Box, Boxes, box_width
from skirmish.sheets.layout.flow import Stack, Unbroken
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.tables import SheetColumn
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import MM, leaf_of
from skirmish.sheets.roster.army import roster_pdf
from skirmish.sheets.roster.battle import standing_rosters_pdf
from skirmish.sheets.roster.units import (
    MOVE_COLUMN,
    SIGN_WIDTH,
    TYPE_COLUMN,
    UnitBlock,
    UnitLine,
    shared_letters,
    unit_notes,
    unit_table,
)


def army(**units: int) -> Army:
    raw = {"name": "Rows", "units": units}
    return read_army(raw, library.catalog(), library.rulings(), "test.toml")


def lines_of(table: Any, room: float = 10_000) -> list[list[list[str]]]:
    """The codes of each row of each part of a table of units that is cut at ``room``."""
    table.wrap(535, room)
    parts = table.split(535, room)
    found = []
    for part in parts:
        cells = [one for row in part._cellvalues for cell in row for one in cell]
        found.append([[box.code for box in one.boxes] for one in cells if isinstance(one, Boxes)])
    return found


@pytest.mark.parametrize(("count", "lines"), [(1, 1), (5, 1), (20, 1), (26, 2), (40, 2), (90, 3)])
def test_boxes_begin_beside_the_name_however_many_there_are(count: int, lines: int) -> None:
    rifle, codes = library.catalog().units["rifle"], [f"R{n}" for n in range(count)]
    line = UnitLine(rifle, ("Rifle Guy", str(count), "6"), [*map(Box, codes)])
    table = unit_table(
        535,
        [TYPE_COLUMN, SheetColumn("No.", 24, styles.COUNT), MOVE_COLUMN],
        [UnitBlock([], [line])],
    )
    (shown,) = lines_of(table)
    assert [code for row in shown for code in row] == codes
    assert len(shown) == lines


def test_no_row_of_units_stands_alone_on_a_page() -> None:
    units = list(library.catalog().units.values())[:6]
    lines = [UnitLine(unit, (unit.name, "1"), [Box("X1")]) for unit in units]
    tall = unit_table(
        535, [TYPE_COLUMN, SheetColumn("No.", 24, styles.COUNT)], [UnitBlock([], lines)]
    ).wrap(535, 1)[1]
    for room in range(1, 6):
        table = unit_table(
            535, [TYPE_COLUMN, SheetColumn("No.", 24, styles.COUNT)], [UnitBlock([], lines)]
        )
        assert not {1, 5} & {len(part) for part in lines_of(table, tall * room / 6)}


def test_a_block_is_cut_only_where_it_is_very_high() -> None:
    lines = [paragraph("A line.") for _ in range(20)]
    assert not Unbroken(lines).split(300, 50)
    assert len(Unbroken(lines * 20).split(300, 50)) == 2


def test_types_that_share_a_letter_are_named() -> None:
    """There are more types than letters."""
    units = library.catalog().units
    assert len(units) > 26
    *_, told = shared_letters([units["rifle"], units["aircraft"], units["kv"], units["tank"]])
    says = "Aircraft and KV Tank share the letter Q: their numbers run on."
    text = told.getPlainText()  # type: ignore[attr-defined]
    assert text.replace("\u00a0", " ") == says
    assert not shared_letters([units["rifle"], units["tank"]])


def test_no_letter_is_shared_while_another_is_free() -> None:
    letters = [unit.letter for unit in library.catalog().units.values()]
    shared = len(letters) - len(set(letters))
    assert not shared or len(set(letters)) == 26


def test_notes_that_go_on_overleaf_have_their_head_again() -> None:
    _, rest = Stack(unit_notes(library.catalog().units.values())).split(300, 60)
    first = rest.flowables[0]
    assert (first.text, first.aside) == ("NOTES", "continued")


def test_the_roster_says_that_letters_are_shared(printed: Any) -> None:
    page = printed(roster_pdf(army(aircraft=2, kv=1, rifle=60)))
    assert not page.holds("share the letter Q", "Q1Q2", "Q3")


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_boxes_of_a_small_army_are_larger_and_take_no_further_page(
    monkeypatch: pytest.MonkeyPatch, paper: str
) -> None:
    """A pencil finds 6.5 mm at once; a full sheet keeps its usual boxes."""
    drawn: list[float] = []
    usual = Boxes.paint

    def paint(boxes: Boxes, canvas: Any, x: float, top: float, width: float) -> None:
        drawn.append(boxes.TALL / MM)
        usual(boxes, canvas, x, top, width)

    monkeypatch.setattr(Boxes, "paint", paint)
    roster_pdf(army(rifle=8, machinegun=2), paper=paper)
    assert min(drawn) >= 6.5
    drawn.clear()
    roster_pdf(army(rifle=900), paper=paper)
    assert min(drawn) >= 4.2 - 1e-6


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_no_roster_is_mostly_lines(printed: Any, paper: str) -> None:
    """Where a small army leaves half a page, there stands what its player looks up."""
    small = printed(roster_pdf(army(rifle=8, machinegun=2), paper=paper), paper)
    assert not small.holds("THE TURN", "MODIFIERS", "Black misses", "YOUR NOTES")
    assert small.pages == 1
    lowest_title = min(y for text, _, y in small._begins if text.strip() == "YOUR NOTES")
    assert lowest_title < 0.25 * leaf_of(paper).height


def test_fives_stand_below_fives() -> None:
    rifle = library.catalog().units["rifle"]
    line = UnitLine(rifle, ("Rifle Guy", "70", "6"), [Box(f"R{n}") for n in range(1, 71)])
    columns = [TYPE_COLUMN, SheetColumn("No.", 24, styles.COUNT), MOVE_COLUMN]
    table = unit_table(535, columns, [UnitBlock([], [line])])
    # The first row begins behind the columns, the others behind the sign.
    room = 535 - (SIGN_WIDTH + sum(column.mm for column in columns)) * MM
    starts = []
    for row in table._cellvalues:
        for boxes in (cell for cell in row if isinstance(cell, Boxes)):
            (left, _), *_ = boxes.corners(535 - room, 0, room)
            starts.append(left)
            room = 535 - SIGN_WIDTH * MM
    five = Boxes.width_of_five(box_width(box.code for box in line.boxes)) + Boxes.BETWEEN_FIVES
    first, *others = starts
    assert len(others) == 2
    for start in others:
        fives_apart = (first - start) / five
        assert fives_apart == pytest.approx(round(fives_apart))


def test_a_landing_craft_is_filled_on_one_side_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the map: Germans are solid, their enemies are hollow."""
    solid = set()
    usual = Symbol.draw

    def draw(symbol: Symbol, canvas: Any) -> None:
        if symbol.solid:
            solid.add(symbol.unit.id)
        usual(symbol, canvas)

    monkeypatch.setattr(Symbol, "draw", draw)
    standing_rosters_pdf(battles.scenario(10, 0))
    assert "large_pillbox" in solid
    assert "landing_craft" not in solid


def test_only_vehicles_of_one_class_share_a_symbol() -> None:
    """A bazooka and an 88 were taken for one another, and so were a truck and a jeep."""
    alike: dict[Any, set[str]] = {}
    for name, unit in library.catalog().units.items():
        shape = shape_of(unit)
        drawn = SIGNS.get(name, ""), shape.oval, shape.heavy, shape.wheels, name == "cannon"
        alike.setdefault(drawn, set()).add(name)
    shared = [names for names in alike.values() if len(names) > 1]
    assert sorted(map(sorted, shared)) == [
        ["bren_carrier", "halftrack"],
        ["desert_tank", "tank"],
        ["kv", "tiger"],
        ["large_pillbox", "small_pillbox"],
    ]
