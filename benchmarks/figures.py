"""Figures of several measurements, as the benchmarks print them."""

from __future__ import annotations

import time
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


LAPTOP_SECONDS = 0.004
"""Seconds of the processor that a laptop of the last years takes for ``_plain_work``: the limits in
seconds are set for such a machine."""


def slowness() -> float:
    """How many times as long as a recent laptop this machine takes for plain work in Python, at
    least 1. A limit in seconds is multiplied by it, so that a miss is the program's and not the
    machine's."""
    took = []
    for _ in range(15):
        begun = time.process_time()
        _plain_work()
        took.append(time.process_time() - begun)
    return max(1.0, min(took) / LAPTOP_SECONDS)


def _plain_work() -> str:
    """Counts, looks up and formats numbers, as the program does."""
    sums: dict[int, int] = {}
    for number in range(60_000):
        remainder = number % 97
        sums[remainder] = sums.get(remainder, 0) + number * number
    return " ".join(f"{value:.3f}" for value in sums.values())
