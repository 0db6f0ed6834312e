"""The pages of a sheet: its story broken onto pages, each with a footer.

All pages are made before any is drawn, since a footer names their number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skirmish import resources
from skirmish.sheets import inks
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas, rule
from skirmish.sheets.layout.flow import Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text_lines import fitted, write
from skirmish.sheets.paper import MM, ROUNDING, THIN, Leaf

_FOOTER = Style(MEDIUM, 7.2, 7.2)
_FOOTER_BASELINE, _FOOTER_RULE = 0.6 * MM, 3.2 * MM
"""The footer's baseline and the rule above it, from the bottom margin."""
_PAGE_NUMBER_ROOM = 16 * MM
"""The width that the line of the footer leaves to the number of the page."""


class PrintedPage(NamedTuple):
    """The content of a page, and the text of its bookmark, which stands below that of its sheet;
    empty: it has none."""

    bookmark: str
    content: Flowable


class SheetPart:
    """The pages of one sheet, made from its story: ``name`` is the text of its bookmark, ``footer``
    what its pages have in their last line. ``revision``: that of the data whose numbers are
    printed, for the footer; None: the current one; empty: it has none."""

    def __init__(
        self,
        leaf: Leaf,
        story: Sequence[Flowable],
        name: str,
        *footer: str,
        revision: str | None = "",
    ) -> None:
        fonts.ready()
        self.leaf, self.name = leaf, name
        # Whoever makes a part may set it to False before it is drawn.
        self.has_footer = True
        self.footer = _footer_line(footer, revision)
        self.pages = list(_paged(story, leaf))

    def draw_pages(self, canvas: Canvas, part_number: int, pages_before: int | None = None) -> None:
        """Draws all pages, with their bookmarks, as the part of that number (from 0) of its
        document. ``pages_before``: how many pages of the book come before; None outside a book."""
        leaf = self.leaf
        canvas.setPageSize((leaf.width, leaf.height))
        for number in range(len(self.pages)):
            self._add_bookmark(canvas, part_number, number)
            folio = _folio(number, pages_before)
            # The format counts pages from 0 here, the canvas from 1.
            canvas.addPageLabel(canvas.getPageNumber() - 1, "ARABIC", folio)
            self.draw_page(canvas, number, pages_before)
            canvas.showPage()

    def draw_page(self, canvas: Canvas, number: int, pages_before: int | None = None) -> None:
        """Draws one of the pages, counted from 0, with its footer. The canvas's origin is the lower
        left corner of the page; ``pages_before`` as for ``draw_pages``."""
        leaf = self.leaf
        content = self.pages[number].content
        folio = _folio(number, pages_before)
        is_book = pages_before is not None
        is_left_page = is_book and folio % 2 == 0
        page_number = f"{folio} / {len(self.pages)}"
        if is_book:
            page_number = str(folio)
        left = leaf.margin
        # A right page is bound at its left edge, where the margin is wider.
        if is_book and not is_left_page:
            left += leaf.inner
        content.wrap(leaf.measure, leaf.depth)
        content.drawOn(canvas, left, leaf.top - content.height)
        if self.has_footer:
            self._draw_footer(canvas, left, page_number, is_left_page=is_left_page)

    def _add_bookmark(self, canvas: Canvas, part_number: int, number: int) -> None:
        """The bookmark of a page: of the first page that of the sheet, of others their own, if they
        have one, a level below."""
        name = self.name
        level = 0
        if number > 0:
            name = self.pages[number].bookmark
            level = 1
        if name:
            key = bookmark_key(part_number, number)
            canvas.bookmarkPage(key)
            canvas.addOutlineEntry(fonts.clean(name), key, level)

    def _draw_footer(
        self, canvas: Canvas, left: float, page_number: str, *, is_left_page: bool
    ) -> None:
        """The last line of a page: what it is, and its number, which is at the right, but on a left
        page of a book at the left, the outer edge."""
        leaf = self.leaf
        bottom, right = leaf.margin, left + leaf.measure
        baseline = bottom + _FOOTER_BASELINE
        rule(canvas, left, right, bottom + _FOOTER_RULE, THIN, ink=inks.BAND)
        line = fitted(self.footer, _FOOTER, leaf.measure - _PAGE_NUMBER_ROOM)
        at_right = _FOOTER._replace(align="right")
        if is_left_page:
            write(canvas, left, baseline, page_number, _FOOTER)
            write(canvas, right, baseline, line, at_right)
        else:
            write(canvas, left, baseline, line, _FOOTER)
            write(canvas, right, baseline, page_number, at_right)


def _folio(number: int, pages_before: int | None) -> int:
    """The printed number of a page, counted from 1: in a book from its first page, else from that
    of its sheet. Both arguments as for ``SheetPart.draw_page``."""
    folio = number + 1
    if pages_before is not None:
        folio += pages_before
    return folio


def bookmark_key(part_number: int, number: int = 0) -> str:
    """The key of a bookmark in the file: that of a page (from 0) of one of its parts (from 0)."""
    return f"sheet{part_number}page{number}"


def _footer_line(texts: Sequence[str], revision: str | None) -> str:
    """The texts of the footer that are not empty, and the revision, as for ``SheetPart``."""
    if revision is None:
        revision = resources.revision()
    facts = [text for text in texts if text]
    if revision:
        facts.append(f"data revision {revision}")
    return " · ".join(facts)


def _paged(story: Sequence[Flowable], leaf: Leaf) -> Iterator[PrintedPage]:
    """The pages of a story, in which each ``NewPage`` ends a section."""
    section_name = ""
    section: list[Flowable] = []
    for flowable in story:
        if isinstance(flowable, NewPage):
            yield from _pages_of(section, section_name, leaf)
            section_name = flowable.name
            section = []
        elif section or not isinstance(flowable, Gap):  # no page begins with a gap
            section.append(flowable)
    yield from _pages_of(section, section_name, leaf)


def _pages_of(section: Sequence[Flowable], name: str, leaf: Leaf) -> Iterator[PrintedPage]:
    """The pages of a section; the first of them has that name as its bookmark. Blocks that are too
    large for a page are printed anyway: nothing is left out."""
    bookmark_of_next = name
    rest: Stack | None = Stack(section)
    while rest is not None:
        page = _first_page(rest, leaf)
        yield PrintedPage(bookmark_of_next, page.content)
        bookmark_of_next = ""
        rest = page.rest


class _FirstPage(NamedTuple):
    """The content of the first page of a stack, and what goes overleaf; None: nothing does."""

    content: Stack
    rest: Stack | None


def _first_page(stack: Stack, leaf: Leaf) -> _FirstPage:
    """What of a stack fits on a page, or else as much of its first block as can be put there."""
    _, height = stack.wrap(leaf.measure, leaf.depth)
    if height <= leaf.depth + ROUNDING:
        return _FirstPage(stack, None)
    parts = stack.split(leaf.measure, leaf.depth)
    if not parts:  # its first block is higher than the page
        parts = stack.forced(leaf.measure, leaf.depth)
    if len(parts) == 1:
        return _FirstPage(parts[0], None)
    content, rest = parts
    return _FirstPage(content, rest)
