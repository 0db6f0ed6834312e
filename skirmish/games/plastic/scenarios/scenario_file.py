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

NOTHING_TAKEN: Mapping[int, str] = MappingProxyType({})
"""No number of a scenario is taken yet."""


class ScenarioFiles(NamedTuple):
    """What a folder of scenarios holds: those that can be played, by their numbers and in order,
    and a DataError for each file that cannot be read. A broken file stops no other."""

    scenarios: dict[int, Scenario]
    broken: tuple[DataError, ...]


def read_scenario(
    raw: Mapping[str, Any],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
    *,
    file: str,
    taken: Mapping[int, str] = NOTHING_TAKEN,
    own_from: int | None = None,
) -> Scenario:
    """The scenario of a file. ``taken`` are the numbers of others, with their titles; ``own_from``
    is the first number of a player's own scenarios, if it is one of them. Raises DataError with all
    that is wrong. The last part of ``file`` must agree with number and id."""

    def check(scenario: Scenario) -> Iterator[Problem]:
        yield from scenario_problems(scenario, catalog, known_rulings, file)
        if own_from is not None:
            yield from own_problems(scenario, raw, own_from)
        if scenario.number in taken:
            title = taken[scenario.number]
            message = f"{scenario.number} is the number of {title!r} already; take a free one."
            yield Problem("number", message)

    return read(raw, Scenario, file, check)


def read_scenarios(
    tables: Iterable[tuple[str, Mapping[str, Any]]],
    catalog: Catalog,
    known_rulings: PlasticRulingBook,
    unreadable: Sequence[DataError] = (),
    *,
    own_from: int | None = None,
) -> ScenarioFiles:
    """The scenarios of files that are TOML; ``unreadable`` are those that are not, ``own_from`` as
    for one file. Of two with one number the first stands."""
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
