"""Paper: sizes, margins, and the few measures that every sheet shares. All lengths in points."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Paper: TypeAlias = Literal["a4", "letter"]

MM = 72 / 25.4
GUTTER = 4 * MM
"""Between two columns."""
GAP = 2.4 * MM
"""Between two blocks."""
CLOSE_GAP = 2 * MM
"""Between two blocks of a sheet that is meant to stay on one page."""
FOOT = 4.4 * MM
"""The strip above the bottom margin that the footer takes."""


class Leaf(NamedTuple):
    """A sheet of paper and the margin on all four sides."""

    width: float
    height: float
    margin: float

    @property
    def measure(self) -> float:
        """The width between the margins."""
        return self.width - 2 * self.margin

    @property
    def top(self) -> float:
        """Where type begins, counted from the bottom of the paper."""
        return self.height - self.margin

    @property
    def bottom(self) -> float:
        """Where type ends, above the footer."""
        return self.margin + FOOT

    @property
    def depth(self) -> float:
        """The height between the top margin and the footer."""
        return self.top - self.bottom


_LEAVES = {
    "a4": Leaf(210 * MM, 297 * MM, 10.5 * MM),
    "letter": Leaf(612, 792, 9 * MM),
}


def leaf(paper: str) -> Leaf:
    """The leaf of that name; raises ValueError (a sentence) for another."""
    if paper not in _LEAVES:
        raise ValueError(f"no paper {paper!r}; there are {' and '.join(_LEAVES)}.")
    return _LEAVES[paper]
