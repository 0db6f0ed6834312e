"""The tables that rosters have in common: units with their weapons and boxes, the firing table of
just those weapons, and what the numbers do not say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, UnitType
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, section
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, Stack, height_of, with_next
from skirmish.sheets.layout.tables import TableColumn, TableLayout
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.reference import firing_table, legend

NAME = 26.5 * MM
"""Where the boxes begin: right of the name for up to five, else in the lines below."""
Codes: TypeAlias = tuple[str, ...]


class Muster:
    """Gives out the codes of one side, each letter counted by itself: the unit's letter and a
    number, contingent by contingent, types in the order of the catalog, as a battle does when it
    opens."""

    def __init__(self, catalog: Catalog) -> None:
        self._units = catalog.units
        self._taken: dict[str, int] = {}

    def next(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        given, self._taken = self._numbered(counts)
        return given

    def one_of(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes under each option of a choice. They begin at the same number, for only one
        option comes; what follows is counted as if the larger had come."""
        results = [self._numbered(option) for option in options]
        for _, taken in results:
            for letter, number in taken.items():
                self._taken[letter] = max(number, self._taken.get(letter, 0))
        return [given for given, _ in results]

    def _numbered(self, counts: Mapping[str, int]) -> tuple[dict[str, Codes], dict[str, int]]:
        taken = dict(self._taken)
        given: dict[str, Codes] = {}
        for name, unit in self._units.items():
            if not counts.get(name):
                continue
            letter = unit.letter.upper()
            first = taken.get(letter, 0) + 1
            taken[letter] = first + counts[name] - 1
            given[name] = tuple(f"{letter}{n}" for n in range(first, taken[letter] + 1))
        return {name: given[name] for name in counts if name in given}, taken


STATISTICS = (
    ("Move", 21, styles.FIGURE),
    ("Weapon", 24, styles.UNIT),
    ("Range", 24, styles.UNIT),
    ("Guys", 11, styles.UNIT),
    ("Armored", 12, styles.UNIT),
    ("Unarmored", 13, styles.UNIT),
)


def unit_table(width: float, counts: Sequence[TableColumn]) -> TableLayout:
    places = (("Type", 0, styles.STRONG), *counts, *STATISTICS)
    return TableLayout(width, places, pad=0, between=2.2 * MM)


def statistics(unit: UnitType, firing: Firing) -> list[str | Flowable]:
    weapons = [(gun.weapon, gun.reach, gun.guys, gun.armored, gun.unarmored)
               for gun in firing.entries(unit)] or [(NONE,) * 5]  # fmt: skip
    columns = [[paragraph(text, styles.UNIT) for text in column]
               for column in zip(*weapons, strict=True)]  # fmt: skip
    return [_move(unit), *map(Stack, columns)]


def ticked(stats: CellRow, boxes: Boxes, width: float, head: CellRow | None) -> list[Flowable]:
    """A line of the table with its boxes: the first five beside the name, the others below."""
    few = Cell(NAME, Boxes.five(boxes.box), boxes)
    beside: Flowable | None = boxes
    more: Flowable | None = None
    if few.x + few.width > stats.cells[1].x + 9 * MM:  # codes so long that five have no room
        beside, more = None, boxes
    elif halves := boxes.split(few.width, _beside(stats)):
        beside, more = halves
    stats.head, stats.above = head, 1.6
    if beside is not None:
        name = stats.cells[0]._replace(width=NAME - 1 * MM)
        # the boxes come last, so that whoever reads the text has all codes in a row
        stats.cells = (name, *stats.cells[1:], few._replace(inner=beside))
        stats.below = 0 if more else 1.6
    if more is None:
        return [stats]
    below = CellRow([Cell(NAME, width - NAME, more)], above=0, below=1.6)
    stats.weight, stats.keepWithNext = 0, True
    below.head = head
    return [stats, below]


def _beside(stats: CellRow) -> float:
    """The room of the lines of boxes that stand beside a line of the table, whole ones."""
    tallest = max(height_of(cell.inner, cell.width) for cell in stats.cells)
    return -(-tallest // Boxes.LEAD) * Boxes.LEAD


def sharing(units: Iterable[UnitType]) -> list[Flowable]:
    """Which types share a letter, since there are more types than letters."""
    by_letter: dict[str, list[str]] = {}
    for unit in units:
        by_letter.setdefault(unit.letter.upper(), []).append(unit.name)
    lines = [
        f"{' and '.join(names)} share the letter {letter}: their numbers run on."
        for letter, names in by_letter.items()
        if len(names) > 1
    ]
    return [Gap(1), paragraph(" ".join(lines), styles.NOTE)] if lines else []


def _move(unit: UnitType) -> str:
    ways = [
        str(unit.move) if unit.move else "",
        f"road {unit.road_move}" if unit.road_move else "",
        f"water {unit.water_move}" if unit.water_move else "",
    ]
    return ", ".join(way for way in ways if way) or NONE


def weapons(
    catalog: Catalog, firing: Firing, units: Iterable[UnitType], width: float
) -> list[Flowable]:
    known = list(units)
    if not firing.table(known):
        return []
    head = with_next(Head("Firing", "the weapons of this army"))
    return [
        head,
        firing_table(firing, known, width, 0.4),
        Gap(1.4),
        paragraph(legend(catalog), styles.NOTE),
        Gap(GAP),
    ]


def loss_boxes(boxes: Boxes, catalog: Catalog, aside: str = "", says: str = "") -> list[Flowable]:
    strength = catalog.strength
    how = f"Tick {strength.guy} for a guy, {strength.model} for a model lost. {says}"
    return section("Loss track", [paragraph(how, styles.SMALL), boxes], aside, between=1.2)


def notes(units: Iterable[UnitType]) -> list[Flowable]:
    told = [(unit.name, _of_unit(unit)) for unit in units]
    lines = [paragraph(text, styles.SMALL, lead=f"{name}.") for name, text in told if text]
    return section("Notes", lines, between=1.2)


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
