"""Range sticks, rings around a man or a vehicle, and works (fortifications) for the table, all at
true scale. Within a drawing, numbers without a name are points, chosen by eye."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import line_width, write
from skirmish.sheets.paper import HAIR, INCH, MM, NORMAL, THIN
from skirmish.tabletop import plane
from skirmish.tabletop.measure import inches

_NUMBER = Style(LABEL, 9, 9)
_LARGE_NUMBER = Style(HEAD, 13, 13)
"""The type of what stands out: the length of a stick, each sixth inch, the title of a ring."""
_STICK_LABEL = Style(MEDIUM, 8.4, 8.4, ink=inks.QUIET)
_END_BAR_NUMBER = Style(HEAD, 12, 12, "centre", inks.WHITE)
_GLUE = Style(MEDIUM, SMALLEST, SMALLEST, "centre", inks.QUIET)
_TEXT = Style(MEDIUM, 8.4, 10)
WORK_LENGTH = 4 * INCH
"""The length of every work."""
COIL_STEPS = 20
"""Line segments per coil of wire."""
OVAL_STEPS = 240
"""Line segments per oval."""
_WORK_NAME = Style(LABEL, SMALLEST, SMALLEST, "centre", inks.QUIET)


class StickPart(NamedTuple):
    """A piece of a stick ``whole`` inches long: its inches from ``begin`` to ``end``. ``label``:
    what has that range."""

    whole: int
    begin: int
    end: int
    label: str

    @property
    def length(self) -> int:
        """The inches that the piece is long."""
        return self.end - self.begin


class Sticks(Drawing):
    """Pieces of range sticks, upright, zero at the top. All but the last piece of a stick have a
    flap to glue."""

    WIDE = 0.7 * INCH
    """The width of a piece."""
    FLAP = 0.3 * INCH
    """The length of the flap below a piece, which is glued under the next one."""
    APART = 5.0
    """Points between two pieces."""
    ABOVE = 16.0
    """The room above a stick, where its whole distance is written."""
    END_BAR = 0.3
    """Inches of the last piece that are a bar with the whole distance."""
    EDGE = 5.0
    """The width of the left edge, which alternates black and white by the inch."""

    def __init__(self, parts: Sequence[StickPart]) -> None:
        self.parts = tuple(parts)

    def height_at(self, width: float) -> float:
        longest = max(part.length for part in self.parts) * INCH
        return self.ABOVE + longest + self.FLAP

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left = x
        for index, part in enumerate(self.parts):
            # Pieces of a stick touch, sticks stand apart.
            if index > 0 and part.begin == 0:
                left += self.APART
            self._paint_piece(canvas, left, top - self.ABOVE, part)
            left += self.WIDE

    def _paint_piece(self, canvas: Canvas, x: float, top: float, part: StickPart) -> None:
        """A piece with its upper left corner at ``x`` and ``top``, and the whole distance above the
        first piece of a stick."""
        if part.begin == 0:
            write(canvas, x, top + 4, inches(part.whole), _LARGE_NUMBER)
        long = part.length * INCH
        low = top - long
        canvas.pen(inks.BLACK, THIN)
        if part.end < part.whole:
            self._paint_flap(canvas, x, low)
        canvas.rect(x, low, self.WIDE, long, fill=0)
        if part.end == part.whole:  # the last piece ends in a bar with the whole distance
            with canvas.bar(x, low, self.WIDE, self.END_BAR * INCH, inks.BAND):
                write(canvas, x + self.WIDE / 2, low + 7, inches(part.whole), _END_BAR_NUMBER)
        self._paint_edge(canvas, x, top, part)
        for half_inch in range(1, 2 * part.length):
            distance = part.begin + half_inch / 2
            self._paint_mark(canvas, x, top - half_inch * INCH / 2, distance, part.whole)
        self._paint_label(canvas, x, top, part)

    def _paint_edge(self, canvas: Canvas, x: float, top: float, part: StickPart) -> None:
        """The black inches: the first of the whole stick, the third, and so on."""
        canvas.setFillColor(inks.BLACK)
        # An inch has the number of its upper end, from 0: those with even numbers are black.
        first_even = part.begin + part.begin % 2
        for inch in range(first_even, part.end, 2):
            lower_end = inch + 1
            y = top - (lower_end - part.begin) * INCH
            canvas.rect(x, y, self.EDGE, INCH, stroke=0, fill=1)

    def _paint_label(self, canvas: Canvas, x: float, top: float, part: StickPart) -> None:
        """What has that range, along the piece; before it the inches of a piece of several."""
        label = part.label
        if part.length < part.whole:
            label = f"{part.begin} to {inches(part.end)}. {label}"
        canvas.saveState()
        canvas.translate(x + 0.74 * self.WIDE, top - 0.15 * INCH)
        canvas.rotate(-90)
        write(canvas, 0, 0, label, _STICK_LABEL)
        canvas.restoreState()

    def _paint_flap(self, canvas: Canvas, x: float, low: float) -> None:
        canvas.saveState()
        canvas.setDash([2, 2])
        canvas.setLineWidth(HAIR)
        canvas.rect(x + 3, low - self.FLAP, self.WIDE - 6, self.FLAP, fill=0)
        canvas.restoreState()
        write(canvas, x + self.WIDE / 2, low - 0.5 * self.FLAP - 2, "GLUE UNDER", _GLUE)

    def _paint_mark(self, canvas: Canvas, x: float, y: float, distance: float, whole: int) -> None:
        """The line at a distance in inches, longer at whole inches and at each sixth; its number
        unless it would be in the bar at the end."""
        is_whole_inch = distance == int(distance)
        # The ranges of the rules are multiples of six inches.
        is_sixth_inch = distance % 6 == 0
        inches_long, weight, number_style = 0.1, THIN, _NUMBER
        if is_sixth_inch:
            inches_long, weight, number_style = 0.4, 1.4, _LARGE_NUMBER
        elif is_whole_inch:
            inches_long = 0.22
        canvas.pen(inks.BLACK, weight)
        canvas.line(x, y, x + INCH * inches_long, y)
        if is_whole_inch and whole - distance > self.END_BAR:
            write(canvas, x + self.EDGE + 2.5, y + 2.4, f"{distance:g}", number_style)


class RingTemplate(Drawing):
    """A part of a ring with a radius of ``reach`` inches, with its ``title`` along the edge and a
    ``text`` beside it. With an ``inner`` ring of so many inches it is a quarter whose corner is put
    on a man, and the word ``inside`` is for those within the inner ring. With 0 it is half a ring
    whose middle is put at the edge of a vehicle."""

    def __init__(self, reach: int, title: str, text: str, inner: int = 0, inside: str = "") -> None:
        self.reach, self.inner = reach, inner
        self.title, self.inside = title, inside
        self.text = paragraph(text, _TEXT)

    def height_at(self, width: float) -> float:
        return self.reach * INCH

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        if self.inner:
            self._paint_quarter(canvas, x, top, width)
        else:
            self._paint_half(canvas, x, top, width)

    def _paint_quarter(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The man stands at the lower left corner."""
        far, near = self.reach * INCH, self.inner * INCH
        canvas.saveState()
        canvas.translate(x, top - far)
        self._paint_outline(canvas, 0, 90)
        for inch in range(1, self.reach):
            self._paint_arc(canvas, inch, 90)
            distance = inch * INCH
            canvas.line(0, distance, 7, distance)
            write(canvas, 3, distance - 9.5, str(inch), _NUMBER)
        _write_curved(canvas, far - 17, self.title, 90)
        _write_curved(canvas, near - 13, self.inside, 90)
        left = 0.8 * far
        self.text.paint(canvas, left, far, width - left)
        canvas.restoreState()

    def _paint_half(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The vehicle stands below the middle of the straight edge."""
        far = self.reach * INCH
        canvas.saveState()
        canvas.translate(x + far, top - far)
        self._paint_outline(canvas, far, 180)
        for inch in range(1, self.reach):
            self._paint_arc(canvas, inch, 180)
            distance = inch * INCH
            canvas.line(-distance, 0, -distance, 7)
            write(canvas, 3 - distance, 3, str(inch), _NUMBER)
        _write_curved(canvas, far - 17, self.title, 180)
        canvas.line(0, 0, 0, 12)
        left = far + 4 * MM
        room = width - far - left
        self.text.paint(canvas, left, self.text.height_at(room), room)
        canvas.restoreState()

    def _paint_outline(self, canvas: Canvas, begin: float, extent: float) -> None:
        """The outline to cut along: an arc of ``extent`` degrees and straight edges. It begins
        ``begin`` points right of the origin: for a quarter at its corner, the origin itself; for
        half a ring, which has no corner, where the arc begins."""
        far = self.reach * INCH
        canvas.pen(inks.BLACK, NORMAL)
        path = canvas.beginPath()
        path.moveTo(begin, 0)
        path.arcTo(-far, -far, far, far, 0, extent)
        path.close()
        canvas.drawPath(path, fill=0)

    def _paint_arc(self, canvas: Canvas, inch: int, extent: float) -> None:
        """The arc at so many inches over ``extent`` degrees, with its number at the right end. The
        inner edge of a ring is dashed."""
        distance = inch * INCH
        ink, dash = inks.QUIET, []
        if inch == self.inner:
            ink, dash = inks.BLACK, [3, 2]
        canvas.pen(ink, THIN)
        canvas.setDash(dash)
        canvas.arc(-distance, -distance, distance, distance, 0, extent)
        canvas.pen(inks.BLACK, THIN)
        canvas.setDash([])
        canvas.line(distance, 0, distance, 7)
        write(canvas, distance - 3, 3, str(inch), _NUMBER._replace(align="right"))


def _write_curved(canvas: Canvas, radius: float, text: str, spread: float) -> None:
    """Draws letters along an arc around the origin, in the middle of the ``spread`` degrees that
    begin at the right."""
    style = _LARGE_NUMBER._replace(size=11, ink=inks.ACCENT, align="centre")
    widths = []
    for letter in text:
        wide = line_width(letter, style) + 1.2
        if letter.isspace():  # a no-break space, too
            wide = 4.5
        widths.append(wide)
    # Letters run from left to right, so that the first one stands farthest from the right: half of
    # the whole text beyond the middle.
    degrees_of_text = math.degrees(math.fsum(widths) / radius)
    turn = spread / 2 + degrees_of_text / 2
    for letter, wide in zip(text, widths, strict=True):
        # Half of its width before a letter, half after it: each stands in the middle of its place.
        half = math.degrees(wide / radius) / 2
        turn -= half
        canvas.saveState()
        angle = math.radians(turn)
        canvas.translate(radius * math.cos(angle), radius * math.sin(angle))
        canvas.rotate(turn - 90)
        if not letter.isspace():
            write(canvas, 0, 0, letter, style)
        canvas.restoreState()
        turn -= half


class Foxhole(Drawing):
    """A hole with a ring of sandbags around it."""

    WIDE = 1.6 * INCH
    """From its front to its back, which is upward on the paper."""
    BAGS = 26
    """Sandbags in the ring."""

    def height_at(self, width: float) -> float:
        return self.WIDE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.WIDE
        canvas.pen(inks.BLACK, NORMAL, inks.PANEL)
        canvas.ellipse(x, low, x + WORK_LENGTH, top, stroke=1, fill=1)
        middle, centre = x + WORK_LENGTH / 2, low + self.WIDE / 2
        across, deep = WORK_LENGTH / 2 - 12, self.WIDE / 2 - 12
        canvas.setLineWidth(THIN)
        canvas.setFillColor(inks.WHITE)
        oval = []
        for step in range(OVAL_STEPS):
            turn = math.tau * step / OVAL_STEPS
            oval.append((middle + across * math.cos(turn), centre + deep * math.sin(turn)))
        apart = plane.length(oval, closed=True) / self.BAGS
        for place, heading in plane.stations(oval, apart, closed=True):
            canvas.saveState()
            canvas.translate(*place)
            canvas.rotate(math.degrees(heading))
            # A bag of 22 by 12 points, its middle on the oval.
            canvas.roundRect(-11, -6, 22, 12, 4.5, stroke=1, fill=1)
            canvas.restoreState()
        # The hole itself covers the inner halves of the bags.
        canvas.setFillColor(inks.WHITE)
        canvas.ellipse(x + 22, low + 22, x + WORK_LENGTH - 22, top - 22, stroke=1, fill=1)
        write(canvas, middle, centre - 2.4, "FOXHOLE", _WORK_NAME, track=0.6)


class Sandbags(Drawing):
    """A line of sandbags as seen from above, every row shifted by half a bag."""

    WIDE = 0.75 * INCH
    """From its front to its back, which is upward on the paper."""
    ROWS = 3

    def height_at(self, width: float) -> float:
        return self.WIDE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.WIDE
        canvas.pen(inks.FAINT, HAIR)
        canvas.rect(x, low, WORK_LENGTH, self.WIDE, fill=0)
        canvas.pen(inks.BLACK, THIN)
        bags, edge = 11, 4.0
        long, deep = (WORK_LENGTH - 2 * edge) / (bags + 0.5), (self.WIDE - 2 * edge) / self.ROWS
        for row in range(self.ROWS):
            for bag in range(bags):
                # Every second row begins half a bag farther right.
                shift = 0.5 * (row % 2)
                left = x + edge + (bag + shift) * long
                filling = inks.WHITE
                # Every third bag is tinted, so that a bag stands out from its neighbours.
                if (bag + row) % 3 == 0:
                    filling = inks.PANEL
                canvas.setFillColor(filling)
                bottom = low + edge + row * deep
                canvas.roundRect(
                    left + 0.6, bottom + 0.6, long - 1.2, deep - 1.2, 5, stroke=1, fill=1
                )


class Wire(Drawing):
    """Coils of wire side by side, upright."""

    WIDE = 0.5 * INCH
    """The width of one length of wire, across the paper."""
    COILS = 14
    """In one length of wire."""
    LOOP = 13.0
    """How far a coil swings up and down around the height that it has reached, in points."""

    def __init__(self, count: int) -> None:
        self.count = count

    def height_at(self, width: float) -> float:
        return WORK_LENGTH

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for number in range(self.count):
            left = x + number * self.WIDE
            canvas.pen(inks.FAINT, HAIR)
            canvas.rect(left, top - WORK_LENGTH, self.WIDE, WORK_LENGTH, fill=0)
            self._paint_coils(canvas, left + self.WIDE / 2, top - WORK_LENGTH)

    def _paint_coils(self, canvas: Canvas, middle: float, low: float) -> None:
        """A length of wire around the line at ``middle``, upward from ``low``: a curve that turns
        while it rises."""
        canvas.pen(inks.BLACK, NORMAL)
        # Two points stay free at both ends. ``radius`` is the swing to the right and left.
        radius, base = 0.34 * self.WIDE, low + 2 + self.LOOP
        rise = (WORK_LENGTH - 4 - 2 * self.LOOP) / self.COILS
        coil = []
        for number in range(self.COILS * COIL_STEPS + 1):
            coils_below = number / COIL_STEPS
            turn = math.tau * coils_below
            x = middle + radius * math.cos(turn)
            coil.append((x, base + self.LOOP * math.sin(turn) + rise * coils_below))
        canvas.shape(*coil, closed=False)
        # Barbs are crosses, two for each coil: on the right and on the left in turn.
        for barb in range(2 * self.COILS + 1):
            x, y = middle + radius, base + rise * barb / 2
            if barb % 2 == 1:
                x = middle - radius
            canvas.line(x - 2.2, y - 2.2, x + 2.2, y + 2.2)
            canvas.line(x - 2.2, y + 2.2, x + 2.2, y - 2.2)
