"""The four phases of a turn as four panels: a solid head where the mover acts, a hollow one where
the enemy does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.faces import BODY, LABEL, TITLE
from skirmish.sheets.ink import ACCENT, BAND, BLACK, NORMAL, WHITE
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Piece
from skirmish.sheets.words import Style, Words, line_width, write

_SAYS = Style(BODY, 8.8, 10.4)
_NUMBER = Style(TITLE, 20, 20)
_TITLE = Style(LABEL, 11, 11)
_WHO = Style(LABEL, 7, 7)


class Phase(NamedTuple):
    """Who acts, what the phase is called, what is done in it."""

    who: str
    title: str
    says: str
    mover: bool


class Turn(Piece):
    """The phases from left to right, each pointing at the next."""

    HEAD = 8.4 * MM
    POINT = 2.6 * MM
    GAP = 0.4 * MM
    PAD = 1.8 * MM

    def __init__(self, phases: Sequence[Phase]) -> None:
        self.phases = tuple(phases)
        self.words = [Words(phase.says, _SAYS) for phase in phases]

    def height(self, width: float) -> float:
        """The head and the longest text."""
        room = self._room(self._wide(width))
        return self.HEAD + max(words.height(room) for words in self.words) + 2.6 * MM

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws head, text and frame of each."""
        wide, tall = self._wide(width), self.height(width)
        for index, words in enumerate(self.words):
            left = x + index * (wide + self.GAP)
            canvas.setStrokeColor(BLACK)
            canvas.setLineWidth(NORMAL)
            canvas.rect(left, top - tall, wide - self.POINT, tall - self.HEAD, fill=0)
            self._head(canvas, left, top, wide, index)
            words.draw(canvas, left + self.PAD, top - self.HEAD - 0.8 * MM, self._room(wide))

    def _head(self, canvas: Canvas, x: float, top: float, wide: float, index: int) -> None:
        phase = self.phases[index]
        low = top - self.HEAD
        path = canvas.beginPath()
        path.moveTo(x, top)
        path.lineTo(x + wide - self.POINT, top)
        path.lineTo(x + wide, top - self.HEAD / 2)
        path.lineTo(x + wide - self.POINT, low)
        path.lineTo(x, low)
        path.close()
        solid = phase.mover and not canvas.sparing
        canvas.setFillColor(BAND if solid else WHITE)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(1.4 if phase.mover else NORMAL)
        canvas.drawPath(path, fill=1, stroke=1)
        ink = WHITE if solid else BLACK
        write(canvas, x + self.PAD, low + 2.1 * MM, str(index + 1), _NUMBER._replace(ink=ink))
        after = x + self.PAD + line_width("4", _NUMBER) + 2 * MM
        who = _WHO._replace(ink=ink if solid else ACCENT)
        write(canvas, after, top - 3.2 * MM, phase.who.upper(), who, track=0.6)
        write(canvas, after, low + 1.5 * MM, phase.title, _TITLE._replace(ink=ink))

    def _room(self, wide: float) -> float:
        return wide - self.POINT - 2 * self.PAD

    def _wide(self, width: float) -> float:
        return (width - self.GAP * (len(self.phases) - 1)) / len(self.phases)
