"""Simulates the rest of a game in progress many times, without cards.

The game itself ends the current phase, for every way the dice can fall. The engines continue from
there, with a number of games in proportion to the probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from msgspec.structs import replace
from numpy.random import SeedSequence

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.orders import AnyOrder, Resolution
from skirmish.games.beach_head.policies import aim, give
from skirmish.games.beach_head.simulate.arrays import Numbers, Start
from skirmish.games.beach_head.simulate.engines import played
from skirmish.games.beach_head.simulate.policy import Plan, Policy
from skirmish.games.beach_head.simulate.programme import Programme, lowered, rows
from skirmish.games.beach_head.simulate.statistics import Tally, tallied
from skirmish.games.beach_head.state import Ask, State
from skirmish.tabletop.chance import Source

FACES = range(1, 7)


def from_state(state: State, games: int, seed: int, policy: Policy) -> Tally:
    """``games`` ends of this game; casualties are those of the whole game. The game's own coming
    dice are not looked at."""
    bare = _without_cards(state)
    programme = lowered(bare.setup)
    ways = list(_ways(bare, policy))
    counts = _shared_out(games, [weight for _, weight in ways], seed)
    batches: dict[Start | None, list[tuple[State, int]]] = {}
    for (way, _), count in zip(ways, counts, strict=True):
        if count:
            batches.setdefault(start_of(way), []).append((way, count))
    found = Tally()
    for number, (start, ends) in enumerate(batches.items()):
        matrix = np.concatenate([columns_of(programme, *one) for one in ends], axis=1)
        if start is not None:
            own = SeedSequence(seed, spawn_key=(number,))
            matrix = played(programme, matrix, policy, own, start=start)
        found += tallied(matrix, rows(programme))
    return found


def start_of(state: State) -> Start | None:
    """The starting point between two phases; None if the game is over."""
    if state.over:
        return None
    return Start(*state.following)


def columns_of(programme: Programme, state: State, count: int) -> Numbers:
    """The beach of a state ``count`` times, without its roll and cards."""
    at = rows(programme)
    column = np.zeros((at.every, 1), np.int16)
    for row, name in enumerate(programme.defences):
        column[row] = state.defences[name]  # type: ignore[index]
    for row, name in enumerate(programme.tanks, at.tanks):
        column[row] = state.tanks.count(name)
    column[at.squads] = state.squads
    column[at.casualties] = state.casualties
    column[at.tanks_lost] = state.tanks_lost
    column[at.craft] = state.craft_hit
    column[at.craft_before] = state.craft_hit_before
    column[at.traps_at_turn] = state.at_turn.defences["traps"]
    column[at.squads_at_turn] = state.at_turn.squads
    column[at.turn] = state.turn if state.over else 0
    return np.repeat(column, count, axis=1)


def _without_cards(state: State) -> State:
    """Drops the hand and the known dice."""
    return replace(
        state,
        hand=(),
        deck=None,
        discard=(),
        dice=Source("die", None),
        setup=replace(state.setup, cards=None),
        agenda=tuple(
            task for task in state.agenda if task.what not in ("fill", "exchange", "trim")
        ),
        ask=None if state.asks in ("cards", "exchange", "trim") else state.ask,
    )


def _ways(state: State, policy: Policy) -> Iterator[tuple[State, Fraction]]:
    """The states in which the phase can end, with their probabilities."""
    ended: dict[bytes, tuple[State, Fraction]] = {}
    open_yet = {_key(state): (state, Fraction(1))}
    while open_yet:  # merged at every step: seven tanks landing have 280,000 orders, but 120 ends
        following: dict[bytes, tuple[State, Fraction]] = {}
        for now, weight in open_yet.values():
            nexts = _nexts(now, policy)
            for one, share in nexts or [(now, Fraction(1))]:
                found, key = (following if nexts else ended), _key(one)
                before = found[key][1] if key in found else Fraction(0)
                found[key] = (one, before + weight * share)
        open_yet = following
    yield from ended.values()


def _key(state: State) -> bytes:
    return repr(
        (
            *(state.defences.values()), state.squads, sorted(state.tanks), state.casualties,
            state.craft_hit, state.agenda, state.over, state.turn, state.phase, state.roll,
            state.ask,
        )
    ).encode()  # fmt: skip


def _nexts(state: State, policy: Policy) -> list[tuple[State, Fraction]]:
    """The next states with their probabilities; none where the engines take over."""
    if state.over:
        return []
    if state.ask is not None:
        answers = list(_answers(state, policy))
        share = Fraction(1, len(answers))
        return [(one, share) for one in answers]
    run = Resolution(state)
    if state.roll is not None:
        run.settle() if state.roll.faces else run.throw()
    elif state.agenda:
        run.do(state.agenda[0])
    else:
        return []
    return [(run.state, Fraction(1))]


def _answers(state: State, policy: Policy) -> Iterator[State]:
    """The equally likely states after a question; a plan has one answer."""
    plan = policy if isinstance(policy, Plan) else None
    match state.ask:
        case Ask(what="dice", count=count, card=None):
            assert state.roll is not None
            for faces in product(FACES, repeat=count):
                yield replace(state, roll=replace(state.roll, faces=faces), ask=None)
        case Ask(what="dice", count=count):
            for faces in product(FACES, repeat=count):
                yield _then(state, orders.Show(faces=faces))
        case Ask(what="lot", sides=sides):
            for side in range(1, sides + 1):
                yield _then(state, orders.Show(faces=(side,)))
        case Ask(what="tank", kinds=kinds):
            for kind in (give(plan, kinds),) if plan else kinds:
                yield _then(state, orders.Give(tank=kind))
        case Ask(what="target") as ask:
            for target in (aim(plan, state, ask),) if plan else ask.targets:
                yield _then(state, orders.ChooseTarget(target=target))


def _then(state: State, order: AnyOrder) -> State:
    return order.carried_out(state).state


def _shared_out(games: int, weights: list[Fraction], seed: int) -> list[int]:
    """The games for each weight, rounded to less than one game off its exact share."""
    offset = float(np.random.default_rng(seed).random())
    found, upto, given = [], Fraction(0), 0
    for weight in weights:
        upto += weight
        reached = min(games, int(float(upto) * games + offset)) if upto < 1 else games
        found.append(reached - given)
        given = reached
    return found
