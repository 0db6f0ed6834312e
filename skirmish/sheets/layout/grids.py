"""Grids: rows of cells with a label before them, to tick, choose or write in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import LABEL
from skirmish.sheets.layout.form_fields import FormField, lay_choice, lay_text, lay_tick
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import write
from skirmish.sheets.paper import HEAVY, MM, NORMAL, THIN

CELL_TEXT = Style(LABEL, 7.4, 7.4, "centre")
_FIELD_INSET = 0.5
"""Points between the frame of a cell and a square field in it."""
_HALF_CAPITALS = 0.35
"""Half the height of capitals and figures, as a share of the type size."""


class GridCell(NamedTuple):
    """A cell of a grid, struck out if ``ticked``, with a circle around it if ``ringed``. On a form
    it may have a ``field``: a button to choose, a frame to write in, or else a box to tick."""

    text: str = ""
    style: Style = CELL_TEXT
    ticked: bool = False
    ringed: bool = False
    field: FormField | None = None
    value: str = ""
    """What is chosen by it, if it is a button to choose; empty for other fields. Of cells with the
    same field only one can be chosen."""
    to_write: bool = False
    """Whether its field is a frame to write in."""

    @property
    def is_choice(self) -> bool:
        """Whether its field is a button to choose."""
        return bool(self.value)

    @property
    def is_box(self) -> bool:
        """Whether its field is a box to tick."""
        return not self.is_choice and not self.to_write


class GridRow(NamedTuple):
    """A row of a grid: its label in a ``style``, then its cells. ``tinted``: these have a ground;
    ``faint``: their frames are faint."""

    label: str
    style: Style
    cells: Sequence[GridCell]
    tinted: bool = False
    faint: bool = False


class Grid(Drawing):
    """Rows of cells, each ``row_height`` points high, with their labels in ``label_width`` points
    at the left; the cells of a row share what is left of the width."""

    def __init__(self, rows: Sequence[GridRow], label_width: float, row_height: float) -> None:
        self.rows, self.label_width, self.row_height = rows, label_width, row_height

    def height_at(self, width: float) -> float:
        return len(self.rows) * self.row_height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for number, row in enumerate(self.rows, 1):
            bottom = top - number * self.row_height
            self._paint_label(canvas, x, bottom, row)
            frame = inks.BLACK
            if row.faint:
                frame = inks.FAINT
            ground = inks.WHITE
            if row.tinted and not canvas.sparing:
                ground = inks.PANEL
            cell_width = (width - self.label_width) / len(row.cells)
            for column, cell in enumerate(row.cells):
                left = x + self.label_width + column * cell_width
                canvas.pen(frame, THIN, ground)
                canvas.rect(left, bottom, cell_width, self.row_height, fill=1)
                self._paint_cell(canvas, left + cell_width / 2, bottom, cell)
                if cell.to_write:
                    room = cell_width, self.row_height
                    lay_text(canvas, cell.field, (left, bottom), room, size=9)

    def _paint_label(self, canvas: Canvas, x: float, bottom: float, row: GridRow) -> None:
        """The label of a row, in the middle of its width or at the left by its style."""
        inset = MM
        if row.style.align == "centre":
            inset = self.label_width / 2
        self._write(canvas, x + inset, bottom, row.label, row.style)

    def _write(self, canvas: Canvas, x: float, bottom: float, text: str, style: Style) -> None:
        # In the middle of the height: half the height of capitals is below it.
        baseline = bottom + self.row_height / 2 - style.size * _HALF_CAPITALS
        write(canvas, x, baseline, text, style)

    def _paint_cell(self, canvas: Canvas, middle: float, bottom: float, cell: GridCell) -> None:
        """The words, the tick and the ring of a cell. On a form a box to tick replaces the tick,
        and a button to choose the ring."""
        has_field = canvas.is_form and cell.field is not None
        has_square_field = has_field and (cell.is_choice or cell.is_box)
        is_struck_out = cell.ticked and not has_square_field
        style = cell.style
        if is_struck_out:
            # What is struck out can still be read.
            style = style._replace(ink=inks.QUIET)
        self._write(canvas, middle, bottom, cell.text, style)
        canvas.setStrokeColor(inks.ACCENT)
        if has_square_field:
            self._lay_square_field(canvas, middle, bottom, cell)
        if is_struck_out:
            self._strike_out(canvas, middle, bottom, cell)
        # A button to choose shows a mark of its own.
        has_button = has_field and cell.is_choice
        if cell.ringed and not has_button:
            radius = self.row_height / 2
            canvas.pen(inks.ACCENT, HEAVY)
            canvas.circle(middle, bottom + radius, radius, fill=0)

    def _lay_square_field(
        self, canvas: Canvas, middle: float, bottom: float, cell: GridCell
    ) -> None:
        """The button or the box of a cell: a square in its middle, a little inside its frame."""
        size = self.row_height - 2 * _FIELD_INSET
        left, low = middle - size / 2, bottom + _FIELD_INSET
        if cell.is_choice:
            lay_choice(canvas, cell.field, left, low, size, value=cell.value, chosen=cell.ringed)
        else:
            lay_tick(canvas, cell.field, left, low, size, ticked=cell.ticked)

    def _strike_out(self, canvas: Canvas, middle: float, bottom: float, cell: GridCell) -> None:
        """Strokes across a cell: one over words, two that cross in an empty cell, as by hand."""
        half = self.row_height / 2
        left, right, top = middle - half, middle + half, bottom + self.row_height
        canvas.setLineWidth(NORMAL)
        canvas.line(left, bottom, right, top)
        if not cell.text:
            canvas.line(left, top, right, bottom)
