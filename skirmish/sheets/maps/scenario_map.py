"""Maps of tables as drawings of a page: of a scenario, with a key (``ScenarioMap``) or with numbers
(``SheetMap``), of an empty table, and small ones without words (``Thumbnail``).

Begin with ``TableMap.paint``: the order in which all is drawn. The table is to scale, in a frame
that names its edges and is lettered by the foot. What is drawn without words (the ground,
buildings, zones, arrows) may be one drawing of the file that is shown several times: large on its
page, small in a list, as a cover."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from skirmish.games.plastic.scenarios.laying import Feature, numbered_features
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.inks import BAND, looks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.maps import buildings, distances, pieces
from skirmish.sheets.maps.frame import CLOCKWISE, FRAME_WIDTH, paint_frame, write_scale
from skirmish.sheets.maps.key import MapKey
from skirmish.sheets.maps.layers import DrawnTable, paint_over_table, paint_table
from skirmish.sheets.maps.numbers import draw_numbers, place_numbers
from skirmish.sheets.maps.outlines import outlines
from skirmish.sheets.maps.palette import palette_of
from skirmish.sheets.maps.pen import Pen, TableSize, WrittenWords
from skirmish.sheets.paper import INCH, NORMAL
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Battlefield
from skirmish.tabletop.plane import Rectangle

_USUAL_TABLE: TableSize = (96.0, 60.0)
"""The table of the basic game, "a 5ft x 8ft table" [80]."""
_ABOVE_KEY = 3.0
"""Points between the frame and the key."""
_POINTS_AT_A_TENTH = 10 * INCH
"""Points to an inch of the table at a scale of 1 : 0.1."""
_SMALLEST_SCALE = 19.0
"""The smallest scale of a map with a key, 1 to this."""
_ROUNDING = 1e-9
"""What is less than this beyond a tenth of the scale still fits."""
_DRAWING_SCALE = 6.0
"""Points to an inch in the drawing of the file, which is scaled wherever it is shown."""
_LETTER_SIZE, _PIECE_SIZE = 13.6, 15.0
"""Points that the letter of a zone takes, and a piece on the table, upward and across."""
_HALF_POINTER, _HALF_ARROW, _HALF_DISTANCE = 1.5, 2.5, 1.5
"""Points from the middle of a pointer to its side, of an arrow, and of a distance."""


class TableMap(Drawing):
    """The map of a ``table``, as large as its column and a height of ``tallest`` points allow, with
    its key below it. Drawing it fills ``written_words`` with all words on it and their places."""

    drawn_as = ""
    """The name under which the file has the drawing without words, if that is shown more than once:
    ``stamp`` needs one. (In the words of the PDF format such a drawing is a form; that has nothing
    to do with fields to fill in.)"""
    plain = False
    """Whether it has lines only, to draw on."""
    has_key = True
    """Whether its key stands below it."""
    is_turned = False
    """Whether it is turned a quarter counterclockwise from how the table is laid."""
    features: Sequence[Feature] = ()
    """Those whose numbers are shown."""
    stated_scale = ""
    """The scale in words, such as "1:20", as it stands on the frame; empty if it does not stand
    there."""

    def __init__(self, table: DrawnTable, up: str, *, tallest: float = math.inf) -> None:
        """``up`` is the compass point at the top, empty for a table without one."""
        self.table, self.up, self.tallest = table, up, tallest
        self.key = MapKey(table, up)
        self.written_words: list[WrittenWords] = []

    def scale(self, width: float) -> float:
        """Points to an inch of the table: the largest that fits of those whose ratio has one place
        after the point, so that the ratio that the key states holds exactly."""
        return _POINTS_AT_A_TENTH / self._tenths_of_ratio(width)

    def _tenths_of_ratio(self, width: float) -> int:
        """The ratio of the scale in tenths, 123 for 1 : 12.3: the smallest with which the map fits
        in the width and, with its key, in the height that there is. Where the map is too high even
        at the smallest scale, the ratio goes no further than a tenth beyond it."""
        room = width - 2 * FRAME_WIDTH
        across, _ = self.table.size
        tenths = math.ceil(_POINTS_AT_A_TENTH * across / room - _ROUNDING)
        while tenths <= 10 * _SMALLEST_SCALE:
            if self.height_in_scale(_POINTS_AT_A_TENTH / tenths) <= self.tallest:
                break
            tenths += 1
        return tenths

    def height_in_scale(self, scale: float) -> float:
        """The height of the map with its key at so many points to the inch of the table."""
        _, upward = self.table.size
        height = upward * scale + 2 * FRAME_WIDTH
        if self.has_key:
            height += _ABOVE_KEY + self.key.height_at(scale)
        return height

    def height_at(self, width: float) -> float:
        return self.height_in_scale(self.scale(width))

    def pen(self, canvas: Canvas, x: float, top: float, width: float) -> Pen:
        """The pen for the table, which stands in the middle of a column of that ``width``."""
        scale = self.scale(width)
        wide, deep = self.table.size
        left = x + (width - wide * scale) / 2
        bottom = top - FRAME_WIDTH - deep * scale
        return Pen(canvas, left, bottom, scale, palette_of(canvas, plain=self.plain))

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        pen = self.pen(canvas, x, top, width)
        canvas.saveState()
        if self.drawn_as:
            self.stamp(canvas, pen.x, pen.y, pen.scale)
        else:
            paint_table(pen, self.table)
        paint_over_table(pen, self.table)
        self._paint_numbers(pen)
        paint_frame(pen, self.table.size, self.up, is_turned=self.is_turned)
        if self.stated_scale:
            write_scale(pen, self.stated_scale)
        if self.has_key:
            self.key.paint(pen, pen.y - FRAME_WIDTH - _ABOVE_KEY)
        canvas.restoreState()
        self.written_words = pen.written_words

    def stamp(self, canvas: Canvas, x: float, y: float, scale: float) -> None:
        """Draws the table without words from its lower left corner; the file contains that drawing
        once, however often and at whatever scale it is shown. The map must have a name for it
        (``drawn_as``)."""
        inch = _DRAWING_SCALE
        enlargement = scale / inch
        canvas.saveState()
        canvas.translate(x, y)
        canvas.scale(enlargement, enlargement)
        # The first to be shown draws it, all others refer to that.
        if not canvas.hasForm(self.drawn_as):
            wide, deep = self.table.size
            canvas.beginForm(self.drawn_as, 0, 0, wide * inch, deep * inch)
            paint_table(Pen(canvas, 0, 0, inch, palette_of(canvas)), self.table)
            canvas.endForm()
        canvas.doForm(self.drawn_as)
        canvas.restoreState()

    def _paint_numbers(self, pen: Pen) -> None:
        """The numbers of buildings, what distances mean, and the numbers of all other features;
        each of them keeps clear of what was written before."""
        self._paint_numbers_of_buildings(pen)
        field = self.table.field
        room = plane.box([pen.on_paper((0, 0)), pen.on_paper(self.table.size)])
        lines = list(outlines(pen, field, self.table.size))
        for distance in field.dimensions:
            obstacles = [*self._standing_on_paper(pen), *(word.box for word in pen.written_words)]
            distances.draw_meaning(pen, distance, obstacles, lines, room)
        obstacles_to_numbers = self._obstacles_to_numbers(pen)
        draw_numbers(pen, place_numbers(pen, self.features, obstacles_to_numbers, room))

    def _paint_numbers_of_buildings(self, pen: Pen) -> None:
        # By the first part of a feature, which of a building is its only one.
        number_by_part = {feature.parts[0]: feature.number for feature in self.features}
        for building in self.table.field.buildings:
            # Without features a building has the number that its scenario gives it.
            number = number_by_part.get(building, building.number)
            buildings.draw_building_number(pen, replace(building, number=number))

    def _obstacles_to_numbers(self, pen: Pen) -> Iterator[Rectangle]:
        """What the numbers of features should not cover, on the paper."""
        for word in pen.written_words:
            yield word.box
        yield from self._standing_on_paper(pen)
        for arrow in self.table.field.arrows:
            yield plane.box([pen.on_paper(point) for point in arrow.run]).grown(_HALF_ARROW)
        for distance in self.table.field.dimensions:
            ends = [pen.on_paper(distance.start), pen.on_paper(distance.end)]
            yield plane.box(ends).grown(_HALF_DISTANCE)

    def _standing_on_paper(self, pen: Pen) -> Iterator[Rectangle]:
        """The boxes on the paper of buildings, letters of zones, and pieces with their pointers."""
        for building in self.table.field.buildings:
            yield plane.box([pen.on_paper(corner) for corner in building.outline])
        for zone in self.table.field.zones:
            if zone.tag:
                yield plane.box(plane.oblong(pen.on_paper(zone.tag), _LETTER_SIZE, _LETTER_SIZE))
        for piece in self.table.field.marks:
            place = pen.on_paper(piece.at)
            yield plane.box(plane.oblong(place, _PIECE_SIZE, _PIECE_SIZE))
            line_to_tip = pieces.pointer(piece, place)
            if line_to_tip:
                yield plane.box(line_to_tip).grown(_HALF_POINTER)


def table_of(scenario: Scenario) -> DrawnTable:
    """The table of a scenario. Raises ValueError for one without a map."""
    if scenario.map is None:
        raise ValueError(f"Scenario {scenario.number} has no map.")
    # The id of a side of a scenario is that of its nation, on which its look depends.
    first, second = scenario.order_of_play()
    sides = dict(zip((first, second), looks(first, second), strict=True))
    size = float(scenario.table.width_in), float(scenario.table.depth_in)
    return DrawnTable(scenario.map, size, sides)


class ScenarioMap(TableMap):
    """The map of a scenario. Raises ValueError for one without a map."""

    def __init__(self, scenario: Scenario, *, tallest: float = math.inf) -> None:
        super().__init__(table_of(scenario), scenario.table.up, tallest=tallest)


class EmptyTable(TableMap):
    """An empty table with its squares, by default that of the basic game; it has no compass."""

    plain = True

    def __init__(self, size: TableSize = _USUAL_TABLE, *, tallest: float = math.inf) -> None:
        table = DrawnTable(field=Battlefield(), size=size, sides={})
        super().__init__(table, up="", tallest=tallest)


class SheetMap(TableMap):
    """The map of a single sheet or of the book: every feature has its number, and there is no key.
    ``ratio``: the scale, 1 to this, or a smaller one where the table is larger than usual;
    ``upright``: turned so that it is higher than wide. Raises ValueError for a scenario without a
    map."""

    has_key = False

    def __init__(self, scenario: Scenario, ratio: float, *, upright: bool = False) -> None:
        table = table_of(scenario)
        up: str = scenario.table.up
        features = numbered_features(table.field, table.size, up)
        wide, deep = table.size
        if upright and wide > deep:
            table, up = table.turned_a_quarter(), _turned_compass_point(up)
            turned_features = numbered_features(table.field, table.size, up)
            features = _with_turned_parts(features, turned_features)
            self.is_turned = True
        super().__init__(table, up)
        self.features = features
        self.ratio = _ratio_that_fits(table.size, ratio, upright=upright)
        self.stated_scale = f"1:{self.ratio:.4g}"

    def scale(self, width: float) -> float:
        """Points to an inch of the table, whatever the width of its column."""
        return INCH / self.ratio

    @property
    def across(self) -> float:
        """Its width with the frame, in points."""
        inches_across, _ = self.table.size
        return inches_across * INCH / self.ratio + 2 * FRAME_WIDTH


def _ratio_that_fits(size: TableSize, ratio: float, *, upright: bool) -> float:
    """The given ``ratio``, or for a table larger than the usual one the ratio at which it takes no
    more room than that; ``upright``: both stand higher than wide."""
    room_across, room_upward = _USUAL_TABLE
    if upright:
        room_upward, room_across = _USUAL_TABLE
    across, upward = size
    times_too_large = max(across / room_across, upward / room_upward)
    if times_too_large <= 1:
        return ratio
    # To a tenth, upward, so that the map still fits.
    return math.ceil(10 * ratio * times_too_large) / 10


def _turned_compass_point(up: str) -> str:
    """The compass point at the top after a quarter turn counterclockwise: the one that was at the
    right."""
    return CLOCKWISE[(CLOCKWISE.index(up) + 1) % len(CLOCKWISE)]


def _with_turned_parts(
    features: Sequence[Feature], turned_features: Sequence[Feature]
) -> list[Feature]:
    """The features of a turned map with the squares and inches of the table as it is laid. Only
    their parts, which tell where on the drawing a number stands, are from the turned one. A map
    that is turned keeps the order of its parts, so both lists have the same features in the same
    order."""
    both = zip(features, turned_features, strict=True)
    return [feature._replace(parts=counterpart.parts) for feature, counterpart in both]


class Thumbnail(Drawing):
    """A small map, as wide as its column: the table of a large map without words."""

    def __init__(self, table_map: TableMap) -> None:
        self.table_map = table_map

    def height_at(self, width: float) -> float:
        wide, deep = self.table_map.table.size
        return width * deep / wide

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        wide, _ = self.table_map.table.size
        self.table_map.stamp(canvas, x, top - tall, width / wide)
        canvas.pen(BAND, NORMAL)
        canvas.rect(x, top - tall, width, tall, fill=0)
