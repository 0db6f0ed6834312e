"""A battle on the screen and in the store at once."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.app.kept import Kept, Stored
from skirmish.games.plastic.army_file import GAME
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lead import headline
from skirmish.games.plastic.battle.orders import AnyOrder, PlayOn
from skirmish.games.plastic.battle.rebuilding import look_at
from skirmish.games.plastic.battle.record import BattleEntry, opening, scribe
from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.victory import still_over


class KeptBattle(Kept[State, AnyOrder, AnyEvent]):
    """One battle of WWII Plastic Skirmish."""

    game = GAME
    scribe = scribe

    @staticmethod
    def headline(state: State) -> str:
        """Who is ahead, and when."""
        return headline(state)

    @staticmethod
    def over(state: State) -> bool:
        """Whether it has been decided."""
        return state.outcome is not None

    look_at = staticmethod(look_at)

    @classmethod
    async def begun(cls, stored: Stored, setup: Setup) -> KeptBattle:
        """A new battle, kept from its opening on; raises StoreError."""
        return await cls.opened(stored, setup.title, opening(setup))

    async def void(self, numbers: Sequence[int]) -> BattleEntry:
        """Make these entries void; raises Refused, StoreError, Outrun. If what had ended the
        battle goes with them, it goes on."""
        entry = await super().void(numbers)
        if self.state.outcome is not None and not still_over(self.state):
            await self.give(PlayOn(anew=True))
        return entry
