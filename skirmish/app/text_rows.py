"""Text fitted into rows and columns, with a count of what is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skirmish.tabletop.measure import NO_BREAK

HELD = "\ue000"
"""Stands for a no-break space while a text is wrapped: as wide, and no blank."""


def shortened(text: str, cells: int) -> str:
    """A name in at most ``cells`` cells, ending in an ellipsis if cut."""
    if cell_len(text) <= cells:
        return text
    return f"{set_cell_size(text, cells - 1).rstrip()}…"


def padded(text: str, cells: int) -> str:
    """A name in exactly ``cells`` cells."""
    name = shortened(text, cells)
    return name + " " * (cells - cell_len(name))


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


class FittedLines(NamedTuple):
    """A text, and the rows that it takes."""

    text: Content
    rows: int


def fitted(
    lines: Sequence[Content], width: int, room: int, rest: Callable[[int], Content]
) -> FittedLines:
    """As many lines as fit; ``rest`` words the number of lines left out."""
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
    return FittedLines(Content("\n").join(shown), used)


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
