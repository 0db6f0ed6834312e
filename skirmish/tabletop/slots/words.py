"""A text of the player's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from skirmish.tabletop.slots.slot import Slot, UnfitAnswer

TYPE_IT = "Type it, then press Enter."
"""Said of keys behind the question for a text."""


class Words(Slot, frozen=True, kw_only=True):
    """A text of the player's own. ``read`` converts it to the answer, or raises UnfitAnswer, and
    ``write`` converts back; a ``secret`` is never shown, not even while it is typed."""

    longest: int = 60
    read: Callable[[str], Any] | None = None
    write: Callable[[Any], str] = str
    secret: bool = False

    is_field: ClassVar[bool] = True
    keeps_spaces: ClassVar[bool] = True

    @property
    def key_hint(self) -> str:
        return TYPE_IT

    @property
    def missing(self) -> UnfitAnswer:
        return self.refused("Nothing is typed.")

    def takes(self, sign: str, typed: str = "") -> bool:
        return True

    def echo(self, typed: str) -> str:
        if self.secret:
            return "*" * len(typed)
        return typed

    def parse(self, typed: str, done: bool) -> Any:
        """The text as ``read`` converts it, else as it was typed."""
        length = len(typed.strip())
        if length > self.longest:
            raise UnfitAnswer(f"At most {self.longest} characters, please; this has {length}.")
        if not done:
            return None
        # Half a character, which UTF-8 could not store.
        if any("\ud800" <= sign <= "\udfff" for sign in typed):
            raise UnfitAnswer("This is not text in UTF-8; type it again.")
        if self.read is not None:
            return self.read(typed)
        if not typed.strip():
            raise self.refused()
        return typed.strip()

    def shown(self, value: Any) -> str:
        if self.secret and value:
            return "written"
        if self.secret:
            return "nothing"
        return self.write(value)
