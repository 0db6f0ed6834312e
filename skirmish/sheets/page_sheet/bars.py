"""Gauges and bars of a page: each a row with a name, a bar and a note."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.layout import styles
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.tables import SheetColumn
from skirmish.sheets.page_sheet.charts import BarDrawing, full_length
from skirmish.sheets.page_sheet.tables import close_table, width_of_widest
from skirmish.sheets.paper import MM
from skirmish.tabletop import page as data

GAUGE = 42 * MM
"""The length of a gauge's bar."""
_GAUGE_COLUMN = GAUGE + 3 * MM
"""The width of the column with that bar: with the space right of it."""
_WIDEST_LABEL = 38 * MM
"""The greatest width of the name of a bar, and of its note."""


class _BarRow(NamedTuple):
    """A row of the table of bars."""

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
    columns = _columns(_WIDEST_LABEL, _GAUGE_COLUMN, width)
    return close_table(width, columns, [row])


def bar_rows(block: data.Bars, width: float) -> Flowable:
    """A row for each bar, without rules between them. There is at least one bar."""
    full = full_length(block.full, [bar.value for bar in block.rows])
    names_width = width_of_widest([bar.name for bar in block.rows], _WIDEST_LABEL)
    notes_width = width_of_widest([bar.note for bar in block.rows], _WIDEST_LABEL)
    rows = [_BarRow(bar.name, BarDrawing(bar.value / full), bar.note) for bar in block.rows]
    columns = _columns(names_width, width - names_width - notes_width, width)
    return close_table(width, columns, rows, without_rules=len(rows))


def _columns(names_width: float, bars_width: float, width: float) -> Sequence[SheetColumn]:
    """The columns of a table of bars, from their widths in points; the notes take the rest."""
    notes_width = width - names_width - bars_width
    return [
        SheetColumn("", names_width / MM, styles.TERM),
        SheetColumn("", bars_width / MM, styles.UNIT),
        SheetColumn("", notes_width / MM, styles.UNIT),
    ]
