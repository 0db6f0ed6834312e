"""How often finished games came to each number of casualties, turns and survivors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import asdict

if TYPE_CHECKING:  # tallies are read without NumPy
    from skirmish.games.beach_head.simulate.arrays import Beaches, Numbers
    from skirmish.games.beach_head.state import BeachState


class Extremes(NamedTuple):
    """The lowest and the highest value of some games."""

    least: int
    most: int


class Spread(msgspec.Struct, frozen=True):
    """How many games came to each value of one quantity: ``counts[value]`` of them. Without any
    game there are neither a mean nor extremes."""

    counts: tuple[int, ...] = ()

    @classmethod
    def of(cls, values: Iterable[int]) -> Spread:
        """The spread of these values, each of them 0 or more."""
        games_by_value = Counter(values)
        if not games_by_value:
            return cls()
        # Values of no game count 0, so that the index in the tuple is the value.
        highest = max(games_by_value)
        return cls(tuple(games_by_value[value] for value in range(highest + 1)))

    def __add__(self, more: Spread) -> Spread:
        # The shorter of the two has no game with the greater values.
        pairs = zip_longest(self.counts, more.counts, fillvalue=0)
        return Spread(tuple(ours + theirs for ours, theirs in pairs))

    @property
    def games(self) -> int:
        """The number of games, each of which has one value."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The average of the values."""
        return sum(value * count for value, count in self.pairs()) / self.games

    @property
    def deviation(self) -> float:
        """The standard deviation of a single game; 0 for one game."""
        games, mean = self.games, self.mean
        if games < 2:
            return 0.0
        # From Python 3.12 on, ``sum`` adds floats in another way; ``fsum`` gives the same digits in
        # all versions.
        squares = math.fsum(count * (value - mean) ** 2 for value, count in self.pairs())
        # Divided by one less than the games, since the mean was estimated from the same games.
        return math.sqrt(squares / (games - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.games)

    @property
    def least(self) -> int:
        """The lowest value of a game."""
        return next(value for value, _ in self.pairs())

    @property
    def most(self) -> int:
        """The highest value of a game."""
        return [value for value, _ in self.pairs()][-1]

    @property
    def extremes(self) -> Extremes:
        """The lowest and the highest value of a game."""
        return Extremes(self.least, self.most)

    def extremes_of(self, games: int) -> Extremes:
        """The typical extremes of a batch of ``games`` further games: half of all such batches go
        beyond them."""
        return Extremes(self.least_of(games), self.most_of(games))

    def quantile(self, share: float) -> int:
        """The smallest value that at least this ``share`` (0 to 1) of the games do not exceed."""
        wanted = share * self.games
        games_so_far = 0
        for value, count in self.pairs():
            games_so_far += count
            if games_so_far >= wanted:
                return value
        # Rounding may make what is wanted slightly more than all games.
        return self.most

    def least_of(self, games: int, share: float = 0.5) -> int:
        """The lowest value that a batch of ``games`` further games is likely to have: in the given
        ``share`` of such batches, the lowest value is not above it. Further games are taken to have
        the values of these games, each as often as here."""
        # If a share p of all games is not above a value, a batch has none of them with the chance
        # (1 - p) ** games. The p is wanted for which that is 1 - share.
        return self.quantile(1 - (1 - share) ** (1 / games))

    def most_of(self, games: int, share: float = 0.5) -> int:
        """The highest value that a batch of ``games`` further games may have: in the given
        ``share`` of all such batches it is not higher than this. Estimated as in ``least_of``."""
        # If a share p of all games is not above a value, a whole batch is not above it with the
        # chance p ** games. The p is wanted for which that is the share.
        return self.quantile(share ** (1 / games))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The values that occurred, each with its games."""
        return ((value, count) for value, count in enumerate(self.counts) if count)


class GamesTally(msgspec.Struct, frozen=True):
    """The spreads of the numbers that finished games end with; tallies can be added."""

    casualties: Spread = Spread()
    turns: Spread = Spread()
    alive: Spread = Spread()

    @classmethod
    def of(cls, states: Iterable[BeachState]) -> GamesTally:
        """The tally of finished games."""
        ends = list(states)
        return cls(
            casualties=Spread.of(state.casualties for state in ends),
            turns=Spread.of(state.turn for state in ends),
            alive=Spread.of(state.squads for state in ends),
        )

    def __add__(self, more: GamesTally) -> GamesTally:
        return GamesTally(
            casualties=self.casualties + more.casualties,
            turns=self.turns + more.turns,
            alive=self.alive + more.alive,
        )

    @property
    def games(self) -> int:
        """How many games were counted. Each has a value in all three spreads."""
        return self.turns.games

    def spreads(self) -> dict[str, Spread]:
        """The spreads by their names, which are also those of the printed statistics."""
        return asdict(self)


def tallied(beaches: Beaches) -> GamesTally:
    """The tally of finished games of the simulator."""
    return GamesTally(
        casualties=_spread_of_array(beaches["casualties"]),
        turns=_spread_of_array(beaches["turn"]),
        alive=_spread_of_array(beaches["squads"]),
    )


def _spread_of_array(values: Numbers) -> Spread:
    """The spread of the values of an array."""
    import numpy as np  # noqa: PLC0415  (tallies are read without it)

    # Counted by NumPy: a million games in Python would take longer than they took to play.
    return Spread(tuple(np.bincount(values).tolist()))
