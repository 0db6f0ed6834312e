"""The map of a scenario: the table to scale in a frame that names its edges and is lettered by the
foot. Below it there may be its key with scale bar and compass; a sheet has a list of all features
instead, with their numbers.

What is drawn without words (the ground, buildings, zones, arrows) may be one drawing of the file
that is shown several times: large on its page, small in a list, as a cover. Numbers without a name
are points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.scenarios.laying import FOOT, Feature, called, numbered
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import BAND, SideInk, looks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, ITALIC, LABEL, MEDIUM, Face
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import line_width, write
from skirmish.sheets.maps import terrain, things
from skirmish.sheets.maps.numbers import draw_numbers, place_numbers
from skirmish.sheets.maps.outlines import outlines
from skirmish.sheets.maps.palette import COLOUR, SAVER, MapPalette
from skirmish.sheets.maps.pen import PaperPoint, Pen, TablePoint, Written
from skirmish.sheets.paper import HAIR, HEAVY, NORMAL, THIN
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
from skirmish.tabletop.plane import Rectangle

TableSize: TypeAlias = tuple[float, float]
"""Inches across and upward."""
_USUAL_TABLE: TableSize = (96.0, 60.0)
"""The table of the basic game, "a 5ft x 8ft table" [80]."""
_LETTERS, _EDGES = 8.4, 9.2
"""The widths in points of the frame's two bands: squares inside, names of the edges outside."""
RIM = _LETTERS + _EDGES
"""The width of the frame in points."""
_EDGE_NAMES = {"N": "NORTH EDGE", "E": "EAST EDGE", "S": "SOUTH EDGE", "W": "WEST EDGE"}
"""The names of the edges, by their compass points."""
_CLOCKWISE = "NESW"
"""The compass points in the order of the clock's hands."""
_SMALL_MAP = 4.2
"""Points to an inch of the table: on a smaller map words are smaller, too."""
_SMALLER, _SMALLEST_WORDS = 0.86, 6.8
"""The factor for words of a small map, and the size in points below which none gets."""
_DOTS = 0.5
"""Inches between the dots of the squares' lines."""
_ABOVE_KEY = 3.0
"""Points between the frame and the key."""
_KEY_LINE = 10.6
"""Points from line to line of the key."""
_LEAST_KEY = 37.0
"""The least height of the key, since scale bar and compass stand beside it."""
_KEY_WORDS = Style(MEDIUM, 7.6, 7.6)
_SQUARE_IS = "a square: 12″, 30 cm"
"""What stands below the scale bar."""
_COMPASS = 21.0
"""The least distance from the middle of the compass to the words of the scale, in points."""
_COLUMNS_OF_SCALE = 2
"""Columns of the key that are left to scale bar and compass, one for each."""
_BAR_BELOW_MAP, _COMPASS_BELOW_MAP = 6.0, 20.0
"""Points from the frame of the map down to the top of the scale bar, and to the middle of the
compass."""
_POINTS_AT_A_TENTH = 720
"""Points to an inch of the table at a scale of 1 : 0.1, as 72 points are an inch of the paper."""
_OVERLAP = 0.05
"""The share of a column of the key into which the words below the scale may reach, since hardly any
name fills its column."""
_SMALLEST = 19.0
"""The smallest scale of a map, 1 to this."""


class LabelStyle(NamedTuple):
    """How the labels of a kind are lettered: face, size, and space between letters in points."""

    face: Face
    size: float
    track: float


# By the style of a label, which its scenario gives it.
LETTERING = {
    "water": LabelStyle(ITALIC, 10.0, 2.6),
    "town": LabelStyle(HEAD, 9.5, 0.5),
    "feature": LabelStyle(LABEL, 8.0, 0.7),
    "minor": LabelStyle(ITALIC, 7.2, 0.0),
}
_SWATCH_WIDTH, _SWATCH_HEIGHT = 15.6, 8.6
"""The width and height of a swatch of the key, in points."""
# A plot of the table is what a swatch of the key shows; its lengths are inches.
_PLOT_WIDTH, _PLOT_HEIGHT = 5.2, 1.8
_PLOT = (
    (0.0, 0.0),
    (_PLOT_WIDTH, 0.0),
    (_PLOT_WIDTH, _PLOT_HEIGHT),
    (0.0, _PLOT_HEIGHT),
)
"""The area of a swatch of the key, in inches."""
_REDUCED = {"aircraft": 0.5, "glider": 0.45, "small_pillbox": 0.56, "large_pillbox": 0.56}
_REDUCED_USUALLY = 0.68
"""The factors for the size of a piece in the key: usually, and above it those for broad pieces."""
_BEARING = {"N": 0, "E": 90, "S": 180, "W": 270}
"""Degrees counterclockwise from the top to north, by the compass point at the top."""


class KeyEntry(NamedTuple):
    """A line of the key: the name of a thing, and a sample of it on the plot of a swatch."""

    name: str
    sample: MapPart


class PlacedEntry(NamedTuple):
    """Where a line of the key stands; a column is as wide as a square of the grid."""

    row: int
    column: int
    entry: KeyEntry


class TableMap(Drawing):
    """A scenario's map as wide as the column, its key below it in the columns of the grid, together
    at most ``tallest`` points high. Drawing fills ``written`` with each label and its place.
    ``plain``: lines only, to draw on."""

    drawn_as = ""
    """The name under which the drawing without words is kept in the file, if it is shown more than
    once: ``stamp`` needs one. (In the words of the PDF format such a drawing is a form; that has
    nothing to do with fields to fill in.)"""
    plain = False
    has_key = True
    is_turned = False
    _scale_of_drawing = 6.0
    """Points to an inch in the drawing of the file; showing it scales it."""
    features: Sequence[Feature] = ()
    """Those whose numbers are shown."""
    stated = ""
    """The scale as it stands on the frame."""

    def __init__(self, scenario: Scenario, *, tallest: float = math.inf) -> None:
        if scenario.map is None:
            raise ValueError(f"Scenario {scenario.number} has no map.")
        self.field = scenario.map
        self.up: str = scenario.table.up
        self.size = (float(scenario.table.width_in), float(scenario.table.depth_in))
        self.tallest = tallest
        # A side of a scenario has the id of its nation.
        order = scenario.order_of_play()
        self.sides = dict(zip(order, looks(order[0], order[1]), strict=True))
        self.key = list(_key_entries(self.field, self.sides, self.size))
        self.written: list[Written] = []

    def scale(self, width: float) -> float:
        """Points to an inch of the table: the largest that fits of those whose ratio has one place
        after the point, so that the ratio below the scale bar holds exactly."""
        return _POINTS_AT_A_TENTH / self._tenths_of_ratio(width)

    def _tenths_of_ratio(self, width: float) -> int:
        """The ratio of the scale in tenths, 123 for 1 : 12.3: the smallest with which the map fits
        in the width and, with its key, in the height that there is. Where even the smallest scale
        that is allowed is too high, that one."""
        room = width - 2 * RIM
        # What is less than a rounding error beyond a tenth still fits.
        tenths = math.ceil(_POINTS_AT_A_TENTH * self.size[0] / room - 1e-9)
        while tenths <= 10 * _SMALLEST:
            if self._height_in_scale(_POINTS_AT_A_TENTH / tenths) <= self.tallest:
                break
            tenths += 1
        return tenths

    def _height_in_scale(self, scale: float) -> float:
        """The height of the map and its key at a scale, in points."""
        map_only = self.size[1] * scale + 2 * RIM
        if not self.has_key:
            return map_only
        rows = 1
        for placed in self._placed_entries(scale):
            rows = placed.row + 1  # they come by rows: the last entry is in the last row
        return map_only + _ABOVE_KEY + max(rows * _KEY_LINE, _LEAST_KEY)

    def height_at(self, width: float) -> float:
        return self._height_in_scale(self.scale(width))

    @cached_property
    def _widths_of_key(self) -> list[float]:
        """The width of each line of the key, in points. Many scales are tried, and to measure the
        words anew for each would take most of the time."""
        return [_SWATCH_WIDTH + 6 + line_width(entry.name, _KEY_WORDS) for entry in self.key]

    def _placed_entries(self, scale: float) -> Iterator[PlacedEntry]:
        """The lines of the key, row by row; scale and compass take the last two columns, and the
        words below the scale more on a small map."""
        square = FOOT * scale  # the width of a column, in points
        # The words are centred below the bar, which is a square wide.
        beyond_bar = max(0.0, (line_width(_SQUARE_IS, _KEY_WORDS) - square) / 2)
        columns_of_map = self.size[0] / FOOT
        columns_left = columns_of_map - _COLUMNS_OF_SCALE - beyond_bar / square
        columns = max(1, int(columns_left + _OVERLAP))
        row = column = 0
        for entry, wide in zip(self.key, self._widths_of_key, strict=True):
            columns_filled = min(columns, math.ceil(wide / square))
            if column + columns_filled > columns:
                row, column = row + 1, 0
            yield PlacedEntry(row, column, entry)
            column += columns_filled

    def stamp(self, canvas: Canvas, x: float, y: float, scale: float) -> None:
        """Draws the table without words from its lower left corner; the file contains that drawing
        once, however often and at whatever scale it is shown. The map must have a name for it
        (``drawn_as``)."""
        inch = self._scale_of_drawing
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(scale / inch, scale / inch)
        # The first to be shown draws it, all others refer to that.
        if not canvas.hasForm(self.drawn_as):
            canvas.beginForm(self.drawn_as, 0, 0, self.size[0] * inch, self.size[1] * inch)
            pen = Pen(canvas, 0, 0, inch, palette_of(canvas))
            paint_table(pen, self.field, self.size, self.sides)
            canvas.endForm()
        canvas.doForm(self.drawn_as)
        canvas.restoreState()

    def pen(self, canvas: Canvas, x: float, top: float, width: float) -> Pen:
        """The pen for the table, as it stands in a column of that ``width``."""
        scale, inks = self.scale(width), palette_of(canvas, plain=self.plain)
        left = x + (width - self.size[0] * scale) / 2
        return Pen(canvas, left, top - RIM - self.size[1] * scale, scale, inks)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        pen = self.pen(canvas, x, top, width)
        canvas.saveState()
        if self.drawn_as:
            self.stamp(canvas, pen.x, pen.y, pen.scale)
        else:
            paint_table(pen, self.field, self.size, self.sides)
        self._paint_words(pen)
        _paint_frame(pen, self.size, self.up, is_turned=self.is_turned)
        if self.stated:
            place = pen.x + 6, pen.y - RIM + _EDGES / 2
            pen.write(self.stated, place, LABEL, 7.2, pen.inks.edge_name, halo=False)
        if self.has_key:
            self._paint_key(pen, pen.y - RIM - _ABOVE_KEY)
        canvas.restoreState()
        self.written = pen.written

    def _paint_words(self, pen: Pen) -> None:
        """Whatever is lettered or stands on the table, the squares' lines below all of it."""
        paint_what_stands(pen, self.field, self.size, self.sides)
        field = self.field
        # By the first part: a feature of several is a river or wood in pieces, and a building is
        # always one of its own.
        numbers = {feature.parts[0]: feature.number for feature in self.features}
        for building in field.buildings:
            numbered_building = replace(building, number=numbers.get(building, building.number))
            things.building_number(pen, numbered_building)
        room = plane.box([pen.on_paper((0, 0)), pen.on_paper(self.size)])
        lines = list(outlines(pen, field, self.size))
        for measured in field.dimensions:
            obstacles = [*self._standing_on_paper(pen), *(word.box for word in pen.written)]
            things.dimension_words(pen, measured, obstacles, lines, room)
        uncovered = self._uncovered_on_paper(pen)
        draw_numbers(pen, place_numbers(pen, self.features, uncovered, room))

    def _uncovered_on_paper(self, pen: Pen) -> Iterator[Rectangle]:
        """What the numbers of features should not cover."""
        for word in pen.written:
            yield word.box
        yield from self._standing_on_paper(pen)
        for arrow in self.field.arrows:
            yield plane.box([pen.on_paper(point) for point in arrow.run]).grown(_HALF_ARROW)
        for measured in self.field.dimensions:
            yield plane.box([pen.on_paper(measured.start), pen.on_paper(measured.end)]).grown(1.5)

    def _standing_on_paper(self, pen: Pen) -> Iterator[Rectangle]:
        """Buildings, letters of zones, and pieces."""
        for building in self.field.buildings:
            yield plane.box([pen.on_paper(corner) for corner in building.outline])
        for zone in self.field.zones:
            if zone.tag:
                yield plane.box(plane.oblong(pen.on_paper(zone.tag), _TAG_SIZE, _TAG_SIZE))
        for piece in self.field.marks:
            place = pen.on_paper(piece.at)
            yield plane.box(plane.oblong(place, _MARK_SIZE, _MARK_SIZE))
            pointer = things.pointer(piece, place)
            if pointer:
                yield plane.box(pointer).grown(_HALF_POINTER)

    def _paint_key(self, pen: Pen, below: float) -> None:
        """Key, scale bar and compass, downward from the level ``below`` the map."""
        canvas, foot = pen.canvas, FOOT * pen.scale
        for row, column, entry in self._placed_entries(pen.scale):
            x, y = pen.x + column * foot, below - (row + 1) * _KEY_LINE + 1
            draw_swatch(pen, self.field.ground, entry.sample, self.sides, (x, y))
            write(canvas, x + _SWATCH_WIDTH + 3, y + 2.9, entry.name, _KEY_WORDS)
        # Scale bar and compass stand in the two columns that no line of the key takes.
        columns_of_map = math.floor(self.size[0] / FOOT)
        bar_left = pen.x + (columns_of_map - _COLUMNS_OF_SCALE) * foot
        _scale_bar(pen, bar_left, below - _BAR_BELOW_MAP)
        if self.up:
            # The compass stands in the middle of the column after the bar, or farther right: on a
            # small map the words below the bar are wider than a square.
            middle_of_bar = bar_left + foot / 2
            apart = max(foot, line_width(_SQUARE_IS, _KEY_WORDS) / 2 + _COMPASS)
            middle = middle_of_bar + apart, below - _COMPASS_BELOW_MAP
            draw_compass(Pen(canvas, *middle, 1, pen.inks), self.up)


def palette_of(canvas: Canvas, *, plain: bool = False) -> MapPalette:
    """Colours, or line work where ink is spared and on a ``plain`` map."""
    if canvas.sparing or plain:
        return SAVER
    return COLOUR


class EmptyTable(TableMap):
    """The empty table of the basic game, with its squares."""

    plain = True

    def __init__(self) -> None:
        # No scenario, so that nothing of ``TableMap`` is set up by it; an empty ``up``: no compass.
        self.field, self.size, self.up = Battlefield(), _USUAL_TABLE, ""
        self.sides, self.key, self.written, self.tallest = {}, [], [], math.inf


class SheetMap(TableMap):
    """The map of a single sheet or of the book: every feature has its number, and there is no key.
    ``ratio``: the scale, 1 to this, or a smaller one where the table is larger than usual;
    ``upright``: turned so that it is higher than wide."""

    has_key = False

    def __init__(self, scenario: Scenario, ratio: float, *, upright: bool = False) -> None:
        super().__init__(scenario)
        self.ratio = ratio
        # The largest table that is drawn at this ratio.
        longest, shortest = _USUAL_TABLE
        wide, deep = self.size
        room = longest, shortest
        if upright:
            room = shortest, longest
            if wide > deep:
                self._turn(deep)
        too_large = max(self.size[0] / room[0], self.size[1] / room[1])
        if too_large > 1:
            # To a tenth, upward, so that the map still fits.
            self.ratio = math.ceil(10 * ratio * too_large) / 10
        self.stated = f"1:{self.ratio:.4g}"
        self.features = numbered(self.field, self.size, self.up)
        if self.is_turned:
            assert scenario.map is not None
            self.features = _as_laid(self.features, scenario)

    def _turn(self, depth: float) -> None:
        """Turns the map a quarter counterclockwise."""
        self.field = self.field.turned_a_quarter(depth=depth)
        self.size = self.size[::-1]
        self.up = _CLOCKWISE[(_CLOCKWISE.index(self.up) + 1) % 4]
        self.is_turned = True

    def scale(self, width: float) -> float:
        return 72 / self.ratio

    @property
    def across(self) -> float:
        """Its width with the frame, in points."""
        return self.size[0] * 72 / self.ratio + 2 * RIM


_TAG_SIZE, _MARK_SIZE = 13.6, 15.0
"""Points that the letter of a zone takes, and a piece on the table, upward and across."""
_HALF_POINTER, _HALF_ARROW = 1.5, 2.5
"""Points from the middle of a pointer to its side, and of an arrow."""


def _as_laid(turned: Sequence[Feature], scenario: Scenario) -> list[Feature]:
    """The features of a turned map with the squares and inches of the table as it is laid. Of the
    wood with number 3 these are from the straight map; its parts, which tell where on the drawing
    the number stands, are from the turned one. A map that is turned keeps the order of its
    parts, so both lists have the same features in the same order."""
    assert scenario.map is not None
    size = float(scenario.table.width_in), float(scenario.table.depth_in)
    straight = numbered(scenario.map, size, scenario.table.up)
    both = zip(straight, turned, strict=True)
    return [laid._replace(parts=feature.parts) for laid, feature in both]


class Thumbnail(Drawing):
    """A map again, as wide as its column: the table without words."""

    def __init__(self, table_map: TableMap) -> None:
        self.table_map = table_map

    def height_at(self, width: float) -> float:
        return width * self.table_map.size[1] / self.table_map.size[0]

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        self.table_map.stamp(canvas, x, top - tall, width / self.table_map.size[0])
        canvas.pen(BAND, NORMAL)
        canvas.rect(x, top - tall, width, tall, fill=0)


class Swatch(Drawing):
    """A thing of a map's key, without its name."""

    WIDE, TALL = _SWATCH_WIDTH, _KEY_LINE

    def __init__(self, table_map: TableMap, sample: MapPart) -> None:
        self.table_map, self.sample = table_map, sample

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        corner = x, top - _KEY_LINE + 1
        pen = Pen(canvas, *corner, 1, palette_of(canvas))
        draw_swatch(pen, self.table_map.field.ground, self.sample, self.table_map.sides, corner)


def paint_table(
    pen: Pen, field: Battlefield, size: TableSize, sides: Mapping[str, SideInk]
) -> None:
    """Draws what lies on a table of ``size`` inches, without words; ``sides`` are the inks by side
    id."""
    across, upward = size
    with pen.within([(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]):
        _paint_ground(pen, field, size, sides)
        _paint_forces(pen, field, size, sides)


def _paint_ground(
    pen: Pen, field: Battlefield, size: TableSize, sides: Mapping[str, SideInk]
) -> None:
    """The ground from below upward."""
    table = Rectangle(0, 0, *size)
    areas = sorted(field.areas, key=_height_in_layers)
    terrain.ground(pen, field, size)
    # Trees stand over roads and rivers, all other areas lie below them.
    for area in areas:
        if area.kind != "woods":
            _paint_part(pen, area, sides, table)
    for slope in field.slopes:
        _paint_part(pen, slope, sides, table)
    for kind in terrain.WAYS:
        # The edges of all before the surface of any: so crossings have no line across them.
        ways = [line for line in field.lines if line.kind == kind]
        for line in ways:
            terrain.edge(pen, line)
        for line in ways:
            terrain.core(pen, line)
    for area in areas:
        if area.kind == "woods":
            _paint_part(pen, area, sides, table)
    for other_kind in terrain.OTHERS:
        for line in field.lines:
            if line.kind == other_kind:
                _paint_part(pen, line, sides, table)


def _height_in_layers(area: Area) -> int:
    return terrain.AREAS.index(area.kind)


def _paint_forces(
    pen: Pen, field: Battlefield, size: TableSize, sides: Mapping[str, SideInk]
) -> None:
    """Buildings, and where the sides set up and enter."""
    table = Rectangle(0, 0, *size)
    for part in (*field.buildings, *field.zones):
        _paint_part(pen, part, sides, table)
    for measured in field.dimensions:
        if measured.line:
            things.dimension_line(pen, measured, size)
    for arrow in field.arrows:
        _paint_part(pen, arrow, sides, table)


def paint_what_stands(
    pen: Pen, field: Battlefield, size: TableSize, sides: Mapping[str, SideInk]
) -> None:
    """Draws the squares, and over them the distances, the pieces, the letters of zones and the
    labels; numbers are the caller's."""
    _paint_dots(pen, size)
    for ring in field.circles:
        things.circle(pen, ring, sides.get(ring.side or ""))
    # These may reach over the edge of the table.
    for measured in field.dimensions:
        things.dimension_with_number(pen, measured)
    for piece in field.marks:
        things.mark(pen, piece, sides.get(piece.side or ""))
    for zone in field.zones:
        if zone.tag:
            things.tag(pen, zone.letter, zone.tag, sides[zone.side])
    _paint_labels(pen, field)


def _paint_labels(pen: Pen, field: Battlefield) -> None:
    """The names on the map, smaller on a small map; those of water in its colour."""
    for label in field.labels:
        face, points, track = LETTERING[label.style]
        if pen.scale < _SMALL_MAP:
            points, track = max(_SMALLEST_WORDS, points * _SMALLER), track * 0.6
        ink = pen.inks.ink
        if label.style == "water":
            ink = pen.inks.water_edge
        place = pen.on_paper(label.at)
        pen.write(label.text, place, face, points, ink, turn=label.turn, track=track)


def _paint_part(pen: Pen, part: MapPart, sides: Mapping[str, SideInk], table: Rectangle) -> None:
    """A part of the battlefield, or its sample in the key."""
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
            is_exit = leaves(part, (table.right, table.top))
            things.arrow(pen, part, sides[part.side], is_exit=is_exit)
        case Dimension():
            things.dimension_arrow(pen, part)


def _paint_dots(pen: Pen, size: TableSize) -> None:
    """The squares, a foot each, as dots: words with a halo cross them and stay clear."""
    across, upward = size
    gap = _DOTS * pen.scale
    dash = (0.01, gap - 0.01)  # round ends make a dot of a line without length
    for number in range(1, math.ceil(across / FOOT)):
        x = number * FOOT
        pen.stroke(((x, _DOTS), (x, upward - _DOTS)), pen.inks.grid, THIN, dash=dash)
    for number in range(1, math.ceil(upward / FOOT)):
        y = number * FOOT
        pen.stroke(((_DOTS, y), (across - _DOTS, y)), pen.inks.grid, THIN, dash=dash)


def _paint_frame(pen: Pen, size: TableSize, up: str, *, is_turned: bool) -> None:
    """The edges by name, outside, and the squares' letters and numbers; ``up`` is the compass point
    at the top, empty for a table without one."""
    canvas, inks = pen.canvas, pen.inks
    (left, bottom), (right, top) = pen.on_paper((0, 0)), pen.on_paper(size)
    _paint_band(canvas, inks, Rectangle(left, bottom, right, top))
    if up:
        _name_edges(pen, Rectangle(left, bottom, right, top), up)
    _name_squares(pen, size, is_turned=is_turned)
    canvas.pen(inks.ink, NORMAL)
    canvas.setLineJoin(0)
    canvas.rect(left, bottom, right - left, top - bottom, fill=0)
    canvas.pen(inks.frame, HEAVY)
    half = RIM - HEAVY / 2
    wide, tall = right - left + 2 * half, top - bottom + 2 * half
    canvas.rect(left - half, bottom - half, wide, tall, fill=0)


def _name_squares(pen: Pen, size: TableSize, *, is_turned: bool) -> None:
    """The letters and numbers of the squares, on all sides of the table."""
    # Columns have letters and rows have numbers; on a turned map the other way round, and its
    # numbers run from right to left. The last square is smaller where the table is no multiple of
    # a foot.
    rim = _LETTERS / pen.scale
    across, upward = size
    columns, rows = math.ceil(across / FOOT), math.ceil(upward / FOOT)
    for number in range(columns):
        name = _square_letter(number)
        begin, end = number * FOOT, min((number + 1) * FOOT, across)
        if is_turned:
            name = str(number + 1)
            begin, end = across - end, across - begin
        _begin_rim(pen, number)
        for low in (-rim, upward):
            _square_name(pen, name, (begin, low), (end, low + rim))
    for number in range(rows):
        name = str(number + 1)
        if is_turned:
            name = _square_letter(number)
        begin, end = number * FOOT, min((number + 1) * FOOT, upward)
        _begin_rim(pen, number)
        for aside in (-rim, across):
            _square_name(pen, name, (aside, begin), (aside + rim, end))


def _paint_band(canvas: Canvas, inks: MapPalette, table: Rectangle) -> None:
    """The outer band of the frame, as four bars around the squares' names."""
    outer, inner = table.grown(RIM), table.grown(_LETTERS)
    canvas.setFillColor(inks.band)
    long = outer.right - outer.left
    for low in (outer.bottom, inner.top):
        canvas.rect(outer.left, low, long, _EDGES, stroke=0, fill=1)
    for aside in (outer.left, inner.right):
        canvas.rect(aside, inner.bottom, _EDGES, inner.top - inner.bottom, stroke=0, fill=1)


def _name_edges(pen: Pen, table: Rectangle, up: str) -> None:
    """The compass points on the band around the map, beginning with the one that is at its top."""
    middle = (table.left + table.right) / 2, (table.bottom + table.top) / 2
    away = RIM - _EDGES / 2
    if pen.canvas.sparing:
        # The band is white, and the line around it takes a part of its width.
        away -= HEAVY / 2
    places = (
        (middle[0], table.top + away, 0),
        (table.right + away, middle[1], -90),
        (middle[0], table.bottom - away, 0),
        (table.left - away, middle[1], 90),
    )
    first = _CLOCKWISE.index(up)
    for number, (x, y, turn) in enumerate(places):
        name = _EDGE_NAMES[_CLOCKWISE[(first + number) % 4]]
        ink = pen.inks.edge_name
        pen.write(name, (x, y), HEAD, 7.6, ink, turn=turn, track=1.6, halo=False)


def _square_letter(number: int) -> str:
    return chr(ord("A") + number)


def _begin_rim(pen: Pen, number: int) -> None:
    """Sets the inks for the fields of the rim beside a row or column; light and dark in turn."""
    filling = pen.inks.paper
    if number % 2:
        filling = pen.inks.rim
    pen.canvas.pen(pen.inks.frame, THIN, filling)


def _square_name(pen: Pen, name: str, lower_left: TablePoint, upper_right: TablePoint) -> None:
    """A field of the rim with the name of the squares beside it."""
    (left, bottom), (right, top) = pen.on_paper(lower_left), pen.on_paper(upper_right)
    pen.canvas.rect(left, bottom, right - left, top - bottom, fill=1)
    middle = (left + right) / 2, (bottom + top) / 2
    pen.write(name, middle, LABEL, 7, pen.inks.ink, halo=False)


def draw_compass(pen: Pen, up: str) -> None:
    """A needle that points north, where the pen's table begins; 19 points in radius."""
    canvas, inks = pen.canvas, pen.inks
    north = _BEARING[up]
    with pen.standing((0, 0)):
        canvas.pen(inks.ink, THIN)
        canvas.circle(0, 0, 12, fill=0)
        canvas.rotate(north)
        for number in range(12):
            reach = 9.6
            if number % 3 == 0:  # a quarter
                reach = 8.4
            turn = math.radians(number * 30)
            x, y = math.cos(turn), math.sin(turn)
            canvas.line(x * reach, y * reach, x * 12, y * 12)
        pen.polygon([(0, 11), (2.6, 0), (0, -3)], inks.ink, inks.ink, THIN)
        pen.polygon([(0, 11), (-2.6, 0), (0, -3)], inks.paper, inks.ink, THIN)
    angle = math.radians(90 + north)
    beyond = pen.x + math.cos(angle) * 16, pen.y + math.sin(angle) * 16
    pen.write("N", beyond, HEAD, 8, inks.ink)


def _scale_bar(pen: Pen, x: float, top: float) -> None:
    """A foot of the table, as wide as the square above it."""
    canvas, inks, foot = pen.canvas, pen.inks, FOOT * pen.scale
    for part in range(4):
        filling = inks.ink
        if part % 2:
            filling = inks.paper
        canvas.pen(inks.ink, THIN, filling)
        canvas.rect(x + part * foot / 4, top - 4, foot / 4, 4, fill=1)
    for text in (_SQUARE_IS, f"1:{72 / pen.scale:.4g}"):
        top -= 9.4
        pen.write(text, (x + 0.5 * foot, top), MEDIUM, 7.6, inks.ink, halo=False)


def leaves(arrow: Arrow, size: TableSize) -> bool:
    """Whether an arrow points off the table: its end is nearer to an edge than its start."""
    return _inside(arrow.points[-1], size) < _inside(arrow.points[0], size)


def _inside(point: TablePoint, size: TableSize) -> float:
    """How far from the nearest edge of the table."""
    x, y = point
    return min(x, y, size[0] - x, size[1] - y)


_MIDDLE = (_PLOT_WIDTH / 2, _PLOT_HEIGHT / 2)
"""The middle of the plot of a swatch."""
_MIDDLE_ACROSS, _MIDDLE_UPWARD = _MIDDLE
_ALONG_PLOT = ((0.2, _MIDDLE_UPWARD), (5.0, _MIDDLE_UPWARD))
"""Both ends of an arrow or a distance on it."""
_WAYS_ON_PLOT = {
    "entry": ((0.2, _MIDDLE_UPWARD), (4.4, _MIDDLE_UPWARD)),
    "exit": ((0.8, _MIDDLE_UPWARD), (4.9, _MIDDLE_UPWARD)),
}
"""An arrow that comes on and one that goes off: each has one end near the edge of the plot."""
_PLOTS = {
    "sea": tuple(
        plane.oblong((_MIDDLE_ACROSS, _PLOT_HEIGHT * 0.4), _PLOT_WIDTH, _PLOT_HEIGHT * 0.8)
    ),
    "orchard": (
        (-1.8, -1.4),
        (_PLOT_WIDTH + 2, -1.4),
        (_PLOT_WIDTH + 2, _PLOT_HEIGHT + 2),
        (-1.8, _PLOT_HEIGHT + 2),
    ),
    "depression": tuple(plane.oblong((_MIDDLE_ACROSS, -1.3), 11, _PLOT_HEIGHT + 3.7)),
    "crater": tuple(plane.ring(_MIDDLE, 0.78)),
    "woods": ((0.9, -0.6), (_PLOT_WIDTH + 2, -0.6), (_PLOT_WIDTH + 2, 1.0), (0.9, 1.0)),
}
"""The samples of areas that look like themselves only with a part of their edge, or with trees in
the right places; others fill the plot."""


def _key_entries(field: Battlefield, sides: Iterable[str], size: TableSize) -> Iterator[KeyEntry]:
    """The things drawn, one sample of each kind with its name."""
    for kind in dict.fromkeys(area.kind for area in field.areas):
        yield KeyEntry(called(kind), Area(kind=kind, points=_PLOTS.get(kind, _PLOT)))
    if field.slopes:
        crest = ((0, _PLOT_HEIGHT), (_PLOT_WIDTH, _PLOT_HEIGHT))
        yield KeyEntry(called("slope"), Slope(crest=crest, foot=((0, 0), (_PLOT_WIDTH, 0))))
    stretch = ((0.3, _PLOT_HEIGHT / 2), (_PLOT_WIDTH - 0.3, _PLOT_HEIGHT / 2))
    for line_kind in dict.fromkeys(line.kind for line in field.lines):
        # As broad as usual, but not broader than the swatch; None for lines without a breadth.
        width = min(1.5, Line(kind=line_kind, points=stretch).inches_wide) or None
        yield KeyEntry(called(line_kind), Line(kind=line_kind, points=stretch, width=width))
    for house_kind in dict.fromkeys(building.kind for building in field.buildings):
        house = Building(at=_MIDDLE, size=(3.4, 1.7), kind=house_kind)
        yield KeyEntry(called(house_kind), house)
    for piece_kind, side in dict.fromkeys((mark.kind, mark.side) for mark in field.marks):
        piece = MapMark(kind=piece_kind, at=_MIDDLE, side=side, facing=0)
        yield KeyEntry(called(piece_kind), piece)
    for side_id in sides:
        yield from _key_of_side(field, side_id, size)
    yield from _key_of_distances(field)


def _key_of_side(field: Battlefield, side: str, size: TableSize) -> Iterator[KeyEntry]:
    """The zone of a side and its ways onto the table and off it, as far as the map has them."""
    if any(zone.side == side for zone in field.zones):
        yield KeyEntry(f"{called(side)} zone", Zone(letter="Z", side=side, points=_PLOT))
    ways = []
    for arrow in field.arrows:
        if arrow.side != side:
            continue
        if leaves(arrow, size):
            ways.append("exit")
        else:
            ways.append("entry")
    for way in dict.fromkeys(ways):
        yield KeyEntry(f"{called(side)} {way}", Arrow(side=side, points=_WAYS_ON_PLOT[way]))


def _key_of_distances(field: Battlefield) -> Iterator[KeyEntry]:
    """The printed distances, and those that we have added."""
    for ours, name in ((False, "Distance"), (True, "Our distance")):
        if any(part.ours is ours for part in field.dimensions):
            start, end = _ALONG_PLOT
            yield KeyEntry(name, Dimension(start=start, end=end, ours=ours))


def draw_swatch(
    pen: Pen, ground: str, sample: MapPart, sides: Mapping[str, SideInk], corner: PaperPoint
) -> None:
    """A sample of the key on its ground, at the lower left ``corner``; pieces stand without
    ground, reduced."""
    (x, low), scale, canvas = corner, _SWATCH_WIDTH / _PLOT_WIDTH, pen.canvas
    if isinstance(sample, MapMark):
        canvas.saveState()
        canvas.translate(x + _SWATCH_WIDTH / 2, low + 1 + _SWATCH_HEIGHT / 2)
        size = _REDUCED.get(sample.kind, _REDUCED_USUALLY)
        canvas.scale(size, size)
        # The middle of the plot, where the piece stands, comes to the middle of the swatch.
        small = Pen(canvas, -_MIDDLE_ACROSS * scale, -_MIDDLE_UPWARD * scale, scale, pen.inks)
        things.mark(small, sample, sides.get(sample.side or ""))
        canvas.restoreState()
        return
    swatch = Pen(canvas, x, low + 1, scale, pen.inks)
    # The sample reaches beyond the plot where it has an edge that should not be seen.
    with swatch.within(_PLOT):
        swatch.fill(_PLOT, getattr(pen.inks, ground))  # an ink is called as its ground
        _paint_part(swatch, sample, sides, plane.box(_PLOT))
    swatch.stroke(_PLOT, pen.inks.grid, HAIR, closed=True)
