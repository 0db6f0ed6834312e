"""The table of what to lay on the table before play: every feature of the map (wood, hill, road)
by its number, its squares and its size."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from skirmish.games.plastic.scenarios.laying import Feature
from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import PlacedLine, fitted, line_width, write, write_all
from skirmish.sheets.maps.key import draw_swatch
from skirmish.sheets.maps.palette import palette_of
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.scenario_map import TableMap
from skirmish.sheets.paper import STEP

# A table is divided into blocks that stand side by side. All lengths are in points, and those
# without a name are chosen by eye.
_GUTTER = 9.0
"""Between two blocks."""
_CLOSE_GUTTER = 6.0
"""The same where there are many blocks."""
_MANY_BLOCKS = 4
"""From so many blocks on they stand closer together."""
_NUMBERS_RIGHT, _NAMES_LEFT = 8.5, 12.5
"""From the left end of a block: where numbers end, and where names begin without swatches."""
_SWATCH_WIDTH = 14.0
"""What a swatch takes between number and name."""
_SWATCH_FACTOR = 0.68
"""A swatch is drawn at this share of its size in the key of the map."""
_SQUARES_SHARE = 0.36
"""Where the column of squares begins if there is room: at this share of the way from the names to
the right end of a block."""
_CENTIMETRES_WIDTH = 37.0
"""What the column of centimetres takes, which ends the block, if there is room."""
_LEAST_SPACE = 3.0
"""Between the longest words of two columns, at least."""
_AMPLE_SPACE = 6.0
"""If less than this is between them at their usual places, the columns are set equally far
apart."""
_SPACE_COUNT = 3
"""The number of spaces between the four columns from the names on."""
_TITLES_HEIGHT = 2 * STEP
"""The height of the titles of the columns."""
_TITLE = Style(LABEL, 7, 7, ink=inks.QUIET)
_LINE = 0.3
"""The weight of the lines between rows."""
_NAMES_IN_KEY = {"Hill": "Slope"}
"""By the name of a feature, the other name under which its swatch stands in the key of the map."""


class _ColumnWidths(NamedTuple):
    """What the longest text of each column takes, in points."""

    name: float
    squares: float
    inches: float
    centimetres: float


class _ColumnPlaces(NamedTuple):
    """Where the columns of a block stand: numbers, inches and centimetres by their right ends,
    names and squares by their left ones."""

    numbers: float
    names: float
    squares: float
    inches: float
    centimetres: float


class LayTable(Drawing):
    """Features in so many ``blocks`` side by side, each feature a row of ``pitch`` points in type
    of ``size`` points; with the swatches of ``table_map`` if that is given."""

    def __init__(
        self,
        features: Sequence[Feature],
        blocks: int,
        *,
        pitch: float = 2 * STEP,
        size: float = 7.4,
        table_map: TableMap | None = None,
    ) -> None:
        self.features, self.blocks, self.pitch, self.size = tuple(features), blocks, pitch, size
        self.table_map = table_map

    @property
    def _rows_in_block(self) -> int:
        """The rows of a full block; the last block may have fewer."""
        return math.ceil(len(self.features) / self.blocks)

    def height_at(self, width: float) -> float:
        return _TITLES_HEIGHT + self._rows_in_block * self.pitch

    def split(self, width: float, room: float) -> list[Flowable]:
        rows_that_fit = int((room - _TITLES_HEIGHT) / self.pitch)
        if rows_that_fit < 1 or rows_that_fit >= self._rows_in_block:
            # Nothing fits, or everything does: the table is not split.
            return []
        # The first part fills that many rows in all blocks.
        fitting = rows_that_fit * self.blocks
        return [self._with(self.features[:fitting]), self._with(self.features[fitting:])]

    def _with(self, features: Sequence[Feature]) -> LayTable:
        """A table of these features that looks like this one."""
        return LayTable(
            features, self.blocks, pitch=self.pitch, size=self.size, table_map=self.table_map
        )

    @property
    def _gutter(self) -> float:
        if self.blocks < _MANY_BLOCKS:
            return _GUTTER
        return _CLOSE_GUTTER

    def _block_width(self, width: float) -> float:
        return (width - self._gutter * (self.blocks - 1)) / self.blocks

    @property
    def _style(self) -> Style:
        return Style(MEDIUM, self.size, self.size)

    def _widest(self, texts: Iterable[str]) -> float:
        return max((line_width(text, self._style) for text in texts), default=0.0)

    @property
    def _before_names(self) -> float:
        if self.table_map:
            return _NAMES_LEFT + _SWATCH_WIDTH
        return _NAMES_LEFT

    @cached_property
    def _column_widths(self) -> _ColumnWidths:
        features = self.features
        return _ColumnWidths(
            name=self._widest(feature.name for feature in features),
            squares=self._widest(feature.squares for feature in features),
            inches=self._widest(feature.size.inches for feature in features),
            centimetres=self._widest(feature.size.centimetres for feature in features),
        )

    def fits(self, width: float) -> bool:
        """Whether no name has to be shortened."""
        least = self._before_names + sum(self._column_widths) + _SPACE_COUNT * _LEAST_SPACE
        return least <= self._block_width(width)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        block_width = self._block_width(width)
        row_count = self._rows_in_block
        for block in range(self.blocks):
            features = self.features[block * row_count : (block + 1) * row_count]
            # The rows of the blocks are rounded up, so that none may be left for the last blocks.
            if features:
                left = x + block * (block_width + self._gutter)
                self._paint_block(canvas, left, top, block_width, features)

    def _paint_block(
        self, canvas: Canvas, x: float, top: float, width: float, features: Sequence[Feature]
    ) -> None:
        """The titles and a row for each of these features."""
        places = self._column_places(x, x + width)
        _paint_titles(canvas, places, top - 6.4)
        first_level = top - _TITLES_HEIGHT
        canvas.pen(inks.FAINT, _LINE)
        # A line above each row, and one below the last.
        levels = [first_level - number * self.pitch for number in range(len(features) + 1)]
        canvas.lines([(x, level, x + width, level) for level in levels])
        lines: list[PlacedLine] = []
        for feature, row_top in zip(features, levels[:-1], strict=True):
            # Capitals are 0.69 of the type size high: half of that below the middle of the line.
            base = row_top - self.pitch / 2 - self.size * 0.345
            if self.table_map:
                self._paint_swatch(canvas, self.table_map, feature, x + _NAMES_LEFT, base - 1.6)
            lines += self._row_lines(feature, places, base)
        write_all(canvas, lines)

    def _row_lines(
        self, feature: Feature, places: _ColumnPlaces, base: float
    ) -> Iterator[PlacedLine]:
        """The words of a row; ``base``: the level of their baseline."""
        plain = self._style
        number = Style(HEAD, self.size, self.size, "right")
        at_right = plain._replace(align="right")
        # Most tables are laid by inches: centimetres stand back.
        metric = at_right._replace(ink=inks.QUIET)
        # A shortened name ends a little before the squares.
        name_room = places.squares - places.names - 2.5
        name = fitted(feature.name, plain, name_room)
        yield PlacedLine(places.numbers, base, str(feature.number), number)
        yield PlacedLine(places.names, base, name, plain)
        yield PlacedLine(places.squares, base, feature.squares, plain)
        yield PlacedLine(places.inches, base, feature.size.inches, at_right)
        yield PlacedLine(places.centimetres, base, feature.size.centimetres, metric)

    def _column_places(self, x: float, right: float) -> _ColumnPlaces:
        """The columns of a block from ``x`` to ``right``, placed alike in all blocks."""
        widths = self._column_widths
        names = x + self._before_names
        squares = names + (right - names) * _SQUARES_SHARE
        inches = right - _CENTIMETRES_WIDTH
        after_names = squares - names - widths.name
        after_squares = inches - widths.inches - squares - widths.squares
        after_inches = _CENTIMETRES_WIDTH - widths.centimetres
        if min(after_names, after_squares, after_inches) < _AMPLE_SPACE:
            # A narrow block: all columns are equally far apart.
            space = (right - names - sum(widths)) / _SPACE_COUNT
            squares = names + widths.name + space
            inches = right - widths.centimetres - space
        return _ColumnPlaces(x + _NUMBERS_RIGHT, names, squares, inches, right)

    def _paint_swatch(
        self, canvas: Canvas, table_map: TableMap, feature: Feature, x: float, low: float
    ) -> None:
        """What the feature looks like on the map; nothing if it is not in the key."""
        samples = {entry.name: entry.sample for entry in table_map.key.entries}
        name_in_key = _NAMES_IN_KEY.get(feature.name, feature.name)
        sample = samples.get(name_in_key)
        if sample is None:
            return
        # The file has each swatch once, however many rows show it. Features of one kind share it,
        # since their name follows from the kind. (The format calls such a drawing a form, which has
        # nothing to do with fields to fill in.)
        ground = table_map.table.field.ground
        drawn_as = f"swatch-{ground}-{feature.kind}"
        canvas.saveState()
        canvas.translate(x, low)
        canvas.scale(_SWATCH_FACTOR, _SWATCH_FACTOR)
        if not canvas.hasForm(drawn_as):
            # Its bounds, with room to spare: what is beyond them would be cut off.
            canvas.beginForm(drawn_as, -1, -1, _SWATCH_WIDTH + 9, _SWATCH_WIDTH)
            pen = Pen(canvas, x=0, y=0, scale=1, palette=palette_of(canvas))
            draw_swatch(pen, sample, table_map.table, corner=(0, 0))
            canvas.endForm()
        canvas.doForm(drawn_as)
        canvas.restoreState()


def _paint_titles(canvas: Canvas, places: _ColumnPlaces, level: float) -> None:
    """The titles of the columns of a block."""
    to_right = _TITLE._replace(align="right")
    write(canvas, places.names, level, "what", _TITLE)
    write(canvas, places.squares, level, "where", _TITLE)
    write(canvas, places.inches, level, "inches", to_right)
    write(canvas, places.centimetres, level, "cm", to_right)
