"""The place of a game that has just ended, among those that are kept."""

from __future__ import annotations

from textual.content import Content

from skirmish.app.kept import Stored
from skirmish.games.beach_head.state import State
from skirmish.store.errors import StoreError


async def place_of(stored: Stored, state: State, number: int) -> Content | None:
    """In words; None while the game goes on. None too where the scores cannot be read: the game is
    kept all the same, and its place can be looked up later."""
    from skirmish.app.beach.scores_kept import kept_scores
    from skirmish.app.beach.scores_words import place_told
    from skirmish.games.beach_head.scores import score_of

    score = score_of(state, game=number)
    try:
        return None if score is None else place_told(score, await stored(kept_scores))
    except StoreError:
        return None
