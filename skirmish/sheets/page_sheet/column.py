"""The blocks of a page in a column: what is printed of each, and the gaps between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from skirmish.sheets import inks
from skirmish.sheets.inks import SIDES
from skirmish.sheets.layout import styles
from skirmish.sheets.layout.blocks import Head
from skirmish.sheets.layout.columns import two_columns
from skirmish.sheets.layout.flow import (
    Cell,
    CellRow,
    Flowable,
    Gap,
    Panel,
    Stack,
    Unbroken,
    with_next,
)
from skirmish.sheets.layout.fonts import BODY, TITLE
from skirmish.sheets.layout.styles import Style
from skirmish.sheets.layout.tables import PrintedTable
from skirmish.sheets.layout.text import paragraph
from skirmish.sheets.layout.title_band import TitleBand
from skirmish.sheets.page_sheet.charts import CurveChart, PairChart
from skirmish.sheets.page_sheet.tables import (
    bar_rows,
    facts_to_fill_in,
    facts_to_read,
    gauge_row,
    has_boxes,
    table_to_fill_in,
    table_to_read,
)
from skirmish.sheets.paper import CLOSE_GAP, GUTTER, MM
from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
from skirmish.tabletop.page_words import board_in_words

Pictures = Mapping[str, Callable[[float], Flowable]]
"""The pictures that a page may name, by their names, each made for a height in points."""
Drawings = Mapping[str, Sequence[Flowable]]
"""Pictures that a page may name and that have a height of their own, each in one or more pieces."""
RowsByColumns: TypeAlias = dict[tuple[data.Column, ...], list[Sequence[str]]]
"""The rows of all tables with the same columns."""
BULLET = "\N{BULLET}"
"""The mark before a line of a list."""
STEP_SIGNS = {
    "done": "\N{CHECK MARK}",
    "now": "\N{BLACK RIGHT-POINTING TRIANGLE}",
    "next": "",
    "skipped": "–",
}
"""The sign before a step of the turn, by its state."""
HIGHEST_UNBROKEN = 240 * MM
"""Tables with boxes and columns side by side may go on overleaf if they are higher; lower ones are
kept on one page."""
_UNDER_HEAD = 0.6 * MM
"""The gap below a heading."""
_BETWEEN_LINES = 0.35 * MM
"""The gap between two lines of text."""
_BLOCKS_OF_LINES = (
    data.Paragraph | data.Items | data.Gauge | data.Bars | data.Steps | data.Choices | data.Note
)
"""They stand as close below the block before them as lines of text, whatever that block is."""
_BETWEEN_TABLES = 1 * MM
"""The gap between tables one below another, whose columns may be in line: they stand closer than
other blocks."""
_LARGEST_TYPE = Style(TITLE, 19, 22, ink=inks.ACCENT)
"""The type of the title of a page without a badge, and of results."""
_TONE_STYLES = {"strong": styles.FORCE, "quiet": styles.SMALL}
"""The type of a paragraph by its tone, if that is not the usual one."""
_LOWEST_HEADING = 3
"""The level of headings that are a line in bold type, without a rule."""


def title_block(page: data.Page) -> Iterator[Flowable]:
    """The title with the lines below it, and the gap before the blocks; with a badge, in a band."""
    title = page.title.upper()
    if page.badge is None:
        yield paragraph(title, _LARGEST_TYPE)
        for line in page.about:
            yield paragraph(line, styles.TEXT)
    else:
        yield TitleBand(page.badge.word, page.badge.number, title, *page.about)
    yield Gap(CLOSE_GAP)


class PageColumn(NamedTuple):
    """A column of a page, ``width`` points wide, in which blocks are set; ``chart_scale``: a factor
    for the height of charts; ``picture_height``: in points; ``list_style``: the type of lists."""

    width: float
    pictures: Pictures
    drawings: Drawings
    chart_scale: float
    picture_height: float
    list_style: Style

    def flowables(self, blocks: Sequence[data.Block]) -> list[Flowable]:
        """The blocks below one another, with the gaps between them."""
        # Tables with the same columns get the same widths, so that their columns are in line.
        rows_by_columns: RowsByColumns = defaultdict(list)
        for block in blocks:
            if isinstance(block, data.Table):
                rows_by_columns[block.columns] += block.rows

        story: list[Flowable] = []
        previous: data.Block | None = None
        for block in blocks:
            printed = list(self._printed(block, rows_by_columns))
            if not printed:
                continue
            if previous is not None:
                story.append(Gap(_gap(previous, block)))
            if isinstance(previous, data.Heading):
                _repeat_heading(previous, printed)
            story += printed
            previous = block
        return story

    def _printed(self, block: data.Block, rows_by_columns: RowsByColumns) -> Iterator[Flowable]:
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
                yield gauge_row(block, self.width)
            case data.Bars():
                if block.rows:
                    yield bar_rows(block, self.width)
            case data.Table():
                yield self._table(block, rows_by_columns[block.columns])
            case data.Pairs():
                yield from PairChart(block, self.chart_scale).parts(self.width)
            case data.Curves():
                yield CurveChart(block, self.chart_scale)
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
                for text in block.lines:
                    yield _item(text, BULLET, self.width, self.list_style)
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

    def _steps(self, block: data.Steps) -> Iterator[Flowable]:
        """A line for each step behind the sign of its state, the current one in bold."""
        for step in block.rows:
            style = styles.TEXT
            if step.state == "now":
                style = styles.STRONG
            yield _item(step.text, STEP_SIGNS[step.state], self.width, style, step.note)

    def _choices(self, block: data.Choices) -> Iterator[Flowable]:
        """A line for each choice behind its key."""
        for choice in block.rows:
            yield _item(choice.text, choice.key, self.width, styles.TEXT)

    def _facts(self, block: data.Facts) -> Iterator[Flowable]:
        """Names beside their values."""
        if not block.rows:
            return
        if block.written:
            yield facts_to_fill_in(block, self.width)
        else:
            yield Unbroken([facts_to_read(block, self.width)])

    def _table(self, table: data.Table, aligned_rows: Sequence[Sequence[str]]) -> Flowable:
        """A table, kept on one page where it can be. ``aligned_rows``: the rows of all tables of
        this column with the same columns, its own among them."""
        if table.written:
            # Rows to write in are high, and may fill more than a page: the table is broken where a
            # page ends.
            return table_to_fill_in(table, self.width, aligned_rows)
        printed = table_to_read(table, self.width, aligned_rows)
        if has_boxes(table):
            return Unbroken([printed], highest=HIGHEST_UNBROKEN)
        return Unbroken([printed])

    def _picture(self, block: data.Picture) -> Iterator[Flowable]:
        """What is drawn under the name of the picture; nothing under an unknown name."""
        yield from self.drawings.get(block.name, ())
        if block.name in self.pictures:
            yield self.pictures[block.name](self.picture_height)

    def _beside(self, block: data.Beside) -> Flowable:
        """Blocks in two columns."""
        half = self._replace(width=(self.width - GUTTER) / 2)
        columns = two_columns(half.flowables(block.left), half.flowables(block.right), self.width)
        return Unbroken([columns], highest=HIGHEST_UNBROKEN)


def _gap(above: data.Block, below: data.Block) -> float:
    """The points between two blocks."""
    if isinstance(above, data.Heading):
        return _UNDER_HEAD
    if isinstance(above, data.Table) and isinstance(below, data.Table):
        return _BETWEEN_TABLES
    if isinstance(below, _BLOCKS_OF_LINES):
        return _BETWEEN_LINES
    return CLOSE_GAP


def _heading(heading: data.Heading) -> Flowable:
    """A heading, in the colour of the party that it is about."""
    if heading.level == _LOWEST_HEADING:
        return with_next(paragraph(heading.text, styles.TERM))
    ink = inks.BAND
    if heading.party is not None:
        ink = SIDES[heading.party].ink  # the canvas draws that of the side's nation instead
    return Head(heading.text, heading.aside, ink)


def _repeat_heading(heading: data.Heading, printed: Sequence[Flowable]) -> None:
    """Has the ``heading`` repeated overleaf, above the rest of a table that is broken there. The
    lowest headings, which are mere lines of text, are not repeated."""
    if heading.level == _LOWEST_HEADING:
        return
    for flowable in printed:
        content = flowable
        if isinstance(flowable, Unbroken):  # a table is the only thing in it
            content = flowable.flowables[0]
        if isinstance(content, PrintedTable):
            content.head = _heading(replace(heading, aside="continued"))


def _paragraph(block: data.Paragraph) -> Flowable:
    """A paragraph behind its aside. Its ``key_note`` is left out, since paper has no keys."""
    text = block.text
    if block.aside:
        text = f"{block.aside} {text}"
    return paragraph(text, _TONE_STYLES.get(block.tone, styles.TEXT), lead=block.lead)


def _banner(banner: data.Banner) -> Flowable:
    """A result in large letters, with lines below it, on a ground of its own."""
    texts = [paragraph(banner.text.upper(), _LARGEST_TYPE)]
    for line in banner.lines:
        style = styles.LEAD
        if line.tone == "quiet":
            style = styles.ASIDE
        texts.append(paragraph(line.text, style, lead=line.lead))
    return Panel(Stack(texts))


def _item(text: str, mark: str, width: float, style: Style, aside: str = "") -> Flowable:
    """A line of a list behind its ``mark``, which is never bold, even if the line is. A bullet is
    narrow, and so needs less space than a key or a sign."""
    indent = 5 * MM
    if mark == BULLET:
        indent = 3.2 * MM
    cells = [Cell(indent, width - indent, paragraph(text, style, aside=aside))]
    if mark:
        cells.append(Cell(0, indent, paragraph(mark, style._replace(face=BODY))))
    return CellRow(cells, above=0, below=0, weight=0)
