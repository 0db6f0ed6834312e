"""A battle on the screen and in the store at once: no order is shown before it is kept."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.lead import headline
from skirmish.games.plastic.battle.orders import AnyOrder, PlayOn
from skirmish.games.plastic.battle.record import (
    BattleEntry,
    BattlePlay,
    follow,
    opening,
    play,
    read_entry,
    written,
)
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import still_over
from skirmish.store.errors import Outrun
from skirmish.store.records import NewEntry

if TYPE_CHECKING:
    from skirmish.store.desk import Store


class Stored(Protocol):
    """Runs a job in the store's thread and waits for it."""

    def __call__(self, job: Callable[[Store], Any]) -> Awaitable[Any]:
        """What the job returns; raises StoreError."""


class KeptBattle:
    """One battle. ``give``, ``undo`` and ``redo`` return the entry once it is on the disk."""

    def __init__(self, stored: Stored, number: int, battle: BattlePlay) -> None:
        self.id = number
        self.play = battle
        self._stored = stored
        self._one_at_a_time = asyncio.Lock()

    @classmethod
    async def begun(cls, stored: Stored, setup: Setup) -> KeptBattle:
        """A new battle, kept from its opening on; raises StoreError."""
        first = opening(setup)
        battle = play([first])
        order, events = written(first)
        record = await stored(
            lambda store: store.begin_battle(
                GAME, setup.title, headline(battle.state), NewEntry("open", order, events)
            )
        )
        return cls(stored, record.id, battle)

    @classmethod
    async def resumed(cls, stored: Stored, number: int) -> KeptBattle:
        """A battle as it was left; raises StoreError, RecordError."""
        records = await stored(lambda store: store.entries(number))
        gc.disable()  # a long journal makes many objects and no garbage: a third of the time
        try:
            entries = [read_entry(r.number, r.kind, r.order, r.events) for r in records]
            battle = play(entries)
        finally:
            gc.enable()
        return cls(stored, number, battle)

    @property
    def state(self) -> State:
        """Where the battle stands."""
        return self.play.state

    async def give(self, order: AnyOrder) -> BattleEntry:
        """Carry out an order; raises Refused, StoreError, Outrun, RecordError."""
        return await self._keep(lambda: self.play.consider(order))

    async def undo(self) -> BattleEntry:
        """Take the last order back; raises Refused, StoreError, Outrun."""
        return await self._keep(self.play.consider_undo)

    async def redo(self) -> BattleEntry:
        """Bring back what was taken back last; raises Refused, StoreError, Outrun."""
        return await self._keep(self.play.consider_redo)

    async def void(self, numbers: Sequence[int]) -> BattleEntry:
        """Make these entries void; raises Refused, StoreError, Outrun. If what had ended the
        battle goes with them, it goes on."""
        entry = await self._keep(lambda: self.play.consider_void(numbers))
        if self.state.outcome is not None and not still_over(self.state):
            await self.give(PlayOn(anew=True))
        return entry

    async def back(self, number: int) -> BattleEntry:
        """Take back everything after an entry; raises Refused, StoreError, Outrun."""
        return await self._keep(lambda: self.play.consider_back(number))

    async def _keep(self, considered: Callable[[], BattleEntry]) -> BattleEntry:
        """Store first, then accept. If another program was quicker, its entries are read and
        Outrun is raised: the order was not carried out. One at a time: an order is considered
        only when the one before it is kept."""
        async with self._one_at_a_time:
            return await self._keep_entry(considered())

    async def _keep_entry(self, entry: BattleEntry) -> BattleEntry:
        after = self.play.after(entry)
        order, events = written(entry)
        try:
            await self._stored(
                lambda store: store.append(
                    self.id,
                    entry.number,
                    entry.kind,
                    order,
                    events,
                    headline=headline(after),
                    over=after.outcome is not None,
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
            follow(self.play, read_entry(record.number, record.kind, record.order, record.events))
