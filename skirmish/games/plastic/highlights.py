"""What people tell of a battle afterwards: when it turned, and the moments worth keeping."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from skirmish.games.plastic.battle import events as happened
from skirmish.games.plastic.battle.events import AnyEvent
from skirmish.games.plastic.battle.lines import Line, lines
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.games.plastic.battle.victory import leader
from skirmish.games.plastic.retelling import retold
from skirmish.games.plastic.summary import Summary

MOST = 12
"""Moments that are kept: as many as a column has room for."""
_WORDS = 6
"""What words of the players' own are worth among losses: they meant them to be kept."""
_ARRIVAL, _SURPRISE, _BREAKDOWN = 5, 4, 3
_CLOCKWORK = happened.Opened | happened.TurnEnded | happened.PhaseEnded | happened.ClockSet


class Highlight(msgspec.Struct, frozen=True):
    """A line of the journal, retold, and when it was written: game turn, the side that moved."""

    turn: int
    side: str
    says: str


class TurningPoint(msgspec.Struct, frozen=True):
    """The player turn since which one side has been ahead without a break, by the terms of the
    battle. ``says`` are the figures as they stood at its end; ``first``: it led from the beginning,
    ``last``: nothing but the end of the battle put it ahead."""

    turn: int
    mover: str
    side: str
    says: str
    first: bool = False
    last: bool = False


def turning_point(play: BattlePlay) -> TurningPoint | None:
    """When the side that won, or leads now, went ahead for good; None if nobody did.

    Only what stood at the end of each player turn is compared, since within one the lead of whoever
    fires first comes and goes.
    """
    outcome = play.state.outcome
    ends = list(_ends_of_turns(play))
    leads = [(clock, leader(state)) for clock, state in ends]
    side = outcome.winner if outcome else leads[-1][1].side
    if side is None:
        return None
    if outcome and leads[-1][1].side != side:  # the very last draw, or the players
        clock, last = leads[-1]
        return TurningPoint(clock.turn, clock.side, side, last.says, last=True)
    since = len(leads) - 1
    while since and leads[since - 1][1].side == side:
        since -= 1
    clock, then = leads[since]
    return TurningPoint(clock.turn, clock.side, side, then.says, first=since == 0)


def turning_words(state: State, point: TurningPoint) -> tuple[str, str]:
    """When that was, and since then who was ahead and by what, in sentences; nothing of the first
    where there was no such moment."""
    people = {side.id: side.people for side in state.setup.sides}
    leader, over = people[point.side], state.outcome is not None
    if point.first:
        ahead = "were ahead" if over else "have been ahead"
        return "", f"{leader} {ahead} since the first turn, which ended with: {point.says}."
    if point.last:
        return "", f"It was open to the very end: {point.says}."
    when = f"Turn {point.turn}, {people[point.mover]} to move."
    ahead = "were ahead for good" if over else "have been ahead"
    return when, f"{leader} {ahead} from the end of it: {point.says}."


def costliest(found: Summary) -> tuple[int, dict[str, int]] | None:
    """The game turn in which most was lost, and each side's part of it; None before any loss."""
    turn = max(found.turns, key=lambda one: (sum(one.pdg.values()), -one.turn), default=None)
    if turn is None or not sum(turn.pdg.values()):
        return None
    return turn.turn, turn.pdg


def highlights(play: BattlePlay, most: int = MOST) -> tuple[Highlight, ...]:
    """The ``most`` lines of the journal that weigh most, in the order in which they were played:
    great losses, players' own words, reinforcements, surprises."""
    state = play.state
    clock = Clock(1, state.first, 1)
    told: list[tuple[int, int, Highlight]] = []
    for place, line in enumerate(lines(play)):
        moved = [e for entry in line.entries for e in entry.events if isinstance(e, _CLOCKWORK)]
        if line.struck:
            continue
        if moved:
            clock = getattr(moved[-1], "clock", clock)
        elif weight := _weight(line):
            events = [event for entry in line.entries for event in entry.events]
            says = retold(events, state)
            told.append((weight, place, Highlight(clock.turn, clock.side, says)))
    best = sorted(told, key=lambda one: (-one[0], one[1]))[:most]
    return tuple(one for _, _, one in sorted(best, key=lambda one: one[1]))


def _weight(line: Line) -> int:
    if not line.says:
        return 0
    return sum(_of_event(event) for entry in line.entries for event in entry.events)


def _of_event(event: AnyEvent) -> int:
    match event:
        case happened.Lost(credit=credit):
            return event.worth if credit else 0
        case happened.Noted():
            return _WORDS
        case happened.Entered() | happened.Added():
            return _ARRIVAL
        case happened.Revealed() | happened.Unsealed() | happened.Toggled():
            return _SURPRISE
        case happened.Exited(value=value):
            return value
        case happened.Tested(broken=True):
            return _BREAKDOWN
    return 0


def _ends_of_turns(play: BattlePlay) -> Iterator[tuple[Clock, State]]:
    """The last state of each player turn, and the present one."""
    before: State | None = None
    for state in play.states:
        if before is not None and _moment(before) != _moment(state):
            yield before.clock, before
        before = state
    assert before is not None
    yield before.clock, before


def _moment(state: State) -> tuple[int, str]:
    return state.clock.turn, state.clock.side
