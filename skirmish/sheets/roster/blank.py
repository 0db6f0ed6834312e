"""An empty roster to fill in by hand."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, TitleBand
from skirmish.sheets.layout.boxes import Boxes, FormField, box_width, lay_text, numbered
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, depth, halves
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.paper import GAP, GUTTER, HAIR, MM, NORMAL, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import QuickReference
from skirmish.sheets.roster.units import loss_boxes

FIELDS = (
    (("Army", 0.5), ("Player", 0.3), ("Date", 0.2)),
    (("Nation", 0.28), ("Force quality", 0.28), ("Points spent", 0.2), ("Cards or die", 0.24)),
    (("Strength", 0.28), ("Beaten at a loss of", 0.28), ("Against whom, where", 0.44)),
)
BOXES = 20
LEFT = 0.58
"""The share of the width for the limits."""
TRACK = 105
"""Boxes for losses; no usual army is beaten later."""


@as_pdf
def blank_pdf(
    page: Leaf,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    revision: str | None = None,
) -> PdfDocument:
    """One page: who and what, lines for units with boxes to tick, works, limits, a loss track and
    notes; below, every price."""
    catalog, book = catalog or library.catalog(), book or library.rulings()
    width = page.measure
    aside = "To fill in by hand"
    band = TitleBand("Points", "", "Army Roster", GAME, aside)
    above: list[Flowable] = [band, Gap(1.6 * MM)]
    above += [Fields(line) for line in FIELDS]
    above += [
        Gap(GAP),
        Head("Units and works", "a box for each figure and model"),
        BlankUnitLine.heads(),
    ]
    wide = (width - GUTTER) * LEFT
    rest = width - GUTTER - wide
    tables = QuickReference(catalog, book.answered({}), width, 0.2)
    limits = tables.limits(wide, used=True)
    left: list[Flowable] = [Head("Limits"), Gap(0.6 * MM), limits]
    labels = [str(n) if n % 5 == 0 else "" for n in range(1, TRACK + 1)]
    boxes = Boxes(numbered(labels, "losses", "Loss"), box_width(labels))
    right: list[Flowable] = [
        *loss_boxes(boxes, catalog, hint="Ring the box that beats you."),
        Gap(GAP),
        Head("Prices", "letter of the codes"),
        Gap(1 * MM),
        terms(_prices(catalog), styles.SMALL),
    ]
    below = max(depth(left, wide), depth(right, rest))
    room = page.depth - depth(above, width) - GAP - below - OwnNotes().least(width)
    count = int(room // BlankUnitLine.TALL)
    lines = (BlankUnitLine(at) for at in range(1, count + 1))
    story = [*above, *lines, Gap(GAP), halves(left, right, width, LEFT), OwnNotes()]
    title = f"{GAME}: blank roster"
    part = SheetPart(page, story, title, "Blank roster", GAME, revision=revision)
    return PdfDocument(title, "An army roster to fill in by hand", [part])


class LooseBoxes(Boxes):
    """Boxes with more space, for lines written by hand."""

    TALL = 4.4 * MM
    LEAD = 5 * MM
    BETWEEN = 0.4 * MM
    FIVE = 1.4 * MM


class BlankUnitLine(Drawing):
    TALL = 7.2 * MM
    PLACES = (("Type", 42), ("Letter", 9), ("No.", 11), ("Price", 11), ("Total", 13))
    """The columns before the boxes, with their widths in mm."""

    def __init__(self, number: int) -> None:
        self.number = number

    @classmethod
    def heads(cls) -> CellRow:
        cells, at = [], 0.0
        for name, wide in (*cls.PLACES, ("Figures and models", 60)):
            cells.append(Cell(at * MM + 1 * MM, wide * MM, paragraph(name, styles.COLUMN)))
            at += wide
        row = CellRow(cells, weight=NORMAL, ink=inks.BLACK)
        row.keepWithNext = True
        return row

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.TALL
        at = x
        canvas.pen(inks.FAINT, HAIR)
        line = f"unit-{self.number}"
        for name, wide in self.PLACES:
            what = name.lower()
            own = FormField(f"write-{line}-{what.strip('.')}", f"Line {self.number}: {what}")
            lay_text(canvas, own, (at, low), (wide * MM, self.TALL))
            at += wide * MM
            canvas.line(at, low, at, top)
        room = x + width - at - 2.6 * MM
        fives = BOXES // 5
        between, five = LooseBoxes.BETWEEN, LooseBoxes.FIVE
        box = (room - (fives - 1) * five + between) / BOXES - between
        boxes = LooseBoxes(numbered([""] * BOXES, line, f"Line {self.number}, box"), box)
        boxes.paint(canvas, at + 2 * MM, top - (self.TALL - LooseBoxes.LEAD) / 2, room + 0.1)
        rule(canvas, x, x + width, low, HAIR, ink=inks.BLACK)


def _prices(catalog: Catalog) -> list[tuple[str, str]]:
    """The price list: letter, then name and price; works have no letter."""
    units = [unit for unit in catalog.units.values() if unit.source != "scenario"]
    works = [work for work in catalog.works.values() if work.source != "scenario"]
    bought = [
        (unit.letter.upper(), f"{unit.short}\u00a0{unit.price}".replace(" ", "\u00a0"))
        for unit in units
    ]
    return bought + [(f"{work.name}:".replace(" ", "\u00a0"), str(work.price)) for work in works]
