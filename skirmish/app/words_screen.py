"""A small window for a line of text, and one that shows lines of it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from skirmish.app.host import ModalScreen, by_lines
from skirmish.tabletop.typed import plain

LONGEST = 500
"""Characters of a note."""


class WordsScreen(ModalScreen[str | None]):
    """Gives what was typed, or None where Esc is pressed."""

    DEFAULT_CSS = """
    WordsScreen {
        align: center middle;
        background: $background 60%;
    }
    """
    TOPIC: ClassVar[str] = "words"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "escape",
            "give_up",
            "Close",
            show=False,
            tooltip="Cancel; nothing is written",
            id="words.give_up",
        )
    ]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = plain(title)
        self._text = by_lines(text)

    def compose(self) -> ComposeResult:
        """Title, what it is for, the field."""
        with Vertical(classes="window"):
            yield Static(self._title, classes="title", markup=False)
            yield Static(self._text + "\n", classes="quiet", markup=False)
            yield Input(max_length=LONGEST, id="words")
            yield Static("\nEnter saves it, Esc cancels.", classes="quiet", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Written."""
        self.dismiss(event.value)

    def action_give_up(self) -> None:
        """Nothing was."""
        self.dismiss(None)


class LinesScreen(ModalScreen[None]):
    """Lines to read, in a window that scrolls."""

    DEFAULT_CSS = """
    LinesScreen {
        align: center middle;
        background: $background 60%;
    }
    """
    TOPIC: ClassVar[str] = "lines"
    EXTRA = "This page is"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q,U", "dismiss", "Close", key_display="Esc", show=False,
                tooltip="Close this window", id="lines.close"),
        Binding("up,k", "scroll(-1)", "Up", key_display="↑", show=False,
                tooltip="Scroll up a line", id="lines.up"),
        Binding("down,j", "scroll(1)", "Down", key_display="↓", show=False,
                tooltip="Scroll down a line", id="lines.down"),
        Binding("space,pagedown", "scroll(12)", "Page", key_display="PgDn", show=False,
                tooltip="Scroll down a page", id="lines.page_down"),
        Binding("pageup", "scroll(-12)", "Page up", key_display="PgUp", show=False,
                tooltip="Scroll up a page", id="lines.page_up"),
    ]  # fmt: skip

    def __init__(self, title: str, lines: Content) -> None:
        super().__init__()
        self._title = plain(title)
        self._lines = lines

    def compose(self) -> ComposeResult:
        """One scrolling window."""
        with VerticalScroll(classes="window"):
            yield Static(self._title + "\n", classes="title", markup=False)
            yield Static(self._lines, id="lines", markup=False)
            yield Static("\nEsc closes this window.", classes="quiet", markup=False)

    def action_scroll(self, by: int) -> None:
        """Scroll the window."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)
