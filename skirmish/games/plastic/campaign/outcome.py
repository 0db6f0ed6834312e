"""The marker and the points after the battles of a campaign, and who has won it. Pure functions of
the state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from skirmish.games.plastic.campaign.groups import CampaignGroup
from skirmish.games.plastic.campaign.state import CampaignState, Outcome

LEAST_DIFFERENCE = 5
"""Percentage points by which the losses must differ to decide a level campaign."""


class MarkerAndPoints(NamedTuple):
    """The marker and the points after all battles so far."""

    marker: int
    points: dict[str, int]


def marker_and_points(state: CampaignState) -> MarkerAndPoints:
    """The marker and the points, worked out from all battles so far. A victory moves the marker by
    the ``moves`` of the rung, up for the first side and down for the second."""
    terms = state.setup.terms
    first, second = state.setup.ids
    points = {first: 0, second: 0}
    marker = 0
    # The farthest place is the one beyond an end of the ladder, where the campaign is won.
    farthest = state.setup.file.top + 1
    for fought in state.fought:
        # A battle that was set up, but has not been counted yet.
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
        marker = _bounded(marker + direction * fought.rung.moves, farthest)
    return MarkerAndPoints(marker, points)


def _bounded(place: int, farthest: int) -> int:
    """The place of the marker, moved back to the ``farthest`` place if it is beyond that."""
    return max(-farthest, min(farthest, place))


def last_battle_is_counted(state: CampaignState) -> bool:
    """Whether the last battle of the campaign is counted, after which it ends in any case."""
    last = state.last_decided
    return last is not None and last.number >= state.setup.last_battle


def outcome_of(state: CampaignState) -> Outcome | None:
    """How the campaign has ended: past an end of the ladder, by points, or after the last battle;
    None if it goes on."""
    top = state.setup.file.top
    if abs(state.marker) > top:
        winner = _side_of_marker(state)
        return Outcome(winner, "The marker is past the end of the ladder.")
    points_to_win = state.setup.file.points_to_win
    at_goal = []
    # 0: no number of points wins at once.
    if points_to_win:
        at_goal = [side for side, points in state.points.items() if points >= points_to_win]
    # If both sides have that many points, the campaign goes on.
    if len(at_goal) == 1:
        (winner,) = at_goal
        return Outcome(winner, f"They have {state.points[winner]} points.")
    if not last_battle_is_counted(state):
        return None
    return outcome_as_it_stands(state)


def _side_of_marker(state: CampaignState) -> str:
    """The side on whose half the marker stands, which must not be in the middle."""
    first, second = state.setup.ids
    if state.marker > 0:
        return first
    return second


def outcome_as_it_stands(state: CampaignState) -> Outcome:
    """Who has won if the campaign ends now: by the marker, else by points, else the side that the
    file names for this case, else by losses."""
    first, second = state.setup.ids
    if state.marker:
        winner = _side_of_marker(state)
        return Outcome(winner, "The marker stands on their half of the ladder.")
    if state.points[first] != state.points[second]:
        winner = max(state.points, key=lambda side: state.points[side])
        return Outcome(winner, "The marker is in the middle, and they have more points.")
    wins_if_level = state.setup.file.level
    if wins_if_level:
        text = "Marker and points are level, which is a victory for them here."
        return Outcome(wins_if_level, text)
    return _by_losses(state)


def _by_losses(state: CampaignState) -> Outcome:
    """The side that has lost the smaller share of its strength has won, unless the shares are less
    than ``LEAST_DIFFERENCE`` apart."""
    first, second = state.setup.ids
    lost = {side: percent_lost(state.of_side(side), state) for side in (first, second)}
    if abs(lost[first] - lost[second]) >= LEAST_DIFFERENCE:
        winner = min(lost, key=lambda side: lost[side])
        return Outcome(winner, "All is level, and they have lost the smaller part of their men.")
    return Outcome(None, "All is level.")


def percent_lost(groups: Iterable[CampaignGroup], state: CampaignState) -> float:
    """The share of these groups' strength at the start that is gone or captured, by list price, in
    percent."""
    strength = lost = 0
    for group in groups:
        strength += state.worth(group.strength)
        lost += state.worth(group.gone)
        lost += sum(state.price(taken.unit) * taken.count for taken in group.prisoners)
    if not strength:
        return 0.0
    return 100 * lost / strength
