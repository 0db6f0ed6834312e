"""The map of a scenario: the table to scale in a frame lettered by the foot, its key, scale bar and
compass below it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from skirmish.games.plastic.scenarios.laying import FOOT, called
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, ITALIC, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import line_width, write
from skirmish.sheets.maps import terrain, things
from skirmish.sheets.maps.palette import COLOUR, SAVER
from skirmish.sheets.maps.pen import Pen, Written
from skirmish.sheets.paper import FRAME, HAIR, HEAVY, NORMAL, THIN
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Circle,
    Dimension,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)
from skirmish.tabletop.plane import Point, Rectangle

RIM = 9.0
"""The width of the frame in points."""
_ABOVE_KEY, _LINE, _LEAST = 3.0, 10.6, 37.0
"""Points above the key, from line to line of it, and of all of it at least."""
_WORDS = Style(MEDIUM, 7.6, 7.6)
_SMALLEST = 19.0
"""The smallest scale of a map, 1 to this."""
_LETTERING = {
    "water": (ITALIC, 10.0, 2.6),
    "town": (HEAD, 9.5, 0.5),
    "feature": (LABEL, 8.0, 0.7),
    "minor": (ITALIC, 7.2, 0.0),
}
"""Face, size and space between letters of a style."""
_SWATCH = (15.6, 8.6)
_PLOT = ((0.0, 0.0), (5.2, 0.0), (5.2, 1.8), (0.0, 1.8))
"""The area of a swatch of the key, in inches."""
_TICK = 0.016
"""The length of the ticks of the frame, as a share of the table's breadth."""
_REDUCED = {"aircraft": 0.5, "glider": 0.45}
_REDUCED_USUALLY = 0.68
"""The relative size of a piece in the key; broad ones are smaller still."""
_BEARING = {"N": 0, "E": 90, "S": 180, "W": 270}


class MapPiece(Drawing):
    """A scenario's map as wide as the column, its key below it in the columns of the grid, together
    at most ``tallest`` points high. Drawing fills ``written`` with each label and its place.
    ``form`` is its name in the file if it is drawn more than once; ``plain``: lines only, to draw
    on."""

    form = ""
    plain = False

    def __init__(self, scenario: Scenario, *, tallest: float = math.inf) -> None:
        if scenario.map is None:
            raise ValueError(f"Scenario {scenario.number} has no map.")
        self.field = scenario.map
        self.up: str = scenario.table.up
        self.size = (float(scenario.table.width_in), float(scenario.table.depth_in))
        self.tallest = tallest
        order = scenario.order_of_play()
        self.sides = dict(zip(order, looks(order[0], order[1]), strict=True))
        self.key = list(_key(self.field, self.sides, self.size))
        self.written: list[Written] = []

    def scale(self, width: float) -> float:
        """Points to an inch of the table: the largest that fits of those whose ratio has one place
        after the point, so that the ratio below the scale bar holds exactly."""
        tenths = math.ceil(720 * self.size[0] / (width - 2 * RIM) - 1e-9)
        while tenths <= 10 * _SMALLEST and self._drawn(720 / tenths) > self.tallest:
            tenths += 1
        return 720 / tenths

    def _drawn(self, scale: float) -> float:
        rows = max((row for row, _, _, _ in self._placed(scale)), default=0) + 1
        return self.size[1] * scale + 2 * RIM + _ABOVE_KEY + max(rows * _LINE, _LEAST)

    def height_at(self, width: float) -> float:
        return self._drawn(self.scale(width))

    def _placed(self, scale: float) -> Iterator[tuple[int, int, str, MapPart]]:
        """The row and column of each line of the key; scale and compass take the last two
        columns."""
        columns = max(1, int(self.size[0] / FOOT) - 2)
        row = column = 0
        for name, sample in self.key:
            wide = _SWATCH[0] + 6 + line_width(name, _WORDS)
            taken = min(columns, math.ceil(wide / (FOOT * scale)))
            if column + taken > columns:
                row, column = row + 1, 0
            yield row, column, name, sample
            column += taken

    def stamp(self, canvas: Canvas, x: float, y: float, scale: float, reduced: float = 1) -> None:
        """Draws the map in its frame from its lower left corner; the file contains the drawing
        once, however often it is shown."""
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(reduced, reduced)
        if not canvas.hasForm(self.form):
            size = self.size[0] * scale + 2 * RIM, self.size[1] * scale + 2 * RIM
            canvas.beginForm(self.form, 0, 0, *size)
            inks = SAVER if canvas.sparing else COLOUR
            paint(Pen(canvas, RIM, RIM, scale, inks), self.field, self.size, self.sides)
            canvas.endForm()
        canvas.doForm(self.form)
        canvas.restoreState()

    def pen(self, canvas: Canvas, x: float, top: float, width: float) -> Pen:
        scale, inks = self.scale(width), SAVER if canvas.sparing or self.plain else COLOUR
        left = x + (width - self.size[0] * scale) / 2
        return Pen(canvas, left, top - RIM - self.size[1] * scale, scale, inks)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        pen = self.pen(canvas, x, top, width)
        left, scale, inks, tall = pen.x, pen.scale, pen.inks, self.size[1] * pen.scale
        canvas.saveState()
        if self.form:
            self.stamp(canvas, left - RIM, top - tall - 2 * RIM, scale)
        else:
            paint(pen, self.field, self.size, self.sides)
        below, foot = top - tall - 2 * RIM - _ABOVE_KEY, FOOT * scale
        for row, column, name, sample in self._placed(scale):
            at = left + column * foot, below - (row + 1) * _LINE + 1
            _swatch(pen, self.field.ground, sample, self.sides, at)
            write(canvas, at[0] + _SWATCH[0] + 3, at[1] + 2.9, name, _WORDS)
        last = math.floor(self.size[0] / FOOT)
        _scale_bar(pen, left + (last - 2) * foot, below - 6)
        if self.up:
            _compass(Pen(canvas, left + (last - 0.5) * foot, below - 20, 1, inks), self.up)
        canvas.restoreState()
        self.written = pen.written


class EmptyTable(MapPiece):
    """The empty table of the basic game, with its squares."""

    plain = True

    def __init__(self) -> None:
        self.field, self.size, self.up = Battlefield(), (96.0, 60.0), ""
        self.sides, self.key, self.written, self.tallest = {}, [], [], math.inf


class Thumbnail(Drawing):
    """A map again, as wide as its column; ``width`` is that of the original."""

    def __init__(self, piece: MapPiece, width: float) -> None:
        self.piece, self.scale = piece, piece.scale(width)
        self.tall, self.wide = (side * self.scale + 2 * RIM for side in reversed(piece.size))

    def height_at(self, width: float) -> float:
        return self.tall * width / self.wide

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.height_at(width)
        self.piece.stamp(canvas, x, low, self.scale, width / self.wide)


class Swatch(Drawing):
    """A thing of a map's key, without its name."""

    WIDE, TALL = _SWATCH[0], _LINE

    def __init__(self, piece: MapPiece, sample: MapPart) -> None:
        self.piece, self.sample = piece, sample

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        at = x, top - _LINE + 1
        pen = Pen(canvas, *at, 1, SAVER if canvas.sparing else COLOUR)
        _swatch(pen, self.piece.field.ground, self.sample, self.piece.sides, at)


def paint(
    pen: Pen, field: Battlefield, size: tuple[float, float], sides: Mapping[str, SideInk]
) -> None:
    """Draws a battlefield on a table of ``size`` inches; ``sides`` are the inks by side id."""
    across, upward = size
    table = Rectangle(0, 0, across, upward)
    areas = sorted(field.areas, key=lambda part: terrain.AREAS.index(part.kind))
    woods = [part for part in areas if part.kind == "woods"]
    others = [line for kind in terrain.OTHERS for line in field.lines if line.kind == kind]
    with pen.within([(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]):
        terrain.ground(pen, field, size)
        for part in (*(part for part in areas if part not in woods), *field.slopes):
            _part(pen, part, sides, table)
        for kind in terrain.WAYS:
            ways = [line for line in field.lines if line.kind == kind]
            for line in ways:
                terrain.edge(pen, line)
            for line in ways:
                terrain.core(pen, line)
        for part in (*woods, *others):
            _part(pen, part, sides, table)
        pen.ticks(_across(pen, size, FOOT, (0.0, 1.0)), pen.inks.grid, THIN)
        for part in (*field.buildings, *field.zones, *field.circles):
            _part(pen, part, sides, table)
        for limit in (measured for measured in field.dimensions if measured.line):
            things.limit(pen, limit, size)
        for arrow in field.arrows:
            _part(pen, arrow, sides, table)
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


def _part(pen: Pen, part: MapPart, sides: Mapping[str, SideInk], table: Rectangle) -> None:
    match part:
        case Area():
            terrain.area(pen, part, table)
        case Slope():
            terrain.slope(pen, part)
        case Line():
            terrain.edge(pen, part)
            terrain.core(pen, part)
        case Building():
            things.building(pen, part)
        case Zone():
            things.zone(pen, part, sides[part.side])
        case Circle():
            things.circle(pen, part, sides.get(part.side or ""))
        case Arrow():
            things.arrow(pen, part, sides[part.side])
        case Dimension():
            things.span(pen, part)


def _across(
    pen: Pen, size: tuple[float, float], step: float, *stretches: tuple[float, float]
) -> Iterator[tuple[Point, Point]]:
    """Lines at every step along both ways of the table, each over ``stretches`` of its breadth, in
    shares of it."""
    for axis, (along, broad) in enumerate((size, size[::-1])):
        for number in range(1, math.ceil(along / step)):
            for stretch in stretches:
                one, other = ((number * step, share * broad) for share in stretch)
                if axis:
                    one, other = one[::-1], other[::-1]
                yield pen.at(one), pen.at(other)


def _frame(pen: Pen, size: tuple[float, float]) -> None:
    """The squares' letters and numbers along the edges, and a tick every 6 inches inside them."""
    canvas, inks, rim = pen.canvas, pen.inks, RIM / pen.scale
    for axis, (along, broad) in enumerate((size, size[::-1])):
        for number in range(math.ceil(along / FOOT)):
            begin, end = number * FOOT, min((number + 1) * FOOT, along)
            text = str(number + 1) if axis else chr(65 + number)
            canvas.pen(inks.ink, THIN, inks.rim if number % 2 else inks.paper)
            for edge in (-rim, broad):
                low, high = (begin, edge), (end, edge + rim)
                (left, bottom), (right, top) = (
                    pen.at(one[::-1] if axis else one) for one in (low, high)
                )
                canvas.rect(left, bottom, right - left, top - bottom, fill=1)
                middle = (left + right) / 2, (bottom + top) / 2
                pen.write(text, middle, LABEL, 7, inks.ink, halo=False)
    wide, tall = size[0] * pen.scale, size[1] * pen.scale
    canvas.pen(inks.ink, NORMAL)
    canvas.setLineJoin(0)
    canvas.rect(pen.x, pen.y, wide, tall, fill=0)
    pen.ticks(_across(pen, size, FOOT / 2, (0, _TICK), (1 - _TICK, 1)), inks.ink, HEAVY)
    canvas.setLineWidth(FRAME)
    canvas.rect(pen.x - RIM, pen.y - RIM, wide + 2 * RIM, tall + 2 * RIM, fill=0)


def _compass(pen: Pen, up: str) -> None:
    """A needle that points north, where the pen's table begins; 19 points in radius."""
    canvas, inks = pen.canvas, pen.inks
    north = _BEARING[up]
    with pen.standing((0, 0)):
        canvas.pen(inks.ink, THIN)
        canvas.circle(0, 0, 12, fill=0)
        canvas.rotate(north)
        for number in range(12):
            reach = 9.6 if number % 3 else 8.4
            x, y = math.cos(math.radians(number * 30)), math.sin(math.radians(number * 30))
            canvas.line(x * reach, y * reach, x * 12, y * 12)
        pen.polygon([(0, 11), (2.6, 0), (0, -3)], inks.ink, inks.ink, THIN)
        pen.polygon([(0, 11), (-2.6, 0), (0, -3)], inks.paper, inks.ink, THIN)
    angle = math.radians(90 + north)
    pen.write("N", (pen.x + math.cos(angle) * 16, pen.y + math.sin(angle) * 16), HEAD, 8, inks.ink)


def _scale_bar(pen: Pen, x: float, top: float) -> None:
    """A foot of the table, as wide as the square above it."""
    canvas, inks, foot = pen.canvas, pen.inks, FOOT * pen.scale
    for part in range(4):
        canvas.pen(inks.ink, THIN, inks.paper if part % 2 else inks.ink)
        canvas.rect(x + part * foot / 4, top - 4, foot / 4, 4, fill=1)
    for at, text in ((0.5, "a square: 12″, 30 cm"), (0.5, f"1:{72 / pen.scale:.4g}")):
        top -= 9.4
        pen.write(text, (x + at * foot, top), MEDIUM, 7.6, inks.ink, halo=False)


def leaves(arrow: Arrow, size: tuple[float, float]) -> bool:
    def inside(at: Point) -> float:
        return min(*at, size[0] - at[0], size[1] - at[1])

    return inside(arrow.points[-1]) < inside(arrow.points[0])


def _key(
    field: Battlefield, sides: Iterable[str], size: tuple[float, float]
) -> Iterator[tuple[str, MapPart]]:
    """The things drawn, one sample of each kind with its name."""
    (_, _, (wide, tall), _), middle = _PLOT, (2.6, 0.9)
    stretch = ((0.3, tall / 2), (wide - 0.3, tall / 2))
    plots = {
        "sea": tuple(plane.oblong((2.6, tall * 0.4), wide, tall * 0.8)),
        "orchard": ((-1.8, -1.4), (wide + 2, -1.4), (wide + 2, tall + 2), (-1.8, tall + 2)),
        "depression": tuple(plane.oblong((2.6, -1.3), 11, tall + 3.7)),
        "crater": tuple(plane.ring(middle, 0.78)),
        "woods": ((0.9, -0.6), (wide + 2, -0.6), (wide + 2, 1.0), (0.9, 1.0)),
    }
    for kind in dict.fromkeys(part.kind for part in field.areas):
        yield called(kind), Area(kind=kind, points=plots.get(kind, _PLOT))
    if field.slopes:
        yield called("slope"), Slope(crest=((0, tall), (wide, tall)), foot=((0, 0), (wide, 0)))
    for line in dict.fromkeys(part.kind for part in field.lines):
        width = min(1.5, Line(kind=line, points=stretch).broad) or None
        yield called(line), Line(kind=line, points=stretch, width=width)
    for house in dict.fromkeys(part.kind for part in field.buildings):
        yield called(house), Building(at=middle, size=(3.4, 1.7), kind=house)
    for piece, side in dict.fromkeys((part.kind, part.side) for part in field.marks):
        yield called(piece), MapMark(kind=piece, at=middle, side=side, facing=0)
    for side in sides:
        if any(zone.side == side for zone in field.zones):
            yield f"{called(side)} zone", Zone(letter="Z", side=side, points=_PLOT)
        own = [arrow for arrow in field.arrows if arrow.side == side]
        ways = ["exit" if leaves(arrow, size) else "entry" for arrow in own]
        for way in dict.fromkeys(ways):
            yield f"{called(side)} {way}", Arrow(side=side, points=((0.2, 0.9), (5, 0.9)))
    for ours, name in ((False, "Distance"), (True, "Our distance")):
        if any(part.ours is ours for part in field.dimensions):
            yield name, Dimension(start=(0.2, 0.9), end=(5, 0.9), ours=ours)


def _swatch(
    pen: Pen, ground: str, sample: MapPart, sides: Mapping[str, SideInk], at: tuple[float, float]
) -> None:
    (x, low), scale, canvas = at, _SWATCH[0] / 5.2, pen.canvas
    if isinstance(sample, MapMark):
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
        _part(swatch, sample, sides, plane.box(_PLOT))
    swatch.stroke(_PLOT, pen.inks.grid, HAIR, closed=True)
