"""Sheets of self-adhesive labels, by the names under which they are sold.

The measures are those that the makers publish. Two margins, all labels and the gaps between them
add up to the width of the paper, and likewise to its height; a test checks that. Nothing here loads
the PDF library.
"""

from __future__ import annotations

from typing import NamedTuple

from skirmish.sheets.paper import INCH, MM, Paper

A4_WIDTH, A4_HEIGHT = 210, 297
"""The size of A4 paper, in millimetres."""


class LabelStock(NamedTuple):
    """A sheet of labels. Lengths are in points. ``left`` and ``top``: from the upper left corner of
    the paper to that of the first label. ``across`` and ``down``: from the left end, or the top, of
    a label to that of the next."""

    name: str
    maker: str
    paper: Paper
    columns: int
    rows: int
    width: float
    height: float
    left: float
    top: float
    across: float
    down: float

    @property
    def labels_on_sheet(self) -> int:
        """How many labels are on a sheet."""
        return self.columns * self.rows

    @property
    def title(self) -> str:
        """``24 a sheet, 70 × 36 mm (3490)``."""
        # As the makers write it: the height first in inches, the width first in millimetres.
        if self.paper == "letter":
            size = f"{self.height / INCH:g} × {self.width / INCH:g} in"
        else:
            size = f"{_rounded_mm(self.width)} × {_rounded_mm(self.height)} mm"
        return f"{self.labels_on_sheet} a sheet, {size} ({self.maker} {self.name})"


def _rounded_mm(points: float) -> str:
    """A length in millimetres with at most one decimal: ``63.5``, ``70``."""
    return f"{points / MM:.1f}".removesuffix(".0")


class _Grid(NamedTuple):
    """The number of labels across and down a sheet, and the width and height of one, in millimetres
    on A4 and in inches on letter paper."""

    columns: int
    rows: int
    width: float
    height: float


def _metric(name: str, maker: str, grid: _Grid, gap: float) -> LabelStock:
    """An A4 sheet with its labels in the middle: ``gap`` mm apart in a row, and without gaps
    between the rows."""
    columns, rows, width, height = grid
    labels_width = columns * width + (columns - 1) * gap
    left = (A4_WIDTH - labels_width) / 2
    top = (A4_HEIGHT - rows * height) / 2
    return LabelStock(
        name,
        maker,
        "a4",
        columns,
        rows,
        width=width * MM,
        height=height * MM,
        left=left * MM,
        top=top * MM,
        across=(width + gap) * MM,
        down=height * MM,
    )


def _imperial(name: str, grid: _Grid, left: float, across: float) -> LabelStock:
    """A letter sheet whose first row is half an inch from its upper edge, without gaps between the
    rows. ``left`` and ``across``: as in ``LabelStock``, but in inches."""
    columns, rows, width, height = grid
    return LabelStock(
        name,
        "Avery",
        "letter",
        columns,
        rows,
        width=width * INCH,
        height=height * INCH,
        left=left * INCH,
        top=INCH / 2,
        across=across * INCH,
        down=height * INCH,
    )


_STOCKS = (
    # Avery Zweckform 3490: 70 x 36 mm without gaps, margins 0 and 4.5 mm.
    _metric("3490", "Avery Zweckform", _Grid(3, 8, 70, 36), gap=0),
    # Avery L7159 and L7160: 2.5 mm apart, margins 7.25 mm at the sides; 12.9 and 15.15 above.
    _metric("L7159", "Avery", _Grid(3, 8, 63.5, 33.9), gap=2.5),
    _metric("L7160", "Avery", _Grid(3, 7, 63.5, 38.1), gap=2.5),
    # Avery L7651, the same as Label Planet LP65/38: margins 4.75 and 10.7 mm, 40.6 mm across.
    _metric("L7651", "Avery", _Grid(5, 13, 38.1, 21.2), gap=2.5),
    # Avery 5160: 1 x 2 5/8 in, side margins 3/16 in, 2 3/4 in across.
    _imperial("5160", _Grid(3, 10, 2.625, 1), left=0.1875, across=2.75),
    # Avery 5163: 2 x 4 in, side margins 5/32 in, 4 3/16 in across.
    _imperial("5163", _Grid(2, 5, 4, 2), left=0.15625, across=4.1875),
)
STOCKS = {stock.name: stock for stock in _STOCKS}
"""The sheets of labels, by their names."""


def stock_of(name: str) -> LabelStock:
    """The label sheet of that name, or the first with that number of labels, as in ``24``. Raises
    ValueError (a sentence) if there is none."""
    wanted = name.strip().upper()
    for stock in _STOCKS:
        if wanted in (stock.name, str(stock.labels_on_sheet)):
            return stock
    raise ValueError(f"There is no label sheet {name!r}; there are {', '.join(STOCKS)}.")
