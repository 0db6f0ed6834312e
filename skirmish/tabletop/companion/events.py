"""The state that companions of board games share, and the events that change it.

A game adds its own fields to ``TableState`` and its own events beside these. An event applies and
narrates itself; it never fails on a decided journal, and it never draws.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.counters import Counter, Register, named
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.flow import Flow, Walked
from skirmish.tabletop.companion.sequence import Position, SequencePhase, TurnSequence
from skirmish.tabletop.page import Gauge

STEPS = "step", "steps"
V = TypeVar("V")


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A bounded number with a name: a turn, points, a ledger."""

    id: str
    name: str
    value: int = 0
    low: int = 0
    high: int = 99

    def moved(self, by: int) -> Track:
        """The track after ``by``; anything beyond an end is lost."""
        return self.at(self.value + by)

    def at(self, value: int) -> Track:
        """The track at ``value``, or at the nearest end."""
        return replace(self, value=min(max(value, self.low), self.high))

    def gauge(self, note: str = "") -> Gauge:
        return Gauge(self.name, self.value, self.high, note)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """An open question to a player, of a kind that the game knows: about units, a ``place``, a
    ``count`` of them, or the cell of a ``table`` for a ``roll``."""

    kind: str
    units: tuple[str, ...] = ()
    count: int = 0
    place: str = ""
    table: str = ""
    column: str = ""
    roll: int = 0


class TableState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The table: the position in the turn, counters, tracks, cups, the dice. ``paths`` are the open
    flow charts; ``notes`` the players' texts, with the turn."""

    sequence: TurnSequence
    position: Position = Position()
    counters: Register = Register()
    tracks: dict[str, Track] = {}
    cups: dict[str, Cup] = {}
    paths: dict[str, tuple[Walked, ...]] = {}
    dice: Source = Source("die")
    notes: tuple[tuple[int, str], ...] = ()
    ground: dict[str, tuple[str, ...]] = {}
    """What was seen in a hex, by its name."""
    distances: dict[str, int] = {}
    """Between two hexes, as ``pair`` calls them."""
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
    def doing(self) -> str:
        """What the game computes at the box of the flow chart that lies open."""
        chart = self.charts.get(self.chart)
        return chart.nodes[chart.walk(self.paths.get(chart.id, ()))].does if chart else ""

    @property
    def now(self) -> str:
        """The id of the phase."""
        return self.sequence.at(self.position).id

    def once(self, name: Hashable, build: Callable[[], V]) -> V:
        """What ``build`` returns, computed once for this state; long lists of counters."""
        known = self.__dict__.setdefault("known", {})
        if name not in known:
            known[name] = build()
        found: V = known[name]
        return found

    def distance(self, first: str, second: str) -> int | None:
        """In hexes; None if nobody has counted them yet."""
        return self.distances.get(pair(first, second))

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        """Why a phase is not played, beyond what its data define; empty if it is."""
        return ""


def pair(first: str, second: str) -> str:
    """The key of two hexes for what lies between them."""
    return " ".join(sorted((first, second)))


T = TypeVar("T", bound="TableState")


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    @abstractmethod
    def apply(self, state: Any) -> Any:
        """The state after it."""

    @abstractmethod
    def narrate(self, state: Any) -> str:
        """A sentence for the journal; ``state`` is that before it."""


def evolved(state: T, events: Iterable[TableEvent]) -> T:
    """The state after these events."""
    for one in events:
        state = one.apply(state)
    return state


class Drawn(TableEvent, frozen=True, kw_only=True, tag="drawn"):
    """A chit or a card was drawn face up. ``own``: the player drew it himself; ``silent``: another
    event narrates it."""

    cup: str
    chit: str
    own: bool = False
    silent: bool = False

    def apply(self, state: T) -> T:
        cup = state.cups[self.cup]
        if not cup.inside or self.chit not in cup.unseen:  # the line that put it in is void
            cup = cup.put([self.chit])
        return _cup(state, cup.draw(self.chit))

    def narrate(self, state: TableState) -> str:
        return "" if self.silent else f"Drawn: {self.chit}."


class CupRefilled(TableEvent, frozen=True, kw_only=True, tag="cup_refilled"):
    cup: str

    def apply(self, state: T) -> T:
        return _cup(state, state.cups[self.cup].refill())

    def narrate(self, state: TableState) -> str:
        return f"{len(state.cups[self.cup].refill().unseen)} are in the {self.cup} again."


class ChitPutBack(TableEvent, frozen=True, kw_only=True, tag="put_back"):
    """A chit that was drawn goes back into its cup."""

    cup: str
    chit: str

    def apply(self, state: T) -> T:
        return _cup(state, state.cups[self.cup].put_back(self.chit))

    def narrate(self, state: TableState) -> str:
        return f"{self.chit} goes back into the {self.cup}."


class Rolled(TableEvent, frozen=True, kw_only=True, tag="rolled"):
    """Dice were thrown for ``purpose``; if it is empty, another event narrates them. ``own``: the
    player's dice."""

    purpose: str
    faces: tuple[int, ...]
    own: bool = False

    def apply(self, state: T) -> T:
        if self.own:
            return state
        rolls = state.dice.rolls + len(self.faces)
        return replace(state, dice=replace(state.dice, rolls=rolls))

    def narrate(self, state: TableState) -> str:
        return f"{self.purpose}: {' '.join(map(str, self.faces))}." if self.purpose else ""


class CounterSet(TableEvent, frozen=True, kw_only=True, tag="counter_set"):
    counter: Counter
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return replace(state, counters=state.counters.with_counter(self.counter))

    def narrate(self, state: TableState) -> str:
        before = state.counters.counters.get(self.counter.id)
        words = _difference(before, self.counter)
        hand = " (by hand)" if self.by_hand and words else ""
        alone = words[2:-1] if words.startswith(" (") else words
        return f"{self.counter.name}: {alone}{hand}." if words else ""


def counters_set(state: TableState, units: Iterable[Counter]) -> list[CounterSet]:
    """The events of those counters that changed."""
    known = state.counters.counters
    return [CounterSet(counter=one) for one in units if one != known.get(one.id)]


class CounterRemoved(TableEvent, frozen=True, kw_only=True, tag="counter_removed"):
    """It is eliminated and stays in the register, so that the others are called as before."""

    id: str
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return self._eliminated(state).apply(state)

    def narrate(self, state: TableState) -> str:
        return self._eliminated(state).narrate(state)

    def _eliminated(self, state: TableState) -> CounterSet:
        gone = replace(state.counters[self.id], steps=0, place="", flags=())
        return CounterSet(counter=gone, by_hand=self.by_hand)


class CountersMoved(TableEvent, frozen=True, kw_only=True, tag="counters_moved"):
    """Counters moved to a hex; the markers ``off`` were removed, those ``on`` were added. ``how``
    is the verb before the name of the hex."""

    counters: tuple[str, ...]
    place: str
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    how: str = "to"

    def apply(self, state: T) -> T:
        register = state.counters
        for id in self.counters:
            if one := register.counters.get(id):
                here = replace(one.remarked(on=self.on, off=self.off), place=self.place)
                register = register.with_counter(here)
        return replace(state, counters=register)

    def narrate(self, state: TableState) -> str:
        names = named(one for one in state.counters if one.id in self.counters)
        return f"{names}: {self.how} {self.place or 'a hex of the map'}."


class MarkersCleared(TableEvent, frozen=True, kw_only=True, tag="markers_cleared"):
    """These markers came off all counters of a side, empty: of every side. ``silent``: the players
    need not do it."""

    side: str = ""
    flags: tuple[str, ...]
    silent: bool = False

    def apply(self, state: T) -> T:
        return replace(state, counters=state.counters.cleared(self.side, self.flags))

    def narrate(self, state: TableState) -> str:
        flags = set(self.flags)
        bare = [one for one in state.counters.where(side=self.side) if flags & set(one.flags)]
        if self.silent or not bare:
            return ""
        off = [flag for flag in self.flags if any(one.has(flag) for one in bare)]
        return f"No longer {' or '.join(off)}: {named(bare)}."


class MarkersRolled(TableEvent, frozen=True, kw_only=True, tag="markers_rolled"):
    """A roll for each counter with a marker, and whether it removes the marker. ``does`` and
    ``does_not`` are the words for that."""

    marker: str
    rolls: tuple[tuple[str, int, bool], ...]
    does: str = "recovers"
    does_not: str = "does not"

    def apply(self, state: T) -> T:
        register = state.counters
        for id, _, off in self.rolls:
            if off and id in register.counters:
                register = register.with_counter(register[id].marked(self.marker, False))
        return replace(state, counters=register)

    def narrate(self, state: TableState) -> str:
        known = state.counters.counters
        results = [f"{known[id].name} {self.does if off else self.does_not} ({roll})"
                   for id, roll, off in self.rolls if id in known]  # fmt: skip
        return f"{', '.join(results)}." if results else f"Nobody is {self.marker}."


class ControlSet(TableEvent, frozen=True, kw_only=True, tag="control_set"):
    """A place that counts changed hands; ``name`` is that of the side."""

    place: str
    side: str
    name: str

    def apply(self, state: T) -> T:
        return replace(state, control=state.control | {self.place: self.side})

    def narrate(self, state: TableState) -> str:
        return f"{self.place} is {self.name}."


class MapSeen(TableEvent, frozen=True, kw_only=True, tag="map_seen"):
    """Facts of the map that the players answered once."""

    ground: dict[str, tuple[str, ...]] = {}
    distances: dict[str, int] = {}

    def apply(self, state: T) -> T:
        return replace(state, ground=state.ground | self.ground,
                       distances=state.distances | self.distances)  # fmt: skip

    def narrate(self, state: TableState) -> str:
        return ""


class TasksSet(TableEvent, frozen=True, kw_only=True, tag="asked"):
    """The open questions, the next one first."""

    tasks: tuple[Task, ...] = ()

    def apply(self, state: T) -> T:
        return replace(state, agenda=self.tasks)

    def narrate(self, state: TableState) -> str:
        return ""


class TableEnded(TableEvent, frozen=True, kw_only=True, tag="table_ended"):
    """``result``: in large letters."""

    text: str
    result: str = ""

    def apply(self, state: T) -> T:
        return replace(state, ended=True)

    def narrate(self, state: TableState) -> str:
        return self.text


class TrackSet(TableEvent, frozen=True, kw_only=True, tag="track_set"):
    track: str
    value: int
    why: str = ""

    def apply(self, state: T) -> T:
        after = state.tracks[self.track].at(self.value)
        return replace(state, tracks=state.tracks | {self.track: after})

    def narrate(self, state: TableState) -> str:
        track = state.tracks[self.track]
        why = f" ({self.why})" if self.why else ""
        return f"{track.name}: {track.value} to {track.at(self.value).value}{why}."


class PhaseBegun(TableEvent, frozen=True, kw_only=True, tag="phase_begun"):
    """A phase began; ``skipped`` are those before it with their reasons."""

    position: Position
    skipped: tuple[tuple[str, str], ...] = ()

    def apply(self, state: T) -> T:
        return replace(state, position=self.position)

    def narrate(self, state: TableState) -> str:
        turn = f"Turn {self.position.turn}. " if self.position.turn != state.position.turn else ""
        skipped = "".join(f"{name} is skipped: {why}. " for name, why in self.skipped)
        return f"{turn}{skipped}{state.sequence.at(self.position).name}."


def next_phase(state: TableState) -> PhaseBegun | None:
    """The event of going on; None: the last turn is over."""
    skipped, position = state.sequence.after(state.position, state.why_skipped)
    return PhaseBegun(position=position, skipped=skipped) if position else None


class FlowWalked(TableEvent, frozen=True, kw_only=True, tag="flow_walked"):
    """A node of a flow chart was answered; an empty ``node`` restarts the chart."""

    flow: str
    node: str = ""
    answer: str = ""
    text: str = ""

    def apply(self, state: T) -> T:
        path = state.paths.get(self.flow, ()) if self.node else ()
        step = (Walked(self.node, self.answer),) if self.node else ()
        return replace(state, paths=state.paths | {self.flow: (*path, *step)})

    def narrate(self, state: TableState) -> str:
        text = f"{self.text}{'' if self.text.endswith('?') else '.'}" if self.text else ""
        if self.answer in ("yes", "no"):
            return f"{text} {self.answer.capitalize()}."
        return text if self.answer in ("", "then") else f"{text} On to {self.answer}.".strip()


class ChartOpened(TableEvent, frozen=True, kw_only=True, tag="chart"):
    """A flow chart lies open at its start, or none; ``ended``: the last box of the one before."""

    chart: str = ""
    ended: str = ""

    def apply(self, state: T) -> T:
        paths = {id: path for id, path in state.paths.items() if id != self.chart}
        return replace(state, chart=self.chart, paths=paths)

    def narrate(self, state: TableState) -> str:
        title = state.charts[self.chart].title if self.chart else ""
        return f"The chart “{title}” begins." if title else self.ended


class Noted(TableEvent, frozen=True, kw_only=True, tag="noted"):
    text: str

    def apply(self, state: T) -> T:
        return replace(state, notes=(*state.notes, (state.position.turn, self.text)))

    def narrate(self, state: TableState) -> str:
        return f"Note: {self.text}"


AnyTableEvent = (
    Drawn | ChitPutBack | CupRefilled | Rolled | CounterSet | CounterRemoved
    | CountersMoved | MarkersCleared | MarkersRolled | ControlSet | MapSeen | TrackSet | PhaseBegun
    | FlowWalked | ChartOpened | Noted | TasksSet | TableEnded
)  # fmt: skip


def _cup(state: T, cup: Cup) -> T:
    return replace(state, cups=state.cups | {cup.id: cup})


def _difference(before: Counter | None, after: Counter) -> str:
    if before is None:
        steps = f", {after.steps} {STEPS[after.steps != 1]}" if after.steps != 1 else ""
        place = f" in {after.place}" if after.place else ""
        return f"new{place}{steps}{_ratings({}, after.ratings)}"
    words: list[str] = []
    if after.steps < before.steps:
        lost = before.steps - after.steps
        left = f", {after.steps} left" if after.steps else ", eliminated"
        words.append(f"{lost} {STEPS[lost != 1]} lost{left}")
    elif after.steps > before.steps:
        words.append(f"{after.steps} {STEPS[after.steps != 1]}")
    if not after.steps:
        return ", ".join(words)
    words += [flag for flag in after.flags if flag not in before.flags]
    words += [f"no longer {flag}" for flag in before.flags if flag not in after.flags]
    if after.place != before.place:
        words.append(f"to {after.place}" if after.place else "off the map")
    if after.name != before.name:
        words.append(f"was {before.name}")
    return ", ".join(words) + _ratings(before.ratings, after.ratings)


def _ratings(before: dict[str, int | None], after: dict[str, int | None]) -> str:
    new = {name: value for name, value in after.items() if before.get(name, "") != value}
    labels = {}
    for name in new:
        front, *back = name.split("_")
        labels[name] = " ".join((front.upper() if len(front) < 3 else front, *back))
    words = ", ".join(f"{labels[at]} {'–' if one is None else one}" for at, one in new.items())
    return f" ({words})" if words else ""
