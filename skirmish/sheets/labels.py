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
from skirmish.sheets.paper import HAIR, Leaf, leaf
from skirmish.sheets.plastic import GAME

INSET = 2.0
"""Points from the edge of a label within which nothing is printed: sheets shift in a printer."""


class CutGrid(NamedTuple):
    """How what is of one size stands on each label: so many across and down, and the size."""

    columns: int
    rows: int
    size: tuple[float, float]

    @property
    def in_all(self) -> int:
        return self.columns * self.rows


def grid_on(stock: LabelStock, size: tuple[float, float]) -> CutGrid:
    """As many as fit a label; none where one is larger than a label."""
    # What is cut out has a margin of its own, so the inset may take that.
    columns = int((stock.width - INSET) // size[0])
    rows = int((stock.height - INSET) // size[1])
    return CutGrid(columns, rows, size)


class LabelPage(NamedTuple):
    """What is drawn on each label of a page, in reading order."""

    grid: CutGrid
    draw: Callable[[Canvas, Any, float, float], None]
    labels: Sequence[Sequence[Any]]


class LabelPart(SheetPart):
    """Pages that are all labels, without margins or a footer."""

    def __init__(self, stock: LabelStock, name: str, pages: Sequence[LabelPage]) -> None:
        fonts.ready()
        self.stock, self.leaf, self.name = stock, leaf(stock.paper), name
        self.label_pages = list(pages)
        self.pages = []

    def onto(self, canvas: Canvas, part: int, before: int | None = None) -> None:
        canvas.setPageSize((self.leaf.width, self.leaf.height))
        canvas.setViewerPreference("PrintScaling", "None")
        canvas.bookmarkPage(bookmark(part))
        canvas.addOutlineEntry(self.name, bookmark(part), 0)
        for page in self.label_pages:
            for place, items in enumerate(page.labels):
                self._draw_label(canvas, page, place, items)
            canvas.showPage()

    def _draw_label(
        self, canvas: Canvas, page: LabelPage, place: int, items: Sequence[Any]
    ) -> None:
        stock, grid = self.stock, page.grid
        row, column = divmod(place, stock.columns)
        wide, tall = grid.size
        # All that is on a label stands in its middle.
        left = stock.left + column * stock.across + (stock.width - grid.columns * wide) / 2
        top = self.leaf.height - stock.top - row * stock.down
        top -= (stock.height - grid.rows * tall) / 2
        for number, item in enumerate(items):
            down, along = divmod(number, grid.columns)
            page.draw(canvas, item, left + along * wide, top - (down + 1) * tall)
        self._cut_lines(canvas, grid, len(items), left, top)

    def _cut_lines(
        self, canvas: Canvas, grid: CutGrid, count: int, left: float, top: float
    ) -> None:
        """Lines between the ``count`` things on one label, but not around them: its edge is cut
        already. Where fewer are on it, the last ones are cut off from what is empty."""
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
    grid = grid_on(stock, size)
    if not grid.in_all:
        return
    labels = []
    for first in range(0, len(items), grid.in_all):
        labels.append(items[first : first + grid.in_all])
    on_page = stock.columns * stock.rows
    for first in range(0, len(labels), on_page):
        yield LabelPage(grid, draw, labels[first : first + on_page])
