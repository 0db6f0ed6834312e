"""What an army's builder shows before and after each change: advice, never a refusal. Whether an
army is legal is in ``breaches``."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

import msgspec

from skirmish.games.plastic.rules.army import Army, ArmyList, LimitGauge, gauges
from skirmish.games.plastic.rules.breaches import Breach, standing
from skirmish.games.plastic.rules.catalog import UnitType, Work

Shelf = Literal["guys", "unarmored", "armored", "works", "notes", "elsewhere", "not_sold"]
"""Where a piece stands in the list: the ordinary ones by kind, those of the designer's notes,
those of another nation, and those that no army of the basic game may buy."""

SHELVES: tuple[Shelf, ...] = get_args(Shelf)
FILLER = "rifle_guy"
"""The tag of the unit that takes the points nobody else wants."""
MOST_RIFLES = Fraction(2, 5)
"""The share of the points up to which ``fill`` buys riflemen, those that are there included."""
FEW_RIFLES = 20
MIXED = (
    ("machinegun", Fraction(1, 8)), ("mortar", Fraction(1, 20)), ("bazooka", Fraction(1, 20)),
    ("grenade", Fraction(1, 20)), ("engineer", Fraction(1, 33)), ("sniper", Fraction(1, 50)),
    ("tank", Fraction(1, 5)), ("cannon", Fraction(1, 12)), ("halftrack", Fraction(1, 16)),
)  # fmt: skip
"""What ``fill`` buys before riflemen, in this order, and up to which share of the points."""


class LimitLine(msgspec.Struct, frozen=True, kw_only=True):
    """A unit or a work as it is offered: how many more every limit allows, and which limit is the
    first to be full."""

    piece: UnitType | Work
    shelf: Shelf
    count: int
    more: int
    full_first: LimitGauge
    free: int = 0


class LimitTally(msgspec.Struct, frozen=True):
    broken: int
    to_do: int
    waived: int

    @property
    def words(self) -> str:
        if self.broken:
            return f"{_limits(self.broken)} broken"
        if self.to_do:
            return f"{_limits(self.to_do)} to meet"
        return f"legal, {self.waived} waived" if self.waived else "legal"


def _limits(count: int) -> str:
    return "1 limit" if count == 1 else f"{count} limits"


def offered(army: Army) -> list[LimitLine]:
    watching = _watching(army)
    lines = [_line(army, piece, watching) for piece in army.catalog.pieces.values()]
    shown = [line for line in lines if line.shelf != "not_sold" or line.count]
    return sorted(shown, key=lambda line: SHELVES.index(line.shelf))


def room(army: Army, piece: str) -> tuple[int, LimitGauge]:
    return _tightest(piece, _watching(army))


def fill(army: Army) -> ArmyList:
    """The army with its points spent: what a mixed army lacks, then riflemen, up to
    ``most_rifles``."""
    rifle = _rifle(army)
    cap = max(most_rifles(army), army.listed.count(rifle))

    def left() -> int:
        return army.budget - army.spent

    def buy(unit: str, wanted: int, keep: int) -> None:
        nonlocal army
        count = min(wanted, room(army, unit)[0], (left() - keep) // army.price(unit))
        if count > 0:
            listed = army.listed.changed(unit, army.listed.count(unit) + count, army.catalog)
            army = msgspec.structs.replace(army, listed=listed)

    for unit, share in MIXED:
        guys = next(gauge for gauge in gauges(army) if gauge.limit.is_least)
        some = cap // 2 - army.listed.count(rifle)  # riflemen there shall be
        keep = max(some, 0 if unit in guys.weights else int(guys.allowed - guys.have))
        price = army.price(unit)
        wanted = max(1, int(army.budget * share) // price) - army.listed.count(unit)
        buy(unit, wanted, keep)
    spent = -1
    while (over := left() - (cap - army.listed.count(rifle))) > 0 and army.spent != spent:
        spent = army.spent
        for unit, _ in MIXED:
            buy(unit, max(1, over // (len(MIXED) * army.price(unit))), 0)
            over = left() - (cap - army.listed.count(rifle))
            if over <= 0:
                break
    buy(rifle, cap - army.listed.count(rifle), 0)
    return army.listed


def most_rifles(army: Army) -> int:
    return max(FEW_RIFLES, int(army.budget * MOST_RIFLES) // army.price(_rifle(army)))


def _rifle(army: Army) -> str:
    return next(unit.id for unit in army.catalog.units.values() if FILLER in unit.tags)


def grouped(army: Army, at: int) -> list[LimitLine]:
    """The units that group number ``at`` may take: ``count`` and ``free`` are those in it, ``more``
    those in no group."""
    listed, group = army.listed, army.listed.groups[at]
    free = army.free_with(group.units)
    return [
        msgspec.structs.replace(
            line,
            count=group.units.get(line.piece.id, 0),
            more=line.count - listed.grouped(line.piece.id),
            free=free.get(line.piece.id, 0),
        )
        for line in offered(army)
        if isinstance(line.piece, UnitType)
    ]


def mended(army: Army, breach: Breach) -> ArmyList:
    listed = army.listed
    for change in breach.repair:
        listed = listed.changed(
            change.unit, listed.count(change.unit) + change.change, army.catalog
        )
    return listed


def worse(before: list[Breach], after: list[Breach]) -> list[Breach]:
    """What a change has broken, or broken further; what the table waives is no news."""
    known = {(breach.limit, breach.unit): _excess(breach) for breach in before}
    return [
        breach
        for breach in standing(after)
        if _excess(breach) > known.get((breach.limit, breach.unit), Fraction(0))
    ]


def in_turn(found: list[Breach], front: int) -> list[Breach]:
    stand = standing(found)
    at = front % len(stand) if stand else 0
    waived = [breach for breach in found if breach.override is not None]
    return stand[at:] + stand[:at] + waived


def to_do(breach: Breach, army: Army) -> bool:
    """Whether a breach is only not met yet: it asks for a least, and the points are there."""
    limit = next(limit for limit in army.catalog.limits if limit.id == breach.limit)
    return limit.is_least and _affordable(breach.allowed - breach.have, army)


def tally(army: Army) -> LimitTally:
    broken = still = waived = 0
    for gauge in gauges(army):
        if gauge.kept:
            continue
        if gauge.limit.id in army.listed.overrides:
            waived += 1
        elif gauge.limit.is_least and _affordable(gauge.allowed - gauge.have, army):
            still += 1
        else:
            broken += 1
    return LimitTally(broken, still, waived)


def _line(army: Army, piece: UnitType | Work, watching: list[LimitGauge]) -> LimitLine:
    more, tightest = _tightest(piece.id, watching)
    return LimitLine(
        piece=piece,
        shelf=_shelf(piece, watching),
        count=army.listed.count(piece.id),
        more=more,
        full_first=tightest,
        free=army.free.get(piece.id, 0),
    )


def _watching(army: Army) -> list[LimitGauge]:
    """Every limit that a further piece can break. One that watches each type is there for all of
    them: the army is measured with one more of everything, which is taken off again."""
    catalog, listed = army.catalog, army.listed
    one_more = msgspec.structs.replace(
        listed,
        units={unit: listed.units.get(unit, 0) + 1 for unit in catalog.units},
        works={work: listed.works.get(work, 0) + 1 for work in catalog.works},
    )
    return [
        msgspec.structs.replace(gauge, have=gauge.have - sum(gauge.weights.values()))
        for gauge in gauges(msgspec.structs.replace(army, listed=one_more))
        if not gauge.limit.is_least
    ]


def _tightest(piece: str, watching: list[LimitGauge]) -> tuple[int, LimitGauge]:
    """The budget counts everything, so there is always one; of equals, the first."""
    rooms = [(gauge.room(piece), index) for index, gauge in enumerate(watching)]
    more, index = min((more, index) for more, index in rooms if more is not None)
    return more, watching[index]


def _shelf(piece: UnitType | Work, watching: list[LimitGauge]) -> Shelf:
    for gauge in watching:
        if gauge.unit == piece.id and gauge.limit.most == 0:
            return "elsewhere" if gauge.limit.only_with_nations else "not_sold"
    if piece.shelf == "scenario":
        return "not_sold"
    if piece.shelf == "notes":
        return "notes"
    if isinstance(piece, Work):
        return "works"
    return "guys" if piece.kind == "guy" else piece.kind


def _affordable(points: Fraction, army: Army) -> bool:
    return points <= army.budget - army.spent


def _excess(breach: Breach) -> Fraction:
    return abs(breach.have - breach.allowed)
