"""The key map: every key of the program, and another one where the player likes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from skirmish.app.binding import key_name, keys
from skirmish.app.settings.key_map import FIXED, Bound, every_key, problems, why_not
from skirmish.app.settings.screen import SettingsList
from skirmish.app.windows import Window
from skirmish.app.working import working

KEY = 16
"""Columns of the keys."""
FIRST = ("home", "battle", "question", "army")
"""The topics that stand first; the others follow by the alphabet."""


class KeysScreen(SettingsList):
    """All keys by topic. Enter gives the chosen line another."""

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
        """What the player has chosen so far, by binding."""
        return self.skirmish.settings.keys

    def on_mount(self) -> None:
        self.run_worker(self._fill(), exclusive=True)

    async def _fill(self) -> None:
        reading = asyncio.to_thread(every_key)
        self.known = await working(self.skirmish, "Collecting the keys", reading)
        movable = [bound for bound in self.known.values() if bound.movable]
        topics = dict.fromkeys([*FIRST, *sorted(bound.topic for bound in movable)])
        self.fill(
            (topic.upper(), [bound.id for bound in movable if bound.topic == topic])
            for topic in topics
        )
        if wrong := "\n".join(problems(self.known, self.mapped)):
            await self.skirmish.tell("Some keys in the settings file cannot be used", wrong)

    def line(self, id: str) -> Content:
        bound = self.known[id]
        keys = sorted(bound.keys_now(self.mapped), key=FIXED.__contains__)
        shown = Content("  " + ", ".join(map(key_name, keys))).truncate(
            KEY, ellipsis=True, pad=True
        )
        mine = id in self.mapped
        return Content.assemble(
            shown.stylize("bold $accent" if mine else "bold"),
            "  ",
            bound.tooltip,
            ("  (yours)" if mine else "", "$accent"),
        )

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
        bound = self.known.get(self.chosen)
        if bound is None or bound.id not in self.mapped:
            return
        without = {name: key for name, key in self.mapped.items() if name != bound.id}
        for key in bound.keys:
            if reason := why_not(self.known, without, bound.id, key):
                self.notify(reason, severity="warning", markup=False)
                return
        await self.save("The keys are saved.", keys=without)

    async def action_reset_all(self) -> None:
        await self.save("The keys are saved.", keys={})

    async def _ask(self, bound: Bound) -> None:
        def wrong(key: str) -> str | None:
            return why_not(self.known, self.mapped, bound.id, key)

        key = await self.app.push_screen_wait(PressKeyScreen(bound, wrong))
        if key is not None:
            changed = {name: own for name, own in self.mapped.items() if name != bound.id}
            if key not in bound.keys:
                changed[bound.id] = bound.with_key(key)
            await self.save("The keys are saved.", keys=changed)


class PressKeyScreen(Window[str | None]):
    """Waits for a key; gives it, or None where Esc is pressed. ``wrong`` says why not, if not."""

    TOPIC: ClassVar[str] = "keys"
    CLOSES = "Esc cancels."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close", show=False, tooltip="Cancel; the key stays as it is",
                id="keys.keep"),
    ]  # fmt: skip

    def __init__(self, bound: Bound, wrong: Callable[[str], str | None]) -> None:
        super().__init__("Change a key", f"{bound.tooltip}.\n")
        self._wrong = wrong

    def body(self) -> ComposeResult:
        yield AnyKey("Press the new key now.", id="press-here", markup=False)
        yield Static("", id="press-why", markup=False)

    def on_mount(self) -> None:
        self.query_one(AnyKey).focus()

    def on_any_key_pressed(self, event: AnyKey.Pressed) -> None:
        if reason := self._wrong(event.key):
            self.query_one("#press-why", Static).update(f"{key_name(event.key)}: {reason}")
        else:
            self.dismiss(event.key)


class AnyKey(Static, can_focus=True):
    """Takes whatever key is pressed, which no binding could: it is about to become one."""

    class Pressed(Message):
        """A key."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    def on_key(self, event: events.Key) -> None:
        if event.key != "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Pressed(event.key))
