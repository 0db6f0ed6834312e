"""The report of a battle, with flags on its map where units entered and exited. Within a drawing,
numbers without a name are points, chosen by eye."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from math import dist
from textwrap import wrap
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.battle.names import piece_code
from skirmish.games.plastic.battle.view import seen
from skirmish.games.plastic.casualties import casualty_strip
from skirmish.games.plastic.crossings import Crossing, Way, crossings
from skirmish.games.plastic.report import MAP, STRIP, printed_pages
from skirmish.games.plastic.scenarios.laying import kind_name
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets import inks
from skirmish.sheets.casualties import strip_of
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import LABEL, MEDIUM
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text_lines import line_width, write
from skirmish.sheets.maps.deployment import draw_arrow
from skirmish.sheets.maps.layers import points_off_table
from skirmish.sheets.maps.pen import PaperPoint, Pen, TablePoint
from skirmish.sheets.maps.scenario_map import ScenarioMap
from skirmish.sheets.page_sheet.document import page_document
from skirmish.sheets.paper import INCH, NORMAL, Leaf
from skirmish.sheets.roster.codes import spans
from skirmish.sheets.roster.standing import side_looks
from skirmish.store.times import date_in_words
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Arrow
from skirmish.tabletop.plane import Path, Rectangle

Crossings: TypeAlias = Mapping[Crossing, Mapping[int, Sequence[str]]]
"""The ids of the pieces by the turn in which they crossed, for each side, way and edge or zone."""
MOST_LINES = 6
"""The most lines of a flag; if the codes take more, it counts the units."""
LONGEST_LINE = 34
"""The most letters of a line of a flag."""
SMALLEST_MAP = 24
"""The smallest map of a report is drawn 1:24."""
_TITLE, _LINE = Style(LABEL, 7.2, 8.4), Style(MEDIUM, SMALLEST, 7.8)
"""The type of a flag: of its title, and of the lines below it."""
_PAD, _OUTSIDE = 2.4, 1.5
"""Points left of the words of a flag, and outside its frame."""
_STEP = 12.0
"""Points between two places tried for a flag."""
_FROM_CORNER = 4.0
"""Points from the corner of the map to the first place tried."""
_ARROW_LENGTH = 6.0
"""The length of an arrow that the map itself does not have, in inches of the table."""
_NEAR_EDGE = 2.0
"""A road that leaves the table may end so many inches before its edge on the map."""
_TEN_INCHES = 10 * INCH
"""Ten inches in points. Ratios are counted in tenths here, 155 for a map drawn 1:15.5: this divided
by the ratio is the scale of the map, in points to the inch of the table."""
_CLOCKWISE = ("N", "E", "S", "W")
"""The edges of a table by their compass points."""


class Direction(NamedTuple):
    """A direction on the paper along one of its sides: one part is 0, the other 1 or -1."""

    dx: int
    dy: int


_WAYS_OFF = (Direction(0, 1), Direction(1, 0), Direction(0, -1), Direction(-1, 0))
"""The ways off the paper, clockwise from its top."""


@as_pdf
def report_pdf(leaf: Leaf, battle: StoredGame, date: str = "") -> PdfDocument:
    """The report of a battle, on a page or two; ``date``: when it was fought, in words; empty: the
    day on which it was started.

    A battle in progress is reported as an onlooker may see it.
    """
    state = battle.play.state
    shown = battle.play
    if not state.outcome:
        shown = seen(battle.play, None)  # by an onlooker, who is of no side
    pages = printed_pages(battle.play, date or date_in_words(battle.started))
    maps = {}
    scenario = state.setup.scenario
    if scenario is not None:
        # The page adds how tall the map may be.
        maps[MAP] = partial(ReportMap, scenario, crossings(shown))
    looks = side_looks(state)
    look_by_side = dict(zip(state.setup.side_by_id, looks, strict=True))
    strip = strip_of(casualty_strip(shown), state.setup.catalog, look_by_side, leaf.measure)
    drawings = {STRIP: strip}
    return page_document(leaf, *pages, pictures=maps, drawings=drawings, notes=True, sides=looks)


class ReportMap(ScenarioMap):
    """The map with a flag for each edge that a side crossed: which pieces, in which turns."""

    def __init__(self, scenario: Scenario, crossed: Crossings, tallest: float) -> None:
        super().__init__(scenario, tallest=tallest)
        self.crossed = crossed

    def scale(self, width: float) -> float:
        """Points to the inch of the table; nobody sets a table up by this map, so that it may be
        smaller than on a sheet."""
        ratio_in_tenths = round(_TEN_INCHES / super().scale(width))
        smallest_in_tenths = 10 * SMALLEST_MAP
        while (
            self.height_in_scale(_TEN_INCHES / ratio_in_tenths) > self.tallest
            and ratio_in_tenths < smallest_in_tenths
        ):
            ratio_in_tenths += 1
        return _TEN_INCHES / ratio_in_tenths

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        super().paint(canvas, x, top, width)
        pen = self.pen(canvas, x, top, width)
        obstacles = self._obstacles(pen)
        for (side, way, where), turns in self.crossed.items():
            flag = Flag(f"{kind_name(side)} {way}", _lines(turns))
            arrow = self._arrow_of(side, way, where)
            # A crossing that names no edge has its flag toward the upper right corner of the table.
            anchor = pen.on_paper(self.table.size)
            if arrow is not None:
                anchor = pen.on_paper(_end_at_edge(arrow, way))
                # The arrows of the map itself are drawn already.
                if arrow not in self.table.field.arrows:
                    draw_arrow(pen, arrow, self.table.sides[side])
                    obstacles.append(_box_around(pen, arrow.run))
            box = self._place(pen, flag, anchor, obstacles)
            obstacles.append(box)
            _draw_flag(canvas, box, self.table.sides[side], flag)

    def _obstacles(self, pen: Pen) -> list[Rectangle]:
        """What a flag should not cover: labels, arrows, buildings; in points."""
        obstacles = [label.box for label in self.written_words]
        for map_arrow in self.table.field.arrows:
            obstacles.append(_box_around(pen, map_arrow.run))
        for building in self.table.field.buildings:
            obstacles.append(_box_around(pen, building.outline))
        return obstacles

    def _place(
        self, pen: Pen, flag: Flag, anchor: PaperPoint, obstacles: Sequence[Rectangle]
    ) -> Rectangle:
        """The place on the map where a flag covers least, and of several such the one nearest to
        ``anchor``."""
        left, bottom = pen.on_paper((0, 0))
        right, top = pen.on_paper(self.table.size)
        # A flag as wide as the map still gets a place, if only in its corner.
        column_count = max(int((right - left - flag.width) // _STEP), 1)
        row_count = max(int((top - bottom - flag.height) // _STEP), 1)
        # All places of a grid over the map are tried.
        places = []
        for column, row in product(range(column_count), range(row_count)):
            x = left + _FROM_CORNER + column * _STEP
            y = bottom + _FROM_CORNER + row * _STEP
            places.append(Rectangle(x, y, x + flag.width, y + flag.height))

        def obstacles_and_distance(box: Rectangle) -> tuple[int, float]:
            middle = (box.left + box.right) / 2, (box.bottom + box.top) / 2
            covered = [obstacle for obstacle in obstacles if box.overlaps(obstacle)]
            return len(covered), dist(middle, anchor)

        return min(places, key=obstacles_and_distance)

    def _arrow_of(self, side: str, way: Way, where: str) -> Arrow | None:
        """The arrow of the map where a side crossed its edge, else a new one; None where nothing
        names the edge."""
        is_exit = way == "exit"
        for map_arrow in self.table.field.arrows:
            if map_arrow.side == side and points_off_table(map_arrow, self.table.size) == is_exit:
                return map_arrow
        # ``where`` may be a zone or empty.
        if where not in _CLOCKWISE or self.up not in _CLOCKWISE:
            return None
        outward = _outward(where, self.up)
        at_edge = self._likely_crossing(outward)
        x, y = at_edge
        inside = x - outward.dx * _ARROW_LENGTH, y - outward.dy * _ARROW_LENGTH
        if is_exit:
            return Arrow(side=side, points=(inside, at_edge))
        return Arrow(side=side, points=(at_edge, inside))

    def _likely_crossing(self, outward: Direction) -> TablePoint:
        """Where an edge is likely to be crossed: at the end of a road, the one nearest to the
        middle of the edge, else in its middle; ``outward``: the way off the table there."""
        width, depth = self.table.size
        # From the middle of the table half its size towards the edge.
        middle_x = width / 2 + width / 2 * outward.dx
        middle_y = depth / 2 + depth / 2 * outward.dy
        ends_of_roads = []
        for line in self.table.field.lines:
            if line.kind != "road":
                continue
            for x, y in (line.points[0], line.points[-1]):
                # One part of the direction is 0: this measures across the edge, not along it.
                beyond_edge = (x - middle_x) * outward.dx + (y - middle_y) * outward.dy
                if abs(beyond_edge) < _NEAR_EDGE:
                    ends_of_roads.append((x, y))
        middle = middle_x, middle_y
        return min(ends_of_roads, key=partial(dist, middle), default=middle)


class Flag(NamedTuple):
    """What is written on a flag."""

    title: str
    lines: Sequence[str]

    @property
    def width(self) -> float:
        """The width with the space around the flag, in points."""
        widest = max(line_width(line, _LINE) for line in self.lines)
        return max(line_width(self.title, _TITLE), widest) + 2 * (_PAD + _OUTSIDE)

    @property
    def height(self) -> float:
        """The height with the space around the flag, in points."""
        return _TITLE.leading + len(self.lines) * _LINE.leading + _PAD + 2 * _OUTSIDE


def _end_at_edge(arrow: Arrow, way: Way) -> TablePoint:
    """The end of an arrow at the edge of the table: units enter at its start and exit at its
    tip."""
    if way == "entry":
        return arrow.points[0]
    return arrow.points[-1]


def _box_around(pen: Pen, path: Path) -> Rectangle:
    """The bounding box, on the paper, of a path of the table."""
    return plane.box([pen.on_paper(point) for point in path])


def _outward(edge: str, up: str) -> Direction:
    """The way off the paper at an edge of the table; ``up`` is the edge at its top."""
    quarter_turns = _CLOCKWISE.index(edge) - _CLOCKWISE.index(up)
    return _WAYS_OFF[quarter_turns % len(_WAYS_OFF)]


def _lines(turns: Mapping[int, Sequence[str]]) -> list[str]:
    """The lines of a flag: ``turn 7: K2, R4 to R13``, or how many units crossed in each turn if
    that takes too many lines."""
    lines = []
    for turn, pieces in turns.items():
        # A flag has little room: consecutive codes are spans.
        codes = spans([piece_code(piece) for piece in pieces])
        lines += wrap(f"turn {turn}: {codes}", LONGEST_LINE)
    if len(lines) <= MOST_LINES:
        return lines
    counts = ", ".join(f"{len(pieces)} in {turn}" for turn, pieces in turns.items())
    return wrap(f"units in turn: {counts}", LONGEST_LINE)


def _draw_flag(canvas: Canvas, box: Rectangle, look: SideInk, flag: Flag) -> None:
    """The title in the ink of the side, the lines below it."""
    left, bottom = box.left + _OUTSIDE, box.bottom + _OUTSIDE
    right, top = box.right - _OUTSIDE, box.top - _OUTSIDE
    title_height = _TITLE.leading + 1
    canvas.pen(look.ink, NORMAL, inks.WHITE)
    canvas.rect(left, bottom, right - left, top - bottom, fill=1)
    filling, ink = inks.WHITE, look.ink
    if look.solid and not canvas.sparing:
        filling, ink = look.ink, inks.WHITE
    canvas.setFillColor(filling)
    canvas.rect(left, top - title_height, right - left, title_height, fill=1)
    baseline = top - _TITLE.leading + 1.4
    write(canvas, left + _PAD, baseline, flag.title, _TITLE._replace(ink=ink))
    for line in flag.lines:
        baseline -= _LINE.leading
        write(canvas, left + _PAD, baseline - 0.6, line, _LINE)
