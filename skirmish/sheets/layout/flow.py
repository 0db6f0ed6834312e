"""The flowables that hold others: stacks, rows of cells, panels; and the space between them.

A flowable of Platypus, the layout engine of ReportLab, is anything that flows down a column:
Platypus asks it for its height (``wrap``), to break across pages (``split``) and to draw itself
(``drawOn``). One with ``keepWithNext`` is never last on a page. Ours may have a ``head``, which is
repeated above the rest of them where that opens a page.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from typing import NamedTuple, TypeAlias

from reportlab.platypus import Flowable, PageBreak, Spacer  # type: ignore[import-untyped]

from skirmish.sheets import inks
from skirmish.sheets.inks import Ink
from skirmish.sheets.layout.drawing import ENDLESS, HIGHEST_ROOM, Canvas, Drawing, Filling, rule
from skirmish.sheets.paper import HAIR, HEAVY, MM, ROUNDING

# Other modules import the class of Platypus from here; for mypy only names of this list are public.
__all__ = ["Flowable"]
Block: TypeAlias = list[Flowable]
"""Flowables that stand below one another."""


class Spring(Filling):
    """Empty space that pushes what follows down to the foot of the page; ``room_below``: how high
    that is, in points. Of the free room it leaves ``left_over`` points, half of it at most, to a
    spring further down."""

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
        """Nothing: it is empty."""


class Gap(Spacer):  # type: ignore[misc]
    """Empty space in points, left out at the top and at the foot of a page; ``keep``: a page never
    ends between it and what follows."""

    def __init__(self, points: float, *, keep: bool = False) -> None:
        super().__init__(0, points)
        self.keepWithNext = keep


class NewPage(PageBreak):  # type: ignore[misc]
    """Starts a page, with a bookmark of that ``name`` unless it is empty."""

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
    """The same flowable, from now on never last on a page."""
    flowable.keepWithNext = True
    return flowable


class AtLeast(Drawing):
    """A flowable in the middle of a height of at least ``least`` points; ``air``: the least space
    above it and below it."""

    def __init__(self, content: Flowable, least: float, air: float = 0.0) -> None:
        self.content, self.least, self.air = content, least, air

    def height_at(self, width: float) -> float:
        return max(self.least, height_of(self.content, width) + 2 * self.air)

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        _, height = self.content.wrapOn(canvas, width, self.height)
        self.content.drawOn(canvas, x, top - (self.height + height) / 2)


class Stack(Drawing):
    """Flowables below one another as one. A page breaks it between two of them, or within one."""

    def __init__(self, flowables: Iterable[Flowable]) -> None:
        self.flowables = tuple(flowables)

    def height_at(self, width: float) -> float:
        return depth(self.flowables, width)

    def wrap(self, width: float, room: float) -> tuple[float, float]:
        # The room of each is what those above it leave, since a filling takes all of it.
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
        above, below = _parted(self.flowables, width, room)
        # A page neither ends nor begins with a gap.
        while above and isinstance(above[-1], Gap):
            above.pop()
        if not above:
            return []
        below = _without_leading_gaps(below)
        if not below:
            return [Stack(above)]
        # Flowables of Platypus itself have no ``head``.
        head = getattr(below[0], "head", None)
        if head is not None:
            below.insert(0, head)
        return [Stack(above), Stack(below)]

    def forced(self, width: float, room: float) -> list[Flowable]:
        """As much of the first flowable as fits, and the rest, if there is any: for a first one
        that is higher than a page. One that cannot be broken is put there whole."""
        first, *others = self.flowables
        first.splitInRow = 1  # lets Platypus break a table within a row that is too high
        parts = first.split(width, room)
        if not parts:
            parts = [first]
        beginning, *remaining_parts = parts
        below = _without_leading_gaps([*remaining_parts, *others])
        if not below:
            return [Stack([beginning])]
        return [Stack([beginning]), Stack(below)]


class _Parted(NamedTuple):
    """Flowables above and below the end of a page."""

    above: Block
    below: Block


def _parted(flowables: Sequence[Flowable], width: float, room: float) -> _Parted:
    """Above, the flowables that fit into ``room``, with what fits of the first that does not;
    below, its rest and all others."""
    above: Block = []
    rest = deque(flowables)
    while rest:
        run = _next_run(rest)
        height = _height_in(run, width, room)
        if height > room + ROUNDING:
            broken = _broken(run, width, room)
            return _Parted([*above, *broken.above], [*broken.below, *rest])
        above += run
        room -= height
    return _Parted(above, [])


def _without_leading_gaps(flowables: Block) -> Block:
    return list(dropwhile(_is_gap, flowables))


def _is_gap(flowable: Flowable) -> bool:
    return isinstance(flowable, Gap)


def _next_run(rest: deque[Flowable]) -> Block:
    """Takes the first flowables from ``rest`` that no page may part: the first one and, as long as
    the last is kept with what follows, the gaps after that and the next one."""
    run = [rest.popleft()]
    while rest:
        last = run[-1]
        # A page may end below a gap that begins the run. A later gap stands between what is kept
        # and what that is kept with.
        is_gap_within = len(run) > 1 and isinstance(last, Gap)
        if not last.getKeepWithNext() and not is_gap_within:
            break
        run.append(rest.popleft())
    return run


def _height_in(run: Block, width: float, room: float) -> float:
    """The height of a run where ``room`` is left, all of which a filling takes."""
    height = 0.0
    for flowable in run:
        _, tall = flowable.wrap(width, room - height)
        height += tall
    return height


def _broken(run: Block, width: float, room: float) -> _Parted:
    """Breaks a run that does not fit into ``room`` within its last flowable, as no page may part
    that from those before it. If it cannot be broken, all of the run goes below."""
    *before_last, last = run
    parts = last.split(width, room - depth(before_last, width))
    # Platypus returns no part of what cannot be broken, and one of what need not be.
    if len(parts) != 2:
        return _Parted([], run)
    upper, lower = parts
    return _Parted([*before_last, upper], [lower])


class Unbroken(Stack):
    """A stack that is broken only if it is higher than ``highest`` points."""

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
    content: Flowable


class CellRow(Drawing):
    """Cells side by side, their tops aligned, with a rule of that ``weight`` and ``ink`` below them
    (a weight of 0: none); ``above`` and ``below``: the points of space there. Never broken."""

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
        tallest = max((height_of(cell.content, cell.width) for cell in self.cells), default=0)
        return tallest + self.above + self.below

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        for cell in self.cells:
            _, tall = cell.content.wrapOn(canvas, cell.width, ENDLESS)
            cell.content.drawOn(canvas, x + cell.x, top - self.above - tall)
        if self.weight > 0:
            rule(canvas, x, x + width, top - self.height_at(width), self.weight, ink=self.ink)


class Panel(Drawing):
    """A flowable in a frame."""

    PAD = 2 * MM
    """The space left and right of the content, up to the frame."""
    PAD_UPRIGHT = 0.7 * PAD
    """The space above the content and below it, up to the frame."""

    def __init__(self, content: Flowable, ink: Ink = inks.ACCENT) -> None:
        self.content, self.ink = content, ink

    def height_at(self, width: float) -> float:
        return height_of(self.content, width - 2 * self.PAD) + 2 * self.PAD_UPRIGHT

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        # This also wraps the content, which Platypus requires before ``drawOn``.
        tall = self.height_at(width)
        canvas.pen(self.ink, HEAVY, inks.WHITE)
        # The frame lies within the panel: its path is half its weight inside of the edge.
        half_weight = HEAVY / 2
        canvas.rect(x + half_weight, top - tall + half_weight, width - HEAVY, tall - HEAVY, fill=0)
        self.content.drawOn(canvas, x + self.PAD, top - tall + self.PAD_UPRIGHT)

    def split(self, width: float, room: float) -> list[Flowable]:
        parts = self.content.split(width - 2 * self.PAD, room - 2 * self.PAD_UPRIGHT)
        # No part, or one alone: the content cannot or need not be broken.
        if len(parts) != 2:
            return []
        return [Panel(part, self.ink) for part in parts]
