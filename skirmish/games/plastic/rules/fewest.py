"""The smallest set of pieces that weighs enough: fewest pieces, then fewest points.

A knapsack over whole weights, for every goal of a span at once. Of very many pieces most are taken
unseen, the heaviest first, but for a margin within which the smallest picks are proved to lie; so
an army of thousands takes hardly longer than a small one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

Counts = dict[str, int]
"""Pieces by id."""


class Offer(NamedTuple):
    """Pieces that may go: what one weighs in the limit, what it costs, how many there are."""

    piece: str
    weight: int
    price: int
    most: int


class _Pick(NamedTuple):
    """A way to reach some weight: its size to compare by, and the pieces as a linked list."""

    pieces: int
    points: int
    last: tuple[str, int, _Pick] | None


_NOTHING = _Pick(0, 0, None)


class Picks:
    """The smallest pick for each goal of a span: some pieces for certain, a table for the rest."""

    def __init__(self, sure: Counts, offers: Iterable[Offer], table: list[_Pick | None]) -> None:
        self._sure, self._table = sure, table
        held = [(offer, sure.get(offer.piece, 0)) for offer in offers]
        self._weight = sum(offer.weight * count for offer, count in held)
        self._size = (sum(sure.values()), sum(offer.price * count for offer, count in held))

    def size(self, goal: int) -> tuple[int, int] | None:
        """Pieces and points of the pick for ``goal``, or None if there is no such pick."""
        pick = self._pick(goal)
        return (self._size[0] + pick.pieces, self._size[1] + pick.points) if pick else None

    def counts(self, goal: int) -> Counts:
        """The pieces of the pick for ``goal``, which must be one that exists."""
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


def reaching(low: int, high: int, offers: Sequence[Offer]) -> Picks:
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
    return Picks(sure, offers, _reaching(_left(high, offers, sure), ordered))


def exactly(low: int, high: int, offers: Iterable[Offer]) -> Picks:
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
    return Picks(sure, offers, _exactly(_left(high, offers, sure), rest))


def _heaviest_first(offers: Iterable[Offer]) -> list[Offer]:
    """Those that weigh anything; of equals the cheapest first."""
    return sorted((o for o in offers if o.weight > 0), key=lambda o: (-o.weight, o.price))


def _greedy(need: int, offers: Sequence[Offer]) -> tuple[Counts, int, int]:
    """The first pieces that reach ``need``, the weight of the last, and what is too much."""
    taken: Counts = {}
    last = offers[0].weight if offers else 1
    for offer in offers:
        count = max(0, min(offer.most, -(-need // offer.weight)))
        taken[offer.piece] = count
        if count:
            last = offer.weight
            need -= count * last
    return taken, last, max(0, -need)


def _left(goal: int, offers: Iterable[Offer], sure: Counts) -> int:
    return max(0, goal - sum(offer.weight * sure[offer.piece] for offer in offers))


def _reaching(need: int, offers: Iterable[Offer]) -> list[_Pick | None]:
    """For each weight up to ``need``, the smallest pick that weighs at least that much."""
    best: list[_Pick | None] = [_NOTHING] + [None] * need
    for piece, weight, price, count in _bundles(offers, need):
        for goal in range(need, 0, -1):
            before = best[max(0, goal - weight)]
            best[goal] = _smaller(best[goal], before, piece, price, count)
    return best


def _exactly(most: int, offers: Iterable[Offer]) -> list[_Pick | None]:
    """For each weight up to ``most``, the smallest pick that weighs exactly that much."""
    best: list[_Pick | None] = [_NOTHING] + [None] * most
    for piece, weight, price, count in _bundles(offers, most):
        for goal in range(most, weight - 1, -1):
            best[goal] = _smaller(best[goal], best[goal - weight], piece, price, count)
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
