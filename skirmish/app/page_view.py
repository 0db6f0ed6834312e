"""Pages on the screen: each block as styled text in ``width`` columns; and text fitted into rows
and columns, with a count of what is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest

import msgspec
from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skirmish.app.binding import key_name
from skirmish.tabletop import page as data
from skirmish.tabletop.measure import NO_BREAK
from skirmish.tabletop.page import signed
from skirmish.tabletop.page_text import listed, table_lines
from skirmish.tabletop.refusal import with_key_note
from skirmish.tabletop.typed import plain

KEY = "$accent bold"
DIM = "$foreground 65%"
STRONG = "bold"
HEAD = "$primary bold"
TONES: dict[data.Tone, str] = {
    "": "",
    "quiet": DIM,
    "strong": STRONG,
    "good": "$success bold",
    "bad": "$error bold",
}
STEP_MARKS = {"done": "✓", "now": "▶", "next": "·", "skipped": "–"}
STEP_STYLES = {"done": DIM, "now": KEY, "next": "", "skipped": DIM}
GAUGE, GAUGE_NAME = 20, 24
"""The most columns of a gauge, and of its name."""
BAR = 32
"""The most columns of a bar."""
NARROWEST = 8
"""The fewest columns of a gauge, a bar or a name."""
FEW = 4
"""The most choices that stand below each other with their notes, however wide."""
PARTIES = ("$side-first", "$side-second")
"""Colours of the bars of the side that moves first, and of the other."""
HELD = "\ue000"
"""Stands for a no-break space while a text is wrapped: as wide, and no blank."""
LABEL = 7
"""Columns of the numbers to the left of a curve."""
OF_A_MOMENT = 4
"""The most columns for one moment of a curve."""
STRIPS = ((90, 9), (0, 4))
"""From how many columns of the screen a curve has how many rows."""
HALVES = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 4.0, 5.0, 7.5, 10.0, 25.0, 50.0, 250.0)
"""Values that half a block of a curve may represent."""


def painted(page: data.Page, width: int, *, beside: bool = False) -> Content:
    """``beside``: there is room for two columns."""
    if beside:
        rows = _rows(page.blocks, width)
    else:
        rows = _rows(page.in_one_column(), width)
    return Content("\n").join(rows)


def _rows(blocks: Iterable[data.Block], width: int) -> list[Content]:
    """The blocks below each other. One without a line (a picture) leaves no gap either."""
    rows: list[Content] = []
    before: data.Block | None = None
    for block in blocks:
        lines = list(block_lines(block, width))
        if not lines:
            continue
        if before is not None and _apart(before, block):
            rows.append(Content(""))
        rows += lines
        before = block
    return rows


def _apart(before: data.Block, block: data.Block) -> bool:
    """Whether a blank row separates two blocks: not below a heading, nor within a list."""
    if isinstance(before, data.Heading) or isinstance(block, data.Choices):
        return False
    if isinstance(before, data.Choices):
        return False
    return not listed(before, block)


def block_lines(block: data.Block, width: int) -> Iterator[Content]:
    """A block in rows of at most ``width`` columns, each kind by a function of its own."""
    match block:
        case data.Heading():
            yield from _heading(block, width)
        case data.Paragraph():
            yield from _paragraph(block, width)
        case data.Banner():
            yield from _banner(block, width)
        case data.Items():
            for item in block.lines:
                yield from hanging(Content(f"• {plain(item)}"), width, 2)
        case data.Facts():
            yield from _facts(block, width)
        case data.Gauge():
            yield _gauge(block, width)
        case data.Table():
            yield from _table(block, width)
        case data.Pairs():
            yield from _pairs(block, width)
        case data.Curves():
            yield from _curves(block, width)
        case data.Bars():
            yield from _bars(block, width)
        case data.Steps():
            for step in block.rows:
                yield from _step(step, width)
        case data.Choices():
            yield from _choices(block, width)
        case data.Note(text=text):
            yield from wrapped(Content.styled(plain(text), DIM), width)
        case data.Beside():
            yield from _beside(block, width)
        case data.Picture():
            pass  # drawn on paper only


def _heading(heading: data.Heading, width: int) -> Iterator[Content]:
    title = plain(heading.text)
    if heading.level < 3:
        head = Content.styled(title.upper(), HEAD)
    else:
        head = Content.styled(title, STRONG)
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
    yield from Content.styled(plain(banner.text).upper(), KEY).wrap(max(width, 1))
    for block in banner.lines:
        yield from block_lines(block, width)


def _facts(facts: data.Facts, width: int) -> Iterator[Content]:
    """Names and values in two columns; names take at most half the width."""
    names = _widest(name for name, _ in facts.rows)
    names = min(names, width // 2)
    for name, value in facts.rows:
        label = Content.styled(padded(plain(name), names), DIM)
        yield from hanging(Content.assemble(label, "  ", plain(value)), width, names + 2)


def _step(step: data.Step, width: int) -> list[Content]:
    style = STEP_STYLES[step.state]
    head = Content.assemble((f"{STEP_MARKS[step.state]} ", style), (plain(step.text), style))
    note = plain(step.note)
    room = width - head.cell_length - 2
    if step.short and cell_len(note) > room:
        note = plain(step.short)
    if note:
        head = Content.assemble(head, (f"  {note}", DIM))
    return hanging(head, width, 4)


def _beside(pair: data.Beside, width: int) -> Iterator[Content]:
    """Two columns; the left one has the odd column of the width."""
    half = width // 2 - 1
    columns = (_rows(pair.left, half), _rows(pair.right, half))
    for left, right in zip_longest(*columns, fillvalue=Content("")):
        gap = " " * (width - half - left.cell_length)
        yield Content.assemble(left, gap, right)


def _widest(texts: Iterable[str]) -> int:
    """The columns of the longest text; 0 if there is none."""
    return max((cell_len(plain(text)) for text in texts), default=0)


# ------------------------------------------------------------------ choices


def _choices(choices: data.Choices, width: int) -> Iterator[Content]:
    """Choices in as many columns as fit, read downwards. Many are shortened, so that two columns
    fit."""
    if not choices.rows:
        return
    pieces = [_choice(choice) for choice in choices.rows]
    column = _column_of(pieces)
    if len(pieces) > FEW and 2 * column > width:
        pieces = []
        for choice in choices.rows:
            pieces.append(_choice(msgspec.structs.replace(choice, note="", reason="")))
        column = _column_of(pieces)
    count = max(width // column, 1)
    if count == 1:
        for piece in pieces:
            yield from hanging(piece, width, 3)
        return
    height = -(-len(pieces) // count)  # rounded up
    for number in range(height):
        *before, last = pieces[number::height]
        row = [piece.pad_right(column - piece.cell_length) for piece in before]
        yield Content("").join([*row, last])


def _column_of(pieces: Sequence[Content]) -> int:
    """The columns that the longest piece takes, with the gap to the next."""
    return max(piece.cell_length for piece in pieces) + 3


def _choice(choice: data.Choice) -> Content:
    is_sign = len(choice.key) == 1
    key = choice.key
    if len(key) > 1:
        key = key_name(key)
    text = plain(choice.text)
    if choice.why_not:
        reason = ""
        if choice.reason:
            reason = f"  {plain(choice.reason)}"
        return Content.assemble((f"{key} ", DIM), (text, DIM), (reason, DIM))
    mark = Content("")
    if choice.mark:
        mark = Content.styled("✓", KEY)
    note = ""
    if choice.note:
        note = f"  {plain(choice.note)}"
    style = ""
    if choice.here:
        style = f"{KEY} reverse"
    line = Content.assemble((f"{key} ", KEY), mark, (text, style), (note, DIM))
    if is_sign:
        return line.stylize(f"@click=screen.press('{choice.key}')")
    return line


# ------------------------------------------------------------------ tables and charts


def _gauge(gauge: data.Gauge, width: int) -> Content:
    room = max(min(GAUGE, width // 3), NARROWEST)
    filled = 0
    if gauge.full:
        value = min(max(gauge.value, 0), gauge.full)
        filled = round(room * Fraction(value, gauge.full))
    if gauge.value > 0:
        filled = max(filled, 1)  # a little is not nothing
    note = ""
    if gauge.note:
        note = f"  {plain(gauge.note)}"
    return Content.assemble(
        padded(plain(gauge.name), max(min(GAUGE_NAME, width // 3), NARROWEST)),
        " ",
        ("█" * filled, "$accent"),
        ("░" * (room - filled), DIM),
        (f" {gauge.value}/{gauge.full}", STRONG),
        (note, DIM),
    ).truncate(max(width, 1), ellipsis=True)


def _table(table: data.Table, width: int) -> Iterator[Content]:
    first_total = len(table.rows) - table.totals
    ink = PARTIES[1]
    if table.party is not None:
        ink = PARTIES[table.party]
    for number, line in table_lines(table, width, _blocks):
        if number < 0:  # the heads
            style = DIM
        elif number == table.mark:
            style = KEY
        elif number >= first_total:
            style = STRONG
        else:
            style = ""
        text = Content.styled(line, style)
        bar = len(line) - len(line.rstrip("█▌"))  # it ends the line, if there is one
        if bar:
            text = text.stylize(ink, len(line) - bar, len(line))
        yield text


def _blocks(share: float, room: int) -> str:
    """A bar in half blocks; the smallest share above 0 has one."""
    halves = round(2 * room * share)
    if share > 0:
        halves = max(halves, 1)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def _bars(bars: data.Bars, width: int) -> Iterator[Content]:
    full = bars.full
    if not full:
        # Without a full value the longest bar is full; if all are 0, any value above 0 will do.
        full = max((bar.value for bar in bars.rows), default=0) or 1
    names = min(_widest(bar.name for bar in bars.rows), width // 3)
    notes = _widest(bar.note for bar in bars.rows)
    room = max(min(BAR, width - names - notes - 2), NARROWEST)
    for bar in bars.rows:
        line = Content.assemble(padded(plain(bar.name), names), " ")
        blocks = _blocks(bar.value / full, room)
        if blocks:
            line = Content.assemble(line, (blocks, "$accent"), " ")
        line = Content.assemble(line, plain(bar.note))
        yield line.truncate(max(width, 1), ellipsis=True)


def _pairs(pairs: data.Pairs, width: int) -> Iterator[Content]:
    """The first side's bars extend to the left of the moments, the other's to the right."""
    highest = 0
    for row in pairs.rows:
        highest = max(highest, row.first, row.second)
    room = max(NARROWEST, (width - 14) // 2)  # 14 columns for both numbers and the moment
    block_value = max(-(-highest // room), 1)  # rounded up
    first_name, second_name = pairs.parties
    first = shortened(plain(first_name), room)
    second = shortened(plain(second_name), room)
    indent = " " * (room + 4 - cell_len(first))
    yield Content.assemble((indent + first, PARTIES[0]), "      ", (second, PARTIES[1]))
    for row in pairs.rows:
        to_the_left = _half_blocks(row.first, block_value, "▐")
        to_the_right = _half_blocks(row.second, block_value, "▌")
        yield Content.assemble(
            f"{row.first or '–':>3} ",
            (f"{to_the_left:>{room}}", PARTIES[0]),
            (f" {plain(row.name):^4} ", STRONG),
            (to_the_right, PARTIES[1]),
            f" {row.second or '–'}",
        )
    if block_value > 1:
        yield Content.styled(f"█ is {block_value}", DIM)


def _half_blocks(value: int, block_value: int, half: str) -> str:
    """A bar of blocks; its ``half`` block, if any, is at the end away from the middle."""
    halves = -(-2 * value // block_value)  # rounded up
    blocks = "█" * (halves // 2)
    rest = half * (halves % 2)
    if half == "▐":  # a bar that extends to the left
        return rest + blocks
    return blocks + rest


def _curves(curves: data.Curves, width: int) -> Iterator[Content]:
    """A strip for each side, so that they differ without colours: above the line positive, below it
    negative."""
    moments = len(curves.rows[0].values) - 1
    places = max(1, min(width - LABEL, OF_A_MOMENT * moments))
    strips = [curve.sampled(places) for curve in curves.rows]
    # One scale for all strips, so that the sides can be compared.
    values: list[float] = []
    for strip in strips:
        values += strip
    up, down, step = _frame(values, _strip_height(width))
    for curve, strip, ink in zip(curves.rows, strips, PARTIES, strict=True):
        name = shortened(plain(curve.name), max(width - 8, NARROWEST))
        yield Content.styled(f"{name} {signed(curve.values[-1])}", f"bold {ink}")
        for label, row in strip_rows(strip, up, down, step):
            yield Content.assemble((f"{label:>{LABEL - 1}} ", DIM), (row, ink))
    ticks = ""
    for moment, name in curves.ticks:
        place = moment * places // max(moments, 1)
        if not ticks or place > len(ticks):  # else it would touch the name before it
            ticks = f"{ticks:<{place}}{name}"
    yield Content.styled(f"{curves.name.lower():>{LABEL - 1}} {ticks[:places]}", DIM)


def _strip_height(width: int) -> int:
    for least_width, rows in STRIPS[:-1]:
        if width >= least_width:
            return rows
    return STRIPS[-1][1]


def strip_rows(
    strip: Sequence[float], up: int, down: int, step: float
) -> Iterator[tuple[str, str]]:
    """The labelled rows of a strip from the top: ``up`` rows above the line, ``down`` rows below;
    half a block is worth ``step``. The outermost rows have their value as the label."""
    halves = [round(value / step) for value in strip]
    for row in range(up, 0, -1):
        label = ""
        if row == up:
            label = f"+{2 * row * step:g}"
        yield label, "".join(_half(half, row, "▄") for half in halves)
    yield "0", "─" * len(strip)
    for row in range(1, down + 1):
        label = ""
        if row == down:
            label = f"–{2 * row * step:g}"
        yield label, "".join(_half(-half, row, "▀") for half in halves)


def _half(halves: int, row: int, begun: str) -> str:
    """The block of a value of so many ``halves`` in a row counted from the line."""
    if halves >= 2 * row:
        return "█"
    if halves == 2 * row - 1:
        return begun
    return " "


def _frame(values: Sequence[float], rows: int) -> tuple[int, int, float]:
    """Rows above and below the line, and the value of half a block: the smallest with which the
    highest and the lowest value fit into ``rows``, the line included."""
    highest = max(0.0, *values)
    lowest = max(0.0, *(-value for value in values))
    for step in HALVES:
        up = -(-round(highest / step) // 2)  # rounded up
        down = -(-round(lowest / step) // 2)
        if up + down < rows:
            break
    return up, down, step


# ------------------------------------------------------------------ what fits


def shortened(text: str, cells: int) -> str:
    """A name in at most ``cells`` cells, ending in an ellipsis if cut."""
    if cell_len(text) <= cells:
        return text
    return f"{set_cell_size(text, cells - 1).rstrip()}…"


def padded(text: str, cells: int) -> str:
    """A name in exactly ``cells`` cells."""
    short = shortened(text, cells)
    return short + " " * (cells - cell_len(short))


def wrapped(text: Content, width: int) -> list[Content]:
    """A text in rows. No-break spaces hold, at which Textual would break."""
    if NO_BREAK not in text.plain:
        return text.wrap(max(width, 1))
    held = Content(text.plain.replace(NO_BREAK, HELD), [*text.spans])
    rows = []
    for row in held.wrap(max(width, 1)):
        rows.append(Content(row.plain.replace(HELD, NO_BREAK), [*row.spans]))
    return rows


def rows_of(text: Content, width: int) -> int:
    """How many rows a text takes."""
    return len(wrapped(text, width))


def fitted(
    lines: Sequence[Content], width: int, room: int, rest: Callable[[int], Content]
) -> tuple[Content, int]:
    """As many lines as fit, and the rows that they take; ``rest`` words the number of lines left
    out."""
    shown: list[Content] = []
    used = 0
    for index, line in enumerate(lines):
        if line.cell_length <= room * width:
            need = rows_of(line, width)
        else:
            need = room + 1  # too long in any case: not worth wrapping
        below = 0
        if index + 1 < len(lines):
            below = 1  # the row that words what is left out
        if used + need + below > room:
            if room > used:
                shown.append(rest(len(lines) - index))
                used += 1
            break
        shown.append(line)
        used += need
    return Content("\n").join(shown), used


def hanging(text: Content, width: int, indent: int) -> list[Content]:
    """A text in rows, indented by ``indent`` columns after the first."""
    head, *body = wrapped(text, width)
    if not indent or not body:
        return [head, *body]
    # The rest is wrapped again, since it has fewer columns.
    rest = text[len(head.plain) :]
    blanks = len(rest.plain) - len(rest.plain.lstrip())
    rows = [head]
    for line in wrapped(rest[blanks:], width - indent):
        rows.append(Content.assemble(" " * indent, line))
    return rows
