"""The turn as a ladder of eighteen rungs: what was done on each, what was skipped and why, what is
still to come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

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

    told: dict[PhaseId, list[str]] = {}
    skipped: dict[PhaseId, str] = {}
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
            turn.skipped[phase] = why_skipped(before, one, event.why)
        elif phase is not None and (said := _short(state.setup, event)):
            turn.told.setdefault(phase, []).append(said)
    phases = state.setup.manual.phase
    return tuple(_rung(state, number, one, turn) for number, one in enumerate(phases, 1))


def _rung(state: State, number: int, phase: Phase, turn: _Turn) -> Rung:
    standing: Standing
    if phase.id in turn.skipped:
        words, standing, short = turn.skipped[phase.id], "skipped", "skipped"
    elif phase.id not in turn.told:
        words, standing, short = "", "ahead", ""
    else:
        now = phase.id == state.phase and not state.over
        said = list(_summed(turn.told[phase.id]))
        words = ", ".join(said) or ("" if now else "nothing")
        short = " ".join(one.split(" ")[0] for one in said)
        standing = "now" if now else "done"
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


def _short(setup: Setup, event: AnyEvent) -> str:
    """An event in a word or two."""
    match event:
        case happened.Removed(points=0) | happened.Dug(points=0) | happened.Killed(squads=0):
            return ""
        case happened.Removed():
            return f"-{event.points} {event.target}"
        case happened.Dug():
            return f"+{event.points} {event.target}"
        case happened.SquadsLanded():
            return f"+{event.squads} squads"
        case happened.TankLanded(kind=None):
            return "none lands"
        case happened.TankLanded():
            return f"+1 {setup.manual.tank_of(str(event.kind)).noun}"
        case happened.Killed():
            return f"-{event.squads} squads"
        case happened.TankLost():
            return f"-1 {setup.manual.tank_of(event.kind).noun}"
        case happened.CraftHit():
            return "landing craft hit"
        case happened.Drew():
            return "card"
        case happened.Passed(why="no_tank"):
            return "no tank to hit"
    return ""


def _summed(said: Sequence[str]) -> Iterator[str]:
    """Cards and tanks of a kind are counted; everything else stands as it came."""
    for one in dict.fromkeys(said):
        count = said.count(one)
        if one == "card":
            yield "1 card" if count == 1 else f"{count} cards"
        elif one.startswith("+1 ") and count > 1:
            yield f"+{count} {one[3:]}s"
        else:
            yield from [one] * count
