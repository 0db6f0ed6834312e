"""Pages for a printer: with bleed and crop marks, or two on a sheet to be folded into a booklet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.pages import PdfDocument, SheetPart, bookmark
from skirmish.sheets.paper import HAIR, INCH, MM, Leaf

MARK, APART = 5 * MM, 1 * MM
"""The length of a crop mark, and how far outside the bleed it begins."""
LEAST_MARK_AWAY = 3 * MM
"""A crop mark begins no nearer to the trimmed page than that."""

PRINTABLE = INCH / 4
"""The distance from the edge of the paper within which many desktop printers do not print."""


class BoundPage(NamedTuple):
    """A page of a book: its part, its number within that, and the pages before the part."""

    part: SheetPart
    number: int
    before: int


def pages_of(document: PdfDocument) -> Iterator[BoundPage]:
    """All pages in their order."""
    before = 0
    for part in document.parts:
        for number in range(len(part.pages)):
            yield BoundPage(part, number, before)
        before += len(part.pages)


def draw_with_bleed(canvas: Canvas, document: PdfDocument, bleed: float) -> None:
    """Each page on a sheet larger by the ``bleed`` (points) and by crop marks at its corners."""
    # From the edge of the sheet to that of the trimmed page.
    away = max(bleed, LEAST_MARK_AWAY) + APART + MARK
    before = 0
    for index, part in enumerate(document.parts):
        leaf = part.leaf
        width, height = leaf.width, leaf.height
        for number in range(len(part.pages)):
            canvas.setPageSize((width + 2 * away, height + 2 * away))
            trim = (away, away, away + width, away + height)
            canvas.setTrimBox(trim)
            canvas.setBleedBox((trim[0] - bleed, trim[1] - bleed, trim[2] + bleed, trim[3] + bleed))
            canvas.bookmarkPage(bookmark(index, number))
            if number == 0 and part.name:
                canvas.addOutlineEntry(part.name, bookmark(index), 0)
            canvas.addPageLabel(canvas.getPageNumber() - 1, "ARABIC", before + number + 1)
            canvas.saveState()
            canvas.translate(away, away)
            _clip(canvas, -bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
            part.draw(canvas, number, before)
            canvas.restoreState()
            _crop_marks(canvas, away, width, height)
            canvas.showPage()
        before += len(part.pages)


def _crop_marks(canvas: Canvas, away: float, width: float, height: float) -> None:
    """Two lines at each corner, outside the bleed, where the paper is to be cut."""
    canvas.pen(inks.BLACK, HAIR)
    for x in (away, away + width):
        for low in (0.0, away + height + away - MARK):
            canvas.line(x, low, x, low + MARK)
    for y in (away, away + height):
        for left in (0.0, away + width + away - MARK):
            canvas.line(left, y, left + MARK, y)


def _clip(canvas: Canvas, x: float, y: float, width: float, height: float) -> None:
    """From now on only what lies within this rectangle is drawn."""
    edge = canvas.beginPath()
    edge.rect(x, y, width, height)
    canvas.clipPath(edge, stroke=0, fill=0)


class FoldedSide(NamedTuple):
    """The numbers of the pages (from 1) on one side of a sheet that is folded."""

    left: int
    right: int


def folded_order(count: int) -> list[FoldedSide]:
    """The sides of the sheets of a booklet of ``count`` pages, a multiple of four. Front and back
    of a sheet follow one another."""
    sides = []
    for sheet in range(count // 4):
        first = 2 * sheet
        sides.append(FoldedSide(count - first, first + 1))
        sides.append(FoldedSide(first + 2, count - first - 1))
    return sides


def draw_as_booklet(canvas: Canvas, document: PdfDocument) -> None:
    """Two pages side by side on each sheet of the same paper, in the order for folding the pile in
    the middle. Pages that are missing to a multiple of four stay empty before the last."""
    pages = list(pages_of(document))
    leaf = document.parts[0].leaf
    canvas.setViewerPreference("Duplex", "DuplexFlipShortEdge")
    canvas.setPageLayout("SinglePage")
    missing = -len(pages) % 4  # up to the next multiple of four: a sheet has four pages
    count = len(pages) + missing
    # By their numbers in the booklet. The last page is the back of the cover: what is missing
    # stands before it.
    page_by_number: dict[int, BoundPage] = dict(enumerate(pages[:-1], 1))
    page_by_number[count] = pages[-1]
    for index, part in enumerate(document.parts):
        for number in range(len(part.pages)):
            canvas.bookmarkPage(bookmark(index, number))
    for side in folded_order(count):
        # A sheet is the paper of the pages, turned by a quarter.
        canvas.setPageSize((leaf.height, leaf.width))
        for half, number in enumerate(side):
            page = page_by_number.get(number)
            if page is not None:
                _draw_on_half(canvas, page, leaf, half)
        canvas.showPage()


def _draw_on_half(canvas: Canvas, page: BoundPage, leaf: Leaf, half: int) -> None:
    """A page, smaller, on the left half of a sheet (0) or on the right one (1)."""
    wide, tall = leaf.height, leaf.width
    scale = booklet_scale(leaf.width, leaf.height)
    across, upward = leaf.width * scale, leaf.height * scale
    # Pages move toward the fold, where their margins are wider, if a printer needs more outside.
    inward = max(0.0, PRINTABLE - leaf.margin * scale)
    # They touch the fold, and stand in the middle of the height.
    left = wide / 2 - across + inward
    if half == 1:
        left = wide / 2 - inward
    canvas.saveState()
    _clip(canvas, half * wide / 2, 0, wide / 2, tall)
    canvas.translate(left, (tall - upward) / 2)
    canvas.scale(scale, scale)
    _clip(canvas, 0, 0, leaf.width, leaf.height)
    page.part.draw(canvas, page.number, page.before)
    canvas.restoreState()


def booklet_scale(width: float, height: float) -> float:
    """The scale of a page, two of which stand on a sheet of its own size turned by a quarter."""
    return min(height / 2 / width, width / height)
