"""What a card gains on the roll that lies on the table, in squads, and whether that is enough.

Every card is tried: the roll counts without it, and with it, and the two beaches are compared by
their worth. The hand is filled up every turn, so that a card kept is a card not drawn: a card is
played as soon as it gains more than it could hope for in what is left of the turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.agenda import Played, Roll, TargetAsk, Throw
from skirmish.games.beach_head.hand import playable
from skirmish.games.beach_head.manual import Card, Remove, dice
from skirmish.games.beach_head.policies_plan import BETTER, aim
from skirmish.games.beach_head.policies_worth import to_come
from skirmish.games.beach_head.resolve import Resolution
from skirmish.games.beach_head.rolls import modifiers, spec_of
from skirmish.games.beach_head.settling import settle
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.targets import is_open, targets_of
from skirmish.tabletop.chance import Draw

FACES = range(1, 7)


class Use(msgspec.Struct, frozen=True):
    """A card that may be played now, and the squads it saves."""

    order: orders.Play
    gain: float


def uses(state: State) -> list[Use]:
    """Every use of the hand on the roll that lies there, best first; of cards of one rank only
    the first."""
    if state.roll is None:
        return []
    now = _expected(state)
    found = [
        Use(order, now - after)
        for order, after in _tries(state)
        if after < now and playable(state, order.card, order.die)
    ]
    return sorted(found, key=lambda use: -use.gain)


def _tries(state: State) -> Iterator[tuple[orders.Play, float]]:
    assert state.roll is not None
    for card in one_of_each(state.hand):
        printed = state.setup.manual.card_of(card.rank)
        match printed.does:
            case "draw":
                continue
            case "repeat":
                if playable(state, card):
                    yield orders.Play(card=card), _expected(state) - phase_again(state)
            case _:
                for die in _distinct_dice(state.roll, printed):
                    yield orders.Play(card=card, die=die), expected_with(state, card, die)


def one_of_each(hand: tuple[Draw, ...]) -> tuple[Draw, ...]:
    """The first card of each rank: suits make no difference."""
    return tuple({card.rank: card for card in reversed(hand)}.values())[::-1]


def _distinct_dice(roll: Roll, card: Card) -> list[int]:
    """Dice on which the card may do different things."""
    if card.shifts or not roll.faces:
        return [0]
    return [die for die, face in enumerate(roll.faces) if face not in roll.faces[:die]]


def expected_with(state: State, card: Draw, die: int) -> float:
    """What is to come with ``card`` on ``die``; for a Colonel on average."""
    found = [_expected(one) for one in with_card(state, card, die)]
    return sum(found) / len(found)


def with_card(state: State, card: Draw, die: int) -> list[State]:
    """The states after a card on a roll, all as likely: six for a Colonel. Nothing is drawn."""
    roll = state.roll
    assert roll is not None
    hand = tuple(one for one in state.hand if one != card)
    if state.setup.manual.card_of(card.rank).does != "reroll":
        plays = [Played(card, die)]
    elif state.ruled("B22", "all"):
        plays = [Played(card, die, faces) for faces in _spread(roll.dice)]
    else:
        plays = [Played(card, die, (face,)) for face in FACES]
    return [
        replace(state, hand=hand, ask=None, roll=replace(roll, cards=(*roll.cards, one)))
        for one in plays
    ]


@lru_cache(maxsize=8)
def _spread(count: int) -> list[tuple[int, ...]]:
    """Six rolls of so many dice in which each die shows each face once."""
    return [tuple((face + 2 * die) % 6 + 1 for die in range(count)) for face in range(6)]


def _expected(state: State) -> float:
    """What is to come when the roll has counted; on average where it is only announced (B19)."""
    roll = state.roll
    assert roll is not None
    if roll.faces:
        return _settled(state)
    found = [
        _settled(replace(state, roll=replace(roll, faces=faces))) for faces in _spread(roll.dice)
    ]
    return sum(found) / len(found)


def _settled(state: State) -> float:
    run = Resolution(state)
    settle(run)
    return to_come(run.state)


# ------------------------------------------------------------------ a phase once more


def phase_again(state: State) -> float:
    """Squads saved if the phase were played once more after the roll on the table."""
    run = Resolution(state)
    settle(run)
    if run.state.over or state.now.side == "german":
        return 0.0
    after = replace(run.state, agenda=())
    return sum(_step_again(after, number) for number in range(len(state.now.step)))


def _step_again(state: State, number: int) -> float:
    step, target = state.now.step[number], None
    if isinstance(step, Remove):
        targets = targets_of(state, state.now, step) if is_open(state, state.now, step) else ()
        if not targets:
            return 0.0
        target = aim(BETTER, state, TargetAsk(targets=targets))
    told = dice(spec_of(state, number))
    roll = Roll(
        task=Throw(step=number, target=target),
        dice=told.count,
        plus=told.plus,
        modifiers=modifiers(state, step.modifiers),
    )
    return to_come(state) - _expected(replace(state, roll=roll, agenda=(roll.task,)))
