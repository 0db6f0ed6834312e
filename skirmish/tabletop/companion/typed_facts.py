"""What an owner types in of his card, as events: cells, modifiers, the numbers of a board, all
tables of a file; and the state of the games in which owners do so. A "value" is the number that the
card gives for a modifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from skirmish.tabletop.companion.result_table import ONLY_COLUMN
from skirmish.tabletop.companion.table_orders import AgendaOrder
from skirmish.tabletop.companion.table_state import TableEvent, TableState, Task, Track
from skirmish.tabletop.companion.typed_tables import TypedTables
from skirmish.tabletop.refusal import nonsense


class TypedState(TableState, frozen=True, kw_only=True):
    """The state of a game whose owner types in its tables."""

    tables: TypedTables

    def codes(self, table: str) -> Mapping[str, str]:
        """By each result that a cell of this table may hold, the key that is pressed for it; empty:
        a cell may hold any text."""
        return {}

    def value_name(self, id: str) -> str:
        """What a modifier is called. Raises LookupError."""
        raise LookupError(id)

    def consequences_of(self, task: Task, text: str) -> list[Any]:
        """The events that follow when a table has given a ``text`` for the roll of a ``task``; by
        default none."""
        return []


S = TypeVar("S", bound=TypedState)
"""The state of a game. Where an event or order below takes ``Any`` state, the subclass of a game
names its own type."""


class OwnersFact(TableEvent, frozen=True, kw_only=True):
    """An event by which the owner types something in."""

    def why_not(self, state: Any) -> str:
        """Why it cannot be typed in; empty if it can."""
        return ""


class RecordFacts(AgendaOrder, frozen=True, kw_only=True):
    """The order by which the owner types in ``facts``; the subclass of a game names the types that
    they may have."""

    facts: tuple[OwnersFact, ...]

    def carry_out(self, state: Any) -> list[Any]:
        for fact in self.facts:
            why = fact.why_not(state)
            if why:
                raise nonsense("not_recorded", why)
            state = fact.apply(state)  # the next fact may depend on this one
        return list(self.facts)


class CellTyped(OwnersFact, frozen=True, kw_only=True, tag="cell"):
    """A cell of a table of the owner's card, or the text of a roll."""

    table: str
    roll: int
    column: str = ""
    """The title of the column; empty for a table of texts."""
    cell: str | None
    """What stands there; None for a blank cell."""

    def why_not(self, state: TypedState) -> str:
        codes = state.codes(self.table)
        if codes and self.cell not in (None, *codes):
            return f"{self.cell} is no result; they are {', '.join(codes)}."
        return state.tables.why_no_cell(self.table, self.roll, self.column)

    def apply(self, state: S) -> S:
        tables = state.tables.with_cell(self.table, self.roll, self.column, self.cell)
        return replace(state, tables=tables)

    def narrate(self, state: TypedState) -> str:
        where = state.tables.titles.get(self.table, self.table)
        # Nobody is asked for the column of a table that has one at most.
        if self.column not in ("", ONLY_COLUMN):
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


def typed_values(values: dict[str, int]) -> list[ValuesTyped]:
    """The event by which these modifiers are typed in; none if there are none."""
    if not values:
        return []
    return [ValuesTyped(values=values)]


class TablesFromFile(OwnersFact, frozen=True, kw_only=True):
    """All tables, from a file; the subclass of a game names its type of tables."""

    tables: TypedTables

    def apply(self, state: S) -> S:
        return replace(state, tables=self.tables)

    def narrate(self, state: TypedState) -> str:
        return "The tables of a file are taken."


class BoardSet(OwnersFact, frozen=True, kw_only=True):
    """The numbers on a board, such as the display of a formation, by their labels. Each becomes a
    track with the id ``Board Label``, after the ``name`` of the board."""

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
