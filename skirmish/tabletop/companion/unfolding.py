"""An order that takes several steps: its events, the state after each of them, and the questions
that they leave open."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from skirmish.tabletop.companion import events
from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import TableEnded, TrackSet
from skirmish.tabletop.companion.numbers import Numbers
from skirmish.tabletop.companion.table_state import TableEvent, TableState, Task
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import capital
from skirmish.tabletop.refusal import nonsense

S = TypeVar("S", bound=TableState)
MOST_LARGE_RESULTS = 3
"""At most so many results stand in large letters beside one another; of more it is told how often
each came."""
MOST_LARGE_LETTERS = 20
"""Results of more letters are too long to be written large: "event" stands there, and they are read
below."""


def refuse_if(is_wrong: object, code: str, text: str) -> None:
    """Raises Refused, with this ``text``, if something ``is_wrong``."""
    if is_wrong:
        raise nonsense(code, text)


class Happened(TableEvent, frozen=True, kw_only=True, tag="happened"):
    """What an order did: its sentence (``text``), and what is otherwise afterwards: ``counters``,
    the ``ground`` of squares, the ``deck``. ``result``: the result of a roll, for large letters.
    ``effect`` and ``about``: what happened to whom, as ``disrupted`` to ``Able``; both empty for
    any other sentence. An effect of None: an earlier version stored the entry, which has it in its
    sentence only."""

    text: str
    ground: Mapping[str, tuple[str, ...]] = {}
    counters: tuple[Counter, ...] = ()
    deck: Cup | None = None
    result: str = ""
    effect: str | None = None
    about: str = ""

    def apply(self, state: Any) -> Any:
        register = state.counters
        for counter in self.counters:
            register = register.with_counter(counter)
        cups = dict(state.cups)
        if self.deck is not None:
            cups[self.deck.id] = self.deck
        ground = {**state.ground, **self.ground}
        return replace(state, ground=ground, counters=register, cups=cups)

    def narrate(self, state: Any) -> str:
        return self.text


# ------------------------------------------------------------------ in large letters


def large_result(done: Iterable[object], after: TableState) -> Verdict | None:
    """What stands in large letters after an order with these events; ``after`` is the state then.
    The result of the game, if they end it; else the results of rolls among them, with what they led
    to; of many results how often each came, and how many counters are lost. None without any."""
    events_done = list(done)
    for event in events_done:
        if isinstance(event, TableEnded) and event.result:
            return Verdict(text=event.result, reason=event.text)
    happened = [event for event in events_done if isinstance(event, Happened) and event.text]
    results = [event.result for event in happened if event.result]
    if not results:
        return None
    if len(results) <= MOST_LARGE_RESULTS:
        return _few_results(results, events_done, after)
    return _many_results(results, happened)


def _few_results(results: Sequence[str], done: Sequence[object], after: TableState) -> Verdict:
    """The results themselves, and every sentence from the first of them on."""
    has_result = False
    sentences = []
    for event in done:
        if isinstance(event, Happened) and event.result:
            has_result = True
        if has_result:
            sentences.append(_sentence(event, after))
    text = ", ".join(results)
    if len(text) > MOST_LARGE_LETTERS:
        text = "event"
    return Verdict(text=text, reason=" ".join(filter(None, sentences)))


def _sentence(event: object, after: TableState) -> str:
    """What stands below the large letters about an event; empty if nothing does."""
    if isinstance(event, TrackSet):
        track = after.tracks[event.track]
        return f"{track.name}: now {track.set_to(event.value).value}."
    if isinstance(event, Happened):
        return event.text
    return ""


def _many_results(results: Sequence[str], happened: Sequence[Happened]) -> Verdict:
    """How often each result came, and whom each effect hit."""
    lost = 0
    for event in happened:
        # A counter without a step left is lost.
        lost += sum(1 for counter in event.counters if not counter.steps)
    text = f"{len(results)} rolls"
    if lost:
        text = f"{lost} lost"
    counts = [f"{result}: {count}" for result, count in Tally(results).most_common()]
    sentences = [f"{capital(', '.join(counts))}."]
    for effect, names in _names_by_effect(happened).items():
        sentences.append(f"{capital(effect)}: {', '.join(names)}.")
    return Verdict(text=text, reason=" ".join(sentences))


def _names_by_effect(happened: Iterable[Happened]) -> dict[str, list[str]]:
    """By each effect, who had it. Sentences with a result are left out: results are counted by
    themselves."""
    names: dict[str, list[str]] = {}
    for event in happened:
        if event.result:
            continue
        effect, about = event.effect, event.about
        if effect is None:
            effect, about = _effect_in_sentence(event.text)
        if effect:
            names.setdefault(effect, []).append(about)
    return names


class _Effect(NamedTuple):
    """What happened to whom; both empty for nothing."""

    effect: str
    about: str


def _effect_in_sentence(text: str) -> _Effect:
    """The effect in an entry of an earlier version, which has it only in its sentence, such as "1/1
    is pinned: …"."""
    about, verb, effect = text.partition(" is ")
    if not verb:
        return _Effect("", "")
    return _Effect(effect.partition(":")[0].removesuffix("."), about)


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
