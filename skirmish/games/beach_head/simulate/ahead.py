"""Simulates the rest of a game in progress many times, without cards.

The game itself ends the current phase, for every way the dice can fall. The engine continues from
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
from skirmish.games.beach_head.orders import BeachOrder, BeachResolution
from skirmish.games.beach_head.policies import aim, give
from skirmish.games.beach_head.simulate.arrays import Beaches, beaches_of
from skirmish.games.beach_head.simulate.engine import play
from skirmish.games.beach_head.simulate.policy import Plan, Policy
from skirmish.games.beach_head.simulate.statistics import GamesTally, tallied
from skirmish.games.beach_head.state import BeachAsk, BeachState
from skirmish.tabletop.chance import Source

FACES = range(1, 7)


def from_state(state: BeachState, games: int, seed: int, policy: Policy) -> GamesTally:
    """``games`` ends of this game; casualties are those of the whole game. The game's own coming
    dice are not looked at."""
    bare = _without_cards(state)
    ways = list(_ways(bare, policy))
    counts = _shared_out(games, [weight for _, weight in ways], seed)
    batches: dict[tuple[int, int] | None, list[Beaches]] = {}
    for (way, _), count in zip(ways, counts, strict=True):
        if count:
            start = None if way.over else way.following
            batches.setdefault(start, []).append(beaches_of(way, count))
    found = GamesTally()
    for number, (start, parts) in enumerate(batches.items()):
        beaches = {name: np.concatenate([one[name] for one in parts]) for name in parts[0]}
        if start is not None:
            own = SeedSequence(seed, spawn_key=(number,))
            beaches = play(bare.setup, beaches, policy, own, start)
        found += tallied(beaches)
    return found


def _without_cards(state: BeachState) -> BeachState:
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


def _ways(state: BeachState, policy: Policy) -> Iterator[tuple[BeachState, Fraction]]:
    """The states in which the phase can end, with their probabilities."""
    ended: dict[bytes, tuple[BeachState, Fraction]] = {}
    open_yet = {_key(state): (state, Fraction(1))}
    while open_yet:  # merged at every step: seven tanks landing have 280,000 orders, but 120 ends
        following: dict[bytes, tuple[BeachState, Fraction]] = {}
        for now, weight in open_yet.values():
            nexts = _nexts(now, policy)
            for one, share in nexts or [(now, Fraction(1))]:
                found, key = (following if nexts else ended), _key(one)
                before = found[key][1] if key in found else Fraction(0)
                found[key] = (one, before + weight * share)
        open_yet = following
    yield from ended.values()


def _key(state: BeachState) -> bytes:
    return repr(
        (
            *(state.defences.values()), state.squads, sorted(state.tanks), state.casualties,
            state.craft_hit, state.agenda, state.over, state.turn, state.phase, state.roll,
            state.ask,
        )
    ).encode()  # fmt: skip


def _nexts(state: BeachState, policy: Policy) -> list[tuple[BeachState, Fraction]]:
    """The next states with their probabilities; none where the engine takes over."""
    if state.over:
        return []
    if state.ask is not None:
        answers = list(_answers(state, policy))
        share = Fraction(1, len(answers))
        return [(one, share) for one in answers]
    run = BeachResolution(state)
    if state.roll is not None:
        run.settle() if state.roll.faces else run.throw()
    elif state.agenda:
        run.do(state.agenda[0])
    else:
        return []
    return [(run.state, Fraction(1))]


def _answers(state: BeachState, policy: Policy) -> Iterator[BeachState]:
    """The equally likely states after a question; a plan has one answer."""
    plan = policy if isinstance(policy, Plan) else None
    match state.ask:
        case BeachAsk(what="dice", count=count, card=None):
            assert state.roll is not None
            for faces in product(FACES, repeat=count):
                yield replace(state, roll=replace(state.roll, faces=faces), ask=None)
        case BeachAsk(what="dice", count=count):
            for faces in product(FACES, repeat=count):
                yield _then(state, orders.ShowDice(faces=faces))
        case BeachAsk(what="lot", sides=sides):
            for side in range(1, sides + 1):
                yield _then(state, orders.ShowDice(faces=(side,)))
        case BeachAsk(what="tank", kinds=kinds):
            for kind in (give(plan, kinds),) if plan else kinds:
                yield _then(state, orders.GiveTank(tank=kind))
        case BeachAsk(what="target") as ask:
            for target in (aim(plan, state, ask),) if plan else ask.targets:
                yield _then(state, orders.ChooseTarget(target=target))


def _then(state: BeachState, order: BeachOrder) -> BeachState:
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
