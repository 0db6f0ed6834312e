"""Lines to write on, in the room that a page has left."""

from __future__ import annotations

from skirmish.sheets.flow import Pages, Spot
from skirmish.sheets.ink import FAINT, HAIR
from skirmish.sheets.marks import Head
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.piece import Canvas, Piece, rule

_LINE = 8 * MM
"""From one to the next: room for handwriting."""
_FEWEST = 3
LEAST = Head.TALL + _FEWEST * _LINE
"""Points without which the lines are not worth printing."""


class OwnNotes(Piece):
    """A head and as many lines as there is ``room`` for, in points."""

    def __init__(self, room: float) -> None:
        self.lines = max(_FEWEST, int((room - Head.TALL) // _LINE))

    def height(self, width: float) -> float:
        """All of it."""
        return Head.TALL + self.lines * _LINE

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        Head("Your notes").draw(canvas, x, top, width)
        for line in range(1, self.lines + 1):
            rule(canvas, x, x + width, top - Head.TALL - line * _LINE, HAIR, ink=FAINT)


def fill(made: Pages, spot: Spot) -> None:
    """The rest of the page below ``spot`` with lines, if there is room for some."""
    page = made.leaf
    below = Spot(spot.page, spot.top - GAP)
    room = below.top - page.bottom
    if room >= LEAST:
        made.place(OwnNotes(room), page.margin, page.measure, below)
