"""Pages of things to cut out, at true scale and never fitted to the paper: the head of such a page
with its rulers, and rows of things with the lines to cut along. Numbers without a name are points,
chosen by eye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias, TypeVar

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.fonts import MEDIUM, TITLE
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.paper import HAIR, INCH, MM, NORMAL, THIN
from skirmish.tabletop.measure import inches

_PAGE_TITLE = Style(TITLE, 17, 19)
_TEXT = Style(MEDIUM, 8, 9.4, ink=inks.QUIET)
SMALL_WORD = Style(MEDIUM, SMALLEST, SMALLEST, "centre")
TICK = 5.0
"""How far a cut line goes on beyond a row, in points."""


class CutPageHead(Drawing):
    """The head of a page: its title, a text on how to cut, and at the right a ruler of an inch and
    one of 2 cm, by which players check the scale."""

    keepWithNext = True  # noqa: N815
    TALL = 14.5 * MM
    RULERS = INCH + 20 * MM + 6 * MM
    """The width of both rulers, with the gap between them."""

    def __init__(self, title: str, text: str) -> None:
        self.title, self.text = title, paragraph(text, _TEXT)

    def height_at(self, width: float) -> float:
        # One line of the text is in ``TALL`` already.
        return self.TALL + self.text.height_at(width - self.RULERS - 4 * MM) - _TEXT.leading

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        # With this, viewers propose to print at true scale.
        canvas.setViewerPreference("PrintScaling", "None")
        write(canvas, x, top - 5.4 * MM, self.title, _PAGE_TITLE)
        self.text.paint(canvas, x, top - 7 * MM, width - self.RULERS - 4 * MM)
        left = x + width - self.RULERS
        y = top - 5.4 * MM
        metric = left + INCH + 6 * MM
        _ruler(canvas, left, y, INCH, parts=4)
        _ruler(canvas, metric, y, 20 * MM, parts=2)
        write(canvas, left + INCH / 2, y - 2.6 * MM, inches(1), SMALL_WORD)
        write(canvas, metric + 10 * MM, y - 2.6 * MM, "2\u00a0cm", SMALL_WORD)
        check = SMALL_WORD._replace(align="right", ink=inks.QUIET)
        write(canvas, x + width, y - 5.6 * MM, "check with a ruler: print at 100%", check)
        low = top - self.height_at(width)
        rule(canvas, x, x + width, low + 2.4 * MM, NORMAL, ink=inks.BLACK)


def _ruler(canvas: Canvas, x: float, y: float, length: float, *, parts: int) -> None:
    """A line with ticks that divide it into ``parts``; those at its ends are the longest."""
    canvas.pen(inks.BLACK, THIN)
    canvas.line(x, y, x + length, y)
    for part in range(parts + 1):
        tick_x = x + length * part / parts
        tall = 1.4 * MM
        is_end = part in (0, parts)
        if is_end:
            tall = 2.6 * MM
        canvas.line(tick_x, y, tick_x, y + tall)


_Item = TypeVar("_Item")
DrawItem: TypeAlias = Callable[[Canvas, _Item, float, float], None]
"""Draws an item, whose lower left corner is given."""


def cut_rows(
    draw: DrawItem[_Item],
    items: Sequence[_Item],
    size: tuple[float, float],
    count: int,
    *,
    cut: bool = True,
) -> list[CutRow[_Item]]:
    """The items in rows of ``count``, each item of that width and height. ``cut``: with lines along
    which they are cut out."""
    rows = []
    for first in range(0, len(items), count):
        rows.append(CutRow(draw, items[first : first + count], size, count, cut=cut))
    return rows


class CutRow(Drawing, Generic[_Item]):
    """A row of items. It is placed as if it had ``count`` of them, so that the items of a last row
    that is not full stand below those of the others."""

    def __init__(
        self,
        draw: DrawItem[_Item],
        items: Sequence[_Item],
        size: tuple[float, float],
        count: int,
        *,
        cut: bool,
    ) -> None:
        self.draw_cell, self.items, self.cut, self.count = draw, items, cut, count
        self.wide, self.TALL = size  # a drawing is as high as its ``TALL``

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left = x + (width - self.count * self.wide) / 2
        low = top - self.TALL
        if self.cut:
            self._cut_lines(canvas, left, top)
        for column, item in enumerate(self.items):
            self.draw_cell(canvas, item, left + column * self.wide, low)

    def _cut_lines(self, canvas: Canvas, left: float, top: float) -> None:
        """Faint lines around and between the items; those along the row go on beyond its ends."""
        low = top - self.TALL
        right = left + len(self.items) * self.wide
        canvas.pen(inks.FAINT, HAIR)
        for y in (top, low):
            canvas.line(left - TICK, y, right + TICK, y)
        for column in range(len(self.items) + 1):
            x = left + column * self.wide
            canvas.line(x, top, x, low)
