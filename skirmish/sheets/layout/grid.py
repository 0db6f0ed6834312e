"""A grid of cells in which something is ticked or ringed: turns, numbers of men."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.layout.boxes import choice, lay
from skirmish.sheets.layout.flowables import Canvas, Drawing
from skirmish.sheets.layout.fonts import LABEL
from skirmish.sheets.layout.text import Style, write
from skirmish.sheets.paper import ACCENT, BLACK, FAINT, HEAVY, MM, NORMAL, PANEL, THIN, WHITE

NUMBER = Style(LABEL, 7.4, 7.4, "centre")


class GridCell(NamedTuple):
    """A cell: crossed or ringed; on a form ``name`` is its field, and ``value`` what it chooses."""

    text: str = ""
    style: Style = NUMBER
    ticked: bool = False
    ringed: bool = False
    name: str = ""
    value: str = ""


class GridRow(NamedTuple):
    label: str
    style: Style
    cells: Sequence[GridCell]
    tinted: bool = False
    faint: bool = False


class Grid(Drawing):
    """Rows of cells ``tall`` points high, their labels in the ``before`` points at the left."""

    def __init__(self, rows: Sequence[GridRow], before: float, tall: float) -> None:
        self.rows, self.before, self.tall = rows, before, tall

    def height_at(self, width: float) -> float:
        return len(self.rows) * self.tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for at, row in enumerate(self.rows, 1):
            low = top - at * self.tall
            middle = x + (self.before / 2 if row.style.align == "centre" else MM)
            self._write(canvas, middle, low, row.label, row.style)
            wide = (width - self.before) / len(row.cells)
            for column, cell in enumerate(row.cells):
                tinted = row.tinted and not canvas.sparing
                canvas.pen(FAINT if row.faint else BLACK, THIN, PANEL if tinted else WHITE)
                left = x + self.before + column * wide
                canvas.rect(left, low, wide, self.tall, fill=1)
                self._cell(canvas, left + wide / 2, low, cell)

    def _write(self, canvas: Canvas, x: float, low: float, text: str, style: Style) -> None:
        write(canvas, x, low + self.tall / 2 - style.size * 0.35, text, style)

    def _cell(self, canvas: Canvas, middle: float, low: float, cell: GridCell) -> None:
        self._write(canvas, middle, low, cell.text, cell.style)
        size, half = self.tall - 1, self.tall / 2
        corner = middle - size / 2, low + 0.5
        canvas.setStrokeColor(ACCENT)
        if cell.value and cell.name:
            choice(canvas, cell.name, *corner, size, value=cell.value, chosen=cell.ringed)
        elif cell.name:
            lay(canvas, cell.name, *corner, size, ticked=cell.ticked)
        elif cell.ticked:
            canvas.setLineWidth(NORMAL)
            canvas.line(middle - half, low, middle + half, low + self.tall)
            canvas.line(middle - half, low + self.tall, middle + half, low)
        if cell.ringed and not (cell.value and cell.name):
            canvas.pen(ACCENT, HEAVY)
            canvas.circle(middle, low + half, half, fill=0)
