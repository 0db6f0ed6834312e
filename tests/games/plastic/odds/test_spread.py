"""How many of a row of shots hit, each with its own chance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.games.plastic.luck import fewer_and_as_many

CHANCES = st.builds(
    lambda of, hits: Fraction(min(hits, of), of), st.integers(1, 48), st.integers(0, 48)
)


def exactly(found: tuple[Fraction, Fraction]) -> object:
    """To twelve digits."""
    return pytest.approx(tuple(map(float, found)), abs=1e-12)


@given(st.lists(CHANCES, max_size=8), st.integers(0, 9))
def test_it_is_what_trying_every_outcome_gives(chances: list[Fraction], hits: int) -> None:
    fewer = same = Fraction(0)
    for came in product((0, 1), repeat=len(chances)):
        ways = [p if hit else 1 - p for p, hit in zip(chances, came, strict=True)]
        way = prod(ways, start=Fraction(1))
        fewer += way * (sum(came) < hits)
        same += way * (sum(came) == hits)
    assert fewer_and_as_many(chances, hits) == exactly((fewer, same))


@pytest.mark.parametrize("hits", [0, 3, 17, 30])
def test_equal_chances_give_the_binomial_distribution(hits: int) -> None:
    p, n = Fraction(5, 12), 30
    ways = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    assert fewer_and_as_many([p] * n, hits) == exactly((sum(ways[:hits]), ways[hits]))
