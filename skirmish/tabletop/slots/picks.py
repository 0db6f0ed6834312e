"""Numbers of several rows of the board, typed without spaces: ``10r2m``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from skirmish.tabletop.slots.option import MOST, Option, refuse_disabled
from skirmish.tabletop.slots.option_keys import keys_of, refused_with_offer
from skirmish.tabletop.slots.slot import ESC_DROPS, Slot, UnfitAnswer

TOO_MANY = "{} is too many: " + f"{MOST} is the most."
"""The refusal of a number before a key; that number takes the place of the braces."""


class Picks(Slot, frozen=True, kw_only=True):
    """Numbers of several rows, as in ``10r2m`` (ten riflemen, two mortars). The answer is the
    number picked of each row, by the value of its option, in the order of choice. Together the
    numbers are at least ``least`` and at most ``most``."""

    options: tuple[Option, ...]
    least: int = 0
    most: int = 9999
    default_text: str = ""
    """The words for the default answer on the line of the command."""
    refusal_of_unknown: Callable[[str], UnfitAnswer | None] | None = None
    """Returns the refusal of a letter that no row has; None: the usual one."""
    check: Callable[[Mapping[Any, int]], None] | None = None
    """Raises UnfitAnswer for rows that cannot be combined."""
    greedy: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        letter = "r"  # an example, where there is no row at all
        if self.options:
            letter = self.options[0].key
        return f"A letter picks one of that row, 10{letter} ten. Enter ends the list."

    def takes(self, sign: str, typed: str = "") -> bool:
        return sign.isdigit() or sign in keys_of(self.options)

    def ends_in_number(self, typed: str) -> bool:
        last_sign = typed[-1:]  # empty where nothing is typed
        return last_sign.isdigit()

    def picked(self, typed: str) -> TypedPicks:
        """What is picked so far. Raises UnfitAnswer for a letter that no row has, and for more of a
        row than there are."""
        by_key = keys_of(self.options)
        picks: dict[Any, int] = {}
        digits = ""
        for sign in typed.replace(" ", "").replace(",", ""):
            if sign.isascii() and sign.isdigit():
                digits = _longer(digits, sign)
                continue
            option = by_key.get(sign)
            if option is None:
                raise self._refusal(sign)
            before = picks.get(option.value, 0)
            picks[option.value] = before + self._number_of(option, digits, before)
            digits = ""
            if sum(picks.values()) > self.most:
                raise UnfitAnswer(
                    f"All {self.most} are chosen.",
                    key_note="Enter accepts, Backspace takes one back.",
                )
            # After each key, so that the player learns of it while the wrong row is the last one
            # typed.
            if self.check is not None:
                self.check(picks)
        return TypedPicks(picks, digits)

    def _refusal(self, sign: str) -> UnfitAnswer:
        """The refusal of a letter that no row has."""
        if self.refusal_of_unknown is not None:
            refusal = self.refusal_of_unknown(sign)
            if refusal is not None:
                return refusal
        return refused_with_offer(self, self.options)

    def _number_of(self, option: Option, digits: str, before: int) -> int:
        """How many of a row its key picks, besides those picked ``before``: the number that was
        typed in front of it, else what the key alone means. Raises UnfitAnswer."""
        refuse_disabled([option])
        # The same letter may come twice, as in ``3r2m2r``; together they may not be too many.
        left = option.most - before
        if digits:
            number = int(digits)
            if number == 0:
                raise _changes_nothing(option)
        else:
            # A letter alone may mean one, or all that are left of its row: the game says which
            # (``Option.count``).
            number = min(option.count, max(left, 0))
            # There are some, but the game says that the key alone means none of them.
            if number == 0 and left > 0:
                raise _changes_nothing(option)
        if number == 0 or number > left:
            raise UnfitAnswer(f"There are no more {option.label} here.")
        return number

    def so_far(self, typed: str) -> Any:
        return self.picked(typed).counts

    def parse(self, typed: str, done: bool) -> Any:
        picks, digits = self.picked(typed)
        if not done:
            return None
        if digits:
            raise UnfitAnswer(f"{digits} of which row?", key_note="Type its letter.")
        # The question itself is the best message here: it says how many.
        if sum(picks.values()) < self.least:
            raise self.asked_again()
        return picks

    def shown(self, value: Any) -> str:
        if not value:
            return self.default_text or "none"
        if self.default_text and value == self.default:
            return self.default_text
        labels = {option.value: option.label for option in self.options}
        return ", ".join(f"{count} {labels.get(row, row)}" for row, count in value.items())


class TypedPicks(NamedTuple):
    """The numbers that are picked so far, and the digits before a missing letter."""

    counts: dict[Any, int]
    digits: str


def _longer(typed: str, digit: str) -> str:
    """A number with one more digit, without zeros in front. Raises UnfitAnswer beyond the
    highest."""
    longer = (typed + digit).lstrip("0") or "0"
    if int(longer) > MOST:
        raise UnfitAnswer(TOO_MANY.format(longer))
    return longer


def _changes_nothing(option: Option) -> UnfitAnswer:
    """The refusal of 0 of a row, which would be no change."""
    return UnfitAnswer(f"No {option.label}: that changes nothing.", key_note=ESC_DROPS)
