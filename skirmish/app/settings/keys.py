"""The key map: every key of the program by the id of its binding, and the player's replacement. The
list is collected from the bindings: all modules of the app are imported once, when somebody wants
to change a key. Two bindings clash if both work on the same screen."""

from __future__ import annotations

import asyncio
import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import ClassVar, NamedTuple

from msgspec.structs import replace
from textual import events, work
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Static

from skirmish.app.binding import key_name, keys
from skirmish.app.line_list import CHANGED, Group
from skirmish.app.page_view import hanging
from skirmish.app.settings.screen import SettingsList
from skirmish.app.windows import Window, working

FIXED = frozenset(
    {"enter", "escape", "up", "down", "left", "right", "pageup", "pagedown", "home", "end"}
    | {"tab", "shift+tab", "backspace", "f1", "question_mark"}
    | set("0123456789")
    | {f"ctrl+{sign}" for sign in ("c", "q", "p", "m", "h", "i", "j", "left_square_bracket")}
)
"""Keys with the same meaning everywhere (digits are numbers), and what terminals send for them."""
KEY, EDGES = 16, 6
"""Columns of the keys, and of the edges of the list with its scroll bar."""
FIRST = ("home", "battle", "question", "army")
"""The topics listed first; the others follow in alphabetical order."""
SIGN = ".sign_"
"""Part of the ids of letters and digits that name rows and numbers, as in ``battle.sign_a``."""


class Bound(NamedTuple):
    """A binding under its id: its default ``keys``, the names of the ``screens`` on which it
    works."""

    id: str
    keys: tuple[str, ...]
    tooltip: str
    screens: frozenset[str]

    @property
    def topic(self) -> str:
        return self.id.partition(".")[0]

    @property
    def movable(self) -> bool:
        """Whether it can be remapped: not if it is the same everywhere or names rows."""
        return SIGN not in self.id and not FIXED.issuperset(self.keys)

    def keys_now(self, chosen: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(chosen[self.id].split(",")) if self.id in chosen else self.keys

    def with_key(self, key: str) -> str:
        """The entry of the key map that gives it ``key``; Esc and arrows among its keys stay."""
        return ",".join([*(own for own in self.keys if own in FIXED), key])


def binders() -> list[type[DOMNode]]:
    """The app, its screens and their widgets, from all modules."""
    package = importlib.import_module("skirmish.app")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    kinds: dict[type[DOMNode], None] = {DOMNode: None}
    while more := [one for kind in kinds for one in kind.__subclasses__() if one not in kinds]:
        kinds.update(dict.fromkeys(more))
    return [kind for kind in kinds if kind.__module__.startswith(f"{package.__name__}.")]


def every_key() -> dict[str, Bound]:
    kinds = sorted(binders(), key=lambda kind: (kind.__module__, kind.__qualname__))
    screens = frozenset(kind.__name__ for kind in kinds if issubclass(kind, Screen))
    found: dict[str, Bound] = {}
    for kind in kinds:
        on = screens if issubclass(kind, App) else screens & {kind.__name__}
        merged = kind._merged_bindings  # BINDINGS alone would not know inherit_bindings=False
        for key, one in merged or ():
            if one.id is not None:
                fresh = Bound(one.id, (), one.tooltip or one.description, frozenset())
                known = found.get(one.id, fresh)
                own = tuple(dict.fromkeys((*known.keys, key)))
                found[one.id] = known._replace(keys=own, screens=known.screens | on)
    by_topic: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for bound in found.values():
        by_topic[bound.topic] |= bound.screens
    return {  # a widget works on the screens of its topic
        id: one if one.screens else one._replace(screens=by_topic[one.topic])
        for id, one in found.items()
    }


def why_not(
    known: Mapping[str, Bound], chosen: Mapping[str, str], name: str, key: str
) -> str | None:
    """Why a binding cannot have a key, as a sentence; None if it can."""
    if key in FIXED:
        return "That key does the same on every screen and cannot be reassigned."
    for other in known.values():
        if other.id == name or not known[name].screens & other.screens:
            continue
        if key in other.keys_now(chosen):
            if SIGN in other.id:
                return (
                    "That key names a row or a number in a battle. Use a capital, a symbol or an F "
                    "key."
                )
            does = other.tooltip[:1].lower() + other.tooltip[1:]
            return f"That key is taken ({other.topic}: {does}). Reassign that one first."
    return None


def problems(known: Mapping[str, Bound], chosen: Mapping[str, str]) -> Iterator[str]:
    from skirmish.tabletop.data_file import suggest

    for name, wanted in chosen.items():
        bound = known.get(name)
        if bound is None:
            yield f"keys: there is no {name}; {suggest(name, known)}"
        elif not bound.movable:
            yield f"keys.{name}: this key cannot be changed; remove the line."
        else:
            for key in wanted.split(","):
                reason = why_not(known, chosen, name, key.strip())
                if key not in bound.keys and reason:
                    yield f"keys.{name} = {key}: {reason}"


class KeysScreen(SettingsList):
    """All keys by topic. Enter remaps the selected line."""

    LIST: ClassVar[str] = "keys-list"
    TOPIC: ClassVar[str] = "keys"
    HELP = (
        "Choose a line with the arrows, press Enter, then the new key. A key that is already used "
        "on the same screen is refused. Enter, Esc, Tab, the arrows and the letters that name "
        "rows in a battle cannot be changed."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "keys",
        ("printed", "d,delete", "reset", "Reset", "Reset this line to its default key"),
        ("all_printed", "D", "reset_all", "Reset all", "Reset every line to its default key"),
        ("back", "escape,q", "app.pop_screen", "Back", "Back; changes are saved"),
    )
    heading = "KEYS   Enter changes a key"

    def __init__(self) -> None:
        super().__init__()
        self.known: Mapping[str, Bound] = {}

    @property
    def mapped(self) -> Mapping[str, str]:
        return self.skirmish.settings.keys

    async def on_mount(self) -> None:
        self._fill()

    @work(exclusive=True)
    async def _fill(self) -> None:
        reading = asyncio.to_thread(every_key)
        self.known = await working(self.skirmish, "Collecting the keys", reading)
        self.paint()
        if wrong := "\n".join(problems(self.known, self.mapped)):
            await self.skirmish.show_message("Some keys in the settings file cannot be used", wrong)

    def groups(self) -> Iterator[Group]:
        movable = [bound for bound in self.known.values() if bound.movable]
        topics = dict.fromkeys([*FIRST, *sorted(bound.topic for bound in movable)])
        for topic in topics:
            gap = "" if topic == FIRST[0] else "\n"
            lines = {one.id: self._line(one) for one in movable if one.topic == topic}
            yield Content.styled(f"{gap}{topic.upper()}", "bold $primary"), lines

    def _line(self, bound: Bound) -> Content:
        keys = sorted(bound.keys_now(self.mapped), key=FIXED.__contains__)
        shown = Content("  " + ", ".join(map(key_name, keys))).truncate(
            KEY, ellipsis=True, pad=True
        )
        mine = bound.id in self.mapped
        line = Content.assemble(
            shown.stylize("bold $accent" if mine else "bold"),
            "  ",
            bound.tooltip,
            CHANGED if mine else "",
        )
        return Content("\n").join(hanging(line, self.app.size.width - EDGES, KEY + 2))

    def meaning(self, id: str) -> Content:
        bound = self.known[id]
        default = ", ".join(map(key_name, bound.keys))
        return Content.styled(
            f"{bound.tooltip}.\nDefault key: {default}. In the settings file: {id}",
            "$foreground 65%",
        )

    def on_option_list_option_selected(self) -> None:
        if (bound := self.known.get(self.chosen)) is not None:
            self.run_worker(self._ask(bound), exclusive=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "reset":
            return True if self.chosen in self.mapped else None
        return True if action != "reset_all" or self.mapped else None

    async def action_reset(self) -> None:
        bound = self.known[self.chosen]
        without = {name: key for name, key in self.mapped.items() if name != bound.id}
        for key in bound.keys:
            if reason := why_not(self.known, without, bound.id, key):
                self.notify(reason, severity="warning", markup=False)
                return
        await self._save(without)

    async def action_reset_all(self) -> None:
        await self._save({})

    async def _save(self, chosen: Mapping[str, str]) -> None:
        await self.save(replace(self.skirmish.settings, keys=dict(chosen)))

    async def _ask(self, bound: Bound) -> None:
        wrong = partial(why_not, self.known, self.mapped, bound.id)
        key = await self.app.push_screen_wait(PressKeyScreen(bound, wrong))
        if key is not None:
            changed = {name: own for name, own in self.mapped.items() if name != bound.id}
            if key not in bound.keys:
                changed[bound.id] = bound.with_key(key)
            await self._save(changed)


class PressKeyScreen(Window[str | None]):
    """Waits for a key and returns it, or None for Esc. ``wrong`` returns why a key is not allowed,
    or None."""

    TOPIC: ClassVar[str] = "keys"
    CLOSES = "Esc cancels."
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "keys", ("keep", "escape", "dismiss", "", "Cancel; the key stays as it is")
    )

    def __init__(self, bound: Bound, wrong: Callable[[str], str | None]) -> None:
        super().__init__("Change a key", f"{bound.tooltip}.\n")
        self._wrong = wrong

    def body(self) -> ComposeResult:
        yield Static("Press the new key now.", id="press-here", markup=False)
        yield Static("", id="press-why", markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key != "escape":
            event.stop()
            event.prevent_default()
            if reason := self._wrong(event.key):
                self.query_one("#press-why", Static).update(f"{key_name(event.key)}: {reason}")
            else:
                self.dismiss(event.key)
