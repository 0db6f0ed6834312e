"""Tables shared by the rosters: units with their boxes, the firing table of their weapons, and
notes on the units."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, listing, section
from skirmish.sheets.layout.boxes import Box, Boxes, box_width
from skirmish.sheets.layout.flow import Flowable, Gap, with_next
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.tables import Cells, TableColumn, printed_table
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.reference import firing_table, legend

Codes: TypeAlias = tuple[str, ...]
TYPE, MOVE = ("Type", 29, styles.STRONG), ("Move, in", 18, styles.FIGURE)
SIGN = 5.8
"""mm."""


class UnitLine(NamedTuple):
    """As many boxes as fit stand beside the texts, the others below."""

    unit: UnitType | Work
    texts: Sequence[str]
    boxes: Sequence[Box]


class Muster:
    """Assigns the codes of one side: the unit's letter and a number that counts per letter,
    contingent by contingent, types in the order of the catalog, like a battle at its start."""

    def __init__(self, catalog: Catalog, taken: Counter[str] | None = None) -> None:
        self.catalog, self.taken = catalog, Counter(taken)

    def next(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        given: dict[str, Codes] = {}
        for name, unit in self.catalog.units.items():
            if count := counts.get(name):
                letter = unit.letter.upper()
                first = self.taken[letter] + 1
                self.taken[letter] += count
                given[name] = tuple(f"{letter}{n}" for n in range(first, first + count))
        return {name: given[name] for name in counts if name in given}

    def one_of(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes for each option of a choice. All start at the same number, as only one option
        arrives; numbering continues after the larger one."""
        ways = [Muster(self.catalog, self.taken) for _ in options]
        given = [way.next(option) for way, option in zip(ways, options, strict=True)]
        for way in ways:
            self.taken |= way.taken
        return given


def unit_table(
    width: float,
    columns: Sequence[TableColumn],
    blocks: Sequence[tuple[Sequence[Flowable], Sequence[UnitLine]]],
    *,
    signs: bool = True,
) -> Flowable:
    """Lines of units below the titles of their blocks; ``columns``: before those for the boxes."""
    places = [("", SIGN, styles.UNIT)] * signs + [*columns, ("", 0, styles.UNIT)]
    room = width - math.fsum(wide for _, wide, _ in places) * MM
    box = box_width(box.code for _, units in blocks for unit in units for box in unit.boxes)
    rows: list[Cells] = []
    for titles, units in blocks:
        rows += ([title] for title in titles)
        for unit, texts, boxes in units:
            first, *rest = Boxes(boxes, box).rows(room, width - SIGN * MM * signs)
            sign = [Symbol(unit) if isinstance(unit, UnitType) else ""] * signs
            rows.append([*sign, *texts, first])
            rows += ([*[""] * signs, more] for more in rest)
    return printed_table(
        width, places, rows, air=0.5, tinted=False, pad=0, between=2.2 * MM, middle=True
    )


def sharing(units: Iterable[UnitType]) -> list[Flowable]:
    """Lists the types that share a letter, as there are more types than letters."""
    by_letter: dict[str, list[str]] = {}
    for unit in units:
        by_letter.setdefault(unit.letter.upper(), []).append(unit.name)
    lines = [
        f"{' and '.join(names)} share the letter {letter}: their numbers run on."
        for letter, names in by_letter.items()
        if len(names) > 1
    ]
    return [Gap(1), paragraph(" ".join(lines), styles.NOTE)] if lines else []


def move(piece: UnitType | Work) -> str:
    if not isinstance(piece, UnitType):
        return ""
    ways = (("", piece.move), ("road ", piece.road_move), ("water ", piece.water_move))
    return ", ".join(f"{how}{far}" for how, far in ways if far) or NONE


def weapons(
    catalog: Catalog, firing: Firing, units: Iterable[UnitType], width: float
) -> list[Flowable]:
    known = list(units)
    if not firing.table(known):
        return []
    table = firing_table(firing, known, width, 0.1)
    signs = paragraph(legend(catalog), styles.NOTE)
    head = with_next(Head("Firing", "the weapons of this army"))
    return [head, table, Gap(1.4), signs, Gap(GAP)]


def loss_boxes(boxes: Boxes, catalog: Catalog, aside: str = "", hint: str = "") -> list[Flowable]:
    strength = catalog.strength
    how = f"Tick {strength.guy} for a guy, {strength.model} for a model lost. {hint}"
    return section(
        "Loss track", [with_next(paragraph(how, styles.SMALL)), boxes], aside, between=1.2
    )


def notes(units: Iterable[UnitType], works: Iterable[Work] = ()) -> list[Flowable]:
    texts = [(unit.name, _of_unit(unit)) for unit in units]
    texts += [(work.name, work.note) for work in works]
    return listing("Notes", (one for one in texts if one[1]))


def _of_unit(unit: UnitType) -> str:
    parts = []
    if unit.seats:
        tows = " and tows a cannon" if unit.tows_cannon else ""
        parts.append(f"Seats {unit.seats}{tows}.")
    if unit.passengers_fire and not unit.note:
        parts.append(f"{unit.passengers_fire} of those aboard may fire.")
    if unit.note:
        parts.append(unit.note)
    return " ".join(parts)
