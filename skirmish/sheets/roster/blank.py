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
from skirmish.sheets.paper import GAP, GUTTER, HAIR, MM, NORMAL, ROUNDING, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import QuickReference
from skirmish.sheets.roster.units import loss_boxes
from skirmish.tabletop.measure import NO_BREAK

FIELDS = (
    (("Army", 0.5), ("Player", 0.3), ("Date", 0.2)),
    (("Nation", 0.28), ("Force quality", 0.28), ("Points spent", 0.2), ("Cards or die", 0.24)),
    (("Strength", 0.28), ("Beaten at a loss of", 0.28), ("Against whom, where", 0.44)),
)
"""The fields of each line, with their shares of the width."""
BOXES_IN_LINE = 15
"""Boxes of a line for a unit: as many as there is room for at a size that a pencil finds."""
LEFT = 0.58
"""The share of the width for the limits."""
TRACKED_LOSSES = 105
"""Boxes for losses; no usual army is beaten later."""
IN_ROW = 15
"""Boxes in a row of the track of losses."""
AIR = 0.2
"""Points above and below each line of the limits: the whole roster has to fit one page."""
MARGIN = 2 * MM
"""The space before the boxes of a line for a unit."""
END = 0.6 * MM
"""The space after those boxes."""


@as_pdf
def blank_pdf(
    page: Leaf,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    revision: str | None = None,
) -> PdfDocument:
    """One page: who and what, lines for units with boxes to tick, works, limits, a loss track and
    notes; below, every price. ``revision``: what the footer says of the version."""
    catalog, book = catalog or library.catalog(), book or library.rulings()
    width = page.measure
    above: list[Flowable] = [
        TitleBand("Points", "", "Army Roster", GAME, "To fill in by hand"),
        Gap(1.6 * MM),
        *(Fields(line) for line in FIELDS),
        Gap(GAP),
        Head("Units and works", "a box for each figure and model"),
        BlankUnitLine.heads(),
    ]
    left_width = (width - GUTTER) * LEFT
    right_width = width - GUTTER - left_width
    tables = QuickReference(catalog, book.answered({}), width, AIR)
    limits = tables.limits(left_width, used=True)
    left: list[Flowable] = [Head("Limits"), Gap(0.6 * MM), limits]
    right: list[Flowable] = [
        *loss_boxes(_track(right_width), catalog, hint="Ring the box that beats you."),
        Gap(GAP),
        Head("Prices", "letter of the codes"),
        Gap(1 * MM),
        terms(_prices(catalog), styles.SMALL),
    ]
    # As many lines for units as there is room for between what is above and below them.
    below = max(depth(left, left_width), depth(right, right_width))
    room = page.depth - depth(above, width) - GAP - below - OwnNotes().least(width)
    count = int(room // BlankUnitLine.LEAST)
    lines = [BlankUnitLine(number, room / count) for number in range(1, count + 1)]
    story = [*above, *lines, Gap(GAP), halves(left, right, width, LEFT), OwnNotes()]
    title = f"{GAME}: blank roster"
    part = SheetPart(page, story, title, "Blank roster", GAME, revision=revision)
    return PdfDocument(title, "An army roster to fill in by hand", [part])


def _track(width: float) -> Boxes:
    """The loss track in rows of ``IN_ROW``, as large as the ``width`` allows."""
    labels = []
    for loss in range(1, TRACKED_LOSSES + 1):
        label = ""
        if loss % 5 == 0:
            label = str(loss)
        labels.append(label)
    spaces = (IN_ROW // 5 - 1) * Boxes.BETWEEN_FIVES
    # The boxes are square: as wide as a row allows, and as high.
    grown = (width - spaces) / IN_ROW / Boxes.TALL
    return Boxes(numbered(labels, "losses", "Loss"), box_width(labels, grown), grown=grown)


class LooseBoxes(Boxes):
    """Boxes with more space, for lines written by hand."""

    TALL = 6.4 * MM
    LEAD = 7 * MM
    BETWEEN_FIVES = 1.4 * MM


class BlankUnitLine(Drawing):
    """A line for a unit: columns to write in, then boxes."""

    LEAST = 8.2 * MM
    """The height of a line; more where the page has room to share out."""
    COLUMNS = (("Type", 37), ("Letter", 9), ("No.", 10), ("Price", 10), ("Total", 12))
    """The columns before the boxes, with their widths in mm."""
    BOXES_HEAD = ("Figures and models", 60)
    """The column of the boxes; they fill the line, and its head needs no more than this."""

    def __init__(self, number: int, tall: float) -> None:
        self.number, self.TALL = number, tall

    @classmethod
    def heads(cls) -> CellRow:
        """The titles of the columns."""
        cells, left = [], 0.0
        for name, wide in (*cls.COLUMNS, cls.BOXES_HEAD):
            cells.append(Cell(left * MM + 1 * MM, wide * MM, paragraph(name, styles.COLUMN)))
            left += wide
        row = CellRow(cells, weight=NORMAL, ink=inks.BLACK)
        row.keepWithNext = True
        return row

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.TALL
        left = x
        canvas.pen(inks.FAINT, HAIR)
        for name, wide in self.COLUMNS:
            column = name.lower()
            field = FormField(
                f"write-{self._name}-{column.strip('.')}", f"Line {self.number}: {column}"
            )
            lay_text(canvas, field, (left, low), (wide * MM, self.TALL))
            left += wide * MM
            canvas.line(left, low, left, top)
        room = x + width - left - MARGIN - END
        boxes_top = top - (self.TALL - LooseBoxes.LEAD) / 2
        # They fill the room exactly; rounding must not break the row.
        self._boxes(room).paint(canvas, left + MARGIN, boxes_top, room + ROUNDING)
        rule(canvas, x, x + width, low, HAIR, ink=inks.BLACK)

    @property
    def _name(self) -> str:
        """Its part of the names of its fields."""
        return f"unit-{self.number}"

    def _boxes(self, room: float) -> LooseBoxes:
        """Boxes that fill ``room`` points: a space after each but the last, a further one after
        each five but the last."""
        between = (BOXES_IN_LINE - 1) * LooseBoxes.BETWEEN
        fives = (BOXES_IN_LINE // 5 - 1) * LooseBoxes.BETWEEN_FIVES
        box = (room - between - fives) / BOXES_IN_LINE
        codes = [""] * BOXES_IN_LINE
        return LooseBoxes(numbered(codes, self._name, f"Line {self.number}, box"), box)


def _prices(catalog: Catalog) -> list[tuple[str, str]]:
    """The price list: letter, then name and price, kept together by no-break spaces; works have no
    letter."""
    prices = []
    for unit in catalog.units.values():
        if unit.source != "scenario":
            name_and_price = f"{unit.short} {unit.price}".replace(" ", NO_BREAK)
            prices.append((unit.letter.upper(), name_and_price))
    for work in catalog.works.values():
        if work.source != "scenario":
            prices.append((f"{work.name}:".replace(" ", NO_BREAK), str(work.price)))
    return prices
