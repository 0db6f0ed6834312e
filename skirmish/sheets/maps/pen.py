"""A pen that takes inches of the table and draws points on the paper.

Nothing is transparent or a bitmap: every texture is a pattern of lines within an outline, with its
random numbers seeded by the place, so that the same map gives the same bytes.
"""

from __future__ import annotations

import math
import random
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from skirmish.sheets.inks import Ink
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import Face
from skirmish.sheets.maps.palette import MapPalette
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Path, Point, Rectangle

HALO = 2.0
_STROKE_AND_CLIP = 5
"""The PDF text rendering mode: stroke and clip."""
_RISE = 0.34
"""The distance from the baseline to the middle of the capitals, as a share of the type size."""


class Written(NamedTuple):
    text: str
    box: Rectangle
    corners: tuple[Point, ...]


class Pen:
    """``x`` and ``y`` are the table's lower left corner on the paper in points, ``scale`` the
    points to an inch of the table. ``written`` collects the labels."""

    def __init__(
        self, canvas: Canvas, x: float, y: float, scale: float, palette: MapPalette
    ) -> None:
        self.canvas, self.x, self.y, self.scale, self.inks = canvas, x, y, scale, palette
        self.written: list[Written] = []

    def at(self, point: Point) -> Point:
        return self.x + point[0] * self.scale, self.y + point[1] * self.scale

    def traced(self, path: Path, *, closed: bool = False) -> Trace:
        trace = Trace()
        trace.run(map(self.at, path), closed=closed)
        return trace

    def draw(
        self,
        lines: Trace,
        ink: Ink | None,
        weight: float = 0.5,
        *,
        fill: Ink | None = None,
        dash: Sequence[float] = (),
        round_ends: bool = True,
    ) -> None:
        canvas = self.canvas
        canvas.saveState()
        canvas.setLineJoin(1)
        canvas.setLineCap(int(round_ends))
        if ink is not None:
            canvas.pen(ink, weight)
        if fill is not None:
            canvas.setFillColor(fill)
        if dash:
            canvas.setDash(list(dash))
        canvas.drawPath(lines, stroke=int(ink is not None), fill=int(fill is not None))
        canvas.restoreState()

    def fill(self, path: Path, ink: Ink, edge: Ink | None = None, weight: float = 0.5) -> None:
        self.draw(self.traced(path, closed=True), edge, weight, fill=ink)

    def stroke(
        self, path: Path, ink: Ink, weight: float, *, closed: bool = False, **how: Any
    ) -> None:
        self.draw(self.traced(path, closed=closed), ink, weight, **how)

    @contextmanager
    def within(self, path: Path) -> Iterator[None]:
        self.canvas.saveState()
        self.canvas.clipPath(self.traced(path, closed=True), stroke=0, fill=0)
        try:
            yield
        finally:
            self.canvas.restoreState()

    def hatch(self, path: Path, ink: Ink, gap: float, angle: float, weight: float) -> None:
        """Parallel lines inside an outline; ``gap`` and ``weight`` in points."""
        around = plane.box([self.at(point) for point in path])
        middle = (around.left + around.right) / 2, (around.bottom + around.top) / 2
        reach = math.dist((around.left, around.bottom), (around.right, around.top)) / 2 + gap
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        lines = Trace()
        for step in range(-int(reach / gap) - 1, int(reach / gap) + 2):
            x, y = middle[0] - sin * step * gap, middle[1] + cos * step * gap
            lines.run(((x - cos * reach, y - sin * reach), (x + cos * reach, y + sin * reach)))
        with self.within(path):
            self.draw(lines, ink, weight, round_ends=False)

    def ticks(self, places: Iterable[tuple[Point, Point]], ink: Ink, weight: float) -> None:
        lines = Trace()
        for ends in places:
            lines.run(ends)
        self.draw(lines, ink, weight)

    def stipple(self, places: Iterable[Point], ink: Ink, size: float) -> None:
        dots = Trace()
        for place in map(self.at, places):
            dots.run((place, place))
        self.draw(dots, ink, size)

    def polygon(
        self, corners: Sequence[Point], ink: Ink, edge: Ink | None = None, weight: float = 0.9
    ) -> None:
        """Draws a shape in points of the paper, relative to the canvas's origin."""
        shape = Trace()
        shape.run(corners, closed=True)
        self.draw(shape, edge, weight, fill=ink)

    @contextmanager
    def standing(self, at: Point, turn: float = 0) -> Iterator[Canvas]:
        """Moves the canvas's origin to a place of the table and turns it by degrees."""
        self.canvas.saveState()
        self.canvas.translate(*self.at(at))
        self.canvas.rotate(turn)
        try:
            yield self.canvas
        finally:
            self.canvas.restoreState()

    def write(
        self,
        text: str,
        middle: Point,
        face: Face,
        size: float,
        ink: Ink,
        *,
        turn: float = 0,
        track: float = 0,
        halo: bool = True,
    ) -> None:
        """Draws words around a place of the paper (points), with a white halo.

        Halo and ink are one text, so that searching and copying find it once: the letters are
        stroked in white and become a clip, which is then filled with ink.
        """
        parts = fonts.runs(text, face)
        wide = fonts.width(text, face, size) + track * max(0, len(text) - 1)
        canvas = self.canvas
        canvas.saveState()  # the mode, the spacing and the clip outlive a text
        canvas.translate(*middle)
        canvas.rotate(turn)
        words = canvas.beginText(-wide / 2, -size * _RISE)
        words.setCharSpace(track)
        if halo:
            canvas.pen(self.inks.halo, HALO)
            canvas.setLineJoin(1)
            words.setTextRenderMode(_STROKE_AND_CLIP)
        else:
            words.setFillColor(ink)
        for name, part in parts:
            words.setFont(name, size)
            words.textOut(part)
        canvas.drawText(words)
        if halo:
            canvas.setFillColor(ink)
            canvas.rect(-wide / 2 - size, -size, wide + 2 * size, 2 * size, stroke=0, fill=1)
        canvas.restoreState()
        corners = plane.oblong(middle, wide, size * 0.74, turn)
        self.written.append(Written(text, plane.box(corners), tuple(corners)))

    def chance(self, path: Path) -> random.Random:
        return random.Random(zlib.crc32(repr([tuple(point) for point in path]).encode()))


class Trace:
    """A path in points of the paper, rounded to tenths; ``drawPath`` accepts it."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def run(self, points: Iterable[Point], *, closed: bool = False) -> None:
        sign = "m"
        for x, y in points:
            self._parts.append(f"{x:.1f} {y:.1f} {sign}")
            sign = "l"
        if closed:
            self._parts.append("h")

    def getCode(self) -> str:  # noqa: N802  (the PDF library asks for it)
        return " ".join(self._parts)
