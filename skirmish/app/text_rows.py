"""Text fitted into rows and columns of the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from skirmish.tabletop.measure import NO_BREAK

STAND_IN = "\ue000"
"""Stands for a no-break space while a text is wrapped: it is as wide, and Textual breaks no line at
it."""


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
    """A text in rows. They do not break at no-break spaces, as Textual's would."""
    if NO_BREAK not in text.plain:
        return text.wrap(max(width, 1))
    unbreakable = Content(text.plain.replace(NO_BREAK, STAND_IN), [*text.spans])
    rows = []
    for row in unbreakable.wrap(max(width, 1)):
        rows.append(Content(row.plain.replace(STAND_IN, NO_BREAK), [*row.spans]))
    return rows


def rows_of(text: Content, width: int) -> int:
    """How many rows a text takes."""
    return len(wrapped(text, width))


class FittedLines(NamedTuple):
    """Lines as one text, and the number of rows that it takes."""

    text: Content
    rows: int


def fitted(
    lines: Sequence[Content], width: int, room: int, words_for_rest: Callable[[int], Content]
) -> FittedLines:
    """As many lines as fit into ``room`` rows. If some are left out, a last row says how many:
    ``words_for_rest`` words their number."""
    shown: list[Content] = []
    used = 0
    for index, line in enumerate(lines):
        if line.cell_length <= room * width:
            needed = rows_of(line, width)
        else:
            needed = room + 1  # too long in any case: not worth wrapping
        # Unless this is the last line, a row must stay free to say what is left out.
        is_last = index == len(lines) - 1
        reserve = 1
        if is_last:
            reserve = 0
        if used + needed + reserve > room:
            if used < room:
                lines_left_out = len(lines) - index
                shown.append(words_for_rest(lines_left_out))
                used += 1
            break
        shown.append(line)
        used += needed
    return FittedLines(Content("\n").join(shown), used)


def hanging(text: Content, width: int, indent: int) -> list[Content]:
    """A text in rows; those after the first are indented by ``indent`` columns."""
    head, *body = wrapped(text, width)
    if not indent or not body:
        return [head, *body]
    # The rest is wrapped again, since it has fewer columns.
    rest = text[len(head.plain) :]
    # Between both stand the blanks at which the row was broken.
    blanks = len(rest.plain) - len(rest.plain.lstrip())
    rows = [head]
    for line in wrapped(rest[blanks:], width - indent):
        rows.append(Content.assemble(" " * indent, line))
    return rows
