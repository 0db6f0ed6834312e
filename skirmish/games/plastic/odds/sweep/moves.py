"""What a draw may lead to, the second draw of a breakdown included."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.odds.sweep.decks import Decks, VolleyState
from skirmish.games.plastic.odds.sweep.parts import DeckParts, divided
from skirmish.games.plastic.odds.sweep.terms import SweepTerms
from skirmish.games.plastic.rules.catalog import DIE


class ShotMove(msgspec.Struct, frozen=True, gc=False):
    """What a draw, with the second draw of a breakdown, leads to. The weight of the state before it
    is multiplied by ``factor``, then divided by ``divisor``."""

    hits: bool
    may_spare: bool
    """Whether the defender may spare the man aimed at, so that a kill uses up two new men."""
    after: VolleyState
    drawn: int
    """How many cards were drawn until then."""
    factor: int
    divisor: int


class CardKind(NamedTuple):
    """A part of a deck, by what a card of it is for a shooter."""

    part_index: int
    """The place of the part among those of the shooter."""
    cards: int
    """How many cards of the whole deck are in it."""
    hits: bool
    may_spare: bool
    """Whether the defender may spare the man aimed at (P22)."""
    breakdown_card: int
    """The part itself if it requires a second draw that is followed, else 0."""


class SecondDraw(msgspec.Struct, frozen=True, gc=False):
    """The state after the second draw of a breakdown; ``factor`` and ``divisor`` are as those of a
    ``ShotMove``."""

    after: VolleyState
    factor: int
    divisor: int = 1


class KnownMoves:
    """The moves from each state, each worked out once as long as shooters move alike."""

    def __init__(self, terms: SweepTerms, parts: DeckParts, decks: Decks) -> None:
        self.terms = terms
        self.parts = parts
        self.decks = decks
        self._known: dict[VolleyState, list[ShotMove]] = {}
        # Both are worked out once for each shooter and deck.
        self._kinds = cache(self._cards_that_matter)
        self._counts = cache(self._cards_by_part)

    def forget(self) -> None:
        """Begins anew: the next shooter moves in another way than those so far."""
        self._known = {}

    def from_state(self, shooter: int, state: VolleyState) -> list[ShotMove]:
        """What a draw of the shooter leads to; while the deck lasts, only the hits. All shooters
        since ``forget`` must move alike."""
        moves = self._known.get(state)
        if moves is None:
            moves = self._worked_out(shooter, state)
            self._known[state] = moves
        return moves

    def _worked_out(self, shooter: int, state: VolleyState) -> list[ShotMove]:
        """The moves of the shooter from a state."""
        terms = self.terms
        drawn = self.decks.drawn(state) + 1
        moves: list[ShotMove] = []
        for kind in self._kinds(shooter, state.deck):
            if terms.pack.die:
                after = VolleyState(state.deck, state.cells + 1, state.lost)
                # Each face begins a twelfth of all ``ways_to_throw``; where second throws matter,
                # these are pairs of throws.
                factor = kind.cards * terms.ways_to_throw // DIE
            else:
                after = state.after_card_of(kind.part_index)
                factor = kind.cards - state.drawn_of(kind.part_index)
                if not factor:
                    continue
            if kind.breakdown_card:
                for second in self._second_draws(shooter, after, kind.breakdown_card):
                    move = ShotMove(
                        hits=kind.hits,
                        may_spare=kind.may_spare,
                        after=second.after,
                        drawn=self.decks.drawn(second.after),
                        factor=factor * second.factor,
                        divisor=second.divisor,
                    )
                    moves.append(move)
            else:
                moves.append(ShotMove(kind.hits, kind.may_spare, after, drawn, factor, divisor=1))
        return moves

    def _cards_that_matter(self, shooter: int, deck: int) -> list[CardKind]:
        """The parts of a deck by what a card of them is for the shooter; while the deck lasts, only
        the hits, and no second draw."""
        firer = self.terms.firers[shooter]
        only_hits = self.decks.lasts[deck]
        kinds = []
        for index, part in enumerate(self.parts.by_shooter[shooter]):
            hits = bool(part & firer.hits)
            if only_hits and not hits:
                continue
            breakdown_card = 0
            if part & firer.tests and not only_hits:
                breakdown_card = part
            kind = CardKind(
                part_index=index,
                cards=(self.decks.by_number[deck].cards & part).bit_count(),
                hits=hits,
                may_spare=bool(part & firer.spared),
                breakdown_card=breakdown_card,
            )
            kinds.append(kind)
        return kinds

    def _cards_by_part(self, shooter: int, deck: int) -> list[int]:
        """How many cards of a whole deck each part of a shooter has."""
        cards = self.decks.by_number[deck].cards
        return [(cards & part).bit_count() for part in self.parts.by_shooter[shooter]]

    # ------------------------------------------------------------------ breakdowns

    def _second_draws(
        self, shooter: int, state: VolleyState, breakdown_card: int
    ) -> Iterator[SecondDraw]:
        """What the second draw of a breakdown may lead to; in ``state`` the card was drawn."""
        if self.terms.pack.die:
            yield from self._second_throws(state)
            return
        set_aside = 0
        if self.terms.pack.queen_aside:
            set_aside = breakdown_card
        before_draw = self.decks.ready(state, set_aside)
        for index, count in enumerate(self._counts(shooter, before_draw.deck)):
            left = count - before_draw.drawn_of(index)
            if not left:
                continue
            if self.terms.breaks:
                yield from self._draws_that_may_break(shooter, before_draw, index, left)
            else:
                yield SecondDraw(before_draw.after_card_of(index), left)

    def _second_throws(self, state: VolleyState) -> Iterator[SecondDraw]:
        """What the second throw may lead to. States count both throws as one draw
        (``SweepTerms.ways_to_throw``)."""
        if not self.terms.breaks:
            # Without losses it does not matter how the second throw falls.
            yield SecondDraw(state, 1)
            return
        breaking = self.terms.breaks.bit_count()
        after_loss = VolleyState(state.deck, state.cells, state.lost + 1)
        yield SecondDraw(after_loss, breaking, DIE)
        yield SecondDraw(state, DIE - breaking, DIE)

    def _draws_that_may_break(
        self, shooter: int, state: VolleyState, part_index: int, left: int
    ) -> Iterator[SecondDraw]:
        """What a second draw from a part with so many cards ``left`` may lead to.

        Whether the weapon broke says something about which card of the part was drawn. If a later
        draw could depend on that, the card is not counted in the cell of its part: it leaves the
        deck, and the state after it has another deck.
        """
        present_deck = self.decks.by_number[state.deck]
        cards = self.parts.by_shooter[shooter][part_index] & present_deck.cards
        pieces = divided([cards], self.parts.future[shooter])
        shares = {self.parts.breaking_share(piece) for piece in pieces}
        one_second_draw = self.terms.one_second_draw
        # If all pieces break with the same chance, it says nothing about the piece of the card.
        tells_nothing = one_second_draw and len(shares) == 1
        if tells_nothing:
            pieces = [cards]
        breaks = self.terms.breaks
        for piece in pieces:
            breaking, harmless = piece & breaks, piece & ~breaks
            for drawn, newly_lost in ((breaking, 1), (harmless, 0)):
                if not drawn:
                    continue
                if tells_nothing:
                    after = state.after_card_of(part_index, newly_lost)
                else:
                    # Where no other second draw comes from this shuffle, later draws depend on the
                    # piece that the card was of, not on whether it broke the weapon.
                    equal_cards = drawn
                    if one_second_draw:
                        equal_cards = piece
                    next_deck = self.decks.number(present_deck.without(equal_cards))
                    after = VolleyState(next_deck, state.cells, state.lost + newly_lost)
                # Of the cards left in the part, the share that is among ``drawn``.
                yield SecondDraw(after, factor=left * drawn.bit_count(), divisor=cards.bit_count())
