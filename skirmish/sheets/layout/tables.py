"""Tables, blocks side by side, and blocks spread over a given height."""

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
"""Left of the first column."""
BETWEEN = 1.6 * MM
"""Right of every column; of the last one only in a table with a pad."""

_BELOW_HEADS = 1.4
"""The least points between the titles of the columns and the line below them."""


class SheetColumn(NamedTuple):
    """A column of a printed table: its title, its width in mm (0: the width that the others
    leave), and the style of its texts."""

    title: str
    mm: float
    style: Style


Cells: TypeAlias = Sequence[str | Flowable | Sequence[Flowable]]
"""The cells of a row; texts are set in the styles of their columns."""
TableCommand: TypeAlias = tuple[object, ...]
"""A style command of Platypus: its name, the first and last cell (column, row) that it is for, and
its values. Of two commands for the same cell the later one holds."""


class PrintedTable(Table):  # type: ignore[misc]
    """A table that may go on overleaf, below its ``head`` again."""

    head: Flowable | None = None

    def split(self, width: float, room: float) -> list[Flowable]:
        parts: list[Flowable] = super().split(width, room)
        for part in parts:
            part.head = self.head
        return parts


class _RowKind(Enum):
    """What the last cell of a row does with the columns that the row leaves out."""

    FULL = auto()
    """Nothing: the row has a cell for each column."""
    TITLE = auto()
    """It is a title above the rows that follow."""
    MORE_BOXES = auto()
    """It holds boxes for which the row above had no room."""


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
    more: Sequence[TableCommand] = (),
) -> Flowable:
    """A table whose heads are repeated on every page; neither its first nor its last row is ever
    alone on one.

    The last cell of a row with fewer cells takes the other columns: a title, kept with the row
    below it, or more boxes of the row above. ``air`` points above and below each row; ``tinted``:
    every second row is; ``grouped``: rows whose first cell is empty go with the one before. The
    last ``totals`` rows have no rules; ``pad``: points left of the first column, ``between``: right
    of every column; ``middle``: cells stand in the middle of the height of their row; ``more``:
    commands of Platypus."""
    has_heads = any(column.title for column in columns)
    heads = int(has_heads)
    kinds = [_kind_of(row, len(columns)) for row in rows]

    commands = _whole_table(air, pad, between, middle=middle)
    if not middle:
        commands += _on_one_baseline(columns, heads, air)
    commands += more

    cells: list[Cells] = []
    if has_heads:
        cells.append(_heads(columns))
        commands.append(("LINEBELOW", (0, 0), (-1, 0), NORMAL, inks.QUIET))
        # The tails of letters such as g do not touch the line.
        commands.append(("BOTTOMPADDING", (0, 0), (-1, 0), max(air, _BELOW_HEADS)))
    for row in rows:
        cells.append(_filled_up(row, columns))

    for index, kind in enumerate(kinds):
        commands += _over_several_columns(kind, len(rows[index]), index + heads)
    commands += _kept_together(kinds, heads)
    if tinted:
        commands += _tints(rows, heads, grouped=grouped)
    commands += _rules(rows, kinds, heads, ruled=len(rows) - totals, grouped=grouped)

    widths = _widths(columns, width, pad)
    return PrintedTable(cells, widths, repeatRows=heads, hAlign="LEFT", style=commands)


def _kind_of(row: Cells, columns: int) -> _RowKind:
    if len(row) == columns:
        return _RowKind.FULL
    if isinstance(row[-1], Boxes):
        return _RowKind.MORE_BOXES
    return _RowKind.TITLE


def _widths(columns: Sequence[SheetColumn], width: float, pad: float) -> list[float]:
    """The widths in points; together exactly ``width``."""
    rest = width - pad - math.fsum(column.mm for column in columns) * MM
    widths = [column.mm * MM or rest for column in columns]
    # The pad is at the left of the first column, beyond the width that was asked for it.
    widths[0] += pad
    # Columns may ask for more or less than there is, if none takes the rest: the last one bears it.
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
    columns: Sequence[SheetColumn], heads: int, air: float
) -> Iterator[TableCommand]:
    """Cells are aligned at their tops: smaller type is moved down to the baseline of the tallest in
    its row."""
    tallest = max(column.style.size for column in columns)
    for index, column in enumerate(columns):
        yield "TOPPADDING", (index, heads), (index, -1), air + tallest - column.style.size


def _heads(columns: Sequence[SheetColumn]) -> list[Flowable]:
    heads = []
    for column in columns:
        style = styles.COLUMN._replace(align=column.style.align)
        heads.append(paragraph(column.title, style))
    return heads


def _filled_up(row: Cells, columns: Sequence[SheetColumn]) -> Cells:
    """The row with its texts set, and an empty cell for each column that it leaves out."""
    cells: list[str | Flowable | Sequence[Flowable]] = []
    for cell, column in zip(row, columns, strict=False):
        if isinstance(cell, str):
            cells.append(paragraph(cell, column.style))
        else:
            cells.append(cell)
    while len(cells) < len(columns):
        cells.append("")
    return cells


def _over_several_columns(kind: _RowKind, cells: int, y: int) -> Iterator[TableCommand]:
    """The last cell of a short row takes all columns up to the right end."""
    if kind is not _RowKind.FULL:
        yield "SPAN", (cells - 1, y), (-1, y)
        yield "RIGHTPADDING", (0, y), (-1, y), 0
    if kind is _RowKind.MORE_BOXES:
        yield "TOPPADDING", (0, y), (-1, y), 0


def _kept_together(kinds: Sequence[_RowKind], heads: int) -> Iterator[TableCommand]:
    """Which rows are never parted by a page from the row below them."""
    last = len(kinds) - 1
    for index, kind in enumerate(kinds[:-1]):
        # Otherwise the first or the last row could be alone on a page.
        is_at_an_end = index in (0, last - 1)
        begins_boxes = kinds[index + 1] is _RowKind.MORE_BOXES and kind is not _RowKind.MORE_BOXES
        if kind is _RowKind.TITLE or is_at_an_end or begins_boxes:
            y = index + heads
            yield "NOSPLIT", (0, y), (-1, y + 1)


def _tints(rows: Sequence[Cells], heads: int, *, grouped: bool) -> Iterator[TableCommand]:
    """A ground for every second row, or every second group of rows."""
    shaded = False
    for index, row in enumerate(rows):
        goes_with_the_one_before = grouped and not row[0]
        if not goes_with_the_one_before:
            shaded = not shaded
        if shaded:
            y = index + heads
            yield "BACKGROUND", (0, y), (-1, y), inks.PANEL


def _rules(
    rows: Sequence[Cells], kinds: Sequence[_RowKind], heads: int, *, ruled: int, grouped: bool
) -> Iterator[TableCommand]:
    """A rule below each of the first ``ruled`` rows, but not below a title, nor between rows that
    belong together."""
    for index in range(ruled):
        if kinds[index] is _RowKind.TITLE:  # a rule would part it from its rows
            continue
        if index + 1 < len(rows):
            if kinds[index + 1] is _RowKind.MORE_BOXES:
                continue
            if grouped and not rows[index + 1][0]:
                continue
        y = index + heads
        yield "LINEBELOW", (0, y), (-1, y), HAIR, inks.FAINT


def facts(rows: Sequence[tuple[str, str]], width: float, label: float, air: float = 1) -> Flowable:
    """Names with what they mean; ``label``: the width of the names in mm."""
    columns = SheetColumn("", label, styles.TERM), SheetColumn("", 0, styles.UNIT)
    return printed_table(width, columns, rows, air=air, tinted=False, pad=0, between=0)
