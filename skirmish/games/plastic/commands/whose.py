"""Which side a command or an order belongs to, for players with a page of their own."""

from __future__ import annotations

from skirmish.games.plastic.battle import orders
from skirmish.games.plastic.battle.agenda import OutcomeAsk, RepeatAsk, ToJudge
from skirmish.games.plastic.battle.names import piece_side, row_side
from skirmish.games.plastic.battle.orders import AnyOrder
from skirmish.games.plastic.battle.orders.firing import fires_in_own_turn
from skirmish.games.plastic.battle.rows import rows
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.commands import DECLARED
from skirmish.games.plastic.commands.sides import MOVEMENT, AnyCommand
from skirmish.tabletop.commands import Command

Whose = tuple[str, ...]
WHEN = {declared.verb: declared.order.when for declared in DECLARED}
"""When the order of a command can be given, by its verb."""
OWN = ("lost", "men_back", "pins", "reveal", "leave_gun", "note", "seal", "phase")
"""Commands of both sides, each with its own rows."""


def sides_of(state: State, given: AnyCommand | AnyOrder) -> Whose:
    """The sides that may begin a command or give an order; none: only the table may."""
    return _of_command(state, given) if isinstance(given, Command) else _of_order(state, given)


def cuts_off(state: State, given: AnyCommand | AnyOrder) -> bool:
    """The end of a phase or turn settles open questions as proposed, and leaves no time for what
    the other side has begun. An offer to fire again is declined by whatever is no answer."""
    when = WHEN.get(given.verb, "at rest") if isinstance(given, Command) else given.when
    if isinstance(state.ask, RepeatAsk):
        return when not in ("answer", "always")
    return when == "clock"


def _of_command(state: State, command: AnyCommand) -> Whose:
    mover, fires = state.mover, state.firing_side
    shot_at = state.setup.enemy_of(fires).id
    if not (command.verb or command.key):
        return _asked(state)
    match command.verb:
        case "draw" if command.topic == "mode draft":
            return _fire(state)
        case "draw" | "step_back":
            return _asked(state)
        case "tally":
            return (fires,)
        case "judge_again":
            return _fired(state) or (fires,)
        case "pin_test":
            return (shot_at,)
        case "end_turn":
            return (mover,)
        case verb if verb in OWN:
            return _both(state)
        case _:
            return (mover,) if command.group == MOVEMENT else ()


def _fired(state: State) -> Whose:
    """The sides whose shots can be judged again."""
    shots = [one.shot for one in (*state.all_judged, *state.all_counts)]
    return tuple(dict.fromkeys(piece_side(shot.piece) for shot in shots))


def _fire(state: State) -> Whose:
    own_turn = any(fires_in_own_turn(state, row) for row in rows(state, state.mover))
    return _both(state) if own_turn else (state.firing_side,)


def _of_order(state: State, order: AnyOrder) -> Whose:
    match order:
        case orders.Fire():
            return (row_side(order.shooter),)
        case orders.Rejudge():
            return _shooter(state, order.shot)
        case orders.CountHits():
            return _shooter(state, order.anew)
        case orders.Finish() | orders.Count() if isinstance(state.ask, OutcomeAsk):
            return _both(state)
        case orders.Again() | orders.Hold() | orders.Show() | orders.Retype() | orders.Give():
            return _asked(state)
        case orders.Point() | orders.Inside() | orders.ChooseResult():
            return _asked(state)
        case orders.PinTest() | orders.Dig() | orders.ClearWire() | orders.Seal() | orders.Unseal():
            return (order.side,)
        case orders.MarkPinned() | orders.Exit() | orders.Serve() | orders.Reveal():
            return (row_side(order.row),)
        case orders.Convert() | orders.Correct() | orders.Add():
            return (row_side(order.row),)
        case orders.Load() | orders.Unload():
            return (row_side(order.carrier),)
        case orders.Enter():
            known = (one for one in state.setup.contingents if one.id == order.contingent)
            return tuple(one.side for one in known)
        case orders.EndPhase() | orders.AddNote():
            return _both(state)
        case orders.GroupMoved() | orders.CallTable() | orders.EndTurn():
            return (state.mover,)
    return ()


def _asked(state: State) -> Whose:
    """Whose answer the open question or offer wants."""
    return state.ask.sides(state.setup) if state.ask is not None else ()


def _shooter(state: State, shot: int) -> Whose:
    """Whose shot it was; 0: the one that waits for draws."""
    of_turn = (*state.judged_in_turn_of(shot), *state.counts_in_turn_of(shot))
    shots = [one.shot for one in of_turn if one.shot.id == shot]
    waiting = [task.shot for task in state.agenda[:1] if isinstance(task, ToJudge)]
    return tuple(piece_side(one.piece) for one in (shots if shot else waiting)[:1])


def _both(state: State) -> Whose:
    return tuple(side.id for side in state.setup.sides)
