"""The strip on which a scenario sheet prints its weapons: a table with a row for each weapon. Where
that were more than six rows, those weapons that differ least share one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias, TypeVar

from skirmish.games.plastic.rules.firing_table import NONE
from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.fonts import BOLD, LABEL, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.text_lines import PlacedLine, line_width, write, write_all
from skirmish.sheets.paper import ROW, STEP
from skirmish.sheets.scenario.weapon_lines import KillChance, StripLine, WeaponHolder, reach_of
from skirmish.tabletop.measure import CENTIMETRES_AN_INCH

MOST_ROWS = 6
"""The strip has at most so many rows, unless there are more than twice as many weapons: more than
two never share a row. Our choice, for which the sheets have room."""
_TITLES = (
    "",
    "fired by",
    "range",
    "guys",
    "tanks",
    "pillboxes",
    "unarmored",
    "in cover",
    "repeat fire",
    "op fire",
)
"""The titles of the columns; the first, with the weapons' names, needs none."""
_FIRED_BY = _TITLES.index("fired by")
"""The index of the column with the symbols of the units."""
_TITLE = Style(LABEL, 7.2, 7.2, ink=inks.QUIET)


class _StripType(NamedTuple):
    """The type in which a strip is set."""

    number: Style
    """For inches and ranks, and for the names of the weapons."""
    words: Style
    share: Style
    """For shares of a deck, and for the strokes."""
    metric: Style
    """For centimetres."""


_USUAL = _StripType(
    number=Style(BOLD, 8.4, 8.4),
    words=Style(MEDIUM, 8, 8),
    share=Style(MEDIUM, 7, 7, ink=inks.QUIET),
    metric=Style(MEDIUM, 7.4, 7.4, ink=inks.QUIET),
)
_SMALLER = _StripType(
    number=Style(BOLD, 7.6, 7.6),
    words=Style(MEDIUM, 7.2, 7.2),
    share=Style(MEDIUM, 6.6, 6.6, ink=inks.QUIET),
    metric=Style(MEDIUM, 6.6, 6.6, ink=inks.QUIET),
)
"""For a strip that would be wider than the page in the usual type."""
_TITLE_LEVEL = 6.4
"""Points from the top of the strip down to the baseline of the titles."""
_TITLES_HEIGHT = 2 * STEP + 1
"""The height of the titles above the first row, in points."""
_LEAST_GAP = 5.0
"""Points that two columns have at least between them."""
_SHARE_LEFT = 22.0
"""Points from the left of a cell to its share of a deck, so that the shares of all rows stand one
below another."""
_METRIC_LEFT = 17.0
"""The same for centimetres."""
_SPACE = 2.4
"""Points between two texts of a cell that two weapons share."""
_STROKE = "/"
"""Stands between what two weapons have in a cell."""
_BELOW_MIDDLE = 2.9
"""Points from the middle of a row down to its baseline."""
_STROKE_STEP = 6.0
"""Points from the left of a stroke to the symbol after it."""
_SYMBOL_STEP = 13.4
"""Points from the left of the symbol of a unit to the next one."""
_SYMBOL_SHIFT = 0.7
"""Points by which a symbol stands left of the middle of its step: so it looks centred."""
_SYMBOL_SCALE = 0.92
"""Symbols are a little smaller than usual, to fit a row."""


class StripRow(NamedTuple):
    """A row of the strip: a weapon, or two that share it."""

    lines: tuple[StripLine, ...]


def strip_rows(lines: Sequence[StripLine]) -> list[StripRow]:
    """A row for each weapon, in their order. Where that were more than ``MOST_ROWS``, the two
    weapons that differ least share a row, then the next two, but never more than two: so more than
    twelve weapons have more rows."""
    rows = [StripRow((line,)) for line in lines]
    while len(rows) > MOST_ROWS:
        alone = [row for row in rows if len(row.lines) == 1]
        if len(alone) < 2:
            break
        first, second = min(combinations(alone, 2), key=_unlikeness)
        rows[rows.index(first)] = StripRow((*first.lines, *second.lines))
        rows.remove(second)
    return rows


def _unlikeness(rows: tuple[StripRow, StripRow]) -> tuple[bool, int]:
    """How badly two weapons suit one row, for finding the pair with the lowest value. Weapons that
    the rules call by one name, as an 88 is a cannon, suit each other better than any others; beyond
    that, the fewer figures differ, the better. Each of the ``rows`` has a single weapon so far."""
    [first] = rows[0].lines
    [second] = rows[1].lines
    names = {first.weapon.id, *first.weapon.other_ids}
    is_of_one_kind = not names.isdisjoint({second.weapon.id, *second.weapon.other_ids})
    figures = [
        (reach_of(first.weapon), reach_of(second.weapon)),
        *zip(first.chances, second.chances, strict=True),
    ]
    words = [
        (first.in_cover, second.in_cover),
        (first.repeat, second.repeat),
        (first.op_fire, second.op_fire),
    ]
    # A word counts as two figures, since it takes twice the room of a number.
    differences = _count_different(figures) + 2 * _count_different(words)
    return not is_of_one_kind, differences


def _count_different(pairs: Iterable[tuple[object, object]]) -> int:
    """How many of the pairs have two different parts."""
    return sum(first != second for first, second in pairs)


def _in_centimetres(inches: int) -> str:
    """``90 cm`` for 36 inches: by ``CENTIMETRES_AN_INCH``, with halves rounded up."""
    rounded = int(inches * CENTIMETRES_AN_INCH + 0.5)
    return f"{rounded} cm"


class _CellPiece(NamedTuple):
    """A number or a word in a cell."""

    left: float
    """Points from the left of the cell."""
    text: str
    style: Style

    @property
    def right(self) -> float:
        """Points from the left of the cell to the end of the text."""
        return self.left + line_width(self.text, self.style)


class _StyledText(NamedTuple):
    """A number or a word that has no place in a cell yet."""

    text: str
    style: Style


StripCell: TypeAlias = Sequence[_CellPiece]
"""What stands in a cell, from left to right."""
Figure = TypeVar("Figure")


def _differing(figures: Iterable[Figure]) -> list[Figure]:
    """The figures of the weapons of a row in their order, each once: where both weapons have the
    same, it is printed only once."""
    return list(dict.fromkeys(figures))


def _in_sequence(groups: Iterable[Sequence[_StyledText]], stroke_style: Style) -> StripCell:
    """The texts of a cell one after the other, with a stroke between two groups."""
    cell: list[_CellPiece] = []
    x = 0.0
    for group in groups:
        if cell:
            stroke = _CellPiece(x + _SPACE, _STROKE, stroke_style)
            cell.append(stroke)
            x = stroke.right + _SPACE
        for index, (text, style) in enumerate(group):
            if index > 0:
                x += _SPACE
            piece = _CellPiece(x, text, style)
            cell.append(piece)
            x = piece.right
    return cell


class _StripCells:
    """The texts in the cells of a strip, in one type."""

    def __init__(self, rows: Sequence[StripRow], type: _StripType) -> None:
        self.type = type
        self.rows = [self._cells(row.lines) for row in rows]

    def width(self, column: int) -> float:
        """The width that a column needs for its texts and its title, in points."""
        widest = line_width(_TITLES[column], _TITLE)
        for row in self.rows:
            for piece in row[column]:
                widest = max(widest, piece.right)
        return widest

    def _cells(self, lines: Sequence[StripLine]) -> list[StripCell]:
        """The cells of a row, in the order of the columns."""
        names = _differing(line.weapon.name for line in lines)
        symbols: StripCell = []  # without text: ``_SymbolCell`` draws them
        reaches = _differing(reach_of(line.weapon) for line in lines)
        cells = [self._words(names, self.type.number), symbols, self._reaches(reaches)]
        # For each kind of target, the chances of the weapons of this row.
        for chances in zip(*(line.chances for line in lines), strict=True):
            cells.append(self._chances(_differing(chances)))
        for words in (
            [line.in_cover for line in lines],
            [line.repeat for line in lines],
            [line.op_fire for line in lines],
        ):
            cells.append(self._words(_differing(words), self.type.words))
        return cells

    def _words(self, words: Sequence[str], style: Style) -> StripCell:
        """One word, or those of two weapons with a stroke between them."""
        groups = [[_StyledText(word, style)] for word in words]
        return _in_sequence(groups, self.type.share)

    def _reaches(self, reaches: Sequence[int]) -> StripCell:
        """``36″ 90 cm``; for two weapons ``36″ 90 cm / 24″ 60 cm``."""
        groups = []
        for reach in reaches:
            inches = _StyledText(f"{reach}″", self.type.number)
            centimetres = _StyledText(_in_centimetres(reach), self.type.metric)
            groups.append((inches, centimetres))
        if len(groups) > 1:
            return _in_sequence(groups, self.type.share)
        inches, centimetres = groups[0]
        return [_CellPiece(0, *inches), _CellPiece(_METRIC_LEFT, *centimetres)]

    def _chances(self, chances: Sequence[KillChance]) -> StripCell:
        """``A-5 42%``, or ``A-5* 42%`` if the weapon may fire only in contact."""
        groups = []
        for chance in chances:
            ranks = chance.ranks or NONE
            if chance.only_touching:
                ranks += "*"
            group = [_StyledText(ranks, self.type.number)]
            if chance.share:
                group.append(_StyledText(chance.share, self.type.share))
            groups.append(group)
        if len(groups) > 1:
            return _in_sequence(groups, self.type.share)
        needed, *share_if_any = groups[0]
        cell = [_CellPiece(0, *needed)]
        for share in share_if_any:
            cell.append(_CellPiece(_SHARE_LEFT, *share))
        return cell


class _PlacedSymbol(NamedTuple):
    """The symbol of a unit in a cell; ``left``: points from the left of the cell."""

    left: float
    holder: WeaponHolder


class _SymbolCell:
    """The symbols of a row from left to right: the units that have its weapon and, after a stroke,
    those that have the weapon that shares the row."""

    def __init__(self, row: StripRow) -> None:
        self.symbols: list[_PlacedSymbol] = []
        self.strokes: list[float] = []
        """The left of each stroke in points."""
        self.width = 0.0
        for line in row.lines:
            if self.symbols:
                self.strokes.append(self.width)
                self.width += _STROKE_STEP
            for holder in line.holders:
                self.symbols.append(_PlacedSymbol(self.width, holder))
                self.width += _SYMBOL_STEP

    def paint(self, canvas: Canvas, x: float, middle: float, room: float) -> None:
        """Draw the symbols with their middle at the level ``middle``, smaller if they are wider
        than ``room``."""
        scale = min(1.0, room / self.width)
        # In the usual type, as the symbols are drawn in both types alike.
        for left in self.strokes:
            write(canvas, x + left * scale, middle - _BELOW_MIDDLE, _STROKE, _USUAL.share)
        for left, (unit, look) in self.symbols:
            centre = left + _SYMBOL_STEP / 2 - _SYMBOL_SHIFT
            canvas.saveState()
            canvas.translate(x + centre * scale, middle)
            canvas.scale(_SYMBOL_SCALE * scale, _SYMBOL_SCALE * scale)
            Symbol(unit, look.ink, solid=look.solid).draw(canvas)
            canvas.restoreState()


class _Columns(NamedTuple):
    """How a strip is set in a certain width."""

    cells: _StripCells
    lefts: Sequence[float]
    """Points from the left of the strip to each column."""
    symbols_width: float
    """The width of the column of symbols in points."""


class WeaponStrip(Drawing):
    """The strip below its head; each of its rows is ``pitch`` points high."""

    def __init__(self, lines: Sequence[StripLine], pitch: float = 0.9 * ROW) -> None:
        self.rows, self.pitch = strip_rows(lines), pitch
        self.symbols = [_SymbolCell(row) for row in self.rows]

    def height_at(self, width: float) -> float:
        return _TITLES_HEIGHT + len(self.rows) * self.pitch

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        columns = self._columns(width)
        lines = []
        for title, left in zip(_TITLES, columns.lefts, strict=True):
            lines.append(PlacedLine(x + left, top - _TITLE_LEVEL, title, _TITLE))
        level = top - _TITLES_HEIGHT
        for symbols, cells in zip(self.symbols, columns.cells.rows, strict=True):
            rule(canvas, x, x + width, level, 0.3, ink=inks.FAINT)
            middle = level - self.pitch / 2
            lines += self._texts(cells, columns, x, middle - _BELOW_MIDDLE)
            symbols.paint(canvas, x + columns.lefts[_FIRED_BY], middle, columns.symbols_width)
            level -= self.pitch
        rule(canvas, x, x + width, level, 0.3, ink=inks.FAINT)
        write_all(canvas, lines)

    def _texts(
        self, cells: Sequence[StripCell], columns: _Columns, x: float, baseline: float
    ) -> Iterator[PlacedLine]:
        """The texts of a row on the page."""
        for left, cell in zip(columns.lefts, cells, strict=True):
            for piece in cell:
                yield PlacedLine(x + left + piece.left, baseline, piece.text, piece.style)

    def _columns(self, width: float) -> _Columns:
        """The columns in the first type in which the symbols have room in their full size, else in
        the last, in which long rows of symbols are drawn smaller. What room is left over is spread
        between the columns."""
        symbols_width = max(symbols.width for symbols in self.symbols)
        least_gaps = _LEAST_GAP * (len(_TITLES) - 1)
        for type in (_USUAL, _SMALLER):
            cells = _StripCells(self.rows, type)
            widths = [cells.width(column) for column in range(len(_TITLES))]
            widths_of_others = sum(widths) - widths[_FIRED_BY]
            room = width - least_gaps - widths_of_others
            if symbols_width <= room:
                break
        # What was tried last is used: the first type with room, or the smaller one.
        widths[_FIRED_BY] = max(widths[_FIRED_BY], min(symbols_width, room))
        gap = (width - sum(widths)) / (len(_TITLES) - 1)
        lefts = [0.0]
        for column_width in widths[:-1]:
            lefts.append(lefts[-1] + column_width + gap)
        return _Columns(cells, lefts, widths[_FIRED_BY])
