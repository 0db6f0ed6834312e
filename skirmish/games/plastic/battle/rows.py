"""A battle's pieces pooled as rows, the lines of the battle screen: all pieces of one unit in one
contingent."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from skirmish.games.plastic.battle.names import (
    RowName,
    piece_name,
    piece_side,
    row_named,
    row_side,
    row_unit,
)
from skirmish.games.plastic.battle.pieces import BROKEN_INTO, Codes, Contingent, Piece
from skirmish.games.plastic.battle.readiness import ready_by_weapon
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
        self, pieces: tuple[str, ...], count: int, where: str, least: int = 1
    ) -> tuple[str, ...]:
        """The first ``count`` of these pieces. Raises Refused if there are fewer, or if ``count``
        is below ``least``. ``where`` completes the refusal ``Only 3 Rifle Guys ..., not 5.``, for
        example with ``on foot`` or ``can leave``."""
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
        ready=ready_by_weapon(state, len(weapons), here, members),
    )


def fights_as(state: State, unit: UnitType) -> UnitType:
    """The unit as this battle plays it: without the option of snipers, these are riflemen ("Sniper
    Guys")."""
    if "sniper" in unit.tags and not state.options.snipers:
        return state.setup.unit(BROKEN_INTO)
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
    nobody_was_inside = not unit.seats
    players_said_who_was = piece in state.recorded
    if nobody_was_inside or players_said_who_was:
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
