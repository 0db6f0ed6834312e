"""Pieces onto pages: poured down a column, or down several at once, over as many pages as it
takes. What was poured is drawn at the end, when the number of pages is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import NamedTuple

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.canvas import SheetCanvas
from skirmish.sheets.layout.flowables import Canvas, Gap, Piece, depth, rule
from skirmish.sheets.layout.fonts import BODY, MEDIUM
from skirmish.sheets.layout.text import Style, fitted, write
from skirmish.sheets.paper import BAND, FAINT, GAP, HAIR, MM, THIN, InkUse, Leaf

SCANT = 55 * MM
"""Too little room to begin columns in that do not end there."""


_FOOTER = Style(MEDIUM, 7.2, 7.2)


class Spot(NamedTuple):
    """A place to go on from: page (from 0) and height above the bottom of the paper."""

    page: int
    top: float


class Column(NamedTuple):
    """Pieces and the column they go down."""

    pieces: Sequence[Piece]
    x: float
    width: float


class Title(NamedTuple):
    """What a reader's PDF program shows of the document."""

    title: str
    author: str
    subject: str


class Pages:
    """The pages of one sheet."""

    def __init__(self, leaf: Leaf) -> None:
        fonts.ready()
        self.leaf = leaf
        self._pages: list[list[tuple[Piece, float, float, float]]] = [[]]

    def __len__(self) -> int:
        return len(self._pages)

    @property
    def start(self) -> Spot:
        """The top of the first page."""
        return Spot(0, self.leaf.top)

    def place(self, piece: Piece, x: float, width: float, at: Spot) -> Spot:
        """One piece exactly there; gives the spot below it."""
        while len(self._pages) <= at.page:
            self._pages.append([])
        self._pages[at.page].append((piece, x, at.top, width))
        return Spot(at.page, at.top - piece.height(width))

    def pour(self, pieces: Sequence[Piece], x: float, width: float, at: Spot) -> Spot:
        """Pieces down a column from ``at``; gives the spot below the last."""
        queue = deque(pieces)
        while queue:
            piece = queue.popleft()
            fresh = at.top >= self.leaf.top
            if isinstance(piece, Gap):
                at = at if fresh else Spot(at.page, at.top - piece.points)
                continue
            room = at.top - self.leaf.bottom
            if self._needed(piece, queue, width) <= room + 0.01:
                at = self.place(piece, x, width, at)
                continue
            halves = None if piece.keep else piece.cut(width, room)
            if halves is not None and (fresh or piece.least(width) <= room):
                self.place(halves[0], x, width, at)
                queue.appendleft(halves[1])
            elif fresh:  # nothing is ever left out, even if it does not fit
                at = self.place(piece, x, width, at)
                continue
            else:
                queue.appendleft(piece)
            at = Spot(at.page + 1, self.leaf.top)
            if queue[0].head is not None:
                at = self.place(queue[0].head, x, width, at)
        return at

    def side_by_side(self, columns: Sequence[Column], at: Spot) -> Spot:
        """Columns that begin level; gives the spot below the longest. Where only their beginning
        would fit on this page, they all go to the next."""
        room = at.top - self.leaf.bottom
        if room < SCANT and any(depth(one.pieces, one.width) > room for one in columns):
            at = Spot(at.page + 1, self.leaf.top)
        ends = [self.pour(column.pieces, column.x, column.width, at) for column in columns]
        return min(ends, key=lambda spot: (-spot.page, spot.top), default=at)

    def _needed(self, piece: Piece, queue: deque[Piece], width: float) -> float:
        """The room without which ``piece`` does not begin here: all of it, and for one that must
        not stand last on a page, the beginning of what follows."""
        need = piece.height(width)
        for follower in queue:
            if not piece.keep and not isinstance(piece, Gap):
                break
            piece = follower
            need += piece.height(width) if piece.keep else piece.least(width)
        return need

    def pdf(self, title: Title, footer: str, use: InkUse = "colour") -> bytes:
        """The document, the same bytes for the same pages."""
        return bound([Part(self, title.title, footer)], title, use)

    def onto(self, canvas: Canvas, footer: str) -> Iterator[int]:
        """Draws page by page, each with ``footer`` at its foot; yields each page's number (from 0)
        before it is drawn."""
        leaf = self.leaf
        canvas.setPageSize((leaf.width, leaf.height))
        for number, page in enumerate(self._pages):
            yield number
            for piece, x, top, width in page:
                piece.draw(canvas, x, top, width)
            y = leaf.margin
            rule(canvas, leaf.margin, leaf.width - leaf.margin, y + 3.2 * MM, THIN, ink=BAND)
            line = fitted(footer, _FOOTER, leaf.measure - 16 * MM)
            write(canvas, leaf.margin, y + 0.6 * MM, line, _FOOTER)
            count = _FOOTER._replace(align="right")
            right = leaf.width - leaf.margin
            write(canvas, right, y + 0.6 * MM, f"{number + 1} / {len(self._pages)}", count)
            canvas.showPage()


class Part(NamedTuple):
    """A sheet of a document: its bookmark, its footer, and bookmarks of its later pages (counted
    from 0) below the first."""

    pages: Pages
    name: str
    footer: str
    later: Mapping[int, str] = {}


def bound(
    parts: Sequence[Part], title: Title, use: InkUse = "colour", *, facing: bool = False
) -> bytes:
    """Sheets as one document, the same bytes for the same sheets. Faces are embedded once.

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
        for number in part.pages.onto(canvas, part.footer):
            name = part.later.get(number) if number else part.name
            if name:
                key = f"sheet{count}page{number}"
                canvas.bookmarkPage(key)
                canvas.addOutlineEntry(fonts.clean(name), key, level=int(number > 0))
    if len(parts) > 1:
        canvas.showOutline()
    canvas.save()
    return stream.getvalue()


_LINE = 8 * MM
"""From one to the next: room for handwriting."""


_FEWEST = 3


LEAST = Head.TALL + _FEWEST * _LINE
"""Points without which the lines are not worth printing."""


class OwnNotes(Piece):
    """A head and as many lines as there is ``room`` for, in points."""

    def __init__(self, room: float) -> None:
        self.lines = max(_FEWEST, int((room - Head.TALL) // _LINE))

    def height(self, width: float) -> float:
        """All of it."""
        return Head.TALL + self.lines * _LINE

    def draw(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """Draws it."""
        Head("Your notes").draw(canvas, x, top, width)
        for line in range(1, self.lines + 1):
            rule(canvas, x, x + width, top - Head.TALL - line * _LINE, HAIR, ink=FAINT)


def fill(made: Pages, spot: Spot) -> None:
    """The rest of the page below ``spot`` with lines, if there is room for some."""
    page = made.leaf
    below = Spot(spot.page, spot.top - GAP)
    room = below.top - page.bottom
    if room >= LEAST:
        made.place(OwnNotes(room), page.margin, page.measure, below)
