"""The tables of an owner's own card: typed in cell by cell, stored with the game, taken from a
file, printed. None of it comes with the program: a game says which tables and modifiers there are,
and its owner what stands in them.

A "value" is the number that the card gives for a modifier, "woods -2".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.events import Noted, Rolled, TasksSet
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.result_table import BLANK, ONLY, ResultTable, Shift, Sum
from skirmish.tabletop.companion.result_table import checked as check_table
from skirmish.tabletop.companion.table_game import AgendaOrder
from skirmish.tabletop.companion.table_state import TableEvent, TableState, Task, Track
from skirmish.tabletop.data_file import DataError, Problem, suggest
from skirmish.tabletop.page import Beside, Block, Facts, Heading, capital, in_pairs
from skirmish.tabletop.refusal import nonsense
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words, choice_of

LOWEST_VALUE, HIGHEST_VALUE = -9, 9
"""The range of a modifier that may be typed in."""
LONGEST_TEXT = 120
"""The most characters of a cell."""
NARROW = 3
"""Tables with at most so many columns stand beside one another."""
VALUE = "value "
"""How the name of an answer to ``value_slots`` begins; the id of the modifier follows."""


class BlankCell(NamedTuple):
    """A cell of a table in which nothing is typed yet."""

    roll: int
    column: str


class TypedTables(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an owner has typed in of his card. There are two sorts of tables: tables of results
    (``ResultTable``), for each of which the subclass of a game has a field that is called as its
    id; and tables with a text for each roll. ``values``: the modifiers by their ids; ``texts``: the
    texts by table and roll."""

    TITLES: ClassVar[Mapping[str, str]] = {}
    """The titles of the tables of texts, by their ids."""
    ROLLS: ClassVar[range] = range(10)
    """The rolls of the tables of texts."""

    values: dict[str, int] = {}
    texts: dict[str, dict[str, str]] = {}

    @property
    def results(self) -> tuple[ResultTable, ...]:
        """The tables of results, in the order of the fields."""
        values = [getattr(self, name) for name in self.__struct_fields__]
        return tuple(value for value in values if isinstance(value, ResultTable))

    @property
    def titles(self) -> dict[str, str]:
        """The title of every table by its id, those of texts last."""
        titles = {table.id: table.title for table in self.results}
        return {**titles, **self.TITLES}

    def table(self, id: str) -> ResultTable | None:
        """A table of results; None for one of texts and for an unknown id."""
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
        """What stands in a table for a roll, in this column if it is a table of results; None or
        empty if nothing is typed. Raises LookupError."""
        if id in self.TITLES:
            return self.texts.get(id, {}).get(str(roll))
        table, column_index = self._column(id, roll, column)
        return table.cell(column_index, roll)

    def missing(self, id: str) -> Iterator[BlankCell]:
        """Every cell that is not typed in, column by column."""
        table = self.table(id)
        columns = [""]  # a table of texts has one column, without a title
        if table is not None:
            columns = [column.title for column in table.columns]
        for column in columns:
            for roll in self.rolls(id):
                if not self.cell(id, roll, column):
                    yield BlankCell(roll, column)

    def with_cell(self, id: str, roll: int, column: str, cell: str | None) -> Self:
        """The tables after one cell, or the text of a roll, was typed. Raises LookupError."""
        if id in self.TITLES:
            texts = dict(self.texts.get(id, {}))
            # A text cannot be emptied, as ``cell_slot`` takes no empty answer for one.
            if cell:
                texts[str(roll)] = cell
            return replace(self, texts=self.texts | {id: texts})
        table, column_index = self._column(id, roll, column)
        return self._with_tables({id: table.entered(table.row(roll), column_index, cell)})

    def _column(self, id: str, roll: int, column: str) -> tuple[ResultTable, int]:
        """A table and the index of its column. Raises LookupError."""
        table = self.table(id)
        if table is None:
            raise LookupError(f"There is no table {id!r}; {suggest(id, self.titles)}")
        titles = [column_of_table.title for column_of_table in table.columns]
        if column not in titles or roll not in self.rolls(id):
            raise LookupError(f"{table.title} has no column {column!r} for a roll of {roll}.")
        return table, table.index(column)

    def _with_tables(self, tables: Mapping[str, ResultTable]) -> Self:
        """With these tables by their ids: the field of a table is called as its id."""
        changes: dict[str, Any] = dict(tables)
        return replace(self, **changes)

    def with_values(self, values: dict[str, int]) -> Self:
        """The tables after these modifiers were typed."""
        return replace(self, values=self.values | values)

    def sum(self, rating: int, ids: Iterable[str], name: Callable[[str], str]) -> Sum:
        """A rating with the modifiers of these ids; ``name`` says what each is called."""
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
        """The tables of a file as a game takes them: with None for blank cells. ``codes``: the
        results that the cells of a table may hold. Raises DataError."""
        tables = {}
        for table in self.results:
            rows = []
            for row in table.rows:
                cells = tuple(cell or None for cell in row.cells)
                rows.append(replace(row, cells=cells))
            tables[table.id] = replace(table, rows=tuple(rows))
            # A file says which cells there are, the game which results may stand in them.
            explained = replace(tables[table.id], results=dict.fromkeys(codes(table.id), ""))
            check_table(explained, file)
        problems = list(self._text_problems())
        if problems:
            raise DataError(file, problems)
        return self._with_tables(tables)

    def _text_problems(self) -> Iterator[Problem]:
        """What is wrong with the texts of rolls."""
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
        """All tables and modifiers, for the screen and for paper. ``groups``: by their heading, the
        names of the modifiers by id; ``blank`` stands for what is not typed in."""
        # Neighbours of the same width: narrow tables stand in pairs.
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
        """Modifiers in two columns."""
        lines = []
        for id, name in names.items():
            value = blank
            if id in self.values:
                value = f"{self.values[id]:+}"
            lines.append((capital(name), value))
        return _in_two_columns(lines)

    def _text_blocks(self, blank: str) -> Iterator[Block]:
        """The texts of rolls, two tables beside one another. The last of an odd number is set in
        two columns itself, not as lines across the page."""
        paired = list(self.TITLES)
        alone = ""
        if len(paired) % 2:
            alone = paired.pop()
        parts = []
        for id in paired:
            parts.append((Heading(self.TITLES[id]), _facts_to_fill(self._lines(id, blank))))
        yield from in_pairs(parts)
        if alone:
            yield Heading(self.TITLES[alone])
            yield _in_two_columns(self._lines(alone, blank))

    def _lines(self, id: str, blank: str) -> list[tuple[str, str]]:
        """The texts of a table by roll."""
        texts = self.texts.get(id, {})
        return [(str(roll), texts.get(str(roll), blank)) for roll in self.ROLLS]


def _in_two_columns(lines: Sequence[tuple[str, str]]) -> Beside:
    """Names with their values, the first half of them on the left."""
    half = (len(lines) + 1) // 2
    return Beside((_facts_to_fill(lines[:half]),), (_facts_to_fill(lines[half:]),))


def _facts_to_fill(lines: Sequence[tuple[str, str]]) -> Facts:
    """Facts with room to write where any is missing."""
    return Facts(tuple(lines), written=not all(value for _, value in lines))


def _is_wide(table: ResultTable) -> bool:
    """Whether a table is too wide to stand beside another."""
    return len(table.columns) > NARROW


class TypedState(TableState, frozen=True, kw_only=True):
    """The state of a game whose owner types in its tables."""

    tables: TypedTables

    def codes(self, table: str) -> Mapping[str, str]:
        """The results that a cell of this table may hold, with their keys; none: any text."""
        return {}

    def value_name(self, id: str) -> str:
        """What a modifier is called. Raises LookupError."""
        raise LookupError(id)

    def came_of(self, task: Task, text: str) -> list[Any]:
        """The events that follow when a table gave a ``text`` for a roll (``task``); by default
        none."""
        return []


# ------------------------------------------------------------------ events

S = TypeVar("S", bound=TypedState)
"""The state of a game. Where an event or order below has ``Any`` for it, each game has its own
there."""


class OwnersFact(TableEvent, frozen=True, kw_only=True):
    """An event by which the owner types something in."""

    def why_not(self, state: Any) -> str:
        """Why it cannot be; empty if it can."""
        return ""


class BoardSet(OwnersFact, frozen=True, kw_only=True):
    """The numbers that stand on a board, such as a display of a formation, by their labels. Each
    becomes a track, whose id is the name of the board and the label: ``Board Label``."""

    name: str
    numbers: dict[str, int]

    def apply(self, state: Any) -> Any:
        tracks = dict(state.tracks)
        for label, value in self.numbers.items():
            id = f"{self.name} {label}"
            tracks[id] = Track(id=id, name=id, value=value)
        return replace(state, tracks=tracks)

    def narrate(self, state: Any) -> str:
        numbers = ", ".join(f"{label} {value}" for label, value in self.numbers.items())
        return f"{self.name}: {numbers}."


class RecordFacts(AgendaOrder, frozen=True, kw_only=True):
    """The order by which the owner types in ``facts``; that of a game names the types that they may
    have."""

    facts: tuple[OwnersFact, ...]

    def carry_out(self, state: Any) -> list[Any]:
        for fact in self.facts:
            why = fact.why_not(state)
            if why:
                raise nonsense("not_recorded", why)
            state = fact.apply(state)  # the next fact may build on this one
        return list(self.facts)


def typed_values(values: dict[str, int]) -> list[Any]:
    """The event of these modifiers; none without any."""
    if not values:
        return []
    return [ValuesTyped(values=values)]


class CellTyped(OwnersFact, frozen=True, kw_only=True, tag="cell"):
    """A cell of a table of the owner's card, or the text of a roll. ``column``: its title, empty
    for a table of texts; ``cell``: what stands there, None for a blank cell."""

    table: str
    roll: int
    column: str = ""
    cell: str | None

    def why_not(self, state: TypedState) -> str:
        codes = state.codes(self.table)
        if codes and self.cell not in (None, *codes):
            return f"{self.cell} is no result; they are {', '.join(codes)}."
        try:
            state.tables.with_cell(self.table, self.roll, self.column, self.cell)
        except LookupError as error:
            return str(error.args[0])
        return ""

    def apply(self, state: S) -> S:
        tables = state.tables.with_cell(self.table, self.roll, self.column, self.cell)
        return replace(state, tables=tables)

    def narrate(self, state: TypedState) -> str:
        where = state.tables.titles.get(self.table, self.table)
        if self.column not in ("", ONLY):
            where = f"{where}, {self.column}"
        return f"Typed in: {where}, roll {self.roll}: {self.cell or 'nothing'}."


class ValuesTyped(OwnersFact, frozen=True, kw_only=True, tag="values"):
    """What the owner's card gives for modifiers, by their ids."""

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
        new = [f"{state.value_name(id)} {value:+}" for id, value in self.values.items()]
        return f"On the card: {', '.join(new)}."


class TablesFromFile(OwnersFact, frozen=True, kw_only=True):
    """All tables, out of a file; the event of a game has its type of tables."""

    tables: TypedTables

    def apply(self, state: S) -> S:
        return replace(state, tables=self.tables)

    def narrate(self, state: TypedState) -> str:
        return "The tables of a file are taken."


# ------------------------------------------------------------------ rolls on the tables


class _LookedUp(NamedTuple):
    """The roll within the rows of a table, and what stands there; None: blank."""

    roll: int
    text: str | None


class RollOnTable(AgendaOrder, frozen=True, kw_only=True):
    """A roll on one of the owner's tables; if the cell is blank, it is asked for. ``numbers``: the
    owner's own rolls; ``values``: the modifiers that were typed in with the order."""

    table: str
    column: str = ""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    numbers: tuple[int, ...] = ()

    def dice(self, state: Any) -> Numbers:
        """Where the roll comes from: a game has its own die, and takes ``numbers``."""
        raise NotImplementedError

    def sum(self, state: Any) -> Sum:
        """What is added to the roll. A game with modifiers adds the ``values`` typed for it to
        those of the state, which do not have them yet."""
        return Sum(rating=0)

    def before(self, state: Any) -> list[Any]:
        """The events of what the roll costs, such as the action of a unit that fires. Raises
        Refused."""
        return []

    def about(self) -> str:
        """The place that the roll is about, which the question for a blank cell remembers; empty
        for none."""
        return ""

    def carry_out(self, state: Any) -> list[Any]:
        total = self.sum(state)
        if total.missing:
            raise nonsense("no_value", "A modifier of your card is missing.")
        happened = [*typed_values(self.values), *self.before(state)]
        numbers = self.dice(state)
        face = numbers.number()
        # ``needs`` is the sum of the modifiers here, and no number that a roll must reach.
        roll, text = self._looked_up(state, face + total.needs)

        title = self.column or state.tables.titles[self.table]
        reasons = "".join(f", {line.label} {line.value:+}" for line in total.lines)
        rolled = Rolled(purpose=f"{title}{reasons}", faces=(face,), own=True)
        happened += [*numbers.events, rolled]
        task = Task(
            kind="look_up", table=self.table, column=self.column, roll=roll, place=self.about()
        )
        if text is None:
            # The cell is blank: its owner is asked for it (TypeCell).
            return [*happened, TasksSet(tasks=(task,))]
        return [*happened, Noted(text=f"{title}: {text}"), *state.came_of(task, text)]

    def _looked_up(self, state: Any, total: int) -> _LookedUp:
        """What the table has for the roll with its modifiers. Raises Refused."""
        rolls = state.tables.rolls(self.table)
        # Beyond the first and the last row the outermost counts.
        roll = min(max(total, rolls[0]), rolls[-1])
        try:
            return _LookedUp(roll, state.tables.cell(self.table, roll, self.column))
        except LookupError as error:
            raise nonsense("no_table", str(error.args[0])) from None


class TypeCell(AgendaOrder, frozen=True, kw_only=True):
    """The answer to the question for a blank cell: what the owner's card gives for the roll. It is
    typed in for good."""

    answers: ClassVar[tuple[str, ...]] = ("look_up",)

    cell: str

    def carry_out(self, state: Any) -> list[Any]:
        if not state.agenda:
            raise nonsense("not_asked", "Nothing is asked now.")
        task = state.agenda[0]
        typed = CellTyped(table=task.table, roll=task.roll, column=task.column, cell=self.cell)
        why = typed.why_not(state)
        if why:
            raise nonsense("no_cell", why)
        return [typed, *self.follows(state, task)]

    def follows(self, state: Any, task: Task) -> list[Any]:
        """The events after the cell: the question is answered, and the result has its effect."""
        return [TasksSet(tasks=state.agenda[1:]), *state.came_of(task, self.cell)]


# ------------------------------------------------------------------ typing in


def card_commands(
    state: TypedState,
    names: Mapping[str, str],
    record: Callable[[CellTyped | ValuesTyped], Any],
    group: str,
) -> Iterator[Command[Any]]:
    """The commands by which the owner types in cells (``=``) and modifiers (``+``). ``names``: the
    modifiers by their ids; ``record`` makes the order of what was typed."""
    cells = _Cells(state)

    def record_cell(**answers: Any) -> Any:
        return record(cells.typed(**answers))

    def record_value(id: str, value: int) -> Any:
        return record(ValuesTyped(values={id: value}))

    yield Command(label="Type in a cell", key="=", group=group, slots=cells.slots, make=record_cell)
    options = []
    for id, name in names.items():
        typed = str(state.tables.values.get(id, "not typed"))
        options.append(Option(value=id, label=name, note=typed))
    modifier = Choose(name="id", text="Which modifier?", options=tuple(options))
    number = value_slot("value", "What does your card give?")
    yield Command(
        label="Type in a modifier",
        key="+",
        group=group,
        slots=(modifier, number),
        make=record_value,
    )


class _Cells(msgspec.Struct, frozen=True):
    """The questions for one cell: the table, the column if it has several, the roll, the cell."""

    state: TypedState

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        tables = self.state.tables
        rows = []
        for id, title in tables.titles.items():
            blank = len(list(tables.missing(id)))
            if blank:
                rows.append((id, f"{title} ({blank} blank)"))
            else:
                rows.append((id, title))
        slots: list[Slot] = [choice_of("table", "Which table?", rows)]
        table_id = answers.get("table", "")
        if not table_id:
            return tuple(slots)
        columns = self._columns(table_id)
        if len(columns) > 1:
            slots.append(choice_of("column", "Which column?", columns))
        rolls = tables.rolls(table_id)
        slots.append(Number(name="roll", text="For which roll?", low=rolls[0], high=rolls[-1]))
        slots.append(cell_slot(self.state, table_id, "What stands there?"))
        return tuple(slots)

    def _columns(self, id: str) -> list[str]:
        """The titles of the columns; a table of texts has none."""
        table = self.state.tables.table(id)
        if table is None:
            return []
        return [column.title for column in table.columns]

    def typed(self, table: str, **answers: Any) -> CellTyped:
        """The cell; where there is one column, nobody was asked for it."""
        column = next(iter(self._columns(table)), "")
        return CellTyped(table=table, **{"column": column, **answers})


def cell_slot(state: TypedState, table: str, text: str) -> Choose | Words:
    """The question for a cell: one of the results that it may hold, or any text."""
    codes = state.codes(table)
    if not codes:
        return Words(name="cell", text=text, longest=LONGEST_TEXT)
    return choice_of("cell", text, codes, "".join(codes.values()))


def value_slot(name: str, text: str) -> Number:
    """The question for the number of a modifier."""
    return Number(name=name, text=text, low=LOWEST_VALUE, high=HIGHEST_VALUE)


def value_slots(state: TypedState, missing: Iterable[str], answers: Answers) -> Iterator[Slot]:
    """A slot for each modifier of the card that is missing in a sum, and for each that was answered
    already."""
    # An answered question must stay among the slots, or its answer would be dropped.
    for id in dict.fromkeys([*values_of(answers), *missing]):
        yield value_slot(f"{VALUE}{id}", f"What does your card give for {state.value_name(id)}?")


def values_of(answers: Answers) -> dict[str, int]:
    """The answers to ``value_slots``, by the id of the modifier."""
    values = {}
    for name, value in answers.items():
        if name.startswith(VALUE) and value is not None:
            values[name.removeprefix(VALUE)] = value
    return values
