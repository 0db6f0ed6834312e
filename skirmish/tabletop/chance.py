"""Chance as data: cards, dice, and a source of draws whose every step can be recorded.

A source holds no random generator. It is its seed, the number of shuffles, and what was drawn since
the last one, so it is part of a game's frozen state, survives a restart, and gives the same cards
again after an undo. A source without a seed is a player's own deck or die: draws are typed in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Literal

import msgspec

from skirmish.tabletop.number_words import number_word

SUITS = "SHDC"
_STREAMS_OF_SEED = 1_000_003
"""How many random streams a seed has: shuffle (or roll) number n of a source draws from stream
``seed * _STREAMS_OF_SEED + n``. No game has a million shuffles, so two seeds never share a stream.
Stored games rely on the number."""
KING = 13
_RANK_LETTERS = {1: "A", 11: "J", 12: "Q", KING: "K"}
"""What is printed on the cards of a rank in place of its number."""
SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
_LETTERS_OF_SIGNS = str.maketrans("♠♥♦♣♤♡♢♧", SUITS * 2, "\ufe0e\ufe0f")
"""The letters of suit symbols, solid and hollow. The last two characters are dropped: they stand
behind a symbol and only select a variant of its glyph."""
_RANK_WORDS = {1: "ace", 11: "jack", 12: "queen", KING: "king"}
_LONGEST_QUOTE = 20
"""The most characters of a typed text that a message quotes."""


class Draw(msgspec.Struct, frozen=True, array_like=True, order=True, gc=False):
    """A card or the face of a die; ``rank`` from 1, which is an ace.

    ``suit`` is one of S H D C; empty for a card that was typed without its suit, where that makes
    no difference; None for the face of a die.
    """

    rank: int
    suit: str | None = None

    @property
    def is_card(self) -> bool:
        """Whether it is a card, and not the face of a die."""
        return self.suit is not None

    @property
    def is_black(self) -> bool:
        """Whether it is of spades or clubs. Never for a die: which of its faces count as black
        depends on the rule."""
        return self.suit in ("S", "C")

    def __str__(self) -> str:
        if self.suit is None:
            return str(self.rank)
        return f"{self.rank_sign}{self.suit}"

    @property
    def rank_sign(self) -> str:
        """The rank as printed on a card: ``A``, ``7``, ``Q``."""
        return _sign_of_rank(self.rank)

    @property
    def words(self) -> str:
        """The draw in a sentence: ``7 of hearts``, ``queen of spades``, ``a roll of 7``, ``a
        seven``."""
        if self.suit is None:
            return f"a roll of {self.rank}"
        if self.suit == "":  # typed without its suit
            article = "a"
            if self.rank in (1, 8):  # an ace, an eight
                article = "an"
            return f"{article} {self.rank_words}"
        return f"{self.rank_beside_suit} of {SUIT_WORDS[self.suit]}"

    @property
    def rank_beside_suit(self) -> str:
        """``ace``, ``7``, ``queen``: the rank in front of a suit, or in a range of ranks."""
        return str(_RANK_WORDS.get(self.rank, self.rank))

    @property
    def rank_words(self) -> str:
        """``ace``, ``seven``, ``queen``: the rank by itself. Not in figures: ``a 5`` might be read
        as ace to five."""
        return _RANK_WORDS.get(self.rank, number_word(self.rank))


def _sign_of_rank(rank: int) -> str:
    """What is printed on the cards of a rank: ``A``, ``7``, ``Q``."""
    return _RANK_LETTERS.get(rank, str(rank))


_RANKS_BY_SIGN = {_sign_of_rank(rank): rank for rank in range(1, KING + 1)}


class DrawError(ValueError):
    """An invalid card or roll; its sentence names what would be valid."""


def full_deck(highest: int = KING) -> tuple[Draw, ...]:
    """Every card of a deck whose top rank is ``highest`` (12: a deck without Kings)."""
    return tuple(Draw(rank, suit) for rank in range(1, highest + 1) for suit in SUITS)


def lettered(text: str) -> str:
    """``Q♠`` as ``QS``: suit symbols replaced by letters."""
    return text.translate(_LETTERS_OF_SIGNS)


def parse_card(text: str, highest: int = KING) -> Draw:
    """``"7H"``, ``"10s"``, ``"Q♠"`` as a card; raises DrawError.

    >>> parse_card("10s")
    Draw(rank=10, suit='S')
    >>> parse_card("KH", highest=12)
    Traceback (most recent call last):
    skirmish.tabletop.chance.DrawError: KH is not in this deck: it ends at QH
    """
    pattern = r"\s*(?P<rank>10|[2-9]|[AJQK])\s*(?P<suit>[SHDC])\s*"
    match = re.fullmatch(pattern, lettered(text), re.IGNORECASE | re.ASCII)
    if not match:
        ranks = "A 2 to 10 J Q"
        if highest == KING:
            ranks += " K"
        raise DrawError(
            f"{text[:_LONGEST_QUOTE]!r} is no card: write the rank ({ranks}) and then the suit "
            "(S H D C), as in 7H or QS"
        )
    card = Draw(_RANKS_BY_SIGN[match["rank"].upper()], match["suit"].upper())
    if card.rank > highest:
        raise DrawError(f"{card} is not in this deck: it ends at {Draw(highest, card.suit)}")
    return card


def parse_face(face: int, sides: int) -> Draw:
    """``face`` of a die with that many ``sides``; raises DrawError."""
    if not 1 <= face <= sides:
        raise DrawError(f"A d{sides} shows 1 to {sides}, not {face}")
    return Draw(face)


def parse_roll(text: str, sides: int) -> Draw:
    """``"7"`` as the face of a die with that many ``sides``; raises DrawError.

    >>> parse_roll("13", sides=12)
    Traceback (most recent call last):
    skirmish.tabletop.chance.DrawError: A d12 shows 1 to 12, not 13
    """
    if not re.fullmatch(r"\s*[0-9]{1,3}\s*", text, re.ASCII):
        raise DrawError(f"{text[:_LONGEST_QUOTE]!r} is no roll: write a number from 1 to {sides}")
    return parse_face(int(text), sides)


class Source(msgspec.Struct, frozen=True, gc=False):
    """The source of one player's draws: a deck or a die, the program's (seeded) or his own."""

    kind: Literal["deck", "die"] = "deck"
    seed: int | None = None
    """None for the player's own deck or die."""
    shuffles: int = 0
    """How often the deck was shuffled."""
    gone: tuple[Draw, ...] = ()
    """The cards drawn since the last shuffle, in order."""
    rolls: int = 0
    """How often the die was rolled."""
    aside: Draw | None = None
    """A card that is left out of the deck until the next shuffle: it was drawn before the last one
    and still lay on the table then. In a breakdown, for example, that is the first of two cards if
    the deck is shuffled for the second."""

    @property
    def typed(self) -> bool:
        """Whether the player draws for himself and types the result."""
        return self.seed is None

    @property
    def concealed(self) -> Source:
        """The source for other viewers, without its seed: they must not compute its next draw."""
        if self.typed:
            return self
        # Not None, which would make it the player's own.
        return msgspec.structs.replace(self, seed=0)

    def cards_left(self, cards: tuple[Draw, ...]) -> int:
        """How many of a deck of these cards are still to be drawn."""
        left = len(cards) - len(self.gone)
        if self.aside is not None:
            left -= 1
        return left

    def peek(self, cards: tuple[Draw, ...], sides: int) -> Draw:
        """The next draw of a seeded source: a card of the deck of these ``cards`` or, from a die,
        a roll with so many ``sides``; each kind of source needs only one of the two. Raises
        ValueError for a player's own source. An empty deck must be shuffled first."""
        if self.seed is None:
            raise ValueError("a player's own cards cannot be known before he draws")
        if self.kind == "die":
            stream = _stream(self.seed, self.rolls)
            # Only ``Random.random`` stays the same in every version of Python (see ``shuffled``).
            return Draw(1 + int(stream.random() * sides))
        order = shuffled(cards, self.seed, self.shuffles)
        not_in_deck = set(self.gone)
        if self.aside is not None:
            not_in_deck.add(self.aside)
        return next(card for card in order if card not in not_in_deck)

    def drawn(self, draw: Draw) -> Source:
        """The source after this card was drawn, or a die rolled."""
        if self.kind == "die":  # its next roll depends only on the number of those before
            return msgspec.structs.replace(self, rolls=self.rolls + 1)
        return msgspec.structs.replace(self, gone=(*self.gone, draw))

    def corrected(self, misread: Draw, draw: Draw) -> Source:
        """The source with ``draw`` in place of ``misread``, a card that was read wrongly; unchanged
        if that card was not drawn since the last shuffle."""
        if misread not in self.gone:
            return self
        # A rank that was typed without its suit may have been drawn twice; the last one is meant.
        from_end = self.gone[::-1].index(misread)
        index = len(self.gone) - 1 - from_end
        gone = (*self.gone[:index], draw, *self.gone[index + 1 :])
        return msgspec.structs.replace(self, gone=gone)

    def reshuffled(self, aside: Draw | None = None) -> Source:
        """The source after a shuffle of all cards but the one that is left out."""
        return msgspec.structs.replace(self, shuffles=self.shuffles + 1, gone=(), aside=aside)


def _stream(seed: int, number: int) -> Random:
    """The random numbers for shuffle (or roll) ``number`` of the source with this seed."""
    return Random(seed * _STREAMS_OF_SEED + number)


@lru_cache(maxsize=64)
def shuffled(cards: tuple[Draw, ...], seed: int, number_of_shuffle: int) -> tuple[Draw, ...]:
    """The order of ``cards`` after one shuffle of a source, the same on every version of Python. It
    is stored for a while, since every draw of that deck asks for it again.

    Python guarantees only that ``Random.random`` stays the same, and not ``Random.shuffle``: hence
    our own Fisher-Yates shuffle.
    """
    stream = _stream(seed, number_of_shuffle)
    order = list(cards)
    # From the end of the deck each card changes places with one before it, or stays.
    for last in range(len(order) - 1, 0, -1):
        partner = int(stream.random() * (last + 1))
        order[last], order[partner] = order[partner], order[last]
    return tuple(order)


def spell(draws: Iterable[Draw]) -> str:
    """``QS 4H 7``: several draws as a player types them."""
    return " ".join(str(draw) for draw in draws)
