"""The band at the top of a sheet, and the strip of figures that a roster has below it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.faces import HEAD, ITALIC, LABEL, MEDIUM, TITLE
from skirmish.sheets.ink import ACCENT, BAND, BLACK, CODE, HAIR, PANEL, WHITE, Ink
from skirmish.sheets.paper import MM
from skirmish.sheets.piece import Canvas, Piece, rule
from skirmish.sheets.words import SMALLEST, Style, Words, fitted, line_width, scaled, write
from skirmish.tabletop.measure import NO_BREAK

_LABEL = Style(MEDIUM, SMALLEST, SMALLEST, "centre", WHITE)
_NUMBER = Style(TITLE, 27, 27, "centre", WHITE)
_TITLE = Style(TITLE, 27, 29, ink=WHITE)
_SIZES = ((27, 1), (24, 1), (21, 1), (19, 1), (18, 1), (18, 2), (15, 2), (12, 3), (10, 9))
"""Of a title, and how many lines it may take in each."""
_NARROWER = 4.0
"""Points at a time."""
_FIRST = Style(LABEL, 10.5, 12, "right", WHITE)
_SECOND = Style(MEDIUM, 9.2, 10.6, "right", WHITE)
_LAST = Style(ITALIC, 7.2, 8.4, "right", WHITE)


class TitleBand(Piece):
    """Number block, title, and up to three lines at the right.

    Long titles go smaller, then onto two or more lines; the band grows if that does not do.
    """

    TALL = 17.5 * MM
    LOW = 15.4 * MM
    BLOCK = 17 * MM
    ASIDE = 60 * MM
    PAD = 4 * MM

    def __init__(
        self,
        label: str,
        number: str,
        title: str,
        *,
        first: str,
        second: str,
        last: str,
        low: bool = False,
    ) -> None:
        """``low``: as low as its words allow."""
        self.lowest = self.LOW if low else self.TALL
        self.label, self.number, self.title = label.upper(), number, title
        self.aside = [
            Words(text, style)
            for text, style in ((first, _FIRST), (second, _SECOND), (last, _LAST))
            if text
        ]

    def height(self, width: float) -> float:
        """The band, higher where the title or the place needs it."""
        title, room = self._title(width)
        tall = title.height(room), sum(line.height(self.ASIDE) for line in self.aside)
        return max(self.lowest, max(tall) + 2.4 * MM)

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        tall = self.height(width)
        y = top - tall
        with canvas.bar(x + self.BLOCK, y, width - self.BLOCK, tall, BAND):
            title, room = self._title(width)
            above = (tall - title.height(room)) / 2 - title.style.size * 0.06
            title.draw(canvas, x + self.BLOCK + self.PAD, top - above, room)
            lines = sum(line.height(self.ASIDE) for line in self.aside)
            at = top - (tall - lines) / 2
            for line in self.aside:
                line.draw(canvas, x + width - self.PAD - self.ASIDE, at, self.ASIDE)
                at -= line.height(self.ASIDE)
        middle = x + self.BLOCK / 2
        sizes = (27, 22, 18, 14, 11, 9)
        number = scaled(self.number, _NUMBER, self.BLOCK - 2 * MM, sizes)
        centre = (top - 5 * MM + y) / 2 - number.size * 0.3
        with canvas.bar(x, y, self.BLOCK, tall, ACCENT):
            write(canvas, middle, top - 4 * MM, self.label, _LABEL, track=0.9)
            write(canvas, middle, centre, self.number, number)

    def _room(self, width: float) -> float:
        return width - self.BLOCK - self.ASIDE - 3 * self.PAD

    def _title(self, width: float) -> tuple[Words, float]:
        """The title and the width to set it in: where it takes two lines, the least that does, so
        that neither has only a word; after a colon it breaks rather than elsewhere."""
        room = self._room(width)
        for size, lines in _SIZES:
            style = _TITLE._replace(size=size, leading=size * 1.08)
            words = Words(self.title, style)
            if words.height(room) <= lines * style.leading + 0.1:
                break
        if lines == 1:
            return words, room
        before, colon, after = self.title.partition(": ")
        if colon and line_width(after, style) <= room:
            return Words(f"{before}{colon}{after.replace(' ', NO_BREAK)}", style), room
        least = max(line_width(word, style) for word in self.title.split(" ")) + _NARROWER
        tall, narrow = words.height(room), room
        while narrow > least and words.height(narrow - _NARROWER) <= tall:
            narrow -= _NARROWER
        return words, narrow


class Fact(NamedTuple):
    """A figure of the strip, with its label."""

    label: str
    value: str
    ink: Ink = BLACK


class Facts(Piece):
    """Figures side by side, each under its label."""

    TALL = 10.4 * MM

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = tuple(facts)

    def height(self, width: float) -> float:
        """The strip."""
        return self.TALL

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it on a tinted panel."""
        canvas.setFillColor(PANEL)
        canvas.rect(x, top - self.TALL, width, self.TALL, stroke=0, fill=1)
        label = Style(LABEL, SMALLEST, SMALLEST, ink=CODE)
        widths = [
            max(line_width(fact.label.upper(), label, 0.5), line_width(fact.value, _value(fact)))
            for fact in self.facts
        ]
        spare = max(0.0, width - 4 * MM - sum(widths)) / max(1, len(self.facts) - 1)
        left = x + 2 * MM
        for fact, wide in zip(self.facts, widths, strict=True):
            write(canvas, left, top - 3.6 * MM, fact.label.upper(), label, track=0.5)
            value = fitted(fact.value, _value(fact), wide + spare)
            write(canvas, left, top - 8.6 * MM, value, _value(fact))
            left += wide + spare
        rule(canvas, x, x + width, top - self.TALL, HAIR, ink=BLACK)


def _value(fact: Fact) -> Style:
    return Style(HEAD, 13, 13, ink=fact.ink)
