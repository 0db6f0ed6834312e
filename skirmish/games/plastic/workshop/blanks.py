"""What may stand in each place of a scenario, by its key: the type of the field says whether it is
a choice, a number or a text, and what it refers to."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, listed
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import Names, names_of
from skirmish.games.plastic.workshop.draft import EditError, ScenarioRules
from skirmish.games.plastic.workshop.examples import with_entry_kind, with_victory_kind
from skirmish.games.plastic.workshop.forces import with_nation
from skirmish.games.plastic.workshop.keyed_values import (
    side_with_id_key,
    steps_of,
    value_at,
    with_value,
    without,
)
from skirmish.tabletop.data_file import UNREADABLE, Refers, fields, suggest, table_of
from skirmish.tabletop.slots import Choose, Number, Option, Slot, UnfitAnswer, Words, choice_of

EMPTY = "…"
"""What a blank shows while nothing stands in it."""
NONE = "none"
"""The choice that leaves a place empty."""
MOMENTS = ("at", "by", "ends_after")
"""Fields that hold a moment: of its side one says "German turn 8"."""
LONGEST_TEXT = 1500
"""The most characters of a text."""
MANY = 2
"""Of so many units or more the name is the plural."""
MOST = 999
"""The largest number where the type of a field sets no other limit."""
WORDS: dict[object, str] = {
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
"""Choices that are not called as they are written in the file."""


KINDS: dict[str, dict[str, str]] = {
    "victory.kind": {
        "exit": "how many leave the table",
        "destroy": "what is destroyed",
        "destroy_then_exit": "what is destroyed, then who leaves",
        "hold": "how many buildings are held",
        "hold_ratio": "who holds more buildings",
        "clear": "whether the centre, or a mark, is clear",
        "survivors": "who has more of a unit left",
        "count": "a question that players answer by counting",
    },
    "entry.kind": {
        "zone": "in a zone of the map",
        "edge": "over an edge",
        "road": "along the road",
        "corner": "at a corner",
        "marks": "on marks of the map",
        "anywhere": "anywhere, as described",
    },
}
"""The kinds that terms of victory and entries can have, in words, by the end of their keys."""


def _kinds_at(key: str) -> dict[str, str] | None:
    """The kinds that can stand at that key, if it is the key of a kind."""
    for ending, kinds in KINDS.items():
        if key.endswith(ending):
            return kinds
    return None


class DraftField(NamedTuple):
    """A field of a draft, as its place in the file is asked for."""

    value: Any
    """What stands in it, as a file has it."""
    type: Any
    """Its type, without None beside it."""
    optional: bool
    """Whether it may be left empty."""
    refers_to: str
    """What its ids are the names of, such as ``side`` or ``own unit``; empty: of nothing."""
    least: int
    """The smallest number that fits."""
    most: int
    """The largest number that fits."""


def field_at(scenario: Scenario, key: str) -> DraftField:
    """What the field with that key is. Raises EditError if there is none."""
    if _kinds_at(key):
        # The kind tells the types of terms, or of entries, apart: none of them has a field for it.
        return _plain_field(str, value_at(table_of(scenario), key))
    place = TypedPlace(scenario, Scenario)
    for step in steps_of(key):
        if isinstance(step, int):
            next_place = _item_place(place, step)
        else:
            next_place = _named_place(place, step, key)
        if next_place is None:
            raise EditError(f"There is no {key}.")
        place = next_place
    return _draft_field(place.type, table_of(place.value))


class TypedPlace(NamedTuple):
    """A place on the way down a key: the ``value`` that stands there, None if none does, and the
    type that may."""

    value: Any
    type: Any


def _item_place(place: TypedPlace, index: int) -> TypedPlace | None:
    """The place of an item of a list, which may be the one behind its end; None if the place holds
    no list."""
    list_type = _bare_type(place.type)
    if get_origin(list_type) is not tuple:
        return None
    value = None
    if place.value and index < len(place.value):
        value = place.value[index]
    return TypedPlace(value, get_args(list_type)[0])


def _named_place(place: TypedPlace, name: str, key: str) -> TypedPlace | None:
    """The place of a field of a struct, or of an entry of a table; None if the place holds neither.
    Raises EditError if the struct has no such field."""
    holder_type = _bare_type(place.type)
    # Of several structs that may stand there it is the one that does.
    if isinstance(place.value, msgspec.Struct):
        holder_type = type(place.value)
    if isinstance(holder_type, type) and issubclass(holder_type, msgspec.Struct):
        field = _field_named(holder_type, name, key)
        return TypedPlace(getattr(place.value, field.name, None), field.type)
    if get_origin(holder_type) in (dict, Mapping):
        entries = place.value or {}
        return TypedPlace(entries.get(name), get_args(holder_type)[1])
    return None


def _field_named(struct: type[msgspec.Struct], name: str, key: str) -> msgspec.structs.FieldInfo:
    """The field of a struct by its name in a file. Raises EditError, which names the whole key."""
    by_name = {field.encode_name: field for field in fields(struct)}
    if name not in by_name:
        raise EditError(f"There is no {key}; {suggest(name, by_name)}")
    return by_name[name]


def _bare_type(annotated: Any) -> Any:
    """The type itself: without its bounds, and without None beside it."""
    if get_origin(annotated) is Annotated:
        return _bare_type(get_args(annotated)[0])
    if get_origin(annotated) in (Union, UnionType):
        members = [member for member in get_args(annotated) if member is not type(None)]
        if len(members) == 1:
            return _bare_type(members[0])
    return annotated


def _draft_field(annotated: Any, value: Any = None) -> DraftField:
    """A field of that type: what its annotations say of it."""
    if get_origin(annotated) is Annotated and get_origin(get_args(annotated)[0]) is tuple:
        # The bounds of a list are about its length.
        return _plain_field(_bare_type(annotated), value)
    optional = False
    members: tuple[Any, ...] = (annotated,)
    if get_origin(annotated) in (Union, UnionType):
        optional = type(None) in get_args(annotated)
        members = get_args(annotated)
    refers_to, least, most = "", 0, MOST
    for member in members:
        # What stands behind the type in ``Annotated[int, Meta(ge=1, le=6)]``.
        for note in getattr(member, "__metadata__", ()):
            if isinstance(note, Refers):
                refers_to = note.to
            if isinstance(note, msgspec.Meta) and isinstance(note.ge, int):
                least = note.ge
            if isinstance(note, msgspec.Meta) and isinstance(note.le, int):
                most = note.le
    return DraftField(value, _bare_type(annotated), optional, refers_to, least, most)


def _plain_field(field_type: Any, value: Any) -> DraftField:
    """A field that must be filled, of which nothing else is known."""
    return DraftField(value, field_type, optional=False, refers_to="", least=0, most=MOST)


# ------------------------------------------------------------------ slots


def slot_at(scenario: Scenario, key: str, rules: ScenarioRules) -> Slot:
    """How the value with that key is asked for, read and shown. Raises EditError if there is no
    such field."""
    field = field_at(scenario, key)
    kinds = _kinds_at(key)
    if kinds:
        return _choice(key, kinds, field)
    names = names_of(scenario, rules.catalog, rules.book)
    if get_origin(field.type) is Literal:
        choices = {choice: WORDS.get(choice, str(choice)) for choice in get_args(field.type)}
        return _choice(key, choices, field)
    if field.type is bool:
        return _choice(key, {True: "yes", False: "no"}, field)
    # The mark of a place or of a footnote is typed: what it marks may come later.
    if field.refers_to and field.type is str and field.refers_to not in ("mark", "footnote"):
        return _choice(key, _names_to_choose(scenario, key, field, names, rules.catalog), field)
    if field.type is int:
        return Number(name=key, low=field.least, high=field.most, optional=field.optional)
    return _words_slot(key, field, names)


def _choice(key: str, choices: Mapping[Any, str], field: DraftField) -> Slot:
    """The slot of a choice; where the field may be empty, that is one of the options."""
    rows = list(choices.items())
    if field.optional:
        rows.append((None, NONE))
    return choice_of(key, "", rows)


def _options_of(slot: Slot) -> tuple[Option, ...]:
    """What a slot lets choose from; nothing where its answer is typed."""
    if isinstance(slot, Choose):
        return slot.options
    return ()


def _names_to_choose(
    scenario: Scenario, key: str, field: DraftField, names: Names, catalog: Catalog
) -> dict[str, str]:
    """The names that a field may refer to, and what they are called."""
    ids: Iterable[str] = names.by_kind.get(field.refers_to, ())
    match field.refers_to:
        case "side" | "nation":
            return _nations_to_choose(scenario, key, ids, catalog)
        case "own unit" | "enemy unit":
            side = _side_around(scenario, key)
            if field.refers_to == "enemy unit":
                enemies = [force for force in names.forces if force != side]
                side = next(iter(enemies), side)
            # Of a side that has no units yet any may be chosen.
            if side in names.forces and names.strength(side):
                ids = names.strength(side)
            return {id: names.units[id].name for id in ids if id in names.units}
        case "unit" | "guy or unit":
            unit_names = {id: id for id in ids}  # "guy" is no unit, and called as it is written
            for id in ids:
                if id in names.units:
                    unit_names[id] = names.units[id].name
            return unit_names
        case "contingent":
            side = _side_around(scenario, key)
            return {id: id.replace("_", " ") for id in names.forces.get(side, {})}
    return {id: id for id in ids}


def _nations_to_choose(
    scenario: Scenario, key: str, ids: Iterable[str], catalog: Catalog
) -> dict[str, str]:
    """``Germans``, or for the turn of a side ``German``. Where a side gets another nation, that of
    its enemy is left out."""
    side = side_with_id_key(scenario, key)
    enemies = set()
    if side:
        enemies = {either_side.id for either_side in scenario.sides} - {side}
    holders = key.split(".")[:-1]
    is_of_moment = bool(holders) and holders[-1] in MOMENTS
    nations = {}
    for id in ids:
        if id in enemies:
            continue
        nation = catalog.nations[id]
        nations[id] = nation.people
        if is_of_moment:
            nations[id] = nation.name
    return nations


def _side_around(scenario: Scenario, key: str) -> str:
    """The side that the part around a field belongs to."""
    raw = table_of(scenario)
    while "." in key:
        key = key.rpartition(".")[0]
        around = value_at(raw, key)
        if isinstance(around, Mapping) and "side" in around:
            return str(around["side"])
    return ""


def _words_slot(key: str, field: DraftField, names: Names) -> Words:
    """A text, or what is typed as one: numbers with a point, lists, units with their counts. An
    ``optional`` one can be emptied: of counts and lists nothing is left then."""
    origin = get_origin(field.type)
    if origin in (dict, Mapping):
        # In a field of that name works are counted, as in ``side[0].contingent[1].works``.
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
            read=_list_reader(field.type),
            write=_list_as_text,
        )
    if origin in (Union, UnionType):
        # The answer that set-up proposes: a number, words, or units with their counts.
        return Words(
            name=key,
            longest=LONGEST_TEXT,
            read=partial(_proposal_in, pieces=names.units),
            write=_proposal_as_text,
        )
    if field.type is float:
        return Words(name=key, longest=12, read=_decimal, write=_as_decimal)
    return Words(name=key, longest=LONGEST_TEXT, read=str.strip, optional=field.optional)


def _refers_to_units(refers_to: str) -> bool:
    """Whether a field with that reference names units: a number may stand before these."""
    return refers_to in ("own unit", "enemy unit", "unit")


def _decimal(text: str) -> float:
    """A number with a point, or with a comma for it. Raises UnfitAnswer."""
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        raise UnfitAnswer(f"{text.strip()} is no number; type one such as 2.5.") from None


def _as_decimal(value: float) -> str:
    """A number as it is typed, without zeros at its end."""
    return f"{value:g}"


def _list_as_text(items: Sequence[Any] | None) -> str:
    """A list as it is typed, with semicolons between its items."""
    return "; ".join(map(str, items or ()))


def _list_reader(list_type: Any) -> Callable[[str], list[Any]]:
    """What reads a text with semicolons as a list; of ids and numbers also one with commas."""
    annotated_item = get_args(list_type)[0]
    item_type = _bare_type(annotated_item)
    is_text = item_type is str and not _draft_field(annotated_item).refers_to

    def read(text: str) -> list[Any]:
        # Texts have commas of their own: "C. E. Lucas Phillips, Alamein".
        separators = "[;,]"
        if is_text:
            separators = ";"
        words = [word.strip() for word in re.split(separators, text) if word.strip()]
        if item_type not in (int, float):
            return list(words)
        try:
            return [item_type(word) for word in words]
        except ValueError:
            raise UnfitAnswer("Type numbers with commas between them.") from None

    return read


# ``20 rifle``, ``rifle=20``, or ``rifle`` for one.
_COUNT = re.compile(r"(?:(?P<before>[0-9]+)\s*)?(?P<unit>[a-z_]+)(?:\s*=\s*(?P<after>[0-9]+))?")


def counts_in(text: str, pieces: Collection[str]) -> dict[str, int]:
    """``20 rifle, 2 tank`` or ``rifle=20 tank=2`` as counts by unit, of these ``pieces``. Raises
    UnfitAnswer."""
    counts = {}
    # Between two counts stands a comma or a semicolon, or only a space before ``tank=2``.
    for part in re.split(r"[,;]\s*|\s+(?=[a-z_]+\s*=)", text.strip()):
        if not part:
            continue
        match = _COUNT.fullmatch(part.strip().casefold())
        if match is None:
            raise UnfitAnswer(f"{part} is no count; type 20 rifle, 2 tank.")
        unit = match["unit"]
        if unit not in pieces:
            raise UnfitAnswer(f"There is no unit {unit}; {suggest(unit, pieces)}")
        counts[unit] = int(match["before"] or match["after"] or 1)
    return counts


def _proposal_in(text: str, pieces: Collection[str]) -> int | str | dict[str, int]:
    """A typed proposal: a number, units with their counts, or else words."""
    proposal = text.strip()
    if proposal.isdecimal():
        return int(proposal)
    try:
        return counts_in(proposal, pieces)
    except UnfitAnswer:
        return proposal


def _proposal_as_text(value: int | str | Mapping[str, int]) -> str:
    """A proposal as it is typed."""
    if isinstance(value, Mapping):
        return counts_as_text(value)
    return str(value)


def counts_as_text(counts: Mapping[str, int] | None) -> str:
    """``20 rifle, 2 tank``"""
    return ", ".join(f"{count} {unit}" for unit, count in (counts or {}).items())


# ------------------------------------------------------------------ answers


def shown(scenario: Scenario, key: str, rules: ScenarioRules) -> str:
    """What stands in a place, as a sentence has it. Raises EditError if there is no such place."""
    field = field_at(scenario, key)
    value = field.value
    if value is None or value in ("", [], {}):
        return EMPTY
    if isinstance(value, Mapping):
        return _counts_in_words(scenario, value, rules)
    if _refers_to_units(_item_refers_to(field)):
        # A list of units says nothing of their number, so that they are named as many.
        return _names_for(MANY, scenario, value, rules)
    # In terms of victory a number stands before a unit.
    if _refers_to_units(field.refers_to) and key.startswith("victory."):
        # All terms that name a unit have a field ``need`` beside it.
        need = field_at(scenario, f"{key.rpartition('.')[0]}.need").value
        return _names_for(need, scenario, [value], rules)
    slot = slot_at(scenario, key, rules)
    for option in _options_of(slot):
        if option.value == value:
            return option.label
    return slot.shown(value)


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


def _item_refers_to(field: DraftField) -> str:
    """What the items of a list refer to; empty where it is no list."""
    if get_origin(field.type) is not tuple:
        return ""
    return _draft_field(get_args(field.type)[0]).refers_to


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


def answered(scenario: Scenario, key: str, answer: Any) -> Scenario:
    """The scenario with an answer in its place; None and an empty text leave it empty. Raises
    EditError."""
    if _kinds_at(key) and value_at(table_of(scenario), key) == answer:
        return scenario
    side = side_with_id_key(scenario, key)
    if side and answer is not None:
        # The id of a side is its nation, which is named all over the file.
        return with_nation(scenario, side, answer)
    if key == "victory.kind":
        return with_victory_kind(scenario, answer)
    if key.endswith("entry.kind"):
        return with_entry_kind(scenario, key.removesuffix(".kind"), answer)
    if answer is None or answer in ("", {}, []):
        return _emptied(scenario, key)
    return with_value(scenario, key, answer)


def _emptied(scenario: Scenario, key: str) -> Scenario:
    """The scenario with nothing in that place. Raises EditError where something must be."""
    if value_at(table_of(scenario), key) is None:
        return scenario
    return without(scenario, key)


def turned(scenario: Scenario, key: str, step: int, rules: ScenarioRules) -> Scenario:
    """The scenario with the next choice in a place, or a number that is larger by ``step``; texts
    stay. Raises EditError."""
    slot = slot_at(scenario, key, rules)
    value = field_at(scenario, key).value
    options = _options_of(slot)
    if options:
        values = [option.value for option in options]
        index = 0  # where what stands there is none of them
        if value in values:
            index = (values.index(value) + step) % len(values)
        return answered(scenario, key, values[index])
    if isinstance(slot, Number):
        number = min(max((value or 0) + step, slot.low), slot.high)
        return answered(scenario, key, number)
    return scenario


def typed(scenario: Scenario, key: str, text: str, rules: ScenarioRules) -> Scenario:
    """The scenario with a typed answer in a place. Raises EditError."""
    if text.lstrip().startswith(("{", "[")):
        # What has no slot, such as a whole happening, is typed as it stands in JSON.
        return answered(scenario, key, _as_data(text))
    slot = slot_at(scenario, key, rules)
    if not text.strip() and (slot.optional or isinstance(slot, Words)):
        return answered(scenario, key, None)
    options = _options_of(slot)
    if options:
        return answered(scenario, key, _chosen(options, text.strip(), key))
    try:
        return answered(scenario, key, slot.parse(text, done=True))
    except UnfitAnswer as error:
        raise EditError(str(error)) from None


def _as_data(text: str) -> Any:
    """The data of a text in JSON. Raises EditError."""
    try:
        return msgspec.json.decode(text)
    except UNREADABLE:
        raise EditError("This is no table or list in JSON; mind quotes and brackets.") from None


def _chosen(options: Sequence[Option], word: str, key: str) -> Any:
    """The answer that is called so, as on the screen or as in the file. Raises EditError."""
    for option in options:
        if word.casefold() in (option.label.casefold(), str(option.value).casefold()):
            return option.value
    labels = [option.label for option in options]
    raise EditError(f"{key} cannot be {word}; {suggest(word, labels)}")
