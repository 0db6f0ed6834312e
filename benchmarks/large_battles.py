"""Random battles of armies of up to 9,999 of a kind, each opened on every screen.

    python benchmarks/large_battles.py --battles 2000 --seed 1

Any cards are left in the decks, groups and volleys are of any size. Reports each battle that fails
by its seed; the exit code is 1 if any did.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS), str(TESTS / "games/plastic/battle")]


def main() -> int:
    """All the battles; one line each hundred."""
    import large  # beside the tests of battles

    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--battles", type=int, default=2000)
    reading.add_argument("--seed", type=int, default=1)
    asked = reading.parse_args()
    began, failed = time.monotonic(), 0
    for done, seed in enumerate(range(asked.seed, asked.seed + asked.battles), 1):
        try:
            large.opened_on_every_screen(seed)
        except Exception:
            failed += 1
            print(f"seed {seed}\n{traceback.format_exc()}", flush=True)
        if done % 100 == 0:
            print(f"{done} battles, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{asked.battles} battles, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
