"""Works to lay on the table: foxholes, sandbag lines and segments of wire, four inches long."""

from __future__ import annotations

import math
from itertools import pairwise

from skirmish.sheets.faces import LABEL
from skirmish.sheets.ink import BLACK, CODE, FAINT, HAIR, NORMAL, PANEL, THIN, WHITE
from skirmish.sheets.markers_strip import INCH
from skirmish.sheets.piece import Canvas, Piece
from skirmish.sheets.words import SMALLEST, Style, write

LONG = 4 * INCH
"""How long a work is; the rules say "about"."""
STEPS = 20
"""Straight lines to a coil of wire."""
_WORD = Style(LABEL, SMALLEST, SMALLEST, "centre", CODE)


class Foxhole(Piece):
    """An oval, to be cut out along its edge; sandbags stand all around."""

    WIDE = 1.6 * INCH
    BAGS = 26

    def height(self, width: float) -> float:
        """As deep as it is."""
        return self.WIDE

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws edge, bags and hole."""
        low = top - self.WIDE
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(NORMAL)
        canvas.setFillColor(PANEL)
        canvas.ellipse(x, low, x + LONG, top, stroke=1, fill=1)
        middle, centre = x + LONG / 2, low + self.WIDE / 2
        across, deep = LONG / 2 - 12, self.WIDE / 2 - 12
        canvas.setLineWidth(THIN)
        canvas.setFillColor(WHITE)
        for turn in _even_turns(across, deep, self.BAGS):
            canvas.saveState()
            canvas.translate(middle + across * math.cos(turn), centre + deep * math.sin(turn))
            lean = math.atan2(deep * math.cos(turn), -across * math.sin(turn))
            canvas.rotate(math.degrees(lean))
            canvas.roundRect(-11, -6, 22, 12, 4.5, stroke=1, fill=1)
            canvas.restoreState()
        canvas.setFillColor(WHITE)
        canvas.ellipse(x + 22, low + 22, x + LONG - 22, top - 22, stroke=1, fill=1)
        write(canvas, middle, centre - 2.4, "FOXHOLE", _WORD, track=0.6)


class Sandbags(Piece):
    """A line of sandbags, two rows deep."""

    WIDE = 0.75 * INCH
    ROWS = 3

    def height(self, width: float) -> float:
        """As deep as it is."""
        return self.WIDE

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the cut line and the bags, row upon row."""
        low = top - self.WIDE
        canvas.setStrokeColor(FAINT)
        canvas.setLineWidth(HAIR)
        canvas.rect(x, low, LONG, self.WIDE, fill=0)
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(THIN)
        bags, edge = 11, 4.0
        long, deep = (LONG - 2 * edge) / (bags + 0.5), (self.WIDE - 2 * edge) / self.ROWS
        for row in range(self.ROWS):
            for bag in range(bags):
                left = x + edge + (bag + 0.5 * (row % 2)) * long
                canvas.setFillColor(PANEL if (bag + row) % 3 == 0 else WHITE)
                bottom = low + edge + row * deep
                canvas.roundRect(left + 0.6, bottom + 0.6, long - 1.2, deep - 1.2, 5, 1, 1)


class Wire(Piece):
    """Segments of barbed wire, upright and side by side."""

    WIDE = 0.5 * INCH
    COILS = 14
    LOOP = 13.0
    """How far a coil swings back and forth along the wire, in points."""

    def __init__(self, count: int) -> None:
        self.count = count

    def height(self, width: float) -> float:
        """As long as they are."""
        return LONG

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the cut lines, then the coils of each."""
        for number in range(self.count):
            left = x + number * self.WIDE
            canvas.setStrokeColor(FAINT)
            canvas.setLineWidth(HAIR)
            canvas.rect(left, top - LONG, self.WIDE, LONG, fill=0)
            self._coils(canvas, left + self.WIDE / 2, top - LONG)

    def _coils(self, canvas: Canvas, middle: float, low: float) -> None:
        """One wire that winds its way up; barbs at its outermost points."""
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(NORMAL)
        radius = 0.34 * self.WIDE
        rise = (LONG - 4 - 2 * self.LOOP) / self.COILS
        path = canvas.beginPath()
        path.moveTo(middle + radius, low + 2 + self.LOOP)
        for step in range(1, self.COILS * STEPS + 1):
            turn = 2 * math.pi * step / STEPS
            y = low + 2 + self.LOOP * (1 + math.sin(turn)) + rise * step / STEPS
            path.lineTo(middle + radius * math.cos(turn), y)
        canvas.drawPath(path, fill=0)
        for coil in range(2 * self.COILS + 1):
            at = middle + (radius if coil % 2 == 0 else -radius)
            y = low + 2 + self.LOOP + rise * coil / 2
            canvas.line(at - 2.2, y - 2.2, at + 2.2, y + 2.2)
            canvas.line(at - 2.2, y + 2.2, at + 2.2, y - 2.2)


def _even_turns(across: float, deep: float, count: int) -> list[float]:
    """Angles whose points on an oval stand equally far apart along its edge."""
    steps = 2000
    angles = [2 * math.pi * step / steps for step in range(steps + 1)]
    points = [(across * math.cos(angle), deep * math.sin(angle)) for angle in angles]
    gone = [0.0]
    for before, after in pairwise(points):
        gone.append(gone[-1] + math.dist(before, after))
    found, at = [], 0
    for index in range(count):
        while gone[at] < gone[-1] * index / count:
            at += 1
        found.append(angles[at])
    return found
