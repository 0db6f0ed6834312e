"""Questions of other programs about a check, a shot or a roll for points, each a line of JSON, and
their answers.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from skirmish.games.gts.combat import CheckFacts, ShotFacts, check_sum, fire
from skirmish.games.gts.objections import longest_range, objections
from skirmish.games.gts.rolls import Roll, dispatch_points, gained, pass_chance, passes
from skirmish.games.gts.ruleset import GtsRules, GtsTables, Points, terrain_of
from skirmish.tabletop.companion.modifiers import Sum
from skirmish.tabletop.data_file import DataError, Problem, Strict, read_single_question, suggest
from skirmish.tabletop.page import capital
from skirmish.tabletop.presets import PresetBook

QUESTION = "question"
"""What stands in place of a file name where an error is reported."""


class PointsFacts(Strict, frozen=True, kw_only=True):
    """A roll for dispatch points of a division: the points that it has (``held``) and its dispatch
    rating."""

    held: Points
    dispatch: Points
    last_turn_before_night: bool = False


class GtsQuestion(Strict, frozen=True, kw_only=True):
    """A question of another program: exactly one of ``tq``, ``fire`` and ``points``."""

    tq: CheckFacts | None = None
    """A troop quality check."""
    fire: ShotFacts | None = None
    points: PointsFacts | None = None
    roll: Roll | None = None
    """None: the answer holds chances."""
    tables: Literal["community", "none"] = "none"
    """Where the values of the card come from; with ``none`` nothing is known of the card."""
    rulings: dict[str, str] = msgspec.field(default_factory=dict)
    """The answers that differ from the default, by ruling."""


def answer(community: GtsTables, rules: GtsRules, book: PresetBook, line: bytes) -> dict[str, Any]:
    """The answer to a line of JSON. Raises DataError."""
    asked = read_single_question(line, GtsQuestion, ("tq", "fire", "points"))
    problems = [*book.problems(asked.rulings)]
    if problems:
        raise DataError(QUESTION, problems)
    rules = replace(rules, rulings=book.answered(asked.rulings))
    tables = community.blank()
    if asked.tables == "community":
        tables = community
    if asked.points is not None:
        return _answer_points(asked.points, asked.roll, rules)
    if asked.tq is not None:
        return _answer_check(tables, rules, asked.tq, asked.roll)
    assert asked.fire is not None
    return _answer_fire(tables, rules, asked.fire, asked.roll)


def _answer_points(asked: PointsFacts, roll: int | None, rules: GtsRules) -> dict[str, Any]:
    """The answer to a question about dispatch points. Raises DataError."""
    if roll is None:
        raise DataError(QUESTION, [Problem("roll", "is missing; a number from 0 to 9.")])
    lines = dispatch_points(
        asked.held,
        asked.dispatch,
        roll,
        last=asked.last_turn_before_night,
        literal=rules.less_than_is_literal,
    )
    total = sum(line.value for line in lines)
    points = gained(asked.held, total, lost=rules.point_lost)
    return {"gained": points, "lines": [[line.label, line.value] for line in lines]}


def _answer_check(
    tables: GtsTables, rules: GtsRules, asked: CheckFacts, roll: int | None
) -> dict[str, Any]:
    """The answer to a question about a troop quality check. Raises DataError."""
    total = check_sum(tables, rules, asked)
    _refuse_unknown_modifiers(total, tables)
    reply: dict[str, Any] = {"needs": total.needs}
    if roll is None:
        reply["chance"] = str(pass_chance(total.needs, literal=rules.less_than_is_literal))
    else:
        reply["passed"] = passes(total.needs, roll, literal=rules.less_than_is_literal)
    return reply


def _answer_fire(
    tables: GtsTables, rules: GtsRules, shot: ShotFacts, roll: int | None
) -> dict[str, Any]:
    """The answer to a question about a shot. Raises DataError."""
    if shot.color not in rules.colors:
        text = f"{shot.color!r} is none; {suggest(shot.color, rules.colors)}"
        raise DataError(QUESTION, [Problem("fire.color", text)])
    objection = next(objections(rules, shot, "the firer"), None)
    if objection is not None:
        return {"legal": False, "why": objection.code, "says": capital(objection.text)}
    # Against a hard target a modifier depends on whether the range is the longest of this fire.
    shot = replace(shot, max_range=longest_range(rules, shot))
    outcome = fire(tables, rules, shot, roll)
    total = outcome.sum
    _refuse_unknown_modifiers(total, tables)
    lines = [[line.label, line.value] for line in total.lines]
    reply: dict[str, Any] = {"legal": True, "needs": total.needs, "lines": lines}
    if roll is None:
        reply["chances"] = {name: str(chance) for name, chance in outcome.chances.items()}
    else:
        reply |= {"hit": outcome.hit, "result": outcome.result}
    return reply


def _refuse_unknown_modifiers(total: Sum, tables: GtsTables) -> None:
    """Raises DataError where a modifier is needed whose value the tables do not have."""
    if not total.missing:
        return
    name = terrain_of(total.missing[0])
    is_blank_card = not tables.values
    if is_blank_card:
        text = f'{name} is on your card only; with "tables": "community" it has a value.'
    else:
        # The community's tables have every modifier of the rules, so it can only be terrain.
        text = f"{name!r} is no terrain of these tables; {suggest(name, tables.terrains)}"
    raise DataError(QUESTION, [Problem("tables", text)])
