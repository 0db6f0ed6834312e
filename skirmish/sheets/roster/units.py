"""Tables shared by the rosters: units with their boxes, the firing table of their weapons, and
notes on the units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.sheets import inks
from skirmish.sheets.firing_table import firing_legend, firing_table
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, listing
from skirmish.sheets.layout.boxes import Box, Boxes, box_width
from skirmish.sheets.layout.flow import Flowable, Gap, Unbroken
from skirmish.sheets.layout.symbols import Symbol, WorkSymbol
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM

TYPE_COLUMN = SheetColumn("Type", 29, styles.STRONG)
MOVE_COLUMN = SheetColumn("Move, in", 18, styles.FIGURE)
SIGN_WIDTH = 5.8
"""The width of the column with the signs of the units, in mm."""
NEUTRAL_LOOK = SideInk(inks.BLACK, solid=False)
"""The look of units outside a battle, where they belong to neither side."""


class UnitLine(NamedTuple):
    """A unit or work, the texts of its columns, and its boxes; as many of these as fit stand beside
    the texts, the others below."""

    unit: UnitType | Work
    texts: Sequence[str]
    boxes: Sequence[Box]


class UnitBlock(NamedTuple):
    """Lines of units below their titles."""

    titles: Sequence[Flowable]
    lines: Sequence[UnitLine]


def unit_table(
    width: float,
    columns: Sequence[SheetColumn],
    blocks: Sequence[UnitBlock],
    *,
    signs: bool = True,
    growth: float = 1.0,
    look: SideInk = NEUTRAL_LOOK,
) -> Flowable:
    """Lines of units below the titles of their blocks. From left to right a line has, with
    ``signs``, the sign of the unit in the ``look`` of its side, then the ``columns``, then the
    boxes; ``growth``: the factor by which boxes are larger than usual."""
    all_columns = [*columns, SheetColumn("", 0, styles.UNIT)]
    # Boxes that have no room beside the texts stand below them, in all of this width.
    room_below = width
    if signs:
        all_columns.insert(0, SheetColumn("", SIGN_WIDTH, styles.UNIT))
        room_below = width - SIGN_WIDTH * MM
    room_beside = width - math.fsum(column.mm for column in all_columns) * MM
    # All boxes of the table have one width.
    width_of_box = box_width(_codes_in(blocks), growth)
    rows: list[Cells] = []
    for block in blocks:
        for title in block.titles:
            rows.append([title])
        for line in block.lines:
            boxes = Boxes(line.boxes, width_of_box, growth=growth)
            beside, *below = boxes.rows(room_beside, room_below)
            row: list[str | Flowable] = [*line.texts, beside]
            if signs:
                row.insert(0, _sign_of(line.unit, look))
            rows.append(row)
            for row_of_boxes in below:
                # Under the names, but not under the signs.
                if signs:
                    rows.append(["", row_of_boxes])
                else:
                    rows.append([row_of_boxes])
    return printed_table(
        width, all_columns, rows, air=0.5, tinted=False, pad=0, between=2.2 * MM, middle=True
    )


def _codes_in(blocks: Sequence[UnitBlock]) -> Iterator[str]:
    """The codes of all boxes of these blocks."""
    for block in blocks:
        for line in block.lines:
            for box in line.boxes:
                yield box.code


def _sign_of(unit: UnitType | Work, look: SideInk) -> Flowable:
    if isinstance(unit, UnitType):
        return Symbol(unit, look.ink, solid=look.solid)
    return WorkSymbol(unit.id, look.ink)


def shared_letters(units: Iterable[UnitType]) -> list[Flowable]:
    """A sentence for each letter that several of these types share, as there are more types than
    letters; nothing if none is shared."""
    by_letter: dict[str, list[str]] = {}
    for unit in units:
        by_letter.setdefault(unit.letter.upper(), []).append(unit.name)
    lines = []
    for letter, names in by_letter.items():
        if len(names) > 1:
            shared_by = " and ".join(names)
            lines.append(f"{shared_by} share the letter {letter}: their numbers run on.")
    if not lines:
        return []
    return [Gap(1), paragraph(" ".join(lines), styles.NOTE)]


def move_in_words(piece: UnitType | Work) -> str:
    """How far a unit moves, in inches: ``6, road 12``; empty for works."""
    if not isinstance(piece, UnitType):
        return ""
    ways = []
    if piece.move:
        ways.append(str(piece.move))
    if piece.road_move:
        ways.append(f"road {piece.road_move}")
    if piece.water_move:
        ways.append(f"water {piece.water_move}")
    return ", ".join(ways) or NONE


def firing_section(
    catalog: Catalog, firing: Firing, units: Iterable[UnitType], width: float
) -> list[Flowable]:
    """The firing table of these units below its head; nothing if none of them fires."""
    shooters = list(units)
    if not firing.table(shooters):
        return []
    table = firing_table(firing, shooters, width, 0.1)
    legend = paragraph(firing_legend(catalog), styles.NOTE)
    head = Head("Firing", "the weapons of this army")
    # The legend below the table explains its signs, and so no page parts the two.
    return [Unbroken([head, table, Gap(1.4), legend]), Gap(GAP)]


def unit_notes(units: Iterable[UnitType], works: Iterable[Work] = ()) -> list[Flowable]:
    """Notes on those units and works that have any."""
    lines = []
    for unit in units:
        text = _note_on(unit)
        if text:
            lines.append((unit.name, text))
    for work in works:
        if work.note:
            lines.append((work.name, work.note))
    return listing("Notes", lines)


def _note_on(unit: UnitType) -> str:
    """Seats and what is special about a unit, in sentences; empty for most."""
    sentences = []
    if unit.seats:
        seats = f"Seats {unit.seats}"
        if unit.tows_cannon:
            seats += " and tows a cannon"
        sentences.append(f"{seats}.")
    # Where the unit has a note, that covers who may fire.
    if unit.passengers_fire and not unit.note:
        sentences.append(f"{unit.passengers_fire} of those aboard may fire.")
    if unit.note:
        sentences.append(unit.note)
    return " ".join(sentences)
