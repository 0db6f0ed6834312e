"""The sequence of play as data: the phases in order, their sides, and which are skipped and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from skirmish.tabletop.data_file import Problem, doubles
from skirmish.tabletop.page import Step, Steps


class SequencePhase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One phase of a turn."""

    id: str
    name: str
    side: str = ""
    """Its owner; empty: both."""
    does: tuple[str, ...] = ()
    """The ids of what may be done in it."""
    first_turn: int = 1
    """The first turn in which it is played."""
    last_turn: int = 0
    """The last turn in which it is played; 0: to the end."""
    text: str = ""
    """Its instruction."""


class Position(msgspec.Struct, frozen=True):
    """A turn, counted from 1, and the index of its phase, counted from 0."""

    turn: int = 1
    phase: int = 0


class SkippedPhase(NamedTuple):
    """A phase that is passed over, and why."""

    name: str
    reason: str


class Advance(NamedTuple):
    """A step in the sequence: the phases skipped on the way, and the ``position`` reached; None
    after the last phase of the game."""

    skipped: tuple[SkippedPhase, ...]
    position: Position | None


WhySkipped = Callable[[SequencePhase, int], str]
"""Why a phase is not played in a turn, for reasons that are not in the data; empty if it is.
It must not skip every phase of a turn unless it skips those of all later turns too."""


def nothing_else(phase: SequencePhase, turn: int) -> str:
    """A ``WhySkipped`` for games in which only the data decide."""
    return ""


class TurnSequence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phases of a turn in order, and the number of ``turns`` (0: no last one)."""

    phases: tuple[SequencePhase, ...]
    turns: int = 0

    def phase_at(self, position: Position) -> SequencePhase:
        """The phase of a position."""
        return self.phases[position.phase]

    def index_of(self, id: str) -> int:
        """The index of a phase; raises LookupError."""
        for index, phase in enumerate(self.phases):
            if phase.id == id:
                return index
        raise LookupError(f"there is no phase {id!r}")

    def allows(self, position: Position, activity: str) -> bool:
        """Whether an activity may be done in the phase of a position."""
        return activity in self.phase_at(position).does

    def advance_from(
        self, position: Position | None, why_skipped: WhySkipped = nothing_else
    ) -> Advance:
        """The next position at which a phase is played, and the phases skipped on the way, except
        those that are over for good. From None, the first position of the game. Raises ValueError
        if no phase would ever be played again."""
        next_position = Position()
        if position is not None:
            next_position = self._next(position)
        # After this turn no further phase joins the sequence.
        last_joining_turn = max(next_position.turn, *(phase.first_turn for phase in self.phases))
        skipped: list[SkippedPhase] = []
        while not self.turns or next_position.turn <= self.turns:
            phase, turn = self.phase_at(next_position), next_position.turn
            reason = self._out_of_time(phase, turn) or why_skipped(phase, turn)
            if not reason:
                return Advance(tuple(skipped), next_position)
            # A phase that is over for good would be named in every turn that follows.
            if not self._is_past(phase, turn):
                skipped.append(SkippedPhase(phase.name, reason))
            next_position = self._next(next_position)
            # If the whole turn after that one is skipped, so is every later turn (``WhySkipped``).
            if next_position.turn > last_joining_turn + 1:
                raise ValueError("every phase is skipped, turn after turn")
        return Advance(tuple(skipped), position=None)

    def _next(self, position: Position) -> Position:
        """The position behind another, whether its phase is played or not."""
        if position.phase + 1 < len(self.phases):
            return Position(position.turn, position.phase + 1)
        return Position(position.turn + 1, 0)

    @staticmethod
    def _is_past(phase: SequencePhase, turn: int) -> bool:
        """Whether the last turn of a phase is over, so that the phase is no longer shown."""
        return phase.last_turn != 0 and turn > phase.last_turn

    def _out_of_time(self, phase: SequencePhase, turn: int) -> str:
        """Why the data leave a phase out in a turn; empty if they do not."""
        if turn < phase.first_turn:
            return f"from turn {phase.first_turn} on"
        if self._is_past(phase, turn):
            return f"until turn {phase.last_turn}"
        return ""

    def steps(self, position: Position, why_skipped: WhySkipped = nothing_else) -> Steps:
        """The turn for a page: each phase as done, present, to come, or skipped with the reason."""
        return Steps(tuple(self._steps(position, why_skipped)))

    def _steps(self, position: Position, why_skipped: WhySkipped) -> Iterator[Step]:
        """The phases of the turn except those that are over for good."""
        for index, phase in enumerate(self.phases):
            if self._is_past(phase, position.turn):
                continue
            reason = self._out_of_time(phase, position.turn) or why_skipped(phase, position.turn)
            # The present phase is being played, even if there is a reason to skip it by now.
            if index == position.phase:
                yield Step(phase.name, "now", phase.text)
            elif reason:
                yield Step(phase.name, "skipped", reason)
            elif index < position.phase:
                yield Step(phase.name, "done")
            else:
                yield Step(phase.name, "next")

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the data: phases with the same id, phases that end before they begin,
        no phase at all."""
        yield from doubles("phases", [phase.id for phase in self.phases])
        for index, phase in enumerate(self.phases):
            if phase.last_turn and phase.last_turn < phase.first_turn:
                yield Problem(f"phases[{index}].last_turn", "is before the first turn.")
        if not self.phases:
            yield Problem("phases", "at least one is needed.")
