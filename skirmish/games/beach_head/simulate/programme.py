"""The ruleset under one game's rulings as plain numbers: what both engines carry out.

Defences and tanks are columns here, rulings are decided, names are gone. Nothing is left to be
interpreted but the dice and the choices.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

NONE = -1
"""No column."""


class RollSpec(msgspec.Struct, frozen=True):
    """Dice, what is printed with them, and what the beach may add (see ``ruleset.Modifiers``)."""

    dice: int
    plus: int = 0
    traps: int = 0
    craft_hit: int = 0
    half_bunkers: int = 0
    no_bunkers: int = 0
    per_dozen: int = 0


class RemoveAct(msgspec.Struct, frozen=True):
    """Points off one of ``targets``, if all of ``once`` are gone, now or when the phase began
    (``looks_back``). ``also`` are targets as long as all of ``also_once`` are gone. A hit on
    ``cratered`` digs ``crater``."""

    throw: RollSpec
    targets: tuple[int, ...]
    once: tuple[int, ...] = ()
    looks_back: bool = False
    also: tuple[int, ...] = ()
    also_once: tuple[int, ...] = ()
    cratered: int = NONE
    crater: RollSpec | None = None

    @property
    def every(self) -> tuple[int, ...]:
        """All that may ever be aimed at, in the order in which choices are counted."""
        return (*self.targets, *self.also)


class SquadsAct(msgspec.Struct, frozen=True):
    throw: RollSpec


class TanksAct(msgspec.Struct, frozen=True):
    """Tanks land; ``kinds``: the column for each face from 1, or none where that does not land."""

    throw: RollSpec
    kinds: tuple[int, ...]


class TableActRow(msgspec.Struct, frozen=True):
    """What results up to ``highest`` bring: squads killed, one of the tanks in ``loses`` lost, a
    landing craft hit, points removed, or nothing."""

    highest: int
    kill: RollSpec | None = None
    loses: tuple[int, ...] = ()
    given: bool = False
    """Whether the player says which kind (B13)."""
    craft: bool = False
    remove: RemoveAct | None = None


class TableAct(msgspec.Struct, frozen=True):
    """A result is looked up; one above the last row counts as that."""

    throw: RollSpec
    rows: tuple[TableActRow, ...]


Act = RemoveAct | SquadsAct | TanksAct | TableAct


class Stage(msgspec.Struct, frozen=True, kw_only=True):
    """One phase. It is left out before ``from_turn``, without one of the tanks it ``needs``,
    without the defence ``without``, and without squads if it ``needs_squads``. It is played once,
    or by ``each_tank`` that it needs."""

    phase: str
    acts: tuple[Act, ...] = ()
    from_turn: int = 1
    needs: tuple[int, ...] = ()
    without: int = NONE
    needs_squads: bool = False
    each_tank: bool = False


class Programme(msgspec.Struct, frozen=True, kw_only=True):
    """A whole game.

    ``points`` at the start by column; ``wins`` must all be gone. Traps and squads are looked at
    now, or as they were at the start of the turn. ``idle`` targets may be aimed at while another
    stands (B11): those that are part of this variant.
    """

    defences: tuple[str, ...]
    tanks: tuple[str, ...]
    points: tuple[int, ...]
    wins: tuple[int, ...]
    stages: tuple[Stage, ...]
    dozen: int
    traps: int
    bunkers: int
    ditches: int
    traps_at_turn: bool
    squads_at_turn: bool
    craft_each: bool
    bunkers_add_up: bool
    idle: tuple[int, ...]
    at_once: bool
    target_last: bool
    craters_first: bool
    craters_capped: bool
    rolls_score: bool


class Rows(NamedTuple):
    """Which row of a matrix of games is what; defences come first, in the ruleset's order."""

    tanks: int
    """The first of the tanks, in the ruleset's order."""
    squads: int
    casualties: int
    tanks_lost: int
    craft: int
    """Landing craft hit this turn."""
    craft_before: int
    """Landing craft hit last turn."""
    traps_at_turn: int
    squads_at_turn: int
    turn: int
    """In which the game was won; 0 as long as it is not."""
    every: int
    """How many rows there are."""


def rows(programme: Programme) -> Rows:
    tanks = len(programme.defences)
    first = tanks + len(programme.tanks)
    return Rows(tanks, *range(first, first + 9))
