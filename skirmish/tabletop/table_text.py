"""A table of a page as lines of text: the widths of its columns, cells of several lines, bars.

Begin with ``table_lines``. Widths are in columns of a terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
from skirmish.tabletop.text_width import aligned, cells, folded
from skirmish.tabletop.typed import plain

LONGEST_BAR = 24
"""The width of the longest bar."""
NARROWEST = 8
"""The least width of a table's column of words, and of the room for its bars."""
TITLES = -1
"""The number of the row of titles: the rows below it are numbered from 0."""
DrawBar = Callable[[float, int], str]
"""Draws a bar for a share (0 to 1) of a full bar, and the width of the full one."""


def hash_bar(share: float, width: int) -> str:
    """A bar of ``#`` for this share of the ``width``; any share above 0 has at least one."""
    length = round(width * share)
    if share > 0:
        length = max(length, 1)
    return "#" * length


class LineOfRow(NamedTuple):
    """A line of a table, and the number of the ``row`` that it belongs to (``TITLES`` for that of
    the titles). ``bar_length``: that of the bar with which its text ends; 0 for none."""

    row: int
    text: str
    bar_length: int = 0


def table_lines(block: data.Table, width: int, draw_bar: DrawBar = hash_bar) -> Iterator[LineOfRow]:
    """The lines of a table, those of its ``TITLES`` first. Cells that do not fit take several
    lines: first the titles of numbers, then the longest words."""
    texts = [[plain(column.title) for column in block.columns]]
    for cells_of_row in block.rows:
        texts.append([plain(cell) for cell in cells_of_row])
    are_numbers = [column.number for column in block.columns]
    fit = _fitting_widths(texts, are_numbers, width)
    # One column stays free between the table and its bars.
    bars = _bars_of(block, min(fit.spare - 1, LONGEST_BAR), draw_bar)
    # The first of the texts are the titles, whose number is the one before 0.
    for row_number, row in enumerate(texts, TITLES):
        is_titles = row_number == TITLES
        # Titles are aligned at the bottom, next to what they name.
        folded_row = _folded_row(row, fit.widths, at_bottom=is_titles)
        for index, line_cells in enumerate(folded_row):
            line = _aligned_cells(line_cells, fit, are_numbers)
            bar = ""
            # The bar of a row stands in its first line.
            if bars and not is_titles and index == 0:
                bar = bars[row_number]
                line = f"{line} {bar}"
            yield LineOfRow(row_number, line.rstrip(), len(bar))


def _aligned_cells(line_cells: Sequence[str], fit: _TableFit, are_numbers: Sequence[bool]) -> str:
    """A line of a table without its bar: each cell as wide as its column, numbers aligned right."""
    parts = []
    for text, width, is_number in zip(line_cells, fit.widths, are_numbers, strict=True):
        parts.append(aligned(text, width, right=is_number))
    return (" " * fit.gap).join(parts)


def _folded_row(
    row: Sequence[str], widths: Sequence[int], *, at_bottom: bool
) -> list[tuple[str, ...]]:
    """The lines of a row, each with its text of every cell, empty where a cell has fewer lines."""
    folded_cells = [folded(cell, width) for cell, width in zip(row, widths, strict=True)]
    height = max(map(len, folded_cells), default=0)
    of_equal_height = []
    for lines in folded_cells:
        missing = [""] * (height - len(lines))
        if at_bottom:
            of_equal_height.append([*missing, *lines])
        else:
            of_equal_height.append([*lines, *missing])
    return list(zip(*of_equal_height, strict=True))


class _TableFit(NamedTuple):
    """How a table is set: the ``gap`` between two of its columns, the width of each of them, and
    how much of the width is left over (``spare``; below 0 where the table is too wide)."""

    gap: int
    widths: list[int]
    spare: int


def _fitting_widths(
    texts: Sequence[Sequence[str]], are_numbers: Sequence[bool], width: int
) -> _TableFit:
    """How a table is set in ``width``. ``texts`` are the titles and the rows; ``are_numbers`` says
    of each column whether it holds numbers."""
    in_columns = list(zip(*texts, strict=True))
    # At first as wide as every text needs on one line.
    widths = [max(map(cells, column)) for column in in_columns]
    with_titles_folded = list(widths)
    least_widths = [NARROWEST] * len(widths)
    for index, is_number in enumerate(are_numbers):
        if is_number:
            least_widths[index] = _least_for_numbers(in_columns[index])
            with_titles_folded[index] = least_widths[index]
    # A gap of two, if there is room for it once the titles of numbers are folded; else of one.
    gap = 1
    gaps = len(widths) - 1
    if sum(with_titles_folded) + 2 * gaps <= width:
        gap = 2
    # Then columns become narrower by one cell at a time, until the table fits or none can.
    spare = width - sum(widths) - gap * gaps
    while spare < 0:
        next_to_shrink = _next_to_shrink(widths, least_widths, are_numbers)
        if next_to_shrink is None:
            break
        widths[next_to_shrink] -= 1
        spare += 1
    return _TableFit(gap, widths, spare)


def _next_to_shrink(
    widths: Sequence[int], least_widths: Sequence[int], are_numbers: Sequence[bool]
) -> int | None:
    """The index of the column that becomes narrower next; None if all have their least width."""
    shrinkable = []
    for index, width in enumerate(widths):
        if width > least_widths[index]:
            shrinkable.append(index)
    # Titles of numbers are folded before words are, and of each kind the widest first.
    with_numbers = [index for index in shrinkable if are_numbers[index]]
    candidates = with_numbers or shrinkable
    if not candidates:
        return None
    return max(candidates, key=lambda index: widths[index])


def _least_for_numbers(column: Sequence[str]) -> int:
    """The least width of a column of numbers: each number stays in one line; its title, the first
    text of the ``column``, may be broken between words, and within a word that is very long."""
    title, *numbers = column
    longest_word = max(map(cells, title.split(" ")))
    title_width = min(longest_word, 2 * NARROWEST)
    return max([title_width, *map(cells, numbers)])


def _bars_of(block: data.Table, width: int, draw_bar: DrawBar) -> list[str]:
    """A bar for each row by its number in the last column, empty for the rows of totals. An empty
    list where that column has no bars, or where there is no room for them."""
    if width < NARROWEST or not block.columns[-1].bar:
        return []
    values: list[float] = []
    for row in block.rows[: len(block.rows) - block.totals]:
        value = 0.0
        # Bars are for whole numbers only; any other text has none.
        if row[-1].isdigit():
            value = float(row[-1])
        values.append(value)
    # Where every value is 0 there is no bar: the 1 only avoids a division by 0.
    full = block.full or max(values, default=0) or 1
    bars = [draw_bar(value / full, width) for value in values]
    return bars + [""] * block.totals
