"""The commands that roll on the tables of the card that comes with the game. The program has no
copy of what stands on it, so that a question asks the owner for the result of a roll."""

from __future__ import annotations

from functools import partial
from typing import Any

from skirmish.games.gts import orders
from skirmish.games.gts.commands.answers import (
    CARD_GROUP,
    order_of_answers,
    own_roll_slot,
    unit_slot,
)
from skirmish.games.gts.fire_results import TypeResult
from skirmish.games.gts.ruleset import TEXT_TABLES, TYPED_TEXTS
from skirmish.games.gts.state import BEACH_AIMS, GtsState
from skirmish.tabletop.commands import Answers, Command
from skirmish.tabletop.companion.table_state import Task
from skirmish.tabletop.companion.typed_slots import cell_slot, value_slots
from skirmish.tabletop.slots import Choose, Option, Slot, choice_of, choice_of_names


def table_command(state: GtsState) -> Command[Any]:
    """A roll on a table that has a text for each roll, such as the weather."""
    return Command(
        label="Roll on a table",
        key="l",
        word="roll on a table",
        group=CARD_GROUP,
        slots=(choice_of("table", "Which table?", TEXT_TABLES), own_roll_slot(state)),
        make=partial(order_of_answers, orders.LookUp),
    )


def beach_attack_command(state: GtsState) -> Command[Any]:
    """A roll against the defenses of a landing beach."""
    return Command(
        label="Attack beach defenses",
        key="z",
        group=CARD_GROUP,
        slots=partial(_beach_attack_slots, state),
        make=partial(order_of_answers, orders.LookUp, table="beach"),
    )


def _beach_attack_slots(state: GtsState, answers: Answers) -> tuple[Slot, ...]:
    """The column of the table, the unit if it is entered, the beach and what the attack is aimed
    at."""
    columns = [column.title for column in state.tables.beach.columns]
    slots: list[Slot] = [choice_of_names("column", "Who attacks?", columns)]
    nobody = Option(value="", label="a unit not entered", key="0")
    options = (*unit_slot(state, "fire").options, nobody)
    slots.append(Choose(name="unit", text="Which unit?", options=options))
    if state.beaches:
        slots.append(choice_of_names("beach", "At which beach?", state.beaches))
        slots.append(choice_of_names("aim", "At what?", BEACH_AIMS))
    # Only a unit has modifiers. Some may be on the card and not typed yet: the order as it stands
    # so far says which.
    if answers.get("unit"):
        attack = order_of_answers(orders.LookUp, **{**answers, "table": "beach"})
        slots += value_slots(state, attack.sum(state).missing, answers)
    return (*slots, own_roll_slot(state))


def look_up_prompt(state: GtsState, task: Task) -> Command[Any]:
    """The question for a fire result or a text that stands on the owner's card."""
    title = dict(TYPED_TEXTS).get(task.table, "")
    for table in state.tables.results:
        if table.id == task.table:
            # Only the tables of results have columns.
            title = f"{table.title}, {task.column}"
    text = f"{title}, roll {task.roll}: what does your card give?"
    slot = cell_slot(state, task.table, text)
    return Command(label="Your card", slots=(slot,), make=TypeResult)
