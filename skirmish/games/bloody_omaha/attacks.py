"""Attacks on German tokens (8.4): who takes part, the column of the table, the result.

An attack is the ``Task`` of its roll. Its ``place`` is the square that is attacked. Tasks of all
kinds have the same few fields, so its ``column`` holds the squares from which it comes
(``attacked_from``), its ``count`` the penalty (``penalty_of``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.games.bloody_omaha import state as bloody
from skirmish.games.bloody_omaha.run import Run
from skirmish.games.bloody_omaha.state import BloodyState, value_of
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.result_table import Resolved, ResultTable, odds
from skirmish.tabletop.companion.table_state import Task

COLUMN_VALUES = ("difference", "odds", "strength", "defense")
"""The values by one of which the column of the attack table is chosen."""


def attacked_from(attack: Task) -> list[str]:
    """The squares from which an attack comes; the units of the first advance."""
    return attack.column.split()


def penalty_of(attack: Task) -> int:
    """What is taken off the strength of an attack (O7)."""
    return attack.count


class AttackSums(NamedTuple):
    """The strength of all attackers, and the defense of the square."""

    strength: int
    defense: int


def attack_sums(state: BloodyState, task: Task) -> AttackSums:
    """The strength of an attack after its penalty, but at least 0, and the defense."""
    full_strength = sum(map(state.strength, attackers(state, task)))
    strength = max(full_strength - penalty_of(task), 0)
    defense = _worth(state.numbered_tokens(task.place))
    return AttackSums(strength, defense)


def attackers(state: BloodyState, task: Task) -> list[Counter]:
    """All units of the squares, each with its tanks (O23, O24)."""
    fighting = []
    for square in attacked_from(task):
        for unit in state.units(square):
            fighting += [unit, *state.tanks(unit)]
    return fighting


def of_several_commands(state: BloodyState, task: Task) -> bool:
    """Whether the attackers are units of several commands; a tank is of none."""
    commands = {unit.group for unit in attackers(state, task) if unit.kind != bloody.TANK}
    return len(commands) > 1


# ------------------------------------------------------------------ the column of the attack table


def attack_column(state: BloodyState, task: Task, table: ResultTable) -> int:
    """The index of the column on the attack table, by the value that its owner says chooses it. An
    attack that is too weak for the first column uses that column."""
    chosen_by = state.owned.attack_columns.chosen_by
    # A table of one column has nothing to choose, nor has one that is not typed in.
    if chosen_by not in COLUMN_VALUES:
        return 0
    strength, defense = attack_sums(state, task)
    match chosen_by:
        case "difference":
            number = Fraction(strength - defense)
        case "odds":
            number = odds(strength, defense)
        case "strength":
            number = Fraction(strength)
        case _:  # "defense", the last of COLUMN_VALUES
            number = Fraction(defense)
    return max(table.column_for(number), 0)


def attack_words(state: BloodyState, task: Task, column: str) -> str:
    """Who attacks what, and in which column: ``Able 4, Tank 1 2 against strongpoint 5; odds …``."""
    chosen_by = state.owned.attack_columns.chosen_by
    strengths = [f"{unit.name} {state.strength(unit)}" for unit in attackers(state, task)]
    if penalty_of(task):
        strengths.append(f"penalty -{penalty_of(task)}")
    text = f"{', '.join(strengths)} against {', '.join(state.numbered_tokens(task.place))}"
    if chosen_by == "difference":
        strength, defense = attack_sums(state, task)
        text += f"; difference {strength - defense}, column {column}"
    elif chosen_by in COLUMN_VALUES:
        text += f"; {chosen_by}, column {column}"
    if of_several_commands(state, task):
        text += "; several commands, for which the rule breaks off (O7)"
    return text


# ------------------------------------------------------------------ the result


def settle_attack(run: Run, task: Task, outcome: Resolved) -> None:
    """Carries the result of an attack out: failure, success, or success with disruption, which
    removes only what the attack is worth (8.4.d)."""
    if outcome.result == "failure":
        finish_attack(run, task, tokens=())
        return
    if outcome.result == "success":
        finish_attack(run, task, run.state.numbered_tokens(task.place), hit=False)
        return
    choices = removal_choices(run.state, task)
    if len(choices) > 1:
        run.ask(replace(task, kind="remove"))
    else:
        finish_attack(run, task, choices[0])


def finish_attack(run: Run, task: Task, tokens: Sequence[str], *, hit: bool = True) -> None:
    """The end of an attack: these ``tokens`` of its target are removed, the attackers are disrupted
    if they are ``hit``, and those of the first square advance if no token is left."""
    squares = attacked_from(task)
    if tokens:
        run.take_off(task.place, *tokens)
    if hit:
        for square in squares:
            for unit in run.state.units(square):
                run.disrupt(unit)
    if tokens and run.state.is_clear(task.place):
        for unit in run.state.units(squares[0]):
            run.move(unit, task.place)


def removal_choices(state: BloodyState, task: Task) -> list[tuple[str, ...]]:
    """The sets of tokens that success with disruption may remove: those worth the roll and the
    strength together."""
    points = task.roll + attack_sums(state, task).strength
    # The answer "whole" of O8 removes whole tokens; the other one all tokens or none.
    some_may_stay = state.rules.ruled("O8", "whole")
    return removable(state.numbered_tokens(task.place), points, some_may_stay=some_may_stay)


def removable(tokens: Sequence[str], points: int, *, some_may_stay: bool) -> list[tuple[str, ...]]:
    """The sets of tokens that may be removed for so many ``points``: the sets worth as many or as
    little more as possible, and of these the ones with the fewest tokens. All tokens together if
    they are not worth more. Unless ``some_may_stay`` while others go, it is all or none (O8).

    >>> removable(["strongpoint 2", "strongpoint 3", "encounter 4"], 3, some_may_stay=True)
    [('strongpoint 3',)]
    >>> removable(["strongpoint 2", "strongpoint 3", "encounter 4"], 3, some_may_stay=False)
    [()]
    """
    if points >= _worth(tokens):
        return [tuple(tokens)]
    if not some_may_stay:
        return [()]
    # All sets are tried: a square has only a few tokens.
    sizes = {}
    for count in range(1, len(tokens) + 1):
        for choice in combinations(tokens, count):
            if _worth(choice) >= points:
                sizes[choice] = (_worth(choice), count)
    # Sizes are compared by worth, then by the number of tokens.
    smallest = min(sizes.values())
    return [choice for choice, size in sizes.items() if size == smallest]


def _worth(tokens: Sequence[str]) -> int:
    """The sum of the values of tokens."""
    return sum(int(value_of(token)) for token in tokens)
