"""The purchase limits of an army: the gauge of each limit, and the smallest change that repairs a
breach.

Smallest is: fewest pieces, then fewest points, and no other breach. Removing pieces can break only
the limit with a minimum (points of guys), and adding guys only the budget and the limits on their
own type; so a repair removes pieces, adds guys, and removes pieces to pay for those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, groupby
from typing import Literal, NamedTuple

import msgspec

from skirmish.games.plastic.rules.army import MOST_POINTS, Army
from skirmish.games.plastic.rules.catalog import Counts, Limit, UnitType, plural, together

LimitState = Literal["met", "waived", "to_do", "broken"]
"""``to_do``: a minimum is not reached yet, and the points for it are available."""


class Change(msgspec.Struct, frozen=True):
    unit: str
    change: int


class LimitGauge(msgspec.Struct, frozen=True):
    """One limit of ``army``: ``have`` against ``allowed``, in points or pieces. ``unit`` is set if
    the limit applies to each type. ``weights`` holds the weight of each piece; ``points`` are its
    basis (P47). Gauges from `breaches` have a ``repair`` (empty: only removing the whole army would
    do)."""

    army: Army
    limit: Limit
    unit: str | None
    have: Fraction
    allowed: Fraction
    weights: dict[str, Fraction]
    points: int
    repair: tuple[Change, ...] = ()

    @property
    def met(self) -> bool:
        return self.have >= self.allowed if self.limit.is_least else self.have <= self.allowed

    @property
    def excess(self) -> Fraction:
        return Fraction(0) if self.met else abs(self.have - self.allowed)

    @property
    def override(self) -> str | None:
        """The reason for waiving the limit, if it is waived."""
        return self.army.listed.overrides.get(self.limit.id)

    @property
    def state(self) -> LimitState:
        if self.met:
            return "met"
        if self.override is not None:
            return "waived"
        affordable = self.excess <= self.army.budget - self.army.spent
        return "to_do" if self.limit.is_least and affordable else "broken"

    @property
    def label(self) -> str:
        if self.unit is None or self.limit.units == (self.unit,):
            return self.limit.title
        piece = self.army.catalog.pieces[self.unit]
        return piece.short if isinstance(piece, UnitType) else piece.name

    @property
    def message(self) -> str:
        """The breach as a sentence."""
        catalog = self.army.catalog
        who = plural(catalog.pieces[self.unit].name) if self.unit else self.limit.title.lower()
        return self.limit.broken.format(
            who=who,
            have=whole_or_half(self.have),
            allowed=whole_or_half(self.allowed),
            by=whole_or_half(self.excess),
            points=self.points,
            owners=self.owners,
        )

    @property
    def owners(self) -> str:
        """``Germans``, who are exempt from the limit."""
        nations = self.army.catalog.nations
        return " and ".join(nations[name].people for name in self.limit.not_for)

    def room(self, piece: str) -> int | None:
        """How many more of ``piece`` fit, or None if the limit does not count it."""
        weight = self.weights.get(piece)
        if not weight or self.limit.is_least:
            return None
        return max(0, (self.allowed - self.have) // weight)


def gauges(army: Army) -> list[LimitGauge]:
    """All limits that apply, in the order of the data; a limit on each type gives a gauge for each
    type in the army."""
    points = army.budget if army.rulings["P47"] == "with_bonus" else army.listed.points
    nation, found = army.listed.nation, []
    for limit in army.catalog.limits:
        if (limit.only_with_nations and nation is None) or nation in limit.not_for:
            continue
        by = army.budget if limit.with_bonus else points
        allowed = limit.bound(by, army.rulings["P79"])
        for unit, pieces in _watched(limit, army):
            priced = {piece: Fraction(army.price(piece)) for piece in pieces}
            weights = priced if limit.measure == "points" else pieces
            have = sum((army.listed.count(p) * w for p, w in weights.items()), Fraction(0))
            found.append(LimitGauge(army, limit, unit, have, allowed, weights, by))
    return found


def _watched(limit: Limit, army: Army) -> Iterator[tuple[str | None, dict[str, Fraction]]]:
    catalog, one = army.catalog, Fraction(1)
    if limit.of == "everything":
        yield None, dict.fromkeys(catalog.pieces, one)
    elif limit.of == "guys":
        yield None, {u.id: one for u in catalog.units.values() if u.is_guy}
    elif limit.of == "units":
        also = [one.units for one in limit.also if one.holds(army.rulings)]
        whole = dict.fromkeys(chain(limit.units, *also), one)
        yield None, whole | dict.fromkeys(limit.halves, Fraction(1, 2))
    else:
        guys = [u.id for u in catalog.units.values() if u.is_guy and u.id not in limit.without]
        for piece in catalog.pieces:
            if army.listed.count(piece) and piece in (limit.units if limit.of == "each" else guys):
                yield piece, {piece: one}


def further(army: Army) -> list[LimitGauge]:
    """All limits that another piece can break. To include limits on each type for all types, the
    army is measured with one more of everything, which is then subtracted."""
    catalog, listed = army.catalog, army.listed
    one_more = msgspec.structs.replace(
        listed,
        units={unit: listed.count(unit) + 1 for unit in catalog.units},
        works={work: listed.count(work) + 1 for work in catalog.works},
    )
    return [
        msgspec.structs.replace(gauge, have=gauge.have - sum(gauge.weights.values()))
        for gauge in gauges(msgspec.structs.replace(army, listed=one_more))
        if not gauge.limit.is_least
    ]


def is_legal(army: Army) -> bool:
    return all(gauge.met or gauge.override is not None for gauge in gauges(army))


def not_waived(found: Iterable[LimitGauge]) -> list[LimitGauge]:
    """The broken limits that are not waived."""
    return [gauge for gauge in found if gauge.override is None]


def whole_or_half(value: Fraction) -> str:
    return f"{float(value):g}" if value.denominator > 1 else str(value)


def mend(repair: tuple[Change, ...], army: Army) -> str:
    """``remove 1 Tank, add 2 Rifle Guys``"""
    known = army.catalog.pieces
    lines = []
    for added, changes in groupby(repair, key=lambda one: one.change > 0):
        some = (known[one.unit].named(abs(one.change)) for one in changes)
        lines.append(f"{'add' if added else 'remove'} {', '.join(some)}")
    return ", ".join(lines)


# ------------------------------------------------------------------ repairs


def breaches(army: Army, added: Sequence[Counts] = ()) -> list[LimitGauge]:
    """The broken limits with their repairs, waived ones included. ``added`` lists what was added
    since the last change, since the last two, and so on."""
    measured = gauges(army)
    repairs = Repairs(measured, army, added)
    return [
        msgspec.structs.replace(gauge, repair=repairs.of(gauge))
        for gauge in measured
        if not gauge.met
    ]


class Offer(NamedTuple):
    """Pieces that can be removed (``step``: added): weight in the limit, price, number."""

    piece: str
    weight: int
    price: int
    most: int
    step: Literal[-1, 1] = -1


class Pick(NamedTuple):
    pieces: int = 0
    points: int = 0
    changes: tuple[tuple[str, int], ...] = ()

    def more(self, offer: Offer, count: int) -> Pick:
        changes = ((offer.piece, offer.step * count), *self.changes)
        return Pick(self.pieces + count, self.points + offer.price * count, changes)


FAR, SPARE = 256, 10
"""For a goal more than ``FAR`` away, the heaviest pieces are taken without a search, except
``SPARE`` of each kind: they make the fewest. In armies of thousands a smaller pick is not ruled out
by proof."""


def smallest_picks(
    low: int, high: int, offers: Sequence[Offer], *, just: bool = False
) -> dict[int, Pick | None]:
    """For each goal from ``low`` to ``high``, the smallest pick that weighs at least as much (or
    exactly, with ``just``): a knapsack over integer weights."""
    offers = [offer for offer in offers if offer.weight > 0]
    unseen, short, left = Pick(), low - FAR, {offer.piece: offer.most for offer in offers}
    for offer in sorted(offers, key=lambda offer: (-offer.weight, offer.price)):
        count = max(0, min(offer.most, short // offer.weight))
        short -= offer.weight * count
        unseen = unseen.more(offer, sure := max(0, count - SPARE))
        left[offer.piece] -= sure
        if count < offer.most:
            break
    weight = sum(offer.weight * (offer.most - left[offer.piece]) for offer in offers)
    most = max(0, high - weight)
    best: list[Pick | None] = [unseen] + [None] * most
    for offer in offers:
        for count in _bundles(min(left[offer.piece], -(-most // offer.weight))):
            heavy, points = offer.weight * count, offer.price * count
            for goal in range(most, heavy - 1 if just else 0, -1):
                now, before = best[goal], best[max(0, goal - heavy)]
                if before and (
                    now is None or (before.pieces + count, before.points + points) < now[:2]
                ):
                    best[goal] = before.more(offer, count)
    return {goal: best[max(0, goal - weight)] for goal in range(low, high + 1)}


def _bundles(count: int) -> Iterator[int]:
    """Pieces in bundles of 1, 2, 4, …, which can be combined into any smaller number."""
    size = 1
    while count > 0:
        yield min(size, count)
        count -= size
        size *= 2


def _sum(*picks: Pick | None) -> Pick | None:
    """The union of all picks; None if one is None."""
    found = [pick for pick in picks if pick]
    if len(found) < len(picks):
        return None
    changes = tuple(change for pick in found for change in pick.changes)
    return Pick(sum(pick.pieces for pick in found), sum(pick.points for pick in found), changes)


def _smallest(picks: Iterable[Pick | None]) -> Pick | None:
    return min(filter(None, picks), key=lambda pick: pick[:2], default=None)


_AROUND = 160
"""The search window for a repair of the budget, around the points that guys give when the heaviest
pieces go first: five times the dearest piece. This covers all the points of guys in a usual army;
in an army of thousands a smaller repair outside it is not ruled out by proof."""


class Repairs:
    """``measured`` are all gauges of the army; ``added`` as in `breaches`."""

    def __init__(self, measured: Sequence[LimitGauge], army: Army, added: Sequence[Counts]) -> None:
        self._army = army
        self._added = added
        self._counts = army.listed.pieces
        self._guys = next(gauge for gauge in measured if gauge.limit.is_least)
        self._room = max(0, army.budget - army.spent)
        self._slack = int(max(Fraction(0), self._guys.have - self._guys.allowed))
        self._dearest = max(army.price(piece) for piece in self._guys.weights)

    def of(self, gauge: LimitGauge) -> tuple[Change, ...]:
        """The repair of a gauge; the last additions are removed first. No army is emptied to be
        within its points (``()``)."""
        pick = self._of(gauge) or Pick()
        total = together({piece: change} for piece, change in pick.changes)
        if gauge.limit.of == "everything" and not sum([*self._counts.values(), *total.values()]):
            return ()
        return tuple(Change(piece, change) for piece, change in total.items() if change)

    def _of(self, gauge: LimitGauge) -> Pick | None:
        if gauge.limit.is_least:
            return self._guys_in(Pick(), int(gauge.excess), self._room)
        scale = 2 if gauge.limit.halves else 1
        need = int(gauge.excess * scale)
        offers = [
            Offer(piece, int(weight * scale), self._army.price(piece), self._counts.get(piece, 0))
            for piece, weight in gauge.weights.items()
        ]
        if out := self._taken_back(need, offers):
            return out
        out = smallest_picks(need, need, offers)[need] or Pick()
        lost = self._guys_lost(out)
        if lost <= self._slack:
            return out
        if gauge.limit.of == "everything":
            return self._within_budget(need, offers)
        return self._guys_in(out, lost - self._slack if self._guys.met else 0, self._room + lost)

    def _taken_back(self, need: int, offers: Sequence[Offer]) -> Pick | None:
        """The last additions, as many changes back as needed; None if guys cannot be spared."""
        for added in self._added:
            late = [one._replace(most=min(one.most, added.get(one.piece, 0))) for one in offers]
            if out := smallest_picks(need, need, late)[need]:
                return out if self._guys_lost(out) <= self._slack else None
        return None

    def _within_budget(self, need: int, offers: Sequence[Offer]) -> Pick | None:
        """Removes points; guys give only their slack, and more only in exchange for cheaper
        guys."""
        low, high = self._given_by_guys(need, offers)
        guys = [offer for offer in offers if offer.piece in self._guys.weights]
        outs = smallest_picks(low, high + self._dearest, guys, just=True)
        backs = smallest_picks(0, self._dearest, self._addable(), just=True)
        hard = [offer for offer in offers if offer not in guys]
        others = smallest_picks(need - high, need - low, hard)
        return _smallest(
            _sum(others[need - given], back, outs[given + points])
            for points, back in backs.items()
            for given in range(low, high + 1)
        )

    def _given_by_guys(self, need: int, offers: Iterable[Offer]) -> tuple[int, int]:
        """The range of points that guys give in a repair of the budget: around those given if the
        heaviest pieces go first."""
        given = 0
        for offer in sorted(offers, key=lambda offer: -offer.weight):
            count = min(offer.most, -(-need // offer.weight)) if need > 0 and offer.weight else 0
            if offer.piece in self._guys.weights:
                count = min(count, (self._slack - given) // offer.weight)
                given += count * offer.weight
            need -= count * offer.weight
        return max(0, given - _AROUND), min(self._slack, given + _AROUND)

    def _guys_in(self, out: Pick, short: int, room: int) -> Pick | None:
        """``out`` plus guys for at least ``short`` points; removes more if the budget has no
        ``room``."""
        if short <= 0:
            return out
        gone, high = dict(out.changes), short + self._dearest - 1
        paying = [
            Offer(piece, price := self._army.price(piece), price, count)
            for piece, count in self._counts.items()
            if piece not in self._guys.weights and piece not in gone
        ]
        addable = [offer for offer in self._addable() if offer.piece not in gone]
        added = smallest_picks(short, high, addable, just=True)
        paid = smallest_picks(short - room, high - room, paying)
        ways = (_sum(out, pick, paid[points - room]) for points, pick in added.items())
        return _smallest(ways) or out

    def _addable(self) -> list[Offer]:
        """The guys that can be added within the limits on their own type."""
        own = [one for one in further(self._army) if one.limit.of not in ("everything", "guys")]
        offers = []
        for piece in self._guys.weights:
            if self._army.catalog.units[piece].source != "scenario":
                price, rooms = self._army.price(piece), (gauge.room(piece) for gauge in own)
                most = min((room for room in rooms if room is not None), default=MOST_POINTS * 2)
                offers.append(Offer(piece, price, price, most, step=1))
        return offers

    def _guys_lost(self, out: Pick) -> int:
        guys = self._guys.weights
        return sum(self._army.price(piece) * -n for piece, n in out.changes if piece in guys)
