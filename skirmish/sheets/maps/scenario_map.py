"""The map of a scenario: the table to scale in a frame lettered by the foot, its compass, scale bar
and key beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import BODY, HEAD, ITALIC, LABEL
from skirmish.sheets.maps import terrain, things
from skirmish.sheets.maps.palette import COLOUR, SAVER
from skirmish.sheets.maps.pen import Pen, Written
from skirmish.sheets.paper import FRAME, HAIR, NORMAL, THIN
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Area, Battlefield, Building, Dimension, Line, Mark, Slope
from skirmish.tabletop.plane import Box

RIM = 9.0
"""Points that the frame takes on each side."""
FOOT = 12.0
"""Inches between the lines of the grid."""
ASIDE = 88.0
"""Points beside the map for its key."""
_COLUMN = 81.0
"""Points for each of its columns where it has two."""
_GAP = 9.0
_HEAD = 62.0
"""From the top of the key's column to its first line: compass and head."""
_SCALE = 26.0
_CLOSEST, _USUAL = 9.0, 11.6
"""Points from line to line of the key."""
_STEPS = 2
"""Steps of a ratio from 1:16 to 1:17."""
_TALLEST = 330.0
_LETTERING = {
    "water": (ITALIC, 10.0, 2.6),
    "town": (HEAD, 9.5, 0.5),
    "feature": (LABEL, 8.0, 0.7),
    "minor": (ITALIC, 7.2, 0.0),
}
"""Face, size and space between letters of a style."""
_SWATCH = (24.0, 8.4)
_PLOT = ((0.0, 0.0), (5.2, 0.0), (5.2, 1.8), (0.0, 1.8))
"""What a swatch of the key shows, in inches."""
_REDUCED = {"aircraft": 0.5, "glider": 0.45}
_REDUCED_USUALLY = 0.68
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


class MapPiece(Drawing):
    """A scenario's map as wide as the column allows. ``written`` tells, once it is drawn, what has
    been lettered and where."""

    def __init__(self, scenario: Scenario, *, tallest: float = _TALLEST) -> None:
        if scenario.map is None:
            raise ValueError(f"Scenario {scenario.number} has no map.")
        self.scenario, self.field = scenario, scenario.map
        self.size = (float(scenario.table.width_in), float(scenario.table.depth_in))
        self.tallest = tallest
        self.written: list[Written] = []
        self._lines = max(1, len(list(_key(scenario.map))))

    def scale(self, width: float) -> float:
        """Points to an inch of the table: the largest that fits of those whose ratio is a whole or
        a half, so that the ratio below the scale bar holds exactly."""
        room = width - ASIDE - 2 * RIM - _GAP
        fits = min(room / self.size[0], (self.tallest - 2 * RIM) / self.size[1])
        return 72 / (math.ceil(_STEPS * 72 / fits - 1e-9) / _STEPS)

    def height_at(self, width: float) -> float:
        drawn = self.size[1] * self.scale(width) + 2 * RIM
        lines = -(-self._lines // self._columns(width))
        return max(drawn, _HEAD + lines * _CLOSEST + _SCALE)

    def _columns(self, width: float) -> int:
        """Of the key: two where one would be longer than the frame and the map leaves room."""
        scale = self.scale(width)
        drawn = self.size[1] * scale + 2 * RIM
        beside = width - self.size[0] * scale - 2 * RIM - _GAP
        long = _HEAD + self._lines * _CLOSEST + _SCALE > drawn
        return 2 if long and beside >= 2 * _COLUMN else 1

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        scale = self.scale(width)
        wide, tall = self.size[0] * scale, self.size[1] * scale
        columns = self._columns(width)
        aside = ASIDE if columns == 1 else columns * _COLUMN
        spare = max(0.0, width - aside - _GAP - wide - 2 * RIM)
        canvas.saveState()
        inks = SAVER if canvas.sparing else COLOUR
        pen = Pen(canvas, x + RIM, top - RIM - tall, scale, inks)
        sides = dict(zip(self.scenario.order_of_play(), inks.sides, strict=True))
        paint(pen, self.field, self.size, sides)
        column = x + width - aside - spare / 2
        _compass(Pen(canvas, column + 32, top - 26, 1, inks), self.scenario.table.up)
        pen.write("KEY", (column + 8, top - 56), HEAD, 9, inks.ink, halo=False)
        long = -(-self._lines // columns)
        line = min(max((tall + 2 * RIM - _HEAD - _SCALE) / long, _CLOSEST), _USUAL)
        for at, (name, sample) in enumerate(_key(self.field)):
            down, left = top - _HEAD - (at % long + 1) * line, column + at // long * _COLUMN
            _swatch(pen, self.field.ground, sample, sides, (left, down))
            words = canvas.beginText(left + _SWATCH[0] + 5, down + 2.6)
            words.setFont(BODY, 8.2)
            words.setFillColor(inks.ink)
            words.textOut(name)
            canvas.drawText(words)
        _scale_bar(pen, column, top - _HEAD - long * line - 4)
        canvas.restoreState()
        self.written = pen.written


def paint(
    pen: Pen, field: Battlefield, size: tuple[float, float], sides: Mapping[str, SideInk]
) -> None:
    """A battlefield on a table of ``size`` inches; ``sides`` are the inks by side id."""
    across, upward = size
    table = Box(0, 0, across, upward)
    areas = sorted(field.areas, key=lambda part: terrain.AREAS.index(part.kind))
    with pen.within([(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]):
        terrain.ground(pen, field, size)
        for part in areas:
            if part.kind != "woods":
                terrain.area(pen, part, table)
        for slope in field.slopes:
            terrain.slope(pen, slope)
        _grid(pen, size)
        for kind in terrain.WAYS:
            ways = [line for line in field.lines if line.kind == kind]
            for line in ways:
                terrain.edge(pen, line)
            for line in ways:
                terrain.core(pen, line)
        for part in areas:
            if part.kind == "woods":
                terrain.area(pen, part, table)
        others = [line for line in field.lines if line.kind in terrain.OTHERS]
        for line in sorted(others, key=lambda line: terrain.OTHERS.index(line.kind)):
            terrain.core(pen, line)
        for house in field.buildings:
            things.building(pen, house)
        for zone in field.zones:
            things.zone(pen, zone, sides[zone.side])
        for circle in field.circles:
            things.circle(pen, circle, sides.get(circle.side or ""))
        for arrow in field.arrows:
            things.arrow(pen, arrow, sides[arrow.side])
    for measured in field.dimensions:
        things.dimension(pen, measured)
    for piece in field.marks:
        things.mark(pen, piece, sides.get(piece.side or ""))
    for zone in field.zones:
        if zone.tag:
            things.tag(pen, zone.letter, zone.tag, sides[zone.side])
    for label in field.labels:
        face, points, track = _LETTERING[label.style]
        ink = pen.inks.water_edge if label.style == "water" else pen.inks.ink
        pen.write(label.text, pen.at(label.at), face, points, ink, turn=label.turn, track=track)
    _frame(pen, size)


def _grid(pen: Pen, size: tuple[float, float]) -> None:
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


def _frame(pen: Pen, size: tuple[float, float]) -> None:
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
    canvas.pen(inks.ink, NORMAL)
    canvas.setLineJoin(0)
    canvas.rect(pen.x, pen.y, wide, tall, fill=0)
    canvas.setLineWidth(FRAME)
    canvas.rect(pen.x - RIM, pen.y - RIM, wide + 2 * RIM, tall + 2 * RIM, fill=0)


def _cell(pen: Pen, box: Box, number: int, text: str) -> None:
    canvas = pen.canvas
    canvas.pen(pen.inks.ink, THIN, pen.inks.rim if number % 2 else pen.inks.paper)
    canvas.rect(box.left, box.bottom, box.right - box.left, box.top - box.bottom, fill=1)
    middle = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    pen.write(text, middle, LABEL, 7, pen.inks.ink, halo=False)


def _compass(pen: Pen, up: str) -> None:
    """A needle that points north, where the pen's table begins; 21 points in radius."""
    canvas, inks = pen.canvas, pen.inks
    north = _BEARING[up]
    with pen.standing((0, 0)):
        canvas.pen(inks.ink, THIN)
        canvas.circle(0, 0, 15, fill=0)
        canvas.rotate(north)
        for number in range(12):
            reach = 12.0 if number % 3 else 10.6
            x, y = math.cos(math.radians(number * 30)), math.sin(math.radians(number * 30))
            canvas.line(x * reach, y * reach, x * 15, y * 15)
        pen.polygon([(0, 14), (3, 0), (0, -3)], inks.ink, inks.ink, THIN)
        pen.polygon([(0, 14), (-3, 0), (0, -3)], inks.paper, inks.ink, THIN)
    angle = math.radians(90 + north)
    pen.write("N", (pen.x + math.cos(angle) * 20, pen.y + math.sin(angle) * 20), HEAD, 9, inks.ink)


def _scale_bar(pen: Pen, x: float, top: float) -> None:
    canvas, inks = pen.canvas, pen.inks
    for part in range(4):
        canvas.pen(inks.ink, THIN, inks.paper if part % 2 else inks.ink)
        canvas.rect(x + part * 3 * pen.scale, top - 5, 3 * pen.scale, 4, fill=1)
    for inches in (0, 6, 12):
        at = x + inches * pen.scale
        pen.write(f"{inches}″", (at + 2, top - 10), LABEL, 7, inks.ink, halo=False)
    text = f"12″ = 30 cm · 1:{72 / pen.scale:.4g}"
    pen.write(text, (x + 6 * pen.scale + 2, top - 19), ITALIC, 7, inks.ink, halo=False)


def _key(field: Battlefield) -> Iterator[tuple[str, Sample]]:
    """What is drawn, each kind once: its name and a sample of it."""
    (_, _, (wide, tall), _), middle = _PLOT, (2.6, 0.9)
    stretch = ((0.3, tall / 2), (wide - 0.3, tall / 2))
    plots = {
        "sea": ((0.0, 0.0), (wide, 0.0), (wide, tall * 0.8), (0.0, tall * 0.8)),
        "orchard": ((-1.8, -1.4), (wide + 2, -1.4), (wide + 2, tall + 2), (-1.8, tall + 2)),
        "depression": (
            (-3.0, -4.0),
            (wide + 3, -4.0),
            (wide + 3, tall - 0.25),
            (-3.0, tall - 0.25),
        ),
        "crater": tuple(plane.ring(middle, 0.78)),
        "woods": ((0.9, -0.6), (wide + 2, -0.6), (wide + 2, 1.0), (0.9, 1.0)),
    }
    for kind in dict.fromkeys(part.kind for part in field.areas):
        yield _name(kind), Area(kind=kind, points=plots.get(kind, _PLOT))
    if field.slopes:
        yield _name("slope"), Slope(crest=((0, tall), (wide, tall)), foot=((0, 0), (wide, 0)))
    for line in dict.fromkeys(part.kind for part in field.lines):
        width = min(1.5, Line(kind=line, points=stretch).broad) or None
        yield _name(line), Line(kind=line, points=stretch, width=width)
    for house in dict.fromkeys(part.kind for part in field.buildings):
        yield _name(house), Building(at=middle, size=(3.4, 1.7), kind=house)
    for piece, side in dict.fromkeys((part.kind, part.side) for part in field.marks):
        yield _name(piece), Mark(kind=piece, at=middle, side=side, facing=0)
    if any(part.ours for part in field.dimensions):
        for ours, name in ((False, "The text's"), (True, "Our distance")):
            yield name, Dimension(start=(0.2, 0.9), end=(5, 0.9), ours=ours)


def _swatch(
    pen: Pen, ground: str, sample: Sample, sides: Mapping[str, SideInk], at: tuple[float, float]
) -> None:
    (x, low), scale, canvas = at, _SWATCH[0] / 5.2, pen.canvas
    if isinstance(sample, Mark):
        canvas.saveState()
        canvas.translate(x + _SWATCH[0] / 2, low + 1 + _SWATCH[1] / 2)
        size = _REDUCED.get(sample.kind, _REDUCED_USUALLY)
        canvas.scale(size, size)
        small = Pen(canvas, -2.6 * scale, -0.9 * scale, scale, pen.inks)
        things.mark(small, sample, sides.get(sample.side or ""))
        canvas.restoreState()
        return
    swatch = Pen(canvas, x, low + 1, scale, pen.inks)
    with swatch.within(_PLOT):
        swatch.fill(_PLOT, getattr(pen.inks, ground))
        match sample:
            case Area():
                terrain.area(swatch, sample, Box(0, 0, 5.2, 1.8))
            case Slope():
                terrain.slope(swatch, sample)
            case Line():
                terrain.edge(swatch, sample)
                terrain.core(swatch, sample)
            case Building():
                things.building(swatch, sample)
            case Dimension():
                things.span(swatch, sample)
    swatch.stroke(_PLOT, pen.inks.grid, HAIR, closed=True)


def _name(kind: str) -> str:
    return _NAMES.get(kind, kind.replace("_", " ").capitalize())
