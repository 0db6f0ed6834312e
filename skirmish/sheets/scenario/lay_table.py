"""The table of what to lay: every feature of the map by its number, its squares and its size."""

from __future__ import annotations

import math
from collections.abc import Sequence

from skirmish.games.plastic.scenarios.laying import Feature
from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import PlacedLine, fitted, write, write_all
from skirmish.sheets.maps.pen import Pen
from skirmish.sheets.maps.scenario_map import MapPiece, draw_swatch, palette_of
from skirmish.sheets.paper import STEP

_GUTTER = 9.0
_NUMBER_END, _NAME = 8.5, 12.5
_SWATCH = 14.0
"""What a swatch takes between number and name."""
_SWATCH_SIZE = 0.68
_WHERE = 0.36
"""The share of a block, from its names on, where its squares begin."""
_CENTIMETRES = 37.0
"""From the right end of a block to the right end of its inches."""
_TITLE = Style(LABEL, 7, 7, ink=inks.CODE)
_LINE = 0.3
_SAMPLES = {"Hill": "Slope"}
"""Features whose swatch is that of another line of the key."""


class LayTable(Drawing):
    """Features in ``blocks`` side by side, each ``pitch`` points high in type of ``size`` points;
    with the swatches of ``piece`` if that is given."""

    def __init__(
        self,
        features: Sequence[Feature],
        blocks: int,
        *,
        pitch: float = 2 * STEP,
        size: float = 7.4,
        piece: MapPiece | None = None,
    ) -> None:
        self.features, self.blocks, self.pitch, self.size = tuple(features), blocks, pitch, size
        self.piece = piece

    @property
    def _in_block(self) -> int:
        return math.ceil(len(self.features) / self.blocks)

    def height_at(self, width: float) -> float:
        return 2 * STEP + self._in_block * self.pitch

    def split(self, width: float, room: float) -> list[Flowable]:
        rows = int((room - 2 * STEP) / self.pitch)
        if rows < 1 or rows >= self._in_block:
            return []
        fitting = rows * self.blocks
        return [self._with(self.features[:fitting]), self._with(self.features[fitting:])]

    def _with(self, features: Sequence[Feature]) -> LayTable:
        return LayTable(features, self.blocks, pitch=self.pitch, size=self.size, piece=self.piece)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = (width - _GUTTER * (self.blocks - 1)) / self.blocks
        count = self._in_block
        for block in range(self.blocks):
            rows = self.features[block * count : (block + 1) * count]
            if rows:
                self._paint_block(canvas, x + block * (wide + _GUTTER), top, wide, rows)

    def _paint_block(
        self, canvas: Canvas, x: float, top: float, width: float, rows: Sequence[Feature]
    ) -> None:
        name = x + _NAME
        if self.piece:
            name += _SWATCH
        right = x + width
        where = name + (right - name) * _WHERE
        inches = right - _CENTIMETRES
        to_right = _TITLE._replace(align="right")
        for place, title, style in (
            (name, "what", _TITLE),
            (where, "where", _TITLE),
            (inches, "inches", to_right),
            (right, "cm", to_right),
        ):
            write(canvas, place, top - 6.4, title, style)
        level = top - 2 * STEP
        plain = Style(MEDIUM, self.size, self.size)
        number = Style(HEAD, self.size, self.size, "right")
        end = plain._replace(align="right")
        metric = end._replace(ink=inks.CODE)
        canvas.pen(inks.FAINT, _LINE)
        levels = [level - line * self.pitch for line in range(len(rows) + 1)]
        canvas.lines([(x, height, right, height) for height in levels])
        lines = []
        for row, high in zip(rows, levels, strict=False):
            base = high - self.pitch / 2 - self.size * 0.345
            if self.piece:
                self._paint_swatch(canvas, self.piece, row, x + _NAME, base - 1.6)
            named = fitted(row.name, plain, where - name - 2)
            lines += [
                PlacedLine(x + _NUMBER_END, base, str(row.number), number),
                PlacedLine(name, base, named, plain),
                PlacedLine(where, base, row.where, plain),
                PlacedLine(inches, base, row.size, end),
                PlacedLine(right, base, row.centimetres, metric),
            ]
        write_all(canvas, lines)

    def _paint_swatch(
        self, canvas: Canvas, piece: MapPiece, row: Feature, x: float, low: float
    ) -> None:
        """What the feature looks like on the map."""
        samples = {entry.name: entry.sample for entry in piece.key}
        sample = samples.get(_SAMPLES.get(row.name, row.name))
        if sample is None:
            return
        # The file has each swatch once, however many rows show it. (The format calls such a drawing
        # a form, which has nothing to do with fields to fill in.)
        ground = piece.field.ground
        drawn_as = f"swatch-{ground}-{row.kind}"
        canvas.saveState()
        canvas.translate(x, low)
        canvas.scale(_SWATCH_SIZE, _SWATCH_SIZE)
        if not canvas.hasForm(drawn_as):
            canvas.beginForm(drawn_as, -1, -1, _SWATCH + 9, _SWATCH)
            pen = Pen(canvas, 0, 0, 1, palette_of(canvas))
            draw_swatch(pen, ground, sample, piece.sides, (0, 0))
            canvas.endForm()
        canvas.doForm(drawn_as)
        canvas.restoreState()
