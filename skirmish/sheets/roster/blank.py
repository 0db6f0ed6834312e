"""An empty roster to fill in by hand."""

from __future__ import annotations

from skirmish import library
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.games.plastic.rules.rulings import PlasticRulingBook
from skirmish.sheets import inks
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Fields, Head, OwnNotes
from skirmish.sheets.layout.boxes import BOXES_IN_FIVE, Boxes, numbered_boxes
from skirmish.sheets.layout.columns import column_widths, two_columns
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
from skirmish.sheets.layout.flow import Cell, CellRow, Flowable, Gap, depth
from skirmish.sheets.layout.form_fields import FormField, lay_text
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.text import paragraph, terms
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.paper import GAP, HAIR, MM, NORMAL, ROUNDING, Leaf
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
"""Points above and below each line of the limits: few, since the whole roster has to fit on one
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
    catalog = catalog or library.catalog()
    book = book or library.rulings()
    width = page.measure
    above = _above_units()
    widths = column_widths(width, LIMITS_SHARE)
    limits = _limits(catalog, book, widths.left)
    losses_and_prices = _losses_and_prices(catalog, widths.right)
    # The lines for units fill what everything else leaves of the page.
    below_height = max(depth(limits, widths.left), depth(losses_and_prices, widths.right))
    room = page.depth - depth(above, width) - GAP - below_height - OwnNotes().least_height(width)
    story = [
        *above,
        *_unit_lines(room),
        Gap(GAP),
        two_columns(limits, losses_and_prices, width, LIMITS_SHARE),
        OwnNotes(),
    ]
    title = f"{GAME}: blank roster"
    part = SheetPart(page, story, title, "Blank roster", GAME, revision=revision)
    return PdfDocument(title, "An army roster to fill in by hand", [part])


def _above_units() -> list[Flowable]:
    """The title, the fields for the army and the game, and the head of the lines for units."""
    points_to_write_in = ""  # the band has an empty frame for them
    return [
        TitleBand("Points", points_to_write_in, "Army Roster", GAME, "To fill in by hand"),
        Gap(1.6 * MM),
        *(Fields(line) for line in FIELDS),
        Gap(GAP),
        Head("Units and works", "a box for each figure and model"),
        BlankUnitLine.heads(),
    ]


def _limits(catalog: Catalog, book: PlasticRulingBook, width: float) -> list[Flowable]:
    """The purchase limits, each with room to write how much of it is used."""
    default_answers = book.answered({})
    tables = QuickReference(catalog, default_answers, width, LIMITS_AIR)
    return [Head("Limits"), Gap(0.6 * MM), tables.limits(width, with_used_column=True)]


def _losses_and_prices(catalog: Catalog, width: float) -> list[Flowable]:
    """The loss track, and below it every price."""
    return [
        *blank_loss_track(width, catalog),
        Gap(GAP),
        Head("Prices", "letter of the codes"),
        Gap(1 * MM),
        terms(_prices(catalog), styles.SMALL),
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
        self.number = number
        # All lines are equally high, by what the page has room for: see ``Drawing.TALL``.
        self.TALL = tall

    @classmethod
    def heads(cls) -> CellRow:
        """The titles of the columns."""
        cells, left = [], 0.0  # in mm
        for name, column_width in (*cls.COLUMNS, cls.BOXES_HEAD):
            title = paragraph(name, styles.COLUMN)
            cells.append(Cell(left * MM + 1 * MM, column_width * MM, title))
            left += column_width
        row = CellRow(cells, weight=NORMAL, ink=inks.BLACK)
        row.keepWithNext = True
        return row

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.TALL
        left = x
        canvas.pen(inks.FAINT, HAIR)
        for name, column_width in self.COLUMNS:
            title = name.lower()
            # Without the full stop of "no.", which the format reserves (``form_fields``).
            field_name = f"write-{self._line_name}-{title.strip('.')}"
            field = FormField(field_name, f"Line {self.number}: {title}")
            lay_text(canvas, field, (left, low), (column_width * MM, self.TALL))
            left += column_width * MM
            canvas.line(left, low, left, top)
        room = x + width - left - BEFORE_BOXES - AFTER_BOXES
        boxes_top = top - (self.TALL - LooseBoxes.ROW_HEIGHT) / 2
        # They fill the room exactly; rounding must not break the row.
        self._boxes(room).paint(canvas, left + BEFORE_BOXES, boxes_top, room + ROUNDING)
        rule(canvas, x, x + width, low, HAIR, ink=inks.BLACK)

    @property
    def _line_name(self) -> str:
        """The part that the names of all form fields of this line have in common."""
        return f"unit-{self.number}"

    def _boxes(self, room: float) -> LooseBoxes:
        """Boxes that fill ``room`` points: a space after each but the last, a further one after
        each five but the last."""
        spaces = (BOXES_IN_LINE - 1) * LooseBoxes.BETWEEN
        wide_spaces = (BOXES_IN_LINE // BOXES_IN_FIVE - 1) * LooseBoxes.BETWEEN_FIVES
        width_of_box = (room - spaces - wide_spaces) / BOXES_IN_LINE
        without_codes = [""] * BOXES_IN_LINE
        boxes = numbered_boxes(without_codes, self._line_name, f"Line {self.number}, box")
        return LooseBoxes(boxes, width_of_box)


def _prices(catalog: Catalog) -> list[tuple[str, str]]:
    """The price list as terms: a unit's letter before its name and price, and a work, which has no
    letter, before its price. No-break spaces keep together what belongs together."""
    prices = []
    # Units and works that only scenarios have cannot be bought.
    for unit in catalog.units.values():
        if unit.source != "scenario":
            name_and_price = f"{unit.short} {unit.price}".replace(" ", NO_BREAK)
            prices.append((unit.letter.upper(), name_and_price))
    for work in catalog.works.values():
        if work.source != "scenario":
            prices.append((f"{work.name}:".replace(" ", NO_BREAK), str(work.price)))
    return prices
