"""Around the map: a frame lettered by the foot, compass, scale, and the key of what is drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from skirmish.sheets.layout.fonts import BODY, HEAD, ITALIC, LABEL
from skirmish.sheets.maps import grounds, lines
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.things import building, mark, span
from skirmish.sheets.paper import FRAME, HAIR, NORMAL, THIN, SideInk
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Area,
    Battlefield,
    Building,
    Dimension,
    Line,
    Mark,
    Slope,
)
from skirmish.tabletop.plane import Box, Point

RIM = 9.0
"""Points that the frame takes on each side."""
FOOT = 12.0
"""Inches between the lines of the grid."""
KEY_LINES = (9.0, 11.6)
"""Points from line to line of the key: the closest, and the usual."""
_SWATCH = (24.0, 8.4)
_SMALL = {"aircraft": 0.5, "glider": 0.45}
_USUAL = 0.68
"""Of its size on the map: a piece in the key; one that is broad smaller still."""
_NAMES = {
    "mg": "Machinegun",
    "small_pillbox": "Small pillbox",
    "large_pillbox": "Large pillbox",
    "landing_craft": "Landing craft",
    "entry": "Entry point",
    "works": "Factory shop",
    "wire": "Barbed wire",
    "ditch": "Anti-tank ditch",
    "mines": "Old minefield",
    "slope": "Slope",
    "town": "Built-up ground",
    "rough": "Rough ground",
    "rail": "Railway",
    "house": "Building",
    "depression": "Hollow",
    "river": "River or canal",
}
Sample: TypeAlias = Area | Slope | Line | Building | Mark | Dimension
_BEARING = {"N": 0, "E": 90, "S": 180, "W": 270}


def grid(pen: Pen, size: tuple[float, float]) -> None:
    canvas = pen.canvas
    canvas.saveState()
    canvas.pen(pen.inks.grid, HAIR)
    canvas.setDash([0.25, 2.4])
    canvas.setLineCap(1)
    for number in range(1, math.ceil(size[0] / FOOT)):
        canvas.line(*pen.at((number * FOOT, 0)), *pen.at((number * FOOT, size[1])))
    for number in range(1, math.ceil(size[1] / FOOT)):
        canvas.line(*pen.at((0, number * FOOT)), *pen.at((size[0], number * FOOT)))
    canvas.restoreState()


def frame(pen: Pen, size: tuple[float, float]) -> None:
    canvas, inks = pen.canvas, pen.inks
    wide, tall = size[0] * pen.scale, size[1] * pen.scale
    step = FOOT * pen.scale
    for number in range(math.ceil(size[0] / FOOT)):
        left = pen.x + number * step
        across = min(step, pen.x + wide - left)
        for low in (pen.y - RIM, pen.y + tall):
            _cell(pen, Box(left, low, left + across, low + RIM), number, chr(65 + number))
    for number in range(math.ceil(size[1] / FOOT)):
        low = pen.y + number * step
        upward = min(step, pen.y + tall - low)
        for left in (pen.x - RIM, pen.x + wide):
            _cell(pen, Box(left, low, left + RIM, low + upward), number, str(number + 1))
    canvas.setStrokeColor(inks.ink)
    canvas.setLineJoin(0)
    canvas.setLineWidth(NORMAL)
    canvas.rect(pen.x, pen.y, wide, tall, fill=0)
    canvas.setLineWidth(FRAME)
    canvas.rect(pen.x - RIM, pen.y - RIM, wide + 2 * RIM, tall + 2 * RIM, fill=0)


def _cell(pen: Pen, box: Box, number: int, text: str) -> None:
    canvas = pen.canvas
    canvas.pen(pen.inks.ink, THIN, pen.inks.rim if number % 2 else pen.inks.paper)
    canvas.rect(box.left, box.bottom, box.right - box.left, box.top - box.bottom, fill=1)
    middle = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    pen.write(text, middle, LABEL, 7, pen.inks.ink, halo=False)


def compass(pen: Pen, up: str) -> None:
    """A needle that points north, where the pen's table begins; 21 points in radius."""
    canvas, inks = pen.canvas, pen.inks
    north = _BEARING[up]
    canvas.saveState()
    canvas.translate(pen.x, pen.y)
    canvas.pen(inks.ink, THIN)
    canvas.circle(0, 0, 15, fill=0)
    canvas.rotate(north)
    for number in range(12):
        reach = 12.0 if number % 3 else 10.6
        angle = math.radians(number * 30)
        x, y = math.cos(angle), math.sin(angle)
        canvas.line(x * reach, y * reach, x * 15, y * 15)
    pen.polygon([(0, 14), (3, 0), (0, -3)], inks.ink, inks.ink, THIN)
    pen.polygon([(0, 14), (-3, 0), (0, -3)], inks.paper, inks.ink, THIN)
    canvas.restoreState()
    angle = math.radians(90 + north)
    pen.write("N", (pen.x + math.cos(angle) * 20, pen.y + math.sin(angle) * 20), HEAD, 9, inks.ink)


def scale_bar(pen: Pen, x: float, top: float) -> float:
    canvas, inks = pen.canvas, pen.inks
    for part in range(4):
        canvas.pen(inks.ink, THIN, inks.paper if part % 2 else inks.ink)
        canvas.rect(x + part * 3 * pen.scale, top - 5, 3 * pen.scale, 4, fill=1)
    for inches in (0, 6, 12):
        at = x + inches * pen.scale
        pen.write(f"{inches}″", (at + 2, top - 10), LABEL, 7, inks.ink, halo=False)
    says = f"12″ = 30 cm · 1:{72 / pen.scale:.4g}"
    pen.write(says, (x + 6 * pen.scale + 2, top - 19), ITALIC, 7, inks.ink, halo=False)
    return 24.0


def key(field: Battlefield) -> Iterator[tuple[str, Sample]]:
    """What is drawn, each kind once: its name and a sample of it."""
    wide, tall = 5.2, 1.8
    plot = ((0.0, 0.0), (wide, 0.0), (wide, tall), (0.0, tall))
    stretch = ((0.3, tall / 2), (wide - 0.3, tall / 2))
    shore = ((0.0, 0.0), (wide, 0.0), (wide, tall * 0.8), (0.0, tall * 0.8))
    beyond = ((-1.8, -1.4), (wide + 2, -1.4), (wide + 2, tall + 2), (-1.8, tall + 2))
    rim = ((-3.0, -4.0), (wide + 3, -4.0), (wide + 3, tall - 0.25), (-3.0, tall - 0.25))
    hole = tuple(plane.ring((wide / 2, tall / 2), 0.78))
    grove = ((0.9, -0.6), (wide + 2, -0.6), (wide + 2, 1.0), (0.9, 1.0))
    plots = {"sea": shore, "orchard": beyond, "depression": rim, "crater": hole, "woods": grove}
    for kind in dict.fromkeys(part.kind for part in field.areas):
        yield _name(kind), Area(kind=kind, points=plots.get(kind, plot))
    if field.slopes:
        yield _name("slope"), Slope(crest=((0, tall), (wide, tall)), foot=((0, 0), (wide, 0)))
    for line in dict.fromkeys(part.kind for part in field.lines):
        width = min(1.5, Line(kind=line, points=stretch).broad) or None
        yield _name(line), Line(kind=line, points=stretch, width=width)
    for house in dict.fromkeys(part.kind for part in field.buildings):
        yield _name(house), Building(at=(wide / 2, tall / 2), size=(3.4, 1.7), kind=house)
    for piece in dict.fromkeys((part.kind, part.side) for part in field.marks):
        yield _name(piece[0]), Mark(kind=piece[0], at=(wide / 2, tall / 2), side=piece[1], facing=0)
    yield from _distances(field)


class Lie(NamedTuple):
    """How the key lies: kinds in a column, points from line to line, and from column to column."""

    long: int
    line: float
    across: float


def _distances(field: Battlefield) -> Iterator[tuple[str, Dimension]]:
    """Whose distances the map shows, where they are not all the text's own."""
    if any(part.ours for part in field.dimensions):
        for ours in (False, True):
            name = "Our distance" if ours else "The text's"
            yield name, Dimension(start=(0.2, 0.9), end=(5, 0.9), ours=ours)


def draw_key(
    pen: Pen,
    field: Battlefield,
    sides: dict[str, SideInk],
    at: Point,
    lie: Lie,
) -> float:
    """The key down from ``at``; gives the height taken."""
    (left, top), (long, line, across) = at, lie
    scale = _SWATCH[0] / 5.2
    for index, (name, sample) in enumerate(key(field)):
        x = left + index // long * across
        low = top - (index % long + 1) * line
        swatch = Pen(pen.canvas, x, low + 1, scale, pen.inks)
        plot = ((0.0, 0.0), (5.2, 0.0), (5.2, 1.8), (0.0, 1.8))
        pen.canvas.saveState()
        if not isinstance(sample, Mark):
            clip = swatch.outline(plot, closed=True)
            pen.canvas.clipPath(clip, stroke=0, fill=0)
            swatch.fill(plot, getattr(pen.inks, field.ground))
        match sample:
            case Area():
                grounds.area(swatch, sample, Box(0, 0, 5.2, 1.8))
            case Slope():
                grounds.slope(swatch, sample)
            case Line():
                lines.edge(swatch, sample)
                lines.core(swatch, sample)
            case Building():
                building(swatch, sample)
            case Dimension():
                span(swatch, sample)
            case Mark():
                pen.canvas.translate(x + _SWATCH[0] / 2, low + 1 + _SWATCH[1] / 2)
                size = _SMALL.get(sample.kind, _USUAL)
                pen.canvas.scale(size, size)
                small = Pen(pen.canvas, -2.6 * scale, -0.9 * scale, scale, pen.inks)
                mark(small, sample, sides.get(sample.side or ""))
        pen.canvas.restoreState()
        if not isinstance(sample, Mark):
            swatch.stroke(plot, pen.inks.grid, HAIR, closed=True)
        words = pen.canvas.beginText(x + _SWATCH[0] + 5, low + 2.6)
        words.setFont(BODY, 8.2)
        words.setFillColor(pen.inks.ink)
        words.textOut(name)
        pen.canvas.drawText(words)
    return long * line


def _name(kind: str) -> str:
    return _NAMES.get(kind, kind.replace("_", " ").capitalize())
