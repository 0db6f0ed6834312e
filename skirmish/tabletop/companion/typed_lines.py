"""What an owner types in line by line: lists of words or of lines, each in a form that data
describe."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from skirmish.tabletop.reading import Problem
from skirmish.tabletop.slots import UnfitAnswer, Words

LONGEST_LINE = 4000


class TypedLines(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of lines with its name, and ``how`` they are typed: words, or lines between ``sep``,
    each as the ``pattern``. If that has a group ``name``, a later line of the same name counts
    instead; else a new list does. ``most``: what the game calls their number."""

    name: str
    how: str
    pattern: str
    most: str = ""
    sep: str = " "

    def matched(self, line: str) -> re.Match[str]:
        """Raises ValueError, a sentence."""
        found = re.fullmatch(self.pattern, line)
        if found is None:
            raise ValueError(f"{line[:40]!r} is not understood. {self.how}")
        return found

    def merged(self, before: Iterable[str], text: str) -> tuple[str, ...]:
        """All lines after those of a ``text``. Raises ValueError."""
        sep = None if self.sep == " " else self.sep
        typed = [self.matched(one.strip())[0] for one in text.split(sep) if one.strip()]
        if "?P<name>" not in self.pattern:
            return tuple(typed)
        return tuple({self.matched(one)["name"]: one for one in (*before, *typed)}.values())

    def problems(self, key: str, lines: Iterable[str]) -> Iterator[Problem]:
        for at, line in enumerate(lines):
            try:
                self.matched(line)
            except ValueError as error:
                yield Problem(f"{key}[{at}]", str(error))


def line_slot(
    name: str, text: str, check: Callable[[str], object], whole: Callable[[str], str] = str.strip
) -> Words:
    """A line that is part of the ``whole`` answer, for which ``check`` raises ValueError."""

    def read(typed: str) -> str:
        try:
            check(whole(typed))
        except ValueError as error:
            raise UnfitAnswer(str(error)) from None
        return whole(typed)

    return Words(name=name, text=text, longest=LONGEST_LINE, read=read)
