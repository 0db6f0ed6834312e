"""The base classes of drawings."""

from __future__ import annotations

from typing import Any, TypeAlias

from reportlab.platypus import Flowable  # type: ignore[import-untyped]

from skirmish.sheets.inks import WHITE, Ink, SideInk
from skirmish.sheets.paper import NORMAL, THIN

Canvas: TypeAlias = Any
"""The PDF library's canvas, which is untyped."""
ENDLESS = 1e6
"""The room in points for measuring only."""
_HATCH = 2.2
"""Points between two lines of a hatched bar."""


class Drawing(Flowable):  # type: ignore[misc]
    """Drawn downward from its upper left corner, as wide as its column; ``TALL`` points high by
    default."""

    TALL = 0.0
    head: Flowable = None

    def height_at(self, width: float) -> float:
        return self.TALL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
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
        self.height = room if self.least(width) <= room < ENDLESS / 2 else 0.0
        return width, self.height

    def drawOn(self, canvas: Canvas, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        if self.height:
            self.paint(canvas, x, y + self.height, self.width)

    def least(self, width: float) -> float:
        return 0.0


def rule(canvas: Canvas, x: float, to: float, y: float, weight: float, *, ink: Ink) -> None:
    canvas.pen(ink, weight)
    canvas.line(x, y, to, y)


def bar(
    canvas: Canvas, at: tuple[float, float], width: float, height: float, look: SideInk
) -> None:
    """Filled if the side is solid; where ink is spared, hatched."""
    x, y = at
    if width <= 0 or height <= 0:
        return
    canvas.pen(look.ink, NORMAL)
    half = NORMAL / 2
    solid = look.solid and not canvas.sparing
    canvas.setFillColor(look.ink if solid else WHITE)
    inner = max(width - NORMAL, 0.1), max(height - NORMAL, 0.1)
    canvas.rect(x + half, y + half, *inner, fill=1)
    if look.solid and canvas.sparing:
        canvas.saveState()
        edge = canvas.beginPath()
        edge.rect(x, y, width, height)
        canvas.clipPath(edge, stroke=0, fill=0)
        canvas.setLineWidth(THIN)
        lines = canvas.beginPath()
        begin = x - height
        while begin < x + width:
            lines.moveTo(begin, y)
            lines.lineTo(begin + height, y + height)
            begin += _HATCH
        canvas.drawPath(lines)
        canvas.restoreState()
