"""Fire, assault and recovery as pure functions: the column, every shift with its reason, the odds,
the result. Queries of other programs use the same functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from skirmish.games.omaha.ruleset import CREST, FORTIFICATION, OmahaTables, Recovery
from skirmish.tabletop.companion.result_table import Resolved, ResultTable, Shift, least, odds
from skirmish.tabletop.data_file import DataError, Problem, Strict, read_json, suggest
from skirmish.tabletop.presets import PresetBook

ROLLS = range(1, 7)
Roll = Annotated[int, msgspec.Meta(ge=1, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
Drawn = int | None
Rulings = Mapping[str, str]
Rolls = Mapping[int, int] | Sequence[int]
SHIFTS = {
    "adjacent": "adjacent",
    "op_fire": "opportunity fire",
    "disrupted": "a defender is disrupted",
    "infantry_against_armor": "infantry against armor alone",
}
"""Labels of the shifts that are not terrain."""


class Ground(Strict, frozen=True, kw_only=True):
    """The target's terrain; ``crest``: any attacker attacks across one."""

    terrain: tuple[str, ...] = ()
    fortification: bool = False
    crest: bool = False

    def lefts(self, tables: OmahaTables, rulings: Rulings) -> list[Shift]:
        named = [*self.terrain]
        named += [FORTIFICATION] * self.fortification + [CREST] * self.crest
        found = [(id, tables.ground(id)) for id in named]
        shifts = [Shift(id, -one.left) for id, one in found if one is not None and one.left]
        return shifts[:1] if rulings["M6"] == "one" else shifts


class FireAt(Ground, frozen=True, kw_only=True):
    """``factors`` of all firers, without armor; ``halved``: all of them fire beyond their range."""

    factors: Count
    adjacent: bool = False
    op_fire: bool = False
    halved: bool = False


class AssaultOn(Ground, frozen=True, kw_only=True):
    """``disrupted``: any defender is."""

    attack: Count
    defense: Count
    disrupted: bool = False
    infantry_against_armor: bool = False


def fire(
    tables: OmahaTables, rulings: Rulings, shot: FireAt, roll: Drawn = None, rolls: Rolls = ROLLS
) -> Resolved:
    """A shot; without a ``roll`` only its odds. ``rolls`` are the possible rolls with their
    weights."""
    factors = shot.factors // 2 if shot.halved else shot.factors
    lefts = shot.lefts(tables, rulings)
    shifts = [*lefts, *(Shift(id, 1) for id in ("adjacent", "op_fire") if getattr(shot, id))]
    place = tables.fire.place(factors)
    found = tables.fire.resolve(place, roll, shifts, value=str(factors), rolls=rolls)
    stuck = rulings["M7"] == "terrain" and place >= 0 > place + sum(one.value for one in lefts)
    nothing = not factors and rulings["M30"] != "table"
    less = f"{factors} factors come to less than the “3” column after all shifts"
    text = "No factor is left" if nothing else "" if found.legal and not stuck else less
    return _refused(found, "below_3", text) if text else found


def assault(
    tables: OmahaTables,
    rulings: Rulings,
    attack: AssaultOn,
    roll: Drawn = None,
    rolls: Rolls = ROLLS,
) -> Resolved:
    """An assault; without a ``roll`` only its odds."""
    table = assault_table(tables, rulings)
    place = table.place(odds(attack.attack, attack.defense))
    shifts = attack.lefts(tables, rulings) + [Shift("disrupted", 2)] * attack.disrupted
    shifts += [Shift("infantry_against_armor", 1)] * attack.infantry_against_armor
    value = f"{attack.attack}:{attack.defense}"
    if rulings["M29"] == "first":
        table = replace(table, gate=False)
    found = table.resolve(place, roll, shifts, value=value, rolls=rolls)
    if place < 0:
        return _refused(found, "below_1_2", f"{value} is less than 1-2")
    text = f"{value} comes to less than 1-2 after all shifts"
    return found if found.legal else _refused(found, "left_of_1_2", text)


def _refused(found: Resolved, why: str, text: str) -> Resolved:
    text = f"{text}: that is not allowed."
    return replace(found, legal=False, chances={}, why=why, text=text)


def assault_table(tables: OmahaTables, rulings: Rulings) -> ResultTable:
    """The table under the ruling on its odd cell."""
    found, row = tables.assault, 4
    literal = rulings["M9"] == "literal"
    return found if literal else found.entered(row, found.place(least("4-1")), "NE")


def factors(value: str) -> str:
    return f"{value} factor{'s' * (value != '1')}"


def shift_text(tables: OmahaTables, shift: Shift) -> str:
    """``woods: 1 left``."""
    ground = tables.ground(shift.label)
    name = ground.name.lower() if ground else SHIFTS[shift.label]
    return f"{name}: {abs(shift.value)} {'right' if shift.value > 0 else 'left'}"


# ------------------------------------------------------------------ other programs


class Recovering(Strict, frozen=True, kw_only=True):
    who: Recovery


class TableQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exactly one of ``fire``, ``assault`` and ``recovery``. Without a roll the answer holds the
    chances of every result; ``rulings`` differ from the default."""

    fire: FireAt | None = None
    assault: AssaultOn | None = None
    recovery: Recovering | None = None
    roll: Roll | None = None
    rulings: dict[str, str] = {}


def answer(tables: OmahaTables, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    asked = read_json(line, TableQuestion)
    found = [one for one in (asked.fire, asked.assault, asked.recovery) if one is not None]
    problems = [] if len(found) == 1 else [Problem("", "needs one of fire, assault, recovery.")]
    for one in found:
        problems += [
            Problem("terrain", f"{id!r} is no terrain; {suggest(id, _grounds(tables))}")
            for id in getattr(one, "terrain", ())
            if id not in _grounds(tables)
        ]
    problems += book.problems(asked.rulings)
    if asked.recovery and asked.roll is None:
        problems.append(Problem("roll", "is missing; a number from 1 to 6 belongs here."))
    if problems:
        raise DataError("question", problems)
    rulings = book.answered(asked.rulings)
    if asked.recovery is not None:
        return {"recovers": (asked.roll or 0) <= tables.recovery[asked.recovery.who]}
    if asked.fire is not None:
        return _answered(fire(tables, rulings, asked.fire, asked.roll), int)
    assert asked.assault is not None
    return _answered(assault(tables, rulings, asked.assault, asked.roll), str)


def _grounds(tables: OmahaTables) -> list[str]:
    return [one.id for one in tables.terrain if one.id not in (FORTIFICATION, CREST)]


def _answered(found: Resolved, title: type[int] | type[str]) -> dict[str, Any]:
    if found.why:
        return {"legal": False, "why": found.why, "says": found.text}
    base, final = (title(name) if name else None for name in (found.base, found.column))
    shifts = [[shift.label, shift.value] for shift in found.shifts]
    reply: dict[str, Any] = {"legal": True, "column": base, "shifts": shifts, "final": final}
    if not found.result:
        return reply | {"chances": {one: str(chance) for one, chance in found.chances.items()}}
    return reply | {"result": found.result}
