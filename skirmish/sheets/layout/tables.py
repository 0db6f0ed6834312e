"""Tables whose every second line is tinted, blocks side by side, and blocks spread over the height
that there is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.layout.flowables import (
    Canvas,
    Cell,
    Columns,
    Flowable,
    Gap,
    Row,
    Stack,
    depth,
    kept,
)
from skirmish.sheets.layout.text import COLUMN, Style, paragraph
from skirmish.sheets.paper import FAINT, GUTTER, HAIR, MM, NORMAL, PANEL

LEAST_GAP = 2 * MM
WIDEST_GAP = 5 * MM
"""Blocks that are spread stand no further apart."""


class Place(NamedTuple):
    """A column of a table: its head, its width in mm (0: what the others leave), how it is set."""

    head: str
    wide: float
    style: Style


class Line(Row):
    """A line of a table: every second one is tinted. Sparing, there is a rule below each."""

    tinted = False
    ruled = False
    """Whether a rule stands below it in any case: the heads, and the last line."""

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        tall = self.height_at(width)
        if self.tinted and not canvas.sparing:
            canvas.setFillColor(PANEL)
            canvas.rect(x, top - tall, width, tall, stroke=0, fill=1)
        super().paint(canvas, x, top, width)

    def is_ruled(self, canvas: Canvas) -> bool:
        return bool(self.ruled or canvas.sparing)


class Table(Stack):
    """Lines of text below their heads, at one ``width`` of the column it will stand in."""

    PAD = 1 * MM
    BETWEEN = 1.6 * MM

    def __init__(
        self,
        width: float,
        places: Sequence[Place],
        rows: Sequence[Sequence[str | Flowable]],
        *,
        air: float = 1.2,
        grouped: bool = False,
    ) -> None:
        """``air`` points above and below each line; ``grouped``: lines whose first cell is empty go
        with the one before. A cell that is no text stands there as it is."""
        self._air = air
        self._slots: list[tuple[float, float]] = []
        left = width - sum(place.wide for place in places) * MM
        x = self.PAD
        for place in places:
            wide = place.wide * MM or left - self.PAD
            self._slots.append((x, wide - self.BETWEEN))
            x += wide
        heads = [COLUMN._replace(align=place.style.align) for place in places]
        first = self._line([place.head for place in places], heads)
        first.weight, first.ink = NORMAL, COLUMN.ink
        lines = [self._line(row, [place.style for place in places]) for row in rows]
        tinted = False
        for line, row in zip(lines, rows, strict=True):
            tinted = tinted if grouped and not row[0] else not tinted
            line.tinted = tinted
        for line in (first, *lines[-1:]):
            line.ruled = True
        if not any(place.head for place in places):
            super().__init__(lines)
            return
        for line in lines:
            line.head = first
        super().__init__([kept(first), *lines])

    def _line(self, texts: Sequence[str | Flowable], styles: Sequence[Style]) -> Line:
        tallest = max(style.size for style in styles)  # small type stands on the line of large
        cells = [
            Cell(
                x,
                wide,
                Stack([Gap(tallest - style.size), paragraph(text, style)])
                if isinstance(text, str)
                else text,
            )
            for (x, wide), text, style in zip(self._slots, texts, styles, strict=True)
        ]
        return Line(cells, above=self._air, below=self._air, weight=HAIR, ink=FAINT)


def beside(
    left: Sequence[Flowable], right: Sequence[Flowable], width: float, share: float = 0.5
) -> Flowable:
    """Blocks in two columns, the left taking ``share`` of the ``width``; both end level, for what
    the shorter lacks stands between its blocks."""
    wide = (width - GUTTER) * share
    rest = width - GUTTER - wide
    tall = max(_natural(left, wide), _natural(right, rest))
    return Columns(
        [
            Cell(0, wide, Stack(spread(left, wide, tall))),
            Cell(wide + GUTTER, rest, Stack(spread(right, rest, tall))),
        ]
    )


def spread(blocks: Sequence[Flowable], width: float, tall: float) -> list[Flowable]:
    """The blocks with gaps between them that fill ``tall``, as far as gaps may."""
    spare = tall - depth(blocks, width)
    gap = min(WIDEST_GAP, max(0.0, spare / max(1, len(blocks) - 1)))
    found: list[Flowable] = []
    for block in blocks:
        found += [Gap(gap), block] if found else [block]
    return found


def _natural(blocks: Sequence[Flowable], width: float) -> float:
    return depth(blocks, width) + LEAST_GAP * (len(blocks) - 1)
