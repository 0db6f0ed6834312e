"""A side of a battle in progress: its facts, its units, its losses and its cards."""

from __future__ import annotations

from skirmish.games.plastic.battle.rows import Row
from skirmish.games.plastic.battle.setup import Side
from skirmish.games.plastic.battle.state import State
from skirmish.games.plastic.battle.strength import breaking_loss, side_strength
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.flow import Block, Flowable, Gap, with_next
from skirmish.sheets.layout.tables import SheetColumn, facts
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.position.cards import cards_left
from skirmish.sheets.position.piece_notes import piece_notes
from skirmish.sheets.roster.losses import loss_track_of_side
from skirmish.sheets.roster.standing import left_of, standing, standing_table, works_left

UNIT_COLUMNS = SheetColumn("", 24, styles.UNIT), SheetColumn("", 16, styles.COUNT)
"""The columns before the boxes of each unit: its name, and how many are left."""
LONGEST_IN_HEAD = 30
"""The most letters of a name that always fits a head; longer ones are printed below it."""


def side_block(state: State, side: Side, look: SideInk, width: float, growth: float = 1.0) -> Block:
    """All about a side: its facts, its units with notes on them, its losses, its cards; ``growth``:
    the factor for the boxes."""
    mover_words = ""
    if state.mover == side.id and state.outcome is None:
        mover_words = "moves now"
    story: Block = [Head(side.people, mover_words, look.ink)]
    # The head has the people; a name of its own stands below, and so does one that was cut there.
    if side.name != side.people or len(side.name) > LONGEST_IN_HEAD:
        story.append(with_next(paragraph(side.name, styles.FORCE)))
    story += [with_next(Gap(0.6 * MM)), _facts(state, side, width), Gap(0.8 * MM)]
    contingents = standing(state, side, with_turn=True)
    story.append(
        standing_table(width, UNIT_COLUMNS, contingents, _row_texts, signs=False, growth=growth)
    )

    notes = list(piece_notes(state, side.id))
    works = works_left(state, side)
    if works:
        notes.insert(0, ("Works left", works))
    for term, text in notes:
        story += [Gap(1.4), paragraph(text, styles.SMALL, lead=f"{term}.")]

    track = loss_track_of_side(state, side, growth)
    if track:
        story += [Gap(GAP), *track]
    story += _cards_or_die(state, side, width, growth)
    return story


def _facts(state: State, side: Side, width: float) -> Flowable:
    """The losses of a side and when it is beaten, its commander, quality and nation."""
    lost, strength = state.loss.get(side.id, 0), side_strength(state, side.id)
    break_point = breaking_loss(state, side.id)
    # The same loss, half the strength, is named to a side that is not beaten by it.
    beaten = f"half is {break_point}; no break point here"
    if side.breaks:
        beaten = f"beaten at {break_point}"
    lines = [("Strength", f"{lost} of {strength} lost; {beaten}")]
    if side.player:
        lines.append(("Commander", side.player))
    quality, nation = state.quality_of(side.id), state.nation_of(side.id)
    if quality:
        lines.append(("Force quality", quality.name))
    if nation:
        lines.append(("Nationality", nation.name))
    return facts(lines, width, 23, 0.7)


def _row_texts(row: Row) -> tuple[str, str]:
    """What stands before the boxes of a row: the unit, and how many are left."""
    name = row.unit.name
    if row.pinned:
        name += f" ({row.pinned} pinned)"
    return name, left_of(row)


def _cards_or_die(state: State, side: Side, width: float, growth: float) -> Block:
    """The cards that a side has left, or its die; nothing where it draws from the other side's
    deck, or where the program is not told what is drawn."""
    draws_from_enemys = state.source_of(side.id) != side.id
    # At the level of the ledger players draw at the table, and the program knows no cards.
    if draws_from_enemys or state.levels[side.id] == "ledger":
        return []
    source = state.sources[side.id]
    title, if_shared = "Cards", "both sides draw from this deck"
    if source.kind == "die":
        title, if_shared = "Die", "both sides roll it"
    aside = ""
    if state.source_of(state.setup.enemy_of(side.id).id) == side.id:
        aside = if_shared
    return [Gap(GAP), Head(title, aside), Gap(0.8 * MM), *cards_left(source, side, width, growth)]
