"""The place of a game that has just ended, among those that are kept, and how good it was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from textual.content import Content

from skirmish.app.kept import Stored
from skirmish.games.beach_head.state import State
from skirmish.store.errors import StoreError


async def place_of(stored: Stored, state: State, number: int) -> AsyncIterator[Content]:
    """In words: its place first, if the scores can be read, then the share of games in which the
    program lost more. Nothing while the game goes on."""
    from skirmish.app.beach.scores_kept import kept_scores
    from skirmish.app.beach.scores_words import place_told
    from skirmish.games.beach_head.scores import score_of

    score = score_of(state, game=number)
    if score is None:
        return
    place = Content("")
    with suppress(StoreError):
        place = place_told(score, await stored(lambda store: kept_scores(store, number)))
    yield place
    share, games = await asyncio.to_thread(_surpassed, state)
    yield Content(
        f"{place.plain}\nYou lost fewer squads than the program in {100 * share:.0f} % of "
        f"{games:,} games that it played on this beach, by the same rulings."
    )


def _surpassed(state: State) -> tuple[float, int]:
    """NumPy loads here, in its thread."""
    from skirmish.games.beach_head.advice import surpassed

    return surpassed(state)
