"""A pen that takes inches on the table and draws points on the paper.

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
from skirmish.sheets.layout.fonts import Face, TextRun
from skirmish.sheets.maps.palette import MapPalette
from skirmish.tabletop import plane
from skirmish.tabletop.plane import Path, Point, Rectangle

_STROKE_AND_CLIP = 5
"""The mode of the PDF format in which letters are stroked, and then clip what is drawn."""
SHARP, ROUND = 0, 1
"""How lines meet, by the numbers of the PDF format."""
_CUT_OFF_ENDS, _ROUND_ENDS = 0, 1
"""How lines end, by the numbers of the PDF format."""
_HALF_CAPITALS = 0.34
"""The distance from the baseline to the middle of the capitals, as a share of the type size."""
CAPITALS = 0.74
"""The height of capitals and figures with a little air, as a share of the type size."""

TablePoint: TypeAlias = Point
"""Inches on the table, from its lower left corner."""
PaperPoint: TypeAlias = Point
"""Points on the paper, from the canvas's origin."""
TableSize: TypeAlias = tuple[float, float]
"""Inches across and upward."""


class WrittenWords(NamedTuple):
    """Words on the paper: the four corners of their line, which may be turned, and the upright
    rectangle around these (``box``)."""

    text: str
    box: Rectangle
    corners: tuple[PaperPoint, ...]


class Lettering(NamedTuple):
    """Words in one line: what each typeface prints of them, their type size, the space added
    between their letters (``track``), and the width of all of them, in points."""

    runs: tuple[TextRun, ...]
    size: float
    track: float
    width: float

    @property
    def baseline_start(self) -> PaperPoint:
        """The left end of their baseline, where their middle is at the origin."""
        return -self.width / 2, -self.size * _HALF_CAPITALS


class Pen:
    """Draws a table on the paper. ``x`` and ``y`` are the table's lower left corner on the paper in
    points, ``scale`` the points to an inch of the table, ``inks`` the palette. ``written_words``
    collects what is written, so that nothing else is put there."""

    def __init__(
        self, canvas: Canvas, x: float, y: float, scale: float, palette: MapPalette
    ) -> None:
        self.canvas, self.x, self.y, self.scale, self.inks = canvas, x, y, scale, palette
        self.written_words: list[WrittenWords] = []

    def on_paper(self, point: TablePoint) -> PaperPoint:
        """Where a point of the table is on the paper."""
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
        """Draws lines in their ink, and fills them if there is a ``fill``; without an ink they are
        only filled."""
        canvas = self.canvas
        canvas.saveState()
        canvas.setLineJoin(ROUND)
        if round_ends:
            canvas.setLineCap(_ROUND_ENDS)
        else:
            canvas.setLineCap(_CUT_OFF_ENDS)
        if ink is not None:
            canvas.pen(ink, weight)
        if fill is not None:
            canvas.setFillColor(fill)
        if dash:
            canvas.setDash(list(dash))
        # The PDF library takes numbers, 1 for yes and 0 for no.
        has_stroke, has_fill = int(ink is not None), int(fill is not None)
        canvas.drawPath(lines, stroke=has_stroke, fill=has_fill)
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
    def clipped_to(self, path: Path) -> Iterator[None]:
        """Within ``with``, what is drawn is cut off at an outline on the table."""
        self.canvas.saveState()
        self.canvas.clipPath(self.traced(path, closed=True), stroke=0, fill=0)
        try:
            yield
        finally:
            self.canvas.restoreState()

    def hatch(self, path: Path, ink: Ink, gap: float, angle: float, weight: float) -> None:
        """Parallel lines inside an outline, turned by ``angle`` degrees; ``gap`` and ``weight`` in
        points."""
        box = plane.box([self.on_paper(point) for point in path])
        middle_x, middle_y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
        # Each line extends to either side of its middle by half the diagonal of the box and a gap:
        # so it reaches beyond the box at any angle. The outline cuts it off.
        reach = math.dist((box.left, box.bottom), (box.right, box.top)) / 2 + gap
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        lines_to_either_side = int(reach / gap) + 1  # rounded up
        lines = Trace()
        for number in range(-lines_to_either_side, lines_to_either_side + 1):
            # The middle of the line, so many gaps away from that of the box.
            x, y = middle_x - sin * number * gap, middle_y + cos * number * gap
            lines.run(((x - cos * reach, y - sin * reach), (x + cos * reach, y + sin * reach)))
        with self.clipped_to(path):
            self.draw(lines, ink, weight, round_ends=False)

    def short_lines(
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
        """Draws a filled shape, whose corners are points on the paper from the canvas's origin."""
        shape = Trace()
        shape.run(corners, closed=True)
        self.draw(shape, edge, weight, fill=filling)

    @contextmanager
    def origin_at(self, place: TablePoint, turn: float = 0) -> Iterator[Canvas]:
        """Within ``with``, the canvas's origin is at a place of the table, and the canvas is turned
        by ``turn`` degrees."""
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
        """Draws words around a ``middle`` on the paper, turned by ``turn`` degrees, with ``track``
        points added between their letters and a white ``halo`` around them."""
        spaces_between_letters = max(0, len(text) - 1)
        wide = fonts.width(text, face, size) + track * spaces_between_letters
        canvas = self.canvas
        # Otherwise the mode, the track and the clip would hold for whatever is drawn after this.
        canvas.saveState()
        canvas.translate(*middle)
        canvas.rotate(turn)
        self._letter(Lettering(fonts.runs(text, face), size, track, wide), ink, halo=halo)
        canvas.restoreState()
        # They are as high as capitals, not as the type size.
        corners = plane.oblong(middle, wide, size * CAPITALS, turn)
        self.written_words.append(WrittenWords(text, plane.box(corners), tuple(corners)))

    def _letter(self, lettering: Lettering, ink: Ink, *, halo: bool) -> None:
        """Draws words around the canvas's origin.

        Halo and ink are one text, so that searching and copying find it once: the letters are
        stroked in white and clip what follows, a rectangle of ink over all of them.
        """
        canvas, size, wide = self.canvas, lettering.size, lettering.width
        words = canvas.beginText(*lettering.baseline_start)
        words.setCharSpace(lettering.track)
        if halo:
            canvas.pen(self.inks.halo, self.inks.halo_weight)
            canvas.setLineJoin(ROUND)
            words.setTextRenderMode(_STROKE_AND_CLIP)
        else:
            words.setFillColor(ink)
        for face, part in lettering.runs:
            words.setFont(face, size)
            words.textOut(part)
        canvas.drawText(words)
        if halo:
            # Larger than the words: the letters cut it off.
            canvas.setFillColor(ink)
            canvas.rect(-wide / 2 - size, -size, wide + 2 * size, 2 * size, stroke=0, fill=1)

    def seeded_by(self, path: Path) -> random.Random:
        """Random numbers that are the same whenever the same path is drawn."""
        # The points as tuples, so that their text is the same whatever sequences they are. A
        # checksum of it, since ``hash`` of a text differs from one run of Python to the next.
        coordinates = repr([tuple(point) for point in path])
        return random.Random(zlib.crc32(coordinates.encode()))


class Trace:
    """A path in points on the paper, rounded to tenths, which keeps the file small. The canvas
    draws it as one of its own paths, since it has ``getCode``."""

    def __init__(self) -> None:
        self._parts: list[str] = []

    def run(self, points: Iterable[Point], *, closed: bool = False) -> None:
        """Adds a run of lines through the points."""
        # The operators of the PDF format: move to the first point, draw a line to each other one,
        # and close the path (h).
        operator = "m"
        for x, y in points:
            self._parts.append(f"{x:.1f} {y:.1f} {operator}")
            operator = "l"
        if closed:
            self._parts.append("h")

    def getCode(self) -> str:  # noqa: N802  (the PDF library asks for it)
        """All runs so far, in the operators of the PDF format."""
        return " ".join(self._parts)
