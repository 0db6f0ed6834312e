"""The command that is being put together, in the lines below the board: the shot with its chance,
what one change would do to it (the what-ifs), and the question. Begin with ``draft_lines``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from textual.content import Content

from skirmish.app.page_view import block_lines
from skirmish.app.text_styles import DIM, KEY, STRONG
from skirmish.extras import preview, question_page
from skirmish.games.plastic.what_if_table import ChangeRow
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page import Block, Choices, Note, Table, mapped
from skirmish.tabletop.slots import Choose, keyed

WHAT_IF = "WHAT IF "
"""Stands before the changes of a shot where they share a line."""
MOST_SHARED_LINES = 2
"""The most lines that the changes of a shot share on a low screen."""
CONFIRM = "Space"
"""The key that draws a card or confirms, as the hint names it."""


def draft_lines(
    draft: Draft[Any],
    width: int,
    formatted: Callable[[str], str],
    *,
    tall: bool,
    what_if_cursor: int | None = None,
    option_cursor: str | None = None,
) -> Iterator[Content]:
    """A draft in ``width`` columns; ``what_if_cursor`` is the number of the change under the
    cursor, ``option_cursor`` the key of the option under it. Unless the screen is ``tall``, the
    changes share lines."""
    page = mapped(question_page(draft, rows=False, confirm=CONFIRM), formatted)
    # The what-ifs, the only tables of a draft, stand below the shot, and the question or the hint
    # last.
    *blocks, last = page.blocks
    tables = [block for block in blocks if isinstance(block, Table)]
    others = [block for block in blocks if not isinstance(block, Table)]
    for block in (*others, *tables, last):
        if isinstance(block, Table):
            yield from _what_if_lines(block, width, what_if_cursor, tall=tall)
        elif isinstance(block, Choices) and option_cursor is not None:
            yield from block_lines(_with_cursor(block, option_cursor), width)
        else:
            yield from _clickable_lines(block, width)


def _with_cursor(choices: Choices, key: str) -> Choices:
    """The choices with the cursor on the option of that key."""
    rows = []
    for choice in choices.rows:
        rows.append(msgspec.structs.replace(choice, has_cursor=choice.key == key))
    return Choices(tuple(rows))


def _clickable_lines(block: Block, width: int) -> Iterator[Content]:
    """The lines of a block; where it is the hint that Space confirms, that word can be clicked."""
    if not isinstance(block, Note) or block.key != CONFIRM:
        yield from block_lines(block, width)
        return
    effect = block.text.removeprefix(f"{CONFIRM}: ")
    key = Content.styled(CONFIRM, KEY).stylize("@click=screen.press('space')")
    yield from Content.assemble(key, (f" {effect}", DIM)).wrap(width)


def option_keys(draft: Draft[Any]) -> list[str]:
    """The keys of the options that the arrows walk through: those that can be chosen now, in the
    list of a command that the player began. Rows of the board are walked through on the board. A
    question of the game itself, which has no key, leaves the arrows to the journal."""
    slot = draft.slot
    if not draft.command.key or not isinstance(slot, Choose) or slot.rows or draft.typed:
        return []
    return [key for key, option in keyed(slot.options) if not option.why_not]


def what_if_keys(draft: Draft[Any]) -> list[str]:
    """The keys of the what-ifs of a shot in hand, in the order of their lines."""
    keys = []
    for block in preview(draft).blocks:
        if isinstance(block, Table):
            keys += [change.key for change in _changes(block)]
    return keys


def _changes(table: Table) -> list[ChangeRow]:
    """The changes in the table of what-ifs, without the row of the shot as it stands, which has no
    key."""
    rows = [ChangeRow(*cells) for cells in table.rows]
    return [row for row in rows if row.key]


def _what_if_lines(
    table: Table, width: int, what_if_cursor: int | None, *, tall: bool
) -> Iterator[Content]:
    """The what-ifs, as a table or, on a low screen, in a few words each."""
    changes = _changes(table)
    if not tall:
        yield from _shared_lines(changes, width, what_if_cursor)
        return
    marked_row = None
    if what_if_cursor is not None and what_if_cursor < len(changes):
        marked_row = table.rows.index(changes[what_if_cursor])
    yield from block_lines(msgspec.structs.replace(table, mark=marked_row), width)


def _shared_lines(
    changes: Sequence[ChangeRow], width: int, what_if_cursor: int | None
) -> list[Content]:
    """As many changes as fit behind one another, from the one under the cursor on."""
    lines = [Content.assemble((WHAT_IF, DIM), ("↓", KEY))]
    indent = Content(" " * lines[0].cell_length)
    first = 0
    if what_if_cursor is not None:
        first = what_if_cursor
    for number, change in enumerate(changes[first:], first):
        words = _in_short(change, has_cursor=number == what_if_cursor)
        if lines[-1].cell_length + words.cell_length > width:
            if len(lines) == MOST_SHARED_LINES:
                break
            lines.append(indent)
        lines[-1] = Content.assemble(lines[-1], words)
    return lines


def _in_short(change: ChangeRow, *, has_cursor: bool) -> Content:
    """A change in a few words: the chance of the shot that its key leads to. Where the same shot
    hits as often and only kills another man, the chance of the man aimed at is shown instead."""
    name_style, enter = "", ""
    if has_cursor:
        name_style, enter = f"{KEY} reverse", " Enter"
    name = Content.assemble("   ", (change.key, KEY), " ", (change.words, name_style))
    if change.is_forbidden:
        effect = Content.styled(f": no, {change.why_forbidden}", DIM)
    elif change.only_aims_elsewhere and change.man_aimed_at:
        effect = Content.assemble(": man aimed at ", (change.man_aimed_at, STRONG))
    else:
        difference = ""
        if change.difference:
            difference = f" {change.difference}"
        effect = Content.assemble((f" {change.chance}", STRONG), difference)
    return Content.assemble(name, effect, (enter, KEY))
