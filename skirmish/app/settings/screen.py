"""Lines to set, each of which applies at once and is saved: the settings, and the rulings with the
answers that new armies and battles begin with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import groupby
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from skirmish import library
from skirmish.app.binding import keys
from skirmish.app.line_list import Group, LineScreen
from skirmish.app.settings.lines import LINES, RulingLine, SettingLine
from skirmish.games.plastic.rules.rulings import TOPICS
from skirmish.store.settings import Settings


class SettingsList(LineScreen):
    """Lines of which each applies at once and is saved."""

    async def save(self, message: str, settings: Settings, title: str = "") -> None:
        """Other settings, and one toast for what they are now, not one for each step."""
        saved = await self.skirmish.change_settings(settings)
        self.paint()
        if saved:
            self.app.clear_notifications()
            self.notify(message, title=title, timeout=2, markup=False)


class TurnedLines(SettingsList):
    """Lines of which each takes one of several values."""

    @property
    @abstractmethod
    def lines(self) -> Mapping[str, SettingLine]:
        """By their ids."""

    def groups(self) -> Iterator[Group]:
        gap = ""
        for topic, lines in groupby(self.lines.values(), key=lambda line: line.topic):
            heading = Content.styled(gap + topic, "bold $primary")
            yield heading, {line.name: self._line(line) for line in lines}
            gap = "\n"

    def _line(self, line: SettingLine) -> Content:
        settings, values = self.skirmish.settings, len(line.values)
        words = line.words(settings) + ("" if values else " ...")
        style = "" if line.is_default(settings) else "bold $accent"
        return self.labelled(f"  {line.label}", words, turns=values > 1, style=style)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        line, settings = self.lines.get(self.chosen), self.skirmish.settings
        able = {
            "turn": line is not None and len(line.values) != 1,
            "reset": line is not None and not line.is_default(settings),
            "reset_all": not all(one.is_default(settings) for one in self.lines.values()),
        }
        return able.get(action, True) or None

    async def on_option_list_option_selected(self) -> None:
        await self.action_turn(1)

    async def action_turn(self, step: int) -> None:
        line = self.lines.get(self.chosen)
        if line is not None and len(line.values) > 1:
            await self._set(line, line.turned(self.skirmish.settings, step))
        elif line is not None and line.values:
            self.notify("This ruling has only one answer.", markup=False)
        elif line is not None and step > 0:
            self.skirmish.show(line.name)

    async def action_reset(self) -> None:
        if (line := self.lines.get(self.chosen)) is not None:
            await self._set(line, line.put(self.skirmish.settings, line.default))

    async def action_reset_all(self) -> None:
        settings = self.skirmish.settings
        for line in self.lines.values():
            settings = line.put(settings, line.default)
        await self.save("Everything is at its default.", settings, title="Saved")

    async def _set(self, line: SettingLine, settings: Settings) -> None:
        message = f"{line.label}: {self.skirmish.measured(line.words(settings))}"
        await self.save(message, settings, title="Saved")


class SettingsScreen(TurnedLines):
    """The settings."""

    LABEL = 22
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
    lines = LINES

    def below(self) -> ComposeResult:
        place = f"Settings file: {self.skirmish.liked}"
        yield Static(place, id="settings-place", classes="quiet", markup=False)

    def on_screen_resume(self) -> None:
        self.paint()

    def meaning(self, id: str) -> str:
        return LINES[id].meaning


class RulingsList(TurnedLines):
    """Each gap in the rules with its answer; below, the question and all answers to the chosen
    one."""

    LABEL = 35  # the longest name: two spaces, its id and "Optional rules in scenarios"
    LIST: ClassVar[str] = "usual"
    TOPIC: ClassVar[str] = "rulings"
    HELP = (
        "Each line is a gap in the rules, with the answer that new armies and battles start with. "
        "Enter or the right arrow takes the next answer where there are several. Existing armies "
        "and battles keep theirs, and each battle can still choose its own during set-up."
    )
    BINDINGS: ClassVar[list[BindingType]] = keys(
        "rulings",
        ("next", "right", "turn(1)", "Next answer", "Take the next answer"),
        ("last", "left", "turn(-1)", "", "Take the previous answer"),
        ("usual", "d", "reset", "Reset", "Reset this ruling to its default answer"),
        ("all_usual", "D", "reset_all", "Reset all", "Reset every ruling to its default answer"),
        ("back", "escape,q", "app.pop_screen", "Back", "Back; changes are saved"),
    )

    @cached_property
    def lines(self) -> Mapping[str, SettingLine]:
        rulings = library.rulings().rulings.values()
        ordered = [one for topic in TOPICS for one in rulings if one.topic == topic]
        return {one.id: RulingLine.of(one, TOPICS[one.topic].upper()) for one in ordered}

    @property
    def paragraph(self) -> str:
        return self.chosen

    @property
    def heading(self) -> str:
        words = LINES["rulings"].words(self.skirmish.settings)
        return f"RULINGS   ← → change an answer   {words}"

    def meaning(self, id: str) -> Content:
        line, measured = self.lines[id], self.skirmish.measured
        now = line.value(self.skirmish.settings)
        rows = [Content.assemble((measured(line.meaning), "bold"))]
        for answer, words in line.values:
            mark = "*" if answer == now else " "
            usual = "  (default)" if answer == line.default and len(line.values) > 1 else ""
            style = "$accent" if answer == now else "$foreground 75%"
            rows.append(Content.styled(f"{mark} {measured(words)}{usual}", style))
        return Content("\n").join(rows)
