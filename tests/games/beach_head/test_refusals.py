"""Whenever the game says no, it says why, and by which reading of the text."""

from __future__ import annotations

from refusals import refusals_of

from skirmish import library
from skirmish.games import beach_head


def test_every_ruling_that_a_refusal_names_is_in_the_book() -> None:
    found = set(refusals_of(beach_head))
    assert len(found) >= 15
    named = {rule for _, rule in found if rule}
    assert named <= set(library.beach().book.rulings)
    assert {"B19", "B24", "B25"} <= named
