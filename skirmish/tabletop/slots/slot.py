"""One answer that a command or a set-up needs: how every kind of slot asks for it, reads it and
shows it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from skirmish.tabletop.refusal import with_key_note

ENTER, SPACE, BACKSPACE, TAB, ESCAPE = "enter", "space", "backspace", "tab", "escape"
"""The keys that are no characters, by the names that Textual has for them."""
ESC_DROPS = "Esc drops it."
"""What is said of keys behind a refusal."""
SPACE_OR_ESC = "Space goes on, Esc drops it."
"""The same where everything that is needed was answered."""


class UnfitAnswer(ValueError):  # noqa: N818  (a sentence for the player, not a fault)
    """An answer that a slot refuses. The ``message`` includes what the slot accepts; ``key_note``
    behind it is about keys, so that a phone leaves it out. ``typed``: what is left of the player's
    text without the part that cannot be; None: all of it."""

    def __init__(self, message: str, typed: str | None = None, *, key_note: str = "") -> None:
        # A slot may have nothing to say but its keys. Then a phone shows that, too: a refusal is
        # never empty.
        if not message:
            message, key_note = key_note, ""
        super().__init__(with_key_note(message, key_note))
        self.message = message
        self.key_note = key_note
        self.typed = typed


class TouchKey(NamedTuple):
    """A key of a touch screen."""

    types: str
    """The characters that it types; a line break among them ends the answer."""
    label: str


class Slot(msgspec.Struct, frozen=True, kw_only=True):
    """One answer that a command needs."""

    only_enter: ClassVar[bool] = False
    """Whether only Enter answers it, and every other key is refused."""
    is_field: ClassVar[bool] = False
    """Whether it is written in a field, in which keys edit the text, and only Enter ends it."""
    may_be_typed_ahead: ClassVar[bool] = False
    """Whether it may be typed while an earlier question of the command is open. So may the card of
    a shot while its target is to be confirmed: a player who has drawn it already must not lose
    it."""

    name: str
    """Its name among the answers of the command."""
    text: str = ""
    """The question."""
    large: str = ""
    """Words in large letters that stand before the question."""
    key_note: str = ""
    """What stands behind the question about keys; a phone leaves it out."""
    label: str = ""
    """Its name in a form; empty: the ``name``."""
    optional: bool = False
    """It may be skipped; its answer is None then."""
    default: Any = None
    """The proposed answer; None: there is none."""

    @property
    def keyless_question(self) -> str:
        """The question on one line, without what it says about keys."""
        if self.large:
            return f"{self.large}  {self.text}".rstrip()
        return self.text

    @property
    def question(self) -> str:
        """The whole question on one line, for those who have keys."""
        return with_key_note(self.keyless_question, self.key_note)

    @property
    def proposed(self) -> Any:
        """The answer of Enter where nothing was typed; None: there is none."""
        return self.default

    @abstractmethod
    def parse(self, typed: str, done: bool) -> Any:
        """The answer for what is ``typed``, or None while more has to be typed. ``done``: it is
        complete, by Enter or as a part of a line. Raises UnfitAnswer."""

    @property
    def keyless_hint(self) -> str:
        """What is an answer, in a few words."""
        return ""

    @property
    def key_hint(self) -> str:
        """Which keys answer, in a few words; a phone leaves them out."""
        return ""

    @property
    def hint(self) -> str:
        """How to answer, in a few words."""
        return with_key_note(self.keyless_hint, self.key_hint)

    def refused(self, sentence: str = "") -> UnfitAnswer:
        """A refusal that says how to answer, behind a ``sentence``."""
        return UnfitAnswer(f"{sentence} {self.keyless_hint}".strip(), key_note=self.key_hint)

    def asked_again(self, key_note: str = "") -> UnfitAnswer:
        """A refusal that repeats the question; ``key_note`` stands behind the question's own."""
        return UnfitAnswer(self.keyless_question, key_note=with_key_note(self.key_note, key_note))

    @property
    def missing(self) -> UnfitAnswer:
        """The refusal of Enter where nothing was typed and nothing is proposed."""
        if self.question:
            return self.asked_again()
        return self.refused()

    @property
    def keeps_spaces(self) -> bool:
        """Whether Space behind a typed part belongs to the answer, and does not end it."""
        return False

    @property
    def greedy(self) -> bool:
        """Whether the answer may be several words of a line."""
        return self.keeps_spaces

    def span(self, words: Sequence[str]) -> int:
        """How many words at the beginning of a line are its answer."""
        if self.greedy:
            return len(words)
        return 1

    @property
    def touch_keys(self) -> tuple[TouchKey, ...]:
        """The keys of a touch screen that type its answers."""
        return ()

    def takes(self, sign: str, typed: str = "") -> bool:
        """Whether a character after ``typed`` belongs to an answer of this slot, also to one that
        cannot be given now. Then it is not the key of a command."""
        return False

    def ends_in_number(self, typed: str) -> bool:
        """Whether a typed text ends in a number. If a digit or a letter is refused behind it, the
        draft refuses all further keys (``Draft.refused``)."""
        return False

    def tabbed(self, typed: str) -> str:
        """The typed text after Tab. Raises UnfitAnswer where Tab has no meaning."""
        raise UnfitAnswer("Tab leads no further here.")

    def so_far(self, typed: str) -> Any:
        """The answer that an unfinished text means already, for a preview; None: none yet."""
        return None

    def echo(self, typed: str) -> str:
        """The typed part as the screen shows it."""
        return typed

    def shown(self, value: Any) -> str:
        """An answer of this slot as the line of the command shows it."""
        return str(value)
