"""What stands on the ground: buildings, guns, vehicles; and where sides set up and come on."""

from __future__ import annotations

import math

from skirmish.sheets import faces
from skirmish.sheets.faces import HEAD, LABEL
from skirmish.sheets.ink import Ink, SideInk
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.trace import Trace
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Arrow, Building, Circle, Dimension, Zone
from skirmish.tabletop.plane import Point

_NUMBER = 7.0
_TAG = 9.5
_MEASURE = 8.0
_DASH = (5, 1.8)
_OURS = (3, 1.6)
_TILES = 1.9
"""Points between the lines of a roof that stand for its shade."""


def building(pen: Pen, part: Building) -> None:
    """A roof, its lower slope in shade; a ruin is a broken outline."""
    inks, canvas = pen.inks, pen.canvas
    wide, deep = part.size[0] * pen.scale, part.size[1] * pen.scale
    with pen.standing(part.at, part.turn):
        canvas.setStrokeColor(inks.building_line)
        canvas.setLineJoin(0)
        canvas.setLineWidth(0.9)
        if part.kind == "ruin":
            canvas.setFillColor(inks.paper)
            canvas.setDash([2.2, 1.2])
            canvas.rect(-wide / 2, -deep / 2, wide, deep, fill=1)
        elif part.kind in ("works", "hangar"):
            _shed(pen, wide, deep)
        else:
            _roof(pen, wide, deep)
        if part.kind == "church":
            _cross(pen, wide, deep)
    if part.number:
        middle = pen.at(part.at)
        canvas.setFillColor(inks.paper)
        canvas.setStrokeColor(inks.building_line)
        canvas.setLineWidth(0.6)
        canvas.circle(*middle, 4.3, fill=1)
        pen.write(str(part.number), middle, LABEL, _NUMBER, inks.ink, halo=False)


def _roof(pen: Pen, wide: float, deep: float) -> None:
    canvas, inks = pen.canvas, pen.inks
    canvas.setFillColor(inks.building)
    canvas.rect(-wide / 2, -deep / 2, wide, deep, fill=1, stroke=0)
    canvas.setFillColor(inks.roof)
    level = wide >= deep
    shade = (-wide / 2, -deep / 2, wide, deep / 2) if level else (0, -deep / 2, wide / 2, deep)
    canvas.rect(*shade, fill=1, stroke=0)
    if inks.roof == inks.paper:
        _tiles(pen, shade, level=level)
    canvas.setLineWidth(0.5)
    canvas.line(*((-wide / 2, 0, wide / 2, 0) if level else (0, -deep / 2, 0, deep / 2)))
    canvas.setLineWidth(0.9)
    canvas.rect(-wide / 2, -deep / 2, wide, deep, fill=0)


def _tiles(pen: Pen, shade: tuple[float, ...], *, level: bool) -> None:
    """The shaded half of a roof as lines down its fall, where no ink is spent on areas."""
    left, low, wide, tall = shade
    lines = Trace()
    for step in range(1, int((wide if level else tall) / _TILES)):
        at = step * _TILES
        lines.run(
            ((left + at, low), (left + at, low + tall))
            if level
            else ((left, low + at), (left + wide, low + at))
        )
    pen.lines(lines, pen.inks.building_line, 0.3)


def _shed(pen: Pen, wide: float, deep: float) -> None:
    """A works or a hangar: many roofs side by side."""
    canvas, inks = pen.canvas, pen.inks
    canvas.setFillColor(inks.works)
    canvas.rect(-wide / 2, -deep / 2, wide, deep, fill=1)
    canvas.setLineWidth(0.4)
    level = wide >= deep
    long, short = (wide, deep) if level else (deep, wide)
    bays = max(2, round(long / 9))
    for bay in range(1, bays):
        at = -long / 2 + long * bay / bays
        canvas.line(
            *((at, -short / 2, at, short / 2) if level else (-short / 2, at, short / 2, at))
        )


def _cross(pen: Pen, wide: float, deep: float) -> None:
    """The tower at one end of a church, with its cross."""
    canvas, inks = pen.canvas, pen.inks
    side = min(wide, deep)
    canvas.setFillColor(inks.roof)
    canvas.rect(wide / 2 - side, -side / 2, side, side, fill=1)
    canvas.setStrokeColor(inks.cross)
    canvas.setLineWidth(1.2)
    x, arm = wide / 2 - side / 2, side * 0.3
    canvas.line(x, -arm, x, arm)
    canvas.line(x - arm * 0.7, arm * 0.35, x + arm * 0.7, arm * 0.35)


def zone(pen: Pen, part: Zone, side: SideInk) -> None:
    """Where a contingent sets up: hatched, or combed along its edge."""
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
    """A zone's letter: a square for one side, a circle for the other."""
    canvas = pen.canvas
    x, y = pen.at(at)
    canvas.setFillColor(side.ink)
    canvas.setStrokeColor(pen.inks.paper)
    canvas.setLineWidth(1.3)
    if side.solid:
        canvas.rect(x - 6.2, y - 6.2, 12.4, 12.4, fill=1)
    else:
        canvas.circle(x, y, 6.8, fill=1)
    pen.write(letter, (x, y), HEAD, _TAG, pen.inks.paper, halo=False)


def circle(pen: Pen, part: Circle, side: SideInk | None) -> None:
    """A ring at its true size."""
    ring = plane.ring(part.at, part.radius)
    pen.stroke(ring, pen.inks.halo, 2.6, closed=True)
    pen.stroke(ring, side.ink if side else pen.inks.accent, 1.1, closed=True, dash=(3, 1.6))


def arrow(pen: Pen, part: Arrow, side: SideInk) -> None:
    """A broad arrow that grows toward its head."""
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
    """A distance with its number in the middle."""
    canvas, inks = pen.canvas, pen.inks
    span(pen, part)
    text = f"{'≤ ' if part.at_most else ''}{math.dist(part.start, part.end):.4g}″"
    middle = (part.start[0] + part.end[0]) / 2, (part.start[1] + part.end[1]) / 2
    x, y = pen.at((middle[0] + part.off[0], middle[1] + part.off[1]))
    wide = faces.width(text, HEAD, _MEASURE) + 3
    canvas.setFillColor(inks.halo)
    tall = _MEASURE * 1.04
    canvas.roundRect(x - wide / 2, y - tall / 2, wide, tall, 1.6, stroke=0, fill=1)
    pen.write(text, (x, y), HEAD, _MEASURE, _whose(pen, part), halo=False)


def span(pen: Pen, part: Dimension) -> None:
    """A line between two arrow heads: whole and in the accent where the text says so, broken and
    in black where we do."""
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
