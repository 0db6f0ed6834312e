"""What a beach is expected to cost: the squads lost so far and those still to be lost.

The numbers were fitted to 370,000 ends of games under the best plan (least squares), as
``docs/beach-head.md`` describes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from skirmish.games.beach_head.pending import BeachTask
from skirmish.games.beach_head.ruleset import DefenceId, ResultRow, TankId, dice_of
from skirmish.games.beach_head.simulate.policy import NO_LIMIT
from skirmish.games.beach_head.state import BeachState

_COST_A_POINT: dict[DefenceId, float] = {"bunkers": 0.53, "walls": 0.47, "trenches": 0.53}
"""Squads lost per remaining point of each defence that must fall or bars the way."""
_COST_OF_WIRE = 0.33
"""Squads lost per remaining point of wire, while it protects bunkers."""
_COST_OF_DITCHES = 0.07
"""Squads lost per remaining point of ditches."""
_COST_OF_MINES = 0.02
"""Squads lost per remaining point of mines."""
_COST_OF_TRAPS_A_TURN = 0.03
"""Squads lost per remaining point of traps and turn to come: they hinder the landing."""
_COST_OF_SQUAD_A_TURN = 0.03
"""Squads lost per squad ashore and turn to come: more stand there to be hit."""
_SAVED_BY_GUN_A_TURN = 0.33
"""Squads saved per turn to come by the first gun tank."""
_SAVED_BY_AVRE_A_TURN = 0.36
"""Squads saved per turn to come by the first AVRE of either kind."""
_SAVED_BY_CRAB_A_TURN = 0.1
"""Squads saved per turn to come by the first flail tank."""
_SHARE_OF_SECOND_TANK = 0.3
"""The share of its value that a second tank of a kind adds; a third adds nothing."""
_COST_OF_CRAFT_HIT = 1.2
"""Squads lost per landing craft hit: fewer tanks, less fire, but fewer squads too."""
_FACTOR_WITH_CARDS = 0.5
"""The factor for all costs that are still to come in a game with cards, which soften them; of 1,
0.7, 0.5, 0.4 and 0.3 it was 0.5 that had the fewest casualties."""
_POINTS_A_TURN = 10
"""Points that all arms together remove from bunkers, walls and trenches in a turn, about: from it
follows how many turns are to come."""
FACES = range(1, 7)
"""The faces of a die."""


def cost(state: BeachState) -> float:
    """Squads lost so far and expected to be lost from now on. It is only good for comparing two
    continuations of a game: what both have in common may be left out."""
    if state.over:
        return state.casualties
    left = state.defences
    points_to_remove = sum(left[name] for name in _COST_A_POINT)
    # The number of turns still to come, a fraction included.
    turns = points_to_remove / _POINTS_A_TURN
    # The squads still to be lost.
    to_come = math.fsum(squads * left[name] for name, squads in _COST_A_POINT.items())
    if left["bunkers"]:
        to_come += _COST_OF_WIRE * left["wire"]
    to_come += _COST_OF_DITCHES * left["ditches"] + _COST_OF_MINES * left["mines"]
    cost_of_traps = _COST_OF_TRAPS_A_TURN * turns * left["traps"]
    cost_of_squads = _COST_OF_SQUAD_A_TURN * turns * state.squads
    to_come += cost_of_traps + cost_of_squads
    if state.craft_hit:  # a second hit costs nothing more, as B6 is answered by default
        to_come += _COST_OF_CRAFT_HIT
    to_come -= turns * _tank_savings(state.tanks)
    to_come += math.fsum(_cost_of_task(state, task, turns) for task in state.agenda)
    return state.casualties + _factor_of_cards(state) * to_come


def _tank_savings(tanks: tuple[TankId, ...]) -> float:
    """Squads saved per turn by the tanks ashore."""
    counts_and_values = (
        (tanks.count("gun"), _SAVED_BY_GUN_A_TURN),
        # AVREs carry a bridge or a fascine.
        (tanks.count("bridge") + tanks.count("fascine"), _SAVED_BY_AVRE_A_TURN),
        # The Crab is the flail tank.
        (tanks.count("crab"), _SAVED_BY_CRAB_A_TURN),
    )
    savings = []
    for count, value in counts_and_values:
        if count == 1:
            savings.append(value)
        elif count > 1:
            savings.append(value * (1 + _SHARE_OF_SECOND_TANK))
    return math.fsum(savings)


def _cost_of_task(state: BeachState, task: BeachTask, turns: float) -> float:
    """The squads that a task of the agenda is expected to cost (below 0: to save), before the
    ``_factor_of_cards``. 0 for a task that all continuations have in common, such as a step whose
    dice are still to be thrown."""
    step = state.step_of(task)
    match task.what:
        case "lose_tank":
            return turns * _average_saving_lost(_tanks_after_loss(state, task), state.tanks)
        case "kind":
            return turns * _average_saving_lost(_tanks_after_landing(state), state.tanks)
        case "crater" if task.target:
            return _COST_OF_DITCHES * _average_roll(step.craters[task.target], NO_LIMIT)
        case "spend":
            # Their target is not chosen yet: they go where a point is worth most.
            return -max(_COST_A_POINT.values()) * task.points
        case "outcome":
            return _cost_of_row(state, step.row[task.row], turns)
    return 0.0


def _cost_of_row(state: BeachState, row: ResultRow, turns: float) -> float:
    """The squads that a row of a table is expected to cost; below 0 what it saves, as for points
    removed, which are taken to go where a point is worth most."""
    if row.kill:
        # No card softens what is killed now: dividing by the factor of cards takes back that
        # ``cost`` multiplies by it. And squads that are dead cannot be hit in later turns.
        cost_of_a_squad = 1 / _factor_of_cards(state) - _COST_OF_SQUAD_A_TURN * turns
        return cost_of_a_squad * _average_roll(row.kill, state.squads)
    if row.remove:
        points_left = sum(state.defences.values())
        return -max(_COST_A_POINT.values()) * _average_roll(row.remove, points_left)
    return 0.0


def _tanks_after_loss(state: BeachState, task: BeachTask) -> list[tuple[TankId, ...]]:
    """The tanks ashore after each way in which one may be lost."""
    ways = []
    for kind in state.tanks_to_lose(task):
        tanks = list(state.tanks)
        tanks.remove(kind)
        ways.append(tuple(tanks))
    return ways


def _tanks_after_landing(state: BeachState) -> list[tuple[TankId, ...]]:
    """The tanks ashore after each face of the die for a tank's type."""
    ways = []
    for face in FACES:
        kind = state.setup.landed_as(state.ruleset.tank_by_face(face).id)
        if kind is None:
            ways.append(state.tanks)
        else:
            ways.append((*state.tanks, kind))
    return ways


def _average_saving_lost(
    outcomes: Sequence[tuple[TankId, ...]], ashore: tuple[TankId, ...]
) -> float:
    """How many squads a turn are no longer saved after a change of the tanks ``ashore``, on average
    over its equally likely ``outcomes``, each the tanks that are ashore then. Below 0 where a tank
    lands; 0 if there is no outcome."""
    if not outcomes:
        return 0.0
    saved = _tank_savings(ashore)
    return sum(saved - _tank_savings(afterwards) for afterwards in outcomes) / len(outcomes)


def _factor_of_cards(state: BeachState) -> float:
    """The factor for all costs that are still to come: cards soften them."""
    if state.deck is None:
        return 1.0
    return _FACTOR_WITH_CARDS


@lru_cache(maxsize=512)
def _average_roll(spec: str, most: int) -> float:
    """The average of a roll. A total below 0 counts as 0, one above ``most`` as ``most``."""
    count, plus = dice_of(spec)
    totals = []
    for faces in product(FACES, repeat=count):
        total = sum(faces) + plus
        totals.append(min(most, max(0, total)))
    return sum(totals) / len(totals)
