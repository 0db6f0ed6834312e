"""The screen on which the player gives bindings other keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import ClassVar

from msgspec.structs import replace
from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish.app.binding import key_name, keys
from skirmish.app.line_list import CHANGED_MARK, LineGroup
from skirmish.app.settings.choice_lines import SettingsList
from skirmish.app.settings.key_map import FIXED, BoundKeys, every_key, problems, why_not
from skirmish.app.text_rows import hanging
from skirmish.app.windows import Window, working

KEY_COLUMNS = 16
"""Columns of the keys."""
GAP = "  "
"""Between the keys and what they do."""
LIST_EDGES = 6
"""Columns of the edges of the list with its scroll bar."""
FIRST_TOPICS = ("home", "battle", "question", "army")
"""The topics listed first; the others follow in alphabetical order."""


class KeysScreen(SettingsList):
    """All bindings by topic, with their keys. Enter gives the selected one another key."""

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
        """Empty until they are collected."""

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
        sentences = list(problems(self.bindings_by_id, self.key_map))
        if sentences:
            title = "Some keys in the settings file cannot be used"
            await self.skirmish.show_message(title, "\n".join(sentences))

    def groups(self) -> Iterator[LineGroup]:
        changeable = [bound for bound in self.bindings_by_id.values() if bound.is_changeable]
        topics = dict.fromkeys([*FIRST_TOPICS, *sorted(bound.topic for bound in changeable)])
        for topic in topics:
            heading = topic.upper()
            if topic != FIRST_TOPICS[0]:
                # An empty row stands above every heading but the first.
                heading = f"\n{heading}"
            lines = {bound.id: self._line(bound) for bound in changeable if bound.topic == topic}
            yield LineGroup(Content.styled(heading, "bold $primary"), lines)

    def _line(self, bound: BoundKeys) -> Content:
        """The keys of a binding, and what it does."""
        # Those that can be changed first, so that they are not cut off.
        keys_now = sorted(bound.keys_now(self.key_map), key=_is_fixed)
        names = Content("  " + ", ".join(map(key_name, keys_now)))
        names = names.truncate(KEY_COLUMNS, ellipsis=True, pad=True)
        if bound.id in self.key_map:
            line = Content.assemble(names.stylize("bold $accent"), GAP, bound.tooltip, CHANGED_MARK)
        else:
            line = Content.assemble(names.stylize("bold"), GAP, bound.tooltip)
        indent = KEY_COLUMNS + len(GAP)
        return Content("\n").join(hanging(line, self.columns - LIST_EDGES, indent))

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
            self.run_worker(self._change_key(bound), exclusive=True)

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
        changed = self._key_map_without(bound)
        for key in bound.keys:
            reason = why_not(self.bindings_by_id, changed, bound.id, key)
            if reason:  # the player has given the default key to another binding
                self.notify(reason, severity="warning", markup=False)
                return
        await self._save(changed)

    async def action_reset_all(self) -> None:
        await self._save({})

    async def _change_key(self, bound: BoundKeys) -> None:
        """Give a binding the key that is pressed next."""
        why_not_key = partial(why_not, self.bindings_by_id, self.key_map, bound.id)
        key = await self.app.push_screen_wait(PressKeyScreen(bound, why_not_key))
        if key is None:
            return
        changed = self._key_map_without(bound)
        if key not in bound.keys:  # a default key needs no entry
            changed[bound.id] = bound.with_key(key)
        await self._save(changed)

    def _key_map_without(self, bound: BoundKeys) -> dict[str, str]:
        """The key map in which a binding has its default keys."""
        return {id: own_keys for id, own_keys in self.key_map.items() if id != bound.id}

    async def _save(self, key_map: Mapping[str, str]) -> None:
        await self.save(replace(self.skirmish.settings, keys=dict(key_map)))


def _is_fixed(key: str) -> bool:
    return key in FIXED


class PressKeyScreen(Window[str | None]):
    """Waits for a key and returns it, or None for Esc. ``why_not_key`` says why a key cannot be
    used; None if it can."""

    TOPIC: ClassVar[str] = "keys"
    CLOSES = "Esc cancels."
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "keys", ("keep", "escape", "dismiss", "", "Cancel; the key stays as it is")
    )

    def __init__(self, bound: BoundKeys, why_not_key: Callable[[str], str | None]) -> None:
        super().__init__("Change a key", f"{bound.tooltip}.\n")
        self._why_not_key = why_not_key

    def body(self) -> ComposeResult:
        yield Static("Press the new key now.", id="press-here", markup=False)
        yield Static("", id="press-why", markup=False)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            return  # the binding cancels
        event.stop()
        event.prevent_default()
        reason = self._why_not_key(event.key)
        if reason:
            self.query_one("#press-why", Static).update(f"{key_name(event.key)}: {reason}")
        else:
            self.dismiss(event.key)
