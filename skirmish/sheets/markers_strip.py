"""The strip at the head of a page at true scale: what is on it, and a ruler to check the scale."""

from __future__ import annotations

from skirmish.sheets.faces import MEDIUM, TITLE
from skirmish.sheets.ink import BLACK, CODE, NORMAL, THIN
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Piece, rule
from skirmish.sheets.words import SMALLEST, Style, Words, write
from skirmish.tabletop.measure import inches

INCH = 72.0
_TITLE = Style(TITLE, 17, 19)
_SAYS = Style(MEDIUM, 8, 9.4, ink=CODE)
_MARK = Style(MEDIUM, SMALLEST, SMALLEST, "centre")


class Strip(Piece):
    """Title and a sentence at the left, an inch and two centimetres at the right."""

    keep = True
    TALL = 14.5 * MM
    RULERS = INCH + 20 * MM + 6 * MM

    def __init__(self, title: str, says: str) -> None:
        self.title, self.says = title, Words(says, _SAYS)

    def height(self, width: float) -> float:
        """The strip and the space below it."""
        return self.TALL

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it; and asks the printer to leave the scale alone."""
        canvas.setViewerPreference("PrintScaling", "None")
        write(canvas, x, top - 5.4 * MM, self.title, _TITLE)
        self.says.draw(canvas, x, top - 7 * MM, width - self.RULERS - 4 * MM)
        left = x + width - self.RULERS
        y = top - 5.4 * MM
        metric = left + INCH + 6 * MM
        _ruler(canvas, left, y, INCH, parts=4)
        _ruler(canvas, metric, y, 20 * MM, parts=2)
        write(canvas, left + INCH / 2, y - 2.6 * MM, inches(1), _MARK)
        write(canvas, metric + 10 * MM, y - 2.6 * MM, "2\u00a0cm", _MARK)
        check = _MARK._replace(align="right", ink=CODE)
        write(canvas, x + width, y - 5.6 * MM, "check with a ruler: print at 100%", check)
        rule(canvas, x, x + width, top - self.TALL + 2.4 * MM, NORMAL, ink=BLACK)


def _ruler(canvas: Canvas, x: float, y: float, long: float, *, parts: int) -> None:
    canvas.setStrokeColor(BLACK)
    canvas.setLineWidth(THIN)
    canvas.line(x, y, x + long, y)
    for part in range(parts + 1):
        at = x + long * part / parts
        tall = 2.6 * MM if part in (0, parts) else 1.4 * MM
        canvas.line(at, y, at, y + tall)
