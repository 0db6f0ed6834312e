"""The key of a map: a sample of each kind of thing that is drawn, with its name. Below a map it
stands in the columns of the map's grid, beside the scale bar and the compass; elsewhere its
samples and its compass are used one by one. Constants without a name are points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.scenarios.grid import FOOT
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import line_width, write
from skirmish.sheets.maps import pieces
from skirmish.sheets.maps.layers import DrawnTable, paint_part, points_off_table
from skirmish.sheets.maps.palette import palette_of
from skirmish.sheets.maps.pen import PaperPoint, Pen
from skirmish.sheets.paper import HAIR, INCH, THIN
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import (
    Area,
    Arrow,
    Battlefield,
    Building,
    Dimension,
    Line,
    MapMark,
    MapPart,
    Slope,
    Zone,
)

_LINE = 10.6
"""Points from line to line of the key."""
_LEAST_HEIGHT = 37.0
"""The least height of the key, since scale bar and compass stand beside its lines."""
_WORDS = Style(MEDIUM, 7.6, 7.6)
_BEFORE_NAME, _AFTER_NAME = 3, 3
"""Points between a swatch and the name of its thing, and after that."""
_SQUARE_IS = "a square: 12″, 30 cm"
"""What stands below the scale bar."""
_COMPASS = 21.0
"""The least distance from the middle of the compass to the words of the scale, in points."""
_COLUMNS_OF_SCALE = 2
"""Columns of the grid that are left to scale bar and compass, one for each."""
_TO_BAR, _TO_COMPASS = 6.0, 20.0
"""Points from the top of the key down to the top of the scale bar, and to the middle of the
compass."""
_OVERLAP = 0.05
"""The share of a column into which the words below the scale may reach, since hardly any name fills
its column."""
_BEARING = {"N": 0, "E": 90, "S": 180, "W": 270}
"""Degrees counterclockwise from the top to north, by the compass point at the top."""
_SWATCH_WIDTH = 15.6
"""The width of a swatch, in points."""
_MIDDLE_OF_PIECE = 4.3
"""Points from the foot of a swatch up to the middle of a piece, which is taller than a plot."""
_REDUCED = {"aircraft": 0.5, "glider": 0.45, "small_pillbox": 0.56, "large_pillbox": 0.56}
_REDUCED_USUALLY = 0.68
"""The factors for the size of a piece in the key: usually, and above it those for broad pieces."""

# A plot is the bit of table that a swatch shows; its lengths are inches.
_PLOT_WIDTH, _PLOT_HEIGHT = 5.2, 1.8
_PLOT = (
    (0.0, 0.0),
    (_PLOT_WIDTH, 0.0),
    (_PLOT_WIDTH, _PLOT_HEIGHT),
    (0.0, _PLOT_HEIGHT),
)
"""The corners of a plot."""
_MIDDLE = (_PLOT_WIDTH / 2, _PLOT_HEIGHT / 2)
"""The middle of a plot."""
_MIDDLE_ACROSS, _MIDDLE_UPWARD = _MIDDLE
_MEASURED = ((0.2, _MIDDLE_UPWARD), (5.0, _MIDDLE_UPWARD))
"""Both ends of a distance on a plot."""
_STRETCH = ((0.3, _MIDDLE_UPWARD), (_PLOT_WIDTH - 0.3, _MIDDLE_UPWARD))
"""Both ends of a line on a plot."""
_BROADEST_LINE = 1.5
"""Inches: a broader line would fill the plot."""
_HOUSE = (3.4, 1.7)
"""The size of a building on a plot."""
Way: TypeAlias = Literal["entry", "exit"]
"""Whether an arrow comes onto the table or goes off it."""
_ARROW_ON_PLOT: dict[Way, tuple[plane.Point, plane.Point]] = {
    "entry": ((0.2, _MIDDLE_UPWARD), (4.4, _MIDDLE_UPWARD)),
    "exit": ((0.8, _MIDDLE_UPWARD), (4.9, _MIDDLE_UPWARD)),
}
"""Where the sample of an arrow runs: it has one end near an edge of the plot, by which
``points_off_table`` recognises its way."""
_OUTLINES = {
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


class KeyEntry(NamedTuple):
    """A line of the key: the name of a thing, and a sample of it on a plot."""

    name: str
    sample: MapPart


class PlacedEntry(NamedTuple):
    """Where a line of the key stands: its row, and how many points from the left end."""

    row: int
    left: float
    entry: KeyEntry


class MapKey:
    """The key below a map of a ``table``, with scale bar and compass in the last two columns;
    ``up`` is the compass point at the top, empty for a table without one."""

    def __init__(self, table: DrawnTable, up: str) -> None:
        self.table, self.up = table, up
        self.entries = list(_entries(table))

    def height_at(self, scale: float) -> float:
        """Its height in points, below a map of so many points to the inch of the table."""
        # They come row by row, so the last entry is in the last row.
        rows = 1
        for placed in self._placed_entries(scale):
            rows = placed.row + 1
        return max(rows * _LINE, _LEAST_HEIGHT)

    def paint(self, pen: Pen, top: float) -> None:
        """Draws it below the level ``top``, in the scale of the ``pen`` for the map."""
        square = FOOT * pen.scale
        for row, left, entry in self._placed_entries(pen.scale):
            x, y = pen.x + left, top - (row + 1) * _LINE + 1
            draw_swatch(pen, entry.sample, self.table, (x, y))
            write(pen.canvas, x + _SWATCH_WIDTH + _BEFORE_NAME, y + 2.9, entry.name, _WORDS)
        columns_of_map = math.floor(self.table.size[0] / FOOT)
        bar_left = pen.x + (columns_of_map - _COLUMNS_OF_SCALE) * square
        _draw_scale_bar(pen, bar_left, top - _TO_BAR)
        if self.up:
            # The compass stands in the middle of the column after the bar, or farther right: on a
            # small map the words below the bar are wider than a square.
            middle_of_bar = bar_left + square / 2
            apart = max(square, line_width(_SQUARE_IS, _WORDS) / 2 + _COMPASS)
            middle = middle_of_bar + apart, top - _TO_COMPASS
            draw_compass(Pen(pen.canvas, *middle, 1, pen.inks), self.up)

    def _placed_entries(self, scale: float) -> Iterator[PlacedEntry]:
        """The lines of the key, row by row, in what scale and compass leave."""
        widths = self._column_widths(FOOT * scale)
        for number, entry in enumerate(self.entries):
            row, column = divmod(number, len(widths))
            yield PlacedEntry(row, sum(widths[:column]), entry)

    def _column_widths(self, square: float) -> list[float]:
        """The widths of the columns, where a square of the grid is so many points wide: a square
        each, or on a small map, where that is too narrow for some name, what their names need."""
        squares = self._squares_left(square)
        if max(self._widths, default=0.0) <= square:
            return [square] * max(1, int(squares))
        room = squares * square
        for columns in range(len(self.entries), 1, -1):
            widths = [max(self._widths[number::columns]) for number in range(columns)]
            spare = room - sum(widths)
            if spare >= 0:
                return [width + spare / columns for width in widths]
        return [room]

    def _squares_left(self, square: float) -> float:
        """How many squares of so many points, and parts of one, are left to the lines of the key:
        fewer on a small map, where the words below the scale bar are wider than that."""
        # The words are centred below the bar, which is a square wide.
        beyond_bar = max(0.0, (line_width(_SQUARE_IS, _WORDS) - square) / 2)
        return self.table.size[0] / FOOT - _COLUMNS_OF_SCALE - beyond_bar / square + _OVERLAP

    @cached_property
    def _widths(self) -> list[float]:
        """The width of each line of the key, in points. Many scales are tried, and to measure the
        words anew for each would take most of the time."""
        around_name = _SWATCH_WIDTH + _BEFORE_NAME + _AFTER_NAME
        return [around_name + line_width(entry.name, _WORDS) for entry in self.entries]


class Swatch(Drawing):
    """A sample of a map's key, without its name."""

    TALL = _LINE

    def __init__(self, table: DrawnTable, sample: MapPart) -> None:
        self.table, self.sample = table, sample

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        corner = x, top - _LINE + 1
        pen = Pen(canvas, *corner, 1, palette_of(canvas))
        draw_swatch(pen, self.sample, self.table, corner)


def draw_swatch(pen: Pen, sample: MapPart, table: DrawnTable, corner: PaperPoint) -> None:
    """Draws a sample of the ``table``'s key from its lower left ``corner`` on the paper; pieces
    have no ground and are reduced."""
    canvas = pen.canvas
    x, low = corner
    scale = _SWATCH_WIDTH / _PLOT_WIDTH
    if isinstance(sample, MapMark):
        canvas.saveState()
        canvas.translate(x + _SWATCH_WIDTH / 2, low + 1 + _MIDDLE_OF_PIECE)
        size = _REDUCED.get(sample.kind, _REDUCED_USUALLY)
        canvas.scale(size, size)
        # The middle of the plot, where the piece stands, comes to the middle of the swatch.
        reduced_pen = Pen(canvas, -_MIDDLE_ACROSS * scale, -_MIDDLE_UPWARD * scale, scale, pen.inks)
        pieces.draw_mark(reduced_pen, sample, table.look_of(sample.side))
        canvas.restoreState()
        return
    swatch_pen = Pen(canvas, x, low + 1, scale, pen.inks)
    plot = DrawnTable(Battlefield(), (_PLOT_WIDTH, _PLOT_HEIGHT), table.sides)
    # The sample reaches beyond the plot where it has an edge that should not be seen.
    with swatch_pen.clipped_to(_PLOT):
        swatch_pen.fill(_PLOT, pen.inks.of_ground(table.field.ground))
        paint_part(swatch_pen, sample, plot)
    swatch_pen.stroke(_PLOT, pen.inks.grid, HAIR, closed=True)


def draw_compass(pen: Pen, up: str) -> None:
    """A needle that points north, where the pen's table begins; 19 points in radius."""
    canvas, inks = pen.canvas, pen.inks
    north = _BEARING[up]
    with pen.origin_at((0, 0)):
        canvas.pen(inks.ink, THIN)
        canvas.circle(0, 0, 12, fill=0)
        canvas.rotate(north)
        # Twelve ticks inward from the circle, longer at each quarter.
        for number in range(12):
            inner = 9.6
            if number % 3 == 0:
                inner = 8.4
            turn = math.radians(number * 30)
            x, y = math.cos(turn), math.sin(turn)
            canvas.line(x * inner, y * inner, x * 12, y * 12)
        pen.polygon([(0, 11), (2.6, 0), (0, -3)], inks.ink, inks.ink, THIN)
        pen.polygon([(0, 11), (-2.6, 0), (0, -3)], inks.paper, inks.ink, THIN)
    # The letter stays upright, so it is written outside of the turn.
    angle = math.radians(90 + north)
    beyond = pen.x + math.cos(angle) * 16, pen.y + math.sin(angle) * 16
    pen.write("N", beyond, HEAD, 8, inks.ink)


def _draw_scale_bar(pen: Pen, x: float, top: float) -> None:
    """A foot of the table in four parts, as wide as the square above it, and what it means."""
    canvas, inks, foot = pen.canvas, pen.inks, FOOT * pen.scale
    for part in range(4):
        filling = inks.ink
        if part % 2:
            filling = inks.paper
        canvas.pen(inks.ink, THIN, filling)
        canvas.rect(x + part * foot / 4, top - 4, foot / 4, 4, fill=1)
    level = top
    for text in (_SQUARE_IS, f"1:{INCH / pen.scale:.4g}"):
        level -= 9.4
        pen.write(text, (x + 0.5 * foot, level), MEDIUM, 7.6, inks.ink, halo=False)


def _entries(table: DrawnTable) -> Iterator[KeyEntry]:
    """An entry for each kind of thing on the table, by layers from the ground upward, then for what
    belongs to each side."""
    field = table.field
    # ``dict.fromkeys`` leaves out what came before and keeps the order.
    for kind in dict.fromkeys(area.kind for area in field.areas):
        yield KeyEntry(kind_name(kind), Area(kind=kind, points=_OUTLINES.get(kind, _PLOT)))
    if field.slopes:
        crest = ((0, _PLOT_HEIGHT), (_PLOT_WIDTH, _PLOT_HEIGHT))
        yield KeyEntry(kind_name("slope"), Slope(crest=crest, foot=((0, 0), (_PLOT_WIDTH, 0))))
    for line_kind in dict.fromkeys(line.kind for line in field.lines):
        line = Line(kind=line_kind, points=_STRETCH)
        if line.inches_wide > _BROADEST_LINE:
            line = Line(kind=line_kind, points=_STRETCH, width=_BROADEST_LINE)
        yield KeyEntry(kind_name(line_kind), line)
    for house_kind in dict.fromkeys(building.kind for building in field.buildings):
        house = Building(at=_MIDDLE, size=_HOUSE, kind=house_kind)
        yield KeyEntry(kind_name(house_kind), house)
    for piece_kind, side in dict.fromkeys((mark.kind, mark.side) for mark in field.marks):
        piece = MapMark(kind=piece_kind, at=_MIDDLE, side=side, facing=0)
        yield KeyEntry(kind_name(piece_kind), piece)
    for side_id in table.sides:
        yield from _entries_of_side(table, side_id)
    yield from _entries_of_distances(field)


def _entries_of_side(table: DrawnTable, side: str) -> Iterator[KeyEntry]:
    """The zone of a side and its ways onto the table and off it, as far as the map has them."""
    if any(zone.side == side for zone in table.field.zones):
        yield KeyEntry(f"{kind_name(side)} zone", Zone(letter="Z", side=side, points=_PLOT))
    ways: list[Way] = []
    for arrow in table.field.arrows:
        if arrow.side != side:
            continue
        if points_off_table(arrow, table.size):
            ways.append("exit")
        else:
            ways.append("entry")
    for way in dict.fromkeys(ways):
        yield KeyEntry(f"{kind_name(side)} {way}", Arrow(side=side, points=_ARROW_ON_PLOT[way]))


def _entries_of_distances(field: Battlefield) -> Iterator[KeyEntry]:
    """The printed distances, and those that we have added."""
    start, end = _MEASURED
    for ours, name in ((False, "Distance"), (True, "Our distance")):
        if any(measured.ours is ours for measured in field.dimensions):
            yield KeyEntry(name, Dimension(start=start, end=end, ours=ours))
