"""Screens of settings: a line each, applied and saved at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from functools import cached_property
from typing import Any, ClassVar

from textual.content import Content
from textual.widgets import Static

from skirmish.app.line_list import LineGroup, LineScreen
from skirmish.store.settings import Settings
from skirmish.tabletop.slots import Choose


class SettingsList(LineScreen):
    """Lines whose changes are settings."""

    async def save(self, settings: Settings) -> None:
        """Apply and store new settings. The heading says that they are saved once they are."""
        is_saved = await self.skirmish.change_settings(settings)
        if is_saved:
            self.query_one("#heading", Static).update(f"{self.heading}   Saved")


class ChoiceLines(SettingsList):
    """Lines that each take one of several values; a line without options opens a screen of its own,
    whose name is the line's."""

    WHY_NOT: ClassVar[Mapping[str, str]] = {
        "turn": "this line has one value",
        "reset": "it has its default",
        "reset_all": "all have their defaults",
    }

    @property
    @abstractmethod
    def topics(self) -> Mapping[str, Sequence[Choose]]:
        """The lines under their headings."""

    @property
    @abstractmethod
    def values(self) -> Mapping[str, Any]:
        """The current value of each line. For a line that opens a screen, it is those values of the
        screen that are not at their defaults."""

    @abstractmethod
    def settings_with(self, values: Mapping[str, Any]) -> Settings:
        """The settings with other values for some lines."""

    def groups(self) -> Iterator[LineGroup]:
        row_above = ""
        for topic, lines in self.topics.items():
            heading = Content.styled(row_above + topic, "bold $primary")
            yield LineGroup(heading, {line.name: self._line(line) for line in lines})
            # An empty row stands above every heading but the first.
            row_above = "\n"

    @cached_property
    def lines(self) -> Mapping[str, Choose]:
        """All lines by their names."""
        return lines_by_name(self.topics)

    def _line(self, line: Choose) -> Content:
        """A line with its value, or with what was changed on the screen that it opens."""
        value = self.values[line.name]
        if _opens_screen(line):
            words = f"▸ {changed_words(value)}"
        else:
            words = line.shown(value)
        return self.labelled_line(
            f"  {line.label}",
            words,
            is_changed=self._is_changed(line),
            has_arrows=_has_choice(line),
        )

    def _is_changed(self, line: Choose) -> bool:
        """Whether a line has another value than its default."""
        return bool(self.values[line.name] != line.default)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if self._is_possible(action):
            return True
        return None  # Textual shows the key in grey; False would hide it

    def _is_possible(self, action: str) -> bool:
        """Whether an action does anything to the selected line, or to any."""
        if action == "reset_all":
            return any(self._is_changed(line) for line in self.lines.values())
        if action not in ("turn", "reset"):
            return True
        line = self.lines.get(self.chosen)
        if line is None:
            return False
        if action == "reset":
            return self._is_changed(line)
        return _opens_screen(line) or _has_choice(line)

    async def on_option_list_option_selected(self) -> None:
        await self.action_turn(1)

    async def action_turn(self, step: int) -> None:
        """Take the next value of the selected line (1) or the one before (-1), or open its
        screen."""
        line = self.lines.get(self.chosen)
        if line is None:
            return
        if _opens_screen(line):
            if step > 0:  # Enter and the right arrow open it, the left arrow does not
                self.skirmish.show(line.name)
        elif _has_choice(line):
            value = line.turned(self.values[line.name], step)
            await self.save(self.settings_with({line.name: value}))

    async def action_reset(self) -> None:
        line = self.lines.get(self.chosen)
        if line is not None:
            await self.save(self.settings_with({line.name: line.default}))

    async def action_reset_all(self) -> None:
        defaults = {line.name: line.default for line in self.lines.values()}
        await self.save(self.settings_with(defaults))


def _opens_screen(line: Choose) -> bool:
    """Whether a line has a screen of its own in place of values."""
    return not line.options


def _has_choice(line: Choose) -> bool:
    """Whether a line has another value to take."""
    return len(line.options) > 1


def changed_words(changed_values: Sized) -> str:
    """How many values are not the default, in words; ``changed_values`` are these."""
    if changed_values:
        return f"{len(changed_values)} changed"
    return "all at their defaults"


def option_rows(line: Choose, answer: Any, measured: Callable[[str], str]) -> Iterator[Content]:
    """The options of a line, with marks of the present ``answer`` and of the default. ``measured``
    puts distances into the player's units."""
    default_words = "(default)"
    if len(line.options) == 1:
        default_words = "(the only answer)"
    for option in line.options:
        mark, style = " ", "$foreground 75%"
        if option.value == answer:
            mark, style = "*", "$accent"
        text = f"{mark} {measured(option.label)}"
        if option.value == line.default:
            text += f"  {default_words}"
        yield Content.styled(text, style)


def lines_by_name(topics: Mapping[str, Sequence[Choose]]) -> dict[str, Choose]:
    """The lines of all topics by their names."""
    by_name = {}
    for lines in topics.values():
        for line in lines:
            by_name[line.name] = line
    return by_name
