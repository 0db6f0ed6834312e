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
from skirmish.games.plastic.battle.readiness import ready_by_weapon
from skirmish.games.plastic.battle.setup import BROKEN_INTO, Codes, Contingent, Piece, concerns
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.rules.catalog import UnitType, Weapon
from skirmish.games.plastic.scenarios.happenings import Happening
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
        ready=ready_by_weapon(state, len(weapons), here, members),
    )


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
