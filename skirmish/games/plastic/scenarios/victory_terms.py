"""The kinds of victory. If a one-sided game's terms are not met, the other side wins; ``survivors``
and ``count`` can be drawn. ``text`` is for people; the program uses the other fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.rules.catalog import UnitId
from skirmish.games.plastic.scenarios.order_of_battle import (
    Count,
    Edge,
    EnemyUnit,
    Moment,
    OwnUnit,
    Reach,
    SideId,
    Text,
    ZoneLetter,
)
from skirmish.tabletop.reading import Problem, Refers

Weighed = Annotated[str, Refers("guy or unit")]
Weight = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Terms(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    text: Text


class OneSidedTerms(Terms, frozen=True, kw_only=True):
    """The terms of one ``side``."""

    side: SideId


class ExitTable(OneSidedTerms, frozen=True, kw_only=True, tag="exit"):
    """``side`` exits ``need`` (or ``share`` of its strength), over ``edge`` or through ``zone``,
    ``within_in`` inches ``of`` the road. Without ``weights`` a guy counts 1, a model 5."""

    need: Count | None = None
    share: Literal["half"] | None = None
    by: Moment
    edge: Edge | None = None
    zone: ZoneLetter | None = None
    within_in: Reach | None = None
    of: Literal["road"] | None = None
    weights: dict[Weighed, Weight] = {}

    @property
    def way_out(self) -> str:
        return self.edge or f"zone {self.zone}"

    def problems(self, key: str) -> Iterator[Problem]:
        for one, other in (("need", "share"), ("edge", "zone")):
            if (getattr(self, one) is None) == (getattr(self, other) is None):
                yield Problem(key, f"needs either {one} or {other}, and not both.")
        if (self.within_in is None) != (self.of is None):
            yield Problem(key, "within_in and of go together; give both or neither.")


class MayLose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: Literal["vehicles"]
    at_most: Annotated[int, msgspec.Meta(ge=0, le=999)]


class Destroy(OneSidedTerms, frozen=True, kw_only=True, tag="destroy"):
    unit: EnemyUnit
    need: Count
    by: Moment
    may_lose: MayLose | None = None


class Then(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    unit: OwnUnit
    need: Count
    edge: Edge


class DestroyThenExit(OneSidedTerms, frozen=True, kw_only=True, tag="destroy_then_exit"):
    """No clock."""

    unit: UnitId
    need: Count
    then: Then

    @property
    def way_out(self) -> str:
        return self.then.edge


class HoldBuildings(OneSidedTerms, frozen=True, kw_only=True, tag="hold"):
    what: Literal["buildings"]
    need: Count
    how: Literal["solely_or_last", "solely"]
    at: Moment


class HoldRatio(OneSidedTerms, frozen=True, kw_only=True, tag="hold_ratio"):
    what: Literal["buildings"]
    ratio: Annotated[int, msgspec.Meta(ge=1, le=9)]
    at: Moment


class Clear(OneSidedTerms, frozen=True, kw_only=True, tag="clear"):
    of: SideId
    within_in: Reach
    point: Literal["centre"]
    at: Moment

    def problems(self, key: str) -> Iterator[Problem]:
        if self.of == self.side:
            yield Problem(f"{key}.of", "is the side that wins; name the other.")


class Survivors(Terms, frozen=True, kw_only=True, tag="survivors"):
    units: Annotated[tuple[UnitId, ...], msgspec.Meta(min_length=1)]
    wins: Literal["more"]
    at: Moment


class CountAtEnd(Terms, frozen=True, kw_only=True, tag="count"):
    """The larger number wins; on a tie the side named by ``equal``, or it is a draw."""

    question: Text
    sides: tuple[SideId, ...]
    units: Literal["guys"]
    wins: Literal["more"]
    equal: SideId | None = None
    at: Moment

    def problems(self, key: str) -> Iterator[Problem]:
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


def moment_of(victory: Terms) -> Moment | None:
    """None if the text sets no clock."""
    found: Moment | None = getattr(victory, "by", getattr(victory, "at", None))
    return found


def moved(victory: Victory, to: Moment, text: str | None) -> Victory:
    clock = {name: to for name in ("by", "at") if hasattr(victory, name)}
    return msgspec.structs.replace(victory, text=text or victory.text, **clock)
