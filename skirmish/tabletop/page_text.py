"""A page as plain text and as Markdown; and the widths of a table's columns.

Lengths are in columns of a terminal: a Chinese character takes two, a combining accent none.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from skirmish.tabletop import page as data
from skirmish.tabletop.page import signed, table
from skirmish.tabletop.typed import plain

WIDTH = 79
"""Columns of a line of plain text, unless a word is longer."""
BAR = 24
"""Columns of the longest bar."""
NARROWEST = 8
"""The least width, in columns of a terminal, of a table's column of words, and of its bars."""
STEP_MARKS = {"done": "x", "now": ">", "next": " ", "skipped": "-"}
"""What stands in brackets before a step, by its state."""
_UNDERLINES = {1: "=", 2: "-"}
"""The signs below a title, by its level; others have none."""
_TAKES_NO_CELL = ("Mn", "Me", "Cf")
"""Unicode's categories of signs that join the one before them, or are not shown."""
DrawBar = Callable[[float, int], str]
"""Draws a bar that fills such a share of so many columns."""


# ------------------------------------------------------------------ widths


def cells(text: str) -> int:
    """The columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(_cells_of_sign(sign) for sign in text)


def _cells_of_sign(sign: str) -> int:
    """The columns that one sign takes: none, one or two."""
    if unicodedata.category(sign) in _TAKES_NO_CELL:
        return 0
    # Wide or of full width, as a terminal shows Chinese and Japanese signs.
    if unicodedata.east_asian_width(sign) in "WF":
        return 2
    return 1


def clipped(text: str, width: int) -> str:
    """The text in at most that many columns; what is cut off ends with ``…``."""
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return text + "…"


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Rows as lines of a table; the columns with the indices ``right`` are aligned right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        parts = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            parts.append(_aligned(text, width, right=index in right))
        yield "  ".join(parts).rstrip()


def _aligned(text: str, width: int, *, right: bool) -> str:
    """A text filled up with spaces, behind it or, if it is aligned ``right``, before it."""
    gap = " " * (width - cells(text))
    if right:
        return gap + text
    return text + gap


def wrapped(text: str, indent: str = "", hanging: str | None = None, width: int = WIDTH) -> str:
    """A text in lines. The first begins with ``indent``, the others with ``hanging`` (by default
    the same)."""
    if hanging is None:
        hanging = indent
    # A long word is an address or a path, which must stay whole to be copied.
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def folded(text: str, width: int) -> list[str]:
    """A text in lines of at most that many columns, broken between words if possible. Unlike in
    ``wrapped``, a long word is broken, since it must not leave its cell."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if not line:
            line = word
        elif cells(line) + 1 + cells(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}"
        while cells(line) > width:
            length = _signs_that_fit(line, width)
            lines.append(line[:length])
            line = line[length:]
    return [*lines, line]


def _signs_that_fit(line: str, width: int) -> int:
    """How many signs of a line fit; at least one, lest a narrow column end nowhere."""
    length = len(line)
    while length > 1 and cells(line[:length]) > width:
        length -= 1
    return length


def in_one_list(before: data.Block | None, block: data.Block) -> bool:
    """Whether two blocks that follow one another are parts of one list, with no blank line between
    them."""
    # Paragraphs are lines of a list if each begins with what it is about.
    if isinstance(before, data.Paragraph) and isinstance(block, data.Paragraph):
        return bool(before.lead and block.lead)
    # Below tracks stand the numbers that belong to them.
    if isinstance(before, data.Tracks):
        return isinstance(block, data.Facts | data.Table)
    is_a_line = isinstance(block, data.Gauge | data.Facts | data.Note)
    return is_a_line and type(before) is type(block)


# ------------------------------------------------------------------ tables


def hash_bar(share: float, width: int) -> str:
    """A bar of ``#`` for this share of the ``width``; any share above 0 has at least one."""
    length = round(width * share)
    if share > 0:
        length = max(length, 1)
    return "#" * length


TITLES = -1
"""The number of the row of titles."""


class LineOfRow(NamedTuple):
    """A line of a table, and the number of the row that it belongs to, from 0 (``TITLES`` for that
    of the titles). ``bar``: the length of the bar with which it ends; 0: it has none."""

    row: int
    text: str
    bar: int = 0


def table_lines(block: data.Table, width: int, draw_bar: DrawBar = hash_bar) -> Iterator[LineOfRow]:
    """The lines of a table, those of its ``TITLES`` first. Cells that do not fit take several
    lines: first the titles of numbers, then the longest words."""
    texts = [[plain(column.title) for column in block.columns]]
    for cells_of_row in block.rows:
        texts.append([plain(cell) for cell in cells_of_row])
    are_numbers = [column.number for column in block.columns]
    fit = _fitting_widths(texts, are_numbers, width)
    # One column stays free between the table and its bars.
    bars = _bars_of(block, min(fit.spare - 1, BAR), draw_bar)
    for number, row in enumerate(texts, TITLES):
        # Titles are aligned at the bottom, next to what they name.
        folded_row = _folded_row(row, fit.widths, at_bottom=number == TITLES)
        for index, line_cells in enumerate(folded_row):
            parts = []
            for text, cell_width, right in zip(line_cells, fit.widths, are_numbers, strict=True):
                parts.append(_aligned(text, cell_width, right=right))
            line = (" " * fit.gap).join(parts)
            bar = ""
            # The bar of a row stands in its first line.
            if bars and number != TITLES and index == 0:
                bar = bars[number]
                line = f"{line} {bar}"
            yield LineOfRow(number, line.rstrip(), len(bar))


def _folded_row(
    row: Sequence[str], widths: Sequence[int], *, at_bottom: bool
) -> list[tuple[str, ...]]:
    """The lines of a row, each with its text of every cell, empty where a cell has fewer lines."""
    folded_cells = [folded(cell, width) for cell, width in zip(row, widths, strict=True)]
    height = max(map(len, folded_cells), default=0)
    of_equal_height = []
    for lines in folded_cells:
        missing = [""] * (height - len(lines))
        if at_bottom:
            of_equal_height.append([*missing, *lines])
        else:
            of_equal_height.append([*lines, *missing])
    return list(zip(*of_equal_height, strict=True))


class _TableFit(NamedTuple):
    """How a table is set, in columns of a terminal: the ``gap`` between two columns of the table,
    the width of each of these, and what is left over (``spare``)."""

    gap: int
    widths: list[int]
    spare: int


def _fitting_widths(
    texts: Sequence[Sequence[str]], are_numbers: Sequence[bool], width: int
) -> _TableFit:
    """How a table is set in ``width``. ``texts`` are the titles and the rows, ``are_numbers`` tells
    of each column whether it holds numbers."""
    in_columns = list(zip(*texts, strict=True))
    # At first as wide as every text needs on one line.
    widths = [max(map(cells, column)) for column in in_columns]
    with_titles_folded = list(widths)
    least_widths = [NARROWEST] * len(widths)
    for index, is_number in enumerate(are_numbers):
        if is_number:
            least_widths[index] = _least_for_numbers(in_columns[index])
            with_titles_folded[index] = least_widths[index]
    # A gap of two, if there is room for it once the titles of numbers are folded; else of one.
    gap = 1
    gaps = len(widths) - 1
    if sum(with_titles_folded) + 2 * gaps <= width:
        gap = 2
    # Then columns become narrower one by one, until the table fits or none can.
    too_wide_by = sum(widths) + gap * gaps - width
    while too_wide_by > 0:
        shrinkable = []
        for index, present_width in enumerate(widths):
            if present_width > least_widths[index]:
                shrinkable.append(index)
        if not shrinkable:
            break
        # Titles of numbers are folded before words are, and of each kind the widest first.
        widest = max(shrinkable, key=lambda index: (are_numbers[index], widths[index]))
        widths[widest] -= 1
        too_wide_by -= 1
    return _TableFit(gap, widths, spare=-too_wide_by)


def _least_for_numbers(column: Sequence[str]) -> int:
    """The least width of a column of numbers: each number stays in one line; its title may be
    broken between words, and within a word that is very long."""
    title, *numbers = column
    longest_word = max(map(cells, title.split(" ")))
    title_width = min(longest_word, 2 * NARROWEST)
    return max([title_width, *map(cells, numbers)])


def _bars_of(block: data.Table, width: int, draw_bar: DrawBar) -> list[str]:
    """A bar for each row by its number in the last column, empty for the sums; an empty list where
    that column has no bars, or where there is no room."""
    if width < NARROWEST or not block.columns[-1].bar:
        return []
    values: list[float] = []
    for row in block.rows[: len(block.rows) - block.totals]:
        value = 0.0
        # Bars are for whole numbers only; any other text has none.
        if row[-1].isdigit():
            value = float(row[-1])
        values.append(value)
    # The last 1: where every value is 0 there is no bar, and no division by it.
    full = block.full or max(values, default=0) or 1
    bars = [draw_bar(value / full, width) for value in values]
    return bars + [""] * block.totals


_TURN_AND_SIDES = (0, 1, 2)
"""The indices of the columns of numbers: the turn and the two sides."""


def as_table(block: data.Pairs | data.Curves) -> data.Table:
    """A block that other media draw, in numbers: a row for each turn, of curves with the numbers at
    its end."""
    if isinstance(block, data.Pairs):
        rows = []
        for pair in block.rows:
            if pair.first or pair.second:  # a turn without any number is left out
                rows.append((pair.name, str(pair.first), str(pair.second)))
        return table((block.name, *block.parties), rows, numbers=_TURN_AND_SIDES)
    # The ticks are the beginnings of the turns. A turn ends where the next one begins, the last one
    # at the end of the curve.
    begins = [moment for moment, _ in block.ticks]
    ends = [*begins[1:], len(block.rows[0].values) - 1]
    values = []
    for (_, name), end in zip(block.ticks, ends, strict=True):
        values.append((name, *(signed(curve.values[end]) for curve in block.rows)))
    names = (curve.name for curve in block.rows)
    return table((block.name, *names), values, numbers=_TURN_AND_SIDES)


def board_in_words(block: data.BoardBlock) -> data.Table | data.Facts | data.Note:
    """What lies on the table of a board game, for a medium that does not draw it."""
    match block:
        case data.SquareBoard():
            return board_table(block)
        case data.Stacks():
            return data.Facts(tuple(_stack_facts(block)))
        case data.Tracks():
            return data.Facts(tuple(_track_facts(block)))
        case data.Mug():
            return data.Facts(block.facts)
        case data.BoardKey():
            return data.Note(_key_text(block))


def board_table(block: data.SquareBoard) -> data.Table:
    """A board in signs. Each row is called after its first and last square: ``A1-A8``."""
    width = max(map(len, block.rows))
    rows = []
    for row in block.rows:
        texts = [square.text for square in row]
        while len(texts) < width:
            texts.append("")
        rows.append((f"{row[0].name}-{row[-1].name}", *texts))
    return table(["", *map(str, range(1, width + 1))], rows)


def _stack_facts(block: data.Stacks) -> list[tuple[str, str]]:
    """Counters by their places, in words."""
    return [(stack.place, "; ".join(map(_token_words, stack.tokens))) for stack in block.rows]


def _token_words(token: data.Token) -> str:
    """``a A/505, J7, 2 of 3 steps: suppressed, acted``."""
    called = f"{token.key} {token.name}".strip()
    words = ", ".join(filter(None, (called, token.aside, steps_words(token))))
    if token.markers:
        words += f": {', '.join(marker.word for marker in token.markers)}"
    return words


def steps_words(token: data.Token) -> str:
    """``2 of 3 steps``, ``1 step``; empty for a counter without steps."""
    if token.steps < token.full:
        return f"{token.steps} of {token.full} steps"
    if token.steps == 1:
        return "1 step"
    if token.steps:
        return f"{token.steps} steps"
    return ""


def _track_facts(block: data.Tracks) -> list[tuple[str, str]]:
    """Tracks by their names, in words: ``3 of 10``."""
    return [(track.name, f"{track.value} of {track.high}") for track in block.rows]


def _key_text(block: data.BoardKey) -> str:
    """The signs of a board in a sentence; empty where they are spelled out already."""
    if block.spelled:
        return ""
    meanings = [f"{row.sign} {row.meaning}" for row in block.rows]
    return f"{', '.join(meanings)}."


def _with_aside(heading: data.Heading) -> str:
    """A heading with what stands beside it in brackets."""
    if heading.aside:
        return f"{heading.text} ({heading.aside})"
    return heading.text


def _in_words(block: data.Block) -> data.Block:
    """What is drawn elsewhere as a block of words or numbers, for text of every kind; any other
    block as it is."""
    if isinstance(block, data.Pairs | data.Curves):
        return as_table(block)
    if isinstance(block, data.BoardBlock):
        return board_in_words(block)
    return block


def _choice_words(choice: data.Choice) -> str:
    """What stands behind the key of a choice."""
    if choice.why_not:
        return f"{choice.text} (not now: {choice.why_not_short or choice.why_not})"
    text = choice.text
    if choice.note:
        text += f": {choice.note}"
    if choice.is_chosen:
        text += " [chosen]"
    return text


# ------------------------------------------------------------------ plain text


def as_text(page: data.Page, width: int = WIDTH, *, titled: bool = True) -> str:
    """The page as plain text without control characters, with or without its title, ending with a
    newline."""
    text = ""
    if titled and page.title:
        text = _underlined(page.title, 1, width)
    if page.about:
        if text:
            text += "\n\n"
        text += wrapped(" · ".join(page.about), width=width)
    before: data.Block | None = None
    for block in page.in_one_column():
        part = _block_text(block, width)
        if not part:
            continue
        if text and in_one_list(before, block):
            text += "\n"
        elif text:
            text += "\n\n"
        text += part
        before = block
    return "".join(f"{plain(line)}\n" for line in text.split("\n"))


def _block_text(block: data.Block, width: int) -> str:
    """A block as plain text; empty for one that text cannot show."""
    if isinstance(block, data.Tracks):  # text can draw their boxes
        return _tracks_text(block, width)
    block = _in_words(block)
    match block:
        case data.Heading():
            return _underlined(_with_aside(block), block.level, width)
        case data.Paragraph():
            return _paragraph_text(block, width)
        case data.Banner():
            return _banner_text(block, width)
        case data.Items():
            return _items_text(block, width)
        case data.Facts():
            return _facts_text(block.rows, width)
        case data.Gauge():
            return _gauge_text(block)
        case data.Table():
            return _table_text(block, width)
        case data.Bars():
            return _bars_text(block)
        case data.Steps():
            return _steps_text(block, width)
        case data.Choices():
            return _choices_text(block, width)
        case data.Note():
            return wrapped(block.text, width=width)
    # No text has pictures, and a page in one column has nothing side by side.
    return ""


def _paragraph_text(paragraph: data.Paragraph, width: int) -> str:
    """A paragraph with all that stands beside its text."""
    parts = (paragraph.lead, paragraph.aside, paragraph.text, paragraph.key_note)
    return wrapped(" ".join(filter(None, parts)), width=width)


def _banner_text(banner: data.Banner, width: int) -> str:
    """The large words on a line of their own, and the blocks below them."""
    parts = [banner.text]
    for block in banner.lines:
        parts.append(_block_text(block, width))
    return "\n".join(parts)


def _items_text(items: data.Items, width: int) -> str:
    """A list with a hyphen before each of its lines."""
    return "\n".join(wrapped(line, "- ", "  ", width) for line in items.lines)


def _table_text(block: data.Table, width: int) -> str:
    """A table without rules between its columns."""
    return "\n".join(line.text for line in table_lines(block, width))


def _steps_text(steps: data.Steps, width: int) -> str:
    """A line for each step."""
    return "\n".join(_step_text(step, width) for step in steps.rows)


def _tracks_text(tracks: data.Tracks, width: int) -> str:
    """Tracks by their names, drawn where there is room."""
    rows = [(track.name, _track_boxes(track, width)) for track in tracks.rows]
    return _facts_text(rows, width)


def _choices_text(choices: data.Choices, width: int) -> str:
    """What may be chosen, each behind its key."""
    rows = [(choice.key, _choice_words(choice)) for choice in choices.rows]
    return _facts_text(rows, width)


def _underlined(text: str, level: int, width: int) -> str:
    """A title above a line of signs, if titles of its level have one."""
    sign = _UNDERLINES.get(level)
    if sign is None:
        return text
    return f"{text}\n{sign * min(cells(text), width)}"


def _facts_text(rows: Sequence[tuple[str, str]], width: int) -> str:
    """Names in a column of their own, and what belongs to them beside it."""
    longest = max((cells(name) for name, _ in rows), default=0)
    hanging = " " * (longest + 2)
    lines = []
    for name, value in rows:
        lines.append(wrapped(value, f"{_aligned(name, longest, right=False)}  ", hanging, width))
    return "\n".join(lines)


def _gauge_text(gauge: data.Gauge) -> str:
    """``Points  [######..................] 100 of 420``."""
    filled = 0
    if gauge.full:
        within = min(max(gauge.value, 0), gauge.full)
        filled = round(BAR * within / gauge.full)
    bar = "#" * filled + "." * (BAR - filled)
    text = f"{gauge.name}  [{bar}] {gauge.value} of {gauge.full}"
    if gauge.note:
        text += f", {gauge.note}"
    return text


def _track_boxes(track: data.TrackLine, width: int) -> str:
    """``1 2 [3] 4``; of a long track its number."""
    boxes = []
    for value in range(track.low, track.high + 1):
        if value == track.value:
            boxes.append(f"[{value}]")
        else:
            boxes.append(str(value))
    drawn = " ".join(boxes)
    if track.is_drawn and cells(f"{track.name}  {drawn}") <= width:
        return drawn
    return f"{track.value} of {track.high}"


def _bars_text(bars: data.Bars) -> str:
    """A line for each bar: its name, the bar, its number."""
    if not bars.rows:
        return ""
    # The last 1: where every value is 0 there is no bar, and no division by it.
    full = bars.full or max(bar.value for bar in bars.rows) or 1
    rows = [(bar.name, hash_bar(bar.value / full, BAR), bar.note) for bar in bars.rows]
    return "\n".join(columns(rows))


def _step_text(step: data.Step, width: int) -> str:
    """``[>] Phase 2: defensive fire``."""
    text = step.text
    if step.note:
        text += f": {step.note}"
    return wrapped(text, f"[{STEP_MARKS[step.state]}] ", "    ", width)


# ------------------------------------------------------------------ Markdown


def as_markdown(page: data.Page) -> str:
    """The page as Markdown, ending with a newline. Markup in its texts is escaped."""
    parts = []
    if page.title:
        parts.append(f"# {escaped(page.title)}")
    if page.about:
        parts.append(escaped(" · ".join(page.about)))
    parts += [_block_markdown(block) for block in page.in_one_column()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _block_markdown(block: data.Block) -> str:
    """A block as Markdown; empty for one that text cannot show."""
    block = _in_words(block)
    match block:
        case data.Heading():
            return f"{'#' * block.level} {escaped(_with_aside(block))}"
        case data.Paragraph():
            return _markdown_paragraph(block)
        case data.Banner():
            return "\n\n".join((_markdown_bold(block.text), *map(_block_markdown, block.lines)))
        case data.Items():
            return _markdown_items(block)
        case data.Facts():
            return _markdown_list(block.rows)
        case data.Gauge():
            return _markdown_gauge(block)
        case data.Table():
            return _markdown_table(block)
        case data.Bars():
            return _markdown_bars(block)
        case data.Steps():
            return _markdown_steps(block)
        case data.Choices():
            return _markdown_choices(block)
        case data.Note():
            return _markdown_note(block.text)
    # Markdown shows no picture, and a page in one column has nothing side by side.
    return ""


def _markdown_items(items: data.Items) -> str:
    return "\n".join(f"- {escaped(line)}" for line in items.lines)


def _markdown_bars(bars: data.Bars) -> str:
    """Bars by their names, each with its number only."""
    return _markdown_list([(bar.name, bar.note) for bar in bars.rows])


def _markdown_steps(steps: data.Steps) -> str:
    """A numbered list."""
    lines = []
    for number, step in enumerate(steps.rows, 1):
        lines.append(f"{number}. {_markdown_step(step)}")
    return "\n".join(lines)


def _markdown_choices(choices: data.Choices) -> str:
    """What may be chosen, each behind its key in bold."""
    lines = []
    for choice in choices.rows:
        lines.append(f"- {_markdown_bold(choice.key)} {escaped(_choice_words(choice))}")
    return "\n".join(lines)


def _markdown_note(text: str) -> str:
    """A note in italics; two asterisks around nothing would be printed."""
    if not text:
        return ""
    return f"*{escaped(text)}*"


def _markdown_bold(text: str) -> str:
    return f"**{escaped(text)}**"


def _markdown_paragraph(paragraph: data.Paragraph) -> str:
    """A paragraph, what it is about in bold; all of it, if it is a strong one."""
    words = escaped(paragraph.text)
    if paragraph.tone == "strong":
        words = f"**{words}**"
    lead = ""
    if paragraph.lead:
        lead = _markdown_bold(paragraph.lead)
    return " ".join(filter(None, (lead, escaped(paragraph.aside), words)))


def _markdown_list(rows: Sequence[tuple[str, str]]) -> str:
    """Names in bold, and behind each what belongs to it."""
    return "\n".join(f"- **{escaped(name)}:** {escaped(value)}" for name, value in rows)


def _markdown_gauge(gauge: data.Gauge) -> str:
    text = f"**{escaped(gauge.name)}:** {gauge.value} of {gauge.full}"
    if gauge.note:
        text += f", {escaped(gauge.note)}"
    return text


def _markdown_step(step: data.Step) -> str:
    text = escaped(step.text)
    if step.state == "now":
        text = f"**{text}**"
    if step.note:
        text += f": {escaped(step.note)}"
    return text


def _markdown_table(block: data.Table) -> str:
    """A table without its bars."""
    titles = [escaped(column.title) for column in block.columns]
    rulers = []
    for column in block.columns:
        if column.number:
            rulers.append("---:")  # a colon aligns numbers right
        else:
            rulers.append("---")
    lines = [titles, rulers]
    for row in block.rows:
        lines.append([escaped(cell) for cell in row])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_MARKUP = re.compile(
    r"""
      [\\`*_<\[\]|~]          # signs that are markup anywhere
    | &(?=[#\w])             # the beginning of an entity: &amp; or &#38;
    | ^[#]{1,6}(?=\s|$)      # a heading of six levels
    | ^>                     # a quotation
    | ^[+\-=](?=\s|$|[-=])   # an item; a line of === or ---, which makes a heading of the one above
    | ^\d+(?=[.)])           # an item with a number: 1. or 1)
    """,
    re.VERBOSE,
)
"""What Markdown reads as markup; a backslash goes before it."""


def escaped(text: str) -> str:
    """A text in which Markdown finds no markup, and which has no control characters."""
    return _MARKUP.sub(_escaped_sign, plain(text))


def _escaped_sign(markup: re.Match[str]) -> str:
    sign = markup[0]
    if sign[0].isdigit():
        return f"{sign}\\"  # "1." begins an item: it is the point that is escaped
    return f"\\{sign}"
