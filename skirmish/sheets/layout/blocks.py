"""Blocks that sheets share: the title band, section heads, gauges, lines to write on. Numbers
without a name are points, chosen by eye: they bring words into the middle of a bar or a box."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import LEAST, FormField, lay_text
from skirmish.sheets.layout.drawing import Canvas, Drawing, bar, rule
from skirmish.sheets.layout.flow import Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import HEAD, ITALIC, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import Text, fitted, line_width, paragraph, scaled, write
from skirmish.sheets.paper import HAIR, HEAVY, MM, NORMAL, ROW, THIN
from skirmish.tabletop.measure import NO_BREAK

_BAND_LABEL = Style(MEDIUM, SMALLEST, SMALLEST, "centre", inks.WHITE)
_BAND_NUMBER = Style(TITLE, 27, 27, "centre", inks.WHITE)
_BAND_TITLE = Style(TITLE, 27, 29, ink=inks.WHITE)
_NARROWER = 4.0
"""Points at a time, to find the narrowest column for a title."""
_FIRST = Style(LABEL, 10.5, 12, "right", inks.WHITE)
_SECOND = Style(MEDIUM, 9.2, 10.6, "right", inks.WHITE)
_LAST = Style(ITALIC, 7.2, 8.4, "right", inks.WHITE)
_BAR_TEXT = Style(HEAD, 10, 10, ink=inks.WHITE)
_BAR_ASIDE = Style(MEDIUM, 8.2, 8.2, "right", inks.WHITE)
_TRACK = 0.7
"""Points between the capitals of a head on a bar."""
_RULED = Style(HEAD, 8.4, 8.4, ink=inks.BAND)
_RULED_ASIDE = Style(ITALIC, 7.6, 7.6, "right", inks.QUIET)
_WIDE_TRACK = 1.1
"""Points between the capitals of a head below a rule."""
_SIDE_LETTER = Style(HEAD, 7.8, 7.8, "centre", inks.WHITE)
_FIELD = Style(MEDIUM, SMALLEST, SMALLEST, ink=inks.QUIET)
_CONTENTS = Style(MEDIUM, 11, 11)


class SetTitle(NamedTuple):
    """A title, and the width that it is set in."""

    text: Text
    width: float

    @property
    def height(self) -> float:
        """The height of all its lines, in points."""
        return self.text.height_at(self.width)

    def paint_in_middle(self, canvas: Canvas, x: float, top: float, tall: float) -> None:
        """Paints the title in the middle of a band of that height."""
        # Capitals have nothing below the baseline: raised a little they stand in the middle.
        above = (tall - self.height) / 2 - self.text.style.fontSize * 0.06
        self.text.paint(canvas, x, top - above, self.width)


class TitleSize(NamedTuple):
    """A size in which a title may be set, in points, and the most lines that it takes in it."""

    size: float
    most_lines: int


def _title_style(size: TitleSize) -> Style:
    return _BAND_TITLE._replace(size=size.size, leading=size.size * 1.08)


class TitleBand(Drawing):
    """Number block (hollow without a number), title, and up to three lines at the right.

    A long title is set smaller, then on two or more lines; where that is not enough, the band
    grows."""

    TALL = 17.5 * MM
    LOW, FLAT = 15.4 * MM, 13 * MM
    """The least heights for sheets with little room."""
    BLOCK = 17 * MM
    """The width of the number block."""
    ASIDE = 60 * MM
    """The width of the lines at the right."""
    ASIDES = (_FIRST, _SECOND, _LAST)
    """The styles of these lines, from the first."""
    PAD = 4 * MM
    """The space beside the title, and between the lines at the right and the end of the band."""
    AIR = 2.4 * MM
    """The space above and below its highest part, together."""
    NUMBERS: Sequence[float] = (27, 22, 18, 14, 11, 9)
    """A long number is set in the largest of these sizes that fits its block."""
    SIZES: Sequence[TitleSize] = (
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
        """``aside``: the lines at the right, the second and third in smaller type; ``ink``: that of
        the nation whose sheet it is."""
        self.least, self.ink = least, ink
        # All titles are capitals of the stencil face; everything below them is not.
        self.label, self.number, self.title = label.upper(), number, title.upper()
        self._titles: dict[float, SetTitle] = {}
        """The titles that were set, by the width of the band."""
        self.aside = []
        for text, style in zip(aside, self.ASIDES, strict=False):
            if text:
                self.aside.append(paragraph(text, style))

    def height_at(self, width: float) -> float:
        tallest = max(self._title(width).height, self._aside_height())
        return max(self.least, tallest + self.AIR)

    def _aside_height(self) -> float:
        """The height of the lines at the right together."""
        return math.fsum(line.height_at(self.ASIDE) for line in self.aside)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        low = top - tall
        with canvas.bar(x + self.BLOCK, low, width - self.BLOCK, tall, self.ink):
            self._title(width).paint_in_middle(canvas, x + self.BLOCK + self.PAD, top, tall)
            self._paint_aside(canvas, x + width - self.PAD - self.ASIDE, top, tall)
        if self.number:
            self._paint_number(canvas, x, top, tall)
        else:
            self._paint_hollow(canvas, x, top, tall)

    def _paint_aside(self, canvas: Canvas, left: float, top: float, tall: float) -> None:
        """The lines at the right, in the middle of a band of that height."""
        level = top - (tall - self._aside_height()) / 2
        for line in self.aside:
            line.paint(canvas, left, level, self.ASIDE)
            level -= line.height_at(self.ASIDE)

    def _paint_number(self, canvas: Canvas, x: float, top: float, tall: float) -> None:
        """The block with the number below its label."""
        low, middle = top - tall, x + self.BLOCK / 2
        number = scaled(self.number, _BAND_NUMBER, self.BLOCK - 2 * MM, tuple(self.NUMBERS))
        # The number stands in the middle of what its label leaves.
        centre = (top - 5 * MM + low) / 2 - number.size * 0.3
        with canvas.bar(x, low, self.BLOCK, tall, inks.ACCENT):
            # In a band higher than usual the label goes down to its number.
            above = 4 * MM + max(0.0, (tall - self.TALL) / 2)
            write(canvas, middle, top - above, self.label, _BAND_LABEL, track=0.9)
            write(canvas, middle, centre, self.number, number)

    def _paint_hollow(self, canvas: Canvas, x: float, top: float, tall: float) -> None:
        """A frame in which a number is written by hand."""
        low, middle = top - tall, x + self.BLOCK / 2
        canvas.pen(inks.ACCENT, HEAVY)
        half = HEAVY / 2
        canvas.rect(x + half, low + half, self.BLOCK - HEAVY, tall - HEAVY, fill=0)
        label = _BAND_LABEL._replace(ink=inks.ACCENT)
        write(canvas, middle, top - 4 * MM, self.label, label, track=0.9)

    def _room(self, width: float) -> float:
        """The width that a band leaves to its title."""
        return width - self.BLOCK - self.ASIDE - 3 * self.PAD

    def _title(self, width: float) -> SetTitle:
        """The title in a band of that width, set once."""
        if width not in self._titles:
            self._titles[width] = self._made_title(width)
        return self._titles[width]

    def _made_title(self, width: float) -> SetTitle:
        """Where the title takes two lines, it is set in the least width that does, so that neither
        has only a word; after a colon it breaks rather than elsewhere."""
        room = self._room(width)
        size = self._fitting_size(room)
        style = _title_style(size)
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
        for size in self.SIZES:
            style = _title_style(size)
            tall = paragraph(self.title, style).height_at(room)
            if tall <= size.most_lines * style.leading + 0.1:
                return size
        return self.SIZES[-1]

    def _narrowest(self, title: Text, style: Style, room: float) -> float:
        """The least width in which the title takes no more lines than in ``room``."""
        widest_word = max(line_width(word, style) for word in self.title.split(" "))
        least = widest_word + _NARROWER
        tall, narrow = title.height_at(room), room
        while narrow > least and title.height_at(narrow - _NARROWER) <= tall:
            narrow -= _NARROWER
        return narrow


class Head(Drawing):
    """A section head: capitals on a bar, an aside at its right end."""

    keepWithNext = True  # noqa: N815
    TALL = 5.2 * MM
    BAR = 4.2 * MM
    """The height of the bar; below it there is space."""

    def __init__(self, text: str, aside: str = "", ink: Ink = inks.BAND) -> None:
        self.text, self.aside, self.ink = text.upper(), aside, ink

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        y = top - self.BAR
        inset = 1.6 * MM
        room = width - 2 * inset
        text = fitted(self.text, _BAR_TEXT, room, _TRACK)
        with canvas.bar(x, y, width, self.BAR, self.ink):
            write(canvas, x + inset, y + 0.9 * MM, text, _BAR_TEXT, track=_TRACK)
            room -= line_width(text, _BAR_TEXT, _TRACK) + 3 * MM
            # In less room an aside would be hardly more than its ellipsis.
            if self.aside and room > 6 * MM:
                aside = fitted(self.aside, _BAR_ASIDE, room)
                write(canvas, x + width - inset, y + 1.15 * MM, aside, _BAR_ASIDE)


class RuleHead(Drawing):
    """A section head without a bar: spaced capitals below a rule, an aside at the right end."""

    keepWithNext = True  # noqa: N815
    TALL = ROW

    def __init__(self, text: str, aside: str = "") -> None:
        self.text, self.aside = text.upper(), aside

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        rule(canvas, x, x + width, top - 0.55, 1.1, ink=inks.BAND)
        write(canvas, x, top - 9.4, self.text, _RULED, track=_WIDE_TRACK)
        room = width - line_width(self.text, _RULED, _WIDE_TRACK) - 2 * MM
        # As on a bar: in less room it would be hardly more than its ellipsis.
        if self.aside and room > 6 * MM:
            aside = fitted(self.aside, _RULED_ASIDE, room)
            write(canvas, x + width, top - 9.4, aside, _RULED_ASIDE)


def block(title: str, aside: str, *pieces: Flowable) -> Flowable:
    """Pieces below their head."""
    return Stack([Head(title, aside), Gap(0.6 * MM), *pieces])


def section(
    title: str, lines: Iterable[Flowable], aside: str = "", *, between: float = 1.4
) -> list[Flowable]:
    """Lines below their head, which is repeated on the next page; empty without lines."""
    pieces: list[Flowable] = []
    for line in lines:
        line.head = Head(title, "continued")
        if pieces:
            pieces.append(Gap(between))
        pieces.append(line)
    if not pieces:
        return []
    return [Head(title, aside), Gap(0.8 * MM), *pieces]


def listing(title: str, pairs: Iterable[tuple[str, str]], aside: str = "") -> list[Flowable]:
    """A section of terms, in bold, with their texts."""
    lines = (paragraph(text, styles.SMALL, lead=f"{term}.") for term, text in pairs)
    return section(title, lines, aside, between=1.2)


class LimitBar(Drawing):
    """A bar filled to ``share`` of its width, in the accent if not ``within`` its limit; ``least``:
    the limit is one to reach."""

    TALL = 2.1 * MM

    def __init__(self, share: float, *, within: bool, least: bool = False) -> None:
        self.share, self.within, self.least_wanted = max(0.0, share), within, least

    def height_at(self, width: float) -> float:
        return self.TALL + 1.6

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        y = top - self.TALL - 1.6
        # Where a least is wanted, the whole bar is more than that, and a mark stands at it.
        scale = 1.0
        if self.least_wanted:
            scale = 0.6
        filled = min(1.0, self.share * scale)
        ink = inks.ACCENT
        if self.within:
            ink = inks.FAINT
        bar(canvas, (x, y), width * filled, self.TALL, SideInk(ink, solid=True))
        canvas.pen(inks.BLACK, THIN)
        canvas.rect(x, y, width, self.TALL, fill=0)
        if self.least_wanted:
            mark = x + width * scale
            canvas.setLineWidth(1.1)
            canvas.line(mark, y - 1.2, mark, y + self.TALL + 1.2)


class Blank(Drawing):
    """A word and a line to write on; on a form its ``field`` to type in."""

    TALL = 5 * MM

    def __init__(self, word: str, field: FormField, tall: float = TALL) -> None:
        self.word, self.field, self.TALL = word, field, tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        y = top - self.TALL + 1.2 * MM
        style = Style(MEDIUM, 7.4, 7.4, ink=inks.QUIET)
        write(canvas, x, y, self.word, style)
        begin = 0.0
        if self.word:
            begin = line_width(self.word, style) + 1.2 * MM
        rule(canvas, x + begin, x + width, y - 1, HAIR + 0.1, ink=inks.BLACK)
        lay_text(canvas, self.field, (x + begin, y - 1), (width - begin, LEAST), 8)


class SettleLine(Drawing):
    """A question, our proposal in italics, and a line to write on: after them if the last line of
    text leaves room, else below."""

    BLANK = 24 * MM
    """The least width of the line to write on, with its word."""
    AFTER = 2 * MM
    """The space between the text and that line."""

    def __init__(
        self,
        question: str,
        proposal: str,
        lead: str,
        field: FormField,
        style: Style = styles.QUESTION,
    ) -> None:
        self.words = paragraph(question, style, lead=lead, aside=proposal)
        self.blank = Blank("Settled:", field)

    def _is_beside(self, width: float) -> bool:
        """Whether the last line of text leaves room for the line to write on."""
        return self.words.left_over(width) >= self.BLANK + self.AFTER

    def height_at(self, width: float) -> float:
        words = self.words.height_at(width)
        if self._is_beside(width):
            return words + MM
        return words + self.blank.height_at(width)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self.words.paint(canvas, x, top, width)
        below = top - self.words.height_at(width)
        if not self._is_beside(width):
            self.blank.paint(canvas, x, below, width)
            return
        begin = width - self.words.left_over(width) + self.AFTER
        level = below + self.blank.height_at(width) - 0.2 * MM
        self.blank.paint(canvas, x + begin, level, width - begin)


class Fields(Drawing):
    """Boxes side by side with small names at the top left: to write in, or filled."""

    TALL = 9.6 * MM

    def __init__(self, fields: Sequence[tuple[str, float]], contents: Sequence[str] = ()) -> None:
        """``fields``: name and share of the width of each; ``contents``: empty ones are to write
        in."""
        self.fields, self.contents = tuple(fields), tuple(contents)
        if not contents:
            self.contents = ("",) * len(self.fields)

    @classmethod
    def alike(cls, *facts: tuple[str, str]) -> Fields:
        """Boxes of one width, each with its name and contents."""
        share = 1 / len(facts)
        names, contents = zip(*facts, strict=True)
        return cls([(name, share) for name in names], contents)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for (name, share), text in zip(self.fields, self.contents, strict=True):
            wide = width * share
            canvas.pen(inks.BLACK, THIN)
            canvas.rect(x, top - self.TALL, wide, self.TALL, fill=0)
            write(canvas, x + 1.2 * MM, top - 2.8 * MM, name.upper(), _FIELD, track=0.4)
            line = fitted(text, _CONTENTS, wide - 2.4 * MM)
            write(canvas, x + 1.2 * MM, top - self.TALL + 2.2 * MM, line, _CONTENTS)
            if not text:
                self._lay_field(canvas, name, x, top - self.TALL, wide)
            x += wide

    def _lay_field(self, canvas: Canvas, name: str, left: float, low: float, wide: float) -> None:
        """The field of a form in an empty box, below its name."""
        words = re.findall(r"\w+", name.lower())
        field = FormField("-".join(["write", *words]), name)
        inset = 0.5 * MM
        room = wide - 2 * inset, 5.6 * MM
        lay_text(canvas, field, (left + inset, low + 1), room, 11)


class SideLetters(Drawing):
    """Letters side by side: in circles for the first side, whose marks on the map are hollow, in
    squares for the second. Both are filled; with ``hollow`` the circles are only outlined."""

    TALL = 10.0
    REACH = 5.0
    """The distance from the middle of a letter to the edge of its circle or square."""
    BETWEEN = 1.6
    """The space between two circles or squares."""
    AFTER = 3.4
    """The space between the last of them and what follows."""

    def __init__(self, letters: Sequence[str], look: SideInk, *, hollow: bool = False) -> None:
        self.letters, self.look = tuple(letters), look
        self.hollow = hollow and not look.solid

    @property
    def width_with_space(self) -> float:
        """Its width in points with the space after it; none without a letter."""
        count = len(self.letters)
        if count == 0:
            return 0.0
        return count * 2 * self.REACH + (count - 1) * self.BETWEEN + self.AFTER

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        middle, y, reach = x + self.REACH, top - 5.4, self.REACH
        ink, fill, circle = inks.WHITE, self.look.ink, reach
        if self.hollow:
            # The outline of a hollow circle lies within it, so that all are of one size.
            ink, fill, circle = self.look.ink, inks.WHITE, reach - NORMAL / 2
        for letter in self.letters:
            canvas.pen(self.look.ink, NORMAL, fill)
            if self.look.solid:
                canvas.rect(middle - reach, y - reach, 2 * reach, 2 * reach, stroke=0, fill=1)
            else:
                canvas.circle(middle, y, circle, stroke=int(self.hollow), fill=1)
            write(canvas, middle, y - 2.7, letter, _SIDE_LETTER._replace(ink=ink))
            middle += 2 * reach + self.BETWEEN
