"""What the beach and a card on it are worth, in squads.

Of the beach: how many more squads will be lost, as far as one thing tells. Fitted to 370,000 ends
of games under the better plan (least squares; it explains four fifths of what differs). A point off
the bunkers, walls or trenches saves half a squad, whenever it comes. Most else counts for more the
longer the game has still to go: a gun tank a third of a squad for each turn. A squad that lands
makes it no better: it works on the bunkers, but it will also be shot at, and the defenders' fire
grows with every dozen.

Of a card: the roll counts without it, and with it, and the two beaches are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import msgspec
from msgspec.structs import replace

from skirmish.games.beach_head.orders import PlayCard
from skirmish.games.beach_head.plan import BETTER, aim
from skirmish.games.beach_head.resolution import Resolution
from skirmish.games.beach_head.ruleset import Card, DefenceId, Remove, Table, TankId, dice
from skirmish.games.beach_head.state import (
    AnyTask,
    Crater,
    Kind,
    LoseTank,
    Outcome,
    Played,
    Roll,
    Spend,
    State,
    TargetAsk,
    Throw,
)
from skirmish.tabletop.chance import Draw

POINT: dict[DefenceId, float] = {"bunkers": 0.53, "walls": 0.47, "trenches": 0.53}
"""Squads lost for every point that stands of what wins the game or bars the way."""
_WIRE = 0.33
_DITCH = 0.07
_MINE = 0.02
_TRAPS_A_TURN = 0.03
_SQUAD_A_TURN = 0.03
_GUN_A_TURN = 0.33
_AVRE_A_TURN = 0.36
_CRAB_A_TURN = 0.1
_SECOND = 0.3
"""What a second tank of a sort is worth to the first: it is there when that is lost."""
_CRAFT = 1.2
"""A landing craft hit: fewer tanks and less fire next turn, though fewer squads too."""
_WITH_CARDS = 0.5
"""With a hand of cards a turn costs fewer squads, and so does everything that makes turns: half as
much gave the fewest casualties of 1, 0.7, 0.5, 0.4 and 0.3."""
_POINTS_A_TURN = 10
"""Off bunkers, walls and trenches, all arms together."""
FACES = range(1, 7)
MOST = 99
"""More points than a roll brings."""


def to_come(state: State) -> float:
    """Squads that have been lost and will be lost, with what the agenda holds in store; good for
    comparing two ways to go on, and for nothing else."""
    if state.over:
        return state.casualties
    left = state.defences
    turns = sum(left[name] for name in POINT) / _POINTS_A_TURN
    total = sum(each * left[name] for name, each in POINT.items())
    total += _WIRE * left["wire"] if left["bunkers"] else 0
    total += (_DITCH * left["ditches"]) + _MINE * left["mines"]
    total += _TRAPS_A_TURN * turns * left["traps"] + _SQUAD_A_TURN * turns * state.squads
    total += _CRAFT * min(1, state.craft_hit)
    total += turns * _without(state.tanks)
    total += sum(_pending(state, task, turns) for task in state.agenda)
    return state.casualties + _share(state) * total


def _without(tanks: tuple[TankId, ...]) -> float:
    """What tanks save in a turn, as a loss."""
    avre = tanks.count("bridge") + tanks.count("fascine")
    sorts = (
        (tanks.count("gun"), _GUN_A_TURN),
        (avre, _AVRE_A_TURN),
        (tanks.count("crab"), _CRAB_A_TURN),
    )
    return -sum(each * (1 + _SECOND * (count > 1)) for count, each in sorts if count)


def _pending(state: State, task: AnyTask, turns: float) -> float:
    """What is known to come of a task, on average."""
    match task, state.step_of(task):
        case LoseTank(), _:
            tanks, now = state.losable(task), _without(state.tanks)
            losses = [_without(_less(state.tanks, one)) - now for one in tanks]
            return turns * sum(losses) / len(tanks) if tanks else 0.0
        case Kind(), _:
            return _landing(state, turns)
        case Crater(), Remove() as step:
            return _DITCH * _mean(step.craters[task.target], MOST)
        case Spend(), _:
            return -max(POINT.values()) * task.points
        case Outcome(), Table() as step:
            row = step.row[task.row]
            if row.kill:  # lost for certain, and not to be lost later
                killed = 1 / _share(state) - _SQUAD_A_TURN * turns
                return killed * _mean(row.kill, state.squads)
            if row.remove:
                return -max(POINT.values()) * _mean(row.remove, sum(state.defences.values()))
    return 0.0


def _share(state: State) -> float:
    """What the beach counts for beside squads that are lost now."""
    return 1.0 if state.deck is None else _WITH_CARDS


@lru_cache(maxsize=512)
def _mean(spec: str, most: int) -> float:
    """The average of a roll that counts from 0 up to ``most``."""
    printed = dice(spec)
    totals = [sum(faces) + printed.plus for faces in product(FACES, repeat=printed.count)]
    return sum(min(most, max(0, total)) for total in totals) / len(totals)


def _less(tanks: tuple[TankId, ...], one: TankId) -> tuple[TankId, ...]:
    place = tanks.index(one)
    return (*tanks[:place], *tanks[place + 1 :])


def _landing(state: State, turns: float) -> float:
    """A tank whose kind is not yet known."""
    kinds = state.setup.ruleset.tank
    faces = sum(len(one.faces) for one in kinds)
    now, found = _without(state.tanks), 0.0
    for kind in kinds:
        landed = state.setup.landed_as(kind.id)
        if landed is not None:
            more = _without((*state.tanks, landed)) - now
            found += turns * more * len(kind.faces) / faces
    return found


# ------------------------------------------------------------------ cards


class Use(msgspec.Struct, frozen=True):
    order: PlayCard
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
        if after < now and order.playable(state)
    ]
    return sorted(found, key=lambda use: -use.gain)


def _tries(state: State) -> Iterator[tuple[PlayCard, float]]:
    assert state.roll is not None
    ranks = {card.rank: card for card in reversed(state.hand)}  # suits make no difference
    for card in reversed(ranks.values()):
        printed = state.setup.ruleset.card_of(card)
        match printed.does:
            case "draw":
                continue
            case "repeat":
                if PlayCard(card=card).playable(state):
                    yield PlayCard(card=card), _expected(state) - phase_again(state)
            case _:
                for die in _distinct_dice(state.roll, printed):
                    ways = [_expected(one) for one in _with_card(state, card, die)]
                    yield PlayCard(card=card, die=die), sum(ways) / len(ways)


def _distinct_dice(roll: Roll, card: Card) -> list[int]:
    """Dice on which the card may do different things."""
    if card.shifts or not roll.faces:
        return [0]
    return [die for die, face in enumerate(roll.faces) if face not in roll.faces[:die]]


def _with_card(state: State, card: Draw, die: int) -> list[State]:
    """The states after a card on a roll, all as likely: six for a Colonel. Nothing is drawn."""
    roll = state.roll
    assert roll is not None
    hand = tuple(one for one in state.hand if one != card)
    plays = [Played(card, die)]
    if state.setup.ruleset.card_of(card).does == "reroll":
        every = state.ruled("B22", "all")
        rolls = _spread(roll.dice) if every else [(face,) for face in FACES]
        plays = [Played(card, die, faces) for faces in rolls]
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
    rolls = [roll] if roll.faces else [replace(roll, faces=one) for one in _spread(roll.dice)]
    found = [to_come(_settled(replace(state, roll=one))) for one in rolls]
    return sum(found) / len(found)


def _settled(state: State) -> State:
    run = Resolution(state)
    run.settle()
    return run.state


def phase_again(state: State) -> float:
    """Squads saved if the phase were played once more after the roll on the table."""
    after = _settled(state)
    if after.over or state.now.side == "german":
        return 0.0
    after = replace(after, agenda=())
    return sum(_step_again(after, number) for number in range(len(state.now.step)))


def _step_again(state: State, number: int) -> float:
    step, target = state.now.step[number], None
    if isinstance(step, Remove):
        open_ = state.is_open(state.now, step)
        targets = state.targets_of(state.now, step) if open_ else ()
        if not targets:
            return 0.0
        target = aim(BETTER, state, TargetAsk(targets=targets))
    printed = dice(state.spec_of(step))
    roll = Roll(
        task=Throw(step=number, target=target),
        dice=printed.count,
        plus=printed.plus,
        modifiers=state.modifiers(step.modifiers),
    )
    return to_come(state) - _expected(replace(state, roll=roll, agenda=(roll.task,)))
