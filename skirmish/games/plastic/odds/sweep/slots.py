"""Shooters who are alike, followed in one integer for each state: a slot for the weight of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.odds.sweep.decks import VolleyState
from skirmish.games.plastic.odds.sweep.moves import KnownMoves
from skirmish.games.plastic.odds.sweep.polynomials import (
    Weights,
    add_weight,
    each_added,
    lowest_bit,
    shifted,
    with_new_width,
)

WeightsByShooter = dict[VolleyState, list[int]]
"""For each state, whole packed polynomials of shooters who are alike, in their order: of each, the
weight with which he comes to fire there. One more, the last, is the weight with which all of them
are done."""


class Slots(msgspec.Struct, frozen=True):
    """How the weights of so many shooters who are ``alike`` share an integer: a slot for each who
    comes to fire, and above them one more for the weight with which all are done.

    Within a slot a field stands for a difference: ``kills - (drawn - nth)``. The ``nth`` shooters
    before have missed once each, and all other cards drawn may be kills. One who fires on after
    each kill stays in his field, since a kill and a card are added together. So a slot needs no
    field for each number of kills.
    """

    alike: int
    width: int
    """The bits of a field."""
    fields: int
    """How many fields a slot has."""
    lowest_difference: int
    """The difference that the lowest field stands for. Where the third shooter (``nth`` is 2) comes
    to fire after 7 cards, 5 kills are a difference of 0."""

    @property
    def size(self) -> int:
        """How many bits a slot has."""
        return self.width * self.fields

    def lowest_kills(self, nth: int, drawn: int) -> int:
        """The kills that the lowest field of a slot stands for after so many draws. Where these are
        fewer than 0, the fields below 0 kills are empty."""
        return self.lowest_difference + drawn - nth

    def packed(self, weights: Sequence[int], drawn: int) -> int:
        """One integer of the weights by shooter."""
        value = 0
        for nth, weight in enumerate(weights):
            # The field of the lowest kills becomes the lowest of the slot.
            in_slot = shifted(weight, -self.lowest_kills(nth, drawn) * self.width)
            value += in_slot << self.size * nth
        return value

    def unpacked(self, value: int, drawn: int, new_width: int) -> list[int]:
        """The weights by shooter, with fields of ``new_width``."""
        weights = []
        slot_mask = (1 << self.size) - 1
        for nth in range(self.alike + 1):
            in_slot = value >> self.size * nth & slot_mask
            widened = with_new_width(in_slot, self.width, new_width)
            weights.append(shifted(widened, self.lowest_kills(nth, drawn) * new_width))
        return weights

    def mask_of_alive(self, group_size: int, drawn: int) -> int | None:
        """A mask of the fields with fewer kills than the group has men; None for all fields."""
        # The first shooter's slot begins at the most kills: where the group outlives all of its
        # fields, it outlives all others.
        if self.lowest_kills(0, drawn) + self.fields <= group_size:
            return None
        mask = 0
        for nth in range(self.alike + 1):
            fields_alive = group_size - self.lowest_kills(nth, drawn)
            fields_alive = min(max(0, fields_alive), self.fields)
            mask_in_slot = (1 << self.width * fields_alive) - 1
            mask |= mask_in_slot << self.size * nth
        return mask


def slots_for(moves: KnownMoves, shooter: int, alike: int, states: WeightsByShooter) -> Slots:
    """Slots with room for these states, all of one deck, and what their shooters make of them."""
    firer = moves.terms.firers[shooter]
    # All states are of one deck, so any of them names it.
    any_state = next(iter(states))
    width = moves.decks.widths[any_state.deck]
    # Of each weight, the differences that its lowest and its highest field stand for.
    lowest, highest = [], []
    for state, weights in states.items():
        drawn = moves.decks.drawn(state)
        for nth, weight in enumerate(weights):
            if weight:
                lowest.append(lowest_bit(weight) // width - drawn + nth)
                # Where the highest bit is the last of its field, this is a field more than needed.
                highest.append(weight.bit_length() // width - drawn + nth)
    # The second draw of a breakdown is a card drawn but no kill, and lowers the difference by one.
    lowest_difference = min(lowest) - firer.tests.bit_count()
    fields = max(highest) - lowest_difference + 1
    if not firer.repeat:
        # A kill after which a shooter may not fire on leads one field further than a miss.
        fields += alike
    return Slots(alike=alike, width=width, fields=fields, lowest_difference=lowest_difference)


class _Layer(NamedTuple):
    """All states after so many cards are ``drawn``, with their slots of weights."""

    drawn: int
    values: dict[VolleyState, int]
    followed: int
    """How many of the states count towards the limit of steps: those to which only hits lead do
    not."""


class _Layers:
    """Slots of weights, by cards drawn and then by state: of those who come to fire there, and of
    the misses and hits that lead there. ``after_miss`` and ``after_kill``: by how many bits a miss
    or a kill shifts a weight, to the slot of whoever fires next and the field of the kills."""

    def __init__(self, after_miss: int, after_kill: int) -> None:
        self.after_miss = after_miss
        self.after_kill = after_kill
        self.coming: dict[int, dict[VolleyState, int]] = defaultdict(dict)
        self.misses: dict[int, dict[VolleyState, int]] = defaultdict(dict)
        self.hits: dict[int, dict[VolleyState, int]] = defaultdict(dict)

    @property
    def are_left(self) -> bool:
        """Whether anybody still has to draw."""
        return bool(self.coming or self.misses or self.hits)

    def take_first(self) -> _Layer:
        """The layer after the fewest cards drawn, which no later draw can add to."""
        drawn = min((*self.coming, *self.misses, *self.hits))
        values = self.coming.pop(drawn, {})
        missed = self.misses.pop(drawn, {})
        followed = len(values) + len(missed)
        # Shifted here, once for all moves that lead to the state.
        for state, value in missed.items():
            values[state] = values.get(state, 0) + (value << self.after_miss)
        for state, value in self.hits.pop(drawn, {}).items():
            values[state] = values.get(state, 0) + (value << self.after_kill)
        return _Layer(drawn, values, followed)


class DeckThatMayRunOut:
    """The fire of shooters who are alike while they draw from one deck, which may run out.

    ``by_deck``: the weights with which they go on from later decks. ``done``: the weights of the
    states in which all have fired. Both are added to.
    """

    def __init__(
        self,
        moves: KnownMoves,
        shooter: int,
        slots: Slots,
        by_deck: dict[int, WeightsByShooter],
        done: Weights[VolleyState],
    ) -> None:
        self.moves = moves
        self.decks = moves.decks
        self.shooter = shooter
        self.slots = slots
        self.by_deck = by_deck
        self.done = done
        self.group_size = moves.terms.sizes[0]
        # What is done has the highest slot, above those of the shooters who come to fire.
        self.shift_of_done = slots.size * slots.alike
        self.mask_of_firing = (1 << self.shift_of_done) - 1
        # A miss leads to the slot of the next shooter. So does a hit if this one may not fire on;
        # there the kill is one field more than a miss would be. One who fires on stays in his slot,
        # and in his field, since a kill for the card drawn leaves the difference as it was.
        after_miss = slots.size
        after_kill = 0
        if not moves.terms.firers[shooter].repeat:
            after_kill = slots.size + slots.width
        self.layers = _Layers(after_miss, after_kill)

    def begin(self, deck: int, states: WeightsByShooter) -> None:
        """They come to fire in these states, all of the deck of that number; ``draw`` follows them
        from there."""
        self.deck = deck
        self.last_draw = self.decks.by_number[deck].last_draw
        for state, weights in states.items():
            drawn = self.decks.drawn(state)
            self.layers.coming[drawn][state] = self.slots.packed(weights, drawn)

    def draw(self) -> int:
        """Follows the next card, for all states in which the fewest were drawn, and says how many
        of them count towards the limit of steps."""
        drawn, values, followed = self.layers.take_first()
        alive = self.slots.mask_of_alive(self.group_size, drawn)
        if alive is not None:
            values = {state: value & alive for state, value in values.items()}
        for state, value in values.items():
            finished = value >> self.shift_of_done
            if finished:
                self._finish(state, finished, drawn)
            firing = value & self.mask_of_firing
            if not firing:
                continue
            if drawn == self.last_draw:
                self._go_on(self.decks.ready(state), firing, drawn)
            else:
                self._follow(state, firing, drawn)
        return followed

    def _finish(self, state: VolleyState, finished: int, drawn: int) -> None:
        """Adds what the slot of those who are done has to the weight of the state."""
        # By how many bits its lowest field is above that of 0 kills. Where it is below (negative),
        # the fields between them are empty.
        kills_in_bits = self.slots.lowest_kills(self.slots.alike, drawn) * self.slots.width
        if kills_in_bits < 0:
            add_weight(self.done, state, 0, finished >> -kills_in_bits)
        else:
            add_weight(self.done, state, kills_in_bits, finished)

    def _follow(self, state: VolleyState, firing: int, drawn: int) -> None:
        """All that the next card may lead to from one state."""
        width = self.slots.width
        for move in self.moves.from_state(self.shooter, state):
            shift, leads_to = self.layers.after_miss, self.layers.misses
            if move.hits:
                shift, leads_to = self.layers.after_kill, self.layers.hits
            if move.after.deck != self.deck:
                # The deck ran out between the breakdown card, its last one, and the second draw.
                # Kills are counted from ``drawn + 1``, without that second draw.
                self._go_on(move.after, firing << shift, drawn + 1, move.factor, move.divisor)
                continue
            weight = firing * move.factor
            # Dividing so long an integer by 1 would only take time.
            if move.divisor != 1:
                weight //= move.divisor
            # Kills are counted from the cards drawn, but the second draw of a breakdown is none.
            second_draws = move.drawn - drawn - 1
            weight >>= width * second_draws
            weight_by_state = leads_to[move.drawn]
            weight_by_state[move.after] = weight_by_state.get(move.after, 0) + weight

    def _go_on(
        self, state: VolleyState, value: int, drawn: int, factor: int = 1, divisor: int = 1
    ) -> None:
        """They go on from another deck, in this state; the weight is multiplied and divided."""
        unpacked = self.slots.unpacked(value, drawn, self.decks.widths[state.deck])
        weights = [weight * factor // divisor for weight in unpacked]
        weights_there = self.by_deck[state.deck]
        before = weights_there.get(state)
        if before is not None:
            weights = each_added(before, weights)
        weights_there[state] = weights
