"""Advice of the army builder before and after each change; it never refuses. Legality is checked in
``breaches``."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

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
FILLER = "rifle_guy"
"""The tag of the unit bought with leftover points."""
MOST_RIFLES = Fraction(2, 5)
"""The share of the points up to which ``fill`` buys riflemen, including those in the army."""
FEW_RIFLES = 20
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


def verdict(army: Army) -> tuple[LimitState, str]:
    """The state of the army's worst limit, and its text."""
    states = Counter(gauge.state for gauge in gauges(army))
    worst: tuple[tuple[LimitState, str], ...] = (("broken", "broken"), ("to_do", "to meet"))
    for state, what in worst:
        if count := states[state]:
            return state, f"{count} limit{'s' * (count > 1)} {what}"
    waived = states["waived"]
    return "met", f"legal, {waived} waived" if waived else "legal"


def offered(army: Army, at: int | None = None) -> list[PieceOffer]:
    """The pieces that the army may buy, or that its group number ``at`` may take, by section."""
    listed, watching = army.listed, further(army)
    group = None if at is None else listed.groups[at]
    free = army.free if group is None else army.free_with(group.units)
    offers = []
    for id, piece in army.catalog.pieces.items():
        more, first = _tightest(id, watching)
        count, section = listed.count(id), _section(piece, watching)
        if section == "not_sold" and not count:
            continue
        if group is None:
            offers.append(PieceOffer(piece, section, count, free.get(id, 0), more, first))
        elif isinstance(piece, UnitType):
            own, rest = group.units.get(id, 0), count - listed.grouped(id)
            offers.append(PieceOffer(piece, section, own, free.get(id, 0), rest, first))
    return sorted(offers, key=lambda offer: [*SECTIONS].index(offer.section))


def room(army: Army, piece: str) -> tuple[int, LimitGauge]:
    return _tightest(piece, further(army))


def _tightest(piece: str, watching: list[LimitGauge]) -> tuple[int, LimitGauge]:
    """The first limit to fill up. There always is one, since the budget counts every piece."""
    rooms = ((gauge.room(piece), gauge) for gauge in watching)
    return min(
        ((more, gauge) for more, gauge in rooms if more is not None), key=lambda found: found[0]
    )


def _section(piece: UnitType | Work, watching: list[LimitGauge]) -> str:
    for gauge in watching:
        if gauge.unit == piece.id and gauge.limit.most == 0:
            return "elsewhere" if gauge.limit.only_with_nations else "not_sold"
    sections = {"rules": piece.kind, "scenario": "not_sold", "notes": "notes"}
    return sections[piece.source]


def fill(army: Army) -> ArmyList:
    """The army with its points spent: first what a mixed army lacks, then riflemen, up to
    ``most_rifles``."""
    rifle = _rifle(army)
    cap = max(most_rifles(army), army.listed.count(rifle))
    rifle_price = army.price(rifle)

    def lacking() -> int:
        """Riflemen still to be bought."""
        return cap - army.listed.count(rifle)

    def left() -> int:
        """Points."""
        return army.budget - army.spent

    def to_spare() -> int:
        """Points that the riflemen still to be bought leave for others."""
        return left() - lacking() * rifle_price

    def buy(unit: str, wanted: int, reserve: int = 0) -> None:
        nonlocal army
        count = min(wanted, room(army, unit)[0], (left() - reserve) // army.price(unit))
        if count > 0:
            listed = army.listed.changed(unit, army.listed.count(unit) + count, army.catalog)
            army = replace(army, listed=listed)

    for unit, share in MIXED:
        guys = next(gauge for gauge in gauges(army) if gauge.limit.is_least)
        # Half of the riflemen, and what must be spent on guys, are not spent on others.
        reserve = (cap // 2 - army.listed.count(rifle)) * rifle_price
        if unit not in guys.weights:
            reserve = max(reserve, int(guys.allowed - guys.have))
        reserve = max(reserve, 0)
        wanted = max(1, int(army.budget * share) // army.price(unit)) - army.listed.count(unit)
        buy(unit, wanted, reserve)
    spent = -1
    while to_spare() > 0 and army.spent != spent:
        spent = army.spent
        for unit, _ in MIXED:
            if to_spare() > 0:
                an_equal_share = to_spare() // (len(MIXED) * army.price(unit))
                buy(unit, max(1, an_equal_share))
    buy(rifle, lacking())
    return army.listed


def most_rifles(army: Army) -> int:
    return max(FEW_RIFLES, int(army.budget * MOST_RIFLES) // army.price(_rifle(army)))


def _rifle(army: Army) -> str:
    return next(unit.id for unit in army.catalog.units.values() if FILLER in unit.tags)


def mended(army: Army, breach: LimitGauge) -> ArmyList:
    listed = army.listed
    for one in breach.repair:
        listed = listed.changed(one.unit, listed.count(one.unit) + one.change, army.catalog)
    return listed


def worse(before: list[LimitGauge], after: list[LimitGauge]) -> list[LimitGauge]:
    """The limits that a change breaks, or breaks further; waived limits are left out."""
    known = {(gauge.limit.id, gauge.unit): gauge.excess for gauge in before}
    return [g for g in not_waived(after) if g.excess > known.get((g.limit.id, g.unit), 0)]


def in_turn(found: list[LimitGauge], front: int) -> list[LimitGauge]:
    """Active breaches, number ``front`` of them first; then waived ones."""
    broken = not_waived(found)
    at = front % len(broken) if broken else 0
    return broken[at:] + broken[:at] + [gauge for gauge in found if gauge.override is not None]
