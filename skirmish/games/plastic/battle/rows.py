"""Pools, not men: a battle's pieces as rows of one type in one contingent, counted on the spot."""

from __future__ import annotations

import msgspec

from skirmish.games.plastic.battle.names import RowName, row_named, weapon_slot, weapon_use
from skirmish.games.plastic.battle.setup import Contingent
from skirmish.games.plastic.battle.state import State, window
from skirmish.games.plastic.rules.catalog import UnitType, Weapon


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One pool, named ``side/contingent/unit``.

    ``alive`` are the ids of those who live, lowest code first; ``total`` counts the dead too.
    ``ready`` tells, weapon by weapon, who can still fire it in this part of the turn; ``here`` is
    False before the contingent's own player turn of entry.
    """

    key: str
    side: str
    letter: str
    unit: UnitType
    weapons: tuple[Weapon, ...]
    contingent: Contingent
    total: int
    alive: tuple[str, ...]
    ready: tuple[tuple[str, ...], ...]
    here: bool

    @property
    def ready_count(self) -> int:
        """How many can still fire something."""
        return len({piece for slot in self.ready for piece in slot})


def rows(state: State, side: str) -> tuple[Row, ...]:
    """A side's rows in the order of its battle; a row that never had anyone is left out."""
    setup = state.setup
    members: dict[str, list[str]] = {}
    for piece in setup.pieces:
        if piece.side == side:
            unit = state.turned.get(piece.id) or piece.unit
            name = str(RowName(side, piece.contingent, unit))
            members.setdefault(name, []).append(piece.id)
    known = [name for name in setup.letters if name in members]
    unforeseen = [name for name in members if name not in setup.letters]
    return tuple(_row(state, name, members[name]) for name in (*known, *unforeseen))


def find(state: State, key: str) -> Row | None:
    """The row of that name, or None."""
    name = row_named(key)
    if name is None or name.side not in state.setup.side_by_id:
        return None
    return next((row for row in rows(state, name.side) if row.key == key), None)


def _row(state: State, key: str, members: list[str]) -> Row:
    side, contingent_id, unit_id = row_named(key) or RowName("", "", key)
    setup = state.setup
    unit = setup.unit(unit_id)
    weapons = setup.catalog.weapons_of(unit, setup.rulings)
    contingent = setup.contingent_by_id[contingent_id]
    alive = tuple(piece for piece in members if piece not in state.lost)
    now = window(state.clock.phase)
    ready = tuple(
        tuple(
            piece
            for piece in alive
            if weapon_use(now, piece, slot) not in state.fired
            and weapon_slot(piece, slot) not in state.disarmed
        )
        for slot in range(len(weapons))
    )
    return Row(
        key=key,
        side=side,
        letter=setup.letters.get(key, "?"),
        unit=unit,
        weapons=weapons,
        contingent=contingent,
        total=len(members),
        alive=alive,
        ready=ready,
        here=_is_here(state, contingent),
    )


def _is_here(state: State, contingent: Contingent) -> bool:
    """Whether the contingent's player turn of entry has begun."""
    clock = state.clock
    if contingent.enters != clock.turn or contingent.enters == 0:
        return contingent.enters < clock.turn
    first = state.setup.sides[0].id
    return contingent.side == first or clock.side != first
