"""The help window with the keys of a screen, and the command palette."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.containers import Horizontal
from textual.content import Content
from textual.dom import DOMNode
from textual.types import IgnoreReturnCallbackType
from textual.widgets import Static

from skirmish.app.host import Host
from skirmish.app.page_view import hanging
from skirmish.app.windows import CLOSE, SCROLL, Window

if TYPE_CHECKING:
    from textual.screen import Screen

KEY = 10
"""Columns of the keys."""
WIDE = 110
FRAME = 8
"""Columns of the window's frame, its edges and its scroll bar."""
LARGEST = 132
"""The most columns of the window, as in its style."""


class KeyLine(NamedTuple):
    """A key, what it does, and whether it is available now; a heading if it has no key."""

    key: str
    does: str
    now: bool
    id: str = ""


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
    EXTRA = "Help is"
    CLOSES = "Ctrl+P finds a command by name. Esc closes this window."
    BINDINGS: ClassVar[list[BindingType]] = [*CLOSE, *SCROLL]

    def __init__(self, screen: Screen[object]) -> None:
        topic = str(getattr(screen, "TOPIC", ""))
        super().__init__(f"Keys: {topic}" if topic else "Keys")
        app = cast("Host", screen.app)
        self._about = app.measured(str(getattr(screen, "HELP", "")))
        arranged = getattr(screen, "help_groups", None)
        groups: list[tuple[str, list[str]]] = arranged() if arranged else []
        self._grouped = bool(groups)
        own = getattr(screen, "help_lines", list)
        self._here = [*(KeyLine(*line) for line in own()), *_arranged(list(_keys(screen)), groups)]
        self._everywhere = list(_key_lines(app, screen, app))

    def body(self) -> ComposeResult:
        about = Static("\n" + self._about, markup=False)
        if self._about and not self._grouped:
            yield about
        with Horizontal(id="help-keys"):
            yield Static("", classes="help-column", markup=False)
            yield Static("", classes="help-column", markup=False)
        if self._about and self._grouped:  # available keys first
            yield about

    def on_resize(self) -> None:
        width = min(self.app.size.width * 96 // 100, LARGEST) - FRAME
        wide = self.app.size.width >= WIDE
        width = width // 2 - 2 if wide else width
        lines = [*self._here, KeyLine("", "On every screen", now=True), *self._everywhere]
        at = len(self._here)
        if at > len(self._everywhere) + 7:
            at = (len(lines) + 1) // 2
        first, second = self.query(".help-column").results(Static)
        second.display = wide
        first.update(_painted(lines[:at] if wide else lines, width))
        second.update(_painted(lines[at:], width))


def _keys(screen: Screen[object]) -> Iterator[KeyLine]:
    """Every key of a screen and of our widgets on it with what it does, each action once."""
    app = cast("Host", screen.app)
    seen: set[str] = set()
    parts = [part for part in screen.query("*") if type(part).__module__.startswith("skirmish.")]
    for node in (screen, *parts):
        for line in _key_lines(app, screen, node):
            if line.does not in seen:
                seen.add(line.does)
                yield line


def _key_lines(app: Host, screen: Screen[object], node: DOMNode) -> Iterator[KeyLine]:
    asleep = {
        active.binding.action for active in screen.active_bindings.values() if not active.enabled
    }
    here = {active.binding.action for active in screen.active_bindings.values()}
    seen: set[str] = set()
    # The bindings of this node alone, with the player's keys, which has no public API.
    for entries in node._bindings.key_to_bindings.values():
        for binding in entries:
            if node in (screen, app) and binding.action not in here:
                continue  # unavailable here, or overridden
            if binding.tooltip and binding.action not in seen:
                seen.add(binding.action)
                now = binding.action not in asleep
                yield KeyLine(app.get_key_display(binding), binding.tooltip, now, binding.id or "")


def _arranged(keys: list[KeyLine], groups: list[tuple[str, list[str]]]) -> list[KeyLine]:
    by_id = {line.id: line for line in keys}
    found: list[KeyLine] = []
    for title, ids in groups:
        if own := [by_id.pop(id) for id in ids if id in by_id]:
            found += [KeyLine("", title, now=True), *own]
    return found + [line for line in keys if line.id in by_id]


def _painted(keys: list[KeyLine], width: int) -> Content:
    rows: list[Content] = []
    for key, does, now, _ in keys:
        if not key:
            rows += [*[Content("")] * bool(rows), Content.styled(does.upper(), "bold $primary")]
            continue
        text = (does, "") if now else (f"{does} (not now)", "$foreground 60%")
        line = Content.assemble((f"{key:>{KEY}}", "$accent bold"), "  ", text)
        rows += hanging(line, width, KEY + 2)
    return Content("\n").join([Content(""), *rows])


# ---------------------------------------------------------------------- the command palette


class PaletteLine(NamedTuple):
    """A line of the palette: ``text`` (``topic: what it does``), its key and its action."""

    text: str
    key: str
    run: IgnoreReturnCallbackType


class EveryKey(Provider):
    async def discover(self) -> Hits:
        for command in self._commands():
            yield DiscoveryHit(_palette_line(command), command.run, text=command.text)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(command.text)
            if score > 0:
                yield Hit(score, _palette_line(command), command.run, text=command.text)

    def _commands(self) -> Iterator[PaletteLine]:
        topic = str(getattr(self.screen, "TOPIC", "here"))
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            binding = active.binding
            if not (active.enabled and binding.tooltip) or binding.action in seen:
                continue
            if binding.action == "command_palette":
                continue
            seen.add(binding.action)
            group = "skirmish" if active.node is self.app else topic
            does = f"{binding.tooltip[:1].lower()}{binding.tooltip[1:]}".partition(": ")[0]
            run = partial(self.app.run_action, binding.action, default_namespace=active.node)
            yield PaletteLine(f"{group}: {does}", self.app.get_key_display(binding), run)


def _palette_line(command: PaletteLine) -> Content:
    return Content.assemble(command.text, "  ", (command.key, "$accent bold"))
