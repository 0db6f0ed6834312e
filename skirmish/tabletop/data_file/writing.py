"""A typed value as the table of a file, the reverse of ``reading``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from skirmish.tabletop.data_file.value_types import fields


def table_of(value: Any) -> Any:
    """A struct as a table that ``read`` reads as the same struct; fields with their default value
    are left out. Every item of a list or mapping is written in the same way. A whole float is
    written without a point.

    >>> from skirmish.tabletop.data_file import Problem
    >>> table_of(Problem("title", "is empty."))
    {'key': 'title', 'message': 'is empty.'}
    """
    if isinstance(value, msgspec.Struct):
        return _table_of_struct(value)
    if isinstance(value, Mapping):
        return {name: table_of(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [table_of(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _table_of_struct(struct: msgspec.Struct) -> dict[str, Any]:
    """Its tag, if it has one, and those of its fields that differ from their defaults."""
    table: dict[str, Any] = {}
    config = struct.__struct_config__
    if config.tag_field:
        table[config.tag_field] = config.tag
    for field in fields(type(struct)):
        value = getattr(struct, field.name)
        # TOML has no null: a key that is left out means None. No field that may be None has another
        # default, so it is read as None again.
        if value is None:
            continue
        if not field.required and value == _default_of(field):
            continue
        table[field.encode_name] = table_of(value)
    return table


def _default_of(field: msgspec.structs.FieldInfo) -> Any:
    """The value of an optional field that was left out."""
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
