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
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, as_pdf, bookmark
from skirmish.sheets.markers import MARKER, TAG, all_markers, draw_marker, draw_tag, tags_of
from skirmish.sheets.paper import HAIR, Leaf, leaf_of
from skirmish.sheets.plastic import GAME

INSET = 2.0
"""Points from the edge of a label within which nothing is printed: sheets shift in a printer."""


class CutGrid(NamedTuple):
    """How tags or markers of one ``size`` (points) stand on a label: in columns and rows."""

    columns: int
    rows: int
    size: tuple[float, float]

    @property
    def on_label(self) -> int:
        """How many fit a label."""
        return self.columns * self.rows


def grid_on(stock: LabelStock, size: tuple[float, float]) -> CutGrid:
    """As many as fit a label; none where one is larger than a label."""
    # What is cut out has a margin of its own, so the inset may take that.
    columns = int((stock.width - INSET) // size[0])
    rows = int((stock.height - INSET) // size[1])
    return CutGrid(columns, rows, size)


class LabelPage(NamedTuple):
    """The tags or markers on each label of a page, both in reading order; ``draw`` draws one of
    them by its lower left corner."""

    grid: CutGrid
    draw: Callable[[Canvas, Any, float, float], None]
    labels: Sequence[Sequence[Any]]


class LabelPart(SheetPart):
    """Pages that are all labels, without margins or a footer."""

    def __init__(self, stock: LabelStock, name: str, pages: Sequence[LabelPage]) -> None:
        fonts.ready()
        self.stock, self.leaf, self.name = stock, leaf_of(stock.paper), name
        self.label_pages = list(pages)
        self.pages = []  # of flowables, which labels are not

    def onto(self, canvas: Canvas, part: int, before: int | None = None) -> None:
        canvas.setPageSize((self.leaf.width, self.leaf.height))
        canvas.setViewerPreference("PrintScaling", "None")
        canvas.bookmarkPage(bookmark(part))
        canvas.addOutlineEntry(self.name, bookmark(part), 0)
        for page in self.label_pages:
            for number in range(len(page.labels)):
                self._draw_label(canvas, page, number)
            canvas.showPage()

    def _draw_label(self, canvas: Canvas, page: LabelPage, number: int) -> None:
        """Draws what is on the label of this number; labels are counted row by row, from 0."""
        stock, grid = self.stock, page.grid
        row, column = divmod(number, stock.columns)
        wide, tall = grid.size
        # All that is on a label stands in its middle.
        left = stock.left + column * stock.across + (stock.width - grid.columns * wide) / 2
        top = self.leaf.height - stock.top - row * stock.down
        top -= (stock.height - grid.rows * tall) / 2
        items = page.labels[number]
        for place, item in enumerate(items):
            row_on_label, column_on_label = divmod(place, grid.columns)
            x, low = left + column_on_label * wide, top - (row_on_label + 1) * tall
            page.draw(canvas, item, x, low)
        self._cut_lines(canvas, grid, len(items), left, top)

    def _cut_lines(
        self, canvas: Canvas, grid: CutGrid, count: int, left: float, top: float
    ) -> None:
        """Lines between the ``count`` tags or markers on one label, but not around them: its edge
        is cut already. Where fewer are on it, the last ones are cut off from what is empty."""
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
    """Tags with the codes of ``army`` (else some of every type), then the markers, on label sheets
    of that name, whose paper it is printed on. What is larger than a label is left out. Raises
    ValueError (a sentence) for an unknown name."""
    del page  # label sheets have a paper of their own
    stock = stock_of(labels)
    catalog = catalog or library.catalog()
    tags = list(tags_of(catalog, army))
    parts = [LabelPart(stock, "Tags", list(_pages(stock, tags, TAG, draw_tag)))]
    markers = list(_pages(stock, all_markers(), MARKER, draw_marker))
    if markers:
        parts.append(LabelPart(stock, "Markers", markers))
    title = f"{GAME}: labels, {stock.title}"
    return PdfDocument(title, "Tags and markers at true scale", parts)


def _pages(
    stock: LabelStock,
    items: Sequence[Any],
    size: tuple[float, float],
    draw: Callable[[Canvas, Any, float, float], None],
) -> Iterator[LabelPage]:
    """The items as many on a label as fit, and the labels as many on a page as the sheet has."""
    grid = grid_on(stock, size)
    if not grid.on_label:
        return
    labels = []
    for first in range(0, len(items), grid.on_label):
        labels.append(items[first : first + grid.on_label])
    on_page = stock.columns * stock.rows
    for first in range(0, len(labels), on_page):
        yield LabelPage(grid, draw, labels[first : first + on_page])
