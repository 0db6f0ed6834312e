"""The commands and questions by which an owner types in the cells and modifiers of his card. A
"value" is the number that the card gives for a modifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.typed_facts import CellTyped, TypedState, ValuesTyped
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words, choice_of, choice_of_names

_VALUE_PREFIX = "value "
"""How the name of an answer to ``value_slots`` begins; the id of the modifier follows."""
LOWEST_VALUE, HIGHEST_VALUE = -9, 9
"""The range of a modifier that may be typed in."""
LONGEST_TEXT = 120
"""The most characters of a cell."""


def card_commands(
    state: TypedState,
    names: Mapping[str, str],
    record: Callable[[CellTyped | ValuesTyped], Any],
    group: str,
) -> Iterator[Command[Any]]:
    """The commands by which the owner types in cells (``=``) and modifiers (``+``). ``names``: the
    modifiers by their ids; ``record`` makes the order of what was typed."""
    cell_questions = _CellQuestions(state)

    def record_cell(**answers: Any) -> Any:
        return record(cell_questions.cell_typed(**answers))

    def record_value(id: str, value: int) -> Any:
        return record(ValuesTyped(values={id: value}))

    yield Command(
        label="Type in a cell",
        key="=",
        group=group,
        slots=cell_questions.slots,
        make=record_cell,
    )
    options = []
    for id, name in names.items():
        note = str(state.tables.values.get(id, "not typed"))
        options.append(Option(value=id, label=name, note=note))
    modifier = Choose(name="id", text="Which modifier?", options=tuple(options))
    number = value_slot("value", "What does your card give?")
    yield Command(
        label="Type in a modifier",
        key="+",
        group=group,
        slots=(modifier, number),
        make=record_value,
    )


class _CellQuestions(msgspec.Struct, frozen=True):
    """The questions for one cell: the table, the column if it has several, the roll, the cell."""

    state: TypedState

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        tables = self.state.tables
        labels = {}
        for id, title in tables.titles.items():
            blank_cells = len(list(tables.missing(id)))
            if blank_cells:
                labels[id] = f"{title} ({blank_cells} blank)"
            else:
                labels[id] = title
        slots: list[Slot] = [choice_of("table", "Which table?", labels)]
        table_id = answers.get("table", "")
        if not table_id:
            return tuple(slots)
        columns = self._columns(table_id)
        if len(columns) > 1:
            slots.append(choice_of_names("column", "Which column?", columns))
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

    def cell_typed(self, table: str, roll: int, cell: str | None, column: str = "") -> CellTyped:
        """The event of the answers to ``slots``, which have the names of these parameters."""
        # Where a table has a single column, nobody was asked for it; tables of texts have none.
        columns = self._columns(table)
        if len(columns) == 1:
            column = columns[0]
        return CellTyped(table=table, roll=roll, column=column, cell=cell)


def cell_slot(state: TypedState, table: str, text: str) -> Choose | Words:
    """The question for a cell: one of the results that it may hold, or any text where the table has
    no such list."""
    keys_by_result = state.codes(table)
    if not keys_by_result:
        return Words(name="cell", text=text, longest=LONGEST_TEXT)
    results = list(keys_by_result)
    keys = "".join(keys_by_result.values())  # a letter for each result, in the same order
    return choice_of_names("cell", text, results, keys)


def value_slots(state: TypedState, missing: Iterable[str], answers: Answers) -> Iterator[Slot]:
    """A question for each modifier of the card that is missing in a sum."""
    # Those that were answered stay among the slots, or their answers would be dropped.
    for id in dict.fromkeys([*values_of(answers), *missing]):
        text = f"What does your card give for “{state.value_name(id)}”?"
        yield value_slot(f"{_VALUE_PREFIX}{id}", text)


def values_of(answers: Answers) -> dict[str, int]:
    """The answers to ``value_slots``, by the id of the modifier."""
    values = {}
    for name, value in answers.items():
        if name.startswith(_VALUE_PREFIX) and value is not None:
            values[name.removeprefix(_VALUE_PREFIX)] = value
    return values


def value_slot(name: str, text: str) -> Number:
    """The question for the number of a modifier."""
    return Number(name=name, text=text, low=LOWEST_VALUE, high=HIGHEST_VALUE)
