"""Polynomials in the kills, packed into integers.

The coefficient of each number of kills has a field of so many bits (the ``width``), that of 0 kills
the lowest. So Python adds and multiplies all coefficients at once, and to multiply by a kill is to
shift by a field. A coefficient may be negative: then it borrows from the field above it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TypeVar

Key = TypeVar("Key")
Weights = dict[Key, tuple[int, int]]
"""Packed polynomials without their lowest zeros, whose number (in bits) comes first."""


def add_weight(weights: Weights[Key], key: Key, low: int, value: int) -> None:
    """Adds a polynomial, ``value`` above ``low`` zeros, to that of the key."""
    before = weights.get(key)
    if before is None:
        weights[key] = low, value
        return
    low_before, value_before = before
    # The sum begins at the lower of both.
    if low_before < low:
        weights[key] = low_before, value_before + (value << low - low_before)
    else:
        weights[key] = low, value + (value_before << low_before - low)


def each_added(first: list[int], second: list[int]) -> list[int]:
    """The sums of two lists of polynomials, each with the one at its place."""
    return list(map(operator.add, first, second))


def shifted(value: int, bits: int) -> int:
    """The value shifted to the left, or to the right where ``bits`` are negative."""
    if bits < 0:
        return value >> -bits
    return value << bits


def lowest(value: int, bits: int) -> int:
    """The lowest terms of a polynomial: those in so many bits, of which the highest is the sign."""
    value &= (1 << bits) - 1
    return value - (value >> bits - 1 << bits)


def lowest_bit(value: int) -> int:
    """The place of the lowest bit that is set, from 0."""
    return (value & -value).bit_length() - 1


def with_new_width(value: int, width: int, new_width: int) -> int:
    """A polynomial without a negative coefficient, with fields of ``new_width``."""
    result, shift = 0, 0
    mask = (1 << width) - 1
    while value:
        result |= (value & mask) << shift
        value >>= width
        shift += new_width
    return result


def coefficients(low: int, value: int, width: int) -> Iterator[tuple[int, int]]:
    """The coefficients that are not 0, each after the number of its field."""
    field = low // width
    while value:
        coefficient = lowest(value, width)
        if coefficient:
            yield field, coefficient
        value = (value - coefficient) >> width
        field += 1


def sum_of_coefficients(value: int, width: int) -> int:
    """The sum of all coefficients of a polynomial."""
    # Modulo 2 ** width - 1, 2 ** width is 1, so that every field counts as the lowest one does. The
    # remainder is taken between minus and plus a half, since the sum may be negative.
    modulus = (1 << width) - 1
    half = modulus // 2
    return (value + half) % modulus - half
