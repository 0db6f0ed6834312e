"""Fire and assault as pure functions: the column, every shift with its reason, the odds, the
result. Orders (``attacks``) and the questions of other programs (``questions``) use them.

The rulings are read through ``Rulings`` by their numbers; what each asks stands beside its branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec.structs import replace

from skirmish.games.omaha.ruleset import CREST, FORTIFICATION, OmahaTables
from skirmish.tabletop.companion.modifiers import Shift
from skirmish.tabletop.companion.result_table import Resolved, ResultTable, least_value, odds
from skirmish.tabletop.data_file import Strict

ROLLS = range(1, 7)
"""The numbers of a die."""
Roll = Annotated[int, msgspec.Meta(ge=1, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
MaybeRoll = int | None
"""A number drawn; None: before the roll, when only the odds are wanted."""
Rulings = Mapping[str, str]
"""The answers in force by ruling, ``{"M7": "after"}``."""
Rolls = Mapping[int, int] | Sequence[int]
"""The possible rolls, all equally likely or each with its weight: those of a deck have weights."""
SHIFT_NAMES = {
    "adjacent": "adjacent",
    "op_fire": "opportunity fire",
    "disrupted": "a defender is disrupted",
    "infantry_against_armor": "infantry against armor alone",
}
"""Labels of the shifts that are not terrain."""


class Ground(Strict, frozen=True, kw_only=True):
    """The terrain of the target."""

    terrain: tuple[str, ...] = ()
    """The ids of its kinds of terrain; fortifications and crests have fields of their own."""
    fortification: bool = False
    crest: bool = False
    """Whether any attacker attacks across a crest."""

    def shifts_to_the_left(self, tables: OmahaTables, rulings: Rulings) -> list[Shift]:
        """The shifts to the left, each with the terrain that is its reason."""
        ids = [*self.terrain]
        if self.fortification:
            ids.append(FORTIFICATION)
        if self.crest:
            ids.append(CREST)
        shifts = []
        for id in ids:
            terrain = tables.terrain_with(id)
            if terrain is not None and terrain.left:
                shifts.append(Shift(id, -terrain.left))
        # M6: whether terrain adds up. All printed shifts are 1, so the first is as large as any.
        if rulings["M6"] == "one":
            return shifts[:1]
        return shifts


class FireAt(Ground, frozen=True, kw_only=True):
    """Fire at a hex."""

    factors: Count
    """The factors of all firers together, less the target's armor."""
    adjacent: bool = False
    op_fire: bool = False
    halved: bool = False
    """Whether all of them fire beyond their range."""


class AssaultOn(Ground, frozen=True, kw_only=True):
    """A close assault."""

    attack: Count
    """The close assault factors of all attackers together."""
    defense: Count
    """The close assault factors of all defenders together."""
    disrupted: bool = False
    """Whether any defender is disrupted."""
    infantry_against_armor: bool = False
    """Whether infantry attacks armor without any infantry."""


def fire(
    tables: OmahaTables,
    rulings: Rulings,
    shot: FireAt,
    roll: MaybeRoll = None,
    rolls: Rolls = ROLLS,
) -> Resolved:
    """A shot; without a ``roll`` only its odds. Not allowed left of the "3" column."""
    total = shot.factors
    if shot.halved:
        # Only a question of another program halves the sum. An order halves each firer by itself
        # (``fire.Fire.terms``, ruling M3).
        total = total // 2
    by_terrain = shot.shifts_to_the_left(tables, rulings)
    shifts = list(by_terrain)
    if shot.adjacent:
        shifts.append(Shift("adjacent", 1))
    if shot.op_fire:
        shifts.append(Shift("op_fire", 1))
    # The index of the last column that is no more than the factors: 10 factors use the "6" column.
    # It is -1 for fewer than 3 factors, which are left of the first column.
    column_index = tables.fire.column_for(total)
    resolved = tables.fire.resolve(column_index, roll, shifts, value=str(total), rolls=rolls)

    # M30: whether adjacency and op fire bring 0 factors into the table. The questions of other
    # programs may lack it, as it was added later.
    if not total and rulings.get("M30") != "table":
        return _refused(resolved, "below_3", "No factor is left")
    too_few = f"{total} factors come to less than the “3” column after all shifts"
    if not resolved.legal:
        return _refused(resolved, "below_3", too_few)
    # M7: whether terrain alone may already take an attack out of the table, which shifts to the
    # right do not bring back.
    shifted_by_terrain = column_index + sum(shift.value for shift in by_terrain)
    terrain_leads_out = column_index >= 0 and shifted_by_terrain < 0
    if rulings["M7"] == "terrain" and terrain_leads_out:
        return _refused(resolved, "below_3", too_few)
    return resolved


def assault(
    tables: OmahaTables,
    rulings: Rulings,
    attack: AssaultOn,
    roll: MaybeRoll = None,
    rolls: Rolls = ROLLS,
) -> Resolved:
    """An assault; without a ``roll`` only its odds. Not allowed at less than 1-2."""
    table = assault_table(tables, rulings)
    # It is -1 for odds of less than 1-2, which are left of the first column.
    column_index = table.column_for(odds(attack.attack, attack.defense))
    shifts = attack.shifts_to_the_left(tables, rulings)
    if attack.disrupted:
        # "Shift the column right two if ANY of the defenders are disrupted."
        shifts.append(Shift("disrupted", 2))
    if attack.infantry_against_armor:
        shifts.append(Shift("infantry_against_armor", 1))
    if rulings["M29"] == "first":
        # M29: an assault that its shifts take out of the table is resolved on the first column. A
        # table with a ``gate`` allows nothing left of that column.
        table = replace(table, gate=False)
    value = f"{attack.attack}:{attack.defense}"
    resolved = table.resolve(column_index, roll, shifts, value=value, rolls=rolls)
    if column_index < 0:
        return _refused(resolved, "below_1_2", f"{value} is less than 1-2")
    if not resolved.legal:
        text = f"{value} comes to less than 1-2 after all shifts"
        return _refused(resolved, "left_of_1_2", text)
    return resolved


def _refused(resolved: Resolved, code: str, reason: str) -> Resolved:
    """The attack marked as not allowed, with the code and the sentence of the reason."""
    text = f"{reason}: that is not allowed."
    return replace(resolved, legal=False, chances={}, refusal_code=code, refusal_text=text)


def assault_table(tables: OmahaTables, rulings: Rulings) -> ResultTable:
    """The printed table; under ruling M9 the AR of a 5 at 4-1, between two NE, is a misprint."""
    table = tables.assault
    if rulings["M9"] == "literal":
        return table
    return table.with_cell(table.index_of_row(5), table.column_for(least_value("4-1")), "NE")


def factors_text(value: str) -> str:
    """A number of factors in words: ``1 factor``, ``12 factors``."""
    if value == "1":
        return "1 factor"
    return f"{value} factors"


def shift_text(tables: OmahaTables, shift: Shift) -> str:
    """A shift in words: ``woods: 1 left``."""
    direction = "left"
    if shift.value > 0:
        direction = "right"
    terrain = tables.terrain_with(shift.label)
    if terrain is None:
        name = SHIFT_NAMES[shift.label]
    else:
        name = terrain.name.lower()
    return f"{name}: {abs(shift.value)} {direction}"
