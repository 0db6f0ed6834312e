"""A page as PDF: Platypus flows the blocks, so that no heading is separated from its text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES, SideInk
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.drawing import Canvas, Drawing, rule
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
from skirmish.sheets.layout.fonts import BODY, BOLD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import PrintedTable, TableColumn, facts
from skirmish.sheets.layout.text import fitted, line_width, paragraph, write
from skirmish.sheets.paper import CLOSE_GAP, GUTTER, HAIR, HEAVY, MM, NORMAL, THIN, Leaf
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
"""Factors for the height of charts, tried in order to fit one sheet."""
HEIGHTS = (330.0, 310.0, 295.0)
"""Heights in points of a picture that shares its sheet with everything."""
LARGE = (400.0, 365.0, 330.0, 310.0, 295.0)
"""Heights in points of a picture where there are several sheets."""
_UNDER_HEAD = 0.6 * MM
_BETWEEN = 0.35 * MM
_AIR = 0.55
"""Points above and below a line of a table."""
_NARROWEST = 12 * MM
_NAMES = 0.3
"""The share of the width for the names in a table with bars."""
_LINES = (
    data.Paragraph | data.Items | data.Gauge | data.Bars | data.Steps | data.Choices | data.Note
)
_SIZED = data.Picture | data.Pairs | data.Curves | data.Beside
_RESULT = Style(TITLE, 19, 22, ink=inks.ACCENT)
_TONES = {"strong": styles.FORCE, "quiet": styles.SMALL}


class Sizes(NamedTuple):
    """The relative height of charts, and the height of pictures in points."""

    scale: float
    tallest: float


def page_document(
    sheet: Leaf,
    *pages: data.Page,
    pictures: Pictures | None = None,
    notes: bool = False,
    sides: tuple[SideInk, SideInk] = SIDES,
) -> PdfDocument:
    """Prints the page. Of several ``pages`` with more or less detail it takes the first that fits a
    single sheet, with its charts as tall as possible; else the last that takes two, or the first.
    ``notes``: the rest of the last sheet has lines to write on; ``sides``: the looks of the two
    parties."""
    fonts.ready()
    part = _Setting(sheet, pictures or {}, notes).fitting(pages)
    return PdfDocument(part.name, pages[0].foot, [part], sides=sides)


page_pdf = as_pdf(page_document)


class _Setting:
    def __init__(self, sheet: Leaf, pictures: Pictures, notes: bool) -> None:
        self.sheet, self.pictures, self.notes = sheet, pictures, notes
        self._depths: dict[tuple[data.Block, float], float] = {}

    def fitting(self, pages: Sequence[data.Page]) -> SheetPart:
        """The page to print, in the sizes that fit best."""
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
        """Whether a page takes at most ``most`` points; each block is laid out only once per
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
        """``before``: the block above it, if there is one."""
        made = list(self._flowables(block, width, room))
        return [Gap(_gap(block, before)), *made] if made and before else made

    def _flowables(self, block: data.Block, width: float, room: Sizes) -> Iterator[Flowable]:
        match block:
            case data.Heading(text=text, level=level, aside=aside, party=party):
                ink = inks.BAND if party is None else SIDES[party].ink
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
    """Columns that break across pages only if they are longer than one."""

    def __init__(self, cells: Sequence[Cell], page: float) -> None:
        super().__init__(cells)
        self.page = page

    def split(self, width: float, room: float) -> list[Flowable]:
        return super().split(width, room) if self.height_at(width) > self.page else []


class BarDrawing(Drawing):
    """A bar that fills its share of the width; ``framed``: with an outline of the whole."""

    TALL = 2.9 * MM

    def __init__(self, share: float, party: data.Party = None, *, framed: bool = False) -> None:
        self.share, self.party, self.framed = min(max(share, 0.0), 1.0), party, framed

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low, room, tall = top - self.TALL, width - 2 * MM, 2.6 * MM
        bar(
            canvas,
            (x, low),
            room * self.share,
            tall,
            canvas.looks[1 if self.party is None else self.party],
        )
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
    """Takes the whole width: numbers get what they need, words and bars share the rest."""
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
    """The width of each column in points, the last for bars if there are any."""
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


# ------------------------------------------------------------------ charts

# A hollow side has hollow bars and dashed curves, the other solid ones; where ink is spared solid
# bars are hatched. Every bar bears its number, so that nothing has to be measured.

_VALUE = Style(LABEL, 7.4, 7.4, "centre", inks.BLACK)
_MOMENT = Style(MEDIUM, 7, 7, "centre", inks.CODE)
_TICK = Style(MEDIUM, 7, 7, ink=inks.CODE)
_NAME = Style(LABEL, 7.6, 7.6)
_HATCH = 2.2
"""Points between two lines of a hatched bar."""


def bar(
    canvas: Canvas, at: tuple[float, float], width: float, height: float, look: SideInk
) -> None:
    x, y = at
    if width <= 0 or height <= 0:
        return
    canvas.pen(look.ink, NORMAL)
    half = NORMAL / 2
    solid = look.solid and not canvas.sparing
    canvas.setFillColor(look.ink if solid else inks.WHITE)
    inner = max(width - NORMAL, 0.1), max(height - NORMAL, 0.1)
    canvas.rect(x + half, y + half, *inner, fill=1)
    if look.solid and canvas.sparing:
        canvas.saveState()
        edge = canvas.beginPath()
        edge.rect(x, y, width, height)
        canvas.clipPath(edge, stroke=0, fill=0)
        canvas.setLineWidth(THIN)
        lines = canvas.beginPath()
        begin = x - height
        while begin < x + width:
            lines.moveTo(begin, y)
            lines.lineTo(begin + height, y + height)
            begin += _HATCH
        canvas.drawPath(lines)
        canvas.restoreState()


class PairChart(Drawing):
    """Moments from left to right: the first side's bars point up, the other's down, in as many rows
    as necessary, all to one scale."""

    HALF = 17 * MM
    AXIS = 3.6 * MM
    LEGEND = 4.4 * MM
    WIDEST = 7 * MM
    SLOT = 13 * MM
    NARROWEST = 5.7 * MM

    def __init__(self, pairs: data.Pairs, scale: float = 1, most: int = 0) -> None:
        """``scale``: a factor for the height of the bars; ``most``: the value of the longest
        bar."""
        self.pairs, self.scale = pairs, scale
        self.most = most or max((max(one.first, one.second) for one in pairs.rows), default=0) or 1

    def parts(self, width: float) -> list[PairChart]:
        rows = self.pairs.rows
        count = -(-len(rows) // max(int(width // self.NARROWEST), 1)) or 1
        each = -(-len(rows) // count) or 1
        return [
            PairChart(
                data.Pairs(self.pairs.name, self.pairs.parties, rows[at : at + each]),
                self.scale,
                self.most,
            )
            for at in range(0, len(rows), each)
        ]

    def _reach(self, most: int) -> float:
        return self.HALF * self.scale * most / self.most + 3.4 * MM

    def height_at(self, width: float) -> float:
        self.up = self._reach(max((one.first for one in self.pairs.rows), default=0))
        down = self._reach(max((one.second for one in self.pairs.rows), default=0))
        return 2 * self.LEGEND + self.up + self.AXIS + down

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        slot = min(width / max(len(self.pairs.rows), 1), self.SLOT)
        wide = min(slot * 0.62, self.WIDEST)
        upper = top - self.LEGEND - self.up
        lower = upper - self.AXIS
        for place, base in enumerate((top - 3 * MM, top - self.height + 0.6 * MM)):
            look = canvas.looks[place]
            bar(canvas, (x, base - 0.3), 4 * MM, 2 * MM, look)
            text = fitted(self.pairs.parties[place], _NAME, width - 6 * MM)
            write(canvas, x + 5.4 * MM, base, text, _NAME._replace(ink=look.ink))
        rule(canvas, x, x + width, upper, HAIR, ink=inks.FAINT)
        rule(canvas, x, x + width, lower, HAIR, ink=inks.FAINT)
        for place, one in enumerate(self.pairs.rows):
            middle = x + (place + 0.5) * slot
            write(canvas, middle, lower + 1.1 * MM, one.name, _MOMENT)
            if one.first:
                tall = self.HALF * self.scale * one.first / self.most
                bar(canvas, (middle - wide / 2, upper), wide, tall, canvas.looks[0])
                write(canvas, middle, upper + tall + 0.7 * MM, str(one.first), _VALUE)
            if one.second:
                tall = self.HALF * self.scale * one.second / self.most
                bar(canvas, (middle - wide / 2, lower - tall), wide, tall, canvas.looks[1])
                write(canvas, middle, lower - tall - 2.6 * MM, str(one.second), _VALUE)


class CurveChart(Drawing):
    """Both curves over the same moments: the first side's dashed, the other's solid."""

    TALL = 21 * MM
    LEGEND = 4.6 * MM
    AXIS = 4.4 * MM
    LEFT = 8 * MM
    RIGHT = 9 * MM
    LEAST = 1.0
    """The least range of the scale, above and below."""
    STEPS = 240
    """The most points of a curve, however many moments there are."""

    def __init__(self, curves: data.Curves, scale: float = 1) -> None:
        """``scale``: a factor for the height of the chart."""
        self.curves, self.tall = curves, self.TALL * scale
        self.moments = len(curves.rows[0].values) - 1
        places = min(self.moments, self.STEPS)
        self.courses = [curve.sampled(places) for curve in curves.rows]
        every = [value for course in self.courses for value in course]
        self.highest, self.lowest = max(self.LEAST, *every), min(-self.LEAST, *every)

    def height_at(self, width: float) -> float:
        return self.LEGEND + self.tall + self.AXIS

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, right = x + self.LEFT, x + width - self.RIGHT
        bottom = top - self.LEGEND - self.tall
        self._legend(canvas, left, top - 3 * MM, width / 2 - 20 * MM)
        for value in (self.highest, 0.0, self.lowest):
            y = self._level(value, bottom)
            rule(canvas, left, right, y, NORMAL if not value else HAIR, ink=inks.FAINT)
            label = data.signed(value) if value else "0"
            write(canvas, left - 1.4 * MM, y - 2.4, label, _TICK._replace(align="right"))
        beyond = left - 1
        for moment, name in self.curves.ticks:
            at = left + (right - left) * moment / self.moments
            canvas.pen(inks.FAINT, HAIR)
            canvas.line(at, bottom - 1, at, bottom + 1)
            if at > beyond:
                write(canvas, at, bottom - 3.9 * MM, name, _TICK)
                beyond = at + line_width(name, _TICK) + 1.2 * MM
        write(canvas, x, bottom - 3.9 * MM, self.curves.name, _TICK)
        ends = [self._level(course[-1], bottom) for course in self.courses]
        if abs(ends[0] - ends[1]) < 7:
            middle, above = sum(ends) / 2, 3.5 if ends[0] >= ends[1] else -3.5
            ends = [middle + above, middle - above]
        for place, (course, end) in enumerate(zip(self.courses, ends, strict=True)):
            path = canvas.beginPath()
            path.moveTo(left, self._level(0, bottom))
            step = (right - left) / len(course)
            for number, value in enumerate(course):
                y = self._level(value, bottom)
                path.lineTo(left + step * number, y)
                path.lineTo(left + step * (number + 1), y)
            _pen(canvas, canvas.looks[place])
            canvas.drawPath(path)
            canvas.setDash()
            style = _NAME._replace(ink=canvas.looks[place].ink)
            write(canvas, right + 1.2 * MM, end - 2.4, data.signed(course[-1]), style)

    def _level(self, value: float, bottom: float) -> float:
        return bottom + self.tall * (value - self.lowest) / (self.highest - self.lowest)

    def _legend(self, canvas: Canvas, at: float, base: float, room: float) -> None:
        for curve, look in zip(self.curves.rows, canvas.looks, strict=True):
            _pen(canvas, look)
            canvas.line(at, base + 2.2, at + 8 * MM, base + 2.2)
            canvas.setDash()
            text = fitted(curve.name, _NAME, room)
            write(canvas, at + 9.4 * MM, base, text, _NAME._replace(ink=look.ink))
            at += line_width(text, _NAME) + 16 * MM


def _pen(canvas: Canvas, look: SideInk) -> None:
    canvas.pen(look.ink, HEAVY if look.solid else NORMAL)
    if not look.solid:
        canvas.setDash(2.4, 1.4)
