"""The rosters of a battle in progress: both sides in turn, with losses struck out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from skirmish.games.plastic.battle.names import use_piece, use_turn_part
from skirmish.games.plastic.battle.rows import Row, breaking_loss, row_of, rows, side_strength
from skirmish.games.plastic.battle.setup import Contingent, Side
from skirmish.games.plastic.battle.setup import Piece as BattlePiece
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.view import view
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk, looks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, TitleBand
from skirmish.sheets.layout.boxes import (
    GONE,
    LOST,
    UNMARKED,
    Box,
    Boxes,
    FormField,
    Mark,
    Marks,
    box_width,
    key_of,
)
from skirmish.sheets.layout.flow import Flowable, Gap
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.tables import SheetColumn
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import tables_to_play_by
from skirmish.sheets.roster.roomiest import roomiest
from skirmish.sheets.roster.units import (
    MOVE_COLUMN,
    NOBODYS,
    TYPE_COLUMN,
    UnitBlock,
    UnitLine,
    loss_boxes,
    move,
    notes,
    shared_letters,
    unit_table,
    weapons,
)

NUMBERED_EVERY = 5
"""The last of so many boxes in the track of losses has its number in it."""


@as_pdf
def standing_rosters_pdf(page: Leaf, battle: StoredGame) -> PdfDocument:
    """The rosters of both sides of a battle in progress, with losses struck out. Secretly placed
    units are omitted, since both sides look at the sheet."""
    state = view(battle.play.state, None)  # as an onlooker sees it
    parts = []
    setup = state.setup
    tables = tables_to_play_by(setup.catalog, setup.rulings, page.measure)
    for side in setup.sides:
        parts.append(roomiest(partial(_roster, state, side, page), tables))
    name = f"{setup.title}: rosters as they stand"
    return PdfDocument(name, f"{GAME}: rosters of a battle", parts)


def side_looks(state: State) -> tuple[SideInk, SideInk]:
    """The looks of the two sides of a battle, in the order of its set-up."""
    # Without nationalities a side has the look of its id.
    first, second = (side.nation or side.id for side in state.setup.sides)
    return looks(first, second)


def _roster(
    state: State,
    side: Side,
    page: Leaf,
    grown: float,
    further: Sequence[Flowable],
) -> SheetPart:
    """The roster of a side. ``grown``: the factor for its boxes; ``further``: the tables for which
    there is room below it."""
    width = page.measure
    look = side_looks(state)[state.setup.sides.index(side)]
    catalog = state.setup.catalog
    units = {row.unit.id: row.unit for row in rows(state, side.id)}
    firing = Firing(catalog, state.setup.rulings, state.nation_of(side.id))

    story: list[Flowable] = [
        _title_band(state, side, look),
        Gap(1.6 * MM),
        _facts(state, side),
        Gap(GAP),
    ]
    story += _units(state, side, look, width, grown)
    works = works_left(state, side)
    if works:
        head = Head("Works left", "do not count as losses", look.ink)
        story += [head, Gap(MM), paragraph(works), Gap(GAP)]
    story += weapons(catalog, firing, units.values(), width)
    track = track_of_losses(state, side, grown)
    if track:
        story += [*track, Gap(GAP)]
    remarks = notes(units.values())
    if remarks:
        story += [*remarks, Gap(GAP)]
    story += [*further, OwnNotes()]

    turn = f"turn {state.clock.turn}"
    footer = "Roster as it stands", state.setup.title, side.people, turn, GAME
    return SheetPart(page, story, side.people, *footer)


def _title_band(state: State, side: Side, look: SideInk) -> Flowable:
    """The turn and the side, with nation, quality and who commands it."""
    nation_words, quality_words = "Without nationalities", "Without force quality"
    nation, quality = state.nation_of(side.id), state.quality_of(side.id)
    if nation:
        nation_words = nation.name
    if quality:
        quality_words = f"{quality.name} troops"
    lines = [nation_words, quality_words]
    if side.player:
        # The band has three lines, so nation and quality share one.
        after_comma = f"{quality_words[:1].lower()}{quality_words[1:]}"
        lines = [f"Commanded by {side.player}", f"{nation_words}, {after_comma}"]
    lines.append(f"{state.setup.title} · roster as it stands")
    turn = str(state.clock.turn)
    return TitleBand("Turn", turn, side.name, *lines, ink=look.ink)


def _facts(state: State, side: Side) -> Flowable:
    """What is left of a side, and when it is beaten."""
    pieces_left = []
    for piece in state.pieces():
        if piece.side == side.id and state.is_in_play(piece.id):
            pieces_left.append(piece)
    figures = sum(state.unit(piece.id).is_guy for piece in pieces_left)
    strength, lost = side_strength(state, side.id), state.loss.get(side.id, 0)
    name_of_half = "Half of the strength"
    if side.breaks:
        name_of_half = "Beaten at a loss of"
    return Fields.alike(
        ("Figures left", str(figures)),
        ("Models left", str(len(pieces_left) - figures)),
        ("Strength", str(strength)),
        ("Lost", str(lost)),
        (name_of_half, str(breaking_loss(state, side.id))),
    )


def _units(state: State, side: Side, look: SideInk, width: float, grown: float) -> list[Flowable]:
    """The rows of a side with a box for each piece, marked as it stands."""
    contingents = standing(state, side)
    lines: list[StandingRow] = []
    for contingent in contingents:
        lines += contingent.lines
    columns = (TYPE_COLUMN, SheetColumn("Left", 18, styles.COUNT), MOVE_COLUMN)
    table = standing_table(width, columns, contingents, _row_texts, grown=grown, look=look)
    units = {line.row.unit.id: line.row.unit for line in lines}
    boxes: list[Box] = []
    for line in lines:
        boxes += line.boxes
    key = key_of(boxes)
    head = Head("Units", "as they stand", look.ink)
    return [head, table, *shared_letters(units.values()), *key, Gap(GAP)]


def _row_texts(row: Row) -> tuple[str, str, str]:
    """What stands before the boxes of a row: the unit, how many are left, its move."""
    return row.unit.name, left_of(row), move(row.unit)


def works_left(state: State, side: Side) -> str:
    """``Sandbags: 2. Barbed wire: 4 of 6.``; empty for a side that never had any."""
    catalog = state.setup.catalog
    counts_now = state.works.get(side.id, {})
    lines = []
    for work, at_first in side.works.items():
        if not at_first:
            continue
        left = counts_now.get(work, 0)
        line = f"{catalog.works[work].name}: {left}"
        if left < at_first:
            line += f" of {at_first}"
        elif left > at_first:  # who digs gets more
            line += f" ({at_first} to begin with)"
        lines.append(line)
    if not lines:
        return ""
    return ". ".join(lines) + "."


def track_of_losses(state: State, side: Side, grown: float = 1.0) -> list[Flowable]:
    """A box for each potential dead guy up to the loss that beats the side, with losses struck;
    none where the break point is not played or nothing counts; ``grown``: the factor for the
    boxes."""
    if not side.breaks or not side_strength(state, side.id):
        return []
    break_point, lost = breaking_loss(state, side.id), state.loss.get(side.id, 0)
    codes, boxes = [], []
    for number in range(1, break_point + 1):
        code = ""
        if number % NUMBERED_EVERY == 0 or number == break_point:
            code = str(number)
        codes.append(code)
        if number <= lost:
            boxes.append(Box(code, LOST))
        else:
            tooltip = f"{side.people}: loss {number}"
            boxes.append(Box(code, UNMARKED, FormField(f"tick-{side.id}-losses-{number}", tooltip)))
    aside = f"{lost} lost, beaten at {break_point}"
    return loss_boxes(
        Boxes(boxes, box_width(codes, grown), grown=grown), state.setup.catalog, aside
    )


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
    lines: list[StandingRow]


def standing(state: State, side: Side, *, with_turn: bool = False) -> list[StandingContingent]:
    """A side's rows with their boxes by contingent, in the order of the battle. ``with_turn``: who
    has fired in this part of the turn is marked too, and who rides. Who is gone has no field."""
    pieces_of_row: dict[str, list[BattlePiece]] = {}
    for piece in state.pieces():
        if piece.side == side.id:
            pieces_of_row.setdefault(row_of(state, piece.id), []).append(piece)
    have_fired: frozenset[str] = frozenset()
    if with_turn:
        have_fired = _have_fired(state)
    lines_of_contingent: dict[str, list[StandingRow]] = {}
    for row in rows(state, side.id):
        boxes = []
        for piece in pieces_of_row.get(row.key, ()):
            marks = _marks(state, piece.id, have_fired, with_turn=with_turn)
            boxes.append(_box(side, row, piece, marks))
        lines_of_contingent.setdefault(row.contingent.id, []).append(StandingRow(row, boxes))
    contingents = []
    for contingent_id, lines in lines_of_contingent.items():
        contingent = state.setup.contingent_by_id[contingent_id]
        contingents.append(StandingContingent(contingent, lines))
    return contingents


def _box(side: Side, row: Row, piece: BattlePiece, marks: Marks) -> Box:
    """The box of a piece; there is nothing left to tick on one that is gone."""
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
    grown: float = 1.0,
    look: SideInk = NOBODYS,
) -> Flowable:
    """The rows of a side with their boxes, below the names of their contingents if there are
    several; ``texts``: what is in the ``columns`` before the boxes; ``look``: that of the side."""
    blocks = []
    for contingent, lines in contingents:
        is_waiting = any(line.is_waiting for line in lines)
        titles: list[Flowable] = []
        if len(contingents) > 1 or is_waiting:
            titles.append(paragraph(contingent.name, styles.STRONG))
        if is_waiting:
            titles.append(paragraph(enters(contingent), styles.ASIDE))
        units = [UnitLine(line.row.unit, texts(line.row), line.boxes) for line in lines]
        blocks.append(UnitBlock(titles, units))
    return unit_table(width, columns, blocks, signs=signs, grown=grown, look=look)


def left_of(row: Row) -> str:
    """``3 of 5``."""
    return f"{len(row.alive)} of {row.total}"


def enters(contingent: Contingent) -> str:
    """When and where it arrives, from its note or else its turn."""
    when = f"turn {contingent.enters}"
    # A scenario's note often names the turn itself; ``turn 1`` is not named by ``turn 12``.
    if re.search(rf"\b{when}\b", contingent.note):
        return contingent.note
    return f"Enters on {when}. {contingent.note}".strip()


def _marks(state: State, piece: str, have_fired: frozenset[str], *, with_turn: bool) -> Marks:
    """What has happened to a piece; ``with_turn``: also whether it has fired or rides."""
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
        if with_turn and state.rides(piece):
            marks.add("aboard")
    return frozenset(marks)


def _have_fired(state: State) -> frozenset[str]:
    """The pieces that have fired in this part of the turn, by the uses of their weapons."""
    fired = set()
    for use in state.fired:
        # The battle keeps the shots of the parts before, too.
        if use_turn_part(use) == str(state.turn_part):
            fired.add(use_piece(use))
    return frozenset(fired)


def spans(codes: Iterable[str]) -> str:
    """``K1, R4 to R13``: codes in order, three or more consecutive ones as a span."""
    ordered = sorted(codes, key=_by_number)
    runs: list[list[str]] = []
    for code in ordered:
        if runs and _by_number(code) == _after(runs[-1][-1]):
            runs[-1].append(code)
        else:
            runs.append([code])
    lines = []
    for run in runs:
        # Of two codes a span would be no shorter than both.
        if len(run) > 2:
            lines.append(f"{run[0]} to {run[-1]}")
        else:
            lines += run
    return ", ".join(lines)


def _by_number(code: str) -> tuple[str, int]:
    """``R12``: its letter, and its number as a number."""
    return code[:1], int(code[1:])


def _after(code: str) -> tuple[str, int]:
    """The code that comes next: ``R13`` after ``R12``."""
    letter, number = _by_number(code)
    return letter, number + 1
