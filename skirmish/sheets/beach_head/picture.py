"""The picture of the beach on the play sheet, in the style of the maps: the sea below, and the
defences inland in their order."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, takewhile

from skirmish.games.beach_head.ruleset import BeachSetup, DefenceId
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import ITALIC, LABEL, Face, width
from skirmish.sheets.maps import terrain
from skirmish.sheets.maps.palette import COLOUR, SAVER
from skirmish.sheets.maps.pen import Pen, Written
from skirmish.sheets.maps.things import mark
from skirmish.sheets.paper import FRAME
from skirmish.tabletop.battlefield import (
    Area,
    AreaKind,
    Battlefield,
    Line,
    LineKind,
    MapMark,
    MarkKind,
)
from skirmish.tabletop.plane import Point, Rectangle

SCALE = 4.5
"""Points to an inch of the ground, as on the larger maps."""
DEEP = 29.0
"""Inches from the lower edge out at sea to the upper."""
NAMES = 11.0
"""Inches from the left edge to the middle of the names."""
FROM = 22.0
"""Inches from the left edge to the defences."""
_SHORE, _WALL = 8.4, 17.8
"""Inches above the lower edge: the end of the water, and the start of the grass."""
_LIES: dict[DefenceId, tuple[float, LineKind | None]] = {
    "traps": (9.6, None),
    "mines": (12.6, "mines"),
    "wire": (15.2, "wire"),
    "walls": (_WALL, "seawall"),
    "ditches": (20.8, "ditch"),
    "bunkers": (23.9, None),
    "trenches": (27.0, "trench"),
}
"""Each defence's place, in inches above the lower edge, and its line style on a map."""
_SWELL = (0.0, 0.5, -0.3, 0.4, -0.5, 0.3, -0.2, 0.5, -0.4, 0.2)
"""The unevenness of lines on the ground, in inches, point by point."""


class Beach(Drawing):
    """As wide as its column, without what the variant omits. Drawing fills ``written`` with each
    label and its place."""

    def __init__(self, setup: BeachSetup) -> None:
        self.ruleset, out = setup.ruleset, setup.left_out
        self.lies = [(name, *where) for name, where in _LIES.items() if name not in out]
        self.written: list[Written] = []

    def height_at(self, width: float) -> float:
        return DEEP * SCALE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        inks = SAVER if canvas.sparing else COLOUR
        across = width / SCALE
        pen = Pen(canvas, x, top - DEEP * SCALE, SCALE, inks)
        table = Rectangle(0, 0, across, DEEP)
        rim = [(0.0, 0.0), (across, 0.0), (across, DEEP), (0.0, DEEP)]
        canvas.saveState()
        with pen.within(rim):
            terrain.ground(pen, Battlefield(ground="grass"), (across, DEEP))
            terrain.area(pen, _ground("beach", across, _WALL), table)
            terrain.area(pen, _ground("sea", across, _SHORE), table)
            self._defences(pen, across, inks.sides[1])
            for place in _along(across, FROM, 17.0):
                at = (place + 3.0, 3.6 + _SWELL[int(place) % len(_SWELL)])
                mark(pen, MapMark(kind="landing_craft", at=at), inks.sides[0])
        self._names(pen)
        pen.stroke(rim, inks.ink, FRAME, closed=True)
        canvas.restoreState()
        self.written = pen.written

    def _defences(self, pen: Pen, across: float, germans: SideInk) -> None:
        for name, high, kind in self.lies:
            for rise in (-0.9, 0.9) if name == "mines" else (0.0,):
                run = tuple((x + rise, y + rise) for x, y in _wavy(across, high, FROM))
                wide = 1.3 if name == "ditches" else None
                if kind:
                    terrain.core(pen, Line(kind, run, curve=name == "wire", width=wide))
            if name == "traps":
                hedgehogs(pen, across, high)
            if name == "bunkers":
                for number, place in enumerate(_along(across, FROM, 13.0)):
                    box: MarkKind = "small_pillbox" if number % 2 else "large_pillbox"
                    mark(pen, MapMark(kind=box, at=(place, high), facing=-90), germans)

    def _names(self, pen: Pen) -> None:
        for name, high, _ in self.lies:
            defence = self.ruleset.defence_of(name)
            text = f"{defence.name} {defence.points}"
            _named(pen, text, high, face=LABEL, size=8.4, ink=pen.inks.ink, track=0.4)
        sea = pen.inks.water_edge
        _named(pen, "The sea", 4.0, face=ITALIC, size=9, ink=sea, track=1.6)


def _named(
    pen: Pen, text: str, high: float, *, face: Face, size: float, ink: Ink, track: float
) -> None:
    """Draws a name, on white if there are no fills, as lines would run between its letters."""
    middle = pen.at((NAMES, high))
    if pen.canvas.sparing:
        wide = width(text, face, size) + track * len(text) + 5
        pen.canvas.setFillColor(pen.inks.halo)
        x, y = middle[0] - wide / 2, middle[1] - size * 0.5
        pen.canvas.rect(x, y, wide, size, stroke=0, fill=1)
    pen.write(text, middle, face, size, ink, track=track)


def hedgehogs(pen: Pen, across: float, high: float) -> None:
    beams = ((-2.2, -1.7, 2.2, 1.9), (-2.2, 1.7, 2.2, -1.9), (0.0, -2.3, 0.0, 2.5))
    found: list[tuple[Point, Point]] = []
    for row, rise in enumerate((-0.9, 0.9)):
        for place in _along(across, FROM - 1 + row * 1.6, 3.2):
            x, y = pen.at((place, high + rise))
            found += [((x + a, y + b), (x + c, y + d)) for a, b, c, d in beams]
    pen.ticks(found, pen.inks.halo, 2.2)
    pen.ticks(found, pen.inks.wall, 0.9)


def _along(across: float, begin: float, apart: float) -> Iterable[float]:
    return takewhile(lambda place: place < across - 2, count(begin, apart))


def _wavy(across: float, high: float, begin: float) -> tuple[Point, ...]:
    long = across - begin
    return tuple(
        (begin + long * at / 12, high + _SWELL[(at + int(high)) % len(_SWELL)]) for at in range(13)
    )


def _ground(kind: AreaKind, across: float, high: float) -> Area:
    """A strip from edge to edge with a wavy upper side."""
    points = ((0.0, 0.0), (across, 0.0), *reversed(_wavy(across, high, 0.0)))
    return Area(kind=kind, points=points, curve=(2, len(points) - 1))
