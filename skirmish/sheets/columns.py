"""Two columns side by side, and how blocks are shared out between them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

from skirmish.sheets.flow import depth
from skirmish.sheets.paper import GAP
from skirmish.sheets.piece import Gap, Piece

Block: TypeAlias = list[Piece]
Pair: TypeAlias = tuple[Block, Block]


def shared(begun: Pair, blocks: Sequence[Block], width: float, gap: float = GAP) -> Pair:
    """``blocks`` below what two columns hold already, in order, so that the taller column is as
    short as can be; ``gap`` points between two of them."""
    heights = [depth(block, width) + gap for block in blocks]
    starts = [depth(column, width) for column in begun]

    def taller(sides: tuple[int, ...]) -> tuple[float, tuple[int, ...]]:
        tall = list(starts)
        for side, high in zip(sides, heights, strict=True):
            tall[side] += high
        return max(tall), sides

    best = min(product((0, 1), repeat=len(blocks)), key=taller, default=())
    columns = (list(begun[0]), list(begun[1]))
    for side, block in zip(best, blocks, strict=True):
        if columns[side]:
            columns[side].append(Gap(gap))
        columns[side].extend(block)
    return columns


def tallest_of(pair: Pair, width: float) -> float:
    """The height of the taller column."""
    return max(depth(column, width) for column in pair)
