"""A game that the shell plays, on the screen and in the store at once."""

from __future__ import annotations

from functools import cache
from typing import Any

from skirmish import registry
from skirmish.app.kept import Kept
from skirmish.tabletop.game import Game


class Session(Kept[Any, Any, Any]):
    """One game being played; ``rules`` is the game it is a game of."""

    rules: Game[Any, Any, Any]


@cache
def session_of(id: str) -> type[Session]:
    """The sessions of one game; raises LookupError, DataError."""
    found = registry.load(id)

    class OfThisGame(Session):
        rules = found
        game = found.id
        scribe = found.codec
        headline = staticmethod(found.headline)
        over = staticmethod(found.over)
        look_at = staticmethod(found.look_at)

    return OfThisGame
