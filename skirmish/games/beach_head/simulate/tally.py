"""Games counted: how often each number of casualties, turns and squads alive came up."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from skirmish.games.beach_head.simulate.arrays import Numbers
    from skirmish.games.beach_head.simulate.programme import Rows


class Spread(msgspec.Struct, frozen=True):
    """``counts[value]`` games had this value."""

    counts: tuple[int, ...] = ()

    def __add__(self, other: Spread) -> Spread:
        pairs = zip_longest(self.counts, other.counts, fillvalue=0)
        return Spread(tuple(one + more for one, more in pairs))

    @property
    def games(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        return sum(value * count for value, count in self.pairs()) / self.games

    @property
    def deviation(self) -> float:
        """The standard deviation of a single game; 0 for one game."""
        games, mean = self.games, self.mean
        if games < 2:
            return 0.0
        squares = sum(count * (value - mean) ** 2 for value, count in self.pairs())
        return math.sqrt(squares / (games - 1))

    @property
    def error(self) -> float:
        return self.deviation / math.sqrt(self.games)

    @property
    def least(self) -> int:
        return next(value for value, _ in self.pairs())

    @property
    def most(self) -> int:
        return [value for value, _ in self.pairs()][-1]

    def quantile(self, share: float) -> int:
        """The smallest value that at least this ``share`` of games do not exceed."""
        wanted, found = share * self.games, 0
        for value, count in self.pairs():
            found += count
            if found >= wanted:
                return value
        return self.most

    def least_of(self, games: int, share: float = 0.5) -> int:
        """The smallest value of ``games`` further games, as a quantile: half of such batches have
        one no larger. Reckoned out of these games, as if they were all there are."""
        left, total = self.games, self.games
        for value, count in self.pairs():
            left -= count
            if 1 - (left / total) ** games >= share:
                return value
        return self.most

    def most_of(self, games: int, share: float = 0.5) -> int:
        """The largest value of ``games`` further games, in the same way."""
        found, total = 0, self.games
        for value, count in self.pairs():
            found += count
            if (found / total) ** games >= share:
                return value
        return self.most

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Values that came up, with their counts."""
        return ((value, count) for value, count in enumerate(self.counts) if count)


class Tally(msgspec.Struct, frozen=True):
    casualties: Spread = Spread()
    turns: Spread = Spread()
    alive: Spread = Spread()

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.casualties + other.casualties,
            self.turns + other.turns,
            self.alive + other.alive,
        )

    @property
    def games(self) -> int:
        return self.turns.games

    def spreads(self) -> tuple[tuple[str, Spread], ...]:
        return (("casualties", self.casualties), ("turns", self.turns), ("alive", self.alive))


def tallied(matrix: Numbers, at: Rows) -> Tally:
    import numpy as np  # noqa: PLC0415  (tallies are read without it)

    found = (
        Spread(tuple(np.bincount(matrix[row]).tolist()))
        for row in (at.casualties, at.turn, at.squads)
    )
    return Tally(*found)
