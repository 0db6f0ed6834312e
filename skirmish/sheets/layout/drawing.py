"""The base classes of drawings, and the rules and bars that they draw."""

from __future__ import annotations

from typing import Any, TypeAlias

from reportlab.platypus import Flowable  # type: ignore[import-untyped]

from skirmish.sheets.inks import WHITE, Ink, SideInk
from skirmish.sheets.paper import NORMAL, THIN

Canvas: TypeAlias = Any
"""A ``SheetCanvas`` (layout/sheet_canvas.py), whose base, the PDF library's canvas, is untyped."""
ENDLESS = 1e6
"""More room in points than anything takes: for finding out how high something is."""
HIGHEST_ROOM = ENDLESS / 2
"""More room in points than any page has: a drawing that is offered more is only measured, and not
laid on a page. It is less than ``ENDLESS``, since what is above the drawing may have taken some of
that."""
_LEAST_FILLING = 0.1
"""The least width and height in points of the inside of a bar: in a bar that is narrower than its
outline they would be negative."""
_HATCH_STEP = 2.2
"""Points between two lines of a hatched bar."""


class Drawing(Flowable):  # type: ignore[misc]
    """Drawn downward from its upper left corner, as wide as its column."""

    TALL = 0.0
    """The height in points, for all drawings of a class. Where it depends on what is shown, but not
    on the width, each object sets a ``TALL`` of its own; where it depends on the width, the class
    overrides ``height_at``."""
    head: Flowable | None = None
    """What is repeated above it where it opens a page, if anything."""

    def height_at(self, width: float) -> float:
        """Its height in a column of that ``width``, in points."""
        return self.TALL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it below ``top``, from ``x`` on."""
        raise NotImplementedError

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        """The width and height that it takes, which Platypus asks for before it draws it."""
        self.width, self.height = width, self.height_at(width)
        return width, self.height

    def drawOn(self, canvas: Canvas, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        """Draws it with its lower left corner at (x, y), as Platypus asks for it."""
        self.paint(canvas, x, y + self.height, self.width)


class Filling(Drawing):
    """A drawing that takes all the room left on a page, but is left out if that is less than its
    ``least_height``. A drawing that is left out has a height of 0."""

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        self.width = width
        self.height = 0.0
        if self.least_height(width) <= room < HIGHEST_ROOM:
            self.height = room
        return width, self.height

    def drawOn(self, canvas: Canvas, x: float, y: float, _sW: float = 0) -> None:  # noqa: N802, N803
        if self.height > 0:
            self.paint(canvas, x, y + self.height, self.width)

    def least_height(self, width: float) -> float:
        """The height in points below which it is left out."""
        return 0.0


def rule(canvas: Canvas, left: float, right: float, y: float, weight: float, *, ink: Ink) -> None:
    """A level line from ``left`` to ``right``."""
    canvas.pen(ink, weight)
    canvas.line(left, y, right, y)


def draw_side_bar(
    canvas: Canvas, corner: tuple[float, float], width: float, height: float, look: SideInk
) -> None:
    """A bar of a side's chart with this lower left ``corner``. That of a solid side is filled, or
    hatched where ink is spared; that of a hollow one is empty."""
    x, y = corner
    if width <= 0 or height <= 0:
        return
    canvas.pen(look.ink, NORMAL)
    # A line is drawn to both sides of its path. So that the outline lies within the bar, its path
    # is half its weight inside of the edge.
    half_weight = NORMAL / 2
    filling = WHITE
    if look.solid and not canvas.sparing:
        filling = look.ink
    canvas.setFillColor(filling)
    inner_width = max(width - NORMAL, _LEAST_FILLING)
    inner_height = max(height - NORMAL, _LEAST_FILLING)
    canvas.rect(x + half_weight, y + half_weight, inner_width, inner_height, fill=1)
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
    line_x = x - height
    while line_x < x + width:
        lines.moveTo(line_x, y)
        lines.lineTo(line_x + height, y + height)
        line_x += _HATCH_STEP
    canvas.drawPath(lines)
    canvas.restoreState()
