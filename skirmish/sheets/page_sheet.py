"""A page as PDF: Platypus flows the blocks, so that no heading is separated from its text.

Begin with ``page_document``, which tries how much fits; ``_Column`` turns each block of the page
into what is printed of it; the drawings of bars and charts come last. In these, numbers without a
name are points, chosen by eye."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES, SideInk
from skirmish.sheets.layout import fonts, styles
from skirmish.sheets.layout.blocks import Head, TitleBand
from skirmish.sheets.layout.boxes import LEAST, LOST, UNMARKED, Box, Boxes
from skirmish.sheets.layout.drawing import Canvas, Drawing, bar, rule
from skirmish.sheets.layout.flow import (
    AtLeast,
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
from skirmish.sheets.layout.tables import (
    PrintedTable,
    SheetColumn,
    TableCommand,
    facts,
    printed_table,
)
from skirmish.sheets.layout.text import fitted, line_width, paragraph, write
from skirmish.sheets.paper import CLOSE_GAP, GUTTER, HAIR, HEAVY, MM, NORMAL, THIN, WRITING, Leaf
from skirmish.tabletop import page as data
from skirmish.tabletop.page_text import board_in_words

Pictures = Mapping[str, Callable[[float], Flowable]]
"""The pictures that a page may name, each made for a height in points."""
Drawings = Mapping[str, Sequence[Flowable]]
"""Pictures that have a height of their own, by their names; each in one or more pieces."""
Rows: TypeAlias = Sequence[Sequence[str]]
RowsByColumns: TypeAlias = dict[tuple[data.Column, ...], list[Sequence[str]]]
"""The rows of all tables with the same columns."""
BULLET = "\N{BULLET}"
GAUGE = 42 * MM
"""The length of a gauge's bar."""
# The sign before a step of the turn, by its state.
STEP_SIGNS = {
    "done": "\N{CHECK MARK}",
    "now": "\N{BLACK RIGHT-POINTING TRIANGLE}",
    "next": "",
    "skipped": "–",
}
BOX_SIGNS = {"\N{BALLOT BOX}": UNMARKED, "\N{BALLOT BOX WITH CHECK}": LOST}
"""The marks on the box that is printed for a sign in a table."""
SCALES = (1.0, 0.8, 0.6)
"""Factors for the height of charts, tried in order to fit one sheet."""
LOWEST, LOWER = 295.0, 170.0
"""The least height of a picture in points: usually, and where a lower one saves a sheet."""
SHEETS = 2
"""A page that takes more sheets is printed with fewer details, lower pictures and lower charts, if
that saves one."""
PAGE = 240 * MM
"""Tables and columns that are higher may go on overleaf; lower ones are kept on one page."""
_UNDER_HEAD = 0.6 * MM
_BETWEEN = 0.35 * MM
"""The gaps below a heading, and between two lines of text."""
_AIR = 0.55
"""Points above and below a line of a table."""
_WRITTEN_AIR = 0.9 * MM
"""The least space above and below what stands in a row that is written on."""
_NARROWEST = 12 * MM
"""The least width of a column of words, and of bars."""
APART = 4 * MM
"""Points between a number and the words on its right."""
_CELL_SPACE = 2.4 * MM
"""What a column takes beside its widest text: the space between columns, and some air."""
_INSIDE = 1.2 * MM
"""The space left and right of what stands between two rules."""
_ROOM_FOR_NAME = 36 * MM
"""The width of the room to write a name in by hand."""
_WIDEST_NAME = 0.4
"""The greatest share of the width for names in a table that is written on."""
_SHARE_OF_NAMES = 0.3
"""The share of the width for the names in a table with bars."""
_WIDEST_LABEL = 38 * MM
"""The greatest width of the name of a bar, and of its note."""
_LINES = (
    data.Paragraph | data.Items | data.Gauge | data.Bars | data.Steps | data.Choices | data.Note
)
"""Blocks of lines, which stand close below one another."""
_CLOSER_LISTS = (styles.QUESTION, styles.SMALL)
"""The type of lists, instead of the usual one, where that saves a sheet with a few lines on it."""
_FEW_LINES = 0.25
"""The share of a sheet that a few lines take at most."""
_LARGEST_TYPE = Style(TITLE, 19, 22, ink=inks.ACCENT)
_TONES = {"strong": styles.FORCE, "quiet": styles.SMALL}
"""The type of a paragraph by its tone, if that is not the usual one."""


def page_document(
    sheet: Leaf,
    *pages: data.Page,
    pictures: Pictures | None = None,
    drawings: Drawings | None = None,
    notes: bool = False,
    sides: tuple[SideInk, SideInk] = SIDES,
) -> PdfDocument:
    """Prints the page. Of several ``pages`` with more and more detail it takes the last that fits a
    single sheet, with its charts as tall as possible; else the last that takes two, or no more than
    the first.

    A picture is as tall as the rest of its sheet leaves; ``drawings`` have heights of their own.
    ``notes``: the rest of the last sheet has lines to write on; ``sides``: the looks of the two
    parties."""
    fonts.ready()
    layout = _Layout(sheet, pictures or {}, drawings or {}, notes, tried={})
    chosen = layout.fitting(pages)
    # A picture and charts of the least height may save a sheet.
    if pictures and len(chosen.part.pages) > SHEETS:
        lower_layout = layout._replace(lowest=LOWER, scale=SCALES[-1])
        lower = lower_layout.fitting(pages)
        if len(lower.part.pages) < len(chosen.part.pages):
            layout, chosen = lower_layout, lower
    # Lists in smaller type may save a last sheet with a few lines on it.
    for closer in _CLOSER_LISTS:
        if not layout.ends_with_few_lines(chosen.part):
            break
        closer_layout = layout._replace(list_style=closer)
        closer_chosen = closer_layout.fitting(pages)
        if len(closer_chosen.part.pages) < len(chosen.part.pages):
            layout, chosen = closer_layout, closer_chosen
    part = chosen.part
    # All that is chosen was tried with the lowest picture. It now takes the room that is left.
    if pictures:
        part = layout.part(chosen.page, chosen.scale, layout.room_for_picture(part))
    return PdfDocument(part.name, chosen.page.foot, [part], sides=sides)


page_pdf = as_pdf(page_document)


class _Fitted(NamedTuple):
    """The page that is printed, the factor for the height of its charts, and how it is laid out
    with its pictures as low as may be."""

    page: data.Page
    scale: float
    part: SheetPart


class _Try(NamedTuple):
    """A page, by its ``id``, and what decides how it is laid out."""

    page_id: int
    scale: float
    tallest: float
    list_style: Style


class _Layout(NamedTuple):
    """What all tries to lay out a page have in common."""

    leaf: Leaf
    pictures: Pictures
    drawings: Drawings
    notes: bool
    tried: dict[_Try, SheetPart]
    """What was laid out already: a page is asked for again and again, and to lay it out takes
    long."""
    lowest: float = LOWEST
    scale: float = 1.0
    """The factor for the height of charts where one sheet does not do."""
    list_style: Style = styles.TEXT
    """The type of lists."""

    def fitting(self, pages: Sequence[data.Page]) -> _Fitted:
        """The page to print, as ``page_document`` says, with the height of its charts."""
        # The first page has the least. With the scale that lets it fit one sheet, a later one may
        # fit as well.
        scale = self.largest_scale_on_one_sheet(pages[0])
        if scale is None:
            scale = self.scale
            # What takes three sheets at any rate may fill the third.
            sheets = max(SHEETS, len(self.part(pages[0], scale).pages))
            page = self.last_that_fits(pages, sheets, scale)
        else:
            page = self.last_that_fits(pages, 1, scale)
        return _Fitted(page, scale, self.part(page, scale))

    def part(self, page: data.Page, scale: float, tallest: float | None = None) -> SheetPart:
        """The page laid out; ``scale``: a factor for the height of charts; ``tallest``: the height
        of a picture in points, by default the lowest."""
        if tallest is None:
            tallest = self.lowest
        if not _has_charts(page):
            scale = SCALES[0]  # any is the same
        key = _Try(id(page), scale, tallest, self.list_style)
        if key not in self.tried:
            self.tried[key] = self._laid_out(page, scale, tallest)
        return self.tried[key]

    def _laid_out(self, page: data.Page, scale: float, tallest: float) -> SheetPart:
        width = self.leaf.measure
        column = _Column(
            width, self.pictures, self.drawings, scale, tallest, list_style=self.list_style
        )
        story = [*_title(page), Gap(CLOSE_GAP), *column.flowables(page.blocks)]
        if self.notes:
            story.append(OwnNotes())
        return SheetPart(self.leaf, story, page.title, page.foot or page.title)

    def ends_with_few_lines(self, part: SheetPart) -> bool:
        """Whether its last sheet is almost empty, but for lines to write on."""
        if len(part.pages) == 1:
            return False
        # Where there is endless room, the lines to write on take none.
        used = depth([part.pages[-1].content], self.leaf.measure)
        return used < _FEW_LINES * self.leaf.depth

    def largest_scale_on_one_sheet(self, page: data.Page) -> float | None:
        """The factor for the height of charts with which a page takes one sheet; None if it takes
        more with any."""
        for scale in SCALES:
            if len(self.part(page, scale).pages) == 1:
                return scale
        return None

    def last_that_fits(self, pages: Sequence[data.Page], sheets: int, scale: float) -> data.Page:
        """The last of the ``pages`` that takes at most that many sheets, else the first."""
        # Each has more than the one before, so half of what is left is ruled out each time: to lay
        # out a page takes long.
        fitting, end = 0, len(pages)
        while fitting < end:
            middle = (fitting + end) // 2
            if len(self.part(pages[middle], scale).pages) <= sheets:
                fitting = middle + 1
            else:
                end = middle
        return pages[max(fitting - 1, 0)]

    def room_for_picture(self, part: SheetPart) -> float:
        """The height that the rest of its sheet leaves to a picture, in points."""
        pictures = [draw(self.lowest) for draw in self.pictures.values()]
        # Drawn for the page, they are others than these, but of the same classes.
        kinds = tuple({type(picture) for picture in pictures})
        width = self.leaf.measure
        for sheet in part.pages:
            if any(isinstance(flowable, kinds) for flowable in sheet.content.flowables):
                used_by_others = depth([sheet.content], width) - depth(pictures, width)
                return self.leaf.depth - used_by_others
        return self.lowest  # the page names none of them


def _has_charts(page: data.Page) -> bool:
    """Whether it has charts, which may be lower."""
    return any(isinstance(block, data.Pairs | data.Curves) for block in page.in_one_column())


class _Column(NamedTuple):
    """Sets blocks in a column; ``scale``: a factor for the height of charts; ``tallest``: the
    height of a picture in points; ``list_style``: the type of lists."""

    width: float
    pictures: Pictures
    drawings: Drawings
    scale: float
    tallest: float
    list_style: Style = styles.TEXT

    def flowables(self, blocks: Sequence[data.Block]) -> list[Flowable]:
        """The blocks below one another, with the gaps between them."""
        # Tables with the same columns get the same widths, so that they stand in one line.
        rows_alike: RowsByColumns = defaultdict(list)
        for block in blocks:
            if isinstance(block, data.Table):
                rows_alike[block.columns] += block.rows

        story: list[Flowable] = []
        before: data.Block | None = None
        for block in blocks:
            printed = list(self._printed(block, rows_alike))
            if not printed:
                continue
            if before is not None:
                story.append(Gap(_gap(block, before)))
            if isinstance(before, data.Heading):
                _repeat_heading(before, printed)
            story += printed
            before = block
        return story

    def _printed(self, block: data.Block, rows_alike: RowsByColumns) -> Iterator[Flowable]:
        """What is printed of a block; nothing of one that is empty, or of an unknown picture."""
        if isinstance(block, data.TextBlock):
            yield from self._text(block)
            return
        if isinstance(block, data.BoardBlock):
            yield from self._board(block)
            return
        match block:
            case data.Steps():
                yield from self._steps(block)
            case data.Choices():
                yield from self._choices(block)
            case data.Facts():
                yield from self._facts(block)
            case data.Gauge():
                yield self._gauge(block)
            case data.Bars():
                yield from self._bars(block)
            case data.Table():
                yield self._table(block, rows_alike[block.columns])
            case data.Pairs():
                yield from PairChart(block, self.scale).parts(self.width)
            case data.Curves():
                yield CurveChart(block, self.scale)
            case data.Picture():
                yield from self._picture(block)
            case data.Beside():
                yield self._beside(block)

    def _text(self, block: data.TextBlock) -> Iterator[Flowable]:
        """A block of sentences."""
        match block:
            case data.Heading():
                yield _heading(block)
            case data.Paragraph():
                yield _paragraph(block)
            case data.Banner():
                yield _banner(block)
            case data.Items():
                yield from self._items(block)
            case data.Note():
                yield paragraph(block.text, styles.ASIDE)

    def _board(self, block: data.BoardBlock) -> Iterator[Flowable]:
        """What lies on the table of a board game, in words: its board is printed by the game."""
        worded = board_in_words(block)
        match worded:
            case data.Table():
                yield self._table(worded, worded.rows)
            case data.Facts():
                yield from self._facts(worded)
            case data.Note():
                if worded.text:  # empty for a key whose signs are spelled out in the board's words
                    yield paragraph(worded.text, styles.ASIDE)

    def _items(self, block: data.Items) -> Iterator[Flowable]:
        for text in block.lines:
            yield _item(text, BULLET, self.width, self.list_style)

    def _steps(self, block: data.Steps) -> Iterator[Flowable]:
        for step in block.rows:
            style = styles.TEXT
            if step.state == "now":
                style = styles.STRONG
            yield _item(step.text, STEP_SIGNS[step.state], self.width, style, step.note)

    def _choices(self, block: data.Choices) -> Iterator[Flowable]:
        for choice in block.rows:
            yield _item(choice.text, choice.key, self.width)

    def _facts(self, block: data.Facts) -> Iterator[Flowable]:
        """Names beside their values; in a table with high rows if they are written by hand."""
        if not block.rows:
            return
        if block.written:
            columns = (data.Column(""), data.Column(""))
            yield _written_table(data.Table(columns, block.rows), self.width, block.rows)
            return
        names = [name for name, _ in block.rows]
        values = [value for _, value in block.rows]
        # A long value may take most of the width, and is then broken rather than its name.
        room = self.width - _widest(values, 0.6 * self.width)
        yield Unbroken([facts(block.rows, self.width, _widest(names, room) / MM, _AIR)])

    def _gauge(self, gauge: data.Gauge) -> Flowable:
        """A framed bar between its name and its numbers."""
        text = f"{gauge.value} of {gauge.full}"
        if gauge.note:
            text += f", {gauge.note}"
        share = 0.0
        if gauge.full:
            share = gauge.value / gauge.full
        row = (gauge.name, BarDrawing(share, framed=True), text)
        return _bar_table([row], _WIDEST_LABEL, GAUGE + 3 * MM, self.width)

    def _bars(self, block: data.Bars) -> Iterator[Flowable]:
        if not block.rows:
            return
        # At least 1: where all values are 0 there is nothing to divide by.
        longest = block.full or max(row.value for row in block.rows) or 1
        names = _widest([row.name for row in block.rows], _WIDEST_LABEL)
        remarks = _widest([row.note for row in block.rows], _WIDEST_LABEL)
        bars = [(row.name, BarDrawing(row.value / longest), row.note) for row in block.rows]
        yield _bar_table(bars, names, self.width - names - remarks, self.width, ruled=False)

    def _table(self, table: data.Table, rows_alike: Rows) -> Flowable:
        """A table to read, to tick or to write on, kept on one page where it can be."""
        if table.written:
            # Rows so high may fill more than a page: it is broken where a page ends.
            return _written_table(table, self.width, rows_alike)
        printed = _table_to_read(table, self.width, rows_alike)
        if _is_form(table):
            return Unbroken([printed], highest=PAGE)
        return Unbroken([printed])

    def _picture(self, block: data.Picture) -> Iterator[Flowable]:
        yield from self.drawings.get(block.name, ())
        if block.name in self.pictures:
            yield self.pictures[block.name](self.tallest)

    def _beside(self, block: data.Beside) -> Flowable:
        half = self._replace(width=(self.width - GUTTER) / 2)
        columns = halves(half.flowables(block.left), half.flowables(block.right), self.width)
        return Unbroken([columns], highest=PAGE)


def _title(page: data.Page) -> Iterator[Flowable]:
    """The title with the lines below it; with a badge, in a band."""
    if page.badge is None:
        yield paragraph(page.title.upper(), _LARGEST_TYPE)
        for line in page.about:
            yield paragraph(line, styles.TEXT)
    else:
        title = page.title.upper()
        yield TitleBand(page.badge.word, page.badge.number, title, *page.about)


def _gap(block: data.Block, before: data.Block) -> float:
    """The points between two blocks."""
    if isinstance(before, data.Heading):
        return _UNDER_HEAD
    if isinstance(block, data.Table) and isinstance(before, data.Table):
        return MM
    if isinstance(block, _LINES):
        return _BETWEEN
    return CLOSE_GAP


# ------------------------------------------------------------------ blocks


def _heading(heading: data.Heading) -> Flowable:
    """A heading, in the colour of the party that it is about."""
    if heading.level == 3:
        return with_next(paragraph(heading.text, styles.TERM))
    ink = inks.BAND
    if heading.party is not None:
        ink = SIDES[heading.party].ink  # the canvas draws that of the side's nation instead
    return Head(heading.text, heading.aside, ink)


def _repeat_heading(heading: data.Heading, printed: Sequence[Flowable]) -> None:
    """What goes on overleaf of a table below a ``heading`` has that again."""
    for flowable in printed:
        table = flowable
        if isinstance(flowable, Unbroken):
            table = flowable.flowables[0]
        if isinstance(table, PrintedTable) and heading.level < 3:
            table.head = _heading(replace(heading, aside="continued"))


def _paragraph(block: data.Paragraph) -> Flowable:
    """A paragraph without its talk of keys, of which paper has none."""
    text = block.text
    if block.aside:
        text = f"{block.aside} {text}"
    return paragraph(text, _TONES.get(block.tone, styles.TEXT), lead=block.lead)


def _banner(banner: data.Banner) -> Flowable:
    """A result in large letters, with lines below it, on a ground of its own."""
    texts = [paragraph(banner.text.upper(), _LARGEST_TYPE)]
    for line in banner.lines:
        style = styles.LEAD
        if line.tone == "quiet":
            style = styles.ASIDE
        texts.append(paragraph(line.text, style, lead=line.lead))
    return Panel(Stack(texts))


def _item(
    text: str, mark: str, width: float, style: Style = styles.TEXT, aside: str = ""
) -> Flowable:
    """A line of a list behind its ``mark``."""
    indent = 5 * MM
    if mark == BULLET:
        indent = 3.2 * MM
    cells = [Cell(indent, width - indent, paragraph(text, style, aside=aside))]
    if mark:
        cells.append(Cell(0, indent, paragraph(mark, style._replace(face=BODY))))
    return CellRow(cells, above=0, below=0, weight=0)


# ------------------------------------------------------------------ tables


class BarDrawing(Drawing):
    """A bar that fills its share of the width; ``framed``: with an outline of the whole."""

    TALL = 2.9 * MM

    def __init__(self, share: float, party: data.Party = None, *, framed: bool = False) -> None:
        self.share, self.framed = min(max(share, 0.0), 1.0), framed
        # What belongs to neither side is solid, like the second.
        self.look_of = 1
        if party is not None:
            self.look_of = party

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        low, room, tall = top - self.TALL, width - 2 * MM, 2.6 * MM
        bar(canvas, (x, low), room * self.share, tall, canvas.looks[self.look_of])
        if self.framed:
            canvas.pen(inks.BAND, HAIR)
            canvas.rect(x, low, room, tall, stroke=1, fill=0)


def _widest(texts: Sequence[str], room: float) -> float:
    """The width of the widest text with some air, at most ``room`` points."""
    widest = max(fonts.width(text, styles.TERM.face, styles.TERM.size) for text in texts)
    return min(widest + 3 * MM, room)


def _bar_table(
    rows: Sequence[tuple[str, Flowable, str]],
    names: float,
    bars: float,
    width: float,
    *,
    ruled: bool = True,
) -> Flowable:
    """Rows of a name, a bar and a note; ``names`` and ``bars``: the widths of these columns in
    points."""
    columns = [
        SheetColumn("", names / MM, styles.TERM),
        SheetColumn("", bars / MM, styles.UNIT),
        SheetColumn("", (width - names - bars) / MM, styles.UNIT),
    ]
    if ruled:
        return _close_table(width, columns, rows)
    return _close_table(width, columns, rows, without_rules=len(rows))


def _close_table(
    width: float,
    columns: Sequence[SheetColumn],
    rows: Sequence[Sequence[str | Flowable]],
    without_rules: int = 0,
    more: Sequence[TableCommand] = (),
) -> Flowable:
    """A table with little air; the last ``without_rules`` rows have no rules, as ``printed_table``
    draws none below its totals."""
    return printed_table(
        width,
        columns,
        rows,
        air=_AIR,
        tinted=False,
        totals=without_rules,
        pad=0,
        between=MM,
        more=more,
    )


def _is_form(table: data.Table) -> bool:
    """Whether a table has boxes to tick; it is then kept together up to a whole page."""
    for row in table.rows:
        for cell in row:
            if any(sign in BOX_SIGNS for sign in cell.split()):
                return True
    return False


def _table_to_read(table: data.Table, width: float, rows_alike: Rows) -> Flowable:
    """A table of the whole width: numbers get what they need, words and bars share the rest.
    ``rows_alike``: the rows of all tables with these columns, which stand below one another."""
    widths = _column_widths(table, width, rows_alike)
    columns = []
    # Where there are bars, ``widths`` has one more: theirs.
    for column, wide in zip(table.columns, widths, strict=False):
        style = styles.UNIT
        if column.number:
            style = style._replace(align="right")
        columns.append(SheetColumn(column.title, wide / MM, style))

    first_total = len(table.rows) - table.totals
    rows: list[list[str | Flowable]] = []
    for index, row in enumerate(table.rows):
        style = styles.UNIT
        if index >= first_total or index == table.mark:
            style = styles.STRONG
        cells: list[str | Flowable] = []
        for text, column_style in zip(row, columns, strict=True):
            cells.append(_cell(text, style._replace(align=column_style.style.align)))
        rows.append(cells)

    if table.columns[-1].bar:
        columns.append(SheetColumn("", widths[-1] / MM, styles.UNIT))
        for cells, row_bar in zip(rows, _bars_of(table), strict=True):
            cells.append(row_bar)

    # A number is aligned right, words are aligned left: without more room they would touch.
    apart = [("RIGHTPADDING", (index, 0), (index, -1), APART) for index in _before_words(table)]
    return _close_table(width, columns, rows, table.totals, apart)


def _bars_of(table: data.Table) -> Iterator[BarDrawing]:
    """A bar for each row, as long as the number in the last column; totals have none."""
    first_total = len(table.rows) - table.totals
    values = []
    for row in table.rows:
        value = 0.0
        if row[-1].isdigit():  # a dash, say, has no bar
            value = float(row[-1])
        values.append(value)
    # A total would make all other bars short.
    longest = table.full or max(values[:first_total], default=0) or 1
    for index, value in enumerate(values):
        share = 0.0
        if index < first_total:
            share = value / longest
        yield BarDrawing(share, table.party)


def _before_words(table: data.Table) -> Iterator[int]:
    """The columns of numbers that have words on their right."""
    for index, (column, after) in enumerate(pairwise(table.columns)):
        if column.number and not after.number:
            yield index


def _cell(text: str, style: Style, *, counted: bool = False) -> Flowable:
    """A paragraph; signs of boxes are boxes of full size, numbered if they are ``counted``."""
    signs = text.split()
    if not signs or any(sign not in BOX_SIGNS for sign in signs):
        return paragraph(text, style)
    boxes = []
    for number, sign in enumerate(signs, 1):
        code = ""
        if counted:
            code = str(number)
        boxes.append(Box(code, BOX_SIGNS[sign]))
    return Boxes(boxes, LEAST)


# ------------------------------------------------------------------ tables to write on


def _written_table(table: data.Table, width: float, rows_alike: Rows) -> Flowable:
    """A table that is written on: high rows, rules between the columns, and all columns for words
    and numbers as wide as one another, except those of names."""
    widths = _written_widths(table, width, rows_alike)
    columns = []
    for column, wide in zip(table.columns, widths, strict=True):
        columns.append(SheetColumn(column.title, wide / MM, styles.UNIT))

    rows: list[list[Flowable]] = []
    for name, *others in table.rows:
        cells: list[Flowable] = [paragraph(name, styles.TERM)]
        for text, column in zip(others, table.columns[1:], strict=True):
            cells.append(_cell(text, styles.UNIT, counted=column.counted))
        # A text of two lines makes its row higher, so that it does not touch the rules.
        rows.append([AtLeast(cell, WRITING, _WRITTEN_AIR) for cell in cells])

    last = len(columns) - 1
    # Below, all rows count as totals, which have no rules: these are the rules instead.
    commands: list[TableCommand] = [
        ("LEFTPADDING", (1, 0), (-1, -1), _INSIDE),
        ("LINEAFTER", (0, 0), (last - 1, -1), HAIR, inks.FAINT),
        ("LINEBELOW", (0, 0), (-1, -1), THIN, inks.FAINT),
    ]
    return printed_table(
        width,
        columns,
        rows,
        air=0,
        tinted=False,
        totals=len(rows),
        pad=0,
        between=_INSIDE,
        middle=True,
        more=commands,
    )


def _written_widths(table: data.Table, width: float, rows_alike: Rows) -> list[float]:
    """The width of each column in points: names and boxes take what they need, and the others share
    the rest; where there are no others the last column has it."""
    widths = []
    shared = []
    for index, column in enumerate(table.columns):
        texts = [row[index] for row in rows_alike]
        title = fonts.width(column.title, styles.COLUMN.face, styles.COLUMN.size)
        is_named = index == 0 or any(_is_room_for_name(text) for text in texts)
        if is_named:
            needed = min(max(map(_name_width, texts)), _WIDEST_NAME * width)
        else:
            needed = max(map(_boxes_width, texts))
            if not needed:
                shared.append(index)
        widths.append(max(title, needed) + 2 * _INSIDE + _AIR)
    if not shared:
        shared = [len(widths) - 1]
    needed_by_others = math.fsum(wide for index, wide in enumerate(widths) if index not in shared)
    for index in shared:
        widths[index] = (width - needed_by_others) / len(shared)
    return widths


def _is_room_for_name(text: str) -> bool:
    """Whether a cell of blanks only stands there: the room to write a name."""
    return bool(text) and not text.strip()


def _name_width(text: str) -> float:
    """What a name takes, or the room to write one."""
    if _is_room_for_name(text):
        return _ROOM_FOR_NAME
    return fonts.width(text, styles.TERM.face, styles.TERM.size)


def _boxes_width(text: str) -> float:
    """The width of the boxes of a cell side by side; 0 if there are none."""
    cell = _cell(text, styles.UNIT)
    if isinstance(cell, Boxes):
        return cell.across
    return 0.0


def _column_widths(table: data.Table, width: float, rows_alike: Rows) -> list[float]:
    """The width of each column in points, the last for bars if there are any."""
    widths = _natural_widths(table, rows_alike)
    has_bars = table.columns[-1].bar
    worded = [index for index, column in enumerate(table.columns) if not column.number]
    if not worded:  # then the first column gives and takes
        worded = [0]

    room = width
    if has_bars:
        # Numbers and words leave the bars at least that.
        room = width - _NARROWEST
    _narrow(widths, worded, room)
    of_words = math.fsum(widths[index] for index in worded)
    spare = max(room - math.fsum(widths), 0)
    if has_bars:
        # Names take the same share in every table with bars, so that the numbers of tables below
        # one another stand in one line.
        spare = min(max(_SHARE_OF_NAMES * width - of_words, 0), spare)
    for index in worded:
        widths[index] += spare * widths[index] / of_words

    if has_bars:
        widths.append(width - math.fsum(widths))
    return widths


def _natural_widths(table: data.Table, rows_alike: Rows) -> list[float]:
    """The width of each column in which nothing has to be broken, except titles of numbers between
    words."""
    widths = []
    for index, column in enumerate(table.columns):
        titles = [column.title]
        if column.number:
            titles = column.title.split(" ")
        needs = [fonts.width(word, styles.COLUMN.face, styles.COLUMN.size) for word in titles]
        # Totals and the marked row are set in bold, and any row of the other tables may be one.
        needs += [fonts.width(row[index], BOLD, styles.UNIT.size) for row in rows_alike]
        widths.append(max(needs) + _CELL_SPACE)
    for index in _before_words(table):
        # A millimetre of it is the space between any two columns (``_close_table``).
        widths[index] += APART - MM
    return widths


def _narrow(widths: list[float], worded: Sequence[int], room: float) -> None:
    """Takes a millimetre at a time from the widest column of words until all fit into ``room``, or
    none can become narrower."""

    def width_of(index: int) -> float:
        return widths[index]

    while math.fsum(widths) > room:
        widest = max(worded, key=width_of)
        if widths[widest] <= _NARROWEST:
            return
        widths[widest] -= MM


# ------------------------------------------------------------------ charts

# A hollow side has hollow bars and dashed curves, the other solid ones; where ink is spared solid
# bars are hatched. Every bar bears its number, so that nothing has to be measured.

_BAR_NUMBER = Style(LABEL, 7.4, 7.4, "centre", inks.BLACK)
_MOMENT_NAME = Style(MEDIUM, 7, 7, "centre", inks.QUIET)
_AXIS = Style(MEDIUM, 7, 7, ink=inks.QUIET)
_LEGEND_NAME = Style(LABEL, 7.6, 7.6)


class PairChart(Drawing):
    """Moments from left to right: the first side's bars point up, the other's down, in as many rows
    as necessary, all to one scale."""

    HALF = 17 * MM
    """The height of the longest bar, at full scale."""
    AXIS = 3.6 * MM
    """The height of the line of moments, between the bars up and the bars down."""
    LEGEND = 4.4 * MM
    """The height of the line with the name of a side."""
    WIDEST = 7 * MM
    """No bar is wider."""
    SLOT = 13 * MM
    """The most that a moment takes, so that few of them stand together at the left."""
    NARROWEST = 5.7 * MM
    """The least that a moment takes; more moments begin another row."""

    def __init__(self, pairs: data.Pairs, scale: float = 1, longest: int = 0) -> None:
        """``scale``: a factor for the height of the bars; ``longest``: the value of the longest
        bar, also of other rows; 0: the highest of these."""
        self.pairs, self.scale = pairs, scale
        highest_first = max((pair.first for pair in pairs.rows), default=0)
        highest_second = max((pair.second for pair in pairs.rows), default=0)
        self.longest = longest or max(highest_first, highest_second) or 1
        # Only as high as these rows need, though to the scale of all.
        self.up, self.down = self._reach(highest_first), self._reach(highest_second)

    def parts(self, width: float) -> list[PairChart]:
        """The rows of the chart, each with about as many moments."""
        pairs = self.pairs.rows
        most_in_row = max(int(width // self.NARROWEST), 1)
        # Not full rows and a short one, but rows of about the same length.
        row_count = math.ceil(len(pairs) / most_in_row) or 1
        in_row = math.ceil(len(pairs) / row_count) or 1
        charts = []
        for first in range(0, len(pairs), in_row):
            row = pairs[first : first + in_row]
            pairs_of_row = data.Pairs(self.pairs.name, self.pairs.parties, row)
            charts.append(PairChart(pairs_of_row, self.scale, self.longest))
        return charts

    def _tall(self, value: int) -> float:
        """The height of a bar of that value."""
        return self.HALF * self.scale * value / self.longest

    def _reach(self, value: int) -> float:
        """The height of a bar with its number."""
        return self._tall(value) + 3.4 * MM

    def height_at(self, width: float) -> float:
        return 2 * self.LEGEND + self.up + self.AXIS + self.down

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        upper = top - self.LEGEND - self.up
        lower = upper - self.AXIS
        self._legend(canvas, x, top, width)
        rule(canvas, x, x + width, upper, HAIR, ink=inks.FAINT)
        rule(canvas, x, x + width, lower, HAIR, ink=inks.FAINT)
        slot = min(width / max(len(self.pairs.rows), 1), self.SLOT)
        wide = min(slot * 0.62, self.WIDEST)
        first_look, second_look = canvas.looks
        for number, pair in enumerate(self.pairs.rows):
            middle = x + (number + 0.5) * slot
            write(canvas, middle, lower + 1.1 * MM, pair.name, _MOMENT_NAME)
            left = middle - wide / 2
            if pair.first:  # from the line up, its number above it
                tall = self._tall(pair.first)
                bar(canvas, (left, upper), wide, tall, first_look)
                write(canvas, middle, upper + tall + 0.7 * MM, str(pair.first), _BAR_NUMBER)
            if pair.second:  # from the line down, its number below it
                tall = self._tall(pair.second)
                bar(canvas, (left, lower - tall), wide, tall, second_look)
                write(canvas, middle, lower - tall - 2.6 * MM, str(pair.second), _BAR_NUMBER)

    def _legend(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        """The names of the sides: the first above its bars, the other below."""
        baselines = top - 3 * MM, top - self.height + 0.6 * MM
        for party, look, base in zip(self.pairs.parties, canvas.looks, baselines, strict=True):
            bar(canvas, (x, base - 0.3), 4 * MM, 2 * MM, look)
            text = fitted(party, _LEGEND_NAME, width - 6 * MM)
            write(canvas, x + 5.4 * MM, base, text, _LEGEND_NAME._replace(ink=look.ink))


class CurveChart(Drawing):
    """Both curves over the same moments: the first side's dashed, the other's solid."""

    TALL = 21 * MM
    """The height of the field of the curves, at full scale."""
    LEGEND = 4.6 * MM
    """The height of the line with the names above it."""
    AXIS = 4.4 * MM
    """The height of the line with the named moments below it."""
    LEFT = 8 * MM
    """The room for the numbers of the scale."""
    RIGHT = 9 * MM
    """The room for the last number of each curve."""
    LEAST_RANGE = 1.0
    """The least range of the scale, above and below."""
    STEPS = 240
    """The most points of a curve, however many moments there are."""
    NUMBERS_APART = 7.0
    """Points between the numbers at the ends of both curves, at least."""

    def __init__(self, curves: data.Curves, scale: float = 1) -> None:
        """``scale``: a factor for the height of the chart."""
        self.curves, self.tall = curves, self.TALL * scale
        # The first value is that of the beginning, before the first moment.
        self.moments = len(curves.rows[0].values) - 1
        points = min(self.moments, self.STEPS)
        self.courses = [curve.sampled(points) for curve in curves.rows]
        values = [*self.courses[0], *self.courses[1]]
        self.highest, self.lowest = max(self.LEAST_RANGE, *values), min(-self.LEAST_RANGE, *values)

    def height_at(self, width: float) -> float:
        return self.LEGEND + self.tall + self.AXIS

    def paint(self, canvas: Canvas, x: float, top: float, width: float) -> None:
        left, right = x + self.LEFT, x + width - self.RIGHT
        bottom = top - self.LEGEND - self.tall
        self._legend(canvas, left, top - 3 * MM, width / 2 - 20 * MM)
        self._levels(canvas, left, right, bottom)
        self._ticks(canvas, left, right, bottom)
        write(canvas, x, bottom - 3.9 * MM, self.curves.name, _AXIS)
        levels = self._end_levels(bottom)
        for course, look, level in zip(self.courses, canvas.looks, levels, strict=True):
            self._curve(canvas, course, look, left=left, right=right, bottom=bottom)
            style = _LEGEND_NAME._replace(ink=look.ink)
            write(canvas, right + 1.2 * MM, level - 2.4, data.signed(course[-1]), style)

    def _levels(self, canvas: Canvas, left: float, right: float, bottom: float) -> None:
        """A rule at the highest value, at 0, and at the lowest."""
        for value in (self.highest, 0.0, self.lowest):
            weight, label = HAIR, data.signed(value)
            if value == 0:
                weight, label = NORMAL, "0"
            y = self._level(value, bottom)
            rule(canvas, left, right, y, weight, ink=inks.FAINT)
            write(canvas, left - 1.4 * MM, y - 2.4, label, _AXIS._replace(align="right"))

    def _ticks(self, canvas: Canvas, left: float, right: float, bottom: float) -> None:
        """The named moments; a name for which there is no room is left out."""
        # A little to the left of the axis, so that a moment on it has its name.
        free_from = left - 1
        for moment, name in self.curves.ticks:
            x = left + (right - left) * moment / self.moments
            canvas.pen(inks.FAINT, HAIR)
            canvas.line(x, bottom - 1, x, bottom + 1)
            if x > free_from:
                write(canvas, x, bottom - 3.9 * MM, name, _AXIS)
                free_from = x + line_width(name, _AXIS) + 1.2 * MM

    def _end_levels(self, bottom: float) -> list[float]:
        """Where the last numbers of both curves are written: far enough from each other."""
        # Curves that end close to each other would have their numbers on top of each other.
        first, second = (self._level(course[-1], bottom) for course in self.courses)
        if abs(first - second) >= self.NUMBERS_APART:
            return [first, second]
        middle, half = (first + second) / 2, self.NUMBERS_APART / 2
        if first >= second:
            return [middle + half, middle - half]
        return [middle - half, middle + half]

    def _curve(
        self,
        canvas: Canvas,
        course: Sequence[float],
        look: SideInk,
        *,
        left: float,
        right: float,
        bottom: float,
    ) -> None:
        """Steps: a value holds until the next moment."""
        path = canvas.beginPath()
        path.moveTo(left, self._level(0, bottom))
        step = (right - left) / len(course)
        for number, value in enumerate(course):
            y = self._level(value, bottom)
            path.lineTo(left + step * number, y)
            path.lineTo(left + step * (number + 1), y)
        _pen(canvas, look)
        canvas.drawPath(path)
        canvas.setDash()

    def _level(self, value: float, bottom: float) -> float:
        """How high a value stands on the page, above the ``bottom`` of the chart."""
        return bottom + self.tall * (value - self.lowest) / (self.highest - self.lowest)

    def _legend(self, canvas: Canvas, left: float, base: float, room: float) -> None:
        """The names of the curves beside one another, each behind a piece of its line."""
        for curve, look in zip(self.curves.rows, canvas.looks, strict=True):
            _pen(canvas, look)
            canvas.line(left, base + 2.2, left + 8 * MM, base + 2.2)
            canvas.setDash()
            text = fitted(curve.name, _LEGEND_NAME, room)
            write(canvas, left + 9.4 * MM, base, text, _LEGEND_NAME._replace(ink=look.ink))
            left += line_width(text, _LEGEND_NAME) + 16 * MM


def _pen(canvas: Canvas, look: SideInk) -> None:
    """Sets the line of a side's curve: heavy for the solid side, dashed for the hollow one."""
    if look.solid:
        canvas.pen(look.ink, HEAVY)
    else:
        canvas.pen(look.ink, NORMAL)
        canvas.setDash(2.4, 1.4)
