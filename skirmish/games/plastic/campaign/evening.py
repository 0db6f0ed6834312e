"""The evening after a battle: the cards for the lost, the exchange of prisoners, replacements, and
the quality of the groups. Pure functions of the state; ``orders`` turns them into events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skirmish.games.plastic.campaign.groups import QUALITIES, CampaignGroup
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.games.plastic.rules.catalog import Counts

# ------------------------------------------------------------------ replacements


def budget(state: CampaignState, side: str) -> int:
    """The points of replacements of a side after this battle: the same for both sides (C23), and
    the prize of the rung for the winner. What it saved before is not in it, nor what the loser gets
    to catch up."""
    file = state.setup.file
    points = file.replacements or state.setup.terms.replacements
    last = state.last
    if last is not None and last.winner == side:
        points += last.rung.prize
    return points


def loser(state: CampaignState) -> str | None:
    """Who lost the last battle and may catch up; None after a draw, or if that is not played."""
    last, terms = state.last, state.setup.terms
    if last is None or not terms.has_catch_up:
        return None
    if last.conceded_by:
        if terms.conceding_catches_up:
            return last.conceded_by
        return None
    if last.winner is None:
        return None
    return state.enemy_of(last.winner)


def proposed_purchases(state: CampaignState, side: str) -> dict[str, dict[str, int]]:
    """What a side may buy without a thought, by group and unit: the dearest that it lacks first,
    and of equally dear ones those of the weakest group."""
    points = state.budget.get(side, 0)
    bought: dict[str, dict[str, int]] = {}
    # Sorted by price, the highest first, then by the share of a group's strength that is here.
    offers: list[tuple[int, float, str, str]] = []
    for group in state.of_side(side):
        for unit in group.strength:
            if group.missing(unit):
                share = group.members / group.full_strength
                offers.append((-state.price(unit), share, group.id, unit))
    for _, _, group_id, unit in sorted(offers):
        group, price = state.groups[group_id], state.price(unit)
        while price <= points and bought.get(group_id, {}).get(unit, 0) < group.missing(unit):
            counts = bought.setdefault(group_id, {})
            counts[unit] = counts.get(unit, 0) + 1
            points -= price
    return bought


def price_of(state: CampaignState, bought: Mapping[str, Counts]) -> int:
    """The points of a purchase."""
    return sum(state.worth(counts) for counts in bought.values())


def why_not_buy(state: CampaignState, side: str, bought: Mapping[str, Counts]) -> str:
    """Why a side cannot buy this, as a sentence; empty if it can."""
    for group_id, counts in bought.items():
        group = state.groups.get(group_id)
        if group is None or group.side != side:
            return f"There is no group {group_id!r} on that side."
        for unit, count in counts.items():
            if unit not in state.setup.units or not 0 <= count <= group.missing(unit):
                lacks = f"{group.name} lacks {group.missing(unit)}"
                return f"{lacks} of that unit, not {count}."
    price, points = price_of(state, bought), state.budget.get(side, 0)
    if price > points:
        return f"That costs {price} points, and there are {points}."
    return ""


class Recruits(NamedTuple):
    """The men and models of a purchase: how many are ``raw``, and how many models of each unit are
    manned by a crew whose old model was lost."""

    raw: int
    crews: dict[str, int]


def recruits_among(group: CampaignGroup, counts: Counts) -> Recruits:
    """A purchase split into recruits and models for which a crew of the group lives."""
    raw = 0
    crews: dict[str, int] = {}
    for unit, count in counts.items():
        with_crew = min(count, group.crews.get(unit, 0))
        if with_crew:
            crews[unit] = with_crew
        raw += count - with_crew
    return Recruits(raw, crews)


# ------------------------------------------------------------------ quality


class QualityStep(NamedTuple):
    """What an evening does to a group: its marks and quality afterwards, and why, as a sentence."""

    marks: int
    quality: str
    why: str


def gained_mark(group: CampaignGroup, state: CampaignState) -> bool:
    """Whether it brought at least half its strength to the last battle and lost at most a quarter
    of what it brought (C15). Men and models are counted, not points."""
    if not group.battles or group.battles[-1].battle != state.battle:
        return False
    fought = group.battles[-1]
    if 2 * fought.brought < group.full_strength:
        return False
    return fought.lost <= fought.brought * state.setup.terms.most_lost_for_mark


def step_of(group: CampaignGroup, state: CampaignState) -> QualityStep | None:
    """What the evening does to a group; None if nothing. First it may gain a mark and rise, then
    recruits may cost it one."""
    terms = state.setup.terms
    marks, quality, reasons = group.marks, group.quality, []
    if gained_mark(group, state):
        marks += 1
        reasons.append(f"{ordinal(marks)} mark")
        needed = terms.marks_for.get(quality)
        if needed is not None and marks >= needed:
            quality = QUALITIES[QUALITIES.index(quality) + 1]
            marks = 0
            reasons[-1] = f"is {quality} now"
    raw_recruits = group.tonight
    text = f"{raw_recruits} of {group.members} are recruits"
    if group.members and raw_recruits > group.members * terms.recruits_cost_step:
        marks, quality = 0, _lower(quality)
        reasons.append(f"{text}: is {quality} now, no marks")
    elif group.members and raw_recruits > group.members * terms.recruits_cost_mark:
        if marks:
            marks -= 1
            reasons.append(f"{text}: a mark less")
        elif quality != QUALITIES[0]:
            quality = _lower(quality)
            reasons.append(f"{text}: is {quality} now")
    if not reasons:
        return None
    return QualityStep(marks, quality, "; ".join(reasons))


def _lower(quality: str) -> str:
    """The next lower quality; the lowest stays."""
    return QUALITIES[max(0, QUALITIES.index(quality) - 1)]


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``: marks never go beyond ten."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{endings.get(number, 'th')}"
