"""The pieces that entered the table and exited it, by edge and turn."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from skirmish.games.plastic.battle.names import piece_side
from skirmish.games.plastic.battle.record import BattlePlay
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.journal_facts import JournalFacts
from skirmish.games.plastic.scenarios.victory_terms import DestroyThenExit, ExitTable

Way: TypeAlias = Literal["entry", "exit"]
"""Whether a piece enters the table or exits it."""


class Crossing(NamedTuple):
    """A side whose pieces enter or exit, and where: the edge or zone, empty if the scenario names
    none."""

    side: str
    way: Way
    where: str


PiecesByTurn: TypeAlias = dict[int, list[str]]
"""The ids of pieces by the game turn in which they crossed."""


def crossings(play: BattlePlay, facts: JournalFacts | None = None) -> dict[Crossing, PiecesByTurn]:
    """The pieces that entered and exited, without those that were put back since. ``facts`` are
    those of the play's journal, for a caller who has read it already."""
    state = play.state
    if facts is None:
        facts = JournalFacts(play)
    crossed: dict[Crossing, PiecesByTurn] = {}
    for piece, turn in _earliest_first(facts.entering_turn):
        # A piece that waits again was put back.
        if state.knows(piece) and piece not in state.waiting:
            crossing = Crossing(piece_side(piece), "entry", _edge_of_entry(state, piece))
            _add_piece(crossed, crossing, turn, piece)
    for piece, turn in _earliest_first(facts.exit_turn):
        if piece in state.exited:
            side = piece_side(piece)
            crossing = Crossing(side, "exit", _edge_of_exit(state, side))
            _add_piece(crossed, crossing, turn, piece)
    return crossed


def _add_piece(
    crossed: dict[Crossing, PiecesByTurn], crossing: Crossing, turn: int, piece: str
) -> None:
    """Add a piece that crossed in that turn."""
    pieces_by_turn = crossed.setdefault(crossing, {})
    pieces_by_turn.setdefault(turn, []).append(piece)


def _earliest_first(turn_by_piece: dict[str, int]) -> list[tuple[str, int]]:
    """The pieces with their turns, in the order of the turns."""
    return sorted(turn_by_piece.items(), key=itemgetter(1))


def _edge_of_entry(state: State, piece: str) -> str:
    """``S``; empty if no edge is named. The set-up has the place only in words, such as ``S edge``,
    since it may be an answer of the players."""
    contingent = state.setup.contingent_by_id[state.piece(piece).contingent]
    edge = re.search(r"\b[NESW](?= edge)", contingent.place_of_entry)
    if edge is None:
        return ""
    return edge[0]


def _edge_of_exit(state: State, side: str) -> str:
    """``S``, or the zone by which the scenario has a side exit; empty without such terms."""
    scenario = state.setup.scenario
    if scenario is None:
        return ""
    terms = scenario.victory
    if not isinstance(terms, ExitTable | DestroyThenExit) or terms.side != side:
        return ""
    return terms.way_out
