"""The results of many games: a page for screen, text and paper, and JSON for other programs,
compared with the statistics printed with the rules."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from msgspec.structs import asdict, astuple

from skirmish.games.beach_head.ruleset import BeachSetup, Count, Positive
from skirmish.tabletop.data_file import Strict, read
from skirmish.tabletop.page import Bar, Bars, Block, Heading, Note, Page, Paragraph, Table, table
from skirmish.tabletop.presets import PresetBook

if TYPE_CHECKING:
    from skirmish.games.beach_head.simulate.arrays import Beaches
    from skirmish.games.beach_head.state import BeachState

NAMES = {
    "casualties": ("Casualties", "Squads lost: the score"),
    "turns": ("Turns", "Until bunkers and trenches are gone"),
    "alive": ("Alive at the end", "Squads still ashore"),
}
MOST_BARS = 16
WIDTHS = (1, 2, 5, *(count * 10**power for power in range(1, 9) for count in (1, 2, 5)))


class Spread(msgspec.Struct, frozen=True):
    """``counts[value]`` games had this value."""

    counts: tuple[int, ...] = ()

    @classmethod
    def of(cls, values: Iterable[int]) -> Spread:
        counts = Counter(values)
        return cls(tuple(counts[value] for value in range(max(counts, default=-1) + 1)))

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
        squares = math.fsum(count * (value - mean) ** 2 for value, count in self.pairs())
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
        wanted, found = share * self.games, 0
        for value, count in self.pairs():
            found += count
            if found >= wanted:
                return value
        return self.most

    def least_of(self, games: int, share: float = 0.5) -> int:
        """The smallest value of ``games`` further games, as a quantile: half of such batches have
        one no larger. Estimated from these games as the whole population."""
        return self.quantile(1 - (1 - share) ** (1 / games))

    def most_of(self, games: int, share: float = 0.5) -> int:
        """The largest value of ``games`` further games, in the same way."""
        return self.quantile(share ** (1 / games))

    def pairs(self) -> Iterator[tuple[int, int]]:
        return ((value, count) for value, count in enumerate(self.counts) if count)


class GamesTally(msgspec.Struct, frozen=True):
    casualties: Spread = Spread()
    turns: Spread = Spread()
    alive: Spread = Spread()

    @classmethod
    def of(cls, states: Iterable[BeachState]) -> GamesTally:
        """Tallies finished games."""
        ends = [(state.casualties, state.turn, state.squads) for state in states]
        return cls(*(Spread.of(end[at] for end in ends) for at in range(3)))

    def __add__(self, other: GamesTally) -> GamesTally:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return GamesTally(*(one + more for one, more in pairs))

    @property
    def games(self) -> int:
        return self.turns.games

    def spreads(self) -> tuple[tuple[str, Spread], ...]:
        return tuple(asdict(self).items())


def tallied(beaches: Beaches) -> GamesTally:
    import numpy as np  # noqa: PLC0415  (tallies are read without it)

    counted = (beaches[name] for name in ("casualties", "turn", "squads"))
    return GamesTally(*(Spread(tuple(np.bincount(values).tolist())) for values in counted))


class PrintedSpread(Strict, frozen=True, kw_only=True):
    """The printed statistics of one number; any of them may be missing."""

    least: Count | None = None
    mean: Count | None = None
    most: Count | None = None

    @property
    def text(self) -> str:
        """``9 to 86, mean 42``, ``at most 18``."""
        span = f"at most {self.most}" if self.least is None else f"{self.least} to {self.most}"
        return span if self.mean is None else f"{span}, mean {self.mean}"


class Playtest(Strict, frozen=True, kw_only=True):
    """``data/beach_head/playtest.toml``."""

    format: Literal[1]
    games: Positive
    casualties: PrintedSpread
    alive: PrintedSpread
    turns: PrintedSpread

    @property
    def text(self) -> str:
        return (
            f"Reported with the rules, {self.games:,} games: casualties {self.casualties.text}; "
            f"alive {self.alive.text}; turns {self.turns.text}."
        )


def read_playtest(raw: Mapping[str, Any]) -> Playtest:
    return read(raw, Playtest, "beach_head/playtest.toml")


POLICIES = {
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
        return self._replace(tally=self.tally + tally)

    def page(self, book: PresetBook, playtest: Playtest) -> Page:
        return Page("Beach Head: statistics", tuple(self._blocks(book, playtest)))

    def _blocks(self, book: PresetBook, playtest: Playtest) -> Iterator[Block]:
        games, setup = self.tally.games, self.setup
        many = "1 game" if games == 1 else f"{games:,} games"
        preset = book.presets.get(setup.named)
        rules = preset.name.lower() if preset else "with rulings of its own"
        yield Paragraph(
            f"{setup.title}: {many} without cards, {rules}. "
            f"{POLICIES.get(self.policy, self.policy)}. Seed {self.seed}."
        )
        if games < self.asked:
            yield Paragraph(interrupted(self.asked))
        if others := book.departures(setup.rulings):
            yield Paragraph(" ".join(f"{one.id} {one.title}. {text}" for one, text in others))
        yield figures(self.tally)
        yield Paragraph(playtest.text)
        if batches := in_batches(self.tally, playtest):
            yield Paragraph(batches)
        for name, spread in self.tally.spreads():
            title, about = NAMES[name]
            printed: PrintedSpread = getattr(playtest, name)
            yield Heading(title, 2)
            yield Paragraph(f"{about}. Mean {spread.mean:.2f}; printed: {printed.text}.")
            yield Bars(tuple(
                Bar(str(least) if least == most else f"{least}-{most}", share, f"{share:.1%}")
                for least, most, share in bins(spread, MOST_BARS)
            ))  # fmt: skip
        if setup.revision:
            yield Note(f"Data revision {setup.revision}.")

    def data(self, playtest: Playtest) -> dict[str, Any]:
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
    return {
        "mean": spread.mean,
        "deviation": spread.deviation if spread.games > 1 else None,
        "standard_error": spread.error if spread.games > 1 else None,
        "least": spread.least,
        "quartiles": [spread.quantile(share) for share in (0.25, 0.5, 0.75)],
        "most": spread.most,
        "least_of_a_batch": spread.least_of(playtest.games),
        "most_of_a_batch": spread.most_of(playtest.games),
        "counts": {str(value): count for value, count in spread.pairs()},
    }


def interrupted(asked: int) -> str:
    return f"Interrupted: you asked for {asked:,} games."


def figures(tally: GamesTally) -> Table:
    """One line per quantity: mean with its standard error, standard deviation, least, quartiles,
    most. A single game has no deviation."""
    titles = ["", "Mean", "±", "Deviation", "Least", "Low 25%", "Median", "Top 25%", "Most"]
    rows = []
    for name, spread in tally.spreads():
        several = spread.games > 1
        rows.append([
            NAMES[name][0], f"{spread.mean:.2f}", f"{spread.error:.2f}" if several else "–",
            f"{spread.deviation:.2f}" if several else "–", str(spread.least),
            *(str(spread.quantile(share)) for share in (0.25, 0.5, 0.75)), str(spread.most),
        ])  # fmt: skip
    return table(titles, rows, numbers=range(1, len(titles)))


def in_batches(tally: GamesTally, playtest: Playtest) -> str:
    """The extremes of batches as large as the printed playtest; half of them go further. Fewer
    games give only their own extremes, a single one an empty text."""
    size, dead, turns, alive = playtest.games, tally.casualties, tally.turns, tally.alive
    if tally.games == 1:
        return ""
    if tally.games < size:
        ends = [(one.least, one.most) for one in (dead, turns, alive)]
        lead = f"In these {tally.games:,} games"
    else:
        ends = [(one.least_of(size), one.most_of(size)) for one in (dead, turns, alive)]
        lead = f"Typical here, for {size:,} games"
    (least, most), (first, last), (_, living) = ends
    return (
        f"{lead}: casualties {least} to {most}, mean {dead.mean:.1f}; alive at most {living}; "
        f"turns {first} to {last}."
    )


def bins(spread: Spread, most: int) -> list[tuple[int, int, float]]:
    """At most ``most`` ranges of values, first to last, each with its share of the games; all
    equally wide, by a round number."""
    low, high = spread.least, spread.most
    wide = next(one for one in WIDTHS if high // one - low // one < most)
    return [
        (first, first + wide - 1, sum(spread.counts[first : first + wide]) / spread.games)
        for first in range(low // wide * wide, high + 1, wide)
    ]
