"""The tables of a page: those that are read or ticked, with columns as wide as their texts need;
rows with a bar; and those that are filled in by hand, with high rows and rules between the columns.

Widths are in points; only those that ``SheetColumn`` and ``facts`` take are in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.boxes import LEAST_BOX, LOST, UNMARKED, Box, Boxes
from skirmish.sheets.layout.flow import AtLeast, Flowable
from skirmish.sheets.layout.fonts import BOLD
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import SheetColumn, TableCommand, facts, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.page_sheet.charts import BarDrawing, full_length
from skirmish.sheets.paper import HAIR, MM, THIN, WRITING
from skirmish.tabletop import page as data

BOX_SIGNS = {"\N{BALLOT BOX}": UNMARKED, "\N{BALLOT BOX WITH CHECK}": LOST}
"""The marks on the box that is printed for a sign in a table."""

# Tables to read.
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

# Rows with a bar.
_WIDEST_LABEL = 38 * MM
"""The greatest width of the name of a bar, and of its note."""
_GAUGE_BAR = 42 * MM
"""The length of a gauge's bar."""
_GAUGE_COLUMN = _GAUGE_BAR + BarDrawing.RIGHT + _BETWEEN
"""The width of the column with that bar, and with the space right of it."""

# Tables to fill in.
_LEAST_AIR = 0.9 * MM
"""The least space above and below what stands in a row."""
_BESIDE_RULE = 1.2 * MM
"""The space left and right of what stands between two rules."""
_SLACK = 0.55
"""Points by which a column is wider than its widest text."""
_ROOM_FOR_NAME = 36 * MM
"""The width of the room to write a name in by hand."""
_WIDEST_NAME = 0.4
"""The greatest share of the width for a column of names."""


# ------------------------------------------------------------------ to read or to tick


def facts_to_read(block: data.Facts, width: float) -> Flowable:
    """Names beside their values. There is at least one."""
    names = [name for name, _ in block.rows]
    values = [value for _, value in block.rows]
    # A long value may take most of the width, and is then broken rather than its name.
    room_for_names = width - _width_of_widest(values, _MOST_FOR_VALUES * width)
    name_width = _width_of_widest(names, room_for_names)
    return facts(block.rows, width, name_width=name_width / MM, air=_AIR)


def _width_of_widest(texts: Sequence[str], room: float) -> float:
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
    widths = _widths_to_read(table, width, aligned_rows)
    columns = []
    for column, column_width in zip(table.columns, widths.columns, strict=True):
        style = styles.UNIT
        if column.number:
            style = style._replace(align="right")
        columns.append(SheetColumn(column.title, column_width / MM, style))
    rows = _rows_to_read(table, columns)

    if table.columns[-1].bar:
        columns.append(SheetColumn("", widths.bars / MM, styles.UNIT))
        for cells, bar in zip(rows, _bars_of(table), strict=True):
            cells.append(bar)

    # A number is aligned right, words are aligned left: without more room they would touch.
    commands: list[TableCommand] = []
    for index in _numbers_before_words(table):
        commands.append(("RIGHTPADDING", (index, 0), (index, -1), _BEFORE_WORDS))
    return _compact_table(width, columns, rows, unruled_rows=table.totals, commands=commands)


def _compact_table(
    width: float,
    columns: Sequence[SheetColumn],
    rows: Sequence[Sequence[str | Flowable]],
    unruled_rows: int = 0,
    commands: Sequence[TableCommand] = (),
) -> Flowable:
    """A table with little air; its last rows, as many as ``unruled_rows``, have no rule below
    them."""
    return printed_table(
        width,
        columns,
        rows,
        air=_AIR,
        tinted=False,
        totals=unruled_rows,
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
            cells.append(_cell_of(text, style._replace(align=column.style.align)))
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


def _cell_of(text: str, style: Style, *, numbered: bool = False) -> Flowable:
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


class _WidthsToRead(NamedTuple):
    """The width of each column of a table, and that of its bars: 0 if there are none."""

    columns: list[float]
    bars: float


def _widths_to_read(
    table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]
) -> _WidthsToRead:
    """The columns and bars, which together fill ``width`` points."""
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

    bars = 0.0
    if has_bars:
        bars = width - math.fsum(widths)
    return _WidthsToRead(widths, bars)


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


# ------------------------------------------------------------------ rows with a bar


class _BarRow(NamedTuple):
    """A row with a bar between its name and a note."""

    name: str
    bar: BarDrawing
    note: str


def gauge_row(gauge: data.Gauge, width: float) -> Flowable:
    """A framed bar between its name and its numbers."""
    note = f"{gauge.value} of {gauge.full}"
    if gauge.note:
        note += f", {gauge.note}"
    share = 0.0
    if gauge.full:
        share = gauge.value / gauge.full
    row = _BarRow(gauge.name, BarDrawing(share, framed=True), note)
    # The same for all gauges, so that the bars of those below one another are in line.
    columns = _bar_columns(_WIDEST_LABEL, _GAUGE_COLUMN, width)
    return _compact_table(width, columns, [row])


def bar_rows(block: data.Bars, width: float) -> Flowable:
    """A row for each bar, without rules between them. There is at least one bar."""
    full = full_length(block.full, [bar.value for bar in block.rows])
    names_width = _width_of_widest([bar.name for bar in block.rows], _WIDEST_LABEL)
    notes_width = _width_of_widest([bar.note for bar in block.rows], _WIDEST_LABEL)
    rows = []
    for bar in block.rows:
        rows.append(_BarRow(bar.name, BarDrawing(bar.value / full, bar.party), bar.note))
    columns = _bar_columns(names_width, width - names_width - notes_width, width)
    return _compact_table(width, columns, rows, unruled_rows=len(rows))


def _bar_columns(names_width: float, bars_width: float, width: float) -> Sequence[SheetColumn]:
    """The columns of a table of bars, from their widths in points; the notes take the rest."""
    notes_width = width - names_width - bars_width
    return [
        SheetColumn("", names_width / MM, styles.TERM),
        SheetColumn("", bars_width / MM, styles.UNIT),
        SheetColumn("", notes_width / MM, styles.UNIT),
    ]


# ------------------------------------------------------------------ to fill in


def facts_to_fill_in(block: data.Facts, width: float) -> Flowable:
    """Names, each beside a value that the reader writes down or continues."""
    untitled = (data.Column(""), data.Column(""))
    return table_to_fill_in(data.Table(untitled, block.rows), width, block.rows)


def table_to_fill_in(
    table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]
) -> Flowable:
    """A table in which the reader writes. ``aligned_rows``: the rows of all tables that get the
    same widths, its own among them."""
    widths = _form_widths(table, width, aligned_rows)
    columns = []
    for column, column_width in zip(table.columns, widths, strict=True):
        columns.append(SheetColumn(column.title, column_width / MM, styles.UNIT))

    rows: list[list[Flowable]] = []
    for name, *others in table.rows:
        cells: list[Flowable] = [paragraph(name, styles.TERM)]
        for text, column in zip(others, table.columns[1:], strict=True):
            cells.append(_cell_of(text, styles.UNIT, numbered=column.counted))
        # A text of two lines makes its row higher, so that it does not touch the rules.
        rows.append([AtLeast(cell, WRITING, _LEAST_AIR) for cell in cells])

    # There is no rule right of the last column.
    last_with_rule = len(columns) - 2
    commands: list[TableCommand] = [
        ("LEFTPADDING", (1, 0), (-1, -1), _BESIDE_RULE),
        ("LINEAFTER", (0, 0), (last_with_rule, -1), HAIR, inks.FAINT),
        ("LINEBELOW", (0, 0), (-1, -1), THIN, inks.FAINT),
    ]
    return printed_table(
        width,
        columns,
        rows,
        air=0,
        tinted=False,
        # Below totals ``printed_table`` draws no rules: the commands above draw them here.
        totals=len(rows),
        pad=0,
        between=_BESIDE_RULE,
        middle=True,
        more_commands=commands,
    )


def _form_widths(
    table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]
) -> list[float]:
    """The width of each column in points: names and boxes take what they need, and the others share
    the rest equally; where there are no others the last column has it."""
    widths = []
    # The indices of the columns that share the rest.
    sharing = []
    for index, column in enumerate(table.columns):
        texts = [row[index] for row in aligned_rows]
        has_names = index == 0 or any(_is_room_for_name(text) for text in texts)
        if has_names:
            needed = min(max(map(_name_width, texts)), _WIDEST_NAME * width)
        else:
            needed = max(map(_boxes_width, texts))
            if needed == 0:  # neither names nor boxes
                sharing.append(index)
        title_width = fonts.width(column.title, styles.COLUMN.face, styles.COLUMN.size)
        widths.append(max(title_width, needed) + 2 * _BESIDE_RULE + _SLACK)
    if not sharing:
        sharing = [len(widths) - 1]
    for index in sharing:
        widths[index] = 0.0
    share = (width - math.fsum(widths)) / len(sharing)
    for index in sharing:
        widths[index] = share
    return widths


def _is_room_for_name(text: str) -> bool:
    """Whether a cell holds only blanks: this is how a page asks for room to write a name."""
    return bool(text) and not text.strip()


def _name_width(text: str) -> float:
    """What a name takes, or the room to write one."""
    if _is_room_for_name(text):
        return _ROOM_FOR_NAME
    return fonts.width(text, styles.TERM.face, styles.TERM.size)


def _boxes_width(text: str) -> float:
    """The width of the boxes of a cell side by side; 0 if there are none."""
    cell = _cell_of(text, styles.UNIT)
    if isinstance(cell, Boxes):
        return cell.width_in_one_row
    return 0.0
