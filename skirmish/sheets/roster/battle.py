"""The rosters of a battle in progress: both sides in turn, with losses struck out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from skirmish.games.plastic.battle.names import use_piece
from skirmish.games.plastic.battle.rows import Row, break_alarm, row_of, rows, side_strength
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
    NONE,
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
from skirmish.sheets.layout.tables import TableColumn
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.roster.units import (
    MOVE,
    TYPE,
    UnitLine,
    loss_boxes,
    move,
    notes,
    sharing,
    unit_table,
    weapons,
)


@as_pdf
def standing_rosters_pdf(page: Leaf, battle: StoredGame) -> PdfDocument:
    """The rosters of both sides of a battle in progress, with losses struck out. Secretly placed
    units are omitted, since both sides look at the sheet."""
    seen = view(battle.play.state, None)
    parts = [
        _roster(seen, side, look, page)
        for side, look in zip(seen.setup.sides, side_looks(seen), strict=True)
    ]
    name = f"{seen.setup.title}: rosters as they stand"
    return PdfDocument(name, f"{GAME}: rosters of a battle", parts)


def side_looks(state: State) -> tuple[SideInk, SideInk]:
    """The looks of the two sides of a battle, in the order of its set-up."""
    first, second = (side.nation or side.id for side in state.setup.sides)
    return looks(first, second)


def _roster(state: State, side: Side, look: SideInk, page: Leaf) -> SheetPart:
    width = page.measure
    units = {row.unit.id: row.unit for row in rows(state, side.id)}
    nation = state.nation_of(side.id)
    firing = Firing(state.setup.catalog, state.setup.rulings, nation)
    flow: list[Flowable] = [_band(state, side), Gap(1.6 * MM), _facts(state, side), Gap(GAP)]
    flow += _units(state, side, look, width)
    if works := works_left(state, side):
        flow += [
            Head("Works left", "do not count as losses", look.ink),
            Gap(MM),
            paragraph(works),
            Gap(GAP),
        ]
    flow += weapons(state.setup.catalog, firing, units.values(), width)
    if track := track_of_losses(state, side):
        flow += [*track, Gap(GAP)]
    flow += notes(units.values())
    turn = f"turn {state.clock.turn}"
    return SheetPart(
        page,
        [*flow, OwnNotes()],
        side.people,
        "Roster as it stands",
        state.setup.title,
        side.people,
        turn,
        GAME,
    )


def _band(state: State, side: Side) -> Flowable:
    nation, quality = state.nation_of(side.id), state.quality_of(side.id)
    traits = nation.name if nation else "Without nationalities"
    troops = f"{quality.name} troops" if quality else "Without force quality"
    first, second = traits, troops
    if side.player:
        first, second = f"Commanded by {side.player}", f"{traits}, {troops[:1].lower()}{troops[1:]}"
    last = f"{state.setup.title} · roster as it stands"
    turn = str(state.clock.turn)
    return TitleBand("Turn", turn, side.name.upper(), first, second, last)


def _facts(state: State, side: Side) -> Flowable:
    own = [piece for piece in state.pieces() if piece.side == side.id and state.is_up(piece.id)]
    figures = sum(state.unit(piece.id).is_guy for piece in own)
    whole, lost = side_strength(state, side.id), state.loss.get(side.id, 0)
    at = break_alarm(state, side.id)
    return Fields.alike(
        ("Figures left", str(figures)),
        ("Models left", str(len(own) - figures)),
        ("Strength", str(whole)),
        ("Lost", str(lost)),
        ("Beaten at a loss of" if side.breaks else "Half of the strength", str(at)),
    )


def _units(state: State, side: Side, look: SideInk, width: float) -> list[Flowable]:
    found = standing(state, side)
    columns = (TYPE, ("Left", 18, styles.COUNT), MOVE)
    table = standing_table(
        width, columns, found, lambda row: [row.unit.name, left_of(row), move(row.unit)]
    )
    units = {row.unit.id: row.unit for _, lines in found for row, _ in lines}
    key = key_of(box for _, lines in found for _, boxes in lines for box in boxes)
    return [Head("Units", "as they stand", look.ink), table, *sharing(units.values()), *key,
            Gap(GAP)]  # fmt: skip


def works_left(state: State, side: Side) -> str:
    """``2 sandbags, 4 barbed wire of 6``; empty for a side that never had any."""
    catalog = state.setup.catalog
    left = state.works.get(side.id, {})
    lines = []
    for work, had in side.works.items():
        if had:
            has = left.get(work, 0)
            begun = f" of {had}" if has < had else f" ({had} to begin with)" if has > had else ""
            lines.append(f"{catalog.works[work].name}: {has}{begun}")
    return ". ".join(lines) + "." if lines else ""


def track_of_losses(state: State, side: Side) -> list[Flowable]:
    """A box for each potential dead guy up to the loss that beats the side, with losses struck;
    none where the break point is not played or nothing counts."""
    at, lost = break_alarm(state, side.id), state.loss.get(side.id, 0)
    if not side.breaks or not side_strength(state, side.id):
        return []
    codes = [str(n) if n % 5 == 0 or n == at else "" for n in range(1, at + 1)]
    boxes = [
        Box(code, LOST) if n <= lost
        else Box(code, NONE, FormField(f"tick-{side.id}-losses-{n}", f"{side.people}: loss {n}"))
        for n, code in enumerate(codes, 1)
    ]  # fmt: skip
    return loss_boxes(
        Boxes(boxes, box_width(codes)), state.setup.catalog, f"{lost} lost, beaten at {at}"
    )


Standing: TypeAlias = tuple[Row, list[Box]]
Standings: TypeAlias = list[tuple[Contingent, list[Standing]]]


def standing(state: State, side: Side, *, firing: bool = False) -> Standings:
    """A side's rows with their boxes by contingent, in the order of the battle; ``firing`` also
    marks who has fired in this part of the turn, and riders. Who is gone has no field."""
    members: dict[str, list[BattlePiece]] = {}
    for piece in state.pieces():
        if piece.side == side.id:
            members.setdefault(row_of(state, piece.id), []).append(piece)
    have_fired = _have_fired(state) if firing else frozenset()
    found: dict[str, list[Standing]] = {}
    for row in rows(state, side.id):
        boxes = []
        for piece in members.get(row.key, ()):
            marks = _marks(state, piece.id, have_fired, firing)
            tooltip = f"{side.people}: {row.unit.name} {piece.code}"
            own = None if marks & GONE else FormField(f"tick-{side.id}-{piece.code}", tooltip)
            boxes.append(Box(piece.code, marks, own))
        found.setdefault(row.contingent.id, []).append((row, boxes))
    return [(state.setup.contingent_by_id[name], lines) for name, lines in found.items()]


def standing_table(
    width: float,
    columns: Sequence[TableColumn],
    found: Standings,
    texts: Callable[[Row], Sequence[str]],
    *,
    signs: bool = True,
) -> Flowable:
    blocks = []
    for contingent, lines in found:
        waits = any("to come" in box.marks for _, boxes in lines for box in boxes)
        titles: list[Flowable] = []
        if len(found) > 1 or waits:
            titles.append(paragraph(contingent.name, styles.STRONG))
        if waits:
            titles.append(paragraph(enters(contingent), styles.ASIDE))
        blocks.append((titles, [UnitLine(row.unit, texts(row), boxes) for row, boxes in lines]))
    return unit_table(width, columns, blocks, signs=signs)


def left_of(row: Row) -> str:
    return f"{len(row.alive)} of {row.total}"


def enters(contingent: Contingent) -> str:
    """When and where it arrives, from its note or else its turn."""
    when = f"turn {contingent.enters}"
    if when in contingent.note:
        return contingent.note
    return f"Enters on {when}. {contingent.note}".strip()


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
    now = f"{state.span}:"
    return frozenset(use_piece(use) for use in state.fired if use.startswith(now))


def spans(codes: Iterable[str]) -> str:
    """``K1, R4 to R13``: codes in order, three or more consecutive ones as a span."""
    ordered = sorted(codes, key=lambda code: (code[:1], int(code[1:])))
    runs: list[list[str]] = []
    for code in ordered:
        if runs and code == f"{code[:1]}{int(runs[-1][-1][1:]) + 1}" and code[0] == runs[-1][0][0]:
            runs[-1].append(code)
        else:
            runs.append([code])
    lines = (f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(run) for run in runs)
    return ", ".join(lines)
