"""How chances are shown: rounded half up, everywhere, and never to what they are not.

What is possible is never shown as 0, nor what is uncertain as 100.
"""

from __future__ import annotations

from fractions import Fraction
from math import floor


def nearest(value: Fraction) -> int:
    """The nearest whole number; of two, the larger: 12.5 is 13."""
    return floor(value + Fraction(1, 2))


def percent(chance: Fraction) -> str:
    """``67``."""
    whole = nearest(100 * chance)
    if chance and not whole:
        return "<1"
    return ">99" if whole == 100 and chance != 1 else str(whole)


def tenths(chance: Fraction) -> str:
    """``33.3%``."""
    found = nearest(1000 * chance)
    if chance and not found:
        return "<0.1%"
    if found == 1000 and chance != 1:
        return ">99.9%"
    return f"{found // 10}.{found % 10}%"


def hundredths(value: Fraction) -> str:
    """``2.31``: a number of kills, say."""
    found = nearest(100 * value)
    return f"{found // 100}.{found % 100:02}"
