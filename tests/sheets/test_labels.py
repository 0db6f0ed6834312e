"""Tags and markers on sheets of labels: their measures, and that nothing crosses an edge."""

from __future__ import annotations

from io import BytesIO

import pytest
from pypdf import PdfReader

from skirmish import library
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.sheets.label_stock import STOCKS, stock_of
from skirmish.sheets.labels import CutGrid, LabelPart, PrintedLabel, grid_on, labels_pdf
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.paper import INCH, MM, leaf_of
from skirmish.sheets.state_markers import MARKER_SIZE
from skirmish.sheets.tags import TAG_SIZE

UNITS = {"rifle": 40, "tank": 3}


@pytest.mark.parametrize("name", STOCKS)
def test_the_labels_and_their_margins_are_as_wide_and_high_as_the_paper(name: str) -> None:
    stock = stock_of(name)
    paper = leaf_of(stock.paper)
    across = 2 * stock.left + (stock.columns - 1) * stock.across + stock.width
    down = 2 * stock.top + (stock.rows - 1) * stock.down + stock.height
    assert across == pytest.approx(paper.width, abs=0.01)
    assert down == pytest.approx(paper.height, abs=0.01)


def test_the_measures_are_those_on_the_packets() -> None:
    zweckform, small, address = STOCKS["3490"], STOCKS["L7651"], STOCKS["5160"]
    assert (zweckform.width / MM, zweckform.height / MM) == pytest.approx((70, 36))
    assert (zweckform.left, zweckform.top / MM) == pytest.approx((0, 4.5))
    assert (small.left / MM, small.top / MM) == pytest.approx((4.75, 10.7))
    assert (address.width / INCH, address.height / INCH) == pytest.approx((2.625, 1))
    assert {stock.columns * stock.rows for stock in STOCKS.values()} == {24, 21, 65, 30, 10}


@pytest.mark.parametrize("name", STOCKS)
def test_every_code_of_an_army_stands_within_a_label(name: str) -> None:
    raw = {"name": "Labels", "nation": "german", "units": UNITS}
    army = read_army(raw, library.catalog(), library.rulings(), "test.toml")
    stock = stock_of(name)
    reader = PdfReader(BytesIO(labels_pdf(army, labels=name.lower())))
    paper = leaf_of(stock.paper)
    codes = set()

    def look(text: str, cm: list[float], tm: list[float], _font: object, _size: object) -> None:
        if not text.strip():
            return
        x, y = tm[4] * cm[0] + cm[4], tm[5] * cm[3] + cm[5]
        along = (x - stock.left) % stock.across
        down = (paper.height - stock.top - y) % stock.down
        assert 0 < along < stock.width
        assert 0 < down < stock.height
        codes.add(text.strip())

    for page in reader.pages:
        assert [float(page.mediabox.width), float(page.mediabox.height)] == pytest.approx(
            [paper.width, paper.height], abs=0.01
        )
        page.extract_text(visitor_text=look)
    assert {f"R{number}" for number in range(1, 41)} | {"T1", "T2", "T3", "PINNED"} <= codes


@pytest.mark.parametrize("name", STOCKS)
def test_tags_and_markers_are_not_made_smaller_for_a_label(name: str) -> None:
    stock = stock_of(name)
    for size in (TAG_SIZE, MARKER_SIZE):
        grid = grid_on(stock, size)
        assert grid.items_on_label > 0
        assert grid.columns * size[0] < stock.width
        assert grid.rows * size[1] < stock.height


def test_a_label_sheet_that_nobody_knows_is_answered_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="no label sheet 'L9'; there are 3490, L7159"):
        stock_of("L9")


@pytest.mark.parametrize(("count", "name"), [("24", "3490"), ("65", "L7651"), ("10", "5163")])
def test_a_label_sheet_is_found_by_how_many_labels_it_has(count: str, name: str) -> None:
    assert stock_of(count).name == name


def test_markers_go_on_where_the_tags_end() -> None:
    """A sheet with a few tags and nothing else would waste its other labels."""
    raw = {"name": "Few", "units": {"rifle": 3}}
    army = read_army(raw, library.catalog(), library.rulings(), "test.toml")
    reader = PdfReader(BytesIO(labels_pdf(army, labels="3490")))
    first_sheet = reader.pages[0].extract_text()
    assert "R3" in first_sheet
    assert "PINNED" in first_sheet


def test_a_half_filled_label_has_no_lines_where_nothing_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three tags alone: the third is cut off, and the rest of the label is left white."""
    drawn: list[tuple[float, ...]] = []
    usual = SheetCanvas.line

    def line(canvas: SheetCanvas, *ends: float) -> None:
        drawn.append(ends)
        usual(canvas, *ends)

    monkeypatch.setattr(SheetCanvas, "line", line)
    stock = stock_of("3490")
    grid = CutGrid(4, 3, TAG_SIZE)
    label = PrintedLabel(grid, lambda *_: None, ["R1", "R2", "R3"])
    part = LabelPart(stock, "Tags", [label])
    part.draw_pages(SheetCanvas(BytesIO(), invariant=1), 0)
    # Right of each of the three, and below each.
    assert len(drawn) == 6
    lowest = min(min(y1, y2) for _, y1, _, y2 in drawn)
    highest = max(max(y1, y2) for _, y1, _, y2 in drawn)
    assert highest - lowest == pytest.approx(TAG_SIZE[1])
