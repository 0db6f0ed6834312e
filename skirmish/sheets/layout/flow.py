"""The building blocks of sheets: flowables of Platypus, and our own.

Platypus asks each for its height (``wrap``), to break across pages (``split``) and to draw itself
(``drawOn``). Ours also have ``keepWithNext``, if they are never last on a page, and a ``head`` that
is repeated above them where they open one.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

from reportlab.platypus import Flowable, PageBreak, Spacer  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import ENDLESS, HIGHEST_ROOM, Canvas, Drawing, Filling, rule
from skirmish.sheets.paper import GAP, GUTTER, HAIR, HEAVY, MM, ROUNDING

__all__ = ["Flowable"]
Block: TypeAlias = list[Flowable]
"""Flowables that follow one another."""
Pair: TypeAlias = tuple[Block, Block]
"""The contents of two columns."""
SCANT = 55 * MM
"""Too little room to start columns that do not end there."""


class Spring(Filling):
    """Pushes what follows down to the foot of the page; ``room_below``: how high that is, in
    points; ``left_over``: so much of the free room is left to a spring further down, half of it at
    most."""

    def __init__(self, room_below: float, *, left_over: float = 0.0) -> None:
        self.room_below, self.left_over = room_below, left_over

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        self.width = width
        self.height = 0.0
        if room < HIGHEST_ROOM:  # otherwise it is only measured
            free = max(0.0, room - self.room_below)
            self.height = free - min(self.left_over, free / 2)
        return width, self.height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        pass


class Gap(Spacer):  # type: ignore[misc]
    """Empty space in points, dropped at the top of a page."""

    def __init__(self, points: float, *, keep: bool = False) -> None:
        super().__init__(0, points)
        self.keepWithNext = keep


class NewPage(PageBreak):  # type: ignore[misc]
    """Starts a page, with a bookmark of that ``name``."""

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.name = name


def depth(flowables: Sequence[Flowable], width: float) -> float:
    """The height of flowables below one another, in points."""
    # ``sum`` adds floats in another way from Python 3.12 on; a sheet is the same to the byte.
    return math.fsum(height_of(flowable, width) for flowable in flowables)


def height_of(flowable: Flowable, width: float) -> float:
    """Its height in a column of that ``width``, in points."""
    _, height = flowable.wrap(width, ENDLESS)
    return float(height)


def with_next(flowable: Flowable) -> Flowable:
    """The same, never last on a page."""
    flowable.keepWithNext = True
    return flowable


class AtLeast(Drawing):
    """A flowable in the middle of at least ``tall`` points; ``air``: the least space above it and
    below."""

    def __init__(self, content: Flowable, tall: float, air: float = 0.0) -> None:
        self.content, self.tall, self.air = content, tall, air

    def height_at(self, width: float) -> float:
        return max(self.tall, height_of(self.content, width) + 2 * self.air)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        _, height = self.content.wrapOn(canvas, width, self.height)
        self.content.drawOn(canvas, x, top - (self.height + height) / 2)


class Stack(Drawing):
    """Flowables below one another as one, broken between them or within the last that fits."""

    def __init__(self, flowables: Iterable[Flowable]) -> None:
        self.flowables = tuple(flowables)

    def height_at(self, width: float) -> float:
        return depth(self.flowables, width)

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        # Each gets the room that those above it leave, since one that fills a page takes all of it.
        self.width, self.height = width, 0.0
        for flowable in self.flowables:
            _, height = flowable.wrap(width, room - self.height)
            self.height += height
        return width, self.height

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low = top - self.height
        for flowable in self.flowables:
            _, height = flowable.wrapOn(canvas, width, top - low)
            top -= height
            flowable.drawOn(canvas, x, top)

    def split(self, width: float, room: float) -> list[Flowable]:
        """The part that fits into ``room``, and the rest; empty if not even the beginning fits."""
        first: Block = []
        rest = deque(self.flowables)
        while rest:
            run = _next_run(rest)
            height = _height_in(run, width, room)
            if height > room + ROUNDING:
                above, remaining = _broken(run, width, room)
                first += above
                rest.extendleft(reversed(remaining))
                break
            first += run
            room -= height

        # A page neither ends nor begins with a gap.
        while first and isinstance(first[-1], Gap):
            first.pop()
        if not first:
            return []
        while rest and isinstance(rest[0], Gap):
            rest.popleft()
        if not rest:
            return [Stack(first)]
        head = getattr(rest[0], "head", None)
        if head is not None:
            rest.appendleft(head)
        return [Stack(first), Stack(rest)]

    def forced(self, width: float, room: float) -> list[Flowable]:
        """The first alone, even if it does not fit or a row of it is cut, and the rest."""
        first, *rest = self.flowables
        first.splitInRow = 1  # of a table of Platypus
        part, *more = first.split(width, room) or [first]
        return [Stack([part]), Stack([*more, *rest])]


def _next_run(rest: deque[Flowable]) -> Block:
    """Takes from ``rest`` the flowables that no page may part: each that is kept with its next one,
    the gaps after it, and that next one."""
    run = [rest.popleft()]
    while rest:
        last = run[-1]
        is_gap_within = len(run) > 1 and isinstance(last, Gap)
        if not last.getKeepWithNext() and not is_gap_within:
            break
        run.append(rest.popleft())
    return run


def _height_in(run: Block, width: float, room: float) -> float:
    """The height where ``room`` is left: what fills a page is as high as that."""
    height = 0.0
    for flowable in run:
        _, tall = flowable.wrap(width, room - height)
        height += tall
    return height


def _broken(run: Block, width: float, room: float) -> Pair:
    """A run that does not fit: the part above the break, and the part below. Only its last can be
    broken; if that cannot, all of it goes below."""
    *lead, last = run
    parts = last.split(width, room - depth(lead, width))
    if len(parts) != 2:
        return [], run
    upper, lower = parts
    return [*lead, upper], [lower]


class Unbroken(Stack):
    """A stack that is broken only if it is higher than ``highest``."""

    def __init__(self, flowables: Iterable[Flowable], highest: float = 90 * MM) -> None:
        super().__init__(flowables)
        self.highest = highest

    def split(self, width: float, room: float) -> list[Flowable]:
        if self.height_at(width) <= self.highest:
            return []
        return super().split(width, room)


class Cell(NamedTuple):
    """A flowable in a row: how far from the left end it begins, and its width, in points."""

    x: float
    width: float
    inner: Flowable


class CellRow(Drawing):
    """Cells side by side, tops aligned, with a rule below; never broken."""

    def __init__(
        self,
        cells: Sequence[Cell],
        *,
        above: float = 1.2,
        below: float = 1.2,
        weight: float = HAIR,
        ink: Ink = inks.FAINT,
    ) -> None:
        self.cells, self.above, self.below = tuple(cells), above, below
        self.weight, self.ink = weight, ink

    def height_at(self, width: float) -> float:
        tallest = max((height_of(cell.inner, cell.width) for cell in self.cells), default=0)
        return tallest + self.above + self.below

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for cell in self.cells:
            _, tall = cell.inner.wrapOn(canvas, cell.width, ENDLESS)
            cell.inner.drawOn(canvas, x + cell.x, top - self.above - tall)
        if self.weight:
            rule(canvas, x, x + width, top - self.height_at(width), self.weight, ink=self.ink)


class SideBySide(CellRow):
    """Columns that begin level and break across pages separately. If only their beginning would fit
    on a page, they all move to the next."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__(cells, above=0, below=0, weight=0)

    def split(self, width: float, room: float) -> list[Flowable]:
        # Both columns would go on overleaf after a few lines: they begin there instead.
        if room < SCANT:
            return []
        first: list[Cell] = []
        rest: list[Cell] = []
        for cell in self.cells:
            if height_of(cell.inner, cell.width) <= room + ROUNDING:
                first.append(cell)
                continue
            parts = cell.inner.split(cell.width, room)
            if parts:
                first.append(cell._replace(inner=parts[0]))
                rest += [cell._replace(inner=part) for part in parts[1:]]
            else:
                rest.append(cell)
        if not first:
            return []
        below = SideBySide(rest)
        below.head = self.head
        return [SideBySide(first), below]


def halves(
    left: Sequence[Flowable],
    right: Sequence[Flowable],
    width: float,
    share: float = 0.5,
    gutter: float = GUTTER,
) -> SideBySide:
    """Two columns, the left taking ``share`` of the ``width``, with a ``gutter`` between them."""
    left_width = (width - gutter) * share
    right_width = width - gutter - left_width
    return SideBySide(
        [
            Cell(0, left_width, Stack(left)),
            Cell(left_width + gutter, right_width, Stack(right)),
        ]
    )


def in_two_columns(
    blocks: Sequence[Block], width: float, gap: float = GAP, *, above: Pair | None = None
) -> Pair:
    """Distributes ``blocks`` in order over two columns, so that the taller one is as short as
    possible; ``gap`` points between blocks. ``above``: what stands in the columns already."""
    columns: Pair = ([], [])
    heights_above = 0.0, 0.0
    if above is not None:
        columns = (list(above[0]), list(above[1]))
        heights_above = depth(above[0], width), depth(above[1], width)
    heights = [depth(block, width) + gap for block in blocks]
    best = shortest_columns(heights, heights_above)
    for side, block in zip(best.sides, blocks, strict=True):
        if columns[side]:
            columns[side].append(Gap(gap))
        columns[side].extend(block)
    return columns


class Distribution(NamedTuple):
    """Blocks in two columns: the height of the taller one, and the column of each block, 0 or 1."""

    height: float
    sides: tuple[int, ...]


def shortest_columns(
    heights: Sequence[float], heights_above: tuple[float, float] = (0.0, 0.0)
) -> Distribution:
    """Blocks of these ``heights`` so that the taller column is as short as possible; of equally
    good ways the one that has blocks on the left first."""

    def distribution(sides: tuple[int, ...]) -> Distribution:
        column_heights = list(heights_above)
        for side, height in zip(sides, heights, strict=True):
            column_heights[side] += height
        return Distribution(max(column_heights), sides)

    # All ways are tried: no sheet has more than a dozen blocks.
    return min(map(distribution, product((0, 1), repeat=len(heights))))


def in_reading_order(blocks: Sequence[Block], width: float, gap: float = GAP) -> Pair:
    """``blocks`` down the left column and then down the right one, so that the taller column is as
    short as possible; ``gap`` points between blocks."""
    heights = [depth(block, width) + gap for block in blocks]

    def taller(count: int) -> float:
        return max(math.fsum(heights[:count]), math.fsum(heights[count:]))

    on_left = min(range(len(blocks) + 1), key=taller)
    columns: Pair = ([], [])
    for number, block in enumerate(blocks):
        column = columns[0]
        if number >= on_left:
            column = columns[1]
        if column:
            column.append(Gap(gap))
        column.extend(block)
    return columns


class Panel(Drawing):
    """A frame around something."""

    PAD = 2 * MM
    """The space between the frame and what is in it, left and right; above and below it is 0.7 of
    that."""

    def __init__(self, inner: Flowable, ink: Ink = inks.ACCENT) -> None:
        self.inner, self.ink = inner, ink

    def height_at(self, width: float) -> float:
        return height_of(self.inner, width - 2 * self.PAD) + 1.4 * self.PAD

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        # This wraps what is inside, too, as Platypus wants it before ``drawOn``.
        tall = self.height_at(width)
        canvas.pen(self.ink, HEAVY, inks.WHITE)
        half = HEAVY / 2
        canvas.rect(x + half, top - tall + half, width - HEAVY, tall - HEAVY, fill=0)
        self.inner.drawOn(canvas, x + self.PAD, top - tall + 0.7 * self.PAD)

    def split(self, width: float, room: float) -> list[Flowable]:
        parts = self.inner.split(width - 2 * self.PAD, room - 1.4 * self.PAD)
        if len(parts) != 2:
            return []
        return [Panel(part, self.ink) for part in parts]
