"""What a side brings to a battle of a campaign: what is proposed, how many points of the allowance
it takes, and why it cannot be brought.

A *free battle* is fought on a table that its players lay out, within an allowance of points; in
other battles a scenario lists who comes. What is brought has three parts (``Fielding``): men and
models of the groups, who return to them; those *attached* for this battle only; and works. The
*position* of a defender consists of his works and pillboxes. A pillbox is a model, so it is among
those attached.

Numbers as C6 are rulings of campaigns (``terms``).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from skirmish.games.plastic.campaign.groups import RIFLE, CampaignGroup, UnitsByGroup
from skirmish.games.plastic.campaign.position import PILLBOXES, proposed_position
from skirmish.games.plastic.campaign.state import CampaignState, Fielding
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.catalog import Counts, total_counts
from skirmish.games.plastic.rules.limits import LimitGauge, gauges

SHARE_OF_PRICE = {"elite": Fraction(1), "regular": Fraction(5, 6), "green": Fraction(5, 7)}
"""The share of their list price that the men of a group take from the allowance where force quality
is played. By the rules regular troops get a fifth more points than elite ones, green troops two
fifths more: for 6 points at list price regular troops take 5."""


def counted_points(state: CampaignState, groups: Mapping[str, Counts]) -> int:
    """The points that these men of these groups take from the allowance. Where force quality is
    played, they are rounded up for each group."""
    total = 0
    for group_id, counts in groups.items():
        worth = state.worth(counts)
        if state.setup.quality:
            worth = ceil(worth * SHARE_OF_PRICE[state.groups[group_id].quality])
        total += worth
    return total


def listed_units(state: CampaignState, side: str) -> dict[str, int]:
    """The units on the side's lists in the next battle; none in a free one."""
    # Lists are found by the scenario of the rung, as text; there is none for a free battle.
    lists_by_side = state.setup.lists.get(str(state.rung.scenario), {})
    return dict(lists_by_side.get(side, {}))


def proposed_fielding(state: CampaignState, side: str) -> Fielding:
    """What the program proposes that a side brings: to a free battle the same share of each group,
    as large as the allowance permits; to a scenario all ready men who are on its lists."""
    if state.is_free_battle:
        groups = _share_of_each(state, side)
    else:
        groups = _men_for_lists(state, side)
    return completed_fielding(state, side, groups)


def chosen_or_proposed(state: CampaignState, side: str) -> Fielding:
    """What a side has chosen to bring or, before that, what is proposed."""
    chosen = state.fielding.get(side)
    if chosen is not None:
        return chosen
    return proposed_fielding(state, side)


def completed_fielding(
    state: CampaignState,
    side: str,
    groups: Mapping[str, dict[str, int]],
    position: Counts | None = None,
) -> Fielding:
    """The fielding of these men, with those attached to them and with the works and pillboxes of
    the ``position``; if it is None, with those that are proposed."""
    brought = {group_id: counts for group_id, counts in groups.items() if any(counts.values())}
    attached = _who_is_attached(state, side, brought)
    works: dict[str, int] = {}
    if state.is_free_battle:
        if position is None:
            position = proposed_position(state, side)
        for piece, count in position.items():
            if count and piece in PILLBOXES:
                attached[piece] = count
            elif count:
                works[piece] = count
    return Fielding(groups=brought, attached=attached, works=works)


def _who_is_attached(
    state: CampaignState, side: str, groups: Mapping[str, Counts]
) -> dict[str, int]:
    """Who is attached to a side that brings these men, by unit."""
    if state.is_free_battle:
        return _riflemen_for_weak_side(state, side)
    return _listed_but_not_brought(state, side, groups)


def _riflemen_for_weak_side(state: CampaignState, side: str) -> dict[str, int]:
    """The riflemen who are attached for a free battle, if the side is weak (C5)."""
    # All who could come are counted: a side that holds men back gets no riflemen for them.
    ready = {group.id: group.ready for group in state.may_fight(side)}
    points_wanted = floor(state.allowance * state.setup.terms.fill_share)
    points_lacking = points_wanted - counted_points(state, ready)
    riflemen = points_lacking // state.price(RIFLE)
    if riflemen <= 0:
        return {}
    return {RIFLE: riflemen}


def _listed_but_not_brought(
    state: CampaignState, side: str, groups: Mapping[str, Counts]
) -> dict[str, int]:
    """Those on the side's lists of a scenario whom no group brings, and who are attached (C4)."""
    # Where the rung says that only attached men fight, they are attached whatever the ruling is.
    if not state.setup.terms.attaches and not state.rung.attached:
        return {}
    attached = {}
    for unit, count in listed_units(state, side).items():
        brought = sum(counts.get(unit, 0) for counts in groups.values())
        if brought < count:
            attached[unit] = count - brought
    return attached


def _share_of_each(state: CampaignState, side: str) -> UnitsByGroup:
    """The same share of each group, as large as the allowance permits, by group and unit."""
    ready = {group.id: group.ready for group in state.may_fight(side)}
    points_of_all = counted_points(state, ready)
    if points_of_all <= state.allowance:
        return _within_limits(state, side, ready)
    share = Fraction(state.allowance, points_of_all)
    men: UnitsByGroup = {}
    for group_id, counts in ready.items():
        men[group_id] = {unit: floor(count * share) for unit, count in counts.items()}
    _fill_up(state, men, ready)
    return _within_limits(state, side, men)


def _fill_up(
    state: CampaignState,
    men: UnitsByGroup,
    ready: Mapping[str, Counts],
) -> None:
    """Adds men who are ready to ``men``, the dearest first, as long as the allowance permits:
    since the counts were rounded down, some points are left."""
    units_of_groups = []
    for group_id, counts in ready.items():
        for unit in counts:
            # Units of the same price are sorted by group and id, so that the proposal is always the
            # same.
            units_of_groups.append((-state.price(unit), group_id, unit))
    for _, group_id, unit in sorted(units_of_groups):
        while men[group_id][unit] < ready[group_id][unit]:
            men[group_id][unit] += 1
            if counted_points(state, men) > state.allowance:
                men[group_id][unit] -= 1
                break


def _within_limits(state: CampaignState, side: str, men: UnitsByGroup) -> UnitsByGroup:
    """The ``men`` of each group, without those whom the limits of armies forbid, where these bind
    (C2). Of the units that exceed a limit the cheapest is left behind, one man after another, each
    from the group that has most of it."""
    men = {group_id: dict(counts) for group_id, counts in men.items()}
    broken = _broken_limits(state, side, men)
    while broken:
        totals = total_counts(men.values())
        # ``weights`` has the units that count toward the limit.
        units_of_limit = broken[0].weights
        units_brought = [unit for unit in totals if totals[unit] and unit in units_of_limit]
        cheapest = min(units_brought, key=state.price)
        by_group = {group_id: counts.get(cheapest, 0) for group_id, counts in men.items()}
        largest_group = max(by_group, key=by_group.__getitem__)
        men[largest_group][cheapest] -= 1
        broken = _broken_limits(state, side, men)
    return men


def _men_for_lists(state: CampaignState, side: str) -> UnitsByGroup:
    """Ready men for the lists of a scenario, by group and unit: as many as possible from the first
    group, the others from the next ones."""
    men: UnitsByGroup = {}
    # On some rungs only attached men fight.
    if state.rung.attached:
        return men
    for unit, count in listed_units(state, side).items():
        still_wanted = count
        for group in state.may_fight(side):
            from_group = min(still_wanted, group.ready.get(unit, 0))
            if from_group:
                men.setdefault(group.id, {})[unit] = from_group
                still_wanted -= from_group
    return men


def why_not_bring(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> str:
    """Why a side cannot bring these men, as a sentence; empty if it can."""
    allowed = {group.id for group in state.may_fight(side)}
    for group_id, counts in groups.items():
        group = state.groups.get(group_id)
        if group is None or group.side != side:
            return f"There is no group {group_id!r} on that side."
        if group_id not in allowed and any(counts.values()):
            return f"{group.name} does not fight in this battle."
        reason = _why_not_ready(state, group, counts)
        if reason:
            return reason
    if state.is_free_battle:
        return _why_too_many_points(state, side, groups)
    return _why_not_listed(state, side, groups)


def _why_not_ready(state: CampaignState, group: CampaignGroup, counts: Counts) -> str:
    """Why a group cannot send so many of its men, as a sentence; empty if it can."""
    for unit, count in counts.items():
        ready = group.ready.get(unit, 0)
        if not 0 <= count <= ready:
            return f"{group.name} has {state.setup.units[unit].named(ready)} ready, not {count}."
    return ""


def _why_too_many_points(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> str:
    """Why the allowance or the limits of armies forbid these men, as a sentence; empty if they
    do not."""
    total = counted_points(state, groups)
    if total > state.allowance:
        return f"They count {total} points, and {state.allowance} are allowed."
    broken = _broken_limits(state, side, groups)
    if broken:
        return f"{broken[0].message} In this campaign army limits bind what is brought, too (C2)."
    return ""


def _broken_limits(
    state: CampaignState, side: str, groups: Mapping[str, Counts]
) -> list[LimitGauge]:
    """The limits that these men of a side break, as an army of as many points as the allowance;
    none where limits do not bind (C2). Two kinds of limits are left out: minimums of guys, since a
    beaten side may not have enough of them any more, and the limit of all points, for which
    ``counted_points`` is used."""
    limits = state.setup.limits
    if limits is None or not groups:
        return []
    campaign_side = state.side(side)
    side_file = next(entry for entry in state.setup.file.sides if entry.id == side)
    totals = total_counts(groups.values())
    army_list = ArmyList(
        name=campaign_side.name,
        points=state.allowance,
        nation=campaign_side.nation,
        units={unit: count for unit, count in totals.items() if count},
        overrides=side_file.overrides,
    )
    army = Army(army_list, limits.catalog, limits.rulings)
    broken = []
    for gauge in gauges(army):
        # The limit of "everything" is that of all points.
        is_left_out = gauge.limit.is_least or gauge.limit.of == "everything"
        if not is_left_out and not gauge.is_met and not gauge.is_waived:
            broken.append(gauge)
    return broken


def _why_not_listed(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> str:
    """Why these men cannot come to a scenario, as a sentence, since its lists do not have them;
    empty if they can."""
    brought = total_counts(groups.values())
    if state.rung.attached and any(brought.values()):
        return "Nobody of the groups fights in this battle; all are attached."
    lists = listed_units(state, side)
    for unit, count in brought.items():
        if count > lists.get(unit, 0):
            listed = state.setup.units[unit].named(lists.get(unit, 0))
            return f"The scenario lists {listed}, not {count}."
    return ""
