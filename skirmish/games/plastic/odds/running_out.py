"""Volleys of any mixture at one group, out of a deck that may run out and be shuffled meanwhile.

The draws of the old shuffle are as many as it has cards. So the volley is cut at that draw: for
each shooter who may be firing then, what has fallen before (reckoned as ``nested`` tells), and
what falls after, out of the fresh deck.

Draws need no count of their own. Each shooter has a last draw, and every kill after which he goes
on is one draw more. So kills are counted in two variables, the last ones and those that are gone on
from: ``index`` shooters who are done have taken as many draws as they are, and the latter kills.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import prod

from skirmish.games.plastic.odds import nested
from skirmish.games.plastic.odds.nested import HitTally, Row, most_used
from skirmish.games.plastic.odds.pack import ALL_CARDS, Firer, OddsError, Pack

MOST_WORK = 300_000_000
"""Coefficients touched: some 4 seconds. 20 shooters through one shuffle touch a million or two, 40
touch 200 million."""


def _sizes(firers: Sequence[Firer], size: int, draws: int) -> tuple[int, int]:
    ending = sum(not one.repeat for one in firers)
    return min(size, ending) + 1, min(size, draws + 1)


class _Counting(HitTally):
    def __init__(
        self, firers: Sequence[Firer], deck: int, size: int, draws: int, queen: int
    ) -> None:
        super().__init__(firers, deck, _sizes(firers, size, draws), deck & queen)
        self.firers = firers
        self.spare = self.fields.sizes[0] <= size

    def axis(self, one: Firer) -> int:
        return int(one.repeat)

    def standing(self, ways: int, axis: int) -> int:
        """What comes to as many as there are is cut off: it is what remains."""
        if axis:
            return ways & self.fields.all
        return ways if self.spare else super().standing(ways, axis)

    def finished(self, draws: int) -> dict[int, Fraction]:
        """All have fired and so many cards were enough: the chance of each number of kills."""
        row, tested = self.from_start(self.sort(self.firers))
        more = draws - len(self.firers)
        found: dict[int, Fraction] = defaultdict(Fraction)
        for ways in range(more + 1):
            self._read(row, ways, found)
        # Ways with a second draw, less those in which the card before it asked for none: of those
        # with fewer draws nothing is left.
        return self._read(tested, more, found, queen=True, sign=-1)

    def run_out(self, index: int, draws: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """All cards are drawn and a shooter fires on; or his last card was the queen and her second
        is owed."""
        # Where she is owed, she is told as in ``tested``, but asks for no card here.
        row, tested, owed = self.while_firing(self.firers[index], self.firers[:index])
        more = draws - index
        firing = self._read(row, more, defaultdict(Fraction))
        self._read(tested, more - 1, firing, queen=True)
        self._read(tested, more, firing, queen=True, sign=-1)
        return firing, self._read(owed, more - 1, defaultdict(Fraction), queen=True)

    def _read(
        self,
        row: Row,
        more: int,
        found: dict[int, Fraction],
        *,
        queen: bool = False,
        sign: int = 1,
    ) -> dict[int, Fraction]:
        """Add to ``found`` the chance of each number of kills, ``more`` of them gone on from;
        ``queen``: she was told in the row besides the hits."""
        if 0 <= more < self.fields.sizes[1] and any(row):
            ways, top = self.total(row, int(queen))
            for (ending, _), value in self.fields.read(ways, more).items():
                found[ending + more] += Fraction(sign * value, top)
        return found


def kills(firers: Sequence[Firer], size: int, pack: Pack, most: int = MOST_WORK) -> nested.Chances:
    """The chance of each number of kills of one group. Raises OddsError, before anything is
    reckoned, where it would take too long."""
    queen = next((one.tests for one in firers if one.tests), 0)
    after_test = ALL_CARDS & ~queen if pack.aside else ALL_CARDS
    work = 0

    def lasts(left: Sequence[Firer], draws: int) -> bool:
        return nested.most_draws(left, [size]) <= draws

    def stops(left: Sequence[Firer], draws: int) -> list[int]:
        """Who may draw the last card."""
        return [n for n in range(min(len(left), draws + 1)) if not lasts(left[: n + 1], draws - 1)]

    @cache
    def foresee(at: int, deck: int, draws: int) -> None:
        """Go the way of ``after`` and only count its work."""
        nonlocal work
        left = firers[at:]
        if not left:
            return
        cells = prod(count + 1 for count in most_used(left, deck))
        if lasts(left, draws):
            work += len(left) * cells * size
            return
        each, own = cells * prod(_sizes(left, size, draws)), stops(left, draws)
        work += (len(left) + sum(own) + len(own)) * each
        if work > most:
            raise OddsError(
                f"{len(firers)} shooters run through the deck too often to be reckoned "
                "exactly: ask for fewer at a time."
            )
        for index in own:
            foresee(at + index, ALL_CARDS, ALL_CARDS.bit_count())
            if left[index].tests & deck:
                foresee(at + index + 1, after_test, after_test.bit_count() - 1)

    @cache
    def after(at: int, deck: int, draws: int) -> dict[int, Fraction]:
        """The chance of each number of kills, short of all, by the shooters from ``at`` on. Of the
        ``deck`` so many cards can be drawn."""
        left = firers[at:]
        if not left:
            return {0: Fraction(1)}
        if lasts(left, draws):
            tally = HitTally(left, deck, (size,), only=True)
            row = tally.from_start(tally.sort(left))[0]
            return {n: p for (n,), p in tally.chances(row).items()}
        found: dict[int, Fraction] = defaultdict(Fraction)

        def add(before: dict[int, Fraction], then: dict[int, Fraction]) -> None:
            for fallen, chance in before.items():
                for more, share in then.items():
                    if fallen + more < size:
                        found[fallen + more] += chance * share

        counting = _Counting(left, deck, size, draws, queen)
        for index in stops(left, draws):
            firing, testing = counting.run_out(index, draws)
            add(firing, after(at + index, ALL_CARDS, ALL_CARDS.bit_count()))
            if testing:
                add(testing, after(at + index + 1, after_test, after_test.bit_count() - 1))
        if len(left) <= draws:
            add(counting.finished(draws), {0: Fraction(1)})
        return found

    foresee(0, pack.now, pack.count)
    standing = after(0, pack.now, pack.count)
    chances: nested.Chances = {(fallen,): p for fallen, p in sorted(standing.items()) if p}
    if rest := 1 - sum(standing.values(), Fraction(0)):
        chances[size,] = rest
    return chances
