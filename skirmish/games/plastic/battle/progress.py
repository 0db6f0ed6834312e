"""How near each side is to its victory, in words: its status by the terms and by losses, who is
ahead, the headline of the battle, and where leaving the table counts."""

from __future__ import annotations

from fractions import Fraction

from msgspec.structs import replace

from skirmish.games.plastic.battle.setup import Setup
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import beating_loss, breaking_loss, side_strength
from skirmish.games.plastic.battle.victory import victory_kind
from skirmish.games.plastic.battle.victory_questions import (
    CLEAR_LEAD,
    Leader,
    VictoryStatus,
    listed_people,
)
from skirmish.games.plastic.scenarios.victory_terms import DestroyThenExit, ExitTable, moment_of
from skirmish.tabletop.measure import NO_BREAK, inches

_INCHES_IN_A_FOOT = 12
"""A width of whole feet is given in feet."""


def headline(state: State) -> str:
    """The state of the battle in one line: ``Turn 4 of 11 · Poles ahead: Germans can still exit 26,
    need 20``, or ``Winner: Poles`` when it is over."""
    if state.outcome:
        winner = state.outcome.winner
        if winner is None:
            return "A draw"
        return f"Winner: {listed_people(state, winner)}"
    turn = state.clock.turn
    turn_words = f"Turn {turn}"
    last = last_turn(state)
    # Play may go on after the last turn.
    if last is not None and turn <= last:
        turn_words = f"Turn {turn} of {last}"
    leading = leader(state)
    who_is_ahead = "even"
    if leading.side is not None:
        who_is_ahead = f"{listed_people(state, leading.side)} ahead"
    return f"{turn_words} · {who_is_ahead}: {leading.text}"


def last_turn(state: State) -> int | None:
    """The last game turn: that after which the battle ends, else that by which the terms have to
    be met. None if the battle has no clock."""
    deadline = state.setup.ends_after
    if deadline is not None:
        return deadline.turn
    scenario = state.setup.scenario
    if scenario is None:
        return None
    moment = moment_of(scenario.victory)
    if moment is None:
        return None
    return moment.turn


def leader(state: State) -> Leader:
    """The side that is clearly ahead by the terms of victory or, if these do not show it, by
    losses; the leader's side is None if neither is."""
    by_terms = victory_kind(state).leader()
    if by_terms is not None:
        return by_terms
    first, second = (side.id for side in state.setup.sides)
    first_share, second_share = _share_lost(state, first), _share_lost(state, second)
    text = f"{listed_people(state, first)} lost {_loss_of_strength(state, first)} strength"
    text += f", {listed_people(state, second)} {_loss_of_strength(state, second)}"
    if abs(first_share - second_share) < CLEAR_LEAD:
        return Leader(None, text)
    if first_share < second_share:
        return Leader(first, text)
    return Leader(second, text)


def _share_lost(state: State, side: str) -> Fraction:
    """A side's loss as a share of the loss at which it breaks."""
    limit = breaking_loss(state, side)
    # A side of units that count nothing cannot break.
    if not limit:
        return Fraction(0)
    return Fraction(state.loss.get(side, 0), limit)


def _loss_of_strength(state: State, side: str) -> str:
    """``4 of 31``: what a side has lost of its strength."""
    return f"{state.loss.get(side, 0)} of {side_strength(state, side)}"


def victory_status(state: State) -> tuple[VictoryStatus, ...]:
    """The status of every side. A side that the terms do not name wins if the other fails."""
    statuses = victory_kind(state).status()
    named = {status.side for status in statuses}
    for side in state.setup.side_by_id:
        if side not in named:
            statuses.append(VictoryStatus(side, _how_to_win_without_terms(state, side)))
    return tuple(_with_break_point(state, status) for status in statuses)


def _with_break_point(state: State, status: VictoryStatus) -> VictoryStatus:
    """The status with the loss at which the side breaks, unless it states that already."""
    if status.breaks:
        return status
    limit = beating_loss(state, status.side)
    if limit is None:
        return status
    lost = state.loss.get(status.side, 0)
    verb = state.setup.verb_of(status.side, "break", "breaks")
    return replace(status, breaks=f"{verb} at {limit} lost, {lost} so far")


def _how_to_win_without_terms(state: State, side: str) -> str:
    """What a side without terms of its own needs: that its foe fails."""
    # In the basic game every side has a status of its own.
    assert state.setup.scenario is not None
    foe = state.setup.the(state.setup.enemy_of(side).id)
    moment = moment_of(state.setup.scenario.victory)
    if moment is None:
        return f"win once {foe} can no longer succeed"
    # The present turn is one of those left.
    turns_left = moment.turn - state.clock.turn + 1
    if turns_left < 1:
        time_left = "time is up"
    elif turns_left == 1:
        time_left = "1 turn left"
    else:
        time_left = f"{turns_left} turns left"
    return f"win if {foe} fail; {time_left}"


def way_out(setup: Setup, side: str) -> str:
    """Where units of a side leave the table for victory: ``by the E edge, within 6 in of the
    road``. Empty if leaving gains this side nothing."""
    if setup.scenario is None:
        return _way_out_of_basic_game(setup)
    terms = setup.scenario.victory
    if not isinstance(terms, ExitTable | DestroyThenExit) or terms.side != side:
        return ""
    if isinstance(terms, DestroyThenExit):
        return f"by the {terms.then.edge} edge"
    where = f"through exit zone {terms.zone}"
    if terms.edge:
        where = f"by the {terms.edge} edge"
    if terms.within_in and terms.of:
        where += f", within {inches(terms.within_in)} of the {terms.of}"
    return where


def _way_out_of_basic_game(setup: Setup) -> str:
    """``by the middle 4 ft of the enemy's edge``, as wide as ruling P32 has it; empty if the data
    has no such width."""
    width = setup.catalog.basic_game.exit_width.get(setup.rulings["P32"])
    if width is None:
        return ""
    width_words = inches(width)
    if width % _INCHES_IN_A_FOOT == 0:
        width_words = f"{width // _INCHES_IN_A_FOOT}{NO_BREAK}ft"
    return f"by the middle {width_words} of the enemy's edge"
