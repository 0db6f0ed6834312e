"""The high scores, read from the finished games that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.games.beach_head.record import GAME
from skirmish.games.beach_head.scores import Score, score_in
from skirmish.tabletop.record import RecordError

if TYPE_CHECKING:
    from skirmish.store.desk import Store


def kept_scores(store: Store) -> list[Score]:
    """Every finished game on the list; one that cannot be read is left out."""
    found: list[Score] = []
    for record in store.battles():
        if record.game == GAME and record.over:
            try:
                score = score_in(store.entries(record.id), record.id)
            except RecordError:
                continue
            if score is not None:
                found.append(score)
    return found
