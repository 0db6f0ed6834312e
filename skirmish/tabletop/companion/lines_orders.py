"""The orders with which an owner types in lines, or cells of tables: only to record them, for the
guided list, or because another order needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from skirmish.tabletop.companion.table_orders import AgendaOrder
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_facts import CellTyped, ValuesTyped
from skirmish.tabletop.companion.typed_lines import LinedState, TypedText
from skirmish.tabletop.companion.unfolding import Unfolding
from skirmish.tabletop.refusal import nonsense, not_asked

L = TypeVar("L", bound=LinedState)
"""The state of a game."""

ONE_LATER = "one"
"""The answer that puts off this list or table of the guided list."""
ALL_LATER = "all"
"""The answer that puts off everything that is still to come in the guided list."""


class LinesOrder(AgendaOrder, frozen=True, kw_only=True):
    """An order with which the owner may type lines that it needs."""

    phase: ClassVar[str] = ""
    """The id of the only phase in which it is possible; empty: it is possible in all."""

    typed: tuple[TypedText, ...] = ()
    """The lines in the order in which they were typed."""
    numbers: tuple[int, ...] = ()
    """The numbers that the owner rolled himself."""

    def run(self, state: Any) -> Unfolding[Any]:
        """What carries out the order, in ``state``; a game may have a class of its own for it."""
        return Unfolding(state, self.numbers)

    def steps(self) -> Mapping[str, Callable[[Any, Task], None]]:
        """What carries out the tasks that are no questions, by the ``kind`` of task."""
        return {}

    def carry_out(self, state: Any) -> list[Any]:
        if self.phase and self.phase != state.phase_id:
            raise nonsense("phase", "That belongs to another phase.")
        run = self.run(state)
        # The lines come first, since what the order does may depend on them.
        for kind, text in self.typed:
            run.do(run.state.typed_event(kind, text))
        self.act(run)
        return run.finished(self.steps())

    def act(self, run: Any) -> None:
        """What the order does once its lines are typed in. Raises Refused."""
        raise NotImplementedError


class Record(LinesOrder, frozen=True, kw_only=True, tag="record"):
    """The order that only records what the owner has typed in: lines, a ``cell``, or a whole file.
    For the file, the subclass of a game adds a field of the type that its files have, and turns it
    into events (``file_events``)."""

    # The questions of the guided list, and those for a single cell.
    answers: ClassVar[tuple[str, ...]] = ("enter", "fill")
    cell: CellTyped | ValuesTyped | None = None
    """The cell of a table, or modifiers."""

    def act(self, run: Any) -> None:
        if self.cell is not None:
            run.take(self.cell)
        run.do(*self.file_events(run.state))
        # What was typed in may have answered questions that were still to come.
        run.tasks = [task for task in run.tasks if run.state.is_open(task)]

    def file_events(self, state: Any) -> Iterable[Any]:
        """The events of the file; none without a file."""
        return ()


class TypeIn(LinesOrder, frozen=True, kw_only=True, tag="type_in"):
    """An answer to the guided list, which asks for one list or table after the other. A list is
    answered with its lines; for a table there are none, since it is asked for cell by cell
    afterwards."""

    answers: ClassVar[tuple[str, ...]] = ("enter",)
    later: str = ""
    """``ONE_LATER`` or ``ALL_LATER``; empty: nothing is put off."""

    def act(self, run: Any) -> None:
        if not run.tasks:
            raise not_asked()
        if self.typed and not self.later and run.state.is_open(run.tasks[0]):
            return  # some lines of the list are still missing: it is asked for again
        task = run.tasks.pop(0)
        if self.later == ALL_LATER:
            # All questions of the guided list have the kind "enter".
            run.tasks = [open_task for open_task in run.tasks if open_task.kind != "enter"]
            return
        is_table = task.list_id not in run.state.kinds
        if is_table and not self.later:
            cells = []
            for roll, column in run.state.tables.missing(task.list_id):
                cells.append(Task(kind="fill", table=task.list_id, roll=roll, column=column))
            run.ask(*cells)


def cell_filled(run: Unfolding[L], task: Task, text: str) -> None:
    """The answer to a question of the kind ``fill``: the text of a cell. An empty text puts off the
    rest of the table."""
    if not text:
        other_tasks = []
        for open_task in run.tasks:
            is_of_table = open_task.kind == "fill" and open_task.table == task.table
            if not is_of_table:
                other_tasks.append(open_task)
        run.tasks = other_tasks
        return
    run.take(CellTyped(table=task.table, roll=task.roll, column=task.column, cell=text))
