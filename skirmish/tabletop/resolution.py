"""One order being carried out: the events so far, and the state after them.

Resolution stops in the middle all the time, for a typed card, a choice, a card to be played after
a die. So what is still to be done stands in the state, as its agenda, and whoever resolves always
looks at the state as it is now.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar


class WithAgenda(Protocol):
    """A state that says what is still to be resolved, first things first."""

    @property
    def agenda(self) -> tuple[Any, ...]:
        """Tasks, as data."""


S = TypeVar("S", bound=WithAgenda)
E = TypeVar("E")
T = TypeVar("T")


class Resolution(Generic[S, E, T]):
    """Events are emitted and folded at once. Each game gives its ``evolve`` and adds steps of its
    own; ``T`` are its tasks."""

    def __init__(self, evolve: Callable[[S, E], S], state: S) -> None:
        self._evolve = evolve
        self.state = state
        self.events: list[E] = []

    def emit(self, event: E) -> None:
        self.events.append(event)
        self.state = self._evolve(self.state, event)

    def head(self) -> tuple[T, tuple[T, ...]]:
        task, *rest = self.state.agenda
        return task, tuple(rest)

    @property
    def rest(self) -> tuple[T, ...]:
        return self.head()[1]
