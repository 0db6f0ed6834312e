"""The map of a scenario: the table to scale, its compass, scale bar and key beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.sheets.layout.flowables import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, ITALIC, LABEL
from skirmish.sheets.maps import frame, grounds, lines, things
from skirmish.sheets.maps.palette import COLOUR, SAVER, Palette
from skirmish.sheets.maps.pen import Pen, Written
from skirmish.sheets.maps.things import mark
from skirmish.sheets.paper import SideInk
from skirmish.tabletop.battlefield import Battlefield, Label
from skirmish.tabletop.plane import Box

ASIDE = 88.0
"""Points beside the map for its key."""
_COLUMN = 81.0
"""Points for each of its columns where it has two."""
_GAP = 9.0
_HEAD = 62.0
"""From the top of the key's column to its first line: compass and head."""
_SCALE = 26.0
"""The scale bar below the key."""
_STEPS = 2
"""Steps of a ratio from 1:16 to 1:17."""
_TALLEST = 330.0
"""Points; a table that stands upright is drawn no higher."""
_LETTERING = {
    "water": (ITALIC, 10.0, 2.6),
    "town": (HEAD, 9.5, 0.5),
    "feature": (LABEL, 8.0, 0.7),
    "minor": (ITALIC, 7.2, 0.0),
}
"""Face, size and space between letters of a style."""


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
        self._lines = max(1, len(list(frame.key(scenario.map))))

    def scale(self, width: float) -> float:
        """Points to an inch of the table: the largest that fits of those whose ratio is a whole or
        a half, so that the ratio below the scale bar holds exactly."""
        room = width - ASIDE - 2 * frame.RIM - _GAP
        fits = min(room / self.size[0], (self.tallest - 2 * frame.RIM) / self.size[1])
        return 72 / (math.ceil(_STEPS * 72 / fits - 1e-9) / _STEPS)

    def height_at(self, width: float) -> float:
        drawn = self.size[1] * self.scale(width) + 2 * frame.RIM
        lines = -(-self._lines // self._columns(width))
        return max(drawn, _HEAD + lines * frame.KEY_LINES[0] + _SCALE)

    def _columns(self, width: float) -> int:
        """Of the key: two where one would be longer than the frame and the map leaves room."""
        scale = self.scale(width)
        drawn = self.size[1] * scale + 2 * frame.RIM
        beside = width - self.size[0] * scale - 2 * frame.RIM - _GAP
        long = _HEAD + self._lines * frame.KEY_LINES[0] + _SCALE > drawn
        return 2 if long and beside >= 2 * _COLUMN else 1

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        scale = self.scale(width)
        wide, tall = self.size[0] * scale, self.size[1] * scale
        columns = self._columns(width)
        aside = ASIDE if columns == 1 else columns * _COLUMN
        spare = max(0.0, width - aside - _GAP - wide - 2 * frame.RIM)
        canvas.saveState()
        inks = SAVER if canvas.sparing else COLOUR
        pen = Pen(canvas, x + frame.RIM, top - frame.RIM - tall, scale, inks)
        sides = self._sides(inks)
        paint(pen, self.field, self.size, sides)
        column = x + width - aside - spare / 2
        compass = Pen(canvas, column + 32, top - 26, 1, inks)
        frame.compass(compass, self.scenario.table.up)
        pen.write("KEY", (column + 8, top - 56), HEAD, 9, inks.ink, halo=False)
        low = top - _HEAD
        closest, usual = frame.KEY_LINES
        lines = -(-self._lines // columns)
        line = min(max((tall + 2 * frame.RIM - _HEAD - _SCALE) / lines, closest), usual)
        across = _COLUMN if columns > 1 else 0.0
        lie = frame.Lie(lines, line, across)
        low -= frame.draw_key(pen, self.field, sides, (column, low), lie)
        frame.scale_bar(pen, column, low - 4)
        canvas.restoreState()
        self.written = pen.written

    def _sides(self, inks: Palette) -> dict[str, SideInk]:
        order = self.scenario.order_of_play()
        return dict(zip(order, inks.sides, strict=True))


def paint(
    pen: Pen, field: Battlefield, size: tuple[float, float], sides: Mapping[str, SideInk]
) -> None:
    """A battlefield on a table of ``size`` inches; ``sides`` are the inks by side id."""
    across, upward = size
    table = Box(0, 0, across, upward)
    rim = [(0.0, 0.0), (across, 0.0), (across, upward), (0.0, upward)]
    with pen.within(rim):
        grounds.ground(pen, field, size)
        areas = sorted(field.areas, key=lambda part: grounds.ORDER.index(part.kind))
        for part in areas:
            if part.kind != "woods":
                grounds.area(pen, part, table)
        for slope in field.slopes:
            grounds.slope(pen, slope)
        frame.grid(pen, size)
        for kind in lines.WAYS:
            ways = [line for line in field.lines if line.kind == kind]
            for line in ways:
                lines.edge(pen, line)
            for line in ways:
                lines.core(pen, line)
        for part in areas:
            if part.kind == "woods":
                grounds.area(pen, part, table)
        for kind in lines.OTHERS:
            for line in field.lines:
                if line.kind == kind:
                    lines.core(pen, line)
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
        mark(pen, piece, sides.get(piece.side or ""))
    for zone in field.zones:
        if zone.tag:
            things.tag(pen, zone.letter, zone.tag, sides[zone.side])
    for label in field.labels:
        _letter(pen, label)
    frame.frame(pen, size)


def _letter(pen: Pen, label: Label) -> None:
    face, size, track = _LETTERING[label.style]
    ink = pen.inks.water_edge if label.style == "water" else pen.inks.ink
    middle = pen.at(label.at)
    pen.write(label.text, middle, face, size, ink, turn=label.turn, track=track)
