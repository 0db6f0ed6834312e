"""A page as Markdown. All texts of a page are escaped: none of them is markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skirmish.tabletop import page as data  # the blocks, as in ``data.Heading``
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
            return _paragraph_markdown(block)
        case data.Banner():
            return _banner_markdown(block)
        case data.Items():
            return _items_markdown(block)
        case data.Facts():
            return _list_markdown(block.rows)
        case data.Gauge():
            return _gauge_markdown(block)
        case data.Table():
            return _table_markdown(block)
        case data.Bars():
            return _bars_markdown(block)
        case data.Steps():
            return _steps_markdown(block)
        case data.Choices():
            return _choices_markdown(block)
        case data.Note():
            return _note_markdown(block.text)
    # Markdown shows no picture, and a page in one column has nothing side by side.
    return ""


def _banner_markdown(banner: data.Banner) -> str:
    """The result in bold, and the paragraphs below it."""
    parts = [_bold_markdown(banner.text)]
    for paragraph in banner.lines:
        parts.append(_block_markdown(paragraph))
    return "\n\n".join(parts)


def _items_markdown(items: data.Items) -> str:
    """A list without numbers."""
    return "\n".join(f"- {escaped(line)}" for line in items.lines)


def _bars_markdown(bars: data.Bars) -> str:
    """The bars as a list: the name of each, with its value in words."""
    return _list_markdown([(bar.name, bar.note) for bar in bars.rows])


def _steps_markdown(steps: data.Steps) -> str:
    """A numbered list."""
    lines = []
    for number, step in enumerate(steps.rows, 1):
        lines.append(f"{number}. {_step_markdown(step)}")
    return "\n".join(lines)


def _choices_markdown(choices: data.Choices) -> str:
    """What may be chosen, each behind its key in bold."""
    lines = []
    for choice in choices.rows:
        lines.append(f"- {_bold_markdown(choice.key)} {escaped(choice_words(choice))}")
    return "\n".join(lines)


def _note_markdown(text: str) -> str:
    """A note in italics."""
    if not text:  # two asterisks around nothing would be printed
        return ""
    return f"*{escaped(text)}*"


def _bold_markdown(text: str) -> str:
    """A text in bold, its own markup escaped."""
    return f"**{escaped(text)}**"


def _paragraph_markdown(paragraph: data.Paragraph) -> str:
    """A paragraph with its lead in bold; the text too, if its tone is strong. Its remark about keys
    is left out, since only terminals show that."""
    text = escaped(paragraph.text)
    if paragraph.tone == "strong":
        text = f"**{text}**"
    lead = ""
    if paragraph.lead:
        lead = _bold_markdown(paragraph.lead)
    parts = (lead, escaped(paragraph.aside), text)
    return " ".join(part for part in parts if part)


def _list_markdown(rows: Sequence[tuple[str, str]]) -> str:
    """A list of names in bold, each with its value."""
    return "\n".join(f"- **{escaped(name)}:** {escaped(value)}" for name, value in rows)


def _gauge_markdown(gauge: data.Gauge) -> str:
    """A gauge in numbers: ``100 of 420``."""
    text = f"**{escaped(gauge.name)}:** {gauge.value} of {gauge.full}"
    if gauge.note:
        text += f", {escaped(gauge.note)}"
    return text


def _step_markdown(step: data.Step) -> str:
    """A step with its note; the present one is in bold, and no other state is shown."""
    text = escaped(step.text)
    if step.state == "now":
        text = f"**{text}**"
    if step.note:
        text += f": {escaped(step.note)}"
    return text


def _table_markdown(block: data.Table) -> str:
    """A table, without the bars that other media draw in it."""
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
"""What Markdown reads as markup unless it is escaped by a backslash."""


def escaped(text: str) -> str:
    """The text as Markdown that shows it as it is, without control characters."""
    return _MARKUP.sub(_escaped_sign, plain(text))


def _escaped_sign(match: re.Match[str]) -> str:
    """A sign that is markup, with the backslash that makes it a plain one."""
    markup = match[0]
    if markup[0].isdigit():
        return f"{markup}\\"  # in "1.", which begins an item, the point is escaped
    return f"\\{markup}"
