"""Whole games by the game itself: the plain reference that the simulator is measured against."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from skirmish import library
from skirmish.games.beach_head import orders
from skirmish.games.beach_head.events import BeachOpened
from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.chance import Source


def game(seed: int, rulings: Mapping[str, str] | None = None) -> BeachState:
    """A game at its opening, without cards."""
    setup = library.beach().setup(rulings=dict(rulings or {}), dice=Source("die", seed))
    return BeachOpened(setup=setup).apply(None)


def step(state: BeachState, chance: Random) -> BeachState:
    """The state after the next order; choices are by lot."""
    match state.ask:
        case BeachAsk(what="target", targets=targets):
            order: orders.BeachOrder = orders.ChooseTarget(target=chance.choice(targets))
        case BeachAsk(what="tank", kinds=kinds):
            order = orders.GiveTank(tank=chance.choice(kinds))
        case _:
            order = orders.Go()
    for event in order.decide(state):
        state = event.apply(state)
    return state


def to_the_end(state: BeachState, seed: int) -> BeachState:
    """The rest of a game, with other dice than its own."""
    state, chance = replace(state, dice=Source("die", seed)), Random(seed)
    while not state.over:
        state = step(state, chance)
    return state
