"""The kinds of victory a scenario can name, as data. A game without its winner's terms met is
won by the other side; ``survivors`` and ``count`` end drawn where both are equal.

``text`` is the sentence for people; the other keys are what the program counts by.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

import msgspec

from skirmish.games.plastic.scenarios.names import Count, Edge, Moment, Names, Reach, Text, once
from skirmish.tabletop.reading import Problem, suggest

Weight = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Terms(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"
):
    """What every kind has."""

    text: Text


class Exit(Terms, frozen=True, kw_only=True, tag="exit"):
    """``side`` gets ``need`` (or ``share`` of its whole strength) off the table until ``by``.

    The way out is an ``edge`` or a ``zone`` of the map; ``within_in`` inches ``of`` the road, if
    given. ``weights`` says what a unit counts; without it, as in army losses (1 and 5).
    """

    side: str
    need: Count | None = None
    share: Literal["half"] | None = None
    by: Moment
    edge: Edge | None = None
    zone: str | None = None
    within_in: Reach | None = None
    of: Literal["road"] | None = None
    weights: dict[str, Weight] = {}

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        yield from names.side(f"{key}.side", self.side)
        yield from names.moment(f"{key}.by", self.by)
        yield from _one(key, "need", self.need, "share", self.share)
        yield from _one(key, "edge", self.edge, "zone", self.zone)
        if (self.within_in is None) != (self.of is None):
            yield Problem(key, "within_in and of go together; give both or neither.")
        if self.zone is not None:
            yield from names.zone(f"{key}.zone", self.zone)
        for word in self.weights:
            if word != "guy" and word not in names.units:
                hint = suggest(word, ["guy", *names.units])
                yield Problem(f"{key}.weights.{word}", f"no unit {word!r}; {hint}")


class MayLose(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The price at which it is no victory any more."""

    what: Literal["vehicles"]
    at_most: Annotated[int, msgspec.Meta(ge=0, le=999)]


class Destroy(Terms, frozen=True, kw_only=True, tag="destroy"):
    """``side`` kills ``need`` of the enemy's ``unit`` until ``by``, losing no more than allowed."""

    side: str
    unit: str
    need: Count
    by: Moment
    may_lose: MayLose | None = None

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        yield from names.side(f"{key}.side", self.side)
        yield from names.moment(f"{key}.by", self.by)
        foe = names.enemy(self.side) or self.side
        yield from names.fielded(f"{key}.unit", foe, self.unit, need=self.need)


class Then(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must leave the table afterwards, and where."""

    unit: str
    need: Count
    edge: Edge


class DestroyThenExit(Terms, frozen=True, kw_only=True, tag="destroy_then_exit"):
    """``side`` kills ``need`` of ``unit`` (which setup may bring), then leaves. No clock."""

    side: str
    unit: str
    need: Count
    then: Then

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        yield from names.side(f"{key}.side", self.side)
        yield from names.unit(f"{key}.unit", self.unit)
        yield from names.fielded(f"{key}.then.unit", self.side, self.then.unit, need=self.then.need)


class Hold(Terms, frozen=True, kw_only=True, tag="hold"):
    """``side`` has ``need`` buildings, by sole occupation or as the last to enter."""

    side: str
    what: Literal["buildings"]
    need: Count
    how: Literal["solely_or_last", "solely"]
    at: Moment

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        yield from names.side(f"{key}.side", self.side)
        yield from names.moment(f"{key}.at", self.at)


class HoldRatio(Terms, frozen=True, kw_only=True, tag="hold_ratio"):
    """``side`` alone holds at least ``ratio`` times as many as the enemy alone, and at least 1."""

    side: str
    what: Literal["buildings"]
    ratio: Annotated[int, msgspec.Meta(ge=1, le=9)]
    at: Moment

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        yield from names.side(f"{key}.side", self.side)
        yield from names.moment(f"{key}.at", self.at)


class Clear(Terms, frozen=True, kw_only=True, tag="clear"):
    """``side`` wins if nothing of the side ``of`` is within ``within_in`` inches of ``point``."""

    side: str
    of: str
    within_in: Reach
    point: Literal["centre"]
    at: Moment

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        yield from names.side(f"{key}.side", self.side)
        yield from names.side(f"{key}.of", self.of)
        yield from names.moment(f"{key}.at", self.at)
        if self.of == self.side:
            yield Problem(f"{key}.of", "is the side that wins; name the other.")


class Survivors(Terms, frozen=True, kw_only=True, tag="survivors"):
    """The side with more of these ``units`` left; equal: draw."""

    units: tuple[str, ...]
    wins: Literal["more"]
    at: Moment

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if not self.units:
            yield Problem(f"{key}.units", "is empty; name the units that are counted.")
        yield from once(f"{key}.units", self.units)
        for index, unit in enumerate(self.units):
            yield from names.unit(f"{key}.units[{index}]", unit)
        yield from names.moment(f"{key}.at", self.at)


class Tally(Terms, frozen=True, kw_only=True, tag="count"):
    """Players are asked ``question`` for each of ``sides``; the larger number wins.

    Equal numbers are a draw, unless ``equal`` names the side that wins then.
    """

    question: Text
    sides: tuple[str, ...]
    units: Literal["guys"]
    wins: Literal["more"]
    equal: str | None = None
    at: Moment

    def problems(self, key: str, names: Names) -> Iterator[Problem]:
        if len(self.sides) != 2:
            yield Problem(f"{key}.sides", f"needs the two sides; {len(self.sides)} stand there.")
        yield from once(f"{key}.sides", self.sides)
        for index, side in enumerate(self.sides):
            yield from names.side(f"{key}.sides[{index}]", side)
        if self.equal is not None:
            yield from names.side(f"{key}.equal", self.equal)
        yield from names.moment(f"{key}.at", self.at)


Victory: TypeAlias = Exit | Destroy | DestroyThenExit | Hold | HoldRatio | Clear | Survivors | Tally


def moment_of(victory: Victory) -> Moment | None:
    """When it is decided, or None where the text sets no clock."""
    if isinstance(victory, DestroyThenExit):
        return None
    return victory.by if isinstance(victory, Exit | Destroy) else victory.at


def moved(victory: Victory, to: Moment, text: str | None) -> Victory:
    """The same victory decided at another moment, with another sentence if there is one."""
    changes: dict[str, object] = {} if text is None else {"text": text}
    if moment_of(victory) is not None:
        changes["by" if isinstance(victory, Exit | Destroy) else "at"] = to
    return msgspec.structs.replace(victory, **changes)


def _one(
    key: str, first: str, one: object | None, second: str, other: object | None
) -> Iterator[Problem]:
    if (one is None) == (other is None):
        yield Problem(key, f"needs either {first} or {second}, and not both.")
