"""New counters that a player enters: the questions for their company, names and hex."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skirmish.tabletop.companion.asking import HEX, HexSlot, name_slot
from skirmish.tabletop.companion.counters import LONGEST_NAME, Register
from skirmish.tabletop.slots import (
    Choose,
    Option,
    Slot,
    UnfitAnswer,
    Words,
)

OTHER = "other"
"""The answer for a company that is not in the list."""


# ------------------------------------------------------------------ new counters


def new_counter_slots(
    groups: Mapping[str, str],
    register: Register,
    answers: Mapping[str, Any],
    kinds: Sequence[tuple[str, str]],
    sides: Sequence[tuple[str, str]],
) -> Iterator[Slot]:
    """The questions for new counters: a company among the ``groups`` (each with a note), or another
    one with its side, its kind and its name; the names of the units; and the hex of those that were
    typed without one. ``kinds`` and ``sides``: ids with labels."""
    options = [Option(value=name, label=name, note=note) for name, note in groups.items()]
    options.append(Option(value=OTHER, label="another company", key="0"))
    yield Choose(name="company", text="Which company?", options=tuple(options))
    if answers.get("company") == OTHER:
        yield _by_initial("side", "Whose is it?", sides)
        yield _by_initial("kind", "What are they?", kinds)
        yield name_slot("called", "What is the company called?")
    company = answers.get("called") or answers.get("company") or ""
    # The proposed name is the next number of the company, as platoons are numbered: 3/B/116.
    count = len(register.where(group=company)) + 1
    text = "Which units? Commas between names; a hex may follow each: 1/B J7, 2/B J8."
    proposed = f"{count}/{company}"
    yield Words(name="names", text=text, default=proposed, longest=LONGEST_UNITS, read=_read_units)
    units = new_units_in(answers.get("names") or "")
    homeless = [unit.name for unit in units if not unit.place]
    if homeless or not units:
        yield HexSlot(name="place", text=_which_hex(homeless), default="")


def _by_initial(name: str, text: str, rows: Sequence[tuple[str, str]]) -> Choose:
    """A choice among ``rows`` of ids and labels; the key of each is the first letter of its id."""
    options = tuple(Option(value=id, label=label, key=id[0]) for id, label in rows)
    return Choose(name=name, text=text, options=options)


def _which_hex(names: Sequence[str]) -> str:
    """The question for the one hex in which new units of these names stand."""
    if not names:
        return "In which hex?"
    if len(names) == 1:
        return f"In which hex is {names[0]}?"
    return f"In which hex are {', '.join(names[:-1])} and {names[-1]}?"


LONGEST_UNITS = 600
"""Characters of the names of new units, with their hexes."""


class NewUnit(NamedTuple):
    """A unit as it is typed in; its ``place`` is empty if no hex follows the name."""

    name: str
    place: str


def new_units_in(typed: str) -> tuple[NewUnit, ...]:
    """The units between commas; the last word of each may be its hex."""
    units = []
    for part in typed.split(","):
        words = part.split()
        place = ""
        # A name alone may look like a hex: the gun "J7" has a place only if a hex follows it.
        if len(words) > 1 and HEX.fullmatch(words[-1].upper()):
            place = words.pop().upper()
        if words:
            units.append(NewUnit(" ".join(words), place))
    return tuple(units)


def _read_units(typed: str) -> str:
    """The text as it was typed, if it names units. Raises UnfitAnswer."""
    units = new_units_in(typed)
    if not units:
        raise UnfitAnswer("Type a name, or several with commas between them.")
    for unit in units:
        if len(unit.name) > LONGEST_NAME:
            beginning = f"{unit.name[:10]}…"
            length = len(unit.name)
            raise UnfitAnswer(
                f"A name may have at most {LONGEST_NAME} letters; {beginning} has {length}."
            )
    return typed
