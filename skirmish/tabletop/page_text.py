"""A page as plain text and as Markdown; and the widths of a table's columns."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from skirmish.tabletop import page as data
from skirmish.tabletop.page import signed, table
from skirmish.tabletop.typed import plain

WIDTH = 79
"""Columns of a line of plain text, unless a word is longer."""
BAR = 24
"""Columns of the longest bar."""
NARROWEST = 8
"""The minimal width of a column of words, and of a bar."""
STEP_MARKS = {"done": "x", "now": ">", "next": " ", "skipped": "-"}
_UNDERLINES = {1: "=", 2: "-"}
Drawn = Callable[[float, int], str]
"""A bar that fills such a share of so many columns."""


def cells(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(sign) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def clipped(text: str, width: int) -> str:
    if cells(text) <= width:
        return text
    while text and cells(text) > width - 1:
        text = text[:-1]
    return text + "…"


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Rows as lines of a table; the columns with the indices ``right`` are aligned right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        parts = (
            _set(text, width, right=at in right)
            for at, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(parts).rstrip()


def _set(text: str, width: int, *, right: bool) -> str:
    gap = " " * (width - cells(text))
    return gap + text if right else text + gap


def wrapped(text: str, indent: str = "", hanging: str | None = None, width: int = WIDTH) -> str:
    """A text in lines; those after the first begin with ``hanging``."""
    return "\n".join(
        textwrap.wrap(
            text,
            width,
            initial_indent=indent,
            subsequent_indent=indent if hanging is None else hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
    )


def listed(before: data.Block | None, block: data.Block) -> bool:
    """Whether two blocks are part of one list, with no blank line between them."""
    if isinstance(before, data.Paragraph) and isinstance(block, data.Paragraph):
        return bool(before.lead and block.lead)
    return type(before) is type(block) and isinstance(block, data.Gauge | data.Facts | data.Note)


def hashes(share: float, width: int) -> str:
    return "#" * max(round(width * share), share > 0)


def table_lines(found: data.Table, width: int, drawn: Drawn = hashes) -> Iterator[tuple[int, str]]:
    """The lines of a table, each with the number of its row; titles are row -1. Cells that do not
    fit take several lines: first the titles of numbers, then the longest words."""
    titles = [one.title for one in found.columns]
    rows = [[plain(cell) for cell in row] for row in (titles, *found.rows)]
    numbers = [one.number for one in found.columns]
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    least = list(widths)
    for at, (title, *column) in enumerate(zip(*rows, strict=True)):
        if numbers[at]:
            word = max(map(cells, title.split(" ")))
            least[at] = max(min(word, 2 * NARROWEST), *map(cells, column), 0)
    gap = 2 if sum(least) + 2 * (len(widths) - 1) <= width else 1
    for at, number in enumerate(numbers):
        least[at] = least[at] if number else NARROWEST
    over = sum(widths) + gap * (len(widths) - 1) - width
    while over > 0 and (wide := [at for at, one in enumerate(widths) if one > least[at]]):
        widths[max(wide, key=lambda at: (numbers[at], widths[at]))] -= 1
        over -= 1
    bars = _bars_of(found, min(-over - 1, BAR), drawn)
    for at, row in enumerate(rows, -1):
        texts = [folded(cell, width) for cell, width in zip(row, widths, strict=True)]
        tall = max(map(len, texts), default=0)
        if at < 0:  # titles are aligned at the bottom
            texts = [[""] * (tall - len(text)) + text for text in texts]
        for line in range(tall):
            parts = [
                _set(text[line] if line < len(text) else "", width, right=number)
                for text, width, number in zip(texts, widths, numbers, strict=True)
            ]
            bar = bars[at] if bars and at >= 0 and not line else ""
            yield at, f"{(' ' * gap).join(parts)} {bar}".rstrip()


def _bars_of(found: data.Table, width: int, drawn: Drawn) -> list[str]:
    if width < NARROWEST or not found.columns[-1].bar:
        return []
    bare = len(found.rows) - found.totals
    values = [float(row[-1]) if row[-1].isdigit() else 0.0 for row in found.rows]
    full = found.full or max(values[:bare], default=0) or 1
    return [drawn(value / full, width) if at < bare else "" for at, value in enumerate(values)]


def folded(text: str, width: int) -> list[str]:
    """A text in lines of at most that many columns, broken between words if possible."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and cells(line) + 1 + cells(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
        while cells(line) > width:
            fits = next(
                at for at in range(len(line), 0, -1) if cells(line[:at]) <= width or at == 1
            )
            lines.append(line[:fits])
            line = line[fits:]
    return [*lines, line]


def as_table(block: data.Pairs | data.Curves) -> data.Table:
    """The numbers of a drawn block: curves at the end of each section."""
    if isinstance(block, data.Pairs):
        rows = [
            (one.name, str(one.first), str(one.second))
            for one in block.rows
            if one.first or one.second
        ]
        return table((block.name, *block.parties), rows, numbers=(0, 1, 2))
    begins = [at for at, _ in block.ticks]
    ends = [*begins[1:], len(block.rows[0].values) - 1]
    values = [
        (name, *(signed(curve.values[end]) for curve in block.rows))
        for (_, name), end in zip(block.ticks, ends, strict=True)
    ]
    return table((block.name, *(one.name for one in block.rows)), values, numbers=(0, 1, 2))


# ------------------------------------------------------------------ plain text


def as_text(page: data.Page, width: int = WIDTH, *, titled: bool = True) -> str:
    """The page as plain text without control characters, with or without its title, ending with a
    newline."""
    text = _underlined(page.title, 1, width) if titled and page.title else ""
    if page.about:
        text += ("\n\n" if text else "") + wrapped(" · ".join(page.about), width=width)
    before: data.Block | None = None
    for block in page.in_one_column():
        if part := _text(block, width):
            text += ("" if not text else "\n" if listed(before, block) else "\n\n") + part
            before = block
    return "".join(f"{plain(line)}\n" for line in text.split("\n"))


def _text(block: data.Block, width: int) -> str:
    match block:
        case data.Heading(text=text, level=level, aside=aside):
            return _underlined(f"{text} ({aside})" if aside else text, level, width)
        case data.Paragraph(text=text, lead=lead, aside=aside):
            return wrapped(" ".join(filter(None, (lead, aside, text))), width=width)
        case data.Banner(text=text, lines=lines):
            return "\n".join((text, *(_text(line, width) for line in lines)))
        case data.Items(lines=lines):
            return "\n".join(wrapped(line, "- ", "  ", width) for line in lines)
        case data.Facts(rows=rows):
            longest = max((cells(name) for name, _ in rows), default=0)
            return "\n".join(
                wrapped(
                    value, f"{name}{' ' * (longest - cells(name))}  ", " " * (longest + 2), width
                )
                for name, value in rows
            )
        case data.Gauge(name=name, value=value, full=full, note=note):
            filled = round(BAR * min(max(value, 0), full) / full) if full else 0
            bar = "#" * filled + "." * (BAR - filled)
            return f"{name}  [{bar}] {value} of {full}{f', {note}' if note else ''}"
        case data.Table():
            return "\n".join(line for _, line in table_lines(block, width))
        case data.Pairs() | data.Curves():
            return _text(as_table(block), width)
        case data.Bars(rows=rows):
            return "\n".join(_bar_lines(block)) if rows else ""
        case data.Steps(rows=rows):
            return "\n".join(
                wrapped(
                    f"{step.text}{f': {step.note}' if step.note else ''}",
                    f"[{STEP_MARKS[step.state]}] ",
                    "    ",
                    width,
                )
                for step in rows
            )
        case data.Choices(rows=rows):
            return _text(data.Facts(tuple((one.key, _choice(one)) for one in rows)), width)
        case data.Note(text=text):
            return wrapped(text, width=width)
        case data.Picture() | data.Beside():
            return ""


def _choice(one: data.Choice) -> str:
    if one.why_not:
        return f"{one.text} (not now: {one.reason or one.why_not})"
    mark = " [chosen]" if one.mark else ""
    return f"{one.text}{f': {one.note}' if one.note else ''}{mark}"


def _underlined(text: str, level: int, width: int) -> str:
    sign = _UNDERLINES.get(level)
    return f"{text}\n{sign * min(cells(text), width)}" if sign else text


def _bar_lines(bars: data.Bars) -> Iterator[str]:
    full = bars.full or max(bar.value for bar in bars.rows) or 1
    yield from columns([(bar.name, hashes(bar.value / full, BAR), bar.note) for bar in bars.rows])


# ------------------------------------------------------------------ Markdown


def as_markdown(page: data.Page) -> str:
    """The page as Markdown, ending with a newline. Markup in its texts is escaped."""
    parts = [f"# {escaped(page.title)}"] if page.title else []
    parts += [escaped(" · ".join(page.about))] if page.about else []
    parts += [_markdown(block) for block in page.in_one_column()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown(block: data.Block) -> str:
    match block:
        case data.Heading(text=text, level=level, aside=aside):
            return f"{'#' * level} {escaped(f'{text} ({aside})' if aside else text)}"
        case data.Paragraph(text=text, lead=lead, tone=tone, aside=aside):
            words = f"**{escaped(text)}**" if tone == "strong" else escaped(text)
            parts = (f"**{escaped(lead)}**" if lead else "", escaped(aside), words)
            return " ".join(filter(None, parts))
        case data.Banner(text=text, lines=lines):
            return "\n\n".join((f"**{escaped(text)}**", *map(_markdown, lines)))
        case data.Items(lines=lines):
            return "\n".join(f"- {escaped(line)}" for line in lines)
        case data.Facts(rows=rows):
            return "\n".join(f"- **{escaped(name)}:** {escaped(value)}" for name, value in rows)
        case data.Gauge(name=name, value=value, full=full, note=note):
            more = f", {escaped(note)}" if note else ""
            return f"**{escaped(name)}:** {value} of {full}{more}"
        case data.Table():
            return _markdown_table(block)
        case data.Pairs() | data.Curves():
            return _markdown_table(as_table(block))
        case data.Bars(rows=rows):
            return "\n".join(f"- **{escaped(bar.name)}:** {escaped(bar.note)}" for bar in rows)
        case data.Steps(rows=rows):
            return "\n".join(f"{at}. {_markdown_step(step)}" for at, step in enumerate(rows, 1))
        case data.Choices(rows=rows):
            return "\n".join(f"- **{escaped(one.key)}** {escaped(_choice(one))}" for one in rows)
        case data.Note(text=text):
            return f"*{escaped(text)}*" if text else ""
        case data.Picture() | data.Beside():
            return ""


def _markdown_step(step: data.Step) -> str:
    text = escaped(step.text)
    text = f"**{text}**" if step.state == "now" else text
    return f"{text}: {escaped(step.note)}" if step.note else text


def _markdown_table(table: data.Table) -> str:
    head = [escaped(column.title) for column in table.columns]
    marks = ["---:" if column.number else "---" for column in table.columns]
    body = ([escaped(cell) for cell in row] for row in table.rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, marks, *body))


_MARKUP = re.compile(r"([\\`*_<\[\]|~]|&(?=[#\w])|^[#>+\-=](?=\s|$|[-=])|^\d+(?=[.)]))")


def escaped(text: str) -> str:

    def mark(found: re.Match[str]) -> str:
        sign = found[0]
        return f"{sign}\\" if sign[0].isdigit() else f"\\{sign}"

    return _MARKUP.sub(mark, plain(text))
