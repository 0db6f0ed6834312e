"""What many games came to, as lines, as data and as CSV."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

from skirmish import library
from skirmish.cli.speaking import WIDTH, columns
from skirmish.games.beach_head.ruleset import Setup
from skirmish.games.beach_head.simulate.playtest import Playtest
from skirmish.games.beach_head.simulate.tally import Spread, Tally
from skirmish.games.beach_head.simulate.told import bins, deviation, facts, in_batches, printed

BAR = 44
"""Signs of the longest bar."""
ROWS = 20
"""Rows of a histogram, or fewer."""
NAMES = {"casualties": "Casualties", "turns": "Turns", "alive": "Alive at the end"}


class Told(NamedTuple):
    """The games that were asked for, and what those played came to."""

    setup: Setup
    policy: str
    seed: int
    engine: str
    asked: int
    tally: Tally

    def more(self, tally: Tally) -> Told:
        """With further games."""
        return self._replace(tally=self.tally + tally)

    def facts(self) -> str:
        """What was played, in a line."""
        return facts(self.setup, self.policy, self.seed, self.engine, self.tally.games)

    def departures(self) -> str:
        """The readings that are not the usual ones, in a sentence each."""
        found = library.beach_rulings().departures(self.setup.rulings)
        return " ".join(f"{ruling.id} {ruling.title}. {answer}" for ruling, answer in found)


def shown(told: Told) -> Iterator[str]:
    """Table, histograms, and the comparison with what is printed."""
    yield from _sentence(told.facts())
    if told.tally.games < told.asked:
        yield f"Interrupted: you asked for {told.asked:,} games."
    yield ""
    yield from _table(told.tally)
    for name, spread in (("Casualties", told.tally.casualties), ("Turns", told.tally.turns)):
        yield ""
        yield from _histogram(name, spread)
    playtest = library.beach_playtest()
    yield ""
    yield from _sentence(printed(playtest))
    yield from _sentence(in_batches(told.tally, playtest))


def _sentence(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 1, subsequent_indent="  ", break_on_hyphens=False)


def _table(tally: Tally) -> Iterator[str]:
    head = ("", "mean", "sd", "min", "25%", "half", "75%", "max")
    lines: list[tuple[str, ...]] = [head]
    for name, spread in tally.spreads():
        quarters = [str(spread.quantile(share)) for share in (0.25, 0.5, 0.75)]
        lines.append(
            (
                NAMES[name], f"{spread.mean:.2f}", deviation(spread),
                str(spread.least), *quarters, str(spread.most),
            )
        )  # fmt: skip
    return columns(lines, right=range(1, len(head)))


def _histogram(name: str, spread: Spread) -> Iterator[str]:
    found = bins(spread, ROWS)
    longest = max(share for *_, share in found)
    lines = []
    for least, most, share in found:
        label = str(least) if least == most else f"{least}-{most}"
        bar = "#" * round(BAR * share / longest)
        lines.append((label, f"{100 * share:.1f}%", bar or "."))
    return columns([(name, "", ""), *lines], right=(1,))


def as_data(told: Told) -> dict[str, Any]:
    """Everything, for other programs."""
    playtest = library.beach_playtest()
    return {
        "games": told.tally.games,
        "asked": told.asked,
        "policy": told.policy,
        "reading": told.setup.reading,
        "rulings": told.setup.rulings,
        "variant": told.setup.variant,
        "seed": told.seed,
        "engine": told.engine,
        **{name: _spread(spread, playtest) for name, spread in told.tally.spreads()},
        "printed": playtest,
    }


def _spread(spread: Spread, playtest: Playtest) -> dict[str, Any]:
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


def as_csv(told: Told) -> bytes:
    """A line for each number that came up."""
    import csv
    import io

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(["measure", "value", "games"])
    for name, spread in told.tally.spreads():
        writer.writerows([name, value, count] for value, count in spread.pairs())
    return stream.getvalue().encode()
