"""The results of many games: a page for screen, text and paper, and JSON for other programs,
compared with the statistics printed with the rules."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import asdict

from skirmish.games.beach_head.ruleset import BeachSetup, Count, Positive
from skirmish.tabletop.data_file import Strict, read
from skirmish.tabletop.page import Bar, Bars, Block, Heading, Note, Page, Paragraph, Table, table
from skirmish.tabletop.presets import PresetBook

if TYPE_CHECKING:
    from skirmish.games.beach_head.simulate.arrays import Beaches, Numbers
    from skirmish.games.beach_head.state import BeachState

NAMES = {
    "casualties": ("Casualties", "Squads lost: the score"),
    "turns": ("Turns", "Until bunkers and trenches are gone"),
    "alive": ("Alive at the end", "Squads still ashore"),
}
"""The title of each number of a tally, and what it counts."""
MOST_BARS = 16
"""Bars of a picture; more would not be read."""
QUARTILES = (0.25, 0.5, 0.75)
"""Shares of the games that the figures name a value for."""


class Extremes(NamedTuple):
    """The least and the greatest value of a batch of games."""

    least: int
    most: int


class Spread(msgspec.Struct, frozen=True):
    """``counts[value]`` games had this value. Without any game there are no mean and
    no extremes."""

    counts: tuple[int, ...] = ()

    @classmethod
    def of(cls, values: Iterable[int]) -> Spread:
        """The spread of these values, each of them 0 or more."""
        # Also the values nobody had, so that the place in the tuple is the value.
        counts = Counter(values)
        return cls(tuple(counts[value] for value in range(max(counts, default=-1) + 1)))

    def __add__(self, more: Spread) -> Spread:
        # The shorter of the two has no game with the greater values.
        pairs = zip_longest(self.counts, more.counts, fillvalue=0)
        return Spread(tuple(ours + theirs for ours, theirs in pairs))

    @property
    def games(self) -> int:
        """How many values there are: one of each game."""
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
        # ``sum`` adds floats in another way from Python 3.12 on, and would show other digits there.
        squares = math.fsum(count * (value - mean) ** 2 for value, count in self.pairs())
        # By one less than there are: the mean is of the same games.
        return math.sqrt(squares / (games - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.games)

    @property
    def least(self) -> int:
        """The lowest value that came."""
        return next(value for value, _ in self.pairs())

    @property
    def most(self) -> int:
        """The highest value that came."""
        return [value for value, _ in self.pairs()][-1]

    @property
    def extremes(self) -> Extremes:
        """The lowest and the highest value of these games."""
        return Extremes(self.least, self.most)

    def extremes_of(self, games: int) -> Extremes:
        """The lowest and the highest value that half of all batches of ``games`` further games do
        not pass."""
        return Extremes(self.least_of(games), self.most_of(games))

    def quantile(self, share: float) -> int:
        """The smallest value that at least this ``share`` (0 to 1) of the games do not exceed."""
        wanted = share * self.games
        games_so_far = 0
        for value, count in self.pairs():
            games_so_far += count
            if games_so_far >= wanted:
                return value
        # Rounding may leave the last share a hair short.
        return self.most

    def least_of(self, games: int, share: float = 0.5) -> int:
        """The smallest value of ``games`` further games, as a quantile: half of such batches have
        one no larger. Estimated from these games as the whole population."""
        # All of the batch are larger with the chance (1 - p) to the power of its games; that is set
        # equal to 1 - share.
        return self.quantile(1 - (1 - share) ** (1 / games))

    def most_of(self, games: int, share: float = 0.5) -> int:
        """The largest value of ``games`` further games, in the same way."""
        return self.quantile(share ** (1 / games))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The values that occurred, each with its games."""
        return ((value, count) for value, count in enumerate(self.counts) if count)


class GamesTally(msgspec.Struct, frozen=True):
    """How often finished games came to each number; tallies can be added."""

    casualties: Spread = Spread()
    turns: Spread = Spread()
    alive: Spread = Spread()

    @classmethod
    def of(cls, states: Iterable[BeachState]) -> GamesTally:
        """Tallies finished games."""
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
        """How many games were counted."""
        return self.turns.games

    def spreads(self) -> tuple[tuple[str, Spread], ...]:
        """Each number by its name, as in ``NAMES``."""
        return tuple(asdict(self).items())


def tallied(beaches: Beaches) -> GamesTally:
    """Tallies finished games of the simulator."""
    return GamesTally(
        casualties=_spread_of_array(beaches["casualties"]),
        turns=_spread_of_array(beaches["turn"]),
        alive=_spread_of_array(beaches["squads"]),
    )


def _spread_of_array(values: Numbers) -> Spread:
    """How often each value comes, by its index."""
    import numpy as np  # noqa: PLC0415  (tallies are read without it)

    # Counted by NumPy: a million games in Python would take longer than they took to play.
    return Spread(tuple(np.bincount(values).tolist()))


class PrintedSpread(Strict, frozen=True, kw_only=True):
    """The printed statistics of one number; any of them may be missing."""

    least: Count | None = None
    mean: Count | None = None
    most: Count | None = None

    @property
    def text(self) -> str:
        """``9 to 86, mean 42``, ``at most 18``."""
        text = f"at most {self.most}"
        if self.least is not None:
            text = f"{self.least} to {self.most}"
        if self.mean is not None:
            text += f", mean {self.mean}"
        return text


class Playtest(Strict, frozen=True, kw_only=True):
    """``data/beach_head/playtest.toml``: what the text reports of a thousand games. No reading of
    the printed rules gives these numbers (``docs/beach-head-statistics.md``)."""

    format: Literal[1]
    games: Positive
    casualties: PrintedSpread
    alive: PrintedSpread
    turns: PrintedSpread

    @property
    def text(self) -> str:
        """The figures of the playtest in a sentence."""
        return (
            f"Reported with the rules, {self.games:,} games: casualties {self.casualties.text}; "
            f"alive {self.alive.text}; turns {self.turns.text}."
        )


def read_playtest(raw: Mapping[str, Any]) -> Playtest:
    """Raises DataError."""
    return read(raw, Playtest, "beach_head/playtest.toml")


POLICY_WORDS = {
    "uniform": "Targets are chosen at random",
    "plan": "Targets are chosen by the plan",
    "better": "Targets are chosen by the better policy",
}
"""What the games of a policy have in common, in words."""


class Simulated(NamedTuple):
    """The number of games ``asked`` for, and the results of those played."""

    setup: BeachSetup
    policy: str
    seed: int
    asked: int
    tally: GamesTally = GamesTally()

    def more(self, tally: GamesTally) -> Simulated:
        """The statistics with the results of further games."""
        return self._replace(tally=self.tally + tally)

    def page(self, book: PresetBook, playtest: Playtest) -> Page:
        """The statistics as a page, beside those of the playtest."""
        return Page("Beach Head: statistics", tuple(self._blocks(book, playtest)))

    def _blocks(self, book: PresetBook, playtest: Playtest) -> Iterator[Block]:
        """The statistics of a run, with the printed ones beside them."""
        games, setup = self.tally.games, self.setup
        yield Paragraph(self._lead(book))
        if games < self.asked:
            yield Paragraph(interrupted(self.asked))
        departures = book.departures(setup.rulings)
        if departures:
            texts = [f"{ruling.id} {ruling.title}. {text}" for ruling, text in departures]
            yield Paragraph(" ".join(texts))
        yield figures(self.tally)
        yield Paragraph(playtest.text)
        batches = in_batches(self.tally, playtest)
        if batches:
            yield Paragraph(batches)
        for name, spread in self.tally.spreads():
            title, about = NAMES[name]
            # The three numbers have the same names in the file, in the tally and here.
            printed: PrintedSpread = getattr(playtest, name)
            yield Heading(title, 2)
            yield Paragraph(f"{about}. Mean {spread.mean:.2f}; printed: {printed.text}.")
            yield Bars(tuple(_bars(spread)))
        if setup.revision:
            yield Note(f"Data revision {setup.revision}.")

    def _lead(self, book: PresetBook) -> str:
        """How many games, of what, by whom."""
        games = f"{self.tally.games:,} games"
        if self.tally.games == 1:
            games = "1 game"
        preset = book.presets.get(self.setup.named)
        rulings = "with rulings of its own"
        if preset is not None:
            rulings = preset.name.lower()
        policy = POLICY_WORDS.get(self.policy, self.policy)
        return f"{self.setup.title}: {games} without cards, {rulings}. {policy}. Seed {self.seed}."

    def data(self, playtest: Playtest) -> dict[str, Any]:
        """What ``simulate --json`` prints; its keys stay as they are."""
        return {
            "games": self.tally.games,
            "asked": self.asked,
            "policy": self.policy,
            "reading": self.setup.named,
            "rulings": self.setup.rulings,
            "variant": self.setup.variant,
            "seed": self.seed,
            "engine": "numpy",
            **{name: _data(spread, playtest) for name, spread in self.tally.spreads()},
            "printed": playtest,
        }


def _data(spread: Spread, playtest: Playtest) -> dict[str, Any]:
    """The numbers of one quantity for programs; their keys stay."""
    # Of one game both would be 0, which other programs would take for certainty.
    deviation, error = None, None
    if spread.games > 1:
        deviation, error = spread.deviation, spread.error
    return {
        "mean": spread.mean,
        "deviation": deviation,
        "standard_error": error,
        "least": spread.least,
        "quartiles": [spread.quantile(share) for share in QUARTILES],
        "most": spread.most,
        "least_of_a_batch": spread.least_of(playtest.games),
        "most_of_a_batch": spread.most_of(playtest.games),
        "counts": {str(value): count for value, count in spread.pairs()},
    }


def interrupted(asked: int) -> str:
    """The sentence for games that were stopped before all ``asked`` for were played."""
    return f"Interrupted: you asked for {asked:,} games."


def figures(tally: GamesTally) -> Table:
    """One line per quantity: mean with its standard error, standard deviation, least, quartiles,
    most. A single game has no deviation."""
    titles = ["", "Mean", "±", "Deviation", "Least", "Low 25%", "Median", "Top 25%", "Most"]
    rows = []
    for name, spread in tally.spreads():
        title, _ = NAMES[name]
        error, deviation = "–", "–"
        if spread.games > 1:
            error, deviation = f"{spread.error:.2f}", f"{spread.deviation:.2f}"
        row = [title, f"{spread.mean:.2f}", error, deviation, str(spread.least)]
        for share in QUARTILES:
            row.append(str(spread.quantile(share)))
        row.append(str(spread.most))
        rows.append(row)
    return table(titles, rows, numbers=range(1, len(titles)))


def in_batches(tally: GamesTally, playtest: Playtest) -> str:
    """The extremes of batches as large as the printed playtest; half of them go further. Fewer
    games give only their own extremes, a single one an empty text."""
    size = playtest.games
    if tally.games == 1:
        return ""
    if tally.games < size:
        lead = f"In these {tally.games:,} games"
        dead, turns, alive = (spread.extremes for _, spread in tally.spreads())
    else:
        lead = f"Typical here, for {size:,} games"
        dead, turns, alive = (spread.extremes_of(size) for _, spread in tally.spreads())
    return (
        f"{lead}: casualties {dead.least} to {dead.most}, mean {tally.casualties.mean:.1f}; "
        f"alive at most {alive.most}; turns {turns.least} to {turns.most}."
    )


class Bin(NamedTuple):
    """A range of values, and the ``share`` of the games (0 to 1) that lie in it."""

    first: int
    last: int
    share: float


def _bars(spread: Spread) -> Iterator[Bar]:
    """A bar for each range of values, with its share."""
    for first, last, share in bins(spread, MOST_BARS):
        values = f"{first}-{last}"
        if first == last:
            values = str(first)
        yield Bar(values, share, f"{share:.1%}")


def bins(spread: Spread, most: int) -> list[Bin]:
    """At most ``most`` ranges of values; all equally wide, by a round number."""
    low, high = spread.least, spread.most
    width = _width(low, high, most)
    ranges = []
    for first in range(low // width * width, high + 1, width):
        games = sum(spread.counts[first : first + width])
        ranges.append(Bin(first, first + width - 1, games / spread.games))
    return ranges


def _width(low: int, high: int, most: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50 … that needs no more than ``most`` ranges. There always is
    one: a width beyond ``high`` needs a single range."""
    power_of_ten = 1
    while True:
        for multiple in (1, 2, 5):
            width = multiple * power_of_ten
            if high // width - low // width < most:
                return width
        power_of_ten *= 10
