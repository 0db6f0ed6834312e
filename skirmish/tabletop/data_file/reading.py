"""Reading the mapping of a file, or a line of JSON, into a typed value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar, get_args

import msgspec

from skirmish.tabletop.data_file.problem import DataError, Problem, contains
from skirmish.tabletop.data_file.value_types import (
    ValueType,
    choices_for_wrong_tag,
    fields,
    fits,
    intended_type,
    is_list_of_items,
    is_struct,
    is_table_of_any_keys,
    is_table_of_struct,
    origin_of,
    unannotated,
)
from skirmish.tabletop.data_file.wrong_forms import form_problems

T = TypeVar("T")

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the JSON of a type."""


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Data from a file or a journal; unknown keys are errors."""


def read(
    raw: object,
    value_type: type[T],
    file: str,
    check: Callable[[T], Iterable[Problem]] | None = None,
) -> T:
    """``raw``, as a parser of TOML or JSON returns it, as a value of this type. ``check`` finds
    what a type cannot say; ``file`` is the name in messages. Raises DataError with everything that
    is wrong, both of form and by ``check``, so that an author mends it in one round."""
    try:
        return _read(raw, value_type, file, check)
    except RecursionError:
        raise DataError(file, [Problem("", "is nested too deep.")]) from None


def _read(
    raw: object,
    value_type: type[T],
    file: str,
    check: Callable[[T], Iterable[Problem]] | None,
) -> T:
    """As ``read``; raises RecursionError for a value that is nested too deep for Python."""
    try:
        value = msgspec.convert(raw, value_type)
    except msgspec.ValidationError as error:
        problems = list(form_problems(raw, value_type, ""))
        if not problems:  # a fault for which we have no sentence of our own
            problems = [Problem("", str(error))]
        if check is not None:
            problems += _problems_beside_faults(raw, value_type, check, problems)
        raise DataError(file, problems) from None
    if check is not None:
        problems = list(check(value))
        if problems:
            raise DataError(file, problems)
    return value


def _problems_beside_faults(
    raw: object,
    value_type: type[T],
    check: Callable[[T], Iterable[Problem]],
    faults: Sequence[Problem],
) -> list[Problem]:
    """What ``check`` finds in a value that has these ``faults`` of form: the wrong values get
    stand-ins, the whole is checked, and what concerns one of the faults is dropped."""
    try:
        value = msgspec.convert(_mended(raw, value_type), value_type)
        problems = list(check(value))
    except (UnmendableError, msgspec.ValidationError):
        return []
    # What is reported of a stand-in would puzzle the author, who never wrote it.
    return list(_without_faulty(problems, faults))


def _without_faulty(problems: Iterable[Problem], faults: Sequence[Problem]) -> Iterator[Problem]:
    """The problems that concern none of the faults."""
    for problem in problems:
        if not any(_concerns(problem, fault) for fault in faults):
            yield problem


def _concerns(problem: Problem, fault: Problem) -> bool:
    """Whether the problem, or what it is measured by, is about the same value as the fault."""
    if problem.measured_by and _overlap(problem.measured_by, fault.key):
        return True
    if fault.unread_table and _overlap(problem.key, fault.unread_table):
        return True
    return _overlap(problem.key, fault.key)


def _overlap(key: str, other_key: str) -> bool:
    """Whether what stands at one of the keys is a part of what stands at the other."""
    return contains(key, other_key) or contains(other_key, key)


# ------------------------------------------------------------------ stand-ins
# A file with a wrong value is checked all the same, with a plausible value in place of the wrong
# one: whatever else is wrong is reported in the same round, and its author need not mend one fault
# to hear of the next.

_STAND_INS: tuple[object, ...] = (
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


def _mended(value: Any, value_type: ValueType) -> object:
    """The value with everything of the wrong form replaced or left out. Lists keep their length,
    so that the keys of the other items still hold. Raises UnmendableError."""
    if fits(value, value_type):
        return value
    # A table whose tag is not known is taken for one of the first type of the union.
    structs_by_tag = choices_for_wrong_tag(value, value_type)
    if structs_by_tag is not None:
        type_to_fit = next(iter(structs_by_tag.by_tag.values()))
    else:
        type_to_fit = intended_type(value, value_type)
    mended_value = _with_mended_parts(value, unannotated(type_to_fit))
    if fits(mended_value, type_to_fit):
        return mended_value
    # Unlike the parts above, the stand-in has to keep the bounds of the type, such as 1 to 20
    # turns. If it did not, it would not fit, and the whole table around it would be replaced.
    return _stand_in(type_to_fit)


def _with_mended_parts(value: Any, bare_type: ValueType) -> object:
    """A table or list with its wrong parts mended; any other value as it is."""
    if is_table_of_struct(value, bare_type):
        return _mended_table(value, bare_type)
    if is_table_of_any_keys(value, bare_type):
        return _mended_mapping(value, bare_type)
    if is_list_of_items(value, bare_type):
        item_type = get_args(bare_type)[0]
        return [_mended(item, item_type) for item in value]
    return value


def _mended_mapping(table: Mapping[Any, Any], mapping_type: ValueType) -> dict[object, object]:
    """A table of any keys, its items mended; an item under a key of the wrong form is left out."""
    key_type, item_type = get_args(mapping_type)
    mended_table: dict[object, object] = {}
    for name, item in table.items():
        if fits(name, key_type):
            mended_table[name] = _mended(item, item_type)
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
            mended_table[name] = _mended(table[name], field.type)
        elif field.required:
            mended_table[name] = _stand_in(field.type)
    return mended_table


def _stand_in(value_type: ValueType) -> object:
    """Some value of this type; raises UnmendableError."""
    bare_type = unannotated(value_type)
    if origin_of(bare_type) is Literal:
        return get_args(bare_type)[0]
    for value in _STAND_INS:
        if fits(value, value_type):
            return value
    if is_struct(bare_type):
        return _mended_table({}, bare_type)
    raise UnmendableError


# ------------------------------------------------------------------ questions


def read_question(line: bytes, value_type: type[T]) -> T:
    """A question that was asked as a line of JSON; raises DataError."""
    try:
        decoded = msgspec.json.decode(line)
    # For these bytes msgspec raises an error of Python's and none of its own.
    except UnicodeDecodeError:
        problem = "is not JSON: it is not text in UTF-8."
    except RecursionError:
        problem = "is nested too deep."
    except msgspec.DecodeError as error:
        problem = f"is not JSON: {error}."
    else:
        return read(decoded, value_type, "question")
    raise DataError("question", [Problem("", problem)])


def read_single_question(line: bytes, value_type: type[T], names: Sequence[str]) -> T:
    """A line of JSON with exactly one of the fields of these ``names``; raises DataError."""
    question = read_question(line, value_type)
    # A type cannot say that one of several fields excludes the others.
    asked = [name for name in names if getattr(question, name) is not None]
    if len(asked) != 1:
        raise DataError("question", [Problem("", f"needs one of {', '.join(names)}.")])
    return question
