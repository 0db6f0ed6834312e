"""High scores: what finished games came to. Fewer squads lost is better; then fewer turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from skirmish.games.beach_head.setup import Setup, Variant
from skirmish.games.beach_head.state import State


class Table(msgspec.Struct, frozen=True, order=True):
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
    table: Table
    player: str = ""
    ended: str = ""
    game: int = 0

    @property
    def hand(self) -> bool:
        """Whether it was played with cards."""
        return self.table.hand


def table_of(setup: Setup) -> Table:
    """Which table a game belongs to."""
    return Table(setup.variant, setup.reading, setup.cards is not None)


def score_of(state: State, *, ended: str = "", game: int = 0) -> Score | None:
    """What a game came to; None while it is not over."""
    if not state.over:
        return None
    return Score(
        casualties=state.casualties,
        turns=state.turn,
        alive=state.squads,
        table=table_of(state.setup),
        player=state.setup.player,
        ended=ended,
        game=game,
    )


def ranked(scores: Iterable[Score]) -> list[Score]:
    """The best first: fewest lost, then fewest turns, then most alive, then the earlier one."""
    return sorted(scores, key=_merit)


def _merit(score: Score) -> tuple[int, int, int, str, int]:
    return (*_worth(score), score.ended, score.game)


def _worth(score: Score) -> tuple[int, int, int]:
    return score.casualties, score.turns, -score.alive


def by_table(scores: Iterable[Score]) -> dict[Table, list[Score]]:
    """The scores table by table, each the best first. As printed comes first, with cards first."""
    tables: dict[Table, list[Score]] = {}
    for score in ranked(scores):
        tables.setdefault(score.table, []).append(score)
    return dict(sorted(tables.items(), key=lambda one: _before(one[0])))


def _before(table: Table) -> tuple[bool, bool, Table]:
    return table.reading != "printed", not table.hand, table


def rank(score: Score, scores: Iterable[Score]) -> tuple[int, int]:
    """The place of a score in its table, from 1, and how many stand there (itself among them).
    Scores of the same worth share a place."""
    others = [one for one in scores if one.table == score.table and one.game != score.game]
    better = sum(_worth(one) < _worth(score) for one in others)
    return better + 1, len(others) + 1


def places(rows: Sequence[Score]) -> list[tuple[int, Score]]:
    """The scores of one table, each with its place."""
    return [(rank(one, rows)[0], one) for one in rows]
