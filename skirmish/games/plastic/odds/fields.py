"""Many small counts in one long number, so that Python adds and multiplies them all at once.

A polynomial in kills (in ``running_out`` of two sorts) is kept as one whole number: its
coefficients stand side by side, each in a field of so many bits. To multiply by a variable is to
shift; what grows beyond the last power is cut off. Coefficients may be negative on the way.
"""

from __future__ import annotations

from itertools import product
from math import prod


class Fields:
    """Polynomials with ``sizes[i]`` powers (0 to ``sizes[i] - 1``) of variable ``i``, and
    coefficients smaller than ``2 ** (width - 1)`` in size."""

    def __init__(self, sizes: tuple[int, ...], width: int) -> None:
        self.sizes, self.width = sizes, width
        self.strides = tuple(width * prod(sizes[:axis]) for axis in range(len(sizes)))
        self.all = (1 << width * prod(sizes)) - 1
        # The powers of each field, in the order of the fields.
        self.powers = [at[::-1] for at in product(*(range(size) for size in sizes[::-1]))]
        ones = (1 << width) - 1
        self.half = self._filled([1 << (width - 1)] * len(self.powers))
        self.keep = [
            self._filled([ones if at[axis] < size - 1 else 0 for at in self.powers])
            for axis, size in enumerate(sizes)
        ]
        self.kept_half = [self.half & keep for keep in self.keep]

    def _filled(self, values: list[int]) -> int:
        """A number with these values in its fields."""
        return sum(value << (index * self.width) for index, value in enumerate(values))

    def times(self, polynomial: int, axis: int) -> int:
        """Multiplied by a variable, without what grows too large."""
        if axis == len(self.sizes) - 1:
            return polynomial << self.strides[-1] & self.all
        # A negative field borrows from its neighbour; made positive, they can be cut apart.
        kept = ((polynomial + self.half) & self.keep[axis]) - self.kept_half[axis]
        return kept << self.strides[axis] & self.all

    def read(self, polynomial: int, last: int | None = None) -> dict[tuple[int, ...], int]:
        """The coefficients that are not 0, by their powers; all, or those with one power of the
        last variable."""
        lifted = (polynomial + self.half) & self.all
        half, mask = 1 << (self.width - 1), (1 << self.width) - 1
        each = len(self.powers) // self.sizes[-1]
        start, end = (0, len(self.powers)) if last is None else (last * each, (last + 1) * each)
        found = {}
        for index in range(start, end):
            value = (lifted >> index * self.width & mask) - half
            if value:
                found[self.powers[index]] = value
        return found
