"""Stories onto pages, and pages into a document, drawn once the number of pages is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import dropwhile
from typing import NamedTuple

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.canvas import SheetCanvas
from skirmish.sheets.layout.flowables import Canvas, Filling, Flowable, Gap, NewPage, Stack, rule
from skirmish.sheets.layout.fonts import BODY, MEDIUM
from skirmish.sheets.layout.text import Style, fitted, write
from skirmish.sheets.paper import BAND, FAINT, GAP, HAIR, MM, THIN, InkUse, Leaf

_FOOTER = Style(MEDIUM, 7.2, 7.2)


class Title(NamedTuple):
    """What a reader's PDF program shows of the document."""

    title: str
    author: str
    subject: str


class Part:
    """The pages of one sheet: its bookmark and what stands at their foot; ``revision`` names the
    state of the numbers. A page that ``NewPage`` begins may have
    a bookmark of its own below the first."""

    def __init__(
        self, leaf: Leaf, story: Sequence[Flowable], name: str, *footer: str, revision: str = ""
    ) -> None:
        fonts.ready()
        self.leaf, self.name = leaf, name
        numbers = f"data revision {revision}" if revision else ""
        self.footer = " · ".join(filter(None, (*footer, numbers)))
        self.pages = list(_paged(story, leaf))

    def onto(self, canvas: Canvas, key: str) -> None:
        """Draws page by page, each with the footer at its foot."""
        leaf = self.leaf
        canvas.setPageSize((leaf.width, leaf.height))
        for number, (later, page) in enumerate(self.pages):
            if name := later if number else self.name:
                canvas.bookmarkPage(f"{key}page{number}")
                canvas.addOutlineEntry(fonts.clean(name), f"{key}page{number}", int(number > 0))
            page.wrap(leaf.measure, leaf.depth)
            page.drawOn(canvas, leaf.margin, leaf.top - page.height)
            y, right = leaf.margin, leaf.width - leaf.margin
            rule(canvas, leaf.margin, right, y + 3.2 * MM, THIN, ink=BAND)
            line = fitted(self.footer, _FOOTER, leaf.measure - 16 * MM)
            write(canvas, leaf.margin, y + 0.6 * MM, line, _FOOTER)
            count = f"{number + 1} / {len(self.pages)}"
            write(canvas, right, y + 0.6 * MM, count, _FOOTER._replace(align="right"))
            canvas.showPage()


def _paged(story: Sequence[Flowable], leaf: Leaf) -> Iterator[tuple[str, Flowable]]:
    """Page by page, each with the name of its bookmark, which few have. What fits no page stands
    there all the same: nothing is ever left out."""
    name, begin = "", 0
    for at, one in enumerate([*story, NewPage()]):
        if not isinstance(one, NewPage):
            continue
        section = dropwhile(lambda one: isinstance(one, Gap), story[begin:at])
        rest: list[Flowable] = [Stack(list(section))]
        while rest:
            page, *rest = rest
            if page.wrap(leaf.measure, leaf.depth)[1] > leaf.depth + 0.01:
                page, *rest = page.split(leaf.measure, leaf.depth) or page.forced()
            yield name, page
            name = ""
        name, begin = one.name, at + 1


def bound(
    parts: Sequence[Part], title: Title, use: InkUse = "colour", *, facing: bool = False
) -> bytes:
    """Sheets as one document, the same bytes for the same sheets. Fonts are embedded once.

    ``facing``: its pages belong side by side. Two are shown so and printed on two sheets; more are
    a book, even pages on the left, printed on both sides.
    """
    stream = BytesIO()
    canvas = SheetCanvas(stream, invariant=1, pageCompression=1, lang="en", initialFontName=BODY)
    canvas.sparing = use == "saver"
    canvas.setTitle(fonts.clean(title.title))
    canvas.setAuthor(fonts.clean(title.author))
    canvas.setSubject(fonts.clean(title.subject))
    canvas.setCreator("Skirmish")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    pages = sum(len(part.pages) for part in parts)
    if facing and pages > 1:
        is_book = pages > 2
        canvas.setPageLayout("TwoPageRight" if is_book else "TwoPageLeft")
        duplex = "DuplexFlipLongEdge" if is_book else "Simplex"
        canvas.setViewerPreference("Duplex", duplex)
    for count, part in enumerate(parts):
        part.onto(canvas, f"sheet{count}")
    if len(parts) > 1:
        canvas.showOutline()
    canvas.save()
    return stream.getvalue()


class OwnNotes(Filling):
    """Lines to write on, in the room that a page has left."""

    LINE = 8 * MM
    """From one to the next: room for handwriting."""

    def least(self, width: float) -> float:
        return GAP + Head.TALL + 3 * self.LINE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        top -= GAP
        Head("Your notes").paint(canvas, x, top, width)
        for line in range(1, int((self.height - GAP - Head.TALL) // self.LINE) + 1):
            y = top - Head.TALL - line * self.LINE
            rule(canvas, x, x + width, y, HAIR, ink=FAINT)
