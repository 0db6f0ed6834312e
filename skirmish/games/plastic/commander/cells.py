"""The table in cells of six inches: where the commander takes a group to stand.

Four of them are a square of the printed map, so that players name a cell by its square, ``D5``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from skirmish.games.plastic.scenarios.grid import FOOT, square_name
from skirmish.tabletop.plane import Point

CELL = FOOT / 2
"""Inches along each side of a cell: what guys move in a turn."""
TOUCHING = CELL * 1.5
"""Inches: no more than this are between the middles of cells that touch, even at a corner (about
1.4 cells)."""
FAR_OFF = 999.0
"""Inches to where there is nothing."""
CLOCKWISE = "NESW"
"""The edges of a table by their letters of the compass, each a quarter turn after the last."""


class GroundCell(NamedTuple):
    """A cell by its column, from the left, and its row, from the bottom, both from 0."""

    column: int
    row: int

    @property
    def middle(self) -> Point:
        """The middle of the cell, in table inches."""
        return (self.column + 0.5) * CELL, (self.row + 0.5) * CELL

    @property
    def square(self) -> str:
        """The square of the printed map in which the cell lies: ``D3``."""
        return square_name(self.middle)

    # A square is two cells wide and two cells high, from column 0 and row 0.
    @property
    def in_left_half(self) -> bool:
        """Whether the cell lies in the left half of its square."""
        return self.column % 2 == 0

    @property
    def in_lower_half(self) -> bool:
        """Whether the cell lies in the lower half of its square."""
        return self.row % 2 == 0


class CellGrid(msgspec.Struct, frozen=True):
    """The cells of a table, whose ``width`` and ``depth`` are in inches. Where these are no
    multiples of six, the last cells reach beyond the edge."""

    width: float
    depth: float

    @property
    def columns(self) -> int:
        """How many cells there are from left to right."""
        return math.ceil(self.width / CELL)

    @property
    def rows(self) -> int:
        """How many cells there are from bottom to top."""
        return math.ceil(self.depth / CELL)

    def __contains__(self, cell: object) -> bool:
        if not isinstance(cell, GroundCell):
            return False
        return 0 <= cell.column < self.columns and 0 <= cell.row < self.rows

    def cells(self) -> Iterator[GroundCell]:
        """All cells, row by row, from the bottom left."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield GroundCell(column, row)

    def at(self, point: Point) -> GroundCell:
        """The cell in which a point of the table lies, or the nearest one."""
        column = min(max(int(point[0] // CELL), 0), self.columns - 1)
        row = min(max(int(point[1] // CELL), 0), self.rows - 1)
        return GroundCell(column, row)

    def along_edge(self, edge: str, up: str) -> list[GroundCell]:
        """The cells along an edge of the table, on a map with the edge ``up`` at its top; both are
        letters of the compass. With the east at the top the northern edge is on the left: the top,
        turned three times."""
        quarter_turns = (CLOCKWISE.index(edge) - CLOCKWISE.index(up)) % 4
        along = []
        for cell in self.cells():
            on_top = cell.row == self.rows - 1
            on_the_right = cell.column == self.columns - 1
            at_the_bottom = cell.row == 0
            on_the_left = cell.column == 0
            clockwise_from_the_top = (on_top, on_the_right, at_the_bottom, on_the_left)
            if clockwise_from_the_top[quarter_turns]:
                along.append(cell)
        return along

    def neighbours(self, cell: GroundCell) -> Iterator[GroundCell]:
        """The cells that touch a cell, at a side or a corner."""
        for row in range(cell.row - 1, cell.row + 2):
            for column in range(cell.column - 1, cell.column + 2):
                neighbour = GroundCell(column, row)
                if neighbour != cell and neighbour in self:
                    yield neighbour


def apart(cell: GroundCell, other: GroundCell) -> float:
    """Inches between the middles of two cells."""
    return math.dist(cell.middle, other.middle)
