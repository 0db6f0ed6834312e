"""The odds table on one page: cards above, the die below, in the open and in cover side by side.

A heat map has a number in each cell, a bar below it, and a shade where ink is not spared. Shade and
bar tell the same as the number, so that it reads in grey, and without any shade.
"""

from __future__ import annotations

from skirmish.games.plastic.odds.table import (
    STEPS,
    OddsTable,
    drawn_from,
    heads,
    heat,
    legend,
    members,
    signs,
    very_man,
)
from skirmish.sheets import inks
from skirmish.sheets.inks import from_hex
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable, Gap, depth, halves
from skirmish.sheets.layout.fonts import BODY, HEAD, LABEL, MEDIUM
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import Text, line_width, paragraph, terms, write
from skirmish.sheets.paper import HAIR, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME

USUAL = "With the default rulings"
TALLEST, LOWEST = 8.8 * MM, 4.4 * MM
"""Of a line of the table; it is as tall as the page has room for."""
SHADES = tuple(from_hex(code) for code in ("FBF6EC", "F4E3CB", "EDCBA5", "E4AF7E", "D98F58"))
"""From seldom to often: each darker than the one before in grey, too, and black is read on all."""
_HEAD = Style(LABEL, SMALLEST, 7.4, "centre", inks.CODE)
_NAME = Style(BODY, 8, 8)
_TITLE = Style(HEAD, 8.8, 8.8)
_NUMBER = Style(LABEL, 9.6, 9.6, "centre")
_NEVER = Style(MEDIUM, 8, 8, "centre", inks.CODE)
BAR = 1.6
"""Points of the line that is as long as a chance is high."""


@as_pdf
def odds_table_pdf(
    page: Leaf,
    tables: tuple[OddsTable, OddsTable],
    *,
    revision: str | None = None,
    whose: str = USUAL,
) -> PdfDocument:
    """Two tables, from cards and from the die, each in the open and in cover; ``whose`` says under
    which rulings."""
    cards, die = tables
    lines = max(1, len(cards.lines) + len(die.lines))
    spare = page.depth - depth(_blocks(cards, die, page.measure, LOWEST, whose), page.measure)
    tall = min(TALLEST, LOWEST + max(0.0, spare / lines))
    blocks = _blocks(cards, die, page.measure, tall, whose)
    part = SheetPart(page, blocks, "Odds table", "Odds table", GAME, revision=revision)
    return PdfDocument("Odds table", "Every weapon against every kind of target", [part])


def _blocks(
    cards: OddsTable, die: OddsTable, width: float, tall: float, whose: str
) -> list[Flowable]:
    about = "Weapons and targets", GAME, whose
    band = TitleBand("Odds", "%", "Odds Table", *about, least=TitleBand.FLAT)
    found: list[Flowable] = [band, Gap(2.4 * MM)]
    for name, table in (("With cards", cards), ("With the d12", die)):
        in_open = HeatGrid(table, "In the open", cover=False, tall=tall)
        in_cover = HeatGrid(table, "In cover", cover=True, tall=tall)
        aside = "" if table.pack.die else drawn_from(table.pack)
        found += [Head(name, aside), halves([in_open], [in_cover], width), Gap(3.4 * MM)]
    found += [Head("How to read it", "percentage of draws that hit"), Gap(1 * MM)]
    notes = [
        *(paragraph(note, styles.TEXT) for note in legend(cards, False, True)),
        *_by_die(cards, die),
        paragraph("Bars and shades show the same chances as the numbers:", styles.TEXT),
        Gap(0.6 * MM),
    ]
    who = terms([(f"{name}:", f"{units}.") for name, units in members(cards)], styles.TEXT)
    return [*found, halves([*notes, Scale()], [who], width)]


def _by_die(cards: OddsTable, die: OddsTable) -> list[Text]:
    with_cards, with_die = (very_man(table, False, True) for table in (cards, die))
    if with_cards == with_die:
        return []
    return [paragraph(f"With the d12 that chance is {with_die}.", styles.TEXT)]


class HeatGrid(Drawing):
    """A table under its ``title``, in the open or in ``cover``; ``tall`` points for each line."""

    TITLE = 4.6 * MM
    BETWEEN = 0.5
    NARROWEST = 6.4 * MM
    SPREAD = 6 * MM
    """The most that a column is widened by, where there are few."""

    def __init__(self, table: OddsTable, title: str, *, cover: bool, tall: float) -> None:
        self.table, self.title, self.tall = table, title, tall
        self.cells, self.signs = table.cells(cover), signs(table, cover)
        self.heads = [heads(column) for column in table.columns]
        self.above = max(map(len, self.heads), default=0) * _HEAD.leading + 1.2 * MM

    def height_at(self, width: float) -> float:
        return self.TITLE + self.above + self.tall * len(self.table.lines)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        write(canvas, x, top - 3.2 * MM, self.title, _TITLE)
        slots = self._slots(x, width)
        base = top - self.TITLE - self.above
        for words, (left, wide) in zip(self.heads, slots, strict=True):
            for up, word in enumerate(reversed(words)):
                level = base + 1.1 * MM + up * _HEAD.leading
                write(canvas, left + wide / 2, level, word, _HEAD)
        rule(canvas, x, x + width, base, NORMAL, ink=inks.BAND)
        for at, line in enumerate(self.table.lines):
            low = base - (at + 1) * self.tall
            write(canvas, x, low + self.tall / 2 - 2.6, line.weapon.name, _NAME)
            for number, slot in enumerate(slots):
                self._cell(canvas, at, number, slot, low)
            rule(canvas, x, x + width, low, HAIR, ink=inks.FAINT)

    def _cell(
        self, canvas: Canvas, line: int, column: int, slot: tuple[float, float], low: float
    ) -> None:
        left, wide = slot
        cell, sign = self.cells[line][column], self.signs[line][column].strip()
        shade, gap = heat(cell), self.BETWEEN
        if shade >= 0 and not canvas.sparing:
            canvas.setFillColor(SHADES[shade])
            canvas.rect(left + gap, low + gap, wide - 2 * gap, self.tall - 2 * gap, 0, 1)
        middle = low + self.tall / 2 - 1.4
        if cell.odds is None:
            write(canvas, left + wide / 2, middle, sign, _NEVER)
            return
        bar(canvas, left + 3 * gap, low + 3.4, wide - 6 * gap, float(cell.odds.hit))
        write(canvas, left + wide / 2, middle, sign, _NUMBER)

    def _slots(self, x: float, width: float) -> list[tuple[float, float]]:
        """Where each column begins and how wide it is: as its head wants, and what is over shared
        out."""
        lines = self.table.lines
        names = max((line_width(one.weapon.name, _NAME) for one in lines), default=0) + 1.6 * MM
        wants = [
            max(self.NARROWEST, *(line_width(word, _HEAD) + 0.6 * MM for word in words))
            for words in self.heads
        ]
        more = min(self.SPREAD, (width - names - sum(wants)) / max(1, len(wants)))
        found, left = [], x + names
        for want in wants:
            found.append((left, want + more))
            left += want + more
        return found


class Scale(Drawing):
    TALL = 6.2 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide, high = 17 * MM, 4.6 * MM
        low = top - high - 0.6 * MM
        for step in range(STEPS):
            least = 100 * step // STEPS
            most = 100 * (step + 1) // STEPS
            left = x + step * (wide + 1.5 * MM)
            canvas.setFillColor(inks.WHITE if canvas.sparing else SHADES[step])
            canvas.rect(left, low, wide, high, 0, 1)
            bar(canvas, left + 1.5, low + 2.4, wide - 3, (least + most) / 200)
            text = f"under {most}%" if not step else f"{least}% and up"
            write(canvas, left + wide / 2, low + 5.2, text, _HEAD._replace(ink=inks.BLACK))


def bar(canvas: Canvas, x: float, y: float, width: float, share: float) -> None:
    rule(canvas, x, x + width, y, HAIR, ink=inks.CODE)
    if share:
        rule(canvas, x, x + width * share, y, BAR, ink=inks.BLACK)
