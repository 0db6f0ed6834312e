"""The smallest repair of a broken limit: fewest pieces, then fewest points, and no other breach.

Taking pieces out can break only the limit that asks for a least (points of guys), and adding guys
only the budget and limits on their own type; so a repair is pieces out, guys in, and pieces out to
pay for those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product

import msgspec

from skirmish.games.plastic.rules.army import MOST_POINTS, Army
from skirmish.games.plastic.rules.fewest import Counts, Offer, exactly, fewest, reaching
from skirmish.games.plastic.rules.gauges import Gauge, gauges


class Change(msgspec.Struct, frozen=True):
    """One line of a repair: so many more (or, negative, fewer) of a unit or work."""

    unit: str
    change: int


_AROUND = 160
"""How far from the points that guys would give, the heaviest pieces going first, a repair of the
budget is looked for: five times the dearest piece. That covers all the points that guys can give
in a usual army; in an army of thousands a smaller repair further off is not ruled out by proof."""


class Repairs:
    """What would mend each broken limit of one army. ``measured`` are all of its gauges; ``added``
    is what came to it since its last change, since the last two, and so on."""

    def __init__(self, measured: Sequence[Gauge], army: Army, added: Sequence[Counts] = ()) -> None:
        self._army = army
        self._added = added
        self._guys = next(gauge for gauge in measured if gauge.limit.is_least)
        budget = next(gauge for gauge in measured if gauge.limit.of == "everything")
        self._room = int(max(Fraction(0), budget.allowed - budget.have))
        self._slack = int(max(Fraction(0), self._guys.have - self._guys.allowed))

    def of(self, gauge: Gauge) -> tuple[Change, ...]:
        """The smallest repair of one of the gauges, a broken one: what was added last goes first.
        No army is emptied to be within its points: these are too few then."""
        found = self._of(gauge)
        leaves = sum((*self._army.listed.units.values(), *self._army.listed.works.values()))
        leaves += sum(change.change for change in found)
        return found if leaves or gauge.limit.of != "everything" else ()

    def _of(self, gauge: Gauge) -> tuple[Change, ...]:
        if gauge.limit.is_least:
            return _changes({}, *self._guys_in(int(gauge.allowed - gauge.have), self._room, ()))
        scale = 2 if gauge.limit.halves else 1
        need = int((gauge.have - gauge.allowed) * scale)
        offers = [
            Offer(piece, int(weight * scale), self._army.price(piece), self._count(piece))
            for piece, weight in gauge.weights.items()
        ]
        if (out := self._taken_back(need, offers)) is not None:
            return _changes(out)
        out = fewest(need, offers) or {}
        lost = self._points((p, count) for p, count in out.items() if p in self._guys.weights)
        if lost <= self._slack:
            return _changes(out)
        if gauge.limit.of == "everything":
            return self._within_budget(need, offers)
        short = lost - self._slack if self._guys.kept else 0
        return _changes(out, *self._guys_in(short, self._room + lost, tuple(out)))

    def _taken_back(self, need: int, offers: Sequence[Offer]) -> Counts | None:
        """Pieces that were added last, as far back as it takes; None if guys cannot spare them."""
        for added in self._added:
            late = [
                offer._replace(most=min(offer.most, added.get(offer.piece, 0))) for offer in offers
            ]
            if sum(offer.weight * offer.most for offer in late) >= need:
                out = fewest(need, late) or {}
                lost = self._points((p, n) for p, n in out.items() if p in self._guys.weights)
                return out if lost <= self._slack else None
        return None

    def _within_budget(self, need: int, offers: list[Offer]) -> tuple[Change, ...]:
        """Points out, where guys may give only their slack, and more only for cheaper guys in."""
        soft = [offer for offer in offers if offer.piece in self._guys.weights]
        hard = [offer for offer in offers if offer.piece not in self._guys.weights]
        dearest = self._dearest
        low, high = self._given_by_guys(need, offers)
        outs = exactly(low, high + dearest, soft)
        backs = exactly(0, dearest, self._addable)
        others = reaching(need - high, need - low, hard)
        best: tuple[tuple[int, int], int, int] | None = None
        for points, given in product(range(dearest + 1), range(low, high + 1)):
            other, back = others.size(need - given), backs.size(points)
            out = outs.size(given + points)
            if other is None or out is None or back is None:
                continue
            size = (other[0] + out[0] + back[0], other[1] + out[1] + back[1])
            if best is None or size < best[0]:
                best = (size, given, points)
        if best is None:
            return ()
        _, given, points = best
        return _changes(
            others.counts(need - given), backs.counts(points), outs.counts(given + points)
        )

    def _given_by_guys(self, need: int, offers: Iterable[Offer]) -> tuple[int, int]:
        """Between which points guys share in a repair of the budget: around those that they would
        give if the heaviest pieces went first."""
        given, left = 0, need
        for offer in sorted(offers, key=lambda offer: -offer.weight):
            count = min(offer.most, -(-left // offer.weight)) if left > 0 and offer.weight else 0
            if offer.piece in self._guys.weights:
                count = min(count, (self._slack - given) // offer.weight)
                given += count * offer.weight
            left -= count * offer.weight
        return max(0, given - _AROUND), min(self._slack, given + _AROUND)

    def _guys_in(self, short: int, room: int, without: tuple[str, ...]) -> tuple[Counts, Counts]:
        """Guys for at least ``short`` points; what goes out where the budget has no ``room``."""
        if short <= 0:
            return {}, {}
        paying = [
            Offer(piece, self._army.price(piece), self._army.price(piece), count)
            for piece, count in {**self._army.listed.units, **self._army.listed.works}.items()
            if piece not in self._guys.weights and piece not in without
        ]
        high = short + self._dearest - 1
        added = exactly(short, high, [o for o in self._addable if o.piece not in without])
        out = reaching(short - room, high - room, paying)
        best: tuple[tuple[int, int], int] | None = None
        for points in range(short, high + 1):
            more, less = added.size(points), out.size(points - room)
            if more is None or less is None:
                continue
            size = (more[0] + less[0], more[1] + less[1])
            if best is None or size < best[0]:
                best = (size, points)
        return ({}, {}) if best is None else (added.counts(best[1]), out.counts(best[1] - room))

    @property
    def _dearest(self) -> int:
        return max(self._army.price(piece) for piece in self._guys.weights)

    @cached_property
    def _addable(self) -> list[Offer]:
        """Guys that can be added without breaking a limit of their own type."""
        offers = []
        for piece in self._guys.weights:
            if self._army.catalog.units[piece].shelf != "scenario":
                price = self._army.price(piece)
                most = self._room_for(piece)
                offers.append(Offer(piece, price, price, MOST_POINTS * 2 if most is None else most))
        return offers

    def _room_for(self, piece: str) -> int | None:
        """How many more of a guy type its own limits allow; None: as many as one likes."""
        count = self._count(piece)
        one_more = self._army.listed.changed(piece, count + 1, self._army.catalog)
        grown = gauges(msgspec.structs.replace(self._army, listed=one_more))
        rooms = [
            1 + (gauge.room(piece) or 0) if gauge.kept else 0
            for gauge in grown
            if piece in gauge.weights and gauge.limit.of not in ("everything", "guys")
        ]
        return min(rooms, default=None)

    def _count(self, piece: str) -> int:
        return self._army.listed.count(piece)

    def _points(self, counts: Iterable[tuple[str, int]]) -> int:
        return sum(self._army.price(piece) * count for piece, count in counts)


def _changes(
    out: Counts, added: Counts | None = None, paid: Counts | None = None
) -> tuple[Change, ...]:
    """Pieces out, guys in, and what goes out to pay for them, as one list."""
    total: Counts = {}
    for counts, sign in ((out, -1), (added or {}, 1), (paid or {}, -1)):
        for piece, count in counts.items():
            total[piece] = total.get(piece, 0) + sign * count
    return tuple(Change(piece, change) for piece, change in total.items() if change)
