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
from skirmish.tabletop.typed import plain

KEY, DIM, STRONG, HEAD = "$accent bold", "$foreground 65%", "bold", "$primary bold"
TONES: dict[data.Tone, str] = {
    "": "",
    "quiet": DIM,
    "strong": STRONG,
    "good": "$success bold",
    "bad": "$error bold",
}
STEP_MARKS = {"done": "✓", "now": "▶", "next": "·", "skipped": "–"}
STEP_STYLES = {"done": DIM, "now": KEY, "next": "", "skipped": DIM}
GAUGE, BAR, NARROWEST = 20, 32, 8
FEW = 4
PARTIES = ("$primary", "$accent")
"""Colours of the bars of the side that moves first, and of the other."""
HELD = "\ue000"
"""Stands for a no-break space while a text is wrapped: as wide, and no blank."""
LABEL = 7
"""Columns of the numbers to the left of a curve."""
OF_A_MOMENT = 4
"""The most columns for one moment of a curve."""
STRIPS = ((90, 9), (0, 4))
"""Rows of a curve by the columns of the screen."""
HALVES = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 4.0, 5.0, 7.5, 10.0, 25.0, 50.0, 250.0)
"""Values that half a block of a curve may represent."""


def painted(page: data.Page, width: int, *, beside: bool = False) -> Content:
    """``beside``: there is room for two columns."""
    blocks = page.blocks if beside else page.in_one_column()
    return Content("\n").join(_rows(blocks, width))


def _rows(blocks: Iterable[data.Block], width: int) -> list[Content]:
    rows: list[Content] = []
    before: data.Block | None = None
    for block in blocks:
        lines = list(block_lines(block, width))
        if lines and before is not None and _apart(before, block):
            rows.append(Content(""))
        rows += lines
        before = block if lines else before
    return rows


def block_lines(block: data.Block, width: int) -> Iterator[Content]:
    match block:
        case data.Heading(text=text, level=level, aside=aside):
            title = plain(text).upper() if level < 3 else plain(text)
            head = Content.styled(title, HEAD if level < 3 else STRONG)
            more = f"  {plain(aside)}" if aside else ""
            yield from wrapped(Content.assemble(head, (more, DIM)), width)
        case data.Paragraph(text=text, lead=lead, tone=tone, aside=aside):
            first = Content.styled(f"{plain(lead)} ", STRONG) if lead else Content("")
            between = Content.styled(f"{plain(aside)} ", DIM) if aside else Content("")
            rest = Content.styled(plain(text), TONES[tone])
            yield from wrapped(Content.assemble(first, between, rest), width)
        case data.Banner(text=text, lines=lines):
            yield from Content.styled(plain(text).upper(), KEY).wrap(max(width, 1))
            for below in lines:
                yield from block_lines(below, width)
        case data.Items(lines=lines):
            for line in lines:
                yield from hanging(Content(f"• {plain(line)}"), width, 2)
        case data.Facts(rows=rows):
            longest = min(max((cell_len(plain(name)) for name, _ in rows), default=0), width // 2)
            for name, value in rows:
                label = Content.styled(padded(plain(name), longest), DIM)
                yield from hanging(Content.assemble(label, "  ", plain(value)), width, longest + 2)
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
        case data.Steps(rows=rows):
            for step in rows:
                sign = Content.styled(f"{STEP_MARKS[step.state]} ", STEP_STYLES[step.state])
                words = Content.styled(plain(step.text), STEP_STYLES[step.state])
                head = Content.assemble(sign, words)
                room = width - head.cell_length - 2
                fits = cell_len(plain(step.note)) <= room or not step.short
                note = plain(step.note if fits else step.short)
                row = Content.assemble(head, (f"  {note}" if note else "", DIM))
                yield from hanging(row, width, 4)
        case data.Choices():
            yield from _choices(block, width)
        case data.Note(text=text):
            yield from wrapped(Content.styled(plain(text), DIM), width)
        case data.Beside(left=left, right=right):
            half = width // 2 - 1
            columns = _rows(left, half), _rows(right, half)
            for one, other in zip_longest(*columns, fillvalue=Content("")):
                yield Content.assemble(one, " " * (width - half - one.cell_length), other)
        case data.Picture():
            pass


def _choices(choices: data.Choices, width: int) -> Iterator[Content]:
    pieces = [_choice(one) for one in choices.rows]
    widest = max((piece.cell_length for piece in pieces), default=0) + 3
    if len(pieces) > FEW and 2 * widest > width:
        short = [msgspec.structs.replace(one, note="", reason="") for one in choices.rows]
        pieces = [_choice(one) for one in short]
        widest = max(piece.cell_length for piece in pieces) + 3
    count = max(width // widest, 1) if pieces else 1
    if count == 1:
        for piece in pieces:
            yield from hanging(piece, width, 3)
        return
    height = -(-len(pieces) // count)
    for row in range(height):
        *padded, last = pieces[row::height]
        gaps = [piece.pad_right(widest - piece.cell_length) for piece in padded]
        yield Content("").join([*gaps, last])


def _choice(one: data.Choice) -> Content:
    named = key_name(one.key) if one.key[1:] else one.key
    key = Content.styled(f"{named} ", DIM if one.why_not else KEY)
    mark = Content.styled("✓", KEY) if one.mark else Content("")
    if one.why_not:
        reason = f"  {plain(one.reason)}" if one.reason else ""
        return Content.assemble(key, (plain(one.text), DIM), (reason, DIM))
    note = f"  {plain(one.note)}" if one.note else ""
    line = Content.assemble(key, mark, plain(one.text), (note, DIM))
    click = f"@click=screen.press('{one.key}')"
    return line.stylize(click) if len(one.key) == 1 else line


def _apart(before: data.Block, block: data.Block) -> bool:
    """Whether a blank row separates two blocks: not below a heading, nor within a list."""
    if isinstance(before, data.Heading) or isinstance(block, data.Choices):
        return False
    if isinstance(before, data.Choices):
        return False
    return not listed(before, block)


def _gauge(gauge: data.Gauge, width: int) -> Content:
    room = max(min(GAUGE, width // 3), NARROWEST)
    share = (
        Fraction(min(max(gauge.value, 0), gauge.full), gauge.full) if gauge.full else Fraction(0)
    )
    filled = round(room * share)
    filled = max(filled, 1) if gauge.value > 0 else filled
    note = f"  {plain(gauge.note)}" if gauge.note else ""
    return Content.assemble(
        padded(plain(gauge.name), max(min(24, width // 3), NARROWEST)),
        " ",
        ("█" * filled, "$accent"),
        ("░" * (room - filled), DIM),
        (f" {gauge.value}/{gauge.full}", STRONG),
        (note, DIM),
    ).truncate(max(width, 1), ellipsis=True)


def _table(table: data.Table, width: int) -> Iterator[Content]:
    first_total = len(table.rows) - table.totals
    for at, line in table_lines(table, width, _blocks):
        style = DIM if at < 0 else KEY if at == table.mark else STRONG if at >= first_total else ""
        text = Content.styled(line, style)
        bar = len(line) - len(line.rstrip("█▌"))
        if bar:
            text = text.stylize(_ink(table.party), len(line) - bar, len(line))
        yield text


def _ink(party: data.Party) -> str:
    return PARTIES[1 if party is None else party]


def _blocks(share: float, room: int) -> str:
    halves = max(round(2 * room * share), share > 0)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def _bars(bars: data.Bars, width: int) -> Iterator[Content]:
    full = bars.full or max((bar.value for bar in bars.rows), default=0) or 1
    name = min(max((cell_len(plain(bar.name)) for bar in bars.rows), default=0), width // 3)
    note = max((cell_len(plain(bar.note)) for bar in bars.rows), default=0)
    room = max(min(BAR, width - name - note - 2), NARROWEST)
    for bar in bars.rows:
        drawn = _blocks(bar.value / full, room)
        yield Content.assemble(
            padded(plain(bar.name), name),
            " ",
            (drawn, "$accent"),
            " " if drawn else "",
            plain(bar.note),
        ).truncate(max(width, 1), ellipsis=True)


def _pairs(pairs: data.Pairs, width: int) -> Iterator[Content]:
    """The first side's bars extend to the left of the moments, the other's to the right."""
    most = max((max(one.first, one.second) for one in pairs.rows), default=0)
    room = max(NARROWEST, (width - 14) // 2)
    each = max(-(-most // room), 1)
    first, second = (shortened(plain(name), room) for name in pairs.parties)
    left = " " * (room + 4 - cell_len(first)) + first
    yield Content.assemble((left, PARTIES[0]), "      ", (second, PARTIES[1]))
    for one in pairs.rows:
        yield Content.assemble(
            f"{one.first or '–':>3} ",
            (f"{_half_blocks(one.first, each, '▐'):>{room}}", PARTIES[0]),
            (f" {plain(one.name):^4} ", STRONG),
            (_half_blocks(one.second, each, "▌"), PARTIES[1]),
            f" {one.second or '–'}",
        )
    if each > 1:
        yield Content.styled(f"█ is {each}", DIM)


def _half_blocks(value: int, each: int, half: str) -> str:
    halves = -(-2 * value // each)
    blocks, more = "█" * (halves // 2), half * (halves % 2)
    return more + blocks if half == "▐" else blocks + more


def _curves(curves: data.Curves, width: int) -> Iterator[Content]:
    """A strip for each side, so that they differ without colours: above the line positive, below it
    negative."""
    moments = len(curves.rows[0].values) - 1
    places = max(1, min(width - LABEL, OF_A_MOMENT * moments))
    strips = [curve.sampled(places) for curve in curves.rows]
    rows = next(rows for least, rows in STRIPS if width >= least)
    up, down, step = _frame([value for strip in strips for value in strip], rows)
    for curve, strip, ink in zip(curves.rows, strips, PARTIES, strict=True):
        name = shortened(plain(curve.name), max(width - 8, NARROWEST))
        yield Content.styled(f"{name} {signed(curve.values[-1])}", f"bold {ink}")
        for label, row in strip_rows(strip, up, down, step):
            yield Content.assemble((f"{label:>{LABEL - 1}} ", DIM), (row, ink))
    line = ""
    for at, name in curves.ticks:
        place = at * places // max(moments, 1)
        if not line or place > len(line):
            line = f"{line:<{place}}{name}"
    yield Content.styled(f"{curves.name.lower():>{LABEL - 1}} {line[:places]}", DIM)


def strip_rows(
    strip: Sequence[float], up: int, down: int, step: float
) -> Iterator[tuple[str, str]]:
    """The labelled rows of a strip from the top; half a block is worth ``step``."""
    halves = [round(value / step) for value in strip]
    for row in range(up, 0, -1):
        label = f"+{2 * row * step:g}" if row == up else ""
        yield label, "".join(_half(half, row, "▄") for half in halves)
    yield "0", "─" * len(strip)
    for row in range(1, down + 1):
        label = f"–{2 * row * step:g}" if row == down else ""
        yield label, "".join(_half(-half, row, "▀") for half in halves)


def _half(half: int, row: int, begun: str) -> str:
    if half >= 2 * row:
        return "█"
    return begun if half == 2 * row - 1 else " "


def _frame(values: Sequence[float], rows: int) -> tuple[int, int, float]:
    highest, lowest = max(0.0, *values), max(0.0, *(-value for value in values))
    for step in HALVES:
        up, down = (-(-round(extent / step) // 2) for extent in (highest, lowest))
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
    short = shortened(text, cells)
    return short + " " * (cells - cell_len(short))


def wrapped(text: Content, width: int) -> list[Content]:
    """A text in rows. No-break spaces hold, at which Textual would break."""
    if NO_BREAK not in text.plain:
        return text.wrap(max(width, 1))
    held = Content(text.plain.replace(NO_BREAK, HELD), [*text.spans]).wrap(max(width, 1))
    return [Content(row.plain.replace(HELD, NO_BREAK), [*row.spans]) for row in held]


def rows_of(text: Content, width: int) -> int:
    return len(wrapped(text, width))


def fitted(
    lines: Sequence[Content], width: int, room: int, rest: Callable[[int], Content]
) -> tuple[Content, int]:
    """As many lines as fit, and the rows that they take; ``rest`` words the number of lines left
    out."""
    shown: list[Content] = []
    used = 0
    for index, line in enumerate(lines):
        whole = line.cell_length <= room * width  # else it is not worth wrapping
        need = rows_of(line, width) if whole else room + 1
        more = index + 1 < len(lines)
        if used + need + more > room:
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
    rest = text[len(head.plain) :]
    stripped = len(rest.plain) - len(rest.plain.lstrip())
    inner = wrapped(rest[stripped:], width - indent)
    return [head, *(Content.assemble(" " * indent, line) for line in inner)]
