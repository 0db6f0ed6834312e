"""The settings: each line applies at once and is kept."""

from __future__ import annotations

from typing import ClassVar

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from skirmish.app.foot import Foot
from skirmish.app.host import Host, Screen
from skirmish.app.settings.lines import CHOICES, KEYS, Choice
from skirmish.store.settings import Settings

LABEL = 20
"""Columns of the labels."""


class SettingsScreen(Screen[None]):
    """The lines on top, what the chosen one means below."""

    CSS_PATH = "settings.tcss"
    TOPIC: ClassVar[str] = "settings"
    HELP = (
        "Up and down choose a line. Enter or the right arrow takes its next value, the left arrow "
        "the previous one. Each change applies and is saved at once. Existing battles and armies "
        "stay as they are."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", "Change", tooltip="Take the next value", id="settings.next"),
        Binding(
            "left", "turn(-1)", "Back", show=False, tooltip="Take the previous value",
            id="settings.last",
        ),
        Binding(
            "d", "usual", "Reset", tooltip="Reset this line to its default",
            id="settings.usual",
        ),
        Binding(
            "escape,q", "app.pop_screen", "Home", key_display="Esc",
            tooltip="Back; changes are saved", id="settings.back",
        ),
    ]  # fmt: skip

    def compose(self) -> ComposeResult:
        """Title, lines, what the chosen line means, where all of it is kept."""
        yield Static("SETTINGS   ← → change a line", classes="title", id="heading", markup=False)
        yield OptionList(id="settings", classes="lines", markup=False)
        yield Static("", id="settings-told", markup=False)
        yield Static("", id="settings-place", classes="quiet", markup=False)
        yield Foot()

    def on_mount(self) -> None:
        """Fill the list."""
        listed = self.query_one("#settings", OptionList)
        topic = ""
        for choice in CHOICES:
            if choice.topic != topic:
                topic = choice.topic
                heading = Content.styled(("\n" if topic else "") + topic, "bold $primary")
                listed.add_option(Option(heading, disabled=True))
            listed.add_option(Option("", id=choice.name))
        self._paint()
        listed.focus()
        listed.highlighted = 1
        place = f"Settings file: {self.skirmish.liked}"
        self.query_one("#settings-place", Static).update(place)

    def on_screen_resume(self) -> None:
        """Back from the keys or the rulings: their lines may say something else."""
        self._paint()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Explain the line."""
        if choice := _choice(event.option_id):
            self.query_one("#settings-told", Static).update(choice.told)
            self.refresh_bindings()

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Change the line, or open what stands behind it."""
        await self._turn(_choice(event.option_id), 1)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """As usual: where it is not."""
        if action == "usual":
            chosen = self._chosen()
            return None if chosen is None or chosen.usual(self.skirmish.settings) else True
        return True

    async def action_turn(self, step: int) -> None:
        """Another value for the chosen line."""
        await self._turn(self._chosen(), step)

    async def action_usual(self) -> None:
        """The chosen line as the program has it."""
        if (choice := self._chosen()) is not None:
            usual = {choice.name: getattr(Settings(), choice.name)}
            await self._keep(choice, replace(self.skirmish.settings, **usual))

    async def _turn(self, choice: Choice | None, step: int) -> None:
        if choice is None:
            return
        if choice.values:
            await self._keep(choice, choice.turned(self.skirmish.settings, step))
        elif step > 0 and choice.name == KEYS:
            from skirmish.app.settings.keys import KeysScreen

            await self.app.push_screen(KeysScreen())
        elif step > 0:
            from skirmish.app.settings.usual_rulings import UsualRulings

            await self.app.push_screen(UsualRulings())

    async def _keep(self, choice: Choice, settings: Settings) -> None:
        kept = await self.skirmish.change_settings(settings)
        self._paint()
        if kept:  # one toast for the line as it is now, not one for each step
            self.app.clear_notifications()
            words = f"{choice.label}: {choice.words(settings)}"
            self.notify(words, title="Saved", timeout=2, markup=False)

    def _chosen(self) -> Choice | None:
        listed = self.query_one("#settings", OptionList)
        if listed.highlighted is None:
            return None
        return _choice(listed.get_option_at_index(listed.highlighted).id)

    def _paint(self) -> None:
        listed = self.query_one("#settings", OptionList)
        if not listed.option_count:
            return
        for choice in CHOICES:
            listed.replace_option_prompt(choice.name, _line(choice, self.skirmish))
        self.refresh_bindings()


def _choice(name: str | None) -> Choice | None:
    return next((choice for choice in CHOICES if choice.name == name), None)


def _line(choice: Choice, app: Host) -> Content:
    words = choice.words(app.settings)
    says = f"‹ {words} ›" if choice.values else f"{words} ..."
    style = "" if choice.usual(app.settings) else "bold $accent"
    return Content.assemble(f"  {choice.label:<{LABEL}}  ", (says, style))
