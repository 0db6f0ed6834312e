"""A battle's pieces pooled as rows, the lines of the battle screen: all pieces of one unit in one
contingent. Also which of them can still fire in this part of the turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import msgspec

from skirmish.games.plastic.battle.names import (
    RowName,
    piece_name,
    piece_side,
    row_named,
    row_side,
    row_unit,
    use_piece,
    use_turn_part,
)
from skirmish.games.plastic.battle.pieces import RIFLEMAN, Codes, Contingent, Piece
from skirmish.games.plastic.battle.row_letters import free_letter
from skirmish.games.plastic.battle.setup import concerns
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType, Weapon
from skirmish.games.plastic.scenarios.happenings import Happening, Trait
from skirmish.tabletop.refusal import nonsense


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The pieces of one unit in one contingent: a line of the battle screen."""

    # Its id, as in ``names``.
    key: str
    side: str
    # The key that players press for it.
    letter: str
    unit: UnitType
    weapons: tuple[Weapon, ...]
    contingent: Contingent
    # How many pieces it ever had.
    total: int
    # Neither lost nor exited; pieces are ids, the lowest code first.
    alive: tuple[str, ...]
    # On the table, be it aboard or hidden.
    here: tuple[str, ...]
    aboard: tuple[str, ...]
    hidden: tuple[str, ...]
    exited: int
    # How many of its groups are pinned.
    pinned: int
    # For each of the weapons, in their order, the pieces that can still fire it in this part of the
    # turn.
    ready: tuple[tuple[str, ...], ...]

    @property
    def ready_count(self) -> int:
        """How many can still fire at least one of their weapons."""
        ready: set[str] = set()
        for pieces in self.ready:
            ready.update(pieces)
        return len(ready)

    def ready_with(self, slot: int) -> tuple[str, ...]:
        """The pieces that can still fire the weapon of that slot, which is its index among the
        weapons. Where a model has the same weapon twice, either will do: some of the pieces may
        have fired the first, others the second."""
        if slot >= len(self.ready):
            return ()
        weapon = self.weapons[slot]
        pieces = list(self.ready[slot])
        for other_slot, carried in enumerate(self.weapons):
            if other_slot != slot and carried == weapon:
                pieces += self.ready[other_slot]
        return tuple(dict.fromkeys(pieces))  # each once, in this order

    def concerned_by(self, happening: Happening) -> bool:
        """Whether a happening of the scenario is about this row."""
        return concerns(happening, self.side, self.contingent.id, self.unit.id)

    @property
    def on_foot(self) -> tuple[str, ...]:
        """The pieces on the table and not aboard, the hidden ones too."""
        aboard = set(self.aboard)
        return tuple(piece for piece in self.here if piece not in aboard)

    @property
    def in_sight(self) -> tuple[str, ...]:
        """The pieces that can be shot at and hit: "Fire only at targets in range and in sight"
        ("Firing"), so never those in hiding."""
        return tuple(piece for piece in self.on_foot if piece not in self.hidden)

    def take(
        self, pieces: tuple[str, ...], count: int, only: str, least: int = 1
    ) -> tuple[str, ...]:
        """The first ``count`` of these pieces. Raises Refused as ``check_count`` does."""
        self.check_count(pieces, count, only, least)
        return pieces[:count]

    def check_count(self, pieces: tuple[str, ...], count: int, only: str, least: int = 1) -> None:
        """Raises Refused if there are fewer than ``count`` of these pieces, or if ``count`` is
        below ``least``. ``only`` completes the refusal ``Only 3 Rifle Guys ..., not 5.``, for
        example with ``on foot`` or ``can leave``."""
        if not least <= count <= len(pieces):
            text = f"Only {self.unit.named(len(pieces))} {only}, not {count}."
            raise nonsense("too_many", text)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The pieces that have not come onto the table yet."""
        here = set(self.here)
        return tuple(piece for piece in self.alive if piece not in here)


@lru_cache(maxsize=24)  # a screen asks for the rows of one state a dozen times, as do phones
def rows(state: State, side: str) -> tuple[Row, ...]:
    """The rows of a side in the order of the battle; those that never had a piece are left out."""
    setup = state.setup
    members = _members(state, side)
    letters = {row: letter for row, letter in setup.letters.items() if row_side(row) == side}
    in_order = [row for row in letters if row in members]
    for row in members:
        # A row that the set-up did not foresee, of units that the players added.
        if row not in letters:
            letters[row] = free_letter(setup.unit(row_unit(row)), letters.values())
            in_order.append(row)
    return tuple(_row(state, row, letters[row], members[row]) for row in in_order)


def _members(state: State, side: str) -> dict[str, list[str]]:
    """All pieces that a side ever had, by the row in which they are now: a breakdown turns some of
    them into riflemen."""
    members: dict[str, list[str]] = {}
    side_prefix = piece_name(side, "")
    for piece in state.pieces():
        if piece.id.startswith(side_prefix):
            unit = state.turned.get(piece.id) or piece.unit
            # The id as ``RowName`` writes it, without making one for each of a hundred pieces.
            members.setdefault(f"{side}/{piece.contingent}/{unit}", []).append(piece.id)
    return members


def find_row(state: State, key: str) -> Row | None:
    """The row of that key; None if the battle has none."""
    name = row_named(key)
    if name is None or name.side not in state.setup.side_by_id:
        return None
    for row in rows(state, name.side):
        if row.key == key:
            return row
    return None


def existing_row(state: State, key: str) -> Row:
    """The row of that key. Raises Refused if there is none."""
    row = find_row(state, key)
    if row is None:
        raise nonsense("unknown_row", f"There is no row called {key!r}.")
    return row


def row_of(state: State, piece: str) -> str:
    """The key of the row in which a piece is now."""
    at_the_start = state.piece(piece)
    unit_now = state.unit_of(piece)
    return str(RowName(at_the_start.side, at_the_start.contingent, unit_now))


def _row(state: State, key: str, letter: str, members: list[str]) -> Row:
    """The row of that key and letter; ``members`` are all pieces that ever belonged to it."""
    name = row_named(key)
    if name is None:
        # In a file from elsewhere the id of a contingent may contain a slash.
        raise KeyError(key)
    setup = state.setup
    unit = setup.unit(name.unit)
    weapons = setup.catalog.weapons_of(unit, setup.rulings)
    lost_or_exited = state.lost.keys() | state.exited.keys()
    alive = tuple(piece for piece in members if piece not in lost_or_exited)
    here = tuple(piece for piece in alive if piece not in state.waiting)
    aboard: tuple[str, ...] = ()
    # Only if anybody is aboard at all: else each of a hundred men would be looked up for nothing.
    if state.aboard:
        aboard = tuple(piece for piece in here if state.rides(piece))
    return Row(
        key=key,
        side=name.side,
        letter=letter,
        unit=unit,
        weapons=weapons,
        contingent=setup.contingent_by_id[name.contingent],
        total=len(members),
        alive=alive,
        here=here,
        aboard=aboard,
        hidden=tuple(piece for piece in here if piece in state.hidden),
        exited=len([piece for piece in members if piece in state.exited]),
        pinned=state.pinned.get(key, 0),
        ready=_ready_by_weapon(state, len(weapons), here, members),
    )


def fights_as(state: State, unit: UnitType) -> UnitType:
    """The unit as this battle plays it: without the option of snipers, these are riflemen ("Sniper
    Guys")."""
    if "sniper" in unit.tags and not state.options.snipers:
        return state.setup.unit(RIFLEMAN)
    return unit


def digs_as_engineer(state: State, row: Row, *, national: bool = True) -> bool:
    """Whether the guys of a row dig as engineers. ``national``: whether a trait of their nation
    makes them so, as it does for some riflemen; for clearing wire it does not count."""
    if row.unit.digs == "engineer":
        return True
    nation = state.nation_of(row.side)
    if national and nation is not None and row.unit.id in nation.digs_as_engineers:
        return True
    traits = [trait for trait in state.setup.happenings(Trait) if row.concerned_by(trait)]
    return any(trait.effect == "counts_as_engineer" for trait in traits)


def inside_is_unknown(state: State, piece: str) -> bool:
    """Whether a lost model may have carried riders that were not recorded."""
    unit = state.unit(piece)
    players_said_who_was_inside = piece in state.recorded
    if not unit.seats or players_said_who_was_inside:
        return False
    return bool(riders_possible(state, piece_side(piece)))


def guys_on_foot(state: State, side: str) -> list[Row]:
    """The rows of guys with somebody on the table and not aboard."""
    return [row for row in rows(state, side) if row.unit.is_guy and row.on_foot]


def guys_in_sight(state: State, side: str) -> list[Row]:
    """The rows of guys with somebody who can be shot at."""
    return [row for row in rows(state, side) if row.unit.is_guy and row.in_sight]


def riders_possible(state: State, side: str) -> list[Row]:
    """The rows of those who may have been in a lost model whose riders nobody has recorded: guys
    and cannon that count as on foot. Nobody in hiding rides."""
    possible = []
    for row in rows(state, side):
        if row.in_sight and (row.unit.is_guy or "cannon" in row.unit.tags):
            possible.append(row)
    return possible


def new_pieces(
    state: State, side: str, contingent: str, units: Mapping[str, int]
) -> tuple[Piece, ...]:
    """So many new pieces of each unit for a contingent, with the codes that follow those of its
    side."""
    pieces_before = [piece for piece in state.pieces() if piece.side == side]
    return tuple(Codes(side, state.setup.catalog, pieces_before).pieces(contingent, units))


# ------------------------------------------------------------------ who can still fire


def _ready_by_weapon(
    state: State, weapon_count: int, here: Sequence[str], members: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """For each weapon of a row, of which its pieces have ``weapon_count``, the pieces that can
    still fire it in this part of the turn. ``here``: the pieces on the table; ``members``: all that
    ever belonged to the row, of whom some may fight though they are dead."""
    strike_back = _dead_who_strike_back(state, members)
    # Who has not been served yet, such as a tank without fuel, cannot fight.
    able = [piece for piece in (*here, *strike_back) if piece not in state.unserved]
    inside: dict[str, str] = {}
    # The dead who strike back count too: a man who died in a carrier fights only if he could fire
    # from there (P51).
    if state.aboard or strike_back:
        inside = _carriers_of(state, able)
        able = [piece for piece in able if piece not in inside or _may_fire_aboard(state, piece)]
    ready_by_weapon = []
    for slot in range(weapon_count):
        ready = able
        # Looked up only if anybody has fired or lost a weapon: a row may have a hundred men.
        if state.disarmed or state.fired:
            ready = [piece for piece in able if state.can_fire(piece, slot)]
        if inside:
            ready = _with_firing_places(state, ready, inside)
        ready_by_weapon.append(tuple(ready))
    return tuple(ready_by_weapon)


def _dead_who_strike_back(state: State, members: Sequence[str]) -> list[str]:
    """The pieces that fight though they are dead. By ruling P51 the fights in contact of both sides
    happen together: those whom the mover kills in phase 3 still fight in phase 4, in which the
    enemy's men do."""
    if state.clock.phase != 4 or state.setup.rulings["P51"] != "together":
        return []
    shots_of_phase_3 = set()
    # Shots drawn one by one, and volleys of which the players only counted the hits.
    for verdict in (*state.judged, *state.counts):
        if verdict.shot.at.phase == 3:
            shots_of_phase_3.add(verdict.shot.id)
    strike_back = []
    for piece in members:
        credit = state.lost.get(piece)
        if credit is not None and credit.shot in shots_of_phase_3:
            strike_back.append(piece)
    return strike_back


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
    # A rider who dies with his carrier stays in ``aboard``.
    if piece in state.aboard:
        return state.aboard[piece]
    # A carrier rides in no other.
    if state.unit(piece).seats:
        return None
    # Riders whom the players named when the carrier was lost have the same credit as the carrier
    # ("Killing vehicles kills what's inside").
    for other_piece, other_credit in state.lost.items():
        if other_credit == credit and state.unit(other_piece).seats:
            return other_piece
    return None


def _with_firing_places(state: State, able: list[str], inside: Mapping[str, str]) -> list[str]:
    """Those of the pieces that have a place to fire from: all on foot, and of the riders only as
    many as their carrier lets fire, such as two in a halftrack (P56). ``inside``: the carrier of
    each rider."""
    places_left = {}
    for occupied_carrier in set(inside.values()):
        places_left[occupied_carrier] = _firing_places_left(state, occupied_carrier)
    may_fire = []
    for piece in able:
        carrier = inside.get(piece)
        if carrier is None:
            may_fire.append(piece)
        elif places_left[carrier] > 0:
            places_left[carrier] -= 1
            may_fire.append(piece)
    return may_fire


def _firing_places_left(state: State, carrier: str) -> int:
    """How many of a carrier's riders may still fire in this part of the turn. Riders who were
    killed in phase 3 and strike back count as well (P51)."""
    places = state.unit(carrier).passengers_fire
    # A set of pieces, so that a rider who fired two weapons takes one place.
    pieces_fired: set[str] = set()
    for use in state.fired:
        if use_turn_part(use) == state.turn_part:
            pieces_fired.add(use_piece(use))
    fired_from_here = [piece for piece in pieces_fired if _carrier(state, piece) == carrier]
    return max(places - len(fired_from_here), 0)


def _may_fire_aboard(state: State, rider: str) -> bool:
    """Whether a rider may fire from his carrier: Grenade, Rifle and MG Guys may, engineers as Rifle
    Guys (P53). Snipers are never loaded ("Loading or Unloading")."""
    unit = state.unit(rider)
    if "fires_aboard" in unit.tags:
        return True
    return unit.digs == "engineer" and state.setup.rulings["P53"] == "as_rifle_guys"
