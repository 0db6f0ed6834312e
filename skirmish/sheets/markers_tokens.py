"""Markers and tags, in rows with shared cut lines, and the track on which turns are counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets import markers_icons as icons
from skirmish.sheets.faces import HEAD, LABEL, MEDIUM, TITLE
from skirmish.sheets.ink import ACCENT, BAND, BLACK, FAINT, HAIR, NORMAL, PANEL, THIN, WHITE, Ink
from skirmish.sheets.markers_strip import INCH
from skirmish.sheets.piece import Canvas, Piece
from skirmish.sheets.words import SMALLEST, Style, write

TICK = 5.0
"""How far a cut line goes on beyond what is cut."""
_WORD = Style(LABEL, 7.4, 7.4, "centre")
_CODE = Style(HEAD, 13, 13, "centre")
_TYPE = Style(MEDIUM, SMALLEST, SMALLEST, "centre")
_PHASE = Style(LABEL, 10.5, 10.5)
_TURN = Style(TITLE, 17, 17, "centre")


class Kind(NamedTuple):
    """A kind of marker: its icon, its word, its ink, and how much of it is solid."""

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


class Cells(Piece):
    """Cells side by side in the middle of the column, each ``wide`` by ``tall`` points; those to be
    cut out have cut lines around every one."""

    cut_out = True

    def __init__(self, count: int, wide: float, tall: float, whole: int = 0) -> None:
        """``whole``: how many cells a full row has, where this one has fewer."""
        self.count, self.wide, self.tall, self.whole = count, wide, tall, whole or count

    def height(self, width: float) -> float:
        """The cells; rows stand on one another."""
        return self.tall

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the cut lines and the cells."""
        x += (width - self.whole * self.wide) / 2
        if self.cut_out:
            self._cut_lines(canvas, x, top)
        for cell in range(self.count):
            self.draw_cell(canvas, cell, x + cell * self.wide, top - self.tall)

    def _cut_lines(self, canvas: Canvas, x: float, top: float) -> None:
        canvas.setStrokeColor(FAINT)
        canvas.setLineWidth(HAIR)
        right = x + self.count * self.wide
        for y in (top, top - self.tall):
            canvas.line(x - TICK, y, right + TICK, y)
        for cell in range(self.count + 1):
            at = x + cell * self.wide
            canvas.line(at, top, at, top - self.tall)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        """What is printed in a cell with its lower left corner at (x, y)."""


class Markers(Cells):
    """A row of markers."""

    SIDE = 0.8 * INCH

    def __init__(self, kinds: Sequence[Kind]) -> None:
        super().__init__(len(kinds), self.SIDE, self.SIDE)
        self.kinds = tuple(kinds)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        """Field, icon and word."""
        kind = self.kinds[cell]
        solid = kind.solid and not canvas.sparing
        inset = 4.0
        side = self.SIDE - 2 * inset
        canvas.setFillColor(kind.ink if solid else PANEL if kind.tinted else WHITE)
        canvas.setStrokeColor(kind.ink)
        canvas.setLineWidth(2.4 if kind.solid else 1.2)
        canvas.roundRect(x + inset, y + inset, side, side, 5, stroke=1, fill=1)
        ink = WHITE if solid else kind.ink
        middle = x + self.SIDE / 2
        icons.draw(canvas, kind.icon, middle, y + 0.59 * self.SIDE, radius=12.5, ink=ink)
        write(canvas, middle, y + 9, kind.word.upper(), _WORD._replace(ink=ink), track=0.4)


class Tag(NamedTuple):
    """The code of a figure or model, what it is, and its class."""

    code: str
    unit: str
    kind: str


class Tags(Cells):
    """A row of tags: guys rounded, unarmored models square, armored models solid."""

    WIDE, TALL = 0.65 * INCH, 0.4 * INCH
    IN_ROW = 11

    def __init__(self, tags: Sequence[Tag]) -> None:
        super().__init__(len(tags), self.WIDE, self.TALL, self.IN_ROW)
        self.tags = tuple(tags)

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        """Frame, code and type."""
        tag = self.tags[cell]
        solid = tag.kind == "armored" and not canvas.sparing
        canvas.setFillColor(BAND if solid else WHITE)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(1.6 if tag.kind == "armored" else THIN)
        box = (x + 2.4, y + 2.4, self.WIDE - 4.8, self.TALL - 4.8)
        canvas.roundRect(*box, 7 if tag.kind == "guy" else 0.5, stroke=1, fill=1)
        ink = WHITE if solid else BLACK
        middle = x + self.WIDE / 2
        write(canvas, middle, y + 13.2, tag.code, _CODE._replace(ink=ink))
        write(canvas, middle, y + 5.6, tag.unit, _TYPE._replace(ink=ink))


class Turns(Cells):
    """Part of the turn track: a box for each turn."""

    cut_out = False
    WIDE, TALL = 0.72 * INCH, 0.55 * INCH

    def __init__(self, turns: Sequence[int], last: int) -> None:
        super().__init__(len(turns), self.WIDE, self.TALL)
        self.turns, self.last = tuple(turns), last

    def draw_cell(self, canvas: Canvas, cell: int, x: float, y: float) -> None:
        """The number of the turn; the last has a heavy frame."""
        turn = self.turns[cell]
        final = turn == self.last
        canvas.setStrokeColor(ACCENT if final else BLACK)
        canvas.setLineWidth(2 if final else NORMAL)
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
        """Number and name; the phases of the mover have a heavy frame."""
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(2 if cell % 2 == 0 else NORMAL)
        canvas.rect(x + 2, y + 2, self.WIDE - 4, self.TALL - 4, fill=0)
        write(canvas, x + 9, y + self.TALL - 20, str(cell + 1), _TURN._replace(align="left"))
        write(canvas, x + 26, y + self.TALL - 18, self.names[cell], _PHASE)
