"""Sizes, margins and line weights, in points."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Paper: TypeAlias = Literal["a4", "letter"]
INCH = 72.0
"""An inch in points, as all lengths of this package."""
MM = INCH / 25.4
"""A millimetre in points."""
GUTTER = 4 * MM
"""The space between two columns."""
GAP = 2.4 * MM
"""The space between two blocks of a column."""
CLOSE_GAP = 2 * MM
"""The space between two blocks of a sheet that should fit one page, less than ``GAP``."""
ROW = 12.4
"""The height of a row of boxes in an order of battle: the step of a scenario sheet's grid."""
STEP = ROW / 3
"""Leadings and rows of small tables are whole or half such steps."""
FOOT = 4 * MM
"""The height of the footer, above the bottom margin."""
BINDING = 4 * MM
"""The ``inner`` of a ``Leaf`` of a book: room to bind it."""
WRITING = 6.5 * MM
"""The least height of a row that is written on by hand."""
ROUNDING = 0.01
"""What is too high or too wide by so few points fits all the same: sums of lengths are rounded."""
HAIR, THIN, NORMAL, HEAVY, FRAME = 0.25, 0.5, 0.8, 1.4, 1.8
"""The weights of lines, from the thinnest to the heaviest."""


class Leaf(NamedTuple):
    """A sheet of paper; all lengths in points. ``inner``: how much wider than the others the margin
    is at which a book is bound; 0 for a loose sheet."""

    width: float
    height: float
    margin: float
    inner: float = 0.0

    @property
    def measure(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin - self.inner

    @property
    def top(self) -> float:
        """The level of the first line, in points from the bottom edge."""
        return self.height - self.margin

    @property
    def bottom(self) -> float:
        """The lower end of the text, above the footer."""
        return self.margin + FOOT

    @property
    def depth(self) -> float:
        """The height between the top margin and the footer."""
        return self.top - self.bottom


# Letter is 18 mm shorter: with the margins of A4, sheets that should fit one page would need two.
_LEAVES = {
    "a4": Leaf(210 * MM, 297 * MM, 9.2 * MM),
    "letter": Leaf(612, 792, 8.4 * MM),
}


def leaf_of(paper: str) -> Leaf:
    """A sheet of that paper, with our margins. Raises ValueError (a sentence) for an unknown
    name."""
    if paper not in _LEAVES:
        raise ValueError(f"no paper {paper!r}; there are {' and '.join(_LEAVES)}.")
    return _LEAVES[paper]
