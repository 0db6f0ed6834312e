"""The orders of every game at the table: they go to another phase, correct tracks and counters by
hand, write notes and follow flow charts. The orders of games derive from ``TableOrder``, too."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from skirmish.tabletop.companion.counter_events import CounterRemoved, CounterSet, counters_set
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import (
    AnyTableEvent,
    ChartOpened,
    ChitPutBack,
    ControlSet,
    FlowWalked,
    Noted,
    PhaseBegun,
    TasksSet,
    TrackSet,
    next_phase,
)
from skirmish.tabletop.companion.sequence import Position
from skirmish.tabletop.companion.table_state import TableState
from skirmish.tabletop.refusal import Refusal, Refused, nonsense

LAST_TURN = "The last turn is over."
"""Why no phase follows the last one of the game."""


class TableOrder(msgspec.Struct, frozen=True, kw_only=True, tag_field="order"):
    """What the players do; ``decide`` turns it into events. State and events are of the kinds that
    the game has, so their types are left open here."""

    @property
    def acting(self) -> tuple[str, ...]:
        """The ids of the counters that act by the order, not of those that it acts upon. The order
        belongs to their side; without any, to both sides."""
        return ()

    def decide(self, state: Any) -> list[Any]:
        """The events of the order in this state. Raises Refused."""
        raise NotImplementedError


class AgendaOrder(TableOrder, frozen=True, kw_only=True):
    """An order that is refused while a question is open, unless it answers that question."""

    answers: ClassVar[tuple[str, ...]] = ()
    """The kinds of question that it answers (``Task.kind``)."""
    insist: bool = False
    """Whether the players overrule the program's advice against the order."""

    def decide(self, state: Any) -> list[Any]:
        if state.ended:
            raise nonsense("over", "The game is over.")
        # Only the first task is asked; its answer may settle the ones behind it.
        if state.agenda and state.agenda[0].kind not in self.answers:
            raise nonsense("asked", "Answer the question first, or undo what led to it.")
        return self.carry_out(state)

    def carry_out(self, state: Any) -> list[Any]:
        """The events of the order, once nothing else is to be answered first. Raises Refused."""
        raise NotImplementedError

    def advise(self, why: str, key_note: str = "") -> None:
        """Raises Refused with the reason ``why`` unless that is empty or the players insist.
        ``key_note``: as of ``Refusal``."""
        if why and not self.insist:
            raise Refused(Refusal("advice", why, key_note=key_note))


class NextPhase(TableOrder, frozen=True, kw_only=True, tag="next_phase"):
    """Goes on to the next phase that is played."""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        begun = next_phase(state)
        if begun is None:
            raise nonsense("last_turn", LAST_TURN)
        return [begun]


class JumpTo(TableOrder, frozen=True, kw_only=True, tag="jump_to"):
    """Goes to another phase of this turn, since the players moved on, or back, without the
    program."""

    phase: int
    """Its index in the sequence, from 0."""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if not 0 <= self.phase < len(state.sequence.phases):
            raise nonsense("no_phase", f"There is no phase {self.phase}.")
        # The phases in between are not carried out: the players did that at the table.
        return [PhaseBegun(position=Position(state.position.turn, self.phase))]


class SetTrack(TableOrder, frozen=True, kw_only=True, tag="set_track"):
    """Sets a track to the value that it has on the table."""

    track: str
    value: int

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.track not in state.tracks:
            raise nonsense("no_track", f"There is no track {self.track!r}.")
        return [TrackSet(track=self.track, value=self.value)]


class SetControl(TableOrder, frozen=True, kw_only=True, tag="set_control"):
    """Says which side holds a place that counts."""

    place: str
    side: str
    """The id of the side; empty if nobody holds the place."""
    name: str
    """The name of the side for the journal, since the state has only its id; empty like that."""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.place not in state.control:
            raise nonsense("no_place", f"{self.place} does not count in this game.")
        return [ControlSet(place=self.place, side=self.side, name=self.name)]


class TakeCounters(TableOrder, frozen=True, kw_only=True, tag="take_counters"):
    """Puts counters on the table, entered by hand or read from a file."""

    counters: tuple[Counter, ...]

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        # A new list, since mypy takes no list[CounterSet] for a list[AnyTableEvent].
        return [*counters_set(state, self.counters)]


class PutBack(TableOrder, frozen=True, kw_only=True, tag="put_back"):
    """Puts a chit that was drawn back into its cup."""

    cup: str
    chit: str

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        cup = state.cups.get(self.cup)
        if cup is None:
            raise nonsense("no_cup", f"There is no cup {self.cup!r}.")
        if self.chit not in cup.drawn:
            raise nonsense("not_drawn", f"{self.chit} is not among those that were drawn.")
        return [ChitPutBack(cup=self.cup, chit=self.chit)]


class WriteNote(TableOrder, frozen=True, kw_only=True, tag="write_note"):
    """Writes down a text; the state stores it with the turn."""

    text: str

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        return [Noted(text=self.text)]


class CorrectCounter(TableOrder, frozen=True, kw_only=True, tag="correct"):
    """Corrects a counter to what it is on the table; what is None or empty stays as it is."""

    counter: str
    steps: int | None = None
    """The steps that are left; with 0 the counter is eliminated."""
    place: str | None = None
    marker: str = ""
    """A marker that the counter gets, or loses if it has it."""
    rating: str = ""
    """The name of a rating on the side that is up."""
    value: int | None = None
    """What the ``rating`` is; None: the counter has no such rating."""

    @property
    def acting(self) -> tuple[str, ...]:
        return (self.counter,)

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.counter not in state.counters.counters:
            raise nonsense("no_counter", f"There is no counter {self.counter!r}.")
        if self.steps == 0:
            gone = CounterRemoved(id=self.counter, by_hand=True)
            return [gone, *_questions_without(state, self.counter)]
        return [CounterSet(counter=self._corrected(state.counters[self.counter]), by_hand=True)]

    def _corrected(self, before: Counter) -> Counter:
        """The counter as it is on the table."""
        corrected = before
        if self.marker:
            corrected = corrected.marked(self.marker, on=not before.has(self.marker))
        if self.steps is not None:
            corrected = replace(corrected, steps=self.steps)
        if self.place is not None:
            corrected = replace(corrected, place=self.place)
        if self.rating:
            # The same order may set the steps, which can turn the counter over. The rating is on
            # the side that was up when the players gave the order.
            name = before.rating_key(self.rating)
            corrected = replace(corrected, ratings=before.ratings | {name: self.value})
        return corrected


def _questions_without(state: TableState, gone: str) -> list[AnyTableEvent]:
    """The event that takes a unit out of the open questions; questions about this unit alone are
    dropped. No event if no question is about it."""
    if not any(gone in task.units for task in state.agenda):
        return []
    remaining_tasks = []
    for task in state.agenda:
        others = tuple(id for id in task.units if id != gone)
        is_about_gone_alone = task.units and not others
        if not is_about_gone_alone:
            remaining_tasks.append(replace(task, units=others))
    return [TasksSet(tasks=tuple(remaining_tasks))]


class FollowChart(TableOrder, frozen=True, kw_only=True, tag="follow"):
    """Answers the present box of the open flow chart, or opens or closes a chart."""

    chart: str = ""
    """Without an ``answer``, the chart to open at its start; empty: the open one is closed."""
    answer: str = ""
    """An answer to the present box, or the id of any box to jump to."""

    def decide(self, state: TableState) -> list[AnyTableEvent]:
        if self.answer:
            return self._answered(state)
        if self.chart and self.chart not in state.charts:
            raise nonsense("no_chart", f"There is no chart {self.chart!r}.")
        return [ChartOpened(chart=self.chart)]

    def _answered(self, state: TableState) -> list[AnyTableEvent]:
        """The events of the step from the present box; a chart is closed at its end."""
        chart = state.open_chart
        if chart is None:
            raise nonsense("no_chart", "No chart is open.")
        flow, box_id = chart.flow, chart.box_id
        try:
            next_box = flow.nodes[flow.after(box_id, self.answer)]
        except LookupError as error:
            raise nonsense("no_answer", f"{error.args[0]}.") from None
        # The event ends the sentence itself.
        text = f"{box_id} {chart.box.text.removesuffix('.')}"
        walked = FlowWalked(flow=flow.id, node=box_id, answer=self.answer, text=text)
        if next_box.kind == "end":
            return [walked, ChartOpened(ended=next_box.text)]
        return [walked]


AnyTableOrder = (
    NextPhase
    | JumpTo
    | SetTrack
    | SetControl
    | TakeCounters
    | PutBack
    | WriteNote
    | CorrectCounter
    | FollowChart
)
"""The orders that all these games share; in a game, its own are beside them."""


def spending(state: TableState, track: str, count: int, why: str = "") -> list[TrackSet]:
    """The event by which ``count`` is taken off a track, for the reason ``why``; none for a count
    of 0. Raises Refused if that is more than is left."""
    points = state.tracks.get(track)
    if points is None:
        raise nonsense("no_track", f"There is no track {track!r} yet.")
    if not points.has(count):
        raise nonsense("no_points", f"{points.name}: {points.value} left; it takes {count}.")
    if not count:
        return []  # a track that does not move needs no line in the journal
    return [TrackSet(track=track, value=points.value - count, why=why)]
