"""A page on the screen: each of its blocks as styled text in so many columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import msgspec
from rich.cells import cell_len
from textual.content import Content

from skirmish.app.fitting import hanging, padded
from skirmish.tabletop.page import (
    Bars,
    Block,
    Choice,
    Choices,
    Facts,
    Gauge,
    Heading,
    Items,
    Note,
    Page,
    Paragraph,
    Steps,
    Table,
    Tone,
)
from skirmish.tabletop.typed import plain

KEY, DIM, STRONG, HEAD = "$accent bold", "$foreground 65%", "bold", "$primary bold"
TONES: dict[Tone, str] = {
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
"""Choices that have room for a line each."""


def painted(page: Page, width: int) -> Content:
    """The blocks of a page below one another, without its title; sections apart by a blank row."""
    rows: list[Content] = []
    before: Block | None = None
    for block in page.blocks:
        lines = list(block_lines(block, width))
        if lines and before is not None and _apart(before, block):
            rows.append(Content(""))
        rows += lines
        before = block if lines else before
    return Content("\n").join(rows)


def block_lines(block: Block, width: int) -> Iterator[Content]:
    """The rows of one block."""
    match block:
        case Heading(text=text, level=level):
            said = plain(text).upper() if level < 3 else plain(text)
            yield from Content.styled(said, HEAD if level < 3 else STRONG).wrap(max(width, 1))
        case Paragraph(text=text, lead=lead, tone=tone):
            first = Content.styled(f"{plain(lead)} ", STRONG) if lead else Content("")
            rest = Content.styled(plain(text), TONES[tone])
            yield from Content.assemble(first, rest).wrap(max(width, 1))
        case Items(lines=lines):
            for line in lines:
                yield from hanging(Content(f"• {plain(line)}"), width, 2)
        case Facts(rows=rows):
            longest = min(max((cell_len(plain(name)) for name, _ in rows), default=0), width // 2)
            for name, value in rows:
                label = Content.styled(padded(plain(name), longest), DIM)
                yield from hanging(Content.assemble(label, "  ", plain(value)), width, longest + 2)
        case Gauge():
            yield _gauge(block, width)
        case Table():
            yield from _table(block, width)
        case Bars():
            yield from _bars(block, width)
        case Steps(rows=rows):
            for step in rows:
                sign = Content.styled(f"{STEP_MARKS[step.state]} ", STEP_STYLES[step.state])
                words = Content.styled(plain(step.text), STEP_STYLES[step.state])
                head = Content.assemble(sign, words)
                room = width - head.cell_length - 2
                fits = cell_len(plain(step.note)) <= room or not step.short
                note = plain(step.note if fits else step.short)
                row = Content.assemble(head, (f"  {note}" if note else "", DIM))
                yield row.truncate(max(width, 1), ellipsis=True)
        case Choices():
            yield from _choices(block, width)
        case Note(text=text):
            yield from Content.styled(plain(text), DIM).wrap(max(width, 1))


def _choices(choices: Choices, width: int) -> Iterator[Content]:
    """In as many columns as fit; many of them without their notes where these leave one column."""
    pieces = [_choice(one) for one in choices.rows]
    widest = max((piece.cell_length for piece in pieces), default=0) + 3
    if len(pieces) > FEW and 2 * widest > width:
        pieces = [_choice(msgspec.structs.replace(one, note="")) for one in choices.rows]
        widest = max(piece.cell_length for piece in pieces) + 3
    count = max(width // widest, 1) if pieces else 1
    if count == 1:
        for piece in pieces:
            yield from hanging(piece, width, 3)
        return
    height = -(-len(pieces) // count)
    for row in range(height):
        line = pieces[row::height]
        gaps = [" " * (widest - piece.cell_length) for piece in line[:-1]]
        yield Content("").join(
            part for pair in zip(line, [*gaps, ""], strict=True) for part in pair
        )


def _choice(one: Choice) -> Content:
    named = one.key.capitalize() if one.key[1:] else one.key
    key = Content.styled(f"{named} ", DIM if one.why_not else KEY)
    mark = Content.styled("✓", KEY) if one.mark else Content("")
    if one.why_not:
        return Content.assemble(key, (plain(one.text), DIM))
    note = f"  {plain(one.note)}" if one.note else ""
    said = Content.assemble(key, mark, plain(one.text), (note, DIM))
    return said.stylize(f"@click=screen.press('{one.key}')") if len(one.key) == 1 else said


def _apart(before: Block, block: Block) -> bool:
    """Whether a blank row stands between two blocks: not below a heading, nor within a list."""
    if isinstance(before, Heading) or isinstance(block, Choices):
        return False
    if isinstance(before, Choices):
        return False
    return not (type(before) is type(block) and isinstance(block, Gauge | Facts | Note))


def _gauge(gauge: Gauge, width: int) -> Content:
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


def _table(table: Table, width: int) -> Iterator[Content]:
    titles = [column.title for column in table.columns]
    rows = [[plain(cell) for cell in row] for row in (titles, *table.rows)]
    widths = _column_widths(rows, [column.number for column in table.columns], width)
    first_total = len(table.rows) - table.totals
    for at, row in enumerate(rows, -1):
        cells = []
        for text, column, room in zip(row, table.columns, widths, strict=True):
            short = padded(text, room)
            cells.append(short.strip().rjust(room) if column.number and text else short)
        style = DIM if at < 0 else KEY if at == table.mark else STRONG if at >= first_total else ""
        yield Content.styled("  ".join(cells).rstrip(), style)


def _column_widths(rows: Sequence[Sequence[str]], numbers: Sequence[bool], width: int) -> list[int]:
    """What each column needs; the widest one of words gives way where all do not fit."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    over = sum(widths) + 2 * (len(widths) - 1) - width
    words = [at for at, number in enumerate(numbers) if not number]
    while over > 0 and words:
        widest = max(words, key=lambda at: widths[at])
        if widths[widest] <= NARROWEST:
            break
        widths[widest] -= 1
        over -= 1
    return widths


def _bars(bars: Bars, width: int) -> Iterator[Content]:
    full = bars.full or max((bar.value for bar in bars.rows), default=0) or 1
    name = min(max((cell_len(plain(bar.name)) for bar in bars.rows), default=0), width // 3)
    note = max((cell_len(plain(bar.note)) for bar in bars.rows), default=0)
    room = max(min(BAR, width - name - note - 2), NARROWEST)
    for bar in bars.rows:
        halves = round(2 * room * bar.value / full)
        drawn = "█" * (halves // 2) + "▌" * (halves % 2)
        yield Content.assemble(
            padded(plain(bar.name), name),
            " ",
            (drawn, "$accent"),
            " " if drawn else "",
            plain(bar.note),
        ).truncate(max(width, 1), ellipsis=True)
