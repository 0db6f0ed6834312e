"""Tags and markers on sheets of self-adhesive labels: at true scale, as many on a label as fit,
with lines to cut between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from skirmish import library
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets import inks
from skirmish.sheets.label_stock import LabelStock, stock_of
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.pages import SheetPart, bookmark_key
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.paper import HAIR, Leaf, leaf_of
from skirmish.sheets.plastic import GAME
from skirmish.sheets.state_markers import MARKER_SIZE, all_markers, draw_marker
from skirmish.sheets.tags import TAG_SIZE, draw_tag, tags_of

INSET = 2.0
"""The points of a label, across and downward, in which nothing is printed, since a sheet may shift
in a printer."""


class CutGrid(NamedTuple):
    """How tags or markers, all of one width and height in points (``size``), stand on a label: in
    columns and rows."""

    columns: int
    rows: int
    size: tuple[float, float]

    @property
    def on_label(self) -> int:
        """How many tags or markers fit a label."""
        return self.columns * self.rows


def grid_on(stock: LabelStock, size: tuple[float, float]) -> CutGrid:
    """The grid of as many tags or markers of that ``size`` as fit a label. It has no columns or no
    rows if not even one fits."""
    wide, tall = size
    # ``INSET`` is shared by both edges: tags and markers have a margin of their own besides.
    columns = int((stock.width - INSET) // wide)
    rows = int((stock.height - INSET) // tall)
    return CutGrid(columns, rows, size)


class PrintedLabel(NamedTuple):
    """A label with the tags or markers on it in reading order. ``draw``: draws one of them, whose
    lower left corner is given."""

    grid: CutGrid
    draw: Callable[[Canvas, Any, float, float], None]
    items: Sequence[Any]


class LabelPart(SheetPart):
    """Pages that are all labels, without margins or a footer."""

    def __init__(self, stock: LabelStock, name: str, labels: Sequence[PrintedLabel]) -> None:
        fonts.ready()
        self.stock, self.leaf, self.name = stock, leaf_of(stock.paper), name
        self.labels = labels
        # The base class lays its flowables out on pages; labels are not flowables.
        self.pages = []

    def draw_pages(self, canvas: Canvas, part_number: int, pages_before: int | None = None) -> None:
        canvas.setPageSize((self.leaf.width, self.leaf.height))
        canvas.setViewerPreference("PrintScaling", "None")
        canvas.bookmarkPage(bookmark_key(part_number))
        canvas.addOutlineEntry(self.name, bookmark_key(part_number), 0)
        on_page = self.stock.columns * self.stock.rows
        for first in range(0, len(self.labels), on_page):
            for number, label in enumerate(self.labels[first : first + on_page]):
                self._draw_label(canvas, label, number)
            canvas.showPage()

    def _draw_label(self, canvas: Canvas, label: PrintedLabel, number: int) -> None:
        """Draws a label. ``number``: that of its place on the page, counted row by row from 0."""
        stock, grid = self.stock, label.grid
        row, column = divmod(number, stock.columns)
        wide, tall = grid.size
        # All that is on a label stands in its middle.
        left = stock.left + column * stock.across + (stock.width - grid.columns * wide) / 2
        top = self.leaf.height - stock.top - row * stock.down
        top -= (stock.height - grid.rows * tall) / 2
        for place, item in enumerate(label.items):
            row_on_label, column_on_label = divmod(place, grid.columns)
            x, low = left + column_on_label * wide, top - (row_on_label + 1) * tall
            label.draw(canvas, item, x, low)
        self._cut_lines(canvas, grid, len(label.items), left, top)

    def _cut_lines(
        self, canvas: Canvas, grid: CutGrid, count: int, left: float, top: float
    ) -> None:
        """Lines between the ``count`` tags or markers on a label, but not along the edge of the
        label, which is cut already. Lines also separate them from the empty rest of a label that
        is not full."""
        wide, tall = grid.size
        canvas.pen(inks.FAINT, HAIR)
        for number in range(count):
            row, column = divmod(number, grid.columns)
            x, y = left + column * wide, top - row * tall
            if column + 1 < grid.columns:
                canvas.line(x + wide, y, x + wide, y - tall)
            if row + 1 < grid.rows:
                canvas.line(x, y - tall, x + wide, y - tall)


@as_pdf
def labels_pdf(
    page: Leaf,
    army: Army | None = None,
    *,
    labels: str,
    catalog: Catalog | None = None,
) -> PdfDocument:
    """Tags with the codes of ``army``, or some of every type without an army, and then the markers,
    on the label sheets that are called ``labels``. The markers begin on the sheet on which the tags
    end, since label sheets are dear. What is larger than a label is left out. Raises ValueError (a
    sentence) for an unknown name."""
    del page  # the paper is that of the label sheets
    stock = stock_of(labels)
    catalog = catalog or library.catalog()
    on_labels = [
        *_labels(stock, list(tags_of(catalog, army)), TAG_SIZE, draw_tag),
        *_labels(stock, all_markers(), MARKER_SIZE, draw_marker),
    ]
    parts = [LabelPart(stock, "Tags and markers", on_labels)]
    title = f"{GAME}: labels, {stock.title}"
    return PdfDocument(title, "Tags and markers at true scale", parts)


def _labels(
    stock: LabelStock,
    items: Sequence[Any],
    size: tuple[float, float],
    draw: Callable[[Canvas, Any, float, float], None],
) -> Iterator[PrintedLabel]:
    """The labels for the items, with as many items on each as fit; none if not even one fits."""
    grid = grid_on(stock, size)
    if grid.on_label == 0:
        return
    for first in range(0, len(items), grid.on_label):
        yield PrintedLabel(grid, draw, items[first : first + grid.on_label])
