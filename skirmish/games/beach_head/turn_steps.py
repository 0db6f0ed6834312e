"""The phases of the present turn as a list of steps: what each came to, and why it was skipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish.games.beach_head import events, wording
from skirmish.games.beach_head.journal import BeachPlay
from skirmish.games.beach_head.ruleset import DefenceId, Ruleset, TankId
from skirmish.games.beach_head.state import BeachState
from skirmish.tabletop.page import Step


class Noun(NamedTuple):
    """What is counted, for one and for several."""

    singular: str
    plural: str


NO_NOUN = Noun("", "")
"""Where there is little room, the number of points and squads says it all."""
CARD, SQUAD, TANK = Noun("card", "cards"), Noun("squad", "squads"), Noun("tank", "tanks")
DEFENCES: dict[DefenceId, Noun] = {
    "mines": Noun("mine", "mines"),
    "traps": Noun("trap", "traps"),
    "walls": Noun("wall", "walls"),
    "ditches": Noun("ditch", "ditches"),
    "bunkers": Noun("bunker", "bunkers"),
    "wire": Noun("wire", "wire"),
    "trenches": Noun("trench", "trenches"),
}


class Gain(NamedTuple):
    """What an event changes: ``-4 bunkers``."""

    sign: str
    amount: int
    noun: Noun
    short: Noun
    """The noun where there is little room."""


class Remark(NamedTuple):
    """What an event comes to that is not counted, and the same where there is little room."""

    words: str
    short: str


class TurnSoFar(NamedTuple):
    """What the phases of this turn have come to, by their ids."""

    gained: dict[str, list[Gain | Remark]]
    """What each phase that was played has come to."""
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


def _played_step(name: str, gained: Sequence[Gain | Remark], *, is_now: bool) -> Step:
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


def _gain_of(event: events.BeachEvent, ruleset: Ruleset) -> Gain | Remark | None:
    """What an event adds to its phase; None for events that are not shown there."""
    match event:
        case events.Removed(points=points) if points:
            return Gain("-", points, DEFENCES[event.target], NO_NOUN)
        case events.Dug(points=points) if points:
            return Gain("+", points, DEFENCES[event.target], NO_NOUN)
        case events.SquadsLanded(squads=squads) if squads:
            return Gain("+", squads, SQUAD, NO_NOUN)
        case events.Killed(squads=squads) if squads:
            return Gain("-", squads, SQUAD, NO_NOUN)
        case events.TankLanded(kind=None):
            return Remark("none lands", "none lands")
        case events.TankLanded(kind=str(kind)):
            return Gain("+", 1, _noun_of_tank(ruleset, kind), TANK)
        case events.TankLost(kind=kind):
            return Gain("-", 1, _noun_of_tank(ruleset, kind), TANK)
        case events.CraftHit():
            return Remark("landing craft hit", "craft hit")
        case events.Passed(why="no_tank"):
            return Remark("no tank to hit", "no tank")
        case events.Drew():
            return Gain("", 1, CARD, CARD)
    return None


def _noun_of_tank(ruleset: Ruleset, kind: TankId) -> Noun:
    tank = ruleset.tank_of(kind)
    return Noun(tank.noun, tank.names)


def summed(gained: Sequence[Gain | Remark], *, abbreviated: bool = False) -> list[str]:
    """The gains in words, ``-4 bunkers``; those of the same sign and noun are added up. A remark
    that comes several times is made once."""
    # By sign and noun; a remark has neither, and stands for itself.
    sums: dict[tuple[str, Noun] | str, int] = {}
    for gain in gained:
        if isinstance(gain, Remark):
            remark = gain.words
            if abbreviated:
                remark = gain.short
            sums[remark] = 0
        else:
            noun = gain.noun
            if abbreviated:
                noun = gain.short
            sums[gain.sign, noun] = sums.get((gain.sign, noun), 0) + gain.amount
    texts = []
    for counted, amount in sums.items():
        if isinstance(counted, str):
            texts.append(counted)
        else:
            sign, noun = counted
            texts.append(_counted(sign, amount, noun))
    return texts


def _counted(sign: str, amount: int, noun: Noun) -> str:
    """``-4 bunkers``, ``+1 tank``, or the number alone."""
    word = noun.plural
    if amount == 1:
        word = noun.singular
    return f"{sign}{amount} {word}".rstrip()
