"""The execution of an order step by step, for games whose orders often stop in the middle: for a
card that a player types, or for a choice.

The state of such a game has an ``agenda``: a tuple of the tasks still to be done, the next first.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from skirmish.tabletop.journal import E

StateT = TypeVar("StateT", bound=Any)
TaskT = TypeVar("TaskT")


class Execution(Generic[StateT, E, TaskT]):
    """One order being executed: its events so far, and the state after them."""

    def __init__(self, state: StateT) -> None:
        self.state = state
        self.events: list[E] = []

    def emit(self, event: E) -> None:
        """Add the next event and apply it."""
        self.events.append(event)
        self.state = event.apply(self.state)

    @property
    def due(self) -> TaskT:
        """The task that is due: the first of the agenda, which must not be empty."""
        task: TaskT = self.state.agenda[0]
        return task

    @property
    def rest(self) -> tuple[TaskT, ...]:
        """The tasks after the one that is due. The agenda must not be empty."""
        _due, *rest = self.state.agenda
        return tuple(rest)
