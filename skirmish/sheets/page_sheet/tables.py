"""The tables of a page that are read or ticked, and their columns as wide as their texts need.

Widths are in points; only those that ``SheetColumn`` and ``facts`` take are in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.boxes import LEAST_BOX, LOST, UNMARKED, Box, Boxes
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BOLD
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import SheetColumn, TableCommand, facts, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.page_sheet.charts import BarDrawing, full_length
from skirmish.sheets.paper import MM
from skirmish.tabletop import page as data

BOX_SIGNS = {"\N{BALLOT BOX}": UNMARKED, "\N{BALLOT BOX WITH CHECK}": LOST}
"""The marks on the box that is printed for a sign in a table."""
_AIR = 0.55
"""Points above and below a line of a table."""
_BETWEEN = MM
"""The space right of every column."""
_NARROWEST = 12 * MM
"""The least width of a column of words, and of bars."""
_BEFORE_WORDS = 4 * MM
"""The space between a number and the words on its right."""
_BESIDE_TEXT = 2.4 * MM
"""What a column takes beside its widest text: the space right of it, and some air."""
_SHARE_OF_NAMES = 0.3
"""The share of the width for the names in a table with bars."""
_MOST_FOR_VALUES = 0.6
"""The greatest share of the width for the values of facts."""


def facts_to_read(block: data.Facts, width: float) -> Flowable:
    """Names beside their values. There is at least one."""
    names = [name for name, _ in block.rows]
    values = [value for _, value in block.rows]
    # A long value may take most of the width, and is then broken rather than its name.
    room_for_names = width - width_of_widest(values, _MOST_FOR_VALUES * width)
    return facts(block.rows, width, width_of_widest(names, room_for_names) / MM, _AIR)


def width_of_widest(texts: Sequence[str], room: float) -> float:
    """The width of the widest text with some air, at most ``room`` points."""
    width = max(fonts.width(text, styles.TERM.face, styles.TERM.size) for text in texts)
    return min(width + 3 * MM, room)


def has_boxes(table: data.Table) -> bool:
    """Whether a table has boxes to tick."""
    for row in table.rows:
        for text in row:
            if any(sign in BOX_SIGNS for sign in text.split()):
                return True
    return False


def table_to_read(
    table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]
) -> Flowable:
    """A table of the whole width: numbers get what they need, words and bars share the rest.
    ``aligned_rows``: the rows of all tables that get the same widths, its own among them."""
    widths = _widths_with_bars(table, width, aligned_rows)
    columns = []
    # If there are bars, ``widths`` has one width more than the table has columns.
    for column, column_width in zip(table.columns, widths, strict=False):
        style = styles.UNIT
        if column.number:
            style = style._replace(align="right")
        columns.append(SheetColumn(column.title, column_width / MM, style))
    rows = _rows_to_read(table, columns)

    if table.columns[-1].bar:
        columns.append(SheetColumn("", widths[-1] / MM, styles.UNIT))
        for cells, bar in zip(rows, _bars_of(table), strict=True):
            cells.append(bar)

    # A number is aligned right, words are aligned left: without more room they would touch.
    commands: list[TableCommand] = []
    for index in _numbers_before_words(table):
        commands.append(("RIGHTPADDING", (index, 0), (index, -1), _BEFORE_WORDS))
    return close_table(width, columns, rows, without_rules=table.totals, commands=commands)


def close_table(
    width: float,
    columns: Sequence[SheetColumn],
    rows: Sequence[Sequence[str | Flowable]],
    without_rules: int = 0,
    commands: Sequence[TableCommand] = (),
) -> Flowable:
    """A table with little air; the last ``without_rules`` rows have no rules, as ``printed_table``
    draws none below its totals."""
    return printed_table(
        width,
        columns,
        rows,
        air=_AIR,
        tinted=False,
        totals=without_rules,
        pad=0,
        between=_BETWEEN,
        more_commands=commands,
    )


def _rows_to_read(table: data.Table, columns: Sequence[SheetColumn]) -> list[list[str | Flowable]]:
    """The rows; totals and the marked row are in bold."""
    first_total = len(table.rows) - table.totals
    rows: list[list[str | Flowable]] = []
    for index, row in enumerate(table.rows):
        style = styles.UNIT
        if index >= first_total or index == table.mark:
            style = styles.STRONG
        cells: list[str | Flowable] = []
        for text, column in zip(row, columns, strict=True):
            cells.append(cell_of(text, style._replace(align=column.style.align)))
        rows.append(cells)
    return rows


def _bars_of(table: data.Table) -> Iterator[BarDrawing]:
    """A bar for each row, as long as the number in the last column; totals have none."""
    first_total = len(table.rows) - table.totals
    values = []
    for row in table.rows:
        value = 0.0
        if row[-1].isdigit():  # a dash, say, has no bar
            value = float(row[-1])
        values.append(value)
    # A total would make all other bars short.
    full = full_length(table.full, values[:first_total])
    for index, value in enumerate(values):
        share = 0.0
        if index < first_total:
            share = value / full
        yield BarDrawing(share, table.party)


def cell_of(text: str, style: Style, *, numbered: bool = False) -> Flowable:
    """A text as a paragraph; signs of boxes as boxes of full size, which may be ``numbered``."""
    signs = text.split()
    if not signs or any(sign not in BOX_SIGNS for sign in signs):
        return paragraph(text, style)
    boxes = []
    for number, sign in enumerate(signs, 1):
        code = ""
        if numbered:
            code = str(number)
        boxes.append(Box(code, BOX_SIGNS[sign]))
    return Boxes(boxes, LEAST_BOX)


# ------------------------------------------------------------------ widths


def _widths_with_bars(
    table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]
) -> list[float]:
    """The width of each column in points; behind them that of the bars, if there are any."""
    widths = _unbroken_widths(table, aligned_rows)
    has_bars = table.columns[-1].bar
    flexible = [index for index, column in enumerate(table.columns) if not column.number]
    if not flexible:
        # There are only numbers: the first column is narrowed and widened instead of words.
        flexible = [0]

    room = width
    if has_bars:
        room = width - _NARROWEST
    _narrow(widths, flexible, room)
    flexible_width = math.fsum(widths[index] for index in flexible)
    spare = max(room - math.fsum(widths), 0)
    if has_bars:
        # Names take the same share in every table with bars, so that the numbers of tables below
        # one another are in line.
        lacking = max(_SHARE_OF_NAMES * width - flexible_width, 0)
        spare = min(lacking, spare)
    for index in flexible:
        widths[index] += spare * widths[index] / flexible_width

    if has_bars:
        widths.append(width - math.fsum(widths))
    return widths


def _unbroken_widths(table: data.Table, aligned_rows: Sequence[Sequence[str]]) -> list[float]:
    """The width of each column in which no text has to be broken, except the titles of numbers:
    these may be broken between any two words."""
    widths = []
    for index, column in enumerate(table.columns):
        title_parts = [column.title]
        if column.number:
            title_parts = column.title.split(" ")
        needs = [fonts.width(part, styles.COLUMN.face, styles.COLUMN.size) for part in title_parts]
        # Totals and the marked row are in bold, and any of the rows may be one.
        needs += [fonts.width(row[index], BOLD, styles.UNIT.size) for row in aligned_rows]
        widths.append(max(needs) + _BESIDE_TEXT)
    for index in _numbers_before_words(table):
        # The usual space right of a column is in its width already.
        widths[index] += _BEFORE_WORDS - _BETWEEN
    return widths


def _numbers_before_words(table: data.Table) -> Iterator[int]:
    """The indices of the columns of numbers that have words on their right."""
    for index, (column, next_column) in enumerate(pairwise(table.columns)):
        if column.number and not next_column.number:
            yield index


def _narrow(widths: list[float], flexible: Sequence[int], room: float) -> None:
    """Takes a millimetre at a time from the widest of the ``flexible`` columns until all fit into
    ``room``, or none of them can become narrower."""

    def width_of(index: int) -> float:
        return widths[index]

    while math.fsum(widths) > room:
        widest_column = max(flexible, key=width_of)
        if widths[widest_column] <= _NARROWEST:
            return
        widths[widest_column] -= MM
