"""Letters in the shape of their side: on the map and beside what they stand for."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.sheets.faces import HEAD
from skirmish.sheets.ink import WHITE, SideInk
from skirmish.sheets.piece import Canvas, Piece
from skirmish.sheets.words import Style, write

_LETTER = Style(HEAD, 7.8, 7.8, "centre", WHITE)


class Tags(Piece):
    """Letters side by side: in circles for a side with hollow marks, in squares for the other."""

    REACH = 5.0
    BETWEEN = 1.6
    AFTER = 3.4

    def __init__(self, letters: Sequence[str], look: SideInk) -> None:
        self.letters, self.look = tuple(letters), look

    @property
    def width(self) -> float:
        """Points it takes, with the space before what follows; none without a letter."""
        count = len(self.letters)
        return count * 2 * self.REACH + (count - 1) * self.BETWEEN + self.AFTER if count else 0.0

    def height(self, width: float) -> float:
        """A line of type."""
        return 10.0

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws them."""
        middle = x + self.REACH
        y = top - 5.4
        for letter in self.letters:
            canvas.setFillColor(self.look.ink)
            if self.look.solid:
                side = 2 * self.REACH
                canvas.rect(middle - self.REACH, y - self.REACH, side, side, stroke=0, fill=1)
            else:
                canvas.circle(middle, y, self.REACH, stroke=0, fill=1)
            write(canvas, middle, y - 2.7, letter, _LETTER)
            middle += 2 * self.REACH + self.BETWEEN
