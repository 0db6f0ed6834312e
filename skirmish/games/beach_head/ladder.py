"""The turn as a ladder of eighteen rungs: what was done on each, what was skipped and why, what is
still to come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head.events import AnyEvent
from skirmish.games.beach_head.evolve import evolve
from skirmish.games.beach_head.manual import Phase, PhaseId
from skirmish.games.beach_head.record import BeachPlay
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import why_skipped

Standing = Literal["done", "now", "skipped", "ahead"]


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One phase of the present turn. ``words``: what came of it so far, or why it is skipped; for
    a phase played ``again`` (an Admiral) what came of both. ``short``: the same in fewer words."""

    number: int
    phase: Phase
    standing: Standing
    words: str = ""
    short: str = ""
    again: bool = False


class _Turn(msgspec.Struct):
    """What is known of the phases of a turn, by their ids."""

    told: dict[PhaseId, list[_Said]] = {}
    skipped: dict[PhaseId, tuple[str, str]] = {}
    again: set[PhaseId] = set()


def ladder(play: BeachPlay) -> tuple[Rung, ...]:
    """The eighteen rungs of the turn that is played."""
    state = play.state
    turn = _Turn()
    phase: PhaseId | None = None
    for before, event in this_turn(play):
        if isinstance(event, happened.Begun):
            phase = event.phase
            turn.told.setdefault(phase, [])
            turn.again |= {phase} if event.again else set()
        elif isinstance(event, happened.Skipped):
            phase = event.phase
            one = state.setup.manual.phase[state.setup.manual.place(phase)]
            why = why_skipped(before, one, event.why)
            turn.skipped[phase] = why, _short_reason(one, event.why, why)
        elif phase is not None and (said := _said(state.setup, event)):
            turn.told.setdefault(phase, []).append(said)
    phases = state.setup.manual.phase
    return tuple(_rung(state, number, one, turn) for number, one in enumerate(phases, 1))


def _short_reason(phase: Phase, code: happened.SkipCode, why: str) -> str:
    match code:
        case "nothing_left":
            return "barred" if " bar " in why else "cleared"
        case "too_early":
            return f"turn {phase.from_turn}"
        case "nobody":
            return "nobody"
    return why


def _rung(state: State, number: int, phase: Phase, turn: _Turn) -> Rung:
    standing: Standing
    words = short = ""
    if phase.id in turn.told:  # perhaps skipped when it was to be played again
        now = phase.id == state.phase and not state.over
        said = turn.told[phase.id]
        words = ", ".join(_summed(said)) or ("" if now else "nothing")
        short = " ".join(_summed(said, short=True))
        standing = "now" if now else "done"
    elif phase.id in turn.skipped:
        (words, short), standing = turn.skipped[phase.id], "skipped"
    else:
        standing = "ahead"
    return Rung(
        number=number,
        phase=phase,
        standing=standing,
        words=words,
        short=short,
        again=phase.id in turn.again,
    )


def this_turn(play: BeachPlay) -> list[tuple[State, AnyEvent]]:
    """What has happened in the present turn, from the phase that opened it on, each event with the
    state before it."""
    turn = play.state.turn
    found: list[tuple[State, AnyEvent]] = []
    for entry, before in reversed([*zip(play.live[1:], play.states, strict=False)]):
        folded, state = [], before
        for event in entry.events:
            folded.append((state, event))
            state = evolve(state, event)
        starts = next((at for at, (_, one) in enumerate(folded) if _opens(one, turn)), None)
        found = [*folded[starts:], *found]
        if starts is not None:
            break
    return found


def _opens(event: AnyEvent, turn: int) -> bool:
    """Whether that is the first phase of the turn; it is never played twice."""
    return (
        isinstance(event, happened.Begun | happened.Skipped)
        and event.turn == turn
        and event.phase == "tactical"
    )


class _Said(NamedTuple):
    """What an event did: so many more or fewer (0: not counted) of what; ``short`` where there is
    little room, empty: the number alone."""

    amount: int
    what: str
    short: str | None = None
    sign: str = "+"

    def words(self, *, short: bool) -> str:
        """``-4 bunkers``, ``2 crabs``, ``landing craft hit``."""
        named = self.what if not short or self.short is None else self.short
        if not self.amount:
            return named
        if not named:
            return f"{self.sign}{self.amount}"
        plain = self.amount == 1 or named.endswith(("s", "wire"))
        return f"{self.sign}{self.amount} {named if plain else f'{named}s'}"


def _said(setup: Setup, event: AnyEvent) -> _Said | None:
    match event:
        case happened.Removed(points=0) | happened.Dug(points=0) | happened.Killed(squads=0):
            return None
        case happened.Removed():
            return _Said(event.points, event.target, "", "-")
        case happened.Dug():
            return _Said(event.points, event.target, "")
        case happened.SquadsLanded():
            return _Said(event.squads, "squad", "")
        case happened.Killed():
            return _Said(event.squads, "squad", "", "-")
        case happened.TankLanded(kind=None):
            return _Said(0, "none lands")
        case happened.TankLanded():
            return _Said(1, setup.manual.tank_of(str(event.kind)).noun, "tank")
        case happened.TankLost():
            return _Said(1, setup.manual.tank_of(event.kind).noun, "tank", "-")
        case happened.CraftHit():
            return _Said(0, "landing craft hit", "craft hit")
        case happened.Drew():
            return _Said(1, "card", sign="")
        case happened.Passed(why="no_tank"):
            return _Said(0, "no tank to hit", "no tank")
    return None


def _summed(said: Sequence[_Said], *, short: bool = False) -> list[str]:
    """What is counted is added up, in the order in which it first came."""
    sums: dict[tuple[str, str], _Said] = {}
    for one in said:
        what = one.what if not short or one.short is None else one.short
        key = what, one.sign
        before = sums[key].amount if key in sums else 0
        sums[key] = one._replace(amount=before + one.amount)
    return [one.words(short=short) for one in sums.values()]
