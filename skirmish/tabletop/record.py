"""A game's entries as text, and back: what the store keeps and what is exported."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import msgspec

from skirmish.tabletop.decider import Game
from skirmish.tabletop.journal import KINDS, Entry, Play

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  (an order; S, O, E read as the decider's three)
E = TypeVar("E")


STUMBLES = (
    ValueError, TypeError, LookupError, AttributeError, ArithmeticError, AssertionError,
    RecursionError, StopIteration,
)  # fmt: skip
"""What a game raises when it is led through a journal that it never wrote."""


class RecordError(ValueError):
    """An entry that cannot be read; the sentence says which and why."""


class Scribe(Generic[S, O, E]):
    """Writes and reads the journal of one ``game``, whose orders and events are these types."""

    def __init__(self, game: Game[S, O, E], order: Any, event: Any) -> None:
        self._game = game
        self._order: msgspec.json.Decoder[O | None] = msgspec.json.Decoder(order | None)
        self._events: msgspec.json.Decoder[tuple[E, ...]] = msgspec.json.Decoder(tuple[event, ...])
        self._numbers = msgspec.json.Decoder(tuple[int, ...])

    def play(self, entries: Iterable[Entry[O, E]]) -> Play[S, O, E]:
        """The game of a journal; raises RecordError where an entry cannot follow those before."""
        entries = list(entries)
        try:
            play: Play[S, O, E] = Play(self._game, entries[:1])
        except STUMBLES as error:
            says = f"the journal has no usable opening: {error}."
            raise RecordError(says) from None
        for entry in entries[1:]:
            self.follow(play, entry)
        return play

    def follow(self, play: Play[S, O, E], entry: Entry[O, E]) -> None:
        """Add a stored entry to the game; raises RecordError where it cannot follow."""
        try:
            play.accept(entry)
        except STUMBLES as error:
            raise RecordError(f"entry {entry.number} does not follow: {error}.") from None

    def written(self, entry: Entry[O, E]) -> tuple[str, str]:
        """What an entry was for, and its events, as JSON: the order, or the numbers it is about."""
        about = entry.of if entry.kind in ("void", "back") else entry.order
        order, events = msgspec.json.encode(about), msgspec.json.encode(entry.events)
        return order.decode(), events.decode()

    def read(self, number: int, kind: str, order: str, events: str) -> Entry[O, E]:
        """The entry back from its JSON; raises RecordError."""
        if kind not in KINDS:
            raise RecordError(f"entry {number} is of a kind this version does not know: {kind!r}.")
        try:
            if kind in ("void", "back"):
                return Entry(number, kind, None, (), self._numbers.decode(order))
            return Entry(number, kind, self._order.decode(order), self._events.decode(events))
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise RecordError(f"entry {number} cannot be read: {error}.") from None
