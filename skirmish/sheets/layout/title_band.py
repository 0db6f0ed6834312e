"""The band with the title of a sheet, which grows or takes a smaller type for a long one. Numbers
without a name are points or shares, chosen by eye: they bring words into the middle of the band."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.fonts import ITALIC, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import Text, paragraph
from skirmish.sheets.layout.text_lines import in_largest_size, line_width, write
from skirmish.sheets.paper import HEAVY, MM
from skirmish.tabletop.measure import NO_BREAK

_BAND_LABEL = Style(MEDIUM, SMALLEST, SMALLEST, "centre", inks.WHITE)
_BAND_NUMBER = Style(TITLE, 27, 27, "centre", inks.WHITE)
_BAND_TITLE = Style(TITLE, 27, 29, ink=inks.WHITE)
_NARROWING_STEP = 4.0
"""By how many points at a time a title is set narrower, to find its least width."""
_FIRST_ASIDE = Style(LABEL, 10.5, 12, "right", inks.WHITE)
_SECOND_ASIDE = Style(MEDIUM, 9.2, 10.6, "right", inks.WHITE)
_LAST_ASIDE = Style(ITALIC, 7.2, 8.4, "right", inks.WHITE)


class SetTitle(NamedTuple):
    """A title, and the width that it is set in."""

    text: Text
    width: float

    @property
    def height(self) -> float:
        """The height of all its lines, in points."""
        return self.text.height_at(self.width)

    def paint_in_middle(self, canvas: Canvas, x: float, top: float, tall: float) -> None:
        """Paints the title in the middle of a band that begins at ``top`` and is so ``tall``."""
        # Capitals have nothing below the baseline: raised a little they stand in the middle.
        above = (tall - self.height) / 2 - self.text.style.fontSize * 0.06
        self.text.paint(canvas, x, top - above, self.width)


class TitleSize(NamedTuple):
    """A type size in which a title may be set, and the most lines that it may take in it."""

    points: float
    most_lines: int

    @property
    def style(self) -> Style:
        """The style of a title in this size."""
        return _BAND_TITLE._replace(size=self.points, leading=self.points * 1.08)


class TitleBand(Drawing):
    """A block with a number (a frame without one), a title, and up to three lines at the right.

    A long title is set smaller, then on two or more lines; where that is not enough, the band
    grows."""

    TALL = 17.5 * MM
    """The least height where there is room: a title of several lines makes the band higher."""
    LOW, FLAT = 15.4 * MM, 13 * MM
    """The least heights for sheets with little room."""
    BLOCK_WIDTH = 17 * MM
    """The width of the number block."""
    ASIDE_WIDTH = 60 * MM
    """The width of the lines at the right."""
    ASIDE_STYLES = (_FIRST_ASIDE, _SECOND_ASIDE, _LAST_ASIDE)
    """The styles of these lines, from the first."""
    PAD = 4 * MM
    """The space beside the title, and between the lines at the right and the end of the band."""
    AIR = 2.4 * MM
    """The space above and below its highest part, together."""
    NUMBER_SIZES: Sequence[float] = (27, 22, 18, 14, 11, 9)
    """A long number is set in the largest of these sizes that fits its block."""
    TITLE_SIZES: Sequence[TitleSize] = (
        TitleSize(27, 1),
        TitleSize(24, 1),
        TitleSize(21, 1),
        TitleSize(19, 1),
        TitleSize(18, 1),
        TitleSize(18, 2),
        TitleSize(15, 2),
        TitleSize(12, 3),
        TitleSize(10, 9),
    )
    """The sizes of a title, tried in this order."""

    def __init__(
        self,
        label: str,
        number: str,
        title: str,
        *aside: str,
        least: float = TALL,
        ink: Ink = inks.BAND,
    ) -> None:
        """``label``: the word above the number; ``aside``: the lines at the right, the second and
        third in smaller type, empty ones left out; ``least``: the least height of the band in
        points; ``ink``: that of the nation whose sheet it is."""
        self.least, self.ink = least, ink
        # All titles are in capitals of the stencil face, which nothing on the sheet below them is.
        self.label, self.number, self.title = label.upper(), number, title.upper()
        self._titles: dict[float, SetTitle] = {}
        """The titles that were set, by the width of the band."""
        self.aside = []
        # There may be fewer lines than styles.
        for text, style in zip(aside, self.ASIDE_STYLES, strict=False):
            if text:
                self.aside.append(paragraph(text, style))

    def height_at(self, width: float) -> float:
        tallest = max(self._title(width).height, self._aside_height())
        return max(self.least, tallest + self.AIR)

    def _aside_height(self) -> float:
        """The height of the lines at the right together."""
        return math.fsum(line.height_at(self.ASIDE_WIDTH) for line in self.aside)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        low = top - tall
        with canvas.bar(x + self.BLOCK_WIDTH, low, width - self.BLOCK_WIDTH, tall, self.ink):
            self._title(width).paint_in_middle(canvas, x + self.BLOCK_WIDTH + self.PAD, top, tall)
            self._paint_aside(canvas, x + width - self.PAD - self.ASIDE_WIDTH, top, tall)
        if self.number:
            self._paint_number(canvas, x, top, tall)
        else:
            self._paint_hollow(canvas, x, top, tall)

    def _paint_aside(self, canvas: Canvas, left: float, top: float, tall: float) -> None:
        """The lines at the right, in the middle of a band of that height."""
        level = top - (tall - self._aside_height()) / 2
        for line in self.aside:
            line.paint(canvas, left, level, self.ASIDE_WIDTH)
            level -= line.height_at(self.ASIDE_WIDTH)

    def _paint_number(self, canvas: Canvas, x: float, top: float, tall: float) -> None:
        """The block with the number below its label."""
        low, middle = top - tall, x + self.BLOCK_WIDTH / 2
        room = self.BLOCK_WIDTH - 2 * MM
        style = in_largest_size(self.number, _BAND_NUMBER, room, self.NUMBER_SIZES)
        # The number stands in the middle of what its label leaves.
        baseline = (top - 5 * MM + low) / 2 - style.size * 0.3
        with canvas.bar(x, low, self.BLOCK_WIDTH, tall, inks.ACCENT):
            # In a band higher than usual the label goes down to its number.
            above = 4 * MM + max(0.0, (tall - self.TALL) / 2)
            write(canvas, middle, top - above, self.label, _BAND_LABEL, track=0.9)
            write(canvas, middle, baseline, self.number, style)

    def _paint_hollow(self, canvas: Canvas, x: float, top: float, tall: float) -> None:
        """A frame in which a number is written by hand."""
        low, middle = top - tall, x + self.BLOCK_WIDTH / 2
        canvas.pen(inks.ACCENT, HEAVY)
        half_weight = HEAVY / 2
        canvas.rect(
            x + half_weight, low + half_weight, self.BLOCK_WIDTH - HEAVY, tall - HEAVY, fill=0
        )
        label = _BAND_LABEL._replace(ink=inks.ACCENT)
        write(canvas, middle, top - 4 * MM, self.label, label, track=0.9)

    def _room(self, width: float) -> float:
        """The width that a band leaves to its title."""
        # Pads are left and right of the title, and right of the lines at the right.
        return width - self.BLOCK_WIDTH - self.ASIDE_WIDTH - 3 * self.PAD

    def _title(self, width: float) -> SetTitle:
        """The title in a band of that width, set once."""
        if width not in self._titles:
            self._titles[width] = self._set_title(width)
        return self._titles[width]

    def _set_title(self, width: float) -> SetTitle:
        """A title that takes several lines is broken at its colon, or else set in the least width
        for that many lines, so that none has only a word."""
        room = self._room(width)
        size = self._fitting_size(room)
        style = size.style
        title = paragraph(self.title, style)
        if size.most_lines == 1:
            return SetTitle(title, room)

        # A title such as "The Crossing: Dawn" is broken at its colon, if the rest fits one line.
        before, colon, after = self.title.partition(": ")
        if colon and line_width(after, style) <= room:
            unbroken = after.replace(" ", NO_BREAK)
            return SetTitle(paragraph(f"{before}{colon}{unbroken}", style), room)
        return SetTitle(title, self._narrowest(title, style, room))

    def _fitting_size(self, room: float) -> TitleSize:
        """The first size in which the title takes no more lines than it may; the last, if it needs
        more even there."""
        for size in self.TITLE_SIZES:
            tall = paragraph(self.title, size.style).height_at(room)
            # The tenth of a point is for rounding.
            if tall <= size.most_lines * size.style.leading + 0.1:
                return size
        return self.TITLE_SIZES[-1]

    def _narrowest(self, title: Text, style: Style, room: float) -> float:
        """The least width in which the title takes no more lines than in ``room``."""
        widest_word = max(line_width(word, style) for word in self.title.split(" "))
        tall = title.height_at(room)
        narrowest = room
        narrower = narrowest - _NARROWING_STEP
        # No narrower than its widest word, which would be broken.
        while narrower > widest_word and title.height_at(narrower) <= tall:
            narrowest = narrower
            narrower = narrowest - _NARROWING_STEP
        return narrowest
