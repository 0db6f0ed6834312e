"""An order that takes several steps, each of which may depend on the state after the one before and
may leave questions open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import TableEnded, TasksSet, TrackSet, next_phase
from skirmish.tabletop.companion.happened import Happened
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.table_state import TableEvent, TableState, Task
from skirmish.tabletop.companion.typed_facts import OwnersFact
from skirmish.tabletop.refusal import nonsense

S = TypeVar("S", bound=TableState)


def refuse_if(is_wrong: object, code: str, text: str) -> None:
    """Raises Refused with this ``code`` and ``text`` if something ``is_wrong``. That may also be
    whatever proves it wrong, such as a reason: nothing is wrong if it is empty."""
    if is_wrong:
        raise nonsense(code, text)


class Unfolding(Generic[S]):
    """An order while it is carried out: ``state`` is the one after all ``events`` so far, ``tasks``
    are the open questions and the steps that wait for their answers, the next one first."""

    happened: ClassVar[type[Happened]] = Happened
    """The event of ``say``; a game may have its own."""

    def __init__(self, state: S, own: Sequence[int] = ()) -> None:
        """``own``: the numbers of an owner who rolls himself, each of which is used once."""
        self.state = state
        self.events: list[TableEvent] = []
        self.tasks = list(state.agenda)
        self._own_rolls = list(own)

    def do(self, *new_events: TableEvent) -> None:
        """Apply events, one after the other."""
        for event in new_events:
            self.events.append(event)
            self.state = event.apply(self.state)

    def say(
        self, text: str, *counters: Counter, effect: str = "", about: str = "", **more: Any
    ) -> None:
        """Apply the event with a sentence and what it changed; all parameters are fields of
        ``Happened``."""
        self.do(self.happened(text=text, counters=counters, effect=effect, about=about, **more))

    def take(self, fact: OwnersFact) -> None:
        """Apply an event that the owner has typed in. Raises Refused if it does not fit."""
        why = fact.why_not(self.state)
        refuse_if(why, "unfit", why)
        self.do(fact)

    def ask(self, *tasks: Task) -> None:
        """Put tasks before all others."""
        self.tasks = [*tasks, *self.tasks]

    def roll(self) -> int:
        """The next number: of the die, or as the owner rolled it."""
        numbers = Numbers(self.state, own=self._own_rolls)
        number = numbers.number()
        # If the owner typed in any numbers, the first of them was used.
        self._own_rolls = self._own_rolls[1:]
        self.do(*numbers.events)
        return number

    def move_track(self, id: str, by: int, why: str) -> None:
        """Move a track, for the reason ``why``."""
        track = self.state.tracks[id]
        # A track that is at its end already needs no line in the journal. Any other stops there,
        # even if the event names a value beyond it.
        if track.moved(by) != track:
            self.do(TrackSet(track=id, value=track.value + by, why=why))

    def pay(self, id: str, why: str, count: int = 1) -> None:
        """Take ``count`` off a track. Raises Refused if that is more than is left."""
        track = self.state.tracks[id]
        text = f"{track.name}: {track.value} left, {count} needed."
        refuse_if(not track.has(count), "no_points", text)
        self.move_track(id, -count, why)

    def renew(self, id: str, rating_id: str, by: int, why: str) -> None:
        """Raise the track of a rating, and set the track ``id`` to the rating."""
        self.move_track(rating_id, by, why)
        rating, track = self.state.tracks[rating_id], self.state.tracks[id]
        self.move_track(id, rating.value - track.value, why)

    def advance(self, ended: TableEnded) -> None:
        """Go on to the next phase; after the last one, end the game with the event ``ended``."""
        begun = next_phase(self.state)
        if begun is None:
            self.do(ended)
        else:
            self.do(begun)

    def finished(self, steps: Mapping[str, Callable[[Self, Task], None]]) -> list[TableEvent]:
        """All events of the order. Tasks of a kind in ``steps`` are no questions: they are carried
        out as soon as no question stands before them."""
        # A step may put questions before the remaining tasks, which then wait for the answers.
        while self.tasks and self.tasks[0].kind in steps:
            task = self.tasks.pop(0)
            steps[task.kind](self, task)
        # The journal gets the agenda once, not after every step.
        if tuple(self.tasks) != self.state.agenda:
            self.do(TasksSet(tasks=tuple(self.tasks)))
        return self.events
