"""Tables, blocks side by side, and blocks spread over a given height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.flow import (
    Cell,
    CellRow,
    Flowable,
    Gap,
    Stack,
    depth,
    halves,
    joined,
    with_next,
)
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GUTTER, MM, NORMAL

LEAST_GAP = 2 * MM
WIDEST_GAP = 5 * MM
"""The greatest gap between spread blocks."""
PAD = 1 * MM
BETWEEN = 1.6 * MM


TableColumn: TypeAlias = tuple[str, float, Style]
"""Its head, its width in mm (0: the remaining width), its style."""


class TableLine(CellRow):
    tinted = False
    """The line is tinted; to save ink it has a rule below it instead."""
    ruled = True
    target = ""
    """The bookmark it links to."""

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        if self.tinted and not canvas.sparing:
            tall = self.height_at(width)
            canvas.setFillColor(inks.PANEL)
            canvas.rect(x, top - tall, width, tall, stroke=0, fill=1)
        super().paint(canvas, x, top, width)
        if self.target:
            area = x, top - self.height_at(width), x + width, top
            canvas.linkAbsolute("", self.target, area)

    def is_ruled(self, canvas: Canvas) -> bool:
        return bool(self.weight and (self.ruled or canvas.sparing))


class TableLayout:
    def __init__(
        self,
        width: float,
        places: Sequence[TableColumn],
        *,
        pad: float = PAD,
        between: float = BETWEEN,
    ) -> None:
        self.width = width
        self.titles = [head for head, _, _ in places]
        self.styles = [set_in for _, _, set_in in places]
        self.slots: list[tuple[float, float]] = []
        left, x = width - sum(wide for _, wide, _ in places) * MM, pad
        for _, millimetres, _ in places:
            wide = millimetres * MM or left - pad
            self.slots.append((x, wide - between))
            x += wide
        if not pad:
            self.slots[-1] = (x - wide, wide)

    def line(
        self, cells: Sequence[str | Flowable], above: float = 1.2, below: float = 1.2
    ) -> TableLine:
        """Wraps texts; other cells are used as they are."""
        return self._line(cells, self.styles, above, below)

    def heads(self, air: float = 1.2) -> TableLine:
        aligned = [styles.COLUMN._replace(align=style.align) for style in self.styles]
        line = self._line(self.titles, aligned, air, air)
        line.weight, line.ink = NORMAL, inks.CODE
        return line

    def _line(
        self, texts: Sequence[str | Flowable], set_in: Sequence[Style], above: float, below: float
    ) -> TableLine:
        tallest = max(style.size for style in set_in)  # small type shares the baseline of large
        cells = []
        for (x, wide), text, style in zip(self.slots, texts, set_in, strict=False):
            inner = text
            if isinstance(text, str):
                inner = Stack([Gap(tallest - style.size), paragraph(text, style)])
            cells.append(Cell(x, wide, inner))
        return TableLine(cells, above=above, below=below)


class PrintedTable(Stack):
    """Lines of cells below their heads, at one ``width`` of the column it will stand in.

    ``air`` points above and below each line. ``tinted``: every second line is, instead of a rule
    below each; ``grouped``: lines whose first cell is empty go with the one before. The last
    ``totals`` lines have no rules."""

    def __init__(
        self,
        width: float,
        places: Sequence[TableColumn],
        rows: Sequence[Sequence[str | Flowable]],
        *,
        air: float = 1.2,
        tinted: bool = True,
        grouped: bool = False,
        totals: int = 0,
        pad: float = PAD,
        between: float = BETWEEN,
    ) -> None:
        layout = TableLayout(width, places, pad=pad, between=between)
        lines = [layout.line(row, air, air) for row in rows]
        if tinted:
            shaded = False
            for line, row in zip(lines, rows, strict=True):
                shaded = shaded if grouped and not row[0] else not shaded
                line.tinted, line.ruled = shaded, line is lines[-1]
        for line in lines[len(lines) - totals :]:
            line.weight = 0
        heads = []
        if any(layout.titles):
            heads = [layout.heads(air)]
            for line in lines:
                line.head = heads[0]
        super().__init__([*map(with_next, heads), *joined(lines)])


def facts(
    rows: Sequence[tuple[str, str]], width: float, label: float, air: float = 1
) -> PrintedTable:
    """``label``: the width of the names in mm."""
    places = ("", label, styles.TERM), ("", 0, styles.UNIT)
    return PrintedTable(width, places, rows, air=air, tinted=False, pad=0, between=0)


def beside(
    left: Sequence[Flowable], right: Sequence[Flowable], width: float, share: float = 0.5
) -> Flowable:
    """Two columns, the left taking ``share`` of the ``width``; the gaps of the shorter one are
    widened so that both end level."""
    wide = (width - GUTTER) * share
    rest = width - GUTTER - wide
    tall = max(natural(left, wide), natural(right, rest))
    return halves(spread(left, wide, tall), spread(right, rest, tall), width, share)


def spread(blocks: Sequence[Flowable], width: float, tall: float) -> list[Flowable]:
    """The blocks with gaps that fill ``tall``, up to the widest gap."""
    spare = tall - depth(blocks, width)
    gap = min(WIDEST_GAP, max(0.0, spare / max(1, len(blocks) - 1)))
    found: list[Flowable] = []
    for block in blocks:
        found += [Gap(gap), block] if found else [block]
    return found


def natural(blocks: Sequence[Flowable], width: float) -> float:
    """The least height of spread blocks."""
    return depth(blocks, width) + LEAST_GAP * (len(blocks) - 1)
