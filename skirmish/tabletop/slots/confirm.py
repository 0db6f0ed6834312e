"""The last look at an order before it is given: nothing is asked, and Enter or Space goes on."""

from __future__ import annotations

from typing import Any, NoReturn

from skirmish.tabletop.slots.slot import ESC_DROPS, SPACE_OR_ESC, Slot, UnfitAnswer


class Confirm(Slot, frozen=True, kw_only=True):
    """No answer, only Enter or Space, so that the command can be checked and changed before."""

    name: str = "confirm"
    text: str = ""
    optional: bool = True
    other_key_message: str = ""
    """The refusal of any other key."""
    other_key_note: str = SPACE_OR_ESC
    """What that refusal says about keys."""
    answer_label: str = "Go on"
    """The words of its answer, where answers stand as a list or as buttons."""

    @property
    def key_hint(self) -> str:
        return ESC_DROPS

    def shown(self, value: Any) -> str:
        return self.answer_label

    def parse(self, typed: str, done: bool) -> NoReturn:
        # Enter and Space confirm before anything is parsed; whatever arrives here is another key.
        raise UnfitAnswer(self.other_key_message, key_note=self.other_key_note)
