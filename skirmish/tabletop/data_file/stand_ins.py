"""Plausible values in place of wrong ones, so that the rest of a file can be checked.

A file with a wrong value is checked all the same: whatever else is wrong is reported in the same
round, and its author need not mend one fault to hear of the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from skirmish.tabletop.data_file.value_types import (
    ValueType,
    fields,
    fits,
    intended_type,
    is_list_of_items,
    is_struct,
    is_table_of_any_keys,
    is_table_of_struct,
    origin_of,
    tables_without,
    unannotated,
)

STAND_INS: tuple[object, ...] = (
    "",  # first, since nothing is looked up for an empty text
    0,
    1,  # a number that must not be 0
    1.0,
    False,
    "x",  # a text that must not be empty
    "1",  # a text that must be written in figures
    "1944-06-06",  # a date
    (),
    {},
)
"""Values of which most types accept one, tried in this order."""


class UnmendableError(Exception):
    """No stand-in fits the type of a value."""


def mended(value: Any, value_type: ValueType) -> object:
    """The value with everything of the wrong form replaced or left out. Lists keep their length,
    so that the keys of the other items still hold. Raises UnmendableError."""
    if fits(value, value_type):
        return value
    # Any table of a union may stand in for one whose tag is not known.
    tables = tables_without(value, value_type)
    if tables is not None:
        type_to_fit = next(iter(tables.by_tag.values()))
    else:
        type_to_fit = intended_type(value, value_type)
    mended_value = _with_mended_parts(value, unannotated(type_to_fit))
    if fits(mended_value, type_to_fit):
        return mended_value
    # With its bounds (1 to 20 turns, say): a stand-in out of bounds would not fit, and then the
    # whole table around it would be replaced.
    return _stand_in(type_to_fit)


def _with_mended_parts(value: Any, bare_type: ValueType) -> object:
    """A table or list with its wrong parts mended; any other value as it is."""
    if is_table_of_struct(value, bare_type):
        return _mended_table(value, bare_type)
    if is_table_of_any_keys(value, bare_type):
        return _mended_mapping(value, bare_type)
    if is_list_of_items(value, bare_type):
        item_type = get_args(bare_type)[0]
        return [mended(item, item_type) for item in value]
    return value


def _mended_mapping(table: Mapping[Any, Any], mapping_type: ValueType) -> dict[object, object]:
    """A table of any keys, its items mended; an item under a key of the wrong form is left out."""
    key_type, item_type = get_args(mapping_type)
    mended_table: dict[object, object] = {}
    for name, item in table.items():
        if fits(name, key_type):
            mended_table[name] = mended(item, item_type)
    return mended_table


def _mended_table(table: Mapping[Any, Any], struct_type: ValueType) -> dict[str, object]:
    """A table of a struct with all that it must have; its unknown keys are left out."""
    mended_table: dict[str, object] = {}
    config = struct_type.__struct_config__
    if config.tag_field:
        mended_table[config.tag_field] = config.tag
    for field in fields(struct_type):
        name = field.encode_name
        if name in table:
            mended_table[name] = mended(table[name], field.type)
        elif field.required:
            mended_table[name] = _stand_in(field.type)
    return mended_table


def _stand_in(value_type: ValueType) -> object:
    """Some value of this type; raises UnmendableError."""
    bare_type = unannotated(value_type)
    if origin_of(bare_type) is Literal:
        return get_args(bare_type)[0]
    for value in STAND_INS:
        if fits(value, value_type):
            return value
    if is_struct(bare_type):
        return _mended_table({}, bare_type)
    raise UnmendableError
