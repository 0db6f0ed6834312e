"""The events that companions of board games share: draws and rolls, the turn, tracks, places, flow
charts, notes. Those of counters are ``counter_events``.

A game adds its own events beside these (``AnyTableEvent``).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from skirmish.tabletop.companion.counter_events import (
    CounterRemoved,
    CounterSet,
    CountersMoved,
    MarkersCleared,
    MarkersRolled,
)
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.flow import Walked
from skirmish.tabletop.companion.sequence import Position, SkippedPhase
from skirmish.tabletop.companion.table_state import T, TableEvent, TableState, Task, TurnNote


class Drawn(TableEvent, frozen=True, kw_only=True, tag="drawn"):
    """A chit or a card was drawn face up. ``own``: a player drew it from his own cup; ``silent``:
    another event narrates it."""

    cup: str
    chit: str
    own: bool = False
    silent: bool = False

    def apply(self, state: T) -> T:
        cup = state.cups[self.cup]
        # The chit is not in the cup if the order that put it there is void by now.
        if not cup.inside or self.chit not in cup.unseen:
            cup = cup.put([self.chit])
        return _with_cup(state, cup.draw(self.chit))

    def narrate(self, state: TableState) -> str:
        if self.silent:
            return ""
        return f"Drawn: {self.chit}."


class CupRefilled(TableEvent, frozen=True, kw_only=True, tag="cup_refilled"):
    """All chits or cards that were drawn are in the cup again, such as a discard pile that is
    shuffled."""

    cup: str

    def apply(self, state: T) -> T:
        return _with_cup(state, state.cups[self.cup].refill())

    def narrate(self, state: TableState) -> str:
        refilled = state.cups[self.cup].refill()
        return f"{len(refilled.unseen)} are in the {self.cup} again."


class ChitPutBack(TableEvent, frozen=True, kw_only=True, tag="put_back"):
    """A chit that was drawn goes back into its cup."""

    cup: str
    chit: str

    def apply(self, state: T) -> T:
        cup = state.cups[self.cup]
        # It was not drawn if the line by which a player drew it himself is void by now.
        if self.chit not in cup.drawn:
            return state
        return _with_cup(state, cup.put_back(self.chit))

    def narrate(self, state: TableState) -> str:
        return f"{self.chit} goes back into the {self.cup}."


class Rolled(TableEvent, frozen=True, kw_only=True, tag="rolled"):
    """Dice were rolled for a ``purpose``; if it is empty, another event narrates the roll. ``own``:
    a player rolled his own dice, or another event has counted the roll of the program already."""

    purpose: str
    faces: tuple[int, ...]
    own: bool = False

    def apply(self, state: T) -> T:
        if self.own:  # the program's stream of numbers does not move
            return state
        # How many dice the program has rolled decides which number of its seed is next.
        rolls = state.dice.rolls + len(self.faces)
        return replace(state, dice=replace(state.dice, rolls=rolls))

    def narrate(self, state: TableState) -> str:
        if not self.purpose:
            return ""
        return f"{self.purpose}: {' '.join(map(str, self.faces))}."


class ControlSet(TableEvent, frozen=True, kw_only=True, tag="control_set"):
    """A place that counts for victory changed hands. ``side`` is the id of the side that has it
    now, ``name`` is its name."""

    place: str
    side: str
    name: str

    def apply(self, state: T) -> T:
        return replace(state, control=state.control | {self.place: self.side})

    def narrate(self, state: TableState) -> str:
        return f"{self.place} is {self.name}."


class MapSeen(TableEvent, frozen=True, kw_only=True, tag="map_seen"):
    """Facts of the map that the players were asked for, and need not be asked again. The fields are
    those of ``TableState``."""

    ground: Mapping[str, tuple[str, ...]] = {}
    distances: Mapping[str, int] = {}

    def apply(self, state: T) -> T:
        ground = {**state.ground, **self.ground}
        distances = {**state.distances, **self.distances}
        return replace(state, ground=ground, distances=distances)

    def narrate(self, state: TableState) -> str:
        return ""


class TasksSet(TableEvent, frozen=True, kw_only=True, tag="asked"):
    """From now on these are the open questions, the next one first."""

    tasks: tuple[Task, ...] = ()

    def apply(self, state: T) -> T:
        return replace(state, agenda=self.tasks)

    def narrate(self, state: TableState) -> str:
        return ""


class TableEnded(TableEvent, frozen=True, kw_only=True, tag="table_ended"):
    """The game is over. ``text`` is the sentence of the journal, ``result`` stands in large
    letters."""

    text: str
    result: str = ""

    def apply(self, state: T) -> T:
        return replace(state, ended=True)

    def narrate(self, state: TableState) -> str:
        return self.text


class TrackSet(TableEvent, frozen=True, kw_only=True, tag="track_set"):
    """A track moved to a value, or to its end if the value is beyond that. ``why``: the reason, for
    the journal."""

    track: str
    value: int
    why: str = ""

    def apply(self, state: T) -> T:
        track = state.tracks.get(self.track)
        if track is None:  # the order that brought it into the game is void by now
            return state
        return replace(state, tracks=state.tracks | {self.track: track.set_to(self.value)})

    def narrate(self, state: TableState) -> str:
        track = state.tracks.get(self.track)
        if track is None:
            return ""
        value = track.set_to(self.value).value
        text = f"{track.name}: {track.value} to {value}"
        if value == track.value:
            text = f"{track.name}: still {value}"
        if self.why:
            text = f"{text} ({self.why})"
        return f"{text}."


class PhaseBegun(TableEvent, frozen=True, kw_only=True, tag="phase_begun"):
    """A phase began. ``skipped``: those before it that are not played."""

    position: Position
    skipped: tuple[SkippedPhase, ...] = ()

    def apply(self, state: T) -> T:
        return replace(state, position=self.position)

    def narrate(self, state: TableState) -> str:
        sentences = []
        if self.position.turn != state.position.turn:
            sentences.append(f"Turn {self.position.turn}.")
        for name, why in self.skipped:
            sentences.append(f"{name} is skipped: {why}.")
        sentences.append(f"{state.sequence.phase_at(self.position).name}.")
        return " ".join(sentences)


def next_phase(state: TableState) -> PhaseBegun | None:
    """The beginning of the phase that comes next; None if the last turn is over."""
    skipped, position = state.sequence.advance_from(state.position, state.why_skipped)
    if position is None:
        return None
    return PhaseBegun(position=position, skipped=skipped)


class FlowWalked(TableEvent, frozen=True, kw_only=True, tag="flow_walked"):
    """A node of a flow chart was answered; without a ``node`` the chart begins again. ``text``:
    what the box says, with its id, for the journal."""

    flow: str
    node: str = ""
    answer: str = ""
    text: str = ""

    def apply(self, state: T) -> T:
        path: tuple[Walked, ...] = ()
        if self.node:
            path = (*self._path_to_node(state), Walked(self.node, self.answer))
        return replace(state, paths=state.paths | {self.flow: path})

    def _path_to_node(self, state: TableState) -> tuple[Walked, ...]:
        """The path up to the node that was answered."""
        path = state.paths.get(self.flow, ())
        end = state.charts[self.flow].walk(path)
        if end == self.node:
            return path
        # The order that led to the node is void by now. The path jumps to it.
        return (*path, Walked(end, self.node))

    def narrate(self, state: TableState) -> str:
        text = self.text
        if text and not text.endswith("?"):
            text = f"{text}."
        # "then" is the arrow of a box without a question: nothing was answered.
        if self.answer in ("", "then"):
            return text
        if self.answer in ("yes", "no"):
            return f"{text} {self.answer.capitalize()}."
        return f"{text} On to {self.answer}.".strip()  # a jump, or a box that may follow


class ChartOpened(TableEvent, frozen=True, kw_only=True, tag="chart"):
    """A flow chart is opened at its start; without a ``chart`` the open one is closed. ``ended``:
    the text of the last box, if it was closed at its end."""

    chart: str = ""
    ended: str = ""

    def apply(self, state: T) -> T:
        # A chart that is opened again begins at its start.
        paths = {id: path for id, path in state.paths.items() if id != self.chart}
        return replace(state, chart=self.chart, paths=paths)

    def narrate(self, state: TableState) -> str:
        if not self.chart:
            return self.ended
        return f"The chart “{state.charts[self.chart].title}” begins."


class Noted(TableEvent, frozen=True, kw_only=True, tag="noted"):
    """A text of the players, stored with the turn."""

    text: str

    def apply(self, state: T) -> T:
        return replace(state, notes=(*state.notes, TurnNote(state.position.turn, self.text)))

    def narrate(self, state: TableState) -> str:
        return f"Note: {self.text}"


AnyTableEvent = (
    Drawn
    | ChitPutBack
    | CupRefilled
    | Rolled
    | CounterSet
    | CounterRemoved
    | CountersMoved
    | MarkersCleared
    | MarkersRolled
    | ControlSet
    | MapSeen
    | TrackSet
    | PhaseBegun
    | FlowWalked
    | ChartOpened
    | Noted
    | TasksSet
    | TableEnded
)
"""The events that all these games share; in a game, its own are beside them."""


def _with_cup(state: T, cup: Cup) -> T:
    """The state with a cup as it is now."""
    return replace(state, cups=state.cups | {cup.id: cup})
