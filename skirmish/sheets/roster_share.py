"""The share code of an army on its roster: to be scanned, or typed where nothing scans."""

from __future__ import annotations

from reportlab.graphics.barcode.qr import QrCodeWidget  # type: ignore[import-untyped]

from skirmish.games.plastic.rules.army import ArmyList
from skirmish.games.plastic.share import CodeError, code_of
from skirmish.sheets.ink import BLACK
from skirmish.sheets.marks import Head
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Cell, Gap, Piece, Row, Stack
from skirmish.sheets.words import NOTE, SMALL, Words

MODULE = 0.36 * MM
"""A square of the code: a telephone reads that from paper."""
SMALLEST_SIDE = 15 * MM
LONGEST = 700
"""Characters: a longer code would fill the page with squares that nothing reads."""
QUIET = 4
"""Squares that stay white around it."""


class Quick(Piece):
    """A text as a QR code."""

    def __init__(self, text: str) -> None:
        made = QrCodeWidget(text, barLevel="L").qr
        made.make()
        self.rows = [[bool(dark) for dark in row] for row in made.modules]
        count = len(self.rows)
        self.module = max(MODULE, SMALLEST_SIDE / count)
        self.side = count * self.module

    def height(self, width: float) -> float:
        """As high as wide, and white below."""
        return self.side + 2 * self.module

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the dark squares, runs of them as one."""
        path = canvas.beginPath()
        for line, row in enumerate(self.rows):
            low = top - (line + 1) * self.module
            begin = None
            for column, dark in enumerate([*row, False]):
                if dark and begin is None:
                    begin = column
                elif not dark and begin is not None:
                    wide = (column - begin) * self.module
                    path.rect(x + begin * self.module, low, wide, self.module)
                    begin = None
        canvas.setFillColor(BLACK)
        canvas.drawPath(path, stroke=0, fill=1)


def share_block(listed: ArmyList, width: float) -> list[Piece]:
    """The code to scan, what to do with it, and its letters. An army too long for that has none."""
    try:
        code = code_of(listed)
    except CodeError:
        return []
    if len(code) > LONGEST:
        return []
    drawn = Quick(code)
    aside = drawn.side + (QUIET + 2) * drawn.module
    says = "Scan or type the code and import it: skirmish army import CODE"
    words = Stack([Words(says, SMALL), Gap(2), Words(code, NOTE)])
    margin = QUIET * drawn.module / 2
    cells = [Cell(margin, drawn.side, drawn), Cell(aside, width - aside, words)]
    return [Head("Share", "this army in another Skirmish"), Row(cells, above=4, below=2, weight=0)]
