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
        shot = fire(tables, rulings, question.fire, roll)
        return _answer_on_attack(shot, titles_are_numbers=True)
    assert question.assault is not None
    close_assault = assault(tables, rulings, question.assault, roll)
    return _answer_on_attack(close_assault, titles_are_numbers=False)


def _problems(tables: OmahaTables, book: PresetBook, question: TableQuestion) -> list[Problem]:
    """Everything that is wrong with a question."""
    problems = []
    asked = [question.fire, question.assault, question.recovery]
    given = [part for part in asked if part is not None]
    if len(given) != 1:
        problems.append(Problem("", "needs one of fire, assault, recovery."))
    # A fortification and a crest are not named as terrain: a question has keys of their own for
    # them.
    with_own_key = (FORTIFICATION, CREST)
    terrains = [terrain.id for terrain in tables.terrain if terrain.id not in with_own_key]
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


def _answer_on_attack(resolved: Resolved, *, titles_are_numbers: bool) -> dict[str, Any]:
    """The answer to a question about an attack. ``titles_are_numbers``: columns are numbers of
    factors, as for fire, and not odds such as ``3-1``."""
    if resolved.refusal_code:
        return {"legal": False, "why": resolved.refusal_code, "says": resolved.refusal_text}
    reply: dict[str, Any] = {
        "legal": True,
        "column": _column_title(resolved.base, titles_are_numbers),
        "shifts": [[shift.label, shift.value] for shift in resolved.shifts],
        "final": _column_title(resolved.column, titles_are_numbers),
    }
    if resolved.result:
        reply["result"] = resolved.result
    else:
        chances = resolved.chances
        reply["chances"] = {result: str(chance) for result, chance in chances.items()}
    return reply


def _column_title(title: str, is_number: bool) -> int | str | None:
    """The title of a column as JSON has it; None left of the first column, which has no title."""
    if not title:
        return None
    if is_number:
        return int(title)
    return title
