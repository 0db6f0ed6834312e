"""A page as plain text. Widths are in columns of a terminal (``text_width``)."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
from skirmish.tabletop.page_words import choice_words, in_words, with_aside
from skirmish.tabletop.table_text import LONGEST_BAR, hash_bar, table_lines
from skirmish.tabletop.text_width import WIDTH, aligned, cells, in_columns, wrapped
from skirmish.tabletop.typed import plain

STEP_MARKS = {"done": "x", "now": ">", "next": " ", "skipped": "-"}
"""What stands in brackets before a step, by its state."""
_UNDERLINES = {1: "=", 2: "-"}
"""The signs below a title, by its level; others have none."""


def as_text(page: data.Page, width: int = WIDTH, *, titled: bool = True) -> str:
    """The page as plain text without control characters, ending with a newline; without its title
    unless it is ``titled``."""
    text = ""
    if titled and page.title:
        text = _underlined(page.title, 1, width)
    if page.about:
        if text:
            text += "\n\n"
        text += wrapped(" · ".join(page.about), width=width)
    previous: data.Block | None = None
    for block in page.in_one_column():
        lines = _block_text(block, width)
        if not lines:
            continue
        if text and in_one_list(previous, block):
            text += "\n"
        elif text:
            text += "\n\n"
        text += lines
        previous = block
    return "".join(f"{plain(line)}\n" for line in text.split("\n"))


def in_one_list(before: data.Block | None, block: data.Block) -> bool:
    """Whether a block continues the list that the one before it (None: there is none) begins, with
    no blank line between them."""
    # Paragraphs are lines of a list if each begins with what it is about.
    if isinstance(before, data.Paragraph) and isinstance(block, data.Paragraph):
        return bool(before.lead and block.lead)
    # The numbers that belong to tracks stand right below them.
    if isinstance(before, data.Tracks):
        return isinstance(block, data.Facts | data.Table)
    takes_a_line = isinstance(block, data.Gauge | data.Facts | data.Note)
    return takes_a_line and type(before) is type(block)


def _block_text(block: data.Block, width: int) -> str:
    """A block as plain text; empty for one that text cannot show."""
    if isinstance(block, data.Tracks):  # plain text draws their boxes, unlike ``in_words``
        return _tracks_text(block, width)
    block = in_words(block)
    match block:
        case data.Heading():
            return _underlined(with_aside(block), block.level, width)
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
    """A paragraph with its lead and its aside before the text, and the note about keys behind
    it."""
    parts = (paragraph.lead, paragraph.aside, paragraph.text, paragraph.key_note)
    text = " ".join(part for part in parts if part)
    return wrapped(text, width=width)


def _banner_text(banner: data.Banner, width: int) -> str:
    """The result on a line of its own, and the paragraphs below it."""
    parts = [banner.text]
    for paragraph in banner.lines:
        parts.append(_paragraph_text(paragraph, width))
    return "\n".join(parts)


def _items_text(items: data.Items, width: int) -> str:
    """A list with a hyphen before each of its lines."""
    return "\n".join(wrapped(line, "- ", "  ", width) for line in items.lines)


def _table_text(block: data.Table, width: int) -> str:
    """A table without lines between its columns and rows."""
    return "\n".join(line.text for line in table_lines(block, width))


def _steps_text(steps: data.Steps, width: int) -> str:
    """A line for each step."""
    return "\n".join(_step_text(step, width) for step in steps.rows)


def _tracks_text(tracks: data.Tracks, width: int) -> str:
    """Tracks by their names, with their boxes where there is room."""
    rows = [(track.name, _track_boxes(track, width)) for track in tracks.rows]
    return _facts_text(rows, width)


def _choices_text(choices: data.Choices, width: int) -> str:
    """What may be chosen, each behind its key."""
    rows = [(choice.key, choice_words(choice)) for choice in choices.rows]
    return _facts_text(rows, width)


def _underlined(text: str, level: int, width: int) -> str:
    """A title above a line of signs, if titles of its level have one."""
    sign = _UNDERLINES.get(level)
    if sign is None:
        return text
    length = min(cells(text), width)
    return f"{text}\n{sign * length}"


def _facts_text(rows: Sequence[data.NamedFact], width: int) -> str:
    """Names in a column of their own, and the value of each beside it."""
    name_width = max((cells(name) for name, _ in rows), default=0)
    gap = "  "
    below_name = " " * name_width + gap
    lines = []
    for name, value in rows:
        before_value = aligned(name, name_width, right=False) + gap
        lines.append(wrapped(value, before_value, below_name, width))
    return "\n".join(lines)


def _gauge_text(gauge: data.Gauge) -> str:
    """``Points  [######..................] 100 of 420``."""
    filled = 0
    if gauge.full:
        # A value may be beyond an end of the gauge; the bar is not.
        drawn_value = min(max(gauge.value, 0), gauge.full)
        filled = round(LONGEST_BAR * drawn_value / gauge.full)
    bar = "#" * filled + "." * (LONGEST_BAR - filled)
    text = f"{gauge.name}  [{bar}] {gauge.value} of {gauge.full}"
    if gauge.note:
        text += f", {gauge.note}"
    return text


def _track_boxes(track: data.TrackLine, width: int) -> str:
    """``1 2 [3] 4``; ``3 of 40`` for a track that is too long for that."""
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
    # Where every value is 0 there is no bar: the 1 only avoids a division by 0.
    full = bars.full or max(bar.value for bar in bars.rows) or 1
    rows = [(bar.name, hash_bar(bar.value / full, LONGEST_BAR), bar.note) for bar in bars.rows]
    return "\n".join(in_columns(rows))


def _step_text(step: data.Step, width: int) -> str:
    """``[>] Phase 2: defensive fire``."""
    text = step.text
    if step.note:
        text += f": {step.note}"
    return wrapped(text, f"[{STEP_MARKS[step.state]}] ", "    ", width)
