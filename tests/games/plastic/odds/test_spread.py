"""How many of a row of shots hit, each with its own chance."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.games.plastic import luck as spread
from skirmish.games.plastic.luck import fewer_and_as_many

CHANCES = st.builds(
    lambda of, hits: Fraction(min(hits, of), of), st.integers(1, 48), st.integers(0, 48)
)


@given(st.lists(CHANCES, max_size=8), st.integers(0, 9))
def test_it_is_what_trying_every_outcome_gives(chances: list[Fraction], hits: int) -> None:
    fewer = same = Fraction(0)
    for came in product((0, 1), repeat=len(chances)):
        ways = [p if hit else 1 - p for p, hit in zip(chances, came, strict=True)]
        way = prod(ways, start=Fraction(1))
        fewer += way * (sum(came) < hits)
        same += way * (sum(came) == hits)
    assert fewer_and_as_many(chances, hits) == (fewer, same)


@pytest.mark.parametrize("hits", [0, 3, 17, 30])
def test_equal_chances_give_the_binomial_distribution(hits: int) -> None:
    p, n = Fraction(5, 12), 30
    ways = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    assert fewer_and_as_many([p] * n, hits) == (sum(ways[:hits]), ways[hits])


@given(st.lists(CHANCES, min_size=1, max_size=40), st.data())
def test_in_floating_point_it_is_the_same_to_twelve_digits(
    chances: list[Fraction], data: st.DataObject
) -> None:
    hits = data.draw(st.integers(0, len(chances)))
    exact = fewer_and_as_many(chances, hits)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "EXACT", 0)
        rough = fewer_and_as_many(chances, hits)
    assert all(abs(a - b) < Fraction(1, 10**12) for a, b in zip(exact, rough, strict=True))
