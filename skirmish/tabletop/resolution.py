"""One order being carried out: the events so far, and the state after them.

Resolution stops in the middle all the time, for a typed card, a choice, a card to be played after
a die. So what is still to be done stands in the state, as its agenda, and whoever resolves always
looks at the state as it is now.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

S = TypeVar("S", bound=Any)
E = TypeVar("E", bound=Any)
T = TypeVar("T")


class Resolution(Generic[S, E, T]):
    """Events are emitted and applied to the state at once. The state has an ``agenda`` of tasks
    ``T``, first things first; each game adds steps of its own."""

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
