"""Sheets of self-adhesive labels, by the names under which they are sold.

Measures are as their makers publish them. Each fills its paper exactly: twice the margin, all
labels and the gaps between them are the width of the paper, and likewise downward; a test adds
them up. Nothing here loads the PDF library.
"""

from __future__ import annotations

from typing import NamedTuple

from skirmish.sheets.paper import INCH, MM, Paper


class LabelStock(NamedTuple):
    """A sheet of labels. Lengths are in points: the size of a label, the corner of the first from
    the upper left of the paper, and from one label to the next."""

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
    def title(self) -> str:
        """``24 a sheet, 70 × 36 mm (3490)``."""
        # As their makers write it: height first in inches, width first in millimetres.
        if self.paper == "letter":
            size = f"{self.height / INCH:g} × {self.width / INCH:g} in"
        else:
            # One place after the point is enough for millimetres, and none where that is a zero.
            size = f"{self.width / MM:.1f} × {self.height / MM:.1f} mm".replace(".0", "")
        return f"{self.columns * self.rows} a sheet, {size} ({self.maker} {self.name})"


class _Grid(NamedTuple):
    """The number of labels across and down, and the width and height of one, in mm or inches."""

    columns: int
    rows: int
    width: float
    height: float


def _metric(name: str, maker: str, grid: _Grid, gap: float) -> LabelStock:
    """A4 with labels ``gap`` mm apart across and touching downward, in the middle of the paper."""
    columns, rows, width, height = grid
    left = (210 - columns * width - (columns - 1) * gap) / 2
    top = (297 - rows * height) / 2
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
    """Letter with labels half an inch from its upper edge and touching downward; ``left`` and
    ``across`` in inches."""
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
    _metric("3490", "Avery Zweckform", _Grid(3, 8, 70, 36), 0),
    # Avery L7159 and L7160: 2.5 mm apart, margins 7.25 mm at the sides; 12.9 and 15.15 above.
    _metric("L7159", "Avery", _Grid(3, 8, 63.5, 33.9), 2.5),
    _metric("L7160", "Avery", _Grid(3, 7, 63.5, 38.1), 2.5),
    # Avery L7651, the same as Label Planet LP65/38: margins 4.75 and 10.7 mm, 40.6 mm across.
    _metric("L7651", "Avery", _Grid(5, 13, 38.1, 21.2), 2.5),
    # Avery 5160: 1 x 2 5/8 in, side margins 3/16 in, 2 3/4 in across.
    _imperial("5160", _Grid(3, 10, 2.625, 1), 0.1875, 2.75),
    # Avery 5163: 2 x 4 in, side margins 5/32 in, 4 3/16 in across.
    _imperial("5163", _Grid(2, 5, 4, 2), 0.15625, 4.1875),
)
STOCKS = {stock.name: stock for stock in _STOCKS}


def stock_of(name: str) -> LabelStock:
    """The label sheet of that name, in capitals or not, or the first with as many labels as
    ``name`` says; raises ValueError (a sentence)."""
    wanted = name.strip().upper()
    for stock in _STOCKS:
        if wanted in (stock.name, str(stock.columns * stock.rows)):
            return stock
    raise ValueError(f"There is no label sheet {name!r}; there are {', '.join(STOCKS)}.")
