"""Which side a command or an order belongs to, for players with a page of their own.

Every order knows it (``Order.given_by``, ``Order.begun_by``). A command that has not become an
order yet belongs to those who may give the order that it will be.
"""

from __future__ import annotations

from skirmish.games.plastic.battle.agenda import RepeatAsk
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.firing import fires_in_own_turn
from skirmish.games.plastic.battle.orders.resolution import Begun, asked_sides, both_sides
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands import DECLARED
from skirmish.games.plastic.commands.commanding import commander_says, who_may_ask
from skirmish.games.plastic.commands.declaring import MOVEMENT, AnyCommand
from skirmish.tabletop.commands import Command

Whose = tuple[str, ...]
"""The ids of sides, none of which has to wait for the other."""
ORDER_BY_VERB = {declared.verb: declared.order for declared in DECLARED}
"""The kind of order that a command gives, by its verb."""


def sides_of(state: State, given: AnyCommand | AnyOrder) -> Whose:
    """The sides that may begin a command or give an order; none: only the table may."""
    if isinstance(given, Command):
        return _sides_of_command(state, given)
    return given.given_by(state)


def cuts_off(state: State, given: AnyCommand | AnyOrder) -> bool:
    """Whether a command or an order that is ``given`` takes away what the other side was doing. The
    end of a phase or turn settles open questions as proposed, and leaves no time for what the other
    side has begun. An offer to fire again is declined by whatever is no answer."""
    # When an order may be given, as its kind says. A command without an order of its own, as a shot
    # that is put together, is given at rest.
    when = "at rest"
    if not isinstance(given, Command):
        when = given.when
    elif given.verb in ORDER_BY_VERB:
        when = ORDER_BY_VERB[given.verb].when
    if isinstance(state.ask, RepeatAsk):
        return when not in ("answer", "always")
    return when == "clock"


def _sides_of_command(state: State, command: AnyCommand) -> Whose:
    """The sides that may begin a command."""
    # The prompts of ``asked`` have neither a verb nor a key, since nobody begins them.
    is_question = not command.verb and not command.key
    if is_question or command.verb == "step_back":
        return asked_sides(state)
    if command.verb == "draw":  # Space draws for a shot that is put together, or for a question
        if command.topic == "mode draft":
            return _who_may_fire(state)
        return asked_sides(state)
    if command.verb == "judge_again":
        return _who_has_fired(state) or (state.firing_side,)
    if command.verb == commander_says.verb:
        return who_may_ask(state)
    if command.verb in ORDER_BY_VERB:
        return _who_begins(state, ORDER_BY_VERB[command.verb].begun_by)
    # What has no kind of order of its own here: Enter, which brings on a wave.
    if command.group == MOVEMENT:
        return (state.mover,)
    return ()


def _who_begins(state: State, begun_by: Begun) -> Whose:
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
    """The side that fires in this phase, and the mover if he has what fires in its own turn."""
    if any(fires_in_own_turn(state, row) for row in rows(state, state.mover)):
        return both_sides(state)
    return (state.firing_side,)
