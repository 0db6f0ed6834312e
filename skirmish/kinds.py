"""Every game there is, in one place: what the store and people call it, and where its rooms are.

A new game is a line here. Its rooms are named and not imported: most of the program never plays
more than one game, and what is heavy loads when it is needed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from skirmish.tabletop.record import Scribe


class Kind(NamedTuple):
    """A game that the store may keep.

    ``game`` is its name there; people call it ``name``, and what is kept of it a ``noun``. The
    command ``show`` tells of one. ``record`` is the room with its ``scribe``; ``opening`` the room
    of the app whose ``opened(app, number)`` makes the screen of a kept one.
    """

    game: str
    name: str
    noun: str
    nouns: str
    show: str
    record: str
    opening: str

    def scribe(self) -> Scribe[Any, Any, Any]:
        """Who reads and writes its journals."""
        scribe: Scribe[Any, Any, Any] = import_module(self.record).scribe
        return scribe

    def opened(self) -> Callable[[Any, int], Awaitable[Any]]:
        """What makes the screen of a kept one, given the app and its number."""
        opened: Callable[[Any, int], Awaitable[Any]] = import_module(self.opening).opened
        return opened


BATTLE = Kind(
    game="plastic",
    name="WWII Plastic Skirmish",
    noun="battle",
    nouns="battles",
    show="skirmish battle show",
    record="skirmish.games.plastic.battle.record",
    opening="skirmish.app.battle.opening",
)
BEACH = Kind(
    game="beach_head",
    name="Beach Head",
    noun="game",
    nouns="games",
    show="skirmish beach-head show",
    record="skirmish.games.beach_head.record",
    opening="skirmish.app.beach.opening",
)
KINDS = (BATTLE, BEACH)


def kind_of(game: str) -> Kind | None:
    """The kind of that name; None for one that this program does not know."""
    return next((kind for kind in KINDS if kind.game == game), None)
