"""What is done to armies on their list: copied, renamed, removed, and all of it taken back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

import msgspec

from skirmish import library
from skirmish.app.armies.keeping import Stored
from skirmish.app.armies.rows import short
from skirmish.games.plastic.army_file import GAME, as_body, from_body, renamed
from skirmish.games.plastic.rules.army import ArmyList

if TYPE_CHECKING:
    from skirmish.store.desk import Store
    from skirmish.store.records import ArmyRecord


class Done(msgspec.Struct, frozen=True):
    """What was done, as a sentence, and the number of the army to choose now, if it is there."""

    says: str
    number: int | None


class ArmyDeeds:
    """Does them and remembers how each is taken back, the last one first. All raise StoreError,
    and then nothing was done."""

    def __init__(self, stored: Stored) -> None:
        self._stored = stored
        self._back: list[Callable[[], Awaitable[Done]]] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back."""
        return bool(self._back)

    async def copy(self, listed: ArmyList, taken: Iterable[str]) -> Done:
        """Another army like it, under a name of its own."""
        like = renamed(listed, list(taken))
        record: ArmyRecord = await self._stored(
            lambda store: store.add_army(GAME, like.name, as_body(like))
        )

        async def back() -> Done:
            await self._stored(lambda store: store.remove_army(record.id))
            return Done(f"The copy {short(record.name)} is removed.", None)

        self._back.append(back)
        return Done(f"Copied as {short(record.name)}.", record.id)

    async def rename(self, number: int, name: str) -> Done:
        """The same army under another name."""
        before: str = await self._stored(lambda store: _rename(store, number, name))

        async def back() -> Done:  # the name alone: its men may have changed since
            await self._stored(lambda store: _rename(store, number, before))
            return Done(f"It is called {short(before)} again.", number)

        self._back.append(back)
        return Done(f"{short(before)} is now called {short(name)}.", number)

    async def remove(self, record: ArmyRecord) -> Done:
        """Off the list; nothing of it is lost."""
        await self._stored(lambda store: store.remove_army(record.id))

        async def back() -> Done:
            await self._stored(lambda store: store.restore_army(record.id))
            return Done(f"{short(record.name)} is back on the list.", record.id)

        self._back.append(back)
        return Done(f"{short(record.name)} is removed from the list.", None)

    async def undo(self) -> Done:
        """Take the last of them back; one that fails can be tried again."""
        done = await self._back[-1]()
        self._back.pop()
        return done


def _rename(store: Store, number: int, name: str) -> str:
    """Write the army under ``name``; gives the name that it had. Raises DataError too."""
    record = store.army(number)
    army = from_body(record.body, library.catalog(), library.rulings(), short(record.name))
    listed = msgspec.structs.replace(army.listed, name=name)
    store.save_army(number, name, as_body(listed))
    return record.name
