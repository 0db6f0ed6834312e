"""A game that is played and stored at once: no order is shown before it is stored."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from skirmish.store.errors import Outrun, StoreError
from skirmish.tabletop.game import Game
from skirmish.tabletop.journal import REPLAY_ERRORS, E, Entry, O, Play, RecordError, S

if TYPE_CHECKING:
    from skirmish.store.database import Store


T = TypeVar("T")


class Stored(Protocol):
    """Runs a job in the store's thread and awaits it."""

    def __call__(self, job: Callable[[Store], Any]) -> Awaitable[Any]:
        """The result of the job; raises StoreError."""


class Session(Generic[S, O, E]):
    """One game being played. ``give``, ``undo`` and ``redo`` return the entry once it is stored."""

    def __init__(
        self, game: Game[S, O, E], stored: Stored, number: int, play: Play[S, O, E]
    ) -> None:
        self.game = game
        self.id = number
        self.play = play
        self.typed: list[str] = []
        """Keys, or lines with their ends, that have not led to an order yet."""
        self._typed_at = len(play.entries)
        self._stored = stored
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def opened(cls, game: Game[S, O, E], stored: Stored, first: Entry[O, E]) -> Self:
        """A new game, stored from its first entry; raises StoreError."""
        play = game.codec.play([first])
        entries = [game.codec.written(first)]
        title, headline = game.title(play.state), game.headline(play.state)
        record = await stored(lambda store: store.add_battle(game.id, title, headline, entries))
        return cls(game, stored, record.id, play)

    @classmethod
    async def resumed(cls, game: Game[S, O, E], stored: Stored, number: int) -> Self:
        """A stored game; raises StoreError, RecordError."""
        records = await stored(lambda store: store.entries(number))
        gc.disable()  # a long journal makes no garbage; collecting took a third of the time
        try:
            play = game.codec.replay(records)
            game.look_at(play.state)
        except REPLAY_ERRORS as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"its screen cannot be drawn: {error}.") from None
        finally:
            gc.freeze()  # excluded from later collections
            gc.enable()
        session = cls(game, stored, number, play)
        session.typed = await stored(lambda store: store.typed(number, len(records)))
        return session

    @property
    def state(self) -> S:
        return self.play.state

    async def give(self, order: O) -> Entry[O, E]:
        """Carry out an order; raises Refused, StoreError, Outrun, RecordError."""
        return await self._append(lambda: self.play.consider(order))

    async def type(self, *typed: str) -> None:
        """Store what else has been typed since the last order, for a later resume; without
        arguments, discard it."""
        entries = len(self.play.entries)
        before = self.typed if entries == self._typed_at else []
        now = [*before, *typed] if typed else []
        changes, self.typed, self._typed_at = now != self.typed, now, entries
        if changes:
            with suppress(StoreError):
                await self._stored(lambda store: store.set_typed(self.id, entries, now))

    async def undo(self) -> Entry[O, E]:
        """Undo the last order; raises Refused, StoreError, Outrun."""
        return await self._append(self.play.consider_undo)

    async def redo(self) -> Entry[O, E]:
        """Redo the order undone last; raises Refused, StoreError, Outrun."""
        return await self._append(self.play.consider_redo)

    async def void(self, numbers: Sequence[int]) -> Entry[O, E]:
        """Make these entries void, and give the order that follows from it, if any; raises Refused,
        StoreError, Outrun."""
        entry = await self._append(lambda: self.play.consider_void(numbers))
        if (order := self.game.follow_up(self.state)) is not None:
            await self.give(order)
        return entry

    async def back(self, number: int) -> Entry[O, E]:
        """Undo everything after an entry; raises Refused, StoreError, Outrun."""
        return await self._append(lambda: self.play.consider_back(number))

    async def _append(self, considered: Callable[[], Entry[O, E]]) -> Entry[O, E]:
        """Store first, then accept. If another program was faster, its entries are read and Outrun
        is raised without carrying out the order. One at a time: an order is considered only when
        the one before it is stored."""
        async with self._one_at_a_time:
            entry = considered()
            after = self.play.after(entry)
            written = self.game.codec.written(entry)
            headline, over = self.game.headline(after), self.game.over(after)
            try:
                await self._stored(
                    lambda store: store.append(self.id, written, headline=headline, over=over)
                )
            except Outrun:
                await self._catch_up()
                raise
            self.play.accept(entry)
            return entry

    async def _catch_up(self) -> None:
        known = len(self.play.entries)
        for record in await self._stored(lambda store: store.entries(self.id, known)):
            self.game.codec.follow(self.play, self.game.codec.read(record))


AnySession = Session[Any, Any, Any]


def of_store(store: Store) -> Stored:
    """For a program that uses the store in its own thread, with ``at_once``."""

    async def stored(job: Callable[[Store], Any]) -> Any:
        return job(store)

    return stored


def at_once(work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine of a session ``of_store``, which never suspends."""
    try:
        work.send(None)
    except StopIteration as done:
        found: T = done.value
        return found
    raise RuntimeError("it waits for somebody else")
