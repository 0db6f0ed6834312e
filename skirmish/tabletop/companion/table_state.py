"""The state that companions of board games share: what lies on the table, where the turn is, and
what the players are asked.

A game derives its own state from ``TableState``, and its own events, which lead from a state to the
next, from ``TableEvent``.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.counters import Register
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.flow import Flow, OpenChart, Walked
from skirmish.tabletop.companion.sequence import Position, SequencePhase, TurnSequence
from skirmish.tabletop.page import Gauge

V = TypeVar("V")
"""What ``TableState.once`` computes."""


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A number with a name, from ``low`` to ``high``: points, ammunition, the morale of a side."""

    id: str
    name: str
    value: int = 0
    low: int = 0
    high: int = 99

    def moved(self, by: int) -> Track:
        """The track with ``by`` added to its value; no further than its end."""
        return self.set_to(self.value + by)

    def has(self, count: int) -> bool:
        """Whether ``count`` can be taken off it."""
        # The lowest value need not be 0: victory points can be negative.
        return self.value - count >= self.low

    def set_to(self, value: int) -> Track:
        """The track at ``value``; no further than its end."""
        return replace(self, value=min(max(value, self.low), self.high))

    def gauge(self, note: str = "") -> Gauge:
        """The track as a gauge of a page."""
        return Gauge(self.name, self.value, self.high, note)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """An open question to a player, or a step that the program does by itself. The game defines
    what its ``kind`` means; the other fields say what it is about: units (by id), a ``place``, how
    many (``count``), or the cell of a ``table`` in a ``column`` for a ``roll``."""

    kind: str
    units: tuple[str, ...] = ()
    count: int = 0
    place: str = ""
    table: str = ""
    column: str = ""
    roll: int = 0

    @property
    def list_id(self) -> str:
        """The id of the list or table that a player is asked to type in. Such a task stores it as
        its ``place``."""
        return self.place


class TurnNote(NamedTuple):
    """A text of the players, and the turn in which they wrote it."""

    turn: int
    text: str


class TableState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A game at the table: the position in the turn, counters, tracks, cups, dice. ``paths``: by
    the id of each flow chart, the boxes that were answered since it was opened; ``ended``: the game
    is over."""

    sequence: TurnSequence
    position: Position = Position()
    counters: Register = Register()
    tracks: dict[str, Track] = {}
    cups: dict[str, Cup] = {}
    paths: dict[str, tuple[Walked, ...]] = {}
    dice: Source = Source("die")
    notes: tuple[TurnNote, ...] = ()
    ground: dict[str, tuple[str, ...]] = {}
    """The terrain of each hex, by its name, as far as players were asked for it."""
    distances: dict[str, int] = {}
    """The distances between hexes, as far as players have counted them, by their
    ``distance_key``."""
    control: dict[str, str] = {}
    """The places that count, and the side that holds each; empty: nobody."""
    agenda: tuple[Task, ...] = ()
    """The open questions, the next one first."""
    chart: str = ""
    """The flow chart that lies open, by its id."""
    ended: bool = False

    @property
    def charts(self) -> Mapping[str, Flow]:
        """The flow charts of the game by their ids."""
        return {}

    @property
    def open_chart(self) -> OpenChart | None:
        """The flow chart that lies open, at its present box; None if none does."""
        flow = self.charts.get(self.chart)
        if flow is None:
            return None
        return OpenChart(flow, self.paths.get(flow.id, ()))

    @property
    def doing(self) -> str:
        """What the game computes at the present box of the open flow chart (``Node.does``); empty
        if it computes nothing, or no chart is open."""
        chart = self.open_chart
        if chart is None:
            return ""
        return chart.box.does

    @property
    def phase_id(self) -> str:
        """The id of the phase that is played."""
        return self.sequence.phase_at(self.position).id

    def once(self, name: Hashable, build: Callable[[], V]) -> V:
        """What ``build`` returns, such as a long list of counters, computed once for this state. It
        is stored under ``name`` beside the fields of the frozen struct, so that neither equality
        nor a changed copy of the state includes it."""
        computed = self.__dict__.setdefault("computed_once", {})
        if name not in computed:
            computed[name] = build()
        built: V = computed[name]
        return built

    def distance(self, first: str, second: str) -> int | None:
        """The distance between two hexes, in hexes; None if nobody has counted them yet."""
        return self.distances.get(distance_key(first, second))

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        """Why a phase is not played in this turn, beyond what the data of the phase say; empty if
        it is played. A game overrides this."""
        return ""


def distance_key(first: str, second: str) -> str:
    """The key of two hexes in ``TableState.distances``; their order does not matter."""
    return " ".join(sorted((first, second)))


T = TypeVar("T", bound=TableState)
"""The state of a game."""


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """What happened. It has all that is needed to apply it: it uses no new random number, and
    neither method fails, even if an order before it in the journal is void by now. The events of a
    game get the state of that game, which is why ``state`` is ``Any`` here."""

    @abstractmethod
    def apply(self, state: Any) -> Any:
        """The state after it."""

    @abstractmethod
    def narrate(self, state: Any) -> str:
        """A sentence for the journal, empty for none; ``state`` is the one before the event."""


def evolved(state: T, events: Iterable[TableEvent]) -> T:
    """The state after these events."""
    for event in events:
        state = event.apply(state)
    return state
