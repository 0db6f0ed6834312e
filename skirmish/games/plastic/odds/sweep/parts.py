"""Which cards nothing distinguishes: the parts of the deck, by which its draws are counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, prod
from typing import NamedTuple

from skirmish.games.plastic.odds.pack import ALL_CARDS
from skirmish.games.plastic.odds.sweep.decks import CELL_BITS, Cells, Decks, VolleyState, unpacked
from skirmish.games.plastic.odds.sweep.polynomials import Weights, add_weight
from skirmish.games.plastic.odds.sweep.terms import SweepTerms

CardSets = tuple[int, ...]
"""The sets of cards that a shooter distinguishes."""


class _Likeness(NamedTuple):
    """What of a part of the deck matters to later draws. Parts for which it is equal are counted as
    one."""

    part: int
    """The part itself if it must stay by itself, else 0."""
    in_sets: tuple[bool, ...] = ()
    """For each set of cards that a later shooter distinguishes, whether the part is in it."""
    breaking: tuple[Fraction, ...] = ()
    """The share of its cards that break a weapon, now and after a shuffle, if that still
    matters."""


class DeckParts:
    """The parts of the deck.

    ``by_shooter``: for each shooter, the parts by which his draws are counted, as sets of cards.
    ``future``: for each shooter, the sets of cards that he or a later one distinguishes, each once.
    """

    def __init__(self, terms: SweepTerms) -> None:
        self.terms = terms
        sets_by_shooter: list[CardSets] = []
        for firer in terms.firers:
            sets_by_shooter.append((firer.hits, firer.spared, firer.tests))
        self.future = _sets_from(sets_by_shooter)
        self.by_shooter = self._parts_of_each(sets_by_shooter)

    def breaking_share(self, cards: int) -> Fraction:
        """The share of cards that break a weapon."""
        if not cards:
            return Fraction(0)
        return Fraction((cards & self.terms.breaks).bit_count(), cards.bit_count())

    def next_is_alike(self, shooter: int) -> bool:
        """Whether the next shooter is like this one, and moves alike."""
        following = shooter + 1
        firers = self.terms.firers
        return (
            following < len(firers)
            and firers[shooter] == firers[following]
            and self.by_shooter[shooter] == self.by_shooter[following]
            and set(self.future[shooter]) == set(self.future[following])
        )

    def divide(
        self, shooter: int, states: Weights[VolleyState], decks: Decks
    ) -> Weights[VolleyState]:
        """The states with the cells of the parts of this shooter, from those with the cells of the
        shooter before him."""
        parts_before, parts_now = self.by_shooter[shooter - 1], self.by_shooter[shooter]
        if self.terms.pack.die or parts_before == parts_now:
            return states

        # For each part before, what of it comes to each part now.
        pieces: list[list[int]] = []
        for part_before in parts_before:
            pieces.append([part_before & part_now for part_now in parts_now])

        @cache
        def division_of(deck: int, cells: Cells) -> _Division:
            return _ways_to_divide(decks.by_number[deck].cards, cells, pieces)

        divided_states: Weights[VolleyState] = {}
        for state, weight in states.items():
            division = division_of(state.deck, state.cells)
            for new_cells, ways in division.divided_cells:
                # No remainder: weights count orders, and all ways to divide are equally likely.
                share = weight.value * ways // division.all_ways
                new_state = VolleyState(state.deck, new_cells, state.lost)
                add_weight(divided_states, new_state, weight.low, share)
        return divided_states

    def _parts_of_each(self, sets_by_shooter: list[CardSets]) -> list[list[int]]:
        """For each shooter, who distinguishes those sets, the parts of the deck."""
        pack = self.terms.pack
        if pack.die:
            # No throw is ever used up, so the faces may be divided anew for everybody.
            return [divided([pack.possible], sets) for sets in sets_by_shooter]
        parts_by_shooter = []
        parts = [ALL_CARDS]
        for shooter, sets in enumerate(sets_by_shooter):
            if not self._distinguishes_as_before(shooter, sets_by_shooter):
                parts = self._next_parts(parts, shooter, sets)
            parts_by_shooter.append(parts)
        return parts_by_shooter

    def _distinguishes_as_before(self, shooter: int, sets_by_shooter: list[CardSets]) -> bool:
        """Whether he distinguishes the same as the shooter before him, and so do those who
        follow."""
        if shooter == 0:
            return False
        return (
            sets_by_shooter[shooter] == sets_by_shooter[shooter - 1]
            and self.future[shooter] == self.future[shooter - 1]
        )

    def _next_parts(self, parts: list[int], shooter: int, sets: CardSets) -> list[int]:
        """The parts of the deck for a shooter who distinguishes these sets, from those of the
        shooter before him."""
        for_this_shooter = self._merged(divided(parts, sets), shooter)
        if self.terms.first_deck_lasts:
            return for_this_shooter
        # Parts that a later shooter divides cannot be merged, even if only earlier shooters
        # distinguished them. Divided now by all that later ones distinguish, before it must be,
        # the deck may have parts of fewer states.
        for_later_shooters = self._merged(divided(parts, self.future[shooter]), shooter)
        return min(for_this_shooter, for_later_shooters, key=most_states)

    def _merged(self, parts: Iterable[int], shooter: int) -> list[int]:
        """The parts, of which those that nothing will distinguish are one."""
        merged_parts: dict[_Likeness, int] = defaultdict(int)
        for part in parts:
            merged_parts[self._likeness(part, shooter)] |= part
        return list(merged_parts.values())

    def _likeness(self, part: int, shooter: int) -> _Likeness:
        """What of a part matters from this shooter on."""
        future = self.future[shooter]
        # A part that a later shooter divides stays by itself.
        if any(part & cards and part & ~cards for cards in future):
            return _Likeness(part)
        in_sets = tuple(bool(part & cards) for cards in future)
        terms = self.terms
        if not terms.breaks or not any(firer.tests for firer in terms.firers[shooter:]):
            return _Likeness(0, in_sets)
        # Two second draws may come from one shuffle: then it matters from which part each was.
        if not terms.one_second_draw:
            return _Likeness(part)
        in_this_deck = self.breaking_share(part & terms.pack.possible)
        after_a_shuffle = self.breaking_share(part)
        return _Likeness(0, in_sets, (in_this_deck, after_a_shuffle))


def _sets_from(sets_by_shooter: list[CardSets]) -> list[list[int]]:
    """For each shooter the sets of cards that he or a later one distinguishes."""
    future: list[list[int]] = []
    later: list[int] = []
    for sets in reversed(sets_by_shooter):
        sets_of_his_own = {cards for cards in sets if cards and cards not in later}
        if sets_of_his_own:
            later = [*later, *sets_of_his_own]
        future.append(later)
    future.reverse()
    return future


def divided(parts: Iterable[int], sets: Iterable[int]) -> list[int]:
    """The parts, divided so that none is both in a set and outside it."""
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


class _DividedCells(NamedTuple):
    """Cells that the next parts may have."""

    cells: Cells
    ways: int
    """In how many combinations of cards the next parts have these cells."""


class _Division(NamedTuple):
    """How the cards of some cells may be divided among the next parts."""

    all_ways: int
    """In how many combinations they can be drawn from the deck."""
    divided_cells: list[_DividedCells]


def _ways_to_divide(cards: int, cells: Cells, pieces: list[list[int]]) -> _Division:
    """How cells are divided among the next parts. ``cards`` are those of the deck; ``pieces``: for
    each part, what of it comes to each of the next parts."""
    all_ways = 1
    # No card is divided yet, which is so in one way.
    all_divided = [_DividedCells(cells=0, ways=1)]
    for drawn, pieces_of_part in zip(unpacked(cells, len(pieces)), pieces, strict=True):
        if drawn:
            counts = tuple((cards & piece).bit_count() for piece in pieces_of_part)
            all_ways *= comb(sum(counts), drawn)
            joined: list[_DividedCells] = []
            for before in all_divided:
                for dealt in _dealt(drawn, counts):
                    both = _DividedCells(before.cells + dealt.cells, before.ways * dealt.ways)
                    joined.append(both)
            all_divided = joined
    return _Division(all_ways, all_divided)


@lru_cache(maxsize=4096)
def _dealt(drawn: int, counts: tuple[int, ...]) -> list[_DividedCells]:
    """How many of so many cards ``drawn`` may come from each of some parts, which have ``counts``
    cards."""
    if not counts:
        return [_DividedCells(cells=0, ways=1)]
    first, rest = counts[0], counts[1:]
    fewest_of_first = max(0, drawn - sum(rest))
    most_of_first = min(drawn, first)
    dealt = []
    for of_first in range(fewest_of_first, most_of_first + 1):
        ways_of_first = comb(first, of_first)
        for from_rest in _dealt(drawn - of_first, rest):
            cells = of_first + (from_rest.cells << CELL_BITS)
            dealt.append(_DividedCells(cells, ways_of_first * from_rest.ways))
    return dealt
