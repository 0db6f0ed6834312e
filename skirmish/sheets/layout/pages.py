"""Stories onto pages, and pages into a document, drawn once the number of pages is known.

The canvas handles saving ink, so that flowables need not. To save ink a bar becomes two rules, text
on it is black, and all inks become black: shape, fill and dash distinguish things too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, wraps
from io import BytesIO
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from reportlab.lib.colors import Color  # type: ignore[import-untyped]
from reportlab.pdfbase.pdfdoc import XMP  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas as PdfCanvas  # type: ignore[import-untyped]
from reportlab.pdfgen.textobject import PDFTextObject  # type: ignore[import-untyped]

from skirmish import resources
from skirmish.sheets import inks
from skirmish.sheets.inks import NATIONS, SIDES, Ink, InkUse, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.boxes import FormField, lay_text
from skirmish.sheets.layout.drawing import Canvas, Filling, rule
from skirmish.sheets.layout.flow import Flowable, Gap, NewPage, Stack
from skirmish.sheets.layout.fonts import BODY, MEDIUM
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.text import fitted, write
from skirmish.sheets.paper import GAP, HAIR, HEAVY, MM, ROUNDING, THIN, Leaf, leaf_of

_BLACK = (0.0, 0.0, 0.0)
"""Pure black, which printers set without a screen."""
_SPARED: dict[Any, Ink] = {
    inks.ACCENT: _BLACK,
    inks.BAND: _BLACK,
    inks.BLACK: _BLACK,
    inks.PANEL: inks.WHITE,
    **dict.fromkeys([look.ink for look in SIDES], _BLACK),
    **dict.fromkeys(NATIONS.values(), _BLACK),
}
"""The ink that is drawn instead where ink is spared; others stay as they are."""
_FOOTER = Style(MEDIUM, 7.2, 7.2)


class _Text(PDFTextObject):  # type: ignore[misc]
    """Text of a sheet: it does not go through the canvas to set its colour."""

    def setFillColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setFillColor(self._canvas.spared(ink), alpha)


class SheetCanvas(PdfCanvas):  # type: ignore[misc]
    """The canvas of all sheets; ``sparing``: it saves ink; ``is_form``: boxes and lines get fields
    of a form."""

    sparing = False
    is_form = False
    looks = SIDES
    """The looks of the document's sides; ink of a side without a nation is replaced by theirs."""
    _on_bar = False

    @cached_property
    def looks_of_boxes(self) -> dict[float, Any]:
        """The appearances of boxes to tick that are in the file so far, by their size in points:
        ``boxes`` makes each once."""
        return {}

    def spared(self, ink: Any) -> Any:
        """The ink that is drawn instead: that of the side's nation; where ink is spared, black."""
        if isinstance(ink, Color):  # as Platypus hands on the inks of a table
            ink = ink.rgb()
        # First a side's own ink, then what is spared: the inks of nations are spared as well.
        for usual, of_nation in zip(SIDES, self.looks, strict=True):
            if ink == usual.ink:
                ink = of_nation.ink
                break
        if not self.sparing or not isinstance(ink, tuple):
            return ink
        if ink == inks.WHITE and self._on_bar:
            return _BLACK
        return _SPARED.get(ink, ink)

    def setFillColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setFillColor(self.spared(ink), alpha)

    def setStrokeColor(self, ink: Any, alpha: float | None = None) -> None:  # noqa: N802
        super().setStrokeColor(self.spared(ink), alpha)

    def pen(self, ink: Ink, weight: float, fill: Ink | None = None) -> None:
        """Sets the ink and the weight of lines, and the ink of fillings if it is given."""
        self.setStrokeColor(ink)
        self.setLineWidth(weight)
        if fill is not None:
            self.setFillColor(fill)

    def shape(self, *corners: tuple[float, float], closed: bool = True, **options: int) -> None:
        """A polygon, filled if it is ``closed``; ``options``: those of ``drawPath``."""
        path = self.beginPath()
        path.moveTo(*corners[0])
        for corner in corners[1:]:
            path.lineTo(*corner)
        if closed:
            path.close()
        self.drawPath(path, **{"stroke": 1, "fill": int(closed), **options})

    def beginText(self, x: float = 0, y: float = 0, direction: str | None = None) -> Any:  # noqa: N802
        return _Text(self, x, y, direction=direction)

    def setPageLayout(self, layout: str) -> None:  # noqa: N802  (as its neighbours are called)
        """The initial page layout in a viewer, by its name in the format."""
        self._doc.Catalog.setPageLayout(layout)

    def setXmp(self, packet: bytes) -> None:  # noqa: N802
        """The metadata of the file in the form that search engines read."""

        def always(document: Any) -> bytes:
            return packet

        self._doc.Catalog.Metadata = XMP(creator=always)

    @contextmanager
    def bar(self, x: float, y: float, width: float, height: float, ink: Ink) -> Iterator[None]:
        """Fills a field with ink; text drawn meanwhile is white. To save ink it draws a rule above
        and one below instead, with black text between them."""
        self.saveState()
        if self.sparing:
            self.setStrokeColor(_BLACK)
            for weight, level in ((HEAVY, y + height - HEAVY / 2), (HAIR, y + HAIR / 2)):
                self.setLineWidth(weight)
                self.line(x, level, x + width, level)
            # The upper rule is heavier: text moves down to the middle of what is between them.
            self.translate(0, (HAIR - HEAVY) / 2)
        else:
            self.setFillColor(ink)
            self.rect(x, y, width, height, stroke=0, fill=1)
        # ``spared`` turns white text black meanwhile, if there is no bar behind it.
        self._on_bar = True
        try:
            yield
        finally:
            self._on_bar = False
            self.restoreState()


class PrintedPage(NamedTuple):
    """The content of a page, and its bookmark below that of its sheet, if any."""

    bookmark: str
    content: Flowable


class SheetPart:
    """The pages of one sheet: its bookmark and its footer. A page that ``NewPage`` begins may have
    a bookmark below the first. ``revision`` names the state of the numbers in the footer: None
    stands for the current one, an empty text leaves it out."""

    def __init__(
        self,
        page: Leaf,
        story: Sequence[Flowable],
        name: str,
        *footer: str,
        revision: str | None = "",
    ) -> None:
        fonts.ready()
        self.leaf, self.name = page, name
        self.has_footer = True
        self.footer = _footer_line(footer, revision)
        self.pages = list(_paged(story, page))

    def onto(self, canvas: Canvas, part: int, before: int | None = None) -> None:
        """Draws the pages as the part of that number; ``before``: the number of preceding pages of
        the book, None outside a book."""
        leaf = self.leaf
        canvas.setPageSize((leaf.width, leaf.height))
        for number in range(len(self.pages)):
            self._bookmark(canvas, part, number)
            folio = number + 1
            if before is not None:
                folio += before
            # The format counts pages from 0 here, the canvas from 1.
            canvas.addPageLabel(canvas.getPageNumber() - 1, "ARABIC", folio)
            self.draw(canvas, number, before)
            canvas.showPage()

    def draw(self, canvas: Canvas, number: int, before: int | None = None) -> None:
        """Draws one of the pages, counted from 0, with its footer; the canvas's origin is the
        page's lower left corner."""
        leaf = self.leaf
        content = self.pages[number].content
        count, is_left = f"{number + 1} / {len(self.pages)}", False
        left = leaf.margin
        if before is not None:
            folio = before + number + 1
            count, is_left = str(folio), folio % 2 == 0
            if not is_left:
                left += leaf.inner
        content.wrap(leaf.measure, leaf.depth)
        content.drawOn(canvas, left, leaf.top - content.height)
        if self.has_footer:
            self._footer(canvas, left, count, is_left=is_left)

    def _bookmark(self, canvas: Canvas, part: int, number: int) -> None:
        name, level = self.name, 0
        if number > 0:
            name, level = self.pages[number].bookmark, 1
        if name:
            key = bookmark(part, number)
            canvas.bookmarkPage(key)
            canvas.addOutlineEntry(fonts.clean(name), key, level)

    def _footer(self, canvas: Canvas, left: float, count: str, *, is_left: bool) -> None:
        """The last line of a page: what it is, and its number, which stands at the outer edge of a
        left page of a book."""
        leaf = self.leaf
        y, right = leaf.margin, left + leaf.measure
        rule(canvas, left, right, y + 3.2 * MM, THIN, ink=inks.BAND)
        line = fitted(self.footer, _FOOTER, leaf.measure - 16 * MM)
        at_right = _FOOTER._replace(align="right")
        if is_left:
            write(canvas, left, y + 0.6 * MM, count, _FOOTER)
            write(canvas, right, y + 0.6 * MM, line, at_right)
        else:
            write(canvas, left, y + 0.6 * MM, line, _FOOTER)
            write(canvas, right, y + 0.6 * MM, count, at_right)


def bookmark(part: int, page: int = 0) -> str:
    """The name of a place in the file: a page (from 0) of one of its parts (from 0)."""
    return f"sheet{part}page{page}"


def _footer_line(texts: Sequence[str], revision: str | None) -> str:
    if revision is None:
        revision = resources.revision()
    facts = [text for text in texts if text]
    if revision:
        facts.append(f"data revision {revision}")
    return " · ".join(facts)


def _paged(story: Sequence[Flowable], leaf: Leaf) -> Iterator[PrintedPage]:
    """The pages with their bookmarks, if any. Blocks too large for a page are printed anyway:
    nothing is left out."""
    name = ""
    section: list[Flowable] = []
    for flowable in story:
        if isinstance(flowable, NewPage):
            yield from _pages_of(section, name, leaf)
            name, section = flowable.name, []
        elif section or not isinstance(flowable, Gap):  # no page begins with a gap
            section.append(flowable)
    yield from _pages_of(section, name, leaf)


def _pages_of(section: Sequence[Flowable], name: str, leaf: Leaf) -> Iterator[PrintedPage]:
    """The pages of what stands between two ``NewPage``; the first bears the name."""
    rest: list[Flowable] = [Stack(section)]
    while rest:
        page, *rest = rest
        _, tall = page.wrap(leaf.measure, leaf.depth)
        if tall > leaf.depth + ROUNDING:
            parts = page.split(leaf.measure, leaf.depth)
            if not parts:  # its first block is higher than the page
                parts = page.forced(leaf.measure, leaf.depth)
            page, *rest = parts
        yield PrintedPage(name, page)
        name = ""


class PdfDocument(NamedTuple):
    """Sheets in one file, with its metadata. ``is_book``: pages are numbered through from the
    cover, with even ones on the left, and printed on both sides; ``sides``: the looks of the two
    sides."""

    title: str
    subject: str
    parts: Sequence[SheetPart]
    author: str = "Skirmish"
    is_book: bool = False
    sides: tuple[SideInk, SideInk] = SIDES


def as_pdf(build: Callable[..., PdfDocument]) -> Callable[..., bytes]:
    """Decorates a function that lays out a document on the leaf that is its first argument: it
    takes ``paper``, ``use`` and ``form`` (whether it has fields) instead, all optional. Raises
    ValueError (a sentence) for an unknown paper."""

    @wraps(build)
    def pdf(
        *subject: Any, paper: str = "a4", use: InkUse = "colour", form: bool = False, **options: Any
    ) -> bytes:
        return bound(build(leaf_of(paper), *subject, **options), use, form=form)

    return pdf


def bound(
    document: PdfDocument,
    use: InkUse = "colour",
    *,
    form: bool = False,
    draw: Callable[[Canvas, PdfDocument], None] | None = None,
) -> bytes:
    """The document as PDF, deterministic to the byte. Fonts are embedded once. ``draw`` puts the
    pages onto the paper in another way than one a page, such as for folding."""
    parts = document.parts
    stream = BytesIO()
    # ``invariant``: no clock and no random number in the file. Without an initial typeface of ours
    # each page would name Helvetica, though nothing is set in it.
    canvas = SheetCanvas(stream, invariant=1, pageCompression=1, lang="en", initialFontName=BODY)
    canvas.sparing, canvas.is_form, canvas.looks = use == "saver", form, document.sides
    canvas.setTitle(fonts.clean(document.title))
    canvas.setAuthor(fonts.clean(document.author))
    canvas.setSubject(fonts.clean(document.subject))
    canvas.setCreator("Skirmish")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.setXmp(_xmp(document))
    if document.is_book:
        canvas.setPageLayout("TwoPageRight")
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    (draw or draw_in_order)(canvas, document)
    # Viewers open the list of bookmarks only where there is something to choose.
    if draw is None and len(parts) > 1:
        canvas.showOutline()
    canvas.save()
    return stream.getvalue()


def draw_in_order(canvas: Canvas, document: PdfDocument) -> None:
    """Each page on a sheet of its own, one after the other."""
    before = 0
    for number, part in enumerate(document.parts):
        # A book counts its pages from the first to the last, other documents within each part.
        if document.is_book:
            part.onto(canvas, number, before)
        else:
            part.onto(canvas, number)
        before += len(part.pages)


def _xmp(document: PdfDocument) -> bytes:
    """Title, author, subject and language for search engines and libraries."""
    title = escape(fonts.clean(document.title))
    author = escape(fonts.clean(document.author))
    subject = escape(fonts.clean(document.subject))
    default = '<rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt>'
    # The id of the packet is the same in every file: the format wants this one.
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Skirmish">
<dc:format>application/pdf</dc:format>
<dc:title>{default.format(title)}</dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description>{default.format(subject)}</dc:description>
<dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>""".encode()


class OwnNotes(Filling):
    """Lines for handwriting; on a form a frame to type in. They never take most of a page."""

    LINE = 8 * MM
    """The distance from one line to the next."""
    MOST = 15
    """Lines; they are less than half of either paper."""

    def __init__(self, title: str = "Your notes", name: str = "notes") -> None:
        self.title, self.field = title, FormField(f"write-{name}", title)

    def least(self, width: float) -> float:
        return GAP + Head.TALL + 2 * self.LINE

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        top -= GAP
        Head(self.title).paint(canvas, x, top, width)
        room = min(self.height - GAP - Head.TALL, (self.MOST + 0.5) * self.LINE)
        if canvas.is_form:
            tall = room - MM
            low = top - Head.TALL - tall
            canvas.pen(inks.FAINT, HAIR)
            canvas.rect(x, low, width, tall, fill=0)
            lay_text(canvas, self.field, (x, low), (width, tall))
            return
        # The last line keeps its distance from the footer.
        for line in range(1, int((room - GAP) // self.LINE) + 1):
            y = top - Head.TALL - line * self.LINE
            rule(canvas, x, x + width, y, HAIR, ink=inks.FAINT)
