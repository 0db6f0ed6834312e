"""The results of many games: a page for screen, text and paper, and JSON for other programs,
compared with the statistics printed with the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

from skirmish.games.beach_head.ruleset import BeachSetup, Count, Positive
from skirmish.games.beach_head.simulate.tally import GamesTally, Spread
from skirmish.tabletop.data_file import Strict, read
from skirmish.tabletop.page import Bar, Bars, Block, Heading, Note, Page, Paragraph, Table, table
from skirmish.tabletop.presets import PresetBook

MOST_BARS = 16
"""Bars of a picture; nobody would read more."""
QUARTILES = (0.25, 0.5, 0.75)
"""The shares of the games at which the figures give a value."""


class Quantity(NamedTuple):
    """A number that is counted: its ``title``, and what it is ``about``."""

    title: str
    about: str


QUANTITIES = {
    "casualties": Quantity("Casualties", "Squads lost: the score"),
    "turns": Quantity("Turns", "Until bunkers and trenches are gone"),
    "alive": Quantity("Alive at the end", "Squads still ashore"),
}
"""The quantities of a tally, by the names of its fields."""


class PrintedSpread(Strict, frozen=True, kw_only=True):
    """The printed statistics of one quantity; None for what is not printed. Of survivors only the
    highest number is."""

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
    """``data/beach_head/playtest.toml``: what the rules report of a thousand games. No
    interpretation of the printed rules gives these numbers (``docs/beach-head-statistics.md``)."""

    format: Literal[1]
    games: Positive
    casualties: PrintedSpread
    alive: PrintedSpread
    turns: PrintedSpread

    def spreads(self) -> dict[str, PrintedSpread]:
        """The printed statistics by the names of the ``QUANTITIES``."""
        return {"casualties": self.casualties, "turns": self.turns, "alive": self.alive}

    @property
    def text(self) -> str:
        """The figures of the playtest in a sentence."""
        return (
            f"Reported with the rules, {self.games:,} games: casualties {self.casualties.text}; "
            f"alive {self.alive.text}; turns {self.turns.text}."
        )


def read_playtest(raw: Mapping[str, Any]) -> Playtest:
    """The statistics in the tables of their data file. Raises DataError."""
    return read(raw, Playtest, "beach_head/playtest.toml")


POLICY_WORDS = {
    "uniform": "Targets are chosen at random",
    "plan": "Targets are chosen by the plan",
    "better": "Targets are chosen by the better policy",
}
"""How targets were chosen, in words, by the name of the policy."""


class Simulated(NamedTuple):
    """A run of the simulator: what is to be simulated, and the tally of the games played so far."""

    setup: BeachSetup
    policy: str
    """The name of the policy."""
    seed: int
    asked: int
    """How many games were asked for."""
    tally: GamesTally = GamesTally()

    def with_more_games(self, tally: GamesTally) -> Simulated:
        """This run with the tally of further games added."""
        return self._replace(tally=self.tally + tally)

    def page(self, book: PresetBook, playtest: Playtest) -> Page:
        """The statistics as a page, beside those of the playtest."""
        return Page("Beach Head: statistics", tuple(self._blocks(book, playtest)))

    def _blocks(self, book: PresetBook, playtest: Playtest) -> Iterator[Block]:
        """The statistics of all quantities together, then each by itself."""
        setup = self.setup
        yield Paragraph(self._what_is_simulated(book))
        if self.tally.games < self.asked:
            yield Paragraph(interruption_text(self.asked))
        departures = book.departures(setup.rulings)
        if departures:
            texts = [f"{ruling.id} {ruling.title}. {text}" for ruling, text in departures]
            yield Paragraph(" ".join(texts))
        yield statistics_table(self.tally)
        yield Paragraph(playtest.text)
        extremes = extremes_text(self.tally, playtest)
        if extremes:
            yield Paragraph(extremes)
        printed = playtest.spreads()
        for name, spread in self.tally.spreads().items():
            quantity = QUANTITIES[name]
            yield Heading(quantity.title, 2)
            mean = f"Mean {spread.mean:.2f}; printed: {printed[name].text}"
            yield Paragraph(f"{quantity.about}. {mean}.")
            yield Bars(tuple(_bars(spread)))
        if setup.revision:
            yield Note(f"Data revision {setup.revision}.")

    def _what_is_simulated(self, book: PresetBook) -> str:
        """The variant, the number of games, the rulings, the policy and the seed, in words."""
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
        """What ``simulate --json`` prints; other programs rely on its keys."""
        quantities = {}
        for name, spread in self.tally.spreads().items():
            quantities[name] = _data_of_quantity(spread, playtest)
        return {
            "games": self.tally.games,
            "asked": self.asked,
            "policy": self.policy,
            "reading": self.setup.named,  # the preset of rulings, as it was called at first
            "rulings": self.setup.rulings,
            "variant": self.setup.variant,
            "seed": self.seed,
            "engine": "numpy",  # the only one that is left of two
            **quantities,
            "printed": playtest,
        }


def _data_of_quantity(spread: Spread, playtest: Playtest) -> dict[str, Any]:
    """The statistics of one quantity, for other programs."""
    # For a single game both would be 0, which other programs would take for certainty.
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


def interruption_text(asked: int) -> str:
    """The sentence for games that were stopped before all ``asked`` for were played."""
    return f"Interrupted: you asked for {asked:,} games."


def statistics_table(tally: GamesTally) -> Table:
    """A line for each quantity: mean with its standard error, standard deviation, lowest value,
    quartiles, highest value."""
    titles = ["", "Mean", "±", "Deviation", "Least", "Low 25%", "Median", "Top 25%", "Most"]
    rows = []
    for name, spread in tally.spreads().items():
        error, deviation = "–", "–"  # a single game has neither
        if spread.games > 1:
            error, deviation = f"{spread.error:.2f}", f"{spread.deviation:.2f}"
        row = [QUANTITIES[name].title, f"{spread.mean:.2f}", error, deviation, str(spread.least)]
        for share in QUARTILES:
            row.append(str(spread.quantile(share)))
        row.append(str(spread.most))
        rows.append(row)
    return table(titles, rows, numbers=range(1, len(titles)))


def extremes_text(tally: GamesTally, playtest: Playtest) -> str:
    """The typical extremes of as many games as the printed playtest had, to be compared with it.
    Fewer games give only their own extremes, a single one an empty text."""
    if tally.games == 1:
        return ""
    if tally.games < playtest.games:
        lead = f"In these {tally.games:,} games"
        casualties = tally.casualties.extremes
        turns = tally.turns.extremes
        alive = tally.alive.extremes
    else:
        lead = f"Typical here, for {playtest.games:,} games"
        casualties = tally.casualties.extremes_of(playtest.games)
        turns = tally.turns.extremes_of(playtest.games)
        alive = tally.alive.extremes_of(playtest.games)
    mean = tally.casualties.mean
    return (
        f"{lead}: casualties {casualties.least} to {casualties.most}, mean {mean:.1f}; "
        f"alive at most {alive.most}; turns {turns.least} to {turns.most}."
    )


class Bin(NamedTuple):
    """A range of values, its ends included, and the ``share`` of the games (0 to 1) in it."""

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
    """The values in at most ``most`` ranges. All are equally wide, and begin at a multiple of their
    width, which is a round number."""
    least, greatest = spread.least, spread.most
    width = _width(least, greatest, most)
    first_of_all = least // width * width
    ranges = []
    for first in range(first_of_all, greatest + 1, width):
        games = sum(spread.counts[first : first + width])
        ranges.append(Bin(first, first + width - 1, games / spread.games))
    return ranges


def _width(least: int, greatest: int, most: int) -> int:
    """The first of 1, 2, 5, 10, 20, 50 … that needs no more than ``most`` ranges. There always is
    one: a width above the greatest value needs a single range."""
    power_of_ten = 1
    while True:
        for multiple in (1, 2, 5):
            width = multiple * power_of_ten
            ranges = greatest // width - least // width + 1
            if ranges <= most:
                return width
        power_of_ten *= 10
