"""Blocks in two columns, side by side or distributed over both, and the gaps between blocks.

``two_columns`` sets two given contents side by side; ``in_two_columns`` and ``in_reading_order``
decide which block goes into which column; ``level_columns`` and ``with_even_gaps`` widen gaps, so
that columns end where they should."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from skirmish.sheets.layout.flow import Block, Cell, CellRow, Flowable, Gap, Stack, depth, height_of
from skirmish.sheets.paper import GAP, GUTTER, MM, ROUNDING

SCANT_ROOM = 55 * MM
"""Columns begin in less room than this only if they also end there."""
LEAST_GAP = 2 * MM
"""The least gap between blocks whose gaps are widened."""
WIDEST_GAP = 5 * MM
"""The widest gap between such blocks."""
MOST_TRIED = 12
"""So many blocks are distributed over two columns in all ways, 4096 for a dozen; each further block
would double them."""

Column: TypeAlias = int
"""The left column (0) or the right one (1)."""
LEFT: Column = 0
RIGHT: Column = 1


class ColumnBlocks(NamedTuple):
    """The contents of two columns."""

    left: Block
    right: Block


class ColumnHeights(NamedTuple):
    """The heights of what is in two columns, in points."""

    left: float
    right: float


NOTHING_ABOVE = ColumnHeights(0.0, 0.0)


class SideBySide(CellRow):
    """Columns that begin level and break across pages separately. If only their beginning would fit
    on a page, they all move to the next."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__(cells, above=0, below=0, weight=0)

    def split(self, width: float, room: float) -> list[Flowable]:
        """The part of the columns that fits into ``room``, and the rest; empty if they all move."""
        # Both columns would go on overleaf after a few lines: they begin there instead.
        if room < SCANT_ROOM:
            return []
        above: list[Cell] = []
        below: list[Cell] = []
        for cell in self.cells:
            if height_of(cell.content, cell.width) <= room + ROUNDING:
                above.append(cell)
                continue
            parts = cell.content.split(cell.width, room)
            if parts:
                first, *rest = parts
                above.append(cell._replace(content=first))
                for part in rest:
                    below.append(cell._replace(content=part))
            else:
                below.append(cell)
        if not above:
            return []
        columns_below = SideBySide(below)
        columns_below.head = self.head
        return [SideBySide(above), columns_below]


def two_columns(
    left: Sequence[Flowable],
    right: Sequence[Flowable],
    width: float,
    share: float = 0.5,
    gutter: float = GUTTER,
) -> SideBySide:
    """Two columns, the left taking ``share`` of the ``width``, with a ``gutter`` between them."""
    widths = column_widths(width, share, gutter)
    return SideBySide(
        [
            Cell(0, widths.left, Stack(left)),
            Cell(widths.left + gutter, widths.right, Stack(right)),
        ]
    )


class ColumnWidths(NamedTuple):
    """The widths of two columns, in points."""

    left: float
    right: float


def column_widths(width: float, share: float, gutter: float = GUTTER) -> ColumnWidths:
    """The widths of two columns as ``two_columns`` sets them."""
    left = (width - gutter) * share
    return ColumnWidths(left, width - gutter - left)


def level_columns(
    left: Sequence[Flowable], right: Sequence[Flowable], width: float, share: float = 0.5
) -> Flowable:
    """Two columns, the left taking ``share`` of the ``width``. The gaps of the shorter one are
    widened, so that both end level, unless ``WIDEST_GAP`` is too little for that."""
    widths = column_widths(width, share)
    height = max(
        height_with_least_gaps(left, widths.left), height_with_least_gaps(right, widths.right)
    )
    return two_columns(
        with_even_gaps(left, widths.left, height),
        with_even_gaps(right, widths.right, height),
        width,
        share,
    )


def with_even_gaps(blocks: Sequence[Flowable], width: float, height: float) -> list[Flowable]:
    """The blocks with equal gaps between them, so wide that they fill ``height``, but no wider than
    ``WIDEST_GAP``."""
    spare = max(0.0, height - depth(blocks, width))
    # A single block has no gap, and nothing is to be divided by 0.
    gap_count = max(1, len(blocks) - 1)
    gap = min(WIDEST_GAP, spare / gap_count)
    spaced: list[Flowable] = []
    for block in blocks:
        if spaced:
            spaced.append(Gap(gap))
        spaced.append(block)
    return spaced


def height_with_least_gaps(blocks: Sequence[Flowable], width: float) -> float:
    """The height of blocks below one another with the least gap between them."""
    gap_count = len(blocks) - 1
    return depth(blocks, width) + LEAST_GAP * gap_count


def in_two_columns(
    blocks: Sequence[Block], width: float, gap: float = GAP, *, above: ColumnBlocks | None = None
) -> ColumnBlocks:
    """Distributes ``blocks`` in order over two columns, each ``width`` points wide, so that the
    taller one is as short as possible; ``gap`` points between blocks. ``above``: what is in the
    columns already."""
    columns = ColumnBlocks([], [])
    heights_above = NOTHING_ABOVE
    if above is not None:
        columns = ColumnBlocks(list(above.left), list(above.right))
        heights_above = ColumnHeights(depth(above.left, width), depth(above.right, width))
    heights = [depth(block, width) + gap for block in blocks]
    best = shortest_columns(heights, heights_above)
    for column, block in zip(best.columns, blocks, strict=True):
        if column == LEFT:
            _append(columns.left, block, gap)
        else:
            _append(columns.right, block, gap)
    return columns


def in_reading_order(blocks: Sequence[Block], width: float, gap: float = GAP) -> ColumnBlocks:
    """``blocks`` down the left column and then down the right one, so that the taller column is as
    short as possible; ``gap`` points between blocks."""
    heights = [depth(block, width) + gap for block in blocks]

    def height_of_taller(count_on_left: int) -> float:
        return max(math.fsum(heights[:count_on_left]), math.fsum(heights[count_on_left:]))

    best_count_on_left = min(range(len(blocks) + 1), key=height_of_taller)
    columns = ColumnBlocks([], [])
    for block in blocks[:best_count_on_left]:
        _append(columns.left, block, gap)
    for block in blocks[best_count_on_left:]:
        _append(columns.right, block, gap)
    return columns


def _append(column: Block, block: Block, gap: float) -> None:
    """Adds a block to a column, with a gap above it unless it is the first."""
    if column:
        column.append(Gap(gap))
    column.extend(block)


class Distribution(NamedTuple):
    """Blocks in two columns: the height of the taller column, and the column of each block. ``min``
    chooses by the height, and of equally high ones by the columns, the left before the right."""

    height: float
    columns: tuple[Column, ...]


def shortest_columns(
    heights: Sequence[float], heights_above: ColumnHeights = NOTHING_ABOVE
) -> Distribution:
    """Distributes blocks of these ``heights`` below what is in the columns already, so that the
    taller column is as short as possible. Of equally good ways it is the one that puts the first
    blocks on the left.

    Of many blocks only the last ``MOST_TRIED`` are distributed in all ways. Each of those before
    goes to the column that is the shorter one then."""
    count_before = max(0, len(heights) - MOST_TRIED)
    columns_before = _always_in_shorter(heights[:count_before], heights_above)

    def distribution(columns_of_last: tuple[Column, ...]) -> Distribution:
        columns = (*columns_before, *columns_of_last)
        column_heights = list(heights_above)
        for column, height in zip(columns, heights, strict=True):
            column_heights[column] += height
        return Distribution(max(column_heights), columns)

    ways = product((LEFT, RIGHT), repeat=len(heights) - count_before)
    return min(map(distribution, ways))


def _always_in_shorter(heights: Sequence[float], heights_above: ColumnHeights) -> list[Column]:
    """The column of each block if it goes to the shorter one, or to the left one of two that are
    level."""
    left, right = heights_above
    columns: list[Column] = []
    for height in heights:
        if left <= right:
            columns.append(LEFT)
            left += height
        else:
            columns.append(RIGHT)
            right += height
    return columns
