"""Where Tab stops on its way through the shots of a side that can be judged again."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import NamedTuple

from skirmish.games.plastic.battle.agenda import Shooting
from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.orders.rejudged_shot import volley_of
from skirmish.games.plastic.battle.state import State


class TabStop(NamedTuple):
    """What is judged again at one press of Tab: a shot, a count, or a whole volley."""

    shot: int
    """The number of the shot; of a count, that of its first shot. The last number of a volley means
    the whole volley, unless it is judged ``alone``."""
    alone: bool = False


def latest_shot(state: State, side: str) -> int:
    """The number of the latest shot of a side; 0 if there is none."""
    for shot in _shots_latest_first(state, side):
        return shot.id
    return 0


def next_stop(state: State, side: str, stop: TabStop) -> TabStop | None:
    """Where Tab leads from this stop: to the shot before it and, after the first shot of the
    battle, to the latest again. None if there is no other stop."""
    stops = _tab_stops(state, side)
    if len(stops) < 2:
        return None
    place = stops.index(_listed(state, stop, stops))
    return stops[(place + 1) % len(stops)]


def _listed(state: State, stop: TabStop, stops: list[TabStop]) -> TabStop:
    """The one of these stops that asks the same as a stop, which a line of the journal may have
    opened."""
    if stop in stops:
        return stop
    # A line of the journal opens a shot within a volley without ``alone``.
    by_itself = TabStop(stop.shot, alone=True)
    if by_itself in stops:
        return by_itself
    # The last count of a volley is judged with the whole of it (``_stops_of_volley``), which is
    # listed by its last single shot: after that nothing was counted.
    shot = state.shot_fired(stop.shot)
    assert shot is not None, "a stop is made of a shot that was fired"
    return TabStop(volley_of(state, shot)[-1].shot.id)


def _tab_stops(state: State, side: str) -> list[TabStop]:
    """All stops of a side, the latest first: each volley as a whole and then shot by shot."""
    stops: list[TabStop] = []
    for volley in _volleys(_shots_latest_first(state, side)):
        stops += _stops_of_volley(state, volley)
    return stops


def _volleys(shots: Iterator[Shooting]) -> list[list[Shooting]]:
    """The shots, those of one volley together; a shot that was fired by itself is alone."""
    volleys: list[list[Shooting]] = []
    for shot in shots:
        # The number 0 is that of no volley.
        if shot.volley and volleys and volleys[-1][0].volley == shot.volley:
            volleys[-1].append(shot)
        else:
            volleys.append([shot])
    return volleys


def _stops_of_volley(state: State, shots: list[Shooting]) -> list[TabStop]:
    """The stops of a volley, or of a single shot; ``shots`` with the latest first."""
    latest = shots[0].id
    whole = TabStop(latest)
    if len(shots) == 1:
        return [whole]
    # Parts of a volley may have been counted. Then the whole is judged with the last of these
    # counts (``command._form_of``): a stop of its own would ask the same a second time.
    counts = {counted.shot.id for counted in state.counts_in_turn_of(latest)}
    last_count = max((shot.id for shot in shots if shot.id in counts), default=None)
    stops = [whole]
    for shot in shots:
        if shot.id != last_count:
            stops.append(TabStop(shot.id, alone=True))
    return stops


def _shots_latest_first(state: State, side: str) -> Iterator[Shooting]:
    """The shots of a side, the latest first; a counted volley is there with its first shot."""
    # Turn by turn: often only the latest shot is wanted, and a long battle has hundreds.
    for turn in (state.present_turn, *reversed(state.past)):
        fired = [verdict.shot for verdict in (*turn.judged, *turn.counts)]
        own_shots = [shot for shot in fired if piece_side(shot.piece) == side]
        yield from sorted(own_shots, key=attrgetter("id"), reverse=True)
