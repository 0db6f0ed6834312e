"""The record of a scenario, from its finished battles: who won, how long they took, what was lost,
and how many more points would have made it even, which is no more than a guess."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.scenario import Scenario, SpecialRule
from skirmish.tabletop.page import Block, Heading, Note, Paragraph, capital

RESULT_POWER = 0.25
"""The power that turns odds of winning into a ratio of points. A guess: at odds of three to one the
weaker side gets a third more."""
LOSS_POWER = 0.5
"""The power that turns the ratio of both losses into a ratio of points. A guess as well."""
ADDED_LOSS = 0.05
"""Added to the shares that both sides lost, so that one that lost nothing is not infinitely
stronger."""
LEAST_RATIO, MOST_RATIO = 0.6, 1.6
"""The limits of the ratio of points: a few games do not prove more."""
FEWEST_GAMES = 2
"""The fewest games from which more points are proposed."""


class SideRecord(NamedTuple):
    """What became of a side in all battles together."""

    people: str
    wins: int
    lost_share: float
    """The share of its strength that it lost on average, from 0 to 1."""
    points: int
    """Its points at the start; where the scenario leaves a choice, half-way between the least and
    the most."""


class ScenarioRecord(NamedTuple):
    """The finished battles of a scenario."""

    battles: int
    draws: int
    fewest_turns: int
    most_turns: int
    first: SideRecord
    """The side that moves first."""
    second: SideRecord


def record_of(
    scenario: Scenario, states: Iterable[State], catalog: Catalog
) -> ScenarioRecord | None:
    """The record of a scenario; ``states``: the last ones of all battles, of any scenario. None if
    no battle of this scenario has been finished."""
    played: list[State] = []
    winners: list[str | None] = []
    for state in states:
        as_fought = state.setup.scenario
        # By its id, since a battle has the scenario as it was when the battle began.
        is_of_scenario = as_fought is not None and as_fought.id == scenario.id
        if is_of_scenario and state.outcome is not None:
            played.append(state)
            # None after a draw.
            winners.append(state.outcome.winner)
    if not played:
        return None
    turns = [state.clock.turn for state in played]
    first, second = scenario.order_of_play()
    return ScenarioRecord(
        battles=len(played),
        draws=winners.count(None),
        fewest_turns=min(turns),
        most_turns=max(turns),
        first=_side_record(scenario, first, played, winners, catalog),
        second=_side_record(scenario, second, played, winners, catalog),
    )


def _side_record(
    scenario: Scenario,
    side: str,
    played: Sequence[State],
    winners: Sequence[str | None],
    catalog: Catalog,
) -> SideRecord:
    """What became of a side; ``winners`` are those of the battles that were ``played``."""
    shares = []
    for state in played:
        # If the scenario was changed since, a battle may have had sides of other nations.
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
    """``Played 4 times: Germans 3, Americans 1. It took 7 to 10 turns.``, then the losses."""
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
    return f"Played {times}: {', '.join(won)}. It took {_turns_words(record)}. {capital(lost)}"


def _turns_words(record: ScenarioRecord) -> str:
    """``7 to 10 turns``"""
    if record.fewest_turns < record.most_turns:
        return f"{record.fewest_turns} to {record.most_turns} turns"
    if record.most_turns == 1:
        return "1 turn"
    return f"{record.most_turns} turns"


class MorePoints(NamedTuple):
    """What would have made a scenario even: so many ``more`` points for one side."""

    people: str
    more: int
    games: int
    """How many games this is a guess from."""


def points_to_even(record: ScenarioRecord) -> MorePoints | None:
    """How many more points the weaker side would need; None after too few games, or if the sides
    turned out equal."""
    if record.battles < FEWEST_GAMES:
        return None
    first, second = record.first, record.second
    # Both sides get one more win than they have: three wins out of three do not prove that a side
    # always wins.
    odds = (first.wins + 1) / (second.wins + 1)
    losses = (second.lost_share + ADDED_LOSS) / (first.lost_share + ADDED_LOSS)
    # How many times as strong as the second side the first has turned out to be, in points.
    ratio = odds**RESULT_POWER * losses**LOSS_POWER
    ratio = min(max(ratio, LEAST_RATIO), MOST_RATIO)
    weaker, factor = second, ratio
    if ratio < 1:
        weaker, factor = first, 1 / ratio
    more = round(weaker.points * (factor - 1))
    if not more:
        return None
    return MorePoints(weaker.people, more, record.battles)


def proposal_to_even(record: ScenarioRecord) -> str:
    """What would make the scenario even, in sentences; empty if nothing is proposed."""
    proposal = points_to_even(record)
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
    proposal = proposal_to_even(record)
    if proposal:
        blocks.append(Note(proposal))
    return blocks
