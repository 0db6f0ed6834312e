"""What many games came to, in words that lines and paper share."""

from __future__ import annotations

from skirmish.games.beach_head.ruleset import Setup
from skirmish.games.beach_head.simulate.playtest import Playtest
from skirmish.games.beach_head.simulate.tally import Spread, Tally


def facts(setup: Setup, policy: str, seed: int, engine: str, games: int) -> str:
    """What was played, in a line."""
    many = "1 game" if games == 1 else f"{games:,} games"
    return (
        f"{setup.title}: {many} without cards, reading {setup.reading}, policy {policy}, "
        f"seed {seed}, {engine}"
    )


def deviation(spread: Spread) -> str:
    """The standard deviation; one game has none."""
    return f"{spread.deviation:.2f}" if spread.games > 1 else "–"


def printed(playtest: Playtest) -> str:
    """The statistics in the rules."""
    dead, turns = playtest.casualties, playtest.turns
    return (
        f"Reported with the rules, {playtest.games:,} games: casualties {dead.least} to "
        f"{dead.most}, mean {dead.mean}; alive at most {playtest.alive.most}; "
        f"turns {turns.least} to {turns.most}."
    )


def in_batches(tally: Tally, playtest: Playtest) -> str:
    """The same of batches as large as the printed one; half of them go further. Of fewer games
    only what they were; nothing of a single one, which its figures tell."""
    size = playtest.games
    dead, turns = tally.casualties, tally.turns
    if tally.games == 1:
        return ""
    if tally.games < size:
        return (
            f"In these {tally.games:,} games: casualties {dead.least} to {dead.most}, mean "
            f"{dead.mean:.1f}; alive at most {tally.alive.most}; turns {turns.least} to "
            f"{turns.most}."
        )
    return (
        f"Typical here, for {size:,} games: casualties {dead.least_of(size)} to "
        f"{dead.most_of(size)}, mean {dead.mean:.1f}; alive at most {tally.alive.most_of(size)}; "
        f"turns {turns.least_of(size)} to {turns.most_of(size)}."
    )


def bins(
    spread: Spread, most: int, least: int | None = None, highest: int | None = None
) -> list[tuple[int, int, float]]:
    """At most ``most`` ranges of values, from first to last, each with its share of the games; all
    equally wide, by a number that people count in. They reach as far as ``least`` and
    ``highest``, if those are given, and further if the games do."""
    low = min(spread.least, spread.least if least is None else least)
    high = max(spread.most, spread.most if highest is None else highest)
    wide = next(one for one in WIDTHS if high // one - low // one < most)
    found = []
    for first in range(low // wide * wide, high + 1, wide):
        last = first + wide - 1
        count = sum(spread.counts[first : last + 1])
        found.append((first, last, count / spread.games))
    return found


WIDTHS = (1, 2, 5, *(count * 10**power for power in range(1, 9) for count in (1, 2, 5)))
