"""The turns that are left to a battle, as a track to tick off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.scenarios.victory_terms import moment_of
from skirmish.sheets.layout.flow import Block
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.paper import MM
from skirmish.sheets.roster.standing import side_looks
from skirmish.sheets.scenario.turn_track import TrackSide, TurnCell, TurnTrack

TURNS_WITHOUT_CLOCK = 12
"""Turns to tick off where no turn is known to be the last. Our choice."""
TURNS_IN_ROW = 30
"""Turns in a row at most."""
WIDEST_TURN = 16 * MM


class PlayerTurn(NamedTuple):
    """A side's part of a turn. Player turns are compared in the order of play: ``part`` is 0 for
    the side that moves first, 1 for the other."""

    turn: int
    part: int


def turns_left(state: State) -> Block:
    """The turns from the current one to the last, or a dozen without a clock."""
    order = [state.first, state.second]
    current = PlayerTurn(state.clock.turn, order.index(state.clock.side))
    end = _last_player_turn(state, order)
    # The turn after the last. There may be no clock, or the battle was fought on beyond it.
    stop = current.turn + TURNS_WITHOUT_CLOCK
    if end is not None and end.turn >= current.turn:
        stop = end.turn + 1

    def cell(side: str, turn: int) -> TurnCell:
        """What ``TurnTrack`` prints for a side in a turn."""
        player_turn = PlayerTurn(turn, order.index(side))
        return _turn_cell(state, side, player_turn, current, end)

    sides = _track_sides(state, order)
    tracks: Block = []
    for first_turn in range(current.turn, stop, TURNS_IN_ROW):
        turns = range(first_turn, min(stop, first_turn + TURNS_IN_ROW))
        tracks.append(TurnTrack(sides, turns, cell, len(turns), WIDEST_TURN))
    return tracks


def _turn_cell(
    state: State, side: str, player_turn: PlayerTurn, current: PlayerTurn, end: PlayerTurn | None
) -> TurnCell:
    """The cell of a player turn: to be ticked off when it is over, struck out where nobody
    moves."""
    turn = player_turn.turn
    tooltip = f"Turn {turn}, {state.setup.side_by_id[side].people}: over"
    field = FormField(f"tick-{side}-turn-{turn}", tooltip)
    if player_turn == current:
        return TurnCell(word="NOW", marked=True, field=field)
    is_past = player_turn < current
    # After the end nobody moves; but a battle that was fought on beyond it has no end any more.
    was_fought_on = end is not None and end < current
    is_after_end = end is not None and end < player_turn and not was_fought_on
    word = ""
    if player_turn == end:
        word = "END"
    return TurnCell(word=word, struck=is_past or is_after_end, field=field)


def _track_sides(state: State, order: Sequence[str]) -> list[TrackSide]:
    """The sides of the turn track, the first to move on top."""
    looks = {}
    for side, look in zip(state.setup.sides, side_looks(state), strict=True):
        looks[side.id] = look
    return [TrackSide(id, state.setup.side_by_id[id].people, looks[id]) for id in order]


def _last_player_turn(state: State, order: Sequence[str]) -> PlayerTurn | None:
    """The last player turn: by the clock, else the one in which victory is decided."""
    setup = state.setup
    if setup.ends_after is not None:
        return PlayerTurn(setup.ends_after.turn, order.index(setup.ends_after.side))
    if setup.scenario is not None:
        decided = moment_of(setup.scenario.victory)
        if decided is not None:
            return PlayerTurn(decided.turn, order.index(decided.side))
    return None
