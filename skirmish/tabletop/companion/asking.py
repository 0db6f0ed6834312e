"""The slots of a game at the table: units by their letters, hexes, distances, names, rolls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from skirmish.tabletop.companion.counters import LONGEST_NAME, Counter
from skirmish.tabletop.slots import (
    ChooseSeveral,
    Confirm,
    Number,
    Option,
    Picks,
    Slot,
    UnfitAnswer,
    Words,
    span_of_labels,
)

LabelledId: TypeAlias = tuple[str, str]
"""The id of something that players choose, such as a side, and its label."""

NOWHERE = "X"
"""What is typed instead of a hex for units that can go to none."""
HEX = re.compile("[A-Z][1-9][0-9]?")
"""The name of a hex: the letter of its row, and its number."""
PART_OF_A_HEX = re.compile("[A-Z]?[0-9]{0,2}")
"""What may be in the field while a hex is written."""


class UnitsSlot(ChooseSeveral, frozen=True, kw_only=True):
    """Several units by their letters, which are one word of a line of answers. ``why_not`` returns
    the reason why the chosen units cannot be combined; empty if they can."""

    # Further answers may follow on the same line, so this one does not take the rest of it.
    greedy: ClassVar[bool] = False
    why_not: Callable[[tuple[str, ...]], str] | None = None

    def span(self, words: Sequence[str]) -> int:
        return span_of_labels(self.options, words)

    @property
    def key_hint(self) -> str:
        if self.least > 1:
            return f"Their letters, then Enter. {self.least} of them."
        return "Their letters, then Enter."

    def parse(self, typed: str, done: bool) -> tuple[str, ...] | None:
        # None while more letters may follow, empty if nothing need be chosen.
        chosen = super().parse(typed, done)
        if not chosen or self.why_not is None:
            return chosen
        why = self.why_not(chosen)
        if why:
            raise UnfitAnswer(why)
        return chosen


class DistancesSlot(Picks, frozen=True, kw_only=True):
    """The distances of several hexes, each with its letter, as one word of a line of answers:
    ``3a5b`` is 3 to the hex with the letter a and 5 to b. A letter alone means 1: adjacent."""

    # Further answers may follow on the same line, as in ``UnitsSlot``.
    greedy: ClassVar[bool] = False

    @property
    def key_hint(self) -> str:
        return "The distance, then the letter: 3a5b."


class HexSlot(Slot, frozen=True, kw_only=True):
    """A hex by its letter and its number, written in the field. ``nowhere``: what happens if the
    unit can go to no hex (``it is eliminated.``); the answer is ``NOWHERE`` then. Empty: the unit
    must go to a hex."""

    nowhere: str = ""

    is_field: ClassVar[bool] = True

    @property
    def keyless_hint(self) -> str:
        text = "The letter and the number of the hex, such as J7."
        if self.nowhere:
            text = f"{text} {NOWHERE}: {self.nowhere}"
        return text

    def takes(self, sign: str, typed: str = "") -> bool:
        if typed:
            return sign.isdigit()
        return sign.isalpha()

    def parse(self, typed: str, done: bool) -> str | None:
        word = typed.strip().upper()
        if not done:
            # J1 may still become J17, and the letter is missing while a player replaces it.
            if PART_OF_A_HEX.fullmatch(word) is None:
                raise self.refused()
            return None  # more has to be typed
        if word == NOWHERE and self.nowhere:
            return word
        if HEX.fullmatch(word) is None:
            raise self.refused()
        return word

    def shown(self, value: Any) -> str:
        return _hex_as_shown(value)


def nothing_against(unit: Counter) -> str:
    """The ``why_not`` of a choice in which every unit may be chosen."""
    return ""


def counter_options(
    units: Iterable[Counter],
    why_not: Callable[[Counter], str] = nothing_against,
    letters: Mapping[str, str] | None = None,
    marks: Sequence[str] = (),
) -> tuple[Option, ...]:
    """Counters to choose from. Beside each stand its hex and those of the ``marks`` (markers) that
    it has. ``why_not`` returns the reason why it cannot be chosen, empty if it can. ``letters``:
    those that choose a counter, by its id; a counter without any gets a free letter."""
    keys = letters or {}
    options = []
    for unit in units:
        notes = [mark for mark in marks if unit.has(mark)]
        if unit.place:
            notes.insert(0, unit.place)
        options.append(
            Option(
                value=unit.id,
                label=unit.name,
                key=keys.get(unit.id, ""),
                note=", ".join(notes),
                why_not=why_not(unit),
            )
        )
    return tuple(options)


def name_slot(name: str, text: str, **more: Any) -> Words:
    """A question for a name; ``more`` are further fields of ``Words``."""
    return Words(name=name, text=text, longest=LONGEST_NAME, **more)


def place_slot(text: str) -> Words:
    """The question for the ``place`` of a unit on a map whose hexes the program does not know, so
    that any name is accepted; Enter alone leaves it open."""
    return name_slot("place", text, default="", write=_hex_as_shown)


def _hex_as_shown(place: str) -> str:
    """A hex as the line of the command shows the answer, which may be empty."""
    if not place:
        return "not written down"
    return place


def roll_slot(name: str, text: str, *, typed: bool, low: int = 0, high: int) -> Slot:
    """The question for a roll. ``typed``: the player rolls his own die and types the number, from
    ``low`` to ``high``; else there is no answer, only a key by which the program rolls its die."""
    if typed:
        return Number(name=name, text=text, low=low, high=high)
    return Confirm(name=name, text="The program rolls.", optional=True)
