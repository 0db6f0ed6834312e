"""A page as plain text and as Markdown."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

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
    Step,
    Steps,
    Table,
)
from skirmish.tabletop.typed import plain

WIDTH = 79
"""Columns of a line of plain text, where words allow."""
BAR = 24
"""Columns of the longest bar."""
STEP_MARKS = {"done": "x", "now": ">", "next": " ", "skipped": "-"}
_UNDERLINES = {1: "=", 2: "-"}


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0
        if unicodedata.category(sign) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(sign) in "WF")
        for sign in text
    )


def columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Rows as lines of a table, the columns whose numbers are in ``right`` flush right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        parts = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            gap = " " * (width - cells(text))
            parts.append(gap + text if index in right else text + gap)
        yield "  ".join(parts).rstrip()


def wrapped(text: str, indent: str = "", hanging: str | None = None, width: int = WIDTH) -> str:
    """A sentence in lines; those after the first begin with ``hanging``."""
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


# ------------------------------------------------------------------ plain text


def as_text(page: Page, width: int = WIDTH) -> str:
    """The page as plain text, ending with a line end. Nothing in it steers a terminal."""
    text = _underlined(page.title, 1, width) if page.title else ""
    before: Block | None = None
    for block in page.blocks:
        if part := _text(block, width):
            gauges = isinstance(before, Gauge) and isinstance(block, Gauge)
            text += ("" if not text else "\n" if gauges else "\n\n") + part
            before = block
    return "".join(f"{plain(line)}\n" for line in text.split("\n"))


def _text(block: Block, width: int) -> str:
    match block:
        case Heading(text=text, level=level):
            return _underlined(text, level, width)
        case Paragraph(text=text, lead=lead):
            return wrapped(f"{lead} {text}" if lead else text, width=width)
        case Items(lines=lines):
            return "\n".join(wrapped(line, "- ", "  ", width) for line in lines)
        case Facts(rows=rows):
            longest = max((cells(name) for name, _ in rows), default=0)
            return "\n".join(
                wrapped(
                    value, f"{name}{' ' * (longest - cells(name))}  ", " " * (longest + 2), width
                )
                for name, value in rows
            )
        case Gauge(name=name, value=value, full=full, note=note):
            filled = round(BAR * min(max(value, 0), full) / full) if full else 0
            bar = "#" * filled + "." * (BAR - filled)
            return f"{name}  [{bar}] {value} of {full}{f', {note}' if note else ''}"
        case Table():
            return "\n".join(_table_lines(block))
        case Bars(rows=rows):
            return "\n".join(_bar_lines(block)) if rows else ""
        case Steps(rows=rows):
            return "\n".join(
                wrapped(
                    f"{step.text}{f': {step.note}' if step.note else ''}",
                    f"[{STEP_MARKS[step.state]}] ",
                    "    ",
                    width,
                )
                for step in rows
            )
        case Choices(rows=rows):
            return _text(Facts(tuple((one.key, _choice(one)) for one in rows)), width)
        case Note(text=text):
            return wrapped(text, width=width)


def _choice(one: Choice) -> str:
    if one.why_not:
        return f"{one.text} (not now: {one.why_not})"
    mark = " [chosen]" if one.mark else ""
    return f"{one.text}{f': {one.note}' if one.note else ''}{mark}"


def _underlined(text: str, level: int, width: int) -> str:
    sign = _UNDERLINES.get(level)
    return f"{text}\n{sign * min(cells(text), width)}" if sign else text


def _table_lines(table: Table) -> Iterator[str]:
    right = [at for at, column in enumerate(table.columns) if column.number]
    rows = [tuple(column.title for column in table.columns), *table.rows]
    yield from columns(rows, right)


def _bar_lines(bars: Bars) -> Iterator[str]:
    full = bars.full or max(bar.value for bar in bars.rows) or 1
    rows = [
        (bar.name, "#" * max(round(BAR * bar.value / full), bar.value > 0), bar.note)
        for bar in bars.rows
    ]
    yield from columns(rows)


# ------------------------------------------------------------------ Markdown


def as_markdown(page: Page) -> str:
    """The page as Markdown, ending with a line end. Texts are text in it, never markup."""
    parts = [f"# {escaped(page.title)}"] if page.title else []
    parts += [_markdown(block) for block in page.blocks]
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(text=text, level=level):
            return f"{'#' * level} {escaped(text)}"
        case Paragraph(text=text, lead=lead, tone=tone):
            said = f"**{escaped(text)}**" if tone == "strong" else escaped(text)
            return f"**{escaped(lead)}** {said}" if lead else said
        case Items(lines=lines):
            return "\n".join(f"- {escaped(line)}" for line in lines)
        case Facts(rows=rows):
            return "\n".join(f"- **{escaped(name)}:** {escaped(value)}" for name, value in rows)
        case Gauge(name=name, value=value, full=full, note=note):
            more = f", {escaped(note)}" if note else ""
            return f"**{escaped(name)}:** {value} of {full}{more}"
        case Table():
            return _markdown_table(block)
        case Bars(rows=rows):
            return "\n".join(f"- **{escaped(bar.name)}:** {escaped(bar.note)}" for bar in rows)
        case Steps(rows=rows):
            return "\n".join(f"{at}. {_markdown_step(step)}" for at, step in enumerate(rows, 1))
        case Choices(rows=rows):
            return "\n".join(f"- **{escaped(one.key)}** {escaped(_choice(one))}" for one in rows)
        case Note(text=text):
            return f"*{escaped(text)}*" if text else ""


def _markdown_step(step: Step) -> str:
    text = escaped(step.text)
    text = f"**{text}**" if step.state == "now" else text
    return f"{text}: {escaped(step.note)}" if step.note else text


def _markdown_table(table: Table) -> str:
    head = [escaped(column.title) for column in table.columns]
    marks = ["---:" if column.number else "---" for column in table.columns]
    body = ([escaped(cell) for cell in row] for row in table.rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, marks, *body))


_MARKUP = re.compile(r"([\\`*_<\[\]|~]|&(?=[#\w])|^[#>+\-=](?=\s|$|[-=])|^\d+(?=[.)]))")


def escaped(text: str) -> str:
    """A text that Markdown shows as it is."""

    def mark(found: re.Match[str]) -> str:
        sign = found[0]
        return f"{sign}\\" if sign[0].isdigit() else f"\\{sign}"

    return _MARKUP.sub(mark, plain(text))
