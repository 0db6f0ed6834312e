"""The display of chances: rounded half up, possible ones never as 0, uncertain ones never as
100."""

from __future__ import annotations

from fractions import Fraction


def nearest(value: Fraction, times: int = 1) -> int:
    """So many ``times`` the value, rounded half up to a whole number."""
    # Half up is (2 * times * value + 1) // 2. It is worked out in whole numbers, since tables of
    # odds round thousands of fractions, which are slow to multiply.
    return (2 * times * value.numerator + value.denominator) // (2 * value.denominator)


def percent(chance: Fraction) -> str:
    """``0``, ``<1``, ``42``, ``>99``, ``100``"""
    whole = nearest(chance, 100)
    if chance and not whole:
        return "<1"
    if whole == 100 and chance != 1:
        return ">99"
    return str(whole)


def tenths(chance: Fraction) -> str:
    """A chance in percent: ``0.0%``, ``<0.1%``, ``41.7%``, ``>99.9%``, ``100.0%``"""
    thousandths = nearest(chance, 1000)
    if chance and not thousandths:
        return "<0.1%"
    if thousandths == 1000 and chance != 1:
        return ">99.9%"
    return f"{thousandths // 10}.{thousandths % 10}%"


def hundredths(value: Fraction) -> str:
    """A number that is no chance, such as kills on average: ``3.07``"""
    hundred_times = nearest(value, 100)
    return f"{hundred_times // 100}.{hundred_times % 100:02}"
