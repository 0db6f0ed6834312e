"""Cards and rolls that players type: their own draws, several on a line, and one put right."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import msgspec

from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, DrawError, lettered, parse_card, parse_roll
from skirmish.tabletop.refusal import with_key_note
from skirmish.tabletop.slots import Option, Slot, TouchKey, UnfitAnswer

SUIT_OPTIONS = (
    Option(value="S", label="spades", key="s", note="♠ black"),
    Option(value="H", label="hearts", key="h", note="♥ red"),
    Option(value="D", label="diamonds", key="d", note="♦ red"),
    Option(value="C", label="clubs", key="c", note="♣ black"),
)
"""Each with its colour: black cards miss in cover."""
RANKS = {"a": 1, "j": 11, "q": 12, **{str(rank): rank for rank in range(1, DIE + 1)}}
"""Ranks as they are typed. A 1 is an ace, too: on a die it is a 1, and players type what they
see."""
RANK_LETTERS = {1: "A", 11: "J", 12: "Q"}
"""Ranks of cards that are not shown as their number."""
WHICH_DRAW = "Which of them was misread?"
TAB_TO_SHOTS = "Tab goes to its shots one by one."
ESC_LEAVES = "Esc leaves."
DIGITS = "0123456789"
RANK_SIGNS = f"{DIGITS}aAjJqQkK"
"""The signs of which ranks are typed, also those of a king: it is out of the deck, and who types
one is told so."""
SUIT_SIGNS = "sShHdDcC"
# A rank may be a number up to 12, since the queen is the twelfth card, or a letter.
_RANK = "(?:1[0-2]|[1-9ajqk])"
_CARD = re.compile(f"{_RANK}[shdc]?", re.IGNORECASE)
# ``7c9d``, ``10hq``: each with its suit, which ends it; only the last may be without one.
_CARDS_IN_A_ROW = re.compile(f"(?:{_RANK}[shdc])+{_RANK}?", re.IGNORECASE)


class OwnDraws(Slot, frozen=True, kw_only=True):
    """A player's own cards or rolls, several on one line: ``7 3h q 10``. A suit may be left out if
    it does not matter."""

    die: bool
    """Whether they are rolls, not cards."""
    single: bool = False
    """Whether one misread draw is typed again, so that nothing has to be said of several."""
    corrects: bool = False
    """Whether ``2=jc`` puts the second draw right."""

    spaced: ClassVar[bool] = True
    may_be_ahead: ClassVar[bool] = True

    @property
    def accepts(self) -> str:
        if self.single:
            return ""
        sample = "7 3h q 10"
        if self.die:
            sample = "7 3 11"
        text = f"{self._how_it_is_typed}; several on one line: {sample}."
        if self.corrects:
            return f"{text} {_puts_right(self.die)}."
        return text

    @property
    def key_hint(self) -> str:
        if self.single:
            return f"{self._how_it_is_typed}, then Enter. {ESC_LEAVES}"
        return "Esc takes it back."

    @property
    def _how_it_is_typed(self) -> str:
        if self.die:
            return "1 to 12"
        return "7h, qs, or the rank alone"

    @property
    def touch(self) -> tuple[TouchKey, ...]:
        if self.die:
            labels = [str(face) for face in range(1, DIE + 1)]
        else:
            highest = DECK[-1].rank  # the queen: the Kings are out
            labels = [RANK_LETTERS.get(rank, str(rank)) for rank in range(1, highest + 1)]
        # Each button types its rank and Enter.
        return tuple(TouchKey(f"{label.lower()}\n", label) for label in labels)

    def takes(self, sign: str, typed: str = "") -> bool:
        # What stands behind the last space: the draw that is being typed.
        last_draw = typed.rpartition(" ")[2]
        rank_is_typed = bool(last_draw)
        if sign == "=":  # behind the number of a draw, and nowhere else
            return self.corrects and last_draw.isdigit()
        # A card begins with its rank; the suit, or the next card, may follow.
        if rank_is_typed and (sign in SUIT_SIGNS or sign == " "):
            return True
        return sign in RANK_SIGNS

    def parse(self, typed: str, done: bool) -> Any:
        if done and self.corrects and "=" in typed:
            return self._corrected(typed)
        if done:
            return self._read(typed)
        # Only the last character can be new; the others were taken before.
        if not self.takes(typed[-1], typed[:-1]) and typed[-1] != " ":
            raise self.refused()
        return None

    def _read(self, typed: str) -> tuple[Draw, ...]:
        """The draws of a line that is done; raises UnfitAnswer."""
        try:
            return typed_draws(typed, self.die)
        except DrawError as error:
            # A single draw is deleted, to be typed anew. Of several the others may be right, so all
            # that was typed stays (None).
            stays: str | None = ""
            if len(_words_apart(typed, self.die)) > 1:
                stays = None
            raise UnfitAnswer(f"{error}.", stays) from None

    def _corrected(self, typed: str) -> Corrected:
        """``7h 2=jc``: the second draw was the jack of clubs, and the next is the seven."""
        numbers: dict[int, Draw] = {}
        new: list[str] = []
        for word in typed.split():
            number, equals, draw = word.partition("=")
            if equals:
                # ``takes`` lets an equals sign stand behind digits only.
                first, *others = self._read(draw)
                numbers[int(number)] = first
                # ``2=jc7h``: what follows the first card without a space is a new one.
                new += map(str, others)
            else:
                new.append(word)
        more: tuple[Draw, ...] = ()
        if new:
            more = self._read(" ".join(new))
        return Corrected(numbers, more)

    def shown(self, value: Any) -> str:
        if isinstance(value, Corrected):
            pairs = [f"{number}={draw}" for number, draw in value.numbers.items()]
            return " ".join([*pairs, *map(str, value.more)])
        return " ".join(map(str, value))


def drawn_word(die: bool) -> str:
    """What a player has drawn with his own hand: a card, or a roll of a die."""
    if die:
        return "roll"
    return "card"


def _puts_right(die: bool) -> str:
    """How an earlier draw is put right, with an example."""
    if die:
        return "2=11 puts roll 2 right"
    return "2=jc puts card 2 right"


class NumberedDraw(OwnDraws, frozen=True, kw_only=True):
    """One of the typed draws of a volley of so many shots, which was another: ``2=jc``."""

    shot_count: int
    corrects: bool = True

    @property
    def accepts(self) -> str:
        return ""

    @property
    def key_hint(self) -> str:
        return f"{_puts_right(self.die)}, then Enter. {ESC_LEAVES}"

    def parse(self, typed: str, done: bool) -> Any:
        if done and "=" not in typed:
            raise UnfitAnswer(WHICH_DRAW, key_note=with_key_note(TAB_TO_SHOTS, self.hint))
        # A line with an equals sign is read as ``Corrected``; it is None while still being typed.
        corrected: Corrected | None = super().parse(typed, done)
        if corrected is None:
            return None
        numbers = list(corrected.numbers)
        if len(numbers) > 1 or corrected.more:
            raise self.refused("One at a time.")
        if not 1 <= numbers[0] <= self.shot_count:
            raise UnfitAnswer(f"There are shots 1 to {self.shot_count} in this volley.")
        return corrected


class Corrected(msgspec.Struct, frozen=True):
    """Typed draws that were others, by their numbers, and ``more`` that come after them."""

    numbers: dict[int, Draw]
    more: tuple[Draw, ...] = ()


def typed_draws(text: str, die: bool) -> tuple[Draw, ...]:
    """The draws in order, cards with or without suit; raises DrawError (a sentence)."""
    written = _words_apart(text, die)
    if not written:
        wanted = "a card, as in 7h, qs or 10"
        if die:
            wanted = f"a roll, 1 to {DIE}"
        raise DrawError(f"Nothing was typed: {wanted}")
    if die:
        return tuple(parse_roll(roll, DIE) for roll in written)
    return tuple(_card(card) for card in written)


def _words_apart(text: str, die: bool) -> list[str]:
    """Each card or roll of a line. Cards may be typed without a space between them, ``7c9d``: a
    suit ends a card."""
    words = []
    for word in text.split():
        if not die and _CARDS_IN_A_ROW.fullmatch(word):
            words += _CARD.findall(word)
        else:
            words.append(word)
    return words


def _card(text: str) -> Draw:
    """A card as it was typed; raises DrawError."""
    signs = lettered(text).lower()
    rank, suit = signs, None
    if signs and signs[-1] in SUIT_SIGNS:
        rank, suit = signs[:-1], signs[-1].upper()
    if rank in RANKS:
        return Draw(RANKS[rank], suit)
    # Perhaps a card in words or with its sign: ``7♥``. It has the sentence for nonsense, too.
    return parse_card(text, DECK[-1].rank)
