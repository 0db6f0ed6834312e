"""Lines to set, each of which applies at once and is saved: the settings, and what their lists of
keys and of rulings are made of."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.binding import keys
from skirmish.app.foot import Foot
from skirmish.app.host import Screen
from skirmish.app.settings.lines import LINES, SettingLine
from skirmish.store.settings import Settings

LABEL = 20
"""Columns of the labels."""


class SettingsList(Screen[None]):
    """Lines under headings; what the chosen one means stands below. ``LIST`` is the list's id."""

    CSS_PATH = "settings.tcss"
    LIST: ClassVar[str] = ""

    @property
    @abstractmethod
    def heading(self) -> str:
        """What the lines are."""

    @abstractmethod
    def line(self, id: str) -> Content:
        """A line as it stands now."""

    @abstractmethod
    def meaning(self, id: str) -> Content | str:
        """What a line is for."""

    def compose(self) -> ComposeResult:
        yield Static(self.heading, classes="title", id="heading", markup=False)
        yield OptionList(id=self.LIST, classes="lines", markup=False)
        with VerticalScroll(id="meaning", can_focus=False):
            yield Static("", id=f"{self.LIST}-about", markup=False)
        yield from self.below()
        yield Foot()

    def below(self) -> ComposeResult:
        yield from ()

    def fill(self, groups: Iterable[tuple[str, Iterable[str]]]) -> None:
        listed = self.listed
        for title, ids in groups:
            gap = "\n" if listed.option_count else ""
            heading = Content.styled(gap + title, "bold $primary")
            listed.add_option(Option(heading, disabled=True))
            listed.add_options(Option(self.line(id), id=id) for id in ids)
        listed.focus()
        listed.highlighted = 1
        self.paint()

    @property
    def listed(self) -> OptionList:
        return self.query_one(f"#{self.LIST}", OptionList)

    @property
    def chosen(self) -> str:
        """The id of the chosen line; empty where there is none."""
        option = self.listed.highlighted_option if self.is_mounted else None
        return (option.id or "") if option else ""

    def on_option_list_option_highlighted(self) -> None:
        self._explain()
        self.query_one("#meaning").scroll_home(animate=False)

    def paint(self) -> None:
        for option in self.listed.options:
            if option.id is not None:
                self.listed.replace_option_prompt(option.id, self.line(option.id))
        self.query_one("#heading", Static).update(self.heading)
        self._explain()

    def _explain(self) -> None:
        if chosen := self.chosen:
            self.query_one(f"#{self.LIST}-about", Static).update(self.meaning(chosen))
        self.refresh_bindings()

    async def save(self, message: str, *, title: str = "", **changed: Any) -> None:
        """Other settings, and one toast for what they are now, not one for each step."""
        saved = await self.skirmish.change_settings(replace(self.skirmish.settings, **changed))
        self.paint()
        if saved:
            self.app.clear_notifications()
            self.notify(message, title=title, timeout=2, markup=False)


class SettingsScreen(SettingsList):
    """The settings."""

    LIST: ClassVar[str] = "settings"
    TOPIC: ClassVar[str] = "settings"
    HELP = (
        "Up and down choose a line. Enter or the right arrow takes its next value, the left arrow "
        "the previous one. Each change applies and is saved at once. Existing battles and armies "
        "stay as they are."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "settings",
        ("next", "right", "turn(1)", "Change", "Take the next value"),
        ("last", "left", "turn(-1)", "", "Take the previous value"),
        ("usual", "d", "reset", "Reset", "Reset this line to its default"),
        ("back", "escape,q", "app.pop_screen", "Home", "Back; changes are saved"),
    )
    heading = "SETTINGS   ← → change a line"

    def below(self) -> ComposeResult:
        place = f"Settings file: {self.skirmish.liked}"
        yield Static(place, id="settings-place", classes="quiet", markup=False)

    def on_mount(self) -> None:
        groups: dict[str, list[str]] = {}
        for line in LINES.values():
            groups.setdefault(line.topic, []).append(line.name)
        self.fill(groups.items())

    def on_screen_resume(self) -> None:
        self.paint()

    def line(self, id: str) -> Content:
        line, settings = LINES[id], self.skirmish.settings
        words = line.words(settings)
        value = f"‹ {words} ›" if line.values else f"{words} ..."
        style = "" if line.is_default(settings) else "bold $accent"
        return Content.assemble(f"  {line.label:<{LABEL}}  ", (value, style))

    def meaning(self, id: str) -> str:
        return LINES[id].meaning

    async def on_option_list_option_selected(self) -> None:
        await self.action_turn(1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "reset":
            line = LINES.get(self.chosen)
            return None if line is None or line.is_default(self.skirmish.settings) else True
        return True

    async def action_turn(self, step: int) -> None:
        if (line := LINES.get(self.chosen)) is None:
            return
        if line.values:
            await self._set(line, line.turned(self.skirmish.settings, step))
        elif step > 0:
            self.skirmish.show(line.name)

    async def action_reset(self) -> None:
        if (line := LINES.get(self.chosen)) is not None:
            await self._set(line, getattr(Settings(), line.name))

    async def _set(self, line: SettingLine, value: object) -> None:
        words = line.words(replace(self.skirmish.settings, **{line.name: value}))
        await self.save(f"{line.label}: {words}", title="Saved", **{line.name: value})
