"""An order that takes several steps, each of which may depend on the state after the one before and
may leave questions open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.events import TableEnded, TrackSet
from skirmish.tabletop.companion.happened import Happened
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.table_state import TableState, Task
from skirmish.tabletop.refusal import nonsense

S = TypeVar("S", bound=TableState)


def refuse_if(is_wrong: object, code: str, text: str) -> None:
    """Raises Refused, with this ``text``, if something ``is_wrong``."""
    if is_wrong:
        raise nonsense(code, text)


# ------------------------------------------------------------------ in large letters


# ------------------------------------------------------------------ an order in several steps


class Unfolding(Generic[S]):
    """An order while it is carried out: ``state`` is the one after all ``events`` so far, ``tasks``
    are the open questions and the steps that wait for their answers, the next one first. ``own``:
    the rolls of an owner who rolls himself, each used once."""

    happened: ClassVar[type[Happened]] = Happened

    def __init__(self, state: S, own: Sequence[int] = ()) -> None:
        self.state = state
        self.events: list[Any] = []
        self.tasks = list(state.agenda)
        self._own_rolls = list(own)

    def do(self, *new_events: Any) -> None:
        """Apply events, in their order."""
        for event in new_events:
            self.events.append(event)
            self.state = event.apply(self.state)

    def say(
        self, text: str, *counters: Counter, effect: str = "", about: str = "", **more: Any
    ) -> None:
        """Record a sentence with what it changed, and what happened to whom."""
        self.do(self.happened(text=text, counters=counters, effect=effect, about=about, **more))

    def take(self, fact: Any) -> None:
        """Apply an event that the owner has typed in. Raises Refused if it does not fit."""
        why = fact.why_not(self.state)
        refuse_if(why, "unfit", why)
        self.do(fact)

    def ask(self, *tasks: Task) -> None:
        """Put tasks before all others."""
        self.tasks = [*tasks, *self.tasks]

    def roll(self) -> int:
        """The next number of the die or, if the owner rolls, of his."""
        numbers = Numbers(self.state, own=self._own_rolls)
        number = numbers.number()
        self._own_rolls = self._own_rolls[1:]
        self.do(*numbers.events)
        return number

    def move_track(self, id: str, by: int, why: str) -> None:
        """Move a track by so many; nothing happens if it is at that end already."""
        track = self.state.tracks[id]
        if track.moved(by) != track:  # at its end already: no line for the journal
            self.do(TrackSet(track=id, value=track.value + by, why=why))

    def pay(self, id: str, why: str, count: int = 1) -> None:
        """Take so many off a track. Raises Refused if there are fewer."""
        track = self.state.tracks[id]
        text = f"{track.name}: {track.value} left, {count} needed."
        refuse_if(track.value < count, "no_points", text)
        self.move_track(id, -count, why)

    def renew(self, id: str, rating: str, by: int, why: str) -> None:
        """Raise a rating and set a track back to it. ``id``: the track; ``rating``: the track that
        holds its full value, which is raised ``by`` so many first."""
        self.move_track(rating, by, why)
        self.move_track(id, self.state.tracks[rating].value - self.state.tracks[id].value, why)

    def advance(self, ended: TableEnded) -> None:
        """Go on to the next phase; after the last one ``ended`` is the end of the game."""
        skipped, position = self.state.sequence.after(self.state.position, self.state.why_skipped)
        if position is None:
            self.do(ended)
        else:
            self.do(events.PhaseBegun(position=position, skipped=skipped))

    def finished(self, steps: Mapping[str, Callable[[Any, Task], None]]) -> list[Any]:
        """All events of the order. Tasks of a kind in ``steps`` are no questions: they are carried
        out as soon as no question stands before them."""
        # A step may put questions before the rest, and the rest then waits for their answers.
        while self.tasks and self.tasks[0].kind in steps:
            task = self.tasks.pop(0)
            steps[task.kind](self, task)
        # The agenda of the state is written once, not after every step.
        if tuple(self.tasks) != self.state.agenda:
            self.do(events.TasksSet(tasks=tuple(self.tasks)))
        return self.events
