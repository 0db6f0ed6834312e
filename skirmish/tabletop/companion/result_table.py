"""A printed table of results, such as a combat table: a column for a strength or for odds, a row
for a roll, and shifts to other columns. Columns are named by their index, from 0.

Resolving an attack gives the result with its explanation, and the exact chance of every result. In
tables that an owner copies from his own card, cells may be blank.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.companion.modifiers import Shift, reasons_of
from skirmish.tabletop.data_file import DataError, Problem
from skirmish.tabletop.page import Block, Page, Paragraph, Table, capital, table

BLANK = "–"
"""What stands for a blank cell on pages."""
HIGHEST_ODDS = 999
"""The odds against a defense of 0: more than any column of a table needs."""
ONLY_COLUMN = "result"
"""The title of the column in an owner's table that has a single one."""


class TableRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rolls from ``low`` to ``high`` and a cell for each column; None: a blank cell."""

    low: int
    high: int
    cells: tuple[str | None, ...]


class TableColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A column with its printed title. ``least``: the smallest value that uses the column, as a
    whole number or as odds ("3-1"); empty if columns are chosen by their titles."""

    title: str
    least: str = ""


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an attack with all that leads to it. Before the roll: what is known of it."""

    value: str = ""
    """What determines the column, as players read it: a strength, or those of both sides,
    ``12:4``."""
    legal: bool
    """Whether the attack is allowed. It is not if its column is left of the first one in a table
    with a ``gate``, or if the game forbids it (``refusal_code``)."""
    base: str
    """The title of the column before all shifts; empty left of the first column."""
    column: str
    """The title of the column after all shifts; empty left of the first column."""
    roll: int | None
    """The roll after its modifiers, moved to the nearest row of the table; None before the roll."""
    result: str
    """The cell; empty before the roll, and for a blank cell."""
    shifts: tuple[Shift, ...]
    modifiers: tuple[Shift, ...]
    chances: dict[str, Fraction] = {}
    """The chance of each result (``ResultTable.chances``)."""
    refusal_code: str = ""
    """The code of the reason for which the game forbids the attack."""
    refusal_text: str = ""
    """The same reason as a sentence."""

    def derived(self, roll: int) -> str:
        """A roll with its modifiers: ``3, a battalion -2, in all 1``."""
        if not self.modifiers:
            return str(roll)
        total = roll + sum(modifier.value for modifier in self.modifiers)
        return f"{roll}{reasons_of(self.modifiers)}, in all {total}"


class ResultTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table. Columns are in printed order, weakest first. An attack beyond the last column uses
    the last one; a roll beyond the first or last row uses that row."""

    id: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    gate: bool = False
    """Whether an attack left of the first column is not allowed; else it uses the first column."""
    results: dict[str, str] = {}
    """What each code of a cell means."""

    # ------------------------------------------------------------------ columns

    def column_for(self, value: int | Fraction) -> int:
        """The index of the last column whose least value is at most ``value``; -1 if the value is
        below that of every column."""
        last = -1
        for index, column in enumerate(self.columns):
            if least_value(column.least) <= value:
                last = index
        return last

    def index_of_column(self, title: str) -> int:
        """The index of the column with that title."""
        titles = [column.title for column in self.columns]
        return titles.index(title)

    def shifted(self, column_index: int, shifts: Iterable[Shift]) -> int | None:
        """The index after all shifts; None if the attack is not allowed (``gate``)."""
        shifted_index = column_index + sum(shift.value for shift in shifts)
        if shifted_index < 0 and self.gate:
            return None
        return min(max(shifted_index, 0), len(self.columns) - 1)

    def cell(self, column_index: int, roll: int) -> str | None:
        """The cell of a column for a roll; None: blank."""
        return self.rows[self.index_of_row(roll)].cells[column_index]

    def index_of_row(self, roll: int) -> int:
        """The index of the row for ``roll``; for a roll beyond the first or the last row, of that
        one."""
        for index, row in enumerate(self.rows):
            if roll <= row.high:
                return index
        return len(self.rows) - 1

    # ------------------------------------------------------------------ answers

    def resolve(
        self,
        column_index: int,
        roll: int | None,
        shifts: Sequence[Shift] = (),
        modifiers: Sequence[Shift] = (),
        *,
        value: str = "",
        rolls: Mapping[int, int] | Sequence[int] = (),
    ) -> Resolved:
        """The result of an attack. ``column_index``: its column before ``shifts``; ``roll``: before
        ``modifiers``, None before the dice are thrown; ``value``: as of ``Resolved``; ``rolls``:
        what may be rolled, as of ``chances``."""
        final_index = self.shifted(column_index, shifts)
        final_roll: int | None = None
        if roll is not None:
            final_roll = self._within(roll + sum(modifier.value for modifier in modifiers))
        base = column = result = ""
        if column_index >= 0:
            base = self.columns[column_index].title
        if final_index is not None:
            column = self.columns[final_index].title
            if final_roll is not None:
                result = self.cell(final_index, final_roll) or ""
        return Resolved(
            value=value,
            legal=final_index is not None,
            base=base,
            column=column,
            roll=final_roll,
            result=result,
            shifts=tuple(shifts),
            modifiers=tuple(modifiers),
            chances=self.chances(column_index, rolls, shifts, modifiers),
        )

    def chances(
        self,
        column_index: int,
        rolls: Mapping[int, int] | Sequence[int],
        shifts: Sequence[Shift] = (),
        modifiers: Sequence[Shift] = (),
    ) -> dict[str, Fraction]:
        """The chance of every result, in the order of ``results``; BLANK stands for blank cells.
        ``rolls``: what may be rolled, all equally likely, or each with its weight, such as how many
        cards of this number are left. Empty if the attack is not allowed or there are no rolls."""
        final_index = self.shifted(column_index, shifts)
        weights = _weights(rolls)
        total_weight = sum(weights.values())
        if final_index is None or not total_weight:
            return {}
        added = sum(modifier.value for modifier in modifiers)
        chances: dict[str, Fraction] = {}
        for roll, weight in weights.items():
            result = self.cell(final_index, self._within(roll + added)) or BLANK
            chance = Fraction(weight, total_weight)
            chances[result] = chances.get(result, Fraction(0)) + chance
        # Results that the legend does not explain come last; a roll may have the weight 0.
        in_order: dict[str, Fraction] = {}
        for result in (*self.results, *chances):
            if chances.get(result):
                in_order[result] = chances[result]
        return in_order

    def _within(self, roll: int) -> int:
        """The roll, or the nearest one that the table has a row for."""
        return min(max(roll, self.rows[0].low), self.rows[-1].high)

    # ------------------------------------------------------------------ typing it in

    def with_cell(self, row_index: int, column_index: int, result: str | None) -> ResultTable:
        """The table with one cell changed."""
        cells = list(self.rows[row_index].cells)
        cells[column_index] = result
        rows = list(self.rows)
        rows[row_index] = replace(rows[row_index], cells=tuple(cells))
        return replace(self, rows=tuple(rows))

    def blank(self) -> ResultTable:
        """The same table with nothing typed in."""
        rows = []
        for row in self.rows:
            blanks = tuple(None for _ in row.cells)
            rows.append(replace(row, cells=blanks))
        return replace(self, rows=tuple(rows))

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the table: gaps between rows, rows with too few or too many cells,
        unexplained results, least values that do not rise."""
        if not self.columns or not self.rows:
            yield Problem(self.id, "needs at least one column and one row.")
        width = len(self.columns)
        high_above: int | None = None  # the last roll of the row above
        for index, row in enumerate(self.rows):
            key = f"{self.id}.rows[{index}]"
            if len(row.cells) != width:
                yield Problem(f"{key}.cells", f"has {len(row.cells)} cells for {width} columns.")
            if row.high < row.low or (high_above is not None and row.low != high_above + 1):
                yield Problem(key, "rolls must rise without a gap from row to row.")
            high_above = row.high
            yield from self._unexplained(key, row)
        yield from self._column_problems()

    def _unexplained(self, key: str, row: TableRow) -> Iterator[Problem]:
        """Results that the legend does not explain."""
        for cell in row.cells:
            if cell is not None and self.results and cell not in self.results:
                codes = ", ".join(self.results)
                yield Problem(f"{key}.cells", f"{cell!r} is not explained; known are: {codes}.")

    def _column_problems(self) -> Iterator[Problem]:
        """Least values that cannot be read, or do not rise."""
        values: list[Fraction] = []
        for index, column in enumerate(self.columns):
            if not column.least:
                continue
            try:
                values.append(least_value(column.least))
            except ValueError as error:
                yield Problem(f"{self.id}.columns[{index}].least", f"{error}.")
        if not _are_rising(values):
            yield Problem(f"{self.id}.columns", "the least values must rise from left to right.")

    # ------------------------------------------------------------------ on the screen, on paper

    def page(self, mark: Resolved | None = None) -> Page:
        """The table and its legend; ``mark``: the result whose row is marked."""
        blocks: list[Block] = [self.as_table(mark)]
        blocks += [Paragraph(meaning, lead=f"{code}:") for code, meaning in self.results.items()]
        return Page(self.title, tuple(blocks))

    def as_table(self, mark: Resolved | None = None, blank: str = BLANK) -> Table:
        """The table alone. ``blank`` stands for blank cells; if it is empty, they leave room to
        write in by hand."""
        rows = []
        has_blank_cells = False
        for row in self.rows:
            rolls = f"{row.low}-{row.high}"
            if row.low == row.high:
                rolls = str(row.low)
            rows.append((rolls, *[cell or blank for cell in row.cells]))
            if not all(row.cells):
                has_blank_cells = True
        marked: int | None = None
        if mark is not None and mark.roll is not None:
            marked = self.index_of_row(mark.roll)
        titles = [capital(column.title) for column in self.columns]
        has_room_to_write = has_blank_cells and not blank
        return table(["Roll", *titles], rows, mark=marked, written=has_room_to_write)


def _weights(rolls: Mapping[int, int] | Sequence[int]) -> dict[int, int]:
    """The weight of every roll; rolls that have none are equally likely."""
    if isinstance(rolls, Mapping):
        return dict(rolls)
    return dict.fromkeys(rolls, 1)


def _are_rising(numbers: Sequence[Fraction]) -> bool:
    """Whether each number is greater than the one before."""
    return all(first < second for first, second in pairwise(numbers))


def mixed(
    chance: Fraction, first: Mapping[str, Fraction], second: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """The chances of every result if the ``first`` chances hold with this ``chance``, and otherwise
    the ``second`` ones."""
    mixture: dict[str, Fraction] = {}
    for result in dict.fromkeys((*first, *second)):
        by_first = chance * first.get(result, Fraction(0))
        by_second = (1 - chance) * second.get(result, Fraction(0))
        if by_first + by_second:
            mixture[result] = by_first + by_second
    return mixture


def empty_table(
    id: str, title: str, rolls: range, columns: Iterable[TableColumn], results: Iterable[str] = ()
) -> ResultTable:
    """A table with a row for each roll and nothing typed in."""
    columns = tuple(columns)
    blanks = tuple(None for _ in columns)
    rows = tuple(TableRow(roll, roll, blanks) for roll in rolls)
    # The meanings are empty: they stand on the owner's own card.
    legend = dict.fromkeys(results, "")
    return ResultTable(id=id, title=title, columns=columns, rows=rows, results=legend)


class TableRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that the owner types in, with its rolls from ``low`` to ``high``."""

    title: str
    low: int
    high: int
    keys: dict[str, str] = {}
    """The results that a cell may have, each with the key that types it; empty: any text."""

    def blank(self, id: str, least_values: Iterable[str] = ()) -> ResultTable:
        """The table with nothing typed in, with a column for each of these least values; without
        any it has a single column."""
        columns = [TableColumn(value, value) for value in least_values]
        if not columns:
            columns = [TableColumn(ONLY_COLUMN)]
        return empty_table(id, self.title, range(self.low, self.high + 1), columns, self.keys)


def least_value(text: str) -> Fraction:
    """The least value of a column: ``12`` and ``-2`` are numbers, ``3-1`` and ``1-2`` are odds,
    which are 3 and a half. Raises ValueError."""
    try:
        if text.startswith("-"):
            return Fraction(int(text))
        attackers, dash, defenders = text.partition("-")
        if not dash:
            return Fraction(int(text))
        return Fraction(int(attackers), int(defenders))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{text!r} is neither a number (12) nor odds (3-1)") from None


def least_values_problem(values: Iterable[str]) -> str:
    """Why the columns of a table cannot have these least values; empty if they can."""
    try:
        numbers = [least_value(value) for value in values]
    except ValueError as error:
        return f"{error}."
    if _are_rising(numbers):
        return ""
    return "The least values rise from left to right."


def odds(attack: int, defense: int) -> Fraction:
    """Attackers to defenders, rounded in favour of the defenders: 10 to 4 is 2-1, 3 to 4 is 1-2,
    1 to 4 is 1-4. Against a defense of 0 the odds are beyond every column."""
    if not attack:
        return Fraction(0)
    if not defense:
        return Fraction(HIGHEST_ODDS)
    if attack >= defense:
        return Fraction(attack // defense)
    # 3 to 4 is 1 to 1 1/3; rounded up that is 1 to 2.
    return Fraction(1, math.ceil(Fraction(defense, attack)))


def checked_table(table_read: ResultTable, file: str) -> ResultTable:
    """The table of a ``file``, unchanged. Raises DataError with all that is wrong with it."""
    problems = list(table_read.problems())
    if problems:
        raise DataError(file, problems)
    return table_read
