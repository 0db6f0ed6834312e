"""The files of the scenarios as they are written, to be read as they are or changed."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import skirmish
from skirmish import library, resources
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario

TABLES = dict(resources.tables("plastic/scenarios"))
FILES = {table["number"]: file for file, table in TABLES.items()}
_PICKLED = {table["number"]: pickle.dumps(table) for table in TABLES.values()}


VECTORS = Path(skirmish.__file__).parents[1] / "tests/conformance/scenarios.jsonl"
Place = tuple[str | int, ...]


def of_the_text() -> list[int]:
    """The numbers of the scenarios of the rules text: for each there is a vector. Other scenarios
    may stand beside them in the folder."""
    return [json.loads(line)["number"] for line in VECTORS.read_text("utf-8").splitlines()]


def table(number: int) -> dict[str, Any]:
    return pickle.loads(_PICKLED[number])


def load(number: int, raw: Mapping[str, Any] | None = None) -> Scenario:
    given = table(number) if raw is None else raw
    return read_scenario(given, library.catalog(), library.rulings(), file=FILES[number])


def at(raw: Any, place: Place) -> Any:
    for step in place:
        raw = raw[step]
    return raw
