"""A command being put together where rows of the board bear their letters themselves, and what one
change would do to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from textual.content import Content

from skirmish.app.page_view import DIM, KEY, STRONG, block_lines
from skirmish.extras import asked_page, preview
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page import Block, Note, Table, mapped

WHAT_IF = "WHAT IF "
MOST_LINES = 2
"""Rows of changes that stand behind one another."""


def draft_lines(
    draft: Draft[Any],
    width: int,
    told: Callable[[str], str],
    *,
    tall: bool,
    what_if: int | None = None,
) -> Iterator[Content]:
    """The rows of a draft in so many columns; ``what_if`` is the change that the arrows are on.
    Where the screen is not ``tall`` changes stand behind one another."""
    *blocks, last = mapped(asked_page(draft, rows=False, confirm="Space"), told).blocks
    for block in (*sorted(blocks, key=lambda one: isinstance(one, Table)), last):
        if isinstance(block, Table):
            yield from _changes(block, width, what_if, tall=tall)
        else:
            yield from _clickable(block, width)


def _clickable(block: Block, width: int) -> Iterator[Content]:
    first, colon, rest = block.text.partition(": ") if isinstance(block, Note) else ("", "", "")
    if first == "Space" and colon:
        key = Content.styled(first, KEY).stylize("@click=screen.press('space')")
        yield from Content.assemble(key, (f" {rest}", DIM)).wrap(width)
    else:
        yield from block_lines(block, width)


def changes(draft: Draft[Any]) -> list[str]:
    """The keys of the changes that the arrows can reach, in their order."""
    tables = [block for block in preview(draft).blocks if isinstance(block, Table)]
    return [row[0] for table in tables for row in table.rows if row[0]]


def _changes(table: Table, width: int, at: int | None, *, tall: bool) -> Iterator[Content]:
    """What one change would do, a line for each; or one behind the other."""
    keyed = [row for row in table.rows if row[0]]
    if tall:
        now = keyed[at] if at is not None and at < len(keyed) else None
        mark = table.rows.index(now) if now is not None else None
        yield from block_lines(msgspec.structs.replace(table, mark=mark), width)
        return
    line = Content.assemble((WHAT_IF, DIM), ("↓", KEY))
    lines = [line]
    for nth, row in enumerate(keyed[at or 0 :], at or 0):
        piece = _in_short(row, chosen=nth == at)
        if lines[-1].cell_length + piece.cell_length > width:
            if len(lines) == MOST_LINES:
                break
            lines.append(Content(" " * (len(WHAT_IF) + 1)))
        lines[-1] = Content.assemble(lines[-1], piece)
    yield from lines


def _in_short(row: tuple[str, ...], *, chosen: bool) -> Content:
    """A change in a few words; one that changes who dies, and not whether, says that."""
    key, says, _, chance, than, more = row
    name = Content.assemble("   ", (key, KEY), " ", (says, f"{KEY} reverse" if chosen else ""))
    if chance == "no":
        told = Content.styled(f": no, {more}", DIM)
    elif than == "=" and more:
        told = Content.assemble(": man aimed at ", (more, STRONG))
    else:
        told = Content.assemble((f" {chance}", STRONG), f" {than}" if than else "")
    return Content.assemble(name, told, (" Enter", KEY) if chosen else "")
