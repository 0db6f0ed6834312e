"""The last result across the screen: the card that decided it, the verdict in large letters, the
reason."""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size

from skirmish.app.base_screen import HIGH
from skirmish.app.play.big_letters import (
    Enlarge,
    card_picture,
    card_size,
    high_framed_letters,
    high_letters,
    huge_framed_letters,
    huge_letters,
    largest,
    low_framed_letters,
    low_letters,
    painted_word,
)
from skirmish.app.play.part import Part
from skirmish.app.text_rows import rows_of
from skirmish.tabletop.chance import Draw
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.typed import plain

HUGE_FROM = 48
"""Rows of the screen from which a verdict may have letters of eight rows, and its card is large."""
AFTER_CARD, AFTER_WORD = 2, 2
"""Columns between the card and the word, and between the word and the reason. The style sheets have
them as ``margin-right``: of ``CardPart`` here, and of ``#word``."""
BLOCK_EDGES = 2
"""Columns that ``painted_word`` adds to a word that is cut out of a block without a frame."""
LEAST_REASON_COLUMNS = 29
"""Columns that the reason needs beside the verdict."""


class CardPart(Part):
    """The card or roll that decided, at the left of the verdict."""

    DEFAULT_CSS = """
    CardPart {
        width: auto;
        margin-right: 2;
    }
    """


class VerdictRow(Horizontal):
    """The card, the word in large letters and the reason, beside one another."""

    def __init__(self) -> None:
        self._word, self._reason = Part("word"), Part("reason")
        self._card: CardPart | None = None
        """Mounted when it is shown first: a low screen never has it."""
        super().__init__(self._word, self._reason, id="verdict")

    def show_verdict(
        self, verdict: Verdict, reason: Content, width: int, screen_rows: int, *, framed: bool
    ) -> int:
        """Paint a verdict in the largest letters that fit beside its reason; returns the rows it
        takes. ``framed``: the letters have a frame above them, seen only where the word is cut out
        of a block. So every word takes the same rows, and nothing below it jumps."""
        self.display = True
        card = self._show_card(verdict.draw, screen_rows)
        reserved = card.width + BLOCK_EDGES + AFTER_WORD + LEAST_REASON_COLUMNS
        sizes = _sizes(screen_rows, framed=framed)
        picture = largest(plain(verdict.text), width - reserved, sizes)
        word = painted_word(picture, verdict.tone, framed=framed)
        self._word.say(word)
        self._reason.say(reason)

        word_columns = max(line.cell_length for line in word.split("\n"))
        left_for_reason = width - card.width - word_columns - AFTER_WORD
        reason_columns = max(left_for_reason, LEAST_REASON_COLUMNS)
        return max(picture.count("\n") + 1, card.height, rows_of(reason, reason_columns))

    def show_words(self, words: Content) -> None:
        """Show words in place of a verdict, without a card or a reason."""
        self.display = True
        self._hide_card()
        self._word.say(words)
        self._reason.say(Content(""))

    def _show_card(self, draw: Draw | None, screen_rows: int) -> Size:
        """Paint the card or roll that decided, if the screen is high enough for it; returns what it
        takes, with the columns between it and the word."""
        if draw is None or screen_rows < HIGH:
            self._hide_card()
            return Size(0, 0)
        if self._card is None:
            self._card = CardPart("card")
            self.mount(self._card, before=0)
        self._card.display = True
        large = screen_rows >= HUGE_FROM
        self._card.say(card_picture(draw, large=large))
        card = card_size(large=large)
        return Size(card.width + AFTER_CARD, card.height)

    def _hide_card(self) -> None:
        if self._card is not None:
            self._card.display = False


def _sizes(screen_rows: int, *, framed: bool) -> Sequence[Enlarge]:
    """The sizes of letters for a screen of so many rows, the largest first."""
    sizes: tuple[Enlarge, ...] = (huge_letters, high_letters, low_letters)
    if framed:
        sizes = (huge_framed_letters, high_framed_letters, low_framed_letters)
    if screen_rows >= HUGE_FROM:
        return sizes
    if screen_rows >= HIGH:
        return sizes[1:]
    return sizes[2:]
