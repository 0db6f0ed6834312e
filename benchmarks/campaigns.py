"""Plays campaigns to their end by chance: ``python benchmarks/campaigns.py``.

First of coins: each battle is won by either side alike, and the losses are those that the rules of
the campaign were worked out with (half of the loser, a quarter of the winner; some withdraw). A
campaign of the usual preset must take at most 7 battles in the median, and who lost its first
battle must win at least 30 of 100; the exit code is 1 otherwise. ``--steep 2`` lets the stronger
side win more often.

Then by chance in everything: any ladder and any answers to the rulings, with concessions, undo and
redo, and battles that change after they were counted. Nobody may be lost or made but by an entry,
and each campaign must end: what fails is listed with its seed.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import fmean, median, quantiles
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from skirmish.games.plastic.campaign import orders  # noqa: E402
from skirmish.games.plastic.campaign.battle_facts import BattleFacts, PieceFate  # noqa: E402
from skirmish.games.plastic.campaign.state import CampaignState  # noqa: E402
from tests.games.plastic.campaign.evenings import (  # noqa: E402
    LADDERS,
    begin,
    ended,
    evening,
    give,
    opened,
    played_by_chance,
    random_answers,
)

LEAST_HOPE = 30.0
"""Percent of campaigns that whoever lost the first battle must win."""
MOST_BATTLES = 7
DRAWS = 0.04
"""The share of battles that nobody wins."""
WITHDRAWS = 0.2
"""The share of battles from which the loser withdraws."""
GROUND = 1.1
"""What attacking with the choice of ground is worth, as a factor of the points brought."""
BROKEN, WITHDRAWN = (0.50, 0.54), (0.20, 0.42)
"""The least and the most that a loser loses, if his army breaks and if he withdraws."""
WON = 0.28
"""What the winner loses then; a quarter less of it if the loser withdraws."""
BY_CLOCK = ((0.10, 0.60), (0.30, 0.80))
"""What the winner and the loser of a scenario lose, which ends by the clock."""


class Played(NamedTuple):
    """A campaign of coins: its number of battles; whether who lost the first battle has won it, and
    whether who won the first two has, in halves for a draw; in percent its elite groups and, by
    side, what is left of the pool."""

    battles: int
    first_loser: float | None
    two_winner: float | None
    elite: float
    left: tuple[float, float]


def strength(state: CampaignState, side: str) -> float:
    """What a side brings to the battle that has begun, in points, its position and ground
    included."""
    fielding = state.fought[-1].fielding[side]
    points = float(sum(state.worth(counts) for counts in fielding.groups.values()))
    points += state.worth(fielding.attached)
    for work, count in fielding.works.items():
        points += state.setup.works[work].price * count
    if state.attacker == side:
        points *= GROUND
    return points


def battle(state: CampaignState, random: Random, steep: float) -> BattleFacts:
    """The end of the battle that has begun."""
    first, second = state.setup.ids
    if random.random() < DRAWS:
        return ended(state, None, lambda piece: random.random() < WON)
    ratio = strength(state, first) / max(1.0, strength(state, second))
    chance = ratio**steep / (1 + ratio**steep)
    winner, loser = (first, second) if random.random() < chance else (second, first)
    how = "break"
    shares = {winner: WON, loser: random.uniform(*BROKEN)}
    if state.rung.scenario:
        how = "victory"
        shares = {winner: random.uniform(*BY_CLOCK[0]), loser: random.uniform(*BY_CLOCK[1])}
    elif random.random() < WITHDRAWS:
        how = "withdrawn"
        shares = {winner: WON * 0.75, loser: random.uniform(*WITHDRAWN)}
    # Losses do not fall evenly: one group is in the thick of it, and another hardly fires.
    thick = {name: random.uniform(0, 2) for name in state.groups}

    def lost(piece: PieceFate) -> bool:
        return random.random() < shares[piece.side] * thick.get(piece.group or "", 1)

    return ended(state, winner, lost, how=how)


def coins(campaign: str, seed: int, steep: float) -> Played:
    """A campaign of the usual preset whose battles are won by chance."""
    random = Random(f"{campaign} {seed}")
    play = opened(campaign, seed=seed)
    while play.state.outcome is None:
        begin(play)
        give(play, orders.CountBattle(facts=battle(play.state, random, steep)))
        evening(play, random)
    state = play.state
    winners = [fought.winner for fought in state.fought]
    first_loser = two_winner = None
    if winners[0] is not None:
        first_loser = _part(state, state.enemy_of(winners[0]))
        if len(winners) > 1 and winners[1] == winners[0]:
            two_winner = _part(state, winners[0])
    left = []
    for side in state.setup.ids:
        groups = list(state.of_side(side))
        full = sum(state.worth(group.strength) for group in groups)
        there = sum(state.worth(group.ready) + state.worth(group.away) for group in groups)
        left.append(100 * there / full)
    elite = 100 * fmean(group.quality == "elite" for group in state.groups.values())
    return Played(len(state.fought), first_loser, two_winner, elite, (left[0], left[1]))


def _part(state: CampaignState, side: str) -> float:
    """How much of the campaign a side has won: all, half of a draw, nothing."""
    assert state.outcome is not None
    if state.outcome.winner is None:
        return 0.5
    return float(state.outcome.winner == side)


def percent(parts: Iterable[float | None]) -> float:
    """The mean of those that count, in percent."""
    counted = [part for part in parts if part is not None]
    return 100 * fmean(counted) if counted else 0.0


def row(name: str, campaigns: list[Played]) -> str:
    """A line of the table."""
    lengths = [played.battles for played in campaigns]
    left = [share for played in campaigns for share in played.left]
    low, middle, high = (quantiles(left, n=10)[place] for place in (0, 4, 8))
    hope = percent(played.first_loser for played in campaigns)
    lead = percent(played.two_winner for played in campaigns)
    elite = fmean(played.elite for played in campaigns)
    return (
        f"{name:<22} {median(lengths):>3.0f} {fmean(lengths):>5.1f}  {hope:>5.1f}  {lead:>5.1f}  "
        f"{elite:>5.1f}   {low:.0f}/{middle:.0f}/{high:.0f}"
    )


def table(count: int, seed: int, steep: float) -> bool:
    """Prints the campaigns of coins, ``count`` a ladder; whether they keep within the limits."""
    print(f"{count} campaigns a ladder, k = {steep:g}: battles (median, mean); in percent who lost")
    print("the first wins, who won the first two wins, elite groups, pool at the end (10/50/90)")
    everything: list[Played] = []
    for campaign in LADDERS:
        campaigns = [coins(campaign, seed + number, steep) for number in range(count)]
        print(row(campaign, campaigns), flush=True)
        everything += campaigns
    print(row("all", everything))
    hope = percent(played.first_loser for played in everything)
    battles = median(played.battles for played in everything)
    return hope >= LEAST_HOPE and battles <= MOST_BATTLES


def conserving(count: int, seed: int) -> int:
    """Plays so many campaigns by chance in everything; how many failed."""
    failed = 0
    for number in range(seed, seed + count):
        random = Random(number)
        campaign = random.choice(LADDERS)
        try:
            played_by_chance(campaign, random, random_answers(random))
        except Exception:
            failed += 1
            print(f"campaign {number} ({campaign}):")
            traceback.print_exc()
    print(f"{count} campaigns by chance, {failed} failed")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--coins", type=int, default=300, help="campaigns of coins a ladder")
    parser.add_argument("--steep", type=float, default=0.0, help="how much strength decides")
    parser.add_argument("--chance", type=int, default=500, help="campaigns by chance in everything")
    parser.add_argument("--seed", type=int, default=0)
    wanted = parser.parse_args()
    begun = time.perf_counter()
    within = True
    if wanted.coins:
        within = table(wanted.coins, wanted.seed, wanted.steep)
        if not within and not wanted.steep:
            print(f"Limits missed: {LEAST_HOPE:g} percent, {MOST_BATTLES} battles.")
    failed = conserving(wanted.chance, wanted.seed) if wanted.chance else 0
    print(f"{time.perf_counter() - begun:.0f} s")
    return int(bool(failed) or (not within and not wanted.steep))


if __name__ == "__main__":
    sys.exit(main())
