"""Scenario files into scenarios, with everything that is wrong in them told at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.games.plastic.scenarios.checks import problems
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.reading import DataError, Problem, read


def read_scenario(
    raw: Mapping[str, Any], catalog: Catalog, known_rulings: RulingBook, *, file: str
) -> Scenario:
    """A scenario file as a Scenario; raises DataError with every problem, each with its key.

    ``file`` is what people call the file; its last part must agree with number and id.
    """
    scenario = read(raw, Scenario, file)
    found = list(problems(scenario, catalog, known_rulings, file))
    if found:
        raise DataError(file, found)
    return scenario


def read_scenarios(
    tables: Iterable[tuple[str, Mapping[str, Any]]], catalog: Catalog, known_rulings: RulingBook
) -> dict[int, Scenario]:
    """Files, each as name and mapping, as scenarios by number; raises DataError."""
    found: dict[int, Scenario] = {}
    for file, raw in tables:
        scenario = read_scenario(raw, catalog, known_rulings, file=file)
        if scenario.number in found:
            other = found[scenario.number].title
            says = f"{scenario.number} is the number of {other!r} already; take a free one."
            raise DataError(file, [Problem("number", says)])
        found[scenario.number] = scenario
    return dict(sorted(found.items()))
