"""The terms of victory of a scenario, each kind a class: who wins, by what, and when. A field that
allows a single value, such as ``wins``, says in the file what the class means anyway."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import Catalog, UnitId, UnitType
from skirmish.games.plastic.scenarios.scenario_part import (
    Count,
    Edge,
    EnemyUnit,
    MarkId,
    Moment,
    OwnUnit,
    Reach,
    ScenarioPart,
    SideId,
    Text,
    ZoneLetter,
)
from skirmish.tabletop.data_file import Problem, Refers

Weighed = Annotated[str, Refers("guy or unit")]
"""``guy`` for all guys, or the id of a unit."""
Weight = Annotated[int, msgspec.Meta(ge=0, le=99)]
"""How much one figure counts; 0: it does not count at all."""


class Terms(ScenarioPart, frozen=True, kw_only=True, tag_field="kind"):
    """Who wins. ``survivors`` and ``count`` compare both sides and can be drawn."""

    text: Text
    """The terms in words, for people; the program uses the other fields."""


class OneSidedTerms(Terms, frozen=True, kw_only=True):
    """Terms that one side meets and so wins; if it does not, the other side wins."""

    side: SideId


class ExitTable(OneSidedTerms, frozen=True, kw_only=True, tag="exit"):
    """A side has to leave the table in time."""

    need: Count | None = None
    """How much has to leave, by ``weights``."""
    share: Literal["half"] | None = None
    """How much has to leave, as a share of the side's strength."""
    by: Moment
    """The last moment for it."""
    edge: Edge | None = None
    """The edge over which it leaves."""
    zone: ZoneLetter | None = None
    """The zone through which it leaves."""
    within_in: Reach | None = None
    """How near to the road it leaves, in inches."""
    of: Literal["road"] | None = None
    """From what ``within_in`` is measured."""
    weights: Mapping[Weighed, Weight] = {}
    """How much a unit counts, for those that do not count as they do toward the break point, 1 for
    a guy and 5 for a model: in scenario 1 "Trucks as 0", ``{ truck = 0 }``."""

    @property
    def way_out(self) -> str:
        """``E`` for an edge, or ``zone A``."""
        return self.edge or f"zone {self.zone}"

    def value_of(self, unit: UnitType, catalog: Catalog) -> int:
        """What a guy or model of a unit counts off the table."""
        # Scenario 1 prices each kind of model, and says "guy" for all men.
        if unit.id in self.weights:
            return self.weights[unit.id]
        if unit.is_guy and "guy" in self.weights:
            return self.weights["guy"]
        return catalog.strength_of(unit)

    def problems(self, key: str) -> Iterator[Problem]:
        """Fields of which one excludes or demands the other, which their types cannot say."""
        # Equal: both are given, or neither.
        if (self.need is None) == (self.share is None):
            yield Problem(key, "needs either need or share, and not both.")
        if (self.edge is None) == (self.zone is None):
            yield Problem(key, "needs either edge or zone, and not both.")
        if (self.within_in is None) != (self.of is None):
            yield Problem(key, "within_in and of go together; give both or neither.")


class MayLose(ScenarioPart, frozen=True):
    """How many vehicles the side itself may lose; if it loses more, it has not won."""

    what: Literal["vehicles"]
    at_most: Annotated[int, msgspec.Meta(ge=0, le=999)]


class Destroy(OneSidedTerms, frozen=True, kw_only=True, tag="destroy"):
    """A side has to destroy so many of an enemy unit."""

    # By its type a file that asks for a unit which the enemy does not have is refused.
    unit: EnemyUnit
    need: Count
    by: Moment
    may_lose: MayLose | None = None


class ThenExit(ScenarioPart, frozen=True):
    """What a side has to exit after it has destroyed what it must, and over which edge."""

    unit: OwnUnit
    need: Count
    edge: Edge


class DestroyThenExit(OneSidedTerms, frozen=True, kw_only=True, tag="destroy_then_exit"):
    """A side has to destroy so many of an enemy unit, then to exit some of its own."""

    # Not an EnemyUnit, which the enemy must have in its order of battle: how many aircraft there
    # are in scenario 3 is only agreed before play.
    unit: UnitId
    need: Count
    then: ThenExit
    by: Moment | None = None
    """The last moment for it; None: there is no clock, as the text of scenario 3 sets none
    (P68)."""

    @property
    def way_out(self) -> str:
        """The edge by its letter, as ``ExitTable`` has it."""
        return self.then.edge


class HoldBuildings(OneSidedTerms, frozen=True, kw_only=True, tag="hold"):
    """A side has to hold so many buildings, alone or as the last that did."""

    what: Literal["buildings"]
    need: Count
    how: Literal["solely_or_last", "solely"]
    at: Moment
    """When the buildings are counted, once. Terms with ``by`` are met as soon as the number is
    reached."""


class HoldRatio(OneSidedTerms, frozen=True, kw_only=True, tag="hold_ratio"):
    """A side alone has to hold so many times as many buildings as its enemy alone, and one or more:
    twice nothing is no victory."""

    what: Literal["buildings"]
    ratio: Annotated[int, msgspec.Meta(ge=1, le=9)]
    at: Moment


class Clear(OneSidedTerms, frozen=True, kw_only=True, tag="clear"):
    """Nothing of side ``of`` is within that distance of the centre of the table, or of a ``mark``
    of the map."""

    of: SideId
    within_in: Reach
    point: Literal["centre", "mark"]
    mark: MarkId | None = None
    at: Moment

    @property
    def place(self) -> str:
        """``the centre``, ``mark O``."""
        if self.mark is None:
            return f"the {self.point}"
        return f"mark {self.mark}"

    def problems(self, key: str) -> Iterator[Problem]:
        """A mark that is missing or has no use, and a side that would have to clear away itself."""
        if self.of == self.side:
            yield Problem(f"{key}.of", "is the side that wins; name the other.")
        if self.point == "mark" and self.mark is None:
            yield Problem(f"{key}.mark", "is missing; name a mark of the map.")
        if self.point == "centre" and self.mark is not None:
            yield Problem(f"{key}.mark", "stands beside the centre; leave one of them out.")


class Survivors(Terms, frozen=True, kw_only=True, tag="survivors"):
    """The side with more of these units left wins. If both have as many, which the text of scenario
    8 leaves open, it is a draw."""

    units: Annotated[tuple[UnitId, ...], msgspec.Meta(min_length=1)]
    wins: Literal["more"]
    at: Moment


class CountAtEnd(Terms, frozen=True, kw_only=True, tag="count"):
    """The side with the larger number wins, which the players count."""

    question: Text
    """What the players count: ``Guys within 6 in of the middle``."""
    # Not a tuple of exactly two, so that ``problems`` says in plain words that two are needed.
    sides: tuple[SideId, ...]
    units: Literal["guys"]
    wins: Literal["more"]
    equal: SideId | None = None
    """The side that wins on a tie; None: a tie is a draw."""
    at: Moment

    def problems(self, key: str) -> Iterator[Problem]:
        """Too few or too many sides to compare."""
        if len(self.sides) != 2:
            yield Problem(f"{key}.sides", f"needs the two sides; {len(self.sides)} stand there.")


Victory: TypeAlias = (
    ExitTable
    | Destroy
    | DestroyThenExit
    | HoldBuildings
    | HoldRatio
    | Clear
    | Survivors
    | CountAtEnd
)


def moment_of(terms: Terms) -> Moment | None:
    """When it is decided; None if the text sets no clock."""
    match terms:
        case ExitTable() | Destroy() | DestroyThenExit():
            return terms.by
        case HoldBuildings() | HoldRatio() | Clear() | Survivors() | CountAtEnd():
            return terms.at
    raise TypeError(f"unknown terms of victory: {type(terms).__name__}")


def with_moment(victory: Victory, moment: Moment, text: str | None) -> Victory:
    """The same terms, decided at another moment; ``text``: how they read then, if that changes."""
    match victory:
        case ExitTable() | Destroy() | DestroyThenExit():
            changed: Victory = msgspec.structs.replace(victory, by=moment)
        case _:
            # All other terms have ``at``.
            changed = msgspec.structs.replace(victory, at=moment)
    if text:
        changed = msgspec.structs.replace(changed, text=text)
    return changed
