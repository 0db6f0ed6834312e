"""A whole game played by a policy, order by order, as a player would give them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

from skirmish.games.beach_head.decide import decide
from skirmish.games.beach_head.evolve import evolve
from skirmish.games.beach_head.policies import Policy
from skirmish.games.beach_head.record import BeachPlay, opening, scribe
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.simulate.tally import Spread, Tally
from skirmish.games.beach_head.state import State

MOST_ORDERS = 20_000
"""A game that takes more will not end."""


def play_out(setup: Setup, policy: Policy, seed: int) -> State:
    """The end of a game. ``seed`` is for choices; dice and cards have their own in ``setup``."""
    (opened,) = opening(setup).events
    return play_on(evolve(None, opened), policy, seed)


def play_on(state: State, policy: Policy, seed: int) -> State:
    """The end of a game in progress. Raises ValueError (a sentence) where it cannot be played."""
    chance = Random(seed)
    for _ in range(MOST_ORDERS):
        if state.over:
            return state
        for event in decide(state, policy.order(state, chance)):
            state = evolve(state, event)
    raise ValueError(_ENDLESS.format(policy.name))


def played(setup: Setup, policy: Policy, seed: int) -> BeachPlay:
    """The same game with its journal."""
    chance = Random(seed)
    play: BeachPlay = scribe.play([opening(setup)])
    while not play.state.over:
        play.accept(play.consider(policy.order(play.state, chance)))
        if len(play.entries) > MOST_ORDERS:
            raise ValueError(_ENDLESS.format(policy.name))
    return play


_ENDLESS = f"After {MOST_ORDERS} orders of the policy {{}} the game is not over."


def tally_of(states: Iterable[State]) -> Tally:
    """Finished games, counted as the simulator counts its own."""
    games = list(states)
    return Tally(
        casualties=_spread([state.casualties for state in games]),
        turns=_spread([state.turn for state in games]),
        alive=_spread([state.squads for state in games]),
    )


def _spread(values: list[int]) -> Spread:
    counts = Counter(values)
    return Spread(tuple(counts[value] for value in range(max(values, default=-1) + 1)))
