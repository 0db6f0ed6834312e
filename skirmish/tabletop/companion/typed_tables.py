"""The tables of an owner's own card: typed in cell by cell, stored with the game, taken from a
file, printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.events import (
    Noted,
    Rolled,
    TableEvent,
    TableState,
    Task,
    TasksSet,
    Track,
)
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import BLANK, ONLY, ResultTable, Shift, Sum, checked
from skirmish.tabletop.companion.table_game import AgendaOrder
from skirmish.tabletop.data_file import DataError, Problem, suggest
from skirmish.tabletop.page import Beside, Block, Facts, Heading, capital, in_pairs
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words, one_of

LOWEST_VALUE, HIGHEST_VALUE = -9, 9
LONGEST_TEXT = 120
NARROW = 3
"""Tables with so many columns stand beside one another."""
VALUE = "value "
"""Answers to ``value_slots`` are named so, with the id of the modifier."""


class TypedTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A subclass has a field for each table of results, called as its id. ``values`` are modifiers
    by id; ``texts`` those of the tables in ``TITLES``, by table and roll."""

    TITLES: ClassVar[Mapping[str, str]] = {}
    """Tables that hold a text for each roll."""
    ROLLS: ClassVar[range] = range(10)
    """Of those."""

    values: dict[str, int] = {}
    texts: dict[str, dict[str, str]] = {}

    @property
    def results(self) -> tuple[ResultTable, ...]:
        found = (getattr(self, name) for name in self.__struct_fields__)
        return tuple(one for one in found if isinstance(one, ResultTable))

    @property
    def titles(self) -> dict[str, str]:
        return {**{one.id: one.title for one in self.results}, **self.TITLES}

    def rolls(self, id: str) -> range:
        """Those that a table has rows for."""
        table = next((one for one in self.results if one.id == id), None)
        return range(table.rows[0].low, table.rows[-1].high + 1) if table else self.ROLLS

    def cell(self, id: str, roll: int, column: str = "") -> str | None:
        """What stands there, if anything is typed. Raises LookupError."""
        if id in self.TITLES:
            return self.texts.get(id, {}).get(str(roll))
        table, at = self._place(id, roll, column)
        return table.cell(at, roll)

    def missing(self, id: str) -> Iterator[tuple[int, str]]:
        """The roll and the column of every cell that is not typed in."""
        table = next((one for one in self.results if one.id == id), None)
        columns = [one.title for one in table.columns] if table else [""]
        for column in columns:
            yield from ((roll, column) for roll in self.rolls(id)
                        if not self.cell(id, roll, column))  # fmt: skip

    def with_cell(self, id: str, roll: int, column: str, cell: str | None) -> Self:
        """The tables after one cell, or the text of a roll, was typed. Raises LookupError."""
        if id in self.TITLES:
            texts = self.texts.get(id, {}) | ({str(roll): cell} if cell else {})
            return replace(self, texts=self.texts | {id: texts})
        table, at = self._place(id, roll, column)
        return replace(self, **{id: table.entered(table.row(roll), at, cell)})

    def _place(self, id: str, roll: int, column: str) -> tuple[ResultTable, int]:
        """A table and the index of its column. Raises LookupError."""
        table = next((one for one in self.results if one.id == id), None)
        if table is None:
            raise LookupError(f"There is no table {id!r}; {suggest(id, self.titles)}")
        titles = [one.title for one in table.columns]
        if column not in titles or roll not in self.rolls(id):
            raise LookupError(f"{table.title} has no column {column!r} for a roll of {roll}.")
        return table, table.index(column)

    def with_values(self, values: dict[str, int]) -> Self:
        return replace(self, values=self.values | values)

    def sum(self, rating: int, ids: Iterable[str], name: Callable[[str], str]) -> Sum:
        """A rating with these modifiers, by their names."""
        ids = list(ids)
        known = tuple(Shift(name(id), self.values[id]) for id in ids if id in self.values)
        missing = tuple(id for id in ids if id not in self.values)
        return Sum(rating=rating, lines=known, missing=missing)

    def blank(self) -> Self:
        """The same tables with nothing typed in."""
        empty = {one.id: one.blank() for one in self.results}
        return replace(self, **empty, values={}, texts={})

    def checked(self, codes: Callable[[str], Iterable[str]], file: str) -> Self:
        """The tables of a file, with None for blank cells. ``codes``: as in ``TypedState``. Raises
        DataError."""
        tables = {}
        for one in self.results:
            rows = (replace(row, cells=tuple(cell or None for cell in row.cells))
                    for row in one.rows)  # fmt: skip
            tables[one.id] = replace(one, rows=tuple(rows))
            checked(replace(tables[one.id], results=dict.fromkeys(codes(one.id), "")), file)
        if problems := list(self._text_problems()):
            raise DataError(file, problems)
        return replace(self, **tables)

    def _text_problems(self) -> Iterator[Problem]:
        rolls = f"the rolls are {self.ROLLS[0]} to {self.ROLLS[-1]}."
        for id, texts in self.texts.items():
            if id not in self.TITLES:
                yield Problem(f"texts.{id}", f"unknown table; {suggest(id, self.TITLES)}")
            for roll in texts:
                if roll not in map(str, self.ROLLS):
                    yield Problem(f"texts.{id}.{roll}", rolls)

    def blocks(
        self, groups: Mapping[str, Mapping[str, str]], blank: str = BLANK
    ) -> Iterator[Block]:
        """For the screen and for paper; ``groups`` are the names of the modifiers by id, under
        their headings; ``blank`` stands for what is not typed in."""
        for wide, found in groupby(self.results, lambda one: len(one.columns) > NARROW):
            parts = [(Heading(one.title), one.as_table(blank=blank)) for one in found]
            yield from chain(*parts) if wide else in_pairs(parts)
        for title, names in groups.items():
            known = [(capital(name), f"{self.values[id]:+}" if id in self.values else blank)
                     for id, name in names.items()]  # fmt: skip
            half = -(-len(known) // 2)
            yield Heading(title)
            yield Beside((Facts(tuple(known[:half])),), (Facts(tuple(known[half:])),))
        texts = {id: self.texts.get(id, {}) for id in self.TITLES}
        yield from in_pairs([
            (Heading(self.TITLES[id]),
             Facts(tuple((str(roll), one.get(str(roll), blank)) for roll in self.ROLLS)))
            for id, one in texts.items()
        ])  # fmt: skip


class TypedState(TableState, frozen=True, kw_only=True):
    tables: TypedTables

    def codes(self, table: str) -> Mapping[str, str]:
        """The results that a cell of this table may hold, with their keys; none: any text."""
        return {}

    def value_name(self, id: str) -> str:
        """What a modifier is called. Raises LookupError."""
        raise LookupError(id)

    def came_of(self, task: Task, text: str) -> list[Any]:
        """The events of what a table gave."""
        return []


# ------------------------------------------------------------------ events

S = TypeVar("S", bound=TypedState)


class OwnersFact(TableEvent, frozen=True, kw_only=True):
    """What the owner types in."""

    def why_not(self, state: Any) -> str:
        """Why it cannot be; empty if it can."""
        return ""


class BoardSet(OwnersFact, frozen=True, kw_only=True):
    """The numbers of a board, each a track that is called by both names."""

    name: str
    numbers: dict[str, int]

    def apply(self, state: Any) -> Any:
        ids = {id: f"{self.name} {id}" for id in self.numbers}
        tracks = {ids[id]: Track(id=ids[id], name=ids[id], value=one)
                  for id, one in self.numbers.items()}  # fmt: skip
        return replace(state, tracks=state.tracks | tracks)

    def narrate(self, state: Any) -> str:
        numbers = ", ".join(f"{name} {value}" for name, value in self.numbers.items())
        return f"{self.name}: {numbers}."


class RecordFacts(AgendaOrder, frozen=True, kw_only=True):
    """What the owner types in; the order of a game has its type of ``facts``."""

    facts: tuple[OwnersFact, ...]

    def carry_out(self, state: Any) -> list[Any]:
        for fact in self.facts:
            if why := fact.why_not(state):
                raise nonsense("not_recorded", why)
            state = fact.apply(state)
        return list(self.facts)


def typed_values(values: dict[str, int]) -> list[Any]:
    return [ValuesTyped(values=values)] if values else []


class CellTyped(OwnersFact, frozen=True, kw_only=True, tag="cell"):
    """A cell of a table of the owner's card, or the text of a roll."""

    table: str
    roll: int
    column: str = ""
    cell: str | None

    def why_not(self, state: TypedState) -> str:
        known = state.codes(self.table)
        if known and self.cell not in (None, *known):
            return f"{self.cell} is no result; they are {', '.join(known)}."
        try:
            state.tables.with_cell(self.table, self.roll, self.column, self.cell)
        except LookupError as error:
            return str(error.args[0])
        return ""

    def apply(self, state: S) -> S:
        tables = state.tables.with_cell(self.table, self.roll, self.column, self.cell)
        return replace(state, tables=tables)

    def narrate(self, state: TypedState) -> str:
        where = f"{self.column}, " if self.column not in ("", ONLY) else ""
        title = state.tables.titles.get(self.table, self.table)
        return f"Typed in: {title}, {where}roll {self.roll}: {self.cell or 'nothing'}."


class ValuesTyped(OwnersFact, frozen=True, kw_only=True, tag="values"):
    """Modifiers by their ids."""

    values: dict[str, int]

    def why_not(self, state: TypedState) -> str:
        for id in self.values:
            try:
                state.value_name(id)
            except LookupError:
                return f"There is no modifier {id!r}."
        return ""

    def apply(self, state: S) -> S:
        return replace(state, tables=state.tables.with_values(self.values))

    def narrate(self, state: TypedState) -> str:
        new = (f"{state.value_name(id)} {one:+}" for id, one in self.values.items())
        return f"On the card: {', '.join(new)}."


class TablesFromFile(OwnersFact, frozen=True, kw_only=True):
    """All tables, out of a file; the event of a game has its type of tables."""

    tables: TypedTables

    def apply(self, state: S) -> S:
        return replace(state, tables=self.tables)

    def narrate(self, state: TypedState) -> str:
        return "The tables of a file are taken."


# ------------------------------------------------------------------ rolls on the tables


class RollOnTable(AgendaOrder, frozen=True, kw_only=True):
    """A roll on one of the owner's tables; a blank cell is asked for. ``numbers`` are his own
    rolls, ``values`` the modifiers typed for it."""

    table: str
    column: str = ""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: tuple[int, ...] = ()

    def dice(self, state: Any) -> Numbers:
        raise NotImplementedError

    def sum(self, state: Any) -> Sum:
        """What is added to the roll."""
        return Sum(rating=0)

    def before(self, state: Any) -> list[Any]:
        """The events of what the roll takes. Raises Refused."""
        return []

    def about(self) -> str:
        """The place of what is rolled about."""
        return ""

    def carry_out(self, state: Any) -> list[Any]:
        numbers, total, rolls = self.dice(state), self.sum(state), state.tables.rolls(self.table)
        if total.missing:
            raise nonsense("no_value", "A modifier of your card is missing.")
        found = [*typed_values(self.values), *self.before(state)]
        face = numbers.number()
        roll = min(max(face + total.needs, rolls[0]), rolls[-1])
        try:
            text = state.tables.cell(self.table, roll, self.column)
        except LookupError as error:
            raise nonsense("no_table", str(error.args[0])) from None
        title = self.column or state.tables.titles[self.table]
        why = "".join(f", {one.label} {one.value:+}" for one in total.lines)
        found += [*numbers.events, Rolled(purpose=title + why, faces=(face,), own=True)]
        task = Task(kind="look_up", table=self.table, column=self.column, roll=roll,
                    place=self.about())  # fmt: skip
        if text is None:
            return [*found, TasksSet(tasks=(task,))]
        return [*found, Noted(text=f"{title}: {text}"), *state.came_of(task, text)]


class TypeCell(AgendaOrder, frozen=True, kw_only=True):
    """What the owner's card gives for the roll in question; it is remembered."""

    answers: ClassVar[tuple[str, ...]] = ("look_up",)

    cell: str

    def carry_out(self, state: Any) -> list[Any]:
        if not state.agenda:
            raise nonsense("not_asked", "Nothing is asked now.")
        task = state.agenda[0]
        typed = CellTyped(table=task.table, roll=task.roll, column=task.column, cell=self.cell)
        if why := typed.why_not(state):
            raise nonsense("no_cell", why)
        return [typed, *self.follows(state, task)]

    def follows(self, state: Any, task: Task) -> list[Any]:
        """What the result does; the question is answered."""
        return [TasksSet(tasks=state.agenda[1:]), *state.came_of(task, self.cell)]


# ------------------------------------------------------------------ typing in


def card_commands(
    state: TypedState,
    names: Mapping[str, str],
    record: Callable[[CellTyped | ValuesTyped], Any],
    group: str,
) -> Iterator[Command[Any]]:
    """Cells by ``=`` and, of these ``names`` by id, modifiers by ``+``. ``record`` makes the
    order."""
    cells = _Cells(state)
    yield Command(label="Type in a cell", key="=", group=group, slots=cells.slots,
                  make=lambda **given: record(cells.typed(**given)))  # fmt: skip
    values = tuple(
        Option(value=id, label=name, note=str(state.tables.values.get(id, "not typed")))
        for id, name in names.items()
    )
    which = Choose(name="id", text="Which modifier?", options=values)
    yield Command(label="Type in a modifier", key="+", group=group,
                  slots=(which, value_slot("value", "What does your card give?")),
                  make=lambda id, value: record(ValuesTyped(values={id: value})))  # fmt: skip


class _Cells(msgspec.Struct, frozen=True):
    state: TypedState

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        blank = {id: len([*self.state.tables.missing(id)]) for id in self.state.tables.titles}
        rows = ((id, f"{title} ({blank[id]} blank)" if blank[id] else title)
                for id, title in self.state.tables.titles.items())  # fmt: skip
        which = one_of("table", "Which table?", rows)
        id = answers.get("table", "")
        if not id:
            return (which,)
        last = cell_slot(self.state, id, "What stands there?")
        titles = self._columns(id)
        column = [one_of("column", "Which column?", titles)] * (len(titles) > 1)
        rolls = self.state.tables.rolls(id)
        roll = Number(name="roll", text="For which roll?", low=rolls[0], high=rolls[-1])
        return (which, *column, roll, last)

    def _columns(self, id: str) -> list[str]:
        table = next((one for one in self.state.tables.results if one.id == id), None)
        return [one.title for one in table.columns] if table else []

    def typed(self, table: str, **given: Any) -> CellTyped:
        only = next(iter(self._columns(table)), "")
        return CellTyped(table=table, **{"column": only, **given})


def cell_slot(state: TypedState, table: str, text: str) -> Choose | Words:
    if codes := state.codes(table):
        return one_of("cell", text, ((id, id) for id in codes), "".join(codes.values()))
    return Words(name="cell", text=text, longest=LONGEST_TEXT)


def value_slot(name: str, text: str) -> Number:
    return Number(name=name, text=text, low=LOWEST_VALUE, high=HIGHEST_VALUE)


def value_slots(state: TypedState, missing: Iterable[str], answers: Answers) -> Iterator[Slot]:
    """Modifiers of the card that a sum needs, also once they are answered."""
    for id in dict.fromkeys([*values_of(answers), *missing]):
        yield value_slot(VALUE + id, f"What does your card give for {state.value_name(id)}?")


def values_of(answers: Answers) -> dict[str, int]:
    return {
        name.removeprefix(VALUE): value
        for name, value in answers.items()
        if name.startswith(VALUE) and value is not None
    }
