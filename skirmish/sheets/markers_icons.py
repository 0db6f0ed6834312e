"""What is drawn on markers: each kind has a shape of its own, so that nobody needs colours."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from skirmish.sheets.ink import Ink
from skirmish.sheets.piece import Canvas

Icon = Callable[[Canvas, float, float, float], None]
"""Draws around (x, y) within a circle of that radius; ink and weight are set."""


def draw(canvas: Canvas, name: str, x: float, y: float, *, radius: float, ink: Ink) -> None:
    """The icon of that name."""
    canvas.saveState()
    canvas.setStrokeColor(ink)
    canvas.setFillColor(ink)
    canvas.setLineWidth(1.6)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    ICONS[name](canvas, x, y, radius)
    canvas.restoreState()


def _pinned(canvas: Canvas, x: float, y: float, r: float) -> None:
    """An arrow pressed on the ground."""
    canvas.line(x, y + r, x, y - 0.2 * r)
    _filled(canvas, (x - 0.55 * r, y + 0.05 * r), (x + 0.55 * r, y + 0.05 * r), (x, y - 0.7 * r))
    canvas.line(x - r, y - 0.95 * r, x + r, y - 0.95 * r)


def _fired(canvas: Canvas, x: float, y: float, r: float) -> None:
    """A burst."""
    for ray in range(8):
        turn = math.pi * ray / 4
        far = r if ray % 2 == 0 else 0.75 * r
        near = 0.42 * r
        canvas.line(
            x + near * math.cos(turn),
            y + near * math.sin(turn),
            x + far * math.cos(turn),
            y + far * math.sin(turn),
        )
    canvas.circle(x, y, 0.18 * r, stroke=0, fill=1)


def _dug_in(canvas: Canvas, x: float, y: float, r: float) -> None:
    """Sandbags, two on three."""
    wide, tall = 0.62 * r, 0.42 * r
    for row, count in enumerate((3, 2)):
        for bag in range(count):
            left = x + (bag - count / 2) * wide * 1.06
            low = y - 0.6 * r + row * tall * 1.15
            canvas.roundRect(left, low, wide, tall, tall * 0.4, fill=0)


def _hull_down(canvas: Canvas, x: float, y: float, r: float) -> None:
    """A turret over a crest."""
    canvas.roundRect(x - 0.55 * r, y - 0.1 * r, 0.9 * r, 0.5 * r, 1.5, stroke=0, fill=1)
    canvas.line(x + 0.3 * r, y + 0.2 * r, x + 1.05 * r, y + 0.2 * r)
    path = canvas.beginPath()
    path.moveTo(x - r, y - 0.75 * r)
    path.curveTo(x - 0.4 * r, y - 0.05 * r, x + 0.4 * r, y - 0.05 * r, x + r, y - 0.75 * r)
    canvas.drawPath(path, fill=0)


def _broken(canvas: Canvas, x: float, y: float, r: float) -> None:
    """A cross."""
    canvas.setLineWidth(3)
    canvas.line(x - 0.7 * r, y - 0.7 * r, x + 0.7 * r, y + 0.7 * r)
    canvas.line(x - 0.7 * r, y + 0.7 * r, x + 0.7 * r, y - 0.7 * r)


def _aboard(canvas: Canvas, x: float, y: float, r: float) -> None:
    """Heads over the side of a vehicle."""
    for head in (-0.5, 0, 0.5):
        canvas.circle(x + head * r, y + 0.3 * r, 0.2 * r, stroke=0, fill=1)
    path = canvas.beginPath()
    path.moveTo(x - r, y)
    path.lineTo(x + r, y)
    path.lineTo(x + 0.75 * r, y - 0.7 * r)
    path.lineTo(x - 0.75 * r, y - 0.7 * r)
    path.close()
    canvas.drawPath(path, fill=0)


def _first(canvas: Canvas, x: float, y: float, r: float) -> None:
    """A ring, as the side that moves first has it everywhere."""
    canvas.setLineWidth(2.4)
    canvas.circle(x, y, 0.75 * r, fill=0)


def _second(canvas: Canvas, x: float, y: float, r: float) -> None:
    """A solid square, as the other side has it."""
    canvas.rect(x - 0.7 * r, y - 0.7 * r, 1.4 * r, 1.4 * r, stroke=0, fill=1)


def _filled(canvas: Canvas, *points: tuple[float, float]) -> None:
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


ICONS: Mapping[str, Icon] = {
    "pinned": _pinned,
    "fired": _fired,
    "dug in": _dug_in,
    "hull down": _hull_down,
    "broken": _broken,
    "aboard": _aboard,
    "first": _first,
    "second": _second,
}
