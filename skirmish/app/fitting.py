"""Text in so many rows and columns: what fits is shown, and what does not is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.content import Content


def shortened(text: str, cells: int) -> str:
    """A name in so many cells of the screen, with an ellipsis where it was longer."""
    if cell_len(text) <= cells:
        return text
    kept = ""
    for sign in text:
        if cell_len(kept + sign) > cells - 1:
            break
        kept += sign
    return f"{kept.rstrip()}…"


def padded(text: str, cells: int) -> str:
    short = shortened(text, cells)
    return short + " " * (cells - cell_len(short))


def rows_of(text: Content, width: int) -> int:
    return len(text.wrap(max(width, 1)))


def fitted(
    lines: Sequence[Content], width: int, room: int, rest: Callable[[int], Content]
) -> tuple[Content, int]:
    """As many lines as fit, and the rows that they take; ``rest`` tells how many are left over."""
    kept: list[Content] = []
    used = 0
    for index, line in enumerate(lines):
        need = rows_of(line, width)
        more = index + 1 < len(lines)
        if used + need + more > room:
            if room > used:
                kept.append(rest(len(lines) - index))
                used += 1
            break
        kept.append(line)
        used += need
    return Content("\n").join(kept), used


def hanging(text: Content, width: int, indent: int) -> list[Content]:
    """A text in rows, those after the first set in by ``indent`` columns."""
    head, *body = text.wrap(max(width, 1))
    if not indent or not body:
        return [head, *body]
    rest = text[len(head.plain) :]
    stripped = len(rest.plain) - len(rest.plain.lstrip())
    inner = rest[stripped:].wrap(max(width - indent, 1))
    return [head, *(Content.assemble(" " * indent, line) for line in inner)]
