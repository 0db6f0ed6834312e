"""Pages on the screen. A page is what a game says, in blocks that know no screen (`tabletop.page`:
headings, tables, boards); here each becomes styled text in ``width`` columns. Begin with
``painted``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

import msgspec
from rich.cells import cell_len
from textual.content import Content

from skirmish.app.binding import key_name
from skirmish.app.text_rows import hanging, padded, shortened, wrapped
from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
from skirmish.tabletop.page import signed
from skirmish.tabletop.page_text import in_one_list
from skirmish.tabletop.refusal import with_key_note
from skirmish.tabletop.side_colours import NO_NATION
from skirmish.tabletop.table_text import TITLES, table_lines
from skirmish.tabletop.typed import plain

KEY = "$accent bold"
DIM = "$foreground 65%"
STRONG = "bold"
HEAD = "$primary bold"
"""The styles of keys and of what is chosen, of what matters less, of what matters more, of
headings."""
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
"""Colours of the bars of the side that moves first, and of the other. Where both have a nation, its
colour takes the place of these (``in_colours``)."""
LABEL = 7
"""Columns of the numbers to the left of a curve, and of the space after them."""
MOMENT_WIDTH = 4
"""The most columns for one moment of a curve."""
HIGH_STRIP_FROM = 90
"""Columns of the screen from which the strip of a curve is a high one."""
HIGH_STRIP, LOW_STRIP = 9, 4
"""Rows of such a strip, and of others."""
HALVES = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 4.0, 5.0, 7.5, 10.0, 25.0, 50.0, 250.0)
"""Values that half a block of a curve may represent."""

WIDEST_SQUARE, NARROWEST_SQUARE = 14, 3
"""Columns of a square, with the one between it and the next."""
PLACE_NAME = 16
"""The most columns of the name of a place."""
MOST_PIPS = 6
"""The most steps of a counter that are drawn one by one."""
STEP, LOST = "▮", "▯"
PIECES_APART = 3
"""Columns between tracks, and between the signs of a key."""
CHIT, MOST_CHITS = "▪", 7
"""A chit in the mug, and how many of them stand beside one another in it."""
INSIDE = 7
"""Columns of the inside of the mug."""


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


def in_colours(content: Content, colours: tuple[str, str]) -> Content:
    """What is painted for the first and the second party, in the colours of these names."""
    spans = []
    for span in content.spans:
        style = span.style
        if isinstance(style, str):
            for party, colour in zip(PARTIES, colours, strict=True):
                style = style.replace(party, f"$side-{colour}")
        spans.append(span._replace(style=style))
    return Content(content.plain, spans)


def _rows(blocks: Iterable[data.Block], width: int, *, tall: bool = False) -> list[Content]:
    """The blocks below each other. One without a line (a picture) leaves no gap either."""
    rows: list[Content] = []
    before: data.Block | None = None
    for block in blocks:
        lines = list(block_lines(block, width, tall=tall))
        if not lines:
            continue
        if before is not None and _apart(before, block):
            rows.append(Content(""))
        rows += lines
        before = block
    return rows


def _apart(before: data.Block, block: data.Block) -> bool:
    """Whether a blank row separates two blocks: not below a heading, nor within a list. Choices
    stand close to what is above and below them."""
    if isinstance(before, data.Heading):
        return False
    if isinstance(before, data.Choices) or isinstance(block, data.Choices):
        return False
    return not in_one_list(before, block)


def block_lines(block: data.Block, width: int, *, tall: bool = False) -> Iterator[Content]:
    """A block in rows of at most ``width`` columns, each kind by a function of its own."""
    if isinstance(block, data.TextBlock):
        yield from _text_lines(block, width)
        return
    if isinstance(block, data.BoardBlock):
        yield from board_lines(block, width, tall=tall)
        return
    match block:
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
            yield from _steps(block, width)
        case data.Choices():
            yield from _choices(block, width)
        case data.Beside():
            yield from _beside(block, width)
        case data.Picture():
            pass  # drawn on paper only


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
    """A title with what stands beside it; those of sections are capitals."""
    title, style = plain(heading.text), STRONG
    if heading.level < 3:
        title, style = title.upper(), HEAD
    if heading.party is not None:
        style = f"bold {PARTIES[heading.party]}"
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
    yield from Content.styled(plain(banner.text).upper(), KEY).wrap(max(width, 1))
    for block in banner.lines:
        yield from block_lines(block, width)


def _facts(facts: data.Facts, width: int) -> Iterator[Content]:
    """Names and values in two columns; names take at most half the width."""
    name_width = min(_widest(name for name, _ in facts.rows), width // 2)
    for name, value in facts.rows:
        label = Content.styled(padded(plain(name), name_width), DIM)
        yield from hanging(Content.assemble(label, "  ", plain(value)), width, name_width + 2)


def _items(items: data.Items, width: int) -> Iterator[Content]:
    for item in items.lines:
        yield from hanging(Content(f"• {plain(item)}"), width, 2)


def _steps(steps: data.Steps, width: int) -> Iterator[Content]:
    for step in steps.rows:
        yield from _step(step, width)


def _step(step: data.Step, width: int) -> list[Content]:
    """A mark, what is done, and its result; the short result where the long one has no room."""
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
    column_width = _column_width(pieces)
    if len(pieces) > FEW and 2 * column_width > width:
        pieces = []
        for choice in choices.rows:
            pieces.append(_choice(msgspec.structs.replace(choice, note="", why_not_short="")))
        column_width = _column_width(pieces)
    columns = max(width // column_width, 1)
    if columns == 1:
        for piece in pieces:
            yield from hanging(piece, width, 3)
        return
    height = -(-len(pieces) // columns)  # rounded up
    for number in range(height):
        *before, last = pieces[number::height]
        row = [piece.pad_right(column_width - piece.cell_length) for piece in before]
        yield Content("").join([*row, last])


def _column_width(pieces: Sequence[Content]) -> int:
    """The columns that the longest piece takes, with the gap to the next."""
    return max(piece.cell_length for piece in pieces) + 3


def _choice(choice: data.Choice) -> Content:
    """A key with what it does: dim if it cannot be chosen; a click presses a key of one sign."""
    is_sign = len(choice.key) == 1
    key = choice.key
    if len(key) > 1:
        key = key_name(key)
    text = plain(choice.text)
    if choice.why_not:
        reason = ""
        if choice.why_not_short:
            reason = f"  {plain(choice.why_not_short)}"
        return Content.assemble((f"{key} ", DIM), (text, DIM), (reason, DIM))
    mark = Content("")
    if choice.is_chosen:
        mark = Content.styled("✓", KEY)
    note = ""
    if choice.note:
        note = f"  {plain(choice.note)}"
    style = ""
    if choice.has_cursor:
        style = f"{KEY} reverse"
    line = Content.assemble((f"{key} ", KEY), mark, (text, style), (note, DIM))
    if is_sign:
        return line.stylize(f"@click=screen.press('{choice.key}')")
    return line


# ------------------------------------------------------------------ tables and charts


def _gauge(gauge: data.Gauge, width: int) -> Content:
    """A name, a bar and its numbers in a row."""
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
    """The rows of a table: its titles dim, its sums bold, its bars in the colour of a side."""
    first_total = len(table.rows) - table.totals
    for line in table_lines(table, width, _blocks):
        if line.row == TITLES:
            style = DIM
        elif line.row == table.mark:
            style = KEY
        elif line.row >= first_total:
            style = STRONG
        else:
            style = ""
        text = Content.styled(line.text, style)
        if line.bar:  # the columns of a bar, which is always at the end of the line
            end = len(line.text)
            text = text.stylize(_ink(table.party), end - line.bar, end)
        yield text


def _ink(party: data.Party) -> str:
    """The colour of a side, and another one for what belongs to none."""
    if party is None:
        return "$accent"
    return PARTIES[party]


def _blocks(share: float, room: int) -> str:
    """A bar in half blocks; the smallest share above 0 has one."""
    halves = round(2 * room * share)
    if share > 0:
        halves = max(halves, 1)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def _bars(bars: data.Bars, width: int) -> Iterator[Content]:
    """A row for each bar, between its name and its note."""
    full = bars.full
    if not full:
        # Without a full value the longest bar is full; if all are 0, any value above 0 will do.
        full = max((bar.value for bar in bars.rows), default=0) or 1
    name_width = min(_widest(bar.name for bar in bars.rows), width // 3)
    note_width = _widest(bar.note for bar in bars.rows)
    room = max(min(BAR, width - name_width - note_width - 2), NARROWEST)
    for bar in bars.rows:
        line = Content.assemble(padded(plain(bar.name), name_width), " ")
        blocks = _blocks(bar.value / full, room)
        if blocks:
            line = Content.assemble(line, (blocks, _ink(bar.party)), " ")
        line = Content.assemble(line, plain(bar.note))
        yield line.truncate(max(width, 1), ellipsis=True)


def _pairs(pairs: data.Pairs, width: int) -> Iterator[Content]:
    """The first side's bars extend to the left of the moments, the other's to the right:
    ``12 ▐██  3  █ 4``."""
    highest = 0
    for row in pairs.rows:
        highest = max(highest, row.first, row.second)
    room = max(NARROWEST, (width - 14) // 2)  # 14 columns for both numbers and the moment
    block_value = max(-(-highest // room), 1)  # rounded up
    first_name, second_name = pairs.parties
    first = shortened(plain(first_name), room)
    second = shortened(plain(second_name), room)
    # The names stand above the bars: behind the 4 columns of a number, and apart by the 6 of a
    # moment.
    indent = " " * (4 + room - cell_len(first))
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
    moments = len(curves.rows[0].values) - 1  # the first value is that before them all
    places = max(1, min(width - LABEL, MOMENT_WIDTH * moments))
    strips = [curve.sampled(places) for curve in curves.rows]
    # One scale for all strips, so that the sides can be compared.
    values: list[float] = []
    for strip in strips:
        values += strip
    scale = _strip_scale(values, _strip_height(width))
    for curve, strip, ink in zip(curves.rows, strips, PARTIES, strict=True):
        name = shortened(plain(curve.name), max(width - 8, NARROWEST))
        yield Content.styled(f"{name} {signed(curve.values[-1])}", f"bold {ink}")
        for label, row in strip_rows(strip, *scale):
            yield Content.assemble((f"{label:>{LABEL - 1}} ", DIM), (row, ink))
    ticks = ""
    for moment, name in curves.ticks:
        place = moment * places // max(moments, 1)
        if not ticks or place > len(ticks):  # else it would touch the name before it
            ticks = f"{ticks:<{place}}{name}"
    yield Content.styled(f"{curves.name.lower():>{LABEL - 1}} {ticks[:places]}", DIM)


def _strip_height(width: int) -> int:
    if width >= HIGH_STRIP_FROM:
        return HIGH_STRIP
    return LOW_STRIP


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


def _half(halves: int, row: int, half_block: str) -> str:
    """The block of a value of so many ``halves`` in a row counted from the line."""
    if halves >= 2 * row:
        return "█"
    if halves == 2 * row - 1:
        return half_block
    return " "


class _StripScale(NamedTuple):
    """Rows above and below the line of a strip, and the value of half a block."""

    up: int
    down: int
    step: float


def _strip_scale(values: Sequence[float], rows: int) -> _StripScale:
    """The finest scale with which the highest and the lowest value fit into ``rows``, the line
    included; the coarsest where none does, and the strip is higher then."""
    highest = max(0.0, *values)
    lowest = max(0.0, *(-value for value in values))
    for step in HALVES:
        up = -(-round(highest / step) // 2)  # rounded up
        down = -(-round(lowest / step) // 2)
        if up + down < rows:
            break
    return _StripScale(up, down, step)


# ------------------------------------------------------------------ boards of companion games


def board_lines(block: data.BoardBlock, width: int, *, tall: bool) -> Iterator[Content]:
    """A block of a board in rows of at most ``width`` columns; ``tall``: there are rows for its
    larger drawing."""
    match block:
        case data.SquareBoard():
            yield from _squares(block, width, tall=tall)
        case data.Stacks():
            yield from _stacks(block, width)
        case data.Tracks():
            yield from flowing([_track(track, width) for track in block.rows], width)
        case data.Mug():
            yield from _mug(block, width, tall=tall)
        case data.BoardKey():
            yield from flowing([_key_sign(sign) for sign in block.rows], width)


def flowing(pieces: Iterable[Content], width: int) -> Iterator[Content]:
    """Pieces behind one another, as many to a row as fit."""
    row = Content("")
    for piece in pieces:
        if row and row.cell_length + PIECES_APART + piece.cell_length > width:
            yield row
            row = Content("")
        if row:
            row = Content.assemble(row, " " * PIECES_APART, piece)
        else:
            row = piece
    if row:
        yield row


# ------------------------------------------------------------------ squares


def _squares(board: data.SquareBoard, width: int, *, tall: bool) -> Iterator[Content]:
    """Rows of squares, each row behind the name of its first square; in tall ones the names stand
    in the squares."""
    columns = max(map(len, board.rows))
    label = 0
    if not tall:
        label = max(cell_len(row[0].name) for row in board.rows) + 1
    cell = min(max((width - label) // columns, NARROWEST_SQUARE), WIDEST_SQUARE)
    for row in board.rows:
        # A shorter row stands in the middle of the longer ones, as on paper.
        indent = " " * ((columns - len(row)) * cell // 2)
        if tall:
            names = [_on_ground(square, _name_line(square, cell - 1)) for square in row]
            yield _row_of_squares(indent, names)
            yield _row_of_squares(
                indent, [_on_ground(square, _signs(square, cell - 1)) for square in row]
            )
        else:
            start = Content.styled(padded(plain(row[0].name), label), DIM)
            signs = [_on_ground(square, _signs(square, cell - 1)) for square in row]
            yield start + _row_of_squares(indent, signs)


def _row_of_squares(indent: str, squares: Sequence[Content]) -> Content:
    return Content(indent) + Content(" ").join(squares)


def _name_line(square: data.Square, cells: int) -> Content:
    return Content(padded(plain(square.name), cells))


def _signs(square: data.Square, cells: int) -> Content:
    """What lies and stands on a square, closer together where there is no room."""
    for between in (" ", ""):
        signs = between.join(map(plain, square.signs))
        counters = between.join(map(plain, square.counters))
        gap = ""
        if signs and counters:
            gap = between
        left_over = cells - cell_len(signs + gap + counters)
        if left_over >= 0:
            return Content.assemble(signs, gap, (counters, "bold reverse"), " " * left_over)
    return Content(padded(signs + counters, cells))


def _on_ground(square: data.Square, text: Content) -> Content:
    return text.stylize_before(f"$foreground on $ground-{square.ground}")


# ------------------------------------------------------------------ counters by their places


def _stacks(stacks: data.Stacks, width: int) -> Iterator[Content]:
    """A row for each place, with its counters behind one another; further rows are indented."""
    if not stacks.rows:
        return
    widest = max(cell_len(plain(stack.place)) for stack in stacks.rows)
    place_width = min(widest, PLACE_NAME, width // 3) + 1
    ink = _ink(stacks.party)
    for stack in stacks.rows:
        head = Content.styled(padded(plain(stack.place), place_width), STRONG)
        tokens = [_token(token, ink, width - place_width) for token in stack.tokens]
        for row in flowing(tokens, width - place_width):
            yield head + row
            head = Content(" " * place_width)


def _token(token: data.Token, ink: str, width: int) -> Content:
    """A counter: an edge in the colour of its side, its letters, its name, its steps as pips, the
    signs of its markers."""
    pips = _pips(token)
    key = aside = ""
    if token.key:
        key = f"{token.key} "
    if token.aside:
        aside = f" {plain(token.aside)}"
    signs = "".join(f" {marker.sign}" for marker in token.markers)
    room = max(width - cell_len(f"▌{key}{aside}{pips}{signs}"), 4)
    return Content.assemble(
        ("▌", ink),
        (key, KEY),
        shortened(plain(token.name), room),
        (aside, DIM),
        (pips, ink),
        (signs, "bold $accent"),
    )


def _pips(token: data.Token) -> str:
    """The steps of a counter, there and lost, one by one; many as a number. Where the counter does
    not say how many it had (``full`` is 0), only those that are there."""
    if max(token.full, token.steps) > MOST_PIPS:
        return f" {STEP}{token.steps}"
    if token.full:
        return f" {STEP * token.steps}{LOST * (token.full - token.steps)}"
    if token.steps:
        return f" {STEP * token.steps}"
    return ""


# ------------------------------------------------------------------ tracks and the mug


def _track(track: data.TrackLine, width: int) -> Content:
    """Boxes, that with the marker in brackets and reversed; a track without room as a number."""
    name = Content.styled(f"{plain(track.name)} ", STRONG)
    boxes: list[Content | tuple[str, str]] = []
    for value in range(track.low, track.high + 1):
        if value == track.value:
            boxes.append((f"[{value}]", f"{KEY} reverse"))
        elif value < track.value:
            boxes.append((f" {value} ", ""))
        else:
            boxes.append((f" {value} ", DIM))
    whole = Content.assemble(name, *boxes)
    if track.is_drawn and whole.cell_length <= width:
        return whole
    number = Content.assemble(name, (f"{track.value}", KEY), f" of {track.high}")
    return number.truncate(max(width, 1), ellipsis=True)


def _mug(mug: data.Mug, width: int, *, tall: bool) -> Iterator[Content]:
    """The mug with a chit drawn for each one in it, and the facts beside it."""
    drawing = list(_small_mug(mug.inside))
    if tall:
        drawing = list(_large_mug(mug.inside))
    left_width = max(map(cell_len, drawing)) + 2
    facts = block_lines(data.Facts(mug.facts), width - left_width)
    for left, right in zip_longest(drawing, facts):
        yield Content.assemble(((left or "").ljust(left_width), "$accent"), right or "")


def _large_mug(inside: int) -> Iterator[str]:
    """Five rows: chits from the bottom up, and their number."""
    chits = min(inside, 2 * MOST_CHITS)
    upper = CHIT * max(chits - MOST_CHITS, 0)
    lower = CHIT * min(chits, MOST_CHITS)
    yield "╷       ╷"
    yield f"│{upper:^{INSIDE}}├─╮"
    yield f"│{lower:^{INSIDE}}│ │"
    yield f"│{inside:^{INSIDE}}├─╯"
    yield "╰───────╯"


def _small_mug(inside: int) -> Iterator[str]:
    lower = f"{CHIT * min(inside, 3)} {inside}"
    yield f"│{lower:^{INSIDE}}├╮"
    yield "╰───────┴╯"


def _key_sign(sign: data.KeySign) -> Content:
    drawn = (sign.sign, "bold $accent")
    if sign.ground:
        drawn = (f" {sign.sign} ", f"bold on $ground-{sign.ground}")
    return Content.assemble(drawn, " ", plain(sign.meaning))
