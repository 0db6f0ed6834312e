"""Pieces flow over columns and pages without loss."""

from __future__ import annotations

from typing import Any

from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.boxes import Boxes, box_width
from skirmish.sheets.layout.flowables import Cell, Gap, Piece, Row
from skirmish.sheets.layout.fonts import BODY, TITLE, WIDE, WIDE_BOLD, clean, markup, runs
from skirmish.sheets.layout.pages import Column, Pages, Title
from skirmish.sheets.layout.text import TEXT, Words, fitted, line_width
from skirmish.sheets.paper import leaf

PAGE = leaf("a4")
TITLES = Title("t", "a", "s")


def poured(printed: Any, *pieces: Piece) -> Any:
    made = Pages(PAGE)
    made.pour(pieces, PAGE.margin, PAGE.measure, made.start)
    return printed(made.pdf(TITLES, "foot"))


def test_a_paragraph_longer_than_a_page_goes_on(printed: Any) -> None:
    page = poured(printed, Words("word " * 5000))
    assert page.pages > 1
    assert page.text.count("word") == 5000


def test_boxes_go_on_between_two_lines(printed: Any) -> None:
    codes = [f"R{n}" for n in range(1, 4001)]
    boxes = Boxes(codes, box_width(codes))
    page = poured(printed, Row([Cell(0, PAGE.measure, boxes)]))
    assert page.pages > 1
    assert not page.holds("R1R2", "R3999R4000")
    assert not page.outside()


def test_a_head_never_stands_last_on_a_page(printed: Any) -> None:
    page = poured(printed, Gap(1), Words("x"), Gap(PAGE.depth - 30), Head("late"), Words("after"))
    # The gap leaves room for the head alone.
    texts = [one.extract_text() for one in page.reader.pages]
    assert "LATE" not in texts[0]
    assert "LATE" in texts[1]
    assert "after" in texts[1]


def test_a_table_repeats_its_head_on_the_next_page(printed: Any) -> None:
    head = Row([Cell(0, 100, Words("COLUMN"))])
    head.keep = True
    rows: list[Piece] = [head]
    for n in range(120):
        row = Row([Cell(0, 100, Words(f"line {n}"))])
        row.head = head
        rows.append(row)
    page = poured(printed, *rows)
    assert all("COLUMN" in one.extract_text() for one in page.reader.pages)
    assert page.pages == 3


def test_columns_begin_level_and_end_at_the_longest() -> None:
    made = Pages(PAGE)
    short, long = [Words("a")], [Words("a"), Gap(50), Words("b")]
    end = made.side_by_side([Column(short, 0, 200), Column(long, 200, 200)], made.start)
    assert end.top == PAGE.top - 50 - 2 * TEXT.leading


def test_characters_come_from_the_face_that_has_them() -> None:
    assert runs("Abc Ж", BODY) == ((BODY, "Abc "), (WIDE, "Ж"))
    assert runs("Ж☃", TITLE) == ((WIDE_BOLD, "Ж"), (TITLE, "?"))


def test_what_has_no_shape_is_left_out() -> None:
    assert clean("a\u200d\u202eb\x07\tc\n d\ufe0f") == "ab c d"


def test_markup_is_printed_as_typed() -> None:
    assert markup("<b>&", BODY) == "&lt;b&gt;&amp;"


def test_a_line_too_wide_ends_in_an_ellipsis() -> None:
    short = fitted("W" * 80, TEXT, 100)
    assert short.endswith("…")
    assert line_width(short, TEXT) <= 100
