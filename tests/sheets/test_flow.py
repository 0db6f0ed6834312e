"""Flowables go over columns and pages without loss."""

from __future__ import annotations

from typing import Any

import pytest

from skirmish import library
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, OwnNotes, RuleHead
from skirmish.sheets.layout.boxes import Box, Boxes, box_width
from skirmish.sheets.layout.columns import (
    MOST_TRIED,
    in_reading_order,
    shortest_columns,
    two_columns,
)
from skirmish.sheets.layout.drawing import Drawing
from skirmish.sheets.layout.flow import (
    Cell,
    CellRow,
    Flowable,
    Gap,
    Panel,
    Spring,
    Stack,
    height_of,
)
from skirmish.sheets.layout.fonts import BODY, TITLE, WIDE, WIDE_BOLD, clean, markup, runs
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, bound
from skirmish.sheets.layout.tables import facts
from skirmish.sheets.layout.text import paragraph, without_lost_words
from skirmish.sheets.layout.text_lines import fitted, line_width
from skirmish.sheets.paper import leaf_of
from skirmish.sheets.roster.losses import loss_section

PAGE = leaf_of("a4")


def poured(printed: Any, *pieces: Flowable) -> Any:
    return printed(bound(PdfDocument("t", "s", [SheetPart(PAGE, pieces, "t", "foot")])))


def test_a_paragraph_longer_than_a_page_goes_on(printed: Any) -> None:
    page = poured(printed, paragraph("word " * 5000))
    assert page.pages > 1
    assert page.text.count("word") == 5000


def test_a_row_longer_than_a_page_goes_on(printed: Any) -> None:
    page = poured(printed, Head("Facts"), facts([("Long", "word " * 5000)], PAGE.measure, 20))
    assert page.text.count("word") == 5000
    assert not page.outside()


def test_boxes_go_on_between_two_lines(printed: Any) -> None:
    codes = [f"R{n}" for n in range(1, 4001)]
    page = poured(printed, Boxes(map(Box, codes), box_width(codes)))
    assert page.pages > 1
    assert not page.holds("R1R2", "R3999R4000")
    assert not page.outside()


def test_a_head_never_stands_last_on_a_page(printed: Any) -> None:
    page = poured(printed, paragraph("x"), Gap(PAGE.depth - 30), Head("late"), paragraph("after"))
    # The gap leaves room for the head alone.
    texts = [one.extract_text() for one in page.reader.pages]
    assert "LATE" not in texts[0]
    assert "LATE" in texts[1]
    assert "after" in texts[1]


def test_a_table_repeats_its_head_on_the_next_page(printed: Any) -> None:
    head = CellRow([Cell(0, 100, paragraph("COLUMN"))])
    head.keepWithNext = True
    rows: list[Flowable] = [head]
    for n in range(120):
        row = CellRow([Cell(0, 100, paragraph(f"line {n}"))])
        row.head = head
        rows.append(row)
    page = poured(printed, *rows)
    assert all("COLUMN" in one.extract_text() for one in page.reader.pages)
    assert page.pages == 3


@pytest.mark.parametrize("end", ["is a draw.", "with an i.", "of the reinforcements."])
def test_no_short_words_stand_alone_on_the_last_line(end: str) -> None:
    text = paragraph(f"If both sides have the same number of men on the bridge the game {end}")
    for width in range(100, 240, 3):
        text.height_at(width)
        _, words = text.blPara.lines[-1]
        assert len(" ".join(words)) >= 10, width


def test_columns_begin_level_and_end_at_the_longest() -> None:
    short, long = [paragraph("a")], [paragraph("a"), Gap(50), paragraph("b")]
    assert height_of(two_columns(short, long, 400), 400) == 50 + 2 * styles.TEXT.leading


def test_each_of_two_columns_goes_on_over_the_page_by_itself(printed: Any) -> None:
    left, right = ([paragraph(f"{side}{n}") for n in range(100)] for side in "lr")
    page = poured(printed, paragraph("x"), Gap(400), two_columns(left, right[:3], PAGE.measure))
    texts = [one.extract_text() for one in page.reader.pages]
    assert len(texts) == 2
    assert "l0" in texts[0]
    assert "r2" in texts[0]
    assert "l99" in texts[1]
    assert not any(f"l{n}" not in "".join(texts) for n in range(100))


def test_what_is_higher_than_a_page_is_printed_all_the_same(printed: Any) -> None:
    tower = Stack([paragraph("tower"), Gap(PAGE.depth)])
    page = poured(printed, paragraph("before"), Panel(tower), paragraph("after"))
    assert not page.holds("before", "tower", "after")


def test_what_fills_a_page_takes_what_is_left_or_nothing(printed: Any) -> None:
    page = poured(printed, paragraph("x"), OwnNotes())
    assert not page.holds("YOUR NOTES")
    full = poured(printed, Stack([paragraph("x"), Gap(PAGE.depth - 40)]), OwnNotes())
    assert full.pages == 1
    assert full.holds("YOUR NOTES")


def test_characters_come_from_the_face_that_has_them() -> None:
    assert runs("Abc Ж", BODY) == ((BODY, "Abc "), (WIDE, "Ж"))
    assert runs("Ж☃", TITLE) == ((WIDE_BOLD, "Ж"), (TITLE, "?"))


def test_what_has_no_shape_is_left_out() -> None:
    assert clean("a\u200d\u202eb\x07\tc\n d\ufe0f") == "ab c d"


def test_markup_is_printed_as_typed() -> None:
    assert markup("<b>&", BODY) == "&lt;b&gt;&amp;"


def test_a_line_too_wide_ends_in_an_ellipsis() -> None:
    short = fitted("W" * 80, styles.TEXT, 100)
    assert short.endswith("…")
    assert line_width(short, styles.TEXT) <= 100


def test_a_loss_track_that_is_cut_keeps_its_head_with_its_first_row(printed: Any) -> None:
    """However much room is left for it; and the rest has its head again."""
    for room in range(20, 120, 4):
        codes = [str(n) for n in range(1, 2001)]
        track = loss_section(Boxes(map(Box, codes), box_width(codes)), library.catalog())
        page = poured(printed, paragraph("x"), Gap(PAGE.depth - room), *track)
        first, second, *_ = [one.extract_text() for one in page.reader.pages]
        assert ("LOSS TRACK" in first) == ("Tick 1 for" in first) == ("1 2 3 4" in first)
        assert "LOSS TRACK" in second


def test_what_is_in_reading_order_goes_down_one_column_and_then_the_other() -> None:
    blocks = [[Gap(height)] for height in (40, 10, 10, 10, 10)]
    left, right = in_reading_order(blocks, 100, gap=1)
    assert [piece.height for piece in left] == [40]
    assert [piece.height for piece in right] == [10, 1, 10, 1, 10, 1, 10]


def test_a_spring_leaves_some_room_to_the_one_below_it() -> None:
    """At most half of what there is."""
    wide_page, full_page = 100.0, 26.0
    for room, pushed in ((wide_page, 76.0), (full_page, 3.0)):
        spring = Spring(room_below=20.0, left_over=4.0)
        assert spring.wrap(500, room)[1] == pytest.approx(pushed)


def test_words_with_many_spaces_between_them_are_set_as_with_one() -> None:
    assert without_lost_words("a     b") == "a     b"
    assert (
        without_lost_words("I  do not know a man  so  bold")
        == "I do not know a man\u00a0so\u00a0bold"
    )


class _HigherThanAPage(Drawing):
    TALL = 2 * PAGE.depth

    def paint(self, canvas: Any, x: float, top: float, width: float) -> None:
        """Nothing is seen of it."""


@pytest.mark.parametrize("after", [[], [Gap(5)]])
def test_no_empty_page_follows_a_block_that_is_higher_than_a_page(after: list[Flowable]) -> None:
    part = SheetPart(PAGE, [paragraph("before"), _HigherThanAPage(), *after], "t")
    assert len(part.pages) == 2


def test_no_page_begins_with_a_gap_after_a_block_that_is_higher_than_a_page() -> None:
    part = SheetPart(PAGE, [_HigherThanAPage(), Gap(5), paragraph("after")], "t")
    assert [len(page.content.flowables) for page in part.pages] == [1, 1]


def test_few_blocks_are_distributed_in_the_best_way() -> None:
    assert shortest_columns([8, 7, 6, 5, 4]).columns == (0, 0, 1, 1, 1)


def test_many_blocks_are_distributed_without_trying_all_ways() -> None:
    heights = [10.0 + number * 7 % 5 for number in range(5 * MOST_TRIED)]
    best = shortest_columns(heights)
    assert len(best.columns) == len(heights)
    assert best.height - sum(heights) / 2 <= 1


def test_a_head_that_is_too_long_is_cut_off_at_the_end_of_its_column(printed: Any) -> None:
    columns = in_reading_order([[RuleHead("long " * 20)], [RuleHead("next")]], 200)
    texts = poured(printed, two_columns(*columns, 412)).texts
    assert texts[0].count("LONG") < 20
    assert "…" in texts[0]
    assert "NEXT" in texts[0]
