"""What changes a roll or the column of a table, and why: single shifts, their sum, and the
modifiers of a roll as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec


class Shift(msgspec.Struct, frozen=True):
    """A reason (``label``) with its ``value``: columns to the right, to the left if it is negative;
    or points that are added to a roll."""

    label: str
    value: int


def reasons_of(shifts: Iterable[Shift]) -> str:
    """The shifts as the end of a sentence: ``, woods -2, mass +1``."""
    return "".join(f", {shift.label} {shift.value:+}" for shift in shifts)


class Sum(msgspec.Struct, frozen=True, kw_only=True):
    """A rating and what changes it."""

    rating: int
    lines: tuple[Shift, ...] = ()
    """What changes the rating."""
    missing: tuple[str, ...] = ()
    """The ids of further modifiers, whose values are not typed in yet."""

    @property
    def needs(self) -> int:
        """The sum: the number that a roll needs. Where the rating is 0, it is what the modifiers
        add to a roll."""
        return self.rating + sum(line.value for line in self.lines)

    @property
    def reasons(self) -> str:
        """The rating and what changes it: ``5, woods -2, mass +1``."""
        return f"{self.rating}{reasons_of(self.lines)}"


class TurnsModifier(NamedTuple):
    """A ``value`` that is added to rolls from the ``first`` turn to the ``last`` (0: no last)."""

    first: int
    last: int
    value: int

    def holds_in(self, turn: int) -> bool:
        """Whether it changes the rolls of a turn."""
        return self.first <= turn and (not self.last or turn <= self.last)

    @property
    def label(self) -> str:
        """``turns 1 to 3``, ``turn 4 on``."""
        if self.last:
            return f"turns {self.first} to {self.last}"
        return f"turn {self.first} on"


class RollModifiers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is added to a roll, as a data file has it."""

    turns: tuple[TurnsModifier, ...]
    """The modifiers that depend on the turn."""
    values: dict[str, int]
    """The other modifiers by the id of their reason."""

    def shifts(
        self, turn: int, times: Mapping[str, int], reasons: Mapping[str, str]
    ) -> tuple[Shift, ...]:
        """The modifiers that change a roll in a turn. For each of the ``values``, by its id:
        ``times`` says how often it counts, ``reasons`` what it is called."""
        shifts = []
        for modifier in self.turns:
            if modifier.holds_in(turn):
                shifts.append(Shift(modifier.label, modifier.value))
        for id, value in self.values.items():
            shifts.append(Shift(reasons[id], value * times[id]))
        return tuple(shift for shift in shifts if shift.value)

    def lines(self, reasons: Mapping[str, str]) -> list[str]:
        """Every modifier as a line of the rules."""
        lines = []
        for first, last, value in self.turns:
            # In full, unlike the label behind a roll, which has to be short.
            lines.append(f"turns {first} to {last or 'the end'} {value:+}")
        for id, value in self.values.items():
            lines.append(f"{reasons[id]} {value:+}")
        return lines
