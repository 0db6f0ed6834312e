"""What a fire result does to a unit, and the orders that answer the questions that it raises: a
result that stands on the owner's card, and the checks of those under fire.

Names such as I13 are boxes of the charts, such as G16 rulings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from skirmish.games.gts import units
from skirmish.games.gts.actions import JOINS_PARK, leaders_moved_along
from skirmish.games.gts.checks import CheckMade, UnitCheck
from skirmish.games.gts.events import AnyEvent
from skirmish.games.gts.orders import GtsOrder, unit_of
from skirmish.games.gts.state import GtsState
from skirmish.games.gts.units import cohesion_hit
from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counter_events import counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.table_rolls import TypeCell
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.refusal import nonsense, not_asked

RUNNING = "running"
"""Stands in the ``place`` of a question about a unit that runs from an assault: it may take no
check against suppression (G16). Stored games have it there."""


class ResultTaken(NamedTuple):
    """A unit after a result, and the questions that it raises."""

    unit: Counter
    tasks: list[Task]


def inflicted(
    unit: Counter, result: str, others: tuple[str, ...] = (), *, runs: bool = False
) -> ResultTaken:
    """The unit after a fire result, and the questions that it raises. ``others``: the ids of the
    units in its hex that take an S? if the fire is effective (I13). A unit that ``runs`` from an
    assault takes no check against suppression (G16): an S suppresses it at once."""
    if result == "S?":
        place = ""
        if runs:
            place = RUNNING
        # Only its check decides whether the fire is effective, so the others wait for it.
        return ResultTaken(unit, [Task(kind="check", units=(unit.id, *others), place=place)])
    checks_of_others = [Task(kind="check", units=(id,)) for id in others]
    if result == "S" and not runs:
        return ResultTaken(unit, [Task(kind="suppress", units=(unit.id,)), *checks_of_others])
    inflict = units.AFTER_RESULT.get(result)
    if inflict is None:  # a miss
        return ResultTaken(unit, [])
    return ResultTaken(units.out_of_contact(inflict(unit)), checks_of_others)


def _settled(state: GtsState, unit: Counter, tasks: Sequence[Task]) -> list[AnyEvent]:
    """The events of a changed unit and of the questions that are open now. Those about the unit are
    dropped if it is eliminated."""
    left = tuple(task for task in tasks if unit.steps or task.units[0] != unit.id)
    return [*counters_set(state, [unit]), events.TasksSet(tasks=left)]


class TypeResult(TypeCell, GtsOrder, frozen=True, kw_only=True, tag="type_result"):
    """A result that was read off the owner's card, and inflicted on the units that it is for."""

    def follows(self, state: GtsState, task: Task) -> list[AnyEvent]:
        if not task.units:  # it fired at no unit that is entered: there is nobody to suffer it
            return super().follows(state, task)
        target_id, *others = task.units
        unit = unit_of(state, target_id)
        runs = task.place == RUNNING
        after, tasks = inflicted(unit, self.cell, tuple(others), runs=runs)
        return _settled(state, after, [*tasks, *state.agenda[1:]])


class CheckUnderFire(UnitCheck, frozen=True, kw_only=True, tag="check_under_fire"):
    """The check that a task of the agenda waits for: of an S? (``check``: who fails it suffers an
    S), of an S (``suppress``: who passes it takes a cohesion hit instead), or of a unit that is to
    move out of a heavy barrage (``leave``: who fails it stays)."""

    answers: ClassVar[tuple[str, ...]] = ("check", "suppress", "leave")

    takes: bool = True
    """False: the unit declines the check of an S, and is suppressed."""
    purpose: ClassVar[str] = "under fire"

    def carry_out(self, state: GtsState) -> list[AnyEvent]:
        if not state.agenda or state.agenda[0].units[0] != self.unit:
            raise not_asked()
        task = state.agenda[0]
        unit = self.unit_as_read(state)
        if not self.takes and task.kind != "suppress":
            raise nonsense("must_check", "That is a check.")
        # To decline the check is to fail it.
        check = CheckMade([], passed=False)
        if self.takes:
            check = self.make_check(state)
        after, tasks = self._unit_after(task, unit, passed=check.passed)
        leaders: list[Counter] = []
        if task.kind == "leave":
            leaders = leaders_moved_along(state, unit, after)
        settled = _settled(state, after, [*tasks, *state.agenda[1:]])
        return [*check.events, *counters_set(state, leaders), *settled]

    def _unit_after(self, task: Task, unit: Counter, *, passed: bool) -> ResultTaken:
        """The unit after its check, and the questions that this raises."""
        if task.kind == "suppress" and passed:
            return ResultTaken(units.out_of_contact(cohesion_hit(unit)), [])
        if task.kind == "suppress":
            return ResultTaken(units.out_of_contact(units.suppressed(unit)), [])
        if task.kind == "leave" and passed:
            moved = units.moved_out(unit, task.place)
            if task.column == JOINS_PARK:
                moved = units.parked(moved)
            return ResultTaken(moved, [])
        if task.kind == "check" and not passed:
            _, *others = task.units
            runs = task.place == RUNNING
            return inflicted(unit, "S", tuple(others), runs=runs)
        # It has passed the check of an S?, or stays under the barrage.
        return ResultTaken(unit, [])
