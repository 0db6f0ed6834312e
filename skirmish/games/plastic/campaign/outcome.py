"""Where a campaign stands after its battles, and who has won it. Pure functions of the state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from skirmish.games.plastic.campaign.groups import CampaignGroup
from skirmish.games.plastic.campaign.state import CampaignState, Outcome

# ------------------------------------------------------------------ the marker and the end


class MarkerAndPoints(NamedTuple):
    """The marker and the points after all battles so far."""

    marker: int
    points: dict[str, int]


def standing(state: CampaignState) -> MarkerAndPoints:
    """Marker and points, folded over the battles: a win moves the marker by the rung's ``moves``,
    up for the first side; beyond an end it stays there."""
    terms = state.setup.terms
    first, second = state.setup.ids
    points = {first: 0, second: 0}
    marker = 0
    # One place beyond an end of the ladder, where the campaign is won.
    limit = state.setup.file.top + 1
    for fought in state.fought:
        # It was opened, but has not been counted yet.
        if fought.facts is None and not fought.conceded_by:
            continue
        winner = state.winner_of(fought)
        if winner is None:
            for side in points:
                points[side] += terms.points_of_draw
            continue
        points[winner] += terms.points_of_victory + fought.rung.points
        direction = 1
        if winner == second:
            direction = -1
        marker = max(-limit, min(limit, marker + direction * fought.rung.moves))
    return MarkerAndPoints(marker, points)


def is_last(state: CampaignState) -> bool:
    """Whether the battle that was counted last is the last one in any case."""
    last = state.last
    return last is not None and last.number >= state.setup.last_battle


def outcome_of(state: CampaignState) -> Outcome | None:
    """How the campaign has ended, if it has: past an end of the ladder, by points, or after the
    last battle."""
    top = state.setup.file.top
    if abs(state.marker) > top:
        winner = _side_of_marker(state)
        return Outcome(winner, "The marker is past the end of the ladder.")
    goal = state.setup.file.points_to_win
    at_goal = [side for side, points in state.points.items() if goal and points >= goal]
    # Where both have so many, it goes on.
    if len(at_goal) == 1:
        return Outcome(at_goal[0], f"They have {state.points[at_goal[0]]} points.")
    if not is_last(state):
        return None
    return decided(state)


def _side_of_marker(state: CampaignState) -> str:
    """The side in whose favour the marker stands off the middle: the first pushes it up."""
    first, second = state.setup.ids
    if state.marker > 0:
        return first
    return second


def decided(state: CampaignState) -> Outcome:
    """Who has won as it stands: by the marker, then by points, then whom the file names, then by
    what was lost."""
    first, second = state.setup.ids
    if state.marker:
        winner = _side_of_marker(state)
        return Outcome(winner, "The marker stands on their half of the ladder.")
    if state.points[first] != state.points[second]:
        winner = max(state.points, key=lambda side: state.points[side])
        return Outcome(winner, "The marker is in the middle, and they have more points.")
    # "level" in the file: the side that wins if all is level.
    wins_if_level = state.setup.file.level
    if wins_if_level:
        text = "Marker and points are level, which is a victory for them here."
        return Outcome(wins_if_level, text)
    return _by_losses(state)


LEAST_DIFFERENCE = 5
"""Percentage points by which the losses must differ to decide a level campaign."""


def _by_losses(state: CampaignState) -> Outcome:
    """The smaller share of its strength gone or captured, if that is five points apart."""
    first, second = state.setup.ids
    lost = {side: percent_lost(state.of_side(side), state) for side in (first, second)}
    if abs(lost[first] - lost[second]) >= LEAST_DIFFERENCE:
        winner = min(lost, key=lambda side: lost[side])
        return Outcome(winner, "All is level, and they have lost the smaller part of their men.")
    return Outcome(None, "All is level.")


def percent_lost(groups: Iterable[CampaignGroup], state: CampaignState) -> float:
    """The share of the strength, by list price, that is gone or captured, in percent."""
    strength = lost = 0
    for group in groups:
        strength += state.worth(group.strength)
        lost += state.worth(group.gone)
        lost += sum(state.price(taken.unit) * taken.count for taken in group.prisoners)
    if not strength:
        return 0.0
    return 100 * lost / strength
