"""The sequence of play: the end of a phase and of a player turn, and a clock set by hand."""

from __future__ import annotations

from typing import ClassVar

from skirmish.games.plastic.battle import ending, events
from skirmish.games.plastic.battle.orders.resolution import BegunBy, Order, Resolution, both_sides
from skirmish.games.plastic.battle.orders.tables import tables_and_charges_owed
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.tabletop.refusal import nonsense

LAST_PHASE = 4
"""The last phase of a player turn."""
HIGHEST_TURN = 999
"""The highest turn that can be typed."""
_NOT_VOID = "A phase or turn cannot be made void; T sets the clock."


class EndTurn(Order, frozen=True, tag="end_turn"):
    """The end of a player turn, and so of the battle if its time is up."""

    # With its type, since ``EndPhase`` has another value.
    begun_by: ClassVar[BegunBy] = "mover"
    when = "clock"
    why_never_void = _NOT_VOID

    def carry_out(self, run: Resolution) -> None:
        # An army breaks at once or, if P74 is ``end_of_phase``, only here and at the end of each
        # phase (``end_by_break_point`` looks that up).
        broken = ending.end_by_break_point(run.state, "end_of_phase")
        if broken is not None:
            run.emit(broken)
            return
        state = run.state
        following = _next_player_turn(state)
        # P24: after each game turn, or after the turn of each side.
        is_new_game_turn = following.turn != state.clock.turn
        if is_new_game_turn or state.setup.rulings["P24"] == "player_turn":
            _shuffle_all(run)
        # Decided before the clock goes on: a term with "by the end of turn 9" counts turn 9 in
        # full.
        end = ending.end_of_player_turn(state)
        if end is not None:
            run.emit(end)
            return
        # The next turn may begin with draws on a table of the scenario, or for charges. They are
        # part of this event, so that a battle that is closed and opened here still waits for them.
        then = tables_and_charges_owed(state, following.turn, following.side)
        run.emit(events.TurnEnded(clock=following, then=then))
        run.go_on()

    def given_by(self, state: State) -> tuple[str, ...]:
        return (state.mover,)


def _next_player_turn(state: State) -> Clock:
    """The start of the next player turn. A game turn is one turn of each side, and the same side
    moves first in all of them."""
    if state.clock.side == state.second_side:
        return Clock(state.clock.turn + 1, state.first, phase=1)
    return Clock(state.clock.turn, state.second_side, phase=1)


def _shuffle_all(run: Resolution) -> None:
    """Shuffles the decks, as is due "at the end of every turn" ("Equipment Needed"): full ones as
    well, since their cards may have been drawn, seen and taken back."""
    state = run.state
    # Where both sides draw from one deck, it is shuffled once.
    source_names = dict.fromkeys(state.source_of(side.id) for side in state.setup.sides)
    for name in source_names:
        if state.sources[name].kind == "deck":
            run.emit(events.Shuffled(source=name))


class EndPhase(EndTurn, frozen=True, tag="end_phase"):
    """The end of a phase; the end of the last phase ends the player turn."""

    begun_by = "both sides"

    def carry_out(self, run: Resolution) -> None:
        clock = run.state.clock
        # The last phase has no end of its own: after it the clock would stand between two turns.
        if clock.phase == LAST_PHASE:
            super().carry_out(run)
            return
        broken = ending.end_by_break_point(run.state, "end_of_phase")
        if broken is not None:
            run.emit(broken)
            return
        following = Clock(clock.turn, clock.side, clock.phase + 1)
        run.emit(events.PhaseEnded(clock=following))

    def given_by(self, state: State) -> tuple[str, ...]:
        return both_sides(state)


class SetClock(Order, frozen=True, kw_only=True, tag="set_clock"):
    """The clock is set to another turn, side or phase, where the program and the table differ."""

    when = "clock"
    why_never_void = _NOT_VOID

    turn: int
    side: str
    phase: int

    def carry_out(self, run: Resolution) -> None:
        # An unknown side is refused before this, as for every order with a field ``side``.
        if not 1 <= self.turn <= HIGHEST_TURN:
            raise nonsense("no_such_turn", f"Turns run from 1 to {HIGHEST_TURN}, not {self.turn}.")
        if not 1 <= self.phase <= LAST_PHASE:
            raise nonsense("no_such_phase", f"Phases run from 1 to {LAST_PHASE}, not {self.phase}.")
        run.emit(events.ClockSet(clock=Clock(self.turn, self.side, self.phase)))
