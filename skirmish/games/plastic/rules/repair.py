"""The smallest repair of a broken limit: fewest pieces, then fewest points, and no other breach.

Taking pieces out can break only the limit that asks for a least (points of guys), and adding guys
only the budget and limits on their own type; so a repair is pieces out, guys in, and pieces out to
pay for those.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.fewest import Counts, Offer, exactly, fewest
from skirmish.games.plastic.rules.gauges import Gauge, gauges


class Change(msgspec.Struct, frozen=True):
    """One line of a repair: so many more (or, negative, fewer) of a unit or work."""

    unit: str
    change: int


def repair(gauge: Gauge, standing: Sequence[Gauge], army: Army) -> tuple[Change, ...]:
    """What mends ``gauge``, a broken one of ``standing``, which are all of the army's."""
    return _Repair(standing, army).of(gauge)


class _Repair:
    """An army's limits as a repair must keep them."""

    def __init__(self, standing: Sequence[Gauge], army: Army) -> None:
        self._army = army
        self._guys = next(gauge for gauge in standing if gauge.limit.is_least)
        budget = next(gauge for gauge in standing if gauge.limit.of == "everything")
        self._room = int(max(Fraction(0), budget.allowed - budget.have))
        self._slack = int(max(Fraction(0), self._guys.have - self._guys.allowed))

    def of(self, gauge: Gauge) -> tuple[Change, ...]:
        """The repair of one gauge."""
        if gauge.limit.is_least:
            return _changes({}, *self._guys_in(int(gauge.allowed - gauge.have), self._room, ()))
        scale = 2 if gauge.limit.halves else 1
        need = int((gauge.have - gauge.allowed) * scale)
        offers = [
            Offer(piece, int(weight * scale), self._army.price(piece), self._count(piece))
            for piece, weight in gauge.weights.items()
        ]
        out = fewest(need, offers) or {}
        lost = self._points((p, count) for p, count in out.items() if p in self._guys.weights)
        if lost <= self._slack:
            return _changes(out)
        if gauge.limit.of == "everything":
            return self._within_budget(need, offers)
        short = lost - self._slack if self._guys.kept else 0
        return _changes(out, *self._guys_in(short, self._room + lost, tuple(out)))

    def _within_budget(self, need: int, offers: list[Offer]) -> tuple[Change, ...]:
        """Points out, where guys may give only their slack, and more only for cheaper guys in."""
        soft = [offer for offer in offers if offer.piece in self._guys.weights]
        hard = [offer for offer in offers if offer.piece not in self._guys.weights]
        dearest = max(offer.price for offer in soft)
        best: tuple[tuple[int, int], Counts, Counts] | None = None
        for points in range(dearest + 1):
            back = exactly(points, self._addable(points, ()))
            most = min(self._slack + points, need + points + dearest)
            out = fewest(need + points, hard, soft, most)
            if back is None or out is None or back.keys() & out.keys():
                continue
            size = (
                sum(back.values()) + sum(out.values()),
                self._points(back.items()) + self._points(out.items()),
            )
            if best is None or size < best[0]:
                best = (size, out, back)
        return () if best is None else _changes(best[1], best[2])

    def _guys_in(self, short: int, room: int, without: tuple[str, ...]) -> tuple[Counts, Counts]:
        """Guys for at least ``short`` points; what goes out where the budget has no ``room``."""
        if short <= 0:
            return {}, {}
        paying = [
            Offer(piece, self._army.price(piece), self._army.price(piece), count)
            for piece, count in {**self._army.listed.units, **self._army.listed.works}.items()
            if piece not in self._guys.weights and piece not in without
        ]
        best: tuple[tuple[int, int], Counts, Counts] | None = None
        dearest = max(self._army.price(piece) for piece in self._guys.weights)
        offers = self._addable(short + dearest, without)
        for points in range(short, short + dearest):
            added = exactly(points, offers)
            out = fewest(points - room, paying)
            if added is None or out is None:
                continue
            size = (
                sum(added.values()) + sum(out.values()),
                points + self._points(out.items()),
            )
            if best is None or size < best[0]:
                best = (size, added, out)
        return ({}, {}) if best is None else (best[1], best[2])

    def _addable(self, points: int, without: tuple[str, ...]) -> list[Offer]:
        """Guys that can be added without breaking a limit of their own type."""
        offers = []
        for piece in self._guys.weights:
            if piece in without or self._army.catalog.units[piece].shelf == "scenario":
                continue
            price = self._army.price(piece)
            most = self._room_for(piece)
            offers.append(Offer(piece, price, price, points if most is None else most))
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
