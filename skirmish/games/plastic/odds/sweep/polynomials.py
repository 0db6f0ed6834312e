"""Polynomials in the kills, packed into integers.

The coefficient of each number of kills has a field of so many bits (the ``width``), that of 0 kills
the lowest. So Python adds and multiplies all coefficients at once, and to multiply by a kill is to
shift by a field. A coefficient may be negative: then it borrows from the field above it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

import msgspec


class PackedWeight(msgspec.Struct, frozen=True, gc=False):
    """A packed polynomial without its lowest bits, which are all 0."""

    low: int
    """How many bits were left out: those of whole fields."""
    value: int
    """The bits above them; negative if the highest coefficient is."""


class Coefficient(NamedTuple):
    """One coefficient of a polynomial."""

    field: int
    """The number of its field, that of 0 kills being 0."""
    number: int


Key = TypeVar("Key")
Weights = dict[Key, PackedWeight]
"""Packed weights by what they belong to, such as a state."""


def add_weight(weights: Weights[Key], key: Key, low: int, value: int) -> None:
    """Adds a polynomial, ``value`` above ``low`` zeros, to that of the key."""
    before = weights.get(key)
    if before is None:
        weights[key] = PackedWeight(low, value)
        return
    # The sum begins at the lower of both.
    if before.low < low:
        sum_of_both = before.value + (value << (low - before.low))
        weights[key] = PackedWeight(before.low, sum_of_both)
    else:
        sum_of_both = value + (before.value << (before.low - low))
        weights[key] = PackedWeight(low, sum_of_both)


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
    mask = (1 << bits) - 1
    cut = value & mask
    sign = cut >> (bits - 1)
    # As in two's complement: a number with the sign set is meant to be less by 2 ** bits.
    return cut - (sign << bits)


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


def coefficients(low: int, value: int, width: int) -> Iterator[Coefficient]:
    """The coefficients that are not 0, from the lowest field to the highest."""
    field = low // width
    while value:
        number = lowest(value, width)
        if number:
            yield Coefficient(field, number)
        # A negative coefficient borrowed from the field above: what is left gets that back.
        value = (value - number) >> width
        field += 1


def sum_of_coefficients(value: int, width: int) -> int:
    """The sum of all coefficients of a polynomial."""
    # Modulo 2 ** width - 1, 2 ** width is 1, so that every field counts as the lowest one does. The
    # remainder is taken between minus and plus a half, since the sum may be negative.
    modulus = (1 << width) - 1
    half = modulus // 2
    return (value + half) % modulus - half
