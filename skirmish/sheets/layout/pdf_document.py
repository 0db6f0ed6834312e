"""A document: sheets bound into one PDF, with its metadata."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from io import BytesIO
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from skirmish.sheets.inks import SIDES, InkUse, SideInk
from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.drawing import Canvas
from skirmish.sheets.layout.fonts import BODY
from skirmish.sheets.layout.pages import SheetPart
from skirmish.sheets.layout.sheet_canvas import SheetCanvas
from skirmish.sheets.paper import leaf_of


class PdfDocument(NamedTuple):
    """The parts of one file, and its metadata. ``is_book``: pages are numbered through from the
    cover, with even numbers on left pages, and printed on both sides of the paper; ``sides``: how
    the two sides of the battle look."""

    title: str
    subject: str
    parts: Sequence[SheetPart]
    author: str = "Skirmish"
    is_book: bool = False
    sides: tuple[SideInk, SideInk] = SIDES


def as_pdf(build: Callable[..., PdfDocument]) -> Callable[..., bytes]:
    """A decorator: the function ``build`` lays out a document on a leaf, its first argument; the
    decorated one returns the document as PDF. Instead of a leaf it takes three keywords, all
    optional: ``paper``, ``use`` and ``form`` (whether there are form fields). All other arguments
    are those of ``build``. It raises ValueError (a sentence) for an unknown paper."""

    @wraps(build)
    def pdf(
        *contents: Any,
        paper: str = "a4",
        use: InkUse = "colour",
        form: bool = False,
        **options: Any,
    ) -> bytes:
        document = build(leaf_of(paper), *contents, **options)
        return bound(document, use, form=form)

    return pdf


def bound(
    document: PdfDocument,
    use: InkUse = "colour",
    *,
    form: bool = False,
    draw: Callable[[Canvas, PdfDocument], None] | None = None,
) -> bytes:
    """The document as PDF, the same to the byte each time. ``draw``: draws all pages, such as two
    on a sheet that is folded; by default each page is on a sheet of its own."""
    stream = BytesIO()
    # ``invariant``: no clock and no random number in the file. Without an initial typeface of ours
    # each page would name Helvetica, though nothing is set in it.
    canvas = SheetCanvas(stream, invariant=1, pageCompression=1, lang="en", initialFontName=BODY)
    canvas.sparing = use == "saver"
    canvas.is_form = form
    canvas.looks = document.sides
    canvas.setTitle(fonts.clean(document.title))
    canvas.setAuthor(fonts.clean(document.author))
    canvas.setSubject(fonts.clean(document.subject))
    canvas.setCreator("Skirmish")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    canvas.setXmp(_xmp(document))
    if document.is_book:
        canvas.setPageLayout("TwoPageRight")
        canvas.setViewerPreference("Duplex", "DuplexFlipLongEdge")
    if draw is None:
        _draw_in_order(canvas, document)
        # Viewers open the list of bookmarks only where there is something to choose.
        if len(document.parts) > 1:
            canvas.showOutline()
    else:
        draw(canvas, document)
    canvas.save()
    return stream.getvalue()


def _draw_in_order(canvas: Canvas, document: PdfDocument) -> None:
    """Each page on a sheet of its own, one after the other."""
    pages_before = 0
    for part_number, part in enumerate(document.parts):
        # A book counts its pages from the first to the last, other documents within each part.
        if document.is_book:
            part.draw_pages(canvas, part_number, pages_before)
        else:
            part.draw_pages(canvas, part_number)
        pages_before += len(part.pages)


def _xmp(document: PdfDocument) -> bytes:
    """The packet of metadata in the file: title, author, subject and language, for search engines
    and libraries."""
    title = escape(fonts.clean(document.title))
    author = escape(fonts.clean(document.author))
    subject = escape(fonts.clean(document.subject))
    in_any_language = '<rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt>'
    # The format prescribes the id of the packet, the same in every file.
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Skirmish">
<dc:format>application/pdf</dc:format>
<dc:title>{in_any_language.format(title)}</dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
<dc:description>{in_any_language.format(subject)}</dc:description>
<dc:language><rdf:Bag><rdf:li>en</rdf:li></rdf:Bag></dc:language>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>""".encode()
