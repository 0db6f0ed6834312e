"""Tags and markers on sheets of self-adhesive labels: at true scale, as many on a label as fit,
with lines to cut between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from skirmish import library
from skirmish.games.plastic.rules.army import Army
from skirmish.games.plastic.rules.catalog import Catalog
from skirmish.sheets import inks
from skirmish.sheets.cut_pages import CutSize, DrawItem
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


_Item = TypeVar("_Item")
"""A tag or a marker."""


class CutGrid(NamedTuple):
    """How tags or markers, all of one ``size``, stand on a label: in columns and rows."""

    columns: int
    rows: int
    size: CutSize

    @property
    def items_on_label(self) -> int:
        """How many tags or markers a label has room for."""
        return self.columns * self.rows


def grid_on(stock: LabelStock, size: CutSize) -> CutGrid:
    """The grid of as many tags or markers of that ``size`` as fit a label. It has no columns or no
    rows if not even one fits."""
    # ``INSET`` is shared by both edges: tags and markers have a margin of their own besides.
    columns = int((stock.width - INSET) // size.width)
    rows = int((stock.height - INSET) // size.height)
    return CutGrid(columns, rows, size)


class PrintedLabel(NamedTuple, Generic[_Item]):
    """A label with the tags or markers on it in reading order."""

    grid: CutGrid
    draw: DrawItem[_Item]
    items: Sequence[_Item]


class LabelPart(SheetPart):
    """Pages that are all labels, without margins or a footer."""

    def __init__(self, stock: LabelStock, name: str, labels: Sequence[PrintedLabel[Any]]) -> None:
        # The base class, which does this, is not called: it lays flowables out on pages, and labels
        # are not flowables.
        fonts.ready()
        self.stock, self.leaf, self.name = stock, leaf_of(stock.paper), name
        self.labels = labels
        # The pages on which flowables are laid out.
        self.pages = []

    def draw_pages(self, canvas: Canvas, part_number: int, pages_before: int | None = None) -> None:
        """Draws all sheets, with a bookmark at the first. ``pages_before`` numbers the pages of a
        book; label sheets have no numbers."""
        canvas.setPageSize((self.leaf.width, self.leaf.height))
        # With this, viewers propose to print at true scale.
        canvas.setViewerPreference("PrintScaling", "None")
        canvas.bookmarkPage(bookmark_key(part_number))
        canvas.addOutlineEntry(self.name, bookmark_key(part_number), 0)
        on_sheet = self.stock.labels_on_sheet
        for first in range(0, len(self.labels), on_sheet):
            labels_of_sheet = self.labels[first : first + on_sheet]
            for number, label in enumerate(labels_of_sheet):
                self._draw_label(canvas, label, number)
            canvas.showPage()

    def _draw_label(self, canvas: Canvas, label: PrintedLabel[Any], number: int) -> None:
        """Draws a label. ``number``: that of its place on the sheet, counted row by row from 0."""
        stock, grid = self.stock, label.grid
        row, column = divmod(number, stock.columns)
        item_width, item_height = grid.size
        # All that is on a label stands in its middle.
        left = stock.left + column * stock.across + (stock.width - grid.columns * item_width) / 2
        top = self.leaf.height - stock.top - row * stock.down
        top -= (stock.height - grid.rows * item_height) / 2
        for place, item in enumerate(label.items):
            row_on_label, column_on_label = divmod(place, grid.columns)
            x, y = left + column_on_label * item_width, top - (row_on_label + 1) * item_height
            label.draw(canvas, item, x, y)
        self._draw_cut_lines(canvas, grid, len(label.items), left, top)

    def _draw_cut_lines(
        self, canvas: Canvas, grid: CutGrid, count: int, left: float, top: float
    ) -> None:
        """Lines between the ``count`` tags or markers on a label, but not along the edge of the
        label, which is cut already. Lines also separate them from the empty rest of a label that
        is not full."""
        item_width, item_height = grid.size
        canvas.pen(inks.FAINT, HAIR)
        for number in range(count):
            row, column = divmod(number, grid.columns)
            x, y = left + column * item_width, top - row * item_height
            right, bottom = x + item_width, y - item_height
            is_last_column, is_last_row = column == grid.columns - 1, row == grid.rows - 1
            if not is_last_column:
                canvas.line(right, y, right, bottom)
            if not is_last_row:
                canvas.line(x, bottom, right, bottom)


@as_pdf
def labels_pdf(
    page: Leaf,
    army: Army | None = None,
    *,
    labels: str,
    catalog: Catalog | None = None,
) -> PdfDocument:
    """Tags with the codes of ``army``, or without an army some of each type, and then the markers,
    on the label sheets that are called ``labels``. The markers begin on the sheet on which the tags
    end, since label sheets are dear. What is larger than a label is left out. Raises ValueError (a
    sentence) for an unknown name."""
    del page  # the paper is that of the label sheets
    stock = stock_of(labels)
    if catalog is None:
        catalog = library.catalog()
    on_labels: list[PrintedLabel[Any]] = [
        *_labels(stock, list(tags_of(catalog, army)), TAG_SIZE, draw_tag),
        *_labels(stock, all_markers(), MARKER_SIZE, draw_marker),
    ]
    parts = [LabelPart(stock, "Tags and markers", on_labels)]
    title = f"{GAME}: labels, {stock.title}"
    return PdfDocument(title, "Tags and markers at true scale", parts)


def _labels(
    stock: LabelStock,
    items: Sequence[_Item],
    size: CutSize,
    draw: DrawItem[_Item],
) -> Iterator[PrintedLabel[_Item]]:
    """The labels for the items, with as many items on each as fit; none if not even one fits."""
    grid = grid_on(stock, size)
    if grid.items_on_label == 0:
        return
    for first in range(0, len(items), grid.items_on_label):
        yield PrintedLabel(grid, draw, items[first : first + grid.items_on_label])
