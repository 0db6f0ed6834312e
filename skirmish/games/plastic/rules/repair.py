"""The smallest set of pieces to take out: fewest pieces, then fewest points.

A covering knapsack over whole weights, with counts split into powers of two so that armies of
thousands stay quick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec


class Change(msgspec.Struct, frozen=True):
    """One line of a repair: so many more (or, negative, fewer) of a unit or work."""

    unit: str
    change: int


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
) -> tuple[Change, ...]:
    """The smallest picks from ``offers`` whose weights reach ``need``. ``limited`` offers may help
    with a weight of ``most`` together. Empty if it cannot be reached (or need not be)."""
    if need <= 0:
        return ()
    free = _reaching(need, offers)
    best: tuple[tuple[int, int], _Pick, _Pick] | None = None
    for weight, pick in enumerate(_exactly(most, limited)):
        rest = free[max(0, need - weight)]
        if pick is None or rest is None:
            continue
        size = (pick.pieces + rest.pieces, pick.points + rest.points)
        if best is None or size < best[0]:
            best = (size, rest, pick)
    if best is None:
        return ()
    counts: dict[str, int] = {}
    for pick in best[1:]:
        for piece, count in _listed(pick):
            counts[piece] = counts.get(piece, 0) + count
    return tuple(Change(piece, -count) for piece, count in counts.items())


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
