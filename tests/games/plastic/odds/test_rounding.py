"""Chances as they are shown: half up, and never what they are not."""

from __future__ import annotations

from fractions import Fraction

import pytest

from skirmish.games.plastic.odds.rounding import hundredths, nearest, percent, tenths


def test_no_percentage_is_rounded_to_never_or_to_certainty() -> None:
    told = {Fraction(0): "0", Fraction(1): "100", Fraction(2, 3): "67", Fraction(1, 300): "<1"}
    told[Fraction(299, 300)] = ">99"
    assert {chance: percent(chance) for chance in told} == told
    told = {Fraction(0): "0.0%", Fraction(1): "100.0%", Fraction(1, 3): "33.3%"}
    told |= {Fraction(1, 9999): "<0.1%", Fraction(9998, 9999): ">99.9%"}
    assert {chance: tenths(chance) for chance in told} == told


@pytest.mark.parametrize("whole", range(100))
def test_a_half_is_rounded_up_wherever_it_stands(whole: int) -> None:
    """Never to the even number, as Python would."""
    half = Fraction(2 * whole + 1, 200)
    assert nearest(100 * half) == whole + 1
    assert percent(half) == (">99" if whole == 99 else str(whole + 1))
    assert tenths(half / 10) == f"{(whole + 1) // 10}.{(whole + 1) % 10}%"
    assert hundredths(half) == f"{(whole + 1) // 100}.{(whole + 1) % 100:02}"
