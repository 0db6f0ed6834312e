"""A table to write in: when the scenario was played, by whom, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.sheets.faces import MEDIUM
from skirmish.sheets.ink import BLACK, CODE, FAINT, HAIR, THIN
from skirmish.sheets.marks import Head
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.piece import Canvas, Piece, rule
from skirmish.sheets.words import Style, fitted, write

_LABEL = Style(MEDIUM, 7.4, 7.4, ink=CODE)
_TOP = 4.6 * MM
_ROW = (9 * MM, 11 * MM)
"""Room for handwriting: at least, and at most."""
_MOST = 8
_LINE = 8 * MM
_FEWEST = 3
LEAST = Head.TALL + _TOP + _FEWEST * _ROW[0]
"""Points without which the table is not worth printing."""


class Record(Piece):
    """A table of games played and, where there is more room, lines for notes. It fills ``room``
    points; ``names`` are those of the two sides."""

    def __init__(self, names: Sequence[str], room: float) -> None:
        one, other = names
        self.columns = (("Date", 0.11), (one, 0.15), (other, 0.15), ("Won by", 0.12),
                        ("Losses", 0.12), ("What decided it", 0.35))  # fmt: skip
        inner = room - Head.TALL - _TOP
        self.rows = max(1, min(_MOST, int(inner // _ROW[0])))
        self.row = min(inner / self.rows, _ROW[1])
        over = inner - self.rows * self.row - GAP - Head.TALL
        lines = int(over // _LINE)
        self.lines = lines if lines >= _FEWEST else 0

    def height(self, width: float) -> float:
        """All of it."""
        table = Head.TALL + _TOP + self.rows * self.row
        return table + (GAP + Head.TALL + self.lines * _LINE if self.lines else 0.0)

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        Head("Played").draw(canvas, x, top, width)
        top -= Head.TALL
        low = top - _TOP - self.rows * self.row
        left = x
        for index, (label, share) in enumerate(self.columns):
            wide, inset = share * width, 1.2 * MM if index else 0.0
            text = fitted(label, _LABEL, wide - inset - 2)
            write(canvas, left + inset, top - 3 * MM, text, _LABEL)
            if index:
                canvas.setStrokeColor(FAINT)
                canvas.setLineWidth(HAIR)
                canvas.line(left, top, left, low)
            left += wide
        for row in range(self.rows + 1):
            y = top - _TOP - row * self.row
            rule(canvas, x, x + width, y, HAIR if row else THIN, ink=FAINT if row else BLACK)
        if self.lines:
            Head("Notes").draw(canvas, x, low - GAP, width)
            for line in range(1, self.lines + 1):
                y = low - GAP - Head.TALL - line * _LINE
                rule(canvas, x, x + width, y, HAIR, ink=FAINT)
