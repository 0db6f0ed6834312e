"""The files of the ten scenarios as they are written, to be read as they are or changed."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

from skirmish import library, resources
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.games.plastic.scenarios.scenario_file import read_scenario

TABLES = dict(resources.tables("plastic/scenarios"))
FILES = {table["number"]: file for file, table in TABLES.items()}
_PICKLED = {table["number"]: pickle.dumps(table) for table in TABLES.values()}


Place = tuple[str | int, ...]


def table(number: int) -> dict[str, Any]:
    return pickle.loads(_PICKLED[number])


def load(number: int, raw: Mapping[str, Any] | None = None) -> Scenario:
    given = table(number) if raw is None else raw
    return read_scenario(given, library.catalog(), library.rulings(), file=FILES[number])


def at(raw: Any, place: Place) -> Any:
    for step in place:
        raw = raw[step]
    return raw
