"""The one shape that every game has: an order is decided into events, events evolve a state.

``decide`` may refuse and may draw; ``evolve`` does neither, ever, so that any journal can be
folded again on any day. State is only ever the fold of events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from skirmish.tabletop.refusal import Refusal, Refused

State = TypeVar("State")
Order = TypeVar("Order", contravariant=True)  # noqa: PLC0105  (the decider's own word)
Event = TypeVar("Event")


class Game(Protocol[State, Order, Event]):
    """What a game offers to whoever keeps its journal."""

    def decide(self, state: State, order: Order) -> list[Event]:
        """What happens when ``order`` is given; raises Refused."""

    def evolve(self, state: State | None, event: Event) -> State:
        """The state after ``event``. The opening event is given no state."""

    def irreversible(self, events: Sequence[Event]) -> Sequence[Event]:
        """What stays of the events of an entry that was struck: drawn cards stay drawn."""


def fold(
    game: Game[State, Order, Event], events: Iterable[Event], state: State | None = None
) -> State:
    """The state after all ``events``; the first must be an opening if there is no state."""
    for event in events:
        state = game.evolve(state, event)
    if state is None:
        raise ValueError("a game without an opening has no state")
    return state


def why_not(decide: Callable[[Any, Any], object], state: object, order: object) -> Refusal | None:
    """Why ``decide`` would refuse ``order`` in ``state``, or None. Has no effect."""
    try:
        decide(state, order)
    except Refused as refused:
        return refused.refusal
    return None
