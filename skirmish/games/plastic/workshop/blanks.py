"""The blanks of a scenario that is being made: what stands in each, in words, and the scenario
after an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from skirmish.games.plastic.rules.catalog import listed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.blank_slots import options_of, slot_at
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules
from skirmish.games.plastic.workshop.draft_fields import (
    field_at,
    item_reference,
    kinds_at,
    refers_to_units,
)
from skirmish.games.plastic.workshop.examples import with_entry_kind, with_victory_kind
from skirmish.games.plastic.workshop.forces import with_nation
from skirmish.games.plastic.workshop.keyed_values import (
    side_with_id_key,
    value_at,
    with_value,
    without,
)
from skirmish.tabletop.data_file import UNREADABLE, suggest, table_of
from skirmish.tabletop.slots import Number, Option, UnfitAnswer, Words

EMPTY = "…"
"""What a blank shows while nothing stands in it."""
MANY = 2
"""Any number of units for which their name is in the plural."""


def answer_in_words(scenario: Scenario, key: str, rules: ScenarioRules) -> str:
    """What stands in a place, as a sentence has it. Raises EditError if there is no such place."""
    field = field_at(scenario, key)
    value = field.value
    if _is_empty(value):
        return EMPTY
    if isinstance(value, Mapping):
        return _counts_in_words(scenario, value, rules)
    if refers_to_units(item_reference(field)):
        # A list of units does not say how many there are: their names are in the plural.
        return _names_for(MANY, scenario, value, rules)
    # In terms of victory a number stands before a unit.
    if refers_to_units(field.refers_to) and key.startswith("victory."):
        # All terms that name a unit have a field ``need`` beside it.
        need = field_at(scenario, f"{key.rpartition('.')[0]}.need").value
        return _names_for(need, scenario, [value], rules)
    slot = slot_at(scenario, key, rules)
    for option in options_of(slot):
        if option.value == value:
            return option.label
    return slot.shown(value)


def _is_empty(value: Any) -> bool:
    """Whether nothing stands in a place; 0 and "no" are something."""
    return value is None or value in ("", [], {})


def _counts_in_words(scenario: Scenario, counts: Mapping[str, int], rules: ScenarioRules) -> str:
    """``2 Armored Cars, 1 Tank``"""
    pieces = rules.catalog.with_variants(scenario.variants).pieces
    words = []
    for id, count in counts.items():
        name = id
        if id in pieces:
            name = pieces[id].name_for(count)
        words.append(f"{count} {name}")
    return ", ".join(words)


def _names_for(count: int, scenario: Scenario, units: Sequence[str], rules: ScenarioRules) -> str:
    """What so many of each of these units are called: ``Tanks and Tigers``."""
    types = rules.catalog.with_variants(scenario.variants).units
    names = []
    for unit in units:
        name = unit
        if unit in types:
            name = types[unit].name_for(count)
        names.append(name)
    return listed(names)


def with_answer(scenario: Scenario, key: str, answer: Any) -> Scenario:
    """The scenario with an answer in its place; None and anything empty leave the place empty.
    Raises EditError."""
    if kinds_at(key) and value_at(table_of(scenario), key) == answer:
        # A new kind begins as an example. If the kind is not new, the author's values must stay.
        return scenario
    side = side_with_id_key(scenario, key)
    if side and answer is not None:
        # The id of a side is its nation, which is named all over the file.
        return with_nation(scenario, side, answer)
    if key == "victory.kind":
        return with_victory_kind(scenario, answer)
    if key.endswith("entry.kind"):
        return with_entry_kind(scenario, key.removesuffix(".kind"), answer)
    if _is_empty(answer):
        return _emptied(scenario, key)
    return with_value(scenario, key, answer)


def _emptied(scenario: Scenario, key: str) -> Scenario:
    """The scenario with nothing in that place. Raises EditError where something must be."""
    if value_at(table_of(scenario), key) is None:
        return scenario
    return without(scenario, key)


def with_next_choice(scenario: Scenario, key: str, step: int, rules: ScenarioRules) -> Scenario:
    """The scenario with the choice ``step`` places after the present one, where the first follows
    the last; or with a number that is larger by ``step``, within its limits. Texts stay as they
    are. Raises EditError."""
    slot = slot_at(scenario, key, rules)
    value = field_at(scenario, key).value
    options = options_of(slot)
    if options:
        values = [option.value for option in options]
        # If nothing stands there, or none of the choices, the first is taken.
        index = 0
        if value in values:
            index = (values.index(value) + step) % len(values)
        return with_answer(scenario, key, values[index])
    if isinstance(slot, Number):
        # An empty place counts from 0.
        present = value or 0
        number = min(max(present + step, slot.low), slot.high)
        return with_answer(scenario, key, number)
    return scenario


def with_typed_answer(scenario: Scenario, key: str, text: str, rules: ScenarioRules) -> Scenario:
    """The scenario with a typed answer in a place. Raises EditError."""
    if text.lstrip().startswith(("{", "[")):
        # What has no slot, such as a whole happening, is typed as it stands in JSON.
        return with_answer(scenario, key, _as_data(text))
    slot = slot_at(scenario, key, rules)
    # An empty text leaves the place empty. Only where a number or a choice must be, the slot
    # refuses it, and says what may be typed.
    may_be_emptied = slot.optional or isinstance(slot, Words)
    if may_be_emptied and not text.strip():
        return with_answer(scenario, key, None)
    options = options_of(slot)
    if options:
        return with_answer(scenario, key, _chosen_answer(options, text.strip(), key))
    try:
        return with_answer(scenario, key, slot.parse(text, done=True))
    except UnfitAnswer as error:
        raise EditError(str(error)) from None


def _as_data(text: str) -> Any:
    """The data of a text in JSON. Raises EditError."""
    try:
        return msgspec.json.decode(text)
    except UNREADABLE:
        raise EditError("This is no table or list in JSON; mind quotes and brackets.") from None


def _chosen_answer(options: Sequence[Option], word: str, key: str) -> Any:
    """The answer of the option with that name, which may be written as on the screen or as in the
    file. Raises EditError."""
    for option in options:
        if word.casefold() in (option.label.casefold(), str(option.value).casefold()):
            return option.value
    labels = [option.label for option in options]
    raise EditError(f"{key} cannot be {word}; {suggest(word, labels)}")
