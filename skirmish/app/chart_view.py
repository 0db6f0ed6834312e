"""The numbers of a page on the screen: facts, tables, gauges, bars, and charts over time. Each
function draws one block of `tabletop.page` in rows of at most ``width`` columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from rich.cells import cell_len
from textual.content import Content

from skirmish.app.text_rows import hanging, padded, shortened
from skirmish.app.text_styles import DIM, KEY, PARTY_COLOURS, STRONG, party_colour
from skirmish.tabletop import page as data  # the blocks, as in ``data.Gauge``
from skirmish.tabletop.page import signed
from skirmish.tabletop.table_text import TITLES, table_lines
from skirmish.tabletop.typed import plain

LONGEST_GAUGE, LONGEST_GAUGE_NAME = 20, 24
"""The most columns of a gauge, and of its name."""
LONGEST_BAR = 32
"""The most columns of a bar."""
NARROWEST = 8
"""The fewest columns of a gauge, a bar or a name."""
PAIR_NUMBER, PAIR_NAME = 4, 6
"""Columns of a number beside a pair of bars with its blank, and of the moment between the bars."""
CURVE_LABEL = 7
"""Columns of the numbers to the left of a curve, and of the blank after them."""
WIDEST_MOMENT = 4
"""The most columns for one moment of a curve."""
ROOM_FOR_CURVE_NUMBER = 8
"""Columns that the name of a curve leaves to its last value, as in `` +1234.5``."""
HIGH_STRIP_FROM = 90
"""Columns of the screen from which the strip of a curve is a high one."""
HIGH_STRIP, LOW_STRIP = 9, 4
"""Rows of a high strip and of a low one."""
HALF_BLOCK_VALUES = (
    0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 4.0, 5.0, 7.5, 10.0, 25.0, 50.0, 250.0,
)  # fmt: skip
"""Values that half a block of a curve may represent, chosen so that the labels of the curve are
round numbers."""


def fact_rows(facts: data.Facts, width: int) -> Iterator[Content]:
    """Names and values in two columns; names take at most half the width."""
    name_width = min(_widest(name for name, _ in facts.rows), width // 2)
    for name, value in facts.rows:
        label = Content.styled(padded(plain(name), name_width), DIM)
        yield from hanging(Content.assemble(label, "  ", plain(value)), width, name_width + 2)


def gauge_row(gauge: data.Gauge, width: int) -> Content:
    """A name, a bar and its numbers in a row."""
    third = width // 3
    name_width = max(min(LONGEST_GAUGE_NAME, third), NARROWEST)
    gauge_width = max(min(LONGEST_GAUGE, third), NARROWEST)
    filled = _filled(gauge, gauge_width)
    note = ""
    if gauge.note:
        note = f"  {plain(gauge.note)}"
    row = Content.assemble(
        padded(plain(gauge.name), name_width),
        " ",
        ("█" * filled, "$accent"),
        ("░" * (gauge_width - filled), DIM),
        (f" {gauge.value}/{gauge.full}", STRONG),
        (note, DIM),
    )
    return row.truncate(max(width, 1), ellipsis=True)


def _filled(gauge: data.Gauge, gauge_width: int) -> int:
    """How many columns of a gauge are filled: at least one for any value above 0."""
    filled = 0
    if gauge.full:
        value = min(max(gauge.value, 0), gauge.full)
        filled = round(gauge_width * Fraction(value, gauge.full))
    if gauge.value > 0:
        filled = max(filled, 1)
    return filled


def table_rows(table: data.Table, width: int) -> Iterator[Content]:
    """The rows of a table: its titles dim, its sums bold, its bars in the colour of a side."""
    for line in table_lines(table, width, _bar):
        text = Content.styled(line.text, _row_style(table, line.row))
        if line.bar_length:
            # A bar is always at the end of its line.
            end = len(line.text)
            text = text.stylize(party_colour(table.party), end - line.bar_length, end)
        yield text


def _row_style(table: data.Table, row: int) -> str:
    """The style of a row of a table, whose number may be ``TITLES``."""
    if row == TITLES:
        return DIM
    if row == table.mark:
        return KEY
    if row >= len(table.rows) - table.totals:
        return STRONG
    return ""


def bar_rows(bars: data.Bars, width: int) -> Iterator[Content]:
    """A row for each bar, between its name and its note."""
    full = bars.full
    if not full:
        full = max((bar.value for bar in bars.rows), default=0)
    name_width = min(_widest(bar.name for bar in bars.rows), width // 3)
    note_width = _widest(bar.note for bar in bars.rows)
    # A blank stands on either side of a bar.
    full_width = max(min(LONGEST_BAR, width - name_width - note_width - 2), NARROWEST)
    for bar in bars.rows:
        row = Content.assemble(padded(plain(bar.name), name_width), " ")
        share = 0.0
        if full:  # otherwise all bars are 0
            share = bar.value / full
        blocks = _bar(share, full_width)
        if blocks:
            row = Content.assemble(row, (blocks, party_colour(bar.party)), " ")
        row = Content.assemble(row, plain(bar.note))
        yield row.truncate(max(width, 1), ellipsis=True)


def _bar(share: float, full_width: int) -> str:
    """A bar in half blocks; any share above 0 has at least one."""
    halves = round(2 * full_width * share)
    if share > 0:
        halves = max(halves, 1)
    return "█" * (halves // 2) + "▌" * (halves % 2)


def _widest(texts: Iterable[str]) -> int:
    """The columns of the longest text; 0 if there is none."""
    return max((cell_len(plain(text)) for text in texts), default=0)


# ------------------------------------------------------------------ two sides over time: bars


def pair_rows(pairs: data.Pairs, width: int) -> Iterator[Content]:
    """The first side's bars extend to the left of the moments, the other's to the right:
    ``12 ▐██  3  █ 4``."""
    highest = 0
    for row in pairs.rows:
        highest = max(highest, row.first, row.second)
    bar_width = max(NARROWEST, (width - 2 * PAIR_NUMBER - PAIR_NAME) // 2)
    block_value = max(ceil(highest / bar_width), 1)
    first_name, second_name = pairs.parties
    first = shortened(plain(first_name), bar_width)
    second = shortened(plain(second_name), bar_width)
    # The names of the sides stand above their bars, next to the middle.
    indent = " " * (PAIR_NUMBER + bar_width - cell_len(first))
    middle = " " * PAIR_NAME
    yield Content.assemble((indent + first, PARTY_COLOURS[0]), middle, (second, PARTY_COLOURS[1]))
    for row in pairs.rows:
        yield Content.assemble(
            f"{_number_or_dash(row.first):>{PAIR_NUMBER - 1}} ",
            (f"{_bar_to_the_left(row.first, block_value):>{bar_width}}", PARTY_COLOURS[0]),
            (f" {plain(row.name):^{PAIR_NAME - 2}} ", STRONG),
            (_bar_to_the_right(row.second, block_value), PARTY_COLOURS[1]),
            f" {_number_or_dash(row.second)}",
        )
    if block_value > 1:
        yield Content.styled(f"█ is {block_value}", DIM)


def _number_or_dash(number: int) -> str:
    if number:
        return str(number)
    return "–"


# Rounded up: whoever has any number has a bar, however short.
def _bar_to_the_left(value: int, block_value: int) -> str:
    halves = ceil(2 * value / block_value)
    return "▐" * (halves % 2) + "█" * (halves // 2)


def _bar_to_the_right(value: int, block_value: int) -> str:
    halves = ceil(2 * value / block_value)
    return "█" * (halves // 2) + "▌" * (halves % 2)


# ------------------------------------------------------------------ two sides over time: curves


class _StripScale(NamedTuple):
    """Rows above and below the zero line of a strip, and the value of half a block."""

    rows_above: int
    rows_below: int
    half_block_value: float


def curve_rows(curves: data.Curves, width: int) -> Iterator[Content]:
    """A strip for each side, so that they differ without colours: above the zero line positive,
    below it negative."""
    moments = len(curves.rows[0].values) - 1  # the first value is that before them all
    columns = max(1, min(width - CURVE_LABEL, WIDEST_MOMENT * moments))
    strips = [curve.sampled(columns) for curve in curves.rows]
    # One scale for all strips, so that the sides can be compared.
    values: list[float] = []
    for strip in strips:
        values += strip
    scale = _strip_scale(values, _strip_height(width))
    for curve, strip, colour in zip(curves.rows, strips, PARTY_COLOURS, strict=True):
        name = shortened(plain(curve.name), max(width - ROOM_FOR_CURVE_NUMBER, NARROWEST))
        yield Content.styled(f"{name} {signed(curve.values[-1])}", f"bold {colour}")
        for label, row in strip_rows(strip, *scale):
            yield Content.assemble((_curve_label(label), DIM), (row, colour))
    ticks = _tick_row(curves, moments, columns)
    yield Content.styled(_curve_label(curves.name.lower()) + ticks, DIM)


def _curve_label(label: str) -> str:
    """What stands to the left of a row of a curve."""
    return f"{label:>{CURVE_LABEL - 1}} "


def _tick_row(curves: data.Curves, moments: int, columns: int) -> str:
    """The names of moments, each below its own; one that has no room behind the name before it is
    left out."""
    row = ""
    for tick in curves.ticks:
        place = tick.moment * columns // max(moments, 1)
        if not row or place > len(row):
            row = f"{row:<{place}}{tick.name}"
    return row[:columns]


def _strip_height(width: int) -> int:
    if width >= HIGH_STRIP_FROM:
        return HIGH_STRIP
    return LOW_STRIP


def _strip_scale(values: Sequence[float], height: int) -> _StripScale:
    """The finest scale with which the highest and the lowest value fit into ``height`` rows, the
    zero line included. If they fit with none, the coarsest: the strip is higher then."""
    highest = max([0.0, *values])
    lowest = min([0.0, *values])
    for half_block_value in HALF_BLOCK_VALUES:
        rows_above = ceil(round(highest / half_block_value) / 2)
        rows_below = ceil(round(-lowest / half_block_value) / 2)
        if rows_above + 1 + rows_below <= height:
            break
    return _StripScale(rows_above, rows_below, half_block_value)


def strip_rows(
    strip: Sequence[float], rows_above: int, rows_below: int, half_block_value: float
) -> Iterator[tuple[str, str]]:
    """The rows of a strip from the top, each with its label: ``rows_above`` the zero line, that
    line, ``rows_below`` it. The outermost rows have their value as the label."""
    halves = [round(value / half_block_value) for value in strip]
    for row in range(rows_above, 0, -1):
        label = ""
        if row == rows_above:
            label = f"+{2 * row * half_block_value:g}"
        yield label, "".join(_block_in_row(count, row, "▄") for count in halves)
    yield "0", "─" * len(strip)
    for row in range(1, rows_below + 1):
        label = ""
        if row == rows_below:
            label = f"–{2 * row * half_block_value:g}"
        yield label, "".join(_block_in_row(-count, row, "▀") for count in halves)


def _block_in_row(halves: int, row: int, half_block: str) -> str:
    """What a column of so many half blocks shows in a row, counted from the zero line."""
    if halves >= 2 * row:
        return "█"
    if halves == 2 * row - 1:
        return half_block
    return " "
