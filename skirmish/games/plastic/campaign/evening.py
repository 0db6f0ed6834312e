"""The evening after a battle: replacements, and the quality of the groups. Pure functions of the
state; ``orders`` turns them into events. Numbers as C15 are rulings of campaigns (``terms``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skirmish.games.plastic.campaign.groups import QUALITIES, CampaignGroup, UnitsByGroup
from skirmish.games.plastic.campaign.state import CampaignState
from skirmish.games.plastic.rules.catalog import Counts

# ------------------------------------------------------------------ replacements


def replacement_points(state: CampaignState, side: str) -> int:
    """The points of replacements that a side gets after a battle: the same for both sides (C23),
    and the prize of the rung for the winner. The loser may get more to catch up (C13)."""
    file = state.setup.file
    # A campaign whose file names no points of its own (0) has those of all campaigns.
    points = file.replacements or state.setup.terms.replacements
    battle = state.last_decided
    if battle is not None and battle.winner == side:
        points += battle.rung.prize
    return points


def loser_catching_up(state: CampaignState) -> str | None:
    """The side that lost the last battle and may catch up (C13); None after a draw, or if nobody
    ever may."""
    last, terms = state.last_decided, state.setup.terms
    if last is None or not terms.has_catch_up:
        return None
    if last.conceded_by:
        if terms.conceding_catches_up:
            return last.conceded_by
        return None
    if last.winner is None:
        return None
    return state.enemy_of(last.winner)


def proposed_purchases(state: CampaignState, side: str) -> UnitsByGroup:
    """What the program proposes that a side buys, by group and unit: the dearest units that it
    lacks first, and among units of the same price those of the weakest group."""
    points = state.budget.get(side, 0)
    bought: UnitsByGroup = {}
    for group, unit in _missing_units(state, side):
        price = state.price(unit)
        count = group.missing(unit)
        # Some units cost nothing.
        if price:
            count = min(count, points // price)
        if count:
            bought.setdefault(group.id, {})[unit] = count
            points -= count * price
    return bought


def listed_or_proposed(state: CampaignState, side: str) -> UnitsByGroup:
    """What a side intends to buy: what it has listed or, if nothing, what is proposed."""
    listed = state.listed.get(side)
    if listed is not None:
        return listed
    return proposed_purchases(state, side)


def _missing_units(state: CampaignState, side: str) -> list[tuple[CampaignGroup, str]]:
    """The groups of a side, each with a unit of which it lacks some, in the order in which they are
    proposed to be bought."""

    def order(group_and_unit: tuple[CampaignGroup, str]) -> tuple[int, float, str, str]:
        group, unit = group_and_unit
        share_alive = group.members / group.full_strength
        return -state.price(unit), share_alive, group.id, unit

    missing = []
    for group in state.of_side(side):
        missing += [(group, unit) for unit in group.strength if group.missing(unit)]
    return sorted(missing, key=order)


def price_of(state: CampaignState, bought: Mapping[str, Counts]) -> int:
    """The price of a purchase in points."""
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
    """A purchase of a group, divided into raw recruits and models that get a crew of the group."""
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
    """What an evening does to a group: its marks and quality afterwards, and what happened and why,
    as a sentence without the group's name."""

    marks: int
    quality: str
    why: str


def earned_mark(group: CampaignGroup, state: CampaignState) -> bool:
    """Whether a group earned a mark in the last battle: it brought at least half its strength and
    lost no more of that than C15 allows. Men and models are counted, not points."""
    if not group.battles or group.battles[-1].battle != state.battle:
        return False
    fought = group.battles[-1]
    if 2 * fought.brought < group.full_strength:
        return False
    return fought.lost <= fought.brought * state.setup.terms.most_lost_for_mark


def quality_step(group: CampaignGroup, state: CampaignState) -> QualityStep | None:
    """What the evening does to a group; None if nothing. First it may gain a mark (C15) and rise
    (C16), then recruits may cost it a mark or a step (C17)."""
    terms = state.setup.terms
    marks, quality = group.marks, group.quality
    reasons: list[str] = []
    if earned_mark(group, state):
        marks += 1
        reasons.append(f"{_ordinal(marks)} mark")
        marks_to_rise = terms.marks_for.get(quality)
        if marks_to_rise is not None and marks >= marks_to_rise:
            quality = QUALITIES[QUALITIES.index(quality) + 1]
            marks = 0
            # The step is told instead of the mark that led to it.
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
    """The next lower quality; below the lowest there is none, so it stays."""
    return QUALITIES[max(0, QUALITIES.index(quality) - 1)]


def _ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``4th``; only for numbers up to ten, which marks never exceed."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{endings.get(number, 'th')}"
