"""Fire, assault and recovery as pure functions: the column, every shift with its reason, the odds,
the result. Queries of other programs use the same functions.

The rulings are read through ``Rulings`` by their numbers; what each asks stands beside its branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec.structs import replace

from skirmish.games.omaha.ruleset import CREST, FORTIFICATION, OmahaTables, Recovery
from skirmish.tabletop.companion.result_table import Resolved, ResultTable, Shift, least_value, odds
from skirmish.tabletop.data_file import DataError, Problem, Strict, read_question, suggest
from skirmish.tabletop.presets import PresetBook

ROLLS = range(1, 7)
"""The numbers of a die."""
Roll = Annotated[int, msgspec.Meta(ge=1, le=6)]
Count = Annotated[int, msgspec.Meta(ge=0, le=9999)]
MaybeRoll = int | None
"""A number drawn; None: before the roll, when only the odds are wanted."""
Rulings = Mapping[str, str]
"""The answers in force by ruling, ``{"M7": "after"}``."""
Rolls = Mapping[int, int] | Sequence[int]
"""The possible rolls, alike or with their weights (a deck has its own)."""
SHIFT_NAMES = {
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

    def shifts_left(self, tables: OmahaTables, rulings: Rulings) -> list[Shift]:
        """The shifts to the left, each with the terrain that is its reason."""
        ids = [*self.terrain]
        if self.fortification:
            ids.append(FORTIFICATION)
        if self.crest:
            ids.append(CREST)
        shifts = []
        for id in ids:
            terrain = tables.ground(id)
            if terrain is not None and terrain.left:
                shifts.append(Shift(id, -terrain.left))
        # M6: whether terrain adds up. All printed shifts are 1, so that any of them is the largest.
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
    """The factors of close assault of both sides. ``disrupted``: any defender is."""

    attack: Count
    defense: Count
    disrupted: bool = False
    infantry_against_armor: bool = False


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
        # Of several firers each is halved by itself (``attacks.Fire.terms``, ruling M3); this is
        # the question of another program, which gives their sum.
        total = total // 2
    by_terrain = shot.shifts_left(tables, rulings)
    shifts = list(by_terrain)
    if shot.adjacent:
        shifts.append(Shift("adjacent", 1))
    if shot.op_fire:
        shifts.append(Shift("op_fire", 1))
    # The last column that is no more than the factors: 10 factors use the "6". Fewer than 3 are
    # left of the first column, at -1.
    column = tables.fire.column_for(total)
    resolved = tables.fire.resolve(column, roll, shifts, value=str(total), rolls=rolls)

    # M30: whether adjacency and op fire bring 0 factors into the table. The questions of other
    # programs may lack it, as it was added later.
    if not total and rulings.get("M30") != "table":
        return _refused(resolved, "below_3", "No factor is left")
    too_few = f"{total} factors come to less than the “3” column after all shifts"
    if not resolved.legal:
        return _refused(resolved, "below_3", too_few)
    # M7: whether terrain alone may already take an attack out of the table, which shifts to the
    # right do not bring back.
    shifted_by_terrain = column + sum(shift.value for shift in by_terrain)
    if rulings["M7"] == "terrain" and column >= 0 and shifted_by_terrain < 0:
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
    column = table.column_for(odds(attack.attack, attack.defense))
    shifts = attack.shifts_left(tables, rulings)
    if attack.disrupted:
        # "Shift the column right two if ANY of the defenders are disrupted."
        shifts.append(Shift("disrupted", 2))
    if attack.infantry_against_armor:
        shifts.append(Shift("infantry_against_armor", 1))
    if rulings["M29"] == "first":
        # M29: what shifts to the left take out of the table is resolved on its first column. The
        # ``gate`` is that nothing left of it is allowed.
        table = replace(table, gate=False)
    value = f"{attack.attack}:{attack.defense}"
    resolved = table.resolve(column, roll, shifts, value=value, rolls=rolls)
    if column < 0:
        return _refused(resolved, "below_1_2", f"{value} is less than 1-2")
    if not resolved.legal:
        text = f"{value} comes to less than 1-2 after all shifts"
        return _refused(resolved, "left_of_1_2", text)
    return resolved


def _refused(resolved: Resolved, why: str, text: str) -> Resolved:
    """The attack as one that is not allowed, with the code and the sentence of the reason."""
    text = f"{text}: that is not allowed."
    return replace(resolved, legal=False, chances={}, why=why, text=text)


def assault_table(tables: OmahaTables, rulings: Rulings) -> ResultTable:
    """The printed table; under ruling M9 the AR of a 5 at 4-1, between two NE, is a misprint."""
    table = tables.assault
    if rulings["M9"] == "literal":
        return table
    return table.entered(table.row(5), table.column_for(least_value("4-1")), "NE")


def factors(value: str) -> str:
    """``1 factor``, ``12 factors``."""
    if value == "1":
        return "1 factor"
    return f"{value} factors"


def shift_text(tables: OmahaTables, shift: Shift) -> str:
    """``woods: 1 left``."""
    direction = "left"
    if shift.value > 0:
        direction = "right"
    ground = tables.ground(shift.label)
    if ground is None:
        name = SHIFT_NAMES[shift.label]
    else:
        name = ground.name.lower()
    return f"{name}: {abs(shift.value)} {direction}"


# ------------------------------------------------------------------ other programs


class Recovering(Strict, frozen=True, kw_only=True):
    """A roll for recovery; ``who``: whose recovery number counts."""

    who: Recovery


class TableQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of another program: exactly one of ``fire``, ``assault`` and ``recovery``. Without
    a ``roll`` the answer holds the chances of every result. ``rulings``: the answers that differ
    from the default, by ruling."""

    fire: FireAt | None = None
    assault: AssaultOn | None = None
    recovery: Recovering | None = None
    roll: Roll | None = None
    rulings: dict[str, str] = {}


def answer(tables: OmahaTables, book: PresetBook, line: bytes) -> dict[str, Any]:
    """Answers a line of JSON; raises DataError."""
    question = read_question(line, TableQuestion)
    problems = _problems(tables, book, question)
    if problems:
        raise DataError("question", problems)
    rulings, roll = book.answered(question.rulings), question.roll
    if question.recovery is not None:
        highest = tables.recovery[question.recovery.who]
        assert roll is not None, "a question without its roll has a problem"
        return {"recovers": roll <= highest}
    if question.fire is not None:
        return _answered(fire(tables, rulings, question.fire, roll), int)
    assert question.assault is not None
    return _answered(assault(tables, rulings, question.assault, roll), str)


def _problems(tables: OmahaTables, book: PresetBook, question: TableQuestion) -> list[Problem]:
    """Everything that is wrong with a question."""
    problems = []
    asked = [question.fire, question.assault, question.recovery]
    if asked.count(None) != len(asked) - 1:
        problems.append(Problem("", "needs one of fire, assault, recovery."))
    # These two have keys of their own in a question.
    own_keys = (FORTIFICATION, CREST)
    terrains = [terrain.id for terrain in tables.terrain if terrain.id not in own_keys]
    for attack in (question.fire, question.assault):
        if attack is None:
            continue
        for id in attack.terrain:
            if id not in terrains:
                hint = suggest(id, terrains)
                problems.append(Problem("terrain", f"{id!r} is no terrain; {hint}"))
    problems += book.problems(question.rulings)
    if question.recovery and question.roll is None:
        problems.append(Problem("roll", "is missing; a number from 1 to 6 belongs here."))
    return problems


def _answered(resolved: Resolved, title_type: type[int] | type[str]) -> dict[str, Any]:
    """The answer for another program. ``title_type`` is the type that the titles of columns have
    there: fire has numbers (``int``), an assault odds such as ``3-1`` (``str``)."""
    if resolved.why:
        return {"legal": False, "why": resolved.why, "says": resolved.text}
    base = final = None
    if resolved.base:
        base = title_type(resolved.base)
    if resolved.column:
        final = title_type(resolved.column)
    reply: dict[str, Any] = {
        "legal": True,
        "column": base,
        "shifts": [[shift.label, shift.value] for shift in resolved.shifts],
        "final": final,
    }
    if resolved.result:
        reply["result"] = resolved.result
    else:
        chances = resolved.chances
        reply["chances"] = {result: str(chance) for result, chance in chances.items()}
    return reply
