"""A battle's pieces pooled as rows, the lines of the battle screen: all pieces of one unit in one
contingent. And what pieces count as potential dead guys ("The Basic Game")."""

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
from skirmish.games.plastic.battle.setup import BROKEN_INTO, Codes, Contingent, Piece, concerns
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.army import break_point, worth
from skirmish.games.plastic.rules.catalog import UnitType, Weapon
from skirmish.games.plastic.scenarios.scenario import Happening
from skirmish.tabletop.refusal import nonsense


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The pieces of one unit in one contingent: a line of the battle screen."""

    key: str
    side: str
    # Its key on the battle screen; ``key`` is its id, as in ``names``.
    letter: str
    unit: UnitType
    weapons: tuple[Weapon, ...]
    contingent: Contingent
    # All that it ever had.
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
        """The pieces that can still fire the weapon of that slot, the index among the weapons. Of a
        model with two such machineguns either will do: some pieces may have fired the first, others
        the second."""
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
        self, pieces: tuple[str, ...], count: int, where: str, least: int = 1
    ) -> tuple[str, ...]:
        """The first ``count`` of these pieces. Raises Refused if there are fewer, or if ``count``
        is below ``least``; ``where`` says in its sentence where they are, as ``are on foot``."""
        if not least <= count <= len(pieces):
            text = f"Only {self.unit.named(len(pieces))} {where}, not {count}."
            raise nonsense("too_many", text)
        return pieces[:count]

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
            letters[row] = setup.free_letter(row_unit(row), letters.values())
            in_order.append(row)
    return tuple(_row(state, row, letters[row], members[row]) for row in in_order)


def _members(state: State, side: str) -> dict[str, list[str]]:
    """All pieces that a side ever had, by the row in which they are now."""
    members: dict[str, list[str]] = {}
    side_prefix = piece_name(side, "")
    for piece in state.pieces():
        if piece.id.startswith(side_prefix):
            unit = state.turned.get(piece.id) or piece.unit
            # The id as ``RowName`` writes it. Made here, since this is done for each piece.
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
    bought = state.piece(piece)
    return str(RowName(bought.side, bought.contingent, state.unit_of(piece)))


def _row(state: State, key: str, letter: str, members: list[str]) -> Row:
    """The row of that key and letter; ``members`` are all pieces that ever belonged to it."""
    name = row_named(key)
    if name is None:
        # In a file from elsewhere the id of a contingent may have a stroke in it.
        raise KeyError(key)
    setup = state.setup
    unit = setup.unit(name.unit)
    weapons = setup.catalog.weapons_of(unit, setup.rulings)
    gone = state.lost.keys() | state.exited.keys()
    alive = tuple(piece for piece in members if piece not in gone)
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
        exited=sum(piece in state.exited for piece in members),
        pinned=state.pinned.get(key, 0),
        ready=_ready(state, len(weapons), here, _strike_back(state, members)),
    )


def _ready(
    state: State, weapon_count: int, here: Sequence[str], strike_back: Sequence[str]
) -> tuple[tuple[str, ...], ...]:
    """Who can still fire in this part of the turn, for each of so many weapons: those who are
    ``here``, and of the dead those who ``strike_back``."""
    # Who has not been served yet, such as a tank without fuel, cannot fight.
    able = [piece for piece in (*here, *strike_back) if piece not in state.unserved]
    inside: dict[str, str] = {}
    # Also of who died in a carrier: he strikes back only if he could fire from there (P51).
    if state.aboard or strike_back:
        inside = _inside(state, able)
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


def _strike_back(state: State, members: list[str]) -> list[str]:
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


def _inside(state: State, pieces: Iterable[str]) -> dict[str, str]:
    """The carriers of those of the pieces that are, or died, in one."""
    carriers = {}
    for piece in pieces:
        carrier = _carrier(state, piece)
        if carrier is not None:
            carriers[piece] = carrier
    return carriers


def _carrier(state: State, piece: str) -> str | None:
    """The carrier that a piece is in, or was in when both died, if any."""
    if state.is_in_play(piece):
        if state.rides(piece):
            return state.aboard[piece]
        return None
    credit = state.lost.get(piece)
    if credit is None:
        return None
    if piece in state.aboard:  # who dies with his carrier stays in this list
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
    """All on foot, and as many riders as there are places to fire from: two of those aboard a
    halftrack (P56). ``inside``: the carrier of each rider."""
    places = {carrier: passengers_left(state, carrier) for carrier in inside.values()}
    may_fire = []
    for piece in able:
        carrier = inside.get(piece)
        if carrier is None:
            may_fire.append(piece)
        elif places[carrier]:
            places[carrier] -= 1
            may_fire.append(piece)
    return may_fire


def passengers_left(state: State, carrier: str) -> int:
    """How many of a carrier's riders may still fire in this part of the turn, the dead of phase 3
    included (P51)."""
    places = state.unit(carrier).passengers_fire
    # A set of pieces, so that a rider who fired two weapons takes one place.
    fired = {use_piece(use) for use in state.fired if use_turn_part(use) == str(state.turn_part)}
    from_here = [piece for piece in fired if _carrier(state, piece) == carrier]
    return max(places - len(from_here), 0)


def _may_fire_aboard(state: State, rider: str) -> bool:
    """Whether a rider may fire from his carrier: Grenade, Rifle and MG Guys may, engineers as Rifle
    Guys (P53). Snipers are never loaded ("Loading or Unloading")."""
    unit = state.unit(rider)
    if "fires_aboard" in unit.tags:
        return True
    return unit.digs == "engineer" and state.setup.rulings["P53"] == "as_rifle_guys"


def fights_as(state: State, unit: UnitType) -> UnitType:
    """The unit as this battle plays it: without the option of snipers, these are riflemen ("Sniper
    Guys")."""
    if "sniper" in unit.tags and not state.options.snipers:
        return state.setup.unit(BROKEN_INTO)
    return unit


def inside_is_unknown(state: State, piece: str) -> bool:
    """Whether a lost model may have carried riders that were not recorded."""
    unit = state.unit(piece)
    # Without seats nobody was inside; of a recorded one the players have said who was.
    is_known = not unit.seats or piece in state.recorded
    return not is_known and bool(riders_possible(state, piece_side(piece)))


def guys(state: State, side: str) -> list[Row]:
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


def newly_made(
    state: State, side: str, contingent: str, units: Mapping[str, int]
) -> tuple[Piece, ...]:
    """New pieces of a side, with the codes that follow on those it has."""
    pieces_before = [piece for piece in state.pieces() if piece.side == side]
    return tuple(Codes(side, state.setup.catalog, pieces_before).pieces(contingent, units))


def worth_of(state: State, piece: str) -> int:
    """A piece in potential dead guys, by its unit at the start of the battle: who became a rifleman
    by a breakdown counts as what he was."""
    setup = state.setup
    unit = setup.unit(state.piece(piece).unit)
    return worth(unit, state.nation_of(piece_side(piece)), setup.catalog, setup.rulings)


def strength(state: State, pieces: Iterable[str]) -> int:
    """These pieces in potential dead guys ("The Basic Game")."""
    return sum(worth_of(state, piece) for piece in pieces)


def side_strength(state: State, side: str) -> int:
    """The strength of all that a side ever had, reinforcements from draw tables included."""
    setup, nation = state.setup, state.nation_of(side)
    total = 0
    for unit, count in setup.fielded[side].items():
        total += count * worth(setup.unit(unit), nation, setup.catalog, setup.rulings)
    for piece in state.added.values():
        if piece.side == side:
            total += worth_of(state, piece.id)
    return total


def breaking_loss(state: State, side: str) -> int:
    """The loss that breaks a side's army, whether or not that ends the battle."""
    whole = side_strength(state, side)
    return break_point(whole, state.setup.catalog, state.setup.rulings)


def break_at(state: State, side: str) -> int | None:
    """The loss that beats a side, or None where the break point does not (P58)."""
    if not state.setup.side_by_id[side].breaks or not side_strength(state, side):
        return None
    return breaking_loss(state, side)
