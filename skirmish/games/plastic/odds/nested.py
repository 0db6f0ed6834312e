"""Volleys of any mixture, from a deck that lasts or at one group through shuffles. Every card that
hits with a weapon also hits with a better one.

Draws of one shuffle are exchangeable: the chance that given draws are hits depends neither on their
order nor on the other draws. Take the draws with the fewest hitting cards first. Of a set of ``N``
cards that contains all earlier sets, ``N - used`` remain for the next draw, whichever cards were
used. So the number of orders in which given draws all hit is a product of such numbers, and a miss
is "any card" minus "a hit". Only the cards used for hits are tracked. If cover splits the colours,
the sets are chains by colour: red, black, and black aces if they alone ignore cover (P18).

The number of kills does not depend on the order of fire: while somebody stands all draws are alike,
and the remaining probability is that nobody is left. Breakdowns do depend on it, since nobody fires
at an eliminated group.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import groupby, pairwise, product
from math import comb, perm, prod

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    Firer,
    OddsError,
    Pack,
    bits,
    classes,
    summed,
)
from skirmish.games.plastic.rules.catalog import DECK

Chances = dict[tuple[int, ...], Fraction]
MOST_FIELDS = 16**3
"""Enough for three groups of 15."""

MOST_WORK = 300_000_000
"""Limit in coefficients touched, about 4 seconds: 20 shooters through one shuffle touch one or two
million, 40 touch 200 million."""


class PackedCounts:
    """Polynomials with ``sizes[i]`` powers of variable ``i``; their coefficients, smaller than ``2
    ** (width - 1)`` in size, stand side by side in one long number, so that Python adds and
    multiplies them all at once. To multiply by a variable is to shift."""

    def __init__(self, sizes: tuple[int, ...], width: int) -> None:
        self.sizes, self.width = sizes, width
        self.shift = tuple(width * prod(sizes[:axis]) for axis in range(len(sizes)))
        # The powers of each field, in the order of the fields.
        self.powers = [at[::-1] for at in product(*(range(size) for size in sizes[::-1]))]
        ones = (1 << width) - 1
        self.half = self._filled([1 << (width - 1)] * len(self.powers))
        self.below_last = [
            self._filled([ones if at[axis] < size - 1 else 0 for at in self.powers])
            for axis, size in enumerate(sizes)
        ]
        self.half_below = [self.half & below_last for below_last in self.below_last]
        self.all = (1 << width * len(self.powers)) - 1

    def _filled(self, values: list[int]) -> int:
        return sum(value << (index * self.width) for index, value in enumerate(values))

    def below(self, polynomial: int, axis: int) -> int:
        """The terms without the last power of a variable: those that can be multiplied by it."""
        # A negative field borrows from its neighbour; made positive, they can be cut apart.
        return ((polynomial + self.half) & self.below_last[axis]) - self.half_below[axis]

    def read(self, polynomial: int, last: int | None = None) -> dict[tuple[int, ...], int]:
        """The coefficients that are not 0, by their powers; ``last``: of that power of the last
        variable."""
        lifted = polynomial + self.half
        half, mask = 1 << (self.width - 1), (1 << self.width) - 1
        each = len(self.powers) // self.sizes[-1]
        start, end = (0, len(self.powers)) if last is None else (last * each, (last + 1) * each)
        found = {}
        for index in range(start, end):
            value = (lifted >> index * self.width & mask) - half
            if value:
                found[self.powers[index]] = value
        return found


Row = list[int]
"""A polynomial in kills for each number of cards used (per separate colour): the number of ways,
packed by ``PackedCounts``."""

_BLACK = bits(card for card in DECK if card.is_black)
_BLACK_ACES = bits(card for card in DECK if card.is_black and card.rank == 1)
_CUTS = (
    (ALL_CARDS,),
    (ALL_CARDS & ~_BLACK, _BLACK),
    (ALL_CARDS & ~_BLACK, _BLACK_ACES, _BLACK & ~_BLACK_ACES),
)


def chained(hit_sets: Iterable[int]) -> tuple[tuple[int, ...], list[int]]:
    """The coarsest partition of the deck in which the sets are chains, and the sets, small ones
    first. Raises OddsError if there is none: the weapons of this game have one."""
    sets = set(hit_sets)
    for cut in _CUTS:
        order = sorted(sets, key=lambda s: [(s & part).bit_count() for part in cut])
        chains = (filter(None, [one & part for one in order]) for part in cut)
        if not any(small & ~large for chain in chains for small, large in pairwise(chain)):
            return cut, order
    raise OddsError("These shooters hit with cards that no two weapons of the game hit with.")


def most_used(firers: Iterable[Firer], deck: int) -> tuple[int, ...]:
    cut, order = chained(one.hits for one in firers)
    return tuple(max((deck & part & hits).bit_count() for hits in order) for part in cut)


def _cells(most: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(product(*(range(count + 1) for count in most)))


@lru_cache(maxsize=512)
def _steps(
    deck: int, cut: tuple[int, ...], most: tuple[int, ...], hits: int
) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """For each cell reached by a hit: the cell before, and the number of cards."""
    strides = [prod(count + 1 for count in most[colour + 1 :]) for colour in range(len(most))]
    have = [(deck & part & hits).bit_count() for part in cut]
    found = (
        (at, tuple(
            (at - stride, there - used + 1)
            for used, there, stride in zip(cell, have, strides, strict=True)
            if 0 < used <= there
        ))
        for at, cell in enumerate(_cells(most))
    )  # fmt: skip
    return tuple((at, before) for at, before in found if before)


class HitTally:
    """Shooters are added weakest first (``sort``). Each group's kills have a variable, whose last
    power means that it is eliminated; for an ``only`` one the polynomial is cut off beyond its last
    power, which is faster. ``queen``: shooters who test draw a second card."""

    def __init__(
        self,
        firers: Sequence[Firer],
        deck: int,
        sizes: tuple[int, ...],
        queen: int = 0,
        *,
        only: bool = False,
    ) -> None:
        self.only = only
        self.cut, order = chained(one.hits for one in firers)
        self.order = {hits: index for index, hits in enumerate(order)}
        self.deck, self.size, self.queen = deck, deck.bit_count(), queen
        self._way: list[tuple[Firer, int, list[Row]]] = []
        most = most_used(firers, deck)
        self.cells = _cells(most)
        self.used = [sum(cell) for cell in self.cells]
        deepest = min(self.used[-1], self.size)
        ways = perm(self.size, deepest) * comb(len(firers) + 2 + deepest, deepest)
        self.fields = PackedCounts(sizes, ways.bit_length() + len(firers) + 16)
        self.steps = {hits: _steps(deck, self.cut, most, hits) for hits in order}

    def sort(self, firers: Iterable[Firer]) -> list[Firer]:

        def key(one: Firer) -> tuple[int, ...]:
            return (self.order[one.hits], one.group, one.repeat, one.tests)

        return sorted(firers, key=key)

    def nothing(self) -> Row:
        return [0] * len(self.cells)

    def axis(self, one: Firer) -> int:
        return one.group

    def standing(self, ways: int, axis: int) -> int:
        return ways & self.fields.all if self.only else self.fields.below(ways, axis)

    def fire(self, row: Row, one: Firer) -> tuple[Row, Row]:
        """A shooter's chain: all ways up to each of his last draws, without that draw unless it is
        a hit; and all ways after it, whatever it is. He draws none if the group is eliminated."""
        axis, after = self.axis(one), row[:]
        shift = self.fields.shift[axis]
        so_far = [self.standing(ways, axis) if ways else 0 for ways in row]
        # Cells are in rising order, so that the chains one hit shorter are done before each.
        for cell, before in self.steps[one.hits]:
            ways = 0
            for other, left in before:
                ways += so_far[other] * left
            if ways:
                killed = ways << shift
                after[cell] += killed - ways
                if one.repeat:
                    so_far[cell] += self.standing(killed, axis)
        return so_far, after

    def through(self, firers: Iterable[Firer], rows: Sequence[Row]) -> list[Row]:
        """The rows after these have fired. In all but the first the queen is among the cards; in
        the second she is somebody's last card, which requires another."""
        rows = list(rows)
        for one in firers:
            shots = [self.fire(row, one) if any(row) else (row, row) for row in rows]
            rows = [after for _, after in shots]
            if one.tests & self.queen:
                rows[1] = [a + b for a, b in zip(rows[1], shots[0][0], strict=True)]
        return rows

    def from_start(self, firers: Sequence[Firer]) -> list[Row]:
        """The two rows after these. The last result is cached after each block of shooters who fire
        alike: the next call has one more shooter in a block and continues from there."""
        rows = [[1, *self.nothing()[1:]], self.nothing()]
        for place, (one, alike) in enumerate(groupby(firers)):
            count, done = len(list(alike)), 0
            if place < len(self._way):
                last, fired, after = self._way[place]
                if last == one and fired <= count:
                    rows, done = after, fired
            if done < count:
                del self._way[place:]
                rows = self.through([one] * (count - done), rows)
                self._way.append((one, count, rows))
        return rows

    def while_firing(self, one: Firer, before: Iterable[Firer]) -> list[Row]:
        """The two rows up to each of his draws; the third row: that draw is the queen, and her
        second card is due."""
        first = self.sort(before)
        weaker = [other for other in first if self.order[other.hits] <= self.order[one.hits]]
        rows = [self.fire(row, one)[0] for row in self.from_start(weaker)]
        owed = rows[0] if one.tests & self.queen else self.nothing()
        return self.through(first[len(weaker) :], [*rows, owed])

    def total(self, row: Row, extra: int = 0) -> tuple[int, int]:
        """The sum of all ways as one polynomial, and its divisor; ``extra`` cards besides the hits
        are fixed (the queen of spades)."""
        deepest = max(self.used[cell] for cell, one in enumerate(row) if one or not cell)
        top = perm(self.size, min(deepest + extra, self.size))
        found = 0
        for cell, one in enumerate(row):
            if one and self.used[cell] + extra <= self.size:
                found += one * (top // perm(self.size, self.used[cell] + extra))
        return found, top

    def chances(self, row: Row) -> Chances:
        ways, top = self.total(row)
        return {key: Fraction(n, top) for key, n in sorted(self.fields.read(ways).items())}


# ------------------------------------------------------------------ volleys


def most_draws(firers: Sequence[Firer], sizes: Sequence[int]) -> int:
    """The most cards that a complete volley can take: one for each shooter, one for each kill that
    lets a shooter continue, one for a breakdown."""
    draws = len(firers)
    for group, size in enumerate(sizes):
        if any(one.repeat for one in firers if one.group == group):
            draws += size - 1 if len(sizes) == 1 else size
    return draws + any(one.tests for one in firers)


def kills(firers: Sequence[Firer], sizes: Sequence[int], deck: int) -> Chances:
    """The chance of each (kills of the first group, …). The deck must hold ``most_draws``. Raises
    OddsError, before any work, if the groups are too large for a joint distribution."""
    powers = _powers(firers, sizes)
    if prod(powers) > MOST_FIELDS:
        groups = " by ".join(str(n) for n, power in zip(sizes, powers, strict=True) if power > 1)
        raise OddsError(
            f"{groups} targets are too many to be told together: ask for each group by itself."
        )
    tally = HitTally(firers, deck, powers)
    return tally.chances(tally.from_start(tally.sort(firers))[0])


def alike(hits: int, draws: int, size: int, deck: int) -> Chances:
    """The chance of each number of hits, up to ``size``, by shooters who hit with the same cards
    and take one card each: whole decks first, then a hand from the last one."""
    sure = 0
    if draws > (count := deck.bit_count()):
        shuffles, draws = divmod(draws - count, ALL_CARDS.bit_count())
        sure = (deck & hits).bit_count() + shuffles * (ALL_CARDS & hits).bit_count()
        deck = ALL_CARDS
    good, count = (deck & hits).bit_count(), deck.bit_count()
    ways = {n: comb(good, n) * comb(count - good, draws - n) for n in range(min(good, draws) + 1)}
    every = comb(count, draws)
    return summed(
        ((min(sure + n, size),), Fraction(some, every)) for n, some in ways.items() if some
    )


def _powers(firers: Sequence[Firer], sizes: Sequence[int]) -> tuple[int, ...]:
    """One more power than each group's size."""
    own = [[one.repeat for one in firers if one.group == group] for group in range(len(sizes))]
    most = (
        (size if any(some) else min(size, len(some))) for size, some in zip(sizes, own, strict=True)
    )
    return tuple(fallen + 1 for fallen in most)


# ------------------------------------------------------------------ shooters lost


def losses(firers: Sequence[Firer], size: int, deck: int) -> Chances:
    """As ``kills``, with shooters lost: the breakdown card occurs once, so nobody or one is
    lost."""
    queen = next((one.tests for one in firers if one.tests), 0)
    lost = _lost(firers, size, deck, queen) if deck & queen else {}
    found: Chances = {}
    for (count,), chance in kills(firers, (size,), deck).items():
        one = lost.get(count, Fraction(0))
        found |= {(count, 0): chance - one, (count, 1): one}
    return {key: chance for key, chance in found.items() if chance}


def _lost(firers: Sequence[Firer], size: int, deck: int, queen: int) -> dict[int, Fraction]:
    """The chance of each number of kills with a shooter lost.

    His last card is the queen and the next a spade: two cards out of the deck, and all others come
    as from a deck without them. He draws them only while somebody is left.
    """
    count = deck.bit_count()
    breaks = next(one.breaks for one in firers if one.tests)
    lost: dict[int, Fraction] = defaultdict(Fraction)
    in_all = Fraction(0)
    for alike in classes(firers):
        spades = alike & deck & breaks & ~queen
        spade, share = spades & -spades, Fraction(spades.bit_count(), count * (count - 1))
        if not spade:
            continue
        tally = HitTally(firers, deck & ~queen & ~spade, (size,), queen, only=True)
        for (fallen,), chance in tally.chances(tally.from_start(tally.sort(firers))[1]).items():
            lost[fallen] += share * chance
        for index, one in enumerate(firers):
            if one.tests:
                drawing = tally.chances(tally.while_firing(one, firers[:index])[2])
                in_all += share * sum(drawing.values())
    lost[size] = in_all - sum(lost.values())
    return lost


# ------------------------------------------------------------------ through a shuffle

# The old shuffle has as many draws as cards. So the volley is split at its last draw: for each
# shooter who may be firing then, the kills before (computed as above), and the kills after, from
# the fresh deck.
#
# Draws are not counted separately. Each shooter has a last draw, and every kill that lets him fire
# again is one more draw. So kills are counted in two variables, last kills and those followed by
# another shot: ``index`` finished shooters have taken ``index`` draws, plus one for each of the
# latter kills.


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
        """Drops the terms in which nobody is left: that is the remaining probability."""
        if axis:
            return ways & self.fields.all
        return ways if self.spare else super().standing(ways, axis)

    def finished(self, draws: int) -> dict[int, Fraction]:
        """All have fired and the cards were enough: the chance of each number of kills."""
        row, tested = self.from_start(self.sort(self.firers))
        more = draws - len(self.firers)
        found: dict[int, Fraction] = defaultdict(Fraction)
        for ways in range(more + 1):
            self._read(row, ways, found)
        # Ways with a second draw, minus those in which the card before it requires none; the terms
        # with fewer draws cancel out.
        return self._read(tested, more, found, queen=True, sign=-1)

    def run_out(self, index: int, draws: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
        """The deck has run out while a shooter fires on; or his last card was the queen and her
        second card is due."""
        # If her card is due, the queen is placed as in ``tested``, but requires no card here.
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
        """Adds to ``found`` the chance of each number of kills, ``more`` of which led to another
        shot; ``queen``: she is in the row besides the hits."""
        if 0 <= more < self.fields.sizes[1] and any(row):
            ways, top = self.total(row, int(queen))
            for (ending, _), value in self.fields.read(ways, more).items():
                found[ending + more] += Fraction(sign * value, top)
        return found


def kills_with_shuffles(
    firers: Sequence[Firer], size: int, pack: Pack, most: int = MOST_WORK
) -> Chances:
    """The chance of each number of kills of one group. Raises OddsError, before any work, if it
    would take too long."""
    queen = next((one.tests for one in firers if one.tests), 0)
    after_test = ALL_CARDS & ~queen if pack.aside else ALL_CARDS
    work = 0

    def lasts(left: Sequence[Firer], draws: int) -> bool:
        return most_draws(left, [size]) <= draws

    def stops(left: Sequence[Firer], draws: int) -> list[int]:
        """The shooters that can draw the last card."""
        return [n for n in range(min(len(left), draws + 1)) if not lasts(left[: n + 1], draws - 1)]

    @cache
    def foresee(at: int, deck: int, draws: int) -> None:
        """Counts the work of ``after`` without doing it."""
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
        """The chance of each number of kills below the maximum, by the shooters from ``at`` on,
        while ``draws`` cards of ``deck`` can be drawn."""
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
    chances: Chances = {(fallen,): p for fallen, p in sorted(standing.items()) if p}
    if rest := 1 - sum(standing.values(), Fraction(0)):
        chances[size,] = rest
    return chances
