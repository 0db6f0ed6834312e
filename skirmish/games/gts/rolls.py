"""The ten-sided die: which rolls are good enough, their chance, and the points that a roll brings.

Rulings are those of ``data/gts/rulings.toml``, such as G1; D8 and D9 are boxes of the charts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from skirmish.games.gts.ruleset import MOST_POINTS
from skirmish.tabletop.companion.modifiers import Shift, Sum

ROLLS = range(10)
"""All rolls of the die; a 0 is 0, not 10."""
HIGHEST_ROLL = 9
Roll = Annotated[int, msgspec.Meta(ge=0, le=9)]


# ------------------------------------------------------------------ a roll against a number


def passes(needs: int, roll: int, *, literal: bool = False) -> bool:
    """Whether a roll passes: 0 does and 9 does not, whatever is needed (Making a Troop Quality
    Check; D8 and D9)."""
    if roll == 0:
        return True
    if roll == HIGHEST_ROLL:
        return False
    return is_within(roll, needs, literal=literal)


def is_within(roll: int, number: int, *, literal: bool = False) -> bool:
    """Whether a roll is “<” a number, as the summary prints it. Its scan lost the line under the
    sign, so “<” is read as “no more than”, unless ruling G1 says that it is meant literally."""
    if literal:
        return roll < number
    return roll <= number


def pass_chance(needs: int, *, literal: bool = False) -> Fraction:
    """The chance that a roll passes where this number is needed."""
    passing = [roll for roll in ROLLS if passes(needs, roll, literal=literal)]
    return Fraction(len(passing), len(ROLLS))


def sum_text(total: Sum, *, literal: bool = False) -> str:
    """The rolls that pass, with the sum that they come from if they do not name it themselves.

    >>> sum_text(Sum(rating=5, lines=(Shift("woods", -2), Shift("mass", 1))))
    '4 or less (5, woods -2, mass +1)'
    >>> sum_text(Sum(rating=5)), sum_text(Sum(rating=5), literal=True)
    ('5 or less', '4 or less (5)')
    """
    passing = passing_rolls_text(total.needs, literal=literal)
    if passing == f"{total.reasons} or less":
        return passing
    return f"{passing} ({total.reasons})"


def passing_rolls_text(needs: int, *, literal: bool = False) -> str:
    """The rolls that pass, in words: ``4 or less``.

    >>> passing_rolls_text(4), passing_rolls_text(4, literal=True), passing_rolls_text(-2)
    ('4 or less', '3 or less', '0')
    """
    highest = max(roll for roll in ROLLS if passes(needs, roll, literal=literal))
    if highest == 0:
        return "0"
    return f"{highest} or less"


# ------------------------------------------------------------------ points


def dispatch_points(
    held: int, dispatch: int, roll: int, *, last: bool = False, literal: bool = False
) -> tuple[Shift, ...]:
    """The dispatch points that a roll brings a division when its chit is played, each with its
    reason. ``held``: the points that it has, before anything is gained (G9); ``dispatch``: its
    rating; ``last``: the last turn before night."""
    lines = []
    if is_within(roll, held, literal=literal):
        lines.append(Shift("no more than the points held", 1))
    if is_within(roll, dispatch, literal=literal):
        lines.append(Shift("no more than the dispatch rating", 1))
    if roll == 0:
        lines.append(Shift("a 0", 1))
    if roll == HIGHEST_ROLL:
        lines.append(Shift("a 9", -1))
    if last:
        lines.append(Shift("the last turn before night", 2))
    return tuple(lines)


def gained(held: int, points: int, *, lost: bool = False) -> int:
    """How many ``points`` a division that has so many ``held`` really gains: only up to the cap. A
    9 may leave it with -1, which counts as nothing, unless ruling G10 says that a point is lost
    (``lost``); a division that holds none loses none."""
    least = 0
    if lost:
        least = -held
    return min(max(points, least), MOST_POINTS - held)
