"""The order of battle of a scenario: its sides, their contingents, and the choices of units."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, NamedTuple

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitId, WorkId, total_counts
from skirmish.games.plastic.scenarios.entries import Entry
from skirmish.games.plastic.scenarios.scenario_part import Count, Id, NationId, ScenarioPart, Text
from skirmish.tabletop.data_file import Problem


class Bounds(NamedTuple):
    """The least and the most that a number can be, by what the players choose."""

    least: int
    most: int


class GuysAndModels(NamedTuple):
    """How many guys and how many models a side has."""

    guys: Bounds
    models: Bounds


UnitOption = Annotated[dict[UnitId, Count], msgspec.Meta(min_length=1)]
"""How many of each unit come if this list is chosen."""


class OptionGroup(ScenarioPart, frozen=True):
    """Lists of units of which the side chooses one before play."""

    one_of: Annotated[tuple[UnitOption, ...], msgspec.Meta(min_length=2)]


class ScenarioContingent(ScenarioPart, frozen=True, kw_only=True, rename={"choices": "choice"}):
    """A part of a side with its own entry. Each of its ``choices`` is a ``choice`` in the file."""

    id: Id
    name: str = ""
    entry: Entry
    deploy: str = ""
    """Where it sets up or enters, in words."""
    units: dict[UnitId, Count] = msgspec.field(default_factory=dict)
    works: dict[WorkId, Count] = msgspec.field(default_factory=dict)
    choices: tuple[OptionGroup, ...] = ()

    @property
    def name_in_words(self) -> str:
        """Its name, or one made of its id."""
        return self.name or self.id.replace("_", " ").capitalize()

    def most_units(self) -> dict[str, int]:
        """The most of each unit that it can have, whatever is chosen."""
        most_chosen = []
        for choice in self.choices:
            # Of two counters, ``|`` takes the larger number of each unit.
            largest: Counter[str] = Counter()
            for option in choice.one_of:
                largest |= Counter(option)
            most_chosen.append(largest)
        return total_counts([self.units, *most_chosen])

    def problems(self, key: str) -> Iterator[Problem]:
        """A contingent of nobody. ``key`` is where it stands in the file."""
        if not (self.units or self.works or self.choices):
            yield Problem(key, "is empty; give it units, works or a choice.")


class ScenarioSide(ScenarioPart, frozen=True, kw_only=True, rename={"contingents": "contingent"}):
    """One of the two sides; ``id`` is its nation. Each of its ``contingents`` is a ``contingent``
    in the file."""

    id: NationId
    name: Text
    role: Literal["attacker", "defender", "meeting"] | None = None
    contingents: Annotated[tuple[ScenarioContingent, ...], msgspec.Meta(min_length=1)]

    def units(self) -> dict[str, int]:
        """How many of each unit all its contingents have, without what is still to be chosen."""
        return total_counts(contingent.units for contingent in self.contingents)

    def works(self) -> dict[str, int]:
        """How many of each work all its contingents have."""
        return total_counts(contingent.works for contingent in self.contingents)

    def choices(self) -> tuple[OptionGroup, ...]:
        """What is chosen before play, in all its contingents."""
        choices: list[OptionGroup] = []
        for contingent in self.contingents:
            choices += contingent.choices
        return tuple(choices)

    def points(self, catalog: Catalog) -> Bounds:
        """Its points by list prices, without works and national discounts. The ``catalog`` includes
        the variants."""
        return self._total({id: unit.price for id, unit in catalog.units.items()})

    def pdg(self, catalog: Catalog) -> Bounds:
        """Its strength, in potential dead guys. The ``catalog`` includes the variants."""
        return self._total({id: catalog.strength_of(unit) for id, unit in catalog.units.items()})

    def guys_and_models(self, catalog: Catalog) -> GuysAndModels:
        """How many guys and models it has. The ``catalog`` includes the variants."""
        # Each unit counts 1 toward one of the two numbers, and 0 toward the other.
        guys = dict.fromkeys(catalog.units, 0)
        models = dict.fromkeys(catalog.units, 0)
        for id, unit in catalog.units.items():
            if unit.is_guy:
                guys[id] = 1
            else:
                models[id] = 1
        return GuysAndModels(self._total(guys), self._total(models))

    def _total(self, values: Mapping[str, int]) -> Bounds:
        """What all its units are worth together, by the value of one of each; the least and the
        most that the choices allow."""
        least = most = _value_of(self.units(), values)
        for choice in self.choices():
            options = [_value_of(option, values) for option in choice.one_of]
            least += min(options)
            most += max(options)
        return Bounds(least, most)


def _value_of(units: Mapping[str, int], values: Mapping[str, int]) -> int:
    """What so many of these units are worth together, by the value of one of each."""
    return sum(values[unit] * count for unit, count in units.items())
