"""The shuffles that a volley draws from, and the states, which say what of them was drawn."""

from __future__ import annotations

from functools import lru_cache
from math import factorial, perm

import msgspec

from skirmish.games.plastic.odds.pack import ALL_CARDS
from skirmish.games.plastic.odds.sweep.terms import SweepTerms
from skirmish.games.plastic.rules.catalog import DECK

Cells = int
"""Cards drawn of each part of the deck, ``CELL_BITS`` for each; of a die, the number of throws."""
# Any number of cards up to the whole deck fits into a cell, so cells never carry into each other.
CELL_BITS = len(DECK).bit_length()
CELL_MASK = (1 << CELL_BITS) - 1


# States are looked up in dicts again and again, so each of them stores its hash. They hold nothing
# but numbers, so the garbage collector need not look at them.
class VolleyState(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """What was drawn so far of a volley, and who was lost."""

    deck: int
    """The number of the deck (its place in ``Decks.by_number``)."""
    cells: Cells
    lost: int
    """How many shooters broke down."""

    def drawn_of(self, part_index: int) -> int:
        """How many cards of a part were drawn."""
        return self.cells >> CELL_BITS * part_index & CELL_MASK

    def after_card_of(self, part_index: int, newly_lost: int = 0) -> VolleyState:
        """The state after one more card of a part, by which so many shooters break down."""
        cells = self.cells + (1 << CELL_BITS * part_index)
        return VolleyState(self.deck, cells, self.lost + newly_lost)


class Deck(msgspec.Struct, frozen=True):
    """The cards of a shuffle, which begins after ``before`` draws. Weights count the orders of all
    cards drawn; ``scale`` is the number of all orders of those before."""

    cards: int
    scale: int = 1
    before: int = 0

    @property
    def size(self) -> int:
        """How many cards the whole deck has."""
        return self.cards.bit_count()

    @property
    def last_draw(self) -> int:
        """How many draws there were once its last card is drawn."""
        return self.before + self.size

    @property
    def orders(self) -> int:
        """The number of all orders of its cards and those before."""
        return self.scale * factorial(self.size)

    def without(self, equal_cards: int) -> Deck:
        """The deck after a draw of one of these cards. No later draw distinguishes them, so it is
        taken to be the lowest of them."""
        lowest_card = equal_cards & -equal_cards
        return Deck(self.cards & ~lowest_card, scale=self.scale * self.size, before=self.before + 1)


class Decks:
    """All decks that a volley has been drawn from so far. States name them by number."""

    def __init__(self, terms: SweepTerms) -> None:
        self.terms = terms
        first = Deck(terms.pack.possible)
        self.by_number = [first]
        """By number: 0 is the deck of the first draw, the others were shuffled since."""
        self.lasts = [self._lasts(first)]
        """By number: whether a deck surely does not run out, so that only its hits are followed."""
        self.widths = [self._width(first)]
        """By number: the bits of each coefficient of a weight."""
        self._numbers = {first: 0}

    def number(self, deck: Deck) -> int:
        """The number of a deck; a new one is added to the list."""
        number = self._numbers.get(deck)
        if number is None:
            number = self._numbers[deck] = len(self.by_number)
            self.by_number.append(deck)
            self.lasts.append(self._lasts(deck))
            self.widths.append(self._width(deck))
        return number

    def drawn(self, state: VolleyState) -> int:
        """How many cards were drawn so far, of all decks."""
        if self.terms.pack.die:
            return state.cells
        return self.by_number[state.deck].before + total(state.cells)

    def drawn_of_last_deck(self, state: VolleyState) -> int:
        """How many cards of its last deck were drawn so far; of a die, the number of throws."""
        if self.terms.pack.die:
            return state.cells
        return total(state.cells)

    def ready(self, state: VolleyState, set_aside: int = 0) -> VolleyState:
        """The state ready for a draw: if the deck is empty, with a new shuffle of all cards but
        those ``set_aside``."""
        # A deck that lasts, and a die, never run out.
        if self.lasts[state.deck] or self.terms.pack.die:
            return state
        deck = self.by_number[state.deck]
        if total(state.cells) < deck.size:
            return state
        next_deck = Deck(ALL_CARDS & ~set_aside, scale=deck.orders, before=deck.last_draw)
        return VolleyState(self.number(next_deck), cells=0, lost=state.lost)

    def orders_between(self, number: int, drawn: int, later: int) -> int:
        """In how many orders the cards of a deck (or throws of the die) may come after the first
        ``drawn``, until ``later`` are drawn."""
        if self.terms.pack.die:
            return self.terms.orders_of_throws(later - drawn)
        left = self.by_number[number].size - drawn
        return perm(left, later - drawn)

    def _lasts(self, deck: Deck) -> bool:
        """Whether a deck surely does not run out, so that only its hits are followed."""
        terms = self.terms
        if not deck.before:
            return terms.first_deck_lasts
        if not terms.hits_only or terms.breaks:
            return False
        # ``most_draws`` counts one second draw of a breakdown, but each shuffle may have one: the
        # first deck, those between, which have at least 47 cards each, and this one. The bound may
        # be too high by a few draws, as it is where nobody tests: then the misses are followed as
        # well, which only takes longer.
        second_draws = 2 + (deck.before - terms.pack.count) // (len(DECK) - 1)
        if terms.any_tests:
            second_draws += 1
        most_draws_left = terms.most_draws - deck.before + second_draws
        return most_draws_left <= deck.size

    def _width(self, deck: Deck) -> int:
        """The bits of each coefficient of the weights while cards of this deck are drawn."""
        terms = self.terms
        if terms.leaves_out_all_dead and terms.nobody_is_spared:
            # Then all shooters are followed deck by deck (``AlikeShooters``), and the weights of
            # each deck need only be as wide as its own orders require.
            return terms.width_for(deck.orders)
        return terms.width


@lru_cache(maxsize=1 << 15)
def total(cells: Cells) -> int:
    """The cards drawn of all parts."""
    drawn = 0
    while cells:
        drawn += cells & CELL_MASK
        cells >>= CELL_BITS
    return drawn


def unpacked(cells: Cells, parts: int) -> list[int]:
    """The cards drawn of each part."""
    return [cells >> CELL_BITS * part & CELL_MASK for part in range(parts)]
