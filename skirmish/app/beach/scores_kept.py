"""The high scores, read from the finished games that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.games.beach_head.record import GAME
from skirmish.games.beach_head.scores import Score, scores_in

if TYPE_CHECKING:
    from skirmish.store.desk import Store


def kept_scores(store: Store, mine: int = 0) -> list[Score]:
    """Every finished game on the list; one that cannot be read is left out. Of copies ``mine``
    counts."""
    games = (one.id for one in store.battles() if one.game == GAME and one.over)
    scores, _ = scores_in(((game, store.entries(game)) for game in games), mine)
    return scores
