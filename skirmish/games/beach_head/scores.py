"""High scores: what finished games came to. Fewer squads lost is better; then fewer turns."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from skirmish.games.beach_head.ruleset import Variant
from skirmish.games.beach_head.state import State


class ScoreTable(msgspec.Struct, frozen=True, order=True):
    """What is compared with what: the beach, how the text was read (``Setup.reading``), and whether
    there was a hand of cards, which saves nearly everybody."""

    variant: Variant
    reading: str
    hand: bool = True


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One finished game. ``ended``: when, in ISO form; ``game``: its number in the store."""

    casualties: int
    turns: int
    alive: int
    table: ScoreTable
    player: str = ""
    ended: str = ""
    game: int = 0

    @property
    def worth(self) -> tuple[int, int, int]:
        """The less, the better."""
        return self.casualties, self.turns, -self.alive


def score_of(state: State, *, ended: str = "", game: int = 0) -> Score | None:
    """What a game came to; None while it is not over."""
    if not state.over:
        return None
    setup = state.setup
    return Score(
        casualties=state.casualties,
        turns=state.turn,
        alive=state.squads,
        table=ScoreTable(setup.variant, setup.reading, setup.cards is not None),
        player=setup.player,
        ended=ended,
        game=game,
    )


def ranked(scores: Iterable[Score]) -> list[Score]:
    """The best first: fewest lost, then fewest turns, then most alive, then the earlier one."""
    return sorted(scores, key=lambda one: (one.worth, one.ended, one.game))


def by_table(scores: Iterable[Score]) -> dict[ScoreTable, list[Score]]:
    """The scores table by table, each the best first. As printed comes first, with cards first."""
    tables: dict[ScoreTable, list[Score]] = {}
    for score in ranked(scores):
        tables.setdefault(score.table, []).append(score)
    order = sorted(tables, key=lambda one: (one.reading != "printed", not one.hand, one))
    return {table: tables[table] for table in order}


def rank(score: Score, scores: Iterable[Score]) -> tuple[int, int]:
    """The place of a score in its table, from 1, and how many stand there (itself among them).
    Scores of the same worth share a place."""
    others = [one for one in scores if one.table == score.table and one.game != score.game]
    return sum(one.worth < score.worth for one in others) + 1, len(others) + 1
