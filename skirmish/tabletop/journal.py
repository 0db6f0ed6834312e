"""The journal of a game: entries that are only ever added, and the live line through them.

Undo and redo are entries too. An undone entry stays where it stands, struck; the live line is
worked out anew from the whole journal, so nothing can be forgotten by taking something back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Literal, TypeVar

import msgspec

from skirmish.tabletop.decider import Game, fold
from skirmish.tabletop.refusal import Refusal, Refused

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  (an order; S, O, E read as the decider's three)
E = TypeVar("E")

Kind = Literal["open", "order", "undo", "redo"]


class Entry(msgspec.Struct, Generic[O, E], frozen=True):
    """One numbered entry. Openings, undo and redo have no order; undo and redo no events."""

    number: int
    kind: Kind
    order: O | None = None
    events: tuple[E, ...] = ()


class Play(Generic[S, O, E]):
    """A game being played: its journal and the states along the live line.

    ``consider`` works out the next entry without adding it, so that it can be stored first;
    ``accept`` adds it. Nothing here writes or draws by itself.
    """

    def __init__(self, game: Game[S, O, E], entries: Iterable[Entry[O, E]]) -> None:
        self._game = game
        self._entries: list[Entry[O, E]] = []
        self._live: list[tuple[Entry[O, E], S]] = []
        self._undone: list[tuple[Entry[O, E], S]] = []
        for entry in entries:
            self.accept(entry)
        if not self._live:
            raise ValueError("a journal begins with its opening")

    @property
    def state(self) -> S:
        """The state at the end of the live line."""
        return self._live[-1][1]

    @property
    def entries(self) -> tuple[Entry[O, E], ...]:
        """The whole journal, struck entries included."""
        return tuple(self._entries)

    @property
    def live(self) -> tuple[Entry[O, E], ...]:
        """The entries that stand, opening first."""
        return tuple(entry for entry, _ in self._live)

    @property
    def states(self) -> tuple[S, ...]:
        """The state after each live entry."""
        return tuple(state for _, state in self._live)

    def consider(self, order: O) -> Entry[O, E]:
        """The entry that ``order`` would make now; raises Refused."""
        return Entry(self._next, "order", order, tuple(self._game.decide(self.state, order)))

    def consider_undo(self) -> Entry[O, E]:
        """The entry that takes the last live one back; raises Refused at the opening."""
        if len(self._live) == 1:
            raise Refused(Refusal("nothing_to_undo", "Nothing has happened yet.", firm=True))
        return Entry(self._next, "undo")

    def consider_redo(self) -> Entry[O, E]:
        """The entry that brings back what was undone last; raises Refused."""
        if not self._undone:
            raise Refused(Refusal("nothing_to_redo", "Nothing has been undone.", firm=True))
        return Entry(self._next, "redo")

    def after(self, entry: Entry[O, E]) -> S:
        """The state that ``entry``, which is only considered yet, would lead to."""
        if entry.kind == "undo":
            return self._live[-2][1]
        if entry.kind == "redo":
            return self._undone[-1][1]
        return fold(self._game, entry.events, self.state)

    def accept(self, entry: Entry[O, E]) -> None:
        """Add the next entry. Raises ValueError (a sentence) where it cannot follow."""
        if entry.number != self._next:
            raise ValueError(f"entry {entry.number} cannot follow entry {self._next - 1}")
        if (entry.kind == "open") == bool(self._entries):
            raise ValueError("a journal has one opening, and it comes first")
        if entry.kind == "undo" and len(self._live) == 1:
            raise ValueError(f"entry {entry.number} takes back what never was")
        if entry.kind == "redo" and not self._undone:
            raise ValueError(f"entry {entry.number} brings back what was never taken back")
        if entry.kind == "undo":
            self._undone.append(self._live.pop())
        elif entry.kind == "redo":
            self._live.append(self._undone.pop())
        else:
            before = self._live[-1][1] if self._live else None
            self._live.append((entry, fold(self._game, entry.events, before)))
            self._undone.clear()
        self._entries.append(entry)

    @property
    def _next(self) -> int:
        return len(self._entries) + 1
