"""Things on the ground: buildings, guns, vehicles; and where sides set up and enter."""

from __future__ import annotations

import math
from typing import TypeAlias

from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.fonts import HEAD, LABEL
from skirmish.sheets.maps.pen import Pen
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Arrow,
    Building,
    Circle,
    Dimension,
    MapMark,
    MarkKind,
    Zone,
)
from skirmish.tabletop.plane import Point

_NUMBER = 7.0
_TAG = 9.5
_MEASURE = 8.0
_DASH = (5, 1.8)
_OURS = (3, 1.6)
_LIMIT = (7, 2, 1.6, 2)
_TILES = 1.9
"""Points between the lines of a roof that stand for its shade."""
Legs: TypeAlias = tuple[float, float, float, float]
"""From one end of a line to the other."""


def building(pen: Pen, part: Building) -> None:
    inks, canvas = pen.inks, pen.canvas
    deep, wide = sorted(side * pen.scale for side in part.size)
    turn = part.turn if part.size[0] >= part.size[1] else part.turn + 90
    left, low = -wide / 2, -deep / 2
    with pen.standing(part.at, turn):
        canvas.setLineJoin(0)
        canvas.pen(inks.building_line, 0.9, inks.building)
        if part.kind == "ruin":
            canvas.setFillColor(inks.paper)
            canvas.setDash([2.2, 1.2])
        elif part.kind in ("works", "hangar"):
            canvas.setFillColor(inks.works)
        canvas.rect(left, low, wide, deep, fill=1)
        canvas.setLineWidth(0.4)
        if part.kind in ("works", "hangar"):
            bays = max(2, round(wide / 9))
            for x in (left + wide * bay / bays for bay in range(1, bays)):
                canvas.line(x, low, x, -low)
        elif part.kind != "ruin":
            canvas.setFillColor(inks.roof)
            canvas.rect(left, low, wide, deep / 2, fill=1)
            if inks.roof == inks.paper:
                for step in range(1, int(wide / _TILES)):
                    canvas.line(left + step * _TILES, low, left + step * _TILES, 0)
        if part.kind == "church":
            canvas.rect(-left - deep, low, deep, deep, fill=1)
    if part.kind == "church":
        angle, reach = math.radians(turn), (wide - deep) / 2 / pen.scale
        tower = part.at[0] + reach * math.cos(angle), part.at[1] + reach * math.sin(angle)
        with pen.standing(tower):
            canvas.pen(inks.cross, 1.2)
            arm = deep * 0.3
            canvas.line(0, -arm, 0, arm)
            canvas.line(-arm * 0.7, arm * 0.35, arm * 0.7, arm * 0.35)
    if part.number:
        middle = pen.at(part.at)
        canvas.pen(inks.building_line, 0.6, inks.paper)
        canvas.circle(*middle, 4.3, fill=1)
        pen.write(str(part.number), middle, LABEL, _NUMBER, inks.ink, halo=False)


def zone(pen: Pen, part: Zone, side: SideInk) -> None:
    """The set-up zone of a contingent: hatched, or combed along its edge."""
    angle = -45 if side.solid else 45
    if part.fill == "full":
        pen.hatch(part.points, side.ink, 3.0, angle, 0.55)
    else:
        left = plane.turns_left(part.points)
        outline = part.points if left else tuple(reversed(part.points))
        lean = math.radians(120 if side.solid else 60)
        comb = []
        for place, heading in plane.stations(outline, 0.62, closed=True):
            x, y = pen.at(place)
            turn = heading + lean
            comb.append(((x, y), (x + math.cos(turn) * 4.6, y + math.sin(turn) * 4.6)))
        pen.ticks(comb, side.ink, 0.55)
    dash = () if side.solid else _DASH
    pen.stroke(part.points, side.ink, 1.2, closed=True, dash=dash, round_ends=False)


def tag(pen: Pen, letter: str, at: Point, side: SideInk) -> None:
    canvas = pen.canvas
    x, y = pen.at(at)
    canvas.pen(pen.inks.paper, 1.3, side.ink)
    if side.solid:
        canvas.rect(x - 6.2, y - 6.2, 12.4, 12.4, fill=1)
    else:
        canvas.circle(x, y, 6.8, fill=1)
    pen.write(letter, (x, y), HEAD, _TAG, pen.inks.paper, halo=False)


def circle(pen: Pen, part: Circle, side: SideInk | None) -> None:
    ring = plane.ring(part.at, part.radius)
    pen.stroke(ring, pen.inks.halo, 2.6, closed=True)
    pen.stroke(ring, side.ink if side else pen.inks.accent, 1.1, closed=True, dash=(3, 1.6))


def arrow(pen: Pen, part: Arrow, side: SideInk) -> None:
    run = [pen.at(point) for point in part.run]
    (x0, y0), (x1, y1) = run[-2], run[-1]
    angle = math.atan2(y1 - y0, x1 - x0)
    broad = 1.1 * pen.scale
    neck = (x1 - math.cos(angle) * broad * 1.9, y1 - math.sin(angle) * broad * 1.9)
    across = (-math.sin(angle) * broad, math.cos(angle) * broad)
    left: list[Point] = []
    right: list[Point] = []
    shaft = [*run[:-1], neck]
    for number, (x, y) in enumerate(shaft):
        half = (0.35 + 0.65 * number / max(len(shaft) - 1, 1)) / 2
        left.append((x + across[0] * half, y + across[1] * half))
        right.append((x - across[0] * half, y - across[1] * half))
    head = [(neck[0] + across[0], neck[1] + across[1]), (x1, y1)]
    head.append((neck[0] - across[0], neck[1] - across[1]))
    pen.canvas.setLineJoin(1)
    fill = side.ink if side.solid else pen.inks.paper
    pen.polygon([*left, *head, *reversed(right)], fill, side.ink, 1.0)


def dimension(pen: Pen, part: Dimension) -> None:
    canvas, inks = pen.canvas, pen.inks
    span(pen, part)
    text = f"{'≤ ' if part.at_most else ''}{math.dist(part.start, part.end):.4g}″"
    middle = (part.start[0] + part.end[0]) / 2, (part.start[1] + part.end[1]) / 2
    x, y = pen.at((middle[0] + part.off[0], middle[1] + part.off[1]))
    wide = fonts.width(text, HEAD, _MEASURE) + 3
    canvas.setFillColor(inks.halo)
    tall = _MEASURE * 1.04
    canvas.roundRect(x - wide / 2, y - tall / 2, wide, tall, 1.6, stroke=0, fill=1)
    pen.write(text, (x, y), HEAD, _MEASURE, _whose(pen, part), halo=False)


def limit(pen: Pen, part: Dimension, size: tuple[float, float]) -> None:
    """A line across the table at the end of a distance."""
    (x0, y0), (x, y) = part.start, part.end
    upright = abs(x - x0) > abs(y - y0)
    run = ((x, 0.0), (x, size[1])) if upright else ((0.0, y), (size[0], y))
    pen.stroke(run, pen.inks.halo, 2.6)
    pen.stroke(run, _whose(pen, part), 1.2, dash=_LIMIT, round_ends=False)


def span(pen: Pen, part: Dimension) -> None:
    """A dimension line with two arrow heads: solid and in the accent for distances of the source,
    dashed and in black for ours."""
    ink, dash = _whose(pen, part), _OURS if part.ours else ()
    pen.stroke((part.start, part.end), pen.inks.halo, 2.6)
    pen.stroke((part.start, part.end), ink, 0.8, dash=dash, round_ends=not part.ours)
    (x0, y0), (x1, y1) = pen.at(part.start), pen.at(part.end)
    angle = math.atan2(y1 - y0, x1 - x0)
    for x, y, way in ((x0, y0, angle), (x1, y1, angle + math.pi)):
        barbs = [(x + math.cos(way + k) * 4.6, y + math.sin(way + k) * 4.6) for k in (0.42, -0.42)]
        pen.polygon([(x, y), *barbs], ink)


def _whose(pen: Pen, part: Dimension) -> Ink:
    return pen.inks.ink if part.ours else pen.inks.accent


def mark(pen: Pen, part: MapMark, side: SideInk | None) -> None:
    """One piece in its facing; its letter stays upright. A neutral piece has the map's own ink."""
    owner = side or SideInk(pen.inks.ink, True)
    with pen.standing(part.at, part.facing):
        _piece(pen, part.kind, owner)
    if part.mark:
        size = {"large_pillbox": 10.0, "small_pillbox": 9.0, "entry": 9.5}.get(part.kind, 8.0)
        x, y = pen.at(part.at)
        if part.kind in ("mg", "small_pillbox", "large_pillbox", "entry"):
            ink = pen.inks.paper if owner.solid else owner.ink
            pen.write(part.mark, (x, y), HEAD, size, ink, halo=False)
        else:
            pen.write(part.mark, (x, y - 12), HEAD, size, owner.ink)


def _piece(pen: Pen, kind: MarkKind, side: SideInk) -> None:
    canvas, halo, ink, paper = pen.canvas, pen.inks.halo, side.ink, pen.inks.paper
    body, edge = (ink, halo) if side.solid else (paper, ink)
    on_body = paper if side.solid else ink
    match kind:
        case "mg":
            for shade, weight, reach in ((halo, 3.4, 11.5), (ink, 1.5, 10.0)):
                canvas.pen(shade, weight)
                canvas.line(0, 0, reach, 0)
            pen.polygon([(13, 0), (8.6, 2.6), (8.6, -2.6)], ink)
            canvas.pen(edge, 1.1, body)
            canvas.circle(0, 0, 5.6, fill=1)
        case "small_pillbox" | "large_pillbox":
            reach = 6.6 if kind == "small_pillbox" else 8.6
            corners = [(1, 0.42), (0.45, 1), (-0.8, 1), (-0.8, -1), (0.45, -1), (1, -0.42)]
            pen.polygon([(x * reach, y * reach) for x, y in corners], body, edge, 1.4)
            canvas.pen(on_body, 1.3)
            canvas.line(reach * 0.72, reach * 0.34, reach * 0.72, -reach * 0.34)
        case "landing_craft":
            long, wide = 2.5 * pen.scale, 1.1 * pen.scale
            hull = [(1, 0.9), (-0.8, 1), (-1, 0.7), (-1, -0.7), (-0.8, -1), (1, -0.9)]
            pen.polygon([(x * long, y * wide) for x, y in hull], body, ink, 1.3)
            canvas.pen(on_body, 2.2)
            canvas.line(long, wide * 0.9, long, -wide * 0.9)
            canvas.setLineWidth(0.7)
            canvas.line(-long * 0.45, wide, -long * 0.45, -wide)
        case "tank":
            pen.polygon([(8, 5), (-8, 5), (-8, -5), (8, -5)], body, ink, 1.2)
            canvas.pen(ink, 1.6)
            canvas.line(1.7, 0, 11.5, 0)
            canvas.pen(on_body, 1)
            canvas.circle(-1, 0, 2.7, fill=0)
            canvas.line(1.7, 0, 8, 0)
        case "truck":
            pen.polygon([(7, 3.6), (-7, 3.6), (-7, -3.6), (7, -3.6)], paper, ink, 1.1)
            pen.polygon([(7, 3.6), (3.4, 3.6), (3.4, -3.6), (7, -3.6)], body, ink, 0.8)
        case "entry":  # at the rim, where men come on: a box on a point that looks their way
            pen.polygon([(13.5, 0), (5.5, 6), (5.5, -6)], body, edge, 1.1)
            pen.polygon([(6.6, 6.6), (-6.6, 6.6), (-6.6, -6.6), (6.6, -6.6)], body, edge, 1.1)
        case "objective":
            turns = [corner * math.pi / 5 for corner in range(10)]
            reaches = [3.8 if corner % 2 else 9.0 for corner in range(10)]
            star = [(r * math.cos(a), r * math.sin(a)) for r, a in zip(reaches, turns, strict=True)]
            pen.polygon(star, pen.inks.accent, halo, 0.9)
        case _:
            canvas.setLineCap(0 if kind == "gun" else 1)
            looks = [(halo, 2.8), (ink, 0.0 if side.solid else 1.1)]
            for shade, wider in looks if side.solid else [*looks, (paper, -0.5)]:
                canvas.setStrokeColor(shade)
                for weight, line in _FIGURES[kind]:
                    canvas.setLineWidth(weight + wider)
                    canvas.line(*line)


_FIGURES: dict[str, tuple[tuple[float, Legs], ...]] = {
    "gun": ((1.8, (-6, 0, 8, 0)), (1.5, (-2, -5, -2, 5)), (1.5, (-6, 3, -2, 0)),
            (1.5, (-6, -3, -2, 0))),
    "aircraft": ((2.2, (-8, 0, 8, 0)), (3.0, (2.5, 10, 2.5, -10)), (1.8, (-7, 4, -7, -4))),
    "glider": ((3.2, (-7, 0, 5.5, 0)), (2.0, (1.5, 12, 1.5, -12)), (1.6, (-6.5, 3.4, -6.5, -3.4))),
}  # fmt: skip
"""Pieces of a few lines, each with its weight: with a halo, and a light core for a hollow side."""
