"""The order of battle of a scenario: sides, contingents, options and entries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar, Literal, NamedTuple, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitId, WorkId, together
from skirmish.tabletop.data_file import Problem, Refers

Count = Annotated[int, msgspec.Meta(ge=1, le=999)]
Turn = Annotated[int, msgspec.Meta(ge=1, le=99)]
PlayedTurn = Annotated[Turn, Refers("turn")]
"""A turn that must be played: one after the end of the battle is a mistake."""
StartTurn = Annotated[int, msgspec.Meta(ge=0, le=99), Refers("turn")]
"""0: on the table before play."""
Reach = Annotated[int, msgspec.Meta(ge=1, le=240)]
"""A distance in inches; the longest is that of a table of 20 feet."""
Text = Annotated[str, msgspec.Meta(min_length=1)]
Edge = Literal["N", "E", "S", "W"]
Corner = Literal["NE", "SE", "SW", "NW"]
Id = Annotated[
    str,
    msgspec.Meta(
        # Ids stand in journals and in the names of files, so nothing that either of them might
        # escape.
        pattern=r"^[a-z][a-z0-9_]*\Z",
        description="an id in small letters, digits and _, a letter first,",
    ),
]
ZoneLetter = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Z]\Z", description="one capital letter, A to Z,"),
    # Checked against the letters on the map, if the scenario has one (``scenario_file``).
    Refers("zone"),
]
MarkId = Annotated[
    str,
    msgspec.Meta(pattern=r"^[A-Za-z0-9]{1,3}\Z", description="a mark of 1 to 3 letters or digits"),
    Refers("mark"),
]
ContingentId = Annotated[str, Refers("contingent")]
"""A contingent of the side that the part belongs to."""
SideId = Annotated[str, Refers("side")]
OwnUnit = Annotated[str, Refers("own unit")]
"""A unit of the side that the part belongs to; where the part names a contingent, of that
contingent."""
EnemyUnit = Annotated[str, Refers("enemy unit")]
OwnUnits = Annotated[tuple[OwnUnit, ...], msgspec.Meta(min_length=1)]
EnemyUnits = Annotated[tuple[EnemyUnit, ...], msgspec.Meta(min_length=1)]
NationId = Annotated[str, Refers("nation")]
RulingId = Annotated[str, Refers("ruling")]


class ScenarioPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a scenario file."""


class Moment(ScenarioPart, frozen=True):
    """The end of ``side``'s part of game turn ``turn``."""

    side: SideId
    turn: Turn

    def __str__(self) -> str:
        return f"{self.side} turn {self.turn}"


class Bounds(NamedTuple):
    """The least and the most that a number can be, by what the players choose."""

    least: int
    most: int


class GuysAndModels(NamedTuple):
    """How many of both a side has."""

    guys: Bounds
    models: Bounds


class EntryWay(ScenarioPart, frozen=True, tag_field="kind"):
    """How a contingent comes into battle. ``over``: the kind of place it comes over; empty if the
    deployment text says where."""

    # Of the class and not of the file: ``kind`` says it there already.
    over: ClassVar[str] = ""

    @property
    def words(self) -> str:
        """``W edge``, ``zone A``."""
        return "anywhere"

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters on the map where they start; none for those who start nowhere on it."""
        return ()


class ZoneEntry(EntryWay, frozen=True, tag="zone"):
    """It sets up in a zone of the map."""

    zone: ZoneLetter
    turn: StartTurn

    @property
    def words(self) -> str:
        return f"zone {self.zone}"

    @property
    def letters(self) -> tuple[str, ...]:
        return (self.zone,)


class EdgeEntry(EntryWay, frozen=True, tag="edge"):
    """Anywhere over one edge of the table."""

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
        if self.edge:
            return f"road, {self.edge} edge"
        return "road"


class CornerEntry(EntryWay, frozen=True, tag="corner"):
    """At one of these corners."""

    over = "corner"
    corners: Annotated[tuple[Corner, ...], msgspec.Meta(min_length=1)]
    turn: PlayedTurn

    @property
    def words(self) -> str:
        return f"{' or '.join(self.corners)} corner"


class MarksEntry(EntryWay, frozen=True, tag="marks"):
    """Each piece on its mark of the map."""

    marks: Annotated[tuple[MarkId, ...], msgspec.Meta(min_length=1)]
    turn: StartTurn

    @property
    def words(self) -> str:
        if len(self.marks) == 1:
            return f"mark {self.marks[0]}"
        return f"marks {', '.join(self.marks)}"

    @property
    def letters(self) -> tuple[str, ...]:
        return self.marks


class AnywhereEntry(EntryWay, frozen=True, tag="anywhere"):
    """It sets up wherever the deployment text allows."""

    turn: StartTurn


Entry: TypeAlias = ZoneEntry | EdgeEntry | RoadEntry | CornerEntry | MarksEntry | AnywhereEntry
FROM_OUTSIDE = EdgeEntry | RoadEntry | CornerEntry
"""The ways of those who come onto the table during play, for ``isinstance``."""


Option = Annotated[dict[UnitId, Count], msgspec.Meta(min_length=1)]


class OptionGroup(ScenarioPart, frozen=True):
    """A choice of units before play."""

    one_of: Annotated[tuple[Option, ...], msgspec.Meta(min_length=2)]


class ScenarioContingent(ScenarioPart, frozen=True, kw_only=True, rename={"choices": "choice"}):
    """A part of a side with its own entry; ``deploy`` is its set-up in words."""

    id: Id
    name: str = ""
    entry: Entry
    deploy: str = ""
    units: dict[UnitId, Count] = {}
    works: dict[WorkId, Count] = {}
    choices: tuple[OptionGroup, ...] = ()

    @property
    def called(self) -> str:
        """Its name, or one made of its id."""
        return self.name or self.id.replace("_", " ").capitalize()

    def most(self) -> dict[str, int]:
        """Enough of each unit for whatever is chosen."""
        most_chosen = []
        for choice in self.choices:
            # Of two counters, ``|`` takes the larger number of each unit.
            largest: Counter[str] = Counter()
            for option in choice.one_of:
                largest |= Counter(option)
            most_chosen.append(largest)
        return together([self.units, *most_chosen])

    def problems(self, key: str) -> Iterator[Problem]:
        """What its types cannot say; it stands at ``key``."""
        if not (self.units or self.works or self.choices):
            yield Problem(key, "is empty; give it units, works or a choice.")


class ScenarioSide(ScenarioPart, frozen=True, kw_only=True, rename={"contingents": "contingent"}):
    """One of the two sides; ``id`` is its nation."""

    id: NationId
    name: Text
    role: Literal["attacker", "defender", "meeting"] | None = None
    contingents: Annotated[tuple[ScenarioContingent, ...], msgspec.Meta(min_length=1)]

    def units(self) -> dict[str, int]:
        """How many of each unit it has, without the open choices."""
        return together(contingent.units for contingent in self.contingents)

    def works(self) -> dict[str, int]:
        """How many of each work all its contingents have."""
        return together(contingent.works for contingent in self.contingents)

    def choices(self) -> tuple[OptionGroup, ...]:
        """What is chosen before play, in all its contingents."""
        choices: list[OptionGroup] = []
        for contingent in self.contingents:
            choices += contingent.choices
        return tuple(choices)

    def points(self, catalog: Catalog) -> Bounds:
        """List prices without works and national discounts. ``catalog`` includes the variants."""
        return self._weighed({id: unit.price for id, unit in catalog.units.items()})

    def pdg(self, catalog: Catalog) -> Bounds:
        """Its strength, in potential dead guys."""
        return self._weighed({id: catalog.worth(unit) for id, unit in catalog.units.items()})

    def figures(self, catalog: Catalog) -> GuysAndModels:
        """How many guys and models it has. The ``catalog`` includes the variants."""
        guys, models = {}, {}
        for id, unit in catalog.units.items():
            guys[id] = int(unit.is_guy)
            models[id] = int(not unit.is_guy)
        return GuysAndModels(self._weighed(guys), self._weighed(models))

    def _weighed(self, weights: Mapping[str, int]) -> Bounds:
        """The least and the most that the side weighs, by what is chosen. ``weights`` are by
        unit id."""
        least = most = _weight_of(self.units(), weights)
        for choice in self.choices():
            options = [_weight_of(option, weights) for option in choice.one_of]
            least += min(options)
            most += max(options)
        return Bounds(least, most)


def _weight_of(units: Mapping[str, int], weights: Mapping[str, int]) -> int:
    """What so many of these units weigh together."""
    return sum(weights[unit] * count for unit, count in units.items())
