"""The tables of an owner's own card. A game says which tables and modifiers there are; its owner
says what stands in them, since nothing of the card comes with the program.

A "value" is the number that the card gives for a modifier, "woods -2".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, ClassVar, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.companion.modifiers import Shift, Sum
from skirmish.tabletop.companion.result_table import BLANK, ResultTable, checked_table
from skirmish.tabletop.data_file import DataError, Problem, suggest
from skirmish.tabletop.page import Beside, Block, Facts, Heading, capital, in_pairs

MOST_COLUMNS_IN_PAIRS = 3
"""Tables with at most so many columns fit beside one another."""


class BlankCell(NamedTuple):
    """A cell of a table in which nothing is typed yet."""

    roll: int
    column: str


class _ColumnOfTable(NamedTuple):
    """A table of results, and the index of one of its columns."""

    table: ResultTable
    column_index: int


class TypedTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an owner has typed in of his card. There are two kinds of tables: tables of results
    (``ResultTable``), for each of which the subclass of a game has a field with the name of its id;
    and tables with a text for each roll."""

    TITLES: ClassVar[Mapping[str, str]] = {}
    """The titles of the tables of texts, by their ids."""
    ROLLS: ClassVar[range] = range(10)
    """The rolls of the tables of texts."""

    values: dict[str, int] = {}
    """The modifiers by their ids."""
    texts: dict[str, dict[str, str]] = {}
    """By the id of a table of texts, its texts by their rolls."""

    @property
    def results(self) -> tuple[ResultTable, ...]:
        """The tables of results, in the order of the fields."""
        # The subclass of a game declares them as its fields.
        field_values = [getattr(self, name) for name in self.__struct_fields__]
        return tuple(value for value in field_values if isinstance(value, ResultTable))

    @property
    def titles(self) -> dict[str, str]:
        """The title of every table by its id, those of texts last."""
        titles = {table.id: table.title for table in self.results}
        return {**titles, **self.TITLES}

    def table(self, id: str) -> ResultTable | None:
        """The table of results with this id; None for a table of texts and for an unknown id."""
        for table in self.results:
            if table.id == id:
                return table
        return None

    def rolls(self, id: str) -> range:
        """The rolls that a table has rows for."""
        table = self.table(id)
        if table is None:
            return self.ROLLS
        return range(table.rows[0].low, table.rows[-1].high + 1)

    def cell(self, id: str, roll: int, column: str = "") -> str | None:
        """What stands in a table for a roll; None or empty for a blank cell. ``column``: its title,
        empty for a table of texts. Raises LookupError."""
        if id in self.TITLES:
            return self.texts.get(id, {}).get(str(roll))
        table, column_index = self._column(id, roll, column)
        return table.cell(column_index, roll)

    def why_no_cell(self, id: str, roll: int, column: str) -> str:
        """Why there is no such cell in a table; empty if there is."""
        if id in self.TITLES:  # a table of texts may get a text for any roll
            return ""
        table = self.table(id)
        if table is None:
            return f"There is no table {id!r}; {suggest(id, self.titles)}"
        titles = [column_of_table.title for column_of_table in table.columns]
        if column not in titles or roll not in self.rolls(id):
            return f"{table.title} has no column {column!r} for a roll of {roll}."
        return ""

    def missing(self, id: str) -> Iterator[BlankCell]:
        """The blank cells of a table, column by column."""
        table = self.table(id)
        columns = [""]  # a table of texts has one column, without a title
        if table is not None:
            columns = [column.title for column in table.columns]
        for column in columns:
            for roll in self.rolls(id):
                if not self.cell(id, roll, column):
                    yield BlankCell(roll, column)

    def with_cell(self, id: str, roll: int, column: str, cell: str | None) -> Self:
        """The tables with one ``cell``, or the text of a roll, typed in; None makes a cell blank.
        Raises LookupError."""
        if id in self.TITLES:
            texts = dict(self.texts.get(id, {}))
            # A text that is typed in can be replaced, but not removed.
            if cell:
                texts[str(roll)] = cell
            return replace(self, texts=self.texts | {id: texts})
        table, column_index = self._column(id, roll, column)
        return self._with_tables(
            {id: table.with_cell(table.index_of_row(roll), column_index, cell)}
        )

    def _column(self, id: str, roll: int, column: str) -> _ColumnOfTable:
        """A column of a table of results that has a row for the roll. Raises LookupError."""
        table = self.table(id)
        why_not = self.why_no_cell(id, roll, column)
        if table is None or why_not:
            raise LookupError(why_not)
        return _ColumnOfTable(table, table.index_of_column(column))

    def _with_tables(self, tables: Mapping[str, ResultTable]) -> Self:
        """These tables of results, by their ids, in place of the former ones."""
        changes: dict[str, Any] = dict(tables)
        return replace(self, **changes)

    def with_values(self, values: dict[str, int]) -> Self:
        """The tables with these modifiers typed in."""
        return replace(self, values=self.values | values)

    def sum(self, rating: int, ids: Iterable[str], name: Callable[[str], str]) -> Sum:
        """A rating with the modifiers of these ids; ``name`` returns what each is called."""
        lines, missing = [], []
        for id in ids:
            if id in self.values:
                lines.append(Shift(name(id), self.values[id]))
            else:
                missing.append(id)
        return Sum(rating=rating, lines=tuple(lines), missing=tuple(missing))

    def blank(self) -> Self:
        """The same tables with nothing typed in."""
        empty = self._with_tables({table.id: table.blank() for table in self.results})
        return replace(empty, values={}, texts={})

    def checked(self, codes: Callable[[str], Iterable[str]], file: str) -> Self:
        """The tables of a ``file`` as a game stores them. ``codes``: the results that the cells of
        a table may hold. Raises DataError."""
        tables = {}
        for table in self.results:
            rows = []
            for row in table.rows:
                # Files have an empty text for a blank cell.
                cells = tuple(cell or None for cell in row.cells)
                rows.append(replace(row, cells=cells))
            # The game has the list of results, so the legend is there only while cells are checked.
            legend = dict.fromkeys(codes(table.id), "")
            with_legend = checked_table(replace(table, rows=tuple(rows), results=legend), file)
            tables[table.id] = replace(with_legend, results=table.results)
        text_problems = list(self._text_problems())
        if text_problems:
            raise DataError(file, text_problems)
        return self._with_tables(tables)

    def _text_problems(self) -> Iterator[Problem]:
        """What is wrong with the texts of rolls."""
        known_rolls = [str(roll) for roll in self.ROLLS]
        for id, texts in self.texts.items():
            if id not in self.TITLES:
                yield Problem(f"texts.{id}", f"unknown table; {suggest(id, self.TITLES)}")
            for roll in texts:
                if roll not in known_rolls:
                    text = f"the rolls are {known_rolls[0]} to {known_rolls[-1]}."
                    yield Problem(f"texts.{id}.{roll}", text)

    def blocks(
        self, groups: Mapping[str, Mapping[str, str]], blank: str = BLANK
    ) -> Iterator[Block]:
        """All tables and modifiers, for the screen and for paper. ``groups``: by the heading of
        each group of modifiers, their names by their ids; ``blank`` stands for what is not typed
        in."""
        # Narrow tables that follow one another stand in pairs.
        for wide, tables in groupby(self.results, _is_wide):
            parts = [(Heading(table.title), table.as_table(blank=blank)) for table in tables]
            if wide:
                yield from chain(*parts)
            else:
                yield from in_pairs(parts)
        for title, names in groups.items():
            yield Heading(title)
            yield self._values_block(names, blank)
        yield from self._text_blocks(blank)

    def _values_block(self, names: Mapping[str, str], blank: str) -> Block:
        """A group of modifiers in two columns."""
        lines = []
        for id, name in names.items():
            value = blank
            if id in self.values:
                value = f"{self.values[id]:+}"
            lines.append((capital(name), value))
        return _in_two_columns(lines)

    def _text_blocks(self, blank: str) -> Iterator[Block]:
        """The tables of texts, in pairs. If their number is odd, the last one is divided into two
        columns, so that no line goes across the page."""
        paired = list(self.TITLES)
        alone = ""
        if len(paired) % 2:
            alone = paired.pop()
        parts = []
        for id in paired:
            parts.append((Heading(self.TITLES[id]), _facts_to_fill(self._texts_by_roll(id, blank))))
        yield from in_pairs(parts)
        if alone:
            yield Heading(self.TITLES[alone])
            yield _in_two_columns(self._texts_by_roll(alone, blank))

    def _texts_by_roll(self, id: str, blank: str) -> list[tuple[str, str]]:
        """Every roll of a table with its text."""
        texts = self.texts.get(id, {})
        return [(str(roll), texts.get(str(roll), blank)) for roll in self.ROLLS]


def _in_two_columns(lines: Sequence[tuple[str, str]]) -> Beside:
    """Names with their values, the first half of them on the left."""
    half = (len(lines) + 1) // 2
    return Beside((_facts_to_fill(lines[:half]),), (_facts_to_fill(lines[half:]),))


def _facts_to_fill(lines: Sequence[tuple[str, str]]) -> Facts:
    """Facts, with room to write by hand if any of them is missing."""
    has_gaps = any(not value for _, value in lines)
    return Facts(tuple(lines), written=has_gaps)


def _is_wide(table: ResultTable) -> bool:
    """Whether a table is too wide to stand beside another."""
    return len(table.columns) > MOST_COLUMNS_IN_PAIRS
