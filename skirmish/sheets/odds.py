"""The odds table on one page: from a distance, in contact, and for shots that follow a kill.

A heat map has a number in each cell, a bar below it, and a shade unless ink is saved. Shade and bar
repeat the number, so the table works in grey and without shades.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.odds.table import (
    CHAIN,
    STEPS,
    Chain,
    OddsTable,
    drawn_from,
    heads,
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
from skirmish.sheets.layout.fonts import BODY, LABEL, MEDIUM
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import fitted, line_width, paragraph, terms, write
from skirmish.sheets.paper import HAIR, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME

DEFAULT_RULINGS = "With the default rulings"
TALLEST, LOWEST = 9.2 * MM, 4.4 * MM
"""The height of a line of the table, depending on the room on the page."""
SHADES = tuple(from_hex(code) for code in ("FBF6EC", "F4E3CB", "EDCBA5", "E4AF7E", "D98F58"))
"""From low to high chances: each is darker than the one before in grey too, and black is legible on
all."""
_HEAD = Style(LABEL, SMALLEST, 7.4, "centre", inks.CODE)
_NAME = Style(BODY, 8.6, 8.6)
_NUMBER = Style(LABEL, 10.4, 10.4, "centre")
_DIE = Style(MEDIUM, SMALLEST, SMALLEST, "right", inks.CODE)
_NEVER = Style(MEDIUM, 8, 8, "centre", inks.CODE)
BAR = 1.6
"""The thickness in points of the bar that shows a chance."""
_MOST_KILLS = 5


class Heat(NamedTuple):
    """``chance`` None: cannot fire. ``die`` is the d12's value if it differs."""

    sign: str
    chance: Fraction | None
    die: str = ""


@as_pdf
def odds_table_pdf(
    page: Leaf,
    tables: tuple[OddsTable, OddsTable],
    *,
    revision: str | None = None,
    whose: str = DEFAULT_RULINGS,
) -> PdfDocument:
    """The table for cards, with the die's values where they differ; ``whose``: the rulings in
    use."""
    cards, die = tables
    lines = max(1, 2 * len(cards.lines) + len(_chains(cards, die)))
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
    for name, contact in (("Phases 1 and 2", False), ("In contact, phases 3 and 4", True)):
        found += [Head(name, drawn_from(cards.pack)), _grid(cards, die, contact, tall), Gap(3 * MM)]
    kills = [[f"{least}+"] for least in range(1, _MOST_KILLS + 1)]
    chains = HeatGrid([*kills, ["on average"]], _chains(cards, die), tall)
    notes = [
        *(paragraph(note, styles.TEXT) for note in legend(cards, False, True)),
        paragraph(_by_die(cards, die), styles.TEXT),
        terms([(f"{name}:", f"{units}.") for name, units in members(cards)], styles.TEXT),
        Gap(0.6 * MM),
        Scale(),
    ]
    repeat = [Head("Repeat fire", f"kills among {CHAIN} guys"), Gap(1 * MM), chains]
    read = [Head("How to read it", "percentage of draws that hit"), Gap(1 * MM), *notes]
    return [*found, halves(repeat, read, width)]


def _by_die(cards: OddsTable, die: OddsTable) -> str:
    text = "The small number is that of the d12, where it is another."
    with_cards, with_die = (very_man(table, False, True) for table in (cards, die))
    return (
        text
        if with_cards == with_die
        else f"{text} The man aimed at then dies with a chance of {with_die}."
    )


def _grid(cards: OddsTable, die: OddsTable, contact: bool, tall: float) -> HeatGrid:
    """Has a column for cover only where cover helps."""
    columns = [
        (at, cover)
        for at in range(len(cards.columns))
        for cover in (False, True)
        if not cover
        or any(
            line[at].odds != covered[at].odds
            for table in (cards, die)
            for line, covered in zip(
                table.cells(False, contact), table.cells(True, contact), strict=True
            )
        )
    ]
    titles = [
        [*heads(cards.columns[at]), *(["in cover"] if cover else [])] for at, cover in columns
    ]
    rows = []
    for number, line in enumerate(cards.lines):
        cells = []
        for at, cover in columns:
            cell = cards.cells(cover, contact)[number][at]
            sign, other = (
                signs(table, cover, contact)[number][at].strip() for table in (cards, die)
            )
            cells.append(
                Heat(sign, cell.odds.hit if cell.odds else None, other if other != sign else "")
            )
        rows.append((line.weapon.name, cells))
    return HeatGrid(titles, rows, tall)


def _chains(cards: OddsTable, die: OddsTable) -> list[tuple[str, list[Heat]]]:
    """The expected kills of a shooter who fires again after each kill; equal weapons share a
    line."""
    found: dict[tuple[Heat, ...], list[Chain]] = {}
    for one, other in zip(cards.chains(), die.chains(), strict=True):
        chances = [one.outcome.at_least(least) for least in range(1, _MOST_KILLS + 1)]
        thrown = [other.outcome.at_least(least) for least in range(1, _MOST_KILLS + 1)]
        heats = [_heat(percent(a), a, percent(b)) for a, b in zip(chances, thrown, strict=True)]
        mean, by_die = (f"{float(of.outcome.expected()):.1f}" for of in (one, other))
        heats.append(_heat(mean, None, by_die))
        found.setdefault(tuple(heats), []).append(one)
    rows = []
    for key, chains in found.items():
        open_ = [one.weapon.name for one in chains if not one.cover]
        names = open_ or [f"{one.weapon.name} in cover" for one in chains]
        rows.append((", ".join(names), list(key)))
    return rows


def _heat(sign: str, chance: Fraction | None, die: str) -> Heat:
    return Heat(sign, chance, die if die != sign else "")


class HeatGrid(Drawing):
    """Lines of chances with their names, under their heads; ``tall`` points per line."""

    WIDEST = 34 * MM
    BETWEEN = 0.5

    def __init__(
        self,
        titles: Sequence[Sequence[str]],
        rows: Sequence[tuple[str, Sequence[Heat]]],
        tall: float,
    ) -> None:
        self.titles, self.rows, self.tall = titles, rows, tall
        names = max((line_width(name, _NAME) for name, _ in rows), default=0.0)
        self.names = min(self.WIDEST, names + 1.6 * MM)
        self.above = max(map(len, titles), default=0) * _HEAD.leading + 1.2 * MM

    def height_at(self, width: float) -> float:
        return self.above + self.tall * len(self.rows)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide = (width - self.names) / max(1, len(self.titles))
        base = top - self.above
        for at, words in enumerate(self.titles):
            for up, word in enumerate(reversed(words)):
                level = base + 1.1 * MM + up * _HEAD.leading
                write(canvas, x + self.names + (at + 0.5) * wide, level, word, _HEAD)
        rule(canvas, x, x + width, base, NORMAL, ink=inks.BAND)
        for at, (name, cells) in enumerate(self.rows):
            low = base - (at + 1) * self.tall
            short = fitted(name, _NAME, self.names - 1 * MM)
            write(canvas, x, low + self.tall / 2 - 2.6, short, _NAME)
            for number, cell in enumerate(cells):
                self._cell(canvas, cell, x + self.names + number * wide, wide, low)
            rule(canvas, x, x + width, low, HAIR, ink=inks.FAINT)

    def _cell(self, canvas: Canvas, cell: Heat, left: float, wide: float, low: float) -> None:
        gap, middle = self.BETWEEN, low + self.tall / 2 - 1.4
        centre = left + wide / 2
        if cell.chance is None:
            write(canvas, centre, middle, cell.sign, _NEVER)
        else:
            if not canvas.sparing:
                shade = min(int(cell.chance * STEPS), STEPS - 1)
                canvas.setFillColor(SHADES[shade])
                canvas.rect(left + gap, low + gap, wide - 2 * gap, self.tall - 2 * gap, 0, 1)
            bar(canvas, left + 3 * gap, low + 3.4, wide - 6 * gap, float(cell.chance))
            write(canvas, centre, middle, cell.sign, _NUMBER)
        if cell.die:
            write(canvas, left + wide - 3 * gap, middle, cell.die, _DIE)


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
