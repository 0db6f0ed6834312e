"""The course of a battle in its losses: who fell in which turn, to which weapon and card, who came
and went, what strength was left, and the turn that decided it.

Paper, screens and phones draw it; begin with ``casualty_strip``. Of a battle that goes on it is
made from what its viewer may see (``seen``).
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Literal, TypeAlias

import msgspec

from skirmish.games.plastic.battle.names import piece_code, piece_side
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import Credit, State
from skirmish.games.plastic.battle.strength import side_strength
from skirmish.games.plastic.crossings import Way, crossings
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.summary import prices
from skirmish.games.plastic.turning_point import TurningPoint, turning_point_of
from skirmish.tabletop.chance import Draw

Cause: TypeAlias = Literal["shot", "breakdown", "other"]
"""What a piece was lost to: the enemy's fire, its own weapon that broke down, or anything else,
such as a correction by the players."""


class Casualty(msgspec.Struct, frozen=True, kw_only=True):
    """A piece that was lost, and to what. ``shooter``, ``weapon`` and ``draw`` are empty where they
    are not known: a counted volley has no draw, a hidden shooter no code."""

    piece: str
    code: str
    unit: str
    """The id of its unit at the start, by which it is drawn."""
    side: str
    turn: int
    entry: int
    """The number of the journal's entry in which it fell."""
    pdg: int
    """Its strength in potential dead guys, as it counts toward the break point."""
    points: int
    cause: Cause
    shooter: str = ""
    """The code of the piece that shot it."""
    weapon: str = ""
    """The name of the weapon."""
    draw: Draw | None = None


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces of a side that entered or exited in a turn, by their codes; ``where`` is the edge or
    zone, empty if the scenario names none."""

    side: str
    turn: int
    way: Way
    where: str
    codes: tuple[str, ...]


class SideCourse(msgspec.Struct, frozen=True, kw_only=True):
    """The losses of a side and its strength (potential dead guys) over the battle."""

    side: str
    people: str
    nation: str | None
    strength: int
    lost: int
    casualties: tuple[Casualty, ...]
    passages: tuple[Passage, ...]
    left: tuple[int, ...]
    """The strength left after each turn, from turn 1 on. Pieces that exited still count."""

    @property
    def share_lost(self) -> float:
        """The share of its strength that is lost, from 0 to 1."""
        if not self.strength:
            return 0.0
        return self.lost / self.strength

    def in_turn(self, turn: int) -> tuple[Casualty, ...]:
        """The losses in that turn, in the order in which they fell."""
        return tuple(casualty for casualty in self.casualties if casualty.turn == turn)


class CasualtyStrip(msgspec.Struct, frozen=True, kw_only=True):
    """The losses of both sides, turn by turn."""

    turns: int
    """How many turns were played so far."""
    ends_after: int | None
    """The last turn of the scenario; None if it sets none."""
    over: bool
    """Whether the battle has ended."""
    sides: tuple[SideCourse, SideCourse]
    """In the order of play, the first mover first."""
    turning_point: TurningPoint | None
    """When the lasting lead began, perhaps with the battle; None if nobody has one."""

    @property
    def in_order(self) -> list[Casualty]:
        """The losses of both sides in the order in which they fell."""
        first, second = self.sides
        return sorted((*first.casualties, *second.casualties), key=attrgetter("turn", "entry"))

    @property
    def marked_turning_point(self) -> TurningPoint | None:
        """The turning point, if it is marked in a turn. None if there is none, and if one side led
        from the beginning."""
        if self.turning_point is None:
            return None
        has_led_from_first_turn = self.turning_point.first
        if has_led_from_first_turn:
            return None
        return self.turning_point

    @property
    def turning_turn(self) -> int | None:
        """The turn of the marked turning point; None without one."""
        if self.marked_turning_point is None:
            return None
        return self.marked_turning_point.turn


def casualty_strip(play: BattlePlay, facts: JournalFacts | None = None) -> CasualtyStrip:
    """The losses of a battle over its turns; pieces that were put back are not among them.
    ``facts`` are those of its journal, where the caller has read them."""
    state = play.state
    if facts is None:
        facts = JournalFacts(play)
    # If the players have set the clock back, losses may be of later turns.
    turns = max([state.clock.turn, *facts.loss_turn.values()])
    end, last_turn = state.setup.ends_after, None
    if end is not None:
        last_turn = end.turn
    first = _course(play, facts, state.first, turns)
    second = _course(play, facts, state.second_side, turns)
    return CasualtyStrip(
        turns=turns,
        ends_after=last_turn,
        over=state.outcome is not None,
        sides=(first, second),
        turning_point=turning_point_of(play),
    )


def _course(play: BattlePlay, facts: JournalFacts, side: str, turns: int) -> SideCourse:
    """The losses of a side, with the strength that it had after each turn."""
    state = play.state
    side_in_setup = state.setup.side_by_id[side]
    strength = side_strength(state, side)
    # Within a turn in the order of the entries, as the players saw them fall.
    casualties = sorted(_casualties(state, facts, side), key=attrgetter("turn", "entry"))
    left, lost = [], 0
    for turn in range(1, turns + 1):
        for casualty in casualties:
            if casualty.turn == turn:
                lost += casualty.pdg
        left.append(strength - lost)
    return SideCourse(
        side=side,
        people=side_in_setup.people,
        nation=side_in_setup.nation,
        strength=strength,
        lost=lost,
        casualties=tuple(casualties),
        passages=tuple(_passages(play, facts, side)),
        left=tuple(left),
    )


def _casualties(state: State, facts: JournalFacts, side: str) -> Iterator[Casualty]:
    """The pieces of a side that are lost, with how each was."""
    price = prices(state.setup, side)
    for piece, turn in facts.loss_turn.items():
        # A piece that was put back is not lost in the state, though the journal has its loss.
        if piece_side(piece) != side or piece not in state.lost:
            continue
        unit = state.piece(piece).unit
        casualty = Casualty(
            piece=piece,
            code=piece_code(piece),
            unit=unit,
            side=side,
            turn=turn,
            entry=facts.loss_entry[piece],
            pdg=state.worth_lost.get(piece, 0),
            points=price[unit],
            cause="other",
        )
        # None if it fell to no shot.
        credit = state.lost[piece]
        if credit is not None:
            casualty = _with_shot(casualty, credit, state)
        yield casualty


def _with_shot(casualty: Casualty, credit: Credit, state: State) -> Casualty:
    """The casualty with the shot that it fell to."""
    # A weapon that the catalog does not know is named as it is stored.
    weapons = state.setup.catalog.weapons
    weapon = credit.weapon
    if weapon in weapons:
        weapon = weapons[weapon].name
    cause: Cause = "shot"
    if credit.breakdown:
        cause = "breakdown"
    return msgspec.structs.replace(
        casualty,
        cause=cause,
        shooter=piece_code(credit.piece),
        weapon=weapon,
        draw=credit.draw,
    )


def _passages(play: BattlePlay, facts: JournalFacts, side: str) -> Iterator[Passage]:
    """The pieces of a side that entered or exited, turn by turn."""
    for (crossing_side, way, where), turns in crossings(play, facts).items():
        if crossing_side != side:
            continue
        for turn, pieces in turns.items():
            codes = tuple(piece_code(piece) for piece in pieces)
            yield Passage(side=side, turn=turn, way=way, where=where, codes=codes)
