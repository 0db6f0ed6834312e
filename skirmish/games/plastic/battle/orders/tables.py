"""Draws on the tables of a scenario, which bring reinforcements at the beginning of a turn."""

from __future__ import annotations

from msgspec.structs import replace

from skirmish.games.plastic.battle import agenda, events
from skirmish.games.plastic.battle.agenda import Agenda
from skirmish.games.plastic.battle.orders.charges import charges_owed
from skirmish.games.plastic.battle.orders.resolution import (
    Answer,
    Order,
    Resolution,
    suit_never_matters,
)
from skirmish.games.plastic.battle.pieces import REINFORCEMENTS
from skirmish.games.plastic.battle.rows import new_pieces
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happenings import DrawTable, DrawTableRow, Happening
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import nonsense


class CallTable(Order, frozen=True, tag="call_table"):
    """Draws on the scenario's tables and for its charges, if that was not done at the beginning of
    the turn."""

    begun_by = "mover"

    def carry_out(self, run: Resolution) -> None:
        clock = run.state.clock
        tasks = tables_and_charges_owed(run.state, clock.turn, clock.side)
        if not tasks:
            turn = run.state.setup.owned_by(clock.side, f"turn {clock.turn}")
            raise nonsense("no_table", f"There is nothing to draw for in {turn}.")
        run.go_on(instead=tasks)

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


class ChooseResult(Answer, frozen=True, tag="choose"):
    """One of the rows of a table between which the side may choose."""

    option: int
    """The index of the row among those, from 0."""

    def carry_out(self, run: Resolution) -> None:
        not_asked = nonsense("no_choice", "There is nothing to choose.")
        _, task, then = run.open_question(agenda.ChoiceAsk, agenda.ToTable, not_asked)
        table = draw_tables(run.state)[task.happening]
        choices = _choices(table, task.nth)
        if not 0 <= self.option < len(choices):
            raise nonsense("not_one_of_these", f"Choose 1 to {len(choices)}.")
        run.continue_with(then)
        _reinforce(run, task, choices[self.option])
        run.go_on()


def tables_and_charges_owed(state: State, turn: int, side: str) -> Agenda:
    """The draws on tables and for charges that a side owes at the beginning of that turn."""
    # Whoever keeps only the ledger draws at the table, and enters who arrives by hand.
    if state.levels[side] == "ledger":
        return ()
    tasks = []
    for index, table in draw_tables(state).items():
        if table.side == side and turn >= table.from_turn:
            tasks.append(agenda.ToTable(happening=index, side=side, nth=1))
    return (*tasks, *charges_owed(state, turn, side))


def draw_tables(state: State) -> dict[int, DrawTable]:
    """The tables of the scenario by their index among its happenings."""
    tables = {}
    for index, happening in enumerate(state.setup.happenings(Happening)):
        if isinstance(happening, DrawTable):
            tables[index] = happening
    return tables


def draw_on_table(run: Resolution, task: agenda.ToTable, then: Agenda) -> None:
    """One draw on a table of the scenario, or the choice that it leaves."""
    table = draw_tables(run.state)[task.happening]
    if task.choosing:
        _ask_which_row(run, task, table)
        return
    draw = run.draw(task.side, "table", suit_never_matters)
    if draw is None:
        return
    row = _row_drawn(table, task.nth, draw)
    # One draw may say where the units of the next draws enter.
    entry = row.entry or task.entry
    task_with_entry = replace(task, entry=entry)
    next_tasks = []
    if row.choice:
        next_tasks.append(replace(task_with_entry, choosing=True))
    if task.nth < table.draws:
        next_tasks.append(replace(task_with_entry, nth=task.nth + 1))
    result = _row_words(row, run.state.setup.catalog)
    if entry and row.units:
        result += f" at {entry}"
    run.emit(
        events.TableDrawn(
            happening=task.happening,
            side=task.side,
            nth=task.nth,
            draw=draw,
            explain=f"{capital(draw.words)}: {result}.",
            entry=entry,
            then=(*next_tasks, *then),
        )
    )
    if row.units:
        _reinforce(run, task_with_entry, row)


def _ask_which_row(run: Resolution, task: agenda.ToTable, table: DrawTable) -> None:
    """Asks the side for one of the rows of that draw."""
    catalog = run.state.setup.catalog
    options = tuple(_row_words(row, catalog) for row in _choices(table, task.nth))
    question = "Which reinforcements?"
    run.ask(agenda.ChoiceAsk(side=task.side, question=question, options=options))


def _row_drawn(table: DrawTable, nth: int, draw: Draw) -> DrawTableRow:
    """The row of the table for the ``nth`` draw. There is one, since a scenario file with a gap in
    a table is refused."""
    for row in table.rows:
        lowest, highest = row.ranks
        if row.draw == nth and lowest <= draw.rank <= highest:
            return row
    raise LookupError(f"the table has no row for {draw}")


def _reinforce(run: Resolution, task: agenda.ToTable, row: DrawTableRow) -> None:
    """Adds the units of a row of the table as reinforcements, which enter where an earlier draw has
    said."""
    pieces = new_pieces(run.state, task.side, REINFORCEMENTS, row.units or {})
    why = ""
    if task.entry:
        why = f"at {task.entry}"
    run.emit(events.Added(pieces=pieces, why=why))


def _choices(table: DrawTable, nth: int) -> list[DrawTableRow]:
    """The rows between which a side chooses: those of the ``nth`` draw that bring somebody."""
    return [row for row in table.rows if row.draw == nth and row.units]


def _row_words(row: DrawTableRow, catalog: Catalog) -> str:
    """What a row of a table brings."""
    if row.units:
        return ", ".join(catalog.units[unit].named(count) for unit, count in row.units.items())
    if row.entry:
        return f"entry point {row.entry}"
    if row.choice:
        return "a choice of these"
    return "nobody comes"
