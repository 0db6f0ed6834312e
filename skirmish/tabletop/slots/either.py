"""An answer that can be given in several ways, and what the options of any slot are."""

from __future__ import annotations

from typing import Any

from skirmish.tabletop.slots.choose import Choose
from skirmish.tabletop.slots.choose_several import ChooseSeveral
from skirmish.tabletop.slots.option import Option
from skirmish.tabletop.slots.picks import Picks
from skirmish.tabletop.slots.slot import Slot, UnfitAnswer


class Either(Slot, frozen=True, kw_only=True):
    """One answer that can be given in several ways: the first of ``ways`` that accepts it."""

    ways: tuple[Slot, ...]

    @property
    def options(self) -> tuple[Option, ...]:
        """The options of all its ways, one way after the other."""
        options: list[Option] = []
        for way in self.ways:
            options.extend(options_of(way))
        return tuple(options)

    @property
    def proposed(self) -> Any:
        """What the first way proposes that proposes anything."""
        for way in self.ways:
            if way.proposed is not None:
                return way.proposed
        return None

    @property
    def keeps_spaces(self) -> bool:
        return any(way.keeps_spaces for way in self.ways)

    @property
    def hint(self) -> str:
        hints = []
        for way in self.ways:
            # The hint of a choice is about its keys; without options it has none.
            is_empty_choice = isinstance(way, Choose) and not options_of(way)
            if not is_empty_choice:
                hints.append(way.hint)
        return " Or: ".join(hints)

    @property
    def keyless_hint(self) -> str:
        accepted = [way.keyless_hint for way in self.ways if way.keyless_hint]
        return " Or: ".join(accepted)

    def takes(self, sign: str, typed: str = "") -> bool:
        return any(way.takes(sign, typed) for way in self.ways)

    def parse(self, typed: str, done: bool) -> Any:
        """By the first way that accepts it. The error is that of the last way that could begin
        so."""
        error: UnfitAnswer | None = None
        for way in self.ways:
            try:
                return way.parse(typed, done)
            except UnfitAnswer as unfit:
                # Of a digit the complaint should be that of the number, and not that no row has
                # this letter.
                if error is None or way.takes(typed[:1]):
                    error = unfit
        assert error is not None, "there is no way to answer"
        raise error

    def shown(self, value: Any) -> str:
        """In the words of the way that has it among its options, else of the last."""
        for way in self.ways:
            if any(option.value == value for option in options_of(way)):
                return way.shown(value)
        return self.ways[-1].shown(value)


def options_of(slot: Slot) -> tuple[Option, ...]:
    """The options of a slot; none of a number, of words or of cards."""
    if isinstance(slot, Choose | ChooseSeveral | Picks | Either):
        return slot.options
    return ()


def has_rows(slot: Slot) -> bool:
    """Whether its options are rows of the board: some choices have them, and picks always."""
    return isinstance(slot, Picks) or (isinstance(slot, Choose) and slot.rows)
