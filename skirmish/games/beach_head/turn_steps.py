"""The phases of the present turn as a list of steps: what each came to, and why it was skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head import events, wording
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.ruleset import Ruleset
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.page import Step


class Gain(NamedTuple):
    """What an event changes, ``-4 bunkers``."""

    sign: str
    amount: int
    """0 for what is not counted."""
    noun: str
    """In the singular, as that of a tank, or in the plural, as the ids of defences are.
    ``_singular`` and ``_plural`` know the endings of all of them; a new defence may need another
    there."""
    short: str
    """The noun where there is little room; empty where the number says it all."""


class TurnSoFar(NamedTuple):
    """What the phases of this turn have come to, by their ids."""

    gained: dict[str, list[Gain]]
    """The gains of each phase that was played."""
    skipped: dict[str, wording.SkipReason]
    repeated: set[str]
    """The phases that an Admiral had played again."""


def steps(play: BeachPlay) -> Iterator[Step]:
    """Every phase with its results so far, or the reason for skipping it; a phase that an Admiral
    repeats has the results of both."""
    state, turn = play.state, _turn_so_far(play)
    for number_of_phase, phase in enumerate(state.ruleset.phase, 1):
        name = f"{number_of_phase} {phase.name}"
        if phase.id in turn.repeated:
            name += " twice"
        # A phase that was played and is skipped when it is repeated shows what it came to.
        if phase.id in turn.gained:
            is_now = phase.id == state.phase and not state.over
            yield _played_step(name, turn.gained[phase.id], is_now=is_now)
        elif phase.id in turn.skipped:
            reason, short_reason = turn.skipped[phase.id]
            yield Step(name, "skipped", reason, short_reason)
        else:
            yield Step(name, "next")


def _played_step(name: str, gained: Sequence[Gain], *, is_now: bool) -> Step:
    """The step of a phase that is being played or has been, with what it came to."""
    words = ", ".join(summed(gained))
    abbreviated = " ".join(summed(gained, abbreviated=True))
    if is_now:
        return Step(name, "now", words, abbreviated)
    return Step(name, "done", words or "nothing", abbreviated)


def _turn_so_far(play: BeachPlay) -> TurnSoFar:
    """What happened in each phase of the present turn."""
    turn = TurnSoFar(gained={}, skipped={}, repeated=set())
    # What happens before the first phase belongs to no phase, and no step shows it.
    phase: str = ""
    for before, event in _this_turn(play):
        match event:
            case events.Begun():
                phase = event.phase
                turn.gained.setdefault(phase, [])
                if event.again:
                    turn.repeated.add(phase)
            case events.Skipped():
                reason = wording.why_skipped(before, event.phase_in(before), event.why)
                turn.skipped[event.phase] = reason
            case _:
                gain = _gain_of(event, play.state.ruleset)
                if gain is not None:
                    turn.gained.setdefault(phase, []).append(gain)
    return turn


def _this_turn(play: BeachPlay) -> Iterator[tuple[BeachState, events.BeachEvent]]:
    """The events of the present turn, each with the state before it. The order that begins the turn
    may have begun in the turn before; its first events are left out."""
    turn = play.state.turn
    first = _first_entry_of(turn, play)
    state = play.states[first - 1]
    for entry in play.live[first:]:
        for event in entry.events:
            before, state = state, event.apply(state)
            if state.turn == turn:
                yield before, event


def _first_entry_of(turn: int, play: BeachPlay) -> int:
    """The index in ``live`` of the entry in which the turn begins; the number of entries if it has
    not begun."""
    # A state of ``states`` is the one after the entry of ``live`` with the same index. It is sought
    # from the end, since the present turn is the last of many.
    for index in range(len(play.states) - 1, 0, -1):
        if play.states[index - 1].turn < turn:
            return index
    return len(play.states)


def _gain_of(event: events.BeachEvent, ruleset: Ruleset) -> Gain | None:
    """What an event adds to its phase; None for events that are not shown there."""
    match event:
        case events.Removed(points=points) if points:
            return Gain("-", points, event.target, "")
        case events.Dug(points=points) if points:
            return Gain("+", points, event.target, "")
        case events.SquadsLanded(squads=squads) if squads:
            return Gain("+", squads, "squad", "")
        case events.Killed(squads=squads) if squads:
            return Gain("-", squads, "squad", "")
        case events.TankLanded(kind=None):
            return Gain("", 0, "none lands", "none lands")
        case events.TankLanded(kind=str(kind)):
            return Gain("+", 1, ruleset.tank_of(kind).noun, "tank")
        case events.TankLost(kind=kind):
            return Gain("-", 1, ruleset.tank_of(kind).noun, "tank")
        case events.CraftHit():
            return Gain("", 0, "landing craft hit", "craft hit")
        case events.Passed(why="no_tank"):
            return Gain("", 0, "no tank to hit", "no tank")
        case events.Drew():
            return Gain("", 1, "card", "card")
    return None


def summed(gained: Sequence[Gain], *, abbreviated: bool = False) -> list[str]:
    """The gains in words, ``-4 bunkers``; those of the same sign and noun are added up."""
    sums: dict[tuple[str, str], int] = {}
    for gain in gained:
        noun = gain.noun
        if abbreviated:
            noun = gain.short
        sums[gain.sign, noun] = sums.get((gain.sign, noun), 0) + gain.amount
    return [_counted(sign, amount, noun) for (sign, noun), amount in sums.items()]


def _counted(sign: str, amount: int, noun: str) -> str:
    """``-4 bunkers``, ``+1 tank``; only the number or only the noun where the other is missing."""
    if not amount:
        return noun
    if not noun:
        return f"{sign}{amount}"
    if amount == 1:
        return f"{sign}1 {_singular(noun)}"
    return f"{sign}{amount} {_plural(noun)}"


def _singular(noun: str) -> str:
    """The singular of ``trenches``, ``ditches``, ``mines``; nouns without an ending stay."""
    if noun.endswith("ches"):
        return noun.removesuffix("es")
    return noun.removesuffix("s")


def _plural(noun: str) -> str:
    """The plural of ``squad`` or ``tank``; ``bunkers`` and ``wire`` stay as they are."""
    if noun.endswith(("s", "wire")):
        return noun
    return f"{noun}s"
