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


class Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Data from a file or a journal; unknown keys are errors."""


class Problem(msgspec.Struct, frozen=True):
    """A fault at ``key`` (``side[1].units.rifel``), as a sentence."""

    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.key}: {self.message}" if self.key else self.message


class DataError(Exception):
    """An unusable file with all its ``problems``."""

    def __init__(self, file: str, problems: Sequence[Problem]) -> None:
        self.file = file
        self.problems = tuple(problems)
        super().__init__("\n".join(f"{file}: {problem}" for problem in self.problems))


def read(
    raw: object, kind: type[T], file: str, check: Callable[[T], Iterable[Problem]] | None = None
) -> T:
    """``raw`` as a ``kind``; raises DataError with ``file``, every value of a wrong form and all
    that ``check`` finds, in one round."""
    problems: list[Problem] = []
    try:
        try:
            value = msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            problems += list(_problems(raw, kind, "")) or [Problem("", str(error))]
            if check is not None:
                problems += _further(raw, kind, check, problems)
        else:
            if check is not None:
                problems += check(value)
            if not problems:
                return value
    except RecursionError:
        problems = [Problem("", "is nested too deep.")]
    raise DataError(file, problems)


def _further(
    raw: object, kind: type[T], check: Callable[[T], Iterable[Problem]], known: Sequence[Problem]
) -> list[Problem]:
    """What ``check`` finds in a value of the wrong form, as far as that can be said: with what is
    ``known`` to be wrong replaced, and without what is said of a replacement or around one."""
    try:
        value = msgspec.convert(_mended(raw, kind), kind)
        found = list(check(value))
    except (UnmendableError, msgspec.ValidationError):
        return []
    return [problem for problem in found if not any(_touch(problem, other) for other in known)]


def _touch(problem: Problem, other: Problem) -> bool:
    """Whether one of the two is said of a part of what the other is said of."""
    shorter, longer = sorted((problem.key, other.key), key=len)
    rest = longer.removeprefix(shorter)
    return longer.startswith(shorter) and (not rest or not shorter or rest[0] in ".[")


class UnmendableError(Exception):
    """Nothing plausible of this type can take the place of a value."""


STAND_INS: tuple[object, ...] = ("", 0, 1, 1.0, False, "x", "1", "1944-06-06", (), {})
"""Values of which most types take one. The empty text comes first, since nothing is looked up for
it."""


def _mended(value: object, kind: Any) -> object:
    """The value with whatever is of the wrong form replaced or left out. Lists keep their length,
    so that the keys of the rest still hold. Raises UnmendableError."""
    if _fits(value, kind):
        return value
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if get_origin(bare) in (Union, UnionType):
        bare = _branch(value, bare, "", [])
    mended = value
    if _is_struct(bare) and isinstance(value, Mapping):
        mended = _mended_table(value, bare)
    elif get_origin(bare) in (dict, Mapping) and isinstance(value, Mapping):
        key_kind, item_kind = get_args(bare)
        mended = {
            name: _mended(item, item_kind) for name, item in value.items() if _fits(name, key_kind)
        }
    elif get_origin(bare) in (list, tuple) and isinstance(value, list):
        mended = [_mended(item, get_args(bare)[0]) for item in value]
    if _fits(mended, kind):
        return mended
    return _stand_in(bare)


def _mended_table(table: Mapping[Any, Any], kind: Any) -> dict[str, object]:
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
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if get_origin(bare) is Literal:
        return get_args(bare)[0]
    for value in STAND_INS:
        if _fits(value, kind):
            return value
    if _is_struct(bare):
        return _mended_table({}, bare)
    raise UnmendableError


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are not the JSON of a type."""


def read_json(line: bytes, kind: type[T]) -> T:
    """A question as a line of JSON; raises DataError."""
    try:
        decoded = msgspec.json.decode(line)
    except UnicodeDecodeError:
        problem = "is not JSON: it is not text in UTF-8."
    except RecursionError:
        problem = "is nested too deep."
    except msgspec.DecodeError as error:
        problem = f"is not JSON: {error}."
    else:
        return read(decoded, kind, "question")
    raise DataError("question", [Problem("", problem)])


def question(line: bytes, kind: type[T], names: Sequence[str]) -> T:
    """A line of JSON that asks exactly one of these; raises DataError."""
    asked = read_json(line, kind)
    if sum(getattr(asked, name) is not None for name in names) != 1:
        raise DataError("question", [Problem("", f"needs one of {', '.join(names)}.")])
    return asked


def doubles(key: str, ids: Iterable[str]) -> Iterator[Problem]:
    known: set[str] = set()
    for index, id in enumerate(ids):
        if id in known:
            yield Problem(f"{key}[{index}].id", f"{id} stands there twice.")
        known.add(id)


def suggest(word: str, known: Iterable[str]) -> str:
    """A hint for the end of a sentence: the nearest of ``known``, or all of them."""
    names = list(known)
    near = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    if near:
        return f"did you mean {near[0]}?"
    if len(names) == 1:
        return f"only {names[0]} is known."
    return f"known are: {', '.join(names)}." if names else "none is known."


fields = cache(msgspec.structs.fields)
"""The fields of a struct class; msgspec evaluates the annotations at each call."""


class Refers(NamedTuple):
    """In the type of a field: its value is the id of a ``unit``, for example."""

    to: str


def parts(value: object, kind: Any, key: str = "") -> Iterator[tuple[str, Any, str]]:
    """Every struct in a ``value`` of this type, and everything that refers to something: its key,
    itself, and what it refers to (a struct: nothing)."""
    if isinstance(value, msgspec.Struct):
        yield key, value, ""
        for name, attribute, inner in _referring(type(value)):
            yield from parts(getattr(value, attribute), inner, _join(key, name))
    elif isinstance(value, dict):
        names, items = get_args(_member(kind, dict))
        for name, item in value.items():
            yield from parts(name, names, _join(key, str(name)))
            yield from parts(item, items, _join(key, str(name)))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from parts(item, get_args(_member(kind, type(value)))[0], f"{key}[{index}]")
    elif value is not None and (to := _refers(kind)):
        yield key, value, to


def resolved(value: T, file: str, **ids: Collection[str]) -> T:
    """The value, in which everything that refers to one of these is one of its ``ids`` or empty;
    raises DataError."""
    unknown = [
        Problem(key, f"{one!r} is not possible here; {suggest(one, ids[to])}")
        for key, one, to in parts(value, type(value))
        if one and to in ids and one not in ids[to]
    ]
    if unknown:
        raise DataError(file, unknown)
    return value


@cache
def _referring(kind: Any) -> list[tuple[str, str, Any]]:
    """The fields that may hold a struct or refer to something: key, attribute, type."""
    return [(f.encode_name, f.name, f.type) for f in fields(kind) if _may_refer(f.type)]


def _may_refer(kind: Any) -> bool:
    return _is_struct(kind) or bool(_refers(kind)) or any(map(_may_refer, get_args(kind)))


@cache
def _refers(kind: Any) -> str:
    members = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    metas = (meta for member in members for meta in getattr(member, "__metadata__", ()))
    return next((meta.to for meta in metas if isinstance(meta, Refers)), "")


def _member(kind: Any, origin: type) -> Any:
    """The type itself, of a union the member with this origin."""
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return next((one for one in (kind, *get_args(kind)) if get_origin(one) is origin), kind)


def _problems(value: object, kind: Any, key: str) -> Iterator[Problem]:
    try:
        msgspec.convert(value, kind)
        return
    except msgspec.ValidationError as error:
        message = str(error)
    deeper: list[Problem] = []
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if get_origin(bare) in (Union, UnionType):
        bare = _branch(value, bare, key, deeper)
    if _is_struct(bare) and isinstance(value, Mapping):
        deeper.extend(_in_table(value, bare, key))
    elif get_origin(bare) in (dict, Mapping) and isinstance(value, Mapping):
        key_kind, item_kind = get_args(bare)
        for name, item in value.items():
            place = _join(key, str(name))
            deeper.extend(_problems(name, key_kind, place))
            deeper.extend(_problems(item, item_kind, place))
    elif get_origin(bare) in (list, tuple) and isinstance(value, list):
        for index, item in enumerate(value):
            deeper.extend(_problems(item, get_args(bare)[0], f"{key}[{index}]"))
    if not deeper and "matching regex" in message and (wanted := _described(kind)):
        message = f"{wanted} belongs here"
    yield from deeper or [Problem(key, _leaf(value, bare, message))]


def _branch(value: object, union: Any, key: str, found: list[Problem]) -> Any:
    """The member of a union that ``value`` means: by tag for tables, else the only other one."""
    members = [member for member in get_args(union) if member is not type(None)]
    tables = [member for member in members if _is_struct(member)]
    if len(tables) > 1 and isinstance(value, Mapping):
        field = tables[0].__struct_config__.tag_field
        by_tag = {str(member.__struct_config__.tag): member for member in tables}
        tag = value.get(field)
        if not isinstance(tag, str) or tag not in by_tag:
            text = f"needs a {field}" if tag is None else f"no {field} {tag!r}"
            hint = suggest(tag if isinstance(tag, str) else "", by_tag)
            found.append(Problem(_join(key, field), f"{text}; {hint}"))
            return None
        return by_tag[tag]
    return members[0] if len(members) == 1 else union


def _in_table(table: Mapping[Any, Any], kind: Any, key: str) -> Iterator[Problem]:
    known = {field.encode_name: field for field in fields(kind)}
    allowed = list(known)
    if kind.__struct_config__.tag_field:
        allowed.insert(0, kind.__struct_config__.tag_field)
    for name, item in table.items():
        if name in known:
            yield from _problems(item, known[name].type, _join(key, name))
        elif name not in allowed and kind.__struct_config__.forbid_unknown_fields:
            yield Problem(_join(key, str(name)), f"unknown key; {suggest(str(name), allowed)}")
    for name, field in known.items():
        if field.required and name not in table:
            yield Problem(_join(key, name), f"is missing; {_wanted(field.type)} belongs here.")


def _leaf(value: object, kind: Any, message: str) -> str:
    if get_origin(kind) is Literal:
        choices = [str(choice) for choice in get_args(kind)]
        shown = _short(value)
        hint = suggest(value if isinstance(value, str) else shown, choices)
        return f"{shown} is not possible here; {hint}"
    if (few := _TOO_FEW.match(message)) and isinstance(value, Mapping | list):
        item = next(iter(get_args(kind)), None)
        known = f" of {', '.join(get_args(item))}" if get_origin(item) is Literal else ""
        return f"needs at least {few[1]}{known}; it has {len(value)}."
    bound = re.sub("`([^`]+)`", _named, message.split(" - at ", maxsplit=1)[0])
    return f"{bound[:1].lower()}{bound[1:]}; {_short(value)} stands there."


def _described(kind: Any) -> str:
    """The description of a pattern, if its type has one (``Meta(description=…)``)."""
    kinds = [kind] if get_origin(kind) is Annotated else get_args(kind)
    metas = (meta for one in kinds for meta in getattr(one, "__metadata__", ()))
    return next((str(meta.description) for meta in metas if meta.description), "")


def _named(code: re.Match[str]) -> str:
    return " or ".join(_WORDS.get(name, name) for name in code[1].split(" | "))


def _wanted(kind: Any) -> str:
    bare = get_args(kind)[0] if get_origin(kind) is Annotated else kind
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
    return f"{key}.{name}" if key else name


def _short(value: object) -> str:
    try:
        text = str(value) if isinstance(value, date | time) else repr(value)
    except ValueError:  # Python refuses to print thousands of digits
        text = "a number that is too long"
    except RecursionError:
        text = "something nested too deep"
    return text if len(text) <= 60 else text[:57] + "..."


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
