"""Pieces shown one by one: guns, vehicles, pillboxes, aircraft, what is fought for."""

from __future__ import annotations

import math
from collections.abc import Callable

from skirmish.games.plastic.scenarios.battlefield import Mark
from skirmish.sheets.faces import HEAD
from skirmish.sheets.ink import SideInk
from skirmish.sheets.maps.pen import Pen


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
            pen.write(part.mark, (x, y), HEAD, size, pen.inks.paper, halo=False)
        else:
            pen.write(part.mark, (x, y - 12), HEAD, size, owner.ink)


def _mg(pen: Pen, side: SideInk) -> None:
    canvas = pen.canvas
    for ink, weight, reach in ((pen.inks.halo, 3.4, 11.5), (side.ink, 1.5, 10.0)):
        canvas.setStrokeColor(ink)
        canvas.setLineWidth(weight)
        canvas.line(0, 0, reach, 0)
    pen.polygon([(13, 0), (8.6, 2.6), (8.6, -2.6)], side.ink)
    canvas.setFillColor(side.ink)
    canvas.setStrokeColor(pen.inks.halo)
    canvas.setLineWidth(1.1)
    canvas.circle(0, 0, 5.6, fill=1)


def _pillbox(pen: Pen, side: SideInk, reach: float) -> None:
    corners = [(1, 0.42), (0.45, 1), (-0.8, 1), (-0.8, -1), (0.45, -1), (1, -0.42)]
    pen.polygon([(x * reach, y * reach) for x, y in corners], side.ink, pen.inks.halo, 1.4)
    pen.canvas.setStrokeColor(pen.inks.paper)
    pen.canvas.setLineWidth(1.3)
    pen.canvas.line(reach * 0.72, reach * 0.34, reach * 0.72, -reach * 0.34)


def _small_pillbox(pen: Pen, side: SideInk) -> None:
    _pillbox(pen, side, 6.6)


def _large_pillbox(pen: Pen, side: SideInk) -> None:
    _pillbox(pen, side, 8.6)


def _landing_craft(pen: Pen, side: SideInk) -> None:
    long, wide = 2.5 * pen.scale, 1.1 * pen.scale
    hull = [(1, 0.9), (-0.8, 1), (-1, 0.7), (-1, -0.7), (-0.8, -1), (1, -0.9)]
    pen.polygon([(x * long, y * wide) for x, y in hull], pen.inks.paper, side.ink, 1.3)
    pen.canvas.setLineWidth(2.2)
    pen.canvas.line(long, wide * 0.9, long, -wide * 0.9)
    pen.canvas.setLineWidth(0.7)
    pen.canvas.line(-long * 0.45, wide, -long * 0.45, -wide)


def _tank(pen: Pen, side: SideInk) -> None:
    canvas = pen.canvas
    fill = side.ink if side.solid else pen.inks.paper
    pen.polygon([(8, 5), (-8, 5), (-8, -5), (8, -5)], fill, side.ink, 1.2)
    canvas.setStrokeColor(side.ink)
    canvas.setLineWidth(1.6)
    canvas.line(1.7, 0, 11.5, 0)
    canvas.setStrokeColor(pen.inks.paper if side.solid else side.ink)
    canvas.setLineWidth(1)
    canvas.circle(-1, 0, 2.7, fill=0)
    canvas.line(1.7, 0, 8, 0)


def _gun(pen: Pen, side: SideInk) -> None:
    for ink, wider in ((pen.inks.halo, 1.8), (side.ink, 0.0)):
        pen.canvas.setStrokeColor(ink)
        for weight, line in (
            (1.8, (-6, 0, 8, 0)),
            (1.5, (-2, -5, -2, 5)),
            (1.5, (-6, 3, -2, 0)),
            (1.5, (-6, -3, -2, 0)),
        ):
            pen.canvas.setLineWidth(weight + wider)
            pen.canvas.line(*line)


def _truck(pen: Pen, side: SideInk) -> None:
    fill = side.ink if side.solid else pen.inks.paper
    pen.polygon([(7, 3.6), (-7, 3.6), (-7, -3.6), (7, -3.6)], pen.inks.paper, side.ink, 1.1)
    pen.polygon([(7, 3.6), (3.4, 3.6), (3.4, -3.6), (7, -3.6)], fill, side.ink, 0.8)


def _aircraft(pen: Pen, side: SideInk) -> None:
    canvas = pen.canvas
    canvas.setLineCap(1)
    for ink, wider in ((pen.inks.halo, 2.2), (side.ink, 0.0)):
        canvas.setStrokeColor(ink)
        for weight, line in (
            (2.2, (-8, 0, 8, 0)),
            (3.0, (2.5, 10, 2.5, -10)),
            (1.8, (-7, 4, -7, -4)),
        ):
            canvas.setLineWidth(weight + wider)
            canvas.line(*line)


def _entry(pen: Pen, side: SideInk) -> None:
    """A place at the rim where men come on: a box on a point that looks the way they go."""
    pen.polygon([(13.5, 0), (5.5, 6), (5.5, -6)], side.ink, pen.inks.halo, 1.1)
    pen.polygon([(6.6, 6.6), (-6.6, 6.6), (-6.6, -6.6), (6.6, -6.6)], side.ink, pen.inks.halo, 1.1)


def _objective(pen: Pen, side: SideInk) -> None:
    star = []
    for corner in range(10):
        reach, angle = 3.8 if corner % 2 else 9.0, corner * math.pi / 5
        star.append((reach * math.cos(angle), reach * math.sin(angle)))
    pen.polygon(star, pen.inks.accent, pen.inks.halo, 0.9)


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
    "objective": _objective,
}
