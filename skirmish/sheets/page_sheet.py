"""A page as PDF: Platypus flows the blocks, so that no heading is parted from what it heads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.charts import CurveChart, PairChart, bar, look_of
from skirmish.sheets.layout.drawing import Canvas, Drawing
from skirmish.sheets.layout.flow import (
    Cell,
    CellRow,
    Flowable,
    Gap,
    Panel,
    SideBySide,
    Stack,
    depth,
    halves,
    with_next,
)
from skirmish.sheets.layout.fonts import BODY, BOLD, TITLE
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import PrintedTable, TableColumn, facts
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.paper import CLOSE_GAP, GUTTER, HAIR, MM, Leaf
from skirmish.tabletop import page as data

Pictures = Mapping[str, Callable[[float], Flowable]]
BULLET = "\N{BULLET}"
GAUGE = 42 * MM
MARKS = {
    "done": "\N{CHECK MARK}",
    "now": "\N{BLACK RIGHT-POINTING TRIANGLE}",
    "next": "",
    "skipped": "–",
}
SCALES = (1.0, 0.8, 0.6)
"""How much of their usual height charts have where that makes it one sheet."""
HEIGHTS = (240.0, 220.0, 200.0, 180.0, 165.0)
"""Points of a picture that shares its sheet with everything."""
LARGE = (330.0, 300.0, 265.0, 235.0, 205.0)
"""Points of a picture where there are several sheets."""
_UNDER_HEAD = 0.6 * MM
_BETWEEN = 0.35 * MM
_AIR = 0.55
"""Points above and below a line of a table."""
_NARROWEST = 12 * MM
_NAMES = 0.3
"""Of the width of a table with bars, what its names have."""
_LINES = (
    data.Paragraph | data.Items | data.Gauge | data.Bars | data.Steps | data.Choices | data.Note
)
_SIZED = data.Picture | data.Pairs | data.Curves | data.Beside
_RESULT = Style(TITLE, 19, 22, ink=inks.ACCENT)
_TONES = {"strong": styles.FORCE, "quiet": styles.SMALL}


class Sizes(NamedTuple):
    """The height of charts in parts of the usual one, and of pictures in points."""

    scale: float
    tallest: float


def page_document(
    sheet: Leaf, *pages: data.Page, pictures: Pictures | None = None, notes: bool = False
) -> PdfDocument:
    """The page on paper. Of several ``pages`` that tell more or less of the same, the first that
    takes a single sheet, with its charts as tall as may be; else the last that takes two, or the
    first. ``notes``: what is left of the last sheet has lines to write on."""
    fonts.ready()
    part = _Setting(sheet, pictures or {}, notes).fitting(pages)
    return PdfDocument(part.name, pages[0].foot, [part])


page_pdf = as_pdf(page_document)


class _Setting:
    def __init__(self, sheet: Leaf, pictures: Pictures, notes: bool) -> None:
        self.sheet, self.pictures, self.notes = sheet, pictures, notes
        self._depths: dict[tuple[data.Block, float], float] = {}

    def fitting(self, pages: Sequence[data.Page]) -> SheetPart:
        """The one of the pages that is printed, in the sizes in which it fits best."""
        drawn = any(isinstance(block, data.Picture) for block in pages[0].blocks)
        heights = HEIGHTS if drawn else HEIGHTS[-1:]
        whole = self.sheet.depth
        for scale, page, tallest in product(SCALES, pages, heights):
            if self._fits(page, Sizes(scale, tallest), whole):
                return self._part(page, Sizes(scale, tallest))
        sizes = [Sizes(1, tallest) for tallest in (LARGE if drawn else LARGE[:1])]
        tried = [(self._used(self._part(pages[0], one)), one) for one in sizes]
        used, best = max(tried, key=lambda one: one[0])
        for page in pages[::-1]:
            if self._fits(page, best, used + whole):
                part = self._part(page, best)
                if len(part.pages) == 2:
                    return part
        return self._part(pages[0], best)

    def _used(self, part: SheetPart) -> float:
        return depth([part.pages[0][1]], self.sheet.measure)

    def _part(self, page: data.Page, room: Sizes) -> SheetPart:
        width = self.sheet.measure
        story = [*_title(page), Gap(CLOSE_GAP), *self.column(page.blocks, width, room)]
        story += [OwnNotes()] if self.notes else []
        return SheetPart(self.sheet, story, page.title, page.foot or page.title)

    def _fits(self, page: data.Page, room: Sizes, most: float) -> bool:
        """Whether a page takes no more than so many points; no block is set twice for that in one
        size."""
        found, before = depth([*_title(page)], self.sheet.measure) + CLOSE_GAP, None
        for block in page.blocks:
            size = room.tallest if isinstance(block, data.Picture) else room.scale
            key = block, size if isinstance(block, _SIZED) else 0.0
            if key not in self._depths:
                made = self._set(block, self.sheet.measure, room, before)
                self._depths[key] = depth(made, self.sheet.measure)
            found += self._depths[key]
            if found > most:
                return False
            before = block
        return True

    def column(self, blocks: Sequence[data.Block], width: float, room: Sizes) -> list[Flowable]:
        found: list[Flowable] = []
        before: data.Block | None = None
        for block in blocks:
            found += self._set(block, width, room, before)
            before = block
        return found

    def _set(
        self, block: data.Block, width: float, room: Sizes, before: data.Block | None
    ) -> list[Flowable]:
        """A block below the block ``before``, if there is one."""
        made = list(self._flowables(block, width, room))
        return [Gap(_gap(block, before)), *made] if made and before else made

    def _flowables(self, block: data.Block, width: float, room: Sizes) -> Iterator[Flowable]:
        match block:
            case data.Heading(text=text, level=level, aside=aside, party=party):
                ink = inks.BAND if party is None else look_of(party).ink
                yield (
                    with_next(paragraph(text, styles.TERM))
                    if level == 3
                    else Head(text, aside, ink)
                )
            case data.Paragraph(text=text, lead=lead, tone=tone, aside=aside):
                whole = f"{aside} {text}" if aside else text
                yield paragraph(whole, _TONES.get(tone, styles.TEXT), lead=lead)
            case data.Banner(text=text, lines=lines):
                texts = [paragraph(text.upper(), _RESULT)]
                for line in lines:
                    style = styles.ASIDE if line.tone == "quiet" else styles.LEAD
                    texts.append(paragraph(line.text, style, lead=line.lead))
                yield Panel(Stack(texts))
            case data.Items(lines=lines):
                for text in lines:
                    yield _item(text, BULLET, width)
            case data.Facts(rows=rows) if rows:
                first = _widest([name for name, _ in rows], 0.4 * width)
                yield facts(rows, width, first / MM, _AIR)
            case data.Gauge(name=name, value=value, full=full, note=note):
                text = f"{value} of {full}" + (f", {note}" if note else "")
                drawn = BarDrawing(value / full if full else 0, framed=True)
                yield _drawn([(name, drawn, text)], 38 * MM, GAUGE + 3 * MM, width)
            case data.Table():
                yield _table(block, width)
            case data.Bars(rows=rows) if rows:
                most = block.full or max(one.value for one in rows) or 1
                first = _widest([one.name for one in rows], 38 * MM)
                last = _widest([one.note for one in rows], 38 * MM)
                bars = [(one.name, BarDrawing(one.value / most), one.note) for one in rows]
                yield _drawn(bars, first, width - first - last, width, ruled=False)
            case data.Pairs():
                yield from PairChart(block, room.scale).parts(width)
            case data.Curves():
                yield CurveChart(block, room.scale)
            case data.Steps(rows=rows):
                for step in rows:
                    style = styles.STRONG if step.state == "now" else styles.TEXT
                    yield _item(step.text, MARKS[step.state], width, style, step.note)
            case data.Choices(rows=rows):
                for choice in rows:
                    yield _item(choice.text, choice.key, width)
            case data.Note(text=text):
                yield paragraph(text, styles.ASIDE)
            case data.Picture(name=name) if name in self.pictures:
                yield self.pictures[name](room.tallest)
            case data.Beside(left=left, right=right):
                half = (width - GUTTER) / 2
                columns = self.column(left, half, room), self.column(right, half, room)
                yield Whole(halves(*columns, width).cells, self.sheet.depth)


def _title(page: data.Page) -> Iterator[Flowable]:
    if page.badge is None:
        yield paragraph(page.title, _RESULT)
        for line in page.about:
            yield paragraph(line, styles.TEXT)
    else:
        yield TitleBand(*page.badge, page.title.upper(), *page.about)


def _gap(block: data.Block, before: data.Block | None) -> float:
    if isinstance(before, data.Heading):
        return _UNDER_HEAD
    if isinstance(block, data.Table) and isinstance(before, data.Table):
        return MM
    return _BETWEEN if isinstance(block, _LINES) else CLOSE_GAP


# ------------------------------------------------------------------ flowables


class Whole(SideBySide):
    """Columns that go on over the page only where they are longer than one."""

    def __init__(self, cells: Sequence[Cell], page: float) -> None:
        super().__init__(cells)
        self.page = page

    def split(self, width: float, room: float) -> list[Flowable]:
        return super().split(width, room) if self.height_at(width) > self.page else []


class BarDrawing(Drawing):
    """A bar that fills its share of its room; ``framed``: with the room that it could fill."""

    TALL = 2.9 * MM

    def __init__(self, share: float, party: data.Party = None, *, framed: bool = False) -> None:
        self.share, self.party, self.framed = min(max(share, 0.0), 1.0), party, framed

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low, room, tall = top - self.TALL, width - 2 * MM, 2.6 * MM
        bar(canvas, (x, low), room * self.share, tall, look_of(self.party))
        if self.framed:
            canvas.pen(inks.BAND, HAIR)
            canvas.rect(x, low, room, tall, stroke=1, fill=0)


def _widest(texts: Sequence[str], most: float) -> float:
    return min(
        max(fonts.width(text, styles.TERM.face, styles.TERM.size) for text in texts) + 3 * MM, most
    )


def _drawn(
    rows: Sequence[tuple[str, Flowable, str]],
    first: float,
    bar: float,
    width: float,
    *,
    ruled: bool = True,
) -> Flowable:
    places = [("", first / MM, styles.TERM), ("", bar / MM, styles.UNIT)]
    places.append(("", (width - first - bar) / MM, styles.UNIT))
    return _ruled(width, places, rows, totals=0 if ruled else len(rows))


def _ruled(
    width: float,
    places: Sequence[TableColumn],
    rows: Sequence[Sequence[str | Flowable]],
    totals: int = 0,
) -> Flowable:
    return PrintedTable(
        width, places, rows, air=_AIR, tinted=False, totals=totals, pad=0, between=MM
    )


def _table(table: data.Table, width: float) -> Flowable:
    """Over the whole width: numbers have what they need, words share the rest, and so do bars."""
    first_total = len(table.rows) - table.totals
    widths = _column_widths(table, width)
    places = [
        (one.title, wide / MM, styles.UNIT._replace(align="right" if one.number else "left"))
        for one, wide in zip(table.columns, widths, strict=False)
    ]
    rows: list[list[str | Flowable]] = []
    for at, row in enumerate(table.rows):
        strong = styles.STRONG if at >= first_total or at == table.mark else styles.UNIT
        rows.append([
            paragraph(cell, strong._replace(align=place[2].align))
            for cell, place in zip(row, places, strict=True)
        ])  # fmt: skip
    if table.columns[-1].bar:
        values = [float(row[-1]) if row[-1].isdigit() else 0.0 for row in table.rows]
        full = table.full or max(values[:first_total], default=0) or 1
        places.append(("", widths[-1] / MM, styles.UNIT))
        for at, (cells, value) in enumerate(zip(rows, values, strict=True)):
            cells.append(BarDrawing(value / full if at < first_total else 0, table.party))
    return _ruled(width, places, rows, table.totals)


def _column_widths(table: data.Table, width: float) -> list[float]:
    """Points for each column, the last for bars if there are any."""
    found = []
    for at, column in enumerate(table.columns):
        words = column.title.split(" ") if column.number else [column.title]
        texts = [fonts.width(word, styles.COLUMN.face, styles.COLUMN.size) for word in words]
        texts += [fonts.width(row[at], BOLD, styles.UNIT.size) for row in table.rows]
        found.append(max(texts) + 2.4 * MM)
    bars = table.columns[-1].bar
    worded = [at for at, one in enumerate(table.columns) if not one.number] or [0]
    room = width - (_NARROWEST if bars else 0)
    while sum(found) > room and max(found[at] for at in worded) > _NARROWEST:
        found[max(worded, key=found.__getitem__)] -= MM
    whole = sum(found[at] for at in worded)
    spare = max(room - sum(found), 0)
    if bars:  # tables below one another have their numbers below one another
        spare = min(max(_NAMES * width - whole, 0), spare)
    for at in worded:
        found[at] += spare * found[at] / whole
    return [*found, width - sum(found)] if bars else found


def _item(
    text: str, mark: str, width: float, style: Style = styles.TEXT, aside: str = ""
) -> Flowable:
    indent = 3.2 * MM if mark == BULLET else 5 * MM
    cells = [Cell(indent, width - indent, paragraph(text, style, aside=aside))]
    if mark:
        cells.append(Cell(0, indent, paragraph(mark, style._replace(face=BODY))))
    return CellRow(cells, above=0, below=0, weight=0)
