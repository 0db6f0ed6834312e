"""A game that adds up; what it adds for good stays when its order is struck, as a drawn card stays
drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import pytest

from skirmish.tabletop.journal import Entry, Play, Rules
from skirmish.tabletop.refusal import Refusal, Refused


class Added(msgspec.Struct, frozen=True):
    amount: int
    for_good: bool = False


class Adding(Rules[int, int, Added]):
    """State and order are whole numbers; an order of 0 is refused, of 10 or more makes two events,
    of which the second adds 9 for good."""

    def decide(self, state: int, order: int) -> list[Added]:
        if order == 0:
            raise Refused(Refusal("nothing", "Nothing to add."))
        return [Added(order)] if order < 10 else [Added(order - 9), Added(9, for_good=True)]

    def evolve(self, state: int | None, event: Added) -> int:
        return (state or 0) + event.amount

    def irreversible(self, events: Sequence[Added], state: int) -> list[Added]:
        return [event for event in events if event.for_good]


def opening(amount: int = 100) -> Entry[int, Added]:
    return Entry(1, "open", None, (Added(amount),))


def playing(*orders: int) -> Play[int, int, Added]:
    play = Play(Adding(), [opening()])
    for order in orders:
        play.accept(play.consider(order))
    return play


def undo(play: Play[int, int, Added]) -> None:
    play.accept(play.possible("undo"))


def redo(play: Play[int, int, Added]) -> None:
    play.accept(play.possible("redo"))


def void(play: Play[int, int, Added], *numbers: int) -> None:
    play.accept(play.possible("void", *numbers))


def back(play: Play[int, int, Added], number: int) -> None:
    play.accept(play.possible("back", number))


def refused(consider: Callable[[], object]) -> str:
    with pytest.raises(Refused) as caught:
        consider()
    assert caught.value.refusal.firm
    return caught.value.refusal.code
