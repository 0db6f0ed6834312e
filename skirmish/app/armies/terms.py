"""The terms of an army that a player sets: nation and quality are stepped through, its name, points
and note are typed, and so are the names of its groups. Begin with ``term_entry``."""

from __future__ import annotations

from functools import partial
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish import library
from skirmish.app.asking import TextEntry
from skirmish.games.plastic.army_file import LONGEST_NAME, as_table
from skirmish.games.plastic.rules.army import (
    LONGEST_GROUP,
    LONGEST_NOTE,
    MOST_POINTS,
    Army,
    ArmyList,
)
from skirmish.games.plastic.rules.army_reading import read_army
from skirmish.tabletop.data_file import DataError
from skirmish.tabletop.typed import plain

SteppedTerm: TypeAlias = Literal["nation", "quality"]
"""The terms that a key steps through, by the names of their fields in an army's list."""
TypedTerm: TypeAlias = Literal["name", "points", "note", "group"]
"""The terms that are typed, by the names of their fields; ``group`` is the name of a group."""


class EntryWords(NamedTuple):
    """What the window says that asks for a term, and how long an answer it takes."""

    title: str
    question: str
    longest: int
    """The most characters of an answer."""
    hint: str = ""
    """The message for an invalid answer; empty: that of the reader of army files."""


ENTRY_WORDS: dict[TypedTerm, EntryWords] = {
    "name": EntryWords("Name", "What is this army called?", LONGEST_NAME, "Give the army a name."),
    "points": EntryWords(
        "Points",
        "How many points may it spend? Those for troop quality come on top.",
        longest=len(str(MOST_POINTS)),
        hint=f"Choose from 1 to {MOST_POINTS} points.",
    ),
    "note": EntryWords("Note", "What should its roster say about this army?", LONGEST_NOTE),
    "group": EntryWords(
        "Rename group", "What is this group called?", LONGEST_GROUP, "Give the group a name."
    ),
}


def term_entry(army: Army, term: TypedTerm, group_index: int = 0, title: str = "") -> TextEntry:
    """A window that asks for a term of the army, or for the name of the group with this index. A
    ``title``, if one is given, replaces the usual one."""
    entry_words = ENTRY_WORDS[term]
    present_value = plain(_present_value(army, term, group_index))
    check = partial(with_typed_value, army, term, group_index=group_index)
    return TextEntry(
        title or entry_words.title,
        entry_words.question,
        present_value,
        check,
        longest=entry_words.longest,
    )


def _present_value(army: Army, term: TypedTerm, group_index: int) -> str:
    """The present value of a term, or the name of a group."""
    if term == "group":
        return army.army_list.groups[group_index].name
    return str(getattr(army.army_list, term))


def with_typed_value(army: Army, term: TypedTerm, text: str, group_index: int = 0) -> ArmyList:
    """The list with the typed value of a term, or of the name of a group; raises ValueError for an
    invalid one."""
    if text == plain(_present_value(army, term, group_index)):
        # The stored value may have characters that ``plain`` left out of the entry. They stay.
        return army.army_list
    # The reader of army files judges what is typed, so the same is valid here as in an import.
    army_file = as_table(army.army_list)
    value = text.strip()
    if term == "group":
        army_file["group"][group_index]["name"] = value
    elif term == "points" and value.isdecimal():
        army_file["points"] = int(value)
    else:  # also points that are no number, which the reader refuses
        army_file[term] = value
    no_file = ""  # what was typed stands in none that a message could name
    try:
        return read_army(army_file, army.catalog, library.rulings(), no_file).army_list
    except DataError as error:
        raise ValueError(ENTRY_WORDS[term].hint or str(error)) from None


def with_next_value(army: Army, term: SteppedTerm) -> ArmyList:
    """The list with the next nation or quality; after the last one, with none."""
    ids = list(army.catalog.qualities)
    if term == "nation":
        ids = list(army.catalog.nations)
    values = [None, *ids]
    present_index = values.index(getattr(army.army_list, term))
    next_value = values[(present_index + 1) % len(values)]
    return replace(army.army_list, **{term: next_value})
