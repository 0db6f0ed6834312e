"""Armies: the list, the builder, two armies side by side, the figures that a player owns.

Begin with `list` (the saved armies: copied, renamed and removed, which can be undone). It opens
`new_army` (what a new one starts from), `compare` (two armies side by side) and `builder` (one
army: its `offer_rows` and its `status`). The builder and `own_figures` are screens of `counting` (a
count is typed, or changed by one), and what they change is a value of `editing` (undo, saving).
`terms` asks for the name of an army, its points and the like. No rule is decided here: limits,
prices, advice and the sentences about broken limits come from `games.plastic.rules`, and what is
stored goes through `games.plastic.army_file`.
"""

from __future__ import annotations

from skirmish.games.plastic.army_file import GAME
from skirmish.session import Stored
from skirmish.store.errors import StoreError


async def owned_figures(stored: Stored) -> dict[str, int]:
    """The figures the player owns; empty if they cannot be read."""
    try:
        figures: dict[str, int] = await stored(lambda store: store.owned(GAME))
    except StoreError:
        return {}
    return figures
