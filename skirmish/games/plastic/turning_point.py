"""The turning point of a battle: the turn since which the side that is ahead, or that has won, has
been ahead; and a page about it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.battle.progress import leader
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import Clock, State
from skirmish.games.plastic.battle.victory_questions import Leader
from skirmish.games.plastic.summary import Summary, TurnLoss
from skirmish.tabletop.page import Block, Heading, Paragraph


class TurningPoint(msgspec.Struct, frozen=True):
    """The player turn at whose end a side took the lead that it has kept. The names of the fields
    are also those of the exported data."""

    turn: int
    mover: str
    """The side whose turn it was: either of the two."""
    side: str
    """The side that took the lead."""
    text: str
    """How it was ahead then."""
    first: bool = False
    """Whether it has been ahead from the first turn."""
    last: bool = False
    """Whether it was not ahead when it won, so that the other fields are of the last turn."""

    def words(self, people: str) -> str:
        """How it stood then, where the side that took the lead is called ``people``."""
        if self.last:
            return f"open to the very end: {self.text}"
        return f"{people} ahead: {self.text}"


def turning_point_of(play: BattlePlay) -> TurningPoint | None:
    """The turn since which the winner, or the side now ahead, has been ahead; None while neither
    side is, or after a draw."""
    outcome = play.state.outcome
    leads = _leads(play)
    latest = leads[-1]
    side = latest.leader.side
    if outcome is not None:
        side = outcome.winner
    if side is None:
        return None
    # The winner was not ahead: the last draw decided the battle, or the players did.
    if latest.leader.side != side:
        clock = latest.clock
        return TurningPoint(
            turn=clock.turn, mover=clock.side, side=side, text=latest.leader.text, last=True
        )
    # Back to the turn since which this side has led without a break.
    first_lead = len(leads) - 1
    while first_lead > 0 and leads[first_lead - 1].leader.side == side:
        first_lead -= 1
    clock, leader_then = leads[first_lead]
    return TurningPoint(
        turn=clock.turn,
        mover=clock.side,
        side=side,
        text=leader_then.text,
        first=first_lead == 0,
    )


class _Lead(NamedTuple):
    """Who was ahead at the end of a player turn."""

    clock: Clock
    leader: Leader


def _leads(play: BattlePlay) -> list[_Lead]:
    """Who was ahead at the end of each player turn, and who is now."""
    leads = []
    for _, states in groupby(play.states, key=_player_turn):
        # To find the leader takes time, so that is done only for the last state of a turn.
        *_, last = states
        leads.append(_Lead(last.clock, leader(last)))
    return leads


def _player_turn(state: State) -> tuple[int, str]:
    """The turn and the side to move, which all states of one player turn have in common."""
    return state.clock.turn, state.clock.side


class _TurningWords(NamedTuple):
    """What a page says of the turning point."""

    when: str
    """The player turn at whose end it was; empty if there is none to name."""
    text: str


def _turning_words(state: State, point: TurningPoint) -> _TurningWords:
    """Since when a side has been ahead, in words."""
    people = {side.id: side.people for side in state.setup.sides}
    leading = people[point.side]
    is_over = state.outcome is not None
    if point.last:
        return _TurningWords("", f"It was open to the very end: {point.text}.")
    if point.first:
        ahead = "have been ahead since the first turn"
        if is_over:
            ahead = "were ahead from the first turn on"
        text = f"{leading} {ahead}, which ended with: {point.text}."
        return _TurningWords("", text)
    ahead = "have been ahead since the end of it"
    if is_over:
        ahead = "were ahead for good from the end of it"
    when = f"Turn {point.turn}, {people[point.mover]} to move."
    return _TurningWords(when, f"{leading} {ahead}: {point.text}.")


def turning_blocks(
    state: State, point: TurningPoint | None, summary: Summary | None = None
) -> Iterator[Block]:
    """The turning point and, with a ``summary``, the costliest turn; nothing if there is
    neither."""
    paragraphs: list[Paragraph] = []
    if point is not None:
        when, text = _turning_words(state, point)
        paragraphs.append(Paragraph(text, when))
    elif state.outcome is not None:
        paragraphs.append(Paragraph("Neither side took a lasting lead."))
    if summary is not None:
        costliest = max(summary.turns, key=_strength_lost)
        if any(costliest.pdg.values()):
            losses = [f"{side.people} {costliest.pdg[side.side]}" for side in summary.sides]
            text = f"turn {costliest.turn}. Strength lost: {', '.join(losses)}."
            if not paragraphs:
                paragraphs.append(Paragraph("Neither side has taken a lasting lead so far."))
            paragraphs.append(Paragraph(text, "Costliest turn:"))
    if paragraphs:
        yield Heading("Turning point")
        yield from paragraphs


def _strength_lost(turn: TurnLoss) -> int:
    """The strength that both sides lost in a turn."""
    return sum(turn.pdg.values())
