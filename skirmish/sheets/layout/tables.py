"""Tables, which may be broken across pages and repeat the titles of their columns there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from reportlab.platypus import Table  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.styles import SMALLEST, Style
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import HAIR, MM, NORMAL

PAD = 1 * MM
"""The usual space left of the first column."""
BETWEEN = 1.6 * MM
"""The usual space right of a column; of the last one only in a table with a pad."""

_BELOW_TITLES = 1.4
"""The least points between the titles of the columns and the line below them."""


class SheetColumn(NamedTuple):
    """A column of a printed table: its title, its width in mm, and the style of its texts. One
    column may have a width of 0: it takes what the others leave."""

    title: str
    mm: float
    style: Style


Cells: TypeAlias = Sequence[str | Flowable | Sequence[Flowable]]
"""The cells of a row; texts are set in the styles of their columns."""
TableCommand: TypeAlias = tuple[object, ...]
"""A style command of Platypus: its name, the first and last cell (column, row) that it is for, and
its values. Of two commands for the same cell the later one holds."""


class PrintedTable(Table):  # type: ignore[misc]
    """A table that may go on overleaf, where its ``head`` and the titles of its columns are
    repeated."""

    head: Flowable | None = None
    """What is repeated above it where it opens a page, as for a ``Drawing``."""

    def split(self, width: float, room: float) -> list[Flowable]:
        parts: list[Flowable] = super().split(width, room)
        for part in parts:
            part.head = self.head
        return parts


class _RowKind(Enum):
    """What a row is. The last cell of a row with fewer cells than columns extends over all columns
    that are left."""

    FULL = auto()
    """It has a cell for each column."""
    TITLE = auto()
    """Its last cell is a title above the rows that follow."""
    MORE_BOXES = auto()
    """Its last cell holds boxes for which the row above had no room."""


def printed_table(
    width: float,
    columns: Sequence[SheetColumn],
    rows: Sequence[Cells],
    *,
    air: float = 1.2,
    tinted: bool = True,
    grouped: bool = False,
    totals: int = 0,
    pad: float = PAD,
    between: float = BETWEEN,
    middle: bool = False,
    more_commands: Sequence[TableCommand] = (),
) -> Flowable:
    """A table that repeats the titles of its columns on every page; neither its first nor its last
    row is ever alone on one.

    The last cell of a row with fewer cells than columns takes the others, too: it is a title, kept
    with the row below it, or has more boxes of the row above. ``air``: points above and below each
    row; ``tinted``: every second row has a ground; ``grouped``: a row whose first cell is empty
    belongs to the one before; ``totals``: the number of last rows, which have no rules; ``pad``:
    points left of the first column, ``between``: right of every column; ``middle``: cells are in
    the middle of the height of their row and not at its top; ``more_commands``: commands of
    Platypus for this table."""
    has_titles = any(column.title for column in columns)
    # The row of titles, if there is one, comes before the others.
    title_rows = 0
    if has_titles:
        title_rows = 1
    kinds = [_kind_of(row, len(columns)) for row in rows]

    commands = _whole_table(air, pad, between, middle=middle)
    if not middle:
        commands += _on_one_baseline(columns, title_rows, air)
    commands += more_commands

    cells: list[Cells] = []
    if has_titles:
        cells.append(_titles(columns))
        commands.append(("LINEBELOW", (0, 0), (-1, 0), NORMAL, inks.QUIET))
        # The tails of letters such as g do not touch the line.
        commands.append(("BOTTOMPADDING", (0, 0), (-1, 0), max(air, _BELOW_TITLES)))
    for row in rows:
        cells.append(_filled_up(row, columns))

    for index, kind in enumerate(kinds):
        commands += _over_several_columns(kind, len(rows[index]), index + title_rows)
    commands += _kept_together(kinds, title_rows)
    if tinted:
        commands += _tints(rows, title_rows, grouped=grouped)
    commands += _rules(rows, kinds, title_rows, ruled=len(rows) - totals, grouped=grouped)

    widths = _widths(columns, width, pad)
    return PrintedTable(cells, widths, repeatRows=title_rows, hAlign="LEFT", style=commands)


def _kind_of(row: Cells, column_count: int) -> _RowKind:
    """What a row of a table with so many columns is."""
    if len(row) == column_count:
        return _RowKind.FULL
    if isinstance(row[-1], Boxes):
        return _RowKind.MORE_BOXES
    return _RowKind.TITLE


def _widths(columns: Sequence[SheetColumn], width: float, pad: float) -> list[float]:
    """The widths in points; together exactly ``width``."""
    left_over = width - pad - math.fsum(column.mm for column in columns) * MM
    widths = []
    for column in columns:
        if column.mm:
            widths.append(column.mm * MM)
        else:
            widths.append(left_over)
    # The pad is at the left of the first column, beyond the width that was asked for it.
    widths[0] += pad
    # If no column takes what is left over, they may ask for more or less than there is: the last
    # one is made narrower or wider.
    widths[-1] -= math.fsum(widths) - width
    return widths


def _whole_table(air: float, pad: float, between: float, *, middle: bool) -> list[TableCommand]:
    """The commands for all cells."""
    alignment = "TOP"
    if middle:
        alignment = "MIDDLE"
    # A table without pad ends level with the text above and below it.
    right_end = 0.0
    if pad:
        right_end = between
    return [
        ("FONT", (0, 0), (-1, -1), BODY, SMALLEST),
        ("VALIGN", (0, 0), (-1, -1), alignment),
        ("TOPPADDING", (0, 0), (-1, -1), air),
        ("BOTTOMPADDING", (0, 0), (-1, -1), air),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("LEFTPADDING", (0, 0), (0, -1), pad),
        ("RIGHTPADDING", (0, 0), (-1, -1), between),
        ("RIGHTPADDING", (-1, 0), (-1, -1), right_end),
    ]


def _on_one_baseline(
    columns: Sequence[SheetColumn], title_rows: int, air: float
) -> Iterator[TableCommand]:
    """The commands that move smaller type down to the baseline of the largest, as cells are aligned
    at their tops."""
    largest = max(column.style.size for column in columns)
    for index, column in enumerate(columns):
        yield "TOPPADDING", (index, title_rows), (index, -1), air + largest - column.style.size


def _titles(columns: Sequence[SheetColumn]) -> list[Flowable]:
    """The cells of the row of titles, each aligned as the texts of its column."""
    titles = []
    for column in columns:
        style = styles.COLUMN._replace(align=column.style.align)
        titles.append(paragraph(column.title, style))
    return titles


def _filled_up(row: Cells, columns: Sequence[SheetColumn]) -> Cells:
    """The row with its texts as paragraphs, and with an empty cell for each column that it leaves
    out."""
    cells: list[str | Flowable | Sequence[Flowable]] = []
    # Not strict: a title and a row of more boxes have fewer cells than there are columns.
    for cell, column in zip(row, columns, strict=False):
        if isinstance(cell, str):
            cells.append(paragraph(cell, column.style))
        else:
            cells.append(cell)
    while len(cells) < len(columns):
        cells.append("")
    return cells


def _over_several_columns(kind: _RowKind, cell_count: int, y: int) -> Iterator[TableCommand]:
    """The commands by which the last cell of row ``y`` extends to the right end of the table."""
    if kind is not _RowKind.FULL:
        yield "SPAN", (cell_count - 1, y), (-1, y)
        yield "RIGHTPADDING", (0, y), (-1, y), 0
    if kind is _RowKind.MORE_BOXES:
        yield "TOPPADDING", (0, y), (-1, y), 0


def _kept_together(kinds: Sequence[_RowKind], title_rows: int) -> Iterator[TableCommand]:
    """The commands that keep rows on the page of the row below them."""
    last = len(kinds) - 1
    for index, kind in enumerate(kinds[:-1]):
        # Otherwise the first or the last row could be alone on a page.
        is_at_an_end = index in (0, last - 1)
        # The first row of more boxes stays with the names above it; the others may go overleaf.
        begins_boxes = kinds[index + 1] is _RowKind.MORE_BOXES and kind is not _RowKind.MORE_BOXES
        if kind is _RowKind.TITLE or is_at_an_end or begins_boxes:
            y = index + title_rows
            yield "NOSPLIT", (0, y), (-1, y + 1)


def _tints(rows: Sequence[Cells], title_rows: int, *, grouped: bool) -> Iterator[TableCommand]:
    """A ground for the first row, or group of rows, and for every second one after it."""
    is_tinted = False
    for index, row in enumerate(rows):
        belongs_to_row_before = grouped and not row[0]
        if not belongs_to_row_before:
            is_tinted = not is_tinted
        if is_tinted:
            y = index + title_rows
            yield "BACKGROUND", (0, y), (-1, y), inks.PANEL


def _rules(
    rows: Sequence[Cells],
    kinds: Sequence[_RowKind],
    title_rows: int,
    *,
    ruled: int,
    grouped: bool,
) -> Iterator[TableCommand]:
    """A rule below each of the first ``ruled`` rows, but not below a title, nor between rows that
    belong together."""
    for index in range(ruled):
        if kinds[index] is _RowKind.TITLE:  # a rule would separate it from its rows
            continue
        if index + 1 < len(rows):
            if kinds[index + 1] is _RowKind.MORE_BOXES:
                continue
            if grouped and not rows[index + 1][0]:
                continue
        y = index + title_rows
        yield "LINEBELOW", (0, y), (-1, y), HAIR, inks.FAINT


def facts(
    rows: Sequence[tuple[str, str]], width: float, name_width: float, air: float = 1
) -> Flowable:
    """A table of names and, beside each, what is said about it; ``name_width``: the width of the
    names in mm."""
    columns = SheetColumn("", name_width, styles.TERM), SheetColumn("", 0, styles.UNIT)
    return printed_table(width, columns, rows, air=air, tinted=False, pad=0, between=0)
