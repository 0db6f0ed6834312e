"""Pages for a printer: with bleed and crop marks, or two on a sheet to be folded into a booklet."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.pages import SheetPart, bookmark_key
from skirmish.sheets.layout.pdf_document import PdfDocument
from skirmish.sheets.paper import HAIR, INCH, MM, Leaf

CROP_MARK = 5 * MM
"""The length of a crop mark."""
MARK_BEYOND_BLEED = 1 * MM
"""How far outside the bleed a crop mark begins."""
LEAST_BLEED_FOR_MARKS = 3 * MM
"""Crop marks begin as far away from the trimmed page as with a bleed of at least this."""

UNPRINTABLE = INCH / 4
"""The breadth of the strip along the edge of the paper that many desktop printers leave empty."""


class BoundPage(NamedTuple):
    """A page of a book: its part and the number of that, its own number within the part (both from
    0), and how many pages of the book come before the part."""

    part: SheetPart
    part_number: int
    number: int
    pages_before: int

    @property
    def key(self) -> str:
        """The key of its bookmark."""
        return bookmark_key(self.part_number, self.number)

    def draw(self, canvas: Canvas) -> None:
        """Draws it with its lower left corner at the canvas's origin."""
        self.part.draw_page(canvas, self.number, self.pages_before)


def pages_of(document: PdfDocument) -> Iterator[BoundPage]:
    """All pages in their order."""
    pages_before = 0
    for part_number, part in enumerate(document.parts):
        for number in range(len(part.pages)):
            yield BoundPage(part, part_number, number, pages_before)
        pages_before += len(part.pages)


def draw_with_bleed(canvas: Canvas, document: PdfDocument, bleed: float) -> None:
    """Each page on a sheet that is larger than it, with room for the ``bleed`` (the points that are
    printed beyond each edge and cut off) and for crop marks at its corners."""
    # From the edge of the sheet to that of the trimmed page.
    away = max(bleed, LEAST_BLEED_FOR_MARKS) + MARK_BEYOND_BLEED + CROP_MARK
    for page in pages_of(document):
        width, height = page.part.leaf.width, page.part.leaf.height
        canvas.setPageSize((width + 2 * away, height + 2 * away))
        left, bottom, right, top = away, away, away + width, away + height
        canvas.setTrimBox((left, bottom, right, top))
        canvas.setBleedBox((left - bleed, bottom - bleed, right + bleed, top + bleed))
        canvas.bookmarkPage(page.key)
        # The outline of the file has a line for each part with a name, which leads to its first
        # page.
        is_first_of_part = page.number == 0
        if is_first_of_part and page.part.name:
            canvas.addOutlineEntry(fonts.clean(page.part.name), page.key, 0)
        # The format counts pages from 0 here, the canvas from 1.
        folio = page.pages_before + page.number + 1
        canvas.addPageLabel(canvas.getPageNumber() - 1, "ARABIC", folio)
        canvas.saveState()
        canvas.translate(away, away)
        _clip(canvas, -bleed, -bleed, width + 2 * bleed, height + 2 * bleed)
        page.draw(canvas)
        canvas.restoreState()
        _draw_crop_marks(canvas, away, width, height)
        canvas.showPage()


def _draw_crop_marks(canvas: Canvas, away: float, width: float, height: float) -> None:
    """Two lines at each corner, outside the bleed, where the paper is to be cut; ``away``: the
    points from the edges of the sheet to those of the trimmed page, which is so wide and high."""
    canvas.pen(inks.BLACK, HAIR)
    sheet_width, sheet_height = width + 2 * away, height + 2 * away
    for x in (away, away + width):
        for bottom in (0.0, sheet_height - CROP_MARK):
            canvas.line(x, bottom, x, bottom + CROP_MARK)
    for y in (away, away + height):
        for left in (0.0, sheet_width - CROP_MARK):
            canvas.line(left, y, left + CROP_MARK, y)


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
    """The sides of the sheets of a booklet of ``count`` pages, a multiple of four, from the
    outermost sheet: of each its front, then its back. Of eight pages these are 8 and 1, 2 and 7, 6
    and 3, 4 and 5."""
    sides = []
    for sheet in range(count // 4):
        # The sheets outside this one hold so many pages at either end of the booklet.
        further_out = 2 * sheet
        first, last = further_out + 1, count - further_out
        front = FoldedSide(left=last, right=first)
        back = FoldedSide(left=first + 1, right=last - 1)
        sides += [front, back]
    return sides


def draw_as_booklet(canvas: Canvas, document: PdfDocument) -> None:
    """Two pages side by side on each sheet of the same paper, in an order for folding the pile in
    the middle. Empty pages before the last one fill them up to a multiple of four."""
    pages = list(pages_of(document))
    leaf = document.parts[0].leaf  # all parts are on the same paper
    # The sheets are broad: turned over their short edge, both sides are the same way up.
    canvas.setViewerPreference("Duplex", "DuplexFlipShortEdge")
    canvas.setPageLayout("SinglePage")
    # A sheet has four pages.
    page_count = 4 * math.ceil(len(pages) / 4)
    # By their numbers in the booklet. The last page is the back of the cover, so the empty ones
    # come before it.
    page_by_number: dict[int, BoundPage] = dict(enumerate(pages[:-1], 1))
    page_by_number[page_count] = pages[-1]
    # The table of contents links to the bookmarks, so the file must have them; in a booklet, which
    # is for printing, all lead to the first sheet.
    for page in pages:
        canvas.bookmarkPage(page.key)
    for side in folded_order(page_count):
        # A sheet is the paper of the pages, turned by a quarter.
        canvas.setPageSize((leaf.height, leaf.width))
        left_page = page_by_number.get(side.left)
        if left_page is not None:
            _draw_on_half(canvas, left_page, leaf, is_right=False)
        right_page = page_by_number.get(side.right)
        if right_page is not None:
            _draw_on_half(canvas, right_page, leaf, is_right=True)
        canvas.showPage()


def _draw_on_half(canvas: Canvas, page: BoundPage, leaf: Leaf, *, is_right: bool) -> None:
    """A page, smaller, on the left half of a sheet or on the right one."""
    # The sheet is turned by a quarter.
    sheet_width, sheet_height = leaf.height, leaf.width
    fold = sheet_width / 2
    scale = booklet_scale(leaf.width, leaf.height)
    page_width, page_height = leaf.width * scale, leaf.height * scale
    # Pages move toward the fold, where their margins are wider, if a printer needs more outside.
    # The margin that then lies beyond the fold is empty, and is cut off with the half.
    inward = max(0.0, UNPRINTABLE - leaf.margin * scale)
    # Apart from that they touch the fold, and are in the middle of the height.
    half_left = 0.0
    page_left = fold - page_width + inward
    if is_right:
        half_left = fold
        page_left = fold - inward
    canvas.saveState()
    _clip(canvas, half_left, 0, fold, sheet_height)
    canvas.translate(page_left, (sheet_height - page_height) / 2)
    canvas.scale(scale, scale)
    _clip(canvas, 0, 0, leaf.width, leaf.height)
    page.draw(canvas)
    canvas.restoreState()


def booklet_scale(width: float, height: float) -> float:
    """The scale of a page of this size in a booklet, where two are side by side on a sheet of the
    same size that is turned by a quarter."""
    sheet_width, sheet_height = height, width
    return min(sheet_width / 2 / width, sheet_height / height)
