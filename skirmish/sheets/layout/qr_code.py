"""Codes to scan with a phone."""

from __future__ import annotations

from itertools import groupby

from reportlab.graphics.barcode.qrencoder import (  # type: ignore[import-untyped]
    QRCode,
    QRErrorCorrectLevel,
)
from reportlab.pdfgen.canvas import FILL_NON_ZERO  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.text import Text
from skirmish.sheets.paper import MM

SQUARE = 0.36 * MM
"""The least side of a square that a phone tells from its neighbours."""
QUIET = 4
"""The white margin around a code, in squares."""
_OVERLAP = 1.05
"""The height of a square by its side: else a hairline of white may show between two rows."""


class CodeToScan(Drawing):
    """A QR code with its white margin; without that, its ``side`` is at least ``smallest``
    points."""

    def __init__(self, text: str, smallest: float) -> None:
        # The lowest level of correction has the fewest squares: clean paper needs no more.
        self.qr = QRCode(None, QRErrorCorrectLevel.L)
        self.qr.addData(text)
        # The number of squares follows from the version ("Number of modules", ISO/IEC 18004). To
        # find out which are dark takes longer than all the rest of a roster, which is laid out
        # several times until its boxes have the right size, so that is left for the paper.
        squares = 4 * self.qr.calculate_version() + 17
        self.square: float = max(SQUARE, smallest / squares)
        self.side: float = self.square * (squares + 2 * QUIET)
        self.TALL = self.side

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self.qr.make()
        dark_squares = canvas.beginPath()
        left, level = x + QUIET * self.square, top - QUIET * self.square
        tall = self.square * _OVERLAP
        for row in self.qr.modules:
            level -= self.square
            column = 0
            for is_dark, run in groupby(map(bool, row)):
                count = len(list(run))
                if is_dark:
                    begin = left + column * self.square
                    dark_squares.rect(begin, level, count * self.square, tall)
                column += count
        canvas.setFillColor(inks.BLACK)
        # Rows overlap a little; what lies in two of them is dark, too.
        canvas.drawPath(dark_squares, stroke=0, fill=1, fillMode=FILL_NON_ZERO)


class BesideCode(Drawing):
    """Words, with a code to scan at their right."""

    def __init__(self, words: Text, code: CodeToScan) -> None:
        self.words, self.code = words, code

    def height_at(self, width: float) -> float:
        return max(self.code.side, self.words.height_at(width - self.code.side))

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        room = width - self.code.side
        self.words.paint(canvas, x, top, room)
        self.code.paint(canvas, x + room, top, self.code.side)
