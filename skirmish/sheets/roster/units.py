"""Tables shared by the rosters: units with their boxes, the firing table of their weapons, and
notes on the units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from skirmish.games.plastic.rules.catalog import Catalog, UnitType, Work
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head, section
from skirmish.sheets.layout.boxes import Boxes
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, Stack, with_next
from skirmish.sheets.layout.symbols import Symbol
from skirmish.sheets.layout.tables import TableColumn, TableLayout
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import GAP, MM
from skirmish.sheets.reference import firing_table, legend

Codes: TypeAlias = tuple[str, ...]


class Muster:
    """Assigns the codes of one side: the unit's letter and a number that counts per letter,
    contingent by contingent, types in the order of the catalog, like a battle at its start."""

    def __init__(self, catalog: Catalog) -> None:
        self._units = catalog.units
        self._taken: dict[str, int] = {}

    def next(self, counts: Mapping[str, int]) -> dict[str, Codes]:
        given, self._taken = self._numbered(counts)
        return given

    def one_of(self, options: Sequence[Mapping[str, int]]) -> list[dict[str, Codes]]:
        """The codes for each option of a choice. All start at the same number, as only one option
        arrives; numbering continues after the larger one."""
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


def unit_table(width: float, counts: Sequence[TableColumn]) -> TableLayout:
    places = (("", 5.8, styles.UNIT), ("Type", 29, styles.STRONG), *counts,
              ("Move", 18, styles.FIGURE), ("", 0, styles.UNIT))  # fmt: skip
    return TableLayout(width, places, pad=0, between=2.2 * MM)


def unit_rows(
    table: TableLayout,
    piece: UnitType | Work,
    counts: Sequence[str],
    boxes: Boxes,
    head: CellRow | None = None,
) -> list[CellRow]:
    """A line of the table with its boxes: as many as fit beside it, the others below."""
    unit = piece if isinstance(piece, UnitType) else None
    texts = [piece.name, *counts, _move(unit) if unit else ""]
    room = table.slots[-1][1]
    first, *rest = boxes.split(room, boxes.LEAD) or [boxes]
    cells = [Stack([Gap(1.3), paragraph(text, style)])
             for text, style in zip(texts, table.styles[1:], strict=False)]  # fmt: skip
    rows: list[CellRow] = [table.line([Symbol(unit) if unit else "", *cells, first], 0.5, 0.5)]
    indent = table.slots[1][0]
    rows += [CellRow([Cell(indent, table.width - indent, more)], above=0, below=0.5)
             for more in rest]  # fmt: skip
    for row in rows:
        row.head, row.weight = head, 0 if row is not rows[-1] else row.weight
    rows[0].keepWithNext = len(rows) > 1
    return rows


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
    lines = [paragraph(text, styles.SMALL, lead=f"{name}.") for name, text in texts if text]
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
