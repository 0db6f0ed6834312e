"""An empty roster to fill in by hand."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, OwnNotes
from skirmish.sheets.layout.boxes import Boxes, numbered_boxes
from skirmish.sheets.layout.columns import two_columns
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, depth
from skirmish.sheets.layout.form_fields import FormField, lay_text
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, GUTTER, HAIR, MM, NORMAL, ROUNDING, Leaf
from skirmish.sheets.plastic import GAME
from skirmish.sheets.reference import QuickReference
from skirmish.sheets.roster.losses import blank_loss_track
from skirmish.tabletop.measure import NO_BREAK

FIELDS = (
    (("Army", 0.5), ("Player", 0.3), ("Date", 0.2)),
    (("Nation", 0.28), ("Force quality", 0.28), ("Points spent", 0.2), ("Cards or die", 0.24)),
    (("Strength", 0.28), ("Beaten at a loss of", 0.28), ("Against whom, where", 0.44)),
)
"""The fields of each line, with their shares of the width."""
BOXES_IN_LINE = 15
"""Boxes of a line for a unit: as many as there is room for at a size that a pencil finds."""
LIMITS_SHARE = 0.58
"""The share of the width for the limits; the loss track and the prices have the rest."""
LIMITS_AIR = 0.2
"""Points above and below each line of the limits: few, since the whole roster has to fit one
page."""
BEFORE_BOXES, AFTER_BOXES = 2 * MM, 0.6 * MM
"""The space before the boxes of a line for a unit, and after them."""


@as_pdf
def blank_pdf(
    page: Leaf,
    catalog: Catalog | None = None,
    book: PlasticRulingBook | None = None,
    *,
    revision: str | None = None,
) -> PdfDocument:
    """One page: fields for the army and the game, lines for units and works with boxes to tick, the
    limits, a loss track, every price, and notes. ``catalog`` and ``book`` are by default those of
    the library; ``revision``: what the footer says of the version."""
    catalog, book = catalog or library.catalog(), book or library.rulings()
    width = page.measure
    above = _above_units()
    left_width = (width - GUTTER) * LIMITS_SHARE
    right_width = width - GUTTER - left_width
    tables = QuickReference(catalog, book.answered({}), width, LIMITS_AIR)
    limits = tables.limits(left_width, used=True)
    left: list[Flowable] = [Head("Limits"), Gap(0.6 * MM), limits]
    right: list[Flowable] = [
        *blank_loss_track(right_width, catalog),
        Gap(GAP),
        Head("Prices", "letter of the codes"),
        Gap(1 * MM),
        terms(_prices(catalog), styles.SMALL),
    ]
    below = max(depth(left, left_width), depth(right, right_width))
    room = page.depth - depth(above, width) - GAP - below - OwnNotes().least_height(width)
    story = [
        *above,
        *_unit_lines(room),
        Gap(GAP),
        two_columns(left, right, width, LIMITS_SHARE),
        OwnNotes(),
    ]
    title = f"{GAME}: blank roster"
    part = SheetPart(page, story, title, "Blank roster", GAME, revision=revision)
    return PdfDocument(title, "An army roster to fill in by hand", [part])


def _above_units() -> list[Flowable]:
    """The title, the fields for the army and the game, and the head of the lines for units."""
    return [
        TitleBand("Points", "", "Army Roster", GAME, "To fill in by hand"),
        Gap(1.6 * MM),
        *(Fields(line) for line in FIELDS),
        Gap(GAP),
        Head("Units and works", "a box for each figure and model"),
        BlankUnitLine.heads(),
    ]


def _unit_lines(room: float) -> list[BlankUnitLine]:
    """As many lines for units as fit into ``room`` points, which they fill."""
    count = int(room // BlankUnitLine.LEAST)
    return [BlankUnitLine(number, room / count) for number in range(1, count + 1)]


class LooseBoxes(Boxes):
    """Boxes with more space, for lines written by hand."""

    TALL = 6.4 * MM
    ROW_HEIGHT = 7 * MM
    BETWEEN_FIVES = 1.4 * MM


class BlankUnitLine(Drawing):
    """The line with this ``number`` for a unit, ``tall`` points high: columns to write in, then
    boxes."""

    LEAST = 8.2 * MM
    """The least height of a line."""
    COLUMNS = (("Type", 37), ("Letter", 9), ("No.", 10), ("Price", 10), ("Total", 12))
    """The columns before the boxes, with their widths in mm."""
    BOXES_HEAD = ("Figures and models", 60)
    """The head of the boxes, with the width in mm that its words need; the boxes fill what the
    columns leave."""

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
        room = x + width - left - BEFORE_BOXES - AFTER_BOXES
        boxes_top = top - (self.TALL - LooseBoxes.ROW_HEIGHT) / 2
        # They fill the room exactly; rounding must not break the row.
        self._boxes(room).paint(canvas, left + BEFORE_BOXES, boxes_top, room + ROUNDING)
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
        return LooseBoxes(numbered_boxes(codes, self._name, f"Line {self.number}, box"), box)


def _prices(catalog: Catalog) -> list[tuple[str, str]]:
    """The price list as terms: a unit's letter before its name and price, and a work, which has no
    letter, before its price. No-break spaces keep together what belongs together."""
    prices = []
    for unit in catalog.units.values():
        if unit.source != "scenario":
            name_and_price = f"{unit.short} {unit.price}".replace(" ", NO_BREAK)
            prices.append((unit.letter.upper(), name_and_price))
    for work in catalog.works.values():
        if work.source != "scenario":
            prices.append((f"{work.name}:".replace(" ", NO_BREAK), str(work.price)))
    return prices
