from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skirmish.tabletop.companion.cup import Cup, EmptyCup


def test_face_down_chits_are_as_likely_as_in_a_real_cup() -> None:
    """Laid down first and turned over later: the chances of every order drawn from a real cup."""
    chits = ("a", "a", "b", "c")
    orders = Counter(permutations(chits, 2))
    whole = sum(orders.values())
    cup = Cup(id="cup", unseen=chits).draw_unseen(2)
    found: dict[tuple[str, str], Fraction] = {}
    for first, chance in cup.chances().items():
        after = cup.reveal(first)
        for second, then in after.chances().items():
            found[first, second] = chance * then
            assert after.reveal(second).face_down == 0
    assert found == {order: Fraction(count, whole) for order, count in orders.items()}


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=12), st.integers(0, 10**6))
def test_the_program_draws_each_chit_once_and_the_same_again(chits: list[str], seed: int) -> None:
    cup = again = Cup(id="cup", seed=seed).put(chits)
    while cup.inside:
        assert cup.peek() == again.peek()
        cup, again = cup.draw(cup.peek()), again.draw(again.peek())
    assert sorted(cup.drawn) == sorted(chits)
    assert cup.refill().unseen == tuple(sorted(chits))
    with pytest.raises(EmptyCup):
        cup.peek()


def test_draws_are_fair() -> None:
    counts = Counter(Cup(id="c", unseen=("a", "b", "c"), seed=seed).peek() for seed in range(3000))
    assert all(900 < count < 1100 for count in counts.values())


def test_what_lies_outside_cannot_be_drawn_from_the_cup() -> None:
    cup = Cup(id="cup", unseen=("a", "b")).draw_unseen(2)
    assert cup.inside == 0
    with pytest.raises(EmptyCup):
        cup.draw("a")
    with pytest.raises(EmptyCup):
        cup.draw_unseen()
    with pytest.raises(EmptyCup):
        Cup(id="cup", unseen=("a",)).reveal("a")
    with pytest.raises(LookupError):
        Cup(id="cup", unseen=("a",)).draw("z")
    with pytest.raises(ValueError, match="own cup"):
        Cup(id="cup", unseen=("a",)).peek()


def test_what_is_held_back_is_no_chance_and_is_seen_by_nobody_else() -> None:
    cup = Cup(id="mug", unseen=("guards", "naval", "royal")).hold_back("royal")
    assert cup.chances() == {"guards": Fraction(1, 2), "naval": Fraction(1, 2)}
    assert "royal" not in str(cup.veiled("?"))
    assert cup.release("royal").unseen == ("guards", "naval", "royal")
    assert cup.draw("naval").put_back("naval").unseen == cup.unseen
    assert cup.draw("naval").remove("naval").drawn == ()
