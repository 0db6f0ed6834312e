"""Range sticks, rings around a man, and works for the table, all at true scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import line_width, paragraph, write
from skirmish.sheets.paper import HAIR, INCH, MM, NORMAL, THIN
from skirmish.tabletop import plane
from skirmish.tabletop.measure import inches

_INCH = Style(LABEL, 9, 9)
_SIXTH = Style(HEAD, 13, 13)
_ALONG = Style(MEDIUM, 8.4, 8.4, ink=inks.CODE)
_CALLED = Style(HEAD, 12, 12, "centre", inks.WHITE)
_GLUE = Style(MEDIUM, SMALLEST, SMALLEST, "centre", inks.CODE)
_TEXT = Style(MEDIUM, 8.4, 10)
LONG = 4 * INCH
STEPS = 20
"""Line segments per coil of wire."""
ROUND = 240
"""Line segments per oval."""
_WORD = Style(LABEL, SMALLEST, SMALLEST, "centre", inks.CODE)


class StickPart(NamedTuple):
    """A piece of a stick: inches ``begin`` to ``end`` of ``whole``; ``label``: what has that
    range."""

    whole: int
    begin: int
    end: int
    label: str


class Sticks(Drawing):
    """Pieces of range sticks, upright, zero at the top; all but the last have a flap to glue."""

    WIDE = 0.7 * INCH
    FLAP = 0.3 * INCH
    APART = 5.0
    HEAD = 16.0
    EDGE = 5.0
    """The width of the edge, which alternates black and white by the inch."""

    def __init__(self, parts: Sequence[StickPart]) -> None:
        self.parts = tuple(parts)

    def height_at(self, width: float) -> float:
        longest = max((part.end - part.begin) * INCH for part in self.parts)
        return self.HEAD + longest + self.FLAP

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left = x
        for index, part in enumerate(self.parts):
            if index and part.begin == 0:
                left += self.APART
            self._stick(canvas, left, top - self.HEAD, part)
            left += self.WIDE

    def _stick(self, canvas: Canvas, x: float, top: float, part: StickPart) -> None:
        if part.begin == 0:
            write(canvas, x, top + 4, inches(part.whole), _SIXTH)
        long = (part.end - part.begin) * INCH
        low = top - long
        canvas.pen(inks.BLACK, THIN)
        if part.end < part.whole:
            canvas.saveState()
            canvas.setDash([2, 2])
            canvas.setLineWidth(HAIR)
            canvas.rect(x + 3, low - self.FLAP, self.WIDE - 6, self.FLAP, fill=0)
            canvas.restoreState()
            write(canvas, x + self.WIDE / 2, low - 0.5 * self.FLAP - 2, "GLUE UNDER", _GLUE)
        canvas.rect(x, low, self.WIDE, long, fill=0)
        if part.end == part.whole:
            with canvas.bar(x, low, self.WIDE, 0.3 * INCH, inks.BAND):
                write(canvas, x + self.WIDE / 2, low + 7, inches(part.whole), _CALLED)
        canvas.setFillColor(inks.BLACK)
        for inch in range(part.begin + part.begin % 2, part.end, 2):
            y = top - (inch + 1 - part.begin) * INCH
            canvas.rect(x, y, self.EDGE, INCH, stroke=0, fill=1)
        for half in range(1, 2 * (part.end - part.begin)):
            self._mark(canvas, x, top - half * INCH / 2, part.begin + half / 2, part.whole)
        canvas.saveState()
        canvas.translate(x + 0.74 * self.WIDE, top - 0.15 * INCH)
        canvas.rotate(-90)
        one_of_many = part.end - part.begin < part.whole
        which = f"{part.begin} to {inches(part.end)}. " if one_of_many else ""
        write(canvas, 0, 0, which + part.label, _ALONG)
        canvas.restoreState()

    def _mark(self, canvas: Canvas, x: float, y: float, at: float, whole: int) -> None:
        inch, sixth = at == int(at), at % 6 == 0
        canvas.pen(inks.BLACK, 1.4 if sixth else THIN)
        canvas.line(x, y, x + INCH * (0.4 if sixth else 0.22 if inch else 0.1), y)
        if inch and whole - at > 0.3:
            style = _SIXTH if sixth else _INCH
            write(canvas, x + self.EDGE + 2.5, y + 2.4, f"{at:g}", style)


class RingTemplate(Drawing):
    """A part of a ring of so many inches, ``title`` along its edge and ``text`` beside it: a
    quarter with its corner on a man, where men nearer than ``inner`` inches stand ``inside``; or
    half a ring (no ``inner``) with its middle at the edge of a vehicle."""

    def __init__(self, reach: int, title: str, text: str, inner: int = 0, inside: str = "") -> None:
        self.reach, self.inner = reach, inner
        self.title, self.inside = title, inside
        self.text = paragraph(text, _TEXT)

    def height_at(self, width: float) -> float:
        return self.reach * INCH

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        far, near = self.reach * INCH, self.inner * INCH
        extent, begin = (90, 0.0) if near else (180, -far)
        canvas.saveState()
        canvas.translate(x - begin, top - far)
        canvas.pen(inks.BLACK, NORMAL)
        path = canvas.beginPath()
        path.moveTo(0 if near else far, 0)
        path.arcTo(-far, -far, far, far, 0, extent)
        path.close()
        canvas.drawPath(path, fill=0)
        right = _INCH._replace(align="right")
        for inch in range(1, self.reach):
            at, marked = inch * INCH, inch == self.inner
            canvas.pen(inks.BLACK if marked else inks.CODE, THIN)
            canvas.setDash([3, 2] if marked else [])
            canvas.arc(-at, -at, at, at, 0, extent)
            canvas.pen(inks.BLACK, THIN)
            canvas.setDash([])
            canvas.line(at, 0, at, 7)
            write(canvas, at - 3, 3, str(inch), right)
            if near:
                canvas.line(0, at, 7, at)
                write(canvas, 3, at - 9.5, str(inch), _INCH)
            else:
                canvas.line(-at, 0, -at, 7)
                write(canvas, 3 - at, 3, str(inch), _INCH)
        _curved(canvas, far - 17, self.title, extent)
        if near:
            _curved(canvas, near - 13, self.inside, extent)
        else:
            canvas.line(0, 0, 0, 12)
        left = 0.8 * far if near else far + 4 * MM
        room = width + begin - left
        self.text.paint(canvas, left, far if near else self.text.height_at(room), room)
        canvas.restoreState()


def _curved(canvas: Canvas, radius: float, text: str, spread: float) -> None:
    """Draws letters along an arc around the origin, in the middle of ``spread`` degrees from the
    right."""
    style = _SIXTH._replace(size=11, ink=inks.ACCENT, align="centre")
    wide = [line_width(letter, style) + 1.2 if letter.strip() else 4.5 for letter in text]
    turn = spread / 2 + math.degrees(math.fsum(wide) / radius) / 2
    for letter, taken in zip(text, wide, strict=True):
        half = math.degrees(taken / radius) / 2
        turn -= half
        canvas.saveState()
        angle = math.radians(turn)
        canvas.translate(radius * math.cos(angle), radius * math.sin(angle))
        canvas.rotate(turn - 90)
        if letter.strip():
            write(canvas, 0, 0, letter, style)
        canvas.restoreState()
        turn -= half


class Foxhole(Drawing):
    WIDE = 1.6 * INCH
    BAGS = 26

    def height_at(self, width: float) -> float:
        return self.WIDE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.WIDE
        canvas.pen(inks.BLACK, NORMAL, inks.PANEL)
        canvas.ellipse(x, low, x + LONG, top, stroke=1, fill=1)
        middle, centre = x + LONG / 2, low + self.WIDE / 2
        across, deep = LONG / 2 - 12, self.WIDE / 2 - 12
        canvas.setLineWidth(THIN)
        canvas.setFillColor(inks.WHITE)
        oval = [(middle + across * math.cos(turn), centre + deep * math.sin(turn))
                for turn in (math.tau * step / ROUND for step in range(ROUND))]  # fmt: skip
        apart = plane.length(oval, closed=True) / self.BAGS
        for at, heading in plane.stations(oval, apart, closed=True):
            canvas.saveState()
            canvas.translate(*at)
            canvas.rotate(math.degrees(heading))
            canvas.roundRect(-11, -6, 22, 12, 4.5, stroke=1, fill=1)
            canvas.restoreState()
        canvas.setFillColor(inks.WHITE)
        canvas.ellipse(x + 22, low + 22, x + LONG - 22, top - 22, stroke=1, fill=1)
        write(canvas, middle, centre - 2.4, "FOXHOLE", _WORD, track=0.6)


class Sandbags(Drawing):
    WIDE = 0.75 * INCH
    ROWS = 3

    def height_at(self, width: float) -> float:
        return self.WIDE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.WIDE
        canvas.pen(inks.FAINT, HAIR)
        canvas.rect(x, low, LONG, self.WIDE, fill=0)
        canvas.pen(inks.BLACK, THIN)
        bags, edge = 11, 4.0
        long, deep = (LONG - 2 * edge) / (bags + 0.5), (self.WIDE - 2 * edge) / self.ROWS
        for row in range(self.ROWS):
            for bag in range(bags):
                left = x + edge + (bag + 0.5 * (row % 2)) * long
                canvas.setFillColor(inks.PANEL if (bag + row) % 3 == 0 else inks.WHITE)
                bottom = low + edge + row * deep
                canvas.roundRect(left + 0.6, bottom + 0.6, long - 1.2, deep - 1.2, 5, 1, 1)


class Wire(Drawing):
    WIDE = 0.5 * INCH
    COILS = 14
    LOOP = 13.0
    """The swing of a coil to either side of the wire, in points."""

    def __init__(self, count: int) -> None:
        self.count = count

    def height_at(self, width: float) -> float:
        return LONG

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for number in range(self.count):
            left = x + number * self.WIDE
            canvas.pen(inks.FAINT, HAIR)
            canvas.rect(left, top - LONG, self.WIDE, LONG, fill=0)
            self._coils(canvas, left + self.WIDE / 2, top - LONG)

    def _coils(self, canvas: Canvas, middle: float, low: float) -> None:
        canvas.pen(inks.BLACK, NORMAL)
        radius, base = 0.34 * self.WIDE, low + 2 + self.LOOP
        rise = (LONG - 4 - 2 * self.LOOP) / self.COILS
        coil = [(middle + radius * math.cos(turn), base + self.LOOP * math.sin(turn) + rise * step)
                for step in (number / STEPS for number in range(self.COILS * STEPS + 1))
                for turn in (math.tau * step,)]  # fmt: skip
        canvas.shape(*coil, closed=False)
        for barb in range(2 * self.COILS + 1):
            at, y = middle + radius * (-1) ** barb, base + rise * barb / 2
            canvas.line(at - 2.2, y - 2.2, at + 2.2, y + 2.2)
            canvas.line(at - 2.2, y + 2.2, at + 2.2, y - 2.2)
