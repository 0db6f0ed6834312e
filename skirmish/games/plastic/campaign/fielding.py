"""What a side brings to a battle of a campaign: what is proposed, what it counts against the
allowance, why it cannot be brought; and the opening of the battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.battle.opening import Chosen, from_scenario
from skirmish.games.plastic.battle.setup import (
    Codes,
    Contingent,
    Deadline,
    Level,
    OfCampaign,
    Piece,
    Setup,
    Side,
)
from skirmish.games.plastic.campaign.campaign_file import Rung, scenario_of
from skirmish.games.plastic.campaign.state import (
    RIFLE,
    CampaignGroup,
    CampaignSetup,
    CampaignState,
    Fielding,
    Fought,
)
from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.breaches import LimitGauge, gauges
from skirmish.games.plastic.rules.catalog import Catalog, Counts, together
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.chance import Source

ATTACHED = "Attached"
"""The name of the contingent of those who come for one battle only."""
REGULAR = "regular"
QUALITIES = ("green", "regular", "elite")
"""The force qualities from the lowest to the highest."""
PAYS = {"elite": Fraction(1), "regular": Fraction(5, 6), "green": Fraction(5, 7)}
"""The share of its list price that a group counts against the allowance where force quality is
played: the rules give lesser troops a fifth and two fifths more points."""
POSITION = {0: Fraction(0), 1: Fraction(1, 10), 2: Fraction(1, 5), 3: Fraction(1, 5)}
"""The part of the allowance that the defender gets for works, by the distance from the middle."""
PILLBOX, SANDBAGS, WIRE = "small_pillbox", "sandbags", "barbed_wire"
PILLBOXES = (PILLBOX, "large_pillbox")
FOR_POSITION = (*PILLBOXES, SANDBAGS, WIRE)
"""What a side may choose for its position."""
NEST = {PILLBOX: 1, SANDBAGS: 2, WIRE: 4}
"""What a position is proposed to have, as often as its points are enough."""


class BattleBooks(msgspec.Struct, frozen=True, kw_only=True):
    """What battles are opened with: numbers, rulings and scenarios of today."""

    catalog: Catalog
    rulings: PlasticRulingBook
    scenarios: Mapping[int, Scenario]
    revision: str = ""


def is_free(state: CampaignState) -> bool:
    """Whether the next battle is a free one, without a scenario."""
    return not state.rung.scenario


def allowance(state: CampaignState) -> int:
    """The points that a side may bring to the next free battle."""
    return state.setup.file.allowance(state.rung)


def cost(state: CampaignState, groups: Mapping[str, Counts]) -> int:
    """What these men of these groups count against the allowance: with force quality by group,
    rounded up."""
    total = 0
    for name, counts in groups.items():
        worth = state.worth(counts)
        if state.setup.quality:
            worth = ceil(worth * PAYS[state.groups[name].quality])
        total += worth
    return total


def needed(state: CampaignState, side: str) -> dict[str, int]:
    """The units on the side's lists in the next battle; none in a free one."""
    return dict(state.setup.lists.get(str(state.rung.scenario), {}).get(side, {}))


def proposed(state: CampaignState, side: str) -> Fielding:
    """What a side may bring without a thought: all that fits, a like part of each group; in a
    scenario who is on its lists."""
    if is_free(state):
        groups = _share_of_each(state, side)
    else:
        groups = _listed(state, side)
    return completed(state, side, groups)


def completed(
    state: CampaignState,
    side: str,
    groups: Mapping[str, dict[str, int]],
    position: Counts | None = None,
) -> Fielding:
    """The fielding of these men, with what is attached to them and the works and pillboxes of the
    ``position``; None: as proposed."""
    brought = {name: counts for name, counts in groups.items() if any(counts.values())}
    attached = _attached(state, side, brought)
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


def _attached(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> dict[str, int]:
    """Who is attached: in a free battle riflemen, if the side is weak (C5); in a scenario those of
    its lists who are missing (C4)."""
    terms = state.setup.terms
    if is_free(state):
        ready = {group.id: group.ready for group in state.may_fight(side)}
        # Men who are held back bring no others: only a side that cannot is filled up.
        lacking = floor(allowance(state) * terms.fill) - cost(state, ready)
        if lacking <= 0:
            return {}
        return {RIFLE: lacking // state.price(RIFLE)}
    if not terms.attaches and not state.rung.attached:
        return {}
    attached = {}
    for unit, count in needed(state, side).items():
        brought = sum(counts.get(unit, 0) for counts in groups.values())
        if brought < count:
            attached[unit] = count - brought
    return attached


def points_for_position(state: CampaignState, side: str) -> int:
    """The points that a side may spend on works and pillboxes of its position: the defender of a
    free battle does (C6), unless the rung names his works."""
    rung = state.rung
    if not is_free(state) or not state.attacker or side == state.attacker or rung.works:
        return 0
    share = POSITION[abs(rung.place)] * state.setup.terms.position
    return floor(allowance(state) * share)


def price_in_position(state: CampaignState, piece: str) -> int:
    """What a work or a pillbox costs, in points."""
    if piece in PILLBOXES:
        return state.price(piece)
    return state.setup.works[piece].price


def proposed_position(state: CampaignState, side: str) -> dict[str, int]:
    """What the defender of a free battle gets for his position, works and pillboxes (C6)."""
    if not is_free(state) or not state.attacker or side == state.attacker:
        return {}
    if state.rung.works:
        return dict(state.rung.works)
    points = points_for_position(state, side)
    nest = sum(price_in_position(state, piece) * count for piece, count in NEST.items())
    nests, points = divmod(points, nest)
    works = {piece: nests * count for piece, count in NEST.items()}
    # What is left is spent on sandbags, and the rest of that on wire.
    lines, points = divmod(points, price_in_position(state, SANDBAGS))
    works[SANDBAGS] += lines
    works[WIRE] += points // price_in_position(state, WIRE)
    return {work: count for work, count in works.items() if count}


def _share_of_each(state: CampaignState, side: str) -> dict[str, dict[str, int]]:
    """A like part of each group, as much as the allowance holds."""
    limit = allowance(state)
    ready = {group.id: dict(group.ready) for group in state.may_fight(side)}
    everything = cost(state, ready)
    if everything <= limit:
        return _within_limits(state, ready)
    share = Fraction(limit, everything)
    taken: dict[str, dict[str, int]] = {}
    for name, counts in ready.items():
        taken[name] = {unit: floor(count * share) for unit, count in counts.items()}
    # What rounding down has left is filled with the dearest that still fits.
    by_price = sorted(
        ((state.price(unit), name, unit) for name, counts in ready.items() for unit in counts),
        key=lambda offer: (-offer[0], offer[1], offer[2]),
    )
    for _, name, unit in by_price:
        while taken[name][unit] < ready[name][unit]:
            taken[name][unit] += 1
            if cost(state, taken) > limit:
                taken[name][unit] -= 1
                break
    return _within_limits(state, taken)


def _within_limits(
    state: CampaignState, taken: dict[str, dict[str, int]]
) -> dict[str, dict[str, int]]:
    """As many of them as the limits of armies allow, where they bind (C2): the cheapest that are
    too many stay behind, one after another, first of the group that has most of them."""
    broken = _broken_limits(state, taken)
    while broken:
        counts = together(taken.values())
        counted_units = [unit for unit in counts if counts[unit] and unit in broken[0].weights]
        unit = min(counted_units, key=state.price)
        name = max(taken, key=lambda name: taken[name].get(unit, 0))
        taken[name][unit] -= 1
        broken = _broken_limits(state, taken)
    return taken


def _listed(state: CampaignState, side: str) -> dict[str, dict[str, int]]:
    """Ready men for the lists of a scenario, from the first group that has them."""
    taken: dict[str, dict[str, int]] = {}
    if state.rung.attached:
        return taken
    for unit, count in needed(state, side).items():
        wanted = count
        for group in state.may_fight(side):
            here = min(wanted, group.ready.get(unit, 0))
            if here:
                taken.setdefault(group.id, {})[unit] = here
                wanted -= here
    return taken


def why_not(state: CampaignState, side: str, groups: Mapping[str, Counts]) -> str:
    """Why a side cannot bring these men, as a sentence; empty if it can."""
    allowed = {group.id for group in state.may_fight(side)}
    for name, counts in groups.items():
        group = state.groups.get(name)
        if group is None or group.side != side:
            return f"There is no group {name!r} on that side."
        if name not in allowed and any(counts.values()):
            return f"{group.name} does not fight in this battle."
        reason = _why_not_ready(state, group, counts)
        if reason:
            return reason
    if is_free(state):
        return _why_too_many_points(state, groups)
    return _why_not_listed(state, side, groups)


def why_not_position(state: CampaignState, side: str, position: Counts) -> str:
    """Why a side cannot have these works and pillboxes, as a sentence; empty if it can."""
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
    names = {**state.setup.units, **state.setup.works}
    return ", ".join(names[piece].name for piece in FOR_POSITION)


def _why_not_ready(state: CampaignState, group: CampaignGroup, counts: Counts) -> str:
    for unit, count in counts.items():
        ready = group.ready.get(unit, 0)
        if not 0 <= count <= ready:
            return f"{group.name} has {state.setup.units[unit].named(ready)} ready, not {count}."
    return ""


def _why_too_many_points(state: CampaignState, groups: Mapping[str, Counts]) -> str:
    total = cost(state, groups)
    if total > allowance(state):
        return f"They count {total} points, and {allowance(state)} are allowed."
    broken = _broken_limits(state, groups)
    if broken:
        return f"{broken[0].message} In this campaign army limits bind what is brought, too (C2)."
    return ""


def _broken_limits(state: CampaignState, groups: Mapping[str, Counts]) -> list[LimitGauge]:
    """The upper limits of an army of the allowance that these men break, where they bind (C2). A
    beaten side may not have enough guys for a lower one, and the points are counted by `cost`."""
    limits = state.setup.limits
    side = next((state.groups[name].side for name in groups), "")
    if limits is None or not side:
        return []
    own = next(own for own in state.setup.sides if own.id == side)
    file = next(file for file in state.setup.file.sides if file.id == side)
    army_list = ArmyList(
        name=own.name,
        points=allowance(state),
        nation=own.nation,
        units={unit: count for unit, count in together(groups.values()).items() if count},
        overrides=file.overrides,
    )
    army = Army(army_list, limits.catalog, limits.rulings)
    broken = []
    for gauge in gauges(army):
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


# ------------------------------------------------------------------ the opening of the battle


def opening(state: CampaignState, fought: Fought, books: BattleBooks, seed: int) -> Setup:
    """The set-up of a battle of the campaign. Raises ValueError (a sentence)."""
    if fought.rung.scenario:
        return _scenario_battle(state, fought, books, seed)
    return _free_battle(state, fought, books, seed)


class _Drawing(NamedTuple):
    """From what a side draws in battle, and how it uses the program."""

    source: Source
    level: Level


def _drawing(state: CampaignState, side: str, seed: int) -> _Drawing:
    """As it was answered when the campaign began; it can be changed during each battle."""
    draws = state.setup.draws.get(side, "deck")
    kind: Literal["deck", "die"] = "deck"
    if draws.endswith("die"):
        kind = "die"
    if draws == "ledger":
        return _Drawing(Source(kind, seed=seed), "ledger")
    if draws.startswith("own"):
        return _Drawing(Source(kind), "clerk")
    return _Drawing(Source(kind, seed=seed), "referee")


class _Fielded(msgspec.Struct, frozen=True):
    """The pieces of a side with the groups that they belong to."""

    contingents: tuple[Contingent, ...]
    pieces: tuple[Piece, ...]
    groups: dict[str, str]


def _free_battle(state: CampaignState, fought: Fought, books: BattleBooks, seed: int) -> Setup:
    """The attacker sets up and moves first; without one that is drawn for."""
    own_first, own_second = _in_order(state.setup, state.attacker)
    names = {"first": own_first, "second": own_second}
    sides: list[Side] = []
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    groups: dict[str, str] = {}
    for number, (id, own) in enumerate(names.items()):
        fielding = fought.fielding[own]
        fielded = _contingents(state, id, fielding, books.catalog)
        contingents += fielded.contingents
        pieces += fielded.pieces
        groups |= fielded.groups
        its_side = next(side for side in state.setup.sides if side.id == own)
        drawing = _drawing(state, own, seed + number)
        sides.append(
            Side(
                id=id,
                name=its_side.name,
                # The journal of a battle calls an army by its name, as in every battle of armies.
                people=its_side.name,
                nation=its_side.nation,
                quality=_side_quality(state, fielding),
                player=state.players.get(own, its_side.player),
                level=drawing.level,
                source=drawing.source,
                breaks=True,
                works=dict(fielding.works),
            )
        )
    return Setup(
        title=title_of(state.setup, fought),
        sides=(sides[0], sides[1]),
        contingents=tuple(contingents),
        pieces=tuple(pieces),
        options=state.setup.options,
        # A side that keeps only a ledger draws for the first move on the table.
        lots=not state.attacker and "ledger" not in state.setup.draws.values(),
        ends_after=Deadline("second", books.catalog.basic_game.last_turn, draw=True),
        campaign=_link(state.setup, fought, names, groups),
        catalog=books.catalog,
        rulings=books.rulings.answered({}),
        revision=books.revision,
    )


def _in_order(setup: CampaignSetup, attacker: str) -> tuple[str, str]:
    """The sides in the order in which they move."""
    first, second = setup.ids
    if attacker == second:
        return second, first
    return first, second


def _contingents(state: CampaignState, side: str, fielding: Fielding, catalog: Catalog) -> _Fielded:
    """A contingent of each group that comes, and one of those attached."""
    codes = Codes(side, catalog)
    contingents: list[Contingent] = []
    pieces: list[Piece] = []
    groups: dict[str, str] = {}
    for name, counts in fielding.groups.items():
        group = state.groups[name]
        id = f"{side}_{len(contingents) + 1}"
        contingents.append(Contingent(id, side, group.name, quality=_quality(state, {name: 1})))
        for piece in codes.pieces(id, counts):
            pieces.append(piece)
            groups[piece.id] = name
    if fielding.attached:
        id = f"{side}_{len(contingents) + 1}"
        quality = _quality(state, {})
        contingents.append(Contingent(id, side, ATTACHED, quality=quality))
        pieces += codes.pieces(id, fielding.attached)
    return _Fielded(tuple(contingents), tuple(pieces), groups)


def _scenario_battle(state: CampaignState, fought: Fought, books: BattleBooks, seed: int) -> Setup:
    """The scenario with its lists filled from the groups."""
    scenario = scenario_of(fought.rung, books.scenarios)
    if scenario is None:
        raise ValueError(f"There is no scenario {fought.rung.scenario} any more.")
    owner = owners(state.setup, scenario)
    sources: dict[str, Source] = {}
    levels: dict[str, Level] = {}
    players: dict[str, str] = {}
    for number, (id, own) in enumerate(owner.items()):
        drawing = _drawing(state, own, seed + number)
        sources[id] = drawing.source
        if scenario.cards_only:
            sources[id] = replace(drawing.source, kind="deck")
        levels[id] = drawing.level
        players[id] = state.players.get(own, "")
    quality = {}
    for id, own in owner.items():
        quality[id] = _side_quality(state, fought.fielding[own])
    chosen = Chosen(options=state.setup.options, levels=levels, players=players, quality=quality)
    setup = from_scenario(
        scenario,
        books.catalog,
        books.rulings,
        sources=sources,
        chosen=chosen,
        revision=books.revision,
    )
    groups = _assigned(setup, fought.fielding, owner)
    return replace(
        setup,
        title=title_of(state.setup, fought),
        contingents=tuple(_with_quality(state, setup, groups)),
        campaign=_link(state.setup, fought, owner, groups),
    )


def owners(setup: CampaignSetup, scenario: Scenario) -> dict[str, str]:
    """The side of the campaign that plays each side of a scenario."""
    owner = {}
    for scenario_side in scenario.sides:
        for side in setup.file.sides:
            if scenario_side.id in side.nations:
                owner[scenario_side.id] = side.id
    return owner


def _assigned(
    setup: Setup, fielding: Mapping[str, Fielding], owner: Mapping[str, str]
) -> dict[str, str]:
    """The group of each piece: the lists are filled type for type, in the order of the groups; who
    is left over is attached."""
    to_come: dict[tuple[str, str], list[str]] = {}
    for side, own in owner.items():
        for name, counts in fielding[own].groups.items():
            for unit, count in counts.items():
                to_come.setdefault((side, unit), []).extend([name] * count)
    groups = {}
    for piece in setup.pieces:
        waiting = to_come.get((piece.side, piece.unit))
        if waiting:
            groups[piece.id] = waiting.pop(0)
    return groups


def _with_quality(
    state: CampaignState, setup: Setup, groups: Mapping[str, str]
) -> Iterator[Contingent]:
    """The contingents of a scenario, each with the quality of the groups in it."""
    for contingent in setup.contingents:
        men: Counter[str] = Counter()
        for piece in setup.pieces:
            if piece.contingent == contingent.id and piece.id in groups:
                men[groups[piece.id]] += 1
        yield replace(contingent, quality=_quality(state, men))


def _quality(state: CampaignState, men: Mapping[str, int]) -> str | None:
    """The quality of so many men of some groups who are together: that of the worst, or of most of
    them (C18); regular for those attached. None where it is not played."""
    if not state.setup.quality:
        return None
    if not men:
        return REGULAR
    of_quality: Counter[str] = Counter()
    for name, count in men.items():
        of_quality[state.groups[name].quality] += count
    qualities = list(of_quality)
    if state.setup.terms.most_decide:
        most = max(of_quality.values())
        qualities = [quality for quality, count in of_quality.items() if count == most]
    return min(qualities, key=QUALITIES.index)


def _side_quality(state: CampaignState, fielding: Fielding) -> str | None:
    men = {name: sum(counts.values()) for name, counts in fielding.groups.items()}
    return _quality(state, men)


def _link(
    setup: CampaignSetup, fought: Fought, sides: Mapping[str, str], groups: dict[str, str]
) -> OfCampaign:
    return OfCampaign(
        mark=setup.mark,
        title=setup.file.title,
        battle=fought.number,
        sides=dict(sides),
        groups=groups,
        answers=setup.terms.in_battle,
    )


def title_of(setup: CampaignSetup, fought: Fought) -> str:
    """``Kursk, battle 2: Counterstroke``"""
    return f"{setup.file.title}, battle {fought.number}: {rung_title(setup, fought.rung)}"


def rung_title(setup: CampaignSetup, rung: Rung) -> str:
    """The title of a rung, or of its scenario."""
    return rung.title or setup.titles.get(str(rung.scenario), str(rung.scenario))
