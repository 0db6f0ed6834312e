"""The commands and questions by which an owner types in lines (``typed_lines``)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.lines_orders import ALL_LATER, ONE_LATER
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_lines import LinedState, LinesAnswer, typed_texts
from skirmish.tabletop.page import Page
from skirmish.tabletop.slots import Choose, Option, Slot, UnfitAnswer, Words, choice_of

LONGEST_LINE = 4000
"""The most characters that are typed at once: owners paste whole lists."""


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
    """A command that asks for all that a ``LinesOrder`` needs, including lines. ``word``: its label
    on the strip of keys, by default the ``label`` in small letters."""

    # The answers that are lines become ``typed``, a number that was rolled becomes ``numbers``; all
    # other answers have the names of fields of the order.
    def make(**answers: Any) -> Any:
        number = answers.pop("number", None)
        numbers: tuple[int, ...] = ()
        if number is not None:
            numbers = (number,)
        fields = {}
        for name, answer in answers.items():
            if answer is not None and LinesAnswer.named(name) is None:
                fields[name] = answer
        return order(**fields, typed=typed_texts(answers), numbers=numbers)

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
    """The command by which lines of any kind are typed in; ``order`` makes the order that has them
    as ``typed``."""

    def slots(answers: Answers) -> tuple[Slot, ...]:
        missing = state.missing()
        chosen_id = answers.get("id")
        # A kind that is not complete is shown with how much of it is typed in.
        labels = {id: missing.get(id, kind.name) for id, kind in state.kinds.items()}
        which_kind = choice_of("id", "What do you type in?", labels)
        if not chosen_id:
            return (which_kind,)
        return (which_kind, kind_slot(state, chosen_id))

    def make(id: str, **lines: Any) -> Any:
        return order(typed=typed_texts(lines))

    return Command(
        label=label, key="+", word="type in", slots=slots, group="The printed game", make=make
    )


def list_slots(state: LinedState, task: Task, answers: Answers) -> Iterator[Slot]:
    """The questions for one list or table of the guided list: whether it is typed in now, and then
    its lines."""
    name = state.missing().get(task.list_id, task.list_id)
    when_needed = "later, when it is needed"
    # An empty answer puts nothing off (``TypeIn.later``).
    now = ""
    labels = {now: "now", ONE_LATER: when_needed, ALL_LATER: "everything later"}
    keys = "nle"  # now, later, everything
    when = choice_of("later", f"Do you type in {name}?", labels, keys)
    yield replace(when, default=ONE_LATER)
    # A list is typed in here; the cells of a table are asked for one by one afterwards.
    if task.list_id in state.kinds and answers.get("later") == now:
        yield deferrable(kind_slot(state, task.list_id), when_needed)


def kind_slot(
    state: LinedState,
    id: str,
    text: str = "",
    completed: Callable[[str], str] = str,
    about: str = "",
) -> Words:
    """The question for lines of a kind. Without a ``text`` it asks by the name of the kind and says
    how lines are typed. ``completed`` makes a whole line of what is typed; ``about``: as of
    ``LinesAnswer``."""
    if not text:
        kind = state.kinds[id]
        text = f"{kind.name.capitalize()}: {kind.how}"
    # Lines that cannot be merged with those that are typed in already are refused.
    check = partial(state.merged, id)
    return line_slot(LinesAnswer(id, about).name, text, check, completed)


def deferrable(slot: Words, effect: str) -> Words:
    """The slot, which Enter alone answers with an empty text: it is put off. ``effect``: what
    happens then, as the command line shows it."""

    def write(line: str) -> str:
        return line or effect

    return replace(slot, default="", write=write)


def deferrable_with_rest(slot: Words | Choose) -> Slot:
    """The slot of a cell; Enter alone puts off the cell and the rest of its table."""
    effect = "the rest later"
    if isinstance(slot, Words):
        return deferrable(slot, effect)
    rest = Option(value="", label=effect, by_pointing_only=True)
    return replace(slot, options=(*slot.options, rest), default="")


def line_slot(
    name: str, text: str, check: Callable[[str], object], completed: Callable[[str], str] = str
) -> Words:
    """The question for a line. ``completed`` makes the whole line where only a part of it is typed;
    ``check`` raises ValueError, with a sentence, for a line that is wrong."""

    def read(typed: str) -> str:
        line = completed(typed.strip())
        try:
            check(line)
        except ValueError as error:
            raise UnfitAnswer(str(error)) from None
        return line

    return Words(name=name, text=text, longest=LONGEST_LINE, read=read)
