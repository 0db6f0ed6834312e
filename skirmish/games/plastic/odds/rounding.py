"""The display of chances: rounded half up, possible ones never as 0, uncertain ones never as
100."""

from __future__ import annotations

from fractions import Fraction


def nearest(value: Fraction, times: int = 1) -> int:
    """``times`` as many, in whole numbers: tables of odds round thousands of fractions."""
    return (2 * times * value.numerator + value.denominator) // (2 * value.denominator)


def percent(chance: Fraction) -> str:
    whole = nearest(chance, 100)
    if chance and not whole:
        return "<1"
    return ">99" if whole == 100 and chance != 1 else str(whole)


def tenths(chance: Fraction) -> str:
    found = nearest(chance, 1000)
    if chance and not found:
        return "<0.1%"
    if found == 1000 and chance != 1:
        return ">99.9%"
    return f"{found // 10}.{found % 10}%"


def hundredths(value: Fraction) -> str:
    found = nearest(value, 100)
    return f"{found // 100}.{found % 100:02}"
