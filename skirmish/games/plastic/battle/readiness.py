"""Which pieces of a row can still fire in this part of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from skirmish.games.plastic.battle.names import use_piece, use_turn_part
from skirmish.games.plastic.battle.state import State


def ready_by_weapon(
    state: State, weapon_count: int, here: Sequence[str], members: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """For each weapon of a row, of which its pieces have ``weapon_count``, the pieces that can
    still fire it in this part of the turn. ``here``: the pieces on the table; ``members``: all that
    ever belonged to the row, of whom some may fight though they are dead."""
    strike_back = _dead_who_strike_back(state, members)
    # Who has not been served yet, such as a tank without fuel, cannot fight.
    able = [piece for piece in (*here, *strike_back) if piece not in state.unserved]
    inside: dict[str, str] = {}
    # Also of who died in a carrier: he strikes back only if he could fire from there (P51).
    if state.aboard or strike_back:
        inside = _carriers_of(state, able)
        able = [piece for piece in able if piece not in inside or _may_fire_aboard(state, piece)]
    ready = []
    for slot in range(weapon_count):
        with_weapon = able
        # Only if anybody has fired or lost a weapon: a row may have a hundred men.
        if state.disarmed or state.fired:
            with_weapon = [piece for piece in able if state.can_fire(piece, slot)]
        if inside:
            with_weapon = _with_firing_places(state, with_weapon, inside)
        ready.append(tuple(with_weapon))
    return tuple(ready)


def _dead_who_strike_back(state: State, members: Sequence[str]) -> list[str]:
    """The pieces that fight though they are dead. By ruling P51 the fights in contact of both sides
    happen together: those whom the mover kills in phase 3 still fight in phase 4, in which the
    enemy's men do."""
    if state.clock.phase != 4 or state.setup.rulings["P51"] != "together":
        return []
    in_phase_3 = set()
    # Shots drawn one by one, and volleys of which the players only counted the hits.
    for verdict in (*state.judged, *state.counts):
        if verdict.shot.at.phase == 3:
            in_phase_3.add(verdict.shot.id)
    killed_in_phase_3 = []
    for piece in members:
        credit = state.lost.get(piece)
        if credit is not None and credit.shot in in_phase_3:
            killed_in_phase_3.append(piece)
    return killed_in_phase_3


def _carriers_of(state: State, pieces: Iterable[str]) -> dict[str, str]:
    """The carrier of each of these pieces that is in one or died in one."""
    carriers = {}
    for piece in pieces:
        carrier = _carrier(state, piece)
        if carrier is not None:
            carriers[piece] = carrier
    return carriers


def _carrier(state: State, piece: str) -> str | None:
    """The carrier that a piece is in, or was in when both died; None if there is none."""
    if state.is_in_play(piece):
        if state.rides(piece):
            return state.aboard[piece]
        return None
    credit = state.lost.get(piece)
    if credit is None:
        return None
    if piece in state.aboard:  # a rider who dies with his carrier is not taken off this list
        return state.aboard[piece]
    if state.unit(piece).seats:
        return None  # a carrier itself
    # Riders whom the players named when the carrier was lost have its credit ("Killing vehicles
    # kills what's inside").
    for carrier, same_credit in state.lost.items():
        if same_credit == credit and state.unit(carrier).seats:
            return carrier
    return None


def _with_firing_places(state: State, able: list[str], inside: Mapping[str, str]) -> list[str]:
    """Those of the pieces that have a place to fire from: all on foot, and of the riders only as
    many as their carrier lets fire, such as two in a halftrack (P56). ``inside``: the carrier of
    each rider."""
    places_left = {}
    for occupied in set(inside.values()):
        places_left[occupied] = _firing_places_left(state, occupied)
    may_fire = []
    for piece in able:
        carrier = inside.get(piece)
        if carrier is None:
            may_fire.append(piece)
        elif places_left[carrier]:
            places_left[carrier] -= 1
            may_fire.append(piece)
    return may_fire


def _firing_places_left(state: State, carrier: str) -> int:
    """How many of a carrier's riders may still fire in this part of the turn. Riders who were
    killed in phase 3 and strike back count as well (P51)."""
    places = state.unit(carrier).passengers_fire
    # A set of pieces, so that a rider who fired two weapons takes one place.
    fired: set[str] = set()
    for use in state.fired:
        if use_turn_part(use) == str(state.turn_part):
            fired.add(use_piece(use))
    fired_from_here = [piece for piece in fired if _carrier(state, piece) == carrier]
    return max(places - len(fired_from_here), 0)


def _may_fire_aboard(state: State, rider: str) -> bool:
    """Whether a rider may fire from his carrier: Grenade, Rifle and MG Guys may, engineers as Rifle
    Guys (P53). Snipers are never loaded ("Loading or Unloading")."""
    unit = state.unit(rider)
    if "fires_aboard" in unit.tags:
        return True
    return unit.digs == "engineer" and state.setup.rulings["P53"] == "as_rifle_guys"
