"""A player's own cards and rolls: ``7 3h q 10``."""

from __future__ import annotations

from typing import Any, ClassVar

from skirmish.games.plastic.rules.catalog import DECK, DIE
from skirmish.tabletop.chance import Draw, DrawError, lettered, parse_card, parse_roll
from skirmish.tabletop.slots import Slot, UnfitAnswer

RANKS = {"a": 1, "j": 11, "q": 12, **{str(rank): rank for rank in range(1, DIE + 1)}}


class OwnDraws(Slot, frozen=True, kw_only=True):
    """A player's own cards or rolls, several on one line: ``7 3h q 10``. A suit may be left out if
    it does not matter."""

    die: bool
    single: bool = False
    """Whether a single draw is corrected."""

    spaced: ClassVar[bool] = True

    @property
    def hint(self) -> str:
        how = "1 to 12" if self.die else "7h, qs, or the rank alone"
        if self.single:
            return f"{how}, then Enter. Esc leaves."
        more = "7 3 11" if self.die else "7 3h q 10"
        return f"{how}; several on one line: {more}. Esc takes it back."

    def takes(self, sign: str, typed: str = "") -> bool:
        begun = bool(typed) and not typed.endswith(" ")
        return sign in ("0123456789aAjJqQkK" + "sShHdDcC " * begun)

    def parse(self, typed: str, done: bool) -> Any:
        if done:
            return self._read(typed)
        if not self.takes(typed[-1], typed[:-1]) and typed[-1] != " ":
            raise UnfitAnswer(self.hint)
        return None

    def _read(self, typed: str) -> tuple[Draw, ...]:
        try:
            return typed_draws(typed, self.die)
        except DrawError as error:
            raise UnfitAnswer(f"{error}.", None if len(typed.split()) > 1 else "") from None

    def shown(self, value: Any) -> str:
        return " ".join(map(str, value))


def typed_draws(text: str, die: bool) -> tuple[Draw, ...]:
    """The draws in order, cards with or without suit; raises DrawError (a sentence)."""
    written = text.split()
    if not written:
        what = f"a roll, 1 to {DIE}" if die else "a card, as in 7h, qs or 10"
        raise DrawError(f"Nothing was typed: {what}")
    return tuple(parse_roll(one, DIE) if die else _card(one) for one in written)


def _card(text: str) -> Draw:
    signs = lettered(text).lower()
    rank, suit = (signs[:-1], signs[-1]) if signs[-1:] in tuple("shdc") else (signs, "")
    if rank in RANKS:
        return Draw(RANKS[rank], suit.upper() or None)
    return parse_card(text, DECK[-1].rank)
