"""How many of a row of shots hit: the distribution of their sum, each shot with its own chance.

It is the Poisson binomial distribution: the chances are multiplied out, one shot after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

EXACT = 1000
"""Shots up to which whole numbers are reckoned with. Their digits grow with every shot, so more
are reckoned in floating point, whose error stays far below a billionth."""


def fewer_and_as_many(chances: Sequence[Fraction], hits: int) -> tuple[Fraction, Fraction]:
    """The chance of fewer hits than ``hits``, and that of just as many.

    Exact up to ``EXACT`` shots that are not sure. The work grows with their square at most.
    """
    sure = sum(chance == 1 for chance in chances)
    open_ones = [chance for chance in chances if 0 < chance < 1]
    wanted, most = hits - sure, len(open_ones)
    if wanted < 0:
        return Fraction(0), Fraction(0)
    if wanted > most:
        return Fraction(1), Fraction(0)
    if 2 * wanted <= most:
        first = _first(open_ones, wanted)
        return sum(first[:-1], Fraction(0)), first[-1]
    misses = _first([1 - chance for chance in open_ones], most - wanted)
    return 1 - sum(misses, Fraction(0)), misses[-1]


def _first(chances: Sequence[Fraction], most: int) -> list[Fraction]:
    """The chances of 0, 1, ... ``most`` hits; more are not followed."""
    if len(chances) > EXACT:
        return _first_roughly(chances, most)
    ways, whole = [1], 1
    for chance in chances:
        hit, of = chance.numerator, chance.denominator
        miss, whole = of - hit, whole * of
        ways = [a * miss + b * hit for a, b in zip((*ways, 0), (0, *ways), strict=True)][: most + 1]
    return [Fraction(count, whole) for count in ways]


def _first_roughly(chances: Sequence[Fraction], most: int) -> list[Fraction]:
    """The same in floating point."""
    row = [1.0]
    for hit in map(float, chances):
        miss = 1 - hit
        row = [a * miss + b * hit for a, b in zip((*row, 0.0), (0.0, *row), strict=True)]
        row = row[: most + 1]
    return [Fraction(value) for value in row]
