"""A value that a screen edits: every change can be undone, and is stored at once. Begin with
``Editing``; ``ArmySession`` is the one for an army."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from skirmish.games.plastic.army_file import GAME, as_body
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.session import Stored
from skirmish.tabletop.history import History

if TYPE_CHECKING:
    from skirmish.store.database import Store

T = TypeVar("T")
"""What is edited: the list of an army, or the counts of the player's figures."""
MOST_CHANGES_SEARCHED = 50
"""How many of the last changes ``latest_additions`` goes back over: a repair may try to take each
of them back."""


class Editing(History[T]):
    """A ``value`` that changes in memory first and is stored by ``save``. If that fails, the next
    ``save`` stores these changes, too. A ``new`` value is not in the store yet."""

    def __init__(self, run_on_store: Stored, value: T, *, new: bool = False) -> None:
        super().__init__(value)
        self._run_on_store = run_on_store
        self._saved: T | None = value
        """The value that the store holds; None: it holds none yet."""
        if new:
            self._saved = None

    @abstractmethod
    def write(self, store: Store, value: T) -> None:
        """Store the whole value; raises StoreError."""

    @property
    def unsaved(self) -> bool:
        """Whether the present value is not in the store."""
        # Identity is enough, since a value is replaced and never changed.
        return self._saved is not self.value

    async def save(self) -> None:
        """Store the present value. Raises StoreError."""
        value = self.value  # which may be changed again while it is being stored
        await self._run_on_store(lambda store: self.write(store, value))
        self._saved = value


class ArmySession(Editing[ArmyList]):
    """One army. ``number`` is that in the store; None until it is first stored."""

    def __init__(self, run_on_store: Stored, army: Army, number: int | None = None) -> None:
        super().__init__(run_on_store, army.army_list, new=number is None)
        self._army = army
        self.number = number

    @property
    def army(self) -> Army:
        """The army with its list as it is now."""
        return replace(self._army, army_list=self.value)

    @property
    def latest_additions(self) -> list[dict[str, int]]:
        """What was added by the last change, by the last two changes together, and so on: counts by
        the ids of the pieces.

        A repair tries to take these back first. Otherwise a single number that was mistyped might
        lead it to sell everything else.
        """
        additions = []
        for before in reversed(self.past[-MOST_CHANGES_SEARCHED:]):
            added_since: dict[str, int] = {}
            for piece, count in self.value.pieces.items():
                added = count - before.count(piece)
                if added > 0:
                    added_since[piece] = added
            additions.append(added_since)
        return additions

    def write(self, store: Store, value: ArmyList) -> None:
        if self.number is None:
            self.number = store.add_army(GAME, value.name, as_body(value)).id
        else:
            store.save_army(self.number, value.name, as_body(value))
