"""Cards and rolls that players have drawn with their own hands and type: several on a line, or a
correction of earlier ones."""

from __future__ import annotations

import re
from typing import ClassVar

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
"""Each suit with its colour, since black cards miss at a target in cover."""
RANK_BY_TYPED = {"a": 1, "j": 11, "q": 12, **{str(rank): rank for rank in range(1, DIE + 1)}}
"""The rank by what is typed for it. An ace may be typed as 1, too, which is its number on a die."""
RANK_LETTERS = {1: "A", 11: "J", 12: "Q"}
"""The ranks of cards that are shown as a letter, not as their number."""
WHICH_DRAW = "Which of them was misread?"
TAB_TO_SHOTS = "Tab goes to its shots one by one."
ESC_LEAVES = "Esc leaves."
DIGITS = "0123456789"
RANK_SIGNS = f"{DIGITS}aAjJqQkK"
"""The signs with which ranks are typed. A king is out of the deck, but may be typed: the refusal
says so."""
SUIT_SIGNS = "sShHdDcC"
# A rank may be a number up to 12, since the queen is the twelfth card, or a letter.
_RANK = "(?:1[0-2]|[1-9ajqk])"
_CARD = re.compile(f"{_RANK}[shdc]?", re.IGNORECASE)
# Cards without spaces, ``7c9d`` or ``10hq``: the suit shows where a card ends, so only the last may
# be without one.
_CARDS_IN_A_ROW = re.compile(f"(?:{_RANK}[shdc])+{_RANK}?", re.IGNORECASE)


class OwnDraws(Slot, frozen=True, kw_only=True):
    """A player's own cards or rolls, several on one line: ``7 3h q 10``. A suit may be left out if
    it does not matter."""

    die: bool
    """Whether they are rolls, not cards."""
    single: bool = False
    """Whether it is one draw, which was misread. The hints then say nothing of several."""
    corrects: bool = False
    """Whether ``2=jc`` may be typed to put the second draw right."""

    keeps_spaces: ClassVar[bool] = True
    may_be_typed_ahead: ClassVar[bool] = True

    @property
    def keyless_hint(self) -> str:
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
    def touch_keys(self) -> tuple[TouchKey, ...]:
        if self.die:
            labels = [str(face) for face in range(1, DIE + 1)]
        else:
            highest = DECK[-1].rank  # the queen: the Kings are out
            labels = [RANK_LETTERS.get(rank, str(rank)) for rank in range(1, highest + 1)]
        # Each button types its rank and Enter.
        return tuple(TouchKey(f"{label.lower()}\n", label) for label in labels)

    def takes(self, sign: str, typed: str = "") -> bool:
        # The draw that is being typed stands behind the last space.
        last_draw = typed.rpartition(" ")[2]
        rank_is_typed = bool(last_draw)
        if sign == "=":  # only behind the number of a draw
            return self.corrects and last_draw.isdigit()
        # A card begins with its rank; the suit, or the next card, may follow.
        if rank_is_typed and (sign in SUIT_SIGNS or sign == " "):
            return True
        return sign in RANK_SIGNS

    def parse(self, typed: str, done: bool) -> tuple[Draw, ...] | Corrected | None:
        if done and self.corrects and "=" in typed:
            return self._corrected(typed)
        if done:
            return self._read(typed)
        # Only the last character can be new; the others were taken before. A space is no mistake,
        # wherever it stands.
        if not self.takes(typed[-1], typed[:-1]) and typed[-1] != " ":
            raise self.refused()
        return None

    def _read(self, typed: str) -> tuple[Draw, ...]:
        """The draws of a finished line; raises UnfitAnswer."""
        try:
            return typed_draws(typed, self.die)
        except DrawError as error:
            # Of several draws the others may be right, so the line stays as it is.
            if len(_draws_apart(typed, self.die)) > 1:
                raise UnfitAnswer(f"{error}.") from None
            raise UnfitAnswer(f"{error}.", typed="") from None

    def _corrected(self, typed: str) -> Corrected:
        """A line with corrections. In ``7h 2=jc`` the second draw was really the jack of clubs, and
        the next one is the seven."""
        numbers: dict[int, Draw] = {}
        new: list[str] = []
        for word in typed.split():
            number, equals, draw = word.partition("=")
            if equals:
                correct, *others = self._read(draw)
                # ``takes`` lets an equals sign stand behind digits only.
                numbers[int(number)] = correct
                # In ``2=jc7h`` the card that follows without a space is a new one.
                new += map(str, others)
            else:
                new.append(word)
        more: tuple[Draw, ...] = ()
        if new:
            more = self._read(" ".join(new))
        return Corrected(numbers, more)

    def shown(self, value: tuple[Draw, ...] | Corrected) -> str:
        if isinstance(value, Corrected):
            pairs = [f"{number}={draw}" for number, draw in value.numbers.items()]
            return " ".join([*pairs, *map(str, value.more)])
        return " ".join(map(str, value))


def drawn_word(die: bool) -> str:
    """What a player has drawn with his own hand, in a word."""
    if die:
        return "roll"
    return "card"


def _puts_right(die: bool) -> str:
    """How an earlier draw is put right, with an example."""
    if die:
        return "2=11 puts roll 2 right"
    return "2=jc puts card 2 right"


class NumberedDraw(OwnDraws, frozen=True, kw_only=True):
    """A correction of one of the typed draws of a volley of so many shots: ``2=jc``."""

    shot_count: int
    corrects: bool = True

    @property
    def keyless_hint(self) -> str:
        return ""

    @property
    def key_hint(self) -> str:
        return f"{_puts_right(self.die)}, then Enter. {ESC_LEAVES}"

    def parse(self, typed: str, done: bool) -> Corrected | None:
        if done and "=" not in typed:
            raise UnfitAnswer(WHICH_DRAW, key_note=with_key_note(TAB_TO_SHOTS, self.hint))
        corrected = super().parse(typed, done)
        # Only a whole line with an equals sign is read as ``Corrected``.
        if not isinstance(corrected, Corrected):
            return None
        numbers = list(corrected.numbers)
        if len(numbers) > 1 or corrected.more:
            raise self.refused("One at a time.")
        if not 1 <= numbers[0] <= self.shot_count:
            raise UnfitAnswer(f"There are shots 1 to {self.shot_count} in this volley.")
        return corrected


class Corrected(msgspec.Struct, frozen=True):
    """What typed draws really were, by the numbers of the draws from 1 on; and ``more``, new draws
    that were typed on the same line."""

    numbers: dict[int, Draw]
    more: tuple[Draw, ...] = ()


def typed_draws(text: str, die: bool) -> tuple[Draw, ...]:
    """The draws of a line in their order, cards with or without suit. Raises DrawError if there is
    none, or something else than draws."""
    written = _draws_apart(text, die)
    if not written:
        wanted = "a card, as in 7h, qs or 10"
        if die:
            wanted = f"a roll, 1 to {DIE}"
        raise DrawError(f"Nothing was typed: {wanted}")
    if die:
        return tuple(parse_roll(roll, DIE) for roll in written)
    return tuple(_card(card) for card in written)


def _draws_apart(text: str, die: bool) -> list[str]:
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
    """The card that was typed; raises DrawError."""
    signs = lettered(text).lower()
    rank, suit = signs, None
    if signs and signs[-1] in SUIT_SIGNS:
        rank, suit = signs[:-1], signs[-1].upper()
    if rank in RANK_BY_TYPED:
        return Draw(RANK_BY_TYPED[rank], suit)
    # It may be written otherwise, such as ``7♥``. If it is no card at all, this raises the error.
    return parse_card(text, DECK[-1].rank)
