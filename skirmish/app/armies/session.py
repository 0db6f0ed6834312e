"""An army being edited, and in the store: every change is written, and can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import msgspec

from skirmish.app.session import Stored
from skirmish.games.plastic.army_file import GAME, as_body, renamed
from skirmish.games.plastic.rules.army import Army, ArmyList, muster
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook

if TYPE_CHECKING:
    from skirmish.store.database import Store

NEW_NAME = "New army"
FAR_BACK = 50
"""Changes that a repair looks at for what was added last."""


def new_army(
    catalog: Catalog, book: PlasticRulingBook, taken: Iterable[str], liked: Mapping[str, str]
) -> Army:
    """An empty army of the basic game, under a name that no other bears and under those of the
    player's ``liked`` rulings that armies go by."""
    rulings = {
        name: answer
        for name, answer in liked.items()
        if (ruling := book.rulings.get(name))
        and ruling.topic == "army"
        and answer in ruling.answers
        and answer != ruling.default
    }
    listed = ArmyList(name=NEW_NAME, points=catalog.basic_game.points, rulings=rulings)
    return muster(renamed(listed, list(taken)), catalog, book)


async def owned_figures(stored: Stored) -> dict[str, int]:
    """The figures in the player's box. Where they cannot be read there are none: screens then say
    nothing of them, and go on."""
    from skirmish.store.errors import StoreError

    try:
        found: dict[str, int] = await stored(lambda store: store.owned(GAME))
    except StoreError:
        return {}
    return found


class ArmySession:
    """One army. ``number`` is None until it is written for the first time.

    The screen changes it at once and then awaits ``save``; what could not be written stays here,
    and the next ``save`` writes it, for each writes the whole army.
    """

    def __init__(self, stored: Stored, army: Army, number: int | None = None) -> None:
        self.army = army
        self.number = number
        self._stored = stored
        self._past: list[ArmyList] = []
        self._future: list[ArmyList] = []
        self._version = 1 if number is None else 0
        self._written = 0

    @property
    def listed(self) -> ArmyList:
        return self.army.listed

    @property
    def unsaved(self) -> bool:
        return self._written < self._version

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    @property
    def added(self) -> list[dict[str, int]]:
        """What came to the army with its last change, with its last two, and so on."""
        now = {**self.listed.units, **self.listed.works}
        return [
            {piece: more for piece, n in now.items() if (more := n - before.count(piece)) > 0}
            for before in reversed(self._past[-FAR_BACK:])
        ]

    def change(self, listed: ArmyList, *, goes_on: bool = False) -> None:
        """Make it ``listed``. A change that ``goes_on`` is taken back together with the last."""
        if not (goes_on and self._past):
            self._past.append(self.listed)
        self._future.clear()
        self._become(listed)

    def undo(self) -> None:
        if self._past:
            self._future.append(self.listed)
            self._become(self._past.pop())

    def redo(self) -> None:
        if self._future:
            self._past.append(self.listed)
            self._become(self._future.pop())

    async def save(self) -> None:
        """Write the army as it stands now. Raises StoreError."""
        version, listed = self._version, self.listed
        body = as_body(listed)

        def job(store: Store) -> None:  # one thread does all jobs: the second knows the number
            if self.number is None:
                self.number = store.add_army(GAME, listed.name, body).id
            else:
                store.save_army(self.number, listed.name, body)

        await self._stored(job)
        self._written = max(self._written, version)

    def _become(self, listed: ArmyList) -> None:
        self._version += 1
        self.army = msgspec.structs.replace(self.army, listed=listed)
