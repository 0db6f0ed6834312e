"""How long the scenario sheets take to print, how large they are, and in how much memory.

    python benchmarks/sheets.py

All ten go into one file, again and again; the first time is cold and told apart. The exit code is 1
where a target is missed.
"""

from __future__ import annotations

import resource
import sys
import time
from statistics import median

from skirmish import library
from skirmish.sheets.scenario_sheet import scenarios_pdf

ROUNDS = 7
TIME_LIMIT = 1.5  # seconds, all ten, warm
SIZE_LIMIT = 900  # KB, all ten in one file
MEMORY_LIMIT = 120.0  # MB, at most


def main() -> int:
    """Measure, tell, compare."""
    scenarios = list(library.scenarios().values())
    times = []
    for _ in range(1 + ROUNDS):
        begun = time.perf_counter()
        data = scenarios_pdf(scenarios, library.catalog(), library.rulings())
        times.append(time.perf_counter() - begun)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    warm, size = median(times[1:]), len(data) / 1000
    print(f"cold {times[0]:.2f} s, warm {warm:.2f} s (limit {TIME_LIMIT})")
    print(f"{size:.0f} KB (limit {SIZE_LIMIT}), {peak:.0f} MB (limit {MEMORY_LIMIT:.0f})")
    return int(warm > TIME_LIMIT or size > SIZE_LIMIT or peak > MEMORY_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
