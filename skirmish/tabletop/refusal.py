"""Refusals of the rules: a code for programs, a sentence with its numbers for people, the
source."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """Why an order is refused. ``code`` names the reason for programs, ``message`` is the sentence
    for people, and ``rule`` names the paragraph or ruling behind it.

    ``firm`` refusals make no sense on any table (a fourth tank of three); the others are advice
    that the players may overrule. ``key_note`` stands behind the message for those who have keys.
    """

    code: str
    message: str
    rule: str = ""
    firm: bool = False
    key_note: str = ""

    def __str__(self) -> str:
        return with_key_note(self.message, self.key_note)


def with_key_note(sentence: str, key_note: str) -> str:
    """A sentence for those who have keys: behind it stands what it says about them. Phones show the
    sentence alone."""
    return f"{sentence} {key_note}".strip()


class Refused(Exception):  # noqa: N818  (an answer of the rules, not a fault)
    """Raised by ``decide`` when an order is refused; carries the Refusal."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal))


def nonsense(code: str, message: str, rule: str = "", *, key_note: str = "") -> Refused:
    """A firm refusal, ready to be raised."""
    return Refused(Refusal(code, message, rule, firm=True, key_note=key_note))


def not_asked(code: str = "not_asked", asked: str = "") -> Refused:
    """The refusal of an answer to a question that is not open; ``asked`` is a sentence about the
    question that is."""
    return nonsense(code, f"That is not asked now. {asked}".strip())
