"""Reading the mapping of a file, or a line of JSON, into a typed value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import msgspec

from skirmish.tabletop.data_file.problem import DataError, Problem, contains
from skirmish.tabletop.data_file.stand_ins import UnmendableError, mended
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
        if not problems:
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
        value = msgspec.convert(mended(raw, value_type), value_type)
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
