"""Random battles of armies up to 9,999 of a kind, every screen's view opened on each.

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

sys.path[:0] = [
    str(Path(__file__).parents[1] / "tests" / part) for part in (".", "games/plastic/battle")
]


def main() -> int:
    """All the battles; one line each hundred."""
    import large

    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--battles", type=int, default=2000)
    reading.add_argument("--seed", type=int, default=1)
    asked = reading.parse_args()
    began, failed = time.monotonic(), 0
    for seed in range(asked.seed, asked.seed + asked.battles):
        try:
            large.opened_on_every_screen(seed)
        except Exception:
            failed += 1
            print(f"seed {seed}\n{traceback.format_exc()}", flush=True)
        if (seed - asked.seed) % 100 == 99:
            print(f"{seed - asked.seed + 1} battles, {time.monotonic() - began:.0f} s", flush=True)
    print(f"{asked.battles} battles, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
