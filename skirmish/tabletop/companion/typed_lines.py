"""What an owner types in line by line: lists of words or of lines, whose form is described by data.
The owner types all of them in from a guided list at the start, or each when an order needs it
(``lines_orders``, ``lines_slots``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers
from skirmish.tabletop.companion.table_state import TableEvent, Task
from skirmish.tabletop.companion.typed_facts import TypedState
from skirmish.tabletop.companion.unfolding import refuse_if
from skirmish.tabletop.data_file import Problem
from skirmish.tabletop.refusal import nonsense

_TYPED = "typed "
"""How the names of answers that are lines begin. Half-typed commands are stored with these names,
so they must not change."""
_NAME_GROUP = "name"
"""The group in a pattern that makes a later line replace the earlier one with the same name."""


_LONGEST_QUOTE = 40
"""So many characters of a line stand in a message about it."""


class TypedText(NamedTuple):
    """A text that is typed in as lines, and the id of their ``kind``."""

    kind: str
    text: str


class LinesAnswer(NamedTuple):
    """An answer to a command that consists of lines: the id of their ``kind``, and what they are
    ``about``, such as a card, if a command asks for several of that kind."""

    kind: str
    about: str = ""

    @property
    def name(self) -> str:
        """The name of its slot."""
        return f"{_TYPED}{self.kind} {self.about}".strip()

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None if that is the name of any other answer."""
        if not name.startswith(_TYPED):
            return None
        kind, _, about = name.removeprefix(_TYPED).partition(" ")
        return cls(kind, about)


class TypedLines(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of lines, and the form in which they are typed."""

    name: str
    how: str
    """How lines are typed, as a sentence for the owner."""
    pattern: str
    """The regular expression of a line. If it has a group ``name``, a new line replaces the one
    with the same name; else a new list replaces the former one."""
    # In data files, and in the openings of stored games, it is called ``most``.
    count_name: str = msgspec.field(default="", name="most")
    """The name under which a game knows how many lines there are, such as ``tanks`` among its
    counts; a game may do without."""
    sep: str = " "
    """What separates lines; a space stands for any white space."""

    def matched(self, line: str) -> re.Match[str]:
        """The parts of a line, by the groups of the pattern. Raises ValueError with a sentence."""
        match = re.fullmatch(self.pattern, line)
        if match is None:
            quote = line[:_LONGEST_QUOTE]
            raise ValueError(f"{quote!r} is not understood. {self.how}")
        return match

    def merged(self, before: Iterable[str], text: str) -> tuple[str, ...]:
        """The lines from ``before`` together with those of a ``text``, or those of the text alone
        (``pattern``). Raises ValueError."""
        if self.sep == " ":
            parts = text.split()
        else:
            parts = text.split(self.sep)
        typed = []
        for part in parts:
            line = part.strip()
            if line:
                self.matched(line)
                typed.append(line)
        groups = re.compile(self.pattern).groupindex
        if _NAME_GROUP not in groups:
            return tuple(typed)
        # A later line of the same name stands where the first one stood.
        by_name = {}
        for line in (*before, *typed):
            by_name[self.matched(line)[_NAME_GROUP]] = line
        return tuple(by_name.values())

    def problems(self, key: str, lines: Iterable[str]) -> Iterator[Problem]:
        """The lines of a file that are not understood."""
        for index, line in enumerate(lines):
            try:
                self.matched(line)
            except ValueError as error:
                yield Problem(f"{key}[{index}]", str(error))


class OwnersLines(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    dict=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What the owner has typed in. A subclass has a field for each kind of lines, with the name of
    its id."""

    def lines(self, id: str) -> tuple[str, ...]:
        """The lines of a kind."""
        lines: tuple[str, ...] = getattr(self, id)
        return lines

    def with_lines(self, lines: Mapping[str, tuple[str, ...]]) -> Self:
        """What the owner has typed in, with these lines of some kinds in place of the former
        ones."""
        changes: dict[str, Any] = dict(lines)
        return replace(self, **changes)


class LinedState(TypedState, frozen=True, kw_only=True):
    """The state of a game whose owner types in lists."""

    owned: OwnersLines

    @property
    def kinds(self) -> Mapping[str, TypedLines]:
        """The kinds of lines by their ids, in the order of the guided list."""
        raise NotImplementedError

    def lines_needed(self, id: str) -> int:
        """How many lines of a kind the printed game has, and so the owner is to type."""
        return 1

    def with_implied_lines(self, id: str, lines: tuple[str, ...], text: str) -> tuple[str, ...]:
        """The lines of a kind together with those that the typed ``text`` implies; by default it
        implies none."""
        return lines

    def why_not_lines(self, id: str, lines: tuple[str, ...]) -> str:
        """Which rule of the game the lines of a kind break; empty if they break none."""
        return ""

    def typed_event(self, id: str, text: str) -> TableEvent:
        """The event by which a ``text`` is typed in as lines of a kind. Raises Refused."""
        raise NotImplementedError

    def lines_problem(self, id: str, lines: tuple[str, ...]) -> str:
        """What is wrong with all lines of a kind together; empty if nothing is."""
        needed = self.lines_needed(id)
        if len(lines) > needed:
            return f"There are {needed}, not {len(lines)}."
        for line in lines:
            if not line.isprintable():
                quote = line[:_LONGEST_QUOTE]
                return f"{quote!r} has a character that cannot be printed."
        doubled = self._doubled_name(id, lines)
        if doubled:
            return f"{doubled} is there twice."
        return self.why_not_lines(id, lines)

    def _doubled_name(self, id: str, lines: Iterable[str]) -> str:
        """The first name that two of the lines have; empty if there is none."""
        names = set()
        for line in lines:
            parts = self.kinds[id].matched(line).groupdict()
            name = parts.get(_NAME_GROUP, "")
            if name in names:
                return name
            if name:
                names.add(name)
        return ""

    def file_problems(self, owned: OwnersLines) -> Iterator[Problem]:
        """What is wrong with the lines of a file."""
        for id, kind in self.kinds.items():
            lines = owned.lines(id)
            problems = list(kind.problems(id, lines))
            # Lines can be looked at together only if each of them is understood.
            if not problems:
                problem = self.lines_problem(id, lines)
                if problem:
                    problems.append(Problem(id, problem))
            yield from problems

    def merged(self, id: str, text: str) -> tuple[str, ...]:
        """All lines of a kind with those of a ``text``. Raises ValueError."""
        lines = self.kinds[id].merged(self.owned.lines(id), text)
        lines = self.with_implied_lines(id, lines, text)
        problem = self.lines_problem(id, lines)
        if problem:
            raise ValueError(problem)
        return lines

    def merged_for_order(self, id: str, text: str) -> tuple[str, ...]:
        """What ``merged`` returns, for a text that an order brings. Raises Refused."""
        refuse_if(id not in self.kinds, "no_item", f"There is nothing called {id!r}.")
        try:
            return self.merged(id, text)
        except ValueError as error:
            raise nonsense("unfit", str(error)) from None

    def missing(self) -> dict[str, str]:
        """The lists and tables that are not complete yet: by their ids, what they are called, with
        how much of a list is typed in."""
        missing = {}
        for id, kind in self.kinds.items():
            typed_count = len(self.owned.lines(id))
            needed = self.lines_needed(id)
            if typed_count < needed:
                missing[id] = f"{kind.name} ({typed_count} of {needed})"
        for id, title in self.tables.titles.items():
            blank_cells = list(self.tables.missing(id))
            if blank_cells:
                missing[id] = f"the table {title}"
        return missing

    def is_open(self, task: Task) -> bool:
        """Whether a question is still to be asked, since what it asks for was not typed in
        meanwhile."""
        if task.kind == "fill":  # a cell
            return not self.tables.cell(task.table, task.roll, task.column)
        if task.kind == "enter":  # a list
            return task.list_id in self.missing()
        return True

    def with_answers(self, answers: Answers) -> Self:
        """The state as it would be with the lines among these answers, for a preview or the next
        question; nothing is stored."""
        state = self
        for kind, text in typed_texts(answers):
            state = state.typed_event(kind, text).apply(state)
        return state


def typed_texts(answers: Answers) -> tuple[TypedText, ...]:
    """The texts of lines among these answers, without those that were put off, which are empty."""
    texts = []
    for name, text in answers.items():
        answer = LinesAnswer.named(name)
        if answer is not None and text:
            texts.append(TypedText(answer.kind, text))
    return tuple(texts)
