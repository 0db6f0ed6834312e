"""How the work of ``sweep`` grows from shooter to shooter, so that what cannot be done is known
before it is half done.

What can have been drawn after so many shots is counted by the cards of each class, whatever the
order, and so is what can have fallen. Not all of that can come together, so the measure is no
number of states; but it grows as they do, within a factor of two or three mostly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from skirmish.games.plastic.odds.firers import Firer


class Growth:
    """``first`` and ``full`` are the cards of each class in the deck now, and after a shuffle."""

    def __init__(
        self,
        firers: Sequence[Firer],
        sizes: Sequence[int],
        first: Sequence[int],
        full: Sequence[int],
    ) -> None:
        self._first, self._full = _hands(first), _hands(full)
        self._measures = [self._measure(firers[:fired], sizes) for fired in range(len(firers) + 1)]

    def total(self, fired: int, steps: int) -> int:
        """The steps of all shooters from number ``fired`` on, if his own were so many."""
        return steps * sum(self._measures[fired:]) // max(self._measures[fired], 1)

    def _measure(self, fired: Sequence[Firer], sizes: Sequence[int]) -> int:
        """What there is to keep apart after these."""
        least, most, ends = 0, len(fired) + 1, 1
        for group, size in enumerate(sizes):
            own = [one for one in fired if one.group == group]
            least += min(len(own), size)
            most += min(size, sum(min(one.longest, size) for one in own if one.repeat))
            ends *= min(size, sum(min(one.longest, size) for one in own)) + 1
        return self._drawn(least, most) * ends

    def _drawn(self, least: int, most: int) -> int:
        """What can have been drawn of the deck that is drawn from, with so many draws in all."""
        found, hands = 0, self._first
        while most >= 0:
            count = len(hands) - 1
            found += hands[min(most, count)] - (hands[min(least, count + 1) - 1] if least else 0)
            least, most, hands = max(least - count, 0), most - count - 1, self._full
        return found


def _hands(cards: Sequence[int]) -> list[int]:
    """For each number of cards how many hands of up to so many there are, told by class."""
    ways = [1]
    for count in cards:
        sums = [0, *accumulate([*ways, *([0] * count)])]
        ways = [sums[at + 1] - sums[max(at - count, 0)] for at in range(len(sums) - 1)]
    return list(accumulate(ways))
