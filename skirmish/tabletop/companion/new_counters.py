"""New counters that a player enters: several of a company at once, or a single unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from skirmish.tabletop.commands import Answers, Command, OnOff, on_off_toggles
from skirmish.tabletop.companion.asking import (
    HEX,
    HexSlot,
    LabelledId,
    name_slot,
    place_slot,
)
from skirmish.tabletop.companion.counters import (
    LEADER,
    LONGEST_NAME,
    STEPLESS,
    Counter,
    Register,
    name_taken,
)
from skirmish.tabletop.companion.table_orders import TakeCounters
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.slots import (
    TYPE_IT,
    Choose,
    Number,
    Option,
    Slot,
    UnfitAnswer,
    Words,
    choice_of,
)

OTHER = "other"
"""The answer for a company that is not in the list."""
MOST_NEW_STEPS = 9
"""The most steps that a new unit may have."""
LONGEST_UNITS = 600
"""The most characters of the names of new units together, with their hexes."""


# ------------------------------------------------------------------ several of a company


def new_counter_slots(
    groups: Mapping[str, str],
    register: Register,
    answers: Mapping[str, Any],
    kinds: Sequence[LabelledId],
    sides: Sequence[LabelledId],
) -> Iterator[Slot]:
    """The questions for new counters: a company among the ``groups`` (each with a note), or another
    one with its side, its kind and its name; the names of the units; and the hex of those that were
    typed without one."""
    options = [Option(value=name, label=name, note=note) for name, note in groups.items()]
    options.append(Option(value=OTHER, label="another company", key="0"))
    yield Choose(name="company", text="Which company?", options=tuple(options))
    if answers.get("company") == OTHER:
        yield _by_initial("side", "Whose is it?", sides)
        yield _by_initial("kind", "What are they?", kinds)
        yield name_slot("called", "What is the company called?")
    company = answers.get("called") or answers.get("company") or ""
    text = "Which units? Commas between names; a hex may follow each: 1/B J7, 2/B J8."
    proposed = _next_name(company, register)
    yield Words(name="names", text=text, default=proposed, longest=LONGEST_UNITS, read=_read_units)
    units = new_units_in(answers.get("names") or "")
    without_hex = [unit.name for unit in units if not unit.place]
    # Until names are typed the proposed one stands, which has no hex.
    if without_hex or not units:
        yield HexSlot(name="place", text=_which_hex(without_hex), default="")


def _next_name(company: str, register: Register) -> str:
    """The name with the next number of the company, as platoons are numbered: ``3/B/116``."""
    taken = {counter.name for counter in register}
    number = len(register.where(group=company)) + 1
    # Players may have begun with another number than 1.
    while f"{number}/{company}" in taken:
        number += 1
    return f"{number}/{company}"


def _by_initial(name: str, text: str, rows: Sequence[LabelledId]) -> Choose:
    """A choice among ``rows``; the key of each is the first letter of its id."""
    options = tuple(Option(value=id, label=label, key=id[0]) for id, label in rows)
    return Choose(name=name, text=text, options=options)


def _which_hex(names: Sequence[str]) -> str:
    """The question for the one hex in which new units of these names stand."""
    if not names:
        return "In which hex?"
    if len(names) == 1:
        return f"In which hex is {names[0]}?"
    return f"In which hex are {', '.join(names[:-1])} and {names[-1]}?"


class NewUnit(NamedTuple):
    """A unit as it is typed in; its ``place`` is empty if no hex follows the name."""

    name: str
    place: str


def new_units_in(typed: str) -> tuple[NewUnit, ...]:
    """The units between commas; the last word of each may be its hex."""
    units = []
    for part in typed.split(","):
        words = part.split()
        place = ""
        # A name alone may look like a hex: the gun "J7" has a place only if a hex follows it.
        if len(words) > 1 and HEX.fullmatch(words[-1].upper()):
            place = words.pop().upper()
        if words:
            units.append(NewUnit(" ".join(words), place))
    return tuple(units)


def _read_units(typed: str) -> str:
    """The text as it was typed, if it names units. Raises UnfitAnswer."""
    units = new_units_in(typed)
    if not units:
        raise UnfitAnswer("Type a name, or several with commas between them.")
    for unit in units:
        if len(unit.name) > LONGEST_NAME:
            beginning = f"{unit.name[:10]}…"
            length = len(unit.name)
            raise UnfitAnswer(
                f"A name may have at most {LONGEST_NAME} letters; {beginning} has {length}."
            )
    return typed


# ------------------------------------------------------------------ a single unit


def entering_command(
    state: TableState,
    sides: Iterable[LabelledId],
    *,
    group_noun: str,
    groups: Callable[[str], Sequence[str]],
    traits: Sequence[str],
    default_steps: int,
) -> Command[Any]:
    """The command that enters a new unit. ``groups``: those of a side, to one of which it may
    belong, and ``group_noun``: what they are called in the question; ``traits``: those that the
    player may switch on."""
    questions = _UnitQuestions(state, tuple(sides), group_noun, groups, default_steps)
    traits_on_off = [OnOff(trait, trait[0].upper(), trait) for trait in traits]
    return Command(
        label="Enter a unit",
        key="c",
        word="new unit",
        slots=questions.slots,
        toggles=partial(on_off_toggles, traits_on_off),
        make=partial(_entering_order, state, traits),
        group="The table",
        help="Enter a unit; its numbers are asked for when they are needed.",
    )


class _UnitQuestions(NamedTuple):
    """The questions for a new unit, with the parameters of ``entering_command``."""

    state: TableState
    sides: Sequence[LabelledId]
    group_noun: str
    groups: Callable[[str], Sequence[str]]
    default_steps: int

    def slots(self, answers: Answers) -> tuple[Slot, ...]:
        """The side, the group if the side has any, the name, the steps, the place."""
        slots: list[Slot] = [choice_of("side", "Whose is it?", dict(self.sides))]
        side = answers.get("side", "")
        labels = {group: group for group in self.groups(side)}
        if labels:
            labels[""] = "none of them"
            slots.append(choice_of("group", f"Of which {self.group_noun}?", labels))
        # A name that the side has already is refused: files identify a counter by its name.
        read_name = partial(_new_name, self.state, side)
        text = "What is the unit called?"
        slots.append(Words(name="name", text=text, longest=LONGEST_NAME, read=read_name))
        # A leader has no steps.
        if not answers.get(LEADER):
            text = "How many steps has it?"
            default = self.default_steps
            slots.append(Number(name="steps", text=text, high=MOST_NEW_STEPS, default=default))
        return (*slots, place_slot("In which hex?"))


def _entering_order(
    state: TableState,
    traits: Sequence[str],
    *,
    name: str,
    side: str,
    steps: int = 1,
    group: str = "",
    place: str = "",
    **toggled: Any,
) -> TakeCounters:
    """The order of the answers. ``toggled``: by its trait, whether a toggle is on."""
    own_traits = [trait for trait in traits if toggled.get(trait)]
    # A counter with 0 steps would be out of play (``Counter.has_steps``).
    stored_steps = max(steps, 1)
    if LEADER in own_traits:
        # The steps may have been answered before the unit was made a leader.
        stored_steps = 1
    elif not steps:
        own_traits.append(STEPLESS)
    unit = Counter(
        id=state.counters.new_id(name),
        name=name,
        side=side,
        group=group,
        place=place,
        traits=tuple(own_traits),
        steps=stored_steps,
    )
    return TakeCounters(counters=(unit,))


def _new_name(state: TableState, side: str, typed: str) -> str:
    """The name of a counter that the side does not have yet. Raises UnfitAnswer."""
    name = typed.strip()
    if not name:
        raise UnfitAnswer(TYPE_IT)
    if any(counter.name == name for counter in state.counters.where(side=side)):
        raise UnfitAnswer(name_taken(name))
    return name
