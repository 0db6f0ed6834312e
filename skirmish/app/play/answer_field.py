"""The field in which an answer is written: a name, a note, a hex.

The text itself is a part of the draft. The field shows it, with a cursor, and reports each change
to its screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.message import Message
from textual.widgets import Input

from skirmish.tabletop.slots import BACKSPACE, SPACE, Slot, Words


class AnswerField(Input):
    """An input for the answer to a question. Space accepts the proposed answer while the field is
    empty, and ends an answer that is a single word; so does a line break in pasted text."""

    ID: ClassVar[str] = "answer"

    def __init__(self) -> None:
        super().__init__(id=self.ID, compact=True, select_on_focus=False)
        self.display = self.can_focus = False
        self._is_one_word = False
        """Whether Space ends the answer."""

    class Pasted(Message):
        """Several lines were pasted: the field has the first of them, and ``rest`` are the others,
        which answer the questions that follow."""

        def __init__(self, rest: str) -> None:
            super().__init__()
            self.rest = rest

    class Confirmed(Message):
        """Space was pressed where it is not a part of the answer."""

    def show_slot(self, slot: Slot | None, typed: str) -> None:
        """Show the field with what is typed for the question ``slot``; None: hide it."""
        # Not only hidden: a hidden widget would still take the focus when the screen returns.
        self.display = self.can_focus = slot is not None
        if slot is None:
            return
        self._is_one_word = not slot.keeps_spaces
        self.password = isinstance(slot, Words) and slot.secret
        if self.value != typed:
            # Only the player's changes are reported. The report of this one would arrive late, when
            # the player may have typed more, and undo that.
            with self.prevent(Input.Changed):
                self.value = typed
            self.cursor_position = len(typed)

    # Textual calls these two handlers of an input before its screen sees the key or the text.

    async def _on_key(self, event: events.Key) -> None:
        if event.key == SPACE and (self._is_one_word or not self.value):
            event.stop()
            event.prevent_default()
            self.post_message(self.Confirmed())
            return
        await super()._on_key(event)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        first_line, line_break, rest = event.text.replace("\r\n", "\n").partition("\n")
        self.replace(first_line, *self.selection)
        if line_break:
            self.post_message(self.Pasted(rest))


def keys_of_edit(before: str, after: str) -> Iterator[str]:
    """The keys that turn one text into another with a cursor that stays at the end: Backspaces up
    to the first difference, then the new characters. A draft is stored as keys, so an edit in the
    middle of a text is stored as if it had been typed in this way."""
    unchanged = 0
    for old, new in zip(before, after, strict=False):
        if old != new:
            break
        unchanged += 1
    for _ in before[unchanged:]:
        yield BACKSPACE
    yield from after[unchanged:]
