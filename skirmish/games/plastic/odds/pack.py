"""What can be drawn now: the cards left of a deck of 48, or the faces of the twelve-sided die.

A set of cards is a whole number here: bit ``i`` stands for ``DECK[i]`` (of a die: for face
``i + 1``). To count the cards that two sets share then takes no loop.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, DrawError, Source, parse_card

FACES = tuple(Draw(face) for face in range(1, DIE + 1))
ALL_CARDS = (1 << len(DECK)) - 1
ALL_FACES = (1 << DIE) - 1
_BIT = {draw: 1 << index for draws in (DECK, FACES) for index, draw in enumerate(draws)}
_LONGEST = 10_000


class OddsError(ValueError):
    """A question that has no answer; the sentence says why."""


class Pack(msgspec.Struct, frozen=True):
    """The draws that can come, as a set of bits. ``die``: faces, which always can. ``aside``: a
    deck that runs out between the queen of spades and her second card is shuffled without her
    (P78)."""

    left: int = ALL_CARDS
    die: bool = False
    aside: bool = True

    @property
    def now(self) -> int:
        """Never empty: after the last card all those of a shuffle."""
        return self.left or ALL_CARDS

    @property
    def count(self) -> int:
        return self.now.bit_count()

    def after(self, drawn: int) -> int:
        """What can come after ``drawn`` (one bit), which asked for a second draw."""
        if self.die:
            return self.left
        rest = self.now & ~drawn
        return rest or (ALL_CARDS & ~drawn if self.aside else ALL_CARDS)


def fresh(rulings: Mapping[str, str]) -> Pack:
    return Pack(aside=rulings["P78"] == "aside")


def die() -> Pack:
    return Pack(left=ALL_FACES, die=True)


def without(gone: Iterable[Draw], rulings: Mapping[str, str]) -> Pack:
    """Raises OddsError."""
    return msgspec.structs.replace(fresh(rulings), left=ALL_CARDS & ~_once(gone, "gone"))


def parse(text: str, rulings: Mapping[str, str]) -> Pack:
    """``gone: QS 4H`` (or without a word) or ``left: AS 2D``; raises OddsError."""
    found = re.fullmatch(r"\s*(?:(gone|left)\s*:)?(.*)", text[:_LONGEST], re.I | re.S)
    word, rest = (found[1] or "gone", found[2]) if found else ("gone", text)
    written = re.split(r"[\s,]+", rest.strip())
    try:
        cards = [parse_card(card, DECK[-1].rank) for card in written if card]
    except DrawError as error:
        raise OddsError(f"{error}.") from None
    if word.lower() == "gone":
        return without(cards, rulings)
    if not cards:
        raise OddsError("No card is left: say which are, or leave the deck out.")
    return msgspec.structs.replace(fresh(rulings), left=_once(cards, "left"))


def of_source(source: Source, rulings: Mapping[str, str]) -> Pack:
    if source.kind == "die":
        return die()
    # A card typed twice was overruled by its player; it is gone all the same.
    seen = {*source.gone, *([source.aside] if source.aside else [])}
    return without(seen, rulings)


def bits(draws: Iterable[Draw]) -> int:
    found = 0
    for draw in draws:
        found |= _BIT[draw]
    return found


def draws_of(found: int, die: bool = False) -> list[Draw]:
    every = FACES if die else DECK
    return [draw for index, draw in enumerate(every) if found >> index & 1]


def _once(cards: Iterable[Draw], where: str) -> int:
    named, found = list(cards), 0
    if len(named) > len(DECK):
        raise OddsError(f"{len(named)} cards are {where}, but a deck has {len(DECK)}.")
    for card in named:
        if card not in _BIT:
            raise OddsError(f"{card} is not in this deck: it ends at {DECK[-1].words}.")
        if found & _BIT[card]:
            raise OddsError(f"{card} is {where} twice, but a deck has one of each card.")
        found |= _BIT[card]
    return found
