"""The order of battle of a scenario: sides, contingents, options and entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, ClassVar, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitId, WorkId, together
from skirmish.tabletop.data_file import Problem, Refers

Count = Annotated[int, msgspec.Meta(ge=1, le=999)]
Turn = Annotated[int, msgspec.Meta(ge=1, le=99)]
PlayedTurn = Annotated[Turn, Refers("turn")]
StartTurn = Annotated[int, msgspec.Meta(ge=0, le=99), Refers("turn")]
"""0: on the table before play."""
Reach = Annotated[int, msgspec.Meta(ge=1, le=240)]
Text = Annotated[str, msgspec.Meta(min_length=1)]
Edge = Literal["N", "E", "S", "W"]
Corner = Literal["NE", "SE", "SW", "NW"]
Id = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[a-z][a-z0-9_]*\Z",
        description="an id in small letters, digits and _, a letter first,",
    ),
]
ZoneLetter = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Z]\Z", description="one capital letter, A to Z,"),
    Refers("zone"),
]
MarkId = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,3}\Z", description="a mark of 1 to 3 letters or digits"),
    Refers("mark"),
]
ContingentId = Annotated[str, Refers("contingent")]
"""Of its side."""
SideId = Annotated[str, Refers("side")]
OwnUnit = Annotated[str, Refers("own unit")]
"""A unit that its side brings (or that contingent of it which is named beside it)."""
EnemyUnit = Annotated[str, Refers("enemy unit")]
OwnUnits = Annotated[tuple[OwnUnit, ...], msgspec.Meta(min_length=1)]
NationId = Annotated[str, Refers("nation")]
RulingId = Annotated[str, Refers("ruling")]


class GroupPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a scenario file."""


class Moment(GroupPart, frozen=True):
    """The end of ``side``'s part of game turn ``turn``."""

    side: SideId
    turn: Turn

    def __str__(self) -> str:
        return f"{self.side} turn {self.turn}"


Bounds: TypeAlias = tuple[int, int]
"""The least and the most."""


class EntryWay(GroupPart, frozen=True, tag_field="kind"):
    """``over``: the kind of place they come over; empty if the deployment text says where.
    ``letters`` are those on the map where they start."""

    over: ClassVar[str] = ""

    @property
    def words(self) -> str:
        """``W edge``, ``area A``."""
        return "anywhere"

    @property
    def letters(self) -> tuple[str, ...]:
        return ()


class ZoneEntry(EntryWay, frozen=True, tag="zone"):
    zone: ZoneLetter
    turn: StartTurn

    @property
    def words(self) -> str:
        return f"area {self.zone}"

    @property
    def letters(self) -> tuple[str, ...]:
        return (self.zone,)


class EdgeEntry(EntryWay, frozen=True, tag="edge"):
    over = "edge"
    edge: Edge
    turn: PlayedTurn

    @property
    def words(self) -> str:
        return f"{self.edge} edge"


class RoadEntry(EntryWay, frozen=True, tag="road"):
    """Along the road, at ``edge`` if the text names it."""

    over = "road"
    turn: PlayedTurn
    edge: Edge | None = None

    @property
    def words(self) -> str:
        return f"road, {self.edge} edge" if self.edge else "road"


class CornerEntry(EntryWay, frozen=True, tag="corner"):
    over = "corner"
    corners: Annotated[tuple[Corner, ...], msgspec.Meta(min_length=1)]
    turn: PlayedTurn

    @property
    def words(self) -> str:
        return f"{' or '.join(self.corners)} corner"


class MarksEntry(EntryWay, frozen=True, tag="marks"):
    marks: Annotated[tuple[MarkId, ...], msgspec.Meta(min_length=1)]
    turn: StartTurn

    @property
    def words(self) -> str:
        return f"mark{'s' if len(self.marks) > 1 else ''} {', '.join(self.marks)}"

    @property
    def letters(self) -> tuple[str, ...]:
        return self.marks


class AnywhereEntry(EntryWay, frozen=True, tag="anywhere"):
    """Wherever the deployment text allows."""

    turn: StartTurn


Entry: TypeAlias = ZoneEntry | EdgeEntry | RoadEntry | CornerEntry | MarksEntry | AnywhereEntry


Option = Annotated[dict[UnitId, Count], msgspec.Meta(min_length=1)]


class OptionGroup(GroupPart, frozen=True):
    one_of: Annotated[tuple[Option, ...], msgspec.Meta(min_length=2)]


class ScenarioContingent(GroupPart, frozen=True, kw_only=True, rename={"choices": "choice"}):
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
        options = [reduce(or_, map(Counter, choice.one_of)) for choice in self.choices]
        return together([self.units, *options])

    def problems(self, key: str) -> Iterator[Problem]:
        if not (self.units or self.works or self.choices):
            yield Problem(key, "is empty; give it units, works or a choice.")


class ScenarioSide(GroupPart, frozen=True, kw_only=True, rename={"contingents": "contingent"}):
    """One of the two sides; ``id`` is its nation."""

    id: NationId
    name: Text
    role: Literal["attacker", "defender", "meeting"] | None = None
    contingents: Annotated[tuple[ScenarioContingent, ...], msgspec.Meta(min_length=1)]

    def units(self) -> dict[str, int]:
        """Without the open choices."""
        return together(contingent.units for contingent in self.contingents)

    def works(self) -> dict[str, int]:
        return together(contingent.works for contingent in self.contingents)

    def choices(self) -> tuple[OptionGroup, ...]:
        return tuple(choice for group in self.contingents for choice in group.choices)

    def points(self, catalog: Catalog) -> Bounds:
        """List prices without works and national discounts. ``catalog`` includes the variants."""
        return self._weighed({unit: entry.price for unit, entry in catalog.units.items()})

    def pdg(self, catalog: Catalog) -> Bounds:
        return self._weighed({unit: catalog.worth(entry) for unit, entry in catalog.units.items()})

    def figures(self, catalog: Catalog) -> tuple[Bounds, Bounds]:
        """Guys and models; ``catalog`` includes the variants."""
        guys = {unit: int(entry.is_guy) for unit, entry in catalog.units.items()}
        return self._weighed(guys), self._weighed({unit: 1 - one for unit, one in guys.items()})

    def _weighed(self, weight: Mapping[str, int]) -> Bounds:
        least = most = sum(weight[unit] * count for unit, count in self.units().items())
        for choice in self.choices():
            sums = [sum(weight[u] * n for u, n in option.items()) for option in choice.one_of]
            least, most = least + min(sums), most + max(sums)
        return least, most
