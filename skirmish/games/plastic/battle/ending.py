"""When a battle ends: at once by the terms of the scenario or by the break point, at the end of its
last turn, or because its players agree. The program ends a battle if its terms leave nothing open;
players can always decide otherwise (``Finish``, ``PlayOn``)."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from skirmish.games.plastic.battle.agenda import OutcomeAsk
from skirmish.games.plastic.battle.events import Asked, Finished
from skirmish.games.plastic.battle.setup import Deadline, Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import beating_loss, side_strength
from skirmish.games.plastic.battle.victory import victory_kind
from skirmish.games.plastic.battle.victory_questions import side_with_most
from skirmish.tabletop.page import capital

BreakPointCheck = Literal["at_once", "end_of_phase"]
"""When the break point is checked, as ruling P74 names its answers."""
CauseOfEnd = Literal["at_once", "end_of_phase", "last_turn"]
"""What ended a battle: losses or exits at once, losses checked at the end of a phase (P74), or the
end of the last turn."""


def after_loss(state: State) -> Finished | None:
    """The end that a loss or an exit brings at once; None if the battle goes on, or has ended
    already, or the players play on after its end."""
    if state.outcome is not None or state.open_end:
        return None
    return end_by_break_point(state, "at_once") or victory_kind(state).early_end


def end_by_break_point(state: State, when: BreakPointCheck) -> Finished | None:
    """The end if a side has reached its break point ("The Basic Game", P2); None if none has, if
    the battle has ended already, or if ruling P74 has it checked at another time than ``when``."""
    if state.outcome is not None or state.open_end or state.setup.rulings["P74"] != when:
        return None
    ends = []
    for side in state.setup.sides:
        lost, limit = state.loss.get(side.id, 0), beating_loss(state, side.id)
        if limit is not None and lost >= limit:
            strength = side_strength(state, side.id)
            reason = f"{side.name} broke: {lost} of {strength} lost, with a break point of {limit}."
            ends.append(Finished(winner=state.setup.enemy_of(side.id).id, reason=reason))
    if not ends:
        return None
    both_broke = len(ends) == len(state.setup.sides)
    if both_broke:
        return Finished(winner=_winner_of_two_broken(state), reason="Both armies have broken.")
    return ends[0]


def _winner_of_two_broken(state: State) -> str | None:
    """Nobody, or (P85) the side that lost the smaller share of its strength."""
    if state.setup.rulings["P85"] == "draw":
        return None
    # The side with own loss / own strength < enemy loss / enemy strength. Multiplied out, since a
    # strength may be 0: enemy loss * own strength > own loss * enemy strength.
    enemy_loss_by_own_strength = {}
    for side in state.setup.side_by_id:
        enemy_loss = state.loss.get(state.setup.enemy_of(side).id, 0)
        enemy_loss_by_own_strength[side] = enemy_loss * side_strength(state, side)
    return side_with_most(enemy_loss_by_own_strength)


def cause_of_end(state: State) -> CauseOfEnd | None:
    """What ended the battle; None if it goes on or the players ended it."""
    if state.outcome is None or state.outcome.agreed:
        return None
    # The cause is not stored. It is the first check that would end the battle again, in the order
    # in which they are made during play.
    if_it_went_on = replace(state, outcome=None, open_end=False)
    if after_loss(if_it_went_on) is not None:
        return "at_once"
    if end_by_break_point(if_it_went_on, "end_of_phase") is not None:
        return "end_of_phase"
    return "last_turn"


def end_after_judging_again(state: State, cause: CauseOfEnd | None) -> Finished | None:
    """The end of a battle in which a shot was judged again after the battle had ended; None if it
    goes on. ``cause``: what had ended it (``cause_of_end``)."""
    end = after_loss(state)
    if end is not None:
        return end
    if cause == "end_of_phase":
        return end_by_break_point(state, "end_of_phase")
    if cause != "last_turn":
        return None
    end_of_turn = end_of_player_turn(state)
    if isinstance(end_of_turn, Asked):
        # The last count was made when the battle ended, so nobody is asked for it again.
        return victory_kind(state).result()
    return end_of_turn


def still_over(state: State) -> bool:
    """Whether a battle that is over still has a reason to be, now that a line of its journal may
    have been taken back or made void."""
    outcome, deadline = state.outcome, state.setup.ends_after
    if outcome is None:
        return False
    # What the players agreed on holds, whichever lines before it are made void.
    if outcome.agreed:
        return True
    # A loss or an exit would end it again, at once or at the end of the phase (P74).
    if cause_of_end(state) != "last_turn":
        return True
    if deadline is None or not _last_turn_is_over(state, deadline):
        return False
    # A battle may also have ended within its last turn by a loss or an exit that is void now. The
    # state does not record which it was, so the result stands if the end of the last turn brings
    # the same winner.
    if _draws_at_last(state.setup, deadline):
        return outcome.winner is None
    return outcome.winner == victory_kind(state).result().winner


def end_of_player_turn(state: State) -> Finished | Asked | None:
    """What follows when the present player turn is over, if it was the last one: the result, or
    the question for a last count; None if the battle goes on."""
    deadline, kind = state.setup.ends_after, victory_kind(state)
    if deadline is None or state.open_end or not _last_turn_is_over(state, deadline):
        return None
    if _draws_at_last(state.setup, deadline):
        reason = f"Turn {deadline.turn} has passed without a result."
        return Finished(winner=None, reason=reason)
    if kind.counted_sides:
        # Asked even if players counted before: what they counted may have moved since.
        return Asked(ask=OutcomeAsk(count=True))
    return kind.result()


def _last_turn_is_over(state: State, deadline: Deadline) -> bool:
    """Whether no player turn is left after the present one."""
    clock = state.clock
    # The players may have set the clock past the last turn.
    if clock.turn != deadline.turn:
        return clock.turn > deadline.turn
    last_side = deadline.side
    if deadline.draw:
        # A draw waits until both sides have had their turn.
        last_side = state.second_side
    # That side has had its turn if the present player turn is its own, or if it moves first.
    return last_side in (clock.side, state.first)


def _draws_at_last(setup: Setup, deadline: Deadline) -> bool:
    """Whether the battle is a draw after its last turn: without a scenario nobody wins by time."""
    return deadline.draw or setup.scenario is None


def hopeless_sides(state: State) -> tuple[str, ...]:
    """The sides that can no longer win by the terms of the scenario; none once the battle is over,
    if the players play on after its end, and in the basic game."""
    if state.outcome is not None or state.open_end or state.setup.scenario is None:
        return ()
    return tuple(status.side for status in victory_kind(state).status() if not status.can_win)


def proposed_end(state: State) -> Finished | None:
    """The end that the players may agree on, since a side can no longer win; None if they declined
    it before (``State.played_out``), or as long as anything else is open, such as a shot."""
    if state.ask is not None or state.agenda:
        return None
    sides = hopeless_sides(state)
    all_declined = set(sides) <= state.played_out
    if not sides or all_declined:
        return None
    who = " and ".join(state.setup.the(side) for side in sides)
    # If neither side can win any more, it is a draw.
    winner = None
    if len(sides) == 1:
        winner = state.setup.enemy_of(sides[0]).id
    reason = f"{capital(who)} can no longer win."
    return Finished(winner=winner, reason=reason, agreed=True)
