"""The state that companions of board games share, and the events that change it.

A game adds its own fields to ``TableState`` and its own events beside these. An event applies and
narrates itself; it never fails on a journal that was decided, and it never draws.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, TypeVar

import msgspec

from skirmish.tabletop.chance import Source
from skirmish.tabletop.companion.counters import Counter, Register
from skirmish.tabletop.companion.cup import Cup
from skirmish.tabletop.companion.flow import Walked
from skirmish.tabletop.companion.sequence import Position, SequencePhase, TurnSequence
from skirmish.tabletop.companion.track import Track

STEPS = "step", "steps"


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    """The table as it stands: where the turn is, counters, tracks, cups, the dice. ``paths`` are
    the flow charts that are being walked; ``notes`` what the players wrote, with the turn."""

    sequence: TurnSequence
    position: Position = Position()
    counters: Register = Register()
    tracks: dict[str, Track] = {}
    cups: dict[str, Cup] = {}
    paths: dict[str, tuple[Walked, ...]] = {}
    dice: Source = Source("die")
    notes: tuple[tuple[int, str], ...] = ()

    def why_skipped(self, phase: SequencePhase, turn: int) -> str:
        """Why a phase is not played, beyond what its data say; empty where it is."""
        return ""


T = TypeVar("T", bound=TableState)


def changed(state: T, **changes: Any) -> T:
    return msgspec.structs.replace(state, **changes)


class TableEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    @abstractmethod
    def apply(self, state: Any) -> Any:
        """The state after it."""

    @abstractmethod
    def narrate(self, state: Any) -> str:
        """A sentence for the journal; ``state`` is that before it."""


class Drawn(TableEvent, frozen=True, kw_only=True, tag="drawn"):
    """A chit or a card came out of a cup into the open. ``own``: the player drew it himself."""

    cup: str
    chit: str
    own: bool = False

    def apply(self, state: T) -> T:
        return _cup(state, state.cups[self.cup].draw(self.chit))

    def narrate(self, state: TableState) -> str:
        return f"Drawn: {self.chit}."


class LaidDown(TableEvent, frozen=True, kw_only=True, tag="laid_down"):
    cup: str
    count: int = 1

    def apply(self, state: T) -> T:
        return _cup(state, state.cups[self.cup].draw_unseen(self.count))

    def narrate(self, state: TableState) -> str:
        return "One is laid face down." if self.count == 1 else f"{self.count} are laid face down."


class TurnedOver(TableEvent, frozen=True, kw_only=True, tag="turned_over"):
    cup: str
    chit: str
    own: bool = False

    def apply(self, state: T) -> T:
        return _cup(state, state.cups[self.cup].reveal(self.chit))

    def narrate(self, state: TableState) -> str:
        return f"Turned over: {self.chit}."


class CupRefilled(TableEvent, frozen=True, kw_only=True, tag="cup_refilled"):
    cup: str

    def apply(self, state: T) -> T:
        return _cup(state, state.cups[self.cup].refill())

    def narrate(self, state: TableState) -> str:
        return f"{len(state.cups[self.cup].refill().unseen)} are in the cup again."


class Rolled(TableEvent, frozen=True, kw_only=True, tag="rolled"):
    """Dice were thrown for ``purpose``. ``own``: the player's."""

    purpose: str
    faces: tuple[int, ...]
    own: bool = False

    def apply(self, state: T) -> T:
        if self.own:
            return state
        rolls = state.dice.rolls + len(self.faces)
        return changed(state, dice=msgspec.structs.replace(state.dice, rolls=rolls))

    def narrate(self, state: TableState) -> str:
        return f"{self.purpose}: {' '.join(map(str, self.faces))}."


class CounterSet(TableEvent, frozen=True, kw_only=True, tag="counter_set"):
    counter: Counter
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return changed(state, counters=state.counters.with_counter(self.counter))

    def narrate(self, state: TableState) -> str:
        before = state.counters.counters.get(self.counter.id)
        words = _difference(before, self.counter)
        hand = " (by hand)" if self.by_hand and words else ""
        return f"{self.counter.name}: {words}{hand}." if words else ""


class CounterRemoved(TableEvent, frozen=True, kw_only=True, tag="counter_removed"):
    id: str
    by_hand: bool = False

    def apply(self, state: T) -> T:
        return changed(state, counters=state.counters.without(self.id))

    def narrate(self, state: TableState) -> str:
        return f"{state.counters[self.id].name} is removed{' by hand' if self.by_hand else ''}."


class TrackSet(TableEvent, frozen=True, kw_only=True, tag="track_set"):
    track: str
    value: int
    why: str = ""

    def apply(self, state: T) -> T:
        return changed(
            state, tracks=state.tracks | {self.track: state.tracks[self.track].at(self.value)}
        )

    def narrate(self, state: TableState) -> str:
        track = state.tracks[self.track]
        why = f" ({self.why})" if self.why else ""
        return f"{track.name}: {track.value} to {track.at(self.value).value}{why}."


class PhaseBegun(TableEvent, frozen=True, kw_only=True, tag="phase_begun"):
    """The turn has come to a phase; ``skipped`` are those before it with their reasons."""

    position: Position
    skipped: tuple[tuple[str, str], ...] = ()

    def apply(self, state: T) -> T:
        return changed(state, position=self.position)

    def narrate(self, state: TableState) -> str:
        turn = f"Turn {self.position.turn}. " if self.position.turn != state.position.turn else ""
        skipped = "".join(f"{name} is skipped: {why}. " for name, why in self.skipped)
        return f"{turn}{skipped}{state.sequence.at(self.position).name}."


class FlowWalked(TableEvent, frozen=True, kw_only=True, tag="flow_walked"):
    """A node of a flow chart was left with an answer; an empty ``node`` begins the chart anew."""

    flow: str
    node: str = ""
    answer: str = ""
    text: str = ""

    def apply(self, state: T) -> T:
        path = state.paths.get(self.flow, ()) if self.node else ()
        step = (Walked(self.node, self.answer),) if self.node else ()
        return changed(state, paths=state.paths | {self.flow: (*path, *step)})

    def narrate(self, state: TableState) -> str:
        answer = "" if self.answer in ("", "then") else f" {self.answer}"
        return f"{self.text}{answer}." if self.text else ""


class Noted(TableEvent, frozen=True, kw_only=True, tag="noted"):
    text: str

    def apply(self, state: T) -> T:
        return changed(state, notes=(*state.notes, (state.position.turn, self.text)))

    def narrate(self, state: TableState) -> str:
        return f"Note: {self.text}"


AnyTableEvent = (
    Drawn | LaidDown | TurnedOver | CupRefilled | Rolled | CounterSet | CounterRemoved | TrackSet
    | PhaseBegun | FlowWalked | Noted
)  # fmt: skip


def _cup(state: T, cup: Cup) -> T:
    return changed(state, cups=state.cups | {cup.id: cup})


def _difference(before: Counter | None, after: Counter) -> str:
    if before is None:
        steps = f", {after.steps} {STEPS[after.steps != 1]}" if after.steps != 1 else ""
        return f"new{steps}{_ratings({}, after.ratings)}"
    words: list[str] = []
    if after.steps < before.steps:
        lost = before.steps - after.steps
        left = f", {after.steps} left" if after.steps else ", eliminated"
        words.append(f"{lost} {STEPS[lost != 1]} lost{left}")
    elif after.steps > before.steps:
        words.append(f"{after.steps} {STEPS[after.steps != 1]}")
    words += [flag for flag in after.flags if flag not in before.flags]
    words += [f"no longer {flag}" for flag in before.flags if flag not in after.flags]
    if after.place != before.place:
        words.append(f"to {after.place}" if after.place else "off the map")
    if after.name != before.name:
        words.append(f"was {before.name}")
    return ", ".join(words) + _ratings(before.ratings, after.ratings)


def _ratings(before: dict[str, int | None], after: dict[str, int | None]) -> str:
    new = {name: value for name, value in after.items() if before.get(name, "") != value}
    words = ", ".join(f"{name} {'–' if value is None else value}" for name, value in new.items())
    return f" ({words})" if words else ""
