"""Refusals of the rules: a code for programs, a sentence with its numbers for people, the
source."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """Why an order is refused. ``rule`` names the paragraph or ruling behind it.

    ``firm`` refusals make no sense on any table (a fourth tank of three); the others are advice
    that the players may overrule.
    """

    code: str
    message: str
    rule: str = ""
    firm: bool = False

    def __str__(self) -> str:
        return self.message


class Refused(Exception):  # noqa: N818  (an answer of the rules, not a fault)
    """Raised by ``decide`` when an order is refused; carries the Refusal."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(refusal.message)


def nonsense(code: str, message: str, rule: str = "") -> Refused:
    """A firm refusal, ready to be raised."""
    return Refused(Refusal(code, message, rule, firm=True))


def not_asked(code: str = "not_asked", asked: str = "") -> Refused:
    """For an answer to another question than the one that is open, which is ``asked``."""
    return nonsense(code, f"That is not asked now. {asked}".strip())
