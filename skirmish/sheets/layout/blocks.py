"""Blocks that sheets share: section heads, gauges, fields and lines to write on. Numbers without a
name are points, chosen by eye: they bring words into the middle of a bar or a box.

``TALL`` is the height of a drawing in points; one with a height of its own has ``height_at``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink, SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import LEAST_BOX
from skirmish.sheets.layout.drawing import Canvas, Drawing, Filling, draw_side_bar, rule
from skirmish.sheets.layout.flow import Flowable, Gap, Stack
from skirmish.sheets.layout.fonts import HEAD, ITALIC, MEDIUM
from skirmish.sheets.layout.form_fields import FormField, lay_text
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import fitted, line_width, write
from skirmish.sheets.paper import GAP, HAIR, MM, NORMAL, ROW, THIN

_BAR_TEXT = Style(HEAD, 10, 10, ink=inks.WHITE)
_BAR_ASIDE = Style(MEDIUM, 8.2, 8.2, "right", inks.WHITE)
_BAR_TRACK = 0.7
"""Points between the capitals of a head on a bar."""
_RULED_TEXT = Style(HEAD, 8.4, 8.4, ink=inks.BAND)
_RULED_ASIDE = Style(ITALIC, 7.6, 7.6, "right", inks.QUIET)
_RULED_TRACK = 1.1
"""Points between the capitals of a head below a rule."""
_SIDE_LETTER = Style(HEAD, 7.8, 7.8, "centre", inks.WHITE)
_LEAST_ASIDE = 6 * MM
"""In less room the aside of a head would be hardly more than its ellipsis."""
_BLANK_WORD = Style(MEDIUM, 7.4, 7.4, ink=inks.QUIET)
_FIELD_NAME = Style(MEDIUM, SMALLEST, SMALLEST, ink=inks.QUIET)
_FIELD_CONTENTS = Style(MEDIUM, 11, 11)


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
        text = fitted(self.text, _BAR_TEXT, room, _BAR_TRACK)
        with canvas.bar(x, y, width, self.BAR, self.ink):
            write(canvas, x + inset, y + 0.9 * MM, text, _BAR_TEXT, track=_BAR_TRACK)
            room -= line_width(text, _BAR_TEXT, _BAR_TRACK) + 3 * MM
            if self.aside and room > _LEAST_ASIDE:
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
        text = fitted(self.text, _RULED_TEXT, width, _RULED_TRACK)
        write(canvas, x, top - 9.4, text, _RULED_TEXT, track=_RULED_TRACK)
        room = width - line_width(text, _RULED_TEXT, _RULED_TRACK) - 2 * MM
        if self.aside and room > _LEAST_ASIDE:
            aside = fitted(self.aside, _RULED_ASIDE, room)
            write(canvas, x + width, top - 9.4, aside, _RULED_ASIDE)


def block(title: str, aside: str, *pieces: Flowable) -> Flowable:
    """Pieces below their head."""
    return Stack([Head(title, aside), Gap(0.6 * MM), *pieces])


def section(
    title: str, lines: Iterable[Flowable], aside: str = "", *, between: float = 1.4
) -> list[Flowable]:
    """Lines below their head; empty without lines. Each line gets the head with which the section
    goes on if the line begins a page."""
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
    """A bar that is filled by the ``share`` that is used of a limit, in the accent unless the limit
    is met. ``is_minimum``: the limit has to be reached, and may be exceeded."""

    TALL = 2.1 * MM
    ABOVE = 1.6
    """The space above the bar."""

    def __init__(self, share: float, *, is_met: bool, is_minimum: bool = False) -> None:
        self.share, self.is_met, self.is_minimum = max(0.0, share), is_met, is_minimum

    def height_at(self, width: float) -> float:
        return self.ABOVE + self.TALL

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        y = top - self.TALL - self.ABOVE
        # A minimum is marked within the bar, so that there is room to show more than that.
        place_of_limit = 1.0
        if self.is_minimum:
            place_of_limit = 0.6
        filled = min(1.0, self.share * place_of_limit)
        ink = inks.ACCENT
        if self.is_met:
            ink = inks.FAINT
        draw_side_bar(canvas, (x, y), width * filled, self.TALL, SideInk(ink, solid=True))
        canvas.pen(inks.BLACK, THIN)
        canvas.rect(x, y, width, self.TALL, fill=0)
        if self.is_minimum:
            mark = x + width * place_of_limit
            canvas.setLineWidth(1.1)
            canvas.line(mark, y - 1.2, mark, y + self.TALL + 1.2)


class Blank(Drawing):
    """A word, or none, and a line to write on; on a form its ``field`` to type in."""

    TALL = 5 * MM

    def __init__(self, word: str, field: FormField, tall: float = TALL) -> None:
        self.word, self.field, self.TALL = word, field, tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        y = top - self.TALL + 1.2 * MM
        write(canvas, x, y, self.word, _BLANK_WORD)
        indent = 0.0
        if self.word:
            indent = line_width(self.word, _BLANK_WORD) + 1.2 * MM
        rule(canvas, x + indent, x + width, y - 1, HAIR + 0.1, ink=inks.BLACK)
        room = (width - indent, LEAST_BOX)
        lay_text(canvas, self.field, (x + indent, y - 1), room, size=8)


class SettleLine(Drawing):
    """A question, the proposed answer in italics, and a line to write on: after them if the last
    line of text leaves room, else below."""

    LEAST_BLANK_WIDTH = 24 * MM
    """The least width of the line to write on, with its word."""
    SPACE_BEFORE_BLANK = 2 * MM
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

    def _blank_is_beside(self, width: float) -> bool:
        """Whether the last line of text leaves room for the line to write on."""
        needed = self.SPACE_BEFORE_BLANK + self.LEAST_BLANK_WIDTH
        return self.words.room_after_last_line(width) >= needed

    def height_at(self, width: float) -> float:
        height_of_words = self.words.height_at(width)
        if self._blank_is_beside(width):
            return height_of_words + MM  # a little space below the last line
        return height_of_words + self.blank.height_at(width)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        self.words.paint(canvas, x, top, width)
        below = top - self.words.height_at(width)
        if not self._blank_is_beside(width):
            self.blank.paint(canvas, x, below, width)
            return
        end_of_words = width - self.words.room_after_last_line(width)
        indent = end_of_words + self.SPACE_BEFORE_BLANK
        # The top of the blank is so high that the blank ends beside the last line of text.
        top_of_blank = below + self.blank.height_at(width) - 0.2 * MM
        self.blank.paint(canvas, x + indent, top_of_blank, width - indent)


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
        fields = [(name, share) for name, _ in facts]
        return cls(fields, [contents for _, contents in facts])

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for (name, share), text in zip(self.fields, self.contents, strict=True):
            box_width = width * share
            canvas.pen(inks.BLACK, THIN)
            canvas.rect(x, top - self.TALL, box_width, self.TALL, fill=0)
            write(canvas, x + 1.2 * MM, top - 2.8 * MM, name.upper(), _FIELD_NAME, track=0.4)
            line = fitted(text, _FIELD_CONTENTS, box_width - 2.4 * MM)
            write(canvas, x + 1.2 * MM, top - self.TALL + 2.2 * MM, line, _FIELD_CONTENTS)
            if not text:
                self._lay_field(canvas, name, x, top - self.TALL, box_width)
            x += box_width

    def _lay_field(
        self, canvas: Canvas, name: str, left: float, low: float, box_width: float
    ) -> None:
        """The field of a form in an empty box, below the name of the box."""
        words = re.findall(r"\w+", name.lower())
        field = FormField("-".join(["write", *words]), name)
        inset = 0.5 * MM
        room = box_width - 2 * inset, 5.6 * MM
        lay_text(canvas, field, (left + inset, low + 1), room, size=11)


class SideLetters(Drawing):
    """Letters side by side: in circles for the side whose marks on the map are hollow, in squares
    for the other. Both are filled; with ``hollow`` the circles are only outlined."""

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
        middle_x, middle_y, reach = x + self.REACH, top - 5.4, self.REACH
        letter_ink, fill, radius = inks.WHITE, self.look.ink, reach
        if self.hollow:
            # The outline of a hollow circle lies within it, so that all are of one size.
            letter_ink, fill, radius = self.look.ink, inks.WHITE, reach - NORMAL / 2
        for letter in self.letters:
            canvas.pen(self.look.ink, NORMAL, fill)
            if self.look.solid:
                left, low = middle_x - reach, middle_y - reach
                canvas.rect(left, low, 2 * reach, 2 * reach, stroke=0, fill=1)
            else:
                canvas.circle(middle_x, middle_y, radius, stroke=int(self.hollow), fill=1)
            write(canvas, middle_x, middle_y - 2.7, letter, _SIDE_LETTER._replace(ink=letter_ink))
            middle_x += 2 * reach + self.BETWEEN


class OwnNotes(Filling):
    """Lines for handwriting; on a form a frame to type in. They never take most of a page."""

    LINE = 8 * MM
    """The distance from one line to the next."""
    MOST_LINES = 15
    """So many lines are less than half of either paper."""

    def __init__(self, title: str = "Your notes", name: str = "notes") -> None:
        self.title, self.field = title, FormField(f"write-{name}", title)

    def least_height(self, width: float) -> float:
        return GAP + Head.TALL + 2 * self.LINE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        top -= GAP
        Head(self.title).paint(canvas, x, top, width)
        # Half a line more than these, for the space between the last one and the footer.
        highest = (self.MOST_LINES + 0.5) * self.LINE
        room = min(self.height - GAP - Head.TALL, highest)
        if canvas.is_form:
            tall = room - MM
            low = top - Head.TALL - tall
            canvas.pen(inks.FAINT, HAIR)
            canvas.rect(x, low, width, tall, fill=0)
            lay_text(canvas, self.field, (x, low), (width, tall))
            return
        # The last line stays away from the footer.
        line_count = int((room - GAP) // self.LINE)
        for number in range(1, line_count + 1):
            y = top - Head.TALL - number * self.LINE
            rule(canvas, x, x + width, y, HAIR, ink=inks.FAINT)
