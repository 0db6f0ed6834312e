"""Every broken purchase limit of an army, as a sentence, with the smallest change that mends it.

Smallest is: fewest pieces, then fewest points, and no other breach. Taking pieces out can break
only the limit that asks for a least (points of guys), and adding guys only the budget and limits on
their own type; so a repair is pieces out, guys in, and pieces out to pay for those.

The pieces are found by a knapsack over whole weights, for every goal of a span at once. Of very
many pieces most are taken unseen, the heaviest first, but for a margin within which the smallest
picks are proved to lie; so an army of thousands takes hardly longer than a small one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby, product
from operator import itemgetter
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.rules.army import MOST_POINTS, Army, LimitGauge, gauges
from skirmish.games.plastic.rules.catalog import Counts, plural, together


class Breach(msgspec.Struct, frozen=True, kw_only=True):
    """A broken limit. ``override`` is the reason for which the table lets it stand, if it does."""

    limit: str
    unit: str | None
    have: Fraction
    allowed: Fraction
    message: str
    repair: tuple[Change, ...]
    override: str | None = None


def breaches(army: Army, added: Sequence[Counts] = ()) -> list[Breach]:
    """Overridden ones included. ``added`` is what the last changes brought, for the repairs."""
    measured = gauges(army)
    repairs = Repairs(measured, army, added)
    return [
        Breach(
            limit=gauge.limit.id,
            unit=gauge.unit,
            have=gauge.have,
            allowed=gauge.allowed,
            message=_message(gauge, army),
            repair=repairs.of(gauge),
            override=army.listed.overrides.get(gauge.limit.id),
        )
        for gauge in measured
        if not gauge.kept
    ]


def is_legal(army: Army) -> bool:
    return all(gauge.kept or gauge.limit.id in army.listed.overrides for gauge in gauges(army))


def standing(found: Iterable[Breach]) -> list[Breach]:
    """Those that are broken without the table's leave."""
    return [breach for breach in found if breach.override is None]


def _message(gauge: LimitGauge, army: Army) -> str:
    limit = gauge.limit
    have, allowed = whole_or_half(gauge.have), whole_or_half(gauge.allowed)
    if limit.id == "budget":
        over = whole_or_half(gauge.have - gauge.allowed)
        return f"The army costs {have} points; {allowed} may be spent: {over} too many."
    if limit.id == "guys_third":
        short = whole_or_half(gauge.allowed - gauge.have)
        return f"Guys take {have} points; at least {allowed} (a third) are required: {short} more."
    if limit.id == "armor_half":
        return f"Tanks and armored cars take {have} points; at most {allowed} (half) are allowed."
    if limit.id == "guy_type_sixth":
        name = plural(army.catalog.units[gauge.unit or ""].name)
        return f"{name} take {have} points; one type of guy may take at most {allowed} (a sixth)."
    who = plural(army.catalog.pieces[gauge.unit].name) if gauge.unit else limit.title.lower()
    if gauge.unit and limit.most == 0:
        if limit.only_with_nations:
            owners = " and ".join(army.catalog.nations[n].people for n in limit.not_for)
            return f"Only the {owners} may have {who}; this army has {have}."
        return f"{who} cannot be bought for this game; this army has {have}."
    if gauge.unit:
        return f"{have} {who}: the limit is {allowed}."
    return f"{have} {who}: the limit for {gauge.points} points is {allowed}."


def whole_or_half(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def mend(repair: tuple[Change, ...], army: Army) -> str:
    """``remove 1 Tank, add 2 Rifle Guys``"""
    known = army.catalog.pieces
    lines = []
    for added, changes in groupby(repair, key=lambda one: one.change > 0):
        some = (known[one.unit].named(abs(one.change)) for one in changes)
        lines.append(f"{'add' if added else 'remove'} {', '.join(some)}")
    return ", ".join(lines)


# ------------------------------------------------------------------ repairs


_NONE: Counts = {}


class Offer(NamedTuple):
    """Pieces that may go: what one weighs in the limit, what it costs, how many there are."""

    piece: str
    weight: int
    price: int
    most: int


class _Pick(NamedTuple):
    """A way to reach some weight; the pieces as a linked list."""

    pieces: int
    points: int
    last: tuple[str, int, _Pick] | None


_NOTHING = _Pick(0, 0, None)


class SmallestPicks:
    """The smallest pick for each goal of a span: some pieces for certain, a table for the rest."""

    def __init__(
        self, sure: Counts, offers: Iterable[Offer], rest: Iterable[Offer], high: int, least: bool
    ) -> None:
        held = [(offer, sure.get(offer.piece, 0)) for offer in offers]
        self._sure = sure
        self._weight = sum(offer.weight * count for offer, count in held)
        self._size = (sum(sure.values()), sum(offer.price * count for offer, count in held))
        self._table = _tabled(max(0, high - self._weight), rest, least)

    def size(self, goal: int) -> tuple[int, int] | None:
        pick = self._pick(goal)
        return (self._size[0] + pick.pieces, self._size[1] + pick.points) if pick else None

    def counts(self, goal: int) -> dict[str, int]:
        counts = {piece: count for piece, count in self._sure.items() if count}
        pick = self._pick(goal) or _NOTHING
        while pick.last is not None:
            piece, count, pick = pick.last
            counts[piece] = counts.get(piece, 0) + count
        return counts

    def _pick(self, goal: int) -> _Pick | None:
        return self._table[max(0, goal - self._weight)]


def fewest(need: int, offers: Sequence[Offer]) -> Counts | None:
    """The smallest picks from ``offers`` whose weights reach ``need``, or None if nothing does."""
    found = reaching(need, need, offers)
    return found.counts(need) if found.size(need) else None


def reaching(low: int, high: int, offers: Sequence[Offer]) -> SmallestPicks:
    """The smallest picks that weigh at least each goal from ``low`` to ``high``.

    The heaviest pieces make the fewest. Another pick of as many may weigh less only by what those
    weigh too much, which is less than the lightest of them: so few pieces can be other ones.
    """
    given, offers = offers, _heaviest_first(offers)
    taken, heavy, spare = _greedy(low, offers)
    _, light, _ = _greedy(high, offers)
    lighter = [offer.weight for offer in offers if offer.weight < light]
    if light < heavy:
        spare = back = heavy - 1
    else:
        spare = spare if low == high else heavy - 1
        back = spare // (heavy - lighter[0]) if lighter else 0
    sure, rest = dict(taken), {}
    for offer in reversed(offers):
        most, count = offer.most, taken[offer.piece]
        if offer.weight > heavy:
            sure[offer.piece] = max(0, count - spare // (offer.weight - heavy))
        elif offer.weight == heavy:
            sure[offer.piece] = max(0, count - back)
            back -= count - sure[offer.piece]
        else:
            sure[offer.piece] = 0
            if offer.weight < light:
                most = min(most, spare // (light - offer.weight))
        rest[offer.piece] = offer._replace(most=most - sure[offer.piece])
    ordered = [rest[offer.piece] for offer in given if offer.piece in rest]
    return SmallestPicks(sure, offers, ordered, high, least=True)


def exactly(low: int, high: int, offers: Iterable[Offer]) -> SmallestPicks:
    """The smallest picks that weigh just each goal from ``low`` to ``high``, of offers that cost
    as they weigh.

    Of the heaviest first (the last one in part) a smallest pick is never further away, in pieces,
    than twice the heaviest weight and one (the proximity of integer programs).
    """
    offers = [offer for offer in offers if offer.weight > 0]
    margin = 2 * max((offer.weight for offer in offers), default=0) + 1
    taken, _, _ = _greedy(low, _heaviest_first(offers))
    sure = {piece: max(0, count - 1 - margin) for piece, count in taken.items()}
    rest = [offer._replace(most=offer.most - sure[offer.piece]) for offer in offers]
    return SmallestPicks(sure, offers, rest, high, least=False)


def _heaviest_first(offers: Iterable[Offer]) -> list[Offer]:
    return sorted((o for o in offers if o.weight > 0), key=lambda o: (-o.weight, o.price))


def _greedy(need: int, offers: Sequence[Offer]) -> tuple[Counts, int, int]:
    """The first pieces that reach ``need``, the weight of the last, and what is too much."""
    taken: dict[str, int] = {}
    last = offers[0].weight if offers else 1
    for offer in offers:
        count = max(0, min(offer.most, -(-need // offer.weight)))
        taken[offer.piece] = count
        if count:
            last = offer.weight
            need -= count * last
    return taken, last, max(0, -need)


def _tabled(most: int, offers: Iterable[Offer], least: bool) -> list[_Pick | None]:
    """For each weight up to ``most``, the smallest pick that weighs just that much, or at least."""
    best: list[_Pick | None] = [_NOTHING] + [None] * most
    for piece, weight, price, count in _bundles(offers, most):
        for goal in range(most, 0 if least else weight - 1, -1):
            before = best[max(0, goal - weight)]
            best[goal] = _smaller(best[goal], before, piece, price, count)
    return best


def _smaller(
    now: _Pick | None, before: _Pick | None, piece: str, price: int, count: int
) -> _Pick | None:
    if before is None:
        return now
    pieces, points = before.pieces + count, before.points + price
    if now is not None and (now.pieces, now.points) <= (pieces, points):
        return now
    return _Pick(pieces, points, (piece, count, before))


def _bundles(offers: Iterable[Offer], need: int) -> Iterator[tuple[str, int, int, int]]:
    """Each offer as bundles of 1, 2, 4, … pieces, as many as could ever be wanted."""
    for offer in offers:
        left = min(offer.most, -(-need // offer.weight))
        size = 1
        while left > 0:
            count = min(size, left)
            yield offer.piece, offer.weight * count, offer.price * count, count
            left -= count
            size *= 2


class Change(msgspec.Struct, frozen=True):
    unit: str
    change: int


_AROUND = 160
"""How far from the points that guys would give, the heaviest pieces going first, a repair of the
budget is looked for: five times the dearest piece. That covers all the points that guys can give
in a usual army; in an army of thousands a smaller repair further off is not ruled out by proof."""


class Repairs:
    """``measured`` are all gauges of the army; ``added`` is what came to it since its last change,
    since the last two, and so on."""

    def __init__(
        self, measured: Sequence[LimitGauge], army: Army, added: Sequence[Counts] = ()
    ) -> None:
        self._army = army
        self._added = added
        self._guys = next(gauge for gauge in measured if gauge.limit.is_least)
        budget = next(gauge for gauge in measured if gauge.limit.of == "everything")
        self._room = int(max(Fraction(0), budget.allowed - budget.have))
        self._slack = int(max(Fraction(0), self._guys.have - self._guys.allowed))

    def of(self, gauge: LimitGauge) -> tuple[Change, ...]:
        """What was added last goes first. No army is emptied to be within its points (``()``)."""
        found = self._of(gauge)
        leaves = sum((*self._army.listed.units.values(), *self._army.listed.works.values()))
        leaves += sum(change.change for change in found)
        return found if leaves or gauge.limit.of != "everything" else ()

    def _of(self, gauge: LimitGauge) -> tuple[Change, ...]:
        if gauge.limit.is_least:
            return self._guys_in({}, int(gauge.allowed - gauge.have), self._room)
        scale = 2 if gauge.limit.halves else 1
        need = int((gauge.have - gauge.allowed) * scale)
        offers = [
            Offer(piece, int(weight * scale), self._army.price(piece), self._count(piece))
            for piece, weight in gauge.weights.items()
        ]
        if (out := self._taken_back(need, offers)) is not None:
            return _changes(out)
        out = fewest(need, offers) or {}
        lost = self._guys_lost(out)
        if lost <= self._slack:
            return _changes(out)
        if gauge.limit.of == "everything":
            return self._within_budget(need, offers)
        short = lost - self._slack if self._guys.kept else 0
        return self._guys_in(out, short, self._room + lost)

    def _taken_back(self, need: int, offers: Sequence[Offer]) -> Counts | None:
        """Pieces that were added last, as far back as it takes; None if guys cannot spare them."""
        for added in self._added:
            late = [
                offer._replace(most=min(offer.most, added.get(offer.piece, 0))) for offer in offers
            ]
            if sum(offer.weight * offer.most for offer in late) >= need:
                out = fewest(need, late) or {}
                return out if self._guys_lost(out) <= self._slack else None
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
        found = (
            (size, given, points)
            for points, given in product(range(dearest + 1), range(low, high + 1))
            if (size := _sum(others.size(need - given), backs.size(points),
                             outs.size(given + points)))
        )  # fmt: skip
        best = min(found, key=itemgetter(0), default=None)
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

    def _guys_in(self, out: Counts, short: int, room: int) -> tuple[Change, ...]:
        """``out`` and guys for at least ``short`` points; more goes out where the budget has no
        ``room``."""
        if short <= 0:
            return _changes(out)
        listed = {**self._army.listed.units, **self._army.listed.works}
        paying = [
            Offer(piece, price := self._army.price(piece), price, count)
            for piece, count in listed.items()
            if piece not in self._guys.weights and piece not in out
        ]
        high = short + self._dearest - 1
        added = exactly(short, high, [offer for offer in self._addable if offer.piece not in out])
        paid = reaching(short - room, high - room, paying)
        found = (
            (size, points)
            for points in range(short, high + 1)
            if (size := _sum(added.size(points), paid.size(points - room)))
        )
        best = min(found, default=None)
        if best is None:
            return _changes(out)
        return _changes(out, added.counts(best[1]), paid.counts(best[1] - room))

    @property
    def _dearest(self) -> int:
        return max(self._army.price(piece) for piece in self._guys.weights)

    @cached_property
    def _addable(self) -> list[Offer]:
        offers = []
        for piece in self._guys.weights:
            if self._army.catalog.units[piece].shelf != "scenario":
                price = self._army.price(piece)
                most = self._room_for(piece)
                offers.append(Offer(piece, price, price, MOST_POINTS * 2 if most is None else most))
        return offers

    def _room_for(self, piece: str) -> int | None:
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

    def _guys_lost(self, out: Counts) -> int:
        return sum(self._army.price(p) * n for p, n in out.items() if p in self._guys.weights)


def _sum(*sizes: tuple[int, int] | None) -> tuple[int, int] | None:
    """Pieces and points of several picks; None where one does not exist."""
    known = [size for size in sizes if size is not None]
    if len(known) < len(sizes):
        return None
    return sum(pieces for pieces, _ in known), sum(points for _, points in known)


def _changes(out: Counts, added: Counts = _NONE, paid: Counts = _NONE) -> tuple[Change, ...]:
    less, paying = ({p: -n for p, n in counts.items()} for counts in (out, paid))
    total = together([less, added, paying])
    return tuple(Change(piece, change) for piece, change in total.items() if change)
