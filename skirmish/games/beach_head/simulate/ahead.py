"""Simulates the rest of a game in progress many times, without cards.

The game itself plays the current phase to its end, for every way in which the dice can fall. The
engine continues from each of these ends, with a number of games in proportion to its probability.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

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
from skirmish.games.beach_head.simulate.tally import GamesTally, tallied
from skirmish.games.beach_head.state import BeachState, FollowingPhase
from skirmish.tabletop.chance import Source

FACES = range(1, 7)
"""The faces of a die."""
StateKey: TypeAlias = tuple[object, ...]
"""What states that go on alike have in common, see ``_key``."""


class WeightedState(NamedTuple):
    """A state that the phase can come to, with its probability."""

    state: BeachState
    probability: Fraction


def from_state(state: BeachState, games: int, seed: int, policy: Policy) -> GamesTally:
    """The tally of ``games`` games that go on from a state, played to their end by a policy. Their
    casualties are those of the whole game. The dice that the game would roll next are not used."""
    # A source without a seed is the player's own: the game asks for each roll, and every answer is
    # followed.
    unknown_dice = Source("die")
    ends_of_phase = list(_ends_of_phase(replace(state, dice=unknown_dice), policy))
    counts = _shared_out(games, [end.probability for end in ends_of_phase], seed)
    # Games that go on with the same phase are played together. Those that are over have no start.
    batches: dict[FollowingPhase | None, list[Beaches]] = {}
    for end, count in zip(ends_of_phase, counts, strict=True):
        if count:
            start = None
            if not end.state.over:
                start = end.state.following
            batches.setdefault(start, []).append(beaches_of(end.state, count))
    tally = GamesTally()
    for number, (start, parts) in enumerate(batches.items()):
        beaches = _joined(parts)
        if start is not None:
            batch_seed = SeedSequence(seed, spawn_key=(number,))
            beaches = play(state.setup, beaches, policy, batch_seed, start)
        tally += tallied(beaches)
    return tally


def _joined(parts: Sequence[Beaches]) -> Beaches:
    """The beaches of all parts, one part after another."""
    beaches: Beaches = {}
    for name in parts[0]:
        beaches[name] = np.concatenate([part[name] for part in parts])
    return beaches


def _ends_of_phase(state: BeachState, policy: Policy) -> Iterator[WeightedState]:
    """The states in which the phase can end, with their probabilities. Equal states are merged at
    every step: seven tanks can land in 280,000 orders, but these have only 120 ends."""
    ended: dict[StateKey, WeightedState] = {}
    still_open = {_key(state): WeightedState(state, Fraction(1))}
    while still_open:
        next_open: dict[StateKey, WeightedState] = {}
        for before, probability in still_open.values():
            next_states = list(_next_states(before, policy))
            if not next_states:
                _merge(ended, before, probability)
            for next_state in next_states:
                _merge(next_open, next_state, probability / len(next_states))
        still_open = next_open
    yield from ended.values()


def _merge(
    weighted: dict[StateKey, WeightedState], state: BeachState, probability: Fraction
) -> None:
    """Adds a state to those that there are, or its probability to that of its equal."""
    key = _key(state)
    if key in weighted:
        state = weighted[key].state
        probability += weighted[key].probability
    weighted[key] = WeightedState(state, probability)


def _key(state: BeachState) -> StateKey:
    """A key that is equal for states that go on alike: the order in which tanks landed, for one,
    makes no difference. Whatever bears on how a state goes on must be part of it."""
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
    """The next states, all equally likely; none where the phase is over and the engine takes
    over."""
    if state.ask is not None:
        for order in _answers(state, state.ask, policy):
            yield order.alone(state).state
    elif not state.over and (state.roll or state.agenda):
        yield _after_next_step(state)


def _answers(state: BeachState, ask: BeachAsk, policy: Policy) -> Iterator[orders.BeachOrder]:
    """The answers to a question, all equally likely: every way in which the dice can fall, or what
    the policy may choose. A plan makes one choice; any other policy is taken to choose at
    random."""
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


def _after_next_step(state: BeachState) -> BeachState:
    """The state after the next step. Without a roll on the table the first task is done; a roll is
    thrown if it has no faces yet, and otherwise it counts."""
    run = BeachResolution(state)
    if state.roll is None:
        do_next_task(run)
    elif state.roll.faces:
        settle(run)
    else:
        run.throw_dice()
    return run.state


def _shared_out(games: int, probabilities: list[Fraction], seed: int) -> list[int]:
    """The number of games for each probability, less than one game away from its exact share. The
    sums of games so far are rounded down after one random ``offset`` is added to all of them, so
    that no share is favoured."""
    offset = float(np.random.default_rng(seed).random())
    counts: list[int] = []
    probability_so_far, games_so_far = Fraction(0), 0
    for probability in probabilities:
        probability_so_far += probability
        # With the last probability, which makes the sum 1, all games are shared out, whatever the
        # rounding.
        games_up_to_here = games
        if probability_so_far < 1:
            games_up_to_here = min(games, int(float(probability_so_far) * games + offset))
        counts.append(games_up_to_here - games_so_far)
        games_so_far = games_up_to_here
    return counts
