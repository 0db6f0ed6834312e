"""Reads the files of scenarios: all that is wrong with one is reported at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.games.plastic.scenarios.own import own_problems
from skirmish.games.plastic.scenarios.problems import scenario_problems
from skirmish.games.plastic.scenarios.scenario import Scenario
from skirmish.tabletop.data_file import DataError, Problem, read

NO_NUMBERS: Mapping[int, str] = MappingProxyType({})
"""No number of a scenario is taken yet."""


class ScenarioFiles(NamedTuple):
    """What a folder of scenarios holds. A broken file does not stop the others."""

    scenarios: dict[int, Scenario]
    """The scenarios that can be played, by their numbers and in that order."""
    broken: tuple[DataError, ...]
    """What is wrong with each file that cannot be read, by the names of the files."""


def read_scenario(
    raw: Mapping[str, Any],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
    *,
    file: str,
    taken: Mapping[int, str] = NO_NUMBERS,
    own_from: int | None = None,
) -> Scenario:
    """The scenario of a file. ``taken`` are the titles of other scenarios by their numbers.
    ``own_from`` is given for a player's own scenario: the lowest number that it may have. The name
    of the ``file`` must agree with number and id. Raises DataError with all that is wrong."""

    def problems(scenario: Scenario) -> Iterator[Problem]:
        yield from scenario_problems(scenario, catalog, known_rulings, file)
        if own_from is not None:
            yield from own_problems(scenario, raw, own_from)
        if scenario.number in taken:
            title = taken[scenario.number]
            message = f"{scenario.number} is the number of {title!r} already; take a free one."
            yield Problem("number", message)

    return read(raw, Scenario, file, problems)


def read_scenarios(
    tables: Iterable[tuple[str, Mapping[str, Any]]],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
    unreadable: Sequence[DataError] = (),
    *,
    own_from: int | None = None,
) -> ScenarioFiles:
    """The scenarios of files. ``tables``: the name and the content of each; ``unreadable``: the
    files that are no TOML; ``own_from``: as in ``read_scenario``. Of two scenarios with the same
    number the second is broken."""
    scenarios: dict[int, Scenario] = {}
    broken = list(unreadable)
    taken: dict[int, str] = {}
    for file, raw in tables:
        try:
            scenario = read_scenario(
                raw, catalog, known_rulings, file=file, taken=taken, own_from=own_from
            )
        except DataError as error:
            broken.append(error)
        else:
            scenarios[scenario.number] = scenario
            taken[scenario.number] = scenario.title
    broken.sort(key=lambda error: error.file)
    return ScenarioFiles(dict(sorted(scenarios.items())), tuple(broken))
