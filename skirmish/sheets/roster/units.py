"""Tables shared by the rosters: units with their boxes, the firing table of their weapons, and
notes on the units."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.sheets import inks
from skirmish.sheets.inks import SideInk
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, listing, section
from skirmish.sheets.layout.boxes import Box, Boxes, box_width
from skirmish.sheets.layout.flow import Flowable, Gap, height_of, with_next
from skirmish.sheets.layout.pages import OwnNotes, SheetPart
from skirmish.sheets.layout.symbols import Symbol, WorkSymbol
from skirmish.sheets.layout.tables import Cells, SheetColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.reference import firing_table, legend

Codes: TypeAlias = tuple[str, ...]
TYPE_COLUMN = SheetColumn("Type", 29, styles.STRONG)
MOVE_COLUMN = SheetColumn("Move, in", 18, styles.FIGURE)
SIGN = 5.8
"""The width of the column with the signs of the units, in mm."""
NOBODYS = SideInk(inks.BLACK, solid=False)
"""The look of units that belong to neither side of a battle."""

GROWN = (1.1, 1.2, 1.4, 1.6, 1.8, 2.0)
"""The factors by which boxes grow where a sheet has room, smallest first: to 8.4 mm."""
Build: TypeAlias = Callable[[float, Sequence[Flowable]], SheetPart]
"""Lays a sheet out with boxes grown by a factor, and with further blocks before the notes."""


def roomiest(build: Build, further: Sequence[Flowable] = ()) -> SheetPart:
    """The part with the largest boxes that takes no more pages than with the usual ones, and has
    room for notes if that has. Where even the largest leave much of the last page empty, those of
    the ``further`` blocks stand there that fit."""
    usual = build(1.0, [])
    usual_has_notes = _room_for_notes(usual) > 0
    largest, roomiest_part = 1.0, usual
    # Where boxes of one size have room, all smaller ones have, so half of the sizes left are ruled
    # out each time: to lay out a roster takes a tenth of a second.
    low, high = 0, len(GROWN)
    while low < high:
        middle = (low + high) // 2
        part = build(GROWN[middle], [])
        keeps_notes = _room_for_notes(part) > 0 or not usual_has_notes
        if len(part.pages) <= len(usual.pages) and keeps_notes:
            largest, roomiest_part = GROWN[middle], part
            low = middle + 1
        else:
            high = middle
    if roomiest_part is usual:
        return usual
    fitting = fitting_in(_room_for_notes(roomiest_part), further, usual.leaf.measure)
    if not fitting:
        return roomiest_part
    return build(largest, fitting)


def _room_for_notes(part: SheetPart) -> float:
    """The height of the lines to write on, which fill what is left of the last page."""
    last = part.pages[-1].content
    last.wrap(part.leaf.measure, part.leaf.depth)
    return float(last.flowables[-1].height)


def fitting_in(room: float, further: Sequence[Flowable], width: float) -> list[Flowable]:
    """Those of the blocks, in their order and each with a gap after it, that fit into ``room``
    points and leave enough of it for notes."""
    room -= OwnNotes().least(width)
    fitting: list[Flowable] = []
    for block in further:
        with_gap = height_of(block, width) + GAP
        if with_gap <= room:
            fitting += [block, Gap(GAP)]
            room -= with_gap
    return fitting


class UnitLine(NamedTuple):
    """A unit or work, the texts of its columns, and its boxes; as many of these as fit stand beside
    the texts, the others below."""

    unit: UnitType | Work
    texts: Sequence[str]
    boxes: Sequence[Box]


class UnitBlock(NamedTuple):
    """Lines of units below their titles."""

    titles: Sequence[Flowable]
    units: Sequence[UnitLine]


class CodesToGive:
    """Gives the pieces of one side their codes: the unit's letter and a number that counts per
    letter, contingent by contingent, types in the order of the catalog, like a battle at its
    start."""

    def __init__(self, catalog: Catalog, last_numbers: Counter[str] | None = None) -> None:
        """``last_numbers``: for each letter the last number that a unit has already."""
        self.catalog, self.last_numbers = catalog, Counter(last_numbers)

    def give(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        """The codes of so many units more, by the id of the unit, in the order of ``counts``."""
        codes: dict[str, Codes] = {}
        for name, unit in self.catalog.units.items():
            count = counts.get(name)
            if count:
                letter = unit.letter.upper()
                first = self.last_numbers[letter] + 1
                self.last_numbers[letter] += count
                numbers = range(first, first + count)
                codes[name] = tuple(f"{letter}{number}" for number in numbers)
        return {name: codes[name] for name in counts if name in codes}

    def give_options(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes for each option of a choice. All start at the same number, as only one option
        arrives; numbering continues after the larger one."""
        # The options begin alike: a copy, which the numbering of none of them changes.
        before = Counter(self.last_numbers)
        codes = []
        for option in options:
            of_option = CodesToGive(self.catalog, before)
            codes.append(of_option.give(option))
            # Of counters this is the larger of each.
            self.last_numbers |= of_option.last_numbers
        return codes


def unit_table(
    width: float,
    columns: Sequence[SheetColumn],
    blocks: Sequence[UnitBlock],
    *,
    signs: bool = True,
    grown: float = 1.0,
    look: SideInk = NOBODYS,
) -> Flowable:
    """Lines of units below the titles of their blocks; ``columns``: before those for the boxes;
    ``signs``: with the sign of the unit before these, in the ``look`` of its side; ``grown``: the
    factor for the boxes."""
    all_columns = [*columns, SheetColumn("", 0, styles.UNIT)]
    # Boxes that have no room beside the texts stand below them, in all of this width.
    below = width
    if signs:
        all_columns.insert(0, SheetColumn("", SIGN, styles.UNIT))
        below = width - SIGN * MM
    room = width - math.fsum(column.mm for column in all_columns) * MM
    box = box_width(_codes_in(blocks), grown)
    rows: list[Cells] = []
    for titles, units in blocks:
        for title in titles:
            rows.append([title])
        for unit, texts, boxes in units:
            first, *rest = Boxes(boxes, box, grown=grown).rows(room, below)
            row: list[str | Flowable] = [*texts, first]
            if signs:
                row.insert(0, _sign_of(unit, look))
            rows.append(row)
            for row_of_boxes in rest:
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
        for line in block.units:
            for box in line.boxes:
                yield box.code


def _sign_of(unit: UnitType | Work, look: SideInk) -> Flowable:
    if isinstance(unit, UnitType):
        return Symbol(unit, look.ink, solid=look.solid)
    return WorkSymbol(unit.id, look.ink)


def shared_letters(units: Iterable[UnitType]) -> list[Flowable]:
    """Lists the types that share a letter, as there are more types than letters."""
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


def move(piece: UnitType | Work) -> str:
    """``6, road 12``; empty for works."""
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


def weapons(
    catalog: Catalog, firing: Firing, units: Iterable[UnitType], width: float
) -> list[Flowable]:
    """The firing table of these units below its head; nothing if none of them fires."""
    in_order = list(units)
    if not firing.table(in_order):
        return []
    table = firing_table(firing, in_order, width, 0.1)
    signs = paragraph(legend(catalog), styles.NOTE)
    head = with_next(Head("Firing", "the weapons of this army"))
    return [head, table, Gap(1.4), signs, Gap(GAP)]


def loss_boxes(boxes: Boxes, catalog: Catalog, aside: str = "", hint: str = "") -> list[Flowable]:
    """The loss track below its head; ``hint``: a sentence after the rule."""
    strength = catalog.strength
    text = f"Tick {strength.guy} for a guy, {strength.model} for a model lost. {hint}"
    rule = with_next(paragraph(text, styles.SMALL))
    return section("Loss track", [rule, boxes], aside, between=1.2)


def notes(units: Iterable[UnitType], works: Iterable[Work] = ()) -> list[Flowable]:
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
    # A note of its own tells that, too.
    if unit.passengers_fire and not unit.note:
        sentences.append(f"{unit.passengers_fire} of those aboard may fire.")
    if unit.note:
        sentences.append(unit.note)
    return " ".join(sentences)
