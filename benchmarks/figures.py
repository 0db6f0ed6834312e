"""Figures of several measurements, as the benchmarks print them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles
from typing import NamedTuple


class Times(NamedTuple):
    """Milliseconds: half of the times are at most ``middle``, 95 % at most ``most``."""

    middle: float
    most: float
    longest: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        """The figures of at least one measurement."""
        longest = max(seconds)
        most = longest
        if len(seconds) > 1:
            most = quantiles(seconds, n=20, method="inclusive")[-1]
        return cls(median(seconds) * 1000, most * 1000, longest * 1000)
