"""A page as PDF: Platypus flows the blocks, so that no heading is separated from its text."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES, SideInk
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.boxes import LEAST, LOST, NONE, Box, Boxes
from skirmish.sheets.layout.drawing import Canvas, Drawing, bar, rule
from skirmish.sheets.layout.flow import (
    Cell,
    CellRow,
    Flowable,
    Gap,
    Panel,
    Stack,
    Unbroken,
    depth,
    halves,
    with_next,
)
from skirmish.sheets.layout.fonts import BODY, BOLD, LABEL, MEDIUM, TITLE
from skirmish.sheets.layout.pages import OwnNotes, PdfDocument, SheetPart, as_pdf
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import TableColumn, facts, printed_table
from skirmish.sheets.layout.text import fitted, line_width, paragraph, write
from skirmish.sheets.paper import CLOSE_GAP, GUTTER, HAIR, HEAVY, MM, NORMAL, Leaf
from skirmish.tabletop import page as data

Pictures = Mapping[str, Callable[[float], Flowable]]
Rows: TypeAlias = Sequence[Sequence[str]]
Alike: TypeAlias = dict[tuple[data.Column, ...], list[Sequence[str]]]
BULLET = "\N{BULLET}"
GAUGE = 42 * MM
MARKS = {
    "done": "\N{CHECK MARK}",
    "now": "\N{BLACK RIGHT-POINTING TRIANGLE}",
    "next": "",
    "skipped": "–",
}
TICKS = {"\N{BALLOT BOX}": NONE, "\N{BALLOT BOX WITH CHECK}": LOST}
SCALES = (1.0, 0.8, 0.6)
"""Factors for the height of charts, tried in order to fit one sheet."""
LOWEST = 295.0
"""Points: the least height of a picture."""
PAGE = 240 * MM
"""Higher blocks beside one another are broken."""
_UNDER_HEAD = 0.6 * MM
_BETWEEN = 0.35 * MM
_AIR = 0.55
"""Points above and below a line of a table."""
_NARROWEST = 12 * MM
APART = 4 * MM
"""Between a number and the words on its right."""
_NAMES = 0.3
"""The share of the width for the names in a table with bars."""
_LINES = (
    data.Paragraph | data.Items | data.Gauge | data.Bars | data.Steps | data.Choices | data.Note
)
_RESULT = Style(TITLE, 19, 22, ink=inks.ACCENT)
_TONES = {"strong": styles.FORCE, "quiet": styles.SMALL}


def page_document(
    sheet: Leaf,
    *pages: data.Page,
    pictures: Pictures | None = None,
    notes: bool = False,
    sides: tuple[SideInk, SideInk] = SIDES,
) -> PdfDocument:
    """Prints the page. Of several ``pages`` with more and more detail it takes the last that fits a
    single sheet, with its charts as tall as possible; else the last that takes two, or the first.
    A picture is as tall as the rest of its sheet leaves. ``notes``: the rest of the last sheet has
    lines to write on; ``sides``: the looks of the two parties."""
    fonts.ready()

    def part(page: data.Page, scale: float, tallest: float = LOWEST) -> SheetPart:
        column = _Column(sheet.measure, pictures or {}, scale, tallest)
        story = [*_title(page), Gap(CLOSE_GAP), *column.flowables(page.blocks)]
        story += [OwnNotes()] if notes else []
        return SheetPart(sheet, story, page.title, page.foot or page.title)

    fits = (scale for scale in SCALES if len(part(pages[0], scale).pages) == 1)
    scale = next(fits, None)
    most, scale = (1, scale) if scale else (2, 1.0)
    at = bisect_right(pages, most, key=lambda page: len(part(page, scale).pages))
    page = pages[max(at - 1, 0)]
    found = part(page, scale)
    if pictures:
        drawn = [draw(LOWEST) for draw in pictures.values()]
        used = depth([found.pages[0][1]], sheet.measure) - depth(drawn, sheet.measure)
        found = part(page, scale, sheet.depth - used)
    return PdfDocument(found.name, page.foot, [found], sides=sides)


page_pdf = as_pdf(page_document)


class _Column(NamedTuple):
    """Sets blocks in a column; ``scale``: a factor for the height of charts; ``tallest``: the
    height of a picture in points."""

    width: float
    pictures: Pictures
    scale: float
    tallest: float

    def flowables(self, blocks: Sequence[data.Block]) -> list[Flowable]:
        found: list[Flowable] = []
        before: data.Block | None = None
        alike: Alike = defaultdict(list)
        for block in blocks:
            if isinstance(block, data.Table):
                alike[block.columns] += block.rows
        for block in blocks:
            made = list(self._flowables(block, alike))
            found += [Gap(_gap(block, before)), *made] if made and before else made
            before = block if made else before
        return found

    def _flowables(self, block: data.Block, alike: Alike) -> Iterator[Flowable]:
        width = self.width
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
                room = width - _widest([value for _, value in rows], 0.6 * width)
                first = _widest([name for name, _ in rows], room)
                yield Unbroken([facts(rows, width, first / MM, _AIR)])
            case data.Gauge(name=name, value=value, full=full, note=note):
                text = f"{value} of {full}" + (f", {note}" if note else "")
                drawn = BarDrawing(value / full if full else 0, framed=True)
                yield _drawn([(name, drawn, text)], 38 * MM, GAUGE + 3 * MM, width)
            case data.Table():
                found = _table(block, width, alike[block.columns])
                yield Unbroken([found], PAGE) if _is_form(block) else Unbroken([found])
            case data.Bars(rows=rows) if rows:
                most = block.full or max(one.value for one in rows) or 1
                first = _widest([one.name for one in rows], 38 * MM)
                last = _widest([one.note for one in rows], 38 * MM)
                bars = [(one.name, BarDrawing(one.value / most), one.note) for one in rows]
                yield _drawn(bars, first, width - first - last, width, ruled=False)
            case data.Pairs():
                yield from PairChart(block, self.scale).parts(width)
            case data.Curves():
                yield CurveChart(block, self.scale)
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
                yield self.pictures[name](self.tallest)
            case data.Beside(left=left, right=right):
                half = self._replace(width=(width - GUTTER) / 2)
                columns = halves(half.flowables(left), half.flowables(right), width)
                yield Unbroken([columns], PAGE)


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
    more: Sequence[tuple[object, ...]] = (),
) -> Flowable:
    return printed_table(
        width, places, rows, air=_AIR, tinted=False, totals=totals, pad=0, between=MM, more=more
    )


def _is_form(table: data.Table) -> bool:
    """Whether there are boxes to tick in it; such a table is not broken."""
    return any(sign in TICKS for row in table.rows for cell in row for sign in cell.split())


def _table(table: data.Table, width: float, alike: Rows) -> Flowable:
    """Takes the whole width: numbers get what they need, words and bars share the rest. ``alike``:
    the rows of all tables with these columns, which stand below one another."""
    first_total = len(table.rows) - table.totals
    widths = _column_widths(table, width, alike)
    places = [
        (one.title, wide / MM, styles.UNIT._replace(align="right" if one.number else "left"))
        for one, wide in zip(table.columns, widths, strict=False)
    ]
    rows: list[list[str | Flowable]] = []
    for at, row in enumerate(table.rows):
        strong = styles.STRONG if at >= first_total or at == table.mark else styles.UNIT
        rows.append([
            _cell(cell, strong._replace(align=place[2].align))
            for cell, place in zip(row, places, strict=True)
        ])  # fmt: skip
    if table.columns[-1].bar:
        values = [float(row[-1]) if row[-1].isdigit() else 0.0 for row in table.rows]
        full = table.full or max(values[:first_total], default=0) or 1
        places.append(("", widths[-1] / MM, styles.UNIT))
        for at, (cells, value) in enumerate(zip(rows, values, strict=True)):
            cells.append(BarDrawing(value / full if at < first_total else 0, table.party))
    apart = [("RIGHTPADDING", (at, 0), (at, -1), APART) for at in _before_words(table)]
    return _ruled(width, places, rows, table.totals, apart)


def _before_words(table: data.Table) -> Iterator[int]:
    """The columns of numbers that have words on their right."""
    for at, (one, after) in enumerate(pairwise(table.columns)):
        if one.number and not after.number:
            yield at


def _cell(text: str, style: Style) -> Flowable:
    """A paragraph; signs of boxes are boxes of full size."""
    marks = [TICKS.get(sign) for sign in text.split()]
    if not marks or None in marks:
        return paragraph(text, style)
    return Boxes((Box("", one) for one in marks if one is not None), LEAST)


def _column_widths(table: data.Table, width: float, alike: Rows) -> list[float]:
    """The width of each column in points, the last for bars if there are any."""
    found = []
    for at, column in enumerate(table.columns):
        words = column.title.split(" ") if column.number else [column.title]
        texts = [fonts.width(word, styles.COLUMN.face, styles.COLUMN.size) for word in words]
        texts += [fonts.width(row[at], BOLD, styles.UNIT.size) for row in alike]
        found.append(max(texts) + 2.4 * MM)
    for at in _before_words(table):
        found[at] += APART - MM
    bars = table.columns[-1].bar
    worded = [at for at, one in enumerate(table.columns) if not one.number] or [0]
    room = width - (_NARROWEST if bars else 0)
    while math.fsum(found) > room and max(found[at] for at in worded) > _NARROWEST:
        found[max(worded, key=found.__getitem__)] -= MM
    whole = math.fsum(found[at] for at in worded)
    spare = max(room - math.fsum(found), 0)
    if bars:  # tables below one another have their numbers below one another
        spare = min(max(_NAMES * width - whole, 0), spare)
    for at in worded:
        found[at] += spare * found[at] / whole
    return [*found, width - math.fsum(found)] if bars else found


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
