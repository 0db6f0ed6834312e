"""What set-up proposes where the player's settings have a say."""

from __future__ import annotations

from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.store.settings import Settings

LEDGER = "ledger"
AS_LIKED = "This is the default in your settings."
"""Of what differs from our own default."""
USUAL_DRAWS = "deck"

_DRAWS = {
    ("referee", "cards"): "deck",
    ("referee", "die"): "die",
    ("clerk", "cards"): "own_deck",
    ("clerk", "die"): "own_die",
}


def draws_liked(settings: Settings, *, cards_only: bool = False) -> str:
    """Who draws for a side, as one of ``setup_parts.DRAWS``; where dice are not allowed, cards."""
    if settings.level == LEDGER:
        return LEDGER
    return _DRAWS[settings.level, "cards" if cards_only else settings.chance]


def rulings_liked(settings: Settings, book: RulingBook) -> dict[str, str]:
    """The player's answers that differ from ours. What an old or edited file says about rulings
    or answers that do not exist is left out."""
    return {
        name: answer
        for name, answer in settings.rulings.items()
        if name in book.rulings
        and answer in book.rulings[name].answers
        and answer != book.rulings[name].default
    }
