"""The events of counters: changed, moved, eliminated, their markers cleared or rolled for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from skirmish.tabletop.companion.counters import Counter, named, rating_label
from skirmish.tabletop.companion.table_state import T, TableEvent, TableState


class CounterSet(TableEvent, frozen=True, kw_only=True, tag="counter_set"):
    """A counter as it is from now on; its sentence says what changed. ``by_hand``: the players
    corrected it."""

    counter: Counter
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return replace(state, counters=state.counters.with_counter(self.counter))

    def narrate(self, state: TableState) -> str:
        before = state.counters.counters.get(self.counter.id)
        changes = _changes_in_words(before, self.counter)
        ratings = _changed_ratings_in_words(before, self.counter)
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
    """An event for each of these counters that differs from the one in the state, or is new."""
    # An event without a difference would only be an empty line of the journal.
    present = state.counters.counters
    return [CounterSet(counter=unit) for unit in units if unit != present.get(unit.id)]


class CounterRemoved(TableEvent, frozen=True, kw_only=True, tag="counter_removed"):
    """A counter is eliminated; ``by_hand``: the players removed it. It stays in the register,
    without steps, so that the letters of the others do not change."""

    id: str
    by_hand: bool = False

    def apply(self, state: T) -> T:
        if self.id not in state.counters.counters:  # its order was made void afterwards
            return state
        return self._eliminated(state).apply(state)

    def narrate(self, state: TableState) -> str:
        if self.id not in state.counters.counters:
            return ""
        return self._eliminated(state).narrate(state)

    def _eliminated(self, state: TableState) -> CounterSet:
        """The elimination as a change like any other: no steps, no place, no markers."""
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
            if counter is None:  # its order was made void afterwards
                continue
            moved = replace(counter.remarked(on=self.on, off=self.off), place=self.place)
            register = register.with_counter(moved)
        return replace(state, counters=register)

    def narrate(self, state: TableState) -> str:
        names = named(counter for counter in state.counters if counter.id in self.counters)
        place = self.place or "a hex of the map"  # if the players did not name the hex
        return f"{names}: {self.how} {place}."


class MarkersCleared(TableEvent, frozen=True, kw_only=True, tag="markers_cleared"):
    """The markers ``flags`` came off all counters of a ``side``, or of every side if that is empty.
    ``silent``: the journal does not say so, since the players have nothing to do."""

    side: str = ""
    flags: tuple[str, ...]
    silent: bool = False

    def apply(self, state: T) -> T:
        return replace(state, counters=state.counters.cleared(self.side, self.flags))

    def narrate(self, state: TableState) -> str:
        if self.silent:
            return ""
        changed: list[Counter] = []
        removed: set[str] = set()
        for counter in state.counters.where(side=self.side):
            lost_markers = set(self.flags).intersection(counter.flags)
            if lost_markers:
                changed.append(counter)
                removed |= lost_markers
        if not changed:
            return ""
        markers = [marker for marker in self.flags if marker in removed]
        return f"No longer {' or '.join(markers)}: {named(changed)}."


class MarkerRoll(NamedTuple):
    """A roll for the marker of a ``counter`` (by its id), and whether it removes the marker."""

    counter: str
    roll: int
    comes_off: bool


class MarkersRolled(TableEvent, frozen=True, kw_only=True, tag="markers_rolled"):
    """A roll for each counter with a marker. The journal says of a counter that loses it ``does``,
    of one that does not ``does_not``."""

    marker: str
    rolls: tuple[MarkerRoll, ...]
    does: str = "recovers"
    does_not: str = "does not"

    def apply(self, state: T) -> T:
        register = state.counters
        for id, _, comes_off in self.rolls:
            # The order that entered the counter may have been made void afterwards.
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


# ------------------------------------------------------------------ what changed, in words


def _steps_in_words(count: int) -> str:
    """``1 step``, ``2 steps``."""
    if count == 1:
        return "1 step"
    return f"{count} steps"


def _changes_in_words(before: Counter | None, after: Counter) -> str:
    """What changed except the ratings: ``1 step lost, 1 left, disrupted, to J7``; empty if nothing
    did. Of an eliminated counter only its loss is stated."""
    if before is None:
        return _as_new(after)
    words = _changed_steps(before, after)
    if not after.steps:  # its place and its markers are gone with it
        return ", ".join(words)
    words += [marker for marker in after.flags if marker not in before.flags]
    words += [f"no longer {marker}" for marker in before.flags if marker not in after.flags]
    if after.place != before.place and after.place:
        words.append(f"to {after.place}")
    elif after.place != before.place:
        words.append("off the map")
    if after.name != before.name:
        words.append(f"was {before.name}")
    return ", ".join(words)


def _changed_steps(before: Counter, after: Counter) -> list[str]:
    """``1 step lost`` and ``1 left``, or the steps that it has now if they are more; empty if
    nothing changed."""
    if after.steps > before.steps:
        return [_steps_in_words(after.steps)]
    if after.steps == before.steps:
        return []
    loss = f"{_steps_in_words(before.steps - after.steps)} lost"
    if not after.steps:
        return [loss, "eliminated"]
    return [loss, f"{after.steps} left"]


def _as_new(counter: Counter) -> str:
    """``new in J7, 2 steps``."""
    text = "new"
    if counter.place:
        text = f"{text} in {counter.place}"
    if counter.steps != 1:
        text = f"{text}, {_steps_in_words(counter.steps)}"
    return text


def _changed_ratings_in_words(before: Counter | None, after: Counter) -> str:
    """The ratings that are new or changed: ``HE 6, range reduced 4``; empty for an eliminated
    counter."""
    if before is not None and not after.steps:
        return ""
    old: Mapping[str, int | None] = {}
    if before is not None:
        old = before.ratings
    words = []
    for name, value in after.ratings.items():
        # ``old.get`` would not do: None is a value too, of a rating that the counter lacks.
        if name in old and old[name] == value:
            continue
        label = rating_label(name)
        if value is None:
            words.append(f"{label} –")
        else:
            words.append(f"{label} {value}")
    return ", ".join(words)
