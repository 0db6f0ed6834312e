"""A volley followed from draw to draw, exactly.

Of a deck a state knows only how many cards of each part were drawn. Cards share a part until a
shooter distinguishes them, and again as soon as no later one does. While a part is undivided, any
of its cards are equally likely to be those drawn; so where a shooter divides it, the combinations
are counted.

The weight of a state is a polynomial in the kills, packed into one number, so that Python adds and
multiplies all coefficients at once; to multiply by a kill is to shift.

While the deck lasts it is enough to follow hits: a miss is any card less the hits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, factorial, prod
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.games.plastic.odds.pack import (
    ALL_CARDS,
    Firer,
    OddsError,
    Pack,
    VolleyOutcome,
    summed,
)
from skirmish.games.plastic.rules.catalog import DECK, DIE

Chances = dict[tuple[int, ...], Fraction]
MOST_STEPS = 1_500_000
"""Limit in draws followed, of which one with a long weight counts as several: about 3 seconds."""
GLIMPSE = 12_000
"""After this many draws the total is first estimated; then at every doubling."""
MOST_FIELDS = 16**3
"""Limit in coefficients: enough for three groups of 15."""

FIRST_EXACT = -1
"""In place of how many were spared: his first shot, after which nobody is."""

Cells = tuple[int, ...]
"""Cards drawn of each part of the deck; of a die, the number of throws."""
State = tuple[int, Cells, int]
"""Number of the deck, its cells, shooters lost."""
Key = TypeVar("Key")
Weights = dict[Key, tuple[int, int]]
"""Packed polynomials without their lowest zeros, whose number (in bits) comes first."""


class Deck(msgspec.Struct, frozen=True):
    """The cards of a shuffle, which begins after ``before`` draws. Weights count the orders of all
    cards drawn; ``scale`` is the number of all orders of those before."""

    cards: int
    scale: int = 1
    before: int = 0

    @property
    def size(self) -> int:
        return self.cards.bit_count()

    @property
    def orders(self) -> int:
        return self.scale * factorial(self.size)

    def without(self, cards: int) -> Deck:
        """After a draw of the lowest of ``cards``."""
        return Deck(self.cards & ~(cards & -cards), self.scale * self.size, self.before + 1)


def most_draws(firers: Sequence[Firer], sizes: Sequence[int]) -> int:
    """One for each shooter and each kill that lets a shooter continue, and one for a breakdown."""
    repeats = {one.group for one in firers if one.repeat}
    return len(firers) + sum(sizes[group] for group in repeats) + any(one.tests for one in firers)


def _strength(one: Firer) -> tuple[int, ...]:
    """In this order a volley is followed fastest. While the deck lasts, the order does not change
    the kills: as long as somebody stands all draws are alike."""
    return one.hits.bit_count(), one.hits, one.repeat, one.group


class Sweep:
    """``losses``: of shooters too. Raises OddsError where it would take too long."""

    def __init__(
        self,
        firers: Sequence[Firer],
        sizes: Sequence[int],
        pack: Pack,
        *,
        losses: bool = False,
        hits_only: bool = False,
        most: int = MOST_STEPS,
    ) -> None:
        draws = most_draws(firers, sizes)
        self.lasts = hits_only and not pack.die and draws <= pack.count
        if not losses and (self.lasts or pack.die):  # a second draw changes no other
            firers = [replace(one, tests=0) for one in firers]
        if not losses and self.lasts and not any(one.spared for one in firers):
            firers = sorted(firers, key=_strength)
        self.firers, self.sizes, self.pack, self.most = firers, sizes, pack, most
        self.fields = prod(size + 1 for size in sizes)
        if len(sizes) > 1 and self.fields > MOST_FIELDS:
            raise OddsError(
                f"{' by '.join(map(str, sizes))} targets are too many to be worked out together: "
                "ask for each group by itself."
            )
        self.losses, self.steps, self.look, self.took = losses, 0, min(GLIMPSE, most), [0]
        self.breaks = next((one.breaks for one in firers if one.tests), 0) if losses else 0
        self.lost: dict[int, int] = defaultdict(int)
        # Whether the breakdown card can come only once in a shuffle.
        self.once = pack.aside or not self.breaks or draws <= pack.count
        # A throw and its second throw together, if that matters.
        self.faces = DIE**2 if self.breaks else DIE
        shuffles = 1 if self.lasts else (draws - pack.count) // (len(DECK) - 2) + 3
        self.orders = self.faces**draws if pack.die else factorial(len(DECK)) ** shuffles
        # Room for the sign and, while the deck lasts, for all choices of draws that are followed.
        self.width = self.orders.bit_length() + 2 + 2 * draws * self.lasts
        self.shifts = [
            self.width * prod(size + 1 for size in sizes[:group]) for group in range(len(sizes))
        ]
        self.half = sum(1 << self.width * (field + 1) - 1 for field in range(self.fields))
        self.decks = [Deck(pack.now)]
        self.numbers = {self.decks[0]: 0}
        self._counts = cache(self._cards_by_part)
        self.parts, self.future = self._plan([(one.hits, one.spared, one.tests) for one in firers])

    # ------------------------------------------------------------------ the parts of the deck

    def _plan(self, own: list[tuple[int, ...]]) -> tuple[list[list[int]], list[list[int]]]:
        """For each shooter the parts of the deck, and the sets of cards that are distinguished
        from there on."""
        whole = [self.pack.now if self.pack.die else ALL_CARDS]
        plan, parts = [], whole
        future = [list({s for sets in own[at:] for s in sets if s}) for at in range(len(own))]
        for at, sets in enumerate(own):
            parts = divided(whole if self.pack.die else parts, sets)
            if not self.pack.die:
                together: dict[object, int] = defaultdict(int)
                for part in parts:
                    together[self._likeness(part, at, future[at])] |= part
                parts = list(together.values())
            plan.append(parts)
        return plan, future

    def _likeness(self, part: int, at: int, future: list[int]) -> object:
        """Equal for parts that nothing will distinguish."""
        if any(part & cards and part & ~cards for cards in future):
            return part
        hits = tuple(bool(part & cards) for cards in future)
        if not self.breaks or not any(one.tests for one in self.firers[at:]):
            return hits
        decks = (self.pack.now, ALL_CARDS)
        shares = tuple(self._breaking(part & deck) for deck in decks)
        return (hits, shares) if self.once else part

    def _breaking(self, cards: int) -> Fraction:
        """The share of cards that break a weapon."""
        return Fraction((cards & self.breaks).bit_count(), cards.bit_count() or 1)

    def _number(self, deck: Deck) -> int:
        number = self.numbers.setdefault(deck, len(self.decks))
        if number == len(self.decks):
            self.decks.append(deck)
        return number

    def _cards_by_part(self, at: int, deck: int) -> list[int]:
        return [(self.decks[deck].cards & part).bit_count() for part in self.parts[at]]

    def _divide(self, at: int, states: Weights[State]) -> Weights[State]:
        """The states with the cells of the next parts."""
        old, new = self.parts[at - 1], self.parts[at]
        if self.pack.die or old == new:
            return states

        pieces = [[part & piece for piece in new] for part in old]

        @cache
        def spread(deck: int, cells: Cells) -> tuple[int, list[tuple[Cells, int]]]:
            """In how many ways these cells can be drawn, and the next ones, with their ways."""
            cards, whole = self.decks[deck].cards, 1
            found = [((0,) * len(new), 1)]
            for drawn, into in zip(cells, pieces, strict=True):
                if drawn:
                    counts = tuple((cards & piece).bit_count() for piece in into)
                    whole *= comb(sum(counts), drawn)
                    found = [
                        (tuple(map(sum, zip(after, taken, strict=True))), ways * some)
                        for after, ways in found
                        for taken, some in dealt(drawn, counts)
                    ]
            return whole, found

        found: Weights[State] = {}
        for (deck, cells, lost), (low, value) in states.items():
            whole, ways = spread(deck, cells)
            for after, some in ways:
                add(found, (deck, after, lost), low, value * some // whole)
        return found

    # ------------------------------------------------------------------ shot after shot

    def states(self) -> Weights[State]:
        cells = (0,) if self.pack.die else (0,) * len(self.parts[0])
        states: Weights[State] = {(0, cells, 0): (0, 1)}
        for at in range(len(self.firers)):
            before = self.steps
            states = self._fire(at, self._divide(at, states) if at else states)
            self.took.append(self.steps - before)
        return states

    def _fire(self, at: int, states: Weights[State]) -> Weights[State]:
        """Draws are followed in the order in which they are made, so that equal states merge."""
        one, width = self.firers[at], self.width
        shift, size, single = self.shifts[one.group], self.sizes[one.group], len(self.sizes) == 1
        done: Weights[State] = {}
        waiting: dict[int, Weights[tuple[State, int]]] = defaultdict(dict)

        @cache
        def fewer(limit: int) -> int:
            """A mask of the terms with fewer kills."""
            ones, block = (1 << shift * limit) - 1, shift * (size + 1)
            return sum(ones << start for start in range(0, width * self.fields, block))

        def stand(state: State, spared: int, low: int, value: int) -> None:
            """He fires on where he has a new man left, and else is done."""
            limit = max(0, size - max(spared, 0))
            if single and low + value.bit_length() < limit * width:
                on = value
            else:
                # A negative term borrows from its neighbour; made positive, they can be cut apart.
                half, mask = self.half >> low, fewer(limit) >> low
                on = (value + half & mask) - (half & mask)
            if on:
                drawn = self.decks[state[0]].before + sum(state[1])
                add(waiting[drawn], (state, spared), low, on)
            if on != value:
                add(done, state, low, value - on)

        for state, (low, value) in states.items():
            stand(state, FIRST_EXACT if one.first_exact else 0, low, value)
        while waiting:
            for (state, spared), (low, value) in waiting.pop(min(waiting)).items():
                for card, after, weight in self._draw(at, self._ready(state), value):
                    if not card & one.hits:
                        add(done, after, low, weight)
                    elif one.repeat:
                        now_spared = max(spared, 0)
                        if spared != FIRST_EXACT and card & one.spared:
                            now_spared += 1
                        stand(after, now_spared, low + shift, weight)
                    else:
                        add(done, after, low + shift, weight)
        return done

    def _draw(self, at: int, state: State, value: int) -> list[tuple[int, State, int]]:
        """The part that the card is of, if it is followed, and the states after a shot with their
        weights."""
        one, (deck, cells, lost), counts = self.firers[at], state, self._counts(at, state[0])
        self._count(len(counts) * (1 + (value.bit_length() >> 14)))
        found: list[tuple[int, State, int]] = []
        if self.lasts:
            found.append((0, state, value))
            if self.breaks and one.tests:
                self.lost[sum(cells)] += self._broken(at, state, value)
        for index, (part, count) in enumerate(zip(self.parts[at], counts, strict=True)):
            if self.pack.die:
                after: State = deck, (cells[0] + 1,), lost
                weight = value * count * self.faces // DIE
            elif cells[index] < count and (part & one.hits or not self.lasts):
                after, weight = (deck, more(cells, index), lost), value * (count - cells[index])
            else:
                continue
            if self.lasts:
                found += (0, after, -weight), (part, after, weight)
            elif part & one.tests:
                found += ((part, *end) for end in self._second(at, after, weight, part))
            else:
                found.append((part, after, weight))
        return found

    def _ready(self, state: State, without: int = 0) -> State:
        """The state ready for a draw: with a new shuffle, ``without`` a card, if the deck is
        empty."""
        deck, cells, lost = state
        old = self.decks[deck]
        if self.lasts or self.pack.die or sum(cells) < old.size:
            return state
        new = Deck(ALL_CARDS & ~without, old.orders, old.before + old.size)
        return self._number(new), (0,) * len(cells), lost

    def _second(self, at: int, state: State, value: int, first: int) -> Iterator[tuple[State, int]]:
        """The states after the second draw of a breakdown."""
        deck, cells, lost = self._ready(state, first if self.pack.aside else 0)
        if not self.pack.die:
            yield from self._next_card(at, (deck, cells, lost), value)
        elif self.breaks:
            broken = value * self.breaks.bit_count() // DIE
            yield (deck, cells, lost + 1), broken
            yield (deck, cells, lost), value - broken
        else:
            yield state, value

    def _broken(self, at: int, state: State, value: int) -> int:
        """The weight of the breakdown card and of one that breaks the shooter after it."""
        cards, queen = self.decks[state[0]].cards, 0
        found, ones = 0, (1 << self.width) - 1
        # The sum of all coefficients: modulo ``ones`` 2 ** width is 1.
        whole = (value + ones // 2) % ones - ones // 2
        for part, drawn in zip(self.parts[at], state[1], strict=True):
            count = (part & cards).bit_count()
            if part & self.firers[at].tests:
                queen = count - drawn
            elif count:
                breaks = (part & cards & self.breaks).bit_count()
                found += whole * (count - drawn) * breaks // count
        return found * queen

    def _next_card(self, at: int, state: State, value: int) -> Iterator[tuple[State, int]]:
        """One card more, by whether it breaks the shooter. If that makes one card of a part more
        likely than another, and a later shooter distinguishes them, it leaves the deck."""
        deck, cells, lost = state
        now = self.decks[deck]
        for index, part in enumerate(self.parts[at]):
            cards = part & now.cards
            count = cards.bit_count()
            if cells[index] == count:
                continue
            pieces = divided([cards], self.future[at])
            alike = self.once and len(set(map(self._breaking, pieces))) == 1
            for piece in [cards] if alike else pieces:
                for some, gone in ((piece & self.breaks, 1), (piece & ~self.breaks, 0)):
                    if not some:
                        continue
                    after = deck, more(cells, index), lost + gone
                    if not alike:
                        known = now.without(piece if self.once else some)
                        after = self._number(known), cells, lost + gone
                    yield after, value * (count - cells[index]) * some.bit_count() // count

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.look:
            self.look *= 2
            # A lower bound of the steps, if no shooter takes fewer than the last one.
            behind, left = sum(self.took), len(self.firers) - len(self.took) + 1
            if behind + left * max(self.took[-1], self.steps - behind) > self.most:
                raise OddsError(
                    "This volley is too mixed to be worked out exactly: fewer kinds of shooters, "
                    "fewer groups or a fuller deck would do."
                )

    # ------------------------------------------------------------------ the end

    def joint(self) -> Chances:
        """The chance of (kills of each group…, shooters lost), in which nobody is lost without
        ``losses``, or if only hits were followed."""
        whole: Weights[tuple[int, int]] = {}
        for (deck, cells, lost), (low, value) in self.states().items():
            now, drawn = self.decks[deck], sum(cells)
            if self.pack.die:
                add(whole, (self.orders, lost), low, value * (self.orders // self.faces**drawn))
            else:
                add(whole, (now.orders, lost), low, value * factorial(now.size - drawn))
        return summed(
            ((*kills, lost), Fraction(ways, orders))
            for (orders, lost), (low, value) in whole.items()
            for kills, ways in self._read(low, value)
        )

    def outcome(self) -> VolleyOutcome:
        joint, now = self.joint(), self.decks[0]
        kills = summed((key[:-1], chance) for key, chance in joint.items())
        if not self.losses:
            return VolleyOutcome(kills)
        lost = summed((key[-1], chance) for key, chance in joint.items())
        if self.lasts:
            ways = sum(some * factorial(now.size - drawn - 2) for drawn, some in self.lost.items())
            lost = {0: 1 - Fraction(ways, now.orders), 1: Fraction(ways, now.orders)}
        return VolleyOutcome(kills, {n: chance for n, chance in lost.items() if chance})

    def _read(self, low: int, value: int) -> Iterator[tuple[tuple[int, ...], int]]:
        field, mask = low // self.width, (1 << self.width) - 1
        while value:
            ways = value & mask
            ways -= ways >> self.width - 1 << self.width
            if ways:
                kills, rest = [], field
                for size in self.sizes:
                    rest, fallen = divmod(rest, size + 1)
                    kills.append(fallen)
                yield tuple(kills), ways
            value, field = (value - ways) >> self.width, field + 1


def divided(parts: Iterable[int], sets: Iterable[int]) -> list[int]:
    found = list(parts)
    for cards in sets:
        found = [piece for part in found for piece in (part & cards, part & ~cards) if piece]
    return found


@lru_cache(maxsize=4096)
def dealt(drawn: int, counts: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """Each way to divide the cards drawn of parts of so many, and how often it comes."""
    if not counts:
        return [((), 1)]
    first, rest = counts[0], counts[1:]
    return [
        ((some, *others), comb(first, some) * ways)
        for some in range(max(0, drawn - sum(rest)), min(drawn, first) + 1)
        for others, ways in dealt(drawn - some, rest)
    ]


def more(cells: Cells, index: int, by: int = 1) -> Cells:
    return (*cells[:index], cells[index] + by, *cells[index + 1 :])


def add(found: Weights[Key], key: Key, low: int, value: int) -> None:
    lower, before = found.get(key, (low, 0))
    if lower < low:
        found[key] = lower, before + (value << low - lower)
    else:
        found[key] = low, value + (before << lower - low)
