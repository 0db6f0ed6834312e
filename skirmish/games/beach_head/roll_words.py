"""A roll in words: what it is for, what it comes to, and how its sum is made up."""

from __future__ import annotations

from typing import NamedTuple

from skirmish.games.beach_head.pending import BeachTask, Modifier, Roll
from skirmish.games.beach_head.ruleset import ResultRow
from skirmish.games.beach_head.state import BeachState
from skirmish.games.beach_head.wording import defence_name, number, row_text

MODIFIER_REASONS = {
    "traps": "tank traps",
    "craft_hit": "landing craft hit last turn",
    "half_bunkers": "half the bunkers gone",
    "no_bunkers": "no bunkers left",
}
"""Why a modifier counts, by its code: the words behind its number in a sum. The code ``per_dozen``
is missing, since its words depend on the number (``_modifier_reason``)."""


def purpose(state: BeachState, task: BeachTask) -> str:
    """What a roll is for: ``Mines: what happens``."""
    # The dice are not thrown yet. Any total does, since the purpose is the same for all of them.
    words = _words_of(state, task, total=0)
    return f"{state.present_phase.name}: {words.purpose}"


def result(state: BeachState, roll: Roll) -> str:
    """The effect of the roll as it lies: ``4 points off the walls``, ``2 squads killed``."""
    return _words_of(state, roll.task, roll.counted(state.setup).total).result


class RollWords(NamedTuple):
    """The purpose of a roll (``how many tanks land``), and the result of its total (``2 tanks
    land``)."""

    purpose: str
    result: str


def _words_of(state: BeachState, task: BeachTask, total: int) -> RollWords:
    """The words for a roll of a task with this total."""
    step = state.step_of(task)
    match task.what:
        case "kind":
            return _words_of_tank_type(state, task, total)
        case "crater":
            points = number(total, "point")
            return RollWords("points of new ditches", f"{points} of new ditches")
        case "throw" if step.does == "table":
            return RollWords("what happens", _row_result(state, step.row[step.row_index(total)]))
        case "throw" if step.does == "squads":
            return _words_of_landing("squad", total)
        case "throw" if step.does == "tanks":
            return _words_of_landing("tank", total)
        case "outcome":
            return _words_of_row(state, task, step.row[task.row], total)
    # What is left are the dice of a removal, and the points for which the player is still to name a
    # target (B40).
    return _words_of_removal(state, task, total)


def _row_result(state: BeachState, row: ResultRow) -> str:
    """What a row of a table does now, in the words of the journal if it is to hit a tank and none
    is ashore that it may hit."""
    if row.tank:
        loss = BeachTask(what="lose_tank", no_flail=row.tank == "no_flail")
        if not state.tanks_to_lose(loss):
            return "there is no tank to lose"
    return row_text(state.ruleset, row)


def _words_of_landing(noun: str, total: int) -> RollWords:
    """A roll for how many squads or tanks land."""
    land = "land"
    if total == 1:
        land = "lands"
    return RollWords(f"how many {noun}s land", f"{number(total, noun)} {land}")


def _words_of_tank_type(state: BeachState, task: BeachTask, total: int) -> RollWords:
    """A roll for the type of a tank that lands."""
    purpose_text = "type of tank"
    if task.among > 1:
        purpose_text += f" {task.number} of {task.among}"
    rolled = state.ruleset.tank_by_face(total)
    landed_as = state.setup.landed_as(rolled.id)
    if landed_as is None:
        return RollWords(purpose_text, f"{rolled.noun}, which does not land here")
    return RollWords(purpose_text, state.ruleset.tank_of(landed_as).noun)


def _words_of_row(state: BeachState, task: BeachTask, row: ResultRow, total: int) -> RollWords:
    """A second roll, with the dice of the row of a table that the first has come to."""
    if row.kill:
        # Nobody is killed who is not ashore (B2).
        killed = number(min(total, state.squads), "squad")
        return RollWords("how many squads are killed", f"{killed} killed")
    words = _words_of_removal(state, task, total)
    if row.name:
        return RollWords(f"{row.name.lower()}, {words.purpose}", words.result)
    return words


def _words_of_removal(state: BeachState, task: BeachTask, total: int) -> RollWords:
    """A roll for the points that a target loses."""
    if task.target is None:  # it is named when the points are known (B40)
        return RollWords("points", number(total, "point"))
    off = f"off the {defence_name(state.setup, task.target)}"
    # A target loses no more points than it has left (B10).
    points = number(min(total, state.defences[task.target]), "point")
    return RollWords(f"points {off}", f"{points} {off}")


class SumTerm(NamedTuple):
    """A term of a roll's sum. The ``sign`` of the first term is empty, and so is the ``reason`` of
    what is printed with the dice."""

    sign: str
    amount: str
    reason: str


def terms(state: BeachState, roll: Roll) -> list[SumTerm]:
    """The terms of a roll's sum: dice, printed modifier, modifiers, cards."""
    counted = roll.counted(state.setup)
    if counted.fixed:  # a card has set the value, and nothing is added to it (B21)
        return [SumTerm("", str(counted.total), "by card")]
    # Before the dice are thrown (B19) they stand in the sum as what will be rolled.
    dice = f"{roll.dice}d6"
    if counted.faces:
        dice = " + ".join(str(face) for face in counted.faces)
    dice_or_die = "die"
    if roll.dice > 1:
        dice_or_die = "dice"
    sum_terms = [SumTerm("", dice, dice_or_die)]
    if roll.plus:
        sum_terms.append(_further_term(roll.plus, ""))
    for modifier in roll.modifiers:
        sum_terms.append(_further_term(modifier.value, _modifier_reason(modifier)))
    if counted.shift:
        sum_terms.append(_further_term(counted.shift, "cards"))
    return sum_terms


def _further_term(value: int, reason: str) -> SumTerm:
    """A term after the first; a value below 0 is subtracted."""
    sign = "+"
    if value < 0:
        sign = "-"
    return SumTerm(sign, str(abs(value)), reason)


def _modifier_reason(modifier: Modifier) -> str:
    """Why a modifier counts: ``tank traps``, ``2 full dozens of squads``."""
    if modifier.code != "per_dozen":
        return MODIFIER_REASONS[modifier.code]
    # In every phase a full dozen counts 1, so that the value is also the number of dozens.
    dozens = abs(modifier.value)
    if dozens == 1:
        return "a full dozen squads"
    return f"{dozens} full dozens of squads"


def sum_text(state: BeachState, roll: Roll, *, with_total: bool = True) -> str:
    """The sum written out: ``3 - 3 - 1 (tank traps) = -1, so 0``; for a single die its number. The
    total is left out on request, and before the dice are thrown."""
    counted = roll.counted(state.setup)
    dice, *further_terms = terms(state, roll)
    if counted.fixed:
        return f"{dice.amount} ({dice.reason})"
    text = dice.amount
    for term in further_terms:
        text += f" {term.sign} {term.amount}"
        if term.reason:
            text += f" ({term.reason})"
    is_thrown = bool(counted.faces)
    is_a_sum = roll.dice > 1 or bool(further_terms)
    if not (with_total and is_thrown and is_a_sum):
        return text
    # A roll counts at least 0 (B1), whatever its sum.
    reached = sum(counted.faces) + roll.plus + counted.shift
    reached += sum(modifier.value for modifier in roll.modifiers)
    if reached == counted.total:
        return f"{text} = {reached}"
    return f"{text} = {reached}, so {counted.total}"
