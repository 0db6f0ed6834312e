"""Markers and tags, in rows with shared cut lines, and the track on which turns are counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from skirmish.sheets.layout.flowables import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.text import SMALLEST, Style, write
from skirmish.sheets.paper import (
    ACCENT,
    BAND,
    BLACK,
    FAINT,
    HAIR,
    INCH,
    NORMAL,
    PANEL,
    THIN,
    WHITE,
    Ink,
)

TICK = 5.0
"""How far a cut line goes on beyond what is cut."""
_WORD = Style(LABEL, 7.4, 7.4, "centre")
_CODE = Style(HEAD, 13, 13, "centre")
_TYPE = Style(MEDIUM, SMALLEST, SMALLEST, "centre")
_PHASE = Style(LABEL, 10.5, 10.5)
_TURN = Style(TITLE, 17, 17, "centre")
Icon = Callable[[Canvas, float, float, float], None]
"""Draws around (x, y) within a circle of that radius; ink and weight are set."""


class Kind(NamedTuple):
    icon: str
    word: str
    ink: Ink = BLACK
    solid: bool = False
    tinted: bool = False


PINNED = Kind("pinned", "Pinned", BAND, solid=True)
FIRED = Kind("fired", "Op fired", ACCENT)
DUG_IN = Kind("dug in", "Dug in", BLACK, tinted=True)
HULL_DOWN = Kind("hull down", "Hull down", BLACK)
BROKEN = Kind("broken", "Broken", ACCENT, solid=True)
ABOARD = Kind("aboard", "Aboard", BLACK, tinted=True)
FIRST = Kind("first", "Turn", BLACK)
SECOND = Kind("second", "Turn", BLACK)


class Cells(Drawing):
    """Cells side by side in the middle of the column, each ``wide`` by ``tall`` points; those to be
    cut out have cut lines around every one."""

    cut_out = True

    def __init__(self, count: int, wide: float, tall: float, whole: int = 0) -> None:
        """``whole``: how many cells a full row has, where this one has fewer."""
        self.count, self.wide, self.tall, self.whole = count, wide, tall, whole or count

    def height_at(self, width: float) -> float:
        return self.tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        x += (width - self.whole * self.wide) / 2
        if self.cut_out:
            self._cut_lines(canvas, x, top)
        for cell in range(self.count):
            self.draw_cell(canvas, cell, x + cell * self.wide, top - self.tall)

    def _cut_lines(self, canvas: Canvas, x: float, top: float) -> None:
        canvas.pen(FAINT, HAIR)
        right = x + self.count * self.wide
        for y in (top, top - self.tall):
            canvas.line(x - TICK, y, right + TICK, y)
        for cell in range(self.count + 1):
            at = x + cell * self.wide
            canvas.line(at, top, at, top - self.tall)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        """What is printed in a cell with its lower left corner at (x, y)."""


class Markers(Cells):
    SIDE = 0.8 * INCH

    def __init__(self, kinds: Sequence[Kind]) -> None:
        super().__init__(len(kinds), self.SIDE, self.SIDE)
        self.kinds = tuple(kinds)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        kind = self.kinds[cell]
        solid = kind.solid and not canvas.sparing
        inset = 4.0
        side = self.SIDE - 2 * inset
        canvas.pen(
            kind.ink,
            2.4 if kind.solid else 1.2,
            kind.ink if solid else PANEL if kind.tinted else WHITE,
        )
        canvas.roundRect(x + inset, y + inset, side, side, 5, stroke=1, fill=1)
        ink = WHITE if solid else kind.ink
        middle = x + self.SIDE / 2
        draw_icon(canvas, kind.icon, middle, y + 0.59 * self.SIDE, radius=12.5, ink=ink)
        write(canvas, middle, y + 9, kind.word.upper(), _WORD._replace(ink=ink), track=0.4)


class Tag(NamedTuple):
    code: str
    unit: str
    kind: str


class Tags(Cells):
    WIDE, TALL = 0.65 * INCH, 0.4 * INCH
    IN_ROW = 11

    def __init__(self, tags: Sequence[Tag]) -> None:
        super().__init__(len(tags), self.WIDE, self.TALL, self.IN_ROW)
        self.tags = tuple(tags)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        tag = self.tags[cell]
        solid = tag.kind == "armored" and not canvas.sparing
        canvas.pen(BLACK, 1.6 if tag.kind == "armored" else THIN, BAND if solid else WHITE)
        box = (x + 2.4, y + 2.4, self.WIDE - 4.8, self.TALL - 4.8)
        canvas.roundRect(*box, 7 if tag.kind == "guy" else 0.5, stroke=1, fill=1)
        ink = WHITE if solid else BLACK
        middle = x + self.WIDE / 2
        write(canvas, middle, y + 13.2, tag.code, _CODE._replace(ink=ink))
        write(canvas, middle, y + 5.6, tag.unit, _TYPE._replace(ink=ink))


class Turns(Cells):
    cut_out = False
    WIDE, TALL = 0.72 * INCH, 0.55 * INCH

    def __init__(self, turns: Sequence[int], last: int) -> None:
        super().__init__(len(turns), self.WIDE, self.TALL)
        self.turns, self.last = tuple(turns), last

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        turn = self.turns[cell]
        final = turn == self.last
        canvas.pen(ACCENT if final else BLACK, 2 if final else NORMAL)
        canvas.rect(x + 2, y + 2, self.WIDE - 4, self.TALL - 4, fill=0)
        ink = ACCENT if final else BLACK
        write(canvas, x + self.WIDE / 2, y + 12.5, str(turn), _TURN._replace(ink=ink))
        if final:
            write(canvas, x + self.WIDE / 2, y + 5.2, "LAST", _TYPE._replace(ink=ink), track=0.6)


class Phases(Cells):
    """The phases of a turn side by side, for a marker that goes from one to the next."""

    cut_out = False
    WIDE, TALL = 1.8 * INCH, 0.8 * INCH

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(len(names), self.WIDE, self.TALL)
        self.names = tuple(names)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        canvas.pen(BLACK, 2 if cell % 2 == 0 else NORMAL)
        canvas.rect(x + 2, y + 2, self.WIDE - 4, self.TALL - 4, fill=0)
        write(canvas, x + 9, y + self.TALL - 20, str(cell + 1), _TURN._replace(align="left"))
        write(canvas, x + 26, y + self.TALL - 18, self.names[cell], _PHASE)


def draw_icon(canvas: Canvas, name: str, x: float, y: float, *, radius: float, ink: Ink) -> None:
    canvas.saveState()
    canvas.pen(ink, 1.6, ink)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    ICONS[name](canvas, x, y, radius)
    canvas.restoreState()


def _pinned(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.line(x, y + r, x, y - 0.2 * r)
    _filled(canvas, (x - 0.55 * r, y + 0.05 * r), (x + 0.55 * r, y + 0.05 * r), (x, y - 0.7 * r))
    canvas.line(x - r, y - 0.95 * r, x + r, y - 0.95 * r)


def _fired(canvas: Canvas, x: float, y: float, r: float) -> None:
    for ray in range(8):
        turn = math.pi * ray / 4
        far = r if ray % 2 == 0 else 0.75 * r
        near = 0.42 * r
        canvas.line(
            x + near * math.cos(turn),
            y + near * math.sin(turn),
            x + far * math.cos(turn),
            y + far * math.sin(turn),
        )
    canvas.circle(x, y, 0.18 * r, stroke=0, fill=1)


def _dug_in(canvas: Canvas, x: float, y: float, r: float) -> None:
    wide, tall = 0.62 * r, 0.42 * r
    for row, count in enumerate((3, 2)):
        for bag in range(count):
            left = x + (bag - count / 2) * wide * 1.06
            low = y - 0.6 * r + row * tall * 1.15
            canvas.roundRect(left, low, wide, tall, tall * 0.4, fill=0)


def _hull_down(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.roundRect(x - 0.55 * r, y - 0.1 * r, 0.9 * r, 0.5 * r, 1.5, stroke=0, fill=1)
    canvas.line(x + 0.3 * r, y + 0.2 * r, x + 1.05 * r, y + 0.2 * r)
    path = canvas.beginPath()
    path.moveTo(x - r, y - 0.75 * r)
    path.curveTo(x - 0.4 * r, y - 0.05 * r, x + 0.4 * r, y - 0.05 * r, x + r, y - 0.75 * r)
    canvas.drawPath(path, fill=0)


def _broken(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.setLineWidth(3)
    canvas.line(x - 0.7 * r, y - 0.7 * r, x + 0.7 * r, y + 0.7 * r)
    canvas.line(x - 0.7 * r, y + 0.7 * r, x + 0.7 * r, y - 0.7 * r)


def _aboard(canvas: Canvas, x: float, y: float, r: float) -> None:
    for head in (-0.5, 0, 0.5):
        canvas.circle(x + head * r, y + 0.3 * r, 0.2 * r, stroke=0, fill=1)
    path = canvas.beginPath()
    path.moveTo(x - r, y)
    path.lineTo(x + r, y)
    path.lineTo(x + 0.75 * r, y - 0.7 * r)
    path.lineTo(x - 0.75 * r, y - 0.7 * r)
    path.close()
    canvas.drawPath(path, fill=0)


def _first(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.setLineWidth(2.4)
    canvas.circle(x, y, 0.75 * r, fill=0)


def _second(canvas: Canvas, x: float, y: float, r: float) -> None:
    canvas.rect(x - 0.7 * r, y - 0.7 * r, 1.4 * r, 1.4 * r, stroke=0, fill=1)


def _filled(canvas: Canvas, *points: tuple[float, float]) -> None:
    path = canvas.beginPath()
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)
    path.close()
    canvas.drawPath(path, stroke=0, fill=1)


ICONS: Mapping[str, Icon] = {
    "pinned": _pinned,
    "fired": _fired,
    "dug in": _dug_in,
    "hull down": _hull_down,
    "broken": _broken,
    "aboard": _aboard,
    "first": _first,
    "second": _second,
}
