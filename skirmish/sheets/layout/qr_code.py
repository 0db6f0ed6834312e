"""QR codes, to be scanned with a phone."""

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

LEAST_SQUARE = 0.36 * MM
"""The least side of a square that a phone can tell from its neighbours."""
QUIET_ZONE = 4
"""The white margin around a code, in squares."""
_OVERLAP = 1.05
"""The height of a drawn square, in sides of a square: rows overlap a little, since otherwise a
hairline of white may show between two of them."""


class CodeToScan(Drawing):
    """A QR code with its white margin, together ``side`` points wide and high; ``least_side``: the
    least side of the code without its margin."""

    def __init__(self, text: str, least_side: float) -> None:
        # The lowest level of correction has the fewest squares: clean paper needs no more.
        self.qr = QRCode(None, QRErrorCorrectLevel.L)
        self.qr.addData(text)
        # The squares along a side follow from the version ("Number of modules", ISO/IEC 18004). A
        # roster is laid out several times until its boxes have the right size, and finding out
        # which squares are dark takes longer than all the rest of it: only ``paint`` does so.
        squares_along_side = 4 * self.qr.calculate_version() + 17
        # The side of a square, in points.
        self.square: float = max(LEAST_SQUARE, least_side / squares_along_side)
        self.side: float = self.square * (squares_along_side + 2 * QUIET_ZONE)
        self.TALL = self.side

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self.qr.make()
        dark_squares = canvas.beginPath()
        code_left, code_top = x + QUIET_ZONE * self.square, top - QUIET_ZONE * self.square
        height = self.square * _OVERLAP
        bottom = code_top
        for row in self.qr.modules:
            bottom -= self.square
            column = 0
            # Neighbours of the same colour are drawn as one rectangle.
            for is_dark, run in groupby(map(bool, row)):
                count = len(list(run))
                if is_dark:
                    left = code_left + column * self.square
                    dark_squares.rect(left, bottom, count * self.square, height)
                column += count
        canvas.setFillColor(inks.BLACK)
        # What lies in two overlapping rows is dark, too.
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
