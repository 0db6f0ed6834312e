"""What a player had begun to type when the program ended, typed again when it starts."""

from __future__ import annotations

from collections.abc import Sequence

from skirmish.tabletop.commands.command import Command, O
from skirmish.tabletop.commands.draft import Draft
from skirmish.tabletop.commands.keys import pressed
from skirmish.tabletop.commands.lines import read
from skirmish.tabletop.slots import BACKSPACE, ESCAPE, UnfitAnswer


def half_typed(
    draft: Draft[O] | None, commands: Sequence[Command[O]], typed: Sequence[str]
) -> Draft[O] | None:
    """The draft after the stored keys and lines of an earlier session. It is the unchanged
    ``draft`` if one of them is no longer accepted, or if they complete an order now."""
    half_typed_draft = draft
    try:
        for key_or_line in typed:
            if key_or_line in (ESCAPE, BACKSPACE):
                # Where nothing is left of it, the open question is as it was.
                half_typed_draft = _stepped_back(half_typed_draft, key_or_line) or draft
            elif key_or_line.endswith("\n"):  # a line of ``skirmish play``
                half_typed_draft = read(half_typed_draft, commands, key_or_line)
            else:
                half_typed_draft = pressed(half_typed_draft, commands, key_or_line)
    except UnfitAnswer:
        return draft
    if half_typed_draft is None or half_typed_draft.complete:
        return draft
    return half_typed_draft


def _stepped_back(draft: Draft[O] | None, key: str) -> Draft[O] | None:
    """The draft after Esc or Backspace; None if nothing is left of it."""
    if draft is None:
        return None
    if key == ESCAPE:
        return draft.after_escape()
    return draft.after_backspace()
