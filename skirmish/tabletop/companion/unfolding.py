"""An order that takes several steps: its events, the state after each of them, and the questions
that they leave open."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from msgspec.structs import replace

from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import TableEnded, TableEvent, TableState, Task, TrackSet
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import nonsense

S = TypeVar("S", bound=TableState)
FEW_RESULTS, LARGEST = 3, 20
"""So many results stand in large letters together, and so many letters."""


def refuse(bad: object, code: str, text: str) -> None:
    """Raises Refused for what is ``bad``."""
    if bad:
        raise nonsense(code, text)


class Happened(TableEvent, frozen=True, kw_only=True, tag="happened"):
    """What an order did, as its sentence: counters, what lies on squares and the deck afterwards.
    ``result``: of a roll, in large letters."""

    text: str
    ground: Mapping[str, tuple[str, ...]] = {}
    counters: tuple[Counter, ...] = ()
    deck: Cup | None = None
    result: str = ""

    def apply(self, state: Any) -> Any:
        register = state.counters
        for one in self.counters:
            register = register.with_counter(one)
        cups = state.cups | ({self.deck.id: self.deck} if self.deck else {})
        ground = {**state.ground, **self.ground}
        return replace(state, ground=ground, counters=register, cups=cups)

    def narrate(self, state: Any) -> str:
        return self.text


def _sentence(event: object, after: TableState) -> str:
    if isinstance(event, TrackSet):
        track = after.tracks[event.track]
        return f"{track.name}: now {track.at(event.value).value}."
    return event.text if isinstance(event, Happened) else ""


def large_result(done: Iterable[object], after: TableState) -> Verdict | None:
    """The result of the game that these events end; or the results among them, with what they led
    to. Of many: how often each came, and how many counters are lost."""
    done = list(done)
    for one in done:
        if isinstance(one, TableEnded) and one.result:
            return Verdict(text=one.result, reason=one.text)
    happened = [one for one in done if isinstance(one, Happened) and one.text]
    found = [one.result for one in happened if one.result]
    if not found:
        return None
    if len(found) <= FEW_RESULTS:
        short = ", ".join(found)
        first = next(at for at, one in enumerate(done) if getattr(one, "result", ""))
        reason = " ".join(filter(None, (_sentence(one, after) for one in done[first:])))
        return Verdict(text=short if len(short) <= LARGEST else "event", reason=reason)
    lost = sum(not counter.steps for one in happened for counter in one.counters)
    counts = ", ".join(f"{result}: {count}" for result, count in Tally(found).most_common())
    effects: dict[str, list[str]] = {}
    for one in happened:
        subject, verb, effect = one.text.partition(" is ")
        if verb and not one.result:
            effects.setdefault(effect.partition(":")[0].removesuffix("."), []).append(subject)
    lines = [f"{capital(effect)}: {', '.join(names)}." for effect, names in effects.items()]
    text = f"{lost} lost" if lost else f"{len(found)} rolls"
    return Verdict(text=text, reason=" ".join((f"{capital(counts)}.", *lines)))


class Unfolding(Generic[S]):
    """``state`` is the one after all ``events``; ``tasks`` are its open questions, ``own`` the
    owner's rolls."""

    happened: ClassVar[type[Happened]] = Happened

    def __init__(self, state: S, own: Sequence[int] = ()) -> None:
        self.state, self.events = state, list[Any]()
        self.tasks, self._own = list(state.agenda), list(own)

    def do(self, *found: Any) -> None:
        for event in found:
            self.events.append(event)
            self.state = event.apply(self.state)

    def say(self, text: str, *counters: Counter, **more: Any) -> None:
        self.do(self.happened(text=text, counters=counters, **more))

    def take(self, fact: Any) -> None:
        """What the owner types in. Raises Refused."""
        refuse(fact.why_not(self.state), "unfit", fact.why_not(self.state))
        self.do(fact)

    def ask(self, *tasks: Task) -> None:
        """Before all other questions."""
        self.tasks[:0] = tasks

    def roll(self) -> int:
        numbers = Numbers(self.state, own=self._own)
        found, self._own = numbers.number(), self._own[1:]
        self.do(*numbers.events)
        return found

    def track(self, id: str, by: int, why: str) -> None:
        """Move a track; nothing happens at its end."""
        track = self.state.tracks[id]
        if track.moved(by) != track:
            self.do(TrackSet(track=id, value=track.value + by, why=why))

    def pay(self, id: str, why: str, count: int = 1) -> None:
        """Take so many off a track. Raises Refused if there are fewer."""
        left = self.state.tracks[id]
        refuse(left.value < count, "no_points", f"{left.name}: {left.value} left, {count} needed.")
        self.track(id, -count, why)

    def renew(self, id: str, rating: str, by: int, why: str) -> None:
        """Raise the rating of a track; the track goes back to it."""
        self.track(rating, by, why)
        self.track(id, self.state.tracks[rating].value - self.state.tracks[id].value, why)

    def advance(self, ended: TableEnded) -> None:
        """On to the next phase, or to the end of the game by that event."""
        skipped, position = self.state.sequence.after(self.state.position, self.state.why_skipped)
        if position is None:
            self.do(ended)
        else:
            self.do(events.PhaseBegun(position=position, skipped=skipped))

    def finished(self, steps: Mapping[str, Callable[[Any, Task], None]]) -> list[Any]:
        """All events. Tasks of ``steps`` go on by themselves as soon as no question stands before
        them."""
        while self.tasks and self.tasks[0].kind in steps:
            task = self.tasks.pop(0)
            steps[task.kind](self, task)
        if tuple(self.tasks) != self.state.agenda:
            self.do(events.TasksSet(tasks=tuple(self.tasks)))
        return self.events
