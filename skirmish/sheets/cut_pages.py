"""Pages of things to cut out, at true scale and never fitted to the paper: the head of such a page
with its rulers, and rows of things with the lines to cut along. Numbers without a name are points,
chosen by eye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.fonts import MEDIUM, TITLE
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.paper import HAIR, INCH, MM, NORMAL, THIN
from skirmish.tabletop.measure import NO_BREAK, inches

_PAGE_TITLE = Style(TITLE, 17, 19)
_TEXT = Style(MEDIUM, 8, 9.4, ink=inks.QUIET)
SMALL_WORD = Style(MEDIUM, SMALLEST, SMALLEST, "centre")
TICK = 5.0
"""How far a cut line goes on beyond a row, in points."""


class CutSize(NamedTuple):
    """The width and height of something to cut out, in points."""

    width: float
    height: float


class CutPageHead(Drawing):
    """The head of a page: its title, a text on how to cut, and at the right a ruler of an inch and
    one of 2 cm, by which players check the scale."""

    keepWithNext = True  # noqa: N815  (ReportLab's name)
    TALL = 14.5 * MM
    METRIC_RULER = 20 * MM
    BETWEEN_RULERS = 6 * MM
    RULERS = INCH + BETWEEN_RULERS + METRIC_RULER
    """The width of both rulers, with the gap between them."""

    def __init__(self, title: str, text: str) -> None:
        self.title, self.text = title, paragraph(text, _TEXT)

    def height_at(self, width: float) -> float:
        # One line of the text is in ``TALL`` already.
        return self.TALL + self.text.height_at(self._text_width(width)) - _TEXT.leading

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        # With this, viewers propose to print at true scale.
        canvas.setViewerPreference("PrintScaling", "None")
        write(canvas, x, top - 5.4 * MM, self.title, _PAGE_TITLE)
        self.text.paint(canvas, x, top - 7 * MM, self._text_width(width))
        inch_left = x + width - self.RULERS
        metric_left = inch_left + INCH + self.BETWEEN_RULERS
        y = top - 5.4 * MM
        _draw_ruler(canvas, inch_left, y, INCH, parts=4)
        _draw_ruler(canvas, metric_left, y, self.METRIC_RULER, parts=2)
        metric_middle = metric_left + self.METRIC_RULER / 2
        write(canvas, inch_left + INCH / 2, y - 2.6 * MM, inches(1), SMALL_WORD)
        write(canvas, metric_middle, y - 2.6 * MM, f"2{NO_BREAK}cm", SMALL_WORD)
        check = SMALL_WORD._replace(align="right", ink=inks.QUIET)
        write(canvas, x + width, y - 5.6 * MM, "check with a ruler: print at 100%", check)
        bottom = top - self.height_at(width)
        rule(canvas, x, x + width, bottom + 2.4 * MM, NORMAL, ink=inks.BLACK)

    def _text_width(self, width: float) -> float:
        """The room for the text, left of the rulers."""
        return width - self.RULERS - 4 * MM


def _draw_ruler(canvas: Canvas, x: float, y: float, length: float, *, parts: int) -> None:
    """A line with ticks that divide it into ``parts``; those at its ends are the longest."""
    canvas.pen(inks.BLACK, THIN)
    canvas.line(x, y, x + length, y)
    for part in range(parts + 1):
        tick_x = x + length * part / parts
        tick_height = 1.4 * MM
        is_end = part in (0, parts)
        if is_end:
            tick_height = 2.6 * MM
        canvas.line(tick_x, y, tick_x, y + tick_height)


_Item = TypeVar("_Item")
DrawItem: TypeAlias = Callable[[Canvas, _Item, float, float], None]
"""Draws an item, whose lower left corner is given."""


def cut_rows(
    draw: DrawItem[_Item],
    items: Sequence[_Item],
    size: CutSize,
    in_row: int,
    *,
    has_cut_lines: bool = True,
) -> list[CutRow[_Item]]:
    """The items, each of that size, in rows of so many (``in_row``); with lines along which they
    are cut out, or without them."""
    rows = []
    for first in range(0, len(items), in_row):
        items_of_row = items[first : first + in_row]
        rows.append(CutRow(draw, items_of_row, size, in_row, has_cut_lines=has_cut_lines))
    return rows


class CutRow(Drawing, Generic[_Item]):
    """A row of items. It is placed as if it had as many as a full row (``in_row``), so that the
    items of a last row that is not full stand below those of the others."""

    def __init__(
        self,
        draw: DrawItem[_Item],
        items: Sequence[_Item],
        size: CutSize,
        in_row: int,
        *,
        has_cut_lines: bool,
    ) -> None:
        self.draw_item, self.items, self.in_row = draw, items, in_row
        self.has_cut_lines = has_cut_lines
        self.item_width = size.width
        self.TALL = size.height  # a drawing is as high as its ``TALL``

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left = x + (width - self.in_row * self.item_width) / 2
        bottom = top - self.TALL
        if self.has_cut_lines:
            self._draw_cut_lines(canvas, left, top)
        for column, item in enumerate(self.items):
            self.draw_item(canvas, item, left + column * self.item_width, bottom)

    def _draw_cut_lines(self, canvas: Canvas, left: float, top: float) -> None:
        """Faint lines around and between the items; those along the row go on beyond its ends."""
        bottom = top - self.TALL
        right = left + len(self.items) * self.item_width
        canvas.pen(inks.FAINT, HAIR)
        for y in (top, bottom):
            canvas.line(left - TICK, y, right + TICK, y)
        for column in range(len(self.items) + 1):
            x = left + column * self.item_width
            canvas.line(x, top, x, bottom)
