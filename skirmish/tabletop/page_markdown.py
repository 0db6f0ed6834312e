"""A page as Markdown. All texts of a page are escaped: none of them is markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skirmish.tabletop import page as data
from skirmish.tabletop.page_words import choice_words, in_words, with_aside
from skirmish.tabletop.typed import plain


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
    block = in_words(block)
    match block:
        case data.Heading():
            return f"{'#' * block.level} {escaped(with_aside(block))}"
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
        lines.append(f"- {_markdown_bold(choice.key)} {escaped(choice_words(choice))}")
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
