"""How each place of a scenario is asked for, by its key: as a choice, a number or a text, whichever
the type of its field is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import partial
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.scenarios.names import Names, names_of
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import ScenarioRules
from skirmish.games.plastic.workshop.draft_fields import DraftField, field_at, kinds_at
from skirmish.games.plastic.workshop.keyed_values import side_with_id_key, value_at
from skirmish.games.plastic.workshop.typed_values import (
    counts_as_text,
    counts_in,
    decimal_as_text,
    decimal_in,
    list_as_text,
    list_reader,
    proposal_as_text,
    proposal_in,
)
from skirmish.tabletop.data_file import table_of
from skirmish.tabletop.slots import Choose, Number, Option, Slot, Words, choice_of

NONE = "none"
"""The choice that leaves a place empty."""
MOMENT_FIELDS = ("at", "by", "ends_after")
"""Fields that hold a moment. Its side is named by an adjective, as in "German turn 8"."""
LONGEST_TEXT = 1500
"""The most characters of a text."""
LONGEST_DECIMAL = 12
"""The most characters of a number with a point."""
CHOICE_WORDS: dict[object, str] = {
    "N": "north",
    "E": "east",
    "S": "south",
    "W": "west",
    "NE": "north-east",
    "SE": "south-east",
    "SW": "south-west",
    "NW": "north-west",
    "solely_or_last": "alone or entered last",
    "solely": "alone",
    "counts_as_engineer": "count as engineers",
    "may_not_move": "may not move",
    "may_not_fire_at": "may not fire at",
    "distance": "the enemy comes near",
    "sight": "the enemy could see them",
}
"""Choices in words, where these differ from how a choice is written in the file."""


def slot_at(scenario: Scenario, key: str, rules: ScenarioRules) -> Slot:
    """How the value with that key is asked for, read and shown. Raises EditError if there is no
    such field."""
    field = field_at(scenario, key)
    # The kind of something, such as that of the victory terms, is chosen by its name in words.
    kinds = kinds_at(key)
    if kinds:
        return _choice(key, kinds, field)
    names = names_of(scenario, rules.catalog, rules.book)
    if get_origin(field.type) is Literal:
        choices = {choice: CHOICE_WORDS.get(choice, str(choice)) for choice in get_args(field.type)}
        return _choice(key, choices, field)
    if field.type is bool:
        return _choice(key, {True: "yes", False: "no"}, field)
    # A mark of the map or of a footnote is typed, since it may be named before it is made.
    is_typed = field.refers_to in ("", "mark", "footnote")
    if field.type is str and not is_typed:
        return _choice(key, _names_to_choose(scenario, key, field, names, rules.catalog), field)
    if field.type is int:
        return Number(name=key, low=field.least, high=field.most, optional=field.optional)
    return _words_slot(key, field, names)


def _choice(key: str, choices: Mapping[Any, str], field: DraftField) -> Slot:
    """The slot of a choice; if the field may be empty, leaving it so is one of the options."""
    labels = dict(choices)
    if field.optional:
        labels[None] = NONE
    # The sentence around the blank is the question, so the slot needs no text of its own.
    return choice_of(key, text="", labels=labels)


def options_of(slot: Slot) -> tuple[Option, ...]:
    """The options of a slot; none if its answer is typed."""
    if isinstance(slot, Choose):
        return slot.options
    return ()


def _names_to_choose(
    scenario: Scenario, key: str, field: DraftField, names: Names, catalog: Catalog
) -> dict[str, str]:
    """What may stand in a field: the name of each choice, by its id."""
    ids: Iterable[str] = names.by_kind.get(field.refers_to, ())
    match field.refers_to:
        case "side" | "nation":
            return _nations_to_choose(scenario, key, ids, catalog)
        case "own unit" | "enemy unit":
            side = _side_around(scenario, key)
            if field.refers_to == "enemy unit":
                side = _enemy_of(side, names)
            # If that side has no units yet, any unit may be chosen.
            if side in names.forces and names.most_units(side):
                ids = names.most_units(side)
            return {id: names.units[id].name for id in ids if id in names.units}
        case "unit" | "guy or unit":
            # "guy" stands for all guys and is no unit: it is called as it is written.
            unit_names = {id: id for id in ids}
            for id in ids:
                if id in names.units:
                    unit_names[id] = names.units[id].name
            return unit_names
        case "contingent":
            side = _side_around(scenario, key)
            return {id: id.replace("_", " ") for id in names.forces.get(side, {})}
    return {id: id for id in ids}


def _enemy_of(side: str, names: Names) -> str:
    """The side against that one; in a draft with no other, the side itself."""
    for force in names.forces:
        if force != side:
            return force
    return side


def _nations_to_choose(
    scenario: Scenario, key: str, nation_ids: Iterable[str], catalog: Catalog
) -> dict[str, str]:
    """Nations as ``Germans``, or as ``German`` for the side of a moment. If a side gets another
    nation, that of its enemy is left out."""
    side = side_with_id_key(scenario, key)
    enemies = set()
    if side:
        enemies = {either_side.id for either_side in scenario.sides} - {side}
    # Of ``victory.at.side``, the field that holds the side is ``at``.
    holder_key = key.rpartition(".")[0]
    holder_field = holder_key.rpartition(".")[2]
    words_by_nation = {}
    for id in nation_ids:
        if id in enemies:
            continue
        nation = catalog.nations[id]
        if holder_field in MOMENT_FIELDS:
            words_by_nation[id] = nation.name
        else:
            words_by_nation[id] = nation.people
    return words_by_nation


def _side_around(scenario: Scenario, key: str) -> str:
    """The side that is named nearest to a field: by the part of the scenario that has the field, or
    else by the part around that one, and so on; empty if none names a side."""
    raw = table_of(scenario)
    while "." in key:
        key = key.rpartition(".")[0]
        around = value_at(raw, key)
        if isinstance(around, Mapping) and "side" in around:
            return str(around["side"])
    return ""


def _words_slot(key: str, field: DraftField, names: Names) -> Words:
    """The slot of a text, or of what is typed as one: numbers with a point, lists, units with their
    counts. Counts and lists can be emptied whatever their field is: then they have no items."""
    origin = get_origin(field.type)
    if origin in (dict, Mapping):
        # ``side[0].contingent[1].works`` has counts of works; all other counts are of units.
        pieces: Collection[str] = names.units
        if key.endswith("works"):
            pieces = names.by_kind["work"]
        return Words(
            name=key,
            longest=LONGEST_TEXT,
            optional=True,
            read=partial(counts_in, pieces=pieces),
            write=counts_as_text,
        )
    if origin is tuple:
        return Words(
            name=key,
            longest=LONGEST_TEXT,
            optional=True,
            read=list_reader(field.type),
            write=list_as_text,
        )
    if origin in (Union, UnionType):
        # The only field of several types is the answer that set-up proposes.
        return Words(
            name=key,
            longest=LONGEST_TEXT,
            read=partial(proposal_in, pieces=names.units),
            write=proposal_as_text,
        )
    if field.type is float:
        return Words(name=key, longest=LONGEST_DECIMAL, read=decimal_in, write=decimal_as_text)
    return Words(name=key, longest=LONGEST_TEXT, read=str.strip, optional=field.optional)
