"""A volley followed from draw to draw, exactly.

Of a deck a state knows only how many cards of each part were drawn. Cards share a part until a
shooter distinguishes them, and again as soon as no later one does. While a part is undivided, any
of its cards are equally likely to be those drawn; so where a shooter divides it, the combinations
are counted. That may be before he fires, where it makes fewer parts.

The weight of a state is a polynomial in the kills, packed into one number: each coefficient has a
field of so many bits (the width), that of 0 kills the lowest. So Python adds and multiplies all
coefficients at once, and to multiply by a kill is to shift by a field.

An example: two rifles that hit with ace to 4 fire at a group of two, from a full deck. For both
the deck has two parts, 16 cards that hit and 32 that miss. After the first shot one state has a
card of the first part drawn, with the weight 16x (x stands for a kill), another a card of the
second, with the weight 32. After the second shot the weights are 16·15x², 2·16·32x and 32·31, and
each of them divided by all 48·47 orders of two cards is the chance of so many kills.

While the deck lasts it is enough to follow hits: a miss is any card less the hits. That holds for
the last shuffle of a longer volley, too.

Where all fire at one group of which nobody is spared, shooters who are alike are followed together:
each state is met once for all of them. Those whose targets are all dead are not followed there;
their chance is what is missing from 1.

Read ``Sweep.states`` first, which goes from shooter to shooter, then ``_fire`` and ``OneShooter``,
which are all that a small volley needs. ``AlikeShooters`` and ``_while_it_lasts`` do the same for
many shooters at once. Their innermost loops run hundreds of thousands of times, so there states and
moves are plain tuples.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from math import comb, factorial, lcm, perm, prod
from typing import NamedTuple, TypeVar

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
"""Chances by the kills of each group; in ``Sweep.joint`` the key ends with the shooters lost."""
MOST_STEPS = 2_000_000
"""Limit in draws followed, of which one with a long weight counts as several: about 3 seconds."""
FIRST_ESTIMATE = 12_000
"""After this many draws the total is first estimated; then at every doubling."""
MOST_FIELDS = 16**3
"""Limit in coefficients (fields) of a weight: enough for three groups of 15."""
FIRST_EXACT = -1
"""In place of how many were spared: his first shot, after which nobody is."""
ALIKE_DRAWS_A_STEP = 3
"""So many draws of shooters who are followed together take as long as one of somebody alone, which
is a step."""
MOST_BITS = 1 << 17
"""The most bits of a weight for shooters who are followed together: 16 KB."""
LONG_WEIGHT = 14
"""A weight counts as one step more for every 2 ** 14 bits, since so long ones take longer."""

Cells = int
"""Cards drawn of each part of the deck, ``CELL`` bits for each; of a die, the number of throws."""
# Any number of cards up to the whole deck fits into a cell, so cells never carry into each other.
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
WeightsByShooter = dict[State, list[int]]
"""Whole packed polynomials of shooters who are alike: of each who comes to fire, in their order."""


class Deck(msgspec.Struct, frozen=True):
    """The cards of a shuffle, which begins after ``before`` draws. Weights count the orders of all
    cards drawn; ``scale`` is the number of all orders of those before."""

    cards: int
    scale: int = 1
    before: int = 0

    @property
    def size(self) -> int:
        """How many cards it has."""
        return self.cards.bit_count()

    @property
    def orders(self) -> int:
        """In how many orders its cards may lie, by the ``scale`` of all counts here."""
        return self.scale * factorial(self.size)

    def without(self, equal_cards: int) -> Deck:
        """After a draw of one of these cards, which are alike for all to come: it is taken to be
        the lowest of them."""
        lowest_card = equal_cards & -equal_cards
        return Deck(self.cards & ~lowest_card, self.scale * self.size, self.before + 1)


class Slots(msgspec.Struct, frozen=True):
    """A weight for shooters who are ``alike``: a slot for each who comes to fire, and one more for
    what is done.

    Within a slot the kills are counted from those that there would be if each card drawn were a
    kill, but for one miss a shooter. So the shots of one who fires on after each kill leave a
    weight where it is, and a slot needs ``fields`` for what differs, not for all kills. ``first``
    is the lowest difference. Where the third shooter (``nth`` is 2) comes to fire after 7 cards,
    5 kills are a difference of 0.

    ``width`` is that of a field, in bits.
    """

    alike: int
    width: int
    fields: int
    first: int

    @property
    def size(self) -> int:
        """How many bits a slot has."""
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
        weights = []
        mask = (1 << self.size) - 1
        for nth in range(self.alike + 1):
            own = spread_out(value >> self.size * nth & mask, self.width, width)
            weights.append(shifted(own, self.kills(nth, drawn) * width))
        return weights

    def alive(self, group_size: int, drawn: int) -> int | None:
        """A mask of the fields with fewer kills than the group has men; None for all fields."""
        if self.kills(0, drawn) + self.fields <= group_size:
            return None
        mask = 0
        for nth in range(self.alike + 1):
            fields_alive = group_size - self.kills(nth, drawn)
            fields_alive = min(max(0, fields_alive), self.fields)
            mask |= (1 << self.width * fields_alive) - 1 << self.size * nth
        return mask


class Likeness(NamedTuple):
    """Equal for parts of the deck that nothing will distinguish.

    ``part`` is 0 unless it must stay by itself; ``hits``: for each set of cards that a later
    shooter distinguishes, whether the part is in it; ``breaking``: the share of its cards that
    break a weapon, now and after a shuffle, if that still matters.
    """

    part: int
    hits: tuple[bool, ...] = ()
    breaking: tuple[Fraction, ...] = ()


class Layers:
    """Weights in slots, by cards drawn and then by state: of those who come to fire there, and of
    the misses and hits that lead there. ``after_miss`` and ``after_kill``: by how many bits a miss
    or a kill shifts a weight, to the slot of whoever fires next and the field of the kills."""

    def __init__(self, after_miss: int, after_kill: int) -> None:
        self.after_miss = after_miss
        self.after_kill = after_kill
        self.coming: dict[int, dict[State, int]] = defaultdict(dict)
        self.misses: dict[int, dict[State, int]] = defaultdict(dict)
        self.hits: dict[int, dict[State, int]] = defaultdict(dict)

    def __bool__(self) -> bool:
        """Whether anybody still has to draw."""
        return bool(self.coming or self.misses or self.hits)

    def take_first(self) -> tuple[int, dict[State, int], int]:
        """The fewest cards drawn, the weights of all states there, and how many states count as
        steps: those that only hits lead to do not."""
        drawn = min((*self.coming, *self.misses, *self.hits))
        values = self.coming.pop(drawn, {})
        missed = self.misses.pop(drawn, {})
        steps = len(values) + len(missed)
        for state, value in missed.items():
            values[state] = values.get(state, 0) + (value << self.after_miss)
        for state, value in self.hits.pop(drawn, {}).items():
            values[state] = values.get(state, 0) + (value << self.after_kill)
        return drawn, values, steps


class StepLimit:
    """The steps (draws followed) that a volley took so far, against the most that it may take.

    Raises OddsError as soon as it is foreseen that the volley will exceed them, not only when it
    does: a player waits for the answer.
    """

    def __init__(self, most: int, shooters: int) -> None:
        self.most = most
        self.shooters = shooters
        self.steps = 0
        self.next_estimate = min(FIRST_ESTIMATE, most)
        self.alike = 1
        self.begun_at = 0
        # The steps of each shooter who is done. The 0 is nobody's: before the first shooter is
        # done, the estimate has none to go by.
        self.by_shooter = [0]

    def begin(self, alike: int) -> None:
        """So many shooters who are ``alike`` begin to fire, and are followed together."""
        self.alike = alike
        self.begun_at = self.steps

    def end(self) -> None:
        """Those who began to fire are done."""
        each = (self.steps - self.begun_at) // self.alike
        self.by_shooter.extend(each for _ in range(self.alike))

    def spend(self, steps: int) -> None:
        """Raises OddsError where the whole volley would take too many."""
        self.steps += steps
        if self.steps <= self.next_estimate:
            return
        self.next_estimate *= 2
        # A lower bound of the steps, if no shooter takes fewer than the last one.
        done = sum(self.by_shooter)
        left = self.shooters - (len(self.by_shooter) - 1)
        by_each_now = (self.steps - done) // self.alike
        if done + left * max(self.by_shooter[-1], by_each_now) > self.most:
            raise OddsError(
                "This volley is too large or too mixed to be worked out exactly: fewer shooters, "
                "fewer groups or a fuller deck would do."
            )


def most_draws(firers: Sequence[Firer], sizes: Sequence[int]) -> int:
    """The most draws that a volley takes: one for each shooter and each kill that lets a shooter
    continue, and one for a breakdown."""
    draws = len(firers)
    for group in {firer.group for firer in firers if firer.repeat}:
        draws += sizes[group]
    if any(firer.tests for firer in firers):
        draws += 1
    return draws


def _strength(firer: Firer) -> tuple[int, ...]:
    """What shooters are sorted by: in this order a volley is followed fastest. While the deck
    lasts, the order does not change the kills: as long as somebody stands all draws are alike."""
    return firer.hits.bit_count(), firer.hits, firer.repeat, firer.group


def _field_count(sizes: Sequence[int]) -> int:
    """How many results there are, each a coefficient of a weight. Raises OddsError where these are
    too many to be worked out together."""
    fields = prod(size + 1 for size in sizes)
    if len(sizes) > 1 and fields > MOST_FIELDS:
        raise OddsError(
            f"{' by '.join(map(str, sizes))} targets are too many to be worked out together: "
            "ask for each group by itself."
        )
    return fields


class Sweep:
    """One volley, followed once: ask it for ``outcome`` or ``joint``.

    ``sizes``: how many stand in each group. With ``losses`` also which shooters break down. With
    ``hits_only`` misses are not followed where the deck lasts, which is faster and gives the same.
    ``most`` limits the steps. Raises OddsError where it would take too long.
    """

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
        self.sizes, self.pack, self.losses = sizes, pack, losses
        self.fields = _field_count(sizes)
        self.draws = most_draws(firers, sizes)
        self.has_tests = any(firer.tests for firer in firers)
        self.hits_only = hits_only and not pack.die
        self.first_deck_lasts = self.hits_only and self.draws <= pack.count
        self.firers = self._simplified(firers)
        self.limit = StepLimit(most, len(self.firers))
        self.breaks = self._breaking_cards()
        # A shuffle has at most one second draw, since it has one breakdown card. There may be two
        # where a deck runs out between that card and its second draw, and the card is shuffled in
        # again: then it may come once more.
        self.one_second_draw = pack.aside or not self.breaks or self.draws <= pack.count
        # A volley after which all are dead is not followed: its chance is what is missing from 1.
        self.leaves_out_all_dead = self.hits_only and not self.breaks and len(sizes) == 1
        self.nobody_is_spared = not any(firer.spared for firer in self.firers)
        # A throw and its second throw together, if that matters.
        self.faces = DIE
        if self.breaks:
            self.faces = DIE**2
        self.width = self._widest()
        """The bits of each coefficient of a weight."""
        self.shifts = self._shifts()

        first = Deck(pack.possible)
        self.decks = [first]
        """All decks so far: the one with number 0, and those shuffled since."""
        self.numbers = {first: 0}
        self.deck_lasts = [self.first_deck_lasts]
        """By the number of the deck."""
        self.widths = [self._width(first)]
        """The bits of each coefficient, by the number of the deck."""
        self.moves_from: dict[State, list[Move]] = {}
        """The moves of the present shooter from each state, so that none is found twice."""
        self.weight_of_losses: dict[int, int] = defaultdict(int)
        """While the deck lasts: the weight of all breakdowns that cost a shooter, by cards drawn
        before the breakdown card."""
        self._kinds = cache(self._cards_that_matter)
        self._counts = cache(self._cards_by_part)
        self.parts, self.future = self._plan()

    @property
    def steps(self) -> int:
        """The draws followed so far."""
        return self.limit.steps

    # ------------------------------------------------------------------ what is followed, how wide

    def _simplified(self, firers: Sequence[Firer]) -> Sequence[Firer]:
        """Shooters with the same kills who are followed faster."""
        if self.losses:
            return firers
        if self.first_deck_lasts or self.pack.die:
            # Where no deck runs out, a second draw changes no other draw.
            firers = [replace(firer, tests=0) for firer in firers]
        if self.first_deck_lasts and not any(firer.spared for firer in firers):
            firers = sorted(firers, key=_strength)
        return firers

    def _breaking_cards(self) -> int:
        """The second draws that break a weapon: the same for all who test. None without losses."""
        if self.losses:
            for firer in self.firers:
                if firer.tests:
                    return firer.breaks
        return 0

    def _widest(self) -> int:
        """Bits enough for any coefficient: for all orders of draws, for the sign and, where only
        hits are followed, for the two terms of each miss."""
        width = self._most_orders().bit_length() + 2
        if self.hits_only:
            width += len(self.firers)
        return width

    def _most_orders(self) -> int:
        """At least as many as there are orders of all draws."""
        if self.pack.die:
            return self._orders_of_throws
        cards = self.pack.count
        if self.first_deck_lasts:
            return perm(cards, self.draws)
        # ``draws`` counts one second draw, and there may be one in each shuffle. Of a later deck
        # two cards may not count: the breakdown card that was set aside (P78) and a second draw.
        # Three more: the deck of now, the one that its second draw may begin, and the last, which
        # need not be drawn whole.
        shuffles = (self.draws - cards) // (len(DECK) - 2) + 3
        after = max(0, self.draws + shuffles - cards)
        return int(factorial(cards) * len(DECK) ** after)

    @property
    def _orders_of_throws(self) -> int:
        """How many orders of all throws there are."""
        return int(self.faces**self.draws)

    def _shifts(self) -> list[int]:
        """For each group, how far a kill in it shifts a weight, in bits."""
        shifts = []
        fields = 1
        for size in self.sizes:
            shifts.append(self.width * fields)
            fields *= size + 1
        return shifts

    @cached_property
    def half(self) -> int:
        """Half of what fits into each field."""
        return sum(1 << self.width * (field + 1) - 1 for field in range(self.fields))

    # ------------------------------------------------------------------ the parts of the deck

    def _plan(self) -> tuple[list[list[int]], list[list[int]]]:
        """For each shooter the parts of the deck, and the sets of cards that are distinguished
        from there on."""
        own = [(firer.hits, firer.spared, firer.tests) for firer in self.firers]
        future = _sets_from(own)
        whole = [ALL_CARDS]
        if self.pack.die:
            whole = [self.pack.possible]
        plan, parts = [], whole
        for shooter, sets in enumerate(own):
            if self.pack.die:
                # No throw is ever used up, so the faces may be divided anew for everybody.
                parts = divided(whole, sets)
            elif not _as_before(shooter, own, future):
                parts = self._next_parts(parts, shooter, sets, future[shooter])
            plan.append(parts)
        return plan, future

    def _next_parts(
        self, parts: list[int], shooter: int, sets: Iterable[int], future: list[int]
    ) -> list[int]:
        """The parts of the deck for a shooter who distinguishes these sets."""
        for_this_shooter = self._merged(divided(parts, sets), shooter, future)
        if self.first_deck_lasts:
            return for_this_shooter
        # What all later shooters distinguish may be fewer parts than what is left of those that
        # earlier ones did: then it is divided before it must be.
        for_later_shooters = self._merged(divided(parts, future), shooter, future)
        return min(for_this_shooter, for_later_shooters, key=most_states)

    def _merged(self, parts: Iterable[int], shooter: int, future: list[int]) -> list[int]:
        """The parts, of which those that nothing will distinguish are one."""
        together: dict[Likeness, int] = defaultdict(int)
        for part in parts:
            together[self._likeness(part, shooter, future)] |= part
        return list(together.values())

    def _likeness(self, part: int, shooter: int, future: list[int]) -> Likeness:
        """What of a set of cards matters for the shooters to come: sets that are alike in it are
        counted as one."""
        # One that a later shooter divides stays by itself.
        if any(part & cards and part & ~cards for cards in future):
            return Likeness(part)
        hits = tuple(bool(part & cards) for cards in future)
        if not self.breaks or not any(firer.tests for firer in self.firers[shooter:]):
            return Likeness(0, hits)
        # Two second draws may come from one shuffle: then it matters from which part each was.
        if not self.one_second_draw:
            return Likeness(part)
        in_this_deck = self._breaking_share(part & self.pack.possible)
        after_a_shuffle = self._breaking_share(part)
        return Likeness(0, hits, (in_this_deck, after_a_shuffle))

    def _breaking_share(self, cards: int) -> Fraction:
        """The share of cards that break a weapon."""
        return Fraction((cards & self.breaks).bit_count(), cards.bit_count() or 1)

    def _lasts(self, deck: Deck) -> bool:
        """Whether a shuffle does not run out, so that only its hits are followed."""
        if not deck.before:
            return self.first_deck_lasts
        if not self.hits_only or self.breaks:
            return False
        # ``draws`` counts one second draw of a breakdown, but each shuffle before may have had one,
        # and so may this one. A later shuffle has at least 47 cards. The bound may be too high by a
        # few draws: then the misses are followed as well, which only takes longer.
        second_draws = 2 + (deck.before - self.pack.count) // (len(DECK) - 1)
        most_draws_left = self.draws - deck.before + second_draws + self.has_tests
        return most_draws_left <= deck.size

    def _width(self, deck: Deck) -> int:
        """The bits of each coefficient of the weights while cards of this deck are drawn."""
        if self.leaves_out_all_dead and self.nobody_is_spared:
            # Then ``_fire_at_one_group`` follows all shooters, deck by deck, and the weights of
            # each deck are only as wide as its own orders require.
            return deck.orders.bit_length() + 2 + len(self.firers)
        return self.width

    def _number(self, deck: Deck) -> int:
        """The number by which states name the deck; a new one is listed."""
        number = self.numbers.get(deck)
        if number is None:
            number = self.numbers[deck] = len(self.decks)
            self.decks.append(deck)
            self.deck_lasts.append(self._lasts(deck))
            self.widths.append(self._width(deck))
        return number

    def _cards_by_part(self, shooter: int, deck: int) -> list[int]:
        """How many cards of a whole deck each part of a shooter has."""
        return [(self.decks[deck].cards & part).bit_count() for part in self.parts[shooter]]

    def _divide(self, shooter: int, states: Weights[State]) -> Weights[State]:
        """The states with the cells of the parts of this shooter."""
        old, new = self.parts[shooter - 1], self.parts[shooter]
        if self.pack.die or old == new:
            return states

        pieces = [[part & piece for piece in new] for part in old]

        @cache
        def ways_from(deck: int, cells: Cells) -> tuple[int, list[tuple[Cells, int]]]:
            return _ways_to_divide(self.decks[deck].cards, cells, pieces)

        divided_states: Weights[State] = {}
        for (deck, cells, lost), (low, value) in states.items():
            all_ways, ways = ways_from(deck, cells)
            for new_cells, some_ways in ways:
                # No remainder: weights count orders, and all ways to divide are equally likely.
                share = value * some_ways // all_ways
                add(divided_states, (deck, new_cells, lost), low, share)
        return divided_states

    # ------------------------------------------------------------------ shot after shot

    def states(self) -> Weights[State]:
        """The states after the whole volley, with their weights."""
        states: Weights[State] = {(0, 0, 0): (0, 1)}
        shooter, moves_are_known = 0, False
        while shooter < len(self.firers):
            if shooter:
                states = self._divide(shooter, states)
            alike = 1
            together = self.leaves_out_all_dead and not self.firers[shooter].spared
            if together:
                alike = self._alike(shooter, states)
            if not moves_are_known:
                self.moves_from = {}
            self.limit.begin(alike)
            if together:
                states = self._fire_at_one_group(shooter, alike, states)
            else:
                states = self._fire(shooter, states)
            self.limit.end()
            # Who had no room in one weight with those before him moves as they did.
            moves_are_known = together and self._next_is_alike(shooter + alike - 1)
            shooter += alike
        return states

    def _alike(self, shooter: int, states: Weights[State]) -> int:
        """How many shooters from this one on are like him, and move alike; no more than have room
        in one weight."""
        end = shooter + 1
        while self._next_is_alike(end - 1):
            end += 1
        if end == shooter + 1:
            return 1
        # Kills less the cards drawn, as the fields of ``Slots`` have them: each bound begins at the
        # far end of what is possible.
        fewest, most = self.sizes[0], -self.draws
        for state, (low, value) in states.items():
            width, drawn = self.widths[state[0]], self._drawn(state)
            fewest = min(fewest, low // width - drawn)
            most = max(most, (low + value.bit_length()) // width - drawn)
        # The deck listed last comes after the most draws, and its fields are about the widest.
        room = MOST_BITS // (self.widths[-1] * (most - fewest + 2))
        return max(1, min(end - shooter, room))

    def _next_is_alike(self, shooter: int) -> bool:
        """Whether the next shooter is like this one, and moves alike."""
        following = shooter + 1
        return (
            following < len(self.firers)
            and self.firers[shooter] == self.firers[following]
            and self.parts[shooter] == self.parts[following]
            and set(self.future[shooter]) == set(self.future[following])
        )

    def _fire(self, shooter: int, states: Weights[State]) -> Weights[State]:
        """The states when one shooter is done. Draws are followed in the order in which they are
        made, so that equal states merge."""
        firing = OneShooter(self, shooter)
        firing.begin(states)
        while firing.waiting:
            self._draw(shooter, firing, firing.take_first())
        return firing.done

    def _draw(self, shooter: int, firing: OneShooter, states: Weights[tuple[State, int]]) -> None:
        """The next card for each of these states, in all of which as many were drawn."""
        parts = len(self.parts[shooter])
        weighs_losses = self.first_deck_lasts and self.breaks and self.firers[shooter].tests
        steps = 0
        for (state, spared), (low, value) in states.items():
            steps += parts * (1 + (value.bit_length() >> LONG_WEIGHT))
            if weighs_losses:
                weight_of_loss = self._weight_of_loss(shooter, state, value)
                self.weight_of_losses[self._drawn(state)] += weight_of_loss
            ready = self._ready(state)
            moves = self._known_moves(shooter, ready)
            if self.deck_lasts[ready[0]]:
                firing.follow_hits(ready, moves, spared, low, value)
            else:
                firing.follow_all(moves, spared, low, value)
        self.limit.spend(steps)

    def _fire_at_one_group(
        self, shooter: int, alike: int, states: Weights[State]
    ) -> Weights[State]:
        """The states when so many shooters who are ``alike`` are done, all at once. All fire at one
        group, and the defender spares nobody: each fires on after a kill until all are dead. States
        in which all are dead are not followed."""
        done: Weights[State] = {}
        by_deck: dict[int, WeightsByShooter] = defaultdict(dict)
        # The first of them comes to fire. The others have no weight yet, nor has what is done.
        rest = [0] * alike
        for state, (low, value) in states.items():
            by_deck[state[0]][state] = [value << low, *rest]
        while by_deck:
            # The next deck has a higher number.
            deck = min(by_deck)
            from_deck = by_deck.pop(deck)
            if self.deck_lasts[deck]:
                self._while_it_lasts(shooter, alike, from_deck, done)
            else:
                self._until_it_runs_out(shooter, alike, from_deck, by_deck, done)
        return done

    def _until_it_runs_out(
        self,
        shooter: int,
        alike: int,
        states: WeightsByShooter,
        by_deck: dict[int, WeightsByShooter],
        done: Weights[State],
    ) -> None:
        """Their shots from one deck, which may run out; they go on from later ones, ``by_deck``."""
        slots = self._slots(shooter, alike, states)
        firing = AlikeShooters(self, shooter, slots, by_deck, done)
        firing.begin(states)
        cost_of_step = alike * (1 + (slots.size >> LONG_WEIGHT)) * len(self.parts[shooter])
        while firing.layers:
            steps = firing.draw()
            self.limit.spend(cost_of_step * steps // ALIKE_DRAWS_A_STEP)

    def _slots(self, shooter: int, alike: int, states: WeightsByShooter) -> Slots:
        """Slots with room for these states and what their shooters make of them."""
        firer, width = self.firers[shooter], self.widths[next(iter(states))[0]]
        # Kills of the weights, counted as in a slot.
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
            # A kill after which a shooter may not fire on leads one field further than a miss.
            fields += alike
        return Slots(alike=alike, width=width, fields=fields, first=first)

    def _while_it_lasts(
        self, shooter: int, alike: int, states: WeightsByShooter, done: Weights[State]
    ) -> None:
        """Their shots from one deck that lasts: a miss is any card less the hits. States are taken
        by cards drawn. Each has two lists of weights by shooter: of those who come to fire there
        (``coming``, with what is done as its last), and of the ``hits`` that lead there."""
        repeat, parts = self.firers[shooter].repeat, len(self.parts[shooter])
        width = self.widths[next(iter(states))[0]]
        bits_below_all_dead = width * self.sizes[0]
        no_hits, nobody = [0] * alike, [0] * (alike + 1)
        cost_of_step = alike * (1 + (bits_below_all_dead >> LONG_WEIGHT))
        coming: dict[int, WeightsByShooter] = defaultdict(dict)
        hits: dict[int, WeightsByShooter] = defaultdict(dict)
        for state, weights in states.items():
            coming[self._drawn(state)][state] = weights
        drawn = min(coming)
        while coming or hits:
            if drawn not in coming and drawn not in hits:
                drawn = min((*coming, *hits))
            coming_here, hits_here = coming.pop(drawn, {}), hits.pop(drawn, {})
            # The moves below lead to one card more.
            drawn += 1
            for state in coming_here | hits_here:
                come = coming_here.get(state, nobody)
                fired = _one_after_another(
                    come, hits_here.get(state, no_hits), repeat, width, bits_below_all_dead
                )
                finished = fired.passed_on + come[alike]
                if finished:
                    add(done, state, 0, finished)
                if not any(fired.draws):
                    continue
                for _, _, after, drawn_after, times, _ in self._known_moves(shooter, state):
                    weights = [weight * times for weight in fired.draws]
                    before = hits[drawn_after].get(after)
                    if before is not None:
                        weights = each_added(before, weights)
                    hits[drawn_after][after] = weights
            followed = len(coming_here) + len(hits_here)
            self.limit.spend(parts * cost_of_step * followed // ALIKE_DRAWS_A_STEP)

    def _known_moves(self, shooter: int, state: State) -> list[Move]:
        """As ``_moves``, worked out once for each state."""
        moves = self.moves_from.get(state)
        if moves is None:
            moves = self.moves_from[state] = self._moves(shooter, state)
        return moves

    def _moves(self, shooter: int, state: State) -> list[Move]:
        """What a shot leads to; while the deck lasts, only the hits."""
        deck, cells, lost = state
        drawn = self._drawn(state) + 1
        moves: list[Move] = []
        for place, count, hit, uses, tests in self._kinds(shooter, deck):
            if self.pack.die:
                # Of the pairs of throws, if these are followed, those that begin so.
                after, times = (deck, cells + 1, lost), count * self.faces // DIE
            else:
                after = deck, cells + (1 << place), lost
                times = count - (cells >> place & CELL_MASK)
                if not times:
                    continue
            if tests:
                for end, ways, over in self._second_draw(shooter, after, tests):
                    moves.append((hit, uses, end, self._drawn(end), times * ways, over))
            else:
                moves.append((hit, uses, after, drawn, times, 1))
        return moves

    def _cards_that_matter(self, shooter: int, deck: int) -> list[Kind]:
        """The parts of a deck by what a card of them is for the shooter; while the deck lasts, only
        the hits, and no second draw."""
        firer, lasts = self.firers[shooter], self.deck_lasts[deck]
        kinds = []
        for index, part in enumerate(self.parts[shooter]):
            hit, uses = bool(part & firer.hits), bool(part & firer.spared)
            tests = 0
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
        if self.deck_lasts[deck] or self.pack.die or total(cells) < old.size:
            return state
        new = Deck(ALL_CARDS & ~without, old.orders, old.before + old.size)
        return self._number(new), 0, lost

    # ------------------------------------------------------------------ breakdowns

    def _second_draw(
        self, shooter: int, state: State, breakdown_card: int
    ) -> Iterator[tuple[State, int, int]]:
        """The states after the second draw of a breakdown, and by what the weight is multiplied,
        then divided."""
        set_aside = 0
        if self.pack.aside:
            set_aside = breakdown_card
        deck, cells, lost = self._ready(state, set_aside)
        if not self.pack.die:
            yield from self._next_card(shooter, (deck, cells, lost))
        elif self.breaks:
            broken = self.breaks.bit_count()
            yield (deck, cells, lost + 1), broken, DIE
            yield (deck, cells, lost), DIE - broken, DIE
        else:
            # A second throw that nobody asks about.
            yield state, 1, 1

    def _weight_of_loss(self, shooter: int, state: State, value: int) -> int:
        """The weight of the draws of the breakdown card and then of one that breaks the weapon."""
        cards = self.decks[state[0]].cards
        all_kills = sum_of_terms(value, self.width)
        test_cards_left = weight = 0
        drawn_by_part = unpacked(state[1], len(self.parts[shooter]))
        for part, drawn in zip(self.parts[shooter], drawn_by_part, strict=True):
            count = (part & cards).bit_count()
            # The breakdown card is a part by itself; it is never its own second draw.
            if part & self.firers[shooter].tests:
                test_cards_left = count - drawn
            elif count:
                breaks = (part & cards & self.breaks).bit_count()
                weight += all_kills * (count - drawn) * breaks // count
        return weight * test_cards_left

    def _next_card(self, shooter: int, state: State) -> Iterator[tuple[State, int, int]]:
        """The states after one card more, by whether it breaks the shooter, and by what the weight
        is multiplied, then divided."""
        deck, cells, lost = state
        drawn_by_part = unpacked(cells, len(self.parts[shooter]))
        counts = self._counts(shooter, deck)
        for index, (drawn, count) in enumerate(zip(drawn_by_part, counts, strict=True)):
            if drawn == count:
                continue
            if self.breaks:
                yield from self._breaking_draws(shooter, state, index, count - drawn)
            else:
                yield (deck, cells + (1 << CELL * index), lost), count - drawn, 1

    def _breaking_draws(
        self, shooter: int, state: State, index: int, left: int
    ) -> Iterator[tuple[State, int, int]]:
        """The states after a second draw from a part (of that ``index``) with so many cards
        ``left``.

        Whether the weapon broke tells something about the card drawn. If a later draw could depend
        on that, the card is not counted in the cell of its part: it leaves the deck, and the state
        after it has another deck.
        """
        deck, cells, lost = state
        present_deck = self.decks[deck]
        cards = self.parts[shooter][index] & present_deck.cards
        pieces = divided([cards], self.future[shooter])
        shares = {self._breaking_share(piece) for piece in pieces}
        tells_nothing = self.one_second_draw and len(shares) == 1
        if tells_nothing:
            pieces = [cards]
        for piece in pieces:
            for drawn, newly_lost in ((piece & self.breaks, 1), (piece & ~self.breaks, 0)):
                if not drawn:
                    continue
                if tells_nothing:
                    after = deck, cells + (1 << CELL * index), lost + newly_lost
                else:
                    # Where no other second draw comes from this shuffle, later draws depend on the
                    # piece that the card was of, not on whether it broke the weapon.
                    leaves = drawn
                    if self.one_second_draw:
                        leaves = piece
                    after = self._number(present_deck.without(leaves)), cells, lost + newly_lost
                yield after, left * drawn.bit_count(), cards.bit_count()

    # ------------------------------------------------------------------ the end

    def joint(self) -> Chances:
        """The chance of (kills of each group…, shooters lost), in which nobody is lost without
        ``losses``, or if only hits were followed."""
        # By all orders of the cards drawn, shooters lost and the number of the field (which stands
        # for the kills): in how many of these orders it comes to that.
        ways: dict[tuple[int, int, int], int] = defaultdict(int)
        for (deck, lost), (low, value, drawn) in self._weights_at_the_end().items():
            if self.pack.die:
                orders, end = self._orders_of_throws, self.draws
            else:
                orders, end = self.decks[deck].orders, self.decks[deck].size
            orders_of_the_rest = self._orders_between(deck, drawn, end)
            for field, coefficient in terms(low, value, self.widths[deck]):
                ways[orders, lost, field] += coefficient * orders_of_the_rest
        if self.leaves_out_all_dead:
            return self._with_all_dead(ways)
        return summed(
            ((*self._kills(field), lost), Fraction(count, orders))
            for (orders, lost, field), count in ways.items()
            if count
        )

    def _weights_at_the_end(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """By deck and shooters lost: the weight, brought to as many draws as the longest volley
        took, and these draws."""
        by_draws: Weights[tuple[int, int, int]] = {}
        for (deck, cells, lost), (low, value) in self.states().items():
            drawn = cells
            if not self.pack.die:
                drawn = total(cells)
            add(by_draws, (deck, lost, drawn), low, value)
        longest: Weights[tuple[int, int]] = {}
        draws: dict[tuple[int, int], int] = {}
        # Sorted, the shorter volleys of a deck come first.
        for (deck, lost, drawn), (low, value) in sorted(by_draws.items()):
            shorter_by = self._orders_between(deck, draws.get((deck, lost), drawn), drawn)
            low_of_shorter, shorter = longest.get((deck, lost), (low, 0))
            longest[deck, lost] = low_of_shorter, shorter * shorter_by
            add(longest, (deck, lost), low, value)
            draws[deck, lost] = drawn
        return {key: (low, value, draws[key]) for key, (low, value) in longest.items()}

    def _orders_between(self, deck: int, drawn: int, later: int) -> int:
        """In how many orders the cards of a deck (or throws of the die) may come after the first
        ``drawn``, until ``later`` are drawn."""
        if self.pack.die:
            return int(self.faces ** (later - drawn))
        left = self.decks[deck].size - drawn
        return perm(left, later - drawn)

    def _with_all_dead(self, ways: dict[tuple[int, int, int], int]) -> Chances:
        """The chances of each number of kills, where that of all is what is missing from 1. The
        ``ways`` are those of ``joint``."""
        size = self.sizes[0]
        common_orders = lcm(*{orders for orders, _, _ in ways})
        by_kills = [0] * size
        for (orders, _, kills), count in ways.items():
            if kills < size:
                by_kills[kills] += count * (common_orders // orders)
        chances: Chances = {
            (kills, 0): Fraction(count, common_orders)
            for kills, count in enumerate(by_kills)
            if count
        }
        all_dead = common_orders - sum(by_kills)
        if all_dead:
            chances[size, 0] = Fraction(all_dead, common_orders)
        return chances

    def outcome(self) -> VolleyOutcome:
        """The chances of kills and, with ``losses``, of shooters lost, each by itself."""
        joint = self.joint()
        kills = summed((key[:-1], chance) for key, chance in joint.items())
        if not self.losses:
            return VolleyOutcome(kills)
        lost = summed((key[-1], chance) for key, chance in joint.items())
        if self.first_deck_lasts:
            lost = self._lost_while_the_deck_lasts()
        return VolleyOutcome(kills, {count: chance for count, chance in lost.items() if chance})

    def _lost_while_the_deck_lasts(self) -> dict[int, Fraction]:
        """The chances of no loss and of one: the breakdown card comes at most once. Where only hits
        are followed, ``joint`` does not have them."""
        deck = self.decks[0]
        ways = 0
        for drawn, weight in self.weight_of_losses.items():
            # The breakdown card and the one after it are drawn; the others come in any order.
            ways += weight * factorial(deck.size - drawn - 2)
        loss = Fraction(ways, deck.orders)
        return {0: 1 - loss, 1: loss}

    def _kills(self, field: int) -> tuple[int, ...]:
        """The kills of each group that a field stands for."""
        kills = []
        for size in self.sizes:
            field, fallen = divmod(field, size + 1)
            kills.append(fallen)
        return tuple(kills)


class OneShooter:
    """One shooter of a volley, from his first draw until he is done.

    ``waiting``: the weights with which he still has to draw, by the cards drawn before, then by
    the state and how many new men were spared him. ``done``: the weights of the states in which he
    has fired his last shot.
    """

    def __init__(self, sweep: Sweep, shooter: int) -> None:
        firer = sweep.firers[shooter]
        self.sweep = sweep
        self.repeat = firer.repeat
        self.first_exact = firer.first_exact
        self.group_size = sweep.sizes[firer.group]
        self.shift_of_kill = sweep.shifts[firer.group]
        self.one_group = len(sweep.sizes) == 1
        self.leaves_out_all_dead = sweep.leaves_out_all_dead
        self.width = sweep.width
        self.done: Weights[State] = {}
        self.waiting: dict[int, Weights[tuple[State, int]]] = defaultdict(dict)
        self._masks: dict[int, int] = {}

    def begin(self, states: Weights[State]) -> None:
        """He comes to fire, where he has somebody to fire at."""
        spared = 0
        if self.first_exact:
            spared = FIRST_EXACT
        for state, (low, value) in states.items():
            self._fire_on(state, self.sweep._drawn(state), spared, low, value)

    def take_first(self) -> Weights[tuple[State, int]]:
        """The weights after the fewest cards drawn, which no later draw can add to."""
        return self.waiting.pop(min(self.waiting))

    def follow_all(self, moves: list[Move], spared: int, low: int, value: int) -> None:
        """A draw of which the misses are followed as well."""
        done = self.done
        for hit, uses, after, drawn, times, over in moves:
            weight = value * times
            if over != 1:
                weight //= over
            if hit:
                self._hit(after, drawn, now_spared(spared, uses), low, weight)
            else:
                add(done, after, low, weight)

    def follow_hits(
        self, state: State, moves: list[Move], spared: int, low: int, value: int
    ) -> None:
        """A draw while the deck lasts, where all moves are hits. A miss is any card less the hits:
        he is done with all cards, and each hit takes back what it uses."""
        add(self.done, state, low, value)
        for _, uses, after, drawn, times, _ in moves:
            weight = value * times
            add(self.done, after, low, -weight)
            self._hit(after, drawn, now_spared(spared, uses), low, weight)

    def _hit(self, state: State, drawn: int, spared: int, low: int, value: int) -> None:
        """One more kill, after which he may fire again."""
        low += self.shift_of_kill
        if self.repeat:
            self._fire_on(state, drawn, spared, low, value)
        else:
            add(self.done, state, low, value)

    def _fire_on(self, state: State, drawn: int, spared: int, low: int, value: int) -> None:
        """He fires on where he has a new man left, and else is done."""
        # Spared men are no new ones for him. He has a new man as long as fewer are killed than
        # were not spared.
        limit = max(0, self.group_size - max(spared, 0))
        if self.one_group and low + value.bit_length() < limit * self.width:
            firing = value
        else:
            firing = self._terms_below(limit, low, value)
        if firing:
            add(self.waiting[drawn], (state, spared), low, firing)
        # Where nobody was spared him, he stops because all are dead, which may not be followed.
        stops_with_men_left = spared > 0
        if firing != value and (stops_with_men_left or not self.leaves_out_all_dead):
            add(self.done, state, low, value - firing)

    def _terms_below(self, limit: int, low: int, value: int) -> int:
        """The terms of a weight with fewer kills than ``limit`` in his group."""
        # A negative term borrows from its neighbour; made positive, they can be cut apart.
        half, mask = self.sweep.half >> low, self._fields_below(limit) >> low
        return ((value + half) & mask) - (half & mask)

    def _fields_below(self, limit: int) -> int:
        """A mask of the fields with fewer kills in his group."""
        mask = self._masks.get(limit)
        if mask is None:
            shift = self.shift_of_kill
            block = shift * (self.group_size + 1)
            below = (1 << shift * limit) - 1
            mask = sum(below << start for start in range(0, self.width * self.sweep.fields, block))
            self._masks[limit] = mask
        return mask


class AlikeShooters:
    """Shooters of a volley who are alike, followed together while they draw from one deck, which
    may run out.

    ``layers``: the weights with which they still have to draw. ``done``: the weights of the states
    in which all have fired. ``by_deck``: those with which they go on from later decks.
    """

    def __init__(
        self,
        sweep: Sweep,
        shooter: int,
        slots: Slots,
        by_deck: dict[int, WeightsByShooter],
        done: Weights[State],
    ) -> None:
        self.sweep = sweep
        self.shooter = shooter
        self.slots = slots
        self.by_deck = by_deck
        self.done = done
        # What is done has the highest slot, above those of the shooters who come to fire.
        self.done_at = slots.size * slots.alike
        self.who_fires = (1 << self.done_at) - 1
        # A miss leads to the slot of the next shooter. So does a hit if this one may not fire on;
        # there the kill is one field more than a miss would be.
        self.after_miss = slots.size
        self.after_kill = 0
        if not sweep.firers[shooter].repeat:
            self.after_kill = slots.size + slots.width
        self.layers = Layers(self.after_miss, self.after_kill)

    def begin(self, states: WeightsByShooter) -> None:
        """They come to fire in these states, all of one deck."""
        self.deck = next(iter(states))[0]
        deck = self.sweep.decks[self.deck]
        self.last_draw = deck.before + deck.size
        for state, weights in states.items():
            drawn = self.sweep._drawn(state)
            self.layers.coming[drawn][state] = self.slots.together(weights, drawn)

    def draw(self) -> int:
        """The next card, for all states in which the fewest were drawn; how many steps that is."""
        drawn, values, steps = self.layers.take_first()
        alive = self.slots.alive(self.sweep.sizes[0], drawn)
        if alive is not None:
            values = {state: value & alive for state, value in values.items()}
        # By how many bits the lowest field of what is done is above that of 0 kills. Where it is
        # below (negative), the fields between them are empty.
        kills_in_bits = self.slots.kills(self.slots.alike, drawn) * self.slots.width
        for state, value in values.items():
            finished = value >> self.done_at
            if finished:
                low = max(0, kills_in_bits)
                add(self.done, state, low, shifted(finished, min(0, kills_in_bits)))
            fires = value & self.who_fires
            if not fires:
                continue
            if drawn == self.last_draw:
                self._go_on(self.sweep._ready(state), fires, drawn)
            else:
                self._follow(state, fires, drawn)
        return steps

    def _follow(self, state: State, fires: int, drawn: int) -> None:
        """All that the next card may lead to from one state."""
        width = self.slots.width
        for hit, _, after, drawn_after, times, over in self.sweep._known_moves(self.shooter, state):
            shift, leads_to = self.after_miss, self.layers.misses
            if hit:
                shift, leads_to = self.after_kill, self.layers.hits
            if after[0] != self.deck:
                # The deck ran out between the breakdown card and the second draw.
                self._go_on(after, fires << shift, drawn + 1, times, over)
                continue
            weight = fires * times
            if over != 1:
                weight //= over
            # The second draw of a breakdown is no kill.
            weight >>= width * (drawn_after - drawn - 1)
            weight_by_state = leads_to[drawn_after]
            weight_by_state[after] = weight_by_state.get(after, 0) + weight

    def _go_on(self, state: State, value: int, drawn: int, times: int = 1, over: int = 1) -> None:
        """They go on from another deck, in this state; the weight is multiplied and divided."""
        deck = state[0]
        apart = self.slots.apart(value, drawn, self.sweep.widths[deck])
        weights = [weight * times // over for weight in apart]
        before = self.by_deck[deck].get(state)
        if before is not None:
            weights = each_added(before, weights)
        self.by_deck[deck][state] = weights


class AlikeInOneState(NamedTuple):
    """Shooters who are alike in one state, while the deck lasts. ``draws``: by shooter, the weight
    with which he draws his next card there; ``passed_on``: the weight with which the last of them
    is done."""

    draws: list[int]
    passed_on: int


def _one_after_another(
    come: Sequence[int], hits: Sequence[int], repeat: bool, width: int, bits_below_all_dead: int
) -> AlikeInOneState:
    """The weights of shooters who are alike in one state, from those who ``come`` to fire there and
    the ``hits`` that lead there, both by shooter. Each passes on to the next what he is done with:
    any card, less those with which he hit."""
    draws: list[int] = []
    passed_on = 0
    # ``come`` is longer by one, for what is done.
    for comes, hit in zip(come, hits, strict=False):
        passed_on += comes
        # A hit is one kill more, which is one field.
        with_hits = passed_on + (hit << width)
        # Where all targets are dead, nothing is followed any more.
        if with_hits.bit_length() >= bits_below_all_dead:
            with_hits = lowest(with_hits, bits_below_all_dead)
        if repeat:
            draws.append(with_hits)
        else:
            draws.append(passed_on)
        passed_on = with_hits - hit
    return AlikeInOneState(draws, passed_on)


# ------------------------------------------------------------------ sets and parts of cards


def _sets_from(own: list[tuple[int, int, int]]) -> list[list[int]]:
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


def _as_before(shooter: int, own: list[tuple[int, int, int]], future: list[list[int]]) -> bool:
    """Whether he distinguishes the same as the shooter before him, and so do those who follow."""
    if shooter == 0:
        return False
    return own[shooter] == own[shooter - 1] and future[shooter] is future[shooter - 1]


def divided(parts: Iterable[int], sets: Iterable[int]) -> list[int]:
    """The parts, of which none is both in a set and outside it."""
    pieces = list(parts)
    for cards in sets:
        halves = []
        for part in pieces:
            if part & cards:
                halves.append(part & cards)
            if part & ~cards:
                halves.append(part & ~cards)
        pieces = halves
    return pieces


def most_states(parts: Iterable[int]) -> int:
    """The most states that these parts may have: each has from none to all of its cards drawn."""
    return prod(part.bit_count() + 1 for part in parts)


def _ways_to_divide(
    cards: int, cells: Cells, pieces: list[list[int]]
) -> tuple[int, list[tuple[Cells, int]]]:
    """In how many ways the cards of these cells can be drawn from those of a deck, and then the
    cells that the next parts may have, each with its ways. ``pieces``: for each part, what of it
    comes to each of the next parts."""
    all_ways = 1
    ways_by_cells: list[tuple[Cells, int]] = [(0, 1)]
    for drawn, pieces_of_part in zip(unpacked(cells, len(pieces)), pieces, strict=True):
        if drawn:
            counts = tuple((cards & piece).bit_count() for piece in pieces_of_part)
            all_ways *= comb(sum(counts), drawn)
            joined: list[tuple[Cells, int]] = []
            for before, ways in ways_by_cells:
                for dealt_cells, ways_to_deal in dealt(drawn, counts):
                    joined.append((before + dealt_cells, ways * ways_to_deal))
            ways_by_cells = joined
    return all_ways, ways_by_cells


@lru_cache(maxsize=4096)
def dealt(drawn: int, counts: tuple[int, ...]) -> list[tuple[Cells, int]]:
    """The ways in which so many cards drawn may come from parts of ``counts`` cards each: how many
    from each part, as cells, and in how many combinations that is so."""
    if not counts:
        return [(0, 1)]
    first, rest = counts[0], counts[1:]
    ways_by_cells = []
    for of_first in range(max(0, drawn - sum(rest)), min(drawn, first) + 1):
        for cells, ways in dealt(drawn - of_first, rest):
            ways_by_cells.append((of_first + (cells << CELL), comb(first, of_first) * ways))
    return ways_by_cells


def unpacked(cells: Cells, parts: int) -> list[int]:
    """The cards drawn of each part."""
    return [cells >> CELL * part & CELL_MASK for part in range(parts)]


@lru_cache(maxsize=1 << 15)
def total(cells: Cells) -> int:
    """The cards drawn of all parts."""
    drawn = 0
    while cells:
        drawn += cells & CELL_MASK
        cells >>= CELL
    return drawn


def now_spared(spared: int, uses: bool) -> int:
    """How many were spared after a hit that ``uses`` up another new man, or does not."""
    if spared == FIRST_EXACT:
        return 0
    return spared + uses


# ------------------------------------------------------------------ packed polynomials


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
    spread, shift = 0, 0
    mask = (1 << width) - 1
    while value:
        spread |= (value & mask) << shift
        value >>= width
        shift += wide
    return spread


def terms(low: int, value: int, width: int) -> Iterator[tuple[int, int]]:
    """The coefficients that are not 0, each after the number of its field."""
    field, mask = low // width, (1 << width) - 1
    while value:
        coefficient = lowest(value & mask, width)
        if coefficient:
            yield field, coefficient
        value = (value - coefficient) >> width
        field += 1


def sum_of_terms(value: int, width: int) -> int:
    """The sum of all coefficients: modulo ``2 ** width - 1``, ``2 ** width`` is 1. The remainder is
    taken between minus and plus a half, since the sum may be negative."""
    modulus = (1 << width) - 1
    half = modulus // 2
    return (value + half) % modulus - half


def each_added(first: list[int], second: list[int]) -> list[int]:
    """The sums of the weights of each shooter."""
    return list(map(operator.add, first, second))


def add(weights: Weights[Key], key: Key, low: int, value: int) -> None:
    """A weight to the one of this key, if there is one."""
    stored = weights.get(key)
    if stored is None:
        weights[key] = low, value
        return
    lower, before = stored
    if lower < low:
        weights[key] = lower, before + (value << low - lower)
    else:
        weights[key] = low, value + (before << lower - low)
