"""Reading the mapping of a file into a typed value, with a message for everything that is wrong.

msgspec does the reading. It stops at the first problem and names neither the key of a table nor a
valid value, so after an error the value is walked beside its type and every problem becomes a
sentence. A field that refers to something declares it in its type (``Refers``); ``parts`` finds
them all, to be checked in one place.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, time
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec

T = TypeVar("T")

LONGEST_SHOWN = 60
"""The most characters of a wrong value that are shown in a sentence."""


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Data from a file or a journal; unknown keys are errors."""


class Problem(msgspec.Struct, frozen=True):
    """A fault at ``key`` (``side[1].units.rifel``), with a ``message`` that is a sentence."""

    key: str
    message: str
    measured_by: str = ""
    """The key of the value that this one was compared with, if any: a wave that comes after the
    last turn (``ends_after``) is not reported while the number of turns itself is wrong."""
    unread_table: str = ""
    """The key of the table that could not be read at all, since it says of no known kind that it
    is; whatever else is wrong in there cannot be told."""

    def __str__(self) -> str:
        if not self.key:
            return self.message
        return f"{self.key}: {self.message}"


class DataError(Exception):
    """An unusable file with all its ``problems``."""

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{file}: {problem}" for problem in self.problems))


def read(
    raw: object, kind: type[T], file: str, check: Callable[[T], Iterable[Problem]] | None = None
) -> T:
    """``raw``, as a parser of TOML or JSON returns it, as a ``kind``. ``check`` finds what a type
    cannot say; ``file`` is the name in messages. Raises DataError with everything that is wrong,
    both of form and by ``check``, so that an author mends it in one round."""
    try:
        return _read(raw, kind, file, check)
    except RecursionError:
        raise DataError(file, [Problem("", "is nested too deep.")]) from None


def _read(
    raw: object, kind: type[T], file: str, check: Callable[[T], Iterable[Problem]] | None
) -> T:
    """As ``read``; raises RecursionError for a value that is nested too deep for Python."""
    try:
        value = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        problems = _all_problems(raw, kind, check, error)
        raise DataError(file, problems) from None
    if check is not None:
        problems = list(check(value))
        if problems:
            raise DataError(file, problems)
    return value


def _all_problems(
    raw: object,
    kind: type[T],
    check: Callable[[T], Iterable[Problem]] | None,
    error: msgspec.ValidationError,
) -> list[Problem]:
    """What is wrong with a value that msgspec rejected with this ``error``: every wrong form, then
    what ``check`` finds besides."""
    problems = list(_problems(raw, kind, ""))
    if not problems:
        problems = [Problem("", str(error))]
    if check is not None:
        problems += _further(raw, kind, check, problems)
    return problems


def _further(
    raw: object, kind: type[T], check: Callable[[T], Iterable[Problem]], faults: Sequence[Problem]
) -> list[Problem]:
    """What ``check`` finds in a value that has these ``faults`` of form: the wrong values get
    others in their place, the whole is checked, and what touches one of the faults is dropped."""
    try:
        value = msgspec.convert(_mended(raw, kind), kind)
        problems = list(check(value))
    except (UnmendableError, msgspec.ValidationError):
        return []
    # What is reported of a value that only stands in for a wrong one would puzzle its author.
    return [problem for problem in problems if not any(_touch(problem, fault) for fault in faults)]


def _touch(problem: Problem, fault: Problem) -> bool:
    """Whether the problem, or what it is measured by, is about the same value as the fault."""
    if problem.measured_by and _overlap(problem.measured_by, fault.key):
        return True
    if fault.unread_table and _overlap(problem.key, fault.unread_table):
        return True
    return _overlap(problem.key, fault.key)


def _overlap(key: str, other_key: str) -> bool:
    """Whether one key is a part of the other: they are the same, or one begins with the other
    (``side[1]`` and ``side[1].units``, but not ``side[10]``)."""
    shorter, longer = sorted((key, other_key), key=len)
    if not longer.startswith(shorter):
        return False
    # The empty key is that of the whole, of which every key is a part.
    if not shorter:
        return True
    rest = longer.removeprefix(shorter)
    return not rest or rest[0] in ".["


fields = cache(msgspec.structs.fields)
"""The fields of a struct class; msgspec evaluates the annotations at each call."""


def _unannotated(kind: Any) -> Any:
    """The type itself, without the bounds and references that ``Annotated`` adds to it."""
    if get_origin(kind) is Annotated:
        return get_args(kind)[0]
    return kind


# ------------------------------------------------------------------ mending, to check the rest
# A file with a wrong value is checked all the same: a stand-in takes the place of the wrong value,
# so that whatever else is wrong is told in the same round (``_further``).


class UnmendableError(Exception):
    """Nothing plausible of this type can take the place of a value."""


STAND_INS: tuple[object, ...] = ("", 0, 1, 1.0, False, "x", "1", "1944-06-06", (), {})
"""Values of which most types take one, tried in this order: an empty text, for which nothing is
looked up; numbers, also for those that must not be 0; texts for those that must not be empty, must
be written in figures, or are dates; an empty list and table."""


def _mended(value: Any, kind: Any) -> object:
    """The value with whatever is of the wrong form replaced or left out. Lists keep their length,
    so that the keys of the rest still hold. Raises UnmendableError."""
    if _fits(value, kind):
        return value
    # The member of a union that the value is to be of.
    if _has_unknown_tag(value, kind):
        meant = _any_table(kind)
    else:
        meant = _meant(value, kind)
    mended = _with_mended_parts(value, _unannotated(meant))
    if _fits(mended, kind):
        return mended
    # ``meant`` still has its bounds (1 to 20 turns, say). Without them the stand-in might not fit
    # either, and then the whole table around it would be replaced.
    return _stand_in(meant)


def _with_mended_parts(value: Any, bare: Any) -> object:
    """A table or list with the parts mended that are wrong; any other value as it is."""
    if _is_table_of_struct(value, bare):
        return _mended_table(value, bare)
    if _is_table_of_any_keys(value, bare):
        return _mended_mapping(value, bare)
    if _is_list_of_items(value, bare):
        return [_mended(item, get_args(bare)[0]) for item in value]
    return value


def _mended_mapping(table: Mapping[Any, Any], kind: Any) -> dict[object, object]:
    """A table of any keys, its items mended; an item under a key of the wrong form is left out."""
    key_kind, item_kind = get_args(kind)
    mended: dict[object, object] = {}
    for name, item in table.items():
        if _fits(name, key_kind):
            mended[name] = _mended(item, item_kind)
    return mended


def _mended_table(table: Mapping[Any, Any], kind: Any) -> dict[str, object]:
    """A table of a struct with all that it must have; its unknown keys are left out."""
    mended: dict[str, object] = {}
    tag = kind.__struct_config__.tag_field
    if tag:
        mended[tag] = kind.__struct_config__.tag
    for field in fields(kind):
        if field.encode_name in table:
            mended[field.encode_name] = _mended(table[field.encode_name], field.type)
        elif field.required:
            mended[field.encode_name] = _stand_in(field.type)
    return mended


def _stand_in(kind: Any) -> object:
    """Some value of this type; raises UnmendableError."""
    bare = _unannotated(kind)
    if get_origin(bare) is Literal:
        return get_args(bare)[0]
    for value in STAND_INS:
        if _fits(value, kind):
            return value
    if _is_struct(bare):
        return _mended_table({}, bare)
    raise UnmendableError


def _fits(value: object, kind: Any) -> bool:
    """Whether a value is of the right form."""
    return not _complaint_about(value, kind)


def _complaint_about(value: object, kind: Any) -> str:
    """What msgspec says of a value of the wrong form; empty for one of the right form."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the JSON of a type."""


def read_question(line: bytes, kind: type[T]) -> T:
    """A question as a line of JSON; raises DataError."""
    try:
        decoded = msgspec.json.decode(line)
    # msgspec gives such bytes an error of Python's own, and not one of its errors.
    except UnicodeDecodeError:
        problem = "is not JSON: it is not text in UTF-8."
    except RecursionError:
        problem = "is nested too deep."
    except msgspec.DecodeError as error:
        problem = f"is not JSON: {error}."
    else:
        return read(decoded, kind, "question")
    raise DataError("question", [Problem("", problem)])


def read_single_question(line: bytes, kind: type[T], names: Sequence[str]) -> T:
    """A line of JSON with exactly one of these fields; raises DataError."""
    question = read_question(line, kind)
    # A type cannot say that one of several fields excludes the others.
    if sum(getattr(question, name) is not None for name in names) != 1:
        raise DataError("question", [Problem("", f"needs one of {', '.join(names)}.")])
    return question


def table_of(value: Any) -> Any:
    """A struct as the table of a file, as ``read`` reads it, without the values that are the
    defaults anyway; of a list or a mapping the same with every item. A float that is whole is
    written without a point.

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
        # TOML has no null, so what may be None is left out where it is.
        if value is None or (not field.required and value == _default_of(field)):
            continue
        table[field.encode_name] = table_of(value)
    return table


def _default_of(field: msgspec.structs.FieldInfo) -> Any:
    """The value of a field that was left out."""
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def doubles(key: str, ids: Iterable[str]) -> Iterator[Problem]:
    """A problem for each id that a list, under this key, has a second time."""
    ids_before: set[str] = set()
    for index, id in enumerate(ids):
        if id in ids_before:
            yield Problem(f"{key}[{index}].id", f"{id} stands there twice.")
        ids_before.add(id)


def nearest_name(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant; None if none is near.

    >>> nearest_name("riffle", ["rifle", "mortar"])
    'rifle'
    """
    near = difflib.get_close_matches(word.lower(), list(candidates), n=1, cutoff=0.6)
    if not near:
        return None
    return near[0]


def suggest(word: str, candidates: Iterable[str]) -> str:
    """A hint for the end of a sentence: the nearest of the ``candidates``, or all of them.

    >>> suggest("riffle", ["rifle", "mortar"])
    'did you mean rifle?'
    >>> suggest("elephant", ["rifle", "mortar"])
    'known are: rifle, mortar.'
    """
    names = list(candidates)
    meant = nearest_name(word, names)
    if meant is not None:
        return f"did you mean {meant}?"
    if len(names) == 1:
        return f"only {names[0]} is known."
    if not names:
        return "none is known."
    return f"known are: {', '.join(names)}."


class Refers(NamedTuple):
    """In the type of a field, ``Annotated[str, Refers("unit")]``: its value is the id of a unit."""

    to: str


class DataPart(NamedTuple):
    """A part of a value that ``parts`` comes to: a struct (``side[1]``, the whole side) or the id
    of something (``side[1].nation``, ``"polish"``, which refers to a ``nation``)."""

    key: str
    value: Any
    refers_to: str
    """The kind of thing that the value is the id of; empty for a struct."""

    @property
    def is_struct(self) -> bool:
        """Whether it is a struct, and not the id of something."""
        return not self.refers_to


def parts(value: object, kind: Any, key: str = "") -> Iterator[DataPart]:
    """Every struct in a ``value`` of this type, and everything that refers to something."""
    if isinstance(value, msgspec.Struct):
        yield DataPart(key, value, "")
        for field in _fields_that_refer(type(value)):
            item = getattr(value, field.name)
            yield from parts(item, field.type, _join(key, field.encode_name))
    elif isinstance(value, dict):
        # Names of a table may refer to something as well: ``units = { rifle = 20 }``.
        name_kind, item_kind = get_args(_member(kind, dict))
        for name, item in value.items():
            yield from parts(name, name_kind, _join(key, str(name)))
            yield from parts(item, item_kind, _join(key, str(name)))
    elif isinstance(value, tuple | list):
        # The file has one type for all items of a list, so a tuple is one of ``tuple[Item, ...]``.
        item_kind = get_args(_member(kind, type(value)))[0]
        for index, item in enumerate(value):
            yield from parts(item, item_kind, f"{key}[{index}]")
    elif value is not None and _referred_kind(kind):
        # A single value; a field that was left out (None) refers to nothing.
        yield DataPart(key, value, _referred_kind(kind))


def resolved(value: T, file: str, **ids: Collection[str]) -> T:
    """The value unchanged, if all that it refers to exists: with ``side=("german", "polish")``
    everything in it that refers to a side is empty or one of those two. Raises DataError."""
    problems = []
    for key, id, refers_to in parts(value, type(value)):
        # An empty id stands for none.
        if id and refers_to in ids and id not in ids[refers_to]:
            hint = suggest(id, ids[refers_to])
            problems.append(Problem(key, f"{id!r} is not possible here; {hint}"))
    if problems:
        raise DataError(file, problems)
    return value


@cache
def _fields_that_refer(kind: Any) -> list[msgspec.structs.FieldInfo]:
    """The fields that may hold a struct or refer to something."""
    return [field for field in fields(kind) if _may_refer(field.type)]


def _may_refer(kind: Any) -> bool:
    """Whether a value of this type, or a part of it, is a struct or refers to something."""
    if _is_struct(kind) or _referred_kind(kind):
        return True
    return any(map(_may_refer, get_args(kind)))


@cache
def _referred_kind(kind: Any) -> str:
    """The kind of thing that a value of this type refers to, such as ``unit``; empty if it refers
    to nothing."""
    # ``Unit | None``: the note is on the member, not on the union.
    members: tuple[Any, ...] = (kind,)
    if get_origin(kind) in (Union, UnionType):
        members = get_args(kind)
    for member in members:
        for note in getattr(member, "__metadata__", ()):
            if isinstance(note, Refers):
                return note.to
    return ""


def _member(kind: Any, origin: type) -> Any:
    """The type itself; of a union the member with this origin, such as the ``dict[str, int]`` of
    ``dict[str, int] | None``."""
    bare = _unannotated(kind)
    for member in (bare, *get_args(bare)):
        if get_origin(member) is origin:
            return member
    return bare


def _problems(value: Any, kind: Any, key: str) -> Iterator[Problem]:
    """Everything of the wrong form in a value that stands at this ``key``, each fault at the
    deepest key where it shows."""
    complaint = _complaint_about(value, kind)
    if not complaint:
        return
    if _has_unknown_tag(value, kind):
        yield _problem_of_tag(value, kind, key)
        return
    bare = _unannotated(_meant(value, kind))
    # msgspec stops at the first fault; the rest is found by asking again, part by part.
    deeper = list(_problems_of_parts(value, bare, key))
    if deeper:
        yield from deeper
        return
    # msgspec raises the same error for all bounds; only its text shows that a text broke a pattern.
    # A person reads the description of a pattern, not the pattern.
    if "matching regex" in complaint and _described(kind):
        complaint = f"{_described(kind)} belongs here"
    yield Problem(key, _sentence_about(value, bare, complaint))


def _problems_of_parts(value: Any, bare: Any, key: str) -> Iterator[Problem]:
    """What is wrong with the parts of a table or list; any other value has none."""
    if _is_table_of_struct(value, bare):
        yield from _table_problems(value, bare, key)
    elif _is_table_of_any_keys(value, bare):
        key_kind, item_kind = get_args(bare)
        for name, item in value.items():
            place = _join(key, str(name))
            yield from _problems(name, key_kind, place)
            yield from _problems(item, item_kind, place)
    elif _is_list_of_items(value, bare):
        item_kind = get_args(bare)[0]
        for index, item in enumerate(value):
            yield from _problems(item, item_kind, f"{key}[{index}]")


def _is_table_of_struct(value: object, bare: Any) -> bool:
    """Whether a value is a table, and its type knows the keys."""
    return _is_struct(bare) and isinstance(value, Mapping)


def _is_table_of_any_keys(value: object, bare: Any) -> bool:
    """Whether a value is a table, and its type has one type for all keys and one for all items."""
    return get_origin(bare) in (dict, Mapping) and isinstance(value, Mapping)


def _is_list_of_items(value: object, bare: Any) -> bool:
    """Whether a value is a list, and its type one of items that are all of one type."""
    return get_origin(bare) in (list, tuple) and isinstance(value, list)


def _is_union(kind: Any) -> bool:
    """Whether a type is a union, such as ``int | None``."""
    return get_origin(_unannotated(kind)) in (Union, UnionType)


def _meant(value: object, kind: Any) -> Any:
    """The type, with its bounds, that a value is to be of: of a union the member that the value
    means, or the union itself where that cannot be told. Not for a table with an unknown tag."""
    if not _is_union(kind):
        return kind
    union = _unannotated(kind)
    tables = _tagged_tables(union)
    if tables is not None and isinstance(value, Mapping):
        return tables.meant(value)
    members = [member for member in get_args(union) if member is not type(None)]
    if len(members) == 1:
        return members[0]
    return union


def _has_unknown_tag(value: object, kind: Any) -> bool:
    """Whether a value is a table of a union, and no table of the union has its tag."""
    if not _is_union(kind) or not isinstance(value, Mapping):
        return False
    tables = _tagged_tables(_unannotated(kind))
    return tables is not None and tables.meant(value) is None


class _TaggedTables(NamedTuple):
    """The kinds of tables in a union: the value of the key ``field`` (the tag) names the one that
    is meant."""

    field: str
    by_tag: dict[str, Any]

    def meant(self, table: Mapping[Any, Any]) -> Any:
        """The type of the table; None for a missing or unknown tag."""
        tag = table.get(self.field)
        if not isinstance(tag, str):
            return None
        return self.by_tag.get(tag)


def _tagged_tables(union: Any) -> _TaggedTables | None:
    """The kinds of tables in a union; None of a union with less than two, which needs no tags."""
    tables = [member for member in get_args(union) if _is_struct(member)]
    if len(tables) < 2:
        return None
    by_tag = {str(member.__struct_config__.tag): member for member in tables}
    return _TaggedTables(tables[0].__struct_config__.tag_field, by_tag)


def _any_table(union: Any) -> Any:
    """The first table of a union, which stands in for one with an unknown tag."""
    tables = _tagged_tables(_unannotated(union))
    assert tables is not None
    return next(iter(tables.by_tag.values()))


def _problem_of_tag(table: Mapping[Any, Any], kind: Any, key: str) -> Problem:
    """``no kind 'brige'; did you mean bridge?`` for a table whose tag no member of a union has."""
    tables = _tagged_tables(_unannotated(kind))
    assert tables is not None
    field, tag = tables.field, table.get(tables.field)
    if tag is None:
        message = f"needs a {field}; {suggest('', tables.by_tag)}"
    else:
        word = ""
        if isinstance(tag, str):
            word = tag
        message = f"no {field} {tag!r}; {suggest(word, tables.by_tag)}"
    return Problem(_join(key, field), message, unread_table=key)


def _table_problems(table: Mapping[Any, Any], kind: Any, key: str) -> Iterator[Problem]:
    """What is wrong with the values of a table, its unknown keys, and those that are missing."""
    fields_by_key = {field.encode_name: field for field in fields(kind)}
    allowed = list(fields_by_key)
    if kind.__struct_config__.tag_field:
        allowed.insert(0, kind.__struct_config__.tag_field)
    for name, item in table.items():
        if name in fields_by_key:
            yield from _problems(item, fields_by_key[name].type, _join(key, name))
        elif name not in allowed and kind.__struct_config__.forbid_unknown_fields:
            yield Problem(_join(key, str(name)), f"unknown key; {suggest(str(name), allowed)}")
    for name, field in fields_by_key.items():
        if field.required and name not in table:
            yield Problem(_join(key, name), f"is missing; {_wanted(field.type)} belongs here.")


def _sentence_about(value: object, kind: Any, message: str) -> str:
    """A sentence about a value that has no wrong parts but is wrong itself; ``message`` is that of
    msgspec, in whose words a programmer reads types."""
    if get_origin(kind) is Literal:
        choices = [str(choice) for choice in get_args(kind)]
        shown = _shown_value(value)
        word = shown
        if isinstance(value, str):  # without the quotation marks
            word = value
        return f"{shown} is not possible here; {suggest(word, choices)}"
    too_few = _TOO_FEW.match(message)
    if too_few and isinstance(value, Mapping | list):
        # The first parameter of a table is the type of its keys, that of a list the type of its
        # items. If that is a closed list, its members are what more could be added.
        of_which = ""
        parameters = get_args(kind)
        if parameters and get_origin(parameters[0]) is Literal:
            of_which = f" of {', '.join(get_args(parameters[0]))}"
        return f"needs at least {too_few[1]}{of_which}; it has {len(value)}."
    # ``Expected `int` >= 1 - at `$.count```: without the place, which the key names already, and
    # with each type in the words of a reader.
    expected = message.split(" - at ", maxsplit=1)[0]
    expected = re.sub("`([^`]+)`", _in_words_of_a_reader, expected)
    return f"{expected[:1].lower()}{expected[1:]}; {_shown_value(value)} stands there."


def _described(kind: Any) -> str:
    """The description of a pattern, if its type has one (``Meta(description=…)``)."""
    kinds = get_args(kind)
    if get_origin(kind) is Annotated:
        kinds = (kind,)
    for member in kinds:
        for note in getattr(member, "__metadata__", ()):
            # Beside it a type may say what it refers to.
            if isinstance(note, msgspec.Meta) and note.description:
                return note.description
    return ""


def _in_words_of_a_reader(code: re.Match[str]) -> str:
    """``a whole number or nothing`` for the types ``int | null``."""
    return " or ".join(_WORDS.get(name, name) for name in code[1].split(" | "))


def _wanted(kind: Any) -> str:
    """What belongs where a value of this type is missing."""
    bare = _unannotated(kind)
    if get_origin(bare) is Literal:
        return " or ".join(str(choice) for choice in get_args(bare))
    if _is_struct(bare) or get_origin(bare) in (dict, Mapping):
        return "a table"
    if get_origin(bare) in (list, tuple):
        return "a list"
    return _WORDS.get(getattr(bare, "__name__", ""), "a value")


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _join(key: str, name: str) -> str:
    """``side[1].units``: the key of a part of what stands under a key."""
    if not key:
        return name
    return f"{key}.{name}"


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
        text = text[: LONGEST_SHOWN - 3] + "..."
    return text


# How msgspec words it; a list or table that is too short has no other mark.
_TOO_FEW = re.compile("Expected `(?:array|object)` of length >= ([0-9]+)")
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
"""The types of a file as those who write one call them."""
