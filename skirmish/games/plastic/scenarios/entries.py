"""The ways in which a contingent comes into battle, each a class."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

import msgspec

from skirmish.games.plastic.scenarios.scenario_part import (
    Corner,
    Edge,
    MarkId,
    PlayedTurn,
    ScenarioPart,
    StartTurn,
    ZoneLetter,
)


class EntryWay(ScenarioPart, frozen=True, tag_field="kind"):
    """How a contingent comes into battle."""

    # No field of the file: each class has its own, which follows from ``kind``.
    over: ClassVar[str] = ""
    """The kind of place that it comes over; empty if it sets up on the table."""

    @property
    def words(self) -> str:
        """``W edge``, ``zone A``."""
        raise NotImplementedError

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the zone or marks on which it sets up; empty if it enters from outside or
        sets up anywhere."""
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
    """Along the road, over ``edge`` if the text names one."""

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

    @property
    def words(self) -> str:
        return "anywhere"


Entry: TypeAlias = ZoneEntry | EdgeEntry | RoadEntry | CornerEntry | MarksEntry | AnywhereEntry
FROM_OUTSIDE = EdgeEntry | RoadEntry | CornerEntry
"""Entries onto the table during play, over an edge, for ``isinstance``."""
