"""The program on a disk that is slow at random: every job of the store waits first.

python benchmarks/slowed.py              (as `skirmish`, with the same settings)
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from skirmish.store.database import Store
from skirmish.store.writer import StoreThread

USUAL, LONG = 0.01, 0.15
"""The longest wait of most jobs, and of one in ten, in seconds."""


def slow_down() -> None:
    chance = random.Random()
    at_once = StoreThread._run

    def slowly(self: StoreThread, job: Callable[[Store], Any], future: Future[Any]) -> None:
        longest = LONG if chance.random() < 0.1 else USUAL
        time.sleep(chance.uniform(0.0, longest))
        at_once(self, job, future)

    StoreThread._run = slowly  # type: ignore[method-assign]


if __name__ == "__main__":
    from skirmish.__main__ import main

    slow_down()
    main()
