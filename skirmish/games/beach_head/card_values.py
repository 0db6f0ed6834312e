"""The squads that the cards of a hand save, on the present roll or by waiting for a later one.

The numbers below were found by letting every card wait for the best of the rolls to come.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.beach_head.expected_cost import cost
from skirmish.games.beach_head.orders import PlayCard
from skirmish.games.beach_head.pending import BeachAsk, BeachTask, Played, Roll
from skirmish.games.beach_head.plan_choices import planned_target
from skirmish.games.beach_head.ruleset import Card, DefenceId, PhaseId, PhaseStep, dice_of
from skirmish.games.beach_head.settling import state_after_roll
from skirmish.games.beach_head.simulate.policy import BETTER
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Draw


class CardUse(NamedTuple):
    """A card played on the roll, and the squads that it is expected to save there (``gain``)."""

    order: PlayCard
    gain: float


def card_uses(state: BeachState) -> list[CardUse]:
    """Every use of the hand on the current roll, best first, one card per rank."""
    if state.roll is None:
        return []
    cost_as_it_lies = _expected_cost_of_roll(state)
    # Suits make no difference: of each rank the first card of the hand is tried.
    first_of_rank: dict[int, Draw] = {}
    for card in state.hand:
        first_of_rank.setdefault(card.rank, card)
    gainful: list[CardUse] = []
    for card in first_of_rank.values():
        for use in _uses_of_card(state, state.roll, card, cost_as_it_lies):
            if use.gain > 0 and not use.order.why_not(state):
                gainful.append(use)
    return sorted(gainful, key=_gain, reverse=True)


def _gain(use: CardUse) -> float:
    return use.gain


def _uses_of_card(
    state: BeachState, roll: Roll, card: Draw, cost_as_it_lies: float
) -> Iterator[CardUse]:
    """The ways to play a card on this roll, each with the squads that it is expected to save."""
    rule = state.ruleset.card_of(card)
    if rule.does == "repeat":
        order = PlayCard(card=card)
        # He is played on the last roll of a phase only; on any other there is nothing to value.
        if not order.why_not(state):
            yield CardUse(order, gain_of_phase_again(state))
    elif rule.does != "draw":  # a General is never played on a roll
        for die in _dice_to_try(roll, rule):
            states = _states_with_card(state, roll, card, die)
            costs = [_expected_cost_of_roll(after) for after in states]
            average = sum(costs) / len(costs)
            yield CardUse(PlayCard(card=card, die=die), cost_as_it_lies - average)


def _dice_to_try(roll: Roll, rule: Card) -> list[int]:
    """The indexes of the dice on which a card is tried: of dice that show the same face only the
    first, since the card does the same on all of them."""
    # A plus or minus changes the sum, whichever die it lies on (B20); dice not thrown yet (B19) are
    # all alike.
    if rule.shifts or not roll.faces:
        return [0]
    dice = []
    for die, face in enumerate(roll.faces):
        if face not in roll.faces[:die]:
            dice.append(die)
    return dice


def _states_with_card(state: BeachState, roll: Roll, card: Draw, die: int) -> list[BeachState]:
    """The state with a card played on a roll; for a Colonel, who re-rolls dice, six equally likely
    states. No dice are drawn for them."""
    hand = tuple(held for held in state.hand if held != card)
    # Every other card has one outcome, in which no die is re-rolled.
    rerolls: list[tuple[int, ...]] = [()]
    if state.ruleset.card_of(card).does == "reroll":
        dice = 1
        if state.in_force.colonel_rerolls_all:
            dice = roll.dice
        rerolls = _six_rolls(dice)
    states = []
    for faces in rerolls:
        roll_after = replace(roll, cards=(*roll.cards, Played(card, die, faces)))
        states.append(replace(state, hand=hand, ask=None, roll=roll_after))
    return states


@lru_cache(maxsize=8)
def _six_rolls(dice: int) -> list[tuple[int, ...]]:
    """Six rolls of so many ``dice`` in which each die shows each face once.

    They stand for all rolls, and their average sum is exact. Each die shows a face two higher than
    the die before it (after 6 comes 1): with the same face on all dice, the lowest and the highest
    sum would be far too likely.
    """
    rolls = []
    for first_face in range(6):
        faces = tuple((first_face + 2 * die) % 6 + 1 for die in range(dice))
        rolls.append(faces)
    return rolls


def _expected_cost_of_roll(state: BeachState) -> float:
    """The squads that the game is expected to cost once the roll on the table counts. If the dice
    are only announced (B19), it is the average over what they may show."""
    roll = state.roll
    assert roll is not None
    rolls = [roll]
    if not roll.faces:
        rolls = [replace(roll, faces=faces) for faces in _six_rolls(roll.dice)]
    costs = []
    for thrown in rolls:
        after = state_after_roll(replace(state, roll=thrown))
        costs.append(cost(after))
    return sum(costs) / len(costs)


def gain_of_phase_again(state: BeachState) -> float:
    """The squads that an Admiral saves who repeats the present phase: those that all its steps save
    after the roll on the table."""
    after = state_after_roll(state)
    # B24 may allow a German phase, but fire that falls twice saves nobody.
    if after.over or state.present_phase.side == "german":
        return 0.0
    # What is left of the present phase is played with or without the Admiral.
    after = replace(after, agenda=())
    number_of_steps = len(state.present_phase.step)
    return sum(_gain_of_step(after, index) for index in range(number_of_steps))


def _gain_of_step(state: BeachState, index: int) -> float:
    """The squads that a step of the present phase saves if it is played now. The agenda of the
    state must be empty, or its cost would be counted as saved."""
    step = state.present_phase.step[index]
    target: DefenceId | None = None
    if step.does == "remove":
        target = _target_of_step(state, step)
        if target is None:
            return 0.0
    count, plus = dice_of(state.dice_of_step(step))
    task = BeachTask(what="throw", step=index, target=target)
    roll = Roll(task=task, dice=count, plus=plus, modifiers=state.modifiers(step.modifiers))
    with_roll = replace(state, roll=roll, agenda=(task,))
    return cost(state) - _expected_cost_of_roll(with_roll)


def _target_of_step(state: BeachState, step: PhaseStep) -> DefenceId | None:
    """The target that the best plan chooses for a removal; None if it can reach none."""
    if not state.is_open(state.present_phase, step):
        return None
    targets = state.targets_of(state.present_phase, step)
    if not targets:
        return None
    return planned_target(BETTER, state, BeachAsk(what="target", targets=targets))


LAST_PHASES_OF_PARTS: tuple[PhaseId, ...] = (
    "gun_tank",
    "defenders",
    "shore_guns",
    "mines",
    "bridge",
)
"""The last phase of each part of a turn: landing, defenders, guns, mines, assault. After the last
part nothing is worth waiting for."""
SAVED_BY_WAITING: dict[int, tuple[float, float, float, float, float]] = {
    1: (2.7, 1.15, 0.7, 0.0, 0.0),
    2: (2.4, 1.2, 0.75, 0.1, 0.05),
    3: (2.1, 1.25, 0.85, 0.3, 0.15),
    4: (1.5, 0.9, 0.7, 0.5, 0.3),
    5: (1.05, 0.85, 0.8, 0.8, 0.6),
    6: (1.1, 1.0, 1.0, 1.0, 0.75),
    7: (1.95, 0.95, 0.6, 0.0, 0.0),
    8: (1.2, 0.6, 0.35, 0.0, 0.0),
    9: (0.4, 0.4, 0.35, 0.3, 0.25),
    10: (0.65, 0.65, 0.6, 0.6, 0.5),
    11: (1.5, 0.85, 0.65, 0.4, 0.3),
    12: (1.15, 1.15, 1.15, 1.15, 0.9),
}
"""By rank, the squads that a card that waits can expect to save in the rest of the turn: one number
for each part of the turn, as in ``LAST_PHASES_OF_PARTS``. ``WORTH`` is for the whole turn, so it is
never less than any of them. A General (13) has no row: he is never played on a roll."""
_SHARE_AMONG_RIVALS = 0.65
"""The share of ``SAVED_BY_WAITING`` that a card really saves, as the others in the hand compete for
the same rolls."""
WORTH: dict[int, float] = {
    1: 2.7, 2: 2.4, 3: 2.1, 4: 1.5, 5: 1.1, 6: 1.3, 7: 1.95, 8: 1.2, 9: 0.5, 10: 0.9, 11: 1.5,
    12: 1.15, 13: 2.4,
}  # fmt: skip
"""Squads that a card of each rank saves in a whole turn, alone and at its best moment; a General
(13) saves them by the cards that he draws."""
WORTH_OF_A_DRAWN_CARD = sum(WORTH.values()) / len(WORTH)
"""The expected worth of a card not yet drawn."""


def saving_by_waiting(state: BeachState, rank: int) -> float:
    """Squads that a card of a rank can expect to save in the rest of this turn."""
    place = state.ruleset.place(state.present_phase.id)
    for part, last_phase in enumerate(LAST_PHASES_OF_PARTS):
        if place <= state.ruleset.place(last_phase):
            return _SHARE_AMONG_RIVALS * SAVED_BY_WAITING[rank][part]
    return 0.0


def worst_first(state: BeachState) -> tuple[Draw, ...]:
    """The hand, sorted by what a card saves in a whole turn, the least first."""

    def worth_and_card(card: Draw) -> tuple[float, Draw]:
        return WORTH[card.rank], card

    return tuple(sorted(state.hand, key=worth_and_card))
