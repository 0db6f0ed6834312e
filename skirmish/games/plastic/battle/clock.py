"""The sequence of play: phases, player turns, the shuffle at their end, the clock put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from skirmish.games.plastic.battle import tables, victory
from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import ClockSet, PhaseEnded, Shuffled, TurnEnded
from skirmish.games.plastic.battle.orders import SetClock
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.tabletop.refusal import nonsense

if TYPE_CHECKING:
    from skirmish.games.plastic.battle.resolve import Resolution

LAST_PHASE = 4
LAST_TURN = 999


def end_phase(run: Resolution) -> None:
    """On to the next phase, or to the other side's turn after the fourth."""
    clock = run.state.clock
    if clock.phase == LAST_PHASE:
        end_turn(run)
        return
    victory.at_end_of_phase(run)
    if run.state.outcome is None:
        run.emit(PhaseEnded(clock=Clock(clock.turn, clock.side, clock.phase + 1)))


def end_turn(run: Resolution) -> None:
    """Losses that beat an army (P74), the shuffle ("Equipment Needed", P24), the scenario's end,
    the next player turn with what it begins with."""
    victory.at_end_of_phase(run)
    if run.state.outcome is not None:
        return
    state = run.state
    following = after(state)
    if following.turn != state.clock.turn or state.setup.rulings["P24"] == "player_turn":
        # Untouched decks too: cards that were drawn and taken back have been seen.
        drawn_from = dict.fromkeys(state.source_of(side.id) for side in state.setup.sides)
        for name in drawn_from:
            if state.sources[name].kind == "deck":
                run.emit(Shuffled(source=name))
    if victory.time_is_up(state):
        victory.at_the_end(run)
        if run.state.outcome is not None or isinstance(run.state.ask, OutcomeAsk):
            return
    run.emit(TurnEnded(clock=following, then=tables.owed(state, following.turn, following.side)))
    run.go_on()


def after(state: State) -> Clock:
    """The player turn that follows."""
    clock = state.clock
    if clock.side == state.second:
        return Clock(clock.turn + 1, state.first, 1)
    return Clock(clock.turn, state.second, 1)


def set_clock(run: Resolution, order: SetClock) -> None:
    """Put the clock right; raises Refused for a moment that no clock shows."""
    state = run.state
    if order.side not in state.setup.side_by_id:
        raise nonsense("unknown_side", f"There is no side called {order.side!r}.")
    if not 1 <= order.turn <= LAST_TURN:
        raise nonsense("no_such_turn", f"Turns run from 1 to {LAST_TURN}, not {order.turn}.")
    if not 1 <= order.phase <= LAST_PHASE:
        raise nonsense("no_such_phase", f"Phases run from 1 to {LAST_PHASE}, not {order.phase}.")
    run.emit(ClockSet(clock=Clock(order.turn, order.side, order.phase)))
