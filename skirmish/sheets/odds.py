"""The odds table on one page: from a distance, in contact, and for shots that follow a kill.

A heat map has a number in each cell, a bar below it, and a shade unless ink is saved. Shade and bar
repeat the number, so the table can be read in grey and without shades. ``contact`` is true for
shots in contact. Lengths without a name are chosen by eye.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from skirmish.games.plastic.odds.rounding import percent
from skirmish.games.plastic.odds.table import GUYS_IN_REACH, Chain, OddsTable
from skirmish.games.plastic.odds.table_page import (
    SHADE_COUNT,
    drawn_from,
    exact_chances,
    heading_words,
    legend,
    shade_of,
    signs,
    units_of_columns,
)
from skirmish.sheets import inks
from skirmish.sheets.inks import from_hex
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.columns import two_columns
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Flowable, Gap, depth
from skirmish.sheets.layout.fonts import BODY, LABEL, MEDIUM
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.layout.text_lines import fitted, line_width, write
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import HAIR, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME

DEFAULT_RULINGS = "With the default rulings"
TALLEST_LINE, LOWEST_LINE = 9.2 * MM, 4.4 * MM
"""The greatest and the least height of a line of the table: how high it is depends on the room on
the page."""
IN_THE_OPEN_AND_IN_COVER = (False, True)
"""Whether the target is in cover, for sentences about both."""
SHADES = tuple(from_hex(code) for code in ("FBF6EC", "F4E3CB", "EDCBA5", "E4AF7E", "D98F58"))
"""The backgrounds of cells from low to high chances: each is darker than the one before in grey,
too, and black is legible on all."""
_HEAD = Style(LABEL, SMALLEST, 7.4, "centre", inks.QUIET)
_NAME = Style(BODY, 8.6, 8.6)
_NUMBER = Style(LABEL, 10.4, 10.4, "centre")
_DIE = Style(LABEL, 8.4, 8.4, "right")
_NO_CHANCE = Style(MEDIUM, 8, 8, "centre", inks.QUIET)
"""The type of the sign in a cell without a chance: the weapon may not fire."""
_BELOW_MIDDLE = 1.4
"""Points from the middle of a line down to the baseline of all that stands in it."""
_APART = 3.0
"""Points between the large number of a cell and the small one."""
BAR = 1.6
"""The thickness in points of the bar that shows a chance."""
_MOST_KILLS = 5
"""The grid of repeat fire has a column for each number of kills up to this, and one for their
average."""


class HeatCell(NamedTuple):
    """A cell: its ``sign``, which is all that is written in it (such as ``67+``), the chance that
    is drawn below it, and the d12's sign if it differs. Two kinds of cells have no chance, and so
    no bar: where the weapon may not fire, and an average number of kills (``is_average``)."""

    sign: str
    chance: Fraction | None
    die_sign: str = ""
    is_average: bool = False


class HeatLine(NamedTuple):
    """A line of cells with its name."""

    name: str
    cells: Sequence[HeatCell]


@as_pdf
def odds_table_pdf(
    page: Leaf,
    tables: tuple[OddsTable, OddsTable],
    *,
    revision: str | None = None,
    rulings_phrase: str = DEFAULT_RULINGS,
) -> PdfDocument:
    """The table for cards, with the die's values where they differ. ``tables``: those of the deck
    and of the die; ``rulings_phrase``: what the title says of the rulings in use, such as
    ``DEFAULT_RULINGS``; ``revision``: what the footer says of the version."""
    cards, die = tables
    # Every weapon has a line in both grids. A table without weapons has no line at all.
    line_count = max(1, 2 * len(cards.lines) + len(_repeat_fire_lines(cards, die)))
    lowest_blocks = _blocks(cards, die, page.measure, LOWEST_LINE, rulings_phrase)
    spare = page.depth - depth(lowest_blocks, page.measure)
    # What the lowest lines leave of the page is shared out among all of them.
    line_height = min(TALLEST_LINE, LOWEST_LINE + max(0.0, spare / line_count))
    blocks = _blocks(cards, die, page.measure, line_height, rulings_phrase)
    part = SheetPart(page, blocks, "Odds table", "Odds table", GAME, revision=revision)
    return PdfDocument("Odds table", "Every weapon against every kind of target", [part])


def _blocks(
    cards: OddsTable, die: OddsTable, width: float, line_height: float, rulings_phrase: str
) -> list[Flowable]:
    """All blocks of the sheet, with lines of this height in points."""
    about = "Weapons and targets", GAME, rulings_phrase
    band = TitleBand("Odds", "%", "Odds Table", *about, least=TitleBand.FLAT)
    blocks: list[Flowable] = [band, Gap(2.4 * MM)]
    for name, contact in (("Phases 1 and 2", False), ("In contact, phases 3 and 4", True)):
        head = Head(name, drawn_from(cards.pack))
        blocks += [head, _grid(cards, die, contact, line_height), Gap(3 * MM)]
    repeat_fire = _repeat_fire(cards, die, line_height)
    return [*blocks, two_columns(repeat_fire, _how_to_read(cards, die), width)]


def _repeat_fire(cards: OddsTable, die: OddsTable, line_height: float) -> list[Flowable]:
    """The chances of repeat fire below their head."""
    titles = [[f"{kills}+"] for kills in range(1, _MOST_KILLS + 1)]
    lines = _repeat_fire_lines(cards, die)
    grid = HeatGrid([*titles, ["on average"]], lines, line_height)
    return [Head("Repeat fire", f"kills among {GUYS_IN_REACH} guys"), Gap(1 * MM), grid]


def _how_to_read(cards: OddsTable, die: OddsTable) -> list[Flowable]:
    """The legend: sentences, the units in each column of targets, and the shades."""
    blocks: list[Flowable] = [Head("How to read it", "percentage of draws that hit"), Gap(1 * MM)]
    for note in legend(cards, *IN_THE_OPEN_AND_IN_COVER):
        blocks.append(paragraph(note, styles.TEXT))
    blocks.append(paragraph(_die_note(cards, die), styles.TEXT))
    targets = [(f"{name}:", f"{units}.") for name, units in units_of_columns(cards)]
    return [*blocks, terms(targets, styles.TEXT), Gap(0.6 * MM), Scale()]


def _die_note(cards: OddsTable, die: OddsTable) -> str:
    """What the small numbers are, and what else the die changes."""
    text = "The small number is that of the d12, where it is another."
    with_cards = exact_chances(cards, *IN_THE_OPEN_AND_IN_COVER)
    with_die = exact_chances(die, *IN_THE_OPEN_AND_IN_COVER)
    if with_cards == with_die:
        return text
    return f"{text} The man aimed at then dies with a chance of {with_die}."


class _GridColumn(NamedTuple):
    """A column of the sheet: the index of its targets among the columns of the odds tables, and
    whether they are in cover."""

    targets_index: int
    cover: bool


def _grid(cards: OddsTable, die: OddsTable, contact: bool, line_height: float) -> HeatGrid:
    """Every weapon against every target; with a column for cover only where cover helps."""
    columns = []
    for index in range(len(cards.columns)):
        columns.append(_GridColumn(index, cover=False))
        if _cover_helps(cards, index, contact) or _cover_helps(die, index, contact):
            columns.append(_GridColumn(index, cover=True))

    titles = []
    for column in columns:
        title = heading_words(cards.columns[column.targets_index])
        if column.cover:
            title = [*title, "in cover"]
        titles.append(title)

    rows = []
    for line_index, line in enumerate(cards.lines):
        cells = [_grid_cell(cards, die, contact, line_index, column) for column in columns]
        rows.append(HeatLine(line.weapon.name, cells))
    return HeatGrid(titles, rows, line_height)


def _grid_cell(
    cards: OddsTable, die: OddsTable, contact: bool, line_index: int, column: _GridColumn
) -> HeatCell:
    """The chance of the weapon in a line of the odds tables against the targets of a column."""
    index, cover = column
    odds = cards.cells(cover, contact)[line_index][index].odds
    # Without the spaces that align the signs in a column on the screen.
    sign = signs(cards, cover, contact)[line_index][index].strip()
    die_sign = signs(die, cover, contact)[line_index][index].strip()
    chance = None
    if odds is not None:
        chance = odds.hit
    return _heat_cell(sign, chance, die_sign)


def _cover_helps(table: OddsTable, targets_index: int, contact: bool) -> bool:
    """Whether any weapon has other odds against these targets in cover."""
    in_the_open = table.cells(cover=False, contact=contact)
    in_cover = table.cells(cover=True, contact=contact)
    for open_cells, cover_cells in zip(in_the_open, in_cover, strict=True):
        if open_cells[targets_index].odds != cover_cells[targets_index].odds:
            return True
    return False


def _repeat_fire_lines(cards: OddsTable, die: OddsTable) -> list[HeatLine]:
    """A line for each weapon that fires again after a kill: the chances of at least so many kills,
    and their average number. Weapons with equal chances share a line."""
    # A chain is the repeat fire of one shooter: his kills until he misses.
    chains_by_cells: dict[tuple[HeatCell, ...], list[Chain]] = {}
    for by_cards, by_die in zip(cards.chains(), die.chains(), strict=True):
        cells = []
        for kills in range(1, _MOST_KILLS + 1):
            chance = by_cards.outcome.at_least(kills)
            die_chance = by_die.outcome.at_least(kills)
            cells.append(_heat_cell(percent(chance), chance, percent(die_chance)))
        # An average number of kills is no chance: it has no bar.
        average_cell = _heat_cell(_average_kills(by_cards), None, _average_kills(by_die))
        cells.append(average_cell._replace(is_average=True))
        chains_by_cells.setdefault(tuple(cells), []).append(by_cards)
    return [HeatLine(weapon_names(chains), cells) for cells, chains in chains_by_cells.items()]


def _average_kills(chain: Chain) -> str:
    """The average number of kills: ``0.6``."""
    return f"{float(chain.outcome.expected()):.1f}"


def weapon_names(chains: Sequence[Chain]) -> str:
    """The weapons of a line. One that has these chances in the open as well as at guys in cover is
    named once, without cover."""
    in_open = [chain.weapon.name for chain in chains if not chain.cover]
    names = list(in_open)
    for chain in chains:
        if chain.cover and chain.weapon.name not in in_open:
            names.append(f"{chain.weapon.name} in cover")
    return ", ".join(names)


def _heat_cell(sign: str, chance: Fraction | None, die_sign: str) -> HeatCell:
    """A cell with the number of the d12 only where it is another."""
    if die_sign == sign:
        return HeatCell(sign, chance)
    return HeatCell(sign, chance, die_sign)


class HeatGrid(Drawing):
    """Lines of chances with their names, below the ``titles`` of their columns, each of which is a
    list of words that stand one below the other."""

    WIDEST = 34 * MM
    """The greatest width of the names before the cells; longer ones are cut."""
    GAP = 0.5
    """Points between a cell and its shade: half of the space between two shades."""
    PAD = 3 * GAP
    """Points between the edge of a cell and its bar, or the small number."""

    def __init__(
        self,
        titles: Sequence[Sequence[str]],
        rows: Sequence[HeatLine],
        line_height: float,
    ) -> None:
        self.titles, self.rows, self.line_height = titles, rows, line_height
        widest_name = max((line_width(row.name, _NAME) for row in rows), default=0.0)
        self.names_width = min(self.WIDEST, widest_name + 1.6 * MM)
        self.titles_height = max(map(len, titles), default=0) * _HEAD.leading + 1.2 * MM

    def height_at(self, width: float) -> float:
        return self.titles_height + self.line_height * len(self.rows)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        cell_width = (width - self.names_width) / max(1, len(self.titles))
        base = top - self.titles_height
        self._paint_titles(canvas, x + self.names_width, base, cell_width)
        rule(canvas, x, x + width, base, NORMAL, ink=inks.BAND)
        for number, (name, cells) in enumerate(self.rows, 1):
            low = base - number * self.line_height
            weapon = fitted(name, _NAME, self.names_width - 1 * MM)
            write(canvas, x, low + self.line_height / 2 - _BELOW_MIDDLE, weapon, _NAME)
            for column, cell in enumerate(cells):
                left = x + self.names_width + column * cell_width
                self._paint_cell(canvas, cell, left, cell_width, low)
            rule(canvas, x, x + width, low, HAIR, ink=inks.FAINT)

    def _paint_titles(self, canvas: Canvas, left: float, base: float, cell_width: float) -> None:
        """The titles of all columns, from ``left``, upward from the rule at ``base``."""
        for column, words in enumerate(self.titles):
            middle = left + (column + 0.5) * cell_width
            # The last word stands on the rule, the others above it.
            for words_below, word in enumerate(reversed(words)):
                level = base + 1.1 * MM + words_below * _HEAD.leading
                write(canvas, middle, level, word, _HEAD)

    def _paint_cell(
        self, canvas: Canvas, cell: HeatCell, left: float, wide: float, low: float
    ) -> None:
        """A cell with its lower left corner at ``left`` and ``low``: its shade, and a bar a little
        above its lower edge; its sign, and the small number of the d12."""
        baseline = low + self.line_height / 2 - _BELOW_MIDDLE
        style = _NUMBER
        if cell.chance is not None:
            self._paint_chance(canvas, cell.chance, left, wide, low)
        elif not cell.is_average:
            style = _NO_CHANCE
        write(canvas, left + self._middle_of_sign(cell, wide), baseline, cell.sign, style)
        if cell.die_sign:
            write(canvas, left + wide - self.PAD, baseline, cell.die_sign, _DIE)

    def _paint_chance(
        self, canvas: Canvas, chance: Fraction, left: float, wide: float, low: float
    ) -> None:
        """The shade and the bar of a cell."""
        if not canvas.sparing:
            shade_left, shade_low = left + self.GAP, low + self.GAP
            shade_width, shade_height = wide - 2 * self.GAP, self.line_height - 2 * self.GAP
            canvas.setFillColor(SHADES[shade_of(chance)])
            canvas.rect(shade_left, shade_low, shade_width, shade_height, stroke=0, fill=1)
        bar_width = wide - 2 * self.PAD
        chance_bar(canvas, left + self.PAD, low + 3.4, bar_width, float(chance))

    def _middle_of_sign(self, cell: HeatCell, wide: float) -> float:
        """Where the middle of the large number stands: in the middle of the cell, or left of that
        where the small number would come too close."""
        if not cell.die_sign:
            return wide / 2
        room = wide - self.PAD - line_width(cell.die_sign, _DIE) - _APART
        return min(wide / 2, room - line_width(cell.sign, _NUMBER) / 2)


class Scale(Drawing):
    """The shades with the chances that they stand for."""

    TALL = 6.2 * MM

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        wide, high = 17 * MM, 4.6 * MM
        low = top - high - 0.6 * MM
        for step in range(SHADE_COUNT):
            lowest_percent = 100 * step // SHADE_COUNT
            highest_percent = 100 * (step + 1) // SHADE_COUNT
            left = x + step * (wide + 1.5 * MM)
            shade, text = SHADES[step], f"{lowest_percent}% and up"
            if canvas.sparing:
                shade = inks.WHITE
            if step == 0:
                text = f"under {highest_percent}%"
            canvas.setFillColor(shade)
            canvas.rect(left, low, wide, high, stroke=0, fill=1)
            middle_percent = (lowest_percent + highest_percent) / 2
            chance = middle_percent / 100
            chance_bar(canvas, left + 1.5, low + 2.4, wide - 3, chance)
            write(canvas, left + wide / 2, low + 5.2, text, _HEAD._replace(ink=inks.BLACK))


def chance_bar(canvas: Canvas, x: float, y: float, width: float, share: float) -> None:
    """A line as wide as its cell, and a bar on it that takes a share of the width."""
    rule(canvas, x, x + width, y, HAIR, ink=inks.QUIET)
    if share:
        rule(canvas, x, x + width * share, y, BAR, ink=inks.BLACK)
