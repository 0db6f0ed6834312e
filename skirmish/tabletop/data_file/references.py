"""The ids in a value: which of its fields refer to something, and whether that exists.

A field that refers to something says so in its type: ``Annotated[str, Refers("unit")]``. ``parts``
finds all of them, so that they can be checked in one place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache
from types import UnionType
from typing import Any, NamedTuple, TypeVar, Union, get_args

import msgspec

from skirmish.tabletop.data_file.problem import DataError, Problem, key_of_part
from skirmish.tabletop.data_file.suggestions import suggest
from skirmish.tabletop.data_file.value_types import (
    ValueType,
    fields,
    is_struct,
    origin_of,
    unannotated,
)

T = TypeVar("T")


class Refers(NamedTuple):
    """In the type of a field, ``Annotated[str, Refers("unit")]``: its value is the id of a unit."""

    to: str


class DataPart(NamedTuple):
    """A part of a value: a struct (the whole side at ``side[1]``) or the id of something
    (``"polish"`` at ``side[1].nation``, which refers to a ``nation``)."""

    key: str
    value: Any
    refers_to: str
    """The kind of thing that the value is the id of; empty for a struct."""

    @property
    def is_struct(self) -> bool:
        """Whether it is a struct, and not the id of something."""
        return not self.refers_to


def parts(value: object, value_type: ValueType, key: str = "") -> Iterator[DataPart]:
    """Every struct in a ``value`` of this type, and every id that refers to something. ``key`` is
    where the value stands."""
    if isinstance(value, msgspec.Struct):
        yield DataPart(key, value, "")
        for field in _fields_with_parts(type(value)):
            item = getattr(value, field.name)
            yield from parts(item, field.type, key_of_part(key, field.encode_name))
    elif isinstance(value, dict):
        # Names of a table may refer to something as well: ``units = { rifle = 20 }``.
        name_type, item_type = get_args(_member_with_origin(value_type, dict))
        for name, item in value.items():
            item_key = key_of_part(key, str(name))
            yield from parts(name, name_type, item_key)
            yield from parts(item, item_type, item_key)
    elif isinstance(value, tuple | list):
        # All items of a list in a file are of one type, so a tuple is a ``tuple[Item, ...]``.
        item_type = get_args(_member_with_origin(value_type, type(value)))[0]
        for index, item in enumerate(value):
            yield from parts(item, item_type, f"{key}[{index}]")
    elif value is not None and _referred_kind(value_type):
        # A single value; a field that was left out (None) refers to nothing.
        yield DataPart(key, value, _referred_kind(value_type))


def resolved(value: T, file: str, **ids: Collection[str]) -> T:
    """The value unchanged, if all that it refers to exists. ``ids`` are those that exist, by their
    kind: with ``side=("german", "polish")`` everything in the value that refers to a side must be
    empty or one of those two. Raises DataError."""
    problems = []
    for part in parts(value, type(value)):
        # Structs are passed over, and ids of kinds that are not asked about here.
        if part.refers_to not in ids:
            continue
        id, existing_ids = part.value, ids[part.refers_to]
        # An empty id refers to nothing.
        if id and id not in existing_ids:
            hint = suggest(id, existing_ids)
            problems.append(Problem(part.key, f"{id!r} is not possible here; {hint}"))
    if problems:
        raise DataError(file, problems)
    return value


def doubles(key: str, ids: Iterable[str]) -> Iterator[Problem]:
    """A problem for each id that occurs again in the list at this key."""
    ids_before: set[str] = set()
    for index, id in enumerate(ids):
        if id in ids_before:
            yield Problem(f"{key}[{index}].id", f"{id} stands there twice.")
        ids_before.add(id)


@cache
def _fields_with_parts(struct_type: type[msgspec.Struct]) -> list[msgspec.structs.FieldInfo]:
    """The fields of a struct in which ``parts`` may find something."""
    return [field for field in fields(struct_type) if _may_have_parts(field.type)]


def _may_have_parts(value_type: ValueType) -> bool:
    """Whether a value of this type, or a part of it, is a struct or refers to something."""
    if is_struct(value_type) or _referred_kind(value_type):
        return True
    return any(_may_have_parts(argument) for argument in get_args(value_type))


@cache
def _referred_kind(value_type: ValueType) -> str:
    """The kind of thing that a value of this type refers to, such as ``unit``; empty if it refers
    to nothing."""
    # Of ``Unit | None`` the note is on the member, not on the union.
    members: tuple[ValueType, ...] = (value_type,)
    if origin_of(value_type) in (Union, UnionType):
        members = get_args(value_type)
    for member in members:
        for note in getattr(member, "__metadata__", ()):
            if isinstance(note, Refers):
                return note.to
    return ""


def _member_with_origin(value_type: ValueType, origin: type) -> ValueType:
    """The type itself; of a union the member with this origin, such as the ``dict[str, int]`` of
    ``dict[str, int] | None``."""
    bare_type = unannotated(value_type)
    for member in (bare_type, *get_args(bare_type)):
        if origin_of(member) is origin:
            return member
    return bare_type
