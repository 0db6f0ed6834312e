"""What the army builder advises before and after each change: what can be bought, how to spend the
points that are left, what a change breaks. It refuses nothing; what is legal is for ``limits`` to
say."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.catalog import UnitType, Work
from skirmish.games.plastic.rules.limits import (
    LimitGauge,
    LimitState,
    gauges,
    not_waived,
    purchase_gauges,
)

SECTIONS = {
    "guy": "GUYS",
    "unarmored": "MODELS",
    "armored": "ARMORED MODELS",
    "work": "WORKS",
    "notes": "DESIGNER'S NOTES",
    "elsewhere": "OTHER NATIONS' ONLY",
    "not_sold": "NOT FOR SALE",
}
"""The sections of the list: ordinary pieces by kind, those of the designer's notes, those of
another nation, and those that no army of the basic game may buy."""
# The text has no advice on spending points. These shares are ours; without them ``fill`` would
# spend all that is left on riflemen.
FILLER = "rifle_guy"
"""The tag of the unit bought with leftover points."""
MOST_RIFLES = Fraction(2, 5)
"""The share of the points up to which ``fill`` buys riflemen, including those in the army."""
FEW_RIFLES = 20
"""How many riflemen ``fill`` buys in any case, even where they are more than their share."""
SHARES = {
    "machinegun": Fraction(1, 8), "mortar": Fraction(1, 20), "bazooka": Fraction(1, 20),
    "grenade": Fraction(1, 20), "engineer": Fraction(1, 33), "sniper": Fraction(1, 50),
    "tank": Fraction(1, 5), "cannon": Fraction(1, 12), "halftrack": Fraction(1, 16),
}  # fmt: skip
"""The units that ``fill`` buys before riflemen, in this order, each up to its share of the
points."""


@dataclass(frozen=True)
class PieceOffer:
    """A unit or a work on offer to the army, or to one of its groups."""

    piece: UnitType | Work
    section: str
    """One of ``SECTIONS``."""
    count: int
    """How many of it the army or the group has."""
    free: int
    """How many more it has for nothing."""
    more: int
    """How many more it may have: by the limits or, for a group, from the units in no group."""
    full_first: LimitGauge
    """The limit that fills up first if more are bought."""


class ArmyVerdict(NamedTuple):
    """How an army stands with its limits: the worst state of them, and a phrase for it."""

    state: LimitState
    text: str


def verdict(army: Army) -> ArmyVerdict:
    """Whether the army is legal, and if not, how many limits it breaks or has to meet."""
    states = Counter(gauge.state for gauge in gauges(army))
    # A minimum that is "to do" can still be met with the points that are left: broken is worse.
    worst_first: tuple[tuple[LimitState, str], ...] = (("broken", "broken"), ("to_do", "to meet"))
    for state, words in worst_first:
        count = states[state]
        if count == 1:
            return ArmyVerdict(state, f"1 limit {words}")
        if count:
            return ArmyVerdict(state, f"{count} limits {words}")
    waived = states["waived"]
    if waived:
        return ArmyVerdict("met", f"legal, {waived} waived")
    return ArmyVerdict("met", "legal")


def piece_offers(army: Army, group_index: int | None = None) -> list[PieceOffer]:
    """The pieces that the army may buy or, with a ``group_index``, that its group of this index may
    take, by section."""
    purchase_limits = purchase_gauges(army)
    offers = []
    for piece in army.catalog.pieces.values():
        section = _section(piece, purchase_limits)
        if section == "not_sold" and not army.army_list.count(piece.id):
            continue
        if group_index is None:
            offers.append(_offer_to_army(army, piece, section, purchase_limits))
        elif isinstance(piece, UnitType):
            # Works belong to the whole army.
            offers.append(_offer_to_group(army, group_index, piece, section, purchase_limits))
    sections = list(SECTIONS)
    return sorted(offers, key=lambda offer: sections.index(offer.section))


def _offer_to_army(
    army: Army, piece: UnitType | Work, section: str, purchase_limits: list[LimitGauge]
) -> PieceOffer:
    """A piece on offer to the whole army; ``purchase_limits`` are those that buying could break."""
    more, full_first = _tightest(piece.id, purchase_limits)
    count, free = army.army_list.count(piece.id), army.free.get(piece.id, 0)
    return PieceOffer(piece, section, count, free, more, full_first)


def _offer_to_group(
    army: Army, group_index: int, unit: UnitType, section: str, purchase_limits: list[LimitGauge]
) -> PieceOffer:
    """A unit on offer to the group of that index: it takes those of the army that are in no
    group."""
    full_first = _tightest(unit.id, purchase_limits).fills_first
    group = army.army_list.groups[group_index]
    count = group.units.get(unit.id, 0)
    free = army.free_with(group.units).get(unit.id, 0)
    ungrouped = army.army_list.count(unit.id) - army.army_list.grouped(unit.id)
    return PieceOffer(unit, section, count, free, ungrouped, full_first)


class BuyingRoom(NamedTuple):
    """How many ``more`` of a piece may be bought, and the limit that then fills up first."""

    more: int
    fills_first: LimitGauge


def buying_room(army: Army, piece: str) -> BuyingRoom:
    """How many more of a piece the army may buy."""
    return _tightest(piece, purchase_gauges(army))


def _tightest(piece: str, purchase_limits: list[LimitGauge]) -> BuyingRoom:
    """The least room that any limit leaves for a piece. There always is one, since the budget
    counts every piece."""
    rooms = []
    for gauge in purchase_limits:
        more = gauge.room(piece)
        if more is not None:
            rooms.append(BuyingRoom(more, gauge))
    return min(rooms, key=attrgetter("more"))


def _section(piece: UnitType | Work, purchase_limits: list[LimitGauge]) -> str:
    """The one of ``SECTIONS`` in which a piece is offered to this army."""
    for gauge in purchase_limits:
        # Some limits allow none at all: to other nations than some, or to everybody.
        if gauge.piece == piece.id and gauge.limit.most == 0:
            if gauge.limit.only_with_nations:
                return "elsewhere"
            return "not_sold"
    if piece.source == "scenario":
        return "not_sold"
    if piece.source == "notes":
        return "notes"
    return piece.kind


def fill(army: Army) -> ArmyList:
    """The army with its points spent: first what a mixed army lacks, then riflemen, up to
    ``most_rifles``."""
    rifle = _rifle(army)
    # The most riflemen that the army is to have in the end.
    cap = max(most_rifles(army), army.army_list.count(rifle))
    filled = _with_shares(army, rifle, cap)
    filled = _with_the_rest_shared(filled, rifle, cap)
    return _bought(filled, rifle, cap - filled.army_list.count(rifle)).army_list


def _with_shares(army: Army, rifle: str, cap: int) -> Army:
    """The army with each unit of ``SHARES`` up to its share, as far as points and limits go."""
    for unit, share in SHARES.items():
        wanted = max(1, int(army.budget * share) // army.price(unit))
        reserve = _kept_back(army, unit, rifle, cap)
        army = _bought(army, unit, wanted - army.army_list.count(unit), reserve=reserve)
    return army


def _kept_back(army: Army, unit: str, rifle: str, cap: int) -> int:
    """The points that must be left when a unit is bought: for half of the riflemen and, if it is a
    model, for what must still be spent on guys."""
    for_riflemen = (cap // 2 - army.army_list.count(rifle)) * army.price(rifle)
    # There is exactly one minimum: the points that must be spent on guys.
    guys_minimum = next(gauge for gauge in gauges(army) if gauge.limit.is_least)
    for_guys = 0
    if unit not in guys_minimum.weights:
        for_guys = int(guys_minimum.allowed - guys_minimum.have)
    return max(for_riflemen, for_guys, 0)


def _with_the_rest_shared(army: Army, rifle: str, cap: int) -> Army:
    """The army with the points that its riflemen leave spent on the units of ``SHARES`` in equal
    parts, round by round, until nothing more can be bought."""
    while _to_spare(army, rifle, cap) > 0:
        spent_before = army.spent
        for unit in SHARES:
            to_spare = _to_spare(army, rifle, cap)
            if to_spare > 0:
                an_equal_share = to_spare // (len(SHARES) * army.price(unit))
                army = _bought(army, unit, max(1, an_equal_share))
        # Nothing was bought in this round: the limits are full, or the points too few.
        if army.spent == spent_before:
            break
    return army


def _to_spare(army: Army, rifle: str, cap: int) -> int:
    """The points that are left for others once all riflemen up to the ``cap`` are bought."""
    lacking = cap - army.army_list.count(rifle)
    return army.budget - army.spent - lacking * army.price(rifle)


def _bought(army: Army, unit: str, wanted: int, *, reserve: int = 0) -> Army:
    """The army with the ``wanted`` number more of a unit, or fewer: as the limits and the points
    above the ``reserve`` allow."""
    affordable = (army.budget - army.spent - reserve) // army.price(unit)
    count = min(wanted, buying_room(army, unit).more, affordable)
    if count <= 0:
        return army
    army_list = army.army_list.changed(unit, army.army_list.count(unit) + count, army.catalog)
    return replace(army, army_list=army_list)


def most_rifles(army: Army) -> int:
    """The most riflemen that ``fill`` buys."""
    share = int(army.budget * MOST_RIFLES) // army.price(_rifle(army))
    return max(FEW_RIFLES, share)


def _rifle(army: Army) -> str:
    """The id of the unit that leftover points are spent on. Raises LookupError."""
    for unit in army.catalog.units.values():
        if FILLER in unit.tags:
            return unit.id
    raise LookupError(f"no unit has the tag {FILLER}")


def after_repair(army: Army, breach: LimitGauge) -> ArmyList:
    """The list of the army with the changes that repair a breach."""
    army_list = army.army_list
    for change in breach.repair:
        count = army_list.count(change.unit) + change.change
        army_list = army_list.changed(change.unit, count, army.catalog)
    return army_list


def worsened(before: list[LimitGauge], after: list[LimitGauge]) -> list[LimitGauge]:
    """The limits that a change breaks, or breaks further; waived limits are left out."""
    excess_before = {(gauge.limit.id, gauge.piece): gauge.excess for gauge in before}
    worse_gauges = []
    for gauge in not_waived(after):
        # A limit on each type has no gauge before the army has the first of that type.
        if gauge.excess > excess_before.get((gauge.limit.id, gauge.piece), 0):
            worse_gauges.append(gauge)
    return worse_gauges


def in_order_from(breaches: list[LimitGauge], front: int) -> list[LimitGauge]:
    """The breaches that are not waived, then the waived ones. The former begin with that of the
    index ``front``, and those before it come last. An index beyond the last breach counts on from
    the first."""
    broken = not_waived(breaches)
    waived = [gauge for gauge in breaches if gauge.is_waived]
    if not broken:
        return waived
    first = front % len(broken)
    return [*broken[first:], *broken[:first], *waived]
