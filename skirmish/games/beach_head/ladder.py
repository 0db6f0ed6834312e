"""The turn as a ladder of eighteen rungs: what was done on each, what was skipped and why, what is
still to come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from skirmish.games.beach_head import events as happened
from skirmish.games.beach_head.events import AnyEvent
from skirmish.games.beach_head.manual import Phase, PhaseId
from skirmish.games.beach_head.record import BeachPlay
from skirmish.games.beach_head.setup import Setup
from skirmish.games.beach_head.state import State
from skirmish.games.beach_head.telling import why_skipped

Standing = Literal["done", "now", "skipped", "ahead"]


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One phase of the present turn. ``says`` what came of it so far, or why it is skipped; a phase
    played ``again`` (an Admiral) says what came of both."""

    number: int
    phase: Phase
    standing: Standing
    says: str = ""
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
    for event in this_turn(play):
        if isinstance(event, happened.Begun):
            phase = event.phase
            turn.told.setdefault(phase, [])
            turn.again |= {phase} if event.again else set()
        elif isinstance(event, happened.Skipped):
            phase = event.phase
            turn.skipped[phase] = _why(state.setup, event)
        elif phase is not None and (said := _short(state.setup, event)):
            turn.told.setdefault(phase, []).append(said)
    phases = state.setup.manual.phase
    return tuple(_rung(state, number, one, turn) for number, one in enumerate(phases, 1))


def _rung(state: State, number: int, phase: Phase, turn: _Turn) -> Rung:
    if phase.id in turn.skipped:
        return Rung(number=number, phase=phase, standing="skipped", says=turn.skipped[phase.id])
    if phase.id not in turn.told:
        return Rung(number=number, phase=phase, standing="ahead")
    now = phase.id == state.phase and not state.over
    says = ", ".join(_summed(turn.told[phase.id]))
    return Rung(
        number=number,
        phase=phase,
        standing="now" if now else "done",
        says=says if says or now else "nothing",
        again=phase.id in turn.again,
    )


def this_turn(play: BeachPlay) -> list[AnyEvent]:
    """What has happened in the present turn, from the phase that opened it on."""
    turn = play.state.turn
    kept: list[AnyEvent] = []
    for entry in reversed(play.live):
        events = list(entry.events)
        starts = next((at for at, one in enumerate(events) if _opens(one, turn)), None)
        if starts is not None:
            return [*events[starts:], *kept]
        kept = [*events, *kept]
    return kept


def _opens(event: AnyEvent, turn: int) -> bool:
    """Whether that is the first phase of the turn; it is never played twice."""
    return (
        isinstance(event, happened.Begun | happened.Skipped)
        and event.turn == turn
        and event.phase == "tactical"
    )


def _why(setup: Setup, event: happened.Skipped) -> str:
    phase = setup.manual.phase[setup.manual.place(event.phase)]
    short = {"no_cards": "no cards"}
    return short.get(event.why) or why_skipped(setup, phase, event.why).removesuffix(" left")


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
            return f"+{setup.manual.tank_of(str(event.kind)).noun}"
        case happened.Killed():
            return f"{event.squads} killed"
        case happened.TankLost():
            return f"{setup.manual.tank_of(event.kind).noun} lost"
        case happened.CraftHit():
            return "craft hit"
        case happened.Drew():
            return "card"
        case happened.Passed(why="no_tank"):
            return "no tank to hit"
    return ""


def _summed(said: Iterable[str]) -> Iterator[str]:
    """Cards are counted; everything else stands as it came."""
    said = list(said)
    cards = said.count("card")
    if cards:
        yield "1 card" if cards == 1 else f"{cards} cards"
    yield from (one for one in said if one != "card")
