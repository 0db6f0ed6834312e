"""Pieces: what a sheet is built of. A piece knows its height at a width and draws itself there;
one that may continue on the next page can be cut in two.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from skirmish.sheets.paper import ACCENT, FAINT, GAP, HAIR, HEAVY, MM, WHITE, Ink

Canvas: TypeAlias = Any
"""The PDF library's canvas; it carries no types."""


WORTH_CUTTING = 22 * MM
"""A row lower than this goes to the next page as a whole."""


class Piece(ABC):
    """``keep``: never the last on a page; ``head``: repeated when the piece opens a new page."""

    keep = False
    head: Piece | None = None

    @abstractmethod
    def height(self, width: float) -> float:
        """Points it takes at ``width``."""

    @abstractmethod
    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it with its upper left corner at (x, top)."""

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Two pieces of which the first fits into ``room``, or None if it stays whole."""
        return None

    def least(self, width: float) -> float:
        """The height without which it is not worth beginning."""
        return self.height(width)


class Gap(Piece):
    """Nothing, so many points of it. Dropped at the top of a page."""

    def __init__(self, points: float) -> None:
        self.points = points

    def height(self, width: float) -> float:
        """Its points."""
        return self.points

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws nothing."""


class Line(Piece):
    """A rule across the column."""

    def __init__(self, weight: float = HAIR, ink: Ink = FAINT, above: float = 0) -> None:
        self.weight, self.ink, self.above = weight, ink, above

    def height(self, width: float) -> float:
        """Its weight and the space above it."""
        return self.weight + self.above

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        y = top - self.above - self.weight / 2
        rule(canvas, x, x + width, y, self.weight, ink=self.ink)


class Stack(Piece):
    """Pieces below one another, as one."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self.pieces = tuple(pieces)

    def height(self, width: float) -> float:
        """All of them together."""
        return sum(piece.height(width) for piece in self.pieces)

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws them."""
        for piece in self.pieces:
            piece.draw(canvas, x, top, width)
            top -= piece.height(width)

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Between two pieces, or inside the one that does not fit."""
        for index, piece in enumerate(self.pieces):
            tall = piece.height(width)
            if tall <= room:
                room -= tall
                continue
            before, after = list(self.pieces[:index]), list(self.pieces[index + 1 :])
            halves = piece.cut(width, room)
            if halves:
                return Stack([*before, halves[0]]), Stack([halves[1], *after])
            while before and before[-1].keep:
                piece, after = before.pop(), [piece, *after]  # noqa: PLW2901
            return (Stack(before), Stack([piece, *after])) if before else None
        return None


class Cell(NamedTuple):
    """A piece in a row: where it begins and how wide it is."""

    x: float
    width: float
    piece: Piece


class Row(Piece):
    """Cells side by side, tops aligned, with a rule below."""

    def __init__(
        self,
        cells: Sequence[Cell],
        *,
        above: float = 1.2,
        below: float = 1.2,
        weight: float = HAIR,
        ink: Ink = FAINT,
    ) -> None:
        self.cells, self.above, self.below = tuple(cells), above, below
        self.weight, self.ink = weight, ink

    def height(self, width: float) -> float:
        """The tallest cell and the space around it."""
        tallest = max((cell.piece.height(cell.width) for cell in self.cells), default=0)
        return tallest + self.above + self.below

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws the cells and the rule."""
        for cell in self.cells:
            cell.piece.draw(canvas, x + cell.x, top - self.above, cell.width)
        if self.weight:
            rule(canvas, x, x + width, top - self.height(width), self.weight, ink=self.ink)

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Through the cells that are too tall, if all of those can be cut."""
        if self.height(width) < WORTH_CUTTING:
            return None
        inner = room - self.above - self.below
        first, rest = [], []
        for cell in self.cells:
            if cell.piece.height(cell.width) <= inner:
                first.append(cell)
                continue
            halves = cell.piece.cut(cell.width, inner)
            if halves is None:
                return None
            first.append(cell._replace(piece=halves[0]))
            rest.append(cell._replace(piece=halves[1]))
        return self._like(first, weight=0), self._like(rest, weight=self.weight)

    def least(self, width: float) -> float:
        """All of it, or the first lines of a tall one."""
        return min(self.height(width), WORTH_CUTTING)

    def _like(self, cells: Sequence[Cell], weight: float) -> Row:
        row = Row(cells, above=self.above, below=self.below, weight=weight, ink=self.ink)
        row.head = self.head
        return row


class Panel(Piece):
    """A frame around a piece."""

    PAD = 2 * MM

    def __init__(self, inner: Piece, ink: Ink = ACCENT) -> None:
        self.inner, self.ink = inner, ink

    def height(self, width: float) -> float:
        """The piece and the space around it."""
        return self.inner.height(width - 2 * self.PAD) + 1.4 * self.PAD

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws frame and piece."""
        tall = self.height(width)
        canvas.setStrokeColor(self.ink)
        canvas.setFillColor(WHITE)
        canvas.setLineWidth(HEAVY)
        half = HEAVY / 2
        canvas.rect(x + half, top - tall + half, width - HEAVY, tall - HEAVY, fill=0)
        self.inner.draw(canvas, x + self.PAD, top - 0.7 * self.PAD, width - 2 * self.PAD)

    def cut(self, width: float, room: float) -> tuple[Piece, Piece] | None:
        """Two frames."""
        halves = self.inner.cut(width - 2 * self.PAD, room - 1.4 * self.PAD)
        return (Panel(halves[0], self.ink), Panel(halves[1], self.ink)) if halves else None

    def least(self, width: float) -> float:
        """As its piece, and the frame."""
        return self.inner.least(width - 2 * self.PAD) + 1.4 * self.PAD


def rule(canvas: Canvas, x: float, to: float, y: float, weight: float, *, ink: Ink) -> None:
    """A level line."""
    canvas.setStrokeColor(ink)
    canvas.setLineWidth(weight)
    canvas.line(x, y, to, y)


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


def depth(pieces: Sequence[Piece], width: float) -> float:
    """How much of a column these pieces take, all together."""
    return sum(piece.height(width) for piece in pieces)
