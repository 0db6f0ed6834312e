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
    """A turn from 1, and the index of its phase."""

    turn: int = 1
    phase: int = 0


class SkippedPhase(NamedTuple):
    """A phase that is passed over, and why."""

    name: str
    reason: str


class Advance(NamedTuple):
    """Going on: the phases skipped on the way, and the position reached; None after the end."""

    skipped: tuple[SkippedPhase, ...]
    position: Position | None


WhySkipped = Callable[[SequencePhase, int], str]
"""Why a phase is not played in a turn, or an empty text: what the game knows beyond the data."""


def nothing_else(phase: SequencePhase, turn: int) -> str:
    """No reason beyond the data."""
    return ""


class TurnSequence(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The phases of a turn in order, and the number of ``turns`` (0: no last one)."""

    phases: tuple[SequencePhase, ...]
    turns: int = 0

    def at(self, position: Position) -> SequencePhase:
        """The phase of a position."""
        return self.phases[position.phase]

    def find(self, id: str) -> int:
        """The index of a phase; raises LookupError."""
        for index, phase in enumerate(self.phases):
            if phase.id == id:
                return index
        raise LookupError(f"there is no phase {id!r}")

    def allows(self, position: Position, activity: str) -> bool:
        """Whether the phase names this among what may be done in it."""
        return activity in self.at(position).does

    def after(self, position: Position | None, why: WhySkipped = nothing_else) -> Advance:
        """The next position at which a phase is played (from the beginning, if there was none
        before), and the phases skipped on the way, except those that are over for good. Raises
        ValueError if no phase would ever be played again."""
        next_position = Position()
        if position is not None:
            next_position = self._next(position)
        # The turn by which the first turn of every phase has come.
        latest = max(next_position.turn, *(phase.first_turn for phase in self.phases))
        skipped: list[SkippedPhase] = []
        while not self.turns or next_position.turn <= self.turns:
            phase, turn = self.at(next_position), next_position.turn
            reason = self._out_of_time(phase, turn) or why(phase, turn)
            if not reason:
                return Advance(tuple(skipped), next_position)
            # A phase that is over for good would be named in every turn that follows.
            if not self._is_past(phase, turn):
                skipped.append(SkippedPhase(phase.name, reason))
            next_position = self._next(next_position)
            # From there on no further phase joins: if a whole turn is skipped, all turns are.
            if next_position.turn > latest + 1:
                raise ValueError("every phase is skipped, turn after turn")
        return Advance(tuple(skipped), position=None)

    def _next(self, position: Position) -> Position:
        """The phase after another, whether it is played or not."""
        if position.phase + 1 < len(self.phases):
            return Position(position.turn, position.phase + 1)
        return Position(position.turn + 1, 0)

    @staticmethod
    def _is_past(phase: SequencePhase, turn: int) -> bool:
        """Whether it is over for good and no longer shown."""
        return bool(phase.last_turn) and turn > phase.last_turn

    @staticmethod
    def _out_of_time(phase: SequencePhase, turn: int) -> str:
        """Why the data leave a phase out in a turn; empty if they do not."""
        if turn < phase.first_turn:
            return f"from turn {phase.first_turn} on"
        if phase.last_turn and turn > phase.last_turn:
            return f"until turn {phase.last_turn}"
        return ""

    def steps(self, position: Position, why: WhySkipped = nothing_else) -> Steps:
        """The turn for a page: phases done, current, to come, and skipped with the reason."""
        return Steps(tuple(self._steps(position, why)))

    def _steps(self, position: Position, why: WhySkipped) -> Iterator[Step]:
        """The phases of the turn but those that are over for good, each with its state."""
        for index, phase in enumerate(self.phases):
            if self._is_past(phase, position.turn):
                continue
            reason = self._out_of_time(phase, position.turn) or why(phase, position.turn)
            # The present phase is played, even if by now something would speak against it.
            if index == position.phase:
                yield Step(phase.name, "now", phase.text)
            elif reason:
                yield Step(phase.name, "skipped", reason)
            elif index < position.phase:
                yield Step(phase.name, "done")
            else:
                yield Step(phase.name, "next")

    def problems(self) -> Iterator[Problem]:
        """Phases of the same id, phases that end before they begin, no phase at all."""
        yield from doubles("phases", [phase.id for phase in self.phases])
        for index, phase in enumerate(self.phases):
            if phase.last_turn and phase.last_turn < phase.first_turn:
                yield Problem(f"phases[{index}].last_turn", "is before the first turn.")
        if not self.phases:
            yield Problem("phases", "at least one is needed.")
