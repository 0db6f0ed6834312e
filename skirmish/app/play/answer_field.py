"""The field in which an answer is written: a name, a note, a hex.

The draft of the command has the text; the field shows it, with a cursor, and tells its screen what
it was changed to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.message import Message
from textual.widgets import Input

from skirmish.tabletop.slots import BACKSPACE, SPACE, Slot, Words


class AnswerField(Input):
    """``Input`` as a part of a question: a line feed in what is pasted answers it. Space takes what
    is proposed on an empty line, and ends an answer that is a single word, as everywhere."""

    ID: ClassVar[str] = "answer"

    def __init__(self) -> None:
        super().__init__(id=self.ID, compact=True, select_on_focus=False)
        self.display = self.can_focus = False
        self._one_word = False

    class Pasted(Message):
        """Lines were pasted: the ``rest`` follows the line break behind the field's text."""

        def __init__(self, rest: str) -> None:
            super().__init__()
            self.rest = rest

    class Confirmed(Message):
        """Space was pressed where it is no part of the answer."""

    def show_slot(self, slot: Slot | None, typed: str) -> None:
        """Show a question's text so far; None: nothing is to be written."""
        # A hidden widget would still take the focus when the screen returns.
        self.display = self.can_focus = slot is not None
        if slot is None:
            return
        self._one_word = not slot.spaced
        self.password = isinstance(slot, Words) and slot.secret
        if self.value != typed:
            # Only a player's changes are news; that of an older text would arrive late.
            with self.prevent(Input.Changed):
                self.value = typed
            self.cursor_position = len(typed)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == SPACE and (self._one_word or not self.value):
            event.stop()
            event.prevent_default()
            self.post_message(self.Confirmed())
            return
        await super()._on_key(event)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        first, line_break, rest = event.text.replace("\r\n", "\n").partition("\n")
        self.replace(first, *self.selection)
        if line_break:
            self.post_message(self.Pasted(rest))


def retyped(before: str, after: str) -> Iterator[str]:
    """The keys that turn one text into another, typed at its end: so a text that was changed in its
    middle is stored like one that was typed from left to right."""
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    for _ in before[same:]:
        yield BACKSPACE
    yield from after[same:]
