"""The grid of feet by which players lay a table: a place is named by its square, such as ``C4``.

Everywhere ``size`` is that of the table, its width and its depth in inches.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from skirmish.tabletop import plane
from skirmish.tabletop.plane import Path, Point, Rectangle

FOOT = 12.0
"""Inches between the lines of the grid."""
_LONGEST_IN_A_SQUARE = 7.5
"""Inches: half a square and a little more. A piece no longer than this is easily found by one
square, that of its middle."""
_EDGE_MARGIN = 0.1
"""Inches from the edge of the table that still belong to its last square."""


def square_name(point: Point) -> str:
    """``C4``: columns are lettered from the left, rows numbered from the bottom. Beyond the right
    or the upper edge the squares go on, since the size of the table is not known here."""
    across, upward = point
    # A point beyond the left or the lower edge belongs to the first square inside.
    column = max(0, int(across // FOOT))
    row = max(0, int(upward // FOOT))
    return f"{chr(ord('A') + column)}{row + 1}"


class PlacedBox(NamedTuple):
    """The squares of a box on the table, and its size in whole inches."""

    squares: str
    width: int
    depth: int

    @property
    def in_short(self) -> str:
        """``C3-D4 12×8``."""
        return f"{self.squares} {self.width}×{self.depth}"


def placed_box(box: Rectangle, size: tuple[float, float]) -> PlacedBox:
    """Where a box lies on the table; it takes an inch at least."""
    on_table = _on_table(box, size)
    width = max(1, round(on_table.right - on_table.left))
    depth = max(1, round(on_table.top - on_table.bottom))
    return PlacedBox(squares_of_box(box, size), width, depth)


def squares_of_box(box: Rectangle, size: tuple[float, float]) -> str:
    """``C3-D4``: the first and the last square that a box covers by more than a sliver; ``C3`` if
    that is one square."""
    on_table = _on_table(box, size)
    width, depth = on_table.right - on_table.left, on_table.top - on_table.bottom
    if max(width, depth) > _LONGEST_IN_A_SQUARE:
        # A square that the box covers by less than an inch is not named. A narrow box loses a third
        # of its width at either side instead, so that something is left of it.
        inset_across, inset_upward = min(1.0, width / 3), min(1.0, depth / 3)
    else:
        # Nearly half at either side: what is left lies in the square of its middle.
        inset_across, inset_upward = width / 2.1, depth / 2.1
    first = square_name((on_table.left + inset_across, on_table.bottom + inset_upward))
    last = square_name((on_table.right - inset_across, on_table.top - inset_upward))
    if last == first:
        return first
    return f"{first}-{last}"


def squares_along(path: Path, size: tuple[float, float]) -> str:
    """``A3-C3-E5``: the squares where a line begins and ends; if it bends, that of its middle,
    too."""
    width, depth = size
    on_table = []
    for x, y in path:
        # A line that ends at the edge belongs to the last square before it.
        inside_x = min(max(x, _EDGE_MARGIN), width - _EDGE_MARGIN)
        inside_y = min(max(y, _EDGE_MARGIN), depth - _EDGE_MARGIN)
        on_table.append((inside_x, inside_y))
    # Stations are the two ends, and as many between them as the distance gives: none on a straight
    # line, the middle on any other.
    distance = math.inf
    bends = len(on_table) > 2
    if bends:
        distance = plane.length(on_table) / 2
    squares = [square_name(station.at) for station in plane.stations(on_table, distance)]
    # A short line may have several stations in one square.
    return "-".join(dict.fromkeys(squares))


def _on_table(box: Rectangle, size: tuple[float, float]) -> Rectangle:
    """The part of a box that lies on the table: outlines may be drawn beyond its edge."""
    width, depth = size
    return Rectangle(
        max(0.0, box.left), max(0.0, box.bottom), min(width, box.right), min(depth, box.top)
    )
