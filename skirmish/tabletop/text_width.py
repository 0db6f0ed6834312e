"""The width of a text in a terminal, and texts that are clipped, aligned, wrapped or folded to fit.

Widths are in columns of a terminal, its cells: a Chinese character takes two, a combining accent
none.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence

WIDTH = 79
"""The usual width of plain text: one column of an old terminal stays free."""
_CATEGORIES_WITHOUT_WIDTH = ("Mn", "Me", "Cf")
"""Unicode's categories of signs that join the one before them (Mn, Me) or are not shown (Cf)."""


def cells(text: str) -> int:
    """The columns that a text takes in a terminal."""
    if text.isascii():  # as most texts are; this is the faster way
        return len(text)
    return sum(_cells_of_sign(sign) for sign in text)


def _cells_of_sign(sign: str) -> int:
    """The columns that one sign takes: none, one or two."""
    if unicodedata.category(sign) in _CATEGORIES_WITHOUT_WIDTH:
        return 0
    # Wide (W) or of full width (F), as a terminal shows Chinese and Japanese signs.
    if unicodedata.east_asian_width(sign) in ("W", "F"):
        return 2
    return 1


def clipped(text: str, width: int) -> str:
    """The text in at most that many columns; a text that is cut off ends with ``…``."""
    if cells(text) <= width:
        return text
    # The sign for what is missing takes a column itself.
    while text and cells(text) > width - 1:
        text = text[:-1]
    return text + "…"


def in_columns(rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> Iterator[str]:
    """Rows as lines of a table, each column as wide as its longest text. The columns with the
    indices ``right`` are aligned right."""
    widths = [max(map(cells, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        parts = []
        for index, (text, width) in enumerate(zip(row, widths, strict=True)):
            parts.append(aligned(text, width, right=index in right))
        yield "  ".join(parts).rstrip()


def aligned(text: str, width: int, *, right: bool) -> str:
    """A text filled up with spaces to that width: behind it, or before it if it is aligned
    ``right``."""
    gap = " " * (width - cells(text))
    if right:
        return gap + text
    return text + gap


def wrapped(text: str, indent: str = "", hanging: str | None = None, width: int = WIDTH) -> str:
    """A text broken into lines between its words. The first line begins with ``indent``, the others
    with ``hanging`` (by default the same)."""
    if hanging is None:
        hanging = indent
    # A long word is an address or a path, which must stay whole to be copied.
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines)


def folded(text: str, width: int) -> list[str]:
    """A text in lines of at most that many columns, broken between words if possible. Unlike
    ``wrapped``, this breaks a long word too: it is for a cell of a table, which the word must not
    leave."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        if not line:
            line = word
        elif cells(line) + 1 + cells(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}"
        while cells(line) > width:  # a word that is too long for any line
            length = _signs_that_fit(line, width)
            lines.append(line[:length])
            line = line[length:]
    return [*lines, line]


def _signs_that_fit(line: str, width: int) -> int:
    """How many signs of a line fit; at least one, since ``folded`` would never end otherwise."""
    length = len(line)
    while length > 1 and cells(line[:length]) > width:
        length -= 1
    return length
