"""A small window in which something is written. What does not fit is told, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from skirmish.app.host import ModalScreen, by_lines
from skirmish.tabletop.typed import plain


class TextEntry(ModalScreen[str | None]):
    """Gives what was written, or None where Esc is pressed. ``check`` raises ValueError (a
    sentence) for what cannot be taken; the window then stays, with all that was written."""

    TOPIC: ClassVar[str] = "entry"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape",
            "give_up",
            "Close",
            show=False,
            tooltip="Cancel; nothing changes",
            id="entry.close",
        ),
    ]

    def __init__(
        self,
        title: str,
        question: str,
        text: str,
        check: Callable[[str], object],
        *,
        longest: int = 200,
    ) -> None:
        super().__init__()
        self._title = title
        self._question = question
        self._text = text
        self._check = check
        self._longest = longest

    def compose(self) -> ComposeResult:
        """Title, question, the line to write on, what is wrong, the ways out."""
        with Vertical(classes="window"):
            yield Static(plain(self._title), classes="title", markup=False)
            yield Static("\n" + by_lines(self._question) + "\n", id="entry-question", markup=False)
            yield Input(plain(self._text), max_length=self._longest, id="entry", compact=True)
            yield Static("", id="entry-wrong", markup=False)
            yield Static("Enter accepts, Esc cancels.", classes="quiet", markup=False)

    def on_mount(self) -> None:
        """Ready to write; the first letter replaces what stands there."""
        self.query_one(Input).focus()

    def on_input_changed(self) -> None:
        """Another try: what was wrong before is no longer said."""
        self.query_one("#entry-wrong", Static).update("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take it, or say what is wrong with it."""
        try:
            self._check(event.value)
        except ValueError as error:
            self.query_one("#entry-wrong", Static).update(str(error))
        else:
            self.dismiss(event.value)

    def action_give_up(self) -> None:
        """As it was."""
        self.dismiss(None)
