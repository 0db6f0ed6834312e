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
from skirmish.app.settings.screen import SettingsList
from skirmish.app.text_rows import hanging
from skirmish.app.windows import Window, working

FIXED = frozenset(
    {
        *("enter", "escape", "up", "down", "left", "right", "pageup", "pagedown", "home", "end"),
        *("tab", "shift+tab", "backspace", "f1", "question_mark"),
        *"0123456789",
        *("ctrl+c", "ctrl+q", "ctrl+p"),
        *("ctrl+m", "ctrl+h", "ctrl+i", "ctrl+j", "ctrl+left_square_bracket"),
    }
)
"""Keys with the same meaning everywhere (digits are numbers), and what terminals send for them:
Ctrl+M is Enter, Ctrl+H Backspace, Ctrl+I Tab, Ctrl+[ Esc."""
KEY_COLUMNS = 16
"""Columns of the keys."""
EDGES = 6
"""Columns of the edges of the list with its scroll bar."""
FIRST_TOPICS = ("home", "battle", "question", "army")
"""The topics listed first; the others follow in alphabetical order."""
SIGN = ".sign_"
"""Part of the ids of letters and digits that name rows and numbers, as in ``battle.sign_a``."""


class BoundKeys(NamedTuple):
    """A binding under its id: its default ``keys``, the names of the ``screens`` on which it
    works."""

    id: str
    keys: tuple[str, ...]
    tooltip: str
    screens: frozenset[str]

    @property
    def topic(self) -> str:
        """What its screen is about, as at the beginning of its id."""
        return self.id.partition(".")[0]

    @property
    def movable(self) -> bool:
        """Whether it can be remapped: not if it is the same everywhere or names rows."""
        return SIGN not in self.id and not FIXED.issuperset(self.keys)

    def keys_now(self, key_map: Mapping[str, str]) -> tuple[str, ...]:
        """Its keys under a key map."""
        if self.id in key_map:
            return tuple(key_map[self.id].split(","))
        return self.keys

    def with_key(self, key: str) -> str:
        """The entry of the key map that gives it ``key``; Esc and arrows among its keys stay."""
        fixed_keys = [fixed for fixed in self.keys if fixed in FIXED]
        return ",".join([*fixed_keys, key])


def classes_with_keys() -> list[type[DOMNode]]:
    """The app, its screens and their widgets, from all modules."""
    package = importlib.import_module("skirmish.app")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
    classes: dict[type[DOMNode], None] = {}  # a set that keeps the order
    to_visit: list[type[DOMNode]] = [DOMNode]
    while to_visit:
        kind = to_visit.pop()
        if kind not in classes:
            classes[kind] = None
            to_visit += kind.__subclasses__()
    return [kind for kind in classes if kind.__module__.startswith(f"{package.__name__}.")]


def every_key() -> dict[str, BoundKeys]:
    """Every binding that has an id, by that id."""
    kinds = sorted(classes_with_keys(), key=_full_name)
    screens = frozenset(kind.__name__ for kind in kinds if issubclass(kind, Screen))
    bounds: dict[str, BoundKeys] = {}
    for kind in kinds:
        works_on: frozenset[str] = frozenset()  # of a widget: _place_widgets finds its screens
        if issubclass(kind, App):
            works_on = screens
        elif issubclass(kind, Screen):
            works_on = frozenset({kind.__name__})
        merged = kind._merged_bindings  # BINDINGS alone would not know inherit_bindings=False
        for key, binding in merged or ():
            if binding.id is not None:
                tooltip = binding.tooltip or binding.description
                bound = bounds.get(binding.id, BoundKeys(binding.id, (), tooltip, frozenset()))
                its_keys = tuple(dict.fromkeys((*bound.keys, key)))  # each once, in this order
                bounds[binding.id] = bound._replace(keys=its_keys, screens=bound.screens | works_on)
    _place_widgets(bounds)
    return bounds


def _full_name(kind: type) -> tuple[str, str]:
    return kind.__module__, kind.__qualname__


def _place_widgets(bounds: dict[str, BoundKeys]) -> None:
    """Give the bindings of widgets their screens: each works on those that have bindings of the
    same topic."""
    by_topic: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for bound in bounds.values():
        by_topic[bound.topic] |= bound.screens
    for id, bound in bounds.items():
        if not bound.screens:
            bounds[id] = bound._replace(screens=by_topic[bound.topic])


def why_not(
    bindings: Mapping[str, BoundKeys], key_map: Mapping[str, str], id: str, key: str
) -> str | None:
    """Why the binding ``id`` cannot have a key, as a sentence; None if it can. ``bindings``: all
    of them by their ids."""
    if key in FIXED:
        return "That key does the same on every screen and cannot be reassigned."
    for rival in bindings.values():
        on_one_screen = bindings[id].screens & rival.screens
        if rival.id == id or not on_one_screen or key not in rival.keys_now(key_map):
            continue
        if SIGN in rival.id:
            return (
                "That key names a row or a number in a battle. Use a capital, a symbol or an F key."
            )
        does = rival.tooltip[:1].lower() + rival.tooltip[1:]
        return f"That key is taken ({rival.topic}: {does}). Reassign that one first."
    return None


def problems(bindings: Mapping[str, BoundKeys], key_map: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with a key map that somebody wrote by hand, a sentence each."""
    from skirmish.tabletop.data_file import suggest

    for id, wanted_keys in key_map.items():
        bound = bindings.get(id)
        if bound is None:
            yield f"keys: there is no {id}; {suggest(id, bindings)}"
        elif not bound.movable:
            yield f"keys.{id}: this key cannot be changed; remove the line."
        else:
            for key in wanted_keys.split(","):
                # In "a, b" the second key is " b", which Textual does not know: though "b" is the
                # default key of this line it does not work, and is looked at like any other.
                reason = why_not(bindings, key_map, id, key.strip())
                if key not in bound.keys and reason:
                    yield f"keys.{id} = {key}: {reason}"


class KeysScreen(SettingsList):
    """All keys by topic. Enter remaps the selected line."""

    LIST_ID: ClassVar[str] = "keys-list"
    TOPIC: ClassVar[str] = "keys"
    HELP = (
        "Choose a line with the arrows, press Enter, then the new key. A key that is already used "
        "on the same screen is refused. Enter, Esc, Tab, the arrows and the letters that name "
        "rows in a battle cannot be changed."
    )
    # Each row: id, keys, action, label at the foot, words of the help.
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "keys",
        ("printed", "d,delete", "reset", "Reset", "Reset this line to its default key"),
        ("all_printed", "D", "reset_all", "Reset all", "Reset every line to its default key"),
        ("back", "escape,q", "app.pop_screen", "Back", "Back; changes are saved"),
    )
    heading = "KEYS   Enter changes a key"
    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "reset": "it has its default key",
        "reset_all": "all have their default keys",
    }

    def __init__(self) -> None:
        super().__init__()
        self.bindings_by_id: Mapping[str, BoundKeys] = {}

    @property
    def key_map(self) -> Mapping[str, str]:
        """The player's keys, by the ids of their bindings."""
        return self.skirmish.settings.keys

    async def on_mount(self) -> None:
        self._fill()

    @work(exclusive=True)
    async def _fill(self) -> None:
        reading = asyncio.to_thread(every_key)
        self.bindings_by_id = await working(self.skirmish, "Collecting the keys", reading)
        self.paint()
        wrong = list(problems(self.bindings_by_id, self.key_map))
        if wrong:
            title = "Some keys in the settings file cannot be used"
            await self.skirmish.show_message(title, "\n".join(wrong))

    def groups(self) -> Iterator[Group]:
        movable = [bound for bound in self.bindings_by_id.values() if bound.movable]
        topics = dict.fromkeys([*FIRST_TOPICS, *sorted(bound.topic for bound in movable)])
        for topic in topics:
            heading = topic.upper()
            if topic != FIRST_TOPICS[0]:
                heading = f"\n{heading}"
            lines = {bound.id: self._line(bound) for bound in movable if bound.topic == topic}
            yield Content.styled(heading, "bold $primary"), lines

    def _line(self, bound: BoundKeys) -> Content:
        """The keys of a binding, and what it does."""
        # Those that can be changed first, so that they are not cut off.
        in_force = bound.keys_now(self.key_map)
        changeable = [key for key in in_force if key not in FIXED]
        fixed = [key for key in in_force if key in FIXED]
        names = Content("  " + ", ".join(map(key_name, (*changeable, *fixed))))
        names = names.truncate(KEY_COLUMNS, ellipsis=True, pad=True)
        if bound.id in self.key_map:
            line = Content.assemble(names.stylize("bold $accent"), "  ", bound.tooltip, CHANGED)
        else:
            line = Content.assemble(names.stylize("bold"), "  ", bound.tooltip)
        return Content("\n").join(hanging(line, self.columns - EDGES, KEY_COLUMNS + 2))

    def meaning(self, id: str) -> Content:
        bound = self.bindings_by_id[id]
        default = ", ".join(map(key_name, bound.keys))
        return Content.styled(
            f"{bound.tooltip}.\nDefault key: {default}. In the settings file: {id}",
            "$foreground 65%",
        )

    def on_option_list_option_selected(self) -> None:
        bound = self.bindings_by_id.get(self.chosen)
        if bound is not None:
            self.run_worker(self._ask(bound), exclusive=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        is_possible = True
        if action == "reset":
            is_possible = self.chosen in self.key_map
        elif action == "reset_all":
            is_possible = bool(self.key_map)
        if is_possible:
            return True
        return None  # Textual shows the key in grey; False would hide it

    async def action_reset(self) -> None:
        """Give the chosen binding its default keys again."""
        bound = self.bindings_by_id[self.chosen]
        without = {id: key for id, key in self.key_map.items() if id != bound.id}
        for key in bound.keys:
            reason = why_not(self.bindings_by_id, without, bound.id, key)
            if reason:  # the default key is another binding's now
                self.notify(reason, severity="warning", markup=False)
                return
        await self._save(without)

    async def action_reset_all(self) -> None:
        await self._save({})

    async def _save(self, chosen: Mapping[str, str]) -> None:
        await self.save(replace(self.skirmish.settings, keys=dict(chosen)))

    async def _ask(self, bound: BoundKeys) -> None:
        """Give a binding the key that is pressed next."""
        wrong = partial(why_not, self.bindings_by_id, self.key_map, bound.id)
        key = await self.app.push_screen_wait(PressKeyScreen(bound, wrong))
        if key is not None:
            changed = {id: own_keys for id, own_keys in self.key_map.items() if id != bound.id}
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

    def __init__(self, bound: BoundKeys, wrong: Callable[[str], str | None]) -> None:
        super().__init__("Change a key", f"{bound.tooltip}.\n")
        self._wrong = wrong

    def body(self) -> ComposeResult:
        yield Static("Press the new key now.", id="press-here", markup=False)
        yield Static("", id="press-why", markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            return  # the binding cancels
        event.stop()
        event.prevent_default()
        reason = self._wrong(event.key)
        if reason:
            self.query_one("#press-why", Static).update(f"{key_name(event.key)}: {reason}")
        else:
            self.dismiss(event.key)
