"""The counters of a game as a table of CSV, with a column for each rating: written and read.

Reading makes rows, which ``counter_rows`` checks.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skirmish.tabletop.companion.counter_rows import as_rows
from skirmish.tabletop.companion.counters import Register
from skirmish.tabletop.data_file import DataError, Problem, suggest

_TEXTS = ("name", "side", "kind", "group")
"""Columns whose cells are taken as they are."""
_STEPS = "steps"
"""The column of a number that is no rating."""
_PLACE = "place"
"""A column of text in which, unlike in ``_TEXTS``, an empty cell says something: nowhere."""
_LISTS = {"traits": " ", "markers": "; "}
"""Columns of several words, and what stands between them."""
_WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")
"""The cell of a number."""
_LONGEST_QUOTE = 40
"""So many characters of a title or a cell stand in a message about it."""


def as_csv(register: Register, ratings: Sequence[str]) -> str:
    """A line for each counter, with a column for each rating; ``-`` is for a number that the
    counter does not have. Traits, places and markers have a column only if some counter has any."""
    rows = as_rows(register)
    columns_if_any = []
    for name in ("traits", "place", "markers"):
        if any(name in row for row in rows):
            columns_if_any.append(name)
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow((*_TEXTS, _STEPS, *ratings, *columns_if_any))
    for row in rows:
        cells = [row.get(name, "") for name in (*_TEXTS, _STEPS)]
        printed = row.get("ratings", {})
        cells += [printed.get(name, "") for name in ratings]
        for name in columns_if_any:
            if name in _LISTS:
                cells.append(_LISTS[name].join(row.get(name, ())))
            else:
                cells.append(row.get(name, ""))
        writer.writerow(cells)
    return "".join(lines.written)


class _Lines:
    """What the CSV writer of the standard library writes to. Not ``io.StringIO``: this layer may
    not import ``io``, which opens files."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, line: str) -> None:
        self.written.append(line)


def csv_rows(text: str, ratings: Sequence[str], file: str) -> list[dict[str, Any]]:
    """The rows of a file of CSV with the fields of ``CounterRow``, as ``read_rows`` takes them.
    Raises DataError with line and column."""
    try:
        table = list(_numbered_lines(text))
    except csv.Error as error:
        raise DataError(file, [Problem("", f"is not a table of CSV: {error}.")]) from None
    titles = _titles(table, file)
    reader = _CsvReader(titles, ratings)
    rows = []
    for line in table[1:]:
        cells = [cell.strip() for cell in line.cells]
        if any(cells):
            rows.append(reader.row(line.number, cells))
    if reader.problems:
        raise DataError(file, reader.problems)
    return rows


class _CsvLine(NamedTuple):
    """A line of a table of CSV."""

    number: int
    """That of its first line in the file, as an editor counts them, from 1: a cell in quotes may
    go on over several lines."""
    cells: list[str]


def _numbered_lines(text: str) -> Iterator[_CsvLine]:
    """The lines of a table of CSV. Raises csv.Error."""
    # The lines have their ends, which belong to a cell that goes on over several of them.
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    first_line = 1
    for cells in reader:
        yield _CsvLine(first_line, cells)
        first_line = reader.line_num + 1


def _titles(table: Sequence[_CsvLine], file: str) -> list[str]:
    """The titles of the columns, in the first line. Raises DataError if they are not there, since
    nobody could tell which column is which."""
    titles: list[str] = []
    if table:
        titles = [title.strip().lower() for title in table[0].cells]
    is_title_missing = not {"name", "side"} <= set(titles)
    is_title_doubled = len(set(titles)) < len(titles)
    if is_title_missing or is_title_doubled:
        message = "the titles of the columns belong here, each once, among them name and side."
        raise DataError(file, [Problem("line 1", message)])
    return titles


class _CsvReader:
    """Reads lines of a table of counters, and collects what is wrong with them."""

    def __init__(self, titles: Sequence[str], ratings: Sequence[str]) -> None:
        self._titles = titles
        self._ratings = ratings
        self.problems: list[Problem] = []

    def row(self, number: int, cells: Sequence[str]) -> dict[str, Any]:
        """The row of a line, without the cells that are wrong; these are among the ``problems``."""
        row: dict[str, Any] = {"ratings": {}}
        if len(cells) != len(self._titles):
            text = f"has {len(cells)} cells; the first line has {len(self._titles)} titles."
            self.problems.append(Problem(f"line {number}", text))
            return row
        for title, cell in zip(self._titles, cells, strict=True):
            why = self._why_not(title, cell)
            if why:
                self.problems.append(Problem(f"line {number}.{title[:_LONGEST_QUOTE]}", why))
            else:
                _put_cell(row, title, cell)
        return row

    def _why_not(self, title: str, cell: str) -> str:
        """What is wrong with a cell; empty if nothing is. An empty cell is never wrong, not even in
        an unknown column."""
        if not cell or title in (*_TEXTS, _PLACE, *_LISTS):
            return ""
        if _WHOLE_NUMBER.fullmatch(cell):
            # An unknown column of numbers is taken for a rating, and ``read_rows`` refuses it.
            return ""
        if cell == "-" and title in self._ratings:
            return ""
        columns = (*_TEXTS, _STEPS, *_LISTS, _PLACE, *self._ratings)
        if title not in columns:
            return f"is no column; {suggest(title, columns)}"
        quote = cell[:_LONGEST_QUOTE]
        return f"expected a whole number, or - for none; {quote!r} stands there."


def _put_cell(row: dict[str, Any], title: str, cell: str) -> None:
    """Put a cell into the row. An empty cell says nothing and is left out, except that in the
    columns of traits, markers and places it says that there are none."""
    if title in _LISTS:
        row[title] = _words_of_cell(title, cell)
    elif title == _PLACE:
        row[title] = cell
    elif not cell:
        return
    elif title in _TEXTS:
        row[title] = cell
    elif title == _STEPS:
        row[title] = int(cell)
    elif cell == "-":
        row["ratings"][title] = "-"
    else:
        row["ratings"][title] = int(cell)


def _words_of_cell(title: str, cell: str) -> list[str]:
    """The words of a cell in one of the ``_LISTS`` columns."""
    separator = _LISTS[title].strip()
    if separator:  # else words are separated by spaces
        words = [word.strip() for word in cell.split(separator)]
    else:
        words = cell.split()
    return [word for word in words if word]
