"""Advice of the army builder before and after each change; it never refuses. Legality is checked in
``breaches``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.plastic.rules.army import Army, ArmyList
from skirmish.games.plastic.rules.breaches import (
    LimitGauge,
    LimitState,
    further,
    gauges,
    not_waived,
)
from skirmish.games.plastic.rules.catalog import UnitType, Work

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
# How ``fill`` spends points is ours, not the text's: else all that is left would go to riflemen.
FILLER = "rifle_guy"
"""The tag of the unit bought with leftover points."""
MOST_RIFLES = Fraction(2, 5)
"""The share of the points up to which ``fill`` buys riflemen, including those in the army."""
FEW_RIFLES = 20
"""So many ``fill`` buys in a small army, however large their share is."""
MIXED = (
    ("machinegun", Fraction(1, 8)), ("mortar", Fraction(1, 20)), ("bazooka", Fraction(1, 20)),
    ("grenade", Fraction(1, 20)), ("engineer", Fraction(1, 33)), ("sniper", Fraction(1, 50)),
    ("tank", Fraction(1, 5)), ("cannon", Fraction(1, 12)), ("halftrack", Fraction(1, 16)),
)  # fmt: skip
"""What ``fill`` buys before riflemen, in this order, and up to which share of the points."""


@dataclass(frozen=True)
class PieceOffer:
    """A unit or a work on offer: how many more the limits allow, and the first limit that fills up.
    For a group, ``count`` and ``free`` are those in it, ``more`` those in no group."""

    piece: UnitType | Work
    section: str
    count: int
    free: int
    more: int
    full_first: LimitGauge


class ArmyVerdict(NamedTuple):
    """The state of an army's worst limit, and what is said of the army."""

    state: LimitState
    text: str


def verdict(army: Army) -> ArmyVerdict:
    """Whether the army is legal, and if not, how many limits it breaks or has to meet."""
    states = Counter(gauge.state for gauge in gauges(army))
    # What is to do can be met with the points that are left, so what is broken counts first.
    worst: tuple[tuple[LimitState, str], ...] = (("broken", "broken"), ("to_do", "to meet"))
    for state, words in worst:
        count = states[state]
        if count == 1:
            return ArmyVerdict(state, f"1 limit {words}")
        if count:
            return ArmyVerdict(state, f"{count} limits {words}")
    waived = states["waived"]
    if waived:
        return ArmyVerdict("met", f"legal, {waived} waived")
    return ArmyVerdict("met", "legal")


def offered(army: Army, number: int | None = None) -> list[PieceOffer]:
    """The pieces that the army may buy, or that its group of this index may take, by section."""
    watching = further(army)
    offers = []
    for piece in army.catalog.pieces.values():
        section = _section(piece, watching)
        if section == "not_sold" and not army.army_list.count(piece.id):
            continue
        if number is None:
            offers.append(_to_the_army(army, piece, section, watching))
        elif isinstance(piece, UnitType):
            # Works belong to the whole army.
            offers.append(_to_the_group(army, number, piece, section, watching))
    sections = list(SECTIONS)
    return sorted(offers, key=lambda offer: sections.index(offer.section))


def _to_the_army(
    army: Army, piece: UnitType | Work, section: str, watching: list[LimitGauge]
) -> PieceOffer:
    """A piece on offer to the whole army; ``watching`` are the limits that it could break."""
    more, full_first = _tightest(piece.id, watching)
    count, free = army.army_list.count(piece.id), army.free.get(piece.id, 0)
    return PieceOffer(piece, section, count, free, more, full_first)


def _to_the_group(
    army: Army, number: int, unit: UnitType, section: str, watching: list[LimitGauge]
) -> PieceOffer:
    """A unit on offer to the group of that index: those of the army that are in no group."""
    _, full_first = _tightest(unit.id, watching)
    group = army.army_list.groups[number]
    count = group.units.get(unit.id, 0)
    free = army.free_with(group.units).get(unit.id, 0)
    ungrouped = army.army_list.count(unit.id) - army.army_list.grouped(unit.id)
    return PieceOffer(unit, section, count, free, ungrouped, full_first)


class BuyingRoom(NamedTuple):
    """How many ``more`` of a piece may be bought, and the limit that fills up first."""

    more: int
    fills_first: LimitGauge


def room(army: Army, piece: str) -> BuyingRoom:
    """How many more of a piece the army may buy."""
    return _tightest(piece, further(army))


def _tightest(piece: str, watching: list[LimitGauge]) -> BuyingRoom:
    """The first limit to fill up. There always is one, since the budget counts every piece."""
    rooms = []
    for gauge in watching:
        more = gauge.room(piece)
        if more is not None:
            rooms.append(BuyingRoom(more, gauge))
    return min(rooms, key=attrgetter("more"))


def _section(piece: UnitType | Work, watching: list[LimitGauge]) -> str:
    """In which of ``SECTIONS`` a piece is offered to this army."""
    for gauge in watching:
        # A limit of none at all: for some nations, or for everybody.
        if gauge.unit == piece.id and gauge.limit.most == 0:
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
    # So many riflemen it is to have in the end.
    cap = max(most_rifles(army), army.army_list.count(rifle))
    filled = _with_shares(army, rifle, cap)
    filled = _with_the_rest_shared(filled, rifle, cap)
    return _bought(filled, rifle, cap - filled.army_list.count(rifle)).army_list


def _with_shares(army: Army, rifle: str, cap: int) -> Army:
    """The army with its share of each unit of ``MIXED``, as far as points and limits go."""
    for unit, share in MIXED:
        # The only limit that is a least number: the points that must be spent on guys.
        guys = next(gauge for gauge in gauges(army) if gauge.limit.is_least)
        # The points of half of the riflemen are kept for them, and what must still be spent on guys
        # is not spent on models.
        reserve = (cap // 2 - army.army_list.count(rifle)) * army.price(rifle)
        if unit not in guys.weights:
            reserve = max(reserve, int(guys.allowed - guys.have))
        wanted = max(1, int(army.budget * share) // army.price(unit))
        army = _bought(army, unit, wanted - army.army_list.count(unit), reserve=max(reserve, 0))
    return army


def _with_the_rest_shared(army: Army, rifle: str, cap: int) -> Army:
    """The army with the points that its riflemen leave spent on ``MIXED`` in equal parts, round by
    round, until nothing more can be bought."""
    spent_before = -1  # no round yet
    # A round that bought nothing ends it: the limits are full, or the points too few.
    while _to_spare(army, rifle, cap) > 0 and army.spent != spent_before:
        spent_before = army.spent
        for unit, _ in MIXED:
            to_spare = _to_spare(army, rifle, cap)
            if to_spare > 0:
                an_equal_share = to_spare // (len(MIXED) * army.price(unit))
                army = _bought(army, unit, max(1, an_equal_share))
    return army


def _to_spare(army: Army, rifle: str, cap: int) -> int:
    """Points that the riflemen still to be bought leave for others."""
    lacking = cap - army.army_list.count(rifle)
    return army.budget - army.spent - lacking * army.price(rifle)


def _bought(army: Army, unit: str, wanted: int, *, reserve: int = 0) -> Army:
    """The army with so many more, as far as the limits and the points above ``reserve`` go."""
    affordable = (army.budget - army.spent - reserve) // army.price(unit)
    count = min(wanted, room(army, unit).more, affordable)
    if count <= 0:
        return army
    army_list = army.army_list.changed(unit, army.army_list.count(unit) + count, army.catalog)
    return replace(army, army_list=army_list)


def most_rifles(army: Army) -> int:
    """Up to how many riflemen ``fill`` buys."""
    share = int(army.budget * MOST_RIFLES) // army.price(_rifle(army))
    return max(FEW_RIFLES, share)


def _rifle(army: Army) -> str:
    """The id of the unit that leftover points are spent on. Raises LookupError."""
    for unit in army.catalog.units.values():
        if FILLER in unit.tags:
            return unit.id
    raise LookupError(f"no unit has the tag {FILLER}")


def mended(army: Army, breach: LimitGauge) -> ArmyList:
    """The list after the repair of a breach."""
    army_list = army.army_list
    for change in breach.repair:
        count = army_list.count(change.unit) + change.change
        army_list = army_list.changed(change.unit, count, army.catalog)
    return army_list


def worse(before: list[LimitGauge], after: list[LimitGauge]) -> list[LimitGauge]:
    """The limits that a change breaks, or breaks further; waived limits are left out."""
    excess_before = {(gauge.limit.id, gauge.unit): gauge.excess for gauge in before}
    worsened = []
    for gauge in not_waived(after):
        if gauge.excess > excess_before.get((gauge.limit.id, gauge.unit), 0):
            worsened.append(gauge)
    return worsened


def in_turn(breaches: list[LimitGauge], front: int) -> list[LimitGauge]:
    """Active breaches, then waived ones. The active ones begin with that of index ``front`` and go
    round; an index beyond them is counted round as well."""
    broken = not_waived(breaches)
    waived = [gauge for gauge in breaches if gauge.is_waived]
    if not broken:
        return waived
    first = front % len(broken)
    return [*broken[first:], *broken[:first], *waived]
