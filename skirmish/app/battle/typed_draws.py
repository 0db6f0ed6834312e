"""What a player types for his own draws: ``7 3h q 10``."""

from __future__ import annotations

import re

from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, DrawError, lettered, parse_card, parse_roll

_RANKS = {"a": 1, "j": 11, "q": 12, **{str(rank): rank for rank in range(1, DIE + 1)}}


def typed_draws(text: str, die: bool) -> tuple[Draw, ...]:
    """Draws in their order, cards with or without suit; raises DrawError (a sentence)."""
    written = text.split()
    if not written:
        what = f"a roll, 1 to {DIE}" if die else "a card, as in 7h, qs or 10"
        raise DrawError(f"Nothing was typed: {what}")
    return tuple(parse_roll(one, DIE) if die else _card(one) for one in written)


def _card(text: str) -> Draw:
    found = re.fullmatch(r"(1[0-2]?|[2-9]|[ajq])([shdc]?)", lettered(text).lower(), re.ASCII)
    if found:
        return Draw(_RANKS[found[1]], found[2].upper() or None)
    return parse_card(text, DECK[-1].rank)
