"""Dice on the table: what the beach adds to them, what cards make of them, what they come to."""

from __future__ import annotations

import msgspec

from skirmish.games.beach_head.agenda import Kind, Modifier, Roll, Throw
from skirmish.games.beach_head.manual import Modifiers, Squads, Table
from skirmish.games.beach_head.state import State


class Counted(msgspec.Struct, frozen=True):
    """A roll as it counts: the dice with cards on them, what cards add, and the total. ``fixed`` if
    a card set one of them, and neither what is printed nor what the beach adds counts (B21)."""

    faces: tuple[int, ...]
    shift: int
    total: int
    fixed: bool = False


def modifiers(state: State, printed: Modifiers) -> tuple[Modifier, ...]:
    """What the beach adds now, reason by reason; nothing that is 0."""
    found = [
        Modifier("traps", printed.traps if traps_hinder(state) else 0),
        Modifier("craft_hit", printed.craft_hit * _craft_hits(state)),
        *_bunkers(state, printed),
        Modifier("per_dozen", printed.per_dozen * (_counted(state) // state.setup.manual.dozen)),
    ]
    return tuple(one for one in found if one.value)


def traps_hinder(state: State) -> bool:
    """Whether tank traps are in the way of landing craft and flails (B17)."""
    looked_at = state.at_turn.defences if state.ruled("B17", "turn_start") else state.defences
    return looked_at["traps"] > 0


def _craft_hits(state: State) -> int:
    if state.ruled("B6", "each"):
        return state.craft_hit_before
    return min(1, state.craft_hit_before)


def _bunkers(state: State, printed: Modifiers) -> list[Modifier]:
    left, start = state.defences["bunkers"], state.setup.points()["bunkers"]
    half = Modifier("half_bunkers", printed.half_bunkers if 2 * left <= start else 0)
    gone = Modifier("no_bunkers", 0 if left else printed.no_bunkers)
    if gone.value and not state.ruled("B3", "cumulative"):
        return [gone]
    return [half, gone]


def _counted(state: State) -> int:
    return state.at_turn.squads if state.ruled("B34", "turn_start") else state.squads


def spec_of(state: State, step: int) -> str:
    """The dice of a step as this game rolls them (B39)."""
    printed = state.now.step[step]
    return state.setup.rulings["B39"] if isinstance(printed, Squads) else printed.dice


def counted(state: State, roll: Roll) -> Counted:
    """What the roll comes to. Never below 0 (B1); cards count in the order played (B23): a new
    value for a single die does away with what was added to it before. Plus and minus on several
    dice are for their sum and stay (B20). Of dice that are only announced (B19) nothing but the
    cards on them is known."""
    sweeps = roll.dice == 1 or state.setup.version == 1  # whose games lost them with their die
    faces = list(roll.faces) or [0] * roll.dice
    shifts = [0] * len(faces)
    fixed: set[int] = set()
    for played in roll.cards:
        card = state.setup.manual.card_of(played.card.rank)
        if played.faces:
            first = 0 if len(played.faces) > 1 else played.die
            for die, face in enumerate(played.faces, first):
                faces[die], shifts[die] = face, 0 if sweeps else shifts[die]
                fixed.discard(die)
        elif card.sets is not None:
            faces[played.die] = card.sets
            shifts[played.die] = 0 if sweeps else shifts[played.die]
            if state.ruled("B21", "result"):
                fixed.add(played.die)
        else:
            shifts[played.die] += card.shifts
    total = sum(faces) + sum(shifts)
    if not fixed:
        total += roll.plus + sum(one.value for one in roll.modifiers)
    shown = tuple(faces) if roll.faces else ()
    return Counted(shown, sum(shifts), max(0, total), fixed=bool(fixed))


def is_looked_up(state: State, roll: Roll) -> bool:
    """Whether the roll finds a row or a kind of tank rather than a number (B36)."""
    if isinstance(roll.task, Kind):
        return True
    return isinstance(roll.task, Throw) and isinstance(state.now.step[roll.task.step], Table)
