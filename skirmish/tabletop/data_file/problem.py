"""A fault in a file, and the key that leads to its place."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """A fault at ``key`` (``side[1].units.rifel``), with a ``message`` that is a sentence."""

    key: str
    message: str
    measured_by: str = ""
    """The key of the value that this one was compared with, if any: while that is wrong itself,
    this problem is not reported. So a wave after the last turn is measured by ``ends_after``, the
    number of turns."""
    unread_table: str = ""
    """The key of the table that could not be read at all, because its tag is missing or unknown.
    Its other faults cannot be found until the tag is right."""

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


def key_of_part(key: str, name: str) -> str:
    """The key of the part called ``name`` of what stands at ``key``: ``side[1].units``."""
    if not key:
        return name
    return f"{key}.{name}"


def contains(key: str, other_key: str) -> bool:
    """Whether what stands at ``other_key`` is the value at ``key`` or a part of it: ``side[1]``
    contains ``side[1].units``, but not ``side[10]``."""
    # The empty key is that of the whole file.
    if not key or key == other_key:
        return True
    return other_key.startswith((f"{key}.", f"{key}["))
