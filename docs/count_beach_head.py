"""Counts the table of docs/beach-head-statistics.md anew and writes it into the page.

    python docs/count_beach_head.py [--games 1000000]

No number of it is written by hand: whoever changes a rule runs this again.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skirmish import library, resources
from skirmish.games.beach_head.ruleset import Variant
from skirmish.games.beach_head.simulate import engine
from skirmish.games.beach_head.simulate.policy import Uniform
from skirmish.games.beach_head.simulate.statistics import read_playtest
from skirmish.games.beach_head.simulate.tally import GamesTally
from skirmish.tabletop.chance import Source

PAGE = Path(__file__).with_name("beach-head-statistics.md")
BEGIN, END = "<!-- counted -->\n", "<!-- until here -->\n"
DRAFT = {"B11": "any", "B39": "1d6"}
"""The rulings of the preset ``draft_1d6``."""


class Reading(NamedTuple):
    """A line of the table: its name, the rulings that differ from their defaults, the variant."""

    name: str
    rulings: dict[str, str]
    variant: Variant


READINGS = (
    Reading("As printed, every ruling at its default", {}, "normandy"),
    Reading("`B18=end_phase`: over in the end phase only", {"B18": "end_phase"}, "normandy"),
    Reading("`B7=tank`: a roll for each tank", {"B7": "tank"}, "normandy"),
    Reading("`B11=any`: rolls may be wasted", {"B11": "any"}, "normandy"),
    Reading("`B2=rolled`: whole rolls are scored", {"B2": "rolled"}, "normandy"),
    Reading("Omaha, as printed", {}, "omaha"),
    Reading("`B39=2d6,B11=any`: two dice of squads", {"B39": "2d6", "B11": "any"}, "normandy"),
    Reading("`B39=1d6`: one die of squads", {"B39": "1d6"}, "normandy"),
    Reading("**`draft_1d6`**, a curiosity: one die, rolls may be wasted", DRAFT, "normandy"),
    Reading("`draft_1d6,B18=end_phase`", DRAFT | {"B18": "end_phase"}, "normandy"),
    Reading("`draft_1d6,B2=rolled`", DRAFT | {"B2": "rolled"}, "normandy"),
)


def lines(games: int) -> Iterator[str]:
    """The table: what is reported, then reading by reading."""
    reported = read_playtest(resources.table("beach_head/playtest.toml"))
    # The extremes of as many games of ours are compared with those that are reported.
    size = reported.games
    heads = ("Fewest lost", "Mean lost", "Most lost", "Most alive", "Fewest turns", "Most turns")
    yield row("Reading", *heads)
    yield f"|---|{'--:|' * len(heads)}"
    dead, turns = reported.casualties, reported.turns
    most_alive = reported.alive.most
    yield row(
        "**Reported with the rules**",
        dead.least,
        dead.mean,
        dead.most,
        most_alive,
        turns.least,
        turns.most,
    )
    for name, rulings, variant in READINGS:
        tally = counted(rulings, variant, games)
        yield row(
            name,
            tally.casualties.least_of(size),
            f"{tally.casualties.mean:.1f}",
            tally.casualties.most_of(size),
            tally.alive.most_of(size),
            tally.turns.least_of(size),
            tally.turns.most_of(size),
        )
    yield ""
    yield f"({games:,} games for each line, seed 1.)"


def row(*cells: object) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def counted(rulings: dict[str, str], variant: Variant, games: int) -> GamesTally:
    """The games of one line."""
    setup = library.beach().setup(
        rulings=rulings,
        variant=variant,
        dice=Source("die", None),
    )
    return engine.together(engine.simulate(engine.Job(setup, Uniform(), 1), games))


def main() -> None:
    """Print the table, and write it into the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=1_000_000, help="of each line")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page with the table")
    chosen = parser.parse_args()
    table = "\n".join(lines(chosen.games)) + "\n"
    page = chosen.page.read_text("utf-8")
    if BEGIN in page and END in page:
        before, _, rest = page.partition(BEGIN)
        _, _, after = rest.partition(END)
        chosen.page.write_text(f"{before}{BEGIN}{table}{END}{after}", "utf-8")
    print(table)


if __name__ == "__main__":
    main()
