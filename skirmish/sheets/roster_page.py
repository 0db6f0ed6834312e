"""The page of a roster, block by block."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.breaches import Breach, breaches
from skirmish.games.plastic.rules.firing_table import NONE, Firing
from skirmish.games.plastic.rules.rulings import RulingBook
from skirmish.sheets.army_state import breach_blocks, limits_block, loss_track
from skirmish.sheets.band import Fact, Facts, TitleBand
from skirmish.sheets.codes import Muster
from skirmish.sheets.flow import Column, Pages, Title
from skirmish.sheets.form_fields import TICK, FormBoxes, numbered
from skirmish.sheets.ink import ACCENT, BLACK, InkUse
from skirmish.sheets.marks import Boxes, Head, box_width
from skirmish.sheets.own_notes import fill
from skirmish.sheets.paper import GAP, GUTTER, MM, leaf
from skirmish.sheets.piece import Cell, Gap, Piece
from skirmish.sheets.roster_share import share_block
from skirmish.sheets.roster_units import Grid, firing_table, notes, sharing, ticked
from skirmish.sheets.words import ASIDE, BESIDE, COUNT, FIGURE, FORCE, NOTE, SMALL, STRONG, Words
from skirmish.tabletop.typed import plain

GAME = "WWII Plastic Skirmish"
LOSSES = "losses"
"""What the fields of the loss track are called."""


def pages(
    army: Army, book: RulingBook, paper: str, *, revision: str, use: InkUse, form: bool
) -> bytes:
    """The roster as a PDF."""
    page = leaf(paper)
    sheet = Pages(page)
    x, width = page.margin, page.measure
    found = breaches(army)
    firing = Firing(army.catalog, army.rulings, army.nation)
    flow: list[Piece] = [_band(army), Gap(1.6 * MM), _facts(army, found), Gap(GAP)]
    if note := army.listed.note.strip():
        flow += [Words(note, ASIDE), Gap(GAP)]
    flow += breach_blocks(army, found)
    flow += _units(army, firing, width, form)
    flow += _works(army, width, form)
    fielded = [army.catalog.units[unit] for unit in army.fielded()]
    flow += firing_table(army.catalog, firing, fielded, width)
    spot = sheet.pour(flow, x, width, sheet.start)
    half = (width - GUTTER) / 2
    left = [*limits_block(army, half), Gap(GAP), *_rulings(army, book)]
    right = [*_loss_track(army, form), Gap(GAP), *notes(unit for unit, _ in army.bought())]
    shorter = min((left, right), key=lambda column: sum(one.height(half) for one in column))
    shorter += [Gap(GAP), *share_block(army.listed, half)]
    columns = [Column(left, x, half), Column(right, x + half + GUTTER, half)]
    fill(sheet, sheet.side_by_side(columns, spot))
    name = army.listed.name
    parts = ["Army roster", name, GAME, f"data revision {revision}" if revision else ""]
    title = Title(name, "Skirmish", f"{GAME}: army roster")
    return sheet.pdf(title, " · ".join(part for part in parts if part), use)


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


def _units(army: Army, firing: Firing, width: float, form: bool) -> list[Piece]:
    grid = Grid(width)
    head = grid.heads()
    free = army.free
    lines: list[Piece] = [Head("Units", "code = letter and number, as on the screen"), head]
    bought = list(army.bought())
    if not bought:
        return [Head("Units"), Gap(1.2 * MM), Words("No units yet."), Gap(GAP)]
    muster, blocks = Muster(army.catalog), army.blocks()
    given = [
        muster.next({unit: n + free_men.get(unit, 0) for unit, n in units.items()})
        for _, units, free_men in blocks
    ]
    box = box_width(code for block in given for row in block.values() for code in row)
    for number, (name, units, free_men) in enumerate(blocks):
        if army.listed.groups:
            heading = Words(plain(name), FORCE)
            heading.keep = True
            lines += [Gap(2), heading]
        for unit in (unit for unit, _ in bought if unit.id in units):
            count, gift, price = units[unit.id], free_men.get(unit.id, 0), army.price(unit.id)
            counts = [
                Words(f"{count} + {gift} free" if gift else str(count), COUNT),
                Words(str(price), FIGURE),
                Words(str(price * count), FIGURE),
            ]
            stats = grid.unit(unit, firing, counts)
            field = f"{unit.id}_{number + 1}" if army.listed.groups else unit.id
            boxes = _boxes(given[number][unit.id], box, field, form, dashed_from=count)
            lines += ticked(stats, boxes, width, head)
    lines += sharing(unit for unit, _ in bought)
    if free:
        lines += [Gap(1), Words("Dashed boxes: free men, at no cost.", NOTE)]
    return [*lines, Gap(GAP)]


def _boxes(
    codes: Sequence[str], box: float, name: str, form: bool, *, dashed_from: int | None = None
) -> Boxes:
    if form:
        names = numbered(len(codes), TICK, name)
        return FormBoxes(codes, box, names, dashed_from=dashed_from)
    return Boxes(codes, box, dashed_from=dashed_from)


def _works(army: Army, width: float, form: bool) -> list[Piece]:
    listed = {work: count for work, count in army.listed.works.items() if count}
    if not listed:
        return []
    grid = Grid(width)
    lines: list[Piece] = [Head("Works", "do not count as losses")]
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
        lines += ticked(row, _boxes([""] * count, box_width([]), name, form), width, None)
    return [*lines, Gap(GAP)]


def _loss_track(army: Army, form: bool) -> list[Piece]:
    track = loss_track(army)
    last = track[-1]
    if form and isinstance(last, Boxes):
        names = numbered(len(last.codes), TICK, LOSSES)
        track[-1] = FormBoxes(last.codes, last.box, names, last=last.last)
    return track


def _rulings(army: Army, book: RulingBook) -> list[Piece]:
    """Rulings answered otherwise than usual."""
    changed = book.departures(army.rulings)
    if not changed:
        return []
    rows: list[Piece] = [Head("Rulings that differ", "not the default answer"), Gap(1 * MM)]
    for ruling, answer in changed:
        words = Words(answer, SMALL, lead=f"{ruling.id} {ruling.title}.")
        words.head = Head("Rulings that differ", "continued")
        rows += [words, Gap(1.4)]
    return rows
