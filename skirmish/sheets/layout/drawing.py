"""The base classes of drawings."""

from __future__ import annotations

from typing import Any, TypeAlias

from reportlab.platypus import Flowable  # type: ignore[import-untyped]

from skirmish.sheets.inks import WHITE, Ink, SideInk
from skirmish.sheets.paper import NORMAL, THIN

Canvas: TypeAlias = Any
"""A ``SheetCanvas`` (layout/sheet_canvas.py), whose base, the PDF library's canvas, is untyped."""
ENDLESS = 1e6
"""The room in points for measuring only."""
HIGHEST_ROOM = ENDLESS / 2
"""More room in points than any page has. Where a story is only measured, what stands above has
taken some of the endless room away, so that less than all of it is left."""
_LEAST_FILLING = 0.1
"""Points of a bar that is drawn even where its pen alone is as wide: else it would be drawn inside
out."""
_HATCH = 2.2
"""Points between two lines of a hatched bar."""


class Drawing(Flowable):  # type: ignore[misc]
    """Drawn downward from its upper left corner, as wide as its column."""

    TALL = 0.0
    """Its height in points; like all measures of a drawing in capitals, for most classes a
    constant. A drawing whose height depends on what it shows sets a ``TALL`` of its own."""
    head: Flowable | None = None
    """What is repeated above it where it opens a page, if anything."""

    def height_at(self, width: float) -> float:
        """Its height in a column of that ``width``, in points."""
        return self.TALL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it below ``top``."""
        raise NotImplementedError

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        self.width, self.height = width, self.height_at(width)
        return width, self.height

    def drawOn(self, canvas: Canvas, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        self.paint(canvas, x, y + self.height, self.width)


class Filling(Drawing):
    """Takes the ``room`` left on a page; nothing if that is less than ``least``."""

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        self.width = width
        self.height = 0.0
        if self.least(width) <= room < HIGHEST_ROOM:
            self.height = room
        return width, self.height

    def drawOn(self, canvas: Canvas, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        if self.height:
            self.paint(canvas, x, y + self.height, self.width)

    def least(self, width: float) -> float:
        """The height in points below which it is left out."""
        return 0.0


def rule(canvas: Canvas, x: float, to: float, y: float, weight: float, *, ink: Ink) -> None:
    """A level line from ``x`` to ``to``."""
    canvas.pen(ink, weight)
    canvas.line(x, y, to, y)


def bar(
    canvas: Canvas, corner: tuple[float, float], width: float, height: float, look: SideInk
) -> None:
    """A bar with this lower left ``corner``: filled if the side is solid; where ink is spared,
    hatched."""
    x, y = corner
    if width <= 0 or height <= 0:
        return
    canvas.pen(look.ink, NORMAL)
    half = NORMAL / 2
    filling = WHITE
    if look.solid and not canvas.sparing:
        filling = look.ink
    canvas.setFillColor(filling)
    inner = max(width - NORMAL, _LEAST_FILLING), max(height - NORMAL, _LEAST_FILLING)
    canvas.rect(x + half, y + half, *inner, fill=1)
    if look.solid and canvas.sparing:
        _hatch(canvas, x, y, width, height)


def _hatch(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """Parallel lines at 45 degrees within a rectangle."""
    canvas.saveState()
    edge = canvas.beginPath()
    edge.rect(x, y, width, height)
    canvas.clipPath(edge, stroke=0, fill=0)
    canvas.setLineWidth(THIN)
    lines = canvas.beginPath()
    # The first lines begin left of the rectangle, to reach its upper left corner.
    begin = x - height
    while begin < x + width:
        lines.moveTo(begin, y)
        lines.lineTo(begin + height, y + height)
        begin += _HATCH
    canvas.drawPath(lines)
    canvas.restoreState()
