"""Paper and ink: sizes, margins, inks and line weights. All lengths in points.

Sides differ by shape and fill besides their ink: never colour alone."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Paper: TypeAlias = Literal["a4", "letter"]
INCH = 72.0
MM = INCH / 25.4
GUTTER = 4 * MM
"""Between two columns."""
GAP = 2.4 * MM
"""Between two blocks."""
CLOSE_GAP = 2 * MM
"""Between two blocks of a sheet that is meant to stay on one page."""
FOOT = 4.4 * MM
"""The strip above the bottom margin that the footer takes."""
Ink: TypeAlias = tuple[float, float, float]
InkUse: TypeAlias = Literal["colour", "saver"]
HAIR, THIN, NORMAL, HEAVY, FRAME = 0.25, 0.5, 0.8, 1.4, 1.8


class Leaf(NamedTuple):
    width: float
    height: float
    margin: float

    @property
    def measure(self) -> float:
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


def ink(code: str) -> Ink:
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue


BLACK = ink("1B1B18")
BAND = ink("33352C")
FAINT = ink("8A8C80")
CODE = ink("63665A")
PANEL = ink("F2F0E6")
ACCENT = ink("A4452C")
WHITE = ink("FFFFFF")


class SideInk(NamedTuple):
    """How a side is told from the other: its ink, and solid or hollow marks."""

    ink: Ink
    solid: bool


SIDES = (SideInk(ink("3D4914"), False), SideInk(ink("2F3B4C"), True))
"""The side that moves first, and the other."""
