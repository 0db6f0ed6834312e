"""What a plan of the simulator chooses in a single game: a target, or the kind of tank to lose.

``simulate.policy`` has the plans, and applies them to many games at once.
"""

from __future__ import annotations

from skirmish.games.beach_head.pending import BeachAsk
from skirmish.games.beach_head.ruleset import DefenceId, TankId
from skirmish.games.beach_head.simulate.policy import NO_LIMIT, Plan, When
from skirmish.games.beach_head.state import BeachState


def planned_target(plan: Plan, state: BeachState, ask: BeachAsk) -> DefenceId:
    """The target that the plan chooses in one game; ``Plan.choose`` chooses it in many games at
    once. Raises ValueError where nothing stands."""
    standing = [name for name in ask.targets if state.defences[name]]
    for offer in plan.offers(state.present_phase.id, standing):
        if all(_holds(condition, state, ask) for condition in offer.conditions):
            return standing[offer.option]
    raise ValueError("the plan offers nothing, as nothing stands")


def _holds(condition: When, state: BeachState, ask: BeachAsk) -> bool:
    """Whether a condition of the plan is met in this game."""
    return condition.least <= _counted(condition.quantity, state, ask) <= condition.most


def _counted(quantity: str, state: BeachState, ask: BeachAsk) -> int:
    """The quantity that a condition of the plan is about, as ``Situation.counted`` has it for many
    games: the turn, squads, points to spend, points of a defence, or tanks of a kind."""
    match quantity:
        case "turn":
            return state.turn
        case "squads":
            return state.squads
        case "points":
            # Where the target is named before the die is rolled, nothing limits the points yet.
            if ask.points is None:
                return NO_LIMIT
            return ask.points
    for defence in state.ruleset.defence:
        if defence.id == quantity:
            return state.defences[defence.id]
    return state.tanks.count(quantity)


def planned_loss(plan: Plan, kinds: tuple[TankId, ...]) -> TankId:
    """The kind of tank that the plan gives up, of the ``kinds`` ashore (B13)."""
    for kind in plan.gives:
        if kind in kinds:
            return kind
    return kinds[0]
