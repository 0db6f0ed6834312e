"""Which side a command or an order belongs to, for players with a page of their own.

An order says it itself (``Order.given_by``). A command that has not become an order yet belongs to
those who may give an order of its kind (``Order.begun_by``).
"""

from __future__ import annotations

from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.fire_advice import fires_in_own_turn
from skirmish.games.plastic.battle.orders.resolution import (
    BegunBy,
    WhenGiven,
    asked_sides,
    both_sides,
)
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands import DECLARED
from skirmish.games.plastic.commands.commanding import commander_says, who_may_ask
from skirmish.games.plastic.commands.declaring import MOVEMENT, AnyCommand
from skirmish.games.plastic.commands.shots.command import TOPIC_OF_SHOTS
from skirmish.tabletop.commands import Command

Whose = tuple[str, ...]
"""The ids of the sides that may do something, none of which has to wait for the other."""
ORDER_BY_VERB = {declared.verb: declared.order for declared in DECLARED}
"""The kind of order that a command gives, by the verb of the command."""


def sides_of(state: State, command_or_order: AnyCommand | AnyOrder) -> Whose:
    """The sides that may begin a command or give an order; none: only those who play at the table
    itself."""
    if isinstance(command_or_order, Command):
        return _sides_of_command(state, command_or_order)
    return command_or_order.given_by(state)


def cuts_off(state: State, command_or_order: AnyCommand | AnyOrder) -> bool:
    """Whether a command or an order takes away what the other side is doing."""
    when = _when_given(command_or_order)
    # Whatever is no answer declines an offer to fire again.
    if isinstance(state.ask, RepeatAsk):
        return when not in ("answer", "always")
    # The end of a phase or turn settles open questions as proposed, and leaves no time for what the
    # other side has begun.
    return when == "clock"


def _when_given(command_or_order: AnyCommand | AnyOrder) -> WhenGiven:
    """When a command or an order may be given (``Order.when``)."""
    if not isinstance(command_or_order, Command):
        return command_or_order.when
    command = command_or_order
    if command.verb in ORDER_BY_VERB:
        return ORDER_BY_VERB[command.verb].when
    # A shot and what else has no kind of order of its own needs a battle at rest.
    return "at rest"


def _sides_of_command(state: State, command: AnyCommand) -> Whose:
    """The sides that may begin a command."""
    # A question of the game (``asked``) has neither a verb nor a key, since nobody begins it.
    is_question = not command.verb and not command.key
    if is_question or command.verb == "step_back":
        return asked_sides(state)
    if command.verb == "draw":
        # Space draws for a shot that players put together, or answers a question for a draw.
        if command.topic == TOPIC_OF_SHOTS:
            return _who_may_fire(state)
        return asked_sides(state)
    if command.verb == "judge_again":
        # Before the first shot, it is for those who can fire it.
        return _who_has_fired(state) or (state.firing_side,)
    if command.verb == commander_says.verb:
        return who_may_ask(state)
    if command.verb in ORDER_BY_VERB:
        return _who_begins(state, ORDER_BY_VERB[command.verb].begun_by)
    # Enter, which brings on a wave, is not among the declared commands.
    if command.group == MOVEMENT:
        return (state.mover,)
    return ()


def _who_begins(state: State, begun_by: BegunBy) -> Whose:
    """The sides that ``Order.begun_by`` means now."""
    match begun_by:
        case "mover":
            return (state.mover,)
        case "both sides":
            return both_sides(state)
        case "who fires":
            return (state.firing_side,)
        case "who is shot at":
            return (state.setup.enemy_of(state.firing_side).id,)
        case "table":
            return ()


def _who_has_fired(state: State) -> Whose:
    """The sides whose shots can be judged again."""
    sides: dict[str, None] = {}  # a set that keeps the order
    for verdict in (*state.all_judged, *state.all_counts):
        sides[piece_side(verdict.shot.piece)] = None
    return tuple(sides)


def _who_may_fire(state: State) -> Whose:
    """The side that fires in this phase, and the mover if some of his units fire in their own turn
    (P67)."""
    if any(fires_in_own_turn(state, row) for row in rows(state, state.mover)):
        return both_sides(state)
    return (state.firing_side,)
