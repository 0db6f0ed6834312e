"""What a draw may lead to, the second draw of a breakdown included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from skirmish.games.plastic.odds.sweep.decks import CELL, CELL_MASK, Decks, State, unpacked
from skirmish.games.plastic.odds.sweep.parts import DeckParts, divided
from skirmish.games.plastic.odds.sweep.terms import SweepTerms
from skirmish.games.plastic.rules.catalog import DIE

Move = tuple[bool, bool, State, int, int, int]
"""What a draw leads to: whether it hits; whether the defender may spare the man aimed at, so that a
kill uses up two new men; the state after it; how many cards were drawn until then; and by what the
weight is multiplied, then divided."""


class CardKind(NamedTuple):
    """A part of a deck, by what a card of it is for a shooter."""

    shift: int
    """The place of its cell, in bits."""
    cards: int
    """How many cards of the whole deck are in it."""
    hits: bool
    may_spare: bool
    """Whether the defender may spare the man aimed at (P22)."""
    tests: int
    """The part itself if it requires a second draw that is followed, else 0."""


class SecondDraw(NamedTuple):
    """The state after the second draw of a breakdown, and by what the weight is multiplied, then
    divided."""

    after: State
    factor: int
    divisor: int = 1


class KnownMoves:
    """The moves from each state, each worked out once as long as shooters move alike."""

    def __init__(self, terms: SweepTerms, parts: DeckParts, decks: Decks) -> None:
        self.terms = terms
        self.parts = parts
        self.decks = decks
        self._known: dict[State, list[Move]] = {}
        self._kinds = cache(self._cards_that_matter)
        self._counts = cache(self._cards_by_part)

    def forget(self) -> None:
        """Begins anew: the next shooter moves in another way than those so far."""
        self._known = {}

    def from_state(self, shooter: int, state: State) -> list[Move]:
        """What a shot leads to; while the deck lasts, only the hits. All shooters since ``forget``
        must move alike."""
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._worked_out(shooter, state)
        return known

    def _worked_out(self, shooter: int, state: State) -> list[Move]:
        """The moves of the shooter from a state."""
        deck, cells, lost = state
        terms = self.terms
        drawn = self.decks.drawn(state) + 1
        moves: list[Move] = []
        for kind in self._kinds(shooter, deck):
            if terms.pack.die:
                after = deck, cells + 1, lost
                # Of the pairs of throws, if these are followed, those that begin so.
                factor = kind.cards * terms.ways_to_throw // DIE
            else:
                after = deck, cells + (1 << kind.shift), lost
                factor = kind.cards - (cells >> kind.shift & CELL_MASK)
                if not factor:
                    continue
            if kind.tests:
                for second in self._second_draws(shooter, after, kind.tests):
                    drawn_at_end = self.decks.drawn(second.after)
                    factor_of_both = factor * second.factor
                    moves.append((
                        kind.hits,
                        kind.may_spare,
                        second.after,
                        drawn_at_end,
                        factor_of_both,
                        second.divisor,
                    ))  # fmt: skip
            else:
                moves.append((kind.hits, kind.may_spare, after, drawn, factor, 1))
        return moves

    def _cards_that_matter(self, shooter: int, deck: int) -> list[CardKind]:
        """The parts of a deck by what a card of them is for the shooter; while the deck lasts, only
        the hits, and no second draw."""
        firer = self.terms.firers[shooter]
        only_hits = self.decks.lasts[deck]
        kinds = []
        for index, part in enumerate(self.parts.by_shooter[shooter]):
            hits, tests = bool(part & firer.hits), 0
            if only_hits and not hits:
                continue
            if part & firer.tests and not only_hits:
                tests = part
            kind = CardKind(
                shift=CELL * index,
                cards=(self.decks.by_number[deck].cards & part).bit_count(),
                hits=hits,
                may_spare=bool(part & firer.spared),
                tests=tests,
            )
            kinds.append(kind)
        return kinds

    def _cards_by_part(self, shooter: int, deck: int) -> list[int]:
        """How many cards of a whole deck each part of a shooter has."""
        cards = self.decks.by_number[deck].cards
        return [(cards & part).bit_count() for part in self.parts.by_shooter[shooter]]

    # ------------------------------------------------------------------ breakdowns

    def _second_draws(
        self, shooter: int, state: State, breakdown_card: int
    ) -> Iterator[SecondDraw]:
        """What the second draw of a breakdown may lead to; in ``state`` the card was drawn."""
        if self.terms.pack.die:
            yield from self._second_throws(state)
            return
        set_aside = 0
        if self.terms.pack.aside:
            set_aside = breakdown_card
        deck, cells, lost = self.decks.ready(state, set_aside)
        counts = self._counts(shooter, deck)
        drawn_by_part = unpacked(cells, len(counts))
        for index, (drawn, count) in enumerate(zip(drawn_by_part, counts, strict=True)):
            left = count - drawn
            if not left:
                continue
            if self.terms.breaks:
                yield from self._draws_that_may_break(shooter, (deck, cells, lost), index, left)
            else:
                yield SecondDraw((deck, cells + (1 << CELL * index), lost), left)

    def _second_throws(self, state: State) -> Iterator[SecondDraw]:
        """What the second throw may lead to. It is no draw of its own: states count both throws as
        one (``SweepTerms.ways_to_throw``)."""
        deck, throws, lost = state
        if not self.terms.breaks:
            # A second throw that nobody asks about.
            yield SecondDraw(state, 1)
            return
        breaking = self.terms.breaks.bit_count()
        yield SecondDraw((deck, throws, lost + 1), breaking, DIE)
        yield SecondDraw(state, DIE - breaking, DIE)

    def _draws_that_may_break(
        self, shooter: int, state: State, index: int, left: int
    ) -> Iterator[SecondDraw]:
        """What a second draw from a part (of that ``index``) with so many cards ``left`` may lead
        to.

        Whether the weapon broke tells something about the card drawn. If a later draw could depend
        on that, the card is not counted in the cell of its part: it leaves the deck, and the state
        after it has another deck.
        """
        deck, cells, lost = state
        present_deck = self.decks.by_number[deck]
        cards = self.parts.by_shooter[shooter][index] & present_deck.cards
        pieces = divided([cards], self.parts.future[shooter])
        shares = {self.parts.breaking_share(piece) for piece in pieces}
        one_second_draw = self.terms.one_second_draw
        tells_nothing = one_second_draw and len(shares) == 1
        if tells_nothing:
            pieces = [cards]
        breaks = self.terms.breaks
        for piece in pieces:
            for drawn, newly_lost in ((piece & breaks, 1), (piece & ~breaks, 0)):
                if not drawn:
                    continue
                if tells_nothing:
                    after = deck, cells + (1 << CELL * index), lost + newly_lost
                else:
                    # Where no other second draw comes from this shuffle, later draws depend on the
                    # piece that the card was of, not on whether it broke the weapon.
                    equal_cards = drawn
                    if one_second_draw:
                        equal_cards = piece
                    next_deck = self.decks.number(present_deck.without(equal_cards))
                    after = next_deck, cells, lost + newly_lost
                # Of the cards left in the part, the share that is as ``drawn``.
                yield SecondDraw(after, left * drawn.bit_count(), cards.bit_count())
