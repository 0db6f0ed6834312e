"""A whole number, and the question after one that is too high."""

from __future__ import annotations

from typing import Any, ClassVar

from skirmish.tabletop.slots.slot import ESC_DROPS, Slot, UnfitAnswer

LONGEST_NUMBER = 9
"""The most digits that are read as a number. Python itself raises a ValueError for thousands of
digits, which is no sentence for a player."""
MINUS_SIGNS = ("-", "–")
"""The hyphen of a keyboard, and the dash, which is read as a minus too."""


class Number(Slot, frozen=True, kw_only=True):
    """A whole number from ``low`` to ``high``, both included."""

    low: int = 0
    high: int = 9999
    eager: bool = False
    """Whether it is complete as soon as no further digit could follow."""
    too_many: str = ""
    """The sentence for a number above ``high``, or below both ``low`` and 0; the number takes the
    place of its braces. Empty: the usual refusal."""
    shown_for_zero: str = ""
    """What 0 is shown as, where it means no number (``as many as you play``); empty: ``0``."""
    leading_digits_hint: str = "Digits before it: how many."
    """What its digits mean, where it is optional and stands before a required answer, as the 15 of
    ``15r`` (15 riflemen). The hint of that answer ends with this sentence."""

    def shown(self, value: Any) -> str:
        if not value and self.shown_for_zero:
            return self.shown_for_zero
        return str(value)

    @property
    def keyless_hint(self) -> str:
        return f"A number from {self.low} to {self.high}."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit()

    def ends_in_number(self, typed: str) -> bool:
        return typed.isdigit()

    def so_far(self, typed: str) -> Any:
        return _number_of_text(typed)

    def parse(self, typed: str, done: bool) -> Any:
        """The number, if it is ended by Enter or the next answer (``done``), or complete without
        them (``_is_complete``); None while further digits may follow."""
        text = typed.strip()
        # A minus alone is the beginning of a number, where numbers may be negative.
        if text in MINUS_SIGNS and not done and self.low < 0:
            return None
        number = _number_of_text(text)
        if number is None:
            raise self.refused()
        # Every further digit leads away from 0. So a number between 0 and the range may still
        # become one of the range (from 5 to 20: 1, 12); only one beyond it is refused here.
        if number > max(self.high, 0) or number < min(self.low, 0):
            if self.too_many:
                raise UnfitAnswer(self.too_many.format(number))
            raise self.refused()
        if not done and not self._is_complete(number):
            return None
        # A complete number must lie in the range itself.
        if not self.low <= number <= self.high:
            raise self.refused()
        return number

    def _is_complete(self, number: int) -> bool:
        """Whether the number needs no Enter, since no digit could follow."""
        # A number that may be negative is always ended by Enter.
        if self.low < 0:
            return False
        if self.high < 10:  # one digit is all that fits
            return True
        # With one more digit it would be at least ten times as high.
        return self.eager and number * 10 > self.high


def _number_of_text(text: str) -> int | None:
    """The number that is written, perhaps with a minus; None if it is none, or is too long."""
    sign = ""
    digits = text
    if text.startswith(MINUS_SIGNS):
        sign = "-"
        digits = text[1:]
    # "²" is a digit too, as far as ``isdigit`` goes, but ``int`` does not read it.
    is_number = digits.isascii() and digits.isdigit()
    if not is_number or len(digits) > LONGEST_NUMBER:
        return None
    return int(sign + digits)


class Fewer(Slot, frozen=True, kw_only=True):
    """The question after a number that was too high: fewer than that (``default``), or nothing?
    Only Enter answers, Esc drops the number; every other key was typed for the order with that
    number, and is refused."""

    number_slot: str
    """The name of the slot of that number."""

    only_enter: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        return f"Enter: {self.default}. {ESC_DROPS}"

    def parse(self, typed: str, done: bool) -> Any:
        raise UnfitAnswer(self.text, key_note=self.key_hint)


def fewer_slot(
    name: str, count: int | None, most: int, number_slot: str = "count", where: str = "left"
) -> Fewer | None:
    """The question after the answer ``count`` (None: not given yet) of the slot called
    ``number_slot``, if that is more than the ``most`` there are; else None. ``where`` ends the
    first half of its sentence: ``3 are left, not 5.``"""
    if count is None or count <= most:
        return None
    are_left = f"{most} are {where}"
    if most == 1:
        are_left = f"1 is {where}"
    return Fewer(name=name, text=f"{are_left}, not {count}.", default=most, number_slot=number_slot)
