"""The files that the tests of the command line start from, and how they run it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import skirmish

ROOT = Path(skirmish.__file__).parents[1]

ZIEGLER = """\
name = "Kampfgruppe Ziegler"
points = 200
nation = "german"
quality = "regular"
[units]
tank = 2
rifle = 60
machinegun = 4
[works]
sandbags = 2
barbed_wire = 6
"""

RUSSIANS = """\
name = "Красная армия"
nation = "russian"
[units]
rifle = 77
machinegun = 9
small_pillbox = 5
tiger = 1
[overrides]
nation_only = "a captured one"
"""


class Said(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Ask = Callable[..., Said]


def command(args: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "skirmish", *args]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
