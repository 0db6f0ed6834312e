"""The order of battle of a scenario: sides, their contingents, options, and how they come on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitId, WorkId, together
from skirmish.games.plastic.scenarios.names import (
    Corner,
    Count,
    Edge,
    Id,
    MarkId,
    Names,
    NationId,
    PlayedTurn,
    StartTurn,
    Text,
    ZoneLetter,
    once,
)
from skirmish.tabletop.reading import Problem

Bounds: TypeAlias = tuple[int, int]
"""The least and the most."""


class EntryWay(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class ZoneEntry(EntryWay, frozen=True, tag="zone"):
    zone: ZoneLetter
    turn: StartTurn


class EdgeEntry(EntryWay, frozen=True, tag="edge"):
    edge: Edge
    turn: PlayedTurn


class RoadEntry(EntryWay, frozen=True, tag="road"):
    """Along the road, at ``edge`` where the text says which."""

    turn: PlayedTurn
    edge: Edge | None = None


class CornerEntry(EntryWay, frozen=True, tag="corner"):
    corners: tuple[Corner, ...]
    turn: PlayedTurn

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if not self.corners:
            yield Problem(f"{key}.corners", "is empty; name one corner or more: NE, SE, SW, NW.")
        yield from once(f"{key}.corners", self.corners)


class MarksEntry(EntryWay, frozen=True, tag="marks"):
    """Each piece on its mark of the map."""

    marks: tuple[MarkId, ...]
    turn: StartTurn

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if not self.marks:
            yield Problem(f"{key}.marks", "is empty; name one mark of the map or more.")
        yield from once(f"{key}.marks", self.marks)


class AnywhereEntry(EntryWay, frozen=True, tag="anywhere"):
    """Wherever the deployment text allows."""

    turn: StartTurn


Entry: TypeAlias = ZoneEntry | EdgeEntry | RoadEntry | CornerEntry | MarksEntry | AnywhereEntry


def entry_kind(entry: Entry) -> str:
    """``edge``, ``corner``, ``road``."""
    return {EdgeEntry: "edge", CornerEntry: "corner", RoadEntry: "road"}.get(type(entry), "")


def entry_words(entry: Entry) -> str:
    """Empty where the deployment text says it."""
    match entry:
        case EdgeEntry(edge=edge):
            return f"{edge} edge"
        case RoadEntry(edge=edge):
            return f"road, {edge} edge" if edge else "road"
        case CornerEntry(corners=corners):
            return " or ".join(corners) + " corner"
    return ""


class OptionGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    one_of: tuple[dict[UnitId, Count], ...]

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if len(self.one_of) < 2:
            says = f"a choice needs two options or more; {len(self.one_of)} stands there."
            yield Problem(f"{key}.one_of", says)
        for index, option in enumerate(self.one_of):
            if not option:
                says = "is empty; name the units of this option and their numbers."
                yield Problem(f"{key}.one_of[{index}]", says)


class ScenarioContingent(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"choices": "choice"},
):
    id: Id
    name: str = ""
    entry: Entry
    deploy: str = ""
    units: dict[UnitId, Count] = {}
    works: dict[WorkId, Count] = {}
    choices: tuple[OptionGroup, ...] = ()

    @property
    def called(self) -> str:
        return self.name or self.id.replace("_", " ").capitalize()

    def most(self) -> dict[str, int]:
        options = [
            {unit: max(option.get(unit, 0) for option in choice.one_of)}
            for choice in self.choices
            for unit in {unit: 0 for option in choice.one_of for unit in option}
        ]
        return together([self.units, *options])

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if not (self.units or self.works or self.choices):
            yield Problem(key, "is empty; give it units, works or a choice.")


class ScenarioSide(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    rename={"contingents": "contingent"},
):
    """One of the two sides; ``id`` is its nation."""

    id: NationId
    name: Text
    role: Literal["attacker", "defender", "meeting"] | None = None
    contingents: tuple[ScenarioContingent, ...]

    def units(self) -> dict[str, int]:
        """Without what is still to be chosen."""
        return together(contingent.units for contingent in self.contingents)

    def works(self) -> dict[str, int]:
        return together(contingent.works for contingent in self.contingents)

    def choices(self) -> tuple[OptionGroup, ...]:
        return tuple(choice for group in self.contingents for choice in group.choices)

    def points(self, catalog: Catalog) -> Bounds:
        """List prices without works and national discounts. ``catalog`` has the variants in."""
        return self._weighed({unit: entry.price for unit, entry in catalog.units.items()})

    def pdg(self, catalog: Catalog) -> Bounds:
        """``catalog`` has the variants in."""
        return self._weighed({unit: catalog.worth(entry) for unit, entry in catalog.units.items()})

    def figures(self, catalog: Catalog) -> tuple[Bounds, Bounds]:
        """Guys and models; ``catalog`` has the variants in."""
        guys = {unit: int(entry.is_guy) for unit, entry in catalog.units.items()}
        return self._weighed(guys), self._weighed({unit: 1 - one for unit, one in guys.items()})

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if not self.contingents:
            yield Problem(f"{key}.contingent", "is empty; a side needs one contingent or more.")
        yield from once(f"{key}.contingent", [group.id for group in self.contingents])
        yield from self._double_letters(key, names)

    def _double_letters(self, key: str, names: Names) -> Iterator[Problem]:
        taken: dict[str, str] = {}
        for unit in names.strength(self.id) if self.id in names.forces else ():
            if unit in names.units:
                other = taken.setdefault(names.units[unit].letter, unit)
                if other != unit:
                    yield Problem(
                        key,
                        f"{unit} and {other} share the letter {names.units[unit].letter!r}; "
                        "give the variant among them a letter of its own.",
                    )

    def _weighed(self, weight: Mapping[str, int]) -> Bounds:
        least = most = sum(weight[unit] * count for unit, count in self.units().items())
        for choice in self.choices():
            sums = [sum(weight[u] * n for u, n in option.items()) for option in choice.one_of]
            least, most = least + min(sums), most + max(sums)
        return least, most
