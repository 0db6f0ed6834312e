"""A game of Beach Head on the screen and in the store at once."""

from __future__ import annotations

from skirmish.app.kept import Kept, Stored
from skirmish.games.beach_head.events import AnyEvent
from skirmish.games.beach_head.orders import AnyOrder
from skirmish.games.beach_head.rebuilding import look_at
from skirmish.games.beach_head.record import GAME, opening, scribe
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import headline
from skirmish.tabletop.typed import plain

OUTRUN = (
    "Another program has continued this game. You see it as it stands now; your last key was not "
    "carried out."
)


class KeptBeach(Kept[State, AnyOrder, AnyEvent]):
    """One game."""

    game = GAME
    scribe = scribe

    @staticmethod
    def headline(state: State) -> str:
        """Where it stands."""
        return headline(state)

    @staticmethod
    def over(state: State) -> bool:
        """Whether the beach is taken."""
        return state.over

    look_at = staticmethod(look_at)

    @classmethod
    async def begun(cls, stored: Stored, setup: Setup) -> KeptBeach:
        """A new game, kept from its opening on; raises StoreError. Lists tell whose it is."""
        whose = f": {plain(setup.player)}" if setup.player else ""
        return await cls.opened(stored, f"{setup.title}{whose}", opening(setup))
