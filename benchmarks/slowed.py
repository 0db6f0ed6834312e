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

LONGEST_WAIT, LONGEST_OF_SLOW = 0.01, 0.15
"""The longest wait of most jobs, and of the slow ones, in seconds."""
SLOW_JOBS = 0.1
"""The share of jobs that are slow."""


def slow_down() -> None:
    """Have every job of the store wait, in the thread that runs the jobs one after the other."""
    chance = random.Random()
    run_at_once = StoreThread._run

    def run_slowly(self: StoreThread, job: Callable[[Store], Any], future: Future[Any]) -> None:
        longest = LONGEST_WAIT
        if chance.random() < SLOW_JOBS:
            longest = LONGEST_OF_SLOW
        time.sleep(chance.uniform(0.0, longest))
        run_at_once(self, job, future)

    StoreThread._run = run_slowly  # type: ignore[method-assign]


if __name__ == "__main__":
    from skirmish.__main__ import main

    slow_down()
    main()
