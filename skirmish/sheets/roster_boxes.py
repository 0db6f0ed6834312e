"""Boxes of a roster that are more than empty: marked as a battle stands.

A mark has a shape of its own, so that it is read without colour: a cross for the lost, a stroke for
who left the table, dashes for who is still to come, a corner for who has fired, a foot for riders.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from skirmish.sheets import faces
from skirmish.sheets.faces import MEDIUM
from skirmish.sheets.ink import ACCENT, BLACK, CODE, FAINT, NORMAL, THIN
from skirmish.sheets.marks import Boxes
from skirmish.sheets.piece import Canvas, Cell, Gap, Piece, Row, Stack
from skirmish.sheets.words import NOTE, SMALLEST, Words, line_width

Mark: TypeAlias = Literal["lost", "left", "to come", "fired", "aboard"]
Marks: TypeAlias = frozenset[Mark]
NONE: Marks = frozenset()
MEANINGS: dict[Mark, str] = {
    "lost": "lost",
    "left": "has left the table",
    "to come": "still to enter",
    "fired": "has fired in this part of the turn",
    "aboard": "rides in a model",
}
_CORNER, _FOOT = 3.4, 1.3
"""Points: the legs of the corner, the height of the foot."""


class MarkedBoxes(Boxes):
    """A box for each of ``codes`` with its ``marks``."""

    def __init__(self, codes: Sequence[str], box: float, marks: Sequence[Marks]) -> None:
        super().__init__(codes, box)
        self.marks = tuple(marks)

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws frames, codes, then marks."""
        solid, dashed, corners = (canvas.beginPath() for _ in range(3))
        strokes, feet = canvas.beginPath(), canvas.beginPath()
        tall = self.TALL
        for left, low, marks in self._spots(x, top, width):
            (dashed if "to come" in marks else solid).rect(left, low, self.box, tall)
            right, high = left + self.box, low + tall
            if marks & {"lost", "left"}:
                strokes.moveTo(left, low)
                strokes.lineTo(right, high)
            if "lost" in marks:
                strokes.moveTo(left, high)
                strokes.lineTo(right, low)
            if "fired" in marks:
                corners.moveTo(right - _CORNER, high)
                corners.lineTo(right, high)
                corners.lineTo(right, high - _CORNER)
                corners.close()
            if "aboard" in marks:
                feet.rect(left, low, self.box, _FOOT)
        self._letter(canvas, x, top, width)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        canvas.drawPath(solid)
        canvas.saveState()
        canvas.setDash([1.5, 1.2])
        canvas.drawPath(dashed)
        canvas.restoreState()
        canvas.setFillColor(BLACK)
        canvas.drawPath(corners, stroke=0, fill=1)
        canvas.drawPath(feet, stroke=0, fill=1)
        canvas.setStrokeColor(ACCENT)
        canvas.setLineWidth(NORMAL)
        canvas.drawPath(strokes)

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Between two lines of boxes."""
        count = int(room // self.LEAD) * self.in_row(width)
        if not 0 < count < len(self.codes):
            return None
        first = MarkedBoxes(self.codes[:count], self.box, self.marks[:count])
        return first, MarkedBoxes(self.codes[count:], self.box, self.marks[count:])

    def _letter(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The codes; paler under a cross, so that the living stand out."""
        text = canvas.beginText()
        text.setFont(MEDIUM, SMALLEST)
        rise = (self.TALL - SMALLEST * 0.7) / 2
        for code, (left, low, marks) in zip(self.codes, self._spots(x, top, width), strict=True):
            wide = faces.width(code, MEDIUM, SMALLEST)
            text.setFillColor(FAINT if marks & {"lost", "left"} else CODE)
            text.setTextOrigin(left + (self.box - wide) / 2, low + rise)
            text.textOut(code)
        canvas.drawText(text)

    def _spots(self, x: float, top: float, width: float) -> Iterator[tuple[float, float, Marks]]:
        """The lower left corner of each box, and its marks."""
        for (left, low), marks in zip(self.spots(x, top, width), self.marks, strict=True):
            yield left, low, marks


def key_of(shown: Sequence[Marks], box: float) -> list[Piece]:
    """What the marks mean that are ``shown``, as one line of boxes and words; nothing for none."""
    used = [mark for mark in MEANINGS if any(mark in marks for marks in shown)]
    if not used:
        return []
    cells: list[Cell] = []
    x = 0.0
    for mark in used:
        cells.append(Cell(x, box, MarkedBoxes([""], box, [frozenset({mark})])))
        wide = line_width(MEANINGS[mark], NOTE) + 2
        words = Stack([Gap(1.4), Words(MEANINGS[mark], NOTE)])
        cells.append(Cell(x + box + 3, wide, words))
        x += box + 3 + wide + 9
    return [Row(cells, above=2, below=0, weight=0)]
