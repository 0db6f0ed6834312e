"""What a side brings to a battle of a campaign: what is proposed, what it counts against the
allowance, why it cannot be brought; and the opening of the battle.

A *free battle* is fought on a table that its players lay, within an allowance of points; in the
others a scenario lists who comes. What is brought has three parts (``Fielding``): men and models of
the groups, who return to them; what is *attached* for this battle only; and works. The *position*
of a defender is his works and pillboxes: a pillbox is a model, so it is among the attached.
Numbers as C6 are rulings of campaigns (``terms``).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor

from skirmish.games.plastic.campaign.groups import RIFLE, CampaignGroup
from skirmish.games.plastic.campaign.state import CampaignState, Fielding
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.breaches import LimitGauge, gauges
from skirmish.games.plastic.rules.catalog import Counts, together

PAYS = {"elite": Fraction(1), "regular": Fraction(5, 6), "green": Fraction(5, 7)}
"""The share of its list price that a group counts against the allowance where force quality is
played: the rules give lesser troops a fifth and two fifths more points."""
NEAR_POSITION, FAR_POSITION = Fraction(1, 10), Fraction(1, 5)
"""The part of the allowance that the defender gets for works (C6): one rung from the middle of the
ladder, and farther from it."""
PILLBOX, SANDBAGS, WIRE = "small_pillbox", "sandbags", "barbed_wire"
PILLBOXES = (PILLBOX, "large_pillbox")
FOR_POSITION = (*PILLBOXES, SANDBAGS, WIRE)
"""What a side may choose for its position."""
NEST = {PILLBOX: 1, SANDBAGS: 2, WIRE: 4}
"""A nest for a pillbox. A position is proposed to have as many of them as its points buy."""


def is_free(state: CampaignState) -> bool:
    """Whether the next battle is a free one, without a scenario."""
    return not state.rung.scenario


def allowance(state: CampaignState) -> int:
    """The points that a side may bring to the next free battle."""
    return state.setup.file.allowance(state.rung)


def cost(state: CampaignState, groups: Mapping[str, Counts]) -> int:
    """The points that these men of these groups count against the allowance: with force quality by
    group, rounded up."""
    total = 0
    for group_id, counts in groups.items():
        worth = state.worth(counts)
        if state.setup.quality:
            worth = ceil(worth * PAYS[state.groups[group_id].quality])
        total += worth
    return total


def needed(state: CampaignState, side: str) -> dict[str, int]:
    """The units on the side's lists in the next battle; none in a free one."""
    # The lists are by the scenario of a rung, as text, and a free battle has none.
    return dict(state.setup.lists.get(str(state.rung.scenario), {}).get(side, {}))


def proposed(state: CampaignState, side: str) -> Fielding:
    """What a side may bring without a thought: all that fits, a like part of each group; in a
    scenario who is on its lists."""
    if is_free(state):
        groups = _share_of_each(state, side)
    else:
        groups = _men_for_lists(state, side)
    return completed(state, side, groups)


def completed(
    state: CampaignState,
    side: str,
    groups: Mapping[str, dict[str, int]],
    position: Counts | None = None,
) -> Fielding:
    """The fielding of these men, with what is attached to them and the works and pillboxes of the
    ``position``; None: as proposed."""
    brought = {group_id: counts for group_id, counts in groups.items() if any(counts.values())}
    attached = _who_is_attached(state, side, brought)
    works: dict[str, int] = {}
    if is_free(state):
        if position is None:
            position = proposed_position(state, side)
        for piece, count in position.items():
            if count and piece in PILLBOXES:
                attached[piece] = count
            elif count:
                works[piece] = count
    return Fielding(groups=brought, attached=attached, works=works)


def position_of(state: CampaignState, fielding: Fielding) -> dict[str, int]:
    """The works and pillboxes that a side has in its position in a free battle; none in a scenario,
    whose lists name its pillboxes."""
    if not is_free(state):
        return {}
    pillboxes = {unit: count for unit, count in fielding.attached.items() if unit in PILLBOXES}
    return {**pillboxes, **fielding.works}


def _who_is_attached(
    state: CampaignState, side: str, groups: Mapping[str, Counts]
) -> dict[str, int]:
    """Who is attached: in a free battle riflemen, if the side is weak (C5); in a scenario those of
    its lists who are missing (C4)."""
    terms = state.setup.terms
    if is_free(state):
        # All who could come count, also those held back: nobody gets riflemen in their place.
        ready = {group.id: group.ready for group in state.may_fight(side)}
        lacking = floor(allowance(state) * terms.fill_share) - cost(state, ready)
        riflemen = lacking // state.price(RIFLE)
        if riflemen <= 0:
            return {}
        return {RIFLE: riflemen}
    # A rung whose ``attached`` is set is fought by nobody of the groups, whatever the ruling says.
    if not terms.attaches and not state.rung.attached:
        return {}
    attached = {}
    for unit, count in needed(state, side).items():
        brought = sum(counts.get(unit, 0) for counts in groups.values())
        if brought < count:
            attached[unit] = count - brought
    return attached


def _defends_free_battle(state: CampaignState, side: str) -> bool:
    """Whether a side is the defender of a free battle; in the middle of the ladder nobody is."""
    return is_free(state) and bool(state.attacker) and side != state.attacker


def points_for_position(state: CampaignState, side: str) -> int:
    """The points that a side may spend on works and pillboxes of its position: the defender of a
    free battle does (C6), unless the rung names his works."""
    rung = state.rung
    if not _defends_free_battle(state, side) or rung.works:
        return 0
    # The ruling may multiply the share, or set it to nothing.
    share = _position_share(abs(rung.place)) * state.setup.terms.position_times
    return floor(allowance(state) * share)


def _position_share(rungs: int) -> Fraction:
    """The share for a position, so many rungs from the middle of the ladder: none in the middle."""
    if rungs == 0:
        return Fraction(0)
    if rungs == 1:
        return NEAR_POSITION
    return FAR_POSITION


def price_in_position(state: CampaignState, piece: str) -> int:
    """What a work or a pillbox costs, in points."""
    if piece in PILLBOXES:
        return state.price(piece)
    return state.setup.works[piece].price


def proposed_position(state: CampaignState, side: str) -> dict[str, int]:
    """What the defender of a free battle gets for his position, works and pillboxes (C6)."""
    if not _defends_free_battle(state, side):
        return {}
    if state.rung.works:
        return dict(state.rung.works)
    points = points_for_position(state, side)
    price_of_nest = sum(price_in_position(state, piece) * count for piece, count in NEST.items())
    nests, points_left = divmod(points, price_of_nest)
    position = {piece: nests * count for piece, count in NEST.items()}
    # What is left is spent on sandbags, and the rest of that on wire.
    more_sandbags, points_left = divmod(points_left, price_in_position(state, SANDBAGS))
    position[SANDBAGS] += more_sandbags
    position[WIRE] += points_left // price_in_position(state, WIRE)
    return {piece: count for piece, count in position.items() if count}


def _share_of_each(state: CampaignState, side: str) -> dict[str, dict[str, int]]:
    """A like part of each group, as much as the allowance holds, by group and unit."""
    limit = allowance(state)
    ready = {group.id: dict(group.ready) for group in state.may_fight(side)}
    everything = cost(state, ready)
    if everything <= limit:
        return _within_limits(state, ready)
    share = Fraction(limit, everything)
    taken: dict[str, dict[str, int]] = {}
    for group_id, counts in ready.items():
        taken[group_id] = {unit: floor(count * share) for unit, count in counts.items()}
    _fill_up(state, taken, ready)
    return _within_limits(state, taken)


def _fill_up(
    state: CampaignState,
    taken: dict[str, dict[str, int]],
    ready: Mapping[str, Counts],
) -> None:
    """Adds to ``taken`` what still fits into the allowance of those who are ready, the dearest
    first: rounding down has left some points."""
    units_of_groups = []
    for group_id, counts in ready.items():
        for unit in counts:
            # Among the equally dear by their ids, so that the proposal is always the same.
            units_of_groups.append((-state.price(unit), group_id, unit))
    for _, group_id, unit in sorted(units_of_groups):
        while taken[group_id][unit] < ready[group_id][unit]:
            taken[group_id][unit] += 1
            if cost(state, taken) > allowance(state):
                taken[group_id][unit] -= 1
                break


def _within_limits(
    state: CampaignState, taken: dict[str, dict[str, int]]
) -> dict[str, dict[str, int]]:
    """The men that are ``taken``, without those whom the limits of armies forbid, where they bind
    (C2): of the cheapest unit that is too many one man after another stays behind, each from the
    group that has most of it. The counts are changed in ``taken`` itself."""
    broken = _broken_limits(state, taken)
    while broken:
        counts = together(taken.values())
        # ``weights`` are the units that count toward the limit.
        too_many = [unit for unit in counts if counts[unit] and unit in broken[0].weights]
        cheapest = min(too_many, key=state.price)
        by_group = {group_id: row.get(cheapest, 0) for group_id, row in taken.items()}
        largest_group = max(by_group, key=by_group.__getitem__)
        taken[largest_group][cheapest] -= 1
        broken = _broken_limits(state, taken)
    return taken


def _men_for_lists(state: CampaignState, side: str) -> dict[str, dict[str, int]]:
    """Ready men for the lists of a scenario, by group and unit: from the first group that has them,
    then from the next."""
    taken: dict[str, dict[str, int]] = {}
    if state.rung.attached:
        return taken
    for unit, count in needed(state, side).items():
        still_wanted = count
        for group in state.may_fight(side):
            from_group = min(still_wanted, group.ready.get(unit, 0))
            if from_group:
                taken.setdefault(group.id, {})[unit] = from_group
                still_wanted -= from_group
    return taken


def why_not(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> str:
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
    if is_free(state):
        return _why_too_many_points(state, groups)
    return _why_not_listed(state, side, groups)


def why_not_position(state: CampaignState, side: str, position: Counts) -> str:
    """Why a side cannot have these works and pillboxes, as a sentence; empty if it can."""
    # What is proposed is never refused: a rung may name works of other kinds, and at any price.
    if dict(position) == proposed_position(state, side):
        return ""
    points = points_for_position(state, side)
    if not points and any(position.values()):
        return f"The {state.people(side)} have no works to choose in this battle."
    total = 0
    for piece, count in position.items():
        if piece not in FOR_POSITION or count < 0:
            names = _position_words(state)
            return f"There is no work {piece!r} for a position; choose from {names}."
        total += count * price_in_position(state, piece)
    if total > points:
        return f"They cost {total} points, and the position has {points}."
    return ""


def _position_words(state: CampaignState) -> str:
    """The names of all that a position may have."""
    names = {**state.setup.units, **state.setup.works}
    return ", ".join(names[piece].name for piece in FOR_POSITION)


def _why_not_ready(state: CampaignState, group: CampaignGroup, counts: Counts) -> str:
    """Why a group cannot send so many, as a sentence; empty if it can."""
    for unit, count in counts.items():
        ready = group.ready.get(unit, 0)
        if not 0 <= count <= ready:
            return f"{group.name} has {state.setup.units[unit].named(ready)} ready, not {count}."
    return ""


def _why_too_many_points(state: CampaignState, groups: Mapping[str, Counts]) -> str:
    """Why the allowance or the limits of armies forbid these men, as a sentence; empty if they
    do not."""
    total = cost(state, groups)
    if total > allowance(state):
        return f"They count {total} points, and {allowance(state)} are allowed."
    broken = _broken_limits(state, groups)
    if broken:
        return f"{broken[0].message} In this campaign army limits bind what is brought, too (C2)."
    return ""


def _broken_limits(state: CampaignState, groups: Mapping[str, Counts]) -> list[LimitGauge]:
    """The limits on an army of as many points as the allowance that these men of one side break,
    where they bind (C2). Two limits are left out: the least points of guys, since a beaten side may
    not have enough guys any more, and that of all points, which ``cost`` counts."""
    limits = state.setup.limits
    if limits is None or not groups:
        return []
    any_group = state.groups[next(iter(groups))]
    side = state.side(any_group.side)
    side_file = next(entry for entry in state.setup.file.sides if entry.id == side.id)
    army_list = ArmyList(
        name=side.name,
        points=allowance(state),
        nation=side.nation,
        units={unit: count for unit, count in together(groups.values()).items() if count},
        overrides=side_file.overrides,
    )
    army = Army(army_list, limits.catalog, limits.rulings)
    broken = []
    for gauge in gauges(army):
        # The limit of "everything" is that of the points.
        limits_numbers = not gauge.limit.is_least and gauge.limit.of != "everything"
        if limits_numbers and not gauge.met and not gauge.is_waived:
            broken.append(gauge)
    return broken


def _why_not_listed(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> str:
    """What speaks against these men in a scenario: nobody comes who is not on its lists."""
    brought = together(groups.values())
    if state.rung.attached and any(brought.values()):
        return "Nobody of the groups fights in this battle; all are attached."
    lists = needed(state, side)
    for unit, count in brought.items():
        if count > lists.get(unit, 0):
            listed = state.setup.units[unit].named(lists.get(unit, 0))
            return f"The scenario lists {listed}, not {count}."
    return ""
