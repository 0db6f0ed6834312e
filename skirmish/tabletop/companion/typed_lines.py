"""What an owner types in line by line: lists of words or of lines, each in a form that data
describe; all of them on a guided list at the start, or each where an order needs it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.table_game import AgendaOrder
from skirmish.tabletop.companion.table_state import TableEvent, Task
from skirmish.tabletop.companion.typed_tables import CellTyped, TypedState, ValuesTyped
from skirmish.tabletop.companion.unfolding import Unfolding, refuse_if
from skirmish.tabletop.data_file import Problem
from skirmish.tabletop.page import Page
from skirmish.tabletop.refusal import nonsense, not_asked
from skirmish.tabletop.slots import Choose, Option, Slot, UnfitAnswer, Words, choice_of

LONGEST_LINE = 4000
"""The most characters that are typed at once: owners paste whole lists."""
_TYPED = "typed "
"""How the names of answers begin that are lines. Half-typed commands are stored with these names,
so they stay."""
_BY_NAME = "?P<name>"
"""The group of a pattern by which a later line replaces an earlier one."""


class LinesAnswer(NamedTuple):
    """An answer that is lines: the id of their ``kind``, and what they are ``about`` where several
    of a kind are asked for, as the name of a card."""

    kind: str
    about: str = ""

    @property
    def name(self) -> str:
        """The name of its slot."""
        return f"{_TYPED}{self.kind} {self.about}".strip()

    @classmethod
    def named(cls, name: str) -> Self | None:
        """The answer with that name; None for another answer."""
        if not name.startswith(_TYPED):
            return None
        kind, _, about = name.removeprefix(_TYPED).partition(" ")
        return cls(kind, about)


class TypedLines(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of lines with its name, and ``how`` they are typed, as a sentence for the owner: words
    with spaces between them, or lines between ``sep``, each as the ``pattern`` (a regular
    expression). If that has a group ``name``, a later line of the same name counts instead; else a
    new list does. ``count_name``: the name under which a game has how many there are, such as
    ``tanks`` among its counts; a game may do without."""

    name: str
    how: str
    pattern: str
    # In data files, and in the openings of stored games, it is called ``most``.
    count_name: str = msgspec.field(default="", name="most")
    sep: str = " "

    def matched(self, line: str) -> re.Match[str]:
        """The parts of a line, by the names of the pattern. Raises ValueError, a sentence."""
        match = re.fullmatch(self.pattern, line)
        if match is None:
            raise ValueError(f"{line[:40]!r} is not understood. {self.how}")
        return match

    def merged(self, before: Iterable[str], text: str) -> tuple[str, ...]:
        """All lines once those of a ``text`` are added to the ones from ``before``, or replace
        them. Raises ValueError."""
        if self.sep == " ":
            parts = text.split()  # any white space
        else:
            parts = text.split(self.sep)
        typed = []
        for part in parts:
            line = part.strip()
            if line:
                self.matched(line)
                typed.append(line)
        if _BY_NAME not in self.pattern:
            return tuple(typed)
        # A later line of the same name stands where the first one stood.
        by_name = {}
        for line in (*before, *typed):
            by_name[self.matched(line)["name"]] = line
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
    """What the owner has typed in. A subclass has a field for each kind of lines, called as its
    id."""

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
        """The lines of a kind with further ones that the typed ``text`` implies; by default there
        are none."""
        return lines

    def why_not_lines(self, id: str, lines: tuple[str, ...]) -> str:
        """What is wrong with these lines of a kind together, beyond what holds for every kind."""
        return ""

    def typed_event(self, id: str, text: str) -> TableEvent:
        """The event by which a ``text`` is typed in as lines of a kind. Raises Refused."""
        raise NotImplementedError

    def lines_problem(self, id: str, lines: tuple[str, ...]) -> str:
        """What is wrong with all lines of a kind together; empty if nothing is."""
        # In the order in which an owner can mend them: too many, unfit, twice, the game's own.
        if len(lines) > self.lines_needed(id):
            return f"There are {self.lines_needed(id)}, not {len(lines)}."
        for line in lines:
            if not line.isprintable():
                return f"{line[:40]!r} has a character that cannot be printed."
        names = set()
        for line in lines:
            parts = self.kinds[id].matched(line).groupdict()
            if "name" not in parts:
                continue
            if parts["name"] in names:
                return f"{parts['name']} is there twice."
            names.add(parts["name"])
        return self.why_not_lines(id, lines)

    def file_problems(self, owned: OwnersLines) -> Iterator[Problem]:
        """What is wrong with the lines of a file."""
        for id, kind in self.kinds.items():
            lines = owned.lines(id)
            problems = list(kind.problems(id, lines))
            if not problems:  # only lines that are understood can be looked at together
                problem = self.lines_problem(id, lines)
                if problem:
                    problems.append(Problem(id, problem))
            yield from problems

    def merged(self, id: str, text: str) -> tuple[str, ...]:
        """All lines of a kind once those of a ``text`` are taken in. Raises ValueError."""
        lines = self.kinds[id].merged(self.owned.lines(id), text)
        lines = self.with_implied_lines(id, lines, text)
        problem = self.lines_problem(id, lines)
        if problem:
            raise ValueError(problem)
        return lines

    def taken(self, id: str, text: str) -> tuple[str, ...]:
        """As ``merged``, for a text that was typed for an order. Raises Refused."""
        refuse_if(id not in self.kinds, "no_item", f"There is nothing called {id!r}.")
        try:
            return self.merged(id, text)
        except ValueError as error:
            raise nonsense("unfit", str(error)) from None

    def missing(self) -> dict[str, str]:
        """Lines and tables that are not whole yet, by id, with how much of them is known."""
        missing = {}
        for id, kind in self.kinds.items():
            typed, needed = len(self.owned.lines(id)), self.lines_needed(id)
            if typed < needed:
                missing[id] = f"{kind.name} ({typed} of {needed})"
        for id, title in self.tables.titles.items():
            if any(self.tables.missing(id)):
                missing[id] = f"the table {title}"
        return missing

    def is_open(self, task: Task) -> bool:
        """Whether a question is still to be asked after more was typed in."""
        if task.kind == "fill":  # a cell
            return not self.tables.cell(task.table, task.roll, task.column)
        if task.kind == "enter":  # a list
            return task.list_id in self.missing()
        return True

    def with_answers(self, answers: Answers) -> Self:
        """The state after the lines among these answers."""
        # Nothing is stored: this is the state as it would be, for a preview or the next question.
        state = self
        for id, text in typed_pairs(answers):
            state = state.typed_event(id, text).apply(state)
        return state


L = TypeVar("L", bound=LinedState)


# ------------------------------------------------------------------ orders


class LinesOrder(AgendaOrder, frozen=True, kw_only=True):
    """An order with which the owner may type lines that it needs. ``typed``: each the id of a kind
    and the text, in the order in which they were typed; ``numbers``: the owner's own rolls."""

    phase: ClassVar[str] = ""
    """The id of the only phase in which it is possible; empty: it is possible in all."""

    typed: tuple[tuple[str, str], ...] = ()
    numbers: tuple[int, ...] = ()

    def run(self, state: Any) -> Unfolding[Any]:
        """The order while it is carried out; a game may have a class of its own."""
        return Unfolding(state, self.numbers)

    def steps(self) -> Mapping[str, Callable[[Any, Task], None]]:
        """Tasks that go on by themselves as soon as no question stands before them."""
        return {}

    def carry_out(self, state: Any) -> list[Any]:
        refuse_if(
            self.phase and state.phase_id != self.phase, "phase", "That belongs to another phase."
        )
        run = self.run(state)
        # Lines typed on the way come first: what the order does may depend on them.
        for id, text in self.typed:
            run.do(run.state.typed_event(id, text))
        self.act(run)
        return run.finished(self.steps())

    def act(self, run: Any) -> None:
        """What the order does once everything typed for it is known. Raises Refused."""
        raise NotImplementedError


class Record(LinesOrder, frozen=True, kw_only=True, tag="record"):
    """The order that only records what the owner has typed in: lines (``typed``), the ``cell`` of a
    table or modifiers, or a whole file. For the file, the subclass of a game adds a field of the
    type that its files have, and turns it into events with ``filed``."""

    answers: ClassVar[tuple[str, ...]] = ("enter", "fill")
    cell: CellTyped | ValuesTyped | None = None

    def act(self, run: Any) -> None:
        if self.cell is not None:
            run.take(self.cell)
        run.do(*self.filed(run.state))
        run.tasks = [task for task in run.tasks if run.state.is_open(task)]

    def filed(self, state: Any) -> Iterable[Any]:
        """The events of the file; none without a file."""
        return ()


class TypeIn(LinesOrder, frozen=True, kw_only=True, tag="type_in"):
    """An answer of the guided list, which asks for one list or table after the other: the lines of
    a list; nothing for a table, which is then asked for cell by cell; or ``later``, which puts off
    ``one``, this list only, or ``all`` that is still to come."""

    answers: ClassVar[tuple[str, ...]] = ("enter",)
    later: str = ""

    def act(self, run: Any) -> None:
        if not run.tasks:
            raise not_asked()
        if self.typed and not self.later and run.state.is_open(run.tasks[0]):
            return  # some lines of the list are still missing: it is asked for again
        task = run.tasks.pop(0)
        if self.later == "all":
            run.tasks = [open_task for open_task in run.tasks if open_task.kind != "enter"]
            return
        # The guided list holds both; what is no kind of lines is the id of a table.
        is_table = task.list_id not in run.state.kinds
        if is_table and not self.later:
            cells = []
            for roll, column in run.state.tables.missing(task.list_id):
                cells.append(Task(kind="fill", table=task.list_id, roll=roll, column=column))
            run.ask(*cells)


def filled(run: Unfolding[L], task: Task, text: str) -> None:
    """The answer to a question of the kind ``fill``: the text of a cell. An empty one puts off the
    rest of its table."""
    if not text:
        left = []
        for open_task in run.tasks:
            is_of_table = open_task.kind == "fill" and open_task.table == task.table
            if not is_of_table:
                left.append(open_task)
        run.tasks = left
        return
    run.take(CellTyped(table=task.table, roll=task.roll, column=task.column, cell=text))


# ------------------------------------------------------------------ what is asked


def typed_pairs(answers: Answers) -> tuple[tuple[str, str], ...]:
    """The lines among these answers, each with the id of its kind before it; without those put off,
    which are empty."""
    pairs = []
    for name, line in answers.items():
        answer = LinesAnswer.named(name)
        if answer is not None and line:
            pairs.append((answer.kind, line))
    return tuple(pairs)


def order_command(
    label: str,
    key: str,
    order: Callable[..., Any],
    slots: Callable[[Answers], Iterable[Slot]],
    why_not: str = "",
    *,
    word: str | None = None,
    preview: Callable[[Answers], Page] | None = None,
    group: str = "The turn",
) -> Command[Any]:
    """A command that asks for all that a ``LinesOrder`` needs; ``word``: its label on the strip of
    keys, None: its label in small letters."""

    # Lines are among the answers under names of their own; all others are fields of the order.
    def make(**answers: Any) -> Any:
        number = answers.pop("number", None)
        numbers: tuple[int, ...] = ()
        if number is not None:
            numbers = (number,)
        fields = {}
        for name, answer in answers.items():
            if answer is not None and LinesAnswer.named(name) is None:
                fields[name] = answer
        return order(**fields, typed=typed_pairs(answers), numbers=numbers)

    def asked(answers: Answers) -> tuple[Slot, ...]:
        return tuple(slots(answers))

    if word is None:
        word = label.lower()
    return Command(
        label=label,
        key=key,
        word=word,
        make=make,
        slots=asked,
        why_not=why_not,
        preview=preview,
        group=group,
    )


def lines_command(state: LinedState, label: str, order: Callable[..., Any]) -> Command[Any]:
    """The command with the key ``+`` by which lines of any kind are typed in; ``order`` makes the
    order that has them as ``typed``."""

    def slots(answers: Answers) -> tuple[Slot, ...]:
        missing, chosen = state.missing(), answers.get("id")
        kinds = [(id, missing.get(id, lines.name)) for id, lines in state.kinds.items()]
        kind = choice_of("id", "What do you type in?", kinds)
        if not chosen:
            return (kind,)
        return (kind, kind_slot(state, chosen))

    def make(id: str, **lines: Any) -> Any:
        return order(typed=typed_pairs(lines))

    return Command(
        label=label, key="+", word="type in", slots=slots, group="The printed game", make=make
    )


def list_slots(state: LinedState, task: Task, answers: Answers) -> Iterator[Slot]:
    """The questions for one list or table of the guided list: whether it is typed in now, and then
    its lines."""
    name = state.missing().get(task.list_id, task.list_id)
    when_needed = "later, when it is needed"
    # The ids are those of ``TypeIn.later``: an empty one puts nothing off.
    rows = (("", "now"), ("one", when_needed), ("all", "everything later"))
    yield replace(choice_of("later", f"Do you type in {name}?", rows, "nle"), default="one")
    # A list is typed in here; the cells of a table are asked for one by one afterwards.
    if task.list_id in state.kinds and answers.get("later") == "":
        yield may_be_put_off(kind_slot(state, task.list_id), when_needed)


def kind_slot(
    state: LinedState,
    id: str,
    text: str = "",
    completed: Callable[[str], str] = str,
    about: str = "",
) -> Words:
    """A line of that kind; without a ``text`` it is asked for by its name. ``completed`` makes the
    whole line of what is typed; ``about``: the thing that the line describes, where several of a
    kind are asked for."""
    if not text:
        kind = state.kinds[id]
        text = f"{kind.name.capitalize()}: {kind.how}"
    return line_slot(LinesAnswer(id, about).name, text, partial(state.merged, id), completed)


def may_be_put_off(slot: Words, effect: str) -> Words:
    """The slot with an empty answer for Enter alone, which puts it off. ``effect``: what happens
    then, as the line of the command shows it."""

    def write(line: str) -> str:
        return line or effect

    return replace(slot, default="", write=write)


def rest_may_be_put_off(slot: Words | Choose) -> Slot:
    """The slot of a cell, which Enter alone puts off with the rest of its table."""
    effect = "the rest later"
    if isinstance(slot, Words):
        return may_be_put_off(slot, effect)
    rest = Option(value="", label=effect, by_pointing_only=True)
    return replace(slot, options=(*slot.options, rest), default="")


def line_slot(
    name: str, text: str, check: Callable[[str], object], completed: Callable[[str], str] = str
) -> Words:
    """A line, ``completed`` where only a part of it is typed; ``check`` raises ValueError (a
    sentence) for one that is wrong."""

    def read(typed: str) -> str:
        line = completed(typed.strip())
        try:
            check(line)
        except ValueError as error:
            raise UnfitAnswer(str(error)) from None
        return line

    return Words(name=name, text=text, longest=LONGEST_LINE, read=read)
