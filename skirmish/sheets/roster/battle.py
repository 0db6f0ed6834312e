"""The rosters of a battle in progress: both sides in turn, with losses struck out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from skirmish.games.plastic.battle.rows import Row, rows
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.games.plastic.battle.view import view
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.firing_table import Firing
from skirmish.sheets.documents import StoredGame
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, OwnNotes
from skirmish.sheets.layout.boxes import Box, key_of_marks
from skirmish.sheets.layout.flow import Flowable, Gap
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.tables import SheetColumn
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, MM, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import tables_to_play_by
from skirmish.sheets.roster.losses import loss_track_of_side
from skirmish.sheets.roster.roomiest import roomiest
from skirmish.sheets.roster.standing import (
    StandingRow,
    how_many_left,
    side_looks,
    standing_contingents,
    standing_table,
    works_left,
)
from skirmish.sheets.roster.units import (
    MOVE_COLUMN,
    TYPE_COLUMN,
    firing_section,
    move_in_words,
    shared_letters,
    unit_notes,
)


@as_pdf
def standing_rosters_pdf(page: Leaf, battle: StoredGame) -> PdfDocument:
    """The rosters of both sides of a battle in progress, with losses struck out. Units that are
    hidden are omitted, since both sides look at the sheet."""
    state = view(battle.play.state, None)  # as a spectator sees it
    parts = []
    setup = state.setup
    tables = tables_to_play_by(setup.catalog, setup.rulings, page.measure)
    for side in setup.sides:
        parts.append(roomiest(partial(_roster, state, side, page), tables))
    name = f"{setup.title}: rosters as they stand"
    return PdfDocument(name, f"{GAME}: rosters of a battle", parts)


def _roster(
    state: State,
    side: Side,
    page: Leaf,
    growth: float,
    further: Sequence[Flowable],
) -> SheetPart:
    """The roster of a side. ``growth``: the factor for its boxes; ``further``: the tables for which
    there is room below it."""
    width = page.measure
    index = state.setup.sides.index(side)
    look = side_looks(state)[index]
    catalog = state.setup.catalog
    units = _units_of(rows(state, side.id))
    firing = Firing(catalog, state.setup.rulings, state.nation_of(side.id))

    story: list[Flowable] = [
        _title_band(state, side, look),
        Gap(1.6 * MM),
        _facts(state, side),
        Gap(GAP),
    ]
    story += _unit_rows(state, side, look, width, growth)
    works = works_left(state, side)
    if works:
        head = Head("Works left", "do not count as losses", look.ink)
        story += [head, Gap(MM), paragraph(works), Gap(GAP)]
    story += firing_section(catalog, firing, units, width)
    track = loss_track_of_side(state, side, growth)
    if track:
        story += [*track, Gap(GAP)]
    remarks = unit_notes(units)
    if remarks:
        story += [*remarks, Gap(GAP)]
    story += [*further, OwnNotes()]

    turn = f"turn {state.clock.turn}"
    parts_of_footer = "Roster as it stands", state.setup.title, side.people, turn, GAME
    return SheetPart(page, story, side.people, *parts_of_footer)


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
        # The band has room for three lines, so nation and quality share one.
        after_comma = f"{quality_words[:1].lower()}{quality_words[1:]}"
        lines = [f"Commanded by {side.player}", f"{nation_words}, {after_comma}"]
    lines.append(f"{state.setup.title} · roster as it stands")
    turn = str(state.clock.turn)
    return TitleBand("Turn", turn, side.name, *lines, ink=look.ink)


def _facts(state: State, side: Side) -> Flowable:
    """What is left of a side, and the loss that beats it."""
    pieces_left = []
    for piece in state.pieces():
        if piece.side == side.id and state.is_in_play(piece.id):
            pieces_left.append(piece)
    # Guys are figures, everything else is a model.
    figures = len([piece for piece in pieces_left if state.unit(piece.id).is_guy])
    strength = side_strength(state, side.id)
    lost = state.loss.get(side.id, 0)
    # Without a break point, half of the strength beats nobody, but shows how a side fares.
    half_label = "Half of the strength"
    if side.breaks:
        half_label = "Beaten at a loss of"
    return Fields.alike(
        ("Figures left", str(figures)),
        ("Models left", str(len(pieces_left) - figures)),
        ("Strength", str(strength)),
        ("Lost", str(lost)),
        (half_label, str(breaking_loss(state, side.id))),
    )


def _units_of(rows_of_side: Iterable[Row]) -> list[UnitType]:
    """The units of a side, each once: one may have rows in several contingents."""
    by_id = {row.unit.id: row.unit for row in rows_of_side}
    return list(by_id.values())


def _unit_rows(
    state: State, side: Side, look: SideInk, width: float, growth: float
) -> list[Flowable]:
    """The rows of a side with a box for each piece, marked as it stands."""
    contingents = standing_contingents(state, side)
    standing_rows: list[StandingRow] = []
    for contingent in contingents:
        standing_rows += contingent.standing_rows
    units = _units_of(standing_row.row for standing_row in standing_rows)
    columns = (TYPE_COLUMN, SheetColumn("Left", 18, styles.COUNT), MOVE_COLUMN)
    table = standing_table(width, columns, contingents, _row_texts, growth=growth, look=look)
    boxes: list[Box] = []
    for standing_row in standing_rows:
        boxes += standing_row.boxes
    key = key_of_marks(boxes)
    head = Head("Units", "as they stand", look.ink)
    return [head, table, *shared_letters(units), *key, Gap(GAP)]


def _row_texts(row: Row) -> tuple[str, str, str]:
    """What stands before the boxes of a row: the unit, how many are left, its move."""
    return row.unit.name, how_many_left(row), move_in_words(row.unit)
