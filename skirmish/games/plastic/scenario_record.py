"""What the finished battles of a scenario say of it: who won, how long it took, what was lost, and
how many points would have evened it, which is a guess from so many games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario, SpecialRule
from skirmish.tabletop.page import Block, Heading, Note, Paragraph, capital

RESULT_WEIGHT = 0.25
"""The power to which the odds of winning become a ratio of points: where a side wins three times of
four, its enemy gets a third more."""
LOSS_WEIGHT = 0.5
"""The power to which the ratio of both losses becomes one of points."""
LEAST_LOSS = 0.05
"""Added to both shares of losses, so that a side that lost nothing is not infinitely stronger."""
LEAST_RATIO, MOST_RATIO = 0.6, 1.6
"""How much the points of a side are changed at most: a few games do not say more."""
FEWEST_GAMES = 2
"""Games from which a change of points is proposed."""


class SideRecord(NamedTuple):
    """What became of a side in all battles together: its ``people``, how often it won, the share of
    its strength that it lost on average (0 to 1), and its points at the start."""

    people: str
    wins: int
    lost_share: float
    points: int


class ScenarioRecord(NamedTuple):
    """The finished battles of a scenario: how many, how many of them were a draw, the fewest and
    the most turns, and both sides, the one that moves first first."""

    battles: int
    draws: int
    fewest_turns: int
    most_turns: int
    first: SideRecord
    second: SideRecord


def record_of(
    scenario: Scenario, states: Iterable[State], catalog: Catalog
) -> ScenarioRecord | None:
    """The record of a scenario from the last states of finished battles, of any scenarios; None if
    it has not been played to the end."""
    played = []
    for state in states:
        fought = state.setup.scenario
        # By its id: a battle has the scenario as it was when the battle began.
        if state.outcome is not None and fought is not None and fought.id == scenario.id:
            played.append(state)
    if not played:
        return None
    turns = [state.clock.turn for state in played]
    first, second = scenario.order_of_play()
    winners = [state.outcome.winner for state in played if state.outcome is not None]
    return ScenarioRecord(
        battles=len(played),
        draws=winners.count(None),
        fewest_turns=min(turns),
        most_turns=max(turns),
        first=_side(scenario, first, played, winners, catalog),
        second=_side(scenario, second, played, winners, catalog),
    )


def _side(
    scenario: Scenario,
    side: str,
    played: Sequence[State],
    winners: Sequence[str | None],
    catalog: Catalog,
) -> SideRecord:
    """What became of a side in the battles that were ``played``, with these ``winners``."""
    shares = []
    for state in played:
        # The sides of a battle may have been of other nations, if the scenario was changed since.
        if side in state.setup.side_by_id and side_strength(state, side):
            shares.append(state.loss.get(side, 0) / side_strength(state, side))
    lost_share = 0.0
    if shares:
        lost_share = sum(shares) / len(shares)
    points = scenario.side(side).points(catalog.with_variants(scenario.variants))
    return SideRecord(
        people=catalog.nations[side].people,
        wins=winners.count(side),
        lost_share=lost_share,
        points=round((points.least + points.most) / 2),
    )


def record_words(record: ScenarioRecord) -> str:
    """``Played 4 times: Germans 3, Americans 1. It took 7 to 10 turns. …``"""
    times = f"{record.battles} times"
    if record.battles == 1:
        times = "once"
    won = [f"{side.people} {side.wins}" for side in (record.first, record.second)]
    if record.draws:
        won.append(f"nobody {record.draws}")
    losses = []
    for side in (record.first, record.second):
        losses.append(f"the {side.people} lost {side.lost_share:.0%} of their strength")
    lost = f"{' and '.join(losses)}."
    if record.battles > 1:
        lost = f"on average {lost}"
    return f"Played {times}: {', '.join(won)}. It took {_turns(record)}. {capital(lost)}"


def _turns(record: ScenarioRecord) -> str:
    """``7 to 10 turns``"""
    if record.fewest_turns < record.most_turns:
        return f"{record.fewest_turns} to {record.most_turns} turns"
    if record.most_turns == 1:
        return "1 turn"
    return f"{record.most_turns} turns"


class Evened(NamedTuple):
    """What would have evened a scenario: the side that gets ``more`` points."""

    people: str
    more: int
    games: int


def evened(record: ScenarioRecord) -> Evened | None:
    """How many points more the weaker side would need; None after too few games, or where nothing
    speaks for a change."""
    if record.battles < FEWEST_GAMES:
        return None
    first, second = record.first, record.second
    # Each side with one win more than it has, so that three of three do not mean for ever.
    odds = (first.wins + 1) / (second.wins + 1)
    losses = (second.lost_share + LEAST_LOSS) / (first.lost_share + LEAST_LOSS)
    # How much stronger the first side has turned out.
    ratio = odds**RESULT_WEIGHT * losses**LOSS_WEIGHT
    ratio = min(max(ratio, LEAST_RATIO), MOST_RATIO)
    weaker, factor = second, ratio
    if ratio < 1:
        weaker, factor = first, 1 / ratio
    more = round(weaker.points * (factor - 1))
    if not more:
        return None
    return Evened(weaker.people, more, record.battles)


def evening_proposal(record: ScenarioRecord) -> str:
    """The proposal as a sentence; empty if there is none."""
    proposal = evened(record)
    if proposal is None:
        return ""
    points = f"{proposal.more} points"
    if proposal.more == 1:
        points = "1 point"
    return (
        f"Both sides again, the {proposal.people} with {points} more: that would even it. "
        f"It is a guess from {proposal.games} games."
    )


def with_record(scenario: Scenario, record: ScenarioRecord) -> Scenario:
    """The scenario with its record as one more rule on its sheet."""
    rule = SpecialRule("Played so far", record_words(record))
    return replace(scenario, special_rules=(*scenario.special_rules, rule))


def record_blocks(record: ScenarioRecord) -> list[Block]:
    """The record as blocks of a page."""
    blocks: list[Block] = [Heading("Played so far"), Paragraph(record_words(record))]
    proposal = evening_proposal(record)
    if proposal:
        blocks.append(Note(proposal))
    return blocks
