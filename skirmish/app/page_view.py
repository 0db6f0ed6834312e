"""Pages on the screen. A page is what a game says, in blocks that know no screen (`tabletop.page`:
headings, tables, boards); here each becomes styled text in ``width`` columns. Begin with
``painted``. Numbers are drawn by `chart_view`, boards by `board_view`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import ceil

import msgspec
from rich.cells import cell_len
from textual.content import Content

from skirmish.app.binding import answer_key_name
from skirmish.app.board_view import board_lines
from skirmish.app.chart_view import (
    bar_rows,
    curve_rows,
    fact_rows,
    gauge_row,
    pair_rows,
    table_rows,
)
from skirmish.app.text_rows import hanging, wrapped
from skirmish.app.text_styles import DIM, HEAD, KEY, PARTY_COLOURS, STRONG, TONES, in_colours
from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
from skirmish.tabletop.page_text import in_one_list
from skirmish.tabletop.refusal import with_key_note
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.typed import plain

LEVEL_OF_PART = 3
"""The level of the heading of a part of a section. That of the page is 1, those of sections are
2."""
STEP_MARKS = {"done": "✓", "now": "▶", "next": "·", "skipped": "–"}
STEP_STYLES = {"done": DIM, "now": KEY, "next": "", "skipped": DIM}
NOTE_GAP = "  "
"""Stands between a step or a choice and the note behind it."""
STEP_INDENT, CHOICE_INDENT = 4, 3
"""Columns by which the further rows of a long step or choice are indented."""
MOST_CHOICES_WITH_NOTES = 4
"""The most choices that keep their notes even if only one column of them fits then."""
CHOICE_GAP = 3
"""Columns between two columns of choices."""


def painted(
    page: data.Page,
    width: int,
    *,
    beside: bool = False,
    tall: bool = False,
    colours: tuple[str, str] = NO_NATION,
) -> Content:
    """A page as the terminal shows it, in so many columns. ``beside``: there is room for two
    columns of blocks; ``tall``: for drawings of more rows; ``colours``: the names of the colours of
    both parties."""
    if beside:
        rows = _rows(page.blocks, width, tall=tall)
    else:
        rows = _rows(page.in_one_column(), width, tall=tall)
    return in_colours(Content("\n").join(rows), colours)


def _rows(blocks: Iterable[data.Block], width: int, *, tall: bool = False) -> list[Content]:
    """The blocks below each other. One without a line (a picture) leaves no gap either."""
    rows: list[Content] = []
    before: data.Block | None = None
    for block in blocks:
        lines = list(block_lines(block, width, tall=tall))
        if not lines:
            continue
        if before is not None and _are_apart(before, block):
            rows.append(Content(""))
        rows += lines
        before = block
    return rows


def _are_apart(before: data.Block, block: data.Block) -> bool:
    """Whether a blank row separates two blocks: not below a heading, nor within a list. Choices
    stand close to what is above and below them."""
    if isinstance(before, data.Heading):
        return False
    if isinstance(before, data.Choices) or isinstance(block, data.Choices):
        return False
    return not in_one_list(before, block)


def block_lines(block: data.Block, width: int, *, tall: bool = False) -> Iterator[Content]:
    """A block in rows of at most ``width`` columns; ``tall``: there are rows for a larger drawing
    of a board."""
    if isinstance(block, data.TextBlock):
        yield from _text_lines(block, width)
        return
    if isinstance(block, data.BoardBlock):
        yield from board_lines(block, width, tall=tall)
        return
    match block:
        case data.Facts():
            yield from fact_rows(block, width)
        case data.Gauge():
            yield gauge_row(block, width)
        case data.Table():
            yield from table_rows(block, width)
        case data.Pairs():
            yield from pair_rows(block, width)
        case data.Curves():
            yield from curve_rows(block, width)
        case data.Bars():
            yield from bar_rows(block, width)
        case data.Steps():
            yield from _steps(block, width)
        case data.Choices():
            yield from _choices(block, width)
        case data.Beside():
            yield from _beside(block, width)
        case data.Picture():
            pass  # drawn on paper only


def _beside(pair: data.Beside, width: int) -> Iterator[Content]:
    """Two columns of blocks, apart by 2 columns; the gap is wider by 1 if the width is odd."""
    column_width = width // 2 - 1
    left_rows = _rows(pair.left, column_width)
    right_rows = _rows(pair.right, column_width)
    for left, right in zip_longest(left_rows, right_rows, fillvalue=Content("")):
        gap = " " * (width - column_width - left.cell_length)
        yield Content.assemble(left, gap, right)


# ------------------------------------------------------------------ sentences


def _text_lines(block: data.TextBlock, width: int) -> Iterator[Content]:
    """A block of sentences in rows of at most ``width`` columns."""
    match block:
        case data.Heading():
            yield from _heading(block, width)
        case data.Paragraph():
            yield from _paragraph(block, width)
        case data.Banner():
            yield from _banner(block, width)
        case data.Items():
            yield from _items(block, width)
        case data.Note():
            yield from wrapped(Content.styled(plain(block.text), DIM), width)


def _heading(heading: data.Heading, width: int) -> Iterator[Content]:
    """A title with what stands beside it. The page's own title and those of sections are in
    capitals; those of parts of a section are only bold."""
    title, style = plain(heading.text), STRONG
    if heading.level < LEVEL_OF_PART:
        title, style = title.upper(), HEAD
    if heading.party is not None:
        style = f"bold {PARTY_COLOURS[heading.party]}"
    head = Content.styled(title, style)
    aside = ""
    if heading.aside:
        aside = f"  {plain(heading.aside)}"
    yield from wrapped(Content.assemble(head, (aside, DIM)), width)


def _paragraph(paragraph: data.Paragraph, width: int) -> Iterator[Content]:
    pieces = []
    if paragraph.lead:
        pieces.append(Content.styled(f"{plain(paragraph.lead)} ", STRONG))
    if paragraph.aside:
        pieces.append(Content.styled(f"{plain(paragraph.aside)} ", DIM))
    words = with_key_note(paragraph.text, paragraph.key_note)
    pieces.append(Content.styled(plain(words), TONES[paragraph.tone]))
    yield from wrapped(Content.assemble(*pieces), width)


def _banner(banner: data.Banner, width: int) -> Iterator[Content]:
    yield from wrapped(Content.styled(plain(banner.text).upper(), KEY), width)
    for block in banner.lines:
        yield from block_lines(block, width)


def _items(items: data.Items, width: int) -> Iterator[Content]:
    bullet = "• "
    for item in items.lines:
        yield from hanging(Content(f"{bullet}{plain(item)}"), width, len(bullet))


# ------------------------------------------------------------------ steps


def _steps(steps: data.Steps, width: int) -> Iterator[Content]:
    for step in steps.rows:
        yield from _step(step, width)


def _step(step: data.Step, width: int) -> list[Content]:
    """A mark, what is done, and its result; the short result where the long one has no room."""
    style = STEP_STYLES[step.state]
    head = Content.assemble((f"{STEP_MARKS[step.state]} ", style), (plain(step.text), style))
    note = plain(step.note)
    room = width - head.cell_length - len(NOTE_GAP)
    if step.short and cell_len(note) > room:
        note = plain(step.short)
    if note:
        head = Content.assemble(head, (f"{NOTE_GAP}{note}", DIM))
    return hanging(head, width, STEP_INDENT)


# ------------------------------------------------------------------ choices


def _choices(choices: data.Choices, width: int) -> Iterator[Content]:
    """Choices in as many columns as fit, read downwards. More than a few lose their notes if two
    columns do not fit with them."""
    if not choices.rows:
        return
    pieces = [_choice(choice) for choice in choices.rows]
    if len(pieces) > MOST_CHOICES_WITH_NOTES and 2 * _column_width(pieces) > width:
        pieces = [_choice_without_note(choice) for choice in choices.rows]
    column_width = _column_width(pieces)
    columns = max(width // column_width, 1)
    if columns == 1:
        for piece in pieces:
            yield from hanging(piece, width, CHOICE_INDENT)
        return
    height = ceil(len(pieces) / columns)
    for row in range(height):
        # The piece beside another is ``height`` further on, as choices are read downwards.
        *before, last = pieces[row::height]
        cells = [piece.pad_right(column_width - piece.cell_length) for piece in before]
        yield Content("").join([*cells, last])


def _column_width(pieces: Sequence[Content]) -> int:
    """The columns that the longest piece takes, with the gap to the next."""
    return max(piece.cell_length for piece in pieces) + CHOICE_GAP


def _choice_without_note(choice: data.Choice) -> Content:
    return _choice(msgspec.structs.replace(choice, note="", why_not_short=""))


def _choice(choice: data.Choice) -> Content:
    """A key with what it does, or dim with the reason if it cannot be chosen."""
    key = answer_key_name(choice.key)
    text = plain(choice.text)
    if choice.why_not:
        reason = ""
        if choice.why_not_short:
            reason = f"{NOTE_GAP}{plain(choice.why_not_short)}"
        return Content.assemble((f"{key} ", DIM), (text, DIM), (reason, DIM))
    mark = Content("")
    if choice.is_chosen:
        mark = Content.styled("✓", KEY)
    note = ""
    if choice.note:
        note = f"{NOTE_GAP}{plain(choice.note)}"
    style = ""
    if choice.has_cursor:
        style = f"{KEY} reverse"
    if text == choice.key:
        # A number that is its own key, such as the squares of a drift, is not written twice.
        line = Content.assemble((key, style or KEY), mark, (note, DIM))
    else:
        line = Content.assemble((f"{key} ", KEY), mark, (text, style), (note, DIM))
    is_character = len(choice.key) == 1
    if is_character:
        return line.stylize(f"@click=screen.press('{choice.key}')")
    return line
