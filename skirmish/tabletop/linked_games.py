"""The stored games that belong to another one, such as the battles of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from skirmish.tabletop.journal import Entry, Play


class GameLink(msgspec.Struct, frozen=True, kw_only=True):
    """How a game names another one that belongs to it, as a campaign names its battle: how the
    store finds it, and what is done with it."""

    kind: str
    """The id of that kind of game."""
    mark: str
    """A piece of its stored opening that no other opening has."""
    label: str
    """What the other game is called in a sentence."""
    opens: Callable[[], Entry[Any, Any]] | None = None
    """Makes its first entry where it is to be opened and is not stored yet."""
    first_orders: Callable[[Any], Sequence[Any]] | None = None
    """The orders that follow its opening at once, made from its state."""
    needs_play: bool = False
    """Whether the game that it belongs to has to know its play (``Game.with_linked``)."""
    known_entries: int = 0
    """How many entries of its journal the game that it belongs to has counted already: its play is
    not needed again until it has more."""
    goes_on: bool = False
    """Whether players go on in it now, as those of a campaign do in its next battle."""


class LinkedGame(msgspec.Struct, frozen=True):
    """A game that a ``GameLink`` names, once it is stored; ``number`` is its number in the store.
    ``play`` is None where it is not needed, or nothing new was stored of it, or it cannot be
    read."""

    link: GameLink
    number: int
    play: Play[Any, Any, Any] | None = None
