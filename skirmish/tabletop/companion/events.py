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

V = TypeVar("V")


class Track(msgspec.Struct, frozen=True, kw_only=True):
    """A number with a name, from ``low`` to ``high``: points, ammunition, the morale of a side."""

    id: str
    name: str
    value: int = 0
    low: int = 0
    high: int = 99

    def moved(self, by: int) -> Track:
        """The track at a value that is higher by so many, or at the nearest end."""
        return self.set_to(self.value + by)

    def set_to(self, value: int) -> Track:
        """The track at ``value``, or at the nearest end."""
        return replace(self, value=min(max(value, self.low), self.high))

    def gauge(self, note: str = "") -> Gauge:
        """How full it is, as a gauge for a page."""
        return Gauge(self.name, self.value, self.high, note)


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """An open question to a player, or a step that goes on by itself. What its ``kind`` means, the
    game knows; the other fields say what it is about: units (by id), a ``place``, how many
    (``count``), or the cell of a ``table`` in a ``column`` for a ``roll``."""

    kind: str
    units: tuple[str, ...] = ()
    count: int = 0
    place: str = ""
    table: str = ""
    column: str = ""
    roll: int = 0

    @property
    def list_id(self) -> str:
        """What is typed in, of a question for a whole list: the id of the kind of lines, or of the
        table. It is stored as the ``place``."""
        return self.place


class TableState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What lies on the table: the position in the turn, counters, tracks, cups, the dice.
    ``paths``: of each flow chart, by its id, the boxes that were answered since it was opened;
    ``notes``: the players' texts, each with its turn."""

    sequence: TurnSequence
    position: Position = Position()
    counters: Register = Register()
    tracks: dict[str, Track] = {}
    cups: dict[str, Cup] = {}
    paths: dict[str, tuple[Walked, ...]] = {}
    dice: Source = Source("die")
    notes: tuple[tuple[int, str], ...] = ()
    ground: dict[str, tuple[str, ...]] = {}
    """The terrain of each hex, by its name, as far as players were asked for it."""
    distances: dict[str, int] = {}
    """The hexes from one hex to another, as far as players have counted them; the key is that of
    ``pair``."""
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
        """What the game computes at the present box of the open flow chart (``Node.does``); empty
        for nothing, and if none is open."""
        chart = self.charts.get(self.chart)
        if chart is None:
            return ""
        box = chart.walk(self.paths.get(chart.id, ()))
        return chart.nodes[box].does

    @property
    def phase_id(self) -> str:
        """The id of the phase that is played."""
        return self.sequence.at(self.position).id

    def once(self, name: Hashable, build: Callable[[], V]) -> V:
        """What ``build`` returns, computed once for this state, such as a long list of counters.
        The struct is frozen, so that this lies in its dict; it is no part of the state."""
        computed = self.__dict__.setdefault("known", {})
        if name not in computed:
            computed[name] = build()
        built: V = computed[name]
        return built

    def distance(self, first: str, second: str) -> int | None:
        """The distance between two hexes, in hexes; None if nobody has counted them yet."""
        return self.distances.get(pair(first, second))

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        """Why a phase is not played, beyond what its data define; empty if it is."""
        return ""


def pair(first: str, second: str) -> str:
    """The key of two hexes in ``TableState.distances``, whichever is named first."""
    return " ".join(sorted((first, second)))


T = TypeVar("T", bound="TableState")


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """What happened. A game's own events get its own state, which is why that is ``Any`` here."""

    @abstractmethod
    def apply(self, state: Any) -> Any:
        """The state after it."""

    @abstractmethod
    def narrate(self, state: Any) -> str:
        """A sentence for the journal; ``state`` is that before it."""


def evolved(state: T, events: Iterable[TableEvent]) -> T:
    """The state after these events."""
    for event in events:
        state = event.apply(state)
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
        # The chit is not in the cup if the line that put it there was made void.
        if not cup.inside or self.chit not in cup.unseen:
            cup = cup.put([self.chit])
        return _with_cup(state, cup.draw(self.chit))

    def narrate(self, state: TableState) -> str:
        if self.silent:
            return ""
        return f"Drawn: {self.chit}."


class CupRefilled(TableEvent, frozen=True, kw_only=True, tag="cup_refilled"):
    """All chits that were drawn are in the cup again, such as discards that were shuffled."""

    cup: str

    def apply(self, state: T) -> T:
        return _with_cup(state, state.cups[self.cup].refill())

    def narrate(self, state: TableState) -> str:
        return f"{len(state.cups[self.cup].refill().unseen)} are in the {self.cup} again."


class ChitPutBack(TableEvent, frozen=True, kw_only=True, tag="put_back"):
    """A chit that was drawn goes back into its cup."""

    cup: str
    chit: str

    def apply(self, state: T) -> T:
        return _with_cup(state, state.cups[self.cup].put_back(self.chit))

    def narrate(self, state: TableState) -> str:
        return f"{self.chit} goes back into the {self.cup}."


class Rolled(TableEvent, frozen=True, kw_only=True, tag="rolled"):
    """Dice were thrown for ``purpose``; if it is empty, another event narrates them. ``own``: the
    player's dice."""

    purpose: str
    faces: tuple[int, ...]
    own: bool = False

    def apply(self, state: T) -> T:
        if self.own:  # the player's dice do not move the program's stream of numbers
            return state
        # The next number of a seed depends on how many were rolled before.
        rolls = state.dice.rolls + len(self.faces)
        return replace(state, dice=replace(state.dice, rolls=rolls))

    def narrate(self, state: TableState) -> str:
        if not self.purpose:
            return ""
        return f"{self.purpose}: {' '.join(map(str, self.faces))}."


class CounterSet(TableEvent, frozen=True, kw_only=True, tag="counter_set"):
    """A counter as it is from now on; its sentence says what changed. ``by_hand``: the players put
    it right."""

    counter: Counter
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return replace(state, counters=state.counters.with_counter(self.counter))

    def narrate(self, state: TableState) -> str:
        before = state.counters.counters.get(self.counter.id)
        changes, ratings = _changes(before, self.counter), _ratings(before, self.counter)
        if changes and ratings:
            text = f"{changes} ({ratings})"
        else:
            text = changes or ratings
        if not text:
            return ""
        if self.by_hand:
            text = f"{text} (by hand)"
        return f"{self.counter.name}: {text}."


def counters_set(state: TableState, units: Iterable[Counter]) -> list[CounterSet]:
    """The events of those counters that changed."""
    # An event that changes nothing would be an empty line of the journal.
    present = state.counters.counters
    return [CounterSet(counter=unit) for unit in units if unit != present.get(unit.id)]


class CounterRemoved(TableEvent, frozen=True, kw_only=True, tag="counter_removed"):
    """A counter is eliminated; ``by_hand``: the players took it off. It stays in the register,
    without steps, so that the letters of the others do not change."""

    id: str
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return self._eliminated(state).apply(state)

    def narrate(self, state: TableState) -> str:
        return self._eliminated(state).narrate(state)

    def _eliminated(self, state: TableState) -> CounterSet:
        """An elimination is a change like any other: without steps, off the map."""
        gone = replace(state.counters[self.id], steps=0, place="", flags=())
        return CounterSet(counter=gone, by_hand=self.by_hand)


class CountersMoved(TableEvent, frozen=True, kw_only=True, tag="counters_moved"):
    """Counters moved to a hex; the markers ``off`` were removed, those ``on`` were added. ``how``
    stands before the name of the hex: ``into``, ``back to``."""

    counters: tuple[str, ...]
    place: str
    on: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    how: str = "to"

    def apply(self, state: T) -> T:
        register = state.counters
        for id in self.counters:
            counter = register.counters.get(id)
            if counter is None:  # the line that entered it is void
                continue
            moved = replace(counter.remarked(on=self.on, off=self.off), place=self.place)
            register = register.with_counter(moved)
        return replace(state, counters=register)

    def narrate(self, state: TableState) -> str:
        names = named(counter for counter in state.counters if counter.id in self.counters)
        return f"{names}: {self.how} {self.place or 'a hex of the map'}."


class MarkersCleared(TableEvent, frozen=True, kw_only=True, tag="markers_cleared"):
    """These markers came off all counters of a ``side``, or of every side if that is empty.
    ``silent``: the journal does not say so, since the players need not do it."""

    side: str = ""
    flags: tuple[str, ...]
    silent: bool = False

    def apply(self, state: T) -> T:
        return replace(state, counters=state.counters.cleared(self.side, self.flags))

    def narrate(self, state: TableState) -> str:
        if self.silent:
            return ""
        bared, removed = [], set()
        for counter in state.counters.where(side=self.side):
            had = set(self.flags).intersection(counter.flags)
            if had:
                bared.append(counter)
                removed |= had
        if not bared:
            return ""
        flags = [flag for flag in self.flags if flag in removed]
        return f"No longer {' or '.join(flags)}: {named(bared)}."


class MarkersRolled(TableEvent, frozen=True, kw_only=True, tag="markers_rolled"):
    """A roll for each counter with a marker: its id, the roll, and whether that removes the marker.
    Of a counter that loses the marker the journal says what it ``does``, else ``does_not``."""

    marker: str
    rolls: tuple[tuple[str, int, bool], ...]
    does: str = "recovers"
    does_not: str = "does not"

    def apply(self, state: T) -> T:
        register = state.counters
        for id, _, comes_off in self.rolls:
            # Unless the line that entered the counter is void.
            if comes_off and id in register.counters:
                register = register.with_counter(register[id].marked(self.marker, on=False))
        return replace(state, counters=register)

    def narrate(self, state: TableState) -> str:
        present = state.counters.counters
        results = []
        for id, roll, comes_off in self.rolls:
            if id not in present:
                continue
            verb = self.does_not
            if comes_off:
                verb = self.does
            results.append(f"{present[id].name} {verb} ({roll})")
        if not results:
            return f"Nobody is {self.marker}."
        return f"{', '.join(results)}."


class ControlSet(TableEvent, frozen=True, kw_only=True, tag="control_set"):
    """A place that counts for victory changed hands: to ``side``, whose name is ``name``."""

    place: str
    side: str
    name: str

    def apply(self, state: T) -> T:
        return replace(state, control=state.control | {self.place: self.side})

    def narrate(self, state: TableState) -> str:
        return f"{self.place} is {self.name}."


class MapSeen(TableEvent, frozen=True, kw_only=True, tag="map_seen"):
    """Facts of the map that the players answered once; the fields are as of ``TableState``."""

    ground: dict[str, tuple[str, ...]] = {}
    distances: dict[str, int] = {}

    def apply(self, state: T) -> T:
        ground, distances = state.ground | self.ground, state.distances | self.distances
        return replace(state, ground=ground, distances=distances)

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
    """The game is over: the sentence of the journal, and a ``result`` in large letters."""

    text: str
    result: str = ""

    def apply(self, state: T) -> T:
        return replace(state, ended=True)

    def narrate(self, state: TableState) -> str:
        return self.text


class TrackSet(TableEvent, frozen=True, kw_only=True, tag="track_set"):
    """A track moved to a value; beyond an end it stays there. ``why``: the reason for the
    journal."""

    track: str
    value: int
    why: str = ""

    def apply(self, state: T) -> T:
        # The event has what was wanted; the track goes no further than its end.
        after = state.tracks[self.track].set_to(self.value)
        return replace(state, tracks=state.tracks | {self.track: after})

    def narrate(self, state: TableState) -> str:
        track = state.tracks[self.track]
        text = f"{track.name}: {track.value} to {track.set_to(self.value).value}"
        if self.why:
            text = f"{text} ({self.why})"
        return f"{text}."


class PhaseBegun(TableEvent, frozen=True, kw_only=True, tag="phase_begun"):
    """A phase began; ``skipped`` are those before it with their reasons."""

    position: Position
    skipped: tuple[tuple[str, str], ...] = ()

    def apply(self, state: T) -> T:
        return replace(state, position=self.position)

    def narrate(self, state: TableState) -> str:
        sentences = []
        if self.position.turn != state.position.turn:
            sentences.append(f"Turn {self.position.turn}.")
        for name, why in self.skipped:
            sentences.append(f"{name} is skipped: {why}.")
        sentences.append(f"{state.sequence.at(self.position).name}.")
        return " ".join(sentences)


def next_phase(state: TableState) -> PhaseBegun | None:
    """The event of going on; None: the last turn is over."""
    skipped, position = state.sequence.after(state.position, state.why_skipped)
    if position is None:
        return None
    return PhaseBegun(position=position, skipped=skipped)


class FlowWalked(TableEvent, frozen=True, kw_only=True, tag="flow_walked"):
    """A node of a flow chart was answered; an empty ``node`` restarts the chart. ``text``: what the
    box says, with its id, for the journal."""

    flow: str
    node: str = ""
    answer: str = ""
    text: str = ""

    def apply(self, state: T) -> T:
        path: tuple[Walked, ...] = ()
        if self.node:
            path = (*state.paths.get(self.flow, ()), Walked(self.node, self.answer))
        return replace(state, paths=state.paths | {self.flow: path})

    def narrate(self, state: TableState) -> str:
        text = self.text
        if text and not text.endswith("?"):
            text = f"{text}."
        # "then" is the arrow of a box without a question: there is no answer to tell.
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
        # A chart that is opened again begins anew.
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
        return replace(state, notes=(*state.notes, (state.position.turn, self.text)))

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


def _with_cup(state: T, cup: Cup) -> T:
    """The state with a cup as it is now."""
    return replace(state, cups=state.cups | {cup.id: cup})


# ------------------------------------------------------------------ what changed, in words


def _steps(count: int) -> str:
    """``1 step``, ``2 steps``."""
    if count == 1:
        return "1 step"
    return f"{count} steps"


def _changes(before: Counter | None, after: Counter) -> str:
    """What changed but the ratings: ``1 step lost, 1 left, disrupted, to J7``; empty if nothing
    did. Of an eliminated counter only its loss is stated."""
    if before is None:
        return _as_new(after)
    words: list[str] = []
    if after.steps < before.steps:
        words.append(f"{_steps(before.steps - after.steps)} lost")
        if not after.steps:
            words.append("eliminated")
        else:
            words.append(f"{after.steps} left")
    elif after.steps > before.steps:
        words.append(_steps(after.steps))
    if not after.steps:  # where it lay and what it bore is gone with it
        return ", ".join(words)
    words += [flag for flag in after.flags if flag not in before.flags]
    words += [f"no longer {flag}" for flag in before.flags if flag not in after.flags]
    if after.place != before.place and after.place:
        words.append(f"to {after.place}")
    elif after.place != before.place:
        words.append("off the map")
    if after.name != before.name:
        words.append(f"was {before.name}")
    return ", ".join(words)


def _as_new(counter: Counter) -> str:
    """``new in J7, 2 steps``."""
    text = "new"
    if counter.place:
        text = f"{text} in {counter.place}"
    if counter.steps != 1:
        text = f"{text}, {_steps(counter.steps)}"
    return text


def _ratings(before: Counter | None, after: Counter) -> str:
    """The ratings that are new or changed: ``HE 6, range reduced 4``; of an eliminated counter
    none."""
    if before is not None and not after.steps:
        return ""
    old: Mapping[str, int | None] = {}
    if before is not None:
        old = before.ratings
    words = []
    for name, value in after.ratings.items():
        # A rating that is not printed is None. When that is typed in, it is news, too.
        if name in old and old[name] == value:
            continue
        # ``range_reduced``, the rating of the back, becomes "range reduced".
        words_of_name = name.split("_")
        if len(words_of_name[0]) < 3:
            words_of_name[0] = words_of_name[0].upper()  # HE, AP
        label = " ".join(words_of_name)
        if value is None:
            words.append(f"{label} –")
        else:
            words.append(f"{label} {value}")
    return ", ".join(words)
