"""The display of chances: rounded half up, possible ones never as 0, uncertain ones never as
100."""

from __future__ import annotations

from fractions import Fraction
from math import floor


def nearest(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


def percent(chance: Fraction) -> str:
    whole = nearest(100 * chance)
    if chance and not whole:
        return "<1"
    return ">99" if whole == 100 and chance != 1 else str(whole)


def tenths(chance: Fraction) -> str:
    found = nearest(1000 * chance)
    if chance and not found:
        return "<0.1%"
    if found == 1000 and chance != 1:
        return ">99.9%"
    return f"{found // 10}.{found % 10}%"


def hundredths(value: Fraction) -> str:
    found = nearest(100 * value)
    return f"{found // 100}.{found % 100:02}"
