"""What is written on the ground of a map: names, letters of zones and marks, numbers of buildings,
arrows, distances. Begin with ``signs_on``.

Each sign has a cell of its own. What sheets and key refer to comes first, then names, and the edges
of zones last: they go on behind a name instead of through it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from skirmish.app.scenarios.map_raster import Raster
from skirmish.tabletop import plane
from skirmish.tabletop.battlefield import Arrow, Battlefield, Dimension, MapMark, Zone
from skirmish.tabletop.measure import inches
from skirmish.tabletop.plane import Path, Point

MARK_SIGNS = {"objective": "*", "aircraft": "+", "glider": "+", "truck": "t", "mg": "m"}
"""Characters for pieces without a letter of their own."""
LONGEST_NUMBER = 2
"""Characters of the number of a building; what is longer is a name."""
STEEP = 45
"""Degrees from which the text of a label is too steep to be written in rows."""
LETTERS_APART = 4
"""Columns between two letters on the edge of a zone; a row counts as two."""
ROOM_FOR_DISTANCES = 56
"""Columns of a map from which distances stand on it."""
SOLID_HEADS, HOLLOW_HEADS, ASCII_HEADS = "▶▲◀▼", "▷△◁▽", ">^<v"
"""Heads of arrows that point right, up, left and down: of a side with solid signs, of one with
hollow signs, and in ASCII."""
STRAIGHT = 0.3
"""A path is drawn as a level line if it rises or falls by less than this share of its width, and as
an upright one if it is less wide than this share of its height."""
SQUARES_IN_CELL = 2
"""A character shows two squares of the raster, one above the other."""
QUARTER_TURN = math.pi / 2


class CellPlace(NamedTuple):
    """Where a character of a map is, counted from 0 without the frame; the top row is 0."""

    row: int
    column: int


class LineSigns(NamedTuple):
    """The characters of a level or upright line with its two ends."""

    begin: str
    along: str
    end: str


SIGNS_ACROSS, SIGNS_UPWARD = LineSigns("├", "─", "┤"), LineSigns("┬", "│", "┴")
ASCII_ACROSS, ASCII_UPWARD = LineSigns("|", "-", "|"), LineSigns("-", "|", "-")


class MapSign(NamedTuple):
    """A character written on the map, and what gives it its colours."""

    sign: str
    ground: str = ""
    """The kind of ground that shows behind it; empty: whatever is below it."""
    side: str | None = None
    """The side on whose colour it stands; None: on that of the ground."""


class SignSet(NamedTuple):
    """The characters with which things are written on a map."""

    only_ascii: bool
    """Whether all of them are ASCII."""
    solid_by_side: Mapping[str, bool]
    """Whether a side, by its id, has solid signs; the other side has hollow ones."""
    measured: Callable[[str], str] = str
    """Gives a text, whose distances are in inches, with them in the players' unit."""
    ground_signs: frozenset[str] = frozenset()
    """The characters that ground is drawn with on a map in characters: small letters on the edges
    of zones must differ from them."""

    def edge_letter(self, zone: Zone) -> str:
        """What stands along the edge of a zone: its small letter, or the capital where ground looks
        like the small one."""
        small = zone.letter.lower()
        if small in self.ground_signs:
            return zone.letter
        return small

    def distance(self, span: Dimension) -> str:
        """The number of a distance, in the player's unit."""
        words = self.measured(inches(round(math.dist(span.start, span.end), 1)))
        if span.at_most:
            words = f"≤ {words}"
        if self.only_ascii:
            words = words.replace("≤", "<=").replace("\u00a0", " ")
        return words

    def head(self, arrow: Arrow) -> str:
        """The head of an arrow, by the direction in which it ends."""
        (x0, y0), (x1, y1) = arrow.run[-2:]
        direction = math.atan2(y1 - y0, x1 - x0)
        # Quarters of a turn from the right, counterclockwise, as the heads are listed.
        quarter = round(direction / QUARTER_TURN) % 4
        heads = HOLLOW_HEADS
        if self.only_ascii:
            heads = ASCII_HEADS
        elif self.solid_by_side[arrow.side]:
            heads = SOLID_HEADS
        return heads[quarter]

    def shaft(self, arrow: Arrow) -> str:
        """What the line of an arrow is drawn with, by the direction from its beginning to its
        end."""
        (x0, y0), (x1, y1) = arrow.run[0], arrow.run[-1]
        width, height = abs(x1 - x0), abs(y1 - y0)
        if height < STRAIGHT * width:
            return self.across.along
        if width < STRAIGHT * height:
            return self.upward.along
        return self.slanting

    @property
    def across(self) -> LineSigns:
        """What a level line is drawn with."""
        if self.only_ascii:
            return ASCII_ACROSS
        return SIGNS_ACROSS

    @property
    def upward(self) -> LineSigns:
        """What an upright line is drawn with."""
        if self.only_ascii:
            return ASCII_UPWARD
        return SIGNS_UPWARD

    @property
    def slanting(self) -> str:
        """What a line is drawn with that is neither level nor upright."""
        if self.only_ascii:
            return "."
        return "·"


class MapLabel(NamedTuple):
    """A text on the map: its ``centre`` in inches, and its side, if it belongs to one."""

    text: str
    centre: Point
    side: str | None = None


def sign_of_mark(mark: MapMark) -> str:
    """The letter of a piece, or the sign of its kind; empty for one that has neither."""
    return mark.mark or MARK_SIGNS.get(mark.kind, "")


def labels_on(field: Battlefield) -> Iterator[MapLabel]:
    """The letters of zones and marks, the numbers of buildings and the names of places, in the
    order of their importance: the most important come last."""
    for label in field.labels:
        if abs(label.turn) < STEEP:
            yield MapLabel(label.text, label.at)
    for building in field.buildings:
        if building.number:
            yield MapLabel(str(building.number), building.at)
    for mark in field.marks:
        sign = sign_of_mark(mark)
        if sign:
            yield MapLabel(sign, mark.at, mark.side)
    for zone in field.zones:
        if zone.tag:
            yield MapLabel(zone.letter, zone.tag, zone.side)


def signs_on(field: Battlefield, raster: Raster, sign_set: SignSet) -> dict[CellPlace, MapSign]:
    """All that is written on the map."""
    cells = _MapCells(raster)
    # Short names come before long ones, as they find room more easily. Among letters and numbers
    # of one length the most important stay last: each is written over those before it.
    labels = sorted(labels_on(field), key=_length)
    # Letters and numbers have their places before all else; what follows gives way to what is
    # there.
    for label in labels:
        if len(label.text) <= LONGEST_NUMBER:
            cells.write_short(label)
    for arrow in field.arrows:
        cells.write_arrow(arrow, sign_set)
    for label in labels:
        if len(label.text) > LONGEST_NUMBER:
            cells.write_name(label)
    if raster.columns >= ROOM_FOR_DISTANCES:
        for span in field.dimensions:
            cells.write_distance(span, sign_set)
    for zone in field.zones:
        cells.write_edge(zone, sign_set.edge_letter(zone))
    return cells.signs


def _length(label: MapLabel) -> int:
    return len(label.text)


class _MapCells:
    """The cells of a map, and what is written in them so far."""

    def __init__(self, raster: Raster) -> None:
        self.raster = raster
        self.signs: dict[CellPlace, MapSign] = {}

    def write_short(self, label: MapLabel) -> None:
        """Write a letter or a number. It always appears, since sheets and key refer to it."""
        row, middle = self._cell(label.centre)
        first_column = self._first_column(middle, len(label.text))
        for column, sign in enumerate(label.text, first_column):
            self.signs[CellPlace(row, column)] = MapSign(sign, "", label.side)

    def _are_free(self, cells: Iterable[CellPlace]) -> bool:
        """Whether nothing is written in these cells yet."""
        return self.signs.keys().isdisjoint(cells)

    def write_name(self, label: MapLabel) -> None:
        """Write a name on plain ground, of which a blank shows at both ends. If something stands in
        its place, it is written in the row above or below, or else left out."""
        row, middle = self._cell(label.centre)
        column_of_blank_before = self._first_column(middle, len(label.text)) - 1
        for tried_row in (row, row - 1, row + 1):
            if not 0 <= tried_row < self.raster.character_rows:
                continue
            cells = self._cells_of(f" {label.text} ", tried_row, column_of_blank_before)
            if self._are_free(cells):
                ground = self._ground_below(cells)
                for cell, sign in cells.items():
                    self.signs[cell] = MapSign(sign, ground, label.side)
                return

    def _cells_of(self, text: str, row: int, first_column: int) -> dict[CellPlace, str]:
        """Where each character of a text would stand, without what is off the map."""
        cells: dict[CellPlace, str] = {}
        for column, sign in enumerate(text, first_column):
            if 0 <= column < self.raster.columns:
                cells[CellPlace(row, column)] = sign
        return cells

    def _first_column(self, middle: int, length: int) -> int:
        """Where a text begins whose middle is in a column, moved so far that it is on the map."""
        return max(min(middle - length // 2, self.raster.columns - length), 0)

    def write_arrow(self, arrow: Arrow, sign_set: SignSet) -> None:
        """Write an arrow where nothing stands yet: its head, in the side's colour, into the last
        free cell, and its shaft into the others."""
        free_cells = [cell for cell in self._cells_along(arrow.run) if cell not in self.signs]
        if not free_cells:
            return
        *shaft_cells, head_cell = free_cells
        self.signs[head_cell] = MapSign(sign_set.head(arrow), "", arrow.side)
        for cell in shaft_cells:
            self.signs[cell] = MapSign(sign_set.shaft(arrow))

    def write_distance(self, span: Dimension, sign_set: SignSet) -> None:
        """Write a distance on the line along which it is measured. It is left out if something
        stands in its place, or if the line is neither level nor upright."""
        line = self._line_of(span, sign_set)
        if not line:
            return
        # Cells are in order by their rows, then by their columns.
        first_row, first_column = min(line)
        last_row, last_column = max(line)
        words = sign_set.distance(span)
        # At least one cell between the ends of a level line is left free, so that it is seen as a
        # line.
        cells_between_ends = last_column - first_column - 1
        if first_row == last_row and len(words) >= cells_between_ends:
            return
        row, middle = (first_row + last_row) // 2, (first_column + last_column) // 2
        for column, sign in enumerate(words, self._first_column(middle, len(words))):
            line[CellPlace(row, column)] = sign
        if self._are_free(line):
            for cell, sign in line.items():
                self.signs[cell] = MapSign(sign)

    def _line_of(self, span: Dimension, sign_set: SignSet) -> dict[CellPlace, str]:
        """The line of a distance with both its ends; empty if it is neither level nor upright."""
        # The upper end first, and of two ends in one row the left one.
        begin, end = sorted((self._cell(span.start), self._cell(span.end)))
        if begin.row == end.row:
            signs = sign_set.across
            columns = range(begin.column, end.column + 1)
            line = {CellPlace(begin.row, column): signs.along for column in columns}
        elif begin.column == end.column:
            signs = sign_set.upward
            rows = range(begin.row, end.row + 1)
            line = {CellPlace(row, begin.column): signs.along for row in rows}
        else:
            return {}
        line[begin], line[end] = signs.begin, signs.end
        return line

    def write_edge(self, zone: Zone, letter: str) -> None:
        """Write letters along the edge of a zone. Where the edges of two zones lie on one another,
        their letters alternate."""
        lettered: list[CellPlace] = []
        for cell in self._cells_along([*zone.points, zone.points[0]]):
            # Beside another letter it would be read as a part of a word.
            left = CellPlace(cell.row, cell.column - 1)
            right = CellPlace(cell.row, cell.column + 1)
            if not self._are_free((left, cell, right)):
                continue
            # A letter may come too near to the one before it and, at the end of the outline, to the
            # first one. The distance between them leaves room for a letter of another edge.
            if lettered and (_are_near(cell, lettered[-1]) or _are_near(cell, lettered[0])):
                continue
            lettered.append(cell)
            self.signs[cell] = MapSign(letter, "", zone.side)

    def _cells_along(self, path: Path) -> list[CellPlace]:
        """The cells that a path goes through, in its order."""
        # By steps of half a square of the raster, so that no cell is missed.
        points = [station.at for station in plane.stations(path, self.raster.inches / 2)]
        return list(dict.fromkeys(map(self._cell, points)))

    def _cell(self, point: Point) -> CellPlace:
        """The cell that shows a point of the table."""
        return cell_of(point, self.raster)

    def _ground_below(self, cells: Iterable[CellPlace]) -> str:
        """The kind of ground that takes most of these cells."""
        counts: Counter[str] = Counter()
        for row, column in cells:
            # Of two kinds that take as many squares, the one that is counted first wins: that of
            # the lower squares, since letters stand on the line at the bottom of their cells.
            counts.update(reversed(self.raster.grounds_of_character(row, column)))
        if not counts:
            return ""
        return counts.most_common(1)[0][0]


def cell_of(point: Point, raster: Raster) -> CellPlace:
    """The character that shows a point of the table."""
    square = raster.square(point)
    return CellPlace(square.row // SQUARES_IN_CELL, square.column)


def _are_near(first: CellPlace, second: CellPlace) -> bool:
    """Whether two letters of one edge would stand too close together."""
    rows, columns = abs(first.row - second.row), abs(first.column - second.column)
    # A cell of a terminal is about twice as high as it is wide.
    return 2 * rows + columns < LETTERS_APART
