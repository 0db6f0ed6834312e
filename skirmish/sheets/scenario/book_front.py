"""The pages before the contents of a book of scenarios: title page, colophon, introduction. Numbers
without a name are points, or shares of the width, chosen by eye."""

from __future__ import annotations

from skirmish import resources
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import RuleHead
from skirmish.sheets.layout.columns import SideBySide
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Block, Cell, Flowable, Gap, Spring, Stack, depth, height_of
from skirmish.sheets.layout.fonts import BODY, HEAD, MEDIUM, TITLE
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.text_lines import line_width, write
from skirmish.sheets.paper import INCH
from skirmish.sheets.plastic import GAME
from skirmish.sheets.scenario.book_edition import BOOK_MAP_RATIO, BookEdition, head_band
from skirmish.sheets.scenario.content import balanced, headed
from skirmish.sheets.scenario.cover import number_of_battles, years_of

_EXACT_CENTIMETRES_AN_INCH = 2.54
"""For the ruler that shows whether a page is printed at its size. On the table an inch is taken as
2.5 cm (``CENTIMETRES_AN_INCH``)."""
_INTRODUCTION = Style(BODY, 13.8, 20)
"""The type of the introduction."""
_GUIDE = Style(BODY, 10, 12.6)
"""The type of the guide to a spread."""


class BookFront:
    """The pages at the front of one book."""

    def __init__(self, edition: BookEdition) -> None:
        self.edition = edition

    def title_page(self) -> Block:
        """The title in the middle, with the years of the battles; at the foot whose work it is."""
        title = number_of_battles(len(self.edition.contents))
        lines: Block = [
            _TitleLine(GAME.upper(), Style(HEAD, 13, 13, "centre"), track=4.2),
            Gap(26),
            _TitleLine(title, Style(TITLE, 58, 58, "centre")),
            Gap(18),
            _TitleLine(years_of(self.edition.scenarios), Style(MEDIUM, 15, 15, "centre")),
        ]
        credit = _TitleLine(self.edition.texts["credit"], Style(BODY, 12, 12, "centre"))
        return [EmptySpace(210), *lines, Spring(room_below=60), credit]

    def colophon(self) -> Block:
        """At the foot of its page: which edition it is, how to print it, and a ruler to check its
        printed size."""
        revision = self.edition.revision
        if revision is None:
            revision = resources.revision()
        lines = []
        for text in self.edition.texts["colophon"]:
            lines += [paragraph(text.format(revision=revision), styles.TEXT), Gap(5)]
        advice = self.edition.texts["printing"]
        if self.edition.is_reduced:
            scale = self.edition.printed_scale(BOOK_MAP_RATIO)
            advice = self.edition.texts["folding"].format(ratio=scale)
        lines.append(paragraph(advice, styles.TEXT))
        ruler = _CheckRuler(self.edition.print_factor)
        story = [RuleHead("Colophon"), Gap(4), *lines, Gap(6), ruler]
        narrow = 0.62 * self.edition.page.measure
        column = SideBySide([Cell(0, narrow, Stack(story))])
        return [Spring(room_below=height_of(column, self.edition.page.measure)), column]

    def introduction(self) -> Block:
        """The introduction, and at the foot a guide to what is on a spread."""
        band = head_band("Introduction", self.edition.texts["introduction_aside"])
        lines: Block = []
        for text in self.edition.texts["introduction"]:
            lines += [paragraph(text, _INTRODUCTION), Gap(7)]
        narrow = 0.84 * self.edition.page.measure
        guide = headed("How to read a spread", self._guide())
        above_the_foot = 20
        return [
            band,
            Gap(16),
            SideBySide([Cell(0, narrow, Stack(lines))]),
            Spring(room_below=depth(guide, self.edition.page.measure) + above_the_foot),
            *guide,
        ]

    def _guide(self) -> list[Flowable]:
        """What is on a spread, a paragraph for each thing, in two columns."""
        strength = self.edition.catalog.strength
        # As it is laid out, a map is drawn at an inch to the foot, which the book says in words.
        scale = self.edition.texts["ruler"]
        if self.edition.is_reduced:
            scale = self.edition.printed_scale(BOOK_MAP_RATIO)
        lines: list[Flowable] = []
        for name, text in self.edition.texts["guide"].items():
            words = text.format(guy=strength.guy, model=strength.model, scale=scale)
            lines.append(paragraph(words, _GUIDE, lead=f"{name}."))
        return balanced(lines, self.edition.page.measure, between=4)


class _TitleLine(Drawing):
    """A line in the middle of the page, in smaller type if it is too long; ``track``: points
    between its letters."""

    # No page ends between the lines of a title. ReportLab reads an attribute of this name.
    keepWithNext = True  # noqa: N815

    def __init__(self, text: str, style: Style, track: float = 0.0) -> None:
        self.text, self.style, self.track = text, style, track
        self.TALL = style.size * 1.1

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        style = self.style
        while line_width(self.text, style, self.track) > width:
            style = style._replace(size=style.size - 1)
        write(canvas, x + width / 2, top - style.size * 0.8, self.text, style, track=self.track)


class EmptySpace(Drawing):
    """Empty space of ``tall`` points. It stays at the top of a page, where a ``Gap`` vanishes."""

    def __init__(self, tall: float) -> None:
        self.TALL = tall

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Nothing: it is empty."""


class _CheckRuler(Drawing):
    """An inch and two centimetres, to see whether the pages are printed at their size. By the
    ``print_factor`` of a booklet it is drawn larger, so that its inch is an inch on paper."""

    TALL = 24.0

    def __init__(self, print_factor: float) -> None:
        self.print_factor = print_factor

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        inch = INCH / self.print_factor
        name_style = Style(MEDIUM, 7.6, 7.6)
        two_centimetres = 2 * inch / _EXACT_CENTIMETRES_AN_INCH
        rulers = ((x, inch, "1 inch"), (x + inch + 20, two_centimetres, "2 cm"))
        for left, length, name in rulers:
            rule(canvas, left, left + length, top - 8, 0.8, ink=inks.BLACK)
            for end in (left, left + length):
                canvas.line(end, top - 4, end, top - 12)
            write(canvas, left, top - 20, name, name_style)
