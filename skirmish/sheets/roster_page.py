"""The page of a roster, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import Breach, breaches
from skirmish.games.plastic.rules.catalog import UnitType
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.army_state import breach_blocks, limits_block, loss_track
from skirmish.sheets.band import Fact, Facts, TitleBand
from skirmish.sheets.codes import Muster
from skirmish.sheets.flow import Column, Pages, Title
from skirmish.sheets.ink import ACCENT, BLACK, HAIR, NORMAL
from skirmish.sheets.marks import Boxes, Head, box_width
from skirmish.sheets.paper import GAP, GUTTER, MM, leaf
from skirmish.sheets.piece import Cell, Gap, Piece, Row, Stack
from skirmish.sheets.words import (
    BESIDE,
    COLUMN,
    COUNT,
    FIGURE,
    NOTE,
    SMALL,
    STRONG,
    TERM,
    UNIT,
    Style,
    Words,
)
from skirmish.tabletop.measure import inches

GAME = "WWII Plastic Skirmish"
NAME = 26.5 * MM
"""Where the boxes begin: right of the name for up to five, else in the lines below."""
_RIGHT = COLUMN._replace(align="right")


def pages(army: Army, book: RulingBook, paper: str, revision: str) -> bytes:
    """The roster as a PDF."""
    page = leaf(paper)
    sheet = Pages(page)
    x, width = page.margin, page.measure
    found = breaches(army)
    firing = Firing(army.catalog, army.rulings, army.nation)
    flow: list[Piece] = [_band(army), Gap(1.6 * MM), _facts(army, found), Gap(GAP)]
    flow += breach_blocks(army, found)
    flow += _units(army, firing, width)
    flow += _works(army, width)
    flow += _firing_table(army, firing, width)
    spot = sheet.pour(flow, x, width, sheet.start)
    half = (width - GUTTER) / 2
    left = [*limits_block(army, half), Gap(GAP), *_rulings(army, book)]
    right = [*loss_track(army), Gap(GAP), *_notes(army)]
    sheet.side_by_side([Column(left, x, half), Column(right, x + half + GUTTER, half)], spot)
    name = army.listed.name
    parts = ["Army roster", name, GAME, f"data revision {revision}" if revision else ""]
    title = Title(name, "Skirmish", f"{GAME}: army roster")
    return sheet.pdf(title, " · ".join(part for part in parts if part))


def _band(army: Army) -> Piece:
    nation = army.nation.name if army.nation else "Without nationalities"
    quality = f"{army.quality.name} troops" if army.quality else "Without force quality"
    points = str(army.listed.points)
    last = f"Army roster · {GAME}"
    return TitleBand("Points", points, army.listed.name, first=nation, second=quality, last=last)


def _facts(army: Army, found: list[Breach]) -> Piece:
    fielded = army.fielded()
    figures = sum(n for unit, n in fielded.items() if army.catalog.units[unit].is_guy)
    broken = sum(breach.override is None for breach in found)
    waived = len(found) - broken
    kept = f"Legal, {waived} waived" if waived else "Legal"
    left = army.budget - army.spent
    return Facts(
        [
            Fact("Points spent", f"{army.spent} / {army.budget}", BLACK if left >= 0 else ACCENT),
            Fact("Left", str(left), BLACK if left >= 0 else ACCENT),
            Fact("Figures", str(figures)),
            Fact("Models", str(sum(fielded.values()) - figures)),
            Fact("Potential dead guys", str(army.pdg)),
            Fact("Beaten at a loss of", str(army.break_at) if army.pdg else NONE),
            Fact("Purchase limits", "Not legal" if broken else kept, ACCENT if broken else BLACK),
        ]
    )


class _Grid:
    """Where the columns of the unit table stand; the name takes what the others leave."""

    COLUMNS = (
        ("No.", 18, True),
        ("Price", 9, True),
        ("Total", 11, True),
        ("Move", 21, True),
        ("Weapon", 24, False),
        ("Range", 24, False),
        ("Guys", 11, False),
        ("Unarmored", 15, False),
        ("Armored", 10, False),
    )

    def __init__(self, width: float) -> None:
        gap = 2.2 * MM
        total = sum(mm for _, mm, _ in self.COLUMNS) * MM
        self.name = width - total
        self.slots = []
        x = self.name
        for _, mm, right in self.COLUMNS:
            self.slots.append((x if right else x + gap, mm * MM - (0 if right else gap)))
            x += mm * MM

    def row(self, name: Piece, cells: Sequence[Piece]) -> Row:
        """A row of the table; cells that are left out stay empty."""
        placed = [Cell(x, wide, piece) for (x, wide), piece in zip(self.slots, cells, strict=False)]
        return Row([Cell(0, self.name - 1 * MM, name), *placed], above=1.6, below=0.8)

    def heads(self) -> Row:
        """The column heads."""
        cells = [Words(text, _RIGHT if right else COLUMN) for text, _, right in self.COLUMNS]
        row = self.row(Words("Type", COLUMN), cells)
        row.weight = NORMAL
        row.keep = True
        return row


def _units(army: Army, firing: Firing, width: float) -> list[Piece]:
    grid = _Grid(width)
    head = grid.heads()
    free = army.free
    lines: list[Piece] = [Head("Units", "code = letter and number, as on the screen"), head]
    bought = list(army.bought())
    if not bought:
        return [Head("Units"), Gap(1.2 * MM), Words("No units yet."), Gap(GAP)]
    given = Muster(army.catalog).next(army.fielded())
    box = box_width(code for row in given.values() for code in row)
    for unit, count in bought:
        boxes = Boxes(given[unit.id], box, dashed_from=count)
        stats = _stats(army, firing, unit, count, grid)
        lines += _ticked(stats, boxes, width, head)
    if free:
        lines += [Gap(1), Words("Dashed boxes: free men, who cost nothing.", NOTE)]
    return [*lines, Gap(GAP)]


def _ticked(stats: Row, boxes: Boxes, width: float, head: Row | None) -> list[Piece]:
    """A line of the table with its boxes: beside the name if there are few, else below."""
    few = Cell(NAME, Boxes.five(boxes.box), boxes)
    if len(boxes.codes) <= 5 and few.x + few.width <= stats.cells[1].x + 9 * MM:
        name = stats.cells[0]
        cells = [name._replace(width=NAME - 1 * MM), few, *stats.cells[1:]]
        row = Row(cells, above=1.6, below=1.6)
        row.head = head
        return [row]
    below = Row([Cell(NAME, width - NAME, boxes)], above=0, below=1.6)
    stats.weight, stats.keep = 0, True
    stats.head = below.head = head
    return [stats, below]


def _stats(army: Army, firing: Firing, unit: UnitType, count: int, grid: _Grid) -> Row:
    entries = firing.entries(unit)
    gift = army.free.get(unit.id, 0)

    def each(texts: Iterable[str]) -> Piece:
        return Stack([Words(text, UNIT) for text in texts] or [Words(NONE, UNIT)])

    price = army.price(unit.id)
    number = f"{count} + {gift} free" if gift else str(count)
    cells: list[Piece] = [
        Words(number, COUNT),
        Words(str(price), FIGURE),
        Words(str(price * count), FIGURE),
        Words(_move(unit), FIGURE),
        each(entry.weapon for entry in entries),
        each(entry.reach for entry in entries),
        each(entry.guys for entry in entries),
        each(entry.unarmored for entry in entries),
        each(entry.armored for entry in entries),
    ]
    return grid.row(Words(unit.name, STRONG), cells)


def _move(unit: UnitType) -> str:
    ways = [
        str(unit.move) if unit.move else "",
        f"road {unit.road_move}" if unit.road_move else "",
        f"water {unit.water_move}" if unit.water_move else "",
    ]
    return ", ".join(way for way in ways if way) or NONE


def _works(army: Army, width: float) -> list[Piece]:
    listed = {work: count for work, count in army.listed.works.items() if count}
    if not listed:
        return []
    grid = _Grid(width)
    lines: list[Piece] = [Head("Works", "count in no loss")]
    for name, count in listed.items():
        work, price = army.catalog.works[name], army.price(name)
        cells = [
            Words(str(count), COUNT),
            Words(str(price), FIGURE),
            Words(str(price * count), FIGURE),
        ]
        row = grid.row(Words(work.name, STRONG), cells)
        note_x = grid.slots[3][0] + 2.2 * MM
        row.cells = (*row.cells, Cell(note_x, width - note_x, Words(work.note, BESIDE)))
        lines += _ticked(row, Boxes([""] * count, box_width([])), width, None)
    return [*lines, Gap(GAP)]


def _firing_table(army: Army, firing: Firing, width: float) -> list[Piece]:
    guns = firing.table(army.catalog.units[unit] for unit in army.fielded())
    if not guns:
        return []
    at = [0.0, 27 * MM, 65 * MM, 87 * MM, 100 * MM, 116 * MM, 130 * MM, width]

    def line(texts: Sequence[str], styles: Sequence[Style], weight: float = HAIR) -> Row:
        cells = [
            Cell(at[i], at[i + 1] - at[i] - 1.6 * MM, Words(text, style))
            for i, (text, style) in enumerate(zip(texts, styles, strict=True))
        ]
        return Row(cells, weight=weight)

    heads = ("Weapon", "Fired by", "Range", "Guys", "Unarmored", "Armored", "Also")
    head = line(heads, [COLUMN] * 7, weight=NORMAL)
    head.keep = True
    rows: list[Piece] = [Head("Firing", "the weapons of this army"), head]
    styles = [STRONG, BESIDE, UNIT, TERM, TERM, TERM, BESIDE]
    for gun in guns:
        entry = gun.entry
        texts = (entry.weapon, gun.fired_by, entry.reach, entry.guys, entry.unarmored)
        row = line((*texts, entry.armored, gun.also or NONE), styles)
        row.head = head
        rows.append(row)
    within = army.catalog.fire.repeat_within
    legend = (
        "A-5: ace to 5 kills. * only in contact, in phases 3 and 4. + a kill gives another shot, "
        f"at a guy within {inches(within)} of the first man."
    )
    return [*rows, Gap(1.4), Words(legend, NOTE), Gap(GAP)]


def _rulings(army: Army, book: RulingBook) -> list[Piece]:
    """Rulings answered otherwise than usual."""
    changed = book.departures(army.rulings)
    if not changed:
        return []
    rows: list[Piece] = [Head("Rulings that differ", "not the usual answer"), Gap(1 * MM)]
    for ruling, answer in changed:
        rows += [Words(answer, SMALL, lead=f"{ruling.id} {ruling.title}."), Gap(1.4)]
    return rows


def _notes(army: Army) -> list[Piece]:
    """What the numbers of the table do not say."""
    rows: list[Piece] = []
    for unit, _ in army.bought():
        says = _unit_notes(unit)
        if says:
            rows += [Words(says, SMALL, lead=f"{unit.name}."), Gap(1.2)]
    return [Head("Notes"), Gap(1 * MM), *rows] if rows else []


def _unit_notes(unit: UnitType) -> str:
    """Seats, towing and the catalog's own note, as sentences."""
    parts = []
    if unit.seats:
        tows = " and tows a cannon" if unit.tows_cannon else ""
        parts.append(f"Seats {unit.seats}{tows}.")
    if unit.passengers_fire and not unit.note:
        parts.append(f"{unit.passengers_fire} of those aboard may fire.")
    if unit.note:
        parts.append(unit.note)
    return " ".join(parts)
