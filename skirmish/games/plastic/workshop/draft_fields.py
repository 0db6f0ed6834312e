"""The fields of a scenario that is being made, each by its key: what stands in it, and what may
stand there by its type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec

from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.workshop.draft import EditError
from skirmish.games.plastic.workshop.keyed_values import steps_of, value_at
from skirmish.tabletop.data_file import Refers, fields, suggest, table_of

MOST = 999
"""The largest number if the type of a field sets no other limit."""

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
"""The kinds of victory terms and of entries in words, by the end of their keys."""


def kinds_at(key: str) -> dict[str, str] | None:
    """The kinds that can stand at that key, in words; None if it is not the key of a kind."""
    for ending, kinds in KINDS.items():
        if key.endswith(ending):
            return kinds
    return None


class DraftField(NamedTuple):
    """A field of a draft: what stands in it and what may."""

    value: Any
    """What stands in it, as a file has it."""
    type: Any
    """Its type, without None beside it."""
    optional: bool
    """Whether it may be left empty."""
    refers_to: str
    """What the ids in it name, such as ``side`` or ``own unit``; empty if it holds no ids."""
    least: int
    """The smallest number that fits."""
    most: int
    """The largest number that fits."""


def field_at(scenario: Scenario, key: str) -> DraftField:
    """What the field with that key is. Raises EditError if there is none."""
    if kinds_at(key):
        # The kind is the tag of a class of terms or entries, and no field of it.
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
    return draft_field_of(place.type, table_of(place.value))


class TypedPlace(NamedTuple):
    """A place on the way down a key: the ``value`` that stands there, None if none does, and the
    type that may."""

    value: Any
    type: Any


def _item_place(place: TypedPlace, index: int) -> TypedPlace | None:
    """The place of an item of a list, or an empty place behind its end; None if the place holds no
    list."""
    list_type = bare_type(place.type)
    if get_origin(list_type) is not tuple:
        return None
    value = None
    if place.value and index < len(place.value):
        value = place.value[index]
    return TypedPlace(value, get_args(list_type)[0])


def _named_place(place: TypedPlace, name: str, key: str) -> TypedPlace | None:
    """The place of a field of a struct, or of an entry of a table; None if the place holds neither.
    Raises EditError if the struct has no such field."""
    holder_type = bare_type(place.type)
    # Where structs of several types may stand, the fields are those of the struct that does.
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


def bare_type(annotated: Any) -> Any:
    """The type itself: without its bounds, and without None beside it."""
    if get_origin(annotated) is Annotated:
        return bare_type(get_args(annotated)[0])
    if get_origin(annotated) in (Union, UnionType):
        members = [member for member in get_args(annotated) if member is not type(None)]
        if len(members) == 1:
            return bare_type(members[0])
    return annotated


def draft_field_of(annotated: Any, value: Any = None) -> DraftField:
    """A field of that type, with what the annotations of the type say about it."""
    if get_origin(annotated) is Annotated and get_origin(get_args(annotated)[0]) is tuple:
        # The bounds of a list are those of its length, and not of a number.
        return _plain_field(bare_type(annotated), value)
    members: tuple[Any, ...] = (annotated,)
    if get_origin(annotated) in (Union, UnionType):
        members = get_args(annotated)
    optional = type(None) in members
    refers_to, least, most = "", 0, MOST
    for note in _notes_of(members):
        if isinstance(note, Refers):
            refers_to = note.to
        elif isinstance(note, msgspec.Meta):
            # A bound that is not set is None.
            if isinstance(note.ge, int):
                least = note.ge
            if isinstance(note.le, int):
                most = note.le
    return DraftField(value, bare_type(annotated), optional, refers_to, least, most)


def _notes_of(types: Iterable[Any]) -> Iterator[Any]:
    """The notes on these types: of ``Annotated[int, Meta(ge=1, le=6)]`` all that stands behind
    ``int``."""
    for annotated in types:
        yield from getattr(annotated, "__metadata__", ())


def _plain_field(field_type: Any, value: Any) -> DraftField:
    """A field that must be filled and whose type has no annotations."""
    return DraftField(value, field_type, optional=False, refers_to="", least=0, most=MOST)


def refers_to_units(refers_to: str) -> bool:
    """Whether a field with that reference names units, and no other things."""
    return refers_to in ("own unit", "enemy unit", "unit")


def item_reference(field: DraftField) -> str:
    """What the items of a list refer to; empty if the field is no list."""
    if get_origin(field.type) is not tuple:
        return ""
    return draft_field_of(get_args(field.type)[0]).refers_to
