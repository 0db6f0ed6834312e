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
from math import prod
from typing import TypeAlias

from skirmish.games.plastic.odds import nested
from skirmish.games.plastic.odds.firers import Firer
from skirmish.games.plastic.odds.nested import HitTally, Row, most_used
from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError, Pack

MOST_WORK = 300_000_000
"""Coefficients touched: some 4 seconds. 20 shooters through one shuffle touch a million or two, 40
touch 200 million."""


_Key: TypeAlias = "tuple[int, int, int]"


def _sizes(firers: Sequence[Firer], size: int, draws: int) -> tuple[int, int]:
    ending = sum(not one.repeat for one in firers)
    return min(size, ending + 1), min(size, draws + 1)


class _Counting(HitTally):
    def __init__(
        self, firers: Sequence[Firer], deck: int, size: int, draws: int, queen: int
    ) -> None:
        super().__init__(firers, deck, _sizes(firers, size, draws), {0: 0}, deck & queen)
        self.firers = firers

    def killed(self, ways: int, axis: int, *, goes_on: bool) -> int:
        return self.fields.times(ways, int(goes_on))

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
    reckoning = _RunningOut(firers, size, pack.aside)
    reckoning.foresee(0, pack.now, pack.count, most)
    chances = reckoning.after(0, pack.now, pack.count)
    every: nested.Chances = {(fallen,): p for fallen, p in enumerate(chances) if p}
    if rest := 1 - sum(chances, Fraction(0)):
        every[size,] = rest
    return every


class _RunningOut:
    def __init__(self, firers: Sequence[Firer], size: int, aside: bool) -> None:
        self.firers, self.size, self.work = list(firers), size, 0
        self.queen = next((one.tests for one in firers if one.tests), 0)
        self.after_test = ALL_CARDS & ~self.queen if aside else ALL_CARDS
        self.known: dict[_Key, list[Fraction]] = {}
        self.foreseen: set[_Key] = set()

    def foresee(self, at: int, deck: int, draws: int, most: int) -> None:
        """Go the way of ``after`` and only count its work; raises OddsError beyond ``most``."""
        key = (at, deck, draws)
        if at == len(self.firers) or key in self.foreseen:
            return
        self.foreseen.add(key)
        left = self.firers[at:]
        cells = prod(count + 1 for count in most_used(left, deck))
        if nested.most_draws(left, [self.size]) <= draws:
            self._count(len(left) * cells * self.size, most)
            return
        each = cells * prod(_sizes(left, self.size, draws))
        self._count(len(left) * each, most)
        for index in self._stops(left, draws):
            self._count((index + 1) * each, most)
            self.foresee(at + index, ALL_CARDS, ALL_CARDS.bit_count(), most)
            if left[index].tests & deck:
                anew = self.after_test
                self.foresee(at + index + 1, anew, anew.bit_count() - 1, most)

    def _stops(self, firers: Sequence[Firer], draws: int) -> list[int]:
        """Who may draw the last card."""
        return [
            index
            for index in range(min(len(firers), draws + 1))
            if nested.most_draws(firers[: index + 1], [self.size]) >= draws
        ]

    def after(self, at: int, deck: int, draws: int) -> list[Fraction]:
        """The chance of each number of kills, short of all, by the shooters from ``at`` on. Of the
        ``deck`` so many cards can be drawn."""
        if at == len(self.firers):
            return [Fraction(1)] + [Fraction(0)] * (self.size - 1)
        key = (at, deck, draws)
        if key not in self.known:
            left = self.firers[at:]
            if nested.most_draws(left, [self.size]) <= draws:
                found = nested.standing_in(left, [self.size], deck, (0,))
                self.known[key] = [found.get((n,), Fraction(0)) for n in range(self.size)]
            else:
                self.known[key] = self._cut(left, at, deck, draws)
        return self.known[key]

    def _cut(self, firers: list[Firer], at: int, deck: int, draws: int) -> list[Fraction]:
        found = [Fraction(0)] * self.size
        tally = _Counting(firers, deck, self.size, draws, self.queen)
        for index in self._stops(firers, draws):
            firing, testing = tally.run_out(index, draws)
            for fallen, chance in firing.items():
                then = self.after(at + index, ALL_CARDS, ALL_CARDS.bit_count())
                _add(found, fallen, chance, then)
            for fallen, chance in testing.items():
                anew = self.after_test
                then = self.after(at + index + 1, anew, anew.bit_count() - 1)
                _add(found, fallen, chance, then)
        if len(firers) <= draws:
            for fallen, chance in tally.finished(draws).items():
                _add(found, fallen, chance, [Fraction(1)])
        return found

    def _count(self, work: int, most: int) -> None:
        self.work += work
        if self.work > most:
            raise OddsError(
                f"{len(self.firers)} shooters run through the deck too often to be reckoned "
                "exactly: ask for fewer at a time."
            )


def _add(found: list[Fraction], fallen: int, chance: Fraction, then: Sequence[Fraction]) -> None:
    for more, share in enumerate(then):
        if fallen + more < len(found):
            found[fallen + more] += chance * share
