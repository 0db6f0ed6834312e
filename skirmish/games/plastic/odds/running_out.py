"""Volleys of any mixture at one group, out of a deck that may run out and be shuffled meanwhile.

The draws of the old shuffle are as many as it has cards. So the volley is cut at that draw: for
each shooter who may be firing then, what has fallen before (reckoned as ``nested`` tells), and
what falls after, out of the fresh deck.

Draws need no count of their own. Each shooter has a last draw, and every kill after which he goes
on is one draw more. So kills are counted in two variables, the last ones and those that are gone on
from: ``index`` shooters who are done have taken as many draws as they are, and the latter kills.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import prod
from typing import TypeAlias

from msgspec.structs import replace

from skirmish.games.plastic.odds import nested
from skirmish.games.plastic.odds.firers import Firer
from skirmish.games.plastic.odds.nested import HitTally, Row, most_used
from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError, Pack

MOST_WORK = 300_000_000
"""Coefficients touched: some 4 seconds. 20 shooters through one shuffle touch a million or two, 40
touch 200 million."""


_Key: TypeAlias = "tuple[int, int, int, int]"


def _sizes(firers: Sequence[Firer], size: int, draws: int) -> tuple[int, int]:
    ending = sum(one.longest < size for one in firers)
    return min(size, ending + 1), min(size, draws + 1)


class _Counting(HitTally):
    def __init__(self, firers: Sequence[Firer], deck: int, size: int, draws: int) -> None:
        super().__init__(firers, deck, _sizes(firers, size, draws), {0: 0}, (size,))

    def killed(self, ways: int, axis: int, *, goes_on: bool) -> int:
        return self.fields.times(ways, int(goes_on))


def kills(firers: Sequence[Firer], size: int, pack: Pack, most: int = MOST_WORK) -> nested.Chances:
    """The chance of each number of kills of one group. Raises OddsError, before anything is
    reckoned, where it would take too long."""
    reckoning = _RunningOut(firers, size, pack.aside)
    reckoning.foresee(0, 0, pack.now, pack.count, most)
    chances = reckoning.after(0, 0, pack.now, pack.count)
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

    def foresee(self, at: int, chain: int, deck: int, draws: int, most: int) -> None:
        """Go the way of ``after`` and only count its work; raises OddsError beyond ``most``."""
        key = (at, chain, deck, draws)
        if at == len(self.firers) or key in self.foreseen:
            return
        self.foreseen.add(key)
        left = self._left(at, chain)
        cells = prod(count + 1 for count in most_used(left, deck))
        if nested.most_draws(left, [self.size]) <= draws:
            self._count(len(left) * cells * self.size, most)
            return
        each = cells * prod(_sizes(left, self.size, draws))
        self._count(len(left) * each, most)
        for index, hits, _ in self._stops(left, draws):
            self._count((index + 1) * each, most)
            so_far = hits + (chain if index == 0 else 0)
            self.foresee(at + index, so_far, ALL_CARDS, ALL_CARDS.bit_count(), most)
            if left[index].tests & deck:
                anew = self.after_test
                self.foresee(at + index + 1, 0, anew, anew.bit_count() - 1, most)

    def _left(self, at: int, chain: int) -> list[Firer]:
        first = self.firers[at]
        return [replace(first, limit=first.limit - chain), *self.firers[at + 1 :]]

    def _stops(self, firers: Sequence[Firer], draws: int) -> Iterator[tuple[int, int, bool]]:
        """Who may draw the last card, with how many kills of his own before; ``True``: any number,
        it makes no difference to what he may still do."""
        for index, one in enumerate(firers[: draws + 1]):
            if nested.most_draws(firers[: index + 1], [self.size]) < draws:
                continue
            if not one.repeat or one.limit >= self.size:
                yield index, 0, True
            else:
                yield from ((index, hits, False) for hits in range(one.limit))

    def after(self, at: int, chain: int, deck: int, draws: int) -> list[Fraction]:
        """The chance of each number of kills, short of all, by the shooters from ``at`` on, the
        first of whom has killed ``chain`` already. Of the ``deck`` so many cards can be drawn."""
        if at == len(self.firers):
            return [Fraction(1)] + [Fraction(0)] * (self.size - 1)
        key = (at, chain, deck, draws)
        if key not in self.known:
            left = self._left(at, chain)
            if nested.most_draws(left, [self.size]) <= draws:
                found = nested.standing_in(left, [self.size], deck, (0,))
                self.known[key] = [found.get((n,), Fraction(0)) for n in range(self.size)]
            else:
                self.known[key] = self._cut(left, at, chain, deck, draws)
        return self.known[key]

    def _cut(
        self, firers: list[Firer], at: int, chain: int, deck: int, draws: int
    ) -> list[Fraction]:
        found = [Fraction(0)] * self.size
        tally = _Counting(firers, deck, self.size, draws)
        cut = _Cut(tally, firers, self.queen if deck & self.queen else 0)
        for index, hits, whole in self._stops(firers, draws):
            firing, testing = cut.at(index, hits, draws, whole=whole)
            so_far = hits + (chain if index == 0 else 0)
            for fallen, chance in firing.items():
                then = self.after(at + index, so_far, ALL_CARDS, ALL_CARDS.bit_count())
                _add(found, fallen, chance, then)
            for fallen, chance in testing.items():
                anew = self.after_test
                then = self.after(at + index + 1, 0, anew, anew.bit_count() - 1)
                _add(found, fallen, chance, then)
        if len(firers) <= draws:
            for fallen, chance in cut.finished(draws).items():
                _add(found, fallen, chance, [Fraction(1)])
        return found

    def _count(self, work: int, most: int) -> None:
        self.work += work
        if self.work > most:
            raise OddsError(
                f"{len(self.firers)} shooters run through the deck too often to be reckoned "
                "exactly: ask for fewer at a time."
            )


class _Cut:
    def __init__(self, tally: _Counting, firers: list[Firer], queen: int) -> None:
        self.tally, self.firers, self.queen = tally, firers, queen
        self._way: list[tuple[Firer, int, list[Row]]] = []

    def finished(self, draws: int) -> dict[int, Fraction]:
        """All have fired and so many cards were enough: the chance of each number of kills."""
        row, tested = self._from_start(self.tally.sort(self.firers))
        more = draws - len(self.firers)
        found: dict[int, Fraction] = {}
        for ways in range(more + 1):
            self._read(row, ways, found)
        # Ways with a second draw, less those in which the card before it asked for none: of those
        # with fewer draws nothing is left.
        return self._read(tested, more, found, queen=True, sign=-1)

    def at(
        self, index: int, hits: int, draws: int, whole: bool
    ) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """All cards are drawn and a shooter fires on, having killed ``hits`` (``whole``: any
        number, it makes no difference); or his last card was the queen and her second is owed."""
        tally, one = self.tally, self.firers[index]
        order = tally.order
        before = tally.sort(self.firers[:index])
        weaker = [other for other in before if order[other.hits] <= order[one.hits]]
        row, tested = self._from_start(weaker)
        if not whole:
            for _ in range(hits):
                row, tested = tally.kill(row, one), tally.kill(tested, one)
        elif one.repeat:
            row, tested = tally.fire(row, one)[0], tally.fire(tested, one)[0]
        stronger = before[len(weaker) :]
        # The queen as the last card: she is told as in ``tested``, but asks for no card here.
        owed = row if one.tests & self.queen else tally.nothing()
        row, tested, owed = self._through(stronger, row, tested, owed)
        more = draws - index
        firing = self._read(row, more, {})
        self._read(tested, more - 1, firing, queen=True)
        self._read(tested, more, firing, queen=True, sign=-1)
        return firing, self._read(owed, more - 1, {}, queen=True)

    def _from_start(self, firers: Sequence[Firer]) -> list[Row]:
        """The ways after these have fired. Kept is what was reckoned for the last such question,
        after each block of shooters who fire alike: the next one has one shooter more in a block,
        and goes on from there."""
        blocks = [(one, len(list(alike))) for one, alike in groupby(firers)]
        rows = [self.tally.begin(), self.tally.nothing()]
        for place, (one, count) in enumerate(blocks):
            done = 0
            if place < len(self._way):
                last, fired, after = self._way[place]
                if last == one and fired <= count:
                    rows, done = after, fired
            if done < count:
                del self._way[place:]
                rows = self._through([one] * (count - done), *rows)
                self._way.append((one, count, rows))
        return rows

    def _through(self, firers: Sequence[Firer], row: Row, tested: Row, *others: Row) -> list[Row]:
        """The ways after these have fired; in those of ``tested`` and ``others`` the queen is
        among the cards, in those of ``tested`` as a last one that asks for another."""
        tally, rows = self.tally, [row, tested, *others]
        for one in firers:
            shots = [tally.fire(row, one) if any(row) else (row, row[:]) for row in rows]
            rows = [after for _, after in shots]
            if one.tests & self.queen:
                rows[1] = [a + b for a, b in zip(rows[1], shots[0][0], strict=True)]
        return rows

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
        if 0 <= more < self.tally.fields.sizes[1] and any(row):
            ways, top = self.tally.total(row, int(queen))
            for (ending, _), value in self.tally.fields.read(ways, more).items():
                fallen = ending + more
                found[fallen] = found.get(fallen, Fraction(0)) + Fraction(sign * value, top)
        return found


def _add(found: list[Fraction], fallen: int, chance: Fraction, then: Sequence[Fraction]) -> None:
    for more, share in enumerate(then):
        if fallen + more < len(found):
            found[fallen + more] += chance * share
