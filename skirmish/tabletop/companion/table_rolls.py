"""Rolls on the tables of an owner's card; a cell that is still blank is asked for."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import msgspec

from skirmish.tabletop.companion.events import Noted, Rolled, TasksSet
from skirmish.tabletop.companion.modifiers import Sum, reasons_of
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.table_orders import AgendaOrder
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_facts import CellTyped, typed_values
from skirmish.tabletop.refusal import nonsense


class RollOnTable(AgendaOrder, frozen=True, kw_only=True):
    """A roll on one of the owner's tables; if the cell is blank, the owner is asked for it."""

    table: str
    column: str = ""
    values: dict[str, int] = msgspec.field(default_factory=dict)
    """The modifiers that were typed in with the order."""
    numbers: tuple[int, ...] = ()
    """The numbers that the owner rolled himself."""

    def dice(self, state: Any) -> Numbers:
        """Where the roll comes from. A game has its own die, which uses ``numbers`` first."""
        raise NotImplementedError

    def sum(self, state: Any) -> Sum:
        """What is added to the roll. A game with modifiers takes the ``values`` into account, which
        the state does not have yet."""
        return Sum(rating=0)

    def before(self, state: Any) -> list[Any]:
        """The events of what the roll costs, such as the action of a unit that fires. Raises
        Refused."""
        return []

    def about(self) -> str:
        """The place that the roll is about, which the task of the roll remembers; empty for
        none."""
        return ""

    def carry_out(self, state: Any) -> list[Any]:
        total = self.sum(state)
        if total.missing:
            raise nonsense("no_value", "A modifier of your card is missing.")
        happened = [*typed_values(self.values), *self.before(state)]
        numbers = self.dice(state)
        face = numbers.number()
        # With a rating of 0, what ``needs`` sums up is what the modifiers add to the roll.
        added = total.needs
        looked_up = self._looked_up(state, face + added)

        title = self.column or state.tables.titles[self.table]
        purpose = f"{title}{reasons_of(total.lines)}"
        # If the program rolled, the events of ``numbers`` have moved its stream already. ``own``
        # keeps this event from moving it again: it only narrates.
        rolled = Rolled(purpose=purpose, faces=(face,), own=True)
        happened += [*numbers.events, rolled]
        return [*happened, *self._outcome(state, title, looked_up)]

    def _outcome(self, state: Any, title: str, looked_up: _LookedUp) -> list[Any]:
        """The events of what the table has for the roll; for a blank cell, the question for it."""
        task = Task(
            kind="look_up",
            table=self.table,
            column=self.column,
            roll=looked_up.roll,
            place=self.about(),
        )
        if looked_up.text is None:
            # The owner answers the task with ``TypeCell``.
            return [TasksSet(tasks=(task,))]
        note = Noted(text=f"{title}: {looked_up.text}")
        return [note, *state.consequences_of(task, looked_up.text)]

    def _looked_up(self, state: Any, total: int) -> _LookedUp:
        """What the table has for a roll with its modifiers (``total``). Raises Refused."""
        rolls = state.tables.rolls(self.table)
        # Rolls beyond the first or last row count as that row.
        roll = min(max(total, rolls[0]), rolls[-1])
        try:
            return _LookedUp(roll, state.tables.cell(self.table, roll, self.column))
        except LookupError as error:
            raise nonsense("no_table", str(error.args[0])) from None


class _LookedUp(NamedTuple):
    """The roll, moved to the nearest row of the table, and the ``text`` there; None if the cell is
    blank."""

    roll: int
    text: str | None


class TypeCell(AgendaOrder, frozen=True, kw_only=True):
    """The answer to the question for a blank cell: what the owner's card gives for the roll. It
    stays in the table."""

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
        """The events that follow the cell: the question is closed, the result has its effect."""
        return [TasksSet(tasks=state.agenda[1:]), *state.consequences_of(task, self.cell)]
