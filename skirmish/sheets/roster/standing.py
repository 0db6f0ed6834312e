"""The units of a side as they stand in a battle: its rows by contingent, with a box for each piece
that is marked with what has happened to it, and what is left of its works."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from skirmish.games.plastic.battle.names import use_piece, use_turn_part
from skirmish.games.plastic.battle.pieces import Contingent, Piece
from skirmish.games.plastic.battle.rows import Row, row_of, rows
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.boxes import GONE, Box, Mark, Marks
from skirmish.sheets.layout.flow import Flowable
from skirmish.sheets.layout.form_fields import FormField
from skirmish.sheets.layout.tables import SheetColumn
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.roster.units import (
    NEUTRAL_LOOK,
    UnitBlock,
    UnitLine,
    unit_table,
)


def side_looks(state: State) -> tuple[SideInk, SideInk]:
    """The looks of the two sides of a battle, in the order of its set-up."""
    # Without nationalities a side has the look of its id.
    first, second = (side.nation or side.id for side in state.setup.sides)
    return looks(first, second)


class StandingRow(NamedTuple):
    """A row of a side with a box for each of its pieces."""

    row: Row
    boxes: list[Box]

    @property
    def is_waiting(self) -> bool:
        """Whether any of them is still to enter."""
        return any("to come" in box.marks for box in self.boxes)


class StandingContingent(NamedTuple):
    """A contingent with its rows."""

    contingent: Contingent
    standing_rows: list[StandingRow]


def standing_contingents(
    state: State, side: Side, *, marks_of_turn: bool = False
) -> list[StandingContingent]:
    """A side's rows with their boxes by contingent, in the order of the battle. ``marks_of_turn``:
    pieces that have fired in this part of the turn are marked, too, and those that ride."""
    pieces_of_row = _pieces_of_row(state, side)
    fired_ids = _ids_that_fired(state)
    rows_by_contingent: dict[str, list[StandingRow]] = {}
    for row in rows(state, side.id):
        boxes = []
        for piece in pieces_of_row.get(row.key, ()):
            marks = _marks(state, piece.id, fired_ids, marks_of_turn=marks_of_turn)
            boxes.append(_box(side, row, piece, marks))
        standing_rows = rows_by_contingent.setdefault(row.contingent.id, [])
        standing_rows.append(StandingRow(row, boxes))
    contingents = []
    for contingent_id, standing_rows in rows_by_contingent.items():
        contingent = state.setup.contingent_by_id[contingent_id]
        contingents.append(StandingContingent(contingent, standing_rows))
    return contingents


def _pieces_of_row(state: State, side: Side) -> dict[str, list[Piece]]:
    """The pieces of a side by the key of their row, also those that are gone."""
    pieces: dict[str, list[Piece]] = {}
    for piece in state.pieces():
        if piece.side == side.id:
            pieces.setdefault(row_of(state, piece.id), []).append(piece)
    return pieces


def _box(side: Side, row: Row, piece: Piece, marks: Marks) -> Box:
    """The box of a piece. One that is gone has no field, since nothing is left to tick."""
    if marks & GONE:
        return Box(piece.code, marks)
    tooltip = f"{side.people}: {row.unit.name} {piece.code}"
    return Box(piece.code, marks, FormField(f"tick-{side.id}-{piece.code}", tooltip))


def standing_table(
    width: float,
    columns: Sequence[SheetColumn],
    contingents: Sequence[StandingContingent],
    texts: Callable[[Row], Sequence[str]],
    *,
    signs: bool = True,
    growth: float = 1.0,
    look: SideInk = NEUTRAL_LOOK,
) -> Flowable:
    """The rows of a side with their boxes. ``texts`` gives what stands in the ``columns`` before
    the boxes; with ``signs``, the sign of the unit in the ``look`` of its side is before these;
    ``growth``: the factor for the boxes. A contingent has a title if there are several or if it is
    still to enter."""
    blocks = []
    for contingent, standing_rows in contingents:
        is_waiting = any(standing_row.is_waiting for standing_row in standing_rows)
        titles: list[Flowable] = []
        if len(contingents) > 1 or is_waiting:
            titles.append(paragraph(contingent.name, styles.STRONG))
        if is_waiting:
            titles.append(paragraph(arrival_words(contingent), styles.ASIDE))
        lines = []
        for row, boxes in standing_rows:
            lines.append(UnitLine(row.unit, texts(row), boxes))
        blocks.append(UnitBlock(titles, lines))
    return unit_table(width, columns, blocks, signs=signs, growth=growth, look=look)


def how_many_left(row: Row) -> str:
    """How many of a row are left: ``3 of 5``."""
    return f"{len(row.alive)} of {row.total}"


def arrival_words(contingent: Contingent) -> str:
    """When a contingent enters, in words, and where if its note says so."""
    when = f"turn {contingent.enters}"
    # A scenario's note often names the turn itself: then the note is enough. The end of a word is
    # looked for, since ``turn 12`` does not name ``turn 1``.
    if re.search(rf"\b{when}\b", contingent.note):
        return contingent.note
    return f"Enters on {when}. {contingent.note}".strip()


def _marks(state: State, piece_id: str, fired_ids: frozenset[str], *, marks_of_turn: bool) -> Marks:
    """What has happened to a piece; ``marks_of_turn``: also whether it has fired or rides."""
    marks: set[Mark] = set()
    if piece_id in state.lost:
        marks.add("lost")
    elif piece_id in state.exited:
        marks.add("exited")
    else:
        if piece_id in state.waiting:
            marks.add("to come")
        if marks_of_turn and piece_id in fired_ids:
            marks.add("fired")
        if marks_of_turn and state.rides(piece_id):
            marks.add("aboard")
    return frozenset(marks)


def _ids_that_fired(state: State) -> frozenset[str]:
    """The ids of the pieces that have fired in this part of the turn."""
    fired = set()
    for use in state.fired:
        # The state keeps the shots of earlier parts of the turn, too.
        if use_turn_part(use) == state.turn_part:
            fired.add(use_piece(use))
    return frozenset(fired)


def works_left(state: State, side: Side) -> str:
    """``Sandbags: 2. Barbed wire: 4 of 6.``; empty for a side that never had any."""
    catalog = state.setup.catalog
    counts_now = state.works.get(side.id, {})
    lines = []
    # What the side began with, then what it has only dug in the battle.
    for work in {**side.works, **counts_now}:
        at_first = side.works.get(work, 0)
        left = counts_now.get(work, 0)
        if not at_first and not left:
            continue
        line = f"{catalog.works[work].name}: {left}"
        if left < at_first:
            line += f" of {at_first}"
        elif at_first == 0:  # all of them were dug in the battle
            line += " (none to begin with)"
        elif left > at_first:
            line += f" ({at_first} to begin with)"
        lines.append(line)
    if not lines:
        return ""
    return ". ".join(lines) + "."
