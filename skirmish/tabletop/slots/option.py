"""An answer that is chosen rather than typed, and how a word that a player types names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from skirmish.tabletop.refusal import Refusal
from skirmish.tabletop.slots.slot import UnfitAnswer

MOST = 99
"""The highest number before a key, as in ``10r``."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One of the answers to a question."""

    value: Any
    label: str
    key: str = ""
    """Empty: it gets the first free letter."""
    note: str = ""
    """Stands beside the label."""
    why_not: str = ""
    """Why it is shown and cannot be chosen; empty: it can be."""
    ends: bool = False
    """Where several may be chosen, it is the whole answer by itself, as "nobody" is."""
    count: int = 1
    """Where numbers are picked (``Picks``): how many of it its key alone means."""
    most: int = MOST
    """Where numbers are picked: the most of it that can be picked."""
    other_name: str = ""
    """A name with a capital letter, such as that of a hex, by which it may be typed too."""
    by_pointing_only: bool = False
    """It has no key, and can only be chosen by pointing at its row or place on the board."""
    late_note: Callable[[], str] | None = None
    """Computes an addition to the note. It may take long, so it is called only where options are
    listed."""
    objection: Callable[[], Refusal | None] | None = None
    """Computes what speaks against it: a firm refusal makes it impossible, another one is advice.
    It is called only where options are buttons."""

    @property
    def reason(self) -> str:
        """The ``why_not`` in short, to stand behind the label: ``has just landed`` of "Tank 2 has
        just landed." The games write these sentences about an option with its label first; empty
        for a sentence about something else."""
        if not self.why_not.startswith(f"{self.label} "):
            return ""
        return self.why_not.removeprefix(f"{self.label} ").removesuffix(".")

    @property
    def remark(self) -> str:
        """The note with its addition, as it stands beside the label in a list."""
        parts = [self.note]
        if self.late_note is not None:
            parts.append(self.late_note())
        return ", ".join(part for part in parts if part)


def refuse_disabled(options: Iterable[Option]) -> None:
    """Raises UnfitAnswer with the reason of the first option that cannot be chosen, if any."""
    for option in options:
        if option.why_not:
            raise UnfitAnswer(option.why_not)


def label_has(option: Option, part: str) -> bool:
    """Whether the label of an option contains a part that was typed, in capitals or not."""
    return part.casefold() in option.label.casefold()


def option_by_label(options: Sequence[Option], word: str) -> Option | None:
    """The option whose label or value a word is, else the only one whose label begins so; capitals
    and small letters are the same."""
    lowered = word.casefold()
    candidates = []
    for option in options:
        if lowered in (option.label.casefold(), str(option.value).casefold()):
            candidates.append(option)
    if not candidates and lowered:
        for option in options:
            if option.label.casefold().startswith(lowered):
                candidates.append(option)
    if len(candidates) != 1:
        return None
    return candidates[0]


def options_by_labels(options: Sequence[Option], text: str) -> list[Option]:
    """The options of a text that consists of labels with commas between them; none if any part of
    it is no label."""
    labelled = {option.label.casefold(): option for option in options}
    names = [name.strip().casefold() for name in text.split(",") if name.strip()]
    if any(name not in labelled for name in names):
        return []
    return list(dict.fromkeys(labelled[name] for name in names))


def span_of_label(options: Sequence[Option], words: Sequence[str]) -> int:
    """The number of words that are the label of an option; 1 if none is."""
    labels = {option.label.casefold() for option in options}
    for count in range(len(words), 1, -1):
        if " ".join(words[:count]).casefold() in labels:
            return count
    return 1


def span_of_labels(options: Sequence[Option], words: Sequence[str]) -> int:
    """The number of words that are labels with commas between them; 1 if none is."""
    for count in range(len(words), 1, -1):
        if options_by_labels(options, " ".join(words[:count])):
            return count
    return 1
