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
from skirmish.sheets.markers import (
    MARKER_SIZE,
    TAG_SIZE,
    all_markers,
    draw_marker,
    draw_tag,
    tags_of,
)
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
    """The grid of as many tags or markers of that ``size`` as fit a label; it is empty where not
    even one does."""
    # What is cut out has a margin of its own, so the inset may take that.
    columns = int((stock.width - INSET) // size[0])
    rows = int((stock.height - INSET) // size[1])
    return CutGrid(columns, rows, size)


class PrintedLabel(NamedTuple):
    """A label with the tags or markers on it in reading order; ``draw`` draws one of them by its
    lower left corner."""

    grid: CutGrid
    draw: Callable[[Canvas, Any, float, float], None]
    items: Sequence[Any]


class LabelPart(SheetPart):
    """Pages that are all labels, without margins or a footer."""

    def __init__(self, stock: LabelStock, name: str, labels: Sequence[PrintedLabel]) -> None:
        fonts.ready()
        self.stock, self.leaf, self.name = stock, leaf_of(stock.paper), name
        self.labels = labels
        self.pages = []  # of flowables, which labels are not

    def onto(self, canvas: Canvas, part: int, before: int | None = None) -> None:
        canvas.setPageSize((self.leaf.width, self.leaf.height))
        canvas.setViewerPreference("PrintScaling", "None")
        canvas.bookmarkPage(bookmark(part))
        canvas.addOutlineEntry(self.name, bookmark(part), 0)
        on_page = self.stock.columns * self.stock.rows
        for first in range(0, len(self.labels), on_page):
            for number, label in enumerate(self.labels[first : first + on_page]):
                self._draw_label(canvas, label, number)
            canvas.showPage()

    def _draw_label(self, canvas: Canvas, label: PrintedLabel, number: int) -> None:
        """Draws a label; ``number``: its place on the page, row by row from 0."""
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
    of that name, whose paper it is printed on. The markers follow the tags on the same sheet:
    label sheets are dear. What is larger than a label is left out. Raises ValueError (a sentence)
    for an unknown name."""
    del page  # label sheets have a paper of their own
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
    """The items, as many on a label as fit."""
    grid = grid_on(stock, size)
    if not grid.on_label:
        return
    for first in range(0, len(items), grid.on_label):
        yield PrintedLabel(grid, draw, items[first : first + grid.on_label])
