"""A game on the screen and in the store at once: no order is shown before it is kept."""

from __future__ import annotations

import asyncio
import gc
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from skirmish.store.errors import Outrun
from skirmish.store.records import NewEntry
from skirmish.tabletop.journal import Entry, Play
from skirmish.tabletop.record import STUMBLES, RecordError, Scribe

if TYPE_CHECKING:
    from skirmish.store.desk import Store

S = TypeVar("S")
O = TypeVar("O")  # noqa: E741  (an order; S, O, E read as the decider's three)
E = TypeVar("E")


class Stored(Protocol):
    """Runs a job in the store's thread and waits for it."""

    def __call__(self, job: Callable[[Store], Any]) -> Awaitable[Any]:
        """What the job returns; raises StoreError."""


class Kept(ABC, Generic[S, O, E]):
    """One game. ``give``, ``undo`` and ``redo`` return the entry once it is on the disk.

    Each game's own says how it is called in the store, who reads and writes its journal, and what
    lists show of it.
    """

    game: ClassVar[str]
    scribe: ClassVar[Scribe[Any, Any, Any]]

    def __init__(self, stored: Stored, number: int, play: Play[S, O, E]) -> None:
        self.id = number
        self.play = play
        self._stored = stored
        self._one_at_a_time = asyncio.Lock()

    @staticmethod
    @abstractmethod
    def headline(state: Any) -> str:
        """Where the game stands, in a line."""

    @staticmethod
    @abstractmethod
    def over(state: Any) -> bool:
        """Whether the game has ended."""

    @staticmethod
    @abstractmethod
    def look_at(state: Any) -> None:
        """What a screen asks of a state; raises one of `STUMBLES` where it has no answer."""

    @classmethod
    async def opened(cls, stored: Stored, title: str, first: Entry[O, E]) -> Self:
        """A new game, kept from its opening on; raises StoreError."""
        play = cls.scribe.play([first])
        order, events = cls.scribe.written(first)
        record = await stored(
            lambda store: store.begin_battle(
                cls.game, title, cls.headline(play.state), NewEntry("open", order, events)
            )
        )
        return cls(stored, record.id, play)

    @classmethod
    async def resumed(cls, stored: Stored, number: int) -> Self:
        """A game as it was left; raises StoreError, RecordError."""
        records = await stored(lambda store: store.entries(number))
        gc.disable()  # a long journal makes many objects and no garbage: a third of the time
        try:
            entries = [cls.scribe.read(r.number, r.kind, r.order, r.events) for r in records]
            play = cls.scribe.play(entries)
            cls.look_at(play.state)
        except STUMBLES as error:
            if isinstance(error, RecordError):
                raise
            raise RecordError(f"its screen cannot be drawn: {error}.") from None
        finally:
            gc.enable()
        return cls(stored, number, play)

    @property
    def state(self) -> S:
        """Where the game stands."""
        return self.play.state

    async def give(self, order: O) -> Entry[O, E]:
        """Carry out an order; raises Refused, StoreError, Outrun, RecordError."""
        return await self._keep(lambda: self.play.consider(order))

    async def undo(self) -> Entry[O, E]:
        """Take the last order back; raises Refused, StoreError, Outrun."""
        return await self._keep(self.play.consider_undo)

    async def redo(self) -> Entry[O, E]:
        """Bring back what was taken back last; raises Refused, StoreError, Outrun."""
        return await self._keep(self.play.consider_redo)

    async def void(self, numbers: Sequence[int]) -> Entry[O, E]:
        """Make these entries void; raises Refused, StoreError, Outrun."""
        return await self._keep(lambda: self.play.consider_void(numbers))

    async def back(self, number: int) -> Entry[O, E]:
        """Take back everything after an entry; raises Refused, StoreError, Outrun."""
        return await self._keep(lambda: self.play.consider_back(number))

    async def _keep(self, considered: Callable[[], Entry[O, E]]) -> Entry[O, E]:
        """Store first, then accept. If another program was quicker, its entries are read and
        Outrun is raised: the order was not carried out. One at a time: an order is considered
        only when the one before it is kept."""
        async with self._one_at_a_time:
            return await self._keep_entry(considered())

    async def _keep_entry(self, entry: Entry[O, E]) -> Entry[O, E]:
        after = self.play.after(entry)
        order, events = self.scribe.written(entry)
        try:
            await self._stored(
                lambda store: store.append(
                    self.id,
                    entry.number,
                    entry.kind,
                    order,
                    events,
                    headline=self.headline(after),
                    over=self.over(after),
                )
            )
        except Outrun:
            await self._catch_up()
            raise
        self.play.accept(entry)
        return entry

    async def _catch_up(self) -> None:
        known = len(self.play.entries)
        for record in await self._stored(lambda store: store.entries(self.id, known)):
            entry = self.scribe.read(record.number, record.kind, record.order, record.events)
            self.scribe.follow(self.play, entry)
