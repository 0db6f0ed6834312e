"""The key map: every key of the program, and another one where the player likes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.binding import key_name
from skirmish.app.foot import Foot
from skirmish.app.host import ModalScreen, Screen
from skirmish.app.settings.key_map import FIXED, Bound, every_key, problems, why_not
from skirmish.app.working import working

KEY = 16
"""Columns of the keys."""
FIRST = ("home", "battle", "question", "army")
"""The topics that stand first; the others follow by the alphabet."""


class KeysScreen(Screen[None]):
    """All keys by topic. Enter gives the chosen line another."""

    CSS_PATH = "settings.tcss"
    TOPIC: ClassVar[str] = "keys"
    HELP = (
        "Choose a line with the arrows, press Enter, then the new key. A key that is already used "
        "on the same screen is refused. Enter, Esc, Tab, the arrows and the letters that name "
        "rows in a battle cannot be changed."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "d,delete", "printed", "Reset", key_display="d",
            tooltip="Reset this line to its default key", id="keys.printed",
        ),
        Binding("D", "all_printed", "Reset all", tooltip="Reset every line to its default key",
                id="keys.all_printed"),
        Binding("escape,q", "app.pop_screen", "Back", key_display="Esc",
                tooltip="Back; changes are saved", id="keys.back"),
    ]  # fmt: skip

    def __init__(self) -> None:
        super().__init__()
        self.known: Mapping[str, Bound] = {}

    @property
    def mapped(self) -> Mapping[str, str]:
        """What the player has chosen so far, by binding."""
        return self.skirmish.settings.keys

    def compose(self) -> ComposeResult:
        """Title, lines, what can be done with the chosen one."""
        yield Static("KEYS   Enter changes a key", classes="title", id="heading", markup=False)
        yield OptionList(id="keys-list", classes="lines", markup=False)
        yield Static("", id="keys-told", classes="quiet", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Every room of the app is read, which may take a moment."""
        self.run_worker(self._fill(), exclusive=True)

    async def _fill(self) -> None:
        reading = asyncio.to_thread(every_key)
        self.known = await working(self.skirmish, "Collecting the keys", reading)
        listed = self.query_one("#keys-list", OptionList)
        movable = [bound for bound in self.known.values() if bound.movable]
        topics = dict.fromkeys([*FIRST, *sorted(bound.topic for bound in movable)])
        for topic in topics:
            gap = "\n" if listed.option_count else ""
            heading = Content.styled(gap + topic.upper(), "bold $primary")
            listed.add_option(Option(heading, disabled=True))
            listed.add_options(
                Option(self._line(bound), id=bound.id) for bound in movable if bound.topic == topic
            )
        listed.focus()
        listed.highlighted = 1
        if told := "\n".join(problems(self.known, self.mapped)):
            await self.skirmish.tell("Some keys in the settings file cannot be used", told)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Say what the chosen line is called in the settings file, and what its key was."""
        bound = self.known.get(event.option_id or "")
        if bound is not None:
            printed = ", ".join(map(key_name, bound.keys))
            says = f"{bound.tells}.\nDefault key: {printed}. In the settings file: {bound.id}"
            self.query_one("#keys-told", Static).update(says)
        self.refresh_bindings()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the key."""
        bound = self.known.get(event.option_id or "")
        if bound is not None:
            self.run_worker(self._ask(bound), exclusive=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """As printed: where it is not."""
        if action == "printed":
            chosen = self._chosen()
            return True if chosen is not None and chosen.id in self.mapped else None
        return True if action != "all_printed" or self.mapped else None

    async def action_printed(self) -> None:
        """The printed key for the chosen line, unless something else has it by now."""
        bound = self._chosen()
        if bound is None or bound.id not in self.mapped:
            return
        without = {name: key for name, key in self.mapped.items() if name != bound.id}
        for key in bound.keys:
            if reason := why_not(self.known, without, bound.id, key):
                self.notify(reason, severity="warning", markup=False)
                return
        await self._keep(without)

    async def action_all_printed(self) -> None:
        """The printed keys for all lines."""
        await self._keep({})

    async def _ask(self, bound: Bound) -> None:
        def wrong(key: str) -> str | None:
            return why_not(self.known, self.mapped, bound.id, key)

        key = await self.app.push_screen_wait(PressKeyScreen(bound, wrong))
        if key is not None:
            changed = {name: kept for name, kept in self.mapped.items() if name != bound.id}
            if key not in bound.keys:
                changed[bound.id] = bound.with_key(key)
            await self._keep(changed)

    async def _keep(self, mapped: Mapping[str, str]) -> None:
        if await self.skirmish.change_settings(replace(self.skirmish.settings, keys=mapped)):
            self.app.clear_notifications()
            self.notify("The keys are saved.", timeout=2, markup=False)
        listed = self.query_one("#keys-list", OptionList)
        for bound in self.known.values():
            if bound.movable:
                listed.replace_option_prompt(bound.id, self._line(bound))
        self.refresh_bindings()

    def _chosen(self) -> Bound | None:
        listed = self.query_one("#keys-list", OptionList)
        if listed.highlighted is None:
            return None
        return self.known.get(listed.get_option_at_index(listed.highlighted).id or "")

    def _line(self, bound: Bound) -> Content:
        keys = sorted(bound.keys_now(self.mapped), key=FIXED.__contains__)
        shown = Content("  " + ", ".join(map(key_name, keys))).truncate(
            KEY, ellipsis=True, pad=True
        )
        mine = bound.id in self.mapped
        return Content.assemble(
            shown.stylize("bold $accent" if mine else "bold"),
            "  ",
            bound.tells,
            ("  (yours)" if mine else "", "$accent"),
        )


class PressKeyScreen(ModalScreen[str | None]):
    """Waits for a key; gives it, or None where Esc is pressed. ``wrong`` says why not, if not."""

    TOPIC: ClassVar[str] = "keys"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Close", show=False, tooltip="Cancel; the key stays as it is",
                id="keys.keep"),
    ]  # fmt: skip

    def __init__(self, bound: Bound, wrong: Callable[[str], str | None]) -> None:
        super().__init__()
        self._bound = bound
        self._wrong = wrong

    def compose(self) -> ComposeResult:
        """What the key is for, where it is pressed, what is wrong with the last."""
        with Vertical(classes="window"):
            yield Static("Change a key", classes="title", markup=False)
            yield Static(f"\n{self._bound.tells}.\n", markup=False)
            yield AnyKey("Press the new key now.", id="press-here", markup=False)
            yield Static("", id="press-why", markup=False)
            yield Static("Esc cancels.", classes="quiet", markup=False)

    def on_mount(self) -> None:
        """The next key comes to us."""
        self.query_one(AnyKey).focus()

    def on_any_key_pressed(self, event: AnyKey.Pressed) -> None:
        """Take it, or say why not."""
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
        """All but Esc, which closes the window."""
        if event.key != "escape":
            event.stop()
            event.prevent_default()
            self.post_message(self.Pressed(event.key))
