"""Plays campaigns to their end by chance: ``python benchmarks/campaigns.py``.

First of coins: each battle is won by either side alike, and the losses are those that the rules of
the campaign were worked out with (half of the loser, a quarter of the winner; some withdraw). A
campaign of the usual preset must take at most 7 battles in the median, and who lost its first
battle must win at least 30 of 100; the exit code is 1 otherwise. With ``--steep 2`` the stronger
side wins more often, by that power of the ratio of strengths; the limits do not hold then.

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
"""Percent of campaigns that whoever lost the first battle must win at least."""
MOST_BATTLES = 7
"""Battles that a campaign may take in the median."""
DRAWS = 0.04
"""The share of battles that nobody wins."""
WITHDRAWS = 0.2
"""The share of battles from which the loser withdraws."""
GROUND = 1.1
"""What attacking with the choice of ground is worth, as a factor of the points brought."""


class Range(NamedTuple):
    """The least and the most of a share of the pieces that is lost."""

    least: float
    most: float

    def some(self, random: Random) -> float:
        return random.uniform(self.least, self.most)


LOST_BY_BROKEN = Range(0.50, 0.54)
LOST_BY_WITHDRAWN = Range(0.20, 0.42)
LOST_BY_WINNER = 0.28
"""The share that the winner loses if the loser's army breaks; both sides in a draw."""
LOST_BEFORE_WITHDRAWAL = 0.75
"""The part of that share which the winner loses if the loser withdraws."""
LOST_BY_WINNER_ON_TIME, LOST_BY_LOSER_ON_TIME = Range(0.10, 0.60), Range(0.30, 0.80)
"""In a scenario, which ends after its last turn."""


class CampaignPlayed(NamedTuple):
    """A campaign of coins that has ended."""

    battles: int
    won_by_first_loser: float | None
    """1 if whoever lost the first battle has won the campaign, 0.5 for a draw; None where nobody
    lost the first battle."""
    won_by_two_winner: float | None
    """The same of whoever won the first two battles; None where nobody did."""
    elite: float
    """Percent of all groups."""
    left: tuple[float, float]
    """Percent of the pool that is left, by side."""


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
    if random.random() < DRAWS:

        def lost_in_draw(piece: PieceFate) -> bool:
            return random.random() < LOST_BY_WINNER

        return ended(state, None, lost_in_draw)
    first, second = state.setup.ids
    ratio = strength(state, first) / max(1.0, strength(state, second))
    chance_of_first = ratio**steep / (1 + ratio**steep)
    winner, loser = second, first
    if random.random() < chance_of_first:
        winner, loser = first, second
    how = "break"
    shares = {winner: LOST_BY_WINNER, loser: LOST_BY_BROKEN.some(random)}
    if state.rung.scenario:
        how = "victory"
        shares = {
            winner: LOST_BY_WINNER_ON_TIME.some(random),
            loser: LOST_BY_LOSER_ON_TIME.some(random),
        }
    elif random.random() < WITHDRAWS:
        how = "withdrawn"
        shares = {
            winner: LOST_BY_WINNER * LOST_BEFORE_WITHDRAWAL,
            loser: LOST_BY_WITHDRAWN.some(random),
        }
    # Losses do not fall evenly: one group is in the midst of the fight, another hardly fires.
    factors = {name: random.uniform(0, 2) for name in state.groups}

    def lost(piece: PieceFate) -> bool:
        factor = factors.get(piece.group or "", 1)  # a piece that is attached has no group
        return random.random() < shares[piece.side] * factor

    return ended(state, winner, lost, how=how)


def coins(campaign: str, seed: int, steep: float) -> CampaignPlayed:
    """A campaign of the usual preset whose battles are won by chance."""
    random = Random(f"{campaign} {seed}")
    play = opened(campaign, seed=seed)
    while play.state.outcome is None:
        begin(play)
        give(play, orders.CountBattle(facts=battle(play.state, random, steep)))
        evening(play, random)
    state = play.state
    winners = [fought.winner for fought in state.fought]
    won_by_first_loser = won_by_two_winner = None
    first_winner = winners[0]
    if first_winner is not None:
        won_by_first_loser = _share_won(state, state.enemy_of(first_winner))
        if winners[:2] == [first_winner, first_winner]:
            won_by_two_winner = _share_won(state, first_winner)
    first, second = state.setup.ids
    elite = [group for group in state.groups.values() if group.quality == "elite"]
    return CampaignPlayed(
        len(state.fought),
        won_by_first_loser,
        won_by_two_winner,
        100 * len(elite) / len(state.groups),
        (_percent_left(state, first), _percent_left(state, second)),
    )


def _percent_left(state: CampaignState, side: str) -> float:
    """What is left of a side's pool, by its worth."""
    full = there = 0.0
    for group in state.of_side(side):
        full += state.worth(group.strength)
        there += state.worth(group.ready) + state.worth(group.away)
    return 100 * there / full


def _share_won(state: CampaignState, side: str) -> float:
    """1 where the side has won the campaign, 0.5 for a draw, else 0."""
    assert state.outcome is not None
    if state.outcome.winner is None:
        return 0.5
    return float(state.outcome.winner == side)


def percent(shares: Iterable[float | None]) -> float:
    """The mean of the shares that are not None, in percent; 0 where there are none."""
    counted = [share for share in shares if share is not None]
    if not counted:
        return 0.0
    return 100 * fmean(counted)


def row(name: str, campaigns: list[CampaignPlayed]) -> str:
    """A line of the table."""
    lengths = [played.battles for played in campaigns]
    left: list[float] = []
    for played in campaigns:
        left += played.left
    # The first, the fifth and the last of nine: 10, 50 and 90 percent have less left.
    tenths = quantiles(left, n=10)
    low, middle, high = tenths[0], tenths[4], tenths[8]
    hope = percent(played.won_by_first_loser for played in campaigns)
    lead = percent(played.won_by_two_winner for played in campaigns)
    elite = fmean(played.elite for played in campaigns)
    return (
        f"{name:<22} {median(lengths):>3.0f} {fmean(lengths):>5.1f}  {hope:>5.1f}  {lead:>5.1f}  "
        f"{elite:>5.1f}   {low:.0f}/{middle:.0f}/{high:.0f}"
    )


def table(count: int, seed: int, steep: float) -> bool:
    """Prints the campaigns of coins, ``count`` a ladder; returns whether they keep within the
    limits."""
    print(f"{count} campaigns a ladder, k = {steep:g}: battles (median, mean); in percent who lost")
    print("the first wins, who won the first two wins, elite groups, pool at the end (10/50/90)")
    every_campaign: list[CampaignPlayed] = []
    for campaign in LADDERS:
        campaigns = [coins(campaign, seed + number, steep) for number in range(count)]
        print(row(campaign, campaigns), flush=True)
        every_campaign += campaigns
    print(row("all", every_campaign))
    hope = percent(played.won_by_first_loser for played in every_campaign)
    battles = median(played.battles for played in every_campaign)
    return hope >= LEAST_HOPE and battles <= MOST_BATTLES


def conserving(count: int, seed: int) -> int:
    """Plays so many campaigns by chance in everything; returns how many failed, because somebody
    was lost or made without an entry, or because they did not end."""
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
    is_missed = False
    if wanted.coins:
        is_within = table(wanted.coins, wanted.seed, wanted.steep)
        # The limits are those of battles that are won by either side alike.
        is_missed = not is_within and wanted.steep == 0
    if is_missed:
        print(f"Limits missed: {LEAST_HOPE:g} percent, {MOST_BATTLES} battles.")
    failed = 0
    if wanted.chance:
        failed = conserving(wanted.chance, wanted.seed)
    print(f"{time.perf_counter() - begun:.0f} s")
    return int(failed > 0 or is_missed)


if __name__ == "__main__":
    sys.exit(main())
