"""A command being put together, as every play screen shows it: what it would come to, the question
with what is typed, the keys that change it. Rows of the board bear their letters there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from textual.content import Content

from skirmish.app.page_view import DIM, KEY, STRONG, block_lines
from skirmish.extras import preview, remark
from skirmish.tabletop.command_pages import hint_of
from skirmish.tabletop.commands import Draft
from skirmish.tabletop.page import Block, Choice, Choices, Note, Paragraph, Table, mapped
from skirmish.tabletop.slots import ChooseSeveral, Slot, keys_of

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
) -> list[Content]:
    """The rows of a draft in so many columns; ``what_if`` is the change that the arrows are on.
    Where the screen is not ``tall`` changes stand behind one another."""
    rows: list[Content] = []
    page = mapped(preview(draft), told)
    for block in page.blocks:
        if not isinstance(block, Table):
            rows += block_lines(block, width)
    for block in mapped(tuple(_asked(draft)), told):
        rows += block_lines(block, width)
    for block in page.blocks:
        if isinstance(block, Table):
            rows += _changes(block, width, what_if, tall=tall)
    if hint := _hint(draft):
        rows += _clickable(told(hint), width)
    return rows


def changes(draft: Draft[Any]) -> list[str]:
    """The keys of the changes that the arrows can reach, in their order."""
    tables = [block for block in preview(draft).blocks if isinstance(block, Table)]
    return [row[0] for table in tables for row in table.rows if row[0]]


def _asked(draft: Draft[Any]) -> Iterator[Block]:
    """The question, its options but for rows of the board, what keys can change, how to go on."""
    slot = draft.slot
    if slot is None:
        return
    if not draft.typed and slot.optional:  # what may be passed over is not asked for
        open_ = (one for one in draft.slots if one.name not in draft.answers)
        slot = next((one for one in open_ if not one.optional), slot)
    if draft.typed or not slot.optional:
        typed = f" {slot.echo(draft.typed)}_" if draft.typed else ""
        given = [] if draft.command.preview and preview(draft).blocks else _given(draft)
        before = f"{' '.join(given)} > " if given else ""
        yield Paragraph(f"{before}{slot.text or draft.command.label}{typed}", tone="strong")
    options = _listed(draft, slot)
    if options:
        yield Choices(tuple(options))
    if draft.toggles:
        yield Choices(
            tuple(
                Choice(
                    one.key,
                    one.label,
                    mark=one.mark or (one.sets is None and bool(draft.facts.get(one.name))),
                )
                for one in draft.toggles
            )
        )


def _clickable(hint: str, width: int) -> list[Content]:
    first, colon, rest = hint.partition(": ")
    if first != "Space" or not colon:
        return list(block_lines(Note(hint), width))
    key = Content.styled(first, KEY).stylize("@click=screen.press('space')")
    return list(Content.assemble(key, (f" {rest}", DIM)).wrap(width))


def _given(draft: Draft[Any]) -> list[str]:
    answers = draft.answers
    return [
        one.shown(answers[one.name]) for one in draft.slots if answers.get(one.name) is not None
    ]


def _hint(draft: Draft[Any]) -> str:
    """How the next answer is given; where nothing need be, what Space does."""
    slot = draft.slot
    if slot is None:
        return ""
    if draft.ready and not draft.typed:
        does = draft.command.word or draft.command.label.lower()
        return f"Space: {does}. {slot.text or slot.hint}"
    if draft.ready and draft.command.preview and slot.takes("0", draft.typed[:1]):  # how many
        return f"Space: {draft.command.word or draft.command.label.lower()}. {slot.hint}"
    open_ = (one for one in draft.slots if one.name not in draft.answers)
    asked = next((one for one in open_ if not one.optional), slot)
    return hint_of(draft) if asked is slot or draft.typed else asked.hint


def _listed(draft: Draft[Any], slot: Slot) -> Iterator[Choice]:
    if getattr(slot, "rows", False):
        return iter(())
    marked = slot.marked(draft.typed) if isinstance(slot, ChooseSeveral) else []
    options = getattr(slot, "options", ())
    return (
        Choice(key, one.label, remark(one), one.why_not, mark=one in marked)
        for key, one in keys_of(options).items()
    )


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
