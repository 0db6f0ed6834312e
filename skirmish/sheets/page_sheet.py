"""A page as PDF: Platypus flows the blocks, so that no heading is parted from what it heads."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

from reportlab.lib.styles import ParagraphStyle  # type: ignore[import-untyped]
from reportlab.platypus import (  # type: ignore[import-untyped]
    BaseDocTemplate,
    Flowable,
    Frame,
    KeepTogether,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)

from skirmish.sheets.layout import fonts
from skirmish.sheets.layout.canvas import SheetCanvas
from skirmish.sheets.layout.fonts import BODY, BOLD, HEAD, ITALIC, LABEL, MEDIUM, TITLE
from skirmish.sheets.paper import (
    ACCENT,
    BAND,
    BLACK,
    CODE,
    FOOT,
    HAIR,
    MM,
    PANEL,
    THIN,
    Ink,
    InkUse,
    leaf,
)
from skirmish.tabletop import page as data

BULLET = "\N{BULLET}"
GAUGE = 42 * MM
MARKS = {
    "done": "\N{CHECK MARK}",
    "now": "\N{BLACK RIGHT-POINTING TRIANGLE}",
    "next": "",
    "skipped": "–",
}


def page_pdf(page: data.Page, *, paper: str, use: InkUse = "colour") -> bytes:
    """The page as a PDF, the same bytes for the same page. Raises ValueError for a paper that there
    is not."""
    sheet = leaf(paper)
    fonts.ready()
    stream = BytesIO()
    document = BaseDocTemplate(
        stream,
        pagesize=(sheet.width, sheet.height),
        leftMargin=sheet.margin,
        rightMargin=sheet.margin,
        topMargin=sheet.margin,
        bottomMargin=sheet.margin + FOOT,
        title=fonts.clean(page.title),
        author="Skirmish",
        lang="en",
        invariant=1,
        initialFontName=BODY,
    )
    frame = Frame(
        sheet.margin, sheet.bottom, sheet.measure, sheet.depth, 0, 0, 0, 0, showBoundary=0
    )

    def foot(canvas: Any, _: Any) -> None:
        canvas.setStrokeColor(BAND)
        canvas.setLineWidth(THIN)
        canvas.line(sheet.margin, sheet.margin + 3.2 * MM, sheet.width - sheet.margin,
                    sheet.margin + 3.2 * MM)  # fmt: skip
        canvas.setFillColor(CODE)
        canvas.setFont(MEDIUM, 7.2)
        right = sheet.width - sheet.margin
        canvas.drawRightString(right, sheet.margin + 0.6 * MM, str(canvas.getPageNumber()))

    document.addPageTemplates([PageTemplate("page", [frame], onPage=foot)])

    def canvas_of(*arguments: Any, **named: Any) -> SheetCanvas:
        canvas = SheetCanvas(*arguments, **named)
        canvas.sparing = use == "saver"
        return canvas

    document.build(list(_story(page, sheet.measure)), canvasmaker=canvas_of)
    return stream.getvalue()


def _story(page: data.Page, width: float) -> Iterator[Flowable]:
    """The title, then every block; a heading and what follows it are never parted."""
    yield _words(page.title, TITLE, 19, ACCENT)
    yield Spacer(0, 3 * MM)
    heading: list[Flowable] = []
    for block in page.blocks:
        made = list(_flowables(block, width))
        if isinstance(block, data.Heading):
            heading += [Spacer(0, 3 * MM), *made]
            continue
        if heading and made:
            yield KeepTogether([*heading, made[0]])
            made, heading = made[1:], []
        yield from made
        yield Spacer(0, 1.6 * MM)
    yield from heading


def _flowables(block: data.Block, width: float) -> Iterator[Flowable]:
    match block:
        case data.Heading(text=text, level=level):
            yield _words(text, HEAD if level < 3 else LABEL, 12 if level < 3 else 10, BAND)
        case data.Paragraph(text=text, lead=lead, tone=tone):
            face = BOLD if tone == "strong" else BODY
            yield _words(text, face, 9, lead=lead)
        case data.Items(lines=lines):
            for line in lines:
                yield _words(line, BODY, 9, indent=3.2 * MM, bullet=BULLET)
        case data.Facts(rows=rows):
            if rows:
                cells = [[_words(name, LABEL, 9), _words(value, BODY, 9)] for name, value in rows]
                yield _grid(cells, [38 * MM, width - 38 * MM])
        case data.Gauge():
            bar = _Bar(block.value / block.full if block.full else 0)
            said = f"{block.value} of {block.full}" + (f", {block.note}" if block.note else "")
            cells = [[_words(block.name, LABEL, 9), bar, _words(said, BODY, 9)]]
            yield _grid(cells, [38 * MM, GAUGE + 3 * MM, width - GAUGE - 41 * MM])
        case data.Table():
            yield _table(block, width)
        case data.Bars(rows=rows):
            full = block.full or max((bar.value for bar in rows), default=0) or 1
            if rows:
                name, note = (
                    min(max(fonts.width(text, LABEL, 9) for text in texts) + 4 * MM, 38 * MM)
                    for texts in ([bar.name for bar in rows], [bar.note for bar in rows])
                )
                room = width - name - note
                cells = [
                    [_words(bar.name, LABEL, 9), _Bar(bar.value / full, room - 2 * MM, False),
                     _words(bar.note, BODY, 9)]
                    for bar in rows
                ]  # fmt: skip
                yield _grid(cells, [name, room, note], ruled=False)
        case data.Steps(rows=rows):
            for step in rows:
                face = BOLD if step.state == "now" else BODY
                mark = MARKS[step.state]
                yield _words(step.text, face, 9, indent=5 * MM, bullet=mark, aside=step.note)
        case data.Choices(rows=rows):
            for one in rows:
                yield _words(one.text, BODY, 9, indent=5 * MM, bullet=one.key)
        case data.Note(text=text):
            yield _words(text, ITALIC, 8, CODE)


class _Bar(Flowable):  # type: ignore[misc]
    """A bar of at most ``width`` points; ``framed``: with the room that it could fill."""

    def __init__(self, share: float, width: float = GAUGE, framed: bool = True) -> None:
        super().__init__()
        self.share, self.framed = min(max(share, 0.0), 1.0), framed
        self.width, self.height = width, 2.6 * MM

    def draw(self) -> None:
        """The filled part, and the frame."""
        canvas = self.canv
        canvas.setFillColor(BAND)
        canvas.rect(0, 0.4 * MM, self.width * self.share, self.height, stroke=0, fill=1)
        if self.framed:
            canvas.setStrokeColor(BAND)
            canvas.setLineWidth(HAIR)
            canvas.rect(0, 0.4 * MM, self.width, self.height, stroke=1, fill=0)


def _table(table: data.Table, width: float) -> Flowable:
    numbers = [column.number for column in table.columns]
    head = [_words(one.title, LABEL, 7.6, CODE, right=one.number) for one in table.columns]
    first_total = len(table.rows) - table.totals
    rows = [
        [
            _words(cell, BOLD if at >= first_total or at == table.mark else BODY, 9, right=number)
            for cell, number in zip(row, numbers, strict=True)
        ]
        for at, row in enumerate(table.rows)
    ]
    natural = [
        max(fonts.width(cell, BOLD, 9) for cell in (column.title, *cells)) + 4 * MM
        for column, cells in zip(
            table.columns, zip(*table.rows, strict=True) if table.rows else [()] * len(numbers),
            strict=True,
        )
    ]  # fmt: skip
    scale = min(1.0, width / sum(natural))
    return _grid([head, *rows], [one * scale for one in natural], repeat=1)


def _grid(
    cells: list[list[Any]], widths: list[float], repeat: int = 0, *, ruled: bool = True
) -> Flowable:
    style: list[tuple[Any, ...]] = [
        ("FONTNAME", (0, 0), (-1, -1), BODY),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2 * MM),
        ("TOPPADDING", (0, 0), (-1, -1), 1.2 if ruled else 0),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 1.6 if ruled else 0.6),
    ]
    style += [("LINEBELOW", (0, 0), (-1, -1), HAIR, CODE)] if ruled else []
    if repeat:
        style.append(("BACKGROUND", (0, 0), (-1, 0), PANEL))
    return Table(cells, widths, style=TableStyle(style), repeatRows=repeat, hAlign="LEFT")


def _words(
    text: str,
    face: str,
    size: float,
    ink: Ink = BLACK,
    *,
    lead: str = "",
    aside: str = "",
    indent: float = 0,
    bullet: str = "",
    right: bool = False,
) -> Flowable:
    """A paragraph; nothing in its texts is read as markup."""
    marked = fonts.markup(text, face)
    if lead:
        marked = f'<font name="{BOLD}">{fonts.markup(lead, BOLD)}</font> {marked}'
    if aside:
        marked += f' <font name="{ITALIC}">{fonts.markup(aside, ITALIC)}</font>'
    mark = fonts.runs(bullet, BODY)[0] if bullet else (BODY, "")
    style = ParagraphStyle(
        "", fontName=face, fontSize=size, leading=size * 1.22, textColor=ink, leftIndent=indent,
        bulletFontName=mark[0], bulletFontSize=size, bulletIndent=0, alignment=2 if right else 0,
        splitLongWords=1,
    )  # fmt: skip
    return Paragraph(marked, style, bulletText=mark[1] or None)
