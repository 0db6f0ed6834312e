"""What the commander fights for: his aims, what breaking a side and each loss are worth, and how
much time is left."""

from __future__ import annotations

from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import beating_loss
from skirmish.games.plastic.commander.aims import Aims, aims_of
from skirmish.games.plastic.commander.plan_maker import LAST_TURN_WITHOUT_CLOCK
from skirmish.games.plastic.commander.stakes import Force, Stakes, stakes_of_break

MOST_RISE_IN_WORTH = 4
"""Shortly before a side breaks, each loss is worth at most so many times what it is at first. Our
choice."""


def aims_of_side(state: State, side: str) -> Aims:
    """What a side wants: victory by the scenario, or (in the basic game) to break the enemy."""
    setup = state.setup
    if setup.scenario is not None:
        forces = {side_id: Force(counts) for side_id, counts in setup.fielded.items()}
        return aims_of(setup.scenario, side, forces, setup.catalog)
    stakes = _stakes_of_break(setup, setup.enemy_of(side).id)
    return Aims(attacks=True, objectives=(), stakes=stakes)


def _stakes_of_break(setup: Setup, side: str) -> Stakes:
    """What breaking a side is worth. It breaks at "half of the starting force" ("The Basic
    Game")."""
    strength = 0
    for unit, count in setup.fielded[side].items():
        strength += count * setup.catalog.strength_of(setup.unit(unit))
    forces = [Force(counts) for counts in setup.fielded.values()]
    return stakes_of_break(forces, setup.catalog, strength // 2)


def added_worth_of_loss(state: State, side: str) -> float:
    """What the loss of one potential dead guy of a side is worth beyond its price, in points: the
    stake of the battle, shared out among those who can still be lost before the side breaks. Near
    its break point each is worth up to ``MOST_RISE_IN_WORTH`` times as much as at the start, but
    never the whole stake: the commander cannot choose who falls last. 0 for a side that does not
    break."""
    limit = beating_loss(state, side)
    if limit is None:
        return 0.0
    losses_left = limit - state.loss.get(side, 0)
    # At least 1: the break point of a tiny force may be smaller than ``MOST_RISE_IN_WORTH``.
    shared_by = max(losses_left, limit / MOST_RISE_IN_WORTH, 1)
    return _stakes_of_break(state.setup, side).points / shared_by


def turns_left(state: State) -> int:
    """Game turns to the end of the battle, including this one; at least 1, since players may go on
    beyond the end."""
    # Where no turn ends the battle, it is planned for as if it ended after this many turns.
    last = LAST_TURN_WITHOUT_CLOCK
    if state.setup.ends_after is not None:
        last = state.setup.ends_after.turn
    return max(1, last - state.clock.turn + 1)
