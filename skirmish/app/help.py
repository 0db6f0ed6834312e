"""Small windows: the keys of a screen, a message that waits to be read, a terminal too small."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.dom import DOMNode
from textual.widgets import Static

from skirmish.app.host import SMALLEST, Host, ModalScreen, by_lines
from skirmish.app.settings.key_names import shown_key
from skirmish.tabletop.typed import plain

if TYPE_CHECKING:
    from textual.screen import Screen

KEY = 10
"""Columns of the keys."""
WIDE = 110
"""Columns of a terminal from which the keys stand in two columns."""
FRAME = 8
"""Columns of the window's frame, its edges and its scroll bar."""
LARGEST = 132
"""Columns of the window at most, as its style has it."""
CLOSE: list[BindingType] = [
    Binding(
        "escape,enter,space,question_mark",
        "dismiss",
        "Close",
        show=False,
        tooltip="Close this window",
        id="window.close",
    )
]
SCROLL: list[BindingType] = [
    Binding("up,k", "scroll(-1)", "Up", show=False, tooltip="Scroll up a line", id="window.up"),
    Binding("down,j", "scroll(1)", "Down", show=False, tooltip="Scroll down a line",
            id="window.down"),
    Binding("pagedown", "scroll(12)", "Page", show=False, tooltip="Scroll down a page",
            id="window.page_down"),
    Binding("pageup", "scroll(-12)", "Page up", show=False, tooltip="Scroll up a page",
            id="window.page_up"),
]  # fmt: skip


class Told(NamedTuple):
    """A key as it is now, what it does, whether it does that now; without a key, a heading."""

    key: str
    does: str
    now: bool
    id: str = ""


class HelpScreen(ModalScreen[None]):
    """The keys of ``screen``, from its own bindings, with its own words on top (``HELP``)."""

    TOPIC: ClassVar[str] = "keys"
    EXTRA = "Help is"
    BINDINGS: ClassVar[list[BindingType]] = [*CLOSE, *SCROLL]

    def __init__(self, screen: Screen[object]) -> None:
        super().__init__()
        app = cast("Host", screen.app)
        self._topic = str(getattr(screen, "TOPIC", ""))
        about = getattr(screen, "help_text", None) or getattr(screen, "HELP", "")
        self._about = app.measured(str(about))
        self._rules = hasattr(screen, "paragraph")
        arranged = getattr(screen, "help_groups", None)
        groups: list[tuple[str, list[str]]] = arranged() if arranged else []
        self._grouped = bool(groups)
        self._here = _arranged(list(_keys(screen)), groups)
        self._everywhere = list(_told(app, screen, app))

    def compose(self) -> ComposeResult:
        """One scrolling window; the keys beside each other where there is room."""
        with VerticalScroll(classes="window"):
            title = f"Keys: {self._topic}" if self._topic else "Keys"
            yield Static(title, classes="title", markup=False)
            about = Static("\n" + self._about, markup=False)
            if self._about and not self._grouped:
                yield about
            with Horizontal(id="help-keys"):
                yield Static("", classes="help-column", markup=False)
                yield Static("", classes="help-column", markup=False)
            if self._about and self._grouped:  # what can be done now comes first
                yield about
            if self._rules:
                yield Static("\nF1 opens the rule for what is on the screen.", markup=False)
            more = "Ctrl+P finds a command by name. Esc closes this window."
            yield Static("\n" + more, classes="quiet", markup=False)

    def on_resize(self) -> None:
        """One column or two, broken to the width that there is."""
        width = min(self.app.size.width * 96 // 100, LARGEST) - FRAME
        first, second = self.query(".help-column").results(Static)
        here, everywhere = self._here, [*self._everywhere]
        if self.app.size.width < WIDE:
            second.display = False
            first.update(_block(here, everywhere, width))
            return
        second.display = True
        half = width // 2 - 2
        if len(here) <= len(everywhere) + 6:
            first.update(_lines(here, half))
            second.update(_lines(everywhere, half))
        else:
            middle = (len(here) + len(everywhere) + 1) // 2
            first.update(_lines(here[:middle], half))
            second.update(_block(here[middle:], everywhere, half))

    def action_scroll(self, by: int) -> None:
        """Scroll the window."""
        self.query_one(VerticalScroll).scroll_relative(y=by, animate=False)


class MessageScreen(ModalScreen[None]):
    """One sentence that must be read."""

    TOPIC: ClassVar[str] = "message"
    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__()
        self._title = plain(title)
        self._sentence = by_lines(sentence)

    def compose(self) -> ComposeResult:
        """Title, sentence, the way out."""
        with VerticalScroll(classes="window"):
            yield Static(self._title, classes="title", markup=False)
            yield Static("\n" + self._sentence, markup=False)
            yield Static("\nEsc closes this window.", classes="quiet", markup=False)


class TooSmallScreen(ModalScreen[None]):
    """Stands over everything while the terminal is too small."""

    def compose(self) -> ComposeResult:
        """What the terminal is and what it should be."""
        with VerticalScroll(classes="window"):
            yield Static(markup=False)

    def on_resize(self) -> None:
        """Say the present size."""
        size = self.app.size
        self.query_one(Static).update(
            f"This terminal has {size.width} columns and {size.height} rows. Skirmish needs at "
            f"least {SMALLEST[0]} by {SMALLEST[1]}. Enlarge the window or use a smaller font. "
            "Nothing is lost in the meantime."
        )


def _keys(screen: Screen[object]) -> Iterator[Told]:
    """Every key of a screen and of our parts on it with what it does, each deed once."""
    app = cast("Host", screen.app)
    seen: set[str] = set()
    parts = [part for part in screen.query("*") if type(part).__module__.startswith("skirmish.")]
    for node in (screen, *parts):
        for told in _told(app, screen, node):
            if told.does not in seen:
                seen.add(told.does)
                yield told


def _told(app: Host, screen: Screen[object], node: DOMNode) -> Iterator[Told]:
    """The keys of the screen itself, of a part of it, or of the app."""
    asleep = {
        active.binding.action for active in screen.active_bindings.values() if not active.enabled
    }
    here = {active.binding.action for active in screen.active_bindings.values()}
    seen: set[str] = set()
    for entries in node._bindings.key_to_bindings.values():
        for binding in entries:
            if node in (screen, app) and binding.action not in here:
                continue  # it means nothing here, or its key does something else
            if binding.tooltip and binding.action not in seen:
                seen.add(binding.action)
                now = binding.action not in asleep
                yield Told(shown_key(app, binding), binding.tooltip, now, binding.id or "")


def _arranged(keys: list[Told], groups: list[tuple[str, list[str]]]) -> list[Told]:
    """The keys under the headings of their groups; those of none stand last, without one."""
    by_id = {told.id: told for told in keys}
    found: list[Told] = []
    for title, ids in groups:
        if own := [by_id.pop(id) for id in ids if id in by_id]:
            found += [Told("", title, now=True), *own]
    return found + [told for told in keys if told.id in by_id]


def _block(here: list[Told], everywhere: list[Told], width: int) -> Content:
    heading = Content.styled("\n\nON EVERY SCREEN", "bold $primary")
    return Content("").join([_lines(here, width), heading, _lines(everywhere, width)])


def _lines(keys: list[Told], width: int) -> Content:
    """A line for each key, what is longer hanging below; what cannot be done now says so."""
    lines = [Content("")]
    for key, does, now, _ in keys:
        if not key:
            lines += [Content(""), Content.styled(does.upper(), "bold $primary")]
            continue
        says = does if now else f"{does} (not now)"
        style = "" if now else "$foreground 60%"
        first, *more = textwrap.wrap(says, max(width - KEY - 2, 20)) or [""]
        lines.append(Content.assemble((f"{key:>{KEY}}", "$accent bold"), "  ", (first, style)))
        lines += [Content.styled(" " * (KEY + 2) + line, style) for line in more]
    return Content("\n").join(lines)
