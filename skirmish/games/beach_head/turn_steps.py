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
"""The nouns by which the points of defences are counted."""


class CountedChange(NamedTuple):
    """What an event adds or takes away: ``-4 bunkers``."""

    sign: str
    """``+`` or ``-``; empty for cards drawn."""
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

    results: dict[str, list[CountedChange | Remark]]
    """What each phase that was played has come to."""
    skipped: dict[str, wording.SkipReason]
    """Why each phase that was skipped was."""
    repeated: set[str]
    """The phases that an Admiral had played again."""


def steps(play: BeachPlay) -> Iterator[Step]:
    """Every phase with its results so far, or the reason for skipping it; a phase that an Admiral
    repeats has the results of both."""
    state, turn_so_far = play.state, _turn_so_far(play)
    for number_of_phase, phase in enumerate(state.ruleset.phase, 1):
        name = f"{number_of_phase} {phase.name}"
        if phase.id in turn_so_far.repeated:
            name += " twice"
        # A phase that was played and is skipped when it is repeated shows what it came to.
        if phase.id in turn_so_far.results:
            is_now = phase.id == state.phase and not state.over
            yield _played_step(name, turn_so_far.results[phase.id], is_now=is_now)
        elif phase.id in turn_so_far.skipped:
            reason, short_reason = turn_so_far.skipped[phase.id]
            yield Step(name, "skipped", reason, short_reason)
        else:
            yield Step(name, "next")


def _played_step(name: str, results: Sequence[CountedChange | Remark], *, is_now: bool) -> Step:
    """The step of a phase that is being played or has been, with what it came to."""
    words = ", ".join(summed(results))
    abbreviated = " ".join(summed(results, abbreviated=True))
    if is_now:
        return Step(name, "now", words, abbreviated)
    return Step(name, "done", words or "nothing", abbreviated)


def _turn_so_far(play: BeachPlay) -> TurnSoFar:
    """What happened in each phase of the present turn."""
    turn_so_far = TurnSoFar(results={}, skipped={}, repeated=set())
    # What happens before the first phase belongs to no phase, and no step shows it.
    phase: str = ""
    for before, event in _this_turn(play):
        match event:
            case events.Begun():
                phase = event.phase
                turn_so_far.results.setdefault(phase, [])
                if event.again:
                    turn_so_far.repeated.add(phase)
            case events.Skipped():
                reason = wording.why_skipped(before, event.phase_in(before), event.why)
                turn_so_far.skipped[event.phase] = reason
            case _:
                result = _result_of(event, play.state.ruleset)
                if result is not None:
                    turn_so_far.results.setdefault(phase, []).append(result)
    return turn_so_far


class EventInTurn(NamedTuple):
    """An event of the present turn, and the state before it."""

    before: BeachState
    event: events.BeachEvent


def _this_turn(play: BeachPlay) -> Iterator[EventInTurn]:
    """The events of the present turn. The order in which it begins may have begun in the turn
    before; the first events of that order are left out."""
    turn = play.state.turn
    first = _first_entry_of(turn, play)
    state = play.states[first - 1]
    for entry in play.live[first:]:
        for event in entry.events:
            before, state = state, event.apply(state)
            if state.turn == turn:
                yield EventInTurn(before, event)


def _first_entry_of(turn: int, play: BeachPlay) -> int:
    """The index in ``live`` of the entry in which the turn begins; the number of entries if it has
    not begun."""
    # ``states[index]`` is the state after the entry ``live[index]``. The search begins at the end,
    # since the present turn is the last of many.
    for index in range(len(play.states) - 1, 0, -1):
        if play.states[index - 1].turn < turn:
            return index
    return len(play.states)


def _result_of(event: events.BeachEvent, ruleset: Ruleset) -> CountedChange | Remark | None:
    """What the step of a phase shows of an event; None if it shows nothing."""
    match event:
        case events.Removed(points=points) if points:
            return CountedChange("-", points, DEFENCES[event.target], NO_NOUN)
        case events.Dug(points=points) if points:
            return CountedChange("+", points, DEFENCES[event.target], NO_NOUN)
        case events.SquadsLanded(squads=squads) if squads:
            return CountedChange("+", squads, SQUAD, NO_NOUN)
        case events.Killed(squads=squads) if squads:
            return CountedChange("-", squads, SQUAD, NO_NOUN)
        case events.TankLanded(kind=None):
            return Remark("none lands", "none lands")
        case events.TankLanded(kind=str(kind)):
            return CountedChange("+", 1, _noun_of_tank(ruleset, kind), TANK)
        case events.TankLost(kind=kind):
            return CountedChange("-", 1, _noun_of_tank(ruleset, kind), TANK)
        case events.CraftHit():
            return Remark("landing craft hit", "craft hit")
        case events.Passed(why="no_tank"):
            return Remark("no tank to hit", "no tank")
        case events.Drew():
            return CountedChange("", 1, CARD, CARD)
    return None


def _noun_of_tank(ruleset: Ruleset, kind: TankId) -> Noun:
    """The noun for tanks of a kind: ``crab``."""
    tank = ruleset.tank_of(kind)
    return Noun(tank.noun, tank.names)


class SignedNoun(NamedTuple):
    """What changes have in common that are added up: ``-`` and bunkers."""

    sign: str
    noun: Noun


def summed(results: Sequence[CountedChange | Remark], *, abbreviated: bool = False) -> list[str]:
    """The results in words, ``-4 bunkers``, in the order in which they came first. Changes of the
    same sign and noun are added up, and a remark that comes several times is made once."""
    # One dict for both, since it has their common order. A remark stands there by its words, and
    # its sum is not used.
    sums: dict[SignedNoun | str, int] = {}
    for result in results:
        if isinstance(result, Remark):
            remark = result.words
            if abbreviated:
                remark = result.short
            sums[remark] = 0
        else:
            noun = result.noun
            if abbreviated:
                noun = result.short
            change = SignedNoun(result.sign, noun)
            sums[change] = sums.get(change, 0) + result.amount
    texts = []
    for counted, amount in sums.items():
        if isinstance(counted, str):
            texts.append(counted)
        else:
            texts.append(_counted(counted.sign, amount, counted.noun))
    return texts


def _counted(sign: str, amount: int, noun: Noun) -> str:
    """A change in words: ``-4 bunkers``, ``+1 tank``, or the number alone (``NO_NOUN``)."""
    word = noun.plural
    if amount == 1:
        word = noun.singular
    return f"{sign}{amount} {word}".rstrip()
