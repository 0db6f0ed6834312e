"""What the annotation of a value means to msgspec: which type it is, its fields, whether a value
fits it, and which member of a union a value is meant to be."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, Union, get_args, get_origin

import msgspec

ValueType: TypeAlias = Any
"""A type as an annotation has it: a class, a union, ``tuple[Side, ...]``, or ``Annotated`` with
bounds and references. Python has no common type for these."""

fields = cache(msgspec.structs.fields)
"""The fields of a struct class; msgspec evaluates the annotations at each call."""


def unannotated(value_type: ValueType) -> ValueType:
    """The type itself, without the bounds and references that ``Annotated`` adds to it."""
    if origin_of(value_type) is Annotated:
        return get_args(value_type)[0]
    return value_type


def origin_of(value_type: ValueType) -> Any:
    """What a type is a form of, as ``tuple`` of ``tuple[Side, ...]``; None for a plain class."""
    origin: Any = get_origin(value_type)
    return origin


def fits(value: object, value_type: ValueType) -> bool:
    """Whether a value is of the right form."""
    return not complaint_about(value, value_type)


def complaint_about(value: object, value_type: ValueType) -> str:
    """What msgspec says of a value of the wrong form; empty for one of the right form."""
    try:
        msgspec.convert(value, value_type)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


# ------------------------------------------------------------------ tables and lists
# These take a type without ``Annotated`` (``unannotated``).


def is_struct(bare_type: ValueType) -> bool:
    """Whether it is the class of a struct."""
    return isinstance(bare_type, type) and issubclass(bare_type, msgspec.Struct)


def is_table_of_struct(value: object, bare_type: ValueType) -> bool:
    """Whether a value is a table, and its type a struct, whose fields are the possible keys."""
    return is_struct(bare_type) and isinstance(value, Mapping)


def is_table_of_any_keys(value: object, bare_type: ValueType) -> bool:
    """Whether a value is a table, and its type has one type for all keys and one for all items."""
    return origin_of(bare_type) in (dict, Mapping) and isinstance(value, Mapping)


def is_list_of_items(value: object, bare_type: ValueType) -> bool:
    """Whether a value is a list, and its type has one type for all items."""
    return origin_of(bare_type) in (list, tuple) and isinstance(value, list)


# ------------------------------------------------------------------ unions


class TaggedTables(NamedTuple):
    """The structs of a union: the value of the key ``tag_key`` says which of them a table is."""

    tag_key: str
    by_tag: dict[str, ValueType]

    def type_of(self, table: Mapping[Any, Any]) -> ValueType | None:
        """The struct that a table is meant to be; None for a missing or unknown tag."""
        tag = table.get(self.tag_key)
        if not isinstance(tag, str):
            return None
        return self.by_tag.get(tag)


def tagged_tables(value_type: ValueType) -> TaggedTables | None:
    """The structs of a union; None where there are fewer than two, which need no tags."""
    if not _is_union(value_type):
        return None
    structs = [member for member in get_args(unannotated(value_type)) if is_struct(member)]
    if len(structs) < 2:
        return None
    by_tag = {str(struct.__struct_config__.tag): struct for struct in structs}
    # msgspec demands the same tag key of all structs of a union.
    return TaggedTables(structs[0].__struct_config__.tag_field, by_tag)


def choices_for_wrong_tag(value: object, value_type: ValueType) -> TaggedTables | None:
    """The structs of a union, for a table whose tag is missing or is that of none of them; None
    for any other value and type."""
    tables = tagged_tables(value_type)
    if tables is None or not isinstance(value, Mapping):
        return None
    if tables.type_of(value) is not None:
        return None
    return tables


def intended_type(value: object, value_type: ValueType) -> ValueType:
    """The type, with its bounds, that a value was meant to have: of a union one member, or the
    union itself if several are possible. Not for a table whose tag is wrong
    (``choices_for_wrong_tag``)."""
    if not _is_union(value_type):
        return value_type
    tables = tagged_tables(value_type)
    if tables is not None and isinstance(value, Mapping):
        return tables.type_of(value)  # never None, since its tag is known
    members = [member for member in get_args(unannotated(value_type)) if member is not type(None)]
    if len(members) == 1:
        return members[0]
    return value_type


def _is_union(value_type: ValueType) -> bool:
    """Whether a type is a union, such as ``int | None``."""
    return origin_of(unannotated(value_type)) in (Union, UnionType)
