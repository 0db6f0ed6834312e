"""Questions of other programs about fire, assault and recovery, each a line of JSON, and their
answers.
"""

from __future__ import annotations

from typing import Any

import msgspec

from skirmish.games.omaha.combat import AssaultOn, FireAt, Roll, assault, fire
from skirmish.games.omaha.ruleset import CREST, FORTIFICATION, OmahaTables, Recovery
from skirmish.tabletop.companion.result_table import Resolved
from skirmish.tabletop.data_file import DataError, Problem, Strict, read_question, suggest
from skirmish.tabletop.presets import PresetBook


class Recovering(Strict, frozen=True, kw_only=True):
    """A roll for recovery."""

    who: Recovery
    """Whose recovery number counts."""


class TableQuestion(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question of another program: exactly one of ``fire``, ``assault`` and ``recovery``."""

    fire: FireAt | None = None
    assault: AssaultOn | None = None
    recovery: Recovering | None = None
    roll: Roll | None = None
    """None: the answer holds the chances of every result."""
    rulings: dict[str, str] = {}
    """The answers that differ from the default, by ruling."""


def answer(tables: OmahaTables, book: PresetBook, line: bytes) -> dict[str, Any]:
    """The answer to a line of JSON. Raises DataError."""
    question = read_question(line, TableQuestion)
    problems = _problems(tables, book, question)
    if problems:
        raise DataError("question", problems)
    rulings = book.answered(question.rulings)
    roll = question.roll
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
