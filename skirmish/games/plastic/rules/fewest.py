"""The smallest set of pieces that weighs enough: fewest pieces, then fewest points.

A covering knapsack over whole weights. Counts are split into powers of two, and of very many
pieces the heaviest are taken unseen, so that armies of thousands stay quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def fewest(
    need: int, offers: Iterable[Offer], limited: Iterable[Offer] = (), most: int = 0
) -> Counts | None:
    """The smallest picks from ``offers`` whose weights reach ``need``, or None if nothing does.
    ``limited`` offers may help with a weight of ``most`` together."""
    if need <= 0:
        return {}
    offers = list(offers)
    sure = {} if limited else _sure(need, offers)
    need -= sum(offer.weight * sure.get(offer.piece, 0) for offer in offers)
    rest = [offer._replace(most=offer.most - sure.get(offer.piece, 0)) for offer in offers]
    free = _reaching(need, rest)
    best: tuple[tuple[int, int], _Pick, _Pick] | None = None
    for weight, pick in enumerate(_exactly(most, limited)):
        other = free[max(0, need - weight)]
        if pick is None or other is None:
            continue
        size = (pick.pieces + other.pieces, pick.points + other.points)
        if best is None or size < best[0]:
            best = (size, other, pick)
    return None if best is None else _counted(sure, *best[1:])


def exactly(weight: int, offers: Iterable[Offer]) -> Counts | None:
    """The smallest picks from ``offers`` that weigh just ``weight``, or None if none do."""
    pick = _exactly(weight, offers)[weight]
    return None if pick is None else _counted({}, pick)


def _sure(need: int, offers: list[Offer]) -> Counts:
    """Pieces that every smallest pick holds: the heaviest, but for a margin.

    Taking the heaviest first is best but for the last few pieces: no smallest pick is further
    from it than twice the heaviest weight in pieces (the proximity of integer programs).
    """
    margin = 2 * max((offer.weight for offer in offers), default=0)
    sure: Counts = {}
    for offer in sorted(offers, key=lambda offer: -offer.weight):
        taken = min(offer.most, need // offer.weight) if offer.weight > 0 else 0
        need -= taken * offer.weight
        sure[offer.piece] = max(0, taken - margin)
    return sure


def _counted(sure: Counts, *picks: _Pick) -> Counts:
    counts = {piece: count for piece, count in sure.items() if count}
    for pick in picks:
        for piece, count in _listed(pick):
            counts[piece] = counts.get(piece, 0) + count
    return counts


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
    size = (before.pieces + count, before.points + price)
    if now is not None and (now.pieces, now.points) <= size:
        return now
    return _Pick(*size, (piece, count, before))


def _bundles(offers: Iterable[Offer], need: int) -> Iterator[tuple[str, int, int, int]]:
    """Each offer as bundles of 1, 2, 4, … pieces, as many as could ever be wanted."""
    for offer in offers:
        left = min(offer.most, -(-need // offer.weight)) if offer.weight > 0 else 0
        size = 1
        while left > 0:
            count = min(size, left)
            yield offer.piece, offer.weight * count, offer.price * count, count
            left -= count
            size *= 2


def _listed(pick: _Pick) -> Iterator[tuple[str, int]]:
    while pick.last is not None:
        piece, count, pick = pick.last
        yield piece, count
