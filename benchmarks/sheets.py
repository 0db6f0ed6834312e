"""How long the sheets take to print, how large they are, and in how much memory.

    python benchmarks/sheets.py                (or: make bench)

Each sheet is made again and again in this process: the first time is cold (the first of all loads
the PDF library) and told apart, the median of the others is warm, both in seconds of the processor.
With ``--rounds 0`` each is made once, and that time stands for both.
Memory is that of a process of its own that prints all scenarios into one file and does nothing
else. Limits in seconds are those of a recent laptop, by how many times as long this machine takes
for plain work. A ratio is what was measured by its limit, so that 1.00 just holds. The exit code is
1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from figures import slowness
from msgspec.structs import replace

from skirmish import library, resources
from skirmish.games.plastic.battle.orders import Finish
from skirmish.games.plastic.campaign import orders as campaign_orders
from skirmish.games.plastic.campaign.battle_facts import BattleFacts
from skirmish.games.plastic.campaign.battle_opening import opening
from skirmish.games.plastic.campaign.facts import digest_of, facts_of
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.games.plastic.rules.army import Army
from skirmish.sheets.campaign.book import book_pdf
from skirmish.sheets.campaign.ledger import ledger_pdf
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.markers import markers_pdf
from skirmish.sheets.position.sheet import position_pdf
from skirmish.sheets.reference import reference_pdf
from skirmish.sheets.report import report_pdf
from skirmish.sheets.roster.army import roster_pdf
from skirmish.sheets.roster.blank import blank_pdf
from skirmish.sheets.scenario.sheet import scenarios_pdf

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests/sheets"), str(ROOT)]

ROUNDS = 7
ORDERS = 250
"""Given in the battle that is reported, by random players."""
BATTLES = 10
"""Fought in the campaign whose book is printed, by random players."""
MEMORY_LIMIT = 120.0
"""MB."""
CHILD = "--in-a-child"
"""With this the program only prints scenarios, and then how much memory it took."""


class Sheet(NamedTuple):
    """What is printed, and what it may take at most; None: it has no limit."""

    name: str
    make: Callable[[], bytes]
    seconds: float | None = None
    """When warm, on a recent laptop."""
    size: float | None = None
    """In KB."""


def first_scenarios(count: int, *, form: bool = False) -> bytes:
    """The book of so many scenarios; with ``form`` with boxes to tick on a screen."""
    first = list(library.scenarios().values())[:count]
    return scenarios_pdf(first, library.catalog(), library.rulings(), form=form)


def single_sheets(count: int) -> bytes:
    """So many scenarios, each as a sheet of its own, one after the other; returns the last."""
    data = b""
    for scenario in list(library.scenarios().values())[:count]:
        data = scenarios_pdf([scenario], library.catalog(), library.rulings())
    return data


def a_campaign(battles: int, orders: int) -> StoredGame:
    """A campaign of so many battles, each of them played with at most so many ``orders`` and won by
    the sides in turn, so that no end of the ladder is reached."""
    from tests.games.plastic.campaign import evenings

    play = evenings.opened("desert", last_battle=battles + 1)
    for number in range(battles):
        state = evenings.begin(play)
        facts = _fought(state, orders, winner=state.setup.ids[number % 2])
        evenings.give(play, campaign_orders.CountBattle(facts=facts))
        evenings.evening(play, Random(number))
    return StoredGame(1, play, "")


def _fought(state: CampaignState, orders: int, winner: str) -> BattleFacts:
    """The battle that the campaign has set up, played at random, and won by a side of it."""
    import stage

    from tests.games.plastic.campaign import evenings

    setup = opening(state, state.fought[-1], evenings.the_game()._books(), state.seed)
    table, random = stage.Table(setup), Random(state.battle)
    given = 0
    while table.state.outcome is None:
        # No battle can be finished while a question is open.
        if given < orders or table.state.ask is not None:
            table.order(stage.some_order(table.state, random))
        else:
            table.order(Finish(winner=None))
        given += 1
    facts = facts_of(table.play)
    assert facts is not None
    facts = replace(facts, winner=winner)
    return replace(facts, digest=digest_of(facts))


def _kinds_of_units(army: Army) -> int:
    return len(army.army_list.units)


def sheets(orders: int, scenarios: int, fought: int) -> list[Sheet]:
    """One of each kind; ``orders`` are given in the battle that is reported, the books hold so many
    ``scenarios``, and so many battles were ``fought`` in the campaign."""
    import battles  # beside the tests of the sheets

    catalog, book, revision = library.catalog(), library.rulings(), resources.revision()
    largest_army = max(library.templates(), key=_kinds_of_units)
    dog_beach = library.scenarios()[10]
    battle = StoredGame(1, battles.scenario(dog_beach.number, orders).play, "")
    campaign = a_campaign(fought, orders)
    return [
        Sheet("all scenarios", lambda: first_scenarios(scenarios), 1.5, 900),
        Sheet("each by itself", lambda: single_sheets(scenarios), 1.0),
        Sheet("all, as forms", lambda: first_scenarios(scenarios, form=True), None, 900),
        Sheet("Dog Beach", lambda: scenarios_pdf([dog_beach], catalog, book)),
        Sheet("roster", lambda: roster_pdf(largest_army, revision=revision), 0.2),
        Sheet("roster, form", lambda: roster_pdf(largest_army, revision=revision, form=True), 0.2),
        Sheet("blank roster", lambda: blank_pdf(catalog, book)),
        Sheet("quick reference", lambda: reference_pdf(catalog, book)),
        Sheet("markers", markers_pdf),
        Sheet("report", lambda: report_pdf(battle, "1 June 1944")),
        Sheet("position", lambda: position_pdf(battle)),
        Sheet("campaign book", lambda: book_pdf(campaign), 1.5),
        Sheet("campaign ledger", lambda: ledger_pdf(None)),
    ]


def measured(sheet: Sheet, rounds: int, slower: float) -> bool:
    """Print a line about a sheet, made once cold and ``rounds`` times warm, on a machine that is so
    much slower than a recent laptop; returns whether it holds its limits."""
    seconds = None
    if sheet.seconds is not None:
        seconds = sheet.seconds * slower
    times = []
    for _ in range(1 + rounds):
        begun = time.process_time()
        data = sheet.make()
        times.append(time.process_time() - begun)
    cold, *warm_times = times
    warm = cold
    if warm_times:
        warm = median(warm_times)
    size = len(data) / 1000
    print(
        f"{sheet.name:<16} {cold:>7.3f} {warm:>7.3f} {against(warm, seconds)}"
        f" {size:>6.0f} {against(size, sheet.size)}"
    )
    return is_within(warm, seconds) and is_within(size, sheet.size)


def against(figure: float, limit: float | None) -> str:
    """A limit, and how much of it was used."""
    if limit is None:
        return f"{'-':>6} {'-':>6}"
    return f"{limit:>6.4g} {figure / limit:>6.2f}"


def is_within(figure: float, limit: float | None) -> bool:
    return limit is None or figure <= limit


def peak(scenarios: int) -> float:
    """MB that a process takes at most which prints so many scenarios once."""
    done = subprocess.run(
        [sys.executable, __file__, CHILD, str(scenarios)],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> int:
    """Measure, print, compare."""
    if CHILD in sys.argv[1:]:
        first_scenarios(int(sys.argv[-1]))
        unit = 1024  # Linux counts in KB, macOS in bytes
        if sys.platform == "darwin":
            unit = 1024 * 1024
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit)
        return 0
    every = len(library.scenarios())
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"warm, of each ({ROUNDS})")
    parser.add_argument("--orders", type=int, default=ORDERS, help=f"of the battle ({ORDERS})")
    parser.add_argument("--scenarios", type=int, default=every, help=f"of the books ({every})")
    parser.add_argument("--battles", type=int, default=BATTLES, help=f"of the campaign ({BATTLES})")
    chosen = parser.parse_args()
    memory = peak(chosen.scenarios)
    slower = slowness()
    print(f"This machine takes {slower:.2f} times as long as a recent laptop.")
    print(f"{'seconds':<16} {'cold':>7} {'warm':>7} {'limit':>6} {'ratio':>6}", end=" ")
    print(f"{'KB':>6} {'limit':>6} {'ratio':>6}")
    printed = sheets(chosen.orders, chosen.scenarios, chosen.battles)
    # All of them are measured, also after one that misses its limit.
    are_within = [measured(sheet, chosen.rounds, slower) for sheet in printed]
    print(f"\nall scenarios, peak memory {memory:.0f} MB {against(memory, MEMORY_LIMIT)}")
    return int(not all(are_within) or memory > MEMORY_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
