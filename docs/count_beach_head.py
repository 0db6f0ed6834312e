"""Counts the table of docs/beach-head-statistics.md anew and writes it into the page.

    python docs/count_beach_head.py [--games 1000000]

Its numbers are nobody's: whoever changes a rule runs this again.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from skirmish import library, resources
from skirmish.games.beach_head.ruleset import Variant
from skirmish.games.beach_head.simulate import engine
from skirmish.games.beach_head.simulate.policy import Uniform
from skirmish.games.beach_head.simulate.statistics import GamesTally, read_playtest
from skirmish.tabletop.chance import Source

PAGE = Path(__file__).with_name("beach-head-statistics.md")
BEGIN, END = "<!-- counted -->\n", "<!-- until here -->\n"
DRAFT = {"B11": "any", "B39": "1d6"}
READINGS: tuple[tuple[str, dict[str, str], Variant], ...] = (
    ("As printed, every ruling at its default", {}, "normandy"),
    ("`B18=end_phase`: over in the end phase only", {"B18": "end_phase"}, "normandy"),
    ("`B7=tank`: a roll for each tank", {"B7": "tank"}, "normandy"),
    ("`B11=any`: rolls may be wasted", {"B11": "any"}, "normandy"),
    ("`B2=rolled`: whole rolls are scored", {"B2": "rolled"}, "normandy"),
    ("Omaha, as printed", {}, "omaha"),
    ("`B39=2d6,B11=any`: two dice of squads", {"B39": "2d6", "B11": "any"}, "normandy"),
    ("`B39=1d6`: one die of squads", {"B39": "1d6"}, "normandy"),
    ("**`draft_1d6`**, a curiosity: one die, rolls may be wasted", DRAFT, "normandy"),
    ("`draft_1d6,B18=end_phase`", DRAFT | {"B18": "end_phase"}, "normandy"),
    ("`draft_1d6,B2=rolled`", DRAFT | {"B2": "rolled"}, "normandy"),
)


def lines(games: int) -> Iterator[str]:
    """The table: what is reported, then reading by reading."""
    told = read_playtest(resources.table("beach_head/playtest.toml"))
    size = told.games
    heads = ("Fewest lost", "Mean lost", "Most lost", "Most alive", "Fewest turns", "Most turns")
    yield f"| Reading | {' | '.join(heads)} |"
    yield f"|---|{'--:|' * len(heads)}"
    yield (
        f"| **Reported with the rules** | {told.casualties.least} | {told.casualties.mean} | "
        f"{told.casualties.most} | {told.alive.most} | {told.turns.least} | {told.turns.most} |"
    )
    for name, rulings, variant in READINGS:
        tally = counted(rulings, variant, games)
        dead, turns = tally.casualties, tally.turns
        yield (
            f"| {name} | {dead.least_of(size)} | {dead.mean:.1f} | {dead.most_of(size)} | "
            f"{tally.alive.most_of(size)} | {turns.least_of(size)} | {turns.most_of(size)} |"
        )
    yield ""
    yield f"({games:,} games for each line, seed 1.)"


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
    fresh = re.sub(f"(?<={BEGIN}).*(?={END})", lambda _: table, page, flags=re.DOTALL)
    chosen.page.write_text(fresh, "utf-8")
    print(table)


if __name__ == "__main__":
    main()
