"""The sequence of play: phases, player turns, the shuffle at their end, the clock put right; how a
battle is ended and goes on."""

from __future__ import annotations

from skirmish.games.plastic.battle import agenda, events, victory
from skirmish.games.plastic.battle.orders.draws import owed
from skirmish.games.plastic.battle.orders.resolution import Order, Resolution
from skirmish.games.plastic.battle.state import Clock
from skirmish.games.plastic.battle.victory import kind_of
from skirmish.tabletop.refusal import nonsense

LAST_PHASE = 4
LAST_TURN = 999
MOST_COUNTED = 999
_NOT_VOID = "A phase or turn cannot be made void; T sets the clock."
_TAKE_BACK = "Backspace takes this back."


class EndPhase(Order, frozen=True, tag="end_phase"):
    when = "clock"
    not_void = _NOT_VOID

    def carry_out(self, run: Resolution) -> None:
        clock = run.state.clock
        if clock.phase == LAST_PHASE:
            _end_turn(run)
        elif not _ended(run):
            run.emit(events.PhaseEnded(clock=Clock(clock.turn, clock.side, clock.phase + 1)))


class EndTurn(Order, frozen=True, tag="end_turn"):
    when = "clock"
    not_void = _NOT_VOID

    def carry_out(self, run: Resolution) -> None:
        _end_turn(run)


def _ended(run: Resolution) -> bool:
    if end := victory.at_end_of_phase(run.state):
        run.emit(end)
    return run.state.outcome is not None


def _end_turn(run: Resolution) -> None:
    if _ended(run):
        return
    state, clock = run.state, run.state.clock
    following = Clock(clock.turn, state.second, 1)
    if clock.side == state.second:
        following = Clock(clock.turn + 1, state.first, 1)
    if following.turn != clock.turn or state.setup.rulings["P24"] == "player_turn":
        # Untouched decks too: cards that were drawn and taken back have been seen.
        for name in dict.fromkeys(state.source_of(side.id) for side in state.setup.sides):
            if state.sources[name].kind == "deck":
                run.emit(events.Shuffled(source=name))
    if victory.time_is_up(state) and (end := victory.at_the_end(state)):
        run.emit(end)
        return
    run.emit(events.TurnEnded(clock=following, then=owed(state, following.turn, following.side)))
    run.go_on()


class SetClock(Order, frozen=True, kw_only=True, tag="set_clock"):
    when = "clock"
    not_void = _NOT_VOID

    turn: int
    side: str
    phase: int

    def carry_out(self, run: Resolution) -> None:
        run.known_side(self.side)
        if not 1 <= self.turn <= LAST_TURN:
            raise nonsense("no_such_turn", f"Turns run from 1 to {LAST_TURN}, not {self.turn}.")
        if not 1 <= self.phase <= LAST_PHASE:
            raise nonsense("no_such_phase", f"Phases run from 1 to {LAST_PHASE}, not {self.phase}.")
        run.emit(events.ClockSet(clock=Clock(self.turn, self.side, self.phase)))


class Count(Order, frozen=True, kw_only=True, tag="count"):
    when = "answer"
    in_journal = "beside"

    values: dict[str, int]

    def carry_out(self, run: Resolution) -> None:
        state, kind = run.state, kind_of(run.state)
        asked = isinstance(state.ask, agenda.OutcomeAsk)
        if not asked:
            run.refuse_while_waiting()
        if not kind.counted_sides:
            raise nonsense("nothing_to_count", "Nothing is counted in this battle.")
        for side in kind.counted_sides:
            if side not in self.values:
                own = state.setup.of(side, "number")
                raise nonsense("count_missing", f"The {own} is missing.")
        for side, number in self.values.items():
            if side not in kind.counted_sides:
                raise nonsense("unknown_side", f"Nothing is counted for {side!r}.")
            if not 0 <= number <= MOST_COUNTED:
                raise nonsense("bad_count", f"A count is 0 to {MOST_COUNTED}, not {number}.")
        run.emit(events.Counted(values=dict(self.values), clock=state.clock))
        if asked:
            run.emit(kind_of(run.state).result())


class Finish(Order, frozen=True, kw_only=True, tag="finish"):
    when = "answer"
    not_void = _TAKE_BACK

    winner: str | None
    reason: str = ""

    def carry_out(self, run: Resolution) -> None:
        sides = run.state.setup.side_by_id
        if self.winner is not None and self.winner not in sides:
            text = f"There is no side called {self.winner!r}; choose from {', '.join(sides)}."
            raise nonsense("unknown_side", text)
        reason = self.reason or "Agreed by the players."
        run.emit(events.Finished(winner=self.winner, reason=reason, agreed=True))


class PlayOn(Order, frozen=True, kw_only=True, tag="play_on"):
    """``anew``: what ended it holds no more, so the program may end it again."""

    when = "always"
    not_void = _TAKE_BACK

    anew: bool = False

    def carry_out(self, run: Resolution) -> None:
        if run.state.outcome is None:
            raise nonsense("not_over", "The battle is still going on.")
        if self.anew and victory.still_over(run.state):
            raise nonsense("still_over", "The result still stands.")
        run.emit(events.PlayedOn(anew=self.anew, then=run.state.left))
        run.go_on()
