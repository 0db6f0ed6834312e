"""The execution of one order: the events so far, and the state after them.

Resolution often stops in the middle, for a typed card, a choice, or a card played after a die. So
the remaining tasks are stored in the state, as its agenda, and each step reads the current state.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

S = TypeVar("S", bound=Any)
E = TypeVar("E", bound=Any)
T = TypeVar("T")


class Resolution(Generic[S, E, T]):
    """Events are emitted and applied to the state at once. The state has an ``agenda`` of tasks
    ``T``, the next one first; each game adds its own steps."""

    def __init__(self, state: S) -> None:
        self.state = state
        self.events: list[E] = []

    def emit(self, event: E) -> None:
        self.events.append(event)
        self.state = event.apply(self.state)

    def head(self) -> tuple[T, tuple[T, ...]]:
        task, *rest = self.state.agenda
        return task, tuple(rest)

    @property
    def rest(self) -> tuple[T, ...]:
        return self.head()[1]
