"""What the parts of a scenario file may name: the type of a field says it, ``reading`` checks it.
What else can be wrong in a part of the file is in its own ``problems``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal

import msgspec

from skirmish.games.plastic.rules.catalog import UnitType, together
from skirmish.tabletop.reading import Problem, Refers, suggest

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
SideId = Annotated[str, Refers("side")]
NationId = Annotated[str, Refers("nation")]
RulingId = Annotated[str, Refers("ruling")]


class Moment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of ``side``'s part of game turn ``turn``."""

    side: SideId
    turn: Turn

    def __str__(self) -> str:
        return f"{self.side} turn {self.turn}"


class Names(msgspec.Struct, frozen=True, kw_only=True):
    """``forces`` is side -> contingent -> unit -> the most of it, in the order of play."""

    units: Mapping[str, UnitType]
    forces: Mapping[str, Mapping[str, Mapping[str, int]]]
    last: Moment | None

    def contingent(self, key: str, side: str, word: str | None) -> Iterator[Problem]:
        """Whether the side has the contingent; None is allowed and means all of the side."""
        if word is not None and side in self.forces and word not in self.forces[side]:
            hint = suggest(word, self.forces[side])
            yield Problem(key, f"no contingent {word!r} on the {side} side; {hint}")

    def fielded(
        self, key: str, side: str, unit: str, *, contingent: str | None = None, need: int = 1
    ) -> Iterator[Problem]:
        """Whether the side (or its contingent) brings ``need`` of an existing ``unit``."""
        if unit not in self.units or side not in self.forces:
            return
        groups = self.forces[side]
        if contingent is not None and contingent not in groups:
            return
        force = self.strength(side) if contingent is None else groups[contingent]
        have = force.get(unit, 0)
        who = f"the {side} side" if contingent is None else f"the contingent {contingent}"
        if not have:
            yield Problem(key, f"{who} has no {unit}; {suggest(unit, force)}")
        elif have < need:
            asked = self.units[unit].named(need)
            yield Problem(key, f"{asked} asked for, but {who} has only {have}.")

    def strength(self, side: str) -> dict[str, int]:
        return together(self.forces[side].values())

    def enemy(self, side: str) -> str | None:
        return next((other for other in self.forces if other != side), None)

    def moment(self, key: str, at: Moment) -> Iterator[Problem]:
        """Whether a moment lies within the scenario."""
        known = self.last and {at.side, self.last.side} <= self.forces.keys()
        if self.last and known and self._order(at) > self._order(self.last):
            yield Problem(key, f"{at} comes after the end, {self.last}; name that or an earlier.")

    def _order(self, at: Moment) -> tuple[int, int]:
        return at.turn, list(self.forces).index(at.side)


def once(key: str, words: Iterable[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for word in words:
        if word in seen:
            yield Problem(key, f"{word!r} stands there twice; each may stand there once.")
        seen.add(word)


def only_with(key: str, other: str, *, given: bool, wanted: bool) -> Iterator[Problem]:
    if given != wanted:
        yield Problem(key, f"goes with {other}: needed there, and only there.")
