"""The pieces of a side as a battle has left them: who stands in which row, and how he is marked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from skirmish.games.plastic.battle.names import use_piece
from skirmish.games.plastic.battle.rows import Row, row_of, rows
from skirmish.games.plastic.battle.setup import Contingent, Piece
from skirmish.games.plastic.battle.state import State, window
from skirmish.sheets.marks import box_width
from skirmish.sheets.roster_boxes import Mark, MarkedBoxes, Marks


class Standing(NamedTuple):
    """A row of a side with everybody it ever had and each one's marks."""

    row: Row
    pieces: tuple[Piece, ...]
    marks: tuple[Marks, ...]

    def boxes(self, box: float) -> MarkedBoxes:
        """Its boxes, so wide."""
        return MarkedBoxes([piece.code for piece in self.pieces], box, self.marks)


class Group(NamedTuple):
    """A contingent and its rows."""

    contingent: Contingent
    rows: tuple[Standing, ...]


def groups(state: State, side: str, *, firing: bool) -> list[Group]:
    """A side's rows by contingent, in the order of its battle; ``firing``: who has fired in this
    part of the turn and who rides is marked too."""
    members: dict[str, list[Piece]] = {}
    for piece in state.pieces():
        if piece.side == side:
            members.setdefault(row_of(state, piece.id), []).append(piece)
    have_fired = _have_fired(state) if firing else frozenset()
    found: dict[str, list[Standing]] = {}
    for row in rows(state, side):
        own = tuple(members.get(row.key, ()))
        marks = tuple(_marks(state, piece.id, have_fired, firing) for piece in own)
        found.setdefault(row.contingent.id, []).append(Standing(row, own, marks))
    known = state.setup.contingent_by_id
    return [Group(known[name], tuple(standing)) for name, standing in found.items()]


def widest_box(found: list[Group]) -> float:
    """The width that holds every code of these rows."""
    return box_width(piece.code for group in found for row in group.rows for piece in row.pieces)


def enters(contingent: Contingent) -> str:
    """When and where it comes on, as its note says it or else by its turn."""
    when = f"turn {contingent.enters}"
    if when in contingent.note:
        return contingent.note
    return f"Enters on {when}. {contingent.note}".strip()


def every_mark(found: list[Group]) -> list[Marks]:
    """The marks of everybody in these rows."""
    return [marks for group in found for row in group.rows for marks in row.marks]


def _marks(state: State, piece: str, have_fired: frozenset[str], firing: bool) -> Marks:
    marks: set[Mark] = set()
    if piece in state.lost:
        marks.add("lost")
    elif piece in state.exited:
        marks.add("left")
    else:
        if piece in state.waiting:
            marks.add("to come")
        if piece in have_fired:
            marks.add("fired")
        if firing and state.rides(piece):
            marks.add("aboard")
    return frozenset(marks)


def _have_fired(state: State) -> frozenset[str]:
    now = f"{window(state.clock.phase)}:"
    return frozenset(use_piece(use) for use in state.fired if use.startswith(now))


def spans(codes: Iterable[str]) -> str:
    """``K1, R4 to R13``: codes in their order, three and more in a row as a span."""
    ordered = sorted(codes, key=lambda code: (code[:1], int(code[1:])))
    runs: list[list[str]] = []
    for code in ordered:
        if runs and code == f"{code[:1]}{int(runs[-1][-1][1:]) + 1}" and code[0] == runs[-1][0][0]:
            runs[-1].append(code)
        else:
            runs.append([code])
    told = (f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)
    return ", ".join(told)
