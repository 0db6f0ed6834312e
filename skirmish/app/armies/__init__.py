"""Armies: the list, the builder, two side by side, the figures one owns."""

from __future__ import annotations

from skirmish.games.plastic.army_file import GAME
from skirmish.session import Stored
from skirmish.store.errors import StoreError


async def owned_figures(stored: Stored) -> dict[str, int]:
    """The figures the player owns; empty if they cannot be read."""
    try:
        found: dict[str, int] = await stored(lambda store: store.owned(GAME))
    except StoreError:
        return {}
    return found
