"""Pieces shown one by one: guns, vehicles, pillboxes, aircraft, what is fought for.

Those of the side that moves first are hollow, those of the other solid, whatever their ink.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from skirmish.sheets.faces import HEAD
from skirmish.sheets.ink import Ink, SideInk
from skirmish.sheets.maps.pen import Pen
from skirmish.tabletop.battlefield import Mark

Legs: TypeAlias = tuple[float, float, float, float]
"""From one end of a line to the other."""


def mark(pen: Pen, part: Mark, side: SideInk | None) -> None:
    """One piece, turned as it faces; its letter stays upright. A piece of nobody's is drawn in the
    map's own ink."""
    owner = side or SideInk(pen.inks.ink, True)
    with pen.standing(part.at, part.facing):
        _MARKS[part.kind](pen, owner)
    if part.mark:
        size = {"large_pillbox": 10.0, "small_pillbox": 9.0, "entry": 9.5}.get(part.kind, 8.0)
        x, y = pen.at(part.at)
        lettered = part.kind in ("mg", "small_pillbox", "large_pillbox", "entry")
        if lettered:
            ink = pen.inks.paper if owner.solid else owner.ink
            pen.write(part.mark, (x, y), HEAD, size, ink, halo=False)
        else:
            pen.write(part.mark, (x, y - 12), HEAD, size, owner.ink)


def _mg(pen: Pen, side: SideInk) -> None:
    canvas = pen.canvas
    for ink, weight, reach in ((pen.inks.halo, 3.4, 11.5), (side.ink, 1.5, 10.0)):
        canvas.setStrokeColor(ink)
        canvas.setLineWidth(weight)
        canvas.line(0, 0, reach, 0)
    pen.polygon([(13, 0), (8.6, 2.6), (8.6, -2.6)], side.ink)
    canvas.setFillColor(_body(pen, side))
    canvas.setStrokeColor(pen.inks.halo if side.solid else side.ink)
    canvas.setLineWidth(1.1)
    canvas.circle(0, 0, 5.6, fill=1)


def _pillbox(pen: Pen, side: SideInk, reach: float) -> None:
    corners = [(1, 0.42), (0.45, 1), (-0.8, 1), (-0.8, -1), (0.45, -1), (1, -0.42)]
    edge = pen.inks.halo if side.solid else side.ink
    pen.polygon([(x * reach, y * reach) for x, y in corners], _body(pen, side), edge, 1.4)
    pen.canvas.setStrokeColor(pen.inks.paper if side.solid else side.ink)
    pen.canvas.setLineWidth(1.3)
    pen.canvas.line(reach * 0.72, reach * 0.34, reach * 0.72, -reach * 0.34)


def _small_pillbox(pen: Pen, side: SideInk) -> None:
    _pillbox(pen, side, 6.6)


def _large_pillbox(pen: Pen, side: SideInk) -> None:
    _pillbox(pen, side, 8.6)


def _landing_craft(pen: Pen, side: SideInk) -> None:
    long, wide = 2.5 * pen.scale, 1.1 * pen.scale
    hull = [(1, 0.9), (-0.8, 1), (-1, 0.7), (-1, -0.7), (-0.8, -1), (1, -0.9)]
    pen.polygon([(x * long, y * wide) for x, y in hull], _body(pen, side), side.ink, 1.3)
    if side.solid:
        pen.canvas.setStrokeColor(pen.inks.paper)
    pen.canvas.setLineWidth(2.2)
    pen.canvas.line(long, wide * 0.9, long, -wide * 0.9)
    pen.canvas.setLineWidth(0.7)
    pen.canvas.line(-long * 0.45, wide, -long * 0.45, -wide)


def _tank(pen: Pen, side: SideInk) -> None:
    canvas = pen.canvas
    fill = _body(pen, side)
    pen.polygon([(8, 5), (-8, 5), (-8, -5), (8, -5)], fill, side.ink, 1.2)
    canvas.setStrokeColor(side.ink)
    canvas.setLineWidth(1.6)
    canvas.line(1.7, 0, 11.5, 0)
    canvas.setStrokeColor(pen.inks.paper if side.solid else side.ink)
    canvas.setLineWidth(1)
    canvas.circle(-1, 0, 2.7, fill=0)
    canvas.line(1.7, 0, 8, 0)


def _gun(pen: Pen, side: SideInk) -> None:
    barrel, axle = (1.8, (-6, 0, 8, 0)), (1.5, (-2, -5, -2, 5))
    _strokes(pen, side, (barrel, axle, (1.5, (-6, 3, -2, 0)), (1.5, (-6, -3, -2, 0))))


def _truck(pen: Pen, side: SideInk) -> None:
    pen.polygon([(7, 3.6), (-7, 3.6), (-7, -3.6), (7, -3.6)], pen.inks.paper, side.ink, 1.1)
    pen.polygon([(7, 3.6), (3.4, 3.6), (3.4, -3.6), (7, -3.6)], _body(pen, side), side.ink, 0.8)


def _aircraft(pen: Pen, side: SideInk) -> None:
    body, wings, tail = (-8, 0, 8, 0), (2.5, 10, 2.5, -10), (-7, 4, -7, -4)
    pen.canvas.setLineCap(1)
    _strokes(pen, side, ((2.2, body), (3.0, wings), (1.8, tail)))


def _glider(pen: Pen, side: SideInk) -> None:
    """As an aircraft, with the long wings and the blunt nose of one without an engine."""
    body, wings, tail = (-7, 0, 5.5, 0), (1.5, 12, 1.5, -12), (-6.5, 3.4, -6.5, -3.4)
    pen.canvas.setLineCap(1)
    _strokes(pen, side, ((3.2, body), (2.0, wings), (1.6, tail)))


def _entry(pen: Pen, side: SideInk) -> None:
    """A place at the rim where men come on: a box on a point that looks the way they go."""
    body, edge = _body(pen, side), pen.inks.halo if side.solid else side.ink
    pen.polygon([(13.5, 0), (5.5, 6), (5.5, -6)], body, edge, 1.1)
    pen.polygon([(6.6, 6.6), (-6.6, 6.6), (-6.6, -6.6), (6.6, -6.6)], body, edge, 1.1)


def _objective(pen: Pen, side: SideInk) -> None:
    star = []
    for corner in range(10):
        reach, angle = 3.8 if corner % 2 else 9.0, corner * math.pi / 5
        star.append((reach * math.cos(angle), reach * math.sin(angle)))
    pen.polygon(star, pen.inks.accent, pen.inks.halo, 0.9)


def _body(pen: Pen, side: SideInk) -> Ink:
    return side.ink if side.solid else pen.inks.paper


def _strokes(pen: Pen, side: SideInk, lines: Sequence[tuple[float, Legs]]) -> None:
    """Lines of a weight each as one figure with a halo; a hollow side's with a light core."""
    looks = [(pen.inks.halo, 2.8), (side.ink, 0.0 if side.solid else 1.1)]
    if not side.solid:
        looks.append((pen.inks.paper, -0.5))
    for ink, wider in looks:
        pen.canvas.setStrokeColor(ink)
        for weight, line in lines:
            pen.canvas.setLineWidth(weight + wider)
            pen.canvas.line(*line)


_MARKS: dict[str, Callable[[Pen, SideInk], None]] = {
    "mg": _mg,
    "small_pillbox": _small_pillbox,
    "large_pillbox": _large_pillbox,
    "landing_craft": _landing_craft,
    "tank": _tank,
    "gun": _gun,
    "truck": _truck,
    "entry": _entry,
    "aircraft": _aircraft,
    "glider": _glider,
    "objective": _objective,
}
