"""Volleys of any mixture at one group, out of a deck that may run out and be shuffled meanwhile.

The draws of the old shuffle are as many as it has cards. So the volley is cut at that draw: for
each shooter who may be firing then, what has fallen before (reckoned as ``hit_sets`` tells, but
with draws counted beside kills), and what falls after, out of the fresh deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from skirmish.games.plastic.odds import nested
from skirmish.games.plastic.odds.firers import Firer
from skirmish.games.plastic.odds.hit_sets import Row, Tally
from skirmish.games.plastic.odds.pack import ALL_CARDS, OddsError, Pack

MOST_WORK = 60_000_000
"""Coefficients touched until a volley is given up: some 6 seconds. One shuffle inside a volley of
20 touches 4 million; it grows with the square of the shooters, and where the deck can run out
twice with the fourth power. Kept at one time are a few thousand long numbers: megabytes."""


class _Counting(Tally):
    """A tally in kills and draws; the draws beyond the end of the deck are cut off."""

    def __init__(self, firers: Sequence[Firer], deck: int, size: int, draws: int) -> None:
        super().__init__(firers, deck, (size, draws + 1), {0: 0})

    def drawn(self, ways: int) -> int:
        """One more draw."""
        return self.fields.times(ways, 1) if ways else 0

    def killed(self, ways: int, axis: int) -> int:
        """One more kill by one more draw."""
        return self.fields.times(ways, axis, last=True)


def kills(firers: Sequence[Firer], size: int, pack: Pack, most: int = MOST_WORK) -> nested.Chances:
    """The chance of each number of kills of one group. Raises OddsError where it takes too long."""
    chances = _RunningOut(firers, size, pack.aside, most).after(0, 0, pack.now, pack.count)
    every: nested.Chances = {(fallen,): p for fallen, p in enumerate(chances) if p}
    if rest := 1 - sum(chances, Fraction(0)):
        every[size,] = rest
    return every


class _RunningOut:
    def __init__(self, firers: Sequence[Firer], size: int, aside: bool, most: int) -> None:
        self.firers, self.size, self.most, self.work = list(firers), size, most, 0
        self.queen = next((one.tests for one in firers if one.tests), 0)
        self.after_test = ALL_CARDS & ~self.queen if aside else ALL_CARDS
        self.known: dict[tuple[int, int, int, int], list[Fraction]] = {}

    def after(self, at: int, chain: int, deck: int, draws: int) -> list[Fraction]:
        """The chance of each number of kills, short of all, by the shooters from ``at`` on, the
        first of whom has killed ``chain`` already. Of the ``deck`` so many cards can be drawn."""
        if at == len(self.firers):
            return [Fraction(1)] + [Fraction(0)] * (self.size - 1)
        key = (at, chain, deck, draws)
        if key not in self.known:
            first = self.firers[at]
            left = [replace(first, limit=first.limit - chain), *self.firers[at + 1 :]]
            if nested.most_draws(left, [self.size]) <= draws:
                self._count(len(left) * self.size)
                found = nested.standing_in(left, [self.size], deck, (0,))
                self.known[key] = [found.get((n,), Fraction(0)) for n in range(self.size)]
            else:
                self.known[key] = self._cut(left, at, chain, deck, draws)
        return self.known[key]

    def _cut(
        self, firers: list[Firer], at: int, chain: int, deck: int, draws: int
    ) -> list[Fraction]:
        """The same where the deck may end."""
        found = [Fraction(0)] * self.size
        tally = _Counting(firers, deck, self.size, draws)
        cut = _Cut(tally, firers, self.queen if deck & self.queen else 0)
        each = self.size * (draws + 1) * len(tally.cells)
        for index in range(min(len(firers), draws) + 1):
            if index == len(firers):
                self._count(index * each)
                for (fallen, _), chance in cut.finished().items():
                    found[fallen] += chance
                continue
            if nested.most_draws(firers[: index + 1], [self.size]) < draws:
                continue
            one = firers[index]
            steps = 1 if not one.repeat or one.limit >= self.size else one.limit
            for hits in range(steps):
                self._count((index + 1) * each)
                firing, testing = cut.at(index, hits, draws, whole=steps == 1)
                so_far = hits + (chain if index == 0 else 0)
                for fallen, chance in firing.items():
                    then = self.after(at + index, so_far, ALL_CARDS, ALL_CARDS.bit_count())
                    _add(found, fallen, chance, then)
                for fallen, chance in testing.items():
                    deck_then = self.after_test
                    then = self.after(at + index + 1, 0, deck_then, deck_then.bit_count() - 1)
                    _add(found, fallen, chance, then)
        return found

    def _count(self, work: int) -> None:
        self.work += work
        if self.work > self.most:
            raise OddsError(
                f"{len(self.firers)} shooters run through the deck too often to be reckoned "
                "exactly: ask for fewer at a time."
            )


class _Cut:
    """What has come when the last card is drawn."""

    def __init__(self, tally: _Counting, firers: list[Firer], queen: int) -> None:
        self.tally, self.firers, self.queen = tally, firers, queen
        self._way: list[tuple[Firer, list[Row]]] = []

    def finished(self) -> dict[tuple[int, ...], Fraction]:
        """All have fired and cards were enough: the chance of (kills, draws)."""
        row, tested = self._from_start(self.tally.sort(self.firers))
        return self._read([(row, 0), (tested, 1)])

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
        owed = [tally.drawn(ways) for ways in row] if one.tests & self.queen else tally.nothing()
        row, tested, owed = self._through(stronger, row, tested, owed)
        firing = self._read([(row, 0), (tested, 1)], draws)
        testing = self._read([(owed, 1)], draws)
        return (
            {fallen: chance for (fallen, _), chance in firing.items()},
            {fallen: chance for (fallen, _), chance in testing.items()},
        )

    def _from_start(self, firers: Sequence[Firer]) -> list[Row]:
        """The ways after these have fired, with what was reckoned for the last such question."""
        rows = [self.tally.begin(), self.tally.nothing()]
        for place, one in enumerate(firers):
            if place < len(self._way) and self._way[place][0] == one:
                rows = self._way[place][1]
                continue
            del self._way[place:]
            rows = self._through([one], *rows)
            self._way.append((one, rows))
        return rows

    def _through(self, firers: Sequence[Firer], row: Row, tested: Row, *others: Row) -> list[Row]:
        """The ways after these have fired; in those of ``tested`` and ``others`` the queen is
        among the cards."""
        tally, rows = self.tally, [row, tested, *others]
        for one in firers:
            shots = [tally.fire(row, one) if any(row) else (row, row[:]) for row in rows]
            rows = [after for _, after in shots]
            if one.tests & self.queen:
                for cell, ways in enumerate(shots[0][0]):
                    once = tally.drawn(ways)
                    rows[1][cell] += tally.drawn(once) - once
        return rows

    def _read(
        self, rows: list[tuple[Row, int]], draws: int | None = None
    ) -> dict[tuple[int, ...], Fraction]:
        """The chance of (kills, draws), of all or of so many draws; of rows and the draws that
        were told in them besides the hits."""
        found: dict[tuple[int, ...], Fraction] = {}
        for row, extra in rows:
            if any(row):
                ways, top = self.tally.total(row, extra)
                for key, value in self.tally.fields.read(ways, draws).items():
                    found[key] = found.get(key, Fraction(0)) + Fraction(value, top)
        return found


def _add(found: list[Fraction], fallen: int, chance: Fraction, then: Sequence[Fraction]) -> None:
    for more, share in enumerate(then):
        if fallen + more < len(found):
            found[fallen + more] += chance * share
