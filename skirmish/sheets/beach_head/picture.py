"""The picture of the beach on the play sheet, in the style of the maps: the sea below, and the
defences inland in their order. Numbers without a name are chosen by eye."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.games.beach_head.ruleset import BeachSetup, DefenceId
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import ITALIC, LABEL, Face
from skirmish.sheets.maps import terrain
from skirmish.sheets.maps.palette import COLOUR, SAVER
from skirmish.sheets.maps.pen import PaperPoint, Pen, TablePoint, WrittenWords
from skirmish.sheets.maps.pieces import draw_mark
from skirmish.sheets.paper import FRAME
from skirmish.tabletop.battlefield import (
    Area,
    AreaKind,
    Line,
    LineKind,
    MapMark,
    MarkKind,
)
from skirmish.tabletop.plane import Rectangle

SCALE = 4.5
"""Points to an inch of the ground, as on the larger maps."""
DEPTH = 29.0
"""Inches from the lower edge out at sea to the upper."""
MIDDLE_OF_NAMES = 11.0
"""Inches from the left edge to the middle of the names."""
BEACH_LEFT = 22.0
"""Inches from the left edge to the defences."""
_SHORE, _WALL = 8.4, 17.8
"""Inches above the lower edge: the end of the water, and the walls, behind which grass begins."""


class _Place(NamedTuple):
    """Where a defence lies, and how it is drawn."""

    level: float
    """Inches above the lower edge."""
    line: LineKind | None = None
    """The line of a map as which it is drawn; None: it has a picture of its own."""
    offsets: tuple[float, ...] = (0.0,)
    """A line for each of these, moved up and to the right by so many inches."""
    width: float | None = None
    """The width of the line in inches; None: as on maps."""
    curve: bool = False
    """Whether the line bends smoothly from point to point; if not, it has corners there."""


_PLACES: dict[DefenceId, _Place] = {
    "traps": _Place(9.6),
    "mines": _Place(12.6, "mines", offsets=(-0.9, 0.9)),
    "wire": _Place(15.2, "wire", curve=True),
    "walls": _Place(_WALL, "seawall"),
    "ditches": _Place(20.8, "ditch", width=1.3),
    "bunkers": _Place(23.9),
    "trenches": _Place(27.0, "trench"),
}
_SWELL_STEPS = 12
"""How many parts of equal width a wavy line has."""
_SWELL = (0.0, 0.5, -0.3, 0.4, -0.5, 0.3, -0.2, 0.5, -0.4, 0.2)
"""The unevenness of lines on the ground, in inches, point by point."""


class Beach(Drawing):
    """The picture, as wide as its column, without what the variant omits. ``written_words``: each
    label with its place, once the picture is painted."""

    def __init__(self, setup: BeachSetup) -> None:
        self.ruleset = setup.ruleset
        self.places = {name: place for name, place in _PLACES.items() if name not in setup.left_out}
        self.written_words: list[WrittenWords] = []

    def height_at(self, width: float) -> float:
        return DEPTH * SCALE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        palette = COLOUR
        if canvas.sparing:
            palette = SAVER
        # The looks of two sides without a nation: the first is that of the landing troops.
        allies, germans = palette.sides
        across = width / SCALE
        pen = Pen(canvas, x, top - DEPTH * SCALE, SCALE, palette)
        table = Rectangle(0, 0, across, DEPTH)
        rim = [(0.0, 0.0), (across, 0.0), (across, DEPTH), (0.0, DEPTH)]
        canvas.saveState()
        # Wavy lines would run over the frame.
        with pen.clipped_to(rim):
            terrain.draw_ground(pen, "grass", (across, DEPTH))
            # From the back to the front: grass below all, then sand, then the sea over it.
            terrain.draw_area(pen, _ground("beach", across, _WALL), table)
            terrain.draw_area(pen, _ground("sea", across, _SHORE), table)
            self._draw_defences(pen, across, germans)
            _draw_craft(pen, across, allies)
        self._write_names(pen)
        pen.stroke(rim, palette.ink, FRAME, closed=True)
        canvas.restoreState()
        self.written_words = pen.written_words

    def _draw_defences(self, pen: Pen, across: float, germans: SideInk) -> None:
        for name, place in self.places.items():
            # Two are no lines of a map: the traps, which are hedgehogs of steel, and the bunkers.
            if place.line is not None:
                _draw_line(pen, across, place, place.line)
            if name == "traps":
                _draw_hedgehogs(pen, across, place.level)
            if name == "bunkers":
                _draw_bunkers(pen, across, place.level, germans)

    def _write_names(self, pen: Pen) -> None:
        for name, place in self.places.items():
            defence = self.ruleset.defence_of(name)
            text = f"{defence.name} {defence.points}"
            _write_name(pen, text, place.level, face=LABEL, size=8.4, ink=pen.inks.ink, track=0.4)
        sea = pen.inks.water_edge
        _write_name(pen, "The sea", 4.0, face=ITALIC, size=9, ink=sea, track=1.6)


def _draw_craft(pen: Pen, across: float, allies: SideInk) -> None:
    """Landing craft out at sea, clear of the name at the left, and not in a straight line."""
    for x in _along(across, start=BEACH_LEFT, apart=17.0):
        swell = _SWELL[int(x) % len(_SWELL)]
        draw_mark(pen, MapMark(kind="landing_craft", at=(x + 3.0, 3.6 + swell)), allies)


def _draw_line(pen: Pen, across: float, place: _Place, kind: LineKind) -> None:
    for offset in place.offsets:
        points = []
        for x, y in _wavy(across, place.level, start=BEACH_LEFT):
            points.append((x + offset, y + offset))
        terrain.draw_line_core(pen, Line(kind, tuple(points), curve=place.curve, width=place.width))


def _draw_bunkers(pen: Pen, across: float, level: float, germans: SideInk) -> None:
    """Large and small bunkers in turn, at a level in inches, looking out to sea."""
    for number, x in enumerate(_along(across, start=BEACH_LEFT, apart=13.0)):
        kind: MarkKind = "large_pillbox"
        # If all were of one size, they would look like a row of stamps.
        is_small = number % 2 == 1
        if is_small:
            kind = "small_pillbox"
        draw_mark(pen, MapMark(kind=kind, at=(x, level), facing=-90), germans)


def _write_name(
    pen: Pen, text: str, level: float, *, face: Face, size: float, ink: Ink, track: float
) -> None:
    """Draws a name; ``track``: points between its letters. Where ink is spared, areas have no fill;
    the name then stands on white, so that their lines do not run between its letters."""
    middle = pen.on_paper((MIDDLE_OF_NAMES, level))
    if pen.canvas.sparing:
        width = fonts.width(text, face, size) + track * len(text) + 5
        middle_x, middle_y = middle
        pen.canvas.setFillColor(pen.inks.halo)
        pen.canvas.rect(middle_x - width / 2, middle_y - size / 2, width, size, stroke=0, fill=1)
    pen.write(text, middle, face, size, ink, track=track)


def _draw_hedgehogs(pen: Pen, across: float, level: float) -> None:
    """Two rows of hedgehogs, of three crossed beams each, at a level in inches."""
    # From end to end, in points from the middle of the hedgehog.
    beams = ((-2.2, -1.7, 2.2, 1.9), (-2.2, 1.7, 2.2, -1.9), (0.0, -2.3, 0.0, 2.5))
    lines: list[tuple[PaperPoint, PaperPoint]] = []
    for row, offset in enumerate((-0.9, 0.9)):
        # The hedgehogs of a row stand between those of the other.
        for x_inches in _along(across, start=BEACH_LEFT - 1 + row * 1.6, apart=3.2):
            x, y = pen.on_paper((x_inches, level + offset))
            for x0, y0, x1, y1 in beams:
                lines.append(((x + x0, y + y0), (x + x1, y + y1)))
    # First broad and pale, then thin and dark: the beams stand out from the sand.
    pen.short_lines(lines, pen.inks.halo, 2.2)
    pen.short_lines(lines, pen.inks.wall, 0.9)


def _along(across: float, *, start: float, apart: float) -> Iterator[float]:
    """Places on a line, in inches from the left edge: one at ``start`` and one each ``apart``
    inches further, to two inches before the right edge. ``across``: the width of the picture."""
    x = start
    while x < across - 2:
        yield x
        x += apart


def _wavy(across: float, level: float, *, start: float) -> tuple[TablePoint, ...]:
    """An uneven line at a level in inches, from ``start`` to the right edge."""
    length = across - start
    points = []
    for number in range(_SWELL_STEPS + 1):
        # The level decides where the swell begins, so that no two lines run in parallel. Nothing is
        # random: each print is the same.
        swell = _SWELL[(number + int(level)) % len(_SWELL)]
        points.append((start + length * number / _SWELL_STEPS, level + swell))
    return tuple(points)


def _ground(kind: AreaKind, across: float, level: float) -> Area:
    """A strip from edge to edge with a wavy upper side."""
    points = ((0.0, 0.0), (across, 0.0), *reversed(_wavy(across, level, start=0.0)))
    # Only the upper side bends: the first two points are the corners below it.
    return Area(kind=kind, points=points, curve=(2, len(points) - 1))
