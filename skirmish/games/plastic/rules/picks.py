"""The smallest pick: as few as possible of the pieces on offer that together weigh enough, and of
such picks the one with the fewest points. The repairs in ``breaches`` are made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple


class Offer(NamedTuple):
    """Pieces that can be removed or added."""

    piece: str
    weight: int
    """What one piece weighs in the limit."""
    price: int
    """The points of one piece."""
    available: int
    """How many can be taken."""
    sign: Literal[-1, 1] = -1
    """-1 if they are removed, 1 if they are added."""


class PieceChange(NamedTuple):
    """How many of a piece are added, or below 0 removed."""

    piece: str
    change: int


class Pick(NamedTuple):
    """Pieces that are removed and added. Fewer pieces are better, then fewer points."""

    pieces: int = 0
    """How many pieces there are, removed and added ones alike."""
    points: int = 0
    """The sum of their prices, of removed and added ones alike."""
    changes: tuple[PieceChange, ...] = ()

    @property
    def size(self) -> tuple[int, int]:
        """What picks are compared by: pieces, then points."""
        return self.pieces, self.points

    def with_more(self, offer: Offer, count: int) -> Pick:
        """The pick with ``count`` of an offer besides."""
        changes = (PieceChange(offer.piece, offer.sign * count), *self.changes)
        return Pick(self.pieces + count, self.points + offer.price * count, changes)


SEARCHED_WEIGHT = 256
"""The search takes time for each unit of the weight that is its goal. So of a goal of thousands
only the last so many are searched for; up to there the heaviest pieces are taken, since they reach
it with the fewest pieces. In armies of thousands a smaller pick is not ruled out by proof."""
SPARE = 10
"""How many of each piece are left to the search: with none to put back, it could not exchange the
heaviest pieces for others that end at a better weight."""


def smallest_picks(
    low: int, high: int, offers: Sequence[Offer], *, exactly: bool = False
) -> dict[int, Pick | None]:
    """For each goal from ``low`` to ``high`` the smallest pick that weighs at least as much, or
    with ``exactly`` just as much; None where there is none. It is a knapsack problem with whole
    weights, solved for all goals at once."""
    weighing = [offer for offer in offers if offer.weight > 0]
    taken, left = _taken_unsearched(low - SEARCHED_WEIGHT, weighing)
    weight_taken = 0
    for offer in weighing:
        weight_taken += offer.weight * (offer.available - left[offer.piece])
    highest = max(0, high - weight_taken)
    # The best pick for each goal beyond the weight taken; as yet only for nothing beyond it.
    best: list[Pick | None] = [taken, *[None] * highest]
    for offer in weighing:
        # More pieces than reach the highest goal alone are never needed.
        useful = min(left[offer.piece], pieces_to_reach(highest, offer.weight))
        for count in _bundles(useful):
            _improve(best, offer, count, exactly=exactly)
    # What was taken unsearched weighs less than the lowest goal, if that is above 0; a goal of 0 or
    # less is reached by nothing at all.
    return {goal: best[max(0, goal - weight_taken)] for goal in range(low, high + 1)}


def pieces_to_reach(goal: int, weight: int) -> int:
    """How many pieces of this weight reach a goal."""
    return -(-goal // weight)  # rounded up


class _TakenUnsearched(NamedTuple):
    """The heaviest pieces, taken without a search, and how many are left of each piece."""

    pick: Pick
    left: dict[str, int]


def _taken_unsearched(goal: int, offers: Sequence[Offer]) -> _TakenUnsearched:
    """The pieces that are taken without a search for a goal ``SEARCHED_WEIGHT`` short of the
    lowest one."""
    pick, still_needed = Pick(), goal
    left = {offer.piece: offer.available for offer in offers}
    for offer in sorted(offers, key=lambda offer: (-offer.weight, offer.price)):
        count = max(0, min(offer.available, still_needed // offer.weight))
        # So many reach the goal. Of these the spare ones are left to the search, which reaches the
        # same weight with them, or with something better.
        still_needed -= offer.weight * count
        taken = max(0, count - SPARE)
        pick = pick.with_more(offer, taken)
        left[offer.piece] -= taken
        # What is still needed is less than one of these: the search finds the rest.
        if count < offer.available:
            break
    return _TakenUnsearched(pick, left)


def _improve(best: list[Pick | None], offer: Offer, count: int, *, exactly: bool) -> None:
    """Makes the pick with ``count`` more of an offer the best one for each goal where it is smaller
    than the best so far."""
    bundle_weight, bundle_points = offer.weight * count, offer.price * count
    # A bundle may weigh more than a goal of "at least" needs, but not more than an exact one.
    lowest = 1
    if exactly:
        lowest = bundle_weight
    # From the highest goal down: what the lower goals have is still without this bundle, so that it
    # is not taken twice.
    for goal in range(len(best) - 1, lowest - 1, -1):
        rest = best[max(0, goal - bundle_weight)]
        if rest is None:
            continue
        size = rest.pieces + count, rest.points + bundle_points
        best_so_far = best[goal]
        # The changes are joined only for a pick that is the best: this is the innermost loop.
        if best_so_far is None or size < best_so_far.size:
            best[goal] = rest.with_more(offer, count)


def _bundles(count: int) -> Iterator[int]:
    """The sizes of bundles that ``count`` pieces are divided into: 1, 2, 4 and so on, and what is
    left. Any number of pieces up to ``count`` is the sum of some of them."""
    size = 1
    while count > 0:
        yield min(size, count)
        count -= size
        size *= 2


def sum_of_picks(*picks: Pick | None) -> Pick | None:
    """All picks taken together; None if one of them is None."""
    pieces = points = 0
    changes: list[PieceChange] = []
    for pick in picks:
        if pick is None:
            return None
        pieces += pick.pieces
        points += pick.points
        changes += pick.changes
    return Pick(pieces, points, tuple(changes))


def smallest_pick_of(picks: Iterable[Pick | None]) -> Pick | None:
    """The first of the smallest picks; None if there is no pick at all."""
    possible = [pick for pick in picks if pick is not None]
    return min(possible, key=lambda pick: pick.size, default=None)
