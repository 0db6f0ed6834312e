"""A volley followed from draw to draw, exactly.

Of a deck a state knows only how many cards of each part were drawn. Cards share a part until a
shooter distinguishes them, and again as soon as no later one does. While a part is undivided, any
of its cards are equally likely to be those drawn; so where a shooter divides it, the combinations
are counted. That may be before he fires, where it makes fewer parts.

The weight of a state is a polynomial in the kills, packed into one number, so that Python adds and
multiplies all coefficients at once; to multiply by a kill is to shift.

While the deck lasts it is enough to follow hits: a miss is any card less the hits. That holds for
the last shuffle of a longer volley, too.

Where all fire at one group of which nobody is spared, shooters who are alike are followed together:
each state is met once for all of them. Those whose targets are all dead are not followed there;
their chance is what is missing from 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import comb, factorial, lcm, perm, prod
from operator import add as add_up
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
MOST_STEPS = 2_000_000
"""Limit in draws followed, of which one with a long weight counts as several: about 3 seconds."""
GLIMPSE = 12_000
"""After this many draws the total is first estimated; then at every doubling."""
MOST_FIELDS = 16**3
"""Limit in coefficients: enough for three groups of 15."""

FIRST_EXACT = -1
"""In place of how many were spared: his first shot, after which nobody is."""
ALIKE = 3
"""A draw of shooters who are followed together takes a part of the time."""
MOST_BITS = 1 << 17
"""Of a weight for shooters who are followed together: 16 KB."""

Cells = int
"""Cards drawn of each part of the deck, ``CELL`` bits for each; of a die, the number of throws."""
CELL = len(DECK).bit_length()
CELL_MASK = (1 << CELL) - 1
State = tuple[int, Cells, int]
"""Number of the deck, its cells, shooters lost."""
Move = tuple[bool, bool, State, int, int, int]
"""What a draw leads to: whether it hits, and uses up another new man; the state after it; how many
cards were drawn until then; and by what the weight is multiplied, then divided."""
Kind = tuple[int, int, bool, bool, int]
"""A part of a deck for a shooter: the place of its cell, its cards, whether they hit, use up
another new man, and which part it is if they require a second draw (else 0)."""
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


class Slots(msgspec.Struct, frozen=True):
    """A weight for shooters who are ``alike``: a slot for each who comes to fire, and one more for
    what is done.

    Within a slot the kills are counted from those that there would be if each card drawn were a
    kill, but for one miss a shooter. So the shots of one who fires on after each kill leave a
    weight where it is, and a slot needs ``fields`` for what differs, not for all kills. ``first``
    is the lowest difference.
    """

    alike: int
    width: int
    fields: int
    first: int

    @property
    def size(self) -> int:
        """In bits."""
        return self.width * self.fields

    def kills(self, nth: int, drawn: int) -> int:
        """What the lowest field of a slot stands for after so many draws; where that is less than
        none, nothing is in it."""
        return self.first + drawn - nth

    def together(self, weights: Sequence[int], drawn: int) -> int:
        """One weight of those by shooter."""
        value = 0
        for nth, weight in enumerate(weights):
            own = shifted(weight, -self.kills(nth, drawn) * self.width)
            value += own << self.size * nth
        return value

    def apart(self, value: int, drawn: int, width: int) -> list[int]:
        """The weights by shooter, with fields of another width."""
        weights, mask = [], (1 << self.size) - 1
        for nth in range(self.alike + 1):
            own = spread_out(value >> self.size * nth & mask, self.width, width)
            weights.append(shifted(own, self.kills(nth, drawn) * width))
        return weights

    def alive(self, size: int, drawn: int) -> int | None:
        """A mask of the fields with fewer kills than ``size``; None for all fields."""
        if self.kills(0, drawn) + self.fields <= size:
            return None
        mask = 0
        for nth in range(self.alike + 1):
            fields = min(max(0, size - self.kills(nth, drawn)), self.fields)
            mask |= (1 << self.width * fields) - 1 << self.size * nth
        return mask


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
        self.draws, self.tests = draws, any(one.tests for one in firers)
        self.hits_only = hits_only and not pack.die
        self.lasts = self.hits_only and draws <= pack.count
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
        self.together = 1
        self.losses, self.steps, self.look, self.took = losses, 0, min(GLIMPSE, most), [0]
        self.breaks = next((one.breaks for one in firers if one.tests), 0) if losses else 0
        self.lost: dict[int, int] = defaultdict(int)
        # Whether those who are all dead are not followed: their chance is what is missing from 1.
        self.cuts = self.hits_only and not self.breaks and len(sizes) == 1
        # Whether the breakdown card can come only once in a shuffle.
        self.once = pack.aside or not self.breaks or draws <= pack.count
        # A throw and its second throw together, if that matters.
        self.faces = DIE**2 if self.breaks else DIE
        if pack.die:
            self.orders = self.faces**draws
            most_orders = self.orders
        else:
            shuffles = 1 if self.lasts else (draws - pack.count) // (len(DECK) - 2) + 3
            # With a second draw in each shuffle, all orders of the first cards and of those after.
            first = min(draws, pack.count) if self.lasts else pack.count
            after = max(0, draws + shuffles - pack.count)
            most_orders = perm(pack.count, first) * len(DECK) ** (0 if self.lasts else after)
        # Room for the sign and, where only hits are followed, for the two terms of each miss.
        self.width = int(most_orders.bit_length()) + 2
        if self.hits_only:
            self.width += len(firers)
        self.shifts = [
            self.width * prod(size + 1 for size in sizes[:group]) for group in range(len(sizes))
        ]
        self.known: dict[State, list[Move]] = {}
        self.decks = [Deck(pack.now)]
        self.lasting = [self.lasts]
        self.plain = self.cuts and not any(one.spared for one in firers)
        self.widths = [self._width(self.decks[0])]
        self.numbers = {self.decks[0]: 0}
        self._counts = cache(self._cards_by_part)
        self._kinds = cache(self._cards_that_matter)
        self.parts, self.future = self._plan([(one.hits, one.spared, one.tests) for one in firers])

    @cached_property
    def half(self) -> int:
        """Half of what fits into each field."""
        return sum(1 << self.width * (field + 1) - 1 for field in range(self.fields))

    # ------------------------------------------------------------------ the parts of the deck

    def _plan(self, own: list[tuple[int, ...]]) -> tuple[list[list[int]], list[list[int]]]:
        """For each shooter the parts of the deck, and the sets of cards that are distinguished
        from there on."""
        whole = [self.pack.now if self.pack.die else ALL_CARDS]
        plan, parts = [], whole
        future = _sets_from(own)
        for at, sets in enumerate(own):
            alike = at > 0 and sets == own[at - 1] and future[at] is future[at - 1]
            if self.pack.die:
                parts = divided(whole, sets)
            elif not alike:
                parts = self._next_parts(parts, at, sets, future[at])
            plan.append(parts)
        return plan, future

    def _next_parts(
        self, parts: list[int], at: int, sets: Iterable[int], future: list[int]
    ) -> list[int]:
        """The parts of the deck for a shooter who distinguishes these sets."""
        now = self._merged(divided(parts, sets), at, future)
        if self.lasts:
            return now
        # What all later shooters distinguish may be fewer parts than what is left of those that
        # earlier ones did: then it is divided before it must be.
        soon = self._merged(divided(parts, future), at, future)
        return min(now, soon, key=most_states)

    def _merged(self, parts: Iterable[int], at: int, future: list[int]) -> list[int]:
        """The parts, of which those that nothing will distinguish are one."""
        together: dict[object, int] = defaultdict(int)
        for part in parts:
            together[self._likeness(part, at, future)] |= part
        return list(together.values())

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

    def _lasts(self, deck: Deck) -> bool:
        """Whether a shuffle does not run out, so that only its hits are followed."""
        if not deck.before:
            return self.lasts
        if not self.hits_only or self.breaks:
            return False
        # In each earlier shuffle one draw may have been the second one of a breakdown, and so may
        # one in this.
        earlier = 2 + (deck.before - self.pack.count) // (len(DECK) - 1)
        return self.draws - deck.before + earlier + self.tests <= deck.size

    def _width(self, deck: Deck) -> int:
        """The bits of each coefficient of the weights while cards of this deck are drawn."""
        if not self.plain:
            return self.width
        return deck.orders.bit_length() + 2 + len(self.firers)

    def _number(self, deck: Deck) -> int:
        number = self.numbers.setdefault(deck, len(self.decks))
        if number == len(self.decks):
            self.decks.append(deck)
            self.lasting.append(self._lasts(deck))
            self.widths.append(self._width(deck))
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
            found = [(0, 1)]
            for drawn, into in zip(unpacked(cells, len(old)), pieces, strict=True):
                if drawn:
                    counts = tuple((cards & piece).bit_count() for piece in into)
                    whole *= comb(sum(counts), drawn)
                    found = [
                        (after + taken, ways * some)
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
        states: Weights[State] = {(0, 0, 0): (0, 1)}
        at, before = 0, -1
        while at < len(self.firers):
            firer, steps = self.firers[at], self.steps
            if at:
                states = self._divide(at, states)
            alike = self._alike(at, states)
            if at != before:
                self.known = {}
            # Who did not have room in one weight still knows the moves of those before him.
            before = at + alike if self._alike_two(at + alike - 1) else -1
            if self.cuts and not firer.spared:
                self.together = alike
                states = self._fire_at_one_group(at, alike, states)
            else:
                self.together = alike = 1
                states = self._fire(at, states)
            self.took += [(self.steps - steps) // alike] * alike
            at += alike
        return states

    def _alike(self, at: int, states: Weights[State]) -> int:
        """How many shooters from this one on are like him, and move alike; no more than have room
        in one weight."""
        end = at + 1
        while self._alike_two(end - 1):
            end += 1
        if end == at + 1:
            return 1
        fewest, most = self.sizes[0], -self.draws
        for state, (low, value) in states.items():
            width, drawn = self.widths[state[0]], self._drawn(state)
            fewest = min(fewest, low // width - drawn)
            most = max(most, (low + value.bit_length()) // width - drawn)
        room = MOST_BITS // (self.widths[-1] * (most - fewest + 2))
        return max(1, min(end - at, room))

    def _alike_two(self, at: int) -> bool:
        """Whether the next shooter is like this one, and moves alike."""
        return (
            at + 1 < len(self.firers)
            and self.firers[at] == self.firers[at + 1]
            and self.parts[at] == self.parts[at + 1]
            and {*self.future[at]} == {*self.future[at + 1]}
        )

    def _fire(self, at: int, states: Weights[State]) -> Weights[State]:
        """Draws are followed in the order in which they are made, so that equal states merge."""
        firer, width = self.firers[at], self.width
        shift, size = self.shifts[firer.group], self.sizes[firer.group]
        single, parts = len(self.sizes) == 1, len(self.parts[at])
        lasts = self.lasts and self.breaks and firer.tests
        done: Weights[State] = {}
        waiting: dict[int, Weights[tuple[State, int]]] = defaultdict(dict)

        @cache
        def fewer(limit: int) -> int:
            """A mask of the terms with fewer kills."""
            ones, block = (1 << shift * limit) - 1, shift * (size + 1)
            return sum(ones << start for start in range(0, width * self.fields, block))

        def stand(state: State, drawn: int, spared: int, low: int, value: int) -> None:
            """He fires on where he has a new man left, and else is done."""
            limit = max(0, size - max(spared, 0))
            if single and low + value.bit_length() < limit * width:
                on = value
            else:
                # A negative term borrows from its neighbour; made positive, they can be cut apart.
                half, mask = self.half >> low, fewer(limit) >> low
                on = (value + half & mask) - (half & mask)
            if on:
                add(waiting[drawn], (state, spared), low, on)
            if on != value and (spared > 0 or not self.cuts):
                add(done, state, low, value - on)

        for state, (low, value) in states.items():
            begins = FIRST_EXACT if firer.first_exact else 0
            stand(state, self._drawn(state), begins, low, value)
        while waiting:
            layer = waiting.pop(min(waiting))
            steps = 0
            for (state, spared), (low, value) in layer.items():
                steps += parts * (1 + (value.bit_length() >> 14))
                if lasts:
                    self.lost[self._drawn(state)] += self._broken(at, state, value)
                ready = self._ready(state)
                # While the deck lasts, a miss is any card less the hits.
                follows_hits = self.lasting[ready[0]]
                if follows_hits:
                    add(done, ready, low, value)
                for hit, uses, after, drawn, times, over in self._known_moves(at, ready):
                    weight = value * times
                    if over != 1:
                        weight //= over
                    if follows_hits:
                        add(done, after, low, -weight)
                    if not hit:
                        add(done, after, low, weight)
                        continue
                    if not firer.repeat:
                        add(done, after, low + shift, weight)
                        continue
                    stand(after, drawn, now_spared(spared, uses), low + shift, weight)
            self._count(steps)
        return done

    def _fire_at_one_group(self, at: int, alike: int, states: Weights[State]) -> Weights[State]:
        """The same for shooters who are ``alike``, all at once, where all fire at one group and the
        defender spares nobody: each fires on after a kill until all are dead, and those who are all
        dead are not followed."""
        done: Weights[State] = {}
        decks: dict[int, dict[State, list[int]]] = defaultdict(dict)
        for state, (low, value) in states.items():
            decks[state[0]][state] = [value << low, *[0] * alike]
        while decks:
            # The next deck has a higher number.
            deck = min(decks)
            from_deck = decks.pop(deck)
            if self.lasting[deck]:
                self._while_it_lasts(at, alike, from_deck, done)
            else:
                self._until_it_runs_out(at, alike, from_deck, decks, done)
        return done

    def _until_it_runs_out(
        self,
        at: int,
        alike: int,
        states: dict[State, list[int]],
        decks: dict[int, dict[State, list[int]]],
        done: Weights[State],
    ) -> None:
        """Their shots from one deck, which may run out; they go on from other ``decks``."""
        firer, parts = self.firers[at], len(self.parts[at])
        deck = next(iter(states))[0]
        last = self.decks[deck].before + self.decks[deck].size
        slots = self._slots(at, alike, states)
        width, slot, end = slots.width, slots.size, slots.size * alike
        still = (1 << end) - 1
        long = alike * (1 + (slot >> 14))
        # After a miss the next shooter is next, and after a hit if this one may not fire on.
        kill = 0 if firer.repeat else slot + width

        def go_on(state: State, value: int, drawn: int, times: int = 1, over: int = 1) -> None:
            apart = slots.apart(value, drawn, self.widths[state[0]])
            weights = [weight * times // over for weight in apart]
            if before := decks[state[0]].get(state):
                weights = [*map(add_up, before, weights)]
            decks[state[0]][state] = weights

        coming: dict[int, dict[State, int]] = defaultdict(dict)
        missed: dict[int, dict[State, int]] = defaultdict(dict)
        hits: dict[int, dict[State, int]] = defaultdict(dict)
        for state, weights in states.items():
            drawn = self._drawn(state)
            coming[drawn][state] = slots.together(weights, drawn)
        while coming or missed or hits:
            drawn = min((*coming, *missed, *hits))
            here, spent, killed = (one.pop(drawn, {}) for one in (coming, missed, hits))
            alive = slots.alive(self.sizes[0], drawn)
            for state in here | spent | killed:
                value = here.get(state, 0) + (spent.get(state, 0) << slot)
                value += killed.get(state, 0) << kill
                if alive is not None:
                    value &= alive
                if finished := value >> end:
                    low = slots.kills(alike, drawn) * width
                    add(done, state, max(0, low), shifted(finished, min(0, low)))
                fires = value & still
                if not fires:
                    continue
                if drawn == last:
                    go_on(self._ready(state), fires, drawn)
                    continue
                for kills, _, after, then, times, over in self._known_moves(at, state):
                    if after[0] != deck:
                        fired = fires << (kill if kills else slot)
                        go_on(after, fired, drawn + 1, times, over)
                        continue
                    weight = fires * times
                    if over != 1:
                        weight //= over
                    # The second draw of a breakdown is no kill.
                    weight >>= width * (then - drawn - 1)
                    into = hits[then] if kills else missed[then]
                    into[after] = into.get(after, 0) + weight
            self._count(parts * long * (len(here) + len(spent)) // ALIKE)

    def _slots(self, at: int, alike: int, states: dict[State, list[int]]) -> Slots:
        """With room for these states and what their shooters make of them."""
        firer, width = self.firers[at], self.widths[next(iter(states))[0]]
        fewest, most = [], []
        for state, weights in states.items():
            drawn = self._drawn(state)
            for nth, weight in enumerate(weights):
                if weight:
                    lowest_bit = (weight & -weight).bit_length() - 1
                    fewest.append(lowest_bit // width - drawn + nth)
                    most.append(weight.bit_length() // width - drawn + nth)
        # The second draws of breakdowns in this deck are no kills.
        first = min(fewest) - firer.tests.bit_count()
        fields = max(most) - first + 1
        if not firer.repeat:
            fields += alike
        return Slots(alike=alike, width=width, fields=fields, first=first)

    def _while_it_lasts(
        self, at: int, alike: int, states: dict[State, list[int]], done: Weights[State]
    ) -> None:
        """Their shots from one deck that lasts: a miss is any card less the hits. Each state has
        its weights by shooter: of those who come to fire there, the last of them done, and of the
        hits that lead there."""
        firer, parts = self.firers[at], len(self.parts[at])
        width = self.widths[next(iter(states))[0]]
        most = width * self.sizes[0]
        none, nobody = [0] * alike, [0] * (alike + 1)
        long = alike * (1 + (most >> 14))
        coming: dict[int, dict[State, list[int]]] = defaultdict(dict)
        hits: dict[int, dict[State, list[int]]] = defaultdict(dict)
        for state, weights in states.items():
            coming[self._drawn(state)][state] = weights
        drawn = min(coming)
        while coming or hits:
            if drawn not in coming and drawn not in hits:
                drawn = min((*coming, *hits))
            here, killed = coming.pop(drawn, {}), hits.pop(drawn, {})
            drawn += 1
            for state in here | killed:
                begun, killing = here.get(state, nobody), killed.get(state, none)
                fires: list[int] = []
                value = 0
                for comes, hit in zip(begun, killing, strict=False):
                    value += comes
                    whole = value + (hit << width)
                    if whole.bit_length() >= most:
                        whole = lowest(whole, most)
                    fires.append(whole if firer.repeat else value)
                    value = whole - hit
                value += begun[alike]
                if value:
                    add(done, state, 0, value)
                if not any(fires):
                    continue
                for _, _, after, then, times, _ in self._known_moves(at, state):
                    weights = [fire * times for fire in fires]
                    before = hits[then].get(after)
                    if before is not None:
                        weights = [*map(add_up, before, weights)]
                    hits[then][after] = weights
            self._count(parts * long * (len(here) + len(killed)) // ALIKE)

    def _known_moves(self, at: int, state: State) -> list[Move]:
        moves = self.known.get(state)
        if moves is None:
            moves = self.known[state] = self._moves(at, state)
        return moves

    def _moves(self, at: int, state: State) -> list[Move]:
        """What a shot leads to; while the deck lasts, only the hits."""
        deck, cells, lost = state
        drawn = self._drawn(state) + 1
        moves: list[Move] = []
        for place, count, hit, uses, tests in self._kinds(at, deck):
            if self.pack.die:
                after, times = (deck, cells + 1, lost), count * self.faces // DIE
            else:
                after = deck, cells + (1 << place), lost
                times = count - (cells >> place & CELL_MASK)
                if not times:
                    continue
            if tests:
                for end, some, over in self._second(at, after, tests):
                    moves.append((hit, uses, end, self._drawn(end), times * some, over))
            else:
                moves.append((hit, uses, after, drawn, times, 1))
        return moves

    def _cards_that_matter(self, at: int, deck: int) -> list[Kind]:
        """The parts of a deck by what a card of them is for the shooter; while the deck lasts, only
        the hits, and no second draw."""
        firer, lasts = self.firers[at], self.lasting[deck]
        kinds = []
        for index, part in enumerate(self.parts[at]):
            hit, uses, tests = bool(part & firer.hits), bool(part & firer.spared), 0
            if part & firer.tests and not lasts:
                tests = part
            if hit or not lasts or self.pack.die:
                count = (self.decks[deck].cards & part).bit_count()
                kinds.append((CELL * index, count, hit, uses, tests))
        return kinds

    def _drawn(self, state: State) -> int:
        """How many cards were drawn so far."""
        deck, cells, _ = state
        if self.pack.die:
            return cells
        return self.decks[deck].before + total(cells)

    def _ready(self, state: State, without: int = 0) -> State:
        """The state ready for a draw: with a new shuffle, ``without`` a card, if the deck is
        empty."""
        deck, cells, lost = state
        old = self.decks[deck]
        if self.lasting[deck] or self.pack.die or total(cells) < old.size:
            return state
        new = Deck(ALL_CARDS & ~without, old.orders, old.before + old.size)
        return self._number(new), 0, lost

    def _second(self, at: int, state: State, first: int) -> Iterator[tuple[State, int, int]]:
        """The states after the second draw of a breakdown, and by what the weight is multiplied,
        then divided."""
        deck, cells, lost = self._ready(state, first if self.pack.aside else 0)
        if not self.pack.die:
            yield from self._next_card(at, (deck, cells, lost))
        elif self.breaks:
            broken = self.breaks.bit_count()
            yield (deck, cells, lost + 1), broken, DIE
            yield (deck, cells, lost), DIE - broken, DIE
        else:
            yield state, 1, 1

    def _broken(self, at: int, state: State, value: int) -> int:
        """The weight of the breakdown card and of one that breaks the shooter after it."""
        cards, queen = self.decks[state[0]].cards, 0
        found, ones = 0, (1 << self.width) - 1
        # The sum of all coefficients: modulo ``ones`` 2 ** width is 1.
        whole = (value + ones // 2) % ones - ones // 2
        taken = unpacked(state[1], len(self.parts[at]))
        for part, drawn in zip(self.parts[at], taken, strict=True):
            count = (part & cards).bit_count()
            if part & self.firers[at].tests:
                queen = count - drawn
            elif count:
                breaks = (part & cards & self.breaks).bit_count()
                found += whole * (count - drawn) * breaks // count
        return found * queen

    def _next_card(self, at: int, state: State) -> Iterator[tuple[State, int, int]]:
        """One card more, by whether it breaks the shooter. If that makes one card of a part more
        likely than another, and a later shooter distinguishes them, it leaves the deck."""
        deck, cells, lost = state
        now = self.decks[deck]
        taken = unpacked(cells, len(self.parts[at]))
        if not self.breaks:
            for index, count in enumerate(self._counts(at, deck)):
                if taken[index] < count:
                    yield (deck, cells + (1 << CELL * index), lost), count - taken[index], 1
            return
        for index, part in enumerate(self.parts[at]):
            cards = part & now.cards
            count = cards.bit_count()
            if taken[index] == count:
                continue
            pieces = divided([cards], self.future[at])
            alike = self.once and len(set(map(self._breaking, pieces))) == 1
            for piece in [cards] if alike else pieces:
                for some, gone in ((piece & self.breaks, 1), (piece & ~self.breaks, 0)):
                    if not some:
                        continue
                    after = deck, cells + (1 << CELL * index), lost + gone
                    if not alike:
                        known = now.without(piece if self.once else some)
                        after = self._number(known), cells, lost + gone
                    yield after, (count - taken[index]) * some.bit_count(), count

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.look:
            self.look *= 2
            # A lower bound of the steps, if no shooter takes fewer than the last one.
            behind, left = sum(self.took), len(self.firers) - len(self.took) + 1
            now = (self.steps - behind) // self.together
            if behind + left * max(self.took[-1], now) > self.most:
                raise OddsError(
                    "This volley is too mixed to be worked out exactly: fewer kinds of shooters, "
                    "fewer groups or a fuller deck would do."
                )

    # ------------------------------------------------------------------ the end

    def joint(self) -> Chances:
        """The chance of (kills of each group…, shooters lost), in which nobody is lost without
        ``losses``, or if only hits were followed."""
        whole: Weights[tuple[int, int, int]] = {}
        for (deck, cells, lost), (low, value) in self.states().items():
            drawn = cells if self.pack.die else total(cells)
            add(whole, (deck, lost, drawn), low, value)
        # The weights of one deck, brought to as many draws as the longest volley took.
        longest: Weights[tuple[int, int]] = {}
        draws: dict[tuple[int, int], int] = {}
        for (deck, lost, drawn), (low, value) in sorted(whole.items()):
            rise = self._orders_between(deck, draws.get((deck, lost), drawn), drawn)
            before, earlier = longest.get((deck, lost), (low, 0))
            longest[deck, lost] = before, earlier * rise
            add(longest, (deck, lost), low, value)
            draws[deck, lost] = drawn
        ways: dict[tuple[int, int, Cells], int] = defaultdict(int)
        for (deck, lost), (low, value) in longest.items():
            orders = self.orders if self.pack.die else self.decks[deck].orders
            end = self.draws if self.pack.die else self.decks[deck].size
            rest = self._orders_between(deck, draws[deck, lost], end)
            for field, some in self._read(low, value, self.widths[deck]):
                ways[orders, lost, field] += some * rest
        if self.cuts:
            return self._with_all_dead(ways)
        return summed(
            ((*self._kills(field), lost), Fraction(some, orders))
            for (orders, lost, field), some in ways.items()
            if some
        )

    def _orders_between(self, deck: int, drawn: int, later: int) -> int:
        """In how many orders the cards of a deck, or the throws, come from one draw to another."""
        if self.pack.die:
            return int(self.faces ** (later - drawn))
        left = self.decks[deck].size - drawn
        return perm(left, later - drawn)

    def _with_all_dead(self, ways: dict[tuple[int, int, Cells], int]) -> Chances:
        """The chances of each number of kills, where those of all are what is missing from 1."""
        size = self.sizes[0]
        every = lcm(*{orders for orders, _, _ in ways})
        left = [0] * size
        for (orders, _, kills), some in ways.items():
            if kills < size:
                left[kills] += some * (every // orders)
        found: Chances = {
            (kills, 0): Fraction(some, every) for kills, some in enumerate(left) if some
        }
        if all_dead := every - sum(left):
            found[size, 0] = Fraction(all_dead, every)
        return found

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

    def _read(self, low: int, value: int, width: int) -> Iterator[tuple[int, int]]:
        """The coefficients with the numbers of their fields."""
        field, mask = low // width, (1 << width) - 1
        while value:
            ways = value & mask
            ways -= ways >> width - 1 << width
            if ways:
                yield field, ways
            value, field = (value - ways) >> width, field + 1

    def _kills(self, field: int) -> tuple[int, ...]:
        """The kills of each group that a field stands for."""
        kills = []
        for size in self.sizes:
            field, fallen = divmod(field, size + 1)
            kills.append(fallen)
        return tuple(kills)


def _sets_from(own: list[tuple[int, ...]]) -> list[list[int]]:
    """For each shooter the sets of cards that he or a later one distinguishes."""
    future: list[list[int]] = []
    later: list[int] = []
    for sets in reversed(own):
        new = {cards for cards in sets if cards and cards not in later}
        if new:
            later = [*later, *new]
        future.append(later)
    future.reverse()
    return future


def divided(parts: Iterable[int], sets: Iterable[int]) -> list[int]:
    found = list(parts)
    for cards in sets:
        found = [piece for part in found for piece in (part & cards, part & ~cards) if piece]
    return found


def most_states(parts: Iterable[int]) -> int:
    """In how many ways so many cards of each part may have been drawn."""
    return prod(part.bit_count() + 1 for part in parts)


@lru_cache(maxsize=4096)
def dealt(drawn: int, counts: tuple[int, ...]) -> list[tuple[Cells, int]]:
    """Each way to divide the cards drawn of parts of so many, and how often it comes."""
    if not counts:
        return [(0, 1)]
    first, rest = counts[0], counts[1:]
    return [
        (some + (others << CELL), comb(first, some) * ways)
        for some in range(max(0, drawn - sum(rest)), min(drawn, first) + 1)
        for others, ways in dealt(drawn - some, rest)
    ]


def now_spared(spared: int, uses: bool) -> int:
    """How many were spared after a hit that ``uses`` up another new man, or does not."""
    if spared == FIRST_EXACT:
        return 0
    return spared + uses


def lowest(value: int, bits: int) -> int:
    """The lowest terms of a packed polynomial, with the sign of the last of them."""
    value &= (1 << bits) - 1
    return value - (value >> bits - 1 << bits)


def shifted(value: int, bits: int) -> int:
    """To the left, or to the right where ``bits`` are negative."""
    if bits < 0:
        return value >> -bits
    return value << bits


def spread_out(value: int, width: int, wide: int) -> int:
    """A packed polynomial without a negative term, with ``wide`` fields."""
    found, at, mask = 0, 0, (1 << width) - 1
    while value:
        found |= (value & mask) << at
        value, at = value >> width, at + wide
    return found


def unpacked(cells: Cells, parts: int) -> list[int]:
    """The cards drawn of each part."""
    return [cells >> CELL * part & (1 << CELL) - 1 for part in range(parts)]


@lru_cache(maxsize=1 << 15)
def total(cells: Cells) -> int:
    """The cards drawn of all parts."""
    drawn = 0
    while cells:
        drawn += cells & (1 << CELL) - 1
        cells >>= CELL
    return drawn


def add(found: Weights[Key], key: Key, low: int, value: int) -> None:
    lower, before = found.get(key, (low, 0))
    if lower < low:
        found[key] = lower, before + (value << low - lower)
    else:
        found[key] = low, value + (before << lower - low)
