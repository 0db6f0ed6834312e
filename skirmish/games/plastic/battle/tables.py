"""Draw tables of a scenario: who comes on this turn, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.games.plastic.battle.agenda import AnyTask, ChoiceAsk, ToTable
from skirmish.games.plastic.battle.events import Added, Asked, Held, Tabled
from skirmish.games.plastic.battle.pieces import newly_made
from skirmish.games.plastic.battle.setup import REINFORCEMENTS
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.happening_kinds import DrawTable, Row
from skirmish.tabletop.refusal import nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution


def owed(state: State, turn: int, side: str) -> tuple[AnyTask, ...]:
    """The table draws with which that player turn begins."""
    return tuple(
        ToTable(happening=index, side=side, nth=1)
        for index, table in draw_tables(state).items()
        if table.side == side and turn >= table.from_turn and state.levels[side] != "ledger"
    )


def call(run: Resolution) -> None:
    """Those draws by hand. Raises Refused where there are none."""
    clock = run.state.clock
    tasks = owed(run.state, clock.turn, clock.side)
    if not tasks:
        turn = run.state.setup.of(clock.side, f"turn {clock.turn}")
        raise nonsense("no_table", f"There is nothing to draw for in {turn}.")
    run.emit(Held(then=tasks))
    run.go_on()


def draw_tables(state: State) -> dict[int, DrawTable]:
    """The scenario's draw tables by their place among its happenings."""
    scenario = state.setup.scenario
    happenings = scenario.happenings if scenario else ()
    return {i: kind for i, kind in enumerate(happenings) if isinstance(kind, DrawTable)}


def draw_on_table(run: Resolution, task: ToTable, then: tuple[AnyTask, ...]) -> None:
    """One draw: an entry point, men, a choice of men, or nobody."""
    table = draw_tables(run.state)[task.happening]
    catalog = run.state.setup.catalog
    if task.choosing:
        words = tuple(_words(row, catalog) for row in _choices(table, task.nth))
        ask = ChoiceAsk(side=task.side, question="Which reinforcements?", options=words)
        run.emit(Asked(ask=ask))
        return
    draw = run.draw(task.side, "table", lambda _: False)
    if draw is None:
        return
    row = next(
        row
        for row in table.rows
        if row.draw == task.nth and row.ranks[0] <= draw.rank <= row.ranks[1]
    )
    entry = row.entry or task.entry
    more: list[AnyTask] = []
    if row.choice:
        more.append(
            ToTable(
                happening=task.happening, side=task.side, nth=task.nth, entry=entry, choosing=True
            )
        )
    if task.nth < table.draws:
        more.append(
            ToTable(happening=task.happening, side=task.side, nth=task.nth + 1, entry=entry)
        )
    where = f" at {entry}" if entry and row.units else ""
    shown = draw.words[:1].upper() + draw.words[1:]
    run.emit(
        Tabled(
            happening=task.happening,
            side=task.side,
            nth=task.nth,
            draw=draw,
            explain=f"{shown}: {_words(row, catalog)}{where}.",
            entry=entry,
            then=(*more, *then),
        )
    )
    if row.units:
        _bring(run, task, row)


def choose(run: Resolution, option: int) -> None:
    """The side's choice among who may come. Raises Refused."""
    ask = run.state.ask
    task, then = run.head() if run.state.agenda else (None, ())
    if not isinstance(ask, ChoiceAsk) or not isinstance(task, ToTable):
        raise nonsense("no_choice", "There is nothing to choose.")
    choices = _choices(draw_tables(run.state)[task.happening], task.nth)
    if not 0 <= option < len(choices):
        says = f"Choose 1 to {len(choices)}."
        raise nonsense("not_one_of_these", says)
    run.emit(Held(then=then))
    _bring(run, task, choices[option])
    run.go_on()


def _bring(run: Resolution, task: ToTable, row: Row) -> None:
    pieces = newly_made(run.state, task.side, REINFORCEMENTS, row.units or {})
    run.emit(Added(pieces=pieces, why=f"at {task.entry}" if task.entry else ""))


def _choices(table: DrawTable, nth: int) -> list[Row]:
    return [row for row in table.rows if row.draw == nth and row.units]


def _words(row: Row, catalog: Catalog) -> str:
    if row.units:
        return ", ".join(catalog.units[unit].named(count) for unit, count in row.units.items())
    if row.entry:
        return f"entry point {row.entry}"
    return "a choice of these" if row.choice else "nobody comes"
