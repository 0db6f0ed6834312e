"""Simulates the rest of a game in progress many times, without cards.

The game itself ends the current phase, for every way the dice can fall. The engine continues from
there, with a number of games in proportion to the probability.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.random import SeedSequence

from skirmish.games.beach_head import orders
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.phase_tasks import do_next_task
from skirmish.games.beach_head.plan_choices import planned_loss, planned_target
from skirmish.games.beach_head.resolution import BeachResolution
from skirmish.games.beach_head.settling import settle
from skirmish.games.beach_head.simulate.arrays import Beaches, beaches_of
from skirmish.games.beach_head.simulate.engine import play
from skirmish.games.beach_head.simulate.policy import Plan, Policy
from skirmish.games.beach_head.simulate.statistics import GamesTally, tallied
from skirmish.games.beach_head.state import BeachState, FollowingPhase
from skirmish.tabletop.chance import Source

FACES = range(1, 7)
"""The faces of a die."""
Weighted: TypeAlias = tuple[BeachState, Fraction]
"""A state in which the phase can end or go on, with its probability."""
StateKey: TypeAlias = tuple[object, ...]
"""What states that go on alike have in common, see ``_key``."""


def from_state(state: BeachState, games: int, seed: int, policy: Policy) -> GamesTally:
    """What comes of a game if it is played to its end so many times by a policy; casualties are
    those of the whole game. The game's own coming dice are not looked at."""
    # A source without a seed is the player's own: the game asks for each roll, and every answer is
    # followed.
    unknown_dice = Source("die")
    ends_of_phase = list(_ends_of_phase(replace(state, dice=unknown_dice), policy))
    counts = _shared_out(games, [probability for _, probability in ends_of_phase], seed)
    # Games that go on at the same phase are played together; those that are over have no start.
    batches: dict[FollowingPhase | None, list[Beaches]] = {}
    for (end_of_phase, _), count in zip(ends_of_phase, counts, strict=True):
        if count:
            start = None
            if not end_of_phase.over:
                start = end_of_phase.following
            batches.setdefault(start, []).append(beaches_of(end_of_phase, count))
    tally = GamesTally()
    for number, (start, parts) in enumerate(batches.items()):
        beaches = _joined(parts)
        if start is not None:
            own_seed = SeedSequence(seed, spawn_key=(number,))
            beaches = play(state.setup, beaches, policy, own_seed, start)
        tally += tallied(beaches)
    return tally


def _joined(parts: Sequence[Beaches]) -> Beaches:
    """The beaches of all parts behind one another."""
    beaches: Beaches = {}
    for name in parts[0]:
        beaches[name] = np.concatenate([part[name] for part in parts])
    return beaches


def _ends_of_phase(state: BeachState, policy: Policy) -> Iterator[Weighted]:
    """The states in which the phase can end, with their probabilities. Equal states are merged at
    every step: seven tanks landing have 280,000 orders, but 120 ends."""
    ended: dict[StateKey, Weighted] = {}
    still_open = {_key(state): (state, Fraction(1))}
    while still_open:
        next_open: dict[StateKey, Weighted] = {}
        for before, probability in still_open.values():
            next_states = list(_next_states(before, policy))
            if not next_states:
                _merge(ended, before, probability)
            for next_state in next_states:
                _merge(next_open, next_state, probability / len(next_states))
        still_open = next_open
    yield from ended.values()


def _merge(weighted: dict[StateKey, Weighted], state: BeachState, probability: Fraction) -> None:
    """Adds a state, with the probability of equal ones."""
    key = _key(state)
    _, probability_so_far = weighted.get(key, (state, Fraction(0)))
    weighted[key] = (state, probability_so_far + probability)


def _key(state: BeachState) -> StateKey:
    """Equal for states that go on alike; the order in which tanks landed makes no difference.
    Whatever else of a state bears on how it goes on must be added here."""
    return (
        *state.defences.values(),
        state.squads,
        tuple(sorted(state.tanks)),
        state.casualties,
        state.craft_hit,
        state.agenda,
        state.over,
        state.turn,
        state.phase,
        state.roll,
        state.ask,
    )


def _next_states(state: BeachState, policy: Policy) -> Iterator[BeachState]:
    """The equally likely next states; none where the engine takes over."""
    if state.ask is not None:
        for order in _answers(state, state.ask, policy):
            yield order.alone(state).state
    elif not state.over and (state.roll or state.agenda):
        yield _a_step_further(state)


def _answers(state: BeachState, ask: BeachAsk, policy: Policy) -> Iterator[orders.BeachOrder]:
    """The equally likely answers to a question: every way the dice can fall, and what the policy
    chooses. A plan has one choice; any other policy is taken to choose at random."""
    plan: Plan | None = None
    if isinstance(policy, Plan):
        plan = policy
    match ask.what:
        case "dice":
            for faces in product(FACES, repeat=ask.count):
                yield orders.ShowDice(faces=faces)
        case "lot":
            for side in range(1, ask.sides + 1):
                yield orders.ShowDice(faces=(side,))
        case "tank":
            kinds = ask.kinds
            if plan is not None:
                kinds = (planned_loss(plan, kinds),)
            for kind in kinds:
                yield orders.GiveTank(tank=kind)
        case "target":
            targets = ask.targets
            if plan is not None:
                targets = (planned_target(plan, state, ask),)
            for target in targets:
                yield orders.ChooseTarget(target=target)


def _a_step_further(state: BeachState) -> BeachState:
    """The first task is done, announced dice are asked for, or those that lie count."""
    run = BeachResolution(state)
    if state.roll is None:
        do_next_task(run)
    elif state.roll.faces:
        settle(run)
    else:
        run.throw_dice()
    return run.state


def _shared_out(games: int, probabilities: list[Fraction], seed: int) -> list[int]:
    """The games for each probability, rounded to less than one game off its exact share. The
    random offset makes every rounding fair."""
    offset = float(np.random.default_rng(seed).random())
    counts: list[int] = []
    sum_so_far, given_so_far = Fraction(0), 0
    for probability in probabilities:
        sum_so_far += probability
        # With the last probability all games are given, whatever the rounding.
        given = games
        if sum_so_far < 1:
            given = min(games, int(float(sum_so_far) * games + offset))
        counts.append(given - given_so_far)
        given_so_far = given
    return counts
