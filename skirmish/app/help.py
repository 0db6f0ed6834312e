"""The help window with the keys of a screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, cast, runtime_checkable

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.dom import DOMNode
from textual.widgets import Static

from skirmish.app.base_screen import WIDE
from skirmish.app.base_screen import Screen as OurScreen
from skirmish.app.binding import KeyGroup, KeyLine
from skirmish.app.host import Host
from skirmish.app.text_rows import hanging
from skirmish.app.text_styles import KEY
from skirmish.app.windows import CLOSE, SCROLL, Window
from skirmish.tabletop.page import Heading

if TYPE_CHECKING:
    from textual.screen import Screen

KEY_WIDTH = 10
"""Columns of the keys."""
KEY_GAP = "  "
"""Stands between a key and what it does."""
FRAME = 8
"""Columns of the window's frame, its edges and its scroll bar."""
WIDEST = 132
"""The most columns of the window, as in its style."""
WIDTH_PERCENT = 96
"""The share of the screen's columns that the window takes, as in its style."""
MOST_UNEVEN = 7
"""How many more lines the left column may have than the right one. Beyond that all lines are
divided evenly, even if the heading "On every screen" then stands within a column."""
COLUMNS_APART = 4
"""Columns between the two columns of keys."""


@runtime_checkable
class ArrangesKeys(Protocol):
    """A screen with groups of its keys."""

    def help_groups(self) -> list[KeyGroup]:
        """The keys of the screen in groups, each with its heading."""


@runtime_checkable
class AddsKeys(Protocol):
    """A screen with keys that are no bindings."""

    def help_lines(self) -> list[KeyLine]:
        """The keys that are in no binding, in the order in which the help lists them."""


class HelpScreen(Window[None]):
    """The keys of ``screen``, from its bindings, below its own text (``HELP``)."""

    DEFAULT_CSS = """
    HelpScreen {
        .window {
            width: 96%;
            max-width: 132;
        }
        #help-keys {
            height: auto;
        }
        .help-column {
            width: 1fr;
            height: auto;
        }
    }
    """
    TOPIC: ClassVar[str] = "keys"
    FAILURE = "Help is not available"
    CLOSES = "Ctrl+P finds a command by name. Esc closes this window."
    BINDINGS: ClassVar[list[BindingType]] = [*CLOSE, *SCROLL]

    def __init__(self, screen: Screen[object]) -> None:
        title, about = "Keys", ""
        if isinstance(screen, OurScreen):  # Textual's own, such as the palette, have neither
            about = screen.HELP
            if screen.TOPIC:
                title = f"Keys: {screen.TOPIC}"
        super().__init__(title)
        app = cast("Host", screen.app)
        self._about = app.measured(about)  # with its distances in the player's unit
        groups: list[KeyGroup] = []
        if isinstance(screen, ArrangesKeys):
            groups = screen.help_groups()
        self._has_groups = bool(groups)
        self._screen_lines: list[Heading | KeyLine] = []
        if isinstance(screen, AddsKeys):
            self._screen_lines += screen.help_lines()
        self._screen_lines += _arranged(list(_keys(screen)), groups)
        self._app_lines = list(_key_lines(app, screen, app))

    def body(self) -> ComposeResult:
        about = Static("\n" + self._about, markup=False)
        if self._about and not self._has_groups:
            yield about
        with Horizontal(id="help-keys"):
            yield Static("", classes="help-column", markup=False)
            yield Static("", classes="help-column", markup=False)
        # A screen that groups its keys has many of them, and its help is opened to look for one:
        # there the keys stand above the text.
        if self._about and self._has_groups:
            yield about

    def on_resize(self) -> None:
        width = min(self.app.size.width * WIDTH_PERCENT // 100, WIDEST) - FRAME
        lines = [*self._screen_lines, Heading("On every screen"), *self._app_lines]
        first, second = self.query(".help-column").results(Static)
        if self.app.size.width < WIDE:
            second.display = False
            first.update(_painted(lines, width))
            return
        # The keys of the screen are on the left and those of every screen on the right, unless the
        # left column would be much longer.
        lines_on_left = len(self._screen_lines)
        if lines_on_left > len(self._app_lines) + MOST_UNEVEN:
            lines_on_left = (len(lines) + 1) // 2
        column_width = (width - COLUMNS_APART) // 2
        second.display = True
        first.update(_painted(lines[:lines_on_left], column_width))
        second.update(_painted(lines[lines_on_left:], column_width))


def _keys(screen: Screen[object]) -> Iterator[KeyLine]:
    """Every key of a screen and of our widgets on it, with what it does. Keys that do the same are
    listed once. They are compared by their words, since their actions may have different names."""
    app = cast("Host", screen.app)
    listed: set[str] = set()
    nodes: list[DOMNode] = [screen]
    for widget in screen.query("*"):
        is_ours = type(widget).__module__.startswith("skirmish.")
        if is_ours:
            nodes.append(widget)
    for node in nodes:
        for line in _key_lines(app, screen, node):
            if line.does not in listed:
                listed.add(line.does)
                yield line


def _key_lines(app: Host, screen: Screen[object], node: DOMNode) -> Iterator[KeyLine]:
    """The keys of one node (the app, a screen or a widget), each action once."""
    active_actions = set()  # actions of this screen and the app
    greyed_actions = set()  # those of them that cannot be used now
    for active in screen.active_bindings.values():
        active_actions.add(active.binding.action)
        if not active.enabled:
            greyed_actions.add(active.binding.action)
    listed: set[str] = set()
    # There is no public API for the bindings of this node alone, with the player's own keys.
    for entries in node._bindings.key_to_bindings.values():
        for binding in entries:
            # A key that is not active is not available here, or overridden. Keys of widgets are
            # listed all the same: they are active only while their widget has the focus.
            if node in (screen, app) and binding.action not in active_actions:
                continue
            if binding.tooltip and binding.action not in listed:
                listed.add(binding.action)
                key = app.get_key_display(binding)
                available = binding.action not in greyed_actions
                yield KeyLine(key, binding.tooltip, available, binding.id or "")


def _arranged(keys: list[KeyLine], groups: list[KeyGroup]) -> list[Heading | KeyLine]:
    """Keys under the titles of their groups, then those that are in no group. A group may name keys
    that the screen does not have now."""
    ungrouped = {line.id: line for line in keys}
    lines: list[Heading | KeyLine] = []
    for title, ids in groups:
        lines_of_group: list[KeyLine] = []
        for id in ids:
            if id in ungrouped:
                lines_of_group.append(ungrouped.pop(id))
        if lines_of_group:
            lines += [Heading(title), *lines_of_group]
    lines += [line for line in keys if line.id in ungrouped]
    return lines


def _painted(lines: Sequence[Heading | KeyLine], width: int) -> Content:
    """Headings, and keys with what they do, wrapped to ``width`` columns."""
    rows: list[Content] = []
    for line in lines:
        if isinstance(line, Heading):
            if rows:
                rows.append(Content(""))
            rows.append(Content.styled(line.text.upper(), "bold $primary"))
            continue
        text = (line.does, "")
        if not line.available:
            text = (f"{line.does} (not now)", "$foreground 60%")
        row = Content.assemble((f"{line.key:>{KEY_WIDTH}}", KEY), KEY_GAP, text)
        rows += hanging(row, width, KEY_WIDTH + len(KEY_GAP))
    return Content("\n").join([Content(""), *rows])
