"""What happened in an order: the event with the sentence about it, and what the screen shows of it
in large letters."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from skirmish.tabletop.companion.counters import Counter
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.events import TableEnded, TrackSet
from skirmish.tabletop.companion.table_state import TableEvent, TableState
from skirmish.tabletop.game import Verdict
from skirmish.tabletop.page import capital

MOST_LARGE_RESULTS = 3
"""So many results fit beside one another in large letters; more are counted."""
MOST_LARGE_LETTERS = 20
"""Results with more letters are too long to be written large."""
LONG_RESULT = "event"
"""What stands in large letters in place of results that are too long; the text below has them."""


class Happened(TableEvent, frozen=True, kw_only=True, tag="happened"):
    """A step of an order: the sentence about it, and what it changed."""

    text: str
    """The sentence."""
    ground: Mapping[str, tuple[str, ...]] = {}
    """The ground of the squares in which it changed."""
    counters: tuple[Counter, ...] = ()
    """The counters that changed, as they are now."""
    deck: Cup | None = None
    """The deck, if it changed."""
    result: str = ""
    """The result of a roll, for large letters."""
    effect: str | None = None
    """What happened to a unit, such as ``disrupted``; empty if the sentence is about something
    else. None: an earlier version stored the event, and only its sentence has the effect."""
    about: str = ""
    """The name of the unit with the ``effect``."""

    # ``Any``, since a game may derive an event for its own kind of state.
    def apply(self, state: Any) -> Any:
        register = state.counters
        for counter in self.counters:
            register = register.with_counter(counter)
        cups = dict(state.cups)
        if self.deck is not None:
            cups[self.deck.id] = self.deck
        ground = {**state.ground, **self.ground}
        return replace(state, ground=ground, counters=register, cups=cups)

    def narrate(self, state: TableState) -> str:
        return self.text


def large_result(events_of_order: Iterable[object], after: TableState) -> Verdict | None:
    """What stands in large letters after an order: the result of the game if the order ended it,
    else the results of its rolls. None if it has neither. ``after``: the state behind the
    events."""
    order_events = list(events_of_order)
    for event in order_events:
        if isinstance(event, TableEnded) and event.result:
            return Verdict(text=event.result, reason=event.text)
    happened: list[Happened] = []
    for event in order_events:
        # An event without a sentence has nothing to show.
        if isinstance(event, Happened) and event.text:
            happened.append(event)
    results = [event.result for event in happened if event.result]
    if not results:
        return None
    if len(results) <= MOST_LARGE_RESULTS:
        return _few_results(results, order_events, after)
    return _many_results(results, happened)


def _few_results(
    results: Sequence[str], order_events: Sequence[object], after: TableState
) -> Verdict:
    """The results themselves, and below them what the order did from the first result on."""
    result_has_come = False
    sentences = []
    for event in order_events:
        if isinstance(event, Happened) and event.result:
            result_has_come = True
        sentence = _sentence(event, after)
        if result_has_come and sentence:
            sentences.append(sentence)
    text = ", ".join(results)
    if len(text) > MOST_LARGE_LETTERS:
        text = LONG_RESULT
    return Verdict(text=text, reason=" ".join(sentences))


def _sentence(event: object, after: TableState) -> str:
    """The sentence about an event below the large letters; empty if it needs none."""
    if isinstance(event, TrackSet):
        track = after.tracks.get(event.track)
        if track is None:  # the order that brought it into the game is void by now
            return ""
        # The event may name a value beyond an end of the track; the track stops there.
        value = track.set_to(event.value).value
        return f"{track.name}: now {value}."
    if isinstance(event, Happened):
        return event.text
    return ""


def _many_results(results: Sequence[str], happened: Sequence[Happened]) -> Verdict:
    """How many counters are lost, or else how many rolls there were; below, how often each result
    came, and who suffered each effect."""
    # They are counted by their ids, since several events may be about one counter.
    lost: set[str] = set()
    for event in happened:
        lost.update(counter.id for counter in event.counters if not counter.steps)
    text = f"{len(results)} rolls"
    if lost:
        text = f"{len(lost)} lost"
    counts = [f"{result}: {count}" for result, count in Tally(results).most_common()]
    sentences = [f"{capital(', '.join(counts))}."]
    for effect, names in _names_by_effect(happened).items():
        sentences.append(f"{capital(effect)}: {', '.join(names)}.")
    return Verdict(text=text, reason=" ".join(sentences))


def _names_by_effect(happened: Iterable[Happened]) -> dict[str, list[str]]:
    """Who suffered each effect. Events with a result are left out, since results are counted
    separately."""
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
    """An effect and the unit that suffered it; both are empty if there is none."""

    effect: str
    about: str


def _effect_in_sentence(text: str) -> _Effect:
    """The effect in an event of an earlier version, which has it only in its sentence: "1/1 is
    pinned: …"."""
    about, verb, effect = text.partition(" is ")
    if not verb:
        return _Effect("", "")
    return _Effect(effect.partition(":")[0].removesuffix("."), about)
