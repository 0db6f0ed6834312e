"""The tables of a page that are filled in by hand: high rows, and rules between the columns."""

from __future__ import annotations

import math
from collections.abc import Sequence

from skirmish.sheets import inks
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.flow import AtLeast, Flowable
from skirmish.sheets.layout.tables import SheetColumn, TableCommand, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.page_sheet.tables import cell_of
from skirmish.sheets.paper import HAIR, MM, THIN, WRITING
from skirmish.tabletop import page as data

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


def facts_to_fill_in(block: data.Facts, width: float) -> Flowable:
    """Names, each beside a value that the reader writes or goes on with."""
    untitled = (data.Column(""), data.Column(""))
    return form(data.Table(untitled, block.rows), width, block.rows)


def form(table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]) -> Flowable:
    """A table to fill in. ``aligned_rows``: the rows of all tables that get the same widths, its
    own among them."""
    widths = _widths(table, width, aligned_rows)
    columns = []
    for column, column_width in zip(table.columns, widths, strict=True):
        columns.append(SheetColumn(column.title, column_width / MM, styles.UNIT))

    rows: list[list[Flowable]] = []
    for name, *others in table.rows:
        cells: list[Flowable] = [paragraph(name, styles.TERM)]
        for text, column in zip(others, table.columns[1:], strict=True):
            cells.append(cell_of(text, styles.UNIT, numbered=column.counted))
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
        # Totals have no rules: those above take their place.
        totals=len(rows),
        pad=0,
        between=_BESIDE_RULE,
        middle=True,
        more_commands=commands,
    )


def _widths(table: data.Table, width: float, aligned_rows: Sequence[Sequence[str]]) -> list[float]:
    """The width of each column in points: names and boxes take what they need, and the others share
    the rest equally; where there are no others the last column has it."""
    widths = []
    sharing = []
    for index, column in enumerate(table.columns):
        texts = [row[index] for row in aligned_rows]
        has_names = index == 0 or any(_is_room_for_name(text) for text in texts)
        if has_names:
            needed = min(max(map(_name_width, texts)), _WIDEST_NAME * width)
        else:
            needed = max(map(_boxes_width, texts))
            if not needed:
                sharing.append(index)
        title_width = fonts.width(column.title, styles.COLUMN.face, styles.COLUMN.size)
        widths.append(max(title_width, needed) + 2 * _BESIDE_RULE + _SLACK)
    if not sharing:
        sharing = [len(widths) - 1]
    fixed = math.fsum(wide for index, wide in enumerate(widths) if index not in sharing)
    for index in sharing:
        widths[index] = (width - fixed) / len(sharing)
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
    cell = cell_of(text, styles.UNIT)
    if isinstance(cell, Boxes):
        return cell.width_in_one_row
    return 0.0
