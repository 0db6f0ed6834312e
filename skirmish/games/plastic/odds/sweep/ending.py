"""From the weights after a volley to the chances of its results."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import factorial, lcm
from typing import NamedTuple

from skirmish.games.plastic.odds.pack import summed
from skirmish.games.plastic.odds.sweep.decks import Decks, VolleyState, unpacked
from skirmish.games.plastic.odds.sweep.parts import DeckParts
from skirmish.games.plastic.odds.sweep.polynomials import (
    PackedWeight,
    Weights,
    add_weight,
    coefficients,
    sum_of_coefficients,
)
from skirmish.games.plastic.odds.sweep.terms import SweepTerms

Chances = dict[tuple[int, ...], Fraction]
"""Chances by the kills of each group."""
JointChances = dict[tuple[int, ...], Fraction]
"""Chances by the kills of each group and, as the last number of the key, the shooters lost."""


class _Result(NamedTuple):
    """A result of a volley, by which the orders of cards that lead to it are counted."""

    orders: int
    """The number of all orders of the cards drawn, with any result."""
    lost: int
    """Shooters who broke down."""
    field: int
    """The number of the field in a weight, which stands for the kills."""


class _EndOfDeck(NamedTuple):
    """The states at the end with this deck, in which so many shooters broke down."""

    deck: int
    lost: int


def chances_at_the_end(
    terms: SweepTerms, decks: Decks, states: Weights[VolleyState]
) -> JointChances:
    """The chances by the kills of each group and the shooters lost, from the weights after the
    whole volley."""
    ways: dict[_Result, int] = defaultdict(int)
    for end, weight in _weights_by_deck(terms, decks, states).items():
        # Volleys end after different numbers of draws. So that their orders can be compared, they
        # are counted as if the deck were drawn to its end, or the die thrown as often as possible.
        if terms.pack.die:
            last_draw, orders = terms.most_draws, terms.orders_of_throws(terms.most_draws)
        else:
            deck = decks.by_number[end.deck]
            last_draw, orders = deck.size, deck.orders
        orders_of_the_rest = decks.orders_between(end.deck, weight.drawn, last_draw)
        width = decks.widths[end.deck]
        for field, number in coefficients(weight.low, weight.value, width):
            ways[_Result(orders, end.lost, field)] += number * orders_of_the_rest
    if terms.leaves_out_all_dead:
        return _with_all_dead(ways, terms.sizes[0])
    chances: list[tuple[tuple[int, ...], Fraction]] = []
    for result, count in ways.items():
        if count:
            kills_and_lost = (*terms.kills_by_group(result.field), result.lost)
            chances.append((kills_and_lost, Fraction(count, result.orders)))
    return summed(chances)


class _WeightAtTheEnd(NamedTuple):
    """A weight with the fields of ``PackedWeight``, and how many cards of the last deck are
    ``drawn`` in the orders that it counts."""

    low: int
    value: int
    drawn: int


class _EndAfterDraws(NamedTuple):
    """The states at an end in which so many cards of the last deck were drawn."""

    end: _EndOfDeck
    drawn: int


def _weights_by_deck(
    terms: SweepTerms, decks: Decks, states: Weights[VolleyState]
) -> dict[_EndOfDeck, _WeightAtTheEnd]:
    """The weights of all states that end with the same deck and losses, each brought to as many
    draws as the longest volley among them took."""
    by_draws: Weights[_EndAfterDraws] = {}
    for state, weight in states.items():
        drawn = decks.drawn_of_last_deck(state)
        after_draws = _EndAfterDraws(_EndOfDeck(state.deck, state.lost), drawn)
        add_weight(by_draws, after_draws, weight.low, weight.value)
    by_end: Weights[_EndOfDeck] = {}
    most_drawn: dict[_EndOfDeck, int] = {}
    # Sorted, the shorter volleys of a deck come first.
    for after_draws in sorted(by_draws):
        end, drawn = after_draws
        weight = by_draws[after_draws]
        if end in by_end:
            shorter = by_end[end]
            more_orders = decks.orders_between(end.deck, most_drawn[end], drawn)
            by_end[end] = PackedWeight(shorter.low, shorter.value * more_orders)
        add_weight(by_end, end, weight.low, weight.value)
        most_drawn[end] = drawn
    at_the_end = {}
    for end, weight in by_end.items():
        at_the_end[end] = _WeightAtTheEnd(weight.low, weight.value, most_drawn[end])
    return at_the_end


def _with_all_dead(ways: dict[_Result, int], group_size: int) -> JointChances:
    """The chances of each number of kills in the only group, where that of all is what the others
    leave of 1."""
    common_orders = lcm(*{result.orders for result in ways})
    by_kills = [0] * group_size
    for result, count in ways.items():
        # With one group, a number of kills is the field of that number.
        kills = result.field
        if kills < group_size:
            by_kills[kills] += count * (common_orders // result.orders)
    # Results with all dead are left out only where no weapon can break: so nobody is lost.
    nobody_lost = 0
    chances: JointChances = {}
    for kills, count in enumerate(by_kills):
        if count:
            chances[kills, nobody_lost] = Fraction(count, common_orders)
    all_dead = common_orders - sum(by_kills)
    if all_dead:
        chances[group_size, nobody_lost] = Fraction(all_dead, common_orders)
    return chances


class FirstDeckLosses:
    """Breakdowns that cost a shooter, where the first deck lasts. There the states follow only
    hits, so their ``lost`` stays 0, and the breakdowns are counted here.

    A shooter breaks down if he draws the breakdown card (``tests``), and then, as a second draw, a
    card that breaks his weapon (``breaks``)."""

    def __init__(self, terms: SweepTerms, parts: DeckParts, decks: Decks) -> None:
        self.terms = terms
        self.parts = parts
        self.decks = decks
        self._weight_by_draws: dict[int, int] = defaultdict(int)
        """The weight of all such breakdowns, by cards drawn before the breakdown card."""

    def count(self, shooter: int, state: VolleyState, value: int) -> None:
        """Counts the breakdowns that a draw of this shooter begins, from a state with the weight
        ``value``."""
        cards = self.decks.by_number[state.deck].cards
        parts = self.parts.by_shooter[shooter]
        # Where weapons can break, the weights of all decks have this width (``Decks.widths``).
        with_any_kills = sum_of_coefficients(value, self.terms.width)
        breakdown_cards_left = weight_of_breaking = 0
        for part, drawn in zip(parts, unpacked(state.cells, len(parts)), strict=True):
            size = (part & cards).bit_count()
            # The breakdown card is a part by itself; it is never its own second draw.
            if part & self.terms.firers[shooter].tests:
                breakdown_cards_left = size - drawn
            elif size:
                # Any of its cards are equally likely to be left, so the same share of these breaks.
                breaking = (part & cards & self.terms.breaks).bit_count()
                left = size - drawn
                weight_of_breaking += with_any_kills * left * breaking // size
        drawn_before = self.decks.drawn(state)
        self._weight_by_draws[drawn_before] += weight_of_breaking * breakdown_cards_left

    def chances(self) -> dict[int, Fraction]:
        """The chances of no loss and of one: the breakdown card comes at most once."""
        deck = self.decks.by_number[0]
        ways = 0
        for drawn, weight in self._weight_by_draws.items():
            # The breakdown card and the one after it are drawn; the others come in any order.
            ways += weight * factorial(deck.size - drawn - 2)
        loss = Fraction(ways, deck.orders)
        return {0: 1 - loss, 1: loss}
