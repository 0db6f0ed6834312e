"""What Space does in a phase, and the questions that an assault or a loss leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skirmish.games.omaha import orders
from skirmish.games.omaha.state import DECK, OmahaState
from skirmish.games.omaha.units import Mark
from skirmish.tabletop.commands import Command
from skirmish.tabletop.companion import asking
from skirmish.tabletop.companion.asking import HexSlot, UnitsSlot
from skirmish.tabletop.companion.counters import Counter, named
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.slots import Choose, Dice, Option, Slot


def phase_command(state: OmahaState) -> Command[Any]:
    """What Space does: the card of the turn, recovery, or the end of the phase."""
    if state.phase_id == "card":
        return _draw_card_command(state)
    if state.sequence.allows(state.position, "recovery"):
        return _recovery_command(state)
    label = f"End of {state.sequence.phase_at(state.position).name}"
    if state.phase_id == "setup":
        # For the program set-up is a phase like others, but players do not think of it as one.
        label = f"Begin turn {state.position.turn}"
    return Command(label=label, key="space", word=label, make=orders.Proceed)


def _draw_card_command(state: OmahaState) -> Command[Any]:
    """The action card that begins a turn."""
    slots: tuple[Slot, ...] = ()
    # The cards are the owner's, and he says which he drew.
    if DECK not in state.cups:
        options = tuple(Option(value=card.id, label=card.title) for card in state.setup.cards)
        slots = (Choose(name="card", text="Which card did you draw?", options=options),)
    return Command(
        label="Draw the action card",
        key="space",
        word="draw the action card",
        slots=slots,
        make=orders.DrawCard,
    )


def _recovery_command(state: OmahaState) -> Command[Any]:
    """Recovery: a number is drawn for each disrupted unit of the active side."""
    units = state.units(state.side, flag=Mark.DISRUPTED)
    slots: tuple[Slot, ...] = ()
    # Where the dice are typed all numbers are: the owner rolls them, or draws cards for them.
    if units and state.dice.typed:
        # One number for each unit, in the order in which the question names them.
        text = f"What did you draw for {named(units)}?"
        slots = (Dice(name="numbers", text=text, count=len(units)),)
    how_many = "nobody"
    if units:
        how_many = str(len(units))
    label = f"Recovery ({how_many} disrupted)"
    return Command(label=label, key="space", word=label.lower(), slots=slots, make=orders.Recover)


def prompt(state: OmahaState) -> Command[Any] | None:
    """The command that answers the open question; None if there is none."""
    if state.ended or not state.agenda:
        return None
    task = state.agenda[0]
    units = state.in_play(task.units)
    if task.kind == "losses":
        return _losses_prompt(task, units)
    if task.kind == "retreat":
        return _retreat_prompt(units)
    return _advance_prompt(task, units)


def _losses_prompt(task: Task, units: Sequence[Counter]) -> Command[Any]:
    """The question which of the units that were hit lose a step."""
    verb = "lose"
    if task.count == 1:
        # "Which of them loses a step (1 of 3)", but "lose a step (2 of 3)".
        verb = "loses"
    slot = UnitsSlot(
        name="units",
        text=f"Which of them {verb} a step ({task.count} of {len(units)})?",
        options=asking.counter_options(units),
        least=task.count,
        most=task.count,
    )
    return Command(label="Losses", slots=(slot,), make=orders.TakeLosses)


def _retreat_prompt(units: Sequence[Counter]) -> Command[Any]:
    """The question where beaten units retreat to."""
    text = f"Retreat of {named(units)}: to which hex? Not beside an undisrupted enemy."
    # Without a hex the unit has nowhere to go, and is eliminated.
    slot = HexSlot(name="place", text=text, default="", nowhere="it is eliminated.")
    return Command(label="Retreat", slots=(slot,), make=orders.RetreatTo)


def _advance_prompt(task: Task, units: Sequence[Counter]) -> Command[Any]:
    """The question which of the attackers enter the hex that they have cleared."""
    slot = UnitsSlot(
        name="units",
        text=f"Who occupies {task.place}?",
        key_note="Enter: nobody.",
        options=asking.counter_options(units),
    )
    return Command(label="Advance", slots=(slot,), make=orders.Occupy)
