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
from typing import NamedTuple, TypeAlias

from skirmish.sheets.inks import Ink
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import Face
from skirmish.sheets.maps.palette import MapPalette
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Path, Point, Rectangle

_STROKE_AND_CLIP = 5
"""The PDF text rendering mode: stroke and clip."""
_RISE = 0.34
"""The distance from the baseline to the middle of the capitals, as a share of the type size."""
CAPITALS = 0.74
"""The height of what is read of capitals and figures, as a share of the type size."""


TablePoint: TypeAlias = Point
"""Inches on the table, from its lower left corner."""
PaperPoint: TypeAlias = Point
"""Points on the paper, from the canvas's origin."""


class Written(NamedTuple):
    """A label on the paper: its corners, and the upright rectangle around them, in points."""

    text: str
    box: Rectangle
    corners: tuple[PaperPoint, ...]


class Lettering(NamedTuple):
    """Words in one line: what each face prints of them, their size, the space between their letters
    and the width of all, in points."""

    runs: tuple[tuple[Face, str], ...]
    size: float
    track: float
    width: float

    @property
    def begin(self) -> PaperPoint:
        """Where their baseline begins, if their middle is the origin."""
        return -self.width / 2, -self.size * _RISE


class Pen:
    """Draws a table on the paper. ``x`` and ``y`` are the table's lower left corner on the paper in
    points, ``scale`` the points to an inch of the table. ``written`` collects the labels."""

    def __init__(
        self, canvas: Canvas, x: float, y: float, scale: float, palette: MapPalette
    ) -> None:
        self.canvas, self.x, self.y, self.scale, self.inks = canvas, x, y, scale, palette
        self.written: list[Written] = []

    def on_paper(self, point: TablePoint) -> PaperPoint:
        """Where a place of the table is on the paper."""
        return self.x + point[0] * self.scale, self.y + point[1] * self.scale

    def traced(self, path: Path, *, closed: bool = False) -> Trace:
        """A path of the table on the paper."""
        trace = Trace()
        trace.run(map(self.on_paper, path), closed=closed)
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
        """Draws lines in their ink and fills them; without an ink they are only filled."""
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

    def fill(self, path: Path, filling: Ink, edge: Ink | None = None, weight: float = 0.5) -> None:
        """Fills an outline of the table, and draws its ``edge`` if that has an ink."""
        self.draw(self.traced(path, closed=True), edge, weight, fill=filling)

    def stroke(
        self,
        path: Path,
        ink: Ink,
        weight: float,
        *,
        closed: bool = False,
        dash: Sequence[float] = (),
        round_ends: bool = True,
    ) -> None:
        """Draws a line on the table; ``weight`` and ``dash`` in points."""
        lines = self.traced(path, closed=closed)
        self.draw(lines, ink, weight, dash=dash, round_ends=round_ends)

    @contextmanager
    def within(self, path: Path) -> Iterator[None]:
        """What is drawn meanwhile is cut off at an outline of the table."""
        self.canvas.saveState()
        self.canvas.clipPath(self.traced(path, closed=True), stroke=0, fill=0)
        try:
            yield
        finally:
            self.canvas.restoreState()

    def hatch(self, path: Path, ink: Ink, gap: float, angle: float, weight: float) -> None:
        """Parallel lines inside an outline; ``gap`` and ``weight`` in points."""
        around = plane.box([self.on_paper(point) for point in path])
        middle = (around.left + around.right) / 2, (around.bottom + around.top) / 2
        reach = math.dist((around.left, around.bottom), (around.right, around.top)) / 2 + gap
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        # Long enough lines around the middle, whatever their angle; the outline cuts them off.
        lines = Trace()
        for step in range(-int(reach / gap) - 1, int(reach / gap) + 2):
            x, y = middle[0] - sin * step * gap, middle[1] + cos * step * gap
            lines.run(((x - cos * reach, y - sin * reach), (x + cos * reach, y + sin * reach)))
        with self.within(path):
            self.draw(lines, ink, weight, round_ends=False)

    def ticks(
        self, lines: Iterable[tuple[PaperPoint, PaperPoint]], ink: Ink, weight: float
    ) -> None:
        """Draws short lines on the paper, each from one end to the other."""
        trace = Trace()
        for ends in lines:
            trace.run(ends)
        self.draw(trace, ink, weight)

    def stipple(self, places: Iterable[TablePoint], ink: Ink, size: float) -> None:
        """Draws a dot of ``size`` points at each place of the table: a line without length, whose
        round ends meet."""
        dots = Trace()
        for place in places:
            dot = self.on_paper(place)
            dots.run((dot, dot))
        self.draw(dots, ink, size)

    def polygon(
        self,
        corners: Sequence[PaperPoint],
        filling: Ink,
        edge: Ink | None = None,
        weight: float = 0.9,
    ) -> None:
        """Draws a shape in points of the paper, relative to the canvas's origin."""
        shape = Trace()
        shape.run(corners, closed=True)
        self.draw(shape, edge, weight, fill=filling)

    @contextmanager
    def standing(self, place: TablePoint, turn: float = 0) -> Iterator[Canvas]:
        """Moves the canvas's origin to a place of the table and turns it by degrees."""
        self.canvas.saveState()
        self.canvas.translate(*self.on_paper(place))
        self.canvas.rotate(turn)
        try:
            yield self.canvas
        finally:
            self.canvas.restoreState()

    def write(
        self,
        text: str,
        middle: PaperPoint,
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
        wide = fonts.width(text, face, size) + track * max(0, len(text) - 1)
        canvas = self.canvas
        canvas.saveState()  # the mode, the spacing and the clip outlive a text
        canvas.translate(*middle)
        canvas.rotate(turn)
        self._letter(Lettering(fonts.runs(text, face), size, track, wide), ink, halo=halo)
        canvas.restoreState()
        # What is read is as high as capitals, not as the type size.
        corners = plane.oblong(middle, wide, size * CAPITALS, turn)
        self.written.append(Written(text, plane.box(corners), tuple(corners)))

    def _letter(self, lettering: Lettering, ink: Ink, *, halo: bool) -> None:
        """Draws words around the canvas's origin."""
        canvas, size, wide = self.canvas, lettering.size, lettering.width
        words = canvas.beginText(*lettering.begin)
        words.setCharSpace(lettering.track)
        if halo:
            canvas.pen(self.inks.halo, self.inks.halo_weight)
            canvas.setLineJoin(1)
            words.setTextRenderMode(_STROKE_AND_CLIP)
        else:
            words.setFillColor(ink)
        for name, part in lettering.runs:
            words.setFont(name, size)
            words.textOut(part)
        canvas.drawText(words)
        if halo:
            canvas.setFillColor(ink)
            canvas.rect(-wide / 2 - size, -size, wide + 2 * size, 2 * size, stroke=0, fill=1)

    def seeded_by(self, path: Path) -> random.Random:
        """Random numbers that are the same whenever the same path is drawn."""
        # A checksum of the path: ``hash`` of a text differs from one run of Python to the next.
        coordinates = repr([tuple(point) for point in path])
        return random.Random(zlib.crc32(coordinates.encode()))


class Trace:
    """A path in points of the paper, rounded to tenths; ``drawPath`` accepts it."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def run(self, points: Iterable[Point], *, closed: bool = False) -> None:
        """Adds a run of lines through the points."""
        operator = "m"  # of the format: move to the first, draw a line to all others
        for x, y in points:
            self._parts.append(f"{x:.1f} {y:.1f} {operator}")
            operator = "l"
        if closed:
            self._parts.append("h")

    def getCode(self) -> str:  # noqa: N802  (the PDF library asks for it)
        """The strokes so far, as the PDF library asks for them."""
        return " ".join(self._parts)
