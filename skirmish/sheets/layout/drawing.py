"""The base classes of drawings."""

from __future__ import annotations

from typing import Any, TypeAlias

from reportlab.platypus import Flowable  # type: ignore[import-untyped]

from skirmish.sheets.inks import Ink

Canvas: TypeAlias = Any
"""The PDF library's canvas, which is untyped."""
ENDLESS = 1e6
"""The room in points for measuring only."""


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
