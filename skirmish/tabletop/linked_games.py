"""The stored games that belong to another one, such as the battles of a campaign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from skirmish.tabletop.journal import Entry, Play


class Linked(msgspec.Struct, frozen=True, kw_only=True):
    """Another stored game that belongs to a game, such as a battle to its campaign."""

    kind: str
    """The id of that kind of game."""
    mark: str
    """A piece of its stored opening that no other opening has."""
    label: str
    """Its name in a sentence."""
    opens: Callable[[], Entry[Any, Any]] | None = None
    """Makes its first entry where it is to be opened and is not stored yet."""
    first_orders: Callable[[Any], Sequence[Any]] | None = None
    """The orders that follow its opening at once, made from its state."""
    reads: bool = False
    """Whether the game that it belongs to needs its play (``Game.with_linked``)."""
    known_entries: int = 0
    """How many entries of its journal are known already: its play is not needed again until it has
    more."""
    goes_on: bool = False
    """Whether players go on in it now, as those of a campaign do in its next battle."""


class LinkedGame(msgspec.Struct, frozen=True):
    """A linked game that is stored, by its ``number``, with its play where that is read."""

    link: Linked
    number: int
    play: Play[Any, Any, Any] | None = None
