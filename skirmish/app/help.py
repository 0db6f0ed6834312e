"""Small windows: the keys of a screen, a message that waits to be read, a terminal too small."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

CLOSE: list[BindingType] = [
    Binding("escape,enter,space,question_mark", "dismiss", "Close", show=False)
]


class HelpScreen(ModalScreen[None]):
    """The keys of ``screen``, from its own bindings, with its own words on top (``HELP``)."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *CLOSE,
        Binding("up,k", "scroll(-1)", "Up", show=False),
        Binding("down,j", "scroll(1)", "Down", show=False),
    ]

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__()
        self._about = str(getattr(screen, "HELP", ""))
        self._keys = list(_keys(screen))

    def compose(self) -> ComposeResult:
        """One scrolling window."""
        with VerticalScroll(classes="window"):
            yield Static("Keys", classes="title", markup=False)
            if self._about:
                yield Static(self._about, markup=False)
            yield Static("", markup=False)
            yield Static(Content("\n").join(self._lines()))
            yield Static("\nEsc closes this.", classes="quiet", markup=False)

    def action_scroll(self, by: int) -> None:
        """Scroll the window."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)

    def _lines(self) -> Iterator[Content]:
        for key, what in self._keys:
            yield Content.assemble((f"{key:>12}", "$accent bold"), f"  {what}")


class MessageScreen(ModalScreen[None]):
    """One sentence that must be read."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__()
        self._title = title
        self._sentence = sentence

    def compose(self) -> ComposeResult:
        """Title, sentence, the way out."""
        with VerticalScroll(classes="window"):
            yield Static(self._title, classes="title", markup=False)
            yield Static("\n" + self._sentence, markup=False)
            yield Static("\nEsc closes this.", classes="quiet", markup=False)


class TooSmallScreen(ModalScreen[None]):
    """Stands over everything while the terminal is too small."""

    def compose(self) -> ComposeResult:
        """What the terminal is and what it should be."""
        with VerticalScroll(classes="window"):
            yield Static(markup=False)

    def on_resize(self) -> None:
        """Say the present size."""
        from skirmish.app.application import SMALLEST

        size = self.app.size
        self.query_one(Static).update(
            f"This terminal has {size.width} columns and {size.height} rows. Skirmish needs "
            f"{SMALLEST[0]} by {SMALLEST[1]}: enlarge the window or choose a smaller letter. "
            "Nothing is lost meanwhile."
        )


def _keys(screen: Screen[object]) -> Iterator[tuple[str, str]]:
    """Every key of a screen and of the app with what it does, each key once."""
    seen: set[str] = set()
    for bindings in (screen._bindings, screen.app._bindings):
        for key, entries in bindings.key_to_bindings.items():
            for binding in entries:
                shown = binding.key_display or screen.app.get_key_display(binding)
                if binding.action in seen or not binding.tooltip:
                    continue
                seen.add(binding.action)
                yield shown or key, binding.tooltip
