"""A page laid out on as few sheets as possible, with as much detail and as large as they allow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skirmish.sheets.inks import SIDES, SideInk
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.blocks import OwnNotes
from skirmish.sheets.layout.flow import depth
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.pdf_document import PdfDocument, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.page_sheet.column import Drawings, PageColumn, Pictures, title_block
from skirmish.sheets.paper import Leaf
from skirmish.tabletop import page as data

CHART_SCALES = (1.0, 0.8, 0.6)
"""Factors for the height of charts, tried in order to fit one sheet."""
LEAST_PICTURE = 295.0
"""The height in points that a picture has at least."""
LEAST_PICTURE_TO_SAVE_A_SHEET = 170.0
"""The same where that saves a sheet."""
MOST_SHEETS = 2
"""The sheets that a page should take at most. One that takes more is printed with fewer details
and, if it has pictures, with lower pictures and charts, if that saves a sheet."""
_SMALLER_LIST_STYLES = (styles.QUESTION, styles.SMALL)
"""The type of lists, instead of the usual one, where that saves a sheet with a few lines on it: two
sizes below it, the larger first."""
_FEW_LINES = 0.25
"""The share of a sheet that a few lines take at most."""


def page_document(
    sheet: Leaf,
    *pages: data.Page,
    pictures: Pictures | None = None,
    drawings: Drawings | None = None,
    notes: bool = False,
    sides: tuple[SideInk, SideInk] = SIDES,
) -> PdfDocument:
    """Prints a page. ``pages`` are versions of it with more and more detail: printed is the last
    one that fits a single sheet, with its charts as tall as possible. If even the first does not
    fit, it is the last one that takes at most two sheets or, if the first takes more than two, the
    last one that takes no more than the first.

    A picture is as tall as the rest of its sheet allows; ``drawings`` have heights of their own.
    ``notes``: the rest of the last sheet has lines to write on; ``sides``: the looks of the two
    parties."""
    fonts.ready()
    layout = _Layout(sheet, pictures or {}, drawings or {}, notes, laid_out={})
    chosen = layout.choose(pages)
    if pictures:
        chosen = _with_lower_pictures(chosen, pages)
    chosen = _with_smaller_lists(chosen, pages)
    part = chosen.part
    if pictures:
        # All was tried with the picture at its lowest. It now takes the room that is left.
        room = chosen.layout.room_for_picture(part)
        part = chosen.layout.part(chosen.page, chosen.chart_scale, room)
    return PdfDocument(part.name, chosen.page.foot, [part], sides=sides)


page_pdf = as_pdf(page_document)


class _Chosen(NamedTuple):
    """The page that is printed, and how: with its pictures as low as the layout allows."""

    layout: _Layout
    page: data.Page
    chart_scale: float
    part: SheetPart

    @property
    def sheets(self) -> int:
        """The sheets of paper that it takes: the part calls them its pages."""
        return len(self.part.pages)


def _with_lower_pictures(chosen: _Chosen, pages: Sequence[data.Page]) -> _Chosen:
    """The choice with lower pictures and charts, if it takes too many sheets and that saves one."""
    if chosen.sheets <= MOST_SHEETS:
        return chosen
    lower_layout = chosen.layout._replace(
        least_picture=LEAST_PICTURE_TO_SAVE_A_SHEET, fallback_scale=CHART_SCALES[-1]
    )
    lower = lower_layout.choose(pages)
    if lower.sheets < chosen.sheets:
        return lower
    return chosen


def _with_smaller_lists(chosen: _Chosen, pages: Sequence[data.Page]) -> _Chosen:
    """The choice with lists in smaller type, if that saves a last sheet with a few lines on it."""
    for style in _SMALLER_LIST_STYLES:
        if not chosen.layout.ends_with_few_lines(chosen.part):
            break
        smaller = chosen.layout._replace(list_style=style).choose(pages)
        if smaller.sheets < chosen.sheets:
            chosen = smaller
    return chosen


class _LayoutAttempt(NamedTuple):
    """What decides how a page is laid out. A page has its ``id`` of Python here: to compare two
    pages would mean to compare all their blocks."""

    page_id: int
    chart_scale: float
    picture_height: float
    list_style: Style


class _Layout(NamedTuple):
    """How the versions of a page are laid out, and what stands in their places for pictures."""

    leaf: Leaf
    pictures: Pictures
    drawings: Drawings
    notes: bool
    laid_out: dict[_LayoutAttempt, SheetPart]
    """All attempts up to now: the same is asked for again and again, and takes long to lay out."""
    least_picture: float = LEAST_PICTURE
    """The height of a picture in points while it is not known how much room there is."""
    fallback_scale: float = CHART_SCALES[0]
    """The factor for the height of charts where no factor makes the page fit one sheet."""
    list_style: Style = styles.TEXT

    def choose(self, pages: Sequence[data.Page]) -> _Chosen:
        """The version to print, as ``page_document`` says, and the height of its charts."""
        # The first version has the least. Later ones may fit a single sheet as well, with the
        # charts as tall as they are in the first.
        scale = self._largest_scale_on_one_sheet(pages[0])
        sheets = 1
        if scale is None:
            scale = self.fallback_scale
            # If even the first version takes three sheets, a later one may fill the third.
            sheets = max(MOST_SHEETS, len(self.part(pages[0], scale).pages))
        page = self._last_that_fits(pages, sheets, scale)
        return _Chosen(self, page, scale, self.part(page, scale))

    def part(
        self, page: data.Page, chart_scale: float, picture_height: float | None = None
    ) -> SheetPart:
        """The page laid out; ``chart_scale``: a factor for the height of charts;
        ``picture_height``: in points, by default the least."""
        if picture_height is None:
            picture_height = self.least_picture
        if not _has_charts(page):
            # Every scale gives the same sheets, so that one attempt does for all.
            chart_scale = CHART_SCALES[0]
        attempt = _LayoutAttempt(id(page), chart_scale, picture_height, self.list_style)
        if attempt not in self.laid_out:
            self.laid_out[attempt] = self._lay_out(page, chart_scale, picture_height)
        return self.laid_out[attempt]

    def _lay_out(self, page: data.Page, chart_scale: float, picture_height: float) -> SheetPart:
        column = PageColumn(
            self.leaf.measure,
            self.pictures,
            self.drawings,
            chart_scale,
            picture_height,
            self.list_style,
        )
        story = [*title_block(page), *column.flowables(page.blocks)]
        if self.notes:
            story.append(OwnNotes())
        return SheetPart(self.leaf, story, page.title, page.foot or page.title)

    def ends_with_few_lines(self, part: SheetPart) -> bool:
        """Whether the last of several sheets is almost empty, but for lines to write on."""
        if len(part.pages) == 1:
            return False
        # ``depth`` measures in endless room, in which the lines to write on take none.
        used = depth([part.pages[-1].content], self.leaf.measure)
        return used < _FEW_LINES * self.leaf.depth

    def _largest_scale_on_one_sheet(self, page: data.Page) -> float | None:
        """The factor for the height of charts with which a page takes one sheet; None if it takes
        more with any."""
        for scale in CHART_SCALES:
            if len(self.part(page, scale).pages) == 1:
                return scale
        return None

    def _last_that_fits(
        self, pages: Sequence[data.Page], sheets: int, chart_scale: float
    ) -> data.Page:
        """The last of the ``pages`` that takes at most that many sheets, else the first."""
        # Each page has more than the one before, so that halving finds the last: few are laid out,
        # which takes long. All pages before ``known_to_fit`` fit, none from ``too_long`` on does.
        known_to_fit, too_long = 0, len(pages)
        while known_to_fit < too_long:
            middle = (known_to_fit + too_long) // 2
            if len(self.part(pages[middle], chart_scale).pages) <= sheets:
                known_to_fit = middle + 1
            else:
                too_long = middle
        if known_to_fit == 0:
            return pages[0]
        return pages[known_to_fit - 1]

    def room_for_picture(self, part: SheetPart) -> float:
        """The height that the rest of its sheet leaves to the picture, in points. A page has one
        picture of this kind at most: two would have to share the room."""
        # All pictures there are, drawn once more: of their class is the one on the page, which is
        # the only one that was given (see above).
        pictures = [draw(self.least_picture) for draw in self.pictures.values()]
        classes = tuple({type(picture) for picture in pictures})
        width = self.leaf.measure
        for sheet in part.pages:
            if any(isinstance(flowable, classes) for flowable in sheet.content.flowables):
                used_by_others = depth([sheet.content], width) - depth(pictures, width)
                return self.leaf.depth - used_by_others
        return self.least_picture  # the page names no picture


def _has_charts(page: data.Page) -> bool:
    """Whether the page has charts whose height can be scaled."""
    return any(isinstance(block, data.Pairs | data.Curves) for block in page.in_one_column())
