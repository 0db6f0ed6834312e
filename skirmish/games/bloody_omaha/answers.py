"""The answers to the questions that the steps of an order ask: about what only the owner sees, and
about what only a player decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from msgspec.structs import replace

from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.attacks import finish_attack, removal_choices
from skirmish.games.bloody_omaha.entering import MINES_ARE_DONE, roll_for_mines
from skirmish.games.bloody_omaha.orders import BloodyOrder
from skirmish.games.bloody_omaha.rolls import outcome_of, settle
from skirmish.games.bloody_omaha.run import Run
from skirmish.tabletop.companion import hand, lines_orders
from skirmish.tabletop.companion.cup import UNKNOWN
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_facts import CellTyped
from skirmish.tabletop.companion.unfolding import refuse_if
from skirmish.tabletop.refusal import not_asked


def _cell_typed(run: Run, task: Task, text: str) -> None:
    """The owner has typed in the cell that a roll waits for; the roll goes on."""
    blank = outcome_of(run.state, task)
    # A roll waits for its cell only once it was rolled, so it is never None here.
    roll = blank.roll or 0
    run.take(CellTyped(table=task.table, roll=roll, column=blank.column, cell=text))
    settle(run, task)


def _token_named(run: Run, task: Task, text: str) -> None:
    """The owner has said which token lies on a square. One that he has not typed in yet is added to
    his lines."""
    bag = task.table
    cup = run.state.cups[bag]
    lines_id = bloody.LINES_OF_BAG[bag]
    # The program asks only for an unknown token that it drew; an owner may have drawn a known one.
    program_draws = not cup.typed
    is_new = text not in cup.unseen or program_draws
    if UNKNOWN in cup.unseen and is_new:
        with_this_token = " ".join((*run.state.owned.lines(lines_id), text))
        run.do(run.state.typed_event(lines_id, with_this_token))
    # Each kind of token is named once, in the order of the bag.
    unseen = list(dict.fromkeys(run.state.cups[bag].unseen))
    # An order that was not made by our commands may hold a text of any length.
    missing = f"No {bag} token {text[:20]} is left; still unseen: {', '.join(unseen)}."
    # If the bag is empty as far as the program knows, the owner's word counts.
    refuse_if(unseen and text not in unseen, "no_token", missing)
    run.turn_up(task.place, bag, text)


def _mines_faced(run: Run, task: Task, text: str) -> None:
    """A unit enters a minefield or stays out (8.1.c). A number on the square keeps it out in any
    case."""
    id, square = task.units[0], task.place
    enters = text != "no"
    if enters:
        roll_for_mines(run, id, square)
    else:
        refuse_if(run.state.rules.ruled("O10", "must"), "must", "The unit has to go in (O10).")
    unit = run.state.counters[id]
    is_eliminated = not unit.steps
    if is_eliminated:
        return
    if run.state.numbered_tokens(square):
        run.ask(replace(task, kind="entering", column=MINES_ARE_DONE))
    elif enters:
        run.move(unit, square)


def _own_roll(run: Run, task: Task, text: str) -> None:
    """The player has rolled his own die for a roll that waits for it. The roll is in the order;
    ``text`` is empty."""
    settle(run, replace(task, kind="cell", roll=run.roll()))


def _removal_chosen(run: Run, task: Task, text: str) -> None:
    """The player has chosen which tokens success with disruption removes (O8)."""
    choices = {}
    for tokens in removal_choices(run.state, task):
        choices[" and ".join(tokens)] = tokens
    refuse_if(text not in choices, "no_token", f"Choose {' or '.join(choices)}.")
    finish_attack(run, task, choices[text])


ANSWERS: dict[str, Callable[[Run, Task, str], None]] = {
    "cell": _cell_typed,
    "fill": lines_orders.cell_filled,
    "token": _token_named,
    "mines": _mines_faced,
    "roll": _own_roll,
    "card": hand.card_named,
    "keep": hand.card_put_back,  # the name under which journals have this question
    "remove": _removal_chosen,
}
"""What an answer does, by the kind of task that asks for it."""


class Answer(BloodyOrder, frozen=True, kw_only=True, tag="answer"):
    """The answer to the open question of a step."""

    answers: ClassVar[tuple[str, ...]] = (*ANSWERS,)
    """The kinds of tasks that it answers."""
    text: str = ""
    """What the owner says: a cell, a token, a card, ``yes`` or ``no``; empty where only his own
    roll is wanted."""

    def act(self, run: Run) -> None:
        if not run.tasks:
            raise not_asked()
        task = run.tasks.pop(0)
        ANSWERS[task.kind](run, task, self.text)
