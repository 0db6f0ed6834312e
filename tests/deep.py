"""Cases that tell the same again, such as the next seed of a game played by chance: a few of them
are tested always, all of them by ``make test-deep``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

IS_DEEP = os.environ.get("SKIRMISH_DEEP", "") != ""
"""Whether all cases are tested."""


def deep_after(usual: int, cases: Iterable[Any]) -> list[Any]:
    """The first ``usual`` cases; all of them where everything is tested."""
    every = list(cases)
    if IS_DEEP:
        return every
    return every[:usual]


def deep_every(step: int, cases: Iterable[Any]) -> list[Any]:
    """Each case that is ``step`` after the last, from the first one; all of them where everything
    is tested."""
    every = list(cases)
    if IS_DEEP:
        return every
    return every[::step]


def deep_count(usual: int, deep: int) -> int:
    """How many examples are tried."""
    if IS_DEEP:
        return deep
    return usual


def deep_pairs(cases: Iterable[Any], looks: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Every case with every look, such as a scenario on both papers. Usually each case has one of
    them, in turn, so that each look is tried with many cases."""
    ways = list(looks)
    if IS_DEEP:
        return [(case, look) for case in cases for look in ways]
    return [(case, ways[nth % len(ways)]) for nth, case in enumerate(cases)]
