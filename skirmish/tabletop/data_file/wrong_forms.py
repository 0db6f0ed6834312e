"""A sentence for everything in a value that is not of the form that its type demands.

msgspec stops at the first fault and names neither the key of a table nor a valid value. So the
value is walked beside its type, and each part is tried by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, time
from typing import Annotated, Any, Literal, get_args

import msgspec

from skirmish.tabletop.data_file.problem import Problem, key_of_part
from skirmish.tabletop.data_file.suggestions import suggest
from skirmish.tabletop.data_file.value_types import (
    TaggedTables,
    ValueType,
    choices_for_wrong_tag,
    complaint_about,
    fields,
    intended_type,
    is_list_of_items,
    is_struct,
    is_table_of_any_keys,
    is_table_of_struct,
    origin_of,
    unannotated,
)

LONGEST_SHOWN = 60
"""The most characters of a wrong value that are shown in a sentence."""
ELLIPSIS = "..."
"""It stands for the rest of a longer one."""

# msgspec has no other sign than its sentence for a list or table that is too short.
_TOO_FEW = re.compile("Expected `(?:array|object)` of length >= (?P<least>[0-9]+)")
_TYPES_IN_BACKTICKS = re.compile("`(?P<types>[^`]+)`")
_WORDS_FOR_TYPES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
"""The types of msgspec's sentences, as authors of files call them."""


def form_problems(value: Any, value_type: ValueType, key: str) -> Iterator[Problem]:
    """Everything of the wrong form in a value that stands at this ``key``, each fault at the
    deepest key where it shows."""
    complaint = complaint_about(value, value_type)
    if not complaint:
        return
    tables = choices_for_wrong_tag(value, value_type)
    if tables is not None:
        yield _tag_problem(value, tables, key)
        return
    bare_type = unannotated(intended_type(value, value_type))
    problems_of_parts = list(_problems_of_parts(value, bare_type, key))
    if problems_of_parts:
        yield from problems_of_parts
        return
    # msgspec raises the same error for all bounds; only its text shows that a text broke a pattern.
    # A person reads the description of a pattern, not the pattern.
    description = _description(value_type)
    if "matching regex" in complaint and description:
        complaint = f"{description} belongs here"
    yield Problem(key, _sentence_about(value, bare_type, complaint))


def _problems_of_parts(value: Any, bare_type: ValueType, key: str) -> Iterator[Problem]:
    """What is wrong with the parts of a table or list; any other value has none."""
    if is_table_of_struct(value, bare_type):
        yield from _struct_problems(value, bare_type, key)
    elif is_table_of_any_keys(value, bare_type):
        key_type, item_type = get_args(bare_type)
        for name, item in value.items():
            item_key = key_of_part(key, str(name))
            yield from form_problems(name, key_type, item_key)
            yield from form_problems(item, item_type, item_key)
    elif is_list_of_items(value, bare_type):
        item_type = get_args(bare_type)[0]
        for index, item in enumerate(value):
            yield from form_problems(item, item_type, f"{key}[{index}]")


def _struct_problems(
    table: Mapping[Any, Any], struct_type: ValueType, key: str
) -> Iterator[Problem]:
    """What is wrong with the values of a table, its unknown keys, and those that are missing."""
    config = struct_type.__struct_config__
    fields_by_name = {field.encode_name: field for field in fields(struct_type)}
    allowed = list(fields_by_name)
    if config.tag_field:
        allowed.insert(0, config.tag_field)
    for name, item in table.items():
        if name in fields_by_name:
            yield from form_problems(item, fields_by_name[name].type, key_of_part(key, name))
        elif name not in allowed and config.forbid_unknown_fields:
            hint = suggest(str(name), allowed)
            yield Problem(key_of_part(key, str(name)), f"unknown key; {hint}")
    for name, field in fields_by_name.items():
        if field.required and name not in table:
            wanted = _wanted(field.type)
            yield Problem(key_of_part(key, name), f"is missing; {wanted} belongs here.")


def _tag_problem(table: Mapping[Any, Any], tables: TaggedTables, key: str) -> Problem:
    """``no kind 'brige'; did you mean bridge?`` for a table that is none of these ``tables``."""
    tag = table.get(tables.tag_key)
    if tag is None:
        # An empty word resembles none of the tags, so ``suggest`` lists all of them.
        message = f"needs a {tables.tag_key}; {suggest('', tables.by_tag)}"
    else:
        hint = suggest(_misspelt_word(tag), tables.by_tag)
        message = f"no {tables.tag_key} {tag!r}; {hint}"
    return Problem(key_of_part(key, tables.tag_key), message, unread_table=key)


def _misspelt_word(tag: object) -> str:
    """The tag if it is a word, which may be misspelt; else an empty one, which is like no name."""
    if isinstance(tag, str):
        return tag
    return ""


# ------------------------------------------------------------------ sentences


def _sentence_about(value: object, bare_type: ValueType, complaint: str) -> str:
    """A sentence about a value that is wrong itself, and not one of its parts. ``complaint``: what
    msgspec says of it, whose words are for programmers, or what belongs there."""
    if origin_of(bare_type) is Literal:
        return _not_a_choice(value, bare_type)
    too_few = _TOO_FEW.match(complaint)
    if too_few and isinstance(value, Mapping | list):
        of_which = _of_which_more_is_needed(bare_type)
        return f"needs at least {too_few['least']}{of_which}; it has {len(value)}."
    # Of ``Expected `int` >= 1 - at `$.count``` the place is left out: our key names it already.
    expected = complaint.split(" - at ", maxsplit=1)[0]
    expected = _TYPES_IN_BACKTICKS.sub(_words_for_types, expected)
    return f"{expected[:1].lower()}{expected[1:]}; {_shown_value(value)} stands there."


def _not_a_choice(value: object, literal_type: ValueType) -> str:
    """``'nroth' is not possible here; did you mean north?``"""
    shown = _shown_value(value)
    misspelt_word = shown
    if isinstance(value, str):
        misspelt_word = value  # without the quotation marks of ``shown``
    choices = [str(choice) for choice in get_args(literal_type)]
    return f"{shown} is not possible here; {suggest(misspelt_word, choices)}"


def _of_which_more_is_needed(bare_type: ValueType) -> str:
    """The names of which a list or table needs more, with ``of`` before them; empty if its type
    does not list them."""
    # The first parameter of a table is the type of its keys, that of a list the type of its items.
    parameters = get_args(bare_type)
    if not parameters or origin_of(parameters[0]) is not Literal:
        return ""
    return f" of {', '.join(get_args(parameters[0]))}"


def _words_for_types(types_in_backticks: re.Match[str]) -> str:
    """The types that a match names (``int | null``) in the words of authors: ``a whole number or
    nothing``."""
    types = types_in_backticks["types"].split(" | ")
    return " or ".join(_WORDS_FOR_TYPES.get(name, name) for name in types)


def _description(value_type: ValueType) -> str:
    """The description of a pattern, if its type has one (``Meta(description=…)``)."""
    # The annotation is on the type, or on a member of the union that the type is.
    annotated_types = get_args(value_type)
    if origin_of(value_type) is Annotated:
        annotated_types = (value_type,)
    for annotated_type in annotated_types:
        for note in getattr(annotated_type, "__metadata__", ()):
            # Beside it a type may say what it refers to.
            if isinstance(note, msgspec.Meta) and note.description:
                return note.description
    return ""


def _wanted(value_type: ValueType) -> str:
    """What belongs where a value of this type is missing."""
    bare_type = unannotated(value_type)
    if origin_of(bare_type) is Literal:
        return " or ".join(str(choice) for choice in get_args(bare_type))
    if is_struct(bare_type) or origin_of(bare_type) in (dict, Mapping):
        return "a table"
    if origin_of(bare_type) in (list, tuple):
        return "a list"
    type_name = getattr(bare_type, "__name__", "")  # a union has no name
    return _WORDS_FOR_TYPES.get(type_name, "a value")


def _shown_value(value: object) -> str:
    """A wrong value as its author wrote it, shortened if it is long."""
    try:
        text = repr(value)
        if isinstance(value, date | time):  # as it stands in the file
            text = str(value)
    except ValueError:  # Python refuses to print thousands of digits
        text = "a number that is too long"
    except RecursionError:
        text = "something nested too deep"
    if len(text) > LONGEST_SHOWN:
        return text[: LONGEST_SHOWN - len(ELLIPSIS)] + ELLIPSIS
    return text
