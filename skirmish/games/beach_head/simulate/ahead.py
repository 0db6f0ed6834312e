"""Simulates the rest of a game in progress many times, without cards.

The game itself ends the current phase, for every way the dice can fall. The engine continues from
there, with a number of games in proportion to the probability.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from msgspec.structs import replace
from numpy.random import SeedSequence

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.orders import BeachResolution
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
    ways = list(_ways(replace(state, dice=Source("die")), policy))
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
            beaches = play(state.setup, beaches, policy, own, start)
        found += tallied(beaches)
    return found


def _ways(state: BeachState, policy: Policy) -> Iterator[tuple[BeachState, Fraction]]:
    """The states in which the phase can end, with their probabilities."""
    ended: dict[bytes, tuple[BeachState, Fraction]] = {}
    open_yet = {_key(state): (state, Fraction(1))}
    while open_yet:  # merged at every step: seven tanks landing have 280,000 orders, but 120 ends
        following: dict[bytes, tuple[BeachState, Fraction]] = {}
        for now, weight in open_yet.values():
            nexts = list(_nexts(now, policy))
            found = following if nexts else ended
            for one in nexts or [now]:
                _, before = found.get(key := _key(one), (one, Fraction(0)))
                found[key] = (one, before + weight / max(1, len(nexts)))
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


def _nexts(state: BeachState, policy: Policy) -> Iterator[BeachState]:
    """The equally likely next states; none where the engine takes over. A plan has one answer to a
    question."""
    plan = policy if isinstance(policy, Plan) else None
    answers: Iterable[orders.BeachOrder] = ()
    match state.ask:
        case BeachAsk(what="dice", count=count):
            answers = (orders.ShowDice(faces=one) for one in product(FACES, repeat=count))
        case BeachAsk(what="lot", sides=sides):
            answers = (orders.ShowDice(faces=(side,)) for side in range(1, sides + 1))
        case BeachAsk(what="tank", kinds=kinds):
            kinds = (give(plan, kinds),) if plan else kinds
            answers = (orders.GiveTank(tank=one) for one in kinds)
        case BeachAsk(what="target", targets=targets) as ask:
            targets = (aim(plan, state, ask),) if plan else targets
            answers = (orders.ChooseTarget(target=one) for one in targets)
        case None if not state.over and (state.roll or state.agenda):
            run = BeachResolution(state)
            if state.roll is None:
                run.do(state.agenda[0])
            elif state.roll.faces:
                run.settle()
            else:
                run.throw()
            yield run.state
    yield from (order.carried_out(state).state for order in answers)


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
